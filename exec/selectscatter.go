package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
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
	at := pickingOf(c.o, direction)
	base := c.spread(init, x.typ.Shape)
	if x.owner == Public {
		return c.combine(c.o.Regions[1], publicChoice(at.cuts(x, source.typ.Shape), x.arr, direction, source.typ.Shape.Size()), []*value{base}, []*value{source})
	}
	chosen := &choice{}
	if c.guarded() && source.owner == Secret {
		source = secret(c.Arith.Guarded(c.op, source.sec)) // once, before it is repeated
	}
	for _, w := range c.winners(x, at, source.typ.Shape) {
		chosen.add(c, w, source)
	}
	if len(chosen.hot) == 0 {
		return []*value{base}, nil
	}
	hot, updates := c.concatenated(chosen.hot), c.concatenated(chosen.updates)
	body := c.o.Regions[1]
	if bodyOf(body) == hlo.OpAdd && x.typ.DType != tensor.Bool {
		kept, err := multiply(c, []*value{c.number(hot, updates.typ.DType), updates})
		if err != nil {
			return nil, err
		}
		return c.sums(groupedBy(chosen.places), base, kept[0])
	}
	return c.combineChosen(body, chosen.places, base, hot, updates)
}

// publicChoice returns, for each window, the index of the element that it chooses from public numbers.
func publicChoice(kinds []cut, x *tensor.Array, direction string, windows int) []int32 {
	out := slices.Repeat([]int32{tensor.Fill}, windows)
	least := direction == "LE" || direction == "LT"
	better := func(p, q int32) bool { // of unequal ones
		if x.DType.IsFloat() {
			f := x.Floats()
			return f[p] != f[q] && f[p] < f[q] == least
		}
		w := x.Words()
		less := w[p] < w[q]
		if x.DType.IsSigned() {
			less = int64(w[p]) < int64(w[q])
		}
		return w[p] != w[q] && less == least
	}
	for _, k := range kinds {
		for i, places := range k.places {
			best := places[0]
			for _, p := range places[1:] {
				if better(p, best) {
					best = p
				}
			}
			out[k.windows[i]] = best
		}
	}
	return out
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
	turned := map[string]string{"GE": "LE", "GT": "LT", "LE": "GE", "LT": "GT"}
	switch in := o.Operands; {
	case in[0] == b.Params[0] && in[1] == b.Params[1] && turned[dir] != "":
		return dir
	case in[0] == b.Params[1] && in[1] == b.Params[0]:
		return turned[dir]
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
func (c *opRun) combineChosen(block *hlo.Block, places []int32, base, hot, updates *value) ([]*value, error) {
	b := c.closureBody(block)
	g := groupedBy(places)
	cur := c.pickedFrom(g.places, tensor.Shape{len(g.places)}, base)
	for round := range len(g.updates[0]) {
		live, index := 0, []int32{}
		for live < len(g.updates) && len(g.updates[live]) > round {
			index = append(index, g.updates[live][round])
			live++
		}
		shape := tensor.Shape{live}
		old := c.pickedFrom(counted(live), shape, cur)
		next, err := b.apply(old, c.pickedFrom(index, shape, updates))
		if err != nil {
			return nil, err
		}
		if next, err = c.pick(c.pickedFrom(index, shape, hot), next[0], old); err != nil {
			return nil, err
		}
		if n := cur.typ.Shape[0]; live < n {
			rest := c.view(cur, tensor.Sliced(tensor.Shape{n}, []int{live}, []int{n}, []int{1}))
			next[0] = c.concatenated([]*value{next[0], rest})
		}
		cur = next[0]
	}
	return c.placed(g.places, []*value{base}, []*value{cur}), nil
}

func init() { table.Add(hlo.OpSelectAndScatter, selectAndScatter) }
