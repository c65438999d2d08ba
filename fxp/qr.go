package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// QR factors batched matrices x, batch×m×n, by reflections, in LAPACK's form: R, below it the reflections'
// vectors v (whose first element is 1), and their factors τ = 1 + |α|/‖a‖, for columns a with first element
// α. R's diagonal has −‖a‖, or ‖a‖ for a negative α.
func (a *Arith) QR(op *flow.Op, x *Value) (qr, taus *Value) {
	batch, m, n := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	rest := a.permuted(op, x, 1, 0, 2)
	var left *Value
	var done, factors []*Value
	emit := func(parts ...*Value) {
		if left != nil {
			parts = append([]*Value{a.rows(op, left, 0, 1)}, parts...)
		}
		done = append(done, a.along(op, 2, parts...))
	}
	one, last := tensor.Shape{1, batch, 1}, min(m, n)
	for k := range last {
		rows, width := m-k, n-k-1
		rest = a.opened(op, rest)
		if rows == 1 {
			emit(rest)
			factors = append(factors, a.Constant(op, tensor.Type{DType: x.Type.DType, Shape: tensor.Shape{batch, 1}}, 0))
			break
		}
		column := a.shaped(op, a.slice(op, rest, 2, 0, 1), tensor.Shape{rows, batch})
		alpha := a.shaped(op, a.rows(op, column, 0, 1), tensor.Shape{batch})
		squares := a.sumRows(op, a.raw(op, column, column))
		norm, inverse := a.powerAt(op, squares, 0.5), a.powerAt(op, squares, -0.5)
		negative := a.Negative(op, alpha)
		sum := a.Add(op, a.Signed(op, negative, alpha), norm) // |α| + ‖a‖
		a.Open(op, sum, inverse)
		scale := a.Signed(op, negative, a.powerAt(op, sum, -1))
		a.Open(op, scale)
		tau := a.openProduct(op, sum, inverse)
		v := a.openProduct(op, a.rows(op, column, 1, rows), a.spreadOver(op, scale, tensor.Shape{rows - 1, batch}, 1))
		corner := a.shaped(op, a.Rescale(op, a.Signed(op, a.Not(op, negative), norm)), one)
		vs := a.shaped(op, v, tensor.Shape{rows - 1, batch, 1})
		if width > 0 {
			top := a.shaped(op, a.slice(op, a.rows(op, rest, 0, 1), 2, 1, width+1), tensor.Shape{batch, width})
			below := a.slice(op, a.rows(op, rest, 1, rows), 2, 1, width+1)
			t, next := a.reflect(op, vs, tau, top, below)
			rest = next
			emit(corner, a.shaped(op, a.Sub(op, top, t), tensor.Shape{1, batch, width}))
		} else {
			emit(corner)
		}
		if left != nil {
			left = a.along(op, 2, a.rows(op, left, 1, rows), vs)
		} else {
			left = vs
		}
		factors = append(factors, a.shaped(op, tau, tensor.Shape{batch, 1}))
	}
	if m > n {
		done = append(done, left)
	}
	return a.permuted(op, a.along(op, 0, done...), 1, 0, 2), a.along(op, 1, factors...)
}

// reflect subtracts τ·v·(vᵀ·A) from a matrix A that consists of a top row (nil for zeros) and the rows below.
// t is the row subtracted from the top.
func (a *Arith) reflect(op *flow.Op, v, tau, top, below *Value) (t, rest *Value) {
	s := below.Type.Shape
	rows, batch, width := s[0], s[1], s[2]
	vs := a.spreadOver(op, v, tensor.Shape{rows, batch, width}, 0, 1, 2)
	w := a.sumRows(op, a.raw(op, vs, below))
	if top != nil {
		w = a.Add(op, w, top)
	}
	w = a.opened(op, w)
	t = a.openProduct(op, w, a.spreadOver(op, tau, tensor.Shape{batch, width}, 0))
	return t, a.Sub(op, below, a.raw(op, vs, a.spreadOver(op, t, s, 1, 2)))
}

// Q returns the first n columns of the product of the reflections that QR returned, batch×m×n.
func (a *Arith) Q(op *flow.Op, x, taus *Value) *Value {
	batch, m, n := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	k := taus.Type.Shape[1]
	x, taus = a.opened(op, x), a.opened(op, taus)
	q := a.identity(op, x.Type.DType, m-k, batch, n-k)
	for k--; k >= 0; k-- {
		rows, width := m-k-1, n-k-1
		tau := a.shaped(op, a.slice(op, taus, 1, k, k+1), tensor.Shape{batch})
		column := a.AddPublic(op, a.Neg(op, tau), filled(tau.Type, 1))
		corner := a.shaped(op, column, tensor.Shape{1, batch, 1})
		if rows == 0 {
			q = corner
			continue
		}
		v := a.permuted(op, a.slice(op, a.slice(op, x, 1, k+1, m), 2, k, k+1), 1, 0, 2)
		tv := a.Neg(op, a.openProduct(op, v, a.spreadOver(op, tau, tensor.Shape{rows, batch, 1}, 1)))
		first := a.along(op, 0, corner, tv)
		if width == 0 {
			q = first
			continue
		}
		q = a.opened(op, q)
		t, rest := a.reflect(op, v, tau, nil, q)
		top := a.shaped(op, a.Neg(op, t), tensor.Shape{1, batch, width})
		q = a.along(op, 2, first, a.along(op, 0, top, a.Rescale(op, rest)))
	}
	return a.permuted(op, q, 1, 0, 2)
}

// identity returns identity matrices, rows×batch×columns; nil if they are empty.
func (a *Arith) identity(op *flow.Op, d tensor.DType, rows, batch, columns int) *Value {
	if rows*columns == 0 {
		return nil
	}
	f := make([]float64, rows*batch*columns)
	for i := range f {
		if i/(batch*columns) == i%columns {
			f[i] = 1
		}
	}
	return a.Public(op, tensor.FromFloats(d, tensor.Shape{rows, batch, columns}, f), a.Fraction)
}
