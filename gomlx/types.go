package gomlx

import (
	"reflect"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/pkg/errors"

	"github.com/tacet-mpc/tacet/tensor"
)

// elements are the element types that GoMLX and StableHLO both have.
var elements = map[dtypes.DType]tensor.DType{
	dtypes.Bool: tensor.Bool,
	dtypes.Int8: tensor.I8, dtypes.Int16: tensor.I16, dtypes.Int32: tensor.I32, dtypes.Int64: tensor.I64,
	dtypes.Uint8: tensor.U8, dtypes.Uint16: tensor.U16, dtypes.Uint32: tensor.U32, dtypes.Uint64: tensor.U64,
	dtypes.Float16: tensor.F16, dtypes.BFloat16: tensor.BF16, dtypes.Float32: tensor.F32, dtypes.Float64: tensor.F64,
	dtypes.Complex64: tensor.C64, dtypes.Complex128: tensor.C128,
}

func dtypeOf(d dtypes.DType) (tensor.DType, error) {
	out, ok := elements[d]
	if !ok {
		return tensor.Invalid, errors.Errorf("gomlx: element type %s is not supported (convert it to float32 or int32)", d)
	}
	return out, nil
}

func typeOf(s shapes.Shape) (tensor.Type, error) {
	d, err := dtypeOf(s.DType)
	if err != nil {
		return tensor.Type{}, err
	}
	if s.IsDynamic() || s.IsTuple() {
		return tensor.Type{}, errors.Errorf("gomlx: %s is not a static shape", s)
	}
	return tensor.Type{DType: d, Shape: slices.Clone(s.Dimensions)}, nil
}

func shapeOfType(t tensor.Type) (shapes.Shape, error) {
	for d, e := range elements {
		if e == t.DType {
			return shapes.Make(d, t.Shape...), nil
		}
	}
	return shapes.Invalid(), errors.Errorf("gomlx: GoMLX has no element type for %s", t)
}

// arrayOf returns a copy of a flat Go slice as an array with the given dimensions.
func arrayOf(flat any, dims []int) (*tensor.Array, error) {
	v := reflect.ValueOf(flat)
	if v.Kind() != reflect.Slice {
		return nil, errors.Errorf("gomlx: %T is not a slice", flat)
	}
	d, err := dtypeOf(dtypes.FromGoType(v.Type().Elem()))
	if err != nil {
		return nil, err
	}
	a := tensor.NewArray(tensor.Type{DType: d, Shape: slices.Clone(dims)})
	if !copyElements(reflect.ValueOf(a.Data), v) {
		return nil, errors.Errorf("gomlx: %T of %d elements is not the data of a %v", flat, v.Len(), a.Type)
	}
	return a, nil
}

// copyElements copies a slice to another one of the same length and reports whether their types allow it. GoMLX has types of
// its own for halves, whose bits package tensor stores as uint16.
func copyElements(to, from reflect.Value) bool {
	switch {
	case from.Kind() != reflect.Slice || to.Kind() != reflect.Slice || from.Len() != to.Len():
		return false
	case from.Type() == to.Type():
		reflect.Copy(to, from)
	case from.Type().Elem().Kind() == reflect.Uint16 && to.Type().Elem().Kind() == reflect.Uint16:
		for i := range from.Len() {
			to.Index(i).SetUint(from.Index(i).Uint())
		}
	default:
		return false
	}
	return true
}
