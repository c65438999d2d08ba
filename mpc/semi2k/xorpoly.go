package semi2k

import (
	"cmp"
	"slices"
)

// switchBits is an expression in bits that all parties know, over XOR and AND;
// nil is 1. A leaf is the number of a public vector of bits (see logic).
type switchBits struct {
	leaf int
	kind switchKind
	a, b *switchBits // of an expression
}

type switchKind uint8

const (
	switchLeaf switchKind = iota
	switchAnd
	switchXor
)

func leafBits(public int) *switchBits { return &switchBits{leaf: public} }

func (s *switchBits) times(o *switchBits) *switchBits {
	switch {
	case s == nil:
		return o
	case o == nil || s == o:
		return s
	}
	return &switchBits{kind: switchAnd, a: s, b: o}
}

func (s *switchBits) plus(o *switchBits) *switchBits {
	return &switchBits{kind: switchXor, a: s, b: o}
}

// xorPoly is an XOR polynomial in mask bits, by their numbers, whose
// coefficients all parties know, and the dealer does not: every monomial that
// some value of them could call for is dealt.
type xorPoly struct{ terms []xorTerm } // ascending by monomial

type xorTerm struct {
	m []uint16 // ascending
	c *switchBits
}

// onePoly is the constant 1.
func onePoly() *xorPoly { return &xorPoly{[]xorTerm{{}}} }

// bitPoly is masked bit i, which is also public vector i: m ⊕ a.
func bitPoly(i int) *xorPoly {
	return &xorPoly{[]xorTerm{{c: leafBits(i)}, {m: []uint16{uint16(i)}}}}
}

func (y *xorPoly) plus(z *xorPoly) *xorPoly {
	out := make([]xorTerm, 0, len(y.terms)+len(z.terms))
	a, b := y.terms, z.terms
	for len(a) > 0 && len(b) > 0 {
		switch order := slices.Compare(a[0].m, b[0].m); {
		case order < 0:
			out, a = append(out, a[0]), a[1:]
		case order > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, xorTerm{a[0].m, a[0].c.plus(b[0].c)})
			a, b = a[1:], b[1:]
		}
	}
	return &xorPoly{append(append(out, a...), b...)}
}

func (y *xorPoly) times(z *xorPoly) *xorPoly {
	all := make([]xorTerm, 0, len(y.terms)*len(z.terms))
	for _, s := range y.terms {
		for _, t := range z.terms {
			all = append(all, xorTerm{union(s.m, t.m), s.c.times(t.c)})
		}
	}
	slices.SortStableFunc(all, func(s, t xorTerm) int { return slices.Compare(s.m, t.m) })
	out := all[:0]
	for _, t := range all {
		if n := len(out); n > 0 && slices.Equal(out[n-1].m, t.m) {
			out[n-1].c = out[n-1].c.plus(t.c)
		} else {
			out = append(out, t)
		}
	}
	return &xorPoly{out}
}

// union is the product of two monomials: a bit is its own square.
func union(m, o []uint16) []uint16 {
	out := make([]uint16, 0, len(m)+len(o))
	for len(m) > 0 && len(o) > 0 {
		switch order := cmp.Compare(m[0], o[0]); {
		case order < 0:
			out, m = append(out, m[0]), m[1:]
		case order > 0:
			out, o = append(out, o[0]), o[1:]
		default:
			m = m[1:]
		}
	}
	return append(append(out, m...), o...)
}

// where is the polynomial times public bits.
func (y *xorPoly) where(c *switchBits) *xorPoly {
	out := make([]xorTerm, len(y.terms))
	for i, t := range y.terms {
		out[i] = xorTerm{t.m, t.c.times(c)}
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
