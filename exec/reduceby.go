package exec

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// reduceBy reduces operands along dimensions by any body, which StableHLO requires to be associative.
func (c *opRun) reduceBy(in []*value, dims []int) ([]*value, error) {
	n := len(in) / 2
	rows := make([]*value, n)
	for i, x := range in[:n] {
		rows[i] = algo.Rows(values{c}, x, dims)
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
	body := c.o.Regions[0]
	if rows[0].typ.Shape.Size() > 0 {
		if a := c.argOf(body, rows); a != nil {
			return a.reduce(rows, inits)
		}
	}
	return algo.ReduceRows(c.region(body), rows, inits)
}

// mapBody applies a body to the elements of operands of one shape.
func mapBody(c *opRun, in []*value) ([]*value, error) { return c.region(c.o.Regions[0]).Apply(in...) }

func init() { // in init, because bodies look operations up
	table.Add(hlo.OpMap, mapBody)
	table.Add(hlo.OpReduce, reduce)
	table.Add(hlo.OpReduceWindow, reduceWindow)
}
