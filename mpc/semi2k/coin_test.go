package semi2k

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// repeated is a party's source for so many times the elements that were dealt for:
// masks and dealt shares repeat. So one run replays what the dealer knows of a run
// for many candidate inputs.
type repeatedSource struct {
	correlation.Source
	times    int
	requests map[correlation.ID]*correlation.Request // as dealt
}

func newRepeated(of correlation.Source, form *correlation.Manifest, times int) correlation.Source {
	s := repeatedSource{of, times, map[correlation.ID]*correlation.Request{}}
	for _, r := range form.Requests {
		s.requests[r.ID] = r
	}
	return s
}

func (s repeatedSource) less(m *correlation.Mask) *correlation.Mask {
	small := *m
	small.N /= s.times
	return &small
}

// vec repeats every block of n elements.
func (s repeatedSource) vec(v ring.Vec, n int) ring.Vec {
	out, k := ring.New(v.Ring(), v.Len()*s.times), v.Ring().Words()
	to := out.Words()
	for lo := 0; lo < v.Len(); lo += n {
		for range s.times {
			to = to[copy(to, v.Words()[lo*k:(lo+n)*k]):]
		}
	}
	return out
}

func (s repeatedSource) bits(of []ring.Bits) []ring.Bits {
	out := make([]ring.Bits, len(of))
	for i, b := range of {
		out[i] = ring.NewBits(b.Len() * s.times)
		for j := range s.times {
			ring.CopyBits(out[i], j*b.Len(), b, 0, b.Len())
		}
	}
	return out
}

func (s repeatedSource) Leaf(m *correlation.Mask) (ring.Stream, error) {
	v, err := s.Source.Leaf(s.less(m))
	return ring.StreamOf(s.vec(v.Vec(), v.Len())), err
}

func (s repeatedSource) LeafBits(m *correlation.Mask) ([]ring.Bits, error) {
	b, err := s.Source.LeafBits(s.less(m))
	return s.bits(b), err
}

func (s repeatedSource) Await(r *correlation.Request, ready func()) {
	s.Source.Await(s.requests[r.ID], ready)
}

func (s repeatedSource) Take(ctx context.Context, r *correlation.Request) (correlation.Correlation, error) {
	small := s.requests[r.ID]
	m, err := s.Source.Take(ctx, small)
	if err != nil || small.OfBits() {
		return correlation.Correlation{Bits: s.bits(m.Bits)}, err
	}
	n := small.Factors[0].Mask.N
	if small.N%n != 0 { // a row's elements make one
		n = small.N
	}
	return correlation.Correlation{Vec: ring.StreamOf(s.vec(m.Vec.Vec(), n))}, nil
}

// atOnce is the number of candidates that one replay takes, for which tables are dealt at once.
const atOnce = 256

// dealerRuns is the number of runs, and candidates the number of inputs from which the dealer chooses
// in each. TACET_TEST_COINS asks for more runs, each with more candidates. A place among the
// candidates is a fraction of them, so their number changes the test's time and not its power.
var dealerRuns, candidates = func() (int, int64) {
	if n, err := strconv.Atoi(os.Getenv("TACET_TEST_COINS")); err == nil && n > 0 {
		return n, 4096
	}
	return 12, 512
}()

// guess is a computation whose rounded result is revealed, and what the dealer
// tries to learn from it: which of the candidates the input is: numbers that are step
// apart, from first on. All explain the results: ideally each is rounded up or down with the
// probabilities that the exact value of a candidate says.
type guess struct {
	name        string
	first, step int64
	results     int // of one input, in a run
	build       func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret
	// exact is what is rounded, in units of the result: of a sum each addend.
	exact func(x int64) []float64
}

// scaledBy is a rounding of a·x/2^18.
func scaledBy(a ...float64) func(x int64) []float64 {
	return func(x int64) []float64 {
		var out []float64
		for _, a := range a {
			out = append(out, a*math.Ldexp(float64(x), -18))
		}
		return out
	}
}

// real is a rounding of f, at 18 fraction bits.
func real(f func(float64) float64) func(x int64) []float64 {
	return func(x int64) []float64 { return []float64{math.Ldexp(f(math.Ldexp(float64(x), -18)), 18)} }
}

