package semi2k

import (
	"cmp"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// switchBits is an expression in bits that all parties know, over XOR and AND;
// nil is 1.
type switchBits struct {
	leaf *flow.Of[ring.Bits]
	and  bool
	a, b *switchBits // for an expression; nil leaf
}

func leafBits(b *flow.Of[ring.Bits]) *switchBits { return &switchBits{leaf: b} }

func (s *switchBits) times(o *switchBits) *switchBits {
	switch {
	case s == nil:
		return o
	case o == nil || s == o:
		return s
	}
	return &switchBits{and: true, a: s, b: o}
}

func (s *switchBits) plus(o *switchBits) *switchBits { return &switchBits{a: s, b: o} }

func (s *switchBits) deps(seen map[*switchBits]bool) []flow.Dep {
	if s == nil || seen[s] {
		return nil
	}
	seen[s] = true
	if s.leaf != nil {
		return []flow.Dep{s.leaf}
	}
	return append(s.a.deps(seen), s.b.deps(seen)...)
}

// eval computes the expression, each part once; results belong to memo.
func (s *switchBits) eval(like ring.Bits, n int, memo map[*switchBits]ring.Bits) ring.Bits {
	if v, ok := memo[s]; ok {
		return v
	}
	var out ring.Bits
	switch {
	case s == nil:
		out = like.Like(n)
		ring.Not(out, out)
	case s.leaf != nil:
		out = s.leaf.Get()
	default:
		out = like.Like(n)
		a, b := s.a.eval(like, n, memo), s.b.eval(like, n, memo)
		if s.and {
			ring.And(out, a, b)
		} else {
			ring.Xor(out, a, b)
		}
	}
	memo[s] = out
	return out
}

// xorPoly is an XOR polynomial in mask bits whose coefficients all parties
// know, and the dealer does not: every monomial that some value of them could
// call for is dealt.
type xorPoly struct{ terms []*xorTerm } // ascending by key

type xorTerm struct {
	key string // the monomial's
	m   monomial
	c   *switchBits
}

func newXorPoly() *xorPoly { return &xorPoly{} }

// onePoly is the constant 1.
func onePoly() *xorPoly { return newXorPoly().with(nil, nil) }

// xorPoly of a masked bit: m ⊕ a.
func (b *bit) xorPoly() *xorPoly {
	return newXorPoly().with(nil, leafBits(b.m)).with(monomial{b.factor}, nil)
}

// with adds a term that comes after all others.
func (y *xorPoly) with(m monomial, c *switchBits) *xorPoly {
	y.terms = append(y.terms, &xorTerm{m.key(), m, c})
	return y
}

func (y *xorPoly) plus(z *xorPoly) *xorPoly {
	out := make([]*xorTerm, 0, len(y.terms)+len(z.terms))
	a, b := y.terms, z.terms
	for len(a) > 0 && len(b) > 0 {
		switch order := cmp.Compare(a[0].key, b[0].key); {
		case order < 0:
			out, a = append(out, a[0]), a[1:]
		case order > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, &xorTerm{a[0].key, a[0].m, a[0].c.plus(b[0].c)})
			a, b = a[1:], b[1:]
		}
	}
	return &xorPoly{append(append(out, a...), b...)}
}

func (y *xorPoly) times(z *xorPoly) *xorPoly {
	all := make([]*xorTerm, 0, len(y.terms)*len(z.terms))
	for _, s := range y.terms {
		for _, t := range z.terms {
			m := s.m.times(t.m)
			all = append(all, &xorTerm{m.key(), m, s.c.times(t.c)})
		}
	}
	slices.SortStableFunc(all, func(s, t *xorTerm) int { return cmp.Compare(s.key, t.key) })
	out := all[:0]
	for _, t := range all {
		if n := len(out); n > 0 && out[n-1].key == t.key {
			out[n-1] = &xorTerm{t.key, t.m, out[n-1].c.plus(t.c)}
		} else {
			out = append(out, t)
		}
	}
	return &xorPoly{out}
}

// where is the polynomial times public bits.
func (y *xorPoly) where(c *switchBits) *xorPoly {
	out := make([]*xorTerm, len(y.terms))
	for i, t := range y.terms {
		out[i] = &xorTerm{t.key, t.m, t.c.times(c)}
	}
	return &xorPoly{out}
}

// pick is y where the public bits are 1 and z elsewhere.
func pick(c *switchBits, y, z *xorPoly) *xorPoly {
	return y.where(c).plus(z.where(c.plus(nil)))
}

// single reports whether the polynomial is one masked bit, or its negation.
func (y *xorPoly) single() bool {
	for _, t := range y.terms {
		if len(t.m) > 1 {
			return false
		}
	}
	return true
}

// xorPolyShare is this party's share of the polynomial's value, plus shares
// that enter linearly.
func (p *Party) xorPolyShare(op *flow.Op, y *xorPoly, n int, linear ...*flow.Of[ring.Bits]) *flow.Of[ring.Bits] {
	type part struct {
		c *switchBits
		v *flow.Of[ring.Bits] // nil: the first party's 1
	}
	var parts []part
	ds := bitDeps(linear)
	seen := map[*switchBits]bool{}
	for _, t := range y.terms {
		var v *flow.Of[ring.Bits]
		switch {
		case len(t.m) == 0 && !p.first(): // waits all the same: all parties' rounds are alike
			ds = append(ds, t.c.deps(seen)...)
			continue
		case len(t.m) == 1 && t.m[0].own != nil:
			v = t.m[0].own
		case len(t.m) > 0:
			v = p.bitShare(op, t.m)
		}
		parts = append(parts, part{t.c, v})
		if v != nil {
			ds = append(ds, v)
		}
		ds = append(ds, t.c.deps(seen)...)
	}
	return flow.Do(op, int64(n)/8, func() ring.Bits {
		like := ring.NewBits(0)
		if op.Graph.Weightless() {
			like = ring.WeightlessBits(0)
		}
		out, memo := like.Like(n), map[*switchBits]ring.Bits{}
		for _, t := range parts {
			switch {
			case t.v == nil:
				ring.Xor(out, out, t.c.eval(like, n, memo))
			case t.c == nil:
				ring.Xor(out, out, t.v.Get())
			default:
				ring.XorAnd(out, t.c.eval(like, n, memo), t.v.Get())
			}
		}
		for _, l := range linear {
			ring.Xor(out, out, l.Get())
		}
		return out
	}, ds...)
}

func bitDeps(vs []*flow.Of[ring.Bits]) []flow.Dep {
	var d []flow.Dep
	for _, v := range vs {
		d = append(d, v)
	}
	return d
}
