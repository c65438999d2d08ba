package tensor

import (
	"fmt"
	"math"
)

// DType is the element type of a tensor. Its names are those that StableHLO prints.
type DType uint8

// The element types. An Array of type F16 or BF16 holds its elements as uint16 bit patterns; every
// other type has a Go type of its own (see Array).
const (
	Invalid DType = iota // the zero DType, which no tensor has
	Bool                 // i1: true or false
	I8                   // i8: signed integer of 8 bits
	I16                  // i16: signed integer of 16 bits
	I32                  // i32: signed integer of 32 bits
	I64                  // i64: signed integer of 64 bits
	U8                   // ui8: unsigned integer of 8 bits
	U16                  // ui16: unsigned integer of 16 bits
	U32                  // ui32: unsigned integer of 32 bits
	U64                  // ui64: unsigned integer of 64 bits
	F16                  // f16: IEEE 754 binary16
	BF16                 // bf16: bfloat16, the upper half of a float32
	F32                  // f32: IEEE 754 binary32
	F64                  // f64: IEEE 754 binary64
	C64                  // complex<f32>: real and imaginary part are F32
	C128                 // complex<f64>: real and imaginary part are F64
)

var dtypeNames = [...]string{"invalid", "i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>"}

var dtypeBits = [...]int{0, 1, 8, 16, 32, 64, 8, 16, 32, 64, 16, 16, 32, 64, 64, 128}

// ParseDType returns the type that StableHLO prints as s, such as "f32", "ui8", "i1" or "complex<f32>", or an error
// if there is none. Signless and signed integers are the same type.
func ParseDType(s string) (DType, error) {
	for i, n := range dtypeNames {
		if i != 0 && n == s {
			return DType(i), nil
		}
	}
	return Invalid, fmt.Errorf("tensor: unknown element type %q", s)
}

// String returns the type's name as StableHLO prints it.
func (d DType) String() string {
	if int(d) < len(dtypeNames) {
		return dtypeNames[d]
	}
	return fmt.Sprintf("dtype(%d)", uint8(d))
}

// Bits returns the width of an element in bits; 1 for Bool.
func (d DType) Bits() int { return dtypeBits[d] }

// IsFloat reports whether d is a real floating-point type.
func (d DType) IsFloat() bool { return d >= F16 && d <= F64 }

// IsComplex reports whether d is a complex type.
func (d DType) IsComplex() bool { return d == C64 || d == C128 }

// IsInt reports whether d is an integer type (Bool is not).
func (d DType) IsInt() bool { return d >= I8 && d <= U64 }

// IsSigned reports whether d is a signed integer type.
func (d DType) IsSigned() bool { return d >= I8 && d <= I64 }

// Extreme returns the largest value of a real type, or the smallest if sign is -1: an infinity, an int64, a uint64 or a bool.
func (d DType) Extreme(sign int) any {
	switch bits := d.Bits(); {
	case d.IsFloat():
		return math.Inf(sign)
	case d == Bool:
		return sign > 0
	case d.IsSigned() && sign < 0:
		return int64(math.MinInt64) >> (64 - bits)
	case d.IsSigned():
		return int64(math.MaxInt64) >> (64 - bits)
	case sign < 0:
		return uint64(0)
	default:
		return uint64(math.MaxUint64) >> (64 - bits)
	}
}
