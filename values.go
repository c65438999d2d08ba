package tacet

import (
	"slices"

	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// Element is a Go type that elements of an Array may have.
type Element interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64 | complex64 | complex128
}

// NewArray makes an array with this shape from a copy of data, which is in row-major order. Without a shape the
// array is a scalar if data has one element, else a vector. If T is uint16, the elements are integers, not
// half-precision floats. An error, of kind usage, says that a dimension is negative or that the shape and data
// have different numbers of elements.
func NewArray[T Element](data []T, shape ...int) (*Array, error) {
	if shape == nil && len(data) != 1 {
		shape = []int{len(data)}
	}
	s := tensor.Shape(shape)
	if err := s.Check(); err != nil {
		return nil, problem.New(problem.Usage, "NewArray", "%w", err)
	}
	if s.Size() != len(data) {
		return nil, problem.New(problem.Usage, "NewArray", "shape %v has %d elements, and data has %d", shape, s.Size(), len(data))
	}
	return &Array{Type: tensor.Type{DType: dtypeOf[T](), Shape: s.Clone()}, Data: slices.Clone(data)}, nil
}

func dtypeOf[T Element]() tensor.DType {
	var zero T
	switch any(zero).(type) {
	case bool:
		return tensor.Bool
	case int8:
		return tensor.I8
	case int16:
		return tensor.I16
	case int32:
		return tensor.I32
	case int64:
		return tensor.I64
	case uint8:
		return tensor.U8
	case uint16:
		return tensor.U16
	case uint32:
		return tensor.U32
	case uint64:
		return tensor.U64
	case float32:
		return tensor.F32
	case float64:
		return tensor.F64
	case complex64:
		return tensor.C64
	}
	return tensor.C128
}

// Float32s returns a copy of an array's elements as float32, in row-major order. All real types are converted,
// and values that float32 cannot represent are rounded. An error, of kind usage, says that the array is nil or
// complex.
func Float32s(a *Array) ([]float32, error) {
	if err := usable("Float32s", a); err != nil {
		return nil, err
	}
	if data, ok := a.Data.([]float32); ok && a.DType == tensor.F32 {
		return slices.Clone(data), nil
	}
	f, err := real64("Float32s", a)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(f))
	for i, x := range f {
		out[i] = float32(x)
	}
	return out, nil
}

// Float64s returns a copy of an array's elements as float64, in row-major order. All real types are converted;
// integers beyond 2^53 are rounded. An error, of kind usage, says that the array is nil or complex.
func Float64s(a *Array) ([]float64, error) {
	if err := usable("Float64s", a); err != nil {
		return nil, err
	}
	return real64("Float64s", a)
}

// real64 returns the elements of an array of a real type. place is the caller's name.
func real64(place string, a *Array) ([]float64, error) {
	if a.DType.IsComplex() {
		return nil, problem.New(problem.Usage, place, "the array is %v: its elements are not real (use Slice)", a.Type)
	}
	if data, ok := a.Data.([]float64); ok {
		return slices.Clone(data), nil
	}
	return a.Floats(), nil
}

// Slice returns a copy of an array's elements, in row-major order, in the Go type in which the array stores
// them. An error, of kind usage, says that the array is nil or that T is another type.
func Slice[T Element](a *Array) ([]T, error) {
	if err := usable("Slice", a); err != nil {
		return nil, err
	}
	data, ok := a.Data.([]T)
	if !ok {
		return nil, problem.New(problem.Usage, "Slice", "the array is %v, whose elements are %T, not %T", a.Type, a.Data, data)
	}
	return slices.Clone(data), nil
}

func usable(place string, a *Array) error {
	if a == nil {
		return problem.New(problem.Usage, place, "there is no array: no party of this process learns the result")
	}
	if err := a.Check(); err != nil {
		return problem.New(problem.Usage, place, "%w", err)
	}
	return nil
}
