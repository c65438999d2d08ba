package fxp_test

import (
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestRanges(t *testing.T) {
	for _, c := range []struct{ bits, fraction, values, contractions int }{{32, 8, 22, 14}, {64, 18, 44, 26}, {128, 26, 100, 74}} {
		r := ring.Z(c.bits)
		if v, p := fxp.ValueBits(r, c.fraction), fxp.ContractionBits(r, c.fraction); v != c.values || p != c.contractions {
			t.Errorf("ring %d: values to 2^%d, contractions to 2^%d", c.bits, v, p)
		}
		if f, ok := fxp.UsualFraction(c.bits); !ok || f != c.fraction {
			t.Errorf("ring %d has usually %d fraction bits", c.bits, f)
		}
		a := &fxp.Arith{Ring: r, Fraction: c.fraction}
		if a.Saturated() != math.Ldexp(1, c.values-1) || !(a.Largest() < math.Ldexp(1, c.values)) ||
			a.Largest() < math.Ldexp(1-0x1p-39, c.values) {
			t.Errorf("ring %d saturates to %v, its largest is %v", c.bits, a.Saturated(), a.Largest())
		}
	}
	if _, ok := fxp.UsualFraction(48); ok {
		t.Error("there is no usual fraction in 48 bits")
	}
}

// TestEndsOfValues: single products, sums and multiples are right up to the end of the range of values, though
// they do not fit at a product's scale.
func TestEndsOfValues(t *testing.T) {
	each(t, allRings, func(l *lab) {
		most := math.Ldexp(1, fxp.ValueBits(l.Ring, l.Fraction)-2)
		for _, large := range []*fxp.Value{l.in(most, -most, 3), l.held(most, -most, 3)} {
			small := l.in(1.5, 1.25, -0.5)
			p := l.Mul(l.op, large, small)
			l.near("product", p, 1, 1.5*most, -1.25*most, -1.5)
			l.near("product + small", l.Add(l.op, p, small), 1, 1.5*most+1.5, -1.25*most+1.25, -2)
			l.near("product + large", l.Sub(l.op, p, large), 1, 0.5*most, -0.25*most, -4.5)
			l.near("product of product", l.Mul(l.op, p, l.in(0.5, 0.5, 0.5)), 1, 0.75*most, -0.625*most, -0.75)
			l.near("sum", l.Add(l.op, large, large), 0, 2*most, -2*most, 6)
			l.near("multiple", l.MulConst(l.op, large, 0.7), 1, 0.7*most, -0.7*most, 2.1)
			l.near("multiple of a product", l.MulConst(l.op, p, 0.7), 1, 1.05*most, -0.875*most, -1.05)
			l.near("sum of products", l.Sum(l.op, l.MulConst(l.op, large, 0.3), 1, 3, 1, shape{}), 2, 0.9)
			l.near("minus a product", l.Neg(l.op, p), 1, -1.5*most, 1.25*most, 1.5)
			l.near("a view of a product", l.View(l.op, tensor.Reversed(shape{3}, []int{0}), p), 1, -1.5, -1.25*most, 1.5*most)
			l.near("relu of a product", l.Relu(l.op, p), 1, 1.5*most, 0, 0)
			l.near("abs of a product", l.Abs(l.op, p), 1, 1.5*most, 1.25*most, 1.5)
			l.equal("product < 0", l.Negative(l.op, p), "[false true true]")
			l.equal("product < large", l.Less(l.op, p, large), "[false true true]")
			l.equal("large < number", l.LessPublic(l.op, large, constant(3, most/2), false), "[false true true]")
			l.near("chosen", l.Select(l.op, l.bools(true, false, true), p, large), 1, 1.5*most, -most, -1.5)
			if p.Contraction() {
				l.Errorf("%s: a single product is not a contraction", l.name)
			}
		}
	})
}

// TestEndsOfContractions: a dot is right below 2^ContractionBits, and one that nothing proves to fit is
// reported with its limit.
func TestEndsOfContractions(t *testing.T) {
	dot := maps.MatMul{Batch: 1, M: 1, K: 2, N: 1}
	for _, m := range forms(allRings...) {
		l := run(t, m, nil, func(l *lab) {
			most := math.Ldexp(1, fxp.ContractionBits(l.Ring, l.Fraction)/2-1) // two terms, each a quarter of the range
			x := l.shaped(l.in(most, most), 1, 2)
			y := l.shaped(l.held(most, most-1), 2, 1)
			l.near("dot", l.Product(l.op, dot, shape{1, 1}, x, y), 1, most*(2*most-1))
		})
		if len(l.unproved) != 1 {
			t.Errorf("%s: unproved: %v", m.name, l.unproved)
		}
		l = run(t, m, nil, func(l *lab) {
			x, y := l.shaped(l.in(2, 3), 1, 2), l.shaped(l.held(4, -5), 2, 1)
			for _, v := range []*fxp.Value{x, y} {
				l.Within(v, fxp.Range{Lo: -8, Hi: 8})
			}
			l.near("dot", l.Product(l.op, dot, shape{1, 1}, x, y), 1, -7)
		})
		if len(l.unproved) != 0 {
			t.Errorf("%s: of known ranges unproved: %v", m.name, l.unproved)
		}
	}
}

func TestPublicNumbersSaturate(t *testing.T) {
	each(t, allRings, func(l *lab) {
		beyond := math.Inf(1)
		c := l.Public(l.op, floats(beyond, -beyond, math.NaN(), 1), l.Fraction)
		l.near("public", c, 1, l.Saturated(), -l.Saturated(), 0, 1)
		l.near("beside", l.PublicBeside(l.op, floats(1e-3, 2, l.Saturated(), 1), 2*l.Fraction), 1, 1e-3, 2, l.Saturated(), 1)
		l.near(
			"times a boolean",
			l.MulPublic(l.op, l.Number(l.op, l.bools(true, false), tensor.F64), floats(beyond, beyond)),
			1,
			l.Saturated(),
			0,
		)
		if x := l.Beside(l.Mul(l.op, l.in(1), l.in(1))); x > math.Ldexp(1, fxp.ContractionBits(l.Ring, l.Fraction)) || x <= 0 {
			l.Errorf("%s: numbers below %v are added to contractions", l.name, x)
		}
	})
}

func TestOnGrid(t *testing.T) {
	a := &fxp.Arith{Ring: ring.Z(64), Fraction: 2}
	got := a.OnGrid(floats(0.3, -0.37, 0.125, 0.1, -0.01, 1e30, math.Inf(-1), 7)).Floats()
	for i, w := range []float64{0.25, -0.25, 0.125, 0.1, -0.01, 1e30, math.Inf(-1), 7} { // below a unit as they are
		if got[i] != w {
			t.Errorf("element %d is %v, want %v", i, got[i], w)
		}
	}
}

func TestNotes(t *testing.T) {
	m := forms(64)[0]
	l := run(t, m, nil, func(l *lab) {
		l.AddPublic(l.op, l.in(1, 1, 1), floats(math.NaN(), math.Inf(1), 2))
	})
	if !contains(l.notes, "test.op: 1 of 3 public values in an operation with secrets are NaN: they become 0") ||
		!contains(l.notes, "1 of 3 public values in an operation with secrets are infinite: they saturate") {
		t.Errorf("notes: %q", l.notes)
	}
}
