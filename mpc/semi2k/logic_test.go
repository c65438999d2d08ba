package semi2k

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/ring"
)

// value is a polynomial's value for one element: of masked bits m ⊕ a and of
// public bits.
func (y *xorPoly) value(public []uint64, a []uint64) uint64 {
	var sum uint64
	for _, t := range y.terms {
		x := t.c.value(public)
		for _, i := range t.m {
			x &= a[i]
		}
		sum ^= x
	}
	return sum
}

func (s *publicExpr) value(public []uint64) uint64 {
	switch {
	case s == nil:
		return 1
	case s.kind == exprLeaf:
		return public[s.leaf]
	case s.kind == exprAnd:
		return s.a.value(public) & s.b.value(public)
	}
	return s.a.value(public) ^ s.b.value(public)
}

// randomBits are vectors of n bits.
func randomBits(rt *rapid.T, name string, count, n int) []ring.Bits {
	out := make([]ring.Bits, count)
	prg := ring.NewPRG(ring.Seed{rapid.Byte().Draw(rt, name)})
	for i := range out {
		out[i] = ring.NewBits(n)
		prg.Bits(out[i], uint64(i), 0)
	}
	return out
}

// A logic gives its polynomials' values, shared or not: here by one party that has
// all of a sharing, and by two.
func TestLogic(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		masked, known := rapid.IntRange(1, 5).Draw(rt, "masked"), rapid.IntRange(0, 2).Draw(rt, "known")
		n := rapid.SampledFrom([]int{1, 63, 64, 200, logicBlock, logicBlock + 70}).Draw(rt, "n")
		var poly func(depth int) *xorPoly
		poly = func(depth int) *xorPoly {
			kind := rapid.IntRange(0, 4).Draw(rt, "kind")
			if depth == 0 {
				kind = min(kind, 1)
			}
			switch kind {
			case 0:
				return onePoly()
			case 1:
				return bitPoly(rapid.IntRange(0, masked-1).Draw(rt, "bit"))
			case 2:
				return poly(depth - 1).plus(poly(depth - 1))
			case 3:
				return poly(depth - 1).times(poly(depth - 1))
			}
			return selectPoly(publicLeaf(rapid.IntRange(0, masked+known-1).Draw(rt, "switch")), poly(depth-1), poly(depth-1))
		}
		before := newLogic(masked, known, 0, nil)
		before.add(poly(3))
		earlier := before.finish()
		var polys []*xorPoly
		b := newLogic(masked, known, 1, earlier)
		for i := range rapid.IntRange(1, 4).Draw(rt, "results") {
			y := poly(3)
			polys = append(polys, y)
			if i == 0 {
				b.add(y, 0)
			} else {
				b.addTo(0, y)
			}
		}
		g := b.finish()
		public := randomBits(rt, "public", masked+known, n)
		whole := randomBits(rt, "masks", masked+1, n) // and what is linear
		for _, m := range g.monomials {
			x := whole[m[0]].Clone()
			for _, i := range m[1:] {
				ring.And(x, x, whole[i])
			}
			whole = append(whole, x)
		}
		first, second := randomBits(rt, "shares", len(whole), n), make([]ring.Bits, len(whole))
		for i, x := range whole {
			second[i] = ring.NewBits(n)
			ring.Xor(second[i], x, first[i])
		}
		one, two, all := g.eval(n, public, first, true), g.eval(n, public, second, false), g.eval(n, public, whole, true)
		for e := range n {
			var at, a []uint64
			for _, v := range public {
				at = append(at, v.Get(e))
			}
			for _, v := range whole[:masked] {
				a = append(a, v.Get(e))
			}
			base := polys[0].value(at, a) ^ whole[masked].Get(e)
			for i, y := range polys {
				want := base
				if i > 0 {
					want ^= y.value(at, a)
				}
				if got := all[i].Get(e); got != want || one[i].Get(e)^two[i].Get(e) != want {
					rt.Fatalf("result %d, element %d: %d, shared %d and %d, want %d", i, e, got, one[i].Get(e), two[i].Get(e), want)
				}
			}
		}
		if n%64 != 0 && all[0].Words()[n/64]>>(n%64) != 0 {
			rt.Fatal("bits beyond the end")
		}
	})
}

// Monomials that were dealt for an earlier logic are not dealt again.
func TestLogicKeepsMonomials(t *testing.T) {
	x := bitPoly(0).times(bitPoly(1)).times(bitPoly(2)) // three pairs and the product
	b := newLogic(3, 0, 0, nil)
	b.add(x)
	first := b.finish()
	b = newLogic(4, 0, 0, first)
	b.add(x.times(bitPoly(3)))
	b.add(x)
	second := b.finish()
	if len(first.monomials) != 4 || second.earlier != 4 || len(second.monomials) != 11 {
		t.Errorf("%d monomials, then %d of %d", len(first.monomials), second.earlier, len(second.monomials))
	}
}
