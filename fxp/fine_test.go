package fxp_test

import (
	"math"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestFineForm(t *testing.T) {
	for _, c := range []struct{ bits, fraction, fine, scale, widest int }{{32, 8, 64, 24, 92}, {64, 18, 128, 54, 174},
		{128, 26, 160, 58, 278}, {128, 10, 160, 30, 198}, {128, 15, 160, 45, 223}} {
		r, scale := fxp.FineForm(ring.Z(c.bits), c.fraction)
		if r.Bits != c.fine || scale != c.scale || fxp.WidestRing(ring.Z(c.bits), c.fraction) != c.widest {
			t.Errorf("ring %d: fine form %d bits at scale %d, widest %d", c.bits, r.Bits, scale, fxp.WidestRing(ring.Z(c.bits), c.fraction))
		}
	}
}

// finely checks a value in the fine form, to so many units of its own last place.
func (l *lab) finely(what string, x *fxp.Value, units float64, want ...float64) {
	l.Helper()
	if !l.Fine(x) {
		l.Errorf("%s: %s is not in the fine form: ring %v, scale %d", l.name, what, x.S.Ring(), x.Scale)
		return
	}
	want = slices.Clone(want)
	l.finally(func() {
		l.Helper()
		for i, g := range decoded(x.S, x.Type, x.Scale).Floats() {
			if limit := units*math.Ldexp(1, -x.Scale) + math.Abs(want[i])*0x1p-50; !(math.Abs(g-want[i]) <= limit) {
				l.Errorf("%s: %s: element %d is %v, want %v within %v", l.name, what, i, g, want[i], limit)
			}
		}
	})
}

// TestFineOperations: squares far below a unit, and what is made of them, keep their bits.
func TestFineOperations(t *testing.T) {
	each(t, wideOnes, func(l *lab) {
		u := l.unit()
		x := []float64{4 * u, -16 * u, 0.25, 3}
		square := func(v float64) float64 { return v * v }
		for _, y := range []*fxp.Value{l.in(x...), l.held(x...)} {
			s := l.Square(l.op, y)
			l.finely("x²", s, 0, mapped(x, square)...)
			l.finely("−x²", l.SumFine(l.op, []int64{-1}, s), 0, mapped(x, func(v float64) float64 { return -v * v })...)
			l.finely("x² + 2y", l.SumFine(l.op, []int64{1, 2}, s, y), 0, mapped(x, func(v float64) float64 { return v*v + 2*v })...)
			l.finely("x² + c", l.AddFine(l.op, s, constant(4, 3e-10)), 0.5, mapped(x, func(v float64) float64 { return v*v + 3e-10 })...)
			l.finely(
				"c·x²",
				l.MulFine(l.op, s, floats(0.001, 0.5, 0.999, -2)),
				0.51+math.Ldexp(9*2, -30)/math.Ldexp(1, -s.Scale),
				0.001*square(x[0]),
				0.5*square(x[1]),
				0.999*square(x[2]),
				-2*square(x[3]),
			)
			l.finely("1·x²", l.MulFine(l.op, s, constant(4, 1)), 0, mapped(x, square)...)
			l.finely("max(x², y)", l.MaxFine(l.op, s, y), 0, mapped(x, func(v float64) float64 { return math.Max(v*v, v) })...)
			l.finely("b ? x² : y", l.SelectFine(l.op, l.bools(true, false, true, false), s, y), 0, square(x[0]), x[1], square(x[2]), x[3])
			l.finely("one b ? x² : y", l.SelectFine(l.op, l.shaped(l.bools(true)), s, y), 0, mapped(x, square)...)
			l.finely("fine", l.ToFine(l.op, y), 0, x...)
			l.finely("a product in fine form", l.ToFine(l.op, l.Mul(l.op, y, l.in(1, 1, 1, 1))), 0, x...)
			l.finely("stored", l.ToStore(l.op, s, false), 0, mapped(x, square)...)
			l.near("coarse", l.Coarse(l.op, s), 1, mapped(x, square)...)
			l.near("coarse of another", l.Coarse(l.op, y), 0, x...)
			if c := l.Coarse(l.op, s); l.Fine(c) || c != l.Coarse(l.op, s) {
				l.Errorf("%s: a coarse value is fine, or not memoised", l.name)
			}
			// a root of a square below the last place
			for _, r := range []fxp.Range{{Lo: 0, Hi: math.Inf(1)}, {Lo: 0, Hi: 16}} {
				l.near("√x²", l.RealPower(l.op, s, 0.5, false, r), 1, mapped(x, math.Abs)...)
				l.near("√x² as a divisor", l.RootDivisor(l.op, s, r), 1, mapped(x, math.Abs)...)
				l.near("x/√x²", l.QuotientRows(l.op, y, s, r, true, true), 1, 1, -1, 1, 1)
				l.near("x²/x²", l.Quotient(l.op, l.Mul(l.op, y, y), l.SumFine(l.op, []int64{1}, s), r), 1, 1, 1, 1, 1)
				l.near("x²/x², small", l.QuotientSmall(l.op, l.Mul(l.op, y, y), s, r), 1, 1, 1, 1, 1)
			}
		}
		l.finely("public", l.PublicFine(l.op, floats(3e-10, -2)), 0.5, 3e-10, -2)
		if l.Fine(nil) || l.Fine(l.in(1)) {
			l.Errorf("%s: an input is in the fine form", l.name)
		}
	})
	each(t, []int{32}, func(l *lab) {
		s := l.Square(l.op, l.in(0.0625, -3))
		l.finely("x² in 32 bits", s, 0, 0.00390625, 9)
		l.near("√x² in 32 bits", l.RealPower(l.op, s, 0.5, false, fxp.Range{Lo: 0, Hi: 16}), 1, 0.0625, 3)
	})
}

// TestSmallNumbers: multiples and products at twice the fraction, which are divided later.
func TestSmallNumbers(t *testing.T) {
	each(t, wideOnes, func(l *lab) {
		x := []float64{0.25, -3, 2, 0.75}
		c := 0.001
		for _, y := range []*fxp.Value{l.in(x...), l.held(x...)} {
			p := l.Mul(l.op, y, l.in(1, 1, 1, 1))
			l.near("c·p", l.MulFine(l.op, p, constant(4, c)), 1, mapped(x, func(v float64) float64 { return c * v })...)
			l.near(
				"c·(c·p)",
				l.MulFine(l.op, l.MulFine(l.op, p, constant(4, 0.3)), floats(0.3, -0.7, 5, 0.1)),
				3,
				0.3*0.3*x[0],
				-0.7*0.3*x[1],
				5*0.3*x[2],
				0.1*0.3*x[3],
			)
			l.near("c·y", l.MulFine(l.op, y, constant(4, c)), 1, mapped(x, func(v float64) float64 { return c * v })...)
			l.near("8·p", l.MulFine(l.op, p, constant(4, 8)), 1, mapped(x, func(v float64) float64 { return 8 * v })...)
			m := l.MulPublic(l.op, y, constant(4, 0.3))
			l.near("(c·y)·y", l.ProductFine(l.op, m, y), 2, mapped(x, func(v float64) float64 { return 0.3 * v * v })...)
			l.near("y·(c·y)", l.ProductFine(l.op, y, m), 2, mapped(x, func(v float64) float64 { return 0.3 * v * v })...)
			l.near("y·y", l.ProductFine(l.op, y, l.in(1, 2, 3, 4)), 1, 0.25, -6, 6, 3)
			l.near("p·y", l.MulSmall(l.op, p, y), 2, mapped(x, func(v float64) float64 { return v * v })...)
			l.near("y·p, ranges", func() *fxp.Value {
				l.Within(y, fxp.Range{Lo: -4, Hi: 4})
				return l.MulSmall(l.op, y, l.Mul(l.op, y, l.in(1, 1, 1, 1)))
			}(), 2, mapped(x, func(v float64) float64 { return v * v })...)
			l.near("p²", l.MulSmall(l.op, p, p), 2, mapped(x, func(v float64) float64 { return v * v })...)
			for _, small := range []float64{1e-7, 1e-4, 2, 0} {
				for _, r := range []fxp.Range{fxp.Unknown, {Lo: -4, Hi: 4}} {
					l.near("y + small", l.AddSmall(l.op, y, constant(4, small), r), 1, mapped(x, func(v float64) float64 { return v + small })...)
					l.near("p + small", l.AddSmall(l.op, p, constant(4, small), r), 1, mapped(x, func(v float64) float64 { return v + small })...)
				}
			}
			root := l.RootDivisor(l.op, l.Square(l.op, y), fxp.Range{Lo: 0, Hi: math.Inf(1)})
			l.near("√ + small", l.AddSmall(l.op, root, constant(4, 1e-8), fxp.Unknown), 1, mapped(x, math.Abs)...)
			l.near(
				"y/(√y² + ε)",
				l.Quotient(l.op, y, l.AddSmall(l.op, root, constant(4, 1e-8), fxp.Unknown), fxp.Unknown),
				1,
				mapped(x, func(v float64) float64 { return v / (math.Abs(v) + 1e-8) })...)
			dot := l.Sum(l.op, l.Mul(l.op, y, l.in(1, 1, 1, 1)), 4, 1, 1, shape{4}) // contractions
			l.near("max", l.MaxExact(l.op, dot, l.Neg(l.op, dot)), 1, mapped(x, math.Abs)...)
			l.near("max of others", l.MaxExact(l.op, y, p), 1, x...)
			l.near("relu", l.ReluExact(l.op, dot), 1, mapped(x, func(v float64) float64 { return math.Max(v, 0) })...)
			l.near("relu of others", l.ReluExact(l.op, y), 1, mapped(x, func(v float64) float64 { return math.Max(v, 0) })...)
			for _, v := range []*fxp.Value{y, p, dot} {
				l.near("abs", l.AbsExact(l.op, v), 1, mapped(x, math.Abs)...)
			}
			l.near("stored", l.ToStore(l.op, dot, true), 1, x...)
			l.near("stored at the fraction", l.ToStore(l.op, dot, false), 1, x...)
		}
	})
}

// TestCheckpoints: what is right only modulo its ring is stored in a wider one, and is right when it comes
// back.
func TestCheckpoints(t *testing.T) {
	each(t, allRings, func(l *lab) {
		most := math.Ldexp(1, fxp.ValueBits(l.Ring, l.Fraction)-1)
		p := l.Mul(l.op, l.in(most, 3), l.in(0.5, -0.25))
		s := l.ToCheckpoint(l.op, p)
		if s.S.Ring().Bits <= l.Ring.Bits || s.S.Ring().Bits > fxp.WidestRing(l.Ring, l.Fraction) {
			l.Errorf("%s: stored in %v", l.name, s.S.Ring())
		}
		if l.ToCheckpoint(l.op, nil) != nil {
			l.Errorf("nothing is stored as something")
		}
		x := l.in(1, 2)
		if l.ToCheckpoint(l.op, x) != x {
			l.Errorf("%s: an input changes its form", l.name)
		}
		wide := tensor.Type{DType: tensor.F64, Shape: shape{2}}
		back := l.FromShare(
			l.op.Graph,
			wide,
			&fxp.StoredShare{Vec: fxp.Encode(floats(most*0.5, -0.75), s.S.Ring(), s.Scale), Scale: s.Scale, Bound: s.S.Ring().Bits - 2},
		)
		if back.S.Ring() != l.Ring {
			l.Errorf("%s: comes back in %v", l.name, back.S.Ring())
		}
		l.near("back", back, 0, most*0.5, -0.75)
		l.near("twice", l.Add(l.op, back, back), 0, most, -1.5)
		fine, scale := fxp.FineForm(l.Ring, l.Fraction)
		l.finely(
			"fine back",
			l.FromShare(l.op.Graph, wide, &fxp.StoredShare{Vec: fxp.Encode(floats(1e-6, -2), fine, scale), Scale: scale, Bound: fine.Bits - 2}),
			0.5,
			1e-6,
			-2,
		)
		l.equal(
			"integers",
			l.FromShare(
				l.op.Graph,
				tensor.Type{DType: tensor.I8, Shape: shape{1}},
				&fxp.StoredShare{Vec: ring.FromInts(ring.Z(8), []int64{-7}), Bound: 6},
			),
			"[-7]",
		)
	})
}
