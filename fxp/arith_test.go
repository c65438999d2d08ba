package fxp_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestSums(t *testing.T) {
	each(t, allRings, func(l *lab) {
		a, b := []float64{1.5, -2.25, 0, 3}, []float64{-0.5, 2, 7.75, 3}
		for _, y := range []*fxp.Value{l.in(b...), l.held(b...)} {
			x := l.in(a...)
			l.near("x+y", l.Add(l.op, x, y), 0, 1, -0.25, 7.75, 6)
			l.near("x−y", l.Sub(l.op, x, y), 0, 2, -4.25, -7.75, 0)
			l.near("−y", l.Neg(l.op, y), 0, 0.5, -2, -7.75, -3)
			l.near("3x−2y", l.Combine(l.op, []int64{3, -2}, x, y), 0, 5.5, -10.75, -15.5, 3)
			l.near("x+c", l.AddPublic(l.op, y, floats(1, -2, 0.25, -3)), 0, 0.5, 0, 8, 0)
			l.near("x+0", l.AddPublic(l.op, y, floats(0, 0, 0, 0)), 0, b...)
			l.near("x+known", l.AddLocal(l.op, y, 1, fxp.Unknown, func() *tensor.Array {
				if l.dry {
					return nil
				}
				return floats(1, -2, 0.25, -3)
			}), 0, 0.5, 0, 8, 0)
			// products are above the fraction; what is added has fewer bits
			p := l.Mul(l.op, x, y)
			l.near("xy+y", l.Add(l.op, p, y), 1, -1.25, -2.5, 7.75, 12)
			l.near("xy−xy", l.Sub(l.op, p, p), 0, 0, 0, 0, 0)
			l.near("xy+c", l.AddPublic(l.op, p, floats(1, 1, 1, 1)), 1, 0.25, -3.5, 1, 10)
			l.near("xy+known", l.AddLocal(l.op, p, 1, fxp.Range{Lo: -1, Hi: 1}, func() *tensor.Array {
				if l.dry {
					return nil
				}
				return floats(1, 1, 1, 1)
			}), 1, 0.25, -3.5, 1, 10)
			l.near("−xy", l.Neg(l.op, p), 1, 0.75, 4.5, 0, -9)
			whole := l.Number(l.op, l.bools(true, false, true, true), tensor.F64) // without fraction bits
			l.near("n+y", l.Add(l.op, whole, y), 0, 0.5, 2, 8.75, 4)
			l.near("n+1", l.AddPublic(l.op, whole, floats(1, 1, 1, 1)), 0, 2, 1, 2, 2)
			l.near("n+½", l.AddPublic(l.op, whole, floats(0.5, 0.5, 0.5, 0.5)), 0, 1.5, 0.5, 1.5, 1.5)
		}
	})
}

func TestProducts(t *testing.T) {
	each(t, allRings, func(l *lab) {
		a, b := []float64{1.5, -2.25, 0, 3}, []float64{-0.5, 2, 7.75, 3}
		for _, y := range []*fxp.Value{l.in(b...), l.held(b...)} {
			x := l.in(a...)
			p := l.Mul(l.op, x, y)
			l.near("xy", p, 0, -0.75, -4.5, 0, 9)
			l.near("xy·y", l.Mul(l.op, p, y), 9, 0.375, -9, 0, 27)
			l.near("(xy)²", l.Mul(l.op, p, p), 20, 0.5625, 20.25, 0, 81)
			l.near("y²", l.Mul(l.op, y, y), 0, 0.25, 4, 60.0625, 9)
			for _, c := range []float64{0, 1, -1, 0.25, 3, 0.7, 1e-3} {
				want := make([]float64, len(b))
				for i := range b {
					want[i] = c * b[i]
				}
				l.near("cy", l.MulConst(l.op, y, c), 8, want...)
				for i := range want {
					want[i] *= a[i]
				}
				l.near("cxy", l.MulConst(l.op, l.Mul(l.op, x, y), c), 12, want...)
			}
			l.near("cy, c different", l.MulPublic(l.op, y, floats(0.1, -2, 0.125, 5)), 8, -0.05, -4, 0.96875, 15)
			l.near("n·y", l.Mul(l.op, l.Number(l.op, l.bools(true, false, true, true), tensor.F64), y), 0, -0.5, 0, 7.75, 3)
		}
	})
}

