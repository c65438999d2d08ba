package pattern

import (
	"math"
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
	bound := t.bound()
	var quotients []*hlo.Value
	for _, o := range t.normalizers(gradients, bound) {
		quotients = append(quotients, o.Results[0])
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

// normalizers returns the operations that divide by a size of a gradient: divisions, and products with 1/√x.
func (t *trace) normalizers(gradients map[*hlo.Value]bool, bound map[*hlo.Value][]*hlo.Value) []*hlo.Op {
	inverse := t.inverses()
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
	return slices.DeleteFunc(slices.Clone(t.ops), func(o *hlo.Op) bool {
		return !slices.ContainsFunc(o.Operands, func(v *hlo.Value) bool { return size[v] && divides(o, v) })
	})
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
func (t *trace) forward(
	todo []*hlo.Value, bound map[*hlo.Value][]*hlo.Value, through func(o *hlo.Op, v *hlo.Value) bool,
) map[*hlo.Value]bool {
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

// Normalizer is an operation that divides a gradient by its size plus Epsilon: x/(√v + ε), x/√(v + ε²) or x/max(|x| + ε).
type Normalizer struct {
	Op       *hlo.Op
	Epsilon  float64 // 0 if no constant is added
	Constant *hlo.Op // the constant from which Epsilon is made, ε or ε²; nil if none is added
}

// Normalizers returns the operations of a program's optimisers that divide gradients by their own size.
func Normalizers(p *hlo.Program) []Normalizer {
	t := newTrace(p)
	gradients := t.gradients()
	if len(gradients) == 0 {
		return nil
	}
	var out []Normalizer
	for _, o := range t.normalizers(gradients, t.bound()) {
		n := Normalizer{Op: o}
		for _, v := range o.Operands {
			if o.Name == hlo.OpMultiply || v == o.Operands[1] {
				if x, by := t.epsilon(v, map[*hlo.Value]bool{}); x > n.Epsilon {
					n.Epsilon, n.Constant = x, by
				}
			}
		}
		out = append(out, n)
	}
	return out
}

// epsilon returns the largest constant that is added to a divisor, as a number beside the gradient's magnitude, and its
// operation.
func (t *trace) epsilon(v *hlo.Value, seen map[*hlo.Value]bool) (most float64, by *hlo.Op) {
	if seen[v] {
		return 0, nil
	}
	seen[v] = true
	larger := func(x float64, o *hlo.Op) {
		if x > most {
			most, by = x, o
		}
	}
	for _, w := range t.from(v) {
		larger(t.epsilon(w, seen))
	}
	o := t.defs[v]
	switch {
	case o == nil:
	case o.Name == hlo.OpSqrt, o.Name == hlo.OpRsqrt:
		x, c := t.epsilon(o.Operands[0], seen)
		larger(math.Sqrt(x), c)
	case o.Name == hlo.OpAdd, o.Name == hlo.OpMaximum, o.Name == hlo.OpSelect, o.Is(hlo.Moving):
		for i, w := range o.Operands {
			if x, c, ok := t.number(w); ok && o.Name == hlo.OpAdd {
				larger(x, c)
			} else if o.LinearOperand(i) || o.Name == hlo.OpMaximum {
				larger(t.epsilon(w, seen))
			}
		}
	}
	return most, by
}

// number returns the number that all elements of a constant, or of a copy of one, are equal to, and the constant.
func (t *trace) number(v *hlo.Value) (float64, *hlo.Op, bool) {
	if !t.literal(v) {
		return 0, nil, false
	}
	o := t.defs[v]
	for o.Name != hlo.OpConstant {
		o = t.defs[o.Operands[0]]
	}
	c, ok := o.Constant()
	if !ok || c.Elements == nil || !c.Type.DType.IsFloat() {
		return 0, nil, false
	}
	x, ok := c.Elements.Uniform()
	return x, o, ok
}
