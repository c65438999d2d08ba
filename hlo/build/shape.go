package build

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Convert returns x with elements of type d: floats are rounded to the nearest one, and to integers towards zero.
func (b *Builder) Convert(x Value, d tensor.DType) Value {
	return b.typed(hlo.OpConvert, Tensor(d, x.Shape()...), nil, x)
}

// BitcastConvert returns the bits of x as elements of type t.
func (b *Builder) BitcastConvert(x Value, t tensor.Type) Value {
	return b.typed(hlo.OpBitcastConvert, t, nil, x)
}

// Iota returns a tensor of element type d and the given dimensions whose elements count from 0 along dimension dim.
func (b *Builder) Iota(d tensor.DType, dim int, dims ...int) Value {
	t := Tensor(d, dims...)
	return b.typed(hlo.OpIota, t, hlo.Attrs{"iota_dimension": fromEnd(dim, len(dims))})
}

// Reshape returns x's elements, in row-major order, in the shape dims. One dimension may be −1: it gets the size that
// is left.
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

// Transpose returns x with its dimensions permuted: dimension i of the result is x's dimension perm[i]. Without perm
// the dimensions are in reverse order.
func (b *Builder) Transpose(x Value, perm ...int) Value {
	if len(perm) == 0 {
		for i := range x.Rank() {
			perm = append(perm, x.Rank()-1-i)
		}
	}
	return b.one(hlo.OpTranspose, hlo.Attrs{"permutation": fromEnds(perm, x.Rank())}, x)
}

// Reverse returns x with its elements in reverse order along the given dimensions.
func (b *Builder) Reverse(x Value, dims ...int) Value {
	return b.one(hlo.OpReverse, hlo.Attrs{"dimensions": fromEnds(dims, x.Rank())}, x)
}

// Concat returns Values of one element type, one after the other along dimension dim. Their other dimensions are
// equal.
func (b *Builder) Concat(dim int, xs ...Value) Value {
	rank := 0
	if len(xs) > 0 {
		rank = xs[0].Rank()
	}
	return b.one(hlo.OpConcatenate, hlo.Attrs{"dimension": fromEnd(dim, rank)}, xs...)
}

// Slice returns the block of x whose index in each dimension d is at least start[d] and less than limit[d].
func (b *Builder) Slice(x Value, start, limit []int) Value {
	return b.one(hlo.OpSlice, hlo.Attrs{"start_indices": ints(start), "limit_indices": ints(limit)}, x)
}

// StridedSlice returns every stride[d]-th element, along each dimension d, of what Slice returns.
func (b *Builder) StridedSlice(x Value, start, limit, stride []int) Value {
	return b.one(hlo.OpSlice, hlo.Attrs{"start_indices": ints(start), "limit_indices": ints(limit), "strides": ints(stride)}, x)
}

// DynamicSlice returns the block of x of the given sizes that begins at the scalar indices start, one for each
// dimension, of one integer type. Starts are clamped so that the block lies within x.
func (b *Builder) DynamicSlice(x Value, start []Value, sizes ...int) Value {
	return b.one(hlo.OpDynamicSlice, hlo.Attrs{"slice_sizes": ints(sizes)}, slices.Concat([]Value{x}, start)...)
}

// DynamicUpdateSlice returns x with the block that begins at start replaced by update. Starts are those of
// DynamicSlice.
func (b *Builder) DynamicUpdateSlice(x, update Value, start []Value) Value {
	return b.one(hlo.OpDynamicUpdateSlice, nil, slices.Concat([]Value{x, update}, start)...)
}

// Padding is the number of elements that Pad puts before, after and between the elements along a dimension. A
// negative Low or High removes elements.
type Padding struct{ Low, High, Interior int }

// Pad returns x with the scalar value, a Value or a Go number, around and between its elements: one Padding for each
// dimension.
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
