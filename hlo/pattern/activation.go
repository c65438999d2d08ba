package pattern

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
)

// exp reads t as exp(x).
func (a *attempt) exp(t term) (term, bool) { return a.unary(t, "exponential") }

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
	if x, ok := a.unary(t, "logistic"); ok {
		return x, true
	}
	if p, q, ok := a.binary(t, "divide"); ok {
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
		if x, p, ok := a.binary(d, "subtract"); ok {
			y, ok := a.logOnePlusExp(a.unlessInf(p))
			x = a.unlessInf(x)
			return x, ok && a.same(x, y)
		}
	}
	return t, false
}

// unlessInf reads t as x where x is not ±∞, and takes x: a difference of two
// such terms is that of the xs as far as there is one.
func (a *attempt) unlessInf(t term) term {
	p, _, x, ok := a.masked(t)
	if !ok || !a.asks(p, "EQ") {
		return t
	}
	y, k, _ := a.binary(p, "compare")
	if c, ok := a.constant(k); ok && math.IsInf(c, 0) && a.same(x, y) {
		return x
	}
	return t
}

// asks reports that t is a comparison of that direction, of floats.
func (a *attempt) asks(t term, dir string) bool {
	o := a.def(a.resolve(t))
	return o != nil && o.Name == "stablehlo.compare" && o.Attrs.Str("comparison_direction") == dir && o.Operands[0].Type.DType.IsFloat()
}

func (a *attempt) sigmoid(_ *hlo.Op, end term) *Match {
	if a.named(a.resolve(end), "stablehlo.logistic") {
		return nil
	}
	x, ok := a.logistic(end)
	if !ok {
		return nil
	}
	return a.made(Sigmoid, nil, x)
}

