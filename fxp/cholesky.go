package fxp

import (
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Cholesky returns the lower factors of batch positive definite n×n matrices, of which it reads the lower
// triangles; the result is meaningless for other matrices. It proceeds column by column, for all matrices of
// a batch together: it opens a column in a narrow ring and its pivot at full scale, multiplies them with the
// pivot's inverse root, which gives the factor's column, opens that, and subtracts its outer product at scale
// 2f from the remaining matrix, without a message. A column takes the rounds of one inverse root and three
// more.
func (a *Arith) Cholesky(op *flow.Op, x *Value, batch, n int) *Value {
	rest := a.listed(op, x, inBatches(batch, n*n, lowerTriangle(n, func(i, k int) int { return i*n + k })))
	var columns []*Value
	for m := n; m > 0; m-- { // rest holds m columns of m, m−1, … elements
		size := m * (m + 1) / 2
		column := a.listed(op, rest, inBatches(batch, size, span(0, m)))
		pivot := a.listed(op, rest, inBatches(batch, size, span(0, 1)))
		narrow := a.Comparand(op, column)
		a.Open(op, narrow, pivot)
		root := a.powerAt(op, pivot, -0.5)
		l := a.Rescale(op, a.raw(op, narrow, a.repeated(op, root, m)))
		a.Open(op, l)
		columns = append(columns, l)
		if m > 1 {
			down := lowerTriangle(m-1, func(i, _ int) int { return i + 1 })
			across := lowerTriangle(m-1, func(_, k int) int { return k + 1 })
			outer := a.raw(op, a.listed(op, l, inBatches(batch, m, down)), a.listed(op, l, inBatches(batch, m, across)))
			rest = a.Sub(op, a.listed(op, rest, inBatches(batch, size, span(m, size))), outer)
		}
	}
	return a.View(op, tensor.Listed(tensor.Shape{batch, n, n}, batch*n*(n+1)/2, func() []int32 {
		index := make([]int32, batch*n*n)
		for i := range index {
			index[i] = tensor.Fill
		}
		at := 0
		for k := range n {
			for b := range batch {
				for i := k; i < n; i++ {
					index[(b*n+i)*n+k] = int32(at)
					at++
				}
			}
		}
		return index
	}), columns...)
}

// lowerTriangle lists f(i, k) for the elements of a lower triangle, column by column.
func lowerTriangle(n int, f func(i, k int) int) []int {
	var out []int
	for k := range n {
		for i := k; i < n; i++ {
			out = append(out, f(i, k))
		}
	}
	return out
}

// span lists the integers lo ≤ i < hi.
func span(lo, hi int) []int {
	out := make([]int, hi-lo)
	for i := range out {
		out[i] = lo + i
	}
	return out
}

// inBatches repeats a list of indices for each of batch consecutive blocks of the given size.
func inBatches(batch, size int, places []int) []int32 {
	out := make([]int32, 0, batch*len(places))
	for b := range batch {
		for _, p := range places {
			out = append(out, int32(b*size+p))
		}
	}
	return out
}

// repeated repeats every element of x m times.
func (a *Arith) repeated(op *flow.Op, x *Value, m int) *Value {
	n := x.S.Len()
	return a.View(op, tensor.Broadcast(tensor.Shape{n}, []int{0}, tensor.Shape{n, m}), x)
}

// raw returns the elementwise product at the sum of the scales. If both factors are open, a later truncation
// of it sends nothing.
func (a *Arith) raw(op *flow.Op, x, y *Value) *Value {
	out := newValue(a.P.Product(op, a.Ring, maps.Elementwise{N: x.S.Len()}, x.S, y.S, 0), x.Type, x.Scale+y.Scale)
	out.factors = []*Value{x, y}
	return out.is(unbounded, true)
}

// powerAt returns x^c with guard bits, for x > 0 at its own scale.
func (a *Arith) powerAt(op *flow.Op, x *Value, c float64) *Value {
	return a.powerTo(op, x, c, Range{0, math.Inf(1)}, a.Fraction+a.guard())
}

// inverseOf returns 1/x for x of any sign at its own scale. The result has as many fraction bits as values
// may have and as leave room in the ring for the inverse of 2^−Scale, so that a quotient by a large pivot is
// as exact as one by a small pivot.
func (a *Arith) inverseOf(op *flow.Op, x *Value) *Value {
	return a.powerTo(op, x, -1, Unknown, min(a.limit()+beyondLimit, a.Ring.Bits-4-a.Fraction))
}

// wideProduct returns x·y truncated to the fraction, computed in a ring that has room for the sum of their
// scales. It opens both.
func (a *Arith) wideProduct(op *flow.Op, x, y *Value) *Value {
	a.Open(op, x, y)
	by := x.Scale + y.Scale - a.Fraction
	s := a.P.Product(op, ring.Z(a.Ring.Bits+by), maps.Elementwise{N: x.S.Len()}, x.S, y.S, 0)
	return newValue(a.P.TruncateReduce(op, s, by), x.Type, a.Fraction)
}

func (a *Arith) powerTo(op *flow.Op, x *Value, c float64, r Range, out int) *Value {
	return newValue(a.P.Power(op, x.S, mpc.Fixed{In: x.Scale, Out: out}, a.normal(x, r), c), x.Type, out)
}
