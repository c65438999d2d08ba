package pattern

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// Gradients returns the values that an optimiser divides, element by element, by their own size: each value g for
// which g·g ends under a root, or the divisor is a maximum of |g|, and a moment of g is the dividend. A
// normalisation, whose root is of a sum over elements, has no gradients.
func Gradients(p *hlo.Program) map[*hlo.Value]bool { return newTrace(p).gradients() }

func (t *trace) gradients() map[*hlo.Value]bool {
	roots := t.backThrough(rooted, unreduced)
	divisors := t.backThrough(func(o *hlo.Op) []*hlo.Value {
		if o.Name == hlo.OpDivide && !t.literal(o.Operands[1]) {
			return o.Operands[1:]
		}
		return nil
	}, unreduced)
	bounds := t.backThrough(func(o *hlo.Op) []*hlo.Value {
		if o.Name == hlo.OpMaximum && divisors[o.Results[0]] {
			return o.Operands
		}
		return nil
	}, unreduced)
	moments := t.moments()
	found := map[*hlo.Value]bool{}
	for _, o := range t.ops {
		if len(o.Results) != 1 {
			continue
		}
		out := o.Results[0]
		if isSquare(o) && roots[out] || o.Name == hlo.OpAbs && bounds[out] {
			if g := o.Operands[0]; moments[g] && g.Type.DType.IsFloat() {
				found[g] = true
			}
		}
	}
	return found
}

// moments returns the values of which dividends are linear combinations. The smaller of two magnitudes, which hypot divides
// by the larger, is none of either.
func (t *trace) moments() map[*hlo.Value]bool {
	return t.backThrough(t.dividends(), func(o *hlo.Op) bool {
		switch o.Name {
		case hlo.OpAbs, hlo.OpMaximum, hlo.OpMinimum:
			return false
		}
		return precise(o) && !squares(o)
	})
}

// unreduced reports whether a trace may go back through an operation: it is no reduction.
func unreduced(o *hlo.Op) bool {
	return precise(o) && o.Name != hlo.OpReduce && !squares(o)
}

func isSquare(o *hlo.Op) bool { return squares(o) || o.Name == hlo.OpSquare }

// Cotangents returns the values of a backward pass: the gradients (Gradients), and every value that is read only by
// linear operations, calls, loops and branches whose results are cotangents. The last bits of a cotangent are the
// last bits of a gradient, and an optimiser turns a gradient of any size into an update of the same size. A value of
// the forward pass is no cotangent, because a nonlinear function or a result reads it.
func Cotangents(p *hlo.Program) map[*hlo.Value]bool {
	t := newTrace(p)
	gradients := t.gradients()
	if len(gradients) == 0 {
		return nil
	}
	uses := t.uses()
	quotients, roots := t.quotients(), t.roots()
	found := map[*hlo.Value]bool{}
	var all []*hlo.Value
	add := func(v *hlo.Value) {
		if v.Type.DType.IsFloat() && !found[v] {
			all, found[v] = append(all, v), true
		}
	}
	for v := range t.homes {
		add(v)
	}
	for _, o := range t.ops {
		for _, v := range o.Results {
			add(v)
		}
	}
	cotangent := func(u use) bool {
		if len(u.to) > 0 {
			return !slices.ContainsFunc(u.to, func(v *hlo.Value) bool { return !found[v] })
		}
		return (isSquare(u.op) || u.op.Name == hlo.OpAbs) && (roots[u.op.Results[0]] || quotients[u.op.Results[0]])
	}
	for more := true; more; { // computes the largest set with this property
		more = false
		for i := len(all) - 1; i >= 0; i-- {
			if v := all[i]; found[v] && !gradients[v] && slices.ContainsFunc(uses[v], func(u use) bool { return !cotangent(u) }) {
				delete(found, v)
				more = true
			}
		}
	}
	from := map[*hlo.Value][]*hlo.Value{} // operands from which a cotangent is made
	for v := range found {
		for _, u := range uses[v] {
			for _, to := range u.to {
				from[to] = append(from[to], v)
			}
		}
	}
	out := map[*hlo.Value]bool{}
	var todo []*hlo.Value
	for v := range gradients {
		todo = append(todo, v)
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !out[v] && found[v] {
			out[v] = true
			todo = append(todo, from[v]...)
		}
	}
	return out
}

// use is one read of a value. to lists the values that are linear in it; it is empty if the operation is not
// linear.
type use struct {
	op *hlo.Op
	to []*hlo.Value
}

// uses lists the reads of all values.
func (t *trace) uses() map[*hlo.Value][]use {
	bound := t.bound()
	returns := map[*hlo.Op]bool{} // the return operations that pass values on
	for _, o := range t.ops {
		switch {
		case o.Callee != nil:
			returns[o.Callee.Body.Return()] = true
		case o.Name == hlo.OpWhile:
			returns[o.Regions[1].Return()] = true
		case o.Is(hlo.Branch):
			for _, r := range o.Regions {
				returns[r.Return()] = true
			}
		}
	}
	out := map[*hlo.Value][]use{}
	for _, o := range t.ops {
		for i, v := range o.Operands {
			u := use{op: o}
			switch {
			case returns[o] || o.Callee != nil || o.Name == hlo.OpWhile:
				u.to = bound[v]
			case linearIn(o, i):
				u.to = o.Results
			}
			out[v] = append(out[v], u)
		}
	}
	return out
}

// linearIn reports whether an operation is linear in operand i if the others are fixed.
func linearIn(o *hlo.Op, i int) bool {
	if !o.LinearOperand(i) || len(o.Results) != 1 && o.Name != hlo.OpOptimizationBarrier {
		return false
	}
	switch o.Name {
	case hlo.OpMultiply, hlo.OpDotGeneral, hlo.OpConvolution:
		return o.Operands[0] != o.Operands[1]
	case hlo.OpReduce, hlo.OpReduceWindow, hlo.OpScatter:
		return len(o.Regions) == 1 && len(o.Regions[0].Ops) == 2 && o.Regions[0].Ops[0].Name == hlo.OpAdd
	case hlo.OpSelectAndScatter:
		return len(o.Regions) == 2 && len(o.Regions[1].Ops) == 2 && o.Regions[1].Ops[0].Name == hlo.OpAdd
	}
	return true
}
