package gomlx

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/pkg/errors"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Operations that move, repeat, convert or make elements. The interface compute.StandardOps says what each computes.

// BroadcastInDim implements compute.StandardOps.
func (f *function) BroadcastInDim(x compute.Value, out shapes.Shape, axes []int) (compute.Value, error) {
	return f.unary(func(b *build.Builder, x build.Value) build.Value { return b.BroadcastInDim(x, axes, out.Dimensions...) }, x)
}

// Reshape implements compute.StandardOps.
func (f *function) Reshape(x compute.Value, dims ...int) (compute.Value, error) {
	return f.unary(func(b *build.Builder, x build.Value) build.Value { return b.Reshape(x, dims...) }, x)
}

// Transpose implements compute.StandardOps.
func (f *function) Transpose(x compute.Value, perm ...int) (compute.Value, error) {
	return f.unary(func(b *build.Builder, x build.Value) build.Value {
		if x.Rank() == 0 {
			return x
		}
		return b.Transpose(x, perm...)
	}, x)
}

// Reverse implements compute.StandardOps.
func (f *function) Reverse(x compute.Value, axes ...int) (compute.Value, error) {
	return f.unary(func(b *build.Builder, x build.Value) build.Value { return b.Reverse(x, axes...) }, x)
}

// Slice implements compute.StandardOps.
func (f *function) Slice(x compute.Value, starts, limits, strides []int) (compute.Value, error) {
	return f.unary(func(b *build.Builder, x build.Value) build.Value {
		if strides == nil {
			return b.Slice(x, starts, limits)
		}
		return b.StridedSlice(x, starts, limits, strides)
	}, x)
}

// Concatenate implements compute.StandardOps.
func (f *function) Concatenate(axis int, x ...compute.Value) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value { return b.Concat(axis, v...) }, x...)
}

// Pad implements compute.StandardOps. Axes without a config are not padded.
func (f *function) Pad(x, fill compute.Value, axes ...compute.PadAxis) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value {
		pads := make([]build.Padding, max(v[0].Rank(), len(axes)))
		for i, a := range axes {
			pads[i] = build.Padding{Low: a.Start, High: a.End, Interior: a.Interior}
		}
		return b.Pad(v[0], v[1], pads...)
	}, x, fill)
}

// DynamicSlice implements compute.StandardOps.
func (f *function) DynamicSlice(x compute.Value, starts []compute.Value, sizes []int) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value {
		return b.DynamicSlice(v[0], v[1:], sizes...)
	}, append([]compute.Value{x}, starts...)...)
}

// DynamicUpdateSlice implements compute.StandardOps.
func (f *function) DynamicUpdateSlice(x, update compute.Value, starts []compute.Value) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value {
		return b.DynamicUpdateSlice(v[0], v[1], v[2:])
	}, append([]compute.Value{x, update}, starts...)...)
}

// Gather implements compute.StandardOps.
func (f *function) Gather(
	x, indices compute.Value, vector int, offsets, collapsed, index, sizes []int, _ bool,
) (compute.Value, error) {
	dims := hlo.GatherDims{OffsetDims: offsets, CollapsedSliceDims: collapsed, StartIndexMap: index, IndexVectorDim: vector}
	return f.one(func(b *build.Builder, v []build.Value) build.Value { return b.Gather(v[0], v[1], dims, sizes...) }, x, indices)
}

func (f *function) scatter(
	combine func(b *build.Builder, x, y any) build.Value, x, indices, updates compute.Value, vector int, windows, inserted, axes []int,
) (compute.Value, error) {
	dims := hlo.ScatterDims{
		UpdateWindowDims: windows, InsertedWindowDims: inserted, ScatterDimsToOperandDims: axes, IndexVectorDim: vector,
	}
	return f.one(func(b *build.Builder, v []build.Value) build.Value {
		return b.Scatter(v[0], v[1], v[2], dims, func(old, update build.Value) build.Value { return combine(b, old, update) })
	}, x, indices, updates)
}

// ScatterSum implements compute.StandardOps.
func (f *function) ScatterSum(
	x, indices, updates compute.Value, vector int, windows, inserted, axes []int, _, _ bool,
) (compute.Value, error) {
	return f.scatter((*build.Builder).Add, x, indices, updates, vector, windows, inserted, axes)
}

// ScatterMax implements compute.StandardOps.
func (f *function) ScatterMax(
	x, indices, updates compute.Value, vector int, windows, inserted, axes []int, _, _ bool,
) (compute.Value, error) {
	return f.scatter((*build.Builder).Max, x, indices, updates, vector, windows, inserted, axes)
}

// ScatterMin implements compute.StandardOps.
func (f *function) ScatterMin(
	x, indices, updates compute.Value, vector int, windows, inserted, axes []int, _, _ bool,
) (compute.Value, error) {
	return f.scatter((*build.Builder).Min, x, indices, updates, vector, windows, inserted, axes)
}

// ConvertDType implements compute.StandardOps.
func (f *function) ConvertDType(x compute.Value, dtype dtypes.DType) (compute.Value, error) {
	d, err := dtypeOf(dtype)
	if err != nil {
		return nil, err
	}
	return f.unary(func(b *build.Builder, x build.Value) build.Value {
		switch {
		case x.DType() == d:
			return x
		case d == tensor.Bool:
			return b.NotEqual(x, 0)
		}
		return b.Convert(x, d)
	}, x)
}

// Bitcast implements compute.StandardOps.
func (f *function) Bitcast(x compute.Value, dtype dtypes.DType) (compute.Value, error) {
	d, err := dtypeOf(dtype)
	if err != nil {
		return nil, err
	}
	return f.unary(func(b *build.Builder, x build.Value) build.Value {
		shape := x.Shape()
		switch from, to := x.DType().Bits(), d.Bits(); {
		case from > to:
			shape = append(shape, from/to)
		case from < to && len(shape) > 0:
			shape = shape[:len(shape)-1]
		}
		return b.BitcastConvert(x, build.Tensor(d, shape...))
	}, x)
}

// Iota implements compute.StandardOps.
func (f *function) Iota(shape shapes.Shape, axis int) (compute.Value, error) {
	t, err := typeOf(shape)
	if err != nil {
		return nil, err
	}
	return f.one(func(b *build.Builder, _ []build.Value) build.Value { return b.Iota(t.DType, axis, t.Shape...) })
}

// RNGBitGenerator implements compute.StandardOps: Philox, as XLA's CPU backend has it. Public states give public numbers; a
// secret state is refused when the program runs.
func (f *function) RNGBitGenerator(state compute.Value, shape shapes.Shape) (next, bits compute.Value, err error) {
	t, err := typeOf(shape)
	if err != nil {
		return nil, nil, err
	}
	out, err := f.add([]compute.Value{state}, func(b *build.Builder, v []build.Value, _ *scope) []build.Value {
		return b.TypedOp(hlo.OpRNGBitGenerator, []tensor.Type{v[0].Type(), t}, v, hlo.Attrs{"rng_algorithm": hlo.Enum("PHILOX")})
	})
	if err != nil {
		return nil, nil, err
	}
	return out[0], out[1], nil
}

// DynamicShape implements compute.StandardOps: shapes are static, so that it is a constant.
func (f *function) DynamicShape(x compute.Value) (compute.Value, error) {
	v, ok := x.(*value)
	if !ok {
		return nil, errors.Errorf("gomlx: %T is no value of this backend", x)
	}
	var dims []int32
	for _, n := range v.v.Shape() {
		dims = append(dims, int32(n))
	}
	return f.Constant(dims, len(dims))
}
