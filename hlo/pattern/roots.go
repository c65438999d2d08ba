package pattern

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// precise reports whether the last bits of an operation's results come from the last bits of its operands.
func precise(o *hlo.Op) bool { return o.Is(hlo.Precise) || o.Is(hlo.Structured) }

// Roots returns the values that become the operand of a root, through sums, products, views, loops and calls. Most
// are products, whose last bits matter far more than other values', such as the second moment of gradients. The
// operand of a square is not among them: it is far above its square.
func Roots(p *hlo.Program) map[*hlo.Value]bool { return newTrace(p).roots() }

// roots is Roots. It also contains products and squares of which a dot that ends under a root is the sum.
func (t *trace) roots() map[*hlo.Value]bool {
	found := t.back(rooted)
	more := func(o *hlo.Op) (out []*hlo.Value) {
		if o.Name != hlo.OpDotGeneral || !found[o.Results[0]] {
			return nil
		}
		for _, v := range o.Operands {
			if u := t.unmoved(v); u != nil && (u.Name == hlo.OpMultiply || u.Name == hlo.OpSquare) {
				out = append(out, v)
			}
		}
		return out
	}
	for n := 0; n < len(found); {
		n = len(found)
		found = t.back(func(o *hlo.Op) []*hlo.Value { return append(more(o), rooted(o)...) })
	}
	return found
}

// unmoved returns the operation whose result v is a copy of; nil for a parameter.
func (t *trace) unmoved(v *hlo.Value) *hlo.Op {
	o := t.defs[v]
	for o != nil && (o.Is(hlo.Moving) && len(o.Operands) == 1 || o.Name == hlo.OpConvert) {
		o = t.defs[o.Operands[0]]
	}
	return o
}

// Quotients returns the values that become dividends or divisors, through sums, products, views, loops and calls. An
// example is a moment of gradients, which is small, as is its divisor. Constants of the program's text do not count
// as divisors.
func Quotients(p *hlo.Program) map[*hlo.Value]bool { return newTrace(p).quotients() }

func (t *trace) quotients() map[*hlo.Value]bool {
	dividends := t.dividends()
	return t.back(func(o *hlo.Op) []*hlo.Value {
		ends := dividends(o)
		if o.Name == hlo.OpDivide && len(ends) > 0 {
			return o.Operands
		}
		return ends
	})
}

// dividends returns a function that returns an operation's dividends: what it divides by a value that is no constant of the
// program's text, or multiplies by a reciprocal root.
func (t *trace) dividends() func(o *hlo.Op) []*hlo.Value {
	inverse := t.inverses()
	return func(o *hlo.Op) []*hlo.Value {
		switch o.Name {
		case hlo.OpDivide:
			if !t.literal(o.Operands[1]) {
				return o.Operands[:1]
			}
		case hlo.OpMultiply:
			for i, v := range o.Operands {
				if inverse[v] {
					return []*hlo.Value{o.Operands[1-i]}
				}
			}
		}
		return nil
	}
}

// Inverses returns the values that are 1/√x, and the copies of such values and selections among them.
func Inverses(p *hlo.Program) map[*hlo.Value]bool { return newTrace(p).inverses() }

// rooted returns the operands of an operation of which it takes a root.
func rooted(o *hlo.Op) []*hlo.Value {
	switch o.Name {
	case hlo.OpSqrt, hlo.OpRsqrt, hlo.OpCbrt:
		return o.Operands[:1]
	}
	return nil
}

// trace maps a program's values to the values from which they are made.
type trace struct {
	ops     []*hlo.Op // in the order of the text, regions after their operation
	defs    map[*hlo.Value]*hlo.Op
	callers map[*hlo.Func][]*hlo.Op
	homes   map[*hlo.Value]func(i int) []*hlo.Value // for a parameter: the values that it is bound to
	places  map[*hlo.Value]int
}

func newTrace(p *hlo.Program) *trace {
	t := &trace{
		defs: map[*hlo.Value]*hlo.Op{}, callers: map[*hlo.Func][]*hlo.Op{},
		homes: map[*hlo.Value]func(i int) []*hlo.Value{}, places: map[*hlo.Value]int{},
	}
	for _, f := range p.Reached() {
		t.bind(f.Body, func(i int) []*hlo.Value {
			var out []*hlo.Value
			for _, o := range t.callers[f] {
				out = append(out, o.Operands[i])
			}
			return out
		})
		t.walk(f.Body)
	}
	return t
}

