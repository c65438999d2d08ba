package build

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Convert is x with elements of type d: floats are rounded to the next one,
// and to integers towards zero.
func (b *Builder) Convert(x Value, d tensor.DType) Value {
	return b.typed(hlo.OpConvert, Tensor(d, x.Shape()...), nil, x)
}

// BitcastConvert is the bits of x as elements of type t.
func (b *Builder) BitcastConvert(x Value, t tensor.Type) Value {
	return b.typed(hlo.OpBitcastConvert, t, nil, x)
}

// Iota counts from 0 along dimension dim of a tensor of the given shape.
func (b *Builder) Iota(d tensor.DType, dim int, dims ...int) Value {
	t := Tensor(d, dims...)
	return b.typed(hlo.OpIota, t, hlo.Attrs{"iota_dimension": fromEnd(dim, len(dims))})
}

// Reshape is x's elements, in row-major order, in another shape. One dimension
// may be -1: it gets the size that is left.
func (b *Builder) Reshape(x Value, dims ...int) Value {
	if b.use([]Value{x}) == nil {
		return Value{}
	}
	shape := slices.Clone(dims)
	if i := slices.Index(shape, -1); i >= 0 {
		shape[i] = 1
		rest, n := tensor.Shape(shape).Size(), x.Shape().Size()
		if rest <= 0 || n%rest != 0 {
			b.fail(fmt.Sprintf("the %d elements of %v have no shape %v", n, x, dims), "the product of the dimensions must divide the number of elements")
			return Value{}
		}
		shape[i] = n / rest
	}
	return b.typed(hlo.OpReshape, Tensor(x.DType(), shape...), nil, x)
}

// Transpose has x's dimension perm[i] as dimension i; without perm the
// dimensions in reverse order.
func (b *Builder) Transpose(x Value, perm ...int) Value {
	if len(perm) == 0 {
		for i := range x.Rank() {
			perm = append(perm, x.Rank()-1-i)
		}
	}
	return b.one(hlo.OpTranspose, hlo.Attrs{"permutation": fromEnds(perm, x.Rank())}, x)
}

// Reverse has x's elements in reverse order along the given dimensions.
func (b *Builder) Reverse(x Value, dims ...int) Value {
	return b.one(hlo.OpReverse, hlo.Attrs{"dimensions": fromEnds(dims, x.Rank())}, x)
}

// Concat puts Values of one element type behind each other along dimension
// dim. Their other dimensions are equal.
func (b *Builder) Concat(dim int, xs ...Value) Value {
	rank := 0
	if len(xs) > 0 {
		rank = xs[0].Rank()
	}
	return b.one(hlo.OpConcatenate, hlo.Attrs{"dimension": fromEnd(dim, rank)}, xs...)
}

// Slice is the block of x whose index in each dimension d is at least start[d] and
// less than limit[d].
func (b *Builder) Slice(x Value, start, limit []int) Value {
	return b.one(hlo.OpSlice, hlo.Attrs{"start_indices": ints(start), "limit_indices": ints(limit)}, x)
}

// StridedSlice is every stride[i]-th element of Slice along dimension i.
func (b *Builder) StridedSlice(x Value, start, limit, stride []int) Value {
	return b.one(hlo.OpSlice, hlo.Attrs{"start_indices": ints(start), "limit_indices": ints(limit), "strides": ints(stride)}, x)
}

// DynamicSlice is the block of x of the given sizes that begins at the scalar
// indices start, one for each dimension, of one integer type. Starts are
// clamped so that the block lies within x.
func (b *Builder) DynamicSlice(x Value, start []Value, sizes ...int) Value {
	return b.one(hlo.OpDynamicSlice, hlo.Attrs{"slice_sizes": ints(sizes)}, slices.Concat([]Value{x}, start)...)
}

// DynamicUpdateSlice is x with the block that begins at start replaced by
// update. Starts are those of DynamicSlice.
func (b *Builder) DynamicUpdateSlice(x, update Value, start []Value) Value {
	return b.one(hlo.OpDynamicUpdateSlice, nil, slices.Concat([]Value{x, update}, start)...)
}

// Padding is how many elements Pad puts before, behind and between the
// elements along a dimension. Negative Low and High cut elements off.
type Padding struct{ Low, High, Interior int }

// Pad puts the scalar value, a Value or a Go number, around and between x's
// elements: one Padding for each dimension.
func (b *Builder) Pad(x Value, value any, padding ...Padding) Value {
	if b.use([]Value{x}) == nil {
		return Value{}
	}
	low, high, interior := []int64{}, []int64{}, []int64{}
	for _, p := range padding {
		low, high, interior = append(low, int64(p.Low)), append(high, int64(p.High)), append(interior, int64(p.Interior))
	}
	attrs := hlo.Attrs{"edge_padding_low": low, "edge_padding_high": high, "interior_padding": interior}
	return b.one(hlo.OpPad, attrs, x, b.bound(value, x.DType()))
}

// fromEnd is a dimension number, counted from the end where it is negative.
func fromEnd(dim, rank int) int64 {
	if dim < 0 {
		dim += rank
	}
	return int64(dim)
}

func fromEnds(dims []int, rank int) []int64 {
	out := make([]int64, len(dims))
	for i, d := range dims {
		out[i] = fromEnd(d, rank)
	}
	return out
}