// silu: x·sigmoid(x), or x/(1 + exp(−x)).
func (a *attempt) silu(_ *hlo.Op, end term) *Match {
	if !a.isProduct(end) {
		return nil
	}
	find := func(g factor) (term, bool) {
		if g.under {
			return a.onePlusExpMinus(g.term)
		}
		return a.unary(g.term, "logistic")
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
	return a.named(t, "stablehlo.multiply") || a.named(t, "stablehlo.divide")
}

// gelu in both forms: ½ x times 1 + tanh(…), 1 + erf(x/√2) or erfc(−x/√2).
func (a *attempt) gelu(_ *hlo.Op, end term) *Match {
	if !a.isProduct(end) {
		return nil
	}
	_, fs, ok := a.product(end, nil)
	if !ok {
		return nil
	}
	for _, g := range fs {
		x, kind, ok := a.gate(g)
		if !ok {
			continue
		}
		if a.exactly(end, 0.5, x, 1, func(g factor) bool { y, k, ok := a.gate(g); return ok && k == kind && a.same(x, y) }) {
			return a.made(kind, nil, x)
		}
	}
	return nil
}

// gate reads a factor of gelu, twice the share of x that passes.
func (a *attempt) gate(g factor) (x term, k Kind, ok bool) {
	if g.under {
		return g.term, 0, false
	}
	if u, ok := a.unary(g.term, "chlo.erfc", "erfc"); ok {
		x, ok := a.multiple(u, -math.Sqrt2/2)
		return x, GeluErf, ok
	}
	h, ok := a.onePlus(g.term)
	if !ok {
		return g.term, 0, false
	}
	if u, ok := a.unary(h, "chlo.erf", "erf"); ok {
		x, ok := a.multiple(u, math.Sqrt2/2)
		return x, GeluErf, ok
	}
	if u, ok := a.unary(h, "tanh"); ok {
		x, ok := a.cubic(u)
		return x, GeluTanh, ok
	}
	return g.term, 0, false
}

// multiple reads t as coef·x, taking off as many constants as that needs.
func (a *attempt) multiple(t term, coef float64) (term, bool) {
	c := 1.0
	for range maxDepth {
		if near(c, coef) {
			return t, true
		}
		if x, y, ok := a.binary(t, "multiply"); ok {
			if _, ok := a.constant(x); ok {
				x, y = y, x
			}
			k, ok := a.constant(y)
			if !ok {
				return t, false
			}
			c, t = c*k, x
		} else if x, y, ok := a.binary(t, "divide"); ok {
			k, ok := a.constant(y)
			if !ok {
				return t, false
			}
			c, t = c/k, x
		} else if x, ok := a.unary(t, "negate"); ok {
			c, t = -c, x
		} else {
			return t, false
		}
	}
	return t, false
}

const (
	geluCubic = 0.044715
	geluScale = 0.7978845608028654 // √(2/π)
)

// cubic reads t as √(2/π)(x + 0.044715 x³), or with x outside of the sum.
func (a *attempt) cubic(t term) (term, bool) {
	if s, ok := a.multiple(t, geluScale); ok {
		if p, q, ok := a.binary(s, "add"); ok {
			for range 2 {
				if a.exactly(q, geluCubic, p, 3, nil) {
					return p, true
				}
				p, q = q, p
			}
		}
	}
	_, fs, ok := a.product(t, nil)
	if !ok {
		return t, false
	}
	for _, g := range fs {
		q, ok := a.onePlus(g.term)
		if !ok || g.under {
			continue
		}
		_, hs, ok := a.product(q, nil)
		if !ok || len(hs) == 0 {
			continue
		}
		x := hs[0].term
		if a.exactly(q, geluCubic, x, 2, nil) && a.exactly(t, geluScale, x, 1, func(h factor) bool { return !h.under && a.same(h.term, g.term) }) {
			return x, true
		}
	}
	return t, false
}

// logOnePlusExp reads t as log(1 + exp(x)).
func (a *attempt) logOnePlusExp(t term) (term, bool) {
	log1p := func(t term) (term, bool) {
		if y, ok := a.unary(t, "log_plus_one"); ok {
			return a.exp(y)
		}
		if s, ok := a.unary(t, "log"); ok {
			if y, ok := a.onePlus(s); ok {
				return a.exp(y)
			}
		}
		return t, false
	}
	if x, ok := log1p(t); ok {
		return x, true
	}
	// x itself where x is not a number
	nan, in, out, guarded := a.masked(t)
	if guarded {
		p, q, ok := a.binary(nan, "compare")
		if !ok || !a.asks(nan, "NE") || !a.same(p, q) {
			return t, false
		}
		x, ok := a.logOnePlusExp(out)
		return x, ok && a.same(in, x) && a.same(p, x)
	}
	// max(x, 0) + log(1 + exp(−|x|))
	p, q, ok := a.binary(t, "add")
	if !ok {
		return t, false
	}
	for range 2 {
		if d, ok := log1p(q); ok {
			if abs, ok := a.minus(d); ok {
				if y, ok := a.unary(abs, "abs"); ok {
					x, ok := a.relu(p)
					return x, ok && a.same(x, y)
				}
			}
		}
		p, q = q, p
	}
	return t, false
}

// relu reads t as max(x, 0).
func (a *attempt) relu(t term) (term, bool) {
	x, y, ok := a.binary(t, "maximum")
	if !ok {
		return t, false
	}
	if _, c := a.constant(x); c {
		x, y = y, x
	}
	k, c := a.constant(y)
	return x, c && k == 0
}

func (a *attempt) softplus(_ *hlo.Op, end term) *Match {
	x, ok := a.logOnePlusExp(end)
	if !ok {
		return nil
	}
	return a.made(Softplus, nil, x)
}

// logSigmoid: −softplus(−x), or the logarithm of a sigmoid.
func (a *attempt) logSigmoid(_ *hlo.Op, end term) *Match {
	if s, ok := a.unary(end, "log"); ok {
		x, ok := a.logistic(s)
		if !ok {
			return nil
		}
		return a.made(LogSigmoid, nil, x)
	}
	if p, ok := a.minus(end); ok {
		if n, ok := a.logOnePlusExp(p); ok {
			if x, ok := a.minus(n); ok {
				return a.made(LogSigmoid, nil, x)
			}
		}
	}
	return nil
}

// tanh: (exp(x) − exp(−x)) / (exp(x) + exp(−x)).
func (a *attempt) tanh(_ *hlo.Op, end term) *Match {
	n, d, ok := a.binary(end, "divide")
	if !ok {
		return nil
	}
	p, q, ok := a.binary(n, "subtract")
	if !ok {
		return nil
	}
	r, s, ok := a.binary(d, "add")
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

// roots: 1/√x, y/√x, √(x²).
func (a *attempt) roots(o *hlo.Op, end term) *Match {
	if s, ok := a.unary(end, "sqrt"); ok {
		if x, ok := a.square(s); ok {
			return a.made(Abs, nil, x)
		}
		return nil
	}
	n, d, ok := a.binary(end, "divide")
	if !ok {
		return nil
	}
	y, ok := a.unary(d, "sqrt")
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