func (t *trace) bind(b *hlo.Block, to func(i int) []*hlo.Value) {
	for i, v := range b.Params {
		t.homes[v], t.places[v] = to, i
	}
}

func (t *trace) walk(b *hlo.Block) {
	for _, o := range b.Ops {
		t.ops = append(t.ops, o)
		for _, v := range o.Results {
			t.defs[v] = o
		}
		if o.Name == hlo.OpWhile {
			for _, r := range o.Regions {
				t.bind(r, func(i int) []*hlo.Value {
					return []*hlo.Value{o.Operands[i], o.Regions[1].Return().Operands[i]}
				})
			}
		}
		if o.Callee != nil {
			t.callers[o.Callee] = append(t.callers[o.Callee], o)
		}
		for _, r := range o.Regions {
			t.walk(r)
		}
	}
}

// from returns the values to which v may be equal: those bound to a parameter, and those that a call, a loop
// or a branch returns.
func (t *trace) from(v *hlo.Value) []*hlo.Value {
	o := t.defs[v]
	switch {
	case o == nil:
		if to := t.homes[v]; to != nil {
			return to(t.places[v])
		}
	case o.Callee != nil:
		return []*hlo.Value{o.Callee.Body.Return().Operands[resultOf(o, v)]}
	case o.Name == hlo.OpWhile:
		i := resultOf(o, v)
		return []*hlo.Value{o.Operands[i], o.Regions[1].Return().Operands[i]}
	case o.Is(hlo.Branch):
		var out []*hlo.Value
		for _, r := range o.Regions {
			out = append(out, r.Return().Operands[resultOf(o, v)])
		}
		return out
	}
	return nil
}

// back returns the floats from which the values that ends returns for any operation are made.
func (t *trace) back(ends func(o *hlo.Op) []*hlo.Value) map[*hlo.Value]bool {
	return t.backThrough(ends, func(o *hlo.Op) bool { return precise(o) && !squares(o) })
}

// backThrough is back restricted to the operations for which through returns true.
func (t *trace) backThrough(ends func(o *hlo.Op) []*hlo.Value, through func(o *hlo.Op) bool) map[*hlo.Value]bool {
	var todo []*hlo.Value
	for _, o := range t.ops {
		todo = append(todo, ends(o)...)
	}
	found := map[*hlo.Value]bool{}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if found[v] || !v.Type.DType.IsFloat() {
			continue
		}
		found[v] = true
		todo = append(todo, t.from(v)...)
		if o := t.defs[v]; o != nil && through(o) {
			todo = append(todo, o.Operands...)
		}
	}
	return found
}

// squares reports whether an operation multiplies a value by itself.
func squares(o *hlo.Op) bool {
	return o.Name == hlo.OpMultiply && o.Operands[0] == o.Operands[1]
}

// copies reports whether an operation's results consist of elements of its operands.
func copies(o *hlo.Op) bool {
	return o.Is(hlo.Structured) || o.Name == hlo.OpConvert || o.Name == hlo.OpSelect || o.Name == hlo.OpOptimizationBarrier
}

// inverses repeats passes over the text until nothing is added: the result of a call is known only after its
// callee.
func (t *trace) inverses() map[*hlo.Value]bool {
	found := map[*hlo.Value]bool{}
	any := func(vs []*hlo.Value) bool {
		return slices.ContainsFunc(vs, func(v *hlo.Value) bool { return found[v] })
	}
	for more := true; more; {
		more = false
		add := func(v *hlo.Value, is bool) {
			if is && !found[v] && v.Type.DType.IsFloat() {
				found[v], more = true, true
			}
		}
		for _, o := range t.ops {
			for _, v := range o.Results {
				add(v, o.Name == hlo.OpRsqrt || copies(o) && any(o.Operands) || any(t.from(v)))
			}
		}
		for v := range t.homes {
			add(v, any(t.from(v)))
		}
	}
	return found
}

// literal reports whether a value is a constant, or a copy of one.
func (t *trace) literal(v *hlo.Value) bool {
	for o := t.defs[v]; o != nil; o = t.defs[o.Operands[0]] {
		if o.Name == hlo.OpConstant {
			return true
		}
		if !o.Is(hlo.Moving) && o.Name != hlo.OpConvert {
			return false
		}
	}
	return false
}

func resultOf(o *hlo.Op, v *hlo.Value) int {
	for i, r := range o.Results {
		if r == v {
			return i
		}
	}
	return 0
}
