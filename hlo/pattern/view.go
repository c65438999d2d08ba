package pattern

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// view broadcasts a value to a larger shape: the value's dimension d lies along dimension src[d] of shape (−1
// if it has size 1), and the value is repeated along the other dimensions.
type view struct {
	shape tensor.Shape
	src   []int
}

func whole(s tensor.Shape) view {
	w := view{shape: s, src: make([]int, len(s))}
	for d, n := range s {
		w.src[d] = d
		if n == 1 {
			w.src[d] = -1
		}
	}
	return w
}

// through returns the composition of first, a view of a value in w's value, and w.
func (w view) through(first []int) view {
	out := view{shape: w.shape, src: make([]int, len(first))}
	for d, mid := range first {
		out.src[d] = -1
		if mid >= 0 {
			out.src[d] = w.src[mid]
		}
	}
	return out
}

func (w view) equal(v view) bool { return w.shape.Equal(v.shape) && slices.Equal(w.src, v.src) }

// is reports whether w leaves a value of shape s unchanged.
func (w view) is(s tensor.Shape) bool { return w.shape.Equal(s) && w.equal(whole(s)) }

// moves returns the view of the operand in the result of an operation that only moves elements; false for
// other operations.
func moves(o *hlo.Op) ([]int, bool) {
	in := func() tensor.Shape { return o.Operands[0].Type.Shape }
	switch o.Name {
	case hlo.OpBroadcastInDim:
		return units(in(), o.Attrs.Ints("broadcast_dimensions")), true
	case hlo.OpTranspose:
		src := make([]int, len(in()))
		for to, from := range o.Attrs.Ints("permutation") {
			src[from] = to
		}
		return units(in(), src), true
	case hlo.OpReshape:
		return unitReshape(in(), o.Results[0].Type.Shape)
	}
	return nil, false
}

// units replaces the positions of dimensions of size 1 by −1.
func units(s tensor.Shape, src []int) []int {
	out := slices.Clone(src)
	for d, n := range s {
		if n == 1 {
			out[d] = -1
		}
	}
	return out
}

// unitReshape maps the dimensions of a reshape that only adds or removes dimensions of size 1.
func unitReshape(in, out tensor.Shape) ([]int, bool) {
	src := make([]int, len(in))
	to := 0
	for d, n := range in {
		if src[d] = -1; n == 1 {
			continue
		}
		for to < len(out) && out[to] == 1 {
			to++
		}
		if to == len(out) || out[to] != n {
			return nil, false
		}
		src[d] = to
		to++
	}
	for ; to < len(out); to++ {
		if out[to] != 1 {
			return nil, false
		}
	}
	return src, true
}
