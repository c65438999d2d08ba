package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// Factorizations work on tensors whose first dimension is rows (or columns), so that a step takes a range of
// them.

// rows returns rows lo ≤ i < hi.
func (a *Arith) rows(op *flow.Op, x *Value, lo, hi int) *Value {
	return a.slice(op, x, 0, lo, hi)
}

// slice returns elements lo ≤ i < hi along a dimension.
func (a *Arith) slice(op *flow.Op, x *Value, dim, lo, hi int) *Value {
	s := x.Type.Shape
	start, limit, step := make([]int, len(s)), s.Clone(), make([]int, len(s))
	for d := range step {
		step[d] = 1
	}
	start[dim], limit[dim] = lo, hi
	return a.View(op, tensor.Sliced(s, start, limit, step), x)
}

// spreadOver broadcasts x to shape; x's dimension i becomes dimension dims[i].
func (a *Arith) spreadOver(op *flow.Op, x *Value, shape tensor.Shape, dims ...int) *Value {
	return a.View(op, tensor.Broadcast(x.Type.Shape, dims, shape), x)
}

// permuted permutes dimensions.
func (a *Arith) permuted(op *flow.Op, x *Value, perm ...int) *Value {
	return a.View(op, tensor.Transposed(x.Type.Shape, perm), x)
}

// shaped returns x with another shape of the same size.
func (a *Arith) shaped(op *flow.Op, x *Value, shape tensor.Shape) *Value {
	return a.View(op, tensor.Reshaped(x.Type.Shape, shape), x)
}

// along concatenates values along a dimension.
func (a *Arith) along(op *flow.Op, dim int, xs ...*Value) *Value {
	if len(xs) == 1 {
		return xs[0]
	}
	shapes := make([]tensor.Shape, len(xs))
	for i, x := range xs {
		shapes[i] = x.Type.Shape
	}
	return a.View(op, tensor.Concatenated(shapes, dim), xs...)
}

// openProduct returns the truncated product of open values, opened; the product itself sends nothing.
func (a *Arith) openProduct(op *flow.Op, x, y *Value) *Value {
	z := a.Rescale(op, a.raw(op, x, y))
	a.Open(op, z)
	return z
}

// sumRows adds up the first dimension.
func (a *Arith) sumRows(op *flow.Op, x *Value) *Value {
	s := x.Type.Shape
	return a.Sum(op, x, 1, s[0], s[1:].Size(), s[1:].Clone())
}

// opened returns x at the fraction, opened.
func (a *Arith) opened(op *flow.Op, x *Value) *Value {
	x = a.Rescale(op, x)
	a.Open(op, x)
	return x
}

// openedNarrow returns x at the fraction, opened, in a narrower ring if x is not open yet: a truncate-reduce,
// which takes no round.
func (a *Arith) openedNarrow(op *flow.Op, x *Value) *Value {
	x = a.Comparand(op, x)
	a.Open(op, x)
	return x
}
