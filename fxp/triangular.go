package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// SolveLower solves l·x = b for batch lower triangular n×n matrices (whose diagonals are taken as ones and
// not read, if unit) and one n×m right-hand side each. All rows are divided by their diagonal elements at
// once. Then each round opens one row of x in a narrow ring and subtracts its product with a column of l from
// the remaining rows of b.
func (a *Arith) SolveLower(op *flow.Op, l, b *Value, batch, n, m int, unit bool) *Value {
	below := lowerTriangle(n-1, func(i, k int) int { return (i+1)*n + k }) // column by column
	columns := a.listed(op, l, inBatches(batch, n*n, below))
	rest := b
	if unit {
		columns = a.Rescale(op, columns)
	} else {
		diagonal := make([]int, n)
		for i := range n {
			diagonal[i] = i * (n + 1)
		}
		d := a.inverseOf(op, a.listed(op, a.Rescale(op, l), inBatches(batch, n*n, diagonal)))
		rows := lowerTriangle(n-1, func(i, _ int) int { return i + 1 })
		columns, rest = a.Comparand(op, columns), a.Comparand(op, b)
		a.Open(op, columns, rest, d)
		columns = a.wideProduct(op, columns, a.listed(op, d, inBatches(batch, n, rows)))
		rest = a.wideProduct(op, rest, a.repeated(op, d, m))
	}
	a.Open(op, columns)
	size, at := n*(n-1)/2, 0
	rest = a.shaped(op, rest, tensor.Shape{batch, n, m})
	columns = a.shaped(op, columns, tensor.Shape{batch, size})
	var found []*Value
	for left := n; left > 0; left-- { // rest is batch×left×m
		x := a.Comparand(op, a.slice(op, rest, 1, 0, 1))
		a.Open(op, x)
		found = append(found, x)
		if left == 1 {
			break
		}
		below := tensor.Shape{batch, left - 1, m}
		column := a.spreadOver(op, a.slice(op, columns, 1, at, at+left-1), below, 0, 1)
		at += left - 1
		product := a.raw(op, column, a.spreadOver(op, a.shaped(op, x, tensor.Shape{batch, m}), below, 0, 2))
		rest = a.Sub(op, a.slice(op, rest, 1, 1, left), product)
	}
	for i, x := range found {
		found[i] = a.lifted(op, x)
	}
	rows := a.View(op, tensor.Concatenated(shapesOf(found), 0), found...) // n×batch×m
	rows.Type.Shape = tensor.Shape{n, batch, m}
	return a.View(op, tensor.Transposed(rows.Type.Shape, []int{1, 0, 2}), rows)
}

func shapesOf(xs []*Value) []tensor.Shape {
	out := make([]tensor.Shape, len(xs))
	for i, x := range xs {
		out[i] = tensor.Shape{x.S.Len()}
	}
	return out
}

// lifted returns an open float of a narrower ring in the job's ring.
func (a *Arith) lifted(op *flow.Op, x *Value) *Value {
	if x.S.Ring() == a.Ring {
		return x
	}
	one := a.Public(op, filled(x.Type, 1), 0)
	y := a.raw(op, x, one)
	y.factors = nil
	return y
}
