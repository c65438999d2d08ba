package eval

import (
	"context"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// reduceWindow reduces the elements of every window of the operands by the body, starting with the
// initial value.
func reduceWindow(c *call) ([]*tensor.Array, error) {
	n, b := len(c.args)/2, c.region(0)
	windows, err := algo.ReduceOverlapping(b, algo.WindowOf(c.op), c.args[:n])
	if err != nil {
		return nil, err
	}
	return algo.CombineInits(b, c.args[n:], windows)
}

// selectAndScatter selects one element of each window by the select body and combines the sources of
// all windows that selected an element by the scatter body, starting with the initial value.
func selectAndScatter(c *call) ([]*tensor.Array, error) {
	x, source, init := c.args[0], c.args[1], c.args[2]
	selected, err := c.selected(x)
	if err != nil {
		return nil, err
	}
	return c.combine(1, selected, []*tensor.Array{fill(init, x.Shape)}, []*tensor.Array{source})
}

// Selected returns, for each window of the select_and_scatter op over x, the position in x of the element that it
// selects; tensor.Fill for a window of padding only. The select region must refer to no value outside.
func Selected(ctx context.Context, op *hlo.Op, x *tensor.Array) ([]int32, error) {
	return (&call{ctx: ctx, op: op}).selected(x)
}

// selected returns the position of the element that each window selects: the first that no later one
// beats. Padding is never selected.
func (c *call) selected(x *tensor.Array) ([]int32, error) {
	w, selects := algo.WindowOf(c.op), c.region(0)
	best := slices.Repeat([]int32{tensor.Fill}, w.Out.Size())
	index, size := w.Index(), w.Size.Size()
	for k := range size {
		var at, rival []int32 // windows that contain this element, and its position
		for w := range best {
			switch place := index[w*size+k]; {
			case place == tensor.Fill:
			case best[w] == tensor.Fill:
				best[w] = place
			default:
				at, rival = append(at, int32(w)), append(rival, place)
			}
		}
		held := make([]int32, len(at))
		for i, w := range at {
			held[i] = best[w]
		}
		keep, err := selects.Apply(take(x, held), take(x, rival))
		if err != nil {
			return nil, err
		}
		for i, stays := range keep[0].Data.([]bool) {
			if !stays {
				best[at[i]] = rival[i]
			}
		}
	}
	return best, nil
}

// combine combines updates with the inputs' elements at their positions by region i.
func (c *call) combine(i int, positions []int32, inputs, updates []*tensor.Array) ([]*tensor.Array, error) {
	return algo.CombineUpdates(c.region(i), c.op.Regions[i], algo.UpdatesAt(positions), inputs, updates)
}
