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
	y = a.opened(op, y)
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
	top := a.bits(x) + a.bits(y) + maps.CeilLog2(m.Reduced)
	d := mpc.SymbolicDims{Rows: 1, Terms: m.Reduced, Columns: rest.Size(), Last: dim > 0}
	if z := a.symbolicProduct(op, y, x.S, d, rest, x.Scale, x.S.Bound()); z != nil {
		return a.contraction(op, z, top)
	}
	z := a.raw(op, x, a.spreadOver(op, a.shaped(op, y, tensor.Shape{m.Reduced}), x.Type.Shape, dim))
	return a.contraction(op, a.linear(op, m, rest, z), top)
}

// symbolicProduct returns the product of a matrix x, which is open, with a symbolic matrix y of the given scale, whose elements
// are at most 2^bound in magnitude; nil if the protocol does not make it of these (mpc.Symbolic).
func (a *Arith) symbolicProduct(op *flow.Op, x *Value, y mpc.Secret, d mpc.SymbolicDims, shape tensor.Shape, scale, bound int) *Value {
	p, ok := mpc.As[mpc.Symbolic](a.P)
	if !ok || x.wide != nil {
		return nil
	}
	s := p.SymbolicProduct(op, x.S, y, d, x.S.Bound()+bound+maps.CeilLog2(d.Terms))
	if s == nil {
		return nil
	}
	return newValue(s, tensor.Type{DType: x.Type.DType, Shape: shape}, x.Scale+scale)
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

// Outer is the outer product X[i]·Y[j] of two vectors, and, if Bits is not nil, 0 instead of the elements where Bits[i,j] is
// false.
type Outer struct{ X, Y, Bits *Value }

// OuterOf returns the outer product of two vectors, which it opens.
func (a *Arith) OuterOf(op *flow.Op, x, y *Value) *Outer {
	return &Outer{X: a.opened(op, x), Y: a.opened(op, y)}
}

// ContractOuter returns the contraction of dimension dim of o, whose elements Bits select, with z, a matrix that has a column for
// each element along dim: a row of the result belongs to a row of z. With nil for z, it is the sum over dim, one row. The
// products of z's elements and those of the vector along dim are opened, and have the range of contractions. The other vector
// is multiplied last.
func (a *Arith) ContractOuter(op *flow.Op, o *Outer, dim int, z *Value) *Value {
	along, rest := o.X, o.Y
	if dim == 1 {
		along, rest = rest, along
	}
	along = a.opened(op, along)
	n := along.Type.Shape.Size()
	v := a.shaped(op, along, tensor.Shape{1, n})
	if z != nil {
		z = a.opened(op, z)
		v = a.raw(op, z, a.spreadOver(op, a.shaped(op, along, tensor.Shape{n}), z.Type.Shape, 1))
		v = a.contraction(op, v, a.bits(z)+a.bits(along))
		v.factors = nil
		a.Open(op, v)
	}
	k, m := v.Type.Shape[0], rest.Type.Shape.Size()
	full, dims, sum := tensor.Shape{k, n, m}, []int{0, 1}, maps.Sum{Outer: k, Reduced: n, Inner: m}
	if dim == 1 {
		full, dims, sum = tensor.Shape{k, m, n}, []int{0, 2}, maps.Sum{Outer: k * m, Reduced: n, Inner: 1}
	}
	a.Open(op, o.Bits)
	s := a.selectedSum(op, o.Bits, v, mpc.SymbolicDims{Rows: k, Terms: n, Columns: m, Last: dim == 1})
	if s == nil {
		bits := a.spreadOver(op, a.shaped(op, o.Bits, full[1:]), full, 1, 2)
		s = a.Sum(op, a.Kept(op, bits, a.spreadOver(op, v, full, dims...)), sum.Outer, sum.Reduced, sum.Inner, tensor.Shape{k, m})
	}
	rest = a.opened(op, rest)
	return a.Mul(op, s, a.spreadOver(op, a.shaped(op, rest, tensor.Shape{m}), tensor.Shape{k, m}, 1))
}

// selectedSum returns the product of a matrix x, which is open, with a matrix of bits, which are open too; nil if the protocol has no
// product of these forms, or x would be rescaled.
func (a *Arith) selectedSum(op *flow.Op, bits, x *Value, d mpc.SymbolicDims) *Value {
	rescaled := x.Scale > a.Fraction && !(x.term && x.Scale <= a.limit())
	if !a.HasSymbolic() || !x.S.Opened() || x.S.Ring() != a.Ring || x.wide != nil || rescaled {
		return nil
	}
	out := a.symbolicProduct(op, x, a.P.B2A(op, a.Ring, bits.S), d, tensor.Shape{d.Rows, d.Columns}, 0, 0)
	top := a.bits(x) + maps.CeilLog2(d.Terms)
	switch {
	case out == nil:
		return nil
	case x.Scale > a.Fraction:
		return a.contraction(op, out, top)
	}
	return out.is(x.top+maps.CeilLog2(d.Terms), x.term)
}

// Selectable returns x in the form in which a selection against a number that all parties know sends least: unchanged if
// Outer returned it and nothing else has opened or rounded it, else by Comparand.
func (a *Arith) Selectable(op *flow.Op, x *Value) *Value {
	if x.product && x.reduced == nil && x.dropped == nil {
		return x
	}
	return a.Comparand(op, x)
}
