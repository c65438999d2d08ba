package exec

import (
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// selectAndScatter computes the one-hot of each window's choice. The second body combines the one-hot's
// products with the window's source into the elements to which they belong. Windows that padding cuts alike
// are compared together.
func selectAndScatter(c *opRun, in []*value) ([]*value, error) {
	x, source, init := in[0], in[1], in[2]
	direction := selection(c.o.Regions[0])
	if direction == "" {
		return nil, refuse(c.o, "selects other than by a comparison, which is not supported for secrets", "select by GE, GT, LE or LT")
	}
	at := picking{algo.WindowOf(c.o), direction}
	base := c.spread(init, x.typ.Shape)
	if x.owner == Public {
		selected, err := eval.Selected(c.ctx, c.o, x.array())
		if err != nil {
			return nil, err
		}
		return c.combine(c.o.Regions[1], selected, []*value{base}, []*value{source})
	}
	chosen := &choice{}
	if c.guarded() && source.owner == Secret {
		source = secret(c.Arith.Guarded(c.op, source.sec)) // once, before it is repeated
	}
	for _, w := range c.winners(x, at) {
		chosen.add(c, w, source)
	}
	if len(chosen.hot) == 0 {
		return []*value{base}, nil
	}
	hot, updates := c.concatenated(chosen.hot), c.concatenated(chosen.updates)
	body := c.o.Regions[1]
	if algo.Reducer(body) == hlo.OpAdd && x.typ.DType != tensor.Bool {
		kept, err := multiply(c, []*value{c.number(hot, updates.typ.DType), updates})
		if err != nil {
			return nil, err
		}
		return c.sums(algo.UpdatesAt(chosen.places), base, kept[0])
	}
	return c.combineChosen(body, chosen.places, base, hot, updates)
}

// choice lists elements of windows: their indices, whether their window chose them, and its source.
type choice struct {
	places       []int32
	hot, updates []*value
}

// add appends the elements of windows with the source where they are chosen.
func (l *choice) add(c *opRun, w windowChoice, source *value) {
	n := len(w.windows)
	index, of := w.elements()
	l.places = append(l.places, index...)
	l.updates = append(l.updates, c.pickedFrom(of, tensor.Shape{len(of)}, source))
	l.hot = append(l.hot, c.view(w.hot, tensor.Reshaped(tensor.Shape{len(of) / n, n}, tensor.Shape{len(of)})))
}

// selection returns the direction in which a window's choice is compared with the elements after it.
func selection(b *hlo.Block) string {
	if len(b.Ops) != 2 || b.Ops[0].Name != hlo.OpCompare || b.Return().Operands[0] != b.Ops[0].Results[0] {
		return ""
	}
	o := b.Ops[0]
	dir := o.Attrs.Str("comparison_direction")
	switch in := o.Operands; {
	case dir == "EQ" || dir == "NE":
	case in[0] == b.Params[0] && in[1] == b.Params[1]:
		return dir
	case in[0] == b.Params[1] && in[1] == b.Params[0]:
		return hlo.MirroredDirection(dir)
	}
	return ""
}

// number converts a boolean to 0 or 1 of a type, and records that it is a boolean.
func (c *opRun) number(b *value, d tensor.DType) *value {
	out := secret(c.Arith.Number(c.op, c.share(b, 0), d))
	out.bits = b.sec
	return out
}

// combineChosen applies a body to an element and the sources of all windows that contain it, one after the
// other, where they chose it.
func (c *opRun) combineChosen(body *hlo.Block, positions []int32, base, hot, updates *value) ([]*value, error) {
	g := algo.UpdatesAt(positions)
	old := algo.Take(values{c}, []*value{base}, g.Positions)
	changed, err := algo.Sequential(chosenRegion{c.region(body)}, g, old, []*value{updates, hot})
	if err != nil {
		return nil, err
	}
	return algo.Set(values{c}, g.Positions, []*value{base}, changed), nil
}

// chosenRegion applies a region to an element and an update where a third argument says so.
type chosenRegion struct{ *algo.Region[*value] }

func (b chosenRegion) Apply(args ...*value) ([]*value, error) {
	next, err := b.Region.Apply(args[:2]...)
	if err != nil {
		return nil, err
	}
	return b.Scalars.(scalars).c.pick(args[2], next[0], args[0])
}

func init() { table.Add(hlo.OpSelectAndScatter, selectAndScatter) }
