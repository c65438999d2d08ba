package fxp_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc"
)

// mapped applies a function to each number.
func mapped(x []float64, f func(float64) float64) []float64 {
	out := slices.Clone(x)
	for i := range out {
		out[i] = f(x[i])
	}
	return out
}

// forall runs f for a vector that is open, is not, and is a product.
func (l *lab) forall(x []float64, f func(y *fxp.Value)) {
	ones := slices.Repeat([]float64{1}, len(x))
	for _, y := range []*fxp.Value{l.in(x...), l.held(x...), l.Mul(l.op, l.in(x...), l.held(ones...)),
		l.Mul(l.op, l.in(x...), l.in(ones...))} {
		f(y)
	}
}

func TestExponentials(t *testing.T) {
	for _, set := range []map[string]string{nil, {"exp.clamp": "none"}, {"exp.clamp": "lower"}, {"exp.mode": "taylor", "exp.iterations": "12"}, {"exp.mode": "pade"}} {
		for _, m := range forms(wideOnes...) {
			t.Run(m.name+" "+set["exp.mode"]+set["exp.clamp"], func(t *testing.T) {
				run(t, m, set, func(l *lab) {
					x, units := []float64{-3, -0.5, 0, 0.25, 2}, 2.
					if set["exp.mode"] == "taylor" {
						units = 3e-3 / l.unit()
					} else if set["exp.mode"] == "pade" {
						units = 40
					}
					for _, alone := range []bool{true, false} {
						l.forall(x, func(y *fxp.Value) {
							l.near("exp", l.Exp(l.op, y, false, fxp.Unknown, alone), units, mapped(x, math.Exp)...)
							if set["exp.mode"] == "" {
								l.near("exp2", l.Exp(l.op, y, true, fxp.Range{Lo: -4, Hi: 4}, alone), 2, mapped(x, math.Exp2)...)
								l.near(
									"exp of negative ones",
									l.Exp(l.op, l.Neg(l.op, l.Abs(l.op, y)), false, fxp.Range{Lo: math.Inf(-1), Hi: 0}, alone),
									2,
									mapped(x, func(x float64) float64 { return math.Exp(-math.Abs(x)) })...)
							}
						})
					}
					if set["exp.mode"] == "pade" {
						l.near("far below", l.Exp(l.op, l.in(-60), false, fxp.Unknown, false), 0, 0)
					}
				})
			})
		}
	}
}

func TestTables(t *testing.T) {
	x := []float64{-9, -3, -0.5, 0, 0.25, 2, 30}
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for _, set := range []map[string]string{nil, {"sigmoid.table": "thrifty", "table.tolerance": "0.001"}, {"optimize": "total"}} {
		for _, m := range forms(wideOnes...) {
			run(t, m, set, func(l *lab) {
				l.forall(x, func(y *fxp.Value) {
					for name, f := range map[string]func(float64) float64{"sigmoid": sigmoid, "tanh": math.Tanh, "erf": math.Erf, "erfc": math.Erfc,
						"softplus": func(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) },
						"silu":     func(x float64) float64 { return x * sigmoid(x) },
						"gelu":     func(x float64) float64 { return x * (1 + math.Erf(x/math.Sqrt2)) / 2 }} {
						l.near(name, l.EvalTableWithTails(l.op, y, name, fxp.Unknown), 1, mapped(x, f)...)
					}
				})
				l.near("sigmoid of a range", l.EvalTableWithTails(l.op, l.in(-8, 1), "sigmoid", fxp.Range{Lo: -8, Hi: 8}), 1, sigmoid(-8), sigmoid(1))
				l.near("atan", l.EvalTable(l.op, l.in(-1, 0.5), "atan"), 1, -math.Pi/4, math.Atan(0.5))
			})
		}
	}
}

