package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// HasSymbolic reports whether the protocol has secrets that stay symbolic (mpc.Symbolic).
func (a *Arith) HasSymbolic() bool {
	_, ok := mpc.As[mpc.Symbolic](a.P)
	return ok
}

// Symbolic reports whether a product with x opens nothing of x: x is symbolic, in the job's ring, right there, and at the
// fraction or below.
func (a *Arith) Symbolic(x *Value) bool {
	p, ok := mpc.As[mpc.Symbolic](a.P)
	return ok && x.Type.DType.IsFloat() && x.wide == nil && x.S.Ring() == a.Ring && x.Scale <= a.Fraction && p.Symbolic(x.S)
}

// TimesVector returns the contraction of dimension dim of x, its first or its last, with the vector y. x must be symbolic and
// is not opened; the protocol deals a few numbers for each of its elements instead.
func (a *Arith) TimesVector(op *flow.Op, x, y *Value, dim int) *Value {
	y = a.shaped(op, a.opened(op, y), tensor.Shape{x.Type.Shape[dim]})
	z := a.raw(op, x, a.spreadOver(op, y, x.Type.Shape, dim))
	m := maps.Sum{Outer: 1, Reduced: x.Type.Shape[dim], Inner: 1}
	rest := tensor.Shape{}
	for i, n := range x.Type.Shape {
		switch {
		case i < dim:
			m.Outer *= n
		case i > dim:
			m.Inner *= n
		}
		if i != dim {
			rest = append(rest, n)
		}
	}
	return a.contraction(op, a.linear(op, m, rest, z), a.bits(x)+a.bits(y)+maps.CeilLog2(m.Reduced))
}

// Outer returns the products x[i]·y[j] of two vectors, in the given shape, as a contraction of one term each. It opens the
// vectors; the result stays symbolic.
func (a *Arith) Outer(op *flow.Op, shape tensor.Shape, x, y *Value) *Value {
	x, y = a.opened(op, x), a.opened(op, y)
	m, n := x.Type.Shape.Size(), y.Type.Shape.Size()
	full := tensor.Shape{m, n}
	z := a.raw(op, a.spreadOver(op, a.shaped(op, x, tensor.Shape{m}), full, 0), a.spreadOver(op, a.shaped(op, y, tensor.Shape{n}), full, 1))
	z.Type.Shape, z.factors, z.product = shape, nil, true
	return a.contraction(op, z, a.bits(x)+a.bits(y))
}

// Selectable returns x in the form in which a selection against a number that all parties know sends least: unchanged if
// Outer returned it and nothing else has opened or rounded it, else by Comparand.
func (a *Arith) Selectable(op *flow.Op, x *Value) *Value {
	if x.product && x.reduced == nil && x.dropped == nil {
		return x
	}
	return a.Comparand(op, x)
}
