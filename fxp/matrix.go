package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// Factorizations work on tensors whose first dimension are rows (or columns),
// so that a step takes some of them.

// rows takes rows lo to hi.
func (a *Arith) rows(op *flow.Op, x *Value, lo, hi int) *Value {
	return a.slice(op, x, 0, lo, hi)
}

// slice takes lo to hi along a dimension.
func (a *Arith) slice(op *flow.Op, x *Value, dim, lo, hi int) *Value {
	s := x.Type.Shape
	start, limit, step := make([]int, len(s)), s.Clone(), make([]int, len(s))
	for d := range step {
		step[d] = 1
	}
	start[dim], limit[dim] = lo, hi
	return a.View(op, tensor.Sliced(s, start, limit, step), x)
}

// spreadOver repeats x, whose dimensions go to those given.
func (a *Arith) spreadOver(op *flow.Op, x *Value, shape tensor.Shape, dims ...int) *Value {
	return a.View(op, tensor.Broadcast(x.Type.Shape, dims, shape), x)
}

// permuted permutes dimensions.
func (a *Arith) permuted(op *flow.Op, x *Value, perm ...int) *Value {
	return a.View(op, tensor.Transposed(x.Type.Shape, perm), x)
}

// shaped gives x another shape.
func (a *Arith) shaped(op *flow.Op, x *Value, shape tensor.Shape) *Value {
	return a.View(op, tensor.Reshaped(x.Type.Shape, shape), x)
}

// along joins values along a dimension.
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

// openProduct is the truncated product of open values, which costs nothing, and
// is opened.
func (a *Arith) openProduct(op *flow.Op, x, y *Value) *Value {
	z := a.Reduce(op, a.raw(op, x, y))
	a.Open(op, z)
	return z
}

// sumRows adds up the first dimension.
func (a *Arith) sumRows(op *flow.Op, x *Value) *Value {
	s := x.Type.Shape
	return a.Sum(op, x, 1, s[0], s[1:].Size(), s[1:].Clone())
}

// opened is x open at the fraction.
func (a *Arith) opened(op *flow.Op, x *Value) *Value {
	x = a.Reduce(op, x)
	a.Open(op, x)
	return x
}

// openedNarrow is x open at the fraction, in a narrower ring if it is not open
// yet: what is above the fraction is dropped, which takes no round.
func (a *Arith) openedNarrow(op *flow.Op, x *Value) *Value {
	x = a.Comparand(op, x)
	a.Open(op, x)
	return x
}
