package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// copied describes a secret that is a copy with repeated elements: the original and the views applied one
// after the other.
type copied struct {
	of    *value
	views []tensor.View
}

// copiedBy returns the description of x after a view; nil if no element is repeated.
func copiedBy(x *value, v tensor.View) *copied {
	switch {
	case x.copied != nil:
		return &copied{x.copied.of, append(slices.Clone(x.copied.views), v)}
	case v.Expands():
		return &copied{x, []tensor.View{v}}
	}
	return nil
}

// index lists the original element of each copy, Fill for none.
func (c *copied) index() []int32 {
	out := c.views[0].Index()
	for _, v := range c.views[1:] {
		next := v.Index()
		composed := make([]int32, len(next))
		for i, at := range next {
			if composed[i] = at; at != tensor.Fill {
				composed[i] = out[at]
			}
		}
		out = composed
	}
	return out
}

// rowsOf orders positions by their original elements, so that the positions of one element form a row. It
// returns nil if the elements do not all have the same number of positions, or have only one.
func rowsOf(index []int32, elements int) []int32 {
	n := len(index)
	if elements == 0 || n%elements != 0 || n == elements {
		return nil
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return int(index[i]) - int(index[j]) })
	for i, at := range order {
		if int(index[at]) != i*elements/n {
			return nil
		}
	}
	return order
}

// byRows returns y divided by the elements of d, or by their roots. Each divides the positions of y that
// order has in its row, so that d is normalised once for all of them.
func (c *opRun) byRows(y *value, d *fxp.Value, order []int32, r fxp.Range, root bool) *value {
	shape := y.typ.Shape
	place := make([]int32, len(order))
	for i, at := range order {
		place[at] = int32(i)
	}
	rows := c.share(c.pickedFrom(order, tensor.Shape{len(order)}, y), c.Arith.Fraction)
	q := secret(c.quotientRows(rows, d, r, root))
	return c.pickedFrom(place, shape, q)
}

// dividedByRoot returns x/√y for a match's first and second input, where y may be a copy with repeated
// elements.
func (c *opRun) dividedByRoot(m *pattern.Match, x, y *value) *value {
	r := c.known(m.Inputs[1])
	placed := m.View(1)
	if order := rowsOf(placed.Index(), y.typ.Shape.Size()); order != nil {
		return c.byRows(x, y.sec, order, r, true)
	}
	return secret(c.quotientRows(x.sec, c.Arith.View(c.op, placed, y.sec), r, true))
}

// quotientRows returns y/x, or y/√x if root, as Arith.QuotientRows does: in the fine form if a root is taken of it.
func (c *opRun) quotientRows(y, x *fxp.Value, r fxp.Range, root bool) *fxp.Value {
	if c.rooted() && c.Arith.HasFine() {
		return c.Arith.QuotientFine(c.op, y, x, r, root)
	}
	return c.Arith.QuotientRows(c.op, y, x, r, root, c.finelyKnown())
}