func TestContractions(t *testing.T) {
	m := maps.MatMul{Batch: 1, M: 2, K: 2, N: 2}
	each(t, allRings, func(l *lab) {
		for _, y := range []*fxp.Value{l.shaped(l.in(1, 2, 3, 4), 2, 2), l.shaped(l.held(1, 2, 3, 4), 2, 2)} {
			x := l.shaped(l.in(0.5, -1, 2, 0.25), 2, 2)
			xy := l.Product(l.op, m, shape{2, 2}, x, y)
			l.near("x·y", xy, 0, -2.5, -3, 2.75, 5)
			l.near(
				"x·c",
				l.ProductPublic(l.op, m, shape{2, 2}, x, tensor.FromFloats(tensor.F64, shape{2, 2}, []float64{1, 2, 3, 4}), false),
				0,
				-2.5,
				-3,
				2.75,
				5,
			)
			l.near(
				"c·y",
				l.ProductPublic(l.op, m, shape{2, 2}, y, tensor.FromFloats(tensor.F64, shape{2, 2}, []float64{0.5, -1, 2, 0.25}), true),
				0,
				-2.5,
				-3,
				2.75,
				5,
			)
			l.near(
				"c·y, c with many bits",
				l.ProductPublic(l.op, m, shape{2, 2}, y, tensor.FromFloats(tensor.F64, shape{2, 2}, []float64{0.1, -0.3, 0.7, 0.9}), true),
				8,
				-0.8,
				-1,
				3.4,
				5,
			)
			l.near(
				"(x·y)·c",
				l.ProductPublic(l.op, m, shape{2, 2}, xy, tensor.FromFloats(tensor.F64, shape{2, 2}, []float64{0.1, 1e-4, 0.7, 0.9}), false),
				12,
				-2.35,
				-2.70025,
				3.775,
				4.500275,
			)
			l.near("(x·y)·(x·y)", l.Product(l.op, m, shape{2, 2}, xy, xy), 12, -2, -7.5, 6.875, 16.75)
			l.near("sum", l.Sum(l.op, xy, 2, 2, 1, shape{2}), 1, -5.5, 7.75)
			l.near("sum of inputs", l.Sum(l.op, y, 1, 2, 2, shape{2}), 0, 4, 6)
			g := maps.Gathered{From: 4, To: 2, Terms: 2, Index: func() []int32 { return []int32{0, 3, 1, tensor.Fill} }}
			l.near("gathered", l.GatherSum(l.op, y, g, shape{2}), 0, 5, 2)
			l.near("gathered products", l.GatherSum(l.op, xy, g, shape{2}), 1, 2.5, -3)
			if !l.Contracted(xy) || l.Contracted(y) {
				l.Errorf("%s: a product of matrices is a contraction, an input is none", l.name)
			}
		}
		for _, d := range []tensor.DType{tensor.I8, tensor.U32, tensor.I64} {
			x := l.shaped(l.integers(d, true, 100, 3, 7, 2), 2, 2)
			y := l.shaped(l.integers(d, false, 3, 1, 2, 100), 2, 2)
			want := map[tensor.DType]string{tensor.I8: "[50 -112 25 -49]", tensor.U32: "[306 400 25 207]", tensor.I64: "[306 400 25 207]"}[d]
			l.equal("integers", l.Product(l.op, m, shape{2, 2}, x, y), want)
		}
	})
}

func TestViews(t *testing.T) {
	each(t, usual, func(l *lab) {
		for _, y := range []*fxp.Value{l.in(1, 2, 3), l.held(1, 2, 3)} {
			v := tensor.Reversed(shape{3}, []int{0})
			l.near("reversed", l.View(l.op, v, y), 0, 3, 2, 1)
			p := l.Mul(l.op, y, l.in(0.5, 0.5, 0.5))
			join := tensor.Concatenated([]tensor.Shape{{3}, {3}}, 0)
			l.near("joined", l.View(l.op, join, p, y), 0, 0.5, 1, 1.5, 1, 2, 3)
			l.near("joined products", l.View(l.op, join, p, p), 0, 0.5, 1, 1.5, 0.5, 1, 1.5)
			l.near("filled", l.View(l.op, tensor.Padded(shape{3}, []int{1}, []int{1}, []int{0}), p), 0, 0, 0.5, 1, 1.5, 0)
			narrow := l.Comparand(l.op, l.Mul(l.op, l.held(1, 2, 3), l.held(2, 2, 2)))
			l.near("joined rings", l.View(l.op, join, narrow, y), 0, 2, 4, 6, 1, 2, 3)
		}
	})
}

func TestMaxima(t *testing.T) {
	each(t, allRings, func(l *lab) {
		for _, y := range []*fxp.Value{l.in(-1, 2, 0.5), l.held(-1, 2, 0.5)} {
			x := l.in(1, -2, 0.5)
			p := l.Mul(l.op, x, y) // −1, −4, 0.25
			l.near("relu", l.Relu(l.op, y), 0, 0, 2, 0.5)
			l.near("relu of products", l.Relu(l.op, p), 0, 0, 0, 0.25)
			l.near("max", l.Max(l.op, x, y, l.in(0, 0, 0)), 0, 1, 2, 0.5)
			l.near("max with products", l.Max(l.op, p, y), 0, -1, 2, 0.5)
			for n := 1; n <= 3; n++ {
				views := []tensor.View{{Shape: shape{1}, In: 3, Strides: []int{1}}, {Shape: shape{1}, In: 3, Offset: 1, Strides: []int{1}},
					{Shape: shape{1}, In: 3, Offset: 2, Strides: []int{1}}}[:n]
				l.near("max of views", l.MaxOf(l.op, y, views), 0, []float64{-1, 2, 2}[n-1])
				l.near("max of views of products", l.MaxOf(l.op, l.Mul(l.op, x, y), views), 0, []float64{-1, -1, 0.25}[n-1])
			}
		}
	})
}

// TestRescaleError: one rescale is off by at most half a unit, whatever the scales and signs are.
func TestRescaleError(t *testing.T) {
	all := forms(allRings...)
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(all).Draw(t, "form")
		most := math.Ldexp(1, fxp.ValueBits(ringOf(m), m.fraction)/2-1)
		x, y := rapid.Float64Range(-most, most).Draw(t, "x"), rapid.Float64Range(-most, most).Draw(t, "y")
		unit := math.Ldexp(1, -m.fraction)
		x, y = math.Round(x/unit)*unit, math.Round(y/unit)*unit
		run(t, m, nil, func(l *lab) {
			got := l.Rescale(l.op, l.Mul(l.op, l.in(x), l.held(y)))
			if got.Scale != l.Fraction {
				l.Errorf("rescaled to %d", got.Scale)
			}
			l.finally(func() {
				if g := decoded(got.S, got.Type, got.Scale).Floats()[0]; math.Abs(g-x*y) > unit/2+math.Abs(x*y)*0x1p-50 {
					t.Errorf("%s: %v·%v is %v, off by %v units", m.name, x, y, g, (g-x*y)/unit)
				}
			})
		})
	})
}
