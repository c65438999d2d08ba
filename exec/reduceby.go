package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// reduceBy reduces operands along dimensions by any body, which StableHLO requires to be associative: it
// combines neighbours pairwise, all pairs at once, and the initial values first.
func (c *opRun) reduceBy(in []*value, dims []int) ([]*value, error) {
	n := len(in) / 2
	s := in[0].typ.Shape
	kept := others(len(s), dims)
	m, rest := sizeOf(s, dims), sizeOf(s, kept)
	rows := make([]*value, n)
	for i, x := range in[:n] {
		x = c.view(x, tensor.Transposed(s, concat(dims, kept)))
		rows[i] = c.view(x, tensor.Reshaped(x.typ.Shape, tensor.Shape{m, rest}))
	}
	out, err := c.reduceRows(rows, in[n:])
	if err != nil {
		return nil, err
	}
	for i, r := range c.o.Results {
		out[i] = c.view(out[i], tensor.Reshaped(out[i].typ.Shape, r.Type.Shape))
	}
	return out, nil
}

// reduceRows combines the rows of each value, and the initial values.
func (c *opRun) reduceRows(rows, inits []*value) ([]*value, error) {
	shape := rows[0].typ.Shape[1:]
	first := make([]*value, len(inits))
	for i, v := range inits {
		first[i] = c.spread(v, shape)
	}
	if rows[0].typ.Shape.Size() == 0 {
		return first, nil
	}
	if a := c.argOf(c.o.Regions[0], rows); a != nil {
		return a.reduce(rows, inits)
	}
	b := c.closureBody(c.o.Regions[0])
	for rows[0].typ.Shape[0] > 1 {
		m := rows[0].typ.Shape[0]
		var left, right, over []*value
		for _, x := range rows {
			left = append(left, c.everyOther(x, 0, m-m%2))
			right = append(right, c.everyOther(x, 1, m))
			if m%2 == 1 {
				over = append(over, c.everyOther(x, m-1, m))
			}
		}
		next, err := b.apply(append(left, right...)...)
		if err != nil {
			return nil, err
		}
		for i, x := range over {
			next[i] = c.concatenated([]*value{next[i], x})
		}
		rows = next
	}
	last := make([]*value, len(rows))
	for i, x := range rows {
		last[i] = c.view(x, tensor.Reshaped(x.typ.Shape, shape))
	}
	return b.apply(append(first, last...)...)
}

// everyOther returns rows from, from + 2, … below to.
func (c *opRun) everyOther(x *value, from, to int) *value {
	s := x.typ.Shape
	start, limit, step := make([]int, len(s)), s.Clone(), slices.Repeat([]int{1}, len(s))
	start[0], limit[0], step[0] = from, to, 2
	return c.view(x, tensor.Sliced(s, start, limit, step))
}

// mapBody applies a body to the elements of operands of one shape.
func mapBody(c *opRun, in []*value) ([]*value, error) {
	return c.closureBody(c.o.Regions[0]).apply(in...)
}

func init() { // in init, because bodies look operations up
	table.Add(hlo.OpMap, mapBody)
	table.Add(hlo.OpReduce, reduce)
	table.Add(hlo.OpReduceWindow, reduceWindow)
}
