package pattern

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
)

// exp reads t as exp(x).
func (a *attempt) exp(t term) (term, bool) { return a.unary(t, hlo.OpExponential) }

// onePlusExpMinus reads t as 1 + exp(−x).
func (a *attempt) onePlusExpMinus(t term) (term, bool) {
	e, ok := a.onePlus(t)
	if !ok {
		return t, false
	}
	n, ok := a.exp(e)
	if !ok {
		return t, false
	}
	return a.minus(n)
}

// logistic reads t as sigmoid(x).
func (a *attempt) logistic(t term) (term, bool) {
	if x, ok := a.unary(t, hlo.OpLogistic); ok {
		return x, true
	}
	if p, q, ok := a.binary(t, hlo.OpDivide); ok {
		if k, ok := a.constant(p); ok && k == 1 {
			return a.onePlusExpMinus(q)
		}
		// exp(x) / (1 + exp(x))
		x, ok := a.exp(p)
		if !ok {
			return t, false
		}
		e, ok := a.onePlus(q)
		if !ok {
			return t, false
		}
		y, ok := a.exp(e)
		return x, ok && a.same(x, y)
	}
	// exp(x − log(1 + exp(x))): the derivative of softplus.
	if d, ok := a.exp(t); ok {
		if x, p, ok := a.binary(d, hlo.OpSubtract); ok {
			y, ok := a.logOnePlusExp(a.unlessInf(p))
			x = a.unlessInf(x)
			return x, ok && a.same(x, y)
		}
	}
	return t, false
}

// stable reads t as sigmoid(x) in the form without exponentials of large numbers: 1/(1+z) where x ≥ 0 and
// z/(1+z) elsewhere, z = exp(−|x|); or as a selection between two forms of sigmoid(x).
func (a *attempt) stable(t term) (term, bool) {
	p, in, out, ok := a.masked(t)
	if !ok {
		return t, false
	}
	if x, ok := a.logistic(in); ok {
		if y, ok := a.logistic(out); ok && a.same(x, y) {
			return x, true
		}
	}
	one, d, ok := a.binary(in, hlo.OpDivide)
	if k, c := a.constant(one); !ok || !c || k != 1 {
		return t, false
	}
	x, zero, ok := a.binary(p, hlo.OpCompare)
	if k, c := a.constant(zero); !ok || !c || k != 0 || !a.asks(p, "GE") && !a.asks(p, "GT") {
		return t, false
	}
	z, d2, ok := a.binary(out, hlo.OpDivide)
	if !ok || !a.same(d, d2) {
		return t, false
	}
	if s, ok := a.onePlus(d); !ok || !a.same(s, z) {
		return t, false
	}
	e, ok := a.exp(z)
	if !ok {
		return t, false
	}
	m, ok := a.minus(e)
	if !ok {
		return t, false
	}
	y, ok := a.unary(m, hlo.OpAbs)
	return x, ok && a.same(x, y)
}

// unlessInf reads t as a selection that returns x where x is not ±∞, and returns x: the difference of two
// such terms is the difference of the xs wherever that is defined.
func (a *attempt) unlessInf(t term) term {
	p, _, x, ok := a.masked(t)
	if !ok || !a.asks(p, "EQ") {
		return t
	}
	y, k, _ := a.binary(p, hlo.OpCompare)
	if c, ok := a.constant(k); ok && math.IsInf(c, 0) && a.same(x, y) {
		return x
	}
	return t
}

// asks reports whether t is a comparison of floats in the given direction.
func (a *attempt) asks(t term, dir string) bool {
	o := a.examine(a.resolve(t))
	return o != nil && o.Name == hlo.OpCompare && o.Attrs.Str("comparison_direction") == dir && o.Operands[0].Type.DType.IsFloat()
}

func (a *attempt) sigmoid(_ *hlo.Op, end term) *Match {
	if a.named(a.resolve(end), hlo.OpLogistic) {
		return nil
	}
	x, ok := a.logistic(end)
	if !ok {
		if x, ok = a.stable(end); !ok {
			return nil
		}
	}
	return a.made(Sigmoid, nil, x)
}

// silu recognises x·sigmoid(x), and x/(1 + exp(−x)).
func (a *attempt) silu(_ *hlo.Op, end term) *Match {
	if !a.isProduct(end) {
		return nil
	}
	find := func(g factor) (term, bool) {
		if g.under {
			return a.onePlusExpMinus(g.term)
		}
		return a.unary(g.term, hlo.OpLogistic)
	}
	_, fs, ok := a.product(end, nil)
	if !ok {
		return nil
	}
	for _, g := range fs {
		x, ok := find(g)
		if !ok {
			continue
		}
		if a.exactly(end, 1, x, 1, func(g factor) bool { y, ok := find(g); return ok && a.same(x, y) }) {
			return a.made(Silu, nil, x)
		}
	}
	return nil
}

func (a *attempt) isProduct(t term) bool {
	t = a.resolve(t)
	return a.named(t, hlo.OpMultiply) || a.named(t, hlo.OpDivide)
}

// tanh recognises (exp(x) − exp(−x)) / (exp(x) + exp(−x)).
func (a *attempt) tanh(_ *hlo.Op, end term) *Match {
	n, d, ok := a.binary(end, hlo.OpDivide)
	if !ok {
		return nil
	}
	p, q, ok := a.binary(n, hlo.OpSubtract)
	if !ok {
		return nil
	}
	r, s, ok := a.binary(d, hlo.OpAdd)
	if !ok || !(a.same(p, r) && a.same(q, s)) && !(a.same(p, s) && a.same(q, r)) {
		return nil
	}
	x, ok := a.exp(p)
	if !ok {
		return nil
	}
	y, ok := a.exp(q)
	if !ok {
		return nil
	}
	if z, ok := a.minus(y); ok && a.same(z, x) {
		return a.made(Tanh, nil, x)
	}
	return nil
}

// roots recognises 1/√x, y/√x and √(x²).
func (a *attempt) roots(o *hlo.Op, end term) *Match {
	if s, ok := a.unary(end, hlo.OpSqrt); ok {
		if x, ok := a.square(s); ok {
			return a.made(Abs, nil, x)
		}
		return nil
	}
	n, d, ok := a.binary(end, hlo.OpDivide)
	if !ok {
		return nil
	}
	y, ok := a.unary(d, hlo.OpSqrt)
	if !ok {
		return nil
	}
	if _, ok := a.constant(y); ok {
		return nil
	}
	if k, ok := a.constant(n); ok {
		if k != 1 {
			return nil
		}
		return a.made(Rsqrt, nil, y)
	}
	return a.made(DivSqrt, nil, n, y)
}
