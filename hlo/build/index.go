package build

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// Gather returns windows of x of the given sizes, at places that integer indices name as dims describes. Places are
// clamped so that windows lie within x.
func (b *Builder) Gather(x, indices Value, dims hlo.GatherDims, sizes ...int) Value {
	return b.one(hlo.OpGather, hlo.Attrs{"dimension_numbers": &dims, "slice_sizes": ints(sizes)}, x, indices)
}

// Take returns the slices of x along dimension dim that integer indices name; the dimensions of indices replace
// dimension dim.
func (b *Builder) Take(x, indices Value, dim int) Value {
	if b.use([]Value{x, indices}) == nil {
		return Value{}
	}
	at := int(fromEnd(dim, x.Rank()))
	if at < 0 || at >= x.Rank() {
		b.fail(fmt.Sprintf("%v has no dimension %d", x, dim), "count dimensions from 0, or from the end with -1")
		return Value{}
	}
	d := hlo.GatherDims{CollapsedSliceDims: []int{at}, StartIndexMap: []int{at}, IndexVectorDim: indices.Rank()}
	for i := range x.Rank() {
		switch {
		case i < at:
			d.OffsetDims = append(d.OffsetDims, i)
		case i > at:
			d.OffsetDims = append(d.OffsetDims, i-1+indices.Rank())
		}
	}
	sizes := x.Shape()
	sizes[at] = 1
	return b.Gather(x, indices, d, sizes...)
}

// Scatter returns x with the windows of updates put in at places that integer indices name as dims describes. combine
// gets the element that is there and the update's, as scalars, and returns the new element; nil means the update's
// element. Windows that do not lie within x are left out.
func (b *Builder) Scatter(x, indices, updates Value, dims hlo.ScatterDims, combine func(old, update Value) Value) Value {
	if combine == nil {
		combine = func(_, update Value) Value { return update }
	}
	return b.op(hlo.OpScatter, nil, []Value{x, indices, updates}, hlo.Attrs{"scatter_dimension_numbers": &dims}, []Region{pair(combine)})[0]
}

// Sort returns xs, which have one shape, sorted along dimension dim, all by the same order. less gets one element of
// each operand, then another one of each, all as scalars, and returns a bool: whether the first ones come first.
// Elements that are equal keep their order.
func (b *Builder) Sort(xs []Value, dim int, less func(x, y []Value) Value) []Value {
	var region Region
	if less != nil {
		region = func(p []Value) []Value {
			var x, y []Value
			for two := range slices.Chunk(p, 2) {
				x, y = append(x, two[0]), append(y, two[1])
			}
			return []Value{less(x, y)}
		}
	}
	rank := 0
	if len(xs) > 0 {
		rank = xs[0].Rank()
	}
	return b.op(hlo.OpSort, nil, xs, hlo.Attrs{"dimension": fromEnd(dim, rank), "is_stable": true}, []Region{region})[:len(xs)]
}

// SortAscending returns the elements of x sorted along dimension dim, the smallest first.
func (b *Builder) SortAscending(x Value, dim int) Value {
	return b.Sort([]Value{x}, dim, func(x, y []Value) Value { return b.Less(x[0], y[0]) })[0]
}

// TopK returns the k largest values along the last dimension, the largest first, and their indices, which are i32.
func (b *Builder) TopK(x Value, k int) (values, indices Value) {
	out := b.op(hlo.OpTopK, nil, []Value{x}, hlo.Attrs{"k": int64(k)}, nil)
	return out[0], out[1]
}
