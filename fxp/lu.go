package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// LU factors matrices x of shape batch×m×n with partial pivoting. lu holds both factors of each matrix; pivots, of
// the integer type pivot, holds for each column the row (counted from 1) with which it was swapped. The row of the
// largest pivot stays secret: a one-hot vector selects it, and puts the first row in its place.
func (a *Arith) LU(op *flow.Op, x *Value, pivot tensor.DType) (lu, pivots *Value) {
	batch, m, n := x.Type.Shape[0], x.Type.Shape[1], x.Type.Shape[2]
	right := a.permuted(op, x, 1, 0, 2) // the remaining matrix: rows×batch×columns
	var left *Value                     // its columns that are done
	var done, swaps []*Value
	for k := range min(m, n) {
		rows := m - k
		right = a.opened(op, right)
		var index *Value
		if rows > 1 {
			hot := a.largest(op, a.shaped(op, a.slice(op, right, 2, 0, 1), tensor.Shape{rows, batch}))
			index = a.position(op, hot, pivot)
			right = a.swapped(op, right, hot)
			if left != nil {
				left = a.swapped(op, left, hot)
			}
		} else {
			zeros := tensor.NewArray(tensor.Type{DType: pivot, Shape: tensor.Shape{batch}})
			index = a.Public(op, zeros, 0)
		}
		swaps = append(swaps, a.AddPublic(op, index, filledInts(index.Type, k+1)))
		top := a.rows(op, right, 0, 1)
		if left != nil {
			done = append(done, a.along(op, 2, a.rows(op, left, 0, 1), top))
		} else {
			done = append(done, top)
		}
		if rows == 1 {
			break
		}
		below := tensor.Shape{rows - 1, batch, 1}
		inverse := a.inverseOf(op, a.shaped(op, a.slice(op, top, 2, 0, 1), tensor.Shape{batch}))
		a.Open(op, inverse)
		rest := a.rows(op, right, 1, rows)
		factors := a.wideProduct(op, a.slice(op, rest, 2, 0, 1), a.spreadOver(op, inverse, below, 1))
		a.Open(op, factors)
		if left != nil {
			left = a.along(op, 2, a.rows(op, left, 1, rows), factors)
		} else {
			left = factors
		}
		if width := n - k - 1; width > 0 {
			shape := tensor.Shape{rows - 1, batch, width}
			upper := a.shaped(op, a.slice(op, top, 2, 1, width+1), tensor.Shape{batch, width})
			outer := a.raw(op, a.spreadOver(op, factors, shape, 0, 1, 2), a.spreadOver(op, upper, shape, 1, 2))
			right = a.Sub(op, a.slice(op, rest, 2, 1, width+1), outer)
		} else {
			right = nil
		}
	}
	if m > n {
		done = append(done, left)
	}
	for i, s := range swaps {
		swaps[i] = a.shaped(op, s, tensor.Shape{batch, 1})
	}
	return a.permuted(op, a.along(op, 0, done...), 1, 0, 2), a.along(op, 1, swaps...)
}

// largest returns the one-hot, open, of the largest magnitude of each column.
func (a *Arith) largest(op *flow.Op, x *Value) *Value {
	size := a.opened(op, a.Signed(op, a.Negative(op, x), x))
	hot := a.OneHots(op, size, x.Type.Shape[0], x.Type.Shape[1], false)
	a.Open(op, hot)
	return hot
}

// position returns, for each column, the number (from 0 on) of the row that its one-hot selects.
func (a *Arith) position(op *flow.Op, hot *Value, d tensor.DType) *Value {
	s := hot.Type.Shape
	w := make([]uint64, s.Size())
	for i := range w {
		w[i] = uint64(i / s[1])
	}
	return a.sumRows(op, a.MulPublic(op, a.Number(op, hot, d), tensor.FromWords(d, s, w)))
}

func filledInts(t tensor.Type, n int) *tensor.Array {
	w := make([]uint64, t.Shape.Size())
	for i := range w {
		w[i] = uint64(n)
	}
	return tensor.FromWords(t.DType, t.Shape, w)
}

// swapped exchanges the first row with the row that hot selects, and opens the result.
func (a *Arith) swapped(op *flow.Op, x, hot *Value) *Value {
	s := x.Type.Shape
	spread := a.spreadOver(op, hot, s, 0, 1)
	top := a.sumRows(op, a.Kept(op, spread, x))
	first := a.spreadOver(op, a.shaped(op, a.rows(op, x, 0, 1), s[1:].Clone()), tensor.Shape{s[0] - 1, s[1], s[2]}, 1, 2)
	rest := a.rows(op, x, 1, s[0])
	change := a.Kept(op, a.rows(op, spread, 1, s[0]), a.Sub(op, first, rest))
	top.Type.Shape = tensor.Shape{1, s[1], s[2]}
	out := a.along(op, 0, top, a.Add(op, a.lifted(op, rest), change))
	return a.opened(op, out)
}
