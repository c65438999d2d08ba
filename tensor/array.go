package tensor

import (
	"bytes"
	"fmt"
	"math"
	"unsafe"
)

// Array is a row-major tensor of cleartext values. Data is a slice of the Go type that belongs to
// DType, with Shape.Size() elements:
//
//	Bool []bool   I8 []int8    I16 []int16   I32 []int32   I64 []int64
//	U8 []uint8    U16 []uint16 U32 []uint32  U64 []uint64
//	F16, BF16 []uint16 (bit patterns)        F32 []float32 F64 []float64
//	C64 []complex64            C128 []complex128
//
// Arrays must not be changed once they are passed on: operations make new ones, and a reshaped
// array shares Data.
type Array struct {
	Type
	Data any // a slice of the Go type that belongs to DType
}

// NewArray returns an array of zeros (false for Bool) of type t.
func NewArray(t Type) *Array { return &Array{Type: t, Data: MakeData(t.DType, t.Shape.Size())} }

// MakeData returns n zeros in a slice of the Go type that belongs to d (see Array). It panics if d is Invalid.
func MakeData(d DType, n int) any {
	switch d {
	case Bool:
		return make([]bool, n)
	case I8:
		return make([]int8, n)
	case I16:
		return make([]int16, n)
	case I32:
		return make([]int32, n)
	case I64:
		return make([]int64, n)
	case U8:
		return make([]uint8, n)
	case U16, F16, BF16:
		return make([]uint16, n)
	case U32:
		return make([]uint32, n)
	case U64:
		return make([]uint64, n)
	case F32:
		return make([]float32, n)
	case F64:
		return make([]float64, n)
	case C64:
		return make([]complex64, n)
	case C128:
		return make([]complex128, n)
	}
	panic("tensor: no data for " + d.String())
}

// Len returns the number of elements.
func (a *Array) Len() int { return a.Shape.Size() }

// Reshape returns an array with the same Data and the shape s. It panics if s has another number of elements.
func (a *Array) Reshape(s Shape) *Array {
	if s.Size() != a.Len() {
		panic(fmt.Sprintf("tensor: reshape %v to %v", a.Shape, s))
	}
	return &Array{Type: Type{a.DType, s}, Data: a.Data}
}

// View returns a new array of the elements that view v copies from a. Elements without a source are zero.
func (a *Array) View(v View) *Array {
	out := &Array{Type: Type{DType: a.DType, Shape: v.Shape}}
	switch d := a.Data.(type) {
	case []bool:
		out.Data = Apply(v, false, d)
	case []int8:
		out.Data = Apply(v, 0, d)
	case []int16:
		out.Data = Apply(v, 0, d)
	case []int32:
		out.Data = Apply(v, 0, d)
	case []int64:
		out.Data = Apply(v, 0, d)
	case []uint8:
		out.Data = Apply(v, 0, d)
	case []uint16:
		out.Data = Apply(v, 0, d)
	case []uint32:
		out.Data = Apply(v, 0, d)
	case []uint64:
		out.Data = Apply(v, 0, d)
	case []float32:
		out.Data = Apply(v, 0, d)
	case []float64:
		out.Data = Apply(v, 0, d)
	case []complex64:
		out.Data = Apply(v, 0, d)
	case []complex128:
		out.Data = Apply(v, 0, d)
	}
	return out
}

// Floats returns the elements of a real array as float64, exact for all types except 64-bit integers beyond 2^53;
// Bool gives 0 and 1. It may return Data itself, so the caller must not change the slice. It panics for complex
// types.
func (a *Array) Floats() []float64 {
	switch d := a.Data.(type) {
	case []float64:
		return d
	case []bool:
		out := make([]float64, len(d))
		for i, v := range d {
			if v {
				out[i] = 1
			}
		}
		return out
	case []uint16:
		out := make([]float64, len(d))
		for i, v := range d {
			switch a.DType {
			case F16:
				out[i] = F16ToFloat(v)
			case BF16:
				out[i] = float64(math.Float32frombits(uint32(v) << 16))
			default:
				out[i] = float64(v)
			}
		}
		return out
	case []float32:
		return toFloats(d)
	case []int8:
		return toFloats(d)
	case []int16:
		return toFloats(d)
	case []int32:
		return toFloats(d)
	case []int64:
		return toFloats(d)
	case []uint8:
		return toFloats(d)
	case []uint32:
		return toFloats(d)
	case []uint64:
		return toFloats(d)
	}
	panic("tensor: no real values in an array of " + a.DType.String())
}