var guesses = []guess{
	{
		name: "truncation of shares", first: 5<<18 + 1<<16, step: 32, results: 16, exact: scaledBy(1),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Truncate(op, p.Unopened(op, in[0]), 18))
		},
	},
	{
		name: "truncation of a masked value", first: 5<<18 + 1<<16, step: 32, results: 16, exact: scaledBy(1),
		build: truncate(18),
	},
	{
		name: "drop of shares", first: 5<<18 + 1<<16, step: 32, results: 16, exact: scaledBy(1),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.TruncateReduce(op, in[0], 18))
		},
	},
	{
		name: "product of open factors", first: 1<<18 + 2000, step: 1, results: 16, exact: scaledBy(40),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			n := in[0].Len()
			forty := p.AddPublic(op, p.minus(op, p.share(in[0]), p.share(in[0])), ints(op, ring.Z(64), 40, n), 6)
			return single(p.TruncateReduce(op, p.Product(op, ring.Z(82), maps.Elementwise{N: n}, in[0], forty, 0), 18))
		},
	},
	{
		name: "contraction", first: 1<<18 + 2000, step: 1, results: 16, exact: scaledBy(40),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			n := in[0].Len()
			forty := p.AddPublic(op, p.minus(op, p.share(in[0]), p.share(in[0])), ints(op, ring.Z(64), 40, n), 6)
			y := p.Product(op, ring.Z(64), maps.MatMul{Batch: n, M: 1, K: 1, N: 1}, in[0], forty, 0)
			return single(p.Truncate(op, y, 18))
		},
	},
	{
		name: "sum of roundings", first: 1<<18 + 3000, step: 1, results: 16, exact: scaledBy(20, 21, 22, 23),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			n := in[0].Len()
			var ys []mpc.Secret
			for _, a := range []int64{20, 21, 22, 23} {
				ys = append(ys, p.TruncateReduce(op, p.Linear(op, maps.Combine{N: n, Coef: []int64{a}}, in[0]), 18))
			}
			return single(p.Linear(op, maps.Combine{N: n, Coef: []int64{1, 1, 1, 1}}, ys...))
		},
	},
	{
		name: "exp", first: units(-9.0109, 18).Int64() - 5000, step: 1, results: 8, exact: real(math.Exp),
		build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Exp(op, x, mpc.ExpOf{Fixed: f, Lower: true, Upper: true})
		}),
	},
	{
		name: "sigmoid", first: units(-9.0109, 18).Int64() - 5000, step: 1, results: 8, exact: real(tabled("sigmoid")),
		build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.EvalTableWithTails(op, x, f, "sigmoid", false)
		}),
	},
	{
		name: "sigmoid, thrifty", first: units(-9.0109, 18).Int64() - 5000, step: 1, results: 8, exact: real(logistic),
		build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.EvalTableWithTails(op, x, f, "sigmoid", true)
		}),
	},
	{
		name: "reciprocal", first: units(90.5, 18).Int64(), step: 1, results: 8,
		exact: real(func(x float64) float64 { return 1 / x }),
		build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
			return p.Power(op, x, f, mpc.Normal{}, -1)
		}),
	},
	{
		name: "reciprocal, total", first: units(90.5, 18).Int64(), step: 1, results: 8,
		exact: real(func(x float64) float64 { return 1 / x }),
		build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
			op.Objective = flow.ForTotal
			return p.Power(op, x, f, mpc.Normal{}, -1)
		}),
	},
	{
		name: "log, total", first: units(90.5, 18).Int64(), step: 1, results: 8, exact: real(math.Log),
		build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
			op.Objective = flow.ForTotal
			return p.log(op, x, f, mpc.Normal{}, false, true)
		}),
	},
	{
		name: "softmax", first: units(-9.0109, 18).Int64() - 5000, step: 1, results: 8, exact: real(logistic),
		build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
			n := x.Len()
			pairs := maps.NewView(tensor.Concatenated([]tensor.Shape{{n, 1}, {n, 1}}, 1), n, n)
			rows := p.Linear(op, pairs, x, p.Linear(op, maps.Combine{N: n, Coef: []int64{1, -1}}, x, x))
			first := maps.NewView(tensor.Sliced(tensor.Shape{n, 2}, []int{0, 0}, []int{n, 1}, []int{1, 1}), 2*n)
			return p.Linear(op, first, p.Softmax(op, rows, f, 2, mpc.Softmax))
		}),
	},
	{
		name: "softmax, total", first: units(-9.0109, 18).Int64() - 5000, step: 1, results: 8, exact: real(logistic),
		build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
			n := x.Len()
			pairs := maps.NewView(tensor.Concatenated([]tensor.Shape{{n, 1}, {n, 1}}, 1), n, n)
			rows := p.Linear(op, pairs, x, p.Linear(op, maps.Combine{N: n, Coef: []int64{1, -1}}, x, x))
			first := maps.NewView(tensor.Sliced(tensor.Shape{n, 2}, []int{0, 0}, []int{n, 1}, []int{1, 1}), 2*n)
			return p.Linear(op, first, p.softmax(op, p.share(rows), f, 2, mpc.Softmax, totalForm(2)))
		}),
	},
}

