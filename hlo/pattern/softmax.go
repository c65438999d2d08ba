package pattern

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// made returns a match whose inputs are terms in x's shape; nil if one of them is no value of the block.
func (a *attempt) made(k Kind, axes []int, inputs ...term) *Match {
	m := &Match{Kind: k, Axes: axes}
	for i, t := range inputs {
		v, dims := a.value(t)
		if v == nil || i == 0 && dims != nil || !v.Type.DType.IsFloat() {
			return nil
		}
		m.Inputs, m.Dims = append(m.Inputs, v), append(m.Dims, dims)
	}
	return m
}

// softmax recognises exp(d) / Σ exp(d), d = x − max x, and the exponential of a log-softmax.
func (a *attempt) softmax(o *hlo.Op, end term) *Match {
	if l, ok := a.exp(end); ok {
		m := a.logSoftmax(o, l)
		if m != nil {
			m.Kind = Softmax
		}
		return m
	}
	e, s, ok := a.binary(end, hlo.OpDivide)
	if !ok {
		x, y, ok := a.binary(end, hlo.OpMultiply)
		if !ok {
			return nil
		}
		if e, s, ok = a.byReciprocal(x, y); !ok {
			return nil
		}
	}
	d, ok := a.unary(e, hlo.OpExponential)
	if !ok {
		return nil
	}
	x, max, ok := a.shifted(d)
	if !ok {
		return nil
	}
	sum, ok := a.reduce(s, hlo.OpAdd)
	if !ok || !sum.spread(e.w.shape) || !slices.Equal(sum.axes, max.axes) || !a.summand(sum.of, e, x) {
		return nil
	}
	return a.made(Softmax, sum.axes, x)
}

// byReciprocal reads x·(1/s) or (1/s)·x.
func (a *attempt) byReciprocal(x, y term) (num, den term, ok bool) {
	for range 2 {
		if one, s, ok := a.binary(y, hlo.OpDivide); ok {
			if k, ok := a.constant(one); ok && k == 1 {
				return x, s, true
			}
		}
		x, y = y, x
	}
	return x, y, false
}

// shifted reads d as x − max x.
func (a *attempt) shifted(d term) (x term, max reduced, ok bool) {
	x, m, ok := a.binary(d, hlo.OpSubtract)
	if !ok {
		return x, max, false
	}
	max, ok = a.max(m)
	return x, max, ok && max.spread(x.w.shape) && a.same(max.of, x)
}

// max reads t as a maximum, which a selection may replace by 0 where it is infinite.
func (a *attempt) max(t term) (reduced, bool) {
	t = a.resolve(t)
	if o := a.examine(t); o != nil && o.Name == hlo.OpSelect && maskShaped(o) {
		if fin, ok := a.unary(t.arg(o, 0), hlo.OpIsFinite); ok && a.same(fin, t.arg(o, 1)) {
			if k, ok := a.constant(t.arg(o, 2)); ok && k == 0 {
				t = t.arg(o, 1)
			}
		}
	}
	return a.reduce(t, hlo.OpMaximum)
}

// maskShaped reports whether a selection's predicate has the operands' shape.
func maskShaped(o *hlo.Op) bool { return o.Operands[0].Type.Shape.Equal(o.Results[0].Type.Shape) }

// summand reports whether t is e = exp(x − max x), or e where a mask is true and 0 elsewhere, if x is −∞
// there already.
func (a *attempt) summand(t, e, x term) bool {
	if a.same(t, e) {
		return true
	}
	mask, in, zero, ok := a.masked(t)
	if k, z := a.constant(zero); !ok || !z || k != 0 || !a.same(in, e) {
		return false
	}
	xmask, _, low, ok := a.masked(x)
	k, c := a.constant(low)
	return ok && c && k <= lowest(a.resolve(x).v.Type.DType) && a.same(mask, xmask)
}

// masked reads t as a selection between two terms.
func (a *attempt) masked(t term) (mask, in, out term, ok bool) {
	t = a.resolve(t)
	o := a.examine(t)
	if o == nil || o.Name != hlo.OpSelect || !maskShaped(o) {
		return t, t, t, false
	}
	return t.arg(o, 0), t.arg(o, 1), t.arg(o, 2), true
}

// logSoftmax recognises d − log Σ exp(d), and x − logsumexp x.
func (a *attempt) logSoftmax(_ *hlo.Op, end term) *Match {
	d, l, ok := a.binary(end, hlo.OpSubtract)
	if !ok {
		return nil
	}
	if s, ok := a.unary(l, hlo.OpLog); ok {
		if x, sum, ok := a.sumExp(s); ok && sum.spread(d.w.shape) {
			if y, max, ok := a.shifted(d); ok && slices.Equal(max.axes, sum.axes) && a.same(x, y) {
				return a.made(LogSoftmax, sum.axes, y)
			}
		}
		return nil
	}
	if x, sum, ok := a.lse(l); ok && sum.spread(d.w.shape) && a.same(x, d) {
		return a.made(LogSoftmax, sum.axes, d)
	}
	return nil
}

// sumExp reads t as Σ exp(x − max x), the sum's axes those of the maximum.
func (a *attempt) sumExp(t term) (x term, sum reduced, ok bool) {
	if s, ok := a.unary(t, hlo.OpAbs); ok {
		t = s
	}
	sum, ok = a.reduce(t, hlo.OpAdd)
	if !ok {
		return x, sum, false
	}
	e := sum.of
	if _, in, _, ok := a.masked(e); ok {
		e = in
	}
	d, ok := a.unary(e, hlo.OpExponential)
	if !ok {
		return x, sum, false
	}
	x, max, ok := a.shifted(d)
	return x, sum, ok && slices.Equal(max.axes, sum.axes) && a.summand(sum.of, e, x)
}

// lse reads t as log Σ exp(x − max x) + max x.
func (a *attempt) lse(t term) (x term, sum reduced, ok bool) {
	p, q, ok := a.binary(t, hlo.OpAdd)
	if !ok {
		return x, sum, false
	}
	for range 2 {
		if s, ok := a.unary(p, hlo.OpLog); ok {
			x, sum, ok := a.sumExp(s)
			max, ok2 := a.max(q)
			return x, sum, ok && ok2 && max.agrees(sum) && a.same(max.of, x)
		}
		p, q = q, p
	}
	return x, sum, false
}

// logSumExp recognises log Σ exp(d) + max x.
func (a *attempt) logSumExp(_ *hlo.Op, end term) *Match {
	x, sum, ok := a.lse(end)
	if !ok || !sum.bare() {
		return nil
	}
	return a.made(LogSumExp, sum.axes, x)
}
