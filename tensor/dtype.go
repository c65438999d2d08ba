package tensor

import "fmt"

// DType is the element type of a tensor, named as StableHLO prints it.
type DType uint8

// The element types. An Array of type F16 or BF16 holds its elements as uint16 bit patterns; every
// other type has a Go type of its own (see Array).
const (
	Invalid DType = iota
	Bool          // i1
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F16
	BF16
	F32
	F64
	C64  // complex<f32>
	C128 // complex<f64>
)

var dtypeNames = [...]string{"invalid", "i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>"}

var dtypeBits = [...]int{0, 1, 8, 16, 32, 64, 8, 16, 32, 64, 16, 16, 32, 64, 64, 128}

// ParseDType reads a type name as StableHLO prints it ("f32", "ui8", "i1",
// "complex<f32>"). Signless and signed integers are the same type.
func ParseDType(s string) (DType, error) {
	for i, n := range dtypeNames {
		if i != 0 && n == s {
			return DType(i), nil
		}
	}
	return Invalid, fmt.Errorf("tensor: unknown element type %q", s)
}

func (d DType) String() string {
	if int(d) < len(dtypeNames) {
		return dtypeNames[d]
	}
	return fmt.Sprintf("dtype(%d)", uint8(d))
}

// Bits is the width of one element; 1 for Bool.
func (d DType) Bits() int { return dtypeBits[d] }

// IsFloat reports whether d is a real floating-point type.
func (d DType) IsFloat() bool { return d >= F16 && d <= F64 }

// IsComplex reports whether d is a complex type.
func (d DType) IsComplex() bool { return d == C64 || d == C128 }

// IsInt reports whether d is an integer type (Bool is not).
func (d DType) IsInt() bool { return d >= I8 && d <= U64 }

// IsSigned reports whether d is a signed integer type.
func (d DType) IsSigned() bool { return d >= I8 && d <= I64 }
