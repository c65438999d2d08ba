package pattern

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// spreadOf is √(v + eps), where v is the variance of x or the mean of its square.
type spreadOf struct {
	x       term
	centred bool // v is the variance
	r       reduced
	eps     float64
}

// norm recognises (x − mean x)/√(var x + eps) and x/√(mean x² + eps), with an optional scale multiplied
// before the division.
func (a *attempt) norm(o *hlo.Op, end term) *Match {
	m, scaled := a.normal(end)
	if m == nil || !scaled {
		return m
	}
	// A scale that is multiplied last is an operation of its own.
	if x, y, ok := a.binary(end, hlo.OpMultiply); ok {
		for _, t := range []term{x, y} {
			if inner, _ := a.normal(t); inner != nil {
				return nil
			}
		}
	}
	return m
}

func (a *attempt) normal(end term) (m *Match, scaled bool) {
	if !a.named(a.resolve(end), hlo.OpMultiply) && !a.named(a.resolve(end), hlo.OpDivide) {
		return nil, false
	}
	_, roots, ok := a.product(end, nil)
	if !ok {
		return nil, false
	}
	for _, g := range roots {
		s, ok := a.deviation(g)
		if !ok || !s.r.spread(end.w.shape) {
			continue
		}
		if m, scaled := a.scaled(end, s); m != nil {
			return m, scaled
		}
	}
	return nil, false
}

// scaled reads the product as x − mean x (or x itself) divided by s, times at most one other factor.
func (a *attempt) scaled(end term, s spreadOf) (*Match, bool) {
	isX := func(t term) bool {
		if !s.centred {
			return a.same(t, s.x)
		}
		x, mean, ok := a.centred(t)
		return ok && a.same(x, s.x) && slices.Equal(mean.axes, s.r.axes)
	}
	var x, scale *term
	divided := false
	coef, fs, ok := a.product(end, isX)
	if !ok || coef != 1 {
		return nil, false
	}
	for i, g := range fs {
		if x == nil && !g.under && isX(g.term) {
			x = &fs[i].term
			continue
		}
		if t, ok := a.deviation(g); ok && !divided && t.centred == s.centred && t.eps == s.eps && t.r.agrees(s.r) && a.same(t.x, s.x) {
			divided = true
			continue
		}
		if g.under || scale != nil {
			return nil, false
		}
		scale = &fs[i].term
	}
	if x == nil || !divided {
		return nil, false
	}
	in, kind := *x, RMSNorm
	if s.centred {
		in, _, _ = a.binary(*x, hlo.OpSubtract)
		kind = LayerNorm
	}
	inputs := []term{in}
	if scale != nil {
		inputs = append(inputs, *scale)
	}
	m := a.made(kind, s.r.axes, inputs...)
	if m != nil {
		m.Eps = s.eps
	}
	return m, scale != nil
}

// centred reads t as x − mean x.
func (a *attempt) centred(t term) (x term, mean reduced, ok bool) {
	x, m, ok := a.binary(t, hlo.OpSubtract)
	if !ok {
		return x, mean, false
	}
	mean, ok = a.mean(m)
	return x, mean, ok && mean.spread(x.w.shape) && a.same(mean.of, x)
}

// deviation reads a factor as 1/√(v + eps).
func (a *attempt) deviation(g factor) (spreadOf, bool) {
	v, ok := a.unary(g.term, map[bool]string{true: hlo.OpSqrt, false: hlo.OpRsqrt}[g.under])
	if !ok {
		x, y, ok := a.binary(g.term, hlo.OpPower)
		if k, c := a.constant(y); !ok || !c || k != map[bool]float64{true: 0.5, false: -0.5}[g.under] {
			return spreadOf{}, false
		}
		v = x
	}
	var s spreadOf
	if x, y, ok := a.binary(v, hlo.OpAdd); ok {
		if _, c := a.constant(x); c {
			x, y = y, x
		}
		eps, c := a.constant(y)
		if !c || !(eps >= 0) {
			return s, false
		}
		v, s.eps = x, eps
	}
	if x, y, ok := a.binary(v, hlo.OpMaximum); ok {
		if _, c := a.constant(x); c {
			x, y = y, x
		}
		if k, c := a.constant(y); !c || k != 0 {
			return s, false
		}
		v = x
	}
	// var x = mean x² − (mean x)²
	if p, q, ok := a.binary(v, hlo.OpSubtract); ok {
		x, sq, ok := a.meanSquare(p)
		if !ok {
			return s, false
		}
		root, ok := a.square(q)
		if !ok {
			return s, false
		}
		mean, ok := a.mean(root)
		s.x, s.centred, s.r = x, true, sq
		return s, ok && mean.agrees(sq) && a.same(mean.of, x)
	}
	x, sq, ok := a.meanSquare(v)
	if !ok {
		return s, false
	}
	s.x, s.r = x, sq
	if y, mean, ok := a.centred(x); ok && slices.Equal(mean.axes, sq.axes) {
		s.x, s.centred = y, true
	}
	return s, true
}

// meanSquare reads t as the mean of x².
func (a *attempt) meanSquare(t term) (x term, mean reduced, ok bool) {
	if mean, ok = a.mean(t); !ok {
		return x, mean, false
	}
	x, ok = a.square(mean.of)
	return x, mean, ok
}