func TestRealFunctions(t *testing.T) {
	each(t, wideOnes, func(l *lab) {
		x := []float64{0.0625, 0.5, 1, 2.5, 300}
		l.forall(x, func(y *fxp.Value) {
			l.near("log", l.Log(l.op, y, false, fxp.Unknown), 1, mapped(x, math.Log)...)
			l.near("log2", l.Log(l.op, y, true, fxp.Range{Lo: 0, Hi: 512}), 1, mapped(x, math.Log2)...)
			for _, r := range []fxp.Range{fxp.Unknown, {Lo: 0, Hi: 512}} {
				l.near("sqrt", l.RealPower(l.op, y, 0.5, false, r), 1, mapped(x, math.Sqrt)...)
				l.near("rsqrt", l.RealPower(l.op, y, -0.5, false, r), 1, mapped(x, func(x float64) float64 { return 1 / math.Sqrt(x) })...)
				l.near("1/x", l.RealPower(l.op, y, -1, true, r), 1, mapped(x, func(x float64) float64 { return 1 / x })...)
				l.near("x^2.7", l.RealPower(l.op, y, 2.7, false, r), 1, mapped(x, func(x float64) float64 { return math.Pow(x, 2.7) })...)
				l.near("√x as a divisor", l.RootDivisor(l.op, y, r), 1, mapped(x, math.Sqrt)...)
			}
			l.near("x^y", l.PowerSecret(l.op, y, l.in(0.5, -1, 2, 1.5, 0.25), fxp.Unknown), 1, 0.25, 2, 1, math.Pow(2.5, 1.5), math.Pow(300, 0.25))
		})
		n := []float64{-8, -0.125, 0.5, 27}
		l.forall(n, func(y *fxp.Value) {
			l.near("cbrt", l.RealPower(l.op, y, 1./3, true, fxp.Unknown), 1, mapped(n, math.Cbrt)...)
			l.near("sin", func() *fxp.Value { s, _ := l.SinCos(l.op, y, l.Fraction); return s }(), 1, mapped(n, math.Sin)...)
			l.near("cos", func() *fxp.Value { _, c := l.SinCos(l.op, y, l.Fraction); return c }(), 1, mapped(n, math.Cos)...)
			l.near("tan", l.Tan(l.op, y), 20, mapped(n, math.Tan)...)
			e := l.Sub(
				l.op,
				l.Number(l.op, l.bools(true, true, true, true), y.Type.DType),
				l.Number(l.op, l.bools(true, false, true, false), y.Type.DType),
			)
			l.near("x^whole", l.PowerWhole(l.op, y, e, fxp.Unknown), 1, 1, -0.125, 1, 27)
		})
		l.near("1/x on [1, 2]", l.RealPower(l.op, l.in(1, 1.5, 2), -1, false, fxp.Range{Lo: 1, Hi: 2}), 1, 1, 2./3, 0.5)
		a := []float64{-2, -1, 0, 0.5, 3}
		l.near(
			"atan2",
			l.Atan2(l.op, l.in(a...), l.held(1, -1, -2, 0.5, 0)),
			4,
			math.Atan2(-2, 1),
			math.Atan2(-1, -1),
			math.Pi,
			math.Pi/4,
			math.Pi/2,
		)
		e := []float64{-0.75, 0, 0.25, 0.9}
		l.near("erf⁻¹", l.ErfInv(l.op, l.in(e...)), 40, mapped(e, math.Erfinv)...)
		g := []float64{0.25, 0.75, 1.5, 6}
		lg := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
		l.near("lgamma", l.LogGamma(l.op, l.in(g...), fxp.Unknown), 40, mapped(g, lg)...)
		l.near("lgamma of a range", l.LogGamma(l.op, l.held(g[1:]...), fxp.Range{Lo: 0.5, Hi: 9}), 80, mapped(g[1:], lg)...)
		l.near("digamma", l.Digamma(l.op, l.in(1, 2, 0.25), fxp.Unknown), 200, -0.5772156649015329, 0.42278433509846713, -4.2274535333762654)
		l.near("digamma of a range", l.Digamma(l.op, l.in(1, 2), fxp.Range{Lo: 0.5, Hi: 9}), 200, -0.5772156649015329, 0.42278433509846713)
		l.near("e^−|x|·I₁(x)", l.BesselI1e(l.op, l.in(-1, 0, 2, 8)), 40, -0.20791041534970845, 0, 0.21526928924893763, 0.13414249329269812)
		l.near("constant", l.Constant(l.op, l.in(1, 2).Type, 0.75), 0, 0.75, 0.75)
	})
}

