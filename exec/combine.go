package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// scatterPublic combines updates with the inputs' elements at public positions.
func scatterPublic(c *opRun, in []*value) ([]*value, error) {
	n := len(in) / 2
	body := c.o.Regions[0]
	positions := algo.ScatterOf(c.o).Inside(in[n].array())
	inputs, updates := in[:n], in[n+1:]
	if slices.Equal(body.Return().Operands, body.Params[n:]) {
		return algo.Set(values{c}, positions, inputs, updates), nil
	}
	return c.combine(body, positions, inputs, updates)
}

// combine applies a body to elements of the inputs and the updates at their positions. Sums cost nothing.
func (c *opRun) combine(body *hlo.Block, positions []int32, inputs, updates []*value) ([]*value, error) {
	g := algo.UpdatesAt(positions)
	if len(g.Positions) > 0 && algo.Reducer(body) == hlo.OpAdd && inputs[0].typ.DType != tensor.Bool {
		return c.sums(g, inputs[0], updates[0])
	}
	return algo.CombineUpdates(c.region(body), body, g, inputs, updates)
}

// sums adds each position's updates.
func (c *opRun) sums(g algo.Updates, x, updates *value) ([]*value, error) {
	n, most := x.typ.Shape.Size(), g.Counts[0]
	out := x
	// Positions with at most half as many updates as the largest group are summed separately, so that lists
	// have few gaps.
	for at := 0; at < len(g.Positions); {
		to := at
		for to < len(g.Positions) && 2*g.Counts[to] > most {
			to++
		}
		index := make([]int32, 0, (to-at)*most)
		for i := range to - at {
			list := g.List(at + i)
			index = append(index, list...)
			for range most - len(list) {
				index = append(index, tensor.Fill)
			}
		}
		m := maps.Gathered{From: updates.typ.Shape.Size(), To: to - at, Terms: most, Index: func() []int32 { return index }}
		added := c.gatherSum(updates, m, tensor.Shape{m.To})
		back := slices.Repeat([]int32{tensor.Fill}, n)
		for i, p := range g.Positions[at:to] {
			back[p] = int32(i)
		}
		v := tensor.Listed(x.typ.Shape, to-at, func() []int32 { return back })
		res, err := add(c, []*value{out, secret(c.Arith.View(c.op, v, added.sec))})
		if err != nil {
			return nil, err
		}
		out = res[0]
		if at = to; at < len(g.Positions) {
			most = g.Counts[at]
		}
	}
	return []*value{out}, nil
}

// gatherSum sums elements of a value, which it shares first if necessary.
func (c *opRun) gatherSum(x *value, m maps.Gathered, shape tensor.Shape) *value {
	if c.guarded() {
		return secret(c.Arith.GatherSumGuarded(c.op, c.share(x, c.Arith.Fraction), m, shape))
	}
	return secret(c.Arith.GatherSum(c.op, c.share(x, c.Arith.Fraction), m, shape))
}
