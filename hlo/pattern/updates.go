package pattern

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// Updates returns the updates of an optimiser that divides gradients by their own size (Gradients), and the
// parameters to which they are added, from the first operation after the quotient on. Steps of a training add up in
// parameters, and so would the rounding of each step. The values that only other operations read, such as a
// contraction of a parameter, are no updates: an update ends as a result, or is carried by a loop.
func Updates(p *hlo.Program) map[*hlo.Value]bool {
	t := newTrace(p)
	gradients := t.gradients()
	if len(gradients) == 0 {
		return nil
	}
	inverse, bound := t.inverses(), t.bound()
	var sizes []*hlo.Value // squares and magnitudes of gradients
	for _, o := range t.ops {
		if (isSquare(o) || o.Name == hlo.OpAbs) && gradients[o.Operands[0]] {
			sizes = append(sizes, o.Results[0])
		}
	}
	divides := func(o *hlo.Op, v *hlo.Value) bool {
		return o.Name == hlo.OpDivide && o.Operands[1] == v || o.Name == hlo.OpMultiply && inverse[v]
	}
	size := t.forward(sizes, bound, func(o *hlo.Op, v *hlo.Value) bool { return o.Is(hlo.Elementwise) && !divides(o, v) })
	var quotients []*hlo.Value
	for _, o := range t.ops {
		if slices.ContainsFunc(o.Operands, func(v *hlo.Value) bool { return size[v] && divides(o, v) }) {
			quotients = append(quotients, o.Results[0])
		}
	}
	update := t.forward(quotients, bound, updates)
	out := map[*hlo.Value]bool{}
	var todo []*hlo.Value
	for _, o := range t.ops {
		if o.Name == hlo.OpWhile {
			todo = append(todo, o.Regions[1].Return().Operands...)
		}
	}
	todo = append(todo, p.Main.Body.Return().Operands...)
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if out[v] || !update[v] {
			continue
		}
		out[v] = true
		todo = append(todo, t.from(v)...)
		if o := t.defs[v]; o != nil && slices.ContainsFunc(o.Operands, func(w *hlo.Value) bool { return updates(o, w) }) {
			todo = append(todo, o.Operands...)
		}
	}
	for _, v := range quotients {
		delete(out, v)
	}
	return out
}

// updates reports whether an operation's result is an update if its operand v is one.
func updates(o *hlo.Op, v *hlo.Value) bool {
	if o.Name == hlo.OpOptimizationBarrier {
		return len(o.Operands) == 1
	}
	return o.Is(hlo.Elementwise) && len(o.Results) == 1 && o.Results[0].Type.DType.IsFloat() && linearIn(o, slices.Index(o.Operands, v))
}

// bound maps a value to the parameters and results to which calls, loops and branches pass it.
func (t *trace) bound() map[*hlo.Value][]*hlo.Value {
	out := map[*hlo.Value][]*hlo.Value{}
	hand := func(v *hlo.Value) {
		for _, w := range t.from(v) {
			out[w] = append(out[w], v)
		}
	}
	for v := range t.homes {
		hand(v)
	}
	for _, o := range t.ops {
		for _, v := range o.Results {
			hand(v)
		}
	}
	return out
}

// forward returns the values that are made from some values by the operations for which through returns true, and by
// calls, loops and branches.
func (t *trace) forward(todo []*hlo.Value, bound map[*hlo.Value][]*hlo.Value, through func(o *hlo.Op, v *hlo.Value) bool) map[*hlo.Value]bool {
	readers := map[*hlo.Value][]*hlo.Op{}
	for _, o := range t.ops {
		for _, v := range o.Operands {
			readers[v] = append(readers[v], o)
		}
	}
	found := map[*hlo.Value]bool{}
	for todo = slices.Clone(todo); len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if found[v] {
			continue
		}
		found[v] = true
		todo = append(todo, bound[v]...)
		for _, o := range readers[v] {
			if through(o, v) {
				todo = append(todo, o.Results...)
			}
		}
	}
	return found
}
