package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// windowsBy reduces windows by any body.
func (c *opRun) windowsBy(in []*value, w algo.Window) ([]*value, error) {
	n, reduce := len(in)/2, algo.ReduceSeparately[*value]
	if w.Overlap() {
		reduce = algo.ReduceOverlapping[*value]
	} else if columns, ok := algo.Columns(values{c}, w, in[:n]); ok {
		out, err := c.reduceRows(columns, in[n:])
		if err != nil {
			return nil, err
		}
		for i, x := range out {
			out[i] = c.view(x, tensor.Reshaped(x.typ.Shape, w.Out))
		}
		return out, nil
	}
	body := c.o.Regions[0]
	b := c.region(body)
	last, err := reduce(b, w, in[:n])
	if err != nil {
		return nil, err
	}
	if n == 1 && in[1].owner == Public && algo.Neutral(algo.Reducer(body), in[1].array()) && !slices.Contains(last.Held, false) {
		return last.X, nil
	}
	return algo.CombineInits(b, in[n:], last)
}
