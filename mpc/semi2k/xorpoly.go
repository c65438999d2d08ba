package semi2k

import (
	"cmp"
	"slices"
)

// publicExpr is an expression in bits that all parties know, over XOR and AND;
// nil is 1. A leaf is the number of a public vector of bits (see logic).
type publicExpr struct {
	leaf int
	kind exprKind
	a, b *publicExpr // of an expression
}

type exprKind uint8

const (
	exprLeaf exprKind = iota
	exprAnd
	exprXor
)

func publicLeaf(public int) *publicExpr { return &publicExpr{leaf: public} }

func (s *publicExpr) times(o *publicExpr) *publicExpr {
	switch {
	case s == nil:
		return o
	case o == nil || s == o:
		return s
	}
	return &publicExpr{kind: exprAnd, a: s, b: o}
}

func (s *publicExpr) plus(o *publicExpr) *publicExpr {
	return &publicExpr{kind: exprXor, a: s, b: o}
}

// xorPoly is an XOR polynomial in mask bits, given by their numbers. All computing parties know its
// coefficients and the dealer does not, so each monomial that some value of the coefficients selects is
// dealt.
type xorPoly struct{ terms []xorTerm } // ascending by monomial

type xorTerm struct {
	m []uint16 // ascending
	c *publicExpr
}

// onePoly is the constant 1.
func onePoly() *xorPoly { return &xorPoly{[]xorTerm{{}}} }

// bitPoly is masked bit i, m ⊕ a; m is public vector i.
func bitPoly(i int) *xorPoly {
	return &xorPoly{[]xorTerm{{c: publicLeaf(i)}, {m: []uint16{uint16(i)}}}}
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

// union is the product of two monomials; the square of a bit is the bit.
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

// timesPublic is the polynomial times public bits.
func (y *xorPoly) timesPublic(c *publicExpr) *xorPoly {
	out := make([]xorTerm, len(y.terms))
	for i, t := range y.terms {
		out[i] = xorTerm{t.m, t.c.times(c)}
	}
	return &xorPoly{out}
}

// selectPoly is y where the public bits are 1 and z elsewhere.
func selectPoly(c *publicExpr, y, z *xorPoly) *xorPoly {
	return y.timesPublic(c).plus(z.timesPublic(c.plus(nil)))
}

// single reports whether the polynomial has no products of mask bits: then it is one masked bit or its
// negation.
func (y *xorPoly) single() bool {
	for _, t := range y.terms {
		if len(t.m) > 1 {
			return false
		}
	}
	return true
}