// tabled is a function as its table has it, which is public.
func tabled(name string) func(float64) float64 {
	_, t := fourier.Windowed(name, fourier.Small)
	return func(x float64) float64 {
		y := float64(t.C[0])
		for n := range t.N() {
			sin, cos := math.Sincos(2 * math.Pi * float64(n+1) * x / t.Period)
			y += float64(t.C[n+1])*cos + float64(t.S[n])*sin
		}
		return math.Ldexp(y, -t.Frac)
	}
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// ints are n times one integer, without storage in a dry run.
func ints(op *flow.Op, r ring.Ring, x int64, n int) ring.Vec {
	if op.Graph.DryRun() {
		return ring.ShapeOnly(r, n)
	}
	v := ring.New(r, n)
	ring.AddInt(v, v, x)
	return v
}

// start is the first candidate: all of them round to the same two numbers, with
// probabilities of at least 1/10.
func (g guess) start() int64 {
	for x := g.first; ; x += 64 * g.step {
		last, good := g.exact(x+(candidates-1)*g.step), true
		for i, a := range g.exact(x) {
			b := last[i]
			whole := math.Floor(a)
			good = good && whole == math.Floor(b) && min(a, b)-whole > 0.1 && max(a, b)-whole < 0.9
		}
		if good {
			return x
		}
	}
}

// input is a vector of the parties' with so many elements for each candidate.
func (g guess) input(xs []int64) []operand {
	all := make([]int64, 0, len(xs)*g.results)
	for _, x := range xs {
		for range g.results {
			all = append(all, x)
		}
	}
	return []operand{{v: ring.FromInts(ring.Z(64), all), bound: 40, masked: true, others: true}}
}

// place runs the computation on one of the candidates and gives the place, from 0
// to 1, that the dealer's view gives the true one among all: of how many candidates
// the score would be lower, if each were the input and its results rounded as they
// ideally are. The score is how well the results agree with those that the dealer
// computes for a candidate, of all masks and shares that it dealt, beyond what the
// candidate's probabilities make them.
func (g guess) place(t *testing.T, run int, inside, bare bool) float64 {
	draw := rand.New(rand.NewPCG(uint64(run), 7))
	xs := make([]int64, candidates)
	first := g.start()
	for i := range xs {
		xs[i] = first + int64(i)*g.step
	}
	secret := draw.IntN(int(candidates))
	real := trial{n: 2, seed: byte(run), inside: inside, in: g.input(xs[secret : secret+1]), build: g.build}
	replay := real
	real.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		p.bare = bare
		return g.build(p, op, in)
	}
	seen := real.run(t).out[0]
	replay.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		p.bare = true // the dealer knows no sharing of zero
		return g.build(p, op, in)
	}
	replay.of = &real
	var would ring.Vec
	scores := make([]float64, candidates)
	var truth float64
	for i, x := range xs {
		if i%atOnce == 0 {
			replay.in = g.input(xs[i : i+atOnce])
			would = replay.run(t).out[0]
		}
		values, mean, variance := g.exact(x), 0.0, 0.0
		for _, v := range values {
			f := v - math.Floor(v)
			mean, variance = mean+v, variance+f*(1-f)
		}
		for j := range g.results {
			ideal := 0.0
			for _, v := range values {
				if ideal += math.Floor(v); draw.Float64() < v-math.Floor(v) {
					ideal++
				}
			}
			knows := float64(would.Int(i%atOnce*g.results+j).Int64()) - mean
			if scores[i] += knows * (ideal - mean) / variance; i != secret {
				continue
			}
			off := float64(seen.Int(j).Int64()) - mean
			if most := 1.05 * float64(len(values)); math.Abs(off) > most || math.Abs(knows) > most {
				t.Fatalf("%d of input %d is revealed as %v and replayed as %v, exactly it is %v", j, x, off+mean, knows+mean, mean)
			}
			truth += knows * off / variance
		}
	}
	below := 0.0
	for _, s := range scores {
		switch {
		case s < truth:
			below++
		case s == truth:
			below += 0.5
		}
	}
	return below / float64(candidates)
}

// preference is the chi-square statistic, of 7 degrees of freedom, of the true
// candidate's places in so many runs.
func (g guess) preference(t *testing.T, runs int, inside, bare bool) float64 {
	var counts [8]float64
	for run := range runs {
		counts[min(int(g.place(t, run, inside, bare)*8), 7)]++
	}
	sum, mean := 0.0, float64(runs)/8
	for _, c := range counts {
		sum += (c - mean) * (c - mean) / mean
	}
	return sum
}

// TestCoinsAreNotTheDealers replays the view of an outside dealer that sees the
// published results, and of a party that deals: all seeds but the computing
// parties' own are known, so every candidate input can be computed with. The true
// one is nowhere preferred; where shares are rounded as they are, it stands out.
func TestCoinsAreNotTheDealers(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	runs := testcases.OneOf(t, 2)
	for _, inside := range []bool{false, true} {
		for i, g := range guesses {
			if !runs() || inside && i > 3 { // the gates are the same
				continue
			}
			t.Run(fmt.Sprintf("%s/inside=%t", g.name, inside), func(t *testing.T) {
				if x := g.preference(t, dealerRuns, inside, false); x > 29.9 { // one in 10,000
					t.Errorf("the true input is preferred, or avoided: chi-square %.0f", x)
				}
				if inside {
					return
				}
				if x := g.preference(t, 10, inside, true); x < 29.9 {
					t.Errorf("shares that are rounded as they are show as a chi-square of %.0f only", x)
				}
			})
		}
	}
}
