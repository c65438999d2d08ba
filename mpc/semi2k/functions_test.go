package semi2k

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// sweep is one function over an interval, as it is measured.
type sweep struct {
	name   string
	lo, hi float64
	log    bool // points evenly spaced in the logarithm
	second [2]float64
	want   func(x, y float64) float64
	f      func(p *Party, op *flow.Op, x, y mpc.Secret, f mpc.Fixed) mpc.Secret
}

var sweeps = []sweep{
	{name: "exp", lo: -1000, hi: 30, want: func(x, _ float64) float64 { return math.Exp(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Exp(op, x, mpc.ExpOf{Fixed: f, Lower: true, Upper: true})
		}},
	{name: "exp, lower clamp", lo: -20, hi: 20, want: func(x, _ float64) float64 { return math.Exp(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Exp(op, x, mpc.ExpOf{Fixed: f, Lower: true})
		}},
	{name: "exp, no clamp", lo: -13, hi: 30, want: func(x, _ float64) float64 { return math.Exp(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Exp(op, x, mpc.ExpOf{Fixed: f})
		}},
	{name: "sigmoid", lo: -30, hi: 30, want: func(x, _ float64) float64 { return 1 / (1 + math.Exp(-x)) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Window(op, x, f, "sigmoid", false)
		}},
	{name: "sigmoid, thrifty", lo: -30, hi: 30, want: func(x, _ float64) float64 { return 1 / (1 + math.Exp(-x)) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Window(op, x, f, "sigmoid", true)
		}},
	{name: "silu", lo: -30, hi: 30, want: func(x, _ float64) float64 { return x / (1 + math.Exp(-x)) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Window(op, x, f, "silu", false)
		}},
	{name: "tanh", lo: -20, hi: 20, want: func(x, _ float64) float64 { return math.Tanh(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Window(op, x, f, "tanh", false)
		}},
	{name: "sin", lo: -10000, hi: 10000, want: func(x, _ float64) float64 { return math.Sin(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			s, _ := p.SinCos(op, x, f)
			return s
		}},
	{name: "log", lo: 1. / 1024, hi: 4096, log: true, want: func(x, _ float64) float64 { return math.Log(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Log(op, x, f, mpc.Normal{}, false)
		}},
	{name: "reciprocal", lo: 1. / 1024, hi: 4096, log: true, want: func(x, _ float64) float64 { return 1 / x },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Power(op, x, f, mpc.Normal{}, -1)
		}},
	{name: "reciprocal, signed", lo: -10, hi: -0.1, want: func(x, _ float64) float64 { return 1 / x },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Power(op, x, f, mpc.Normal{Signed: true}, -1)
		}},
	{name: "sqrt", lo: 0, hi: 4096, want: func(x, _ float64) float64 { return math.Sqrt(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Power(op, x, f, mpc.Normal{}, 0.5)
		}},
	{name: "rsqrt", lo: 1. / 1024, hi: 4096, log: true, want: func(x, _ float64) float64 { return 1 / math.Sqrt(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Power(op, x, f, mpc.Normal{}, -0.5)
		}},
	{name: "cbrt", lo: -100, hi: 100, want: func(x, _ float64) float64 { return math.Cbrt(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Power(op, x, f, mpc.Normal{Signed: true}, 1./3)
		}},
	{name: "divide", lo: -10, hi: 10, second: [2]float64{-100, 100}, want: func(x, y float64) float64 { return y / x },
		f: func(p *Party, op *flow.Op, x, y mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Divide(op, y, f.In, x, f, mpc.Normal{Signed: true})
		}},
	{name: "power of a secret", lo: 0.1, hi: 10, second: [2]float64{-2, 2}, want: math.Pow,
		f: func(p *Party, op *flow.Op, x, y mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.PowerSecret(op, x, y, f.In, f, mpc.Normal{})
		}},
	{name: "floor", lo: -10000, hi: 10000, want: func(x, _ float64) float64 { return math.Floor(x) },
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.FloorReal(op, x, f.In, false)
		}},
}

// points are n values on the interval, in units of 2^−fraction.
func (s sweep) points(n, fraction int) []float64 {
	out := make([]float64, n)
	for i := range out {
		t := float64(i) / float64(n-1)
		x := s.lo + (s.hi-s.lo)*t
		if s.log {
			x = s.lo * math.Pow(s.hi/s.lo, t)
		}
		out[i] = math.Ldexp(math.RoundToEven(math.Ldexp(x, fraction)), -fraction)
	}
	return out
}

func encoded(r ring.Ring, xs []float64, fraction int) ring.Vec {
	ints := make([]int64, len(xs))
	for i, x := range xs {
		ints[i] = int64(math.Ldexp(x, fraction))
	}
	return ring.FromInts(r, ints)
}

func decoded(v ring.Vec, fraction int) []float64 {
	out := make([]float64, v.Len())
	for i := range out {
		f := v.Int(i)
		x, _ := f.Float64()
		out[i] = math.Ldexp(x, -fraction)
	}
	return out
}

type settings struct{ n, k, fraction int }

// measured runs a sweep; the largest error is of the result below one, and
// relative above.
func (s sweep) measured(t testing.TB, c settings, points int) (worst float64, at int, o outcome) {
	r := ring.Z(c.k)
	xs := s.points(points, c.fraction)
	ys := make([]float64, len(xs))
	for i := range ys {
		u := float64(i*7919%points) / float64(points)
		ys[i] = math.Ldexp(math.RoundToEven(math.Ldexp(s.second[0]+(s.second[1]-s.second[0])*u, c.fraction)), -c.fraction)
	}
	tr := trial{n: c.n, k: r, seed: 1, in: []operand{{v: encoded(r, xs, c.fraction)}, {v: encoded(r, ys, c.fraction)}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{s.f(p, op, in[0], in[1], mpc.Fixed{In: c.fraction, Out: c.fraction})}
		}}
	o = tr.run(t)
	for i, got := range decoded(o.out[0], c.fraction) {
		want := s.want(xs[i], ys[i])
		if math.IsInf(want, 0) || math.IsNaN(want) {
			continue
		}
		if e := math.Abs(got-want) / math.Max(1, math.Abs(want)); e > worst {
			worst, at = e, i
		}
	}
	return worst, at, o
}

func TestFunctions(t *testing.T) {
	for _, s := range sweeps {
		t.Run(s.name, func(t *testing.T) {
			for _, c := range []settings{{2, 64, 18}, {3, 64, 18}, {2, 128, 26}} {
				const points = 1000
				e, at, o := s.measured(t, c, points)
				xs := s.points(points, c.fraction)
				t.Logf("%v: %.2f B, %d rounds, %.1f dealt, error %.1e at %g: %g", c, float64(o.online)/points, o.rounds, float64(o.dealt)/points, e, xs[at], decoded(o.out[0], c.fraction)[at])
			}
		})
	}
}

// rowSweep is a function of rows.
type rowSweep struct {
	name string
	m    int
	sd   float64
	f    func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed, m int) mpc.Secret
	want func(row []float64) []float64
}

func softmax(row []float64) []float64 {
	top, sum := math.Inf(-1), 0.0
	for _, x := range row {
		top = math.Max(top, x)
	}
	out := make([]float64, len(row))
	for i, x := range row {
		out[i] = math.Exp(x - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

func logSumExp(row []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, x := range row {
		top = math.Max(top, x)
	}
	for _, x := range row {
		sum += math.Exp(x - top)
	}
	return top + math.Log(sum)
}

func normalize(row []float64) []float64 {
	mean, v := 0.0, 0.0
	for _, x := range row {
		mean += x / float64(len(row))
	}
	for _, x := range row {
		v += (x - mean) * (x - mean) / float64(len(row))
	}
	out := make([]float64, len(row))
	for i, x := range row {
		out[i] = (x - mean) / math.Sqrt(v+1e-5)
	}
	return out
}

func rowSweeps() []rowSweep {
	kind := func(k mpc.RowKind) func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed, m int) mpc.Secret {
		return func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed, m int) mpc.Secret {
			return p.Softmax(op, x, f, m, k)
		}
	}
	norm := func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed, m int) mpc.Secret {
		return p.Normalize(op, x, f, m, 1e-5)
	}
	logs := func(row []float64) []float64 {
		l, out := logSumExp(row), make([]float64, len(row))
		for i, x := range row {
			out[i] = x - l
		}
		return out
	}
	return []rowSweep{
		{"softmax", 10, 2, kind(mpc.Softmax), softmax},
		{"softmax", 10, 30, kind(mpc.Softmax), softmax},
		{"softmax", 128, 2, kind(mpc.Softmax), softmax},
		{"softmax", 128, 30, kind(mpc.Softmax), softmax},
		{"softmax", 300, 3, kind(mpc.Softmax), softmax},
		{"softmax", 1, 3, kind(mpc.Softmax), softmax},
		{"log softmax", 10, 5, kind(mpc.LogSoftmax), logs},
		{"log sum exp", 7, 5, kind(mpc.LogSumExp), func(row []float64) []float64 { return []float64{logSumExp(row)} }},
		{"normalize", 10, 5, norm, normalize},
		{"normalize", 128, 20, norm, normalize},
		{"normalize", 768, 20, norm, normalize},
		{"normalize", 768, 0.01, norm, normalize},
		{"normalize", 128, 0, norm, normalize},
	}
}

func TestRows(t *testing.T) {
	for _, s := range rowSweeps() {
		t.Run(fmt.Sprintf("%s %d %g", s.name, s.m, s.sd), func(t *testing.T) {
			for _, c := range []settings{{2, 64, 18}, {3, 64, 18}, {2, 128, 26}} {
				rows := 1 + 2000/s.m
				rng := rand.New(rand.NewPCG(1, 2))
				xs := make([]float64, rows*s.m)
				for i := range xs {
					xs[i] = math.Ldexp(math.RoundToEven(math.Ldexp(rng.NormFloat64()*s.sd+3, c.fraction)), -c.fraction)
				}
				r := ring.Z(c.k)
				tr := trial{n: c.n, k: r, seed: 1, in: []operand{{v: encoded(r, xs, c.fraction)}},
					build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
						return []mpc.Secret{s.f(p, op, in[0], mpc.Fixed{In: c.fraction, Out: c.fraction}, s.m)}
					}}
				o := tr.run(t)
				got := decoded(o.out[0], c.fraction)
				var want []float64
				for i := range rows {
					want = append(want, s.want(xs[i*s.m:(i+1)*s.m])...)
				}
				worst, at := 0.0, 0
				for i := range want {
					if e := math.Abs(got[i]-want[i]) / math.Max(1, math.Abs(want[i])); e > worst {
						worst, at = e, i
					}
				}
				n := float64(len(xs))
				t.Logf("%v: %.2f B, %d rounds, %.1f dealt, error %.1e: %g for %g", c, float64(o.online)/n, o.rounds, float64(o.dealt)/n, worst, got[at], want[at])
			}
		})
	}
}