func toFloats[T int8 | int16 | int32 | int64 | uint8 | uint32 | uint64 | float32](d []T) []float64 {
	out := make([]float64, len(d))
	for i, v := range d {
		out[i] = float64(v)
	}
	return out
}

// Uniform returns the number that all elements of a real array are equal to; ok is false if there is none. An empty
// array has none, and neither does an array with a NaN, which differs from itself.
func (a *Array) Uniform() (x float64, ok bool) {
	switch d := a.Data.(type) {
	case []float32:
		return uniform(d)
	case []float64:
		return uniform(d)
	case []int32:
		return uniform(d)
	}
	return uniform(a.Floats())
}

func uniform[T float32 | float64 | int32](d []T) (float64, bool) {
	if len(d) == 0 {
		return 0, false
	}
	// Equal elements are mostly equal to the bit. To compare their memory takes a tenth of the time, which loops take for each constant
	// of their bodies.
	size := int(unsafe.Sizeof(d[0]))
	b := unsafe.Slice((*byte)(unsafe.Pointer(&d[0])), len(d)*size)
	if !bytes.Equal(b[size:], b[:len(b)-size]) {
		for _, x := range d {
			if x != d[0] {
				return 0, false
			}
		}
	}
	if d[0] != d[0] {
		return 0, false
	}
	return float64(d[0]), true
}

// FromFloats returns an array of the float type d (F16, BF16, F32 or F64) with the elements v, each rounded to
// nearest, ties to even. It panics for other types.
func FromFloats(d DType, s Shape, v []float64) *Array {
	a := NewArray(Type{d, s})
	switch out := a.Data.(type) {
	case []float64:
		copy(out, v)
	case []float32:
		for i, x := range v {
			out[i] = float32(x)
		}
	case []uint16:
		for i, x := range v {
			if d == F16 {
				out[i] = FloatToF16(x)
			} else {
				out[i] = FloatToBF16(x)
			}
		}
	default:
		panic("tensor: FromFloats of " + d.String())
	}
	return a
}

// Words returns the elements of an integer or Bool array as 64-bit words, sign-extended for signed types. It may
// return Data itself, so the caller must not change the slice. It panics for other types.
func (a *Array) Words() []uint64 {
	if d, ok := a.Data.([]uint64); ok {
		return d
	}
	out := make([]uint64, a.Len())
	a.CopyWords(out)
	return out
}

// CopyWords sets out, which has Len words, to the words that Words returns. It panics for other types.
func (a *Array) CopyWords(out []uint64) {
	switch d := a.Data.(type) {
	case []bool:
		for i, v := range d {
			out[i] = 0
			if v {
				out[i] = 1
			}
		}
	case []int8:
		toWords(out, d)
	case []int16:
		toWords(out, d)
	case []int32:
		toWords(out, d)
	case []int64:
		toWords(out, d)
	case []uint8:
		toWords(out, d)
	case []uint16:
		toWords(out, d)
	case []uint32:
		toWords(out, d)
	case []uint64:
		copy(out, d)
	default:
		panic("tensor: no words in an array of " + a.DType.String())
	}
}

func toWords[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](out []uint64, d []T) {
	out = out[:len(d)]
	for i, v := range d {
		out[i] = uint64(v)
	}
}

// FromWords returns an array of the integer type d, or of Bool, whose elements are the low bits of w. It panics for
// other types.
func FromWords(d DType, s Shape, w []uint64) *Array {
	a := NewArray(Type{d, s})
	switch out := a.Data.(type) {
	case []bool:
		for i, v := range w {
			out[i] = v&1 != 0
		}
	case []int8:
		fromWords(out, w)
	case []int16:
		fromWords(out, w)
	case []int32:
		fromWords(out, w)
	case []int64:
		fromWords(out, w)
	case []uint8:
		fromWords(out, w)
	case []uint16:
		fromWords(out, w)
	case []uint32:
		fromWords(out, w)
	case []uint64:
		copy(out, w)
	default:
		panic("tensor: FromWords of " + d.String())
	}
	return a
}

func fromWords[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](out []T, w []uint64) {
	for i, v := range w {
		out[i] = T(v)
	}
}
