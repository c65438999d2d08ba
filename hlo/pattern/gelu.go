package pattern

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
)

// gelu recognises both forms: ½ x times 1 + tanh(…), 1 + erf(x/√2) or erfc(−x/√2).
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

// gate reads a factor of gelu: twice the fraction of x that passes.
func (a *attempt) gate(g factor) (x term, k Kind, ok bool) {
	if g.under {
		return g.term, 0, false
	}
	if u, ok := a.unary(g.term, hlo.OpErfc); ok {
		x, ok := a.multiple(u, -math.Sqrt2/2)
		return x, GeluErf, ok
	}
	h, ok := a.onePlus(g.term)
	if !ok {
		return g.term, 0, false
	}
	if u, ok := a.unary(h, hlo.OpErf); ok {
		x, ok := a.multiple(u, math.Sqrt2/2)
		return x, GeluErf, ok
	}
	if u, ok := a.unary(h, hlo.OpTanh); ok {
		x, ok := a.cubic(u)
		return x, GeluTanh, ok
	}
	return g.term, 0, false
}

// multiple reads t as coef·x and returns x; it divides out constant factors as needed.
func (a *attempt) multiple(t term, coef float64) (term, bool) {
	c := 1.0
	for range maxDepth {
		if near(c, coef) {
			return t, true
		}
		if x, y, ok := a.binary(t, hlo.OpMultiply); ok {
			if _, ok := a.constant(x); ok {
				x, y = y, x
			}
			k, ok := a.constant(y)
			if !ok {
				return t, false
			}
			c, t = c*k, x
		} else if x, y, ok := a.binary(t, hlo.OpDivide); ok {
			k, ok := a.constant(y)
			if !ok {
				return t, false
			}
			c, t = c/k, x
		} else if x, ok := a.unary(t, hlo.OpNegate); ok {
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

// cubic reads t as √(2/π)(x + 0.044715 x³), also with x factored out of the sum.
func (a *attempt) cubic(t term) (term, bool) {
	if s, ok := a.multiple(t, geluScale); ok {
		if p, q, ok := a.binary(s, hlo.OpAdd); ok {
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
		if a.exactly(q, geluCubic, x, 2, nil) &&
			a.exactly(t, geluScale, x, 1, func(h factor) bool { return !h.under && a.same(h.term, g.term) }) {
			return x, true
		}
	}
	return t, false
}