func TestQuotients(t *testing.T) {
	each(t, wideOnes, func(l *lab) {
		x, y := []float64{0.25, -1.5, 3, 100}, []float64{1, 2.5, -7, 1e-2}
		want := mapped(y, func(v float64) float64 { return v })
		for i := range want {
			want[i] = math.Round(y[i]/l.unit()) * l.unit() / x[i]
		}
		l.forall(x, func(d *fxp.Value) {
			l.forall(y, func(n *fxp.Value) {
				for _, r := range []fxp.Range{fxp.Unknown, {Lo: -128, Hi: 128}} {
					l.near("y/x", l.Quotient(l.op, n, d, r), 1, want...)
					l.near("y/x small", l.QuotientSmall(l.op, n, d, r), 1, want...)
					l.near("y/x in rows", l.QuotientRows(l.op, n, d, r, false, true), 1, want...)
				}
			})
		})
		rows := l.shaped(l.in(1, 2, 3, 4, 5, 6), 2, 3)
		l.near("rows", l.QuotientRows(l.op, rows, l.held(2, -4), fxp.Unknown, false, false), 1, 0.5, 1, 1.5, -1, -1.25, -1.5)
		l.near("rows by roots", l.QuotientRows(l.op, rows, l.in(4, 0.25), fxp.Unknown, true, false), 1, 0.5, 1, 1.5, 8, 10, 12)
		p := l.Mul(l.op, l.in(0.5), l.in(0.25))
		l.near("scaled", l.QuotientScaled(l.op, p, p, fxp.Unknown), 1, 1)
	})
}

// TestQuotientTimesDivisor: (x/y)·y is x, to y times the quotient's error and the product's.
func TestQuotientTimesDivisor(t *testing.T) {
	all := forms(wideOnes...)
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(all).Draw(t, "form")
		x := rapid.Float64Range(-1000, 1000).Draw(t, "x")
		y := rapid.Float64Range(0.125, 100).Draw(t, "y")
		unit := math.Ldexp(1, -m.fraction)
		x, y = math.Round(x/unit)*unit, math.Round(y/unit)*unit
		run(t, m, nil, func(l *lab) {
			d := l.held(y)
			back := l.Rescale(l.op, l.Mul(l.op, l.Quotient(l.op, l.in(x), d, fxp.Unknown), d))
			l.finally(func() {
				if g := decoded(back.S, back.Type, back.Scale).Floats()[0]; math.Abs(g-x) > unit*(y+1)/2+math.Abs(x)*0x1p-40 {
					t.Errorf("%s: %v/%v·%[3]v is %v", m.name, x, y, g)
				}
			})
		})
	})
}

func TestRowFunctions(t *testing.T) {
	each(t, wideOnes, func(l *lab) {
		x := []float64{1, 2, 0.5, -1, 3, 3}
		row := func(f func(row []float64) []float64) []float64 { return append(f(x[:3]), f(x[3:])...) }
		sum := func(r []float64) (s float64) {
			for _, v := range r {
				s += math.Exp(v)
			}
			return s
		}
		l.forall(x, func(y *fxp.Value) {
			y = l.shaped(y, 2, 3)
			l.near("softmax", l.Softmax(l.op, y, 3, mpc.Softmax), 1, row(func(r []float64) []float64 {
				return mapped(r, func(v float64) float64 { return math.Exp(v) / sum(r) })
			})...)
			l.near("log softmax", l.Softmax(l.op, y, 3, mpc.LogSoftmax), 1, row(func(r []float64) []float64 {
				return mapped(r, func(v float64) float64 { return v - math.Log(sum(r)) })
			})...)
			lse := l.Softmax(l.op, y, 3, mpc.LogSumExp)
			if len(lse.Type.Shape) != 1 || lse.Type.Shape[0] != 2 {
				l.Errorf("%s: log-sum-exp has shape %v", l.name, lse.Type.Shape)
			}
			l.near("log sum exp", lse, 1, math.Log(sum(x[:3])), math.Log(sum(x[3:])))
			for _, centred := range []bool{true, false} {
				l.near("normalized", l.Normalize(l.op, y, 3, 1e-3, centred), 1, row(func(r []float64) []float64 {
					mean, square := 0.0, 0.0
					for _, v := range r {
						if centred {
							mean += v / 3
						}
					}
					for _, v := range r {
						square += (v - mean) * (v - mean) / 3
					}
					return mapped(r, func(v float64) float64 { return (v - mean) / math.Sqrt(square+1e-3) })
				})...)
			}
		})
	})
}
