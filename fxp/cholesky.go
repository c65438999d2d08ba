package fxp

import (
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Cholesky is the lower factor of batch positive definite n×n matrices, of
// which it reads the lower triangles; of others it is garbage. It goes column
// by column, the matrices of a batch together: a column is opened in a narrow
// ring and its pivot as it is; their products with the pivot's inverse root
// are the factor's column, which is opened; what is left of the matrix loses
// its outer product, at two fractions, without a message. So a column takes
// the rounds of one inverse root and three more.
func (a *Arith) Cholesky(op *flow.Op, x *Value, batch, n int) *Value {
	rest := a.listed(op, x, inBatches(batch, n*n, lowerTriangle(n, func(i, k int) int { return i*n + k })))
	var columns []*Value
	for m := n; m > 0; m-- { // rest is m columns of m, m−1, … elements
		size := m * (m + 1) / 2
		column := a.listed(op, rest, inBatches(batch, size, span(0, m)))
		pivot := a.listed(op, rest, inBatches(batch, size, span(0, 1)))
		narrow := a.Comparand(op, column)
		a.Open(op, narrow, pivot)
		root := a.powerAt(op, pivot, -0.5)
		l := a.Reduce(op, a.raw(op, narrow, a.repeated(op, root, m)))
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

// lowerTriangle lists f of the places of a lower triangle, column by column.
func lowerTriangle(n int, f func(i, k int) int) []int {
	var out []int
	for k := range n {
		for i := k; i < n; i++ {
			out = append(out, f(i, k))
		}
	}
	return out
}

// span lists the numbers from lo up to, not including, hi.
func span(lo, hi int) []int {
	out := make([]int, hi-lo)
	for i := range out {
		out[i] = lo + i
	}
	return out
}

// inBatches lists places in each of batch parts of a size.
func inBatches(batch, size int, places []int) []int32 {
	out := make([]int32, 0, batch*len(places))
	for b := range batch {
		for _, p := range places {
			out = append(out, int32(b*size+p))
		}
	}
	return out
}

// repeated has every element of x m times.
func (a *Arith) repeated(op *flow.Op, x *Value, m int) *Value {
	n := x.S.Len()
	return a.View(op, tensor.Broadcast(tensor.Shape{n}, []int{0}, tensor.Shape{n, m}), x)
}

// raw is the elementwise product at the sum of the scales; what is truncated
// of it later is dropped for nothing if both factors are open.
func (a *Arith) raw(op *flow.Op, x, y *Value) *Value {
	out := newValue(a.P.Product(op, a.Ring, maps.Elementwise{N: x.S.Len()}, x.S, y.S), x.Type, x.Scale+y.Scale)
	out.factors = []*Value{x, y}
	return out.is(unbounded, true)
}

// powerAt is x^c of x at its own scale, for x > 0, with guard bits.
func (a *Arith) powerAt(op *flow.Op, x *Value, c float64) *Value {
	return a.powerTo(op, x, c, Range{0, math.Inf(1)}, a.Fraction+a.guard())
}

// inverseOf is 1/x of any sign, x at its own scale. It has as many fraction
// bits as values may have and the ring holds for the last place's inverse, so
// that a quotient by a large pivot is as exact as one by a small pivot.
func (a *Arith) inverseOf(op *flow.Op, x *Value) *Value {
	return a.powerTo(op, x, -1, Unknown, min(a.limit()+beyondLimit, a.Ring.Bits-4-a.Fraction))
}

// wideProduct is x·y truncated to the fraction, made in a ring that has room
// for all of their scales; both are opened.
func (a *Arith) wideProduct(op *flow.Op, x, y *Value) *Value {
	a.Open(op, x, y)
	by := x.Scale + y.Scale - a.Fraction
	s := a.P.Product(op, ring.Z(a.Ring.Bits+by), maps.Elementwise{N: x.S.Len()}, x.S, y.S)
	return newValue(a.P.Drop(op, s, by), x.Type, a.Fraction)
}

func (a *Arith) powerTo(op *flow.Op, x *Value, c float64, r Range, out int) *Value {
	return newValue(a.P.Power(op, x.S, mpc.Fixed{In: x.Scale, Out: out}, a.normal(x, r), c), x.Type, out)
}
