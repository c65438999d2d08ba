package fxp_test

import (
	"math"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestGuard(t *testing.T) {
	for _, c := range []struct{ bits, fraction, guard int }{{64, 18, 10}, {128, 26, 0}, {128, 18, 10}, {32, 8, 0}, {64, 24, 4},
		{64, 25, 0}, {64, 5, 5}, {64, 3, 0}} {
		a := &fxp.Arith{Ring: ring.Z(c.bits), Fraction: c.fraction}
		if g := a.Guard(); g != c.guard {
			t.Errorf("%d bits with a fraction of %d: %d guard bits, want %d", c.bits, c.fraction, g, c.guard)
		}
	}
}

// guarded checks a cotangent at its scale, to so many units of its guard bits.
func (l *lab) guarded(what string, x *fxp.Value, units float64, want ...float64) {
	l.Helper()
	g := l.Guarded(l.op, x)
	if g != l.Guarded(l.op, x) {
		l.Errorf("%s: %s: the form with guard bits is not memoised", l.name, what)
	}
	if g.Scale > max(l.Fraction+l.Guard(), l.Fraction) {
		l.Errorf("%s: %s has scale %d", l.name, what, g.Scale)
	}
	want = slices.Clone(want)
	if most := l.Ring.Bits + max(0, g.Scale-l.Fraction); g.S.Ring().Bits > most {
		l.Errorf("%s: %s is in %v, %d bits suffice", l.name, what, g.S.Ring(), most)
	}
	l.finally(func() {
		l.Helper()
		for i, v := range decoded(g.S, g.Type, g.Scale).Floats() {
			if limit := (units + 0.51) * (math.Ldexp(1, -l.Fraction-l.Guard()) + math.Abs(want[i])*0x1p-40); !(math.Abs(v-want[i]) <= limit) {
				l.Errorf("%s: %s: element %d is %v, want %v within %v", l.name, what, i, v, want[i], limit)
			}
		}
	})
}

// cotangents runs f where there are guard bits.
func cotangents(t *testing.T, f func(l *lab)) {
	for _, m := range append(forms(64), form{"plain in 128 bits", plain.Party{}, 128, 18}, form{"masking in 128 bits", masking{}, 128, 18}) {
		t.Run(m.name, func(t *testing.T) { run(t, m, nil, f) })
	}
}

func TestCotangents(t *testing.T) {
	cotangents(t, func(l *lab) {
		u := math.Ldexp(1, -l.Fraction-4) // below a unit
		most := math.Ldexp(1, fxp.ValueBits(l.Ring, l.Fraction)-2)
		a, b := []float64{3 * u, -5 * u, 0.75, most}, []float64{1, 0.5, -2, 0.25}
		c := func() *fxp.Value { // with guard bits
			return l.InputGuarded(l.op, 1, floats(a...).Type, func() *tensor.Array {
				if l.dry {
					return nil
				}
				return floats(a...)
			})
		}
		for _, y := range []*fxp.Value{l.in(b...), l.held(b...)} {
			x := c()
			l.guarded("input", x, 0, a...)
			l.guarded("x·y", l.MulGuarded(l.op, x, y), 1, 3*u, -2.5*u, -1.5, 0.25*most)
			l.guarded("x·y·y", l.MulGuarded(l.op, l.MulGuarded(l.op, x, y), y), 2, 3*u, -1.25*u, 3, 0.0625*most)
			l.near("y·y", l.MulGuarded(l.op, y, y), 1, 1, 0.25, 4, 0.0625)
			l.guarded("in the fine form", l.ToFine(l.op, y), 1, b...)
			for _, k := range []float64{1, -1, 0.5, -0.25, 0.3125, 3, 1024} {
				if k < 4 {
					l.guarded("k·x", l.TimesGuarded(l.op, x, constant(4, k)), 1, k*3*u, -k*5*u, k*0.75, k*most)
				} else {
					l.guarded("k·x", l.TimesGuarded(l.op, l.MulGuarded(l.op, x, l.in(1, 1, 1, 0x1p-16)), constant(4, k)), k, k*3*u, -k*5*u, k*0.75,
						k*most*0x1p-16)
				}
			}
			l.guarded("k·x, k different", l.TimesGuarded(l.op, x, floats(0.3125, 2, -1, 0.125)), 2, 0.9375*u, -10*u, -0.75, 0.125*most)
			l.near("0.3·x", l.TimesGuarded(l.op, x, constant(4, 0.3)), 2, 0.9*u, -1.5*u, 0.225, 0.3*most)
			l.near("k·y", l.TimesGuarded(l.op, y, constant(4, 0.3)), 1, 0.3, 0.15, -0.6, 0.075)
			bit := l.bools(true, false, true, true)
			l.guarded("kept", l.KeptGuarded(l.op, bit, x), 0, 3*u, 0, 0.75, most)
			l.guarded("kept by one", l.KeptGuarded(l.op, l.shaped(l.bools(true)), x), 0, a...)
			l.near("kept without guard", l.KeptGuarded(l.op, bit, y), 0, 1, 0, -2, 0.25)
			l.guarded("b ? x : y", l.SelectGuarded(l.op, bit, x, y), 0, 3*u, 0.5, 0.75, most)
			l.near("b ? y : y", l.SelectGuarded(l.op, bit, y, l.Neg(l.op, y)), 0, 1, -0.5, -2, 0.25)
			l.guarded("x − 2y", l.CombineGuarded(l.op, []int64{1, -2}, x, y), 0, 3*u-2, -5*u-1, 4.75, most-0.5)
			l.guarded("−x", l.CombineGuarded(l.op, []int64{-1}, x), 0, -3*u, 5*u, -0.75, -most)
			l.guarded("x + c", l.AddPublicGuarded(l.op, x, floats(1, 2, 3, most/2)), 0, 1+3*u, 2-5*u, 3.75, 1.5*most)
			l.guarded("x + 0", l.AddPublicGuarded(l.op, x, constant(4, 0)), 0, a...)
			l.guarded("x + known", l.AddKnownGuarded(l.op, x, 1, fxp.Unknown, func() *tensor.Array {
				if l.dry {
					return nil
				}
				return floats(1, 2, 3, most/2)
			}), 0, 1+3*u, 2-5*u, 3.75, 1.5*most)
			l.near("y + known", l.AddKnownGuarded(l.op, y, 1, fxp.Unknown, func() *tensor.Array {
				if l.dry {
					return nil
				}
				return floats(1, 2, 3, 4)
			}), 0, 2, 2.5, 1, 4.25)
			l.guarded("sum", l.SumGuarded(l.op, x, 2, 2, 1, shape{2}), 0, -2*u, most+0.75)
			l.near("sum without guard", l.SumGuarded(l.op, y, 2, 2, 1, shape{2}), 0, 1.5, -1.75)
			g := maps.Gathered{From: 4, To: 2, Terms: 2, Index: func() []int32 { return []int32{0, 2, 1, tensor.Fill} }}
			l.guarded("gathered", l.GatherSumGuarded(l.op, x, g, shape{2}), 0, 0.75+3*u, -5*u)
			join := tensor.Concatenated([]tensor.Shape{{4}, {4}}, 0)
			l.guarded("joined", l.ViewGuarded(l.op, join, x, y), 0, slices.Concat(a, b)...)
			l.near("joined without guard", l.ViewGuarded(l.op, join, y, y), 0, slices.Concat(b, b)...)
			l.guarded(
				"x/y",
				l.QuotientGuarded(l.op, l.MulGuarded(l.op, x, l.in(1, 1, 1, 0x1p-16)), y, fxp.Unknown),
				2,
				3*u,
				-10*u,
				-0.375,
				most*0x1p-14,
			)
			l.guarded(
				"x/y²",
				l.QuotientGuarded(l.op, l.MulGuarded(l.op, x, l.in(1, 1, 1, 0x1p-16)), l.Square(l.op, y), fxp.Range{Lo: 0, Hi: 16}),
				4,
				3*u,
				-20*u,
				0.1875,
				most*0x1p-12,
			)
			p := l.Mul(l.op, l.Mul(l.op, y, l.in(1, 1, 1, 1)), l.in(3, 3, 3, 3))
			l.guarded("a product", p, math.Ldexp(2, l.Guard()), 3, 1.5, -6, 0.75)
		}
	})
}

// TestParts: a contraction of a cotangent's two parts is the contraction of the whole.
func TestParts(t *testing.T) {
	cotangents(t, func(l *lab) {
		u := math.Ldexp(1, -l.Fraction-4)
		dot := maps.MatMul{Batch: 1, M: 1, K: 3, N: 1}
		y := l.shaped(l.in(8, -4, 2), 3, 1)
		want := 8*3*u + 4*5*u + 2*0.75
		for name, x := range map[string]*fxp.Value{
			"input": l.InputGuarded(l.op, 0, floats(3*u, -5*u, 0.75).Type,
				func() *tensor.Array { return map[bool]*tensor.Array{false: floats(3*u, -5*u, 0.75)}[l.dry] }),
			"product": l.Mul(l.op, l.in(3*u*64, -5*u*64, 0.75*64), l.held(1./64, 1./64, 1./64)),
		} {
			x = l.shaped(x, 1, 3)
			high, low, by := l.SplitScale(l.op, x)
			if low == nil || by != l.Guard() && by != l.Fraction {
				l.Errorf("%s: %s: parts %v, %d", l.name, name, low, by)
				continue
			}
			out := l.JoinScale(l.op, l.Product(l.op, dot, shape{1, 1}, high, y), l.Product(l.op, dot, shape{1, 1}, low, y), by)
			l.guarded(name, out, 20, want)
			again, _, _ := l.SplitScale(l.op, x)
			if again != high {
				l.Errorf("%s: %s: rounded twice", l.name, name)
			}
		}
		if _, low, _ := l.SplitScale(l.op, y); low != nil {
			l.Errorf("%s: an input at the fraction has a low part", l.name)
		}
	})
}
