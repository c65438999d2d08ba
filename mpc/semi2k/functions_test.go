package semi2k

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// edges are what is special of an argument, in units: zero, powers of two and
// their neighbours, the ends of the domain, and a unit around every threshold.
func (f function) edges(c settings) []int64 {
	lo, hi := int64(math.Ldexp(f.lo, c.fraction)), int64(math.Ldexp(f.hi, c.fraction))
	switch {
	case f.widest:
		lo, hi = 1-1<<62, 1<<62-1
	case f.domain != nil:
		lo, hi = f.domain(c)
	}
	xs := []int64{lo, lo + 1, hi - 1, hi, int64(math.Ldexp(f.lo, c.fraction)), int64(math.Ldexp(f.hi, c.fraction))}
	around := func(x int64) { xs = append(xs, x-1, x, x+1) }
	around(0)
	for j := range 62 {
		around(1 << j)
		around(-1 << j)
	}
	if f.near != nil {
		for _, x := range f.near(c) {
			around(int64(math.RoundToEven(math.Ldexp(x, c.fraction))))
		}
	}
	return slices.DeleteFunc(xs, func(x int64) bool { return x < lo || x > hi })
}

// grid are n points on the interval, in units; of a logarithmic one that has
// both signs, both.
func (f function) grid(n int, c settings) []int64 {
	out := make([]int64, n)
	for i := range out {
		t := float64(i) / float64(n-1)
		x := f.lo + (f.hi-f.lo)*t
		switch {
		case f.log && f.lo > 0:
			x = f.lo * math.Pow(f.hi/f.lo, t)
		case f.log:
			x = f.hi * math.Exp2(-(math.Log2(f.hi)+10)*t) // down to 2^−10
			if i%2 == 0 {
				x = -x
			}
		}
		out[i] = int64(math.RoundToEven(math.Ldexp(x, c.fraction)))
	}
	return out
}

// others are second arguments for n points: both ends, zero, and points in
// between.
func (f function) others(n int, c settings) []int64 {
	out := make([]int64, n)
	for i := range out {
		y := f.second[0] + (f.second[1]-f.second[0])*float64(i*7919%4001)/4000
		out[i] = int64(math.RoundToEven(math.Ldexp(y, c.fraction)))
	}
	return out
}

// build is the protocol as a trial takes it.
func (f function) build(c settings) func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
	return func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return single(f.f(p, op, in[0], in[1], mpc.Fixed{In: c.fraction, Out: c.fraction}, c))
	}
}

func decoded(v ring.Vec, fraction int) []float64 {
	out := make([]float64, v.Len())
	for i := range out {
		x, _ := v.Int(i).Float64()
		out[i] = math.Ldexp(x, -fraction)
	}
	return out
}

// errorOf is absolute where the result is below 1, else relative.
func errorOf(got, want float64) float64 { return math.Abs(got-want) / math.Max(1, math.Abs(want)) }

// deviation is the worst of many errors.
type deviation struct {
	error, at, got, want float64
	absolute, relative   float64 // the largest; relative where the result is 1 or more
	points               int
}

func (d *deviation) add(x, got, want float64) {
	d.points++
	e := errorOf(got, want)
	if e >= d.error {
		d.error, d.at, d.got, d.want = e, x, got, want
	}
	d.absolute = math.Max(d.absolute, math.Abs(got-want))
	if math.Abs(want) >= 1 {
		d.relative = math.Max(d.relative, e)
	}
}

func (d *deviation) String() string {
	return fmt.Sprintf("error %.3g of %d points, at %v: %v for %v", d.error, d.points, d.at, d.got, d.want)
}

// batch is how many elements are computed at a time.
const batch = 1 << 13

// measured runs the function on points given in units.
func (f function) measured(t testing.TB, c settings, xs, ys []int64) *deviation {
	d := &deviation{}
	r := ring.Z(c.k)
	for seed := byte(1); len(xs) > 0; seed++ {
		n := min(batch, len(xs))
		tr := trial{n: c.n, k: r, seed: seed, in: []operand{{v: ring.FromInts(r, xs[:n])}, {v: ring.FromInts(r, ys[:n])}}, build: f.build(c)}
		for i, got := range decoded(tr.run(t).out[0], c.fraction) {
			x, y := math.Ldexp(float64(xs[i]), -c.fraction), math.Ldexp(float64(ys[i]), -c.fraction)
			d.add(x, got, f.want(c, x, y))
		}
		xs, ys = xs[n:], ys[n:]
	}
	return d
}

// sweepSettings are what is swept; with the race detector, one of each ring.
func sweepSettings() []settings {
	if raced {
		return []settings{{3, 64, 18}, {2, 128, 26}}
	}
	return []settings{{2, 64, 18}, {3, 64, 18}, {5, 64, 18}, {2, 128, 26}, {3, 128, 26}}
}

// sweepPoints is the number of points of the longest sweep. TACET_TEST_POINTS overrides it: 100000
// takes ten times as long and finds errors that one point in 10^5 has.
func sweepPoints() int {
	if n, err := strconv.Atoi(os.Getenv("TACET_TEST_POINTS")); err == nil && n > 0 {
		return n
	}
	return 10_000
}

// TestFunctions sweeps every function: sweepPoints points of two parties at k = 64,
// fewer in other settings, all thresholds and both ends in each.
func TestFunctions(t *testing.T) {
	for _, f := range functions {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range sweepSettings() {
				points := 400
				switch {
				case raced:
					points = 100
				case testing.Short():
				case c == settings{2, 64, 18}:
					points = sweepPoints()
				}
				xs := append(f.edges(c), f.grid(points, c)...)
				if d := f.measured(t, c, xs, f.others(len(xs), c)); d.error > f.bar(c) {
					t.Errorf("%+v: %v; at most %.3g", c, d, f.bar(c))
				} else {
					t.Logf("%+v: %v", c, d)
				}
			}
		})
	}
}

// TestEnds runs functions of the whole line at both ends of a ring of 128 bits,
// which the sweep's words do not reach.
func TestEnds(t *testing.T) {
	for _, f := range functions {
		if !f.widest {
			continue
		}
		c := settings{2, 128, 26}
		var xs []*big.Int
		for j := 62; j < c.k-1; j++ {
			for d := range int64(3) {
				x := new(big.Int).Lsh(big.NewInt(1), uint(j))
				x.Add(x, big.NewInt(d-1))
				if x.BitLen() <= c.k-2 {
					xs = append(xs, x, new(big.Int).Neg(x))
				}
			}
		}
		v := ring.FromBig(ring.Z(c.k), xs)
		d := &deviation{}
		for i, got := range decoded(trial{n: c.n, k: v.Ring(), in: []operand{{v: v}, {v: v}}, build: f.build(c)}.run(t).out[0], c.fraction) {
			x, _ := xs[i].Float64()
			d.add(math.Ldexp(x, -c.fraction), got, f.want(c, math.Ldexp(x, -c.fraction), 0))
		}
		if d.error > f.bar(c) {
			t.Errorf("%s: %v; at most %.3g", f.name, d, f.bar(c))
		}
	}
}

// TestSinOfLarge: sine and cosine hold up to the end of the ring, of numbers
// that float64 has exactly.
func TestSinOfLarge(t *testing.T) {
	for _, f := range functions {
		if f.name != "sin" && f.name != "cos" {
			continue
		}
		for _, c := range []settings{{2, 64, 18}, {3, 64, 18}, {2, 128, 26}} {
			xs := []int64{1 << 61, -1 << 61}
			for i := range int64(500) {
				x := (1<<53 - 1 - i*i*i) << (i % 9)
				xs = append(xs, x, -x)
			}
			if d := f.measured(t, c, xs, make([]int64, len(xs))); d.error > f.bar(c) {
				t.Errorf("%+v: %s: %v; at most %.3g", c, f.name, d, f.bar(c))
			}
		}
	}
}

// TestFloorReal is exact on all of the ring, both as a whole number and as one
// of the argument's scale.
func TestFloorReal(t *testing.T) {
	for _, quotient := range []bool{false, true} {
		for _, k := range []int{64, 128} {
			for _, n := range []int{2, 3} {
				operation{
					name: "floor", in: opened(-2, 1),
					build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
						return single(p.FloorReal(op, in[0], 18, quotient))
					},
					want: func(x []*big.Int) *big.Int {
						q := shifted(x[0], 18)
						if !quotient {
							q.Lsh(q, 18)
						}
						return q
					},
				}.check(t, n, ring.Z(k), 2000)
			}
		}
	}
}

// TestExact are values that a function gives to the unit, or exactly.
func TestExact(t *testing.T) {
	t.Parallel()
	byName := map[string]function{}
	for _, f := range functions {
		byName[f.name] = f
	}
	type point struct {
		f    string
		x    float64
		want float64 // in units
	}
	for _, c := range []settings{{2, 64, 18}, {2, 128, 26}} {
		one := math.Ldexp(1, c.fraction)
		unit := 1 / one
		largest := math.RoundToEven(math.Ldexp(c.top(), c.fraction))
		for _, p := range []point{
			{"exp", -1e9, 0}, {"exp", -20, 0}, {"exp", 1e9, largest}, {"exp", 100, largest}, {"exp", 0, one},
			{"exp2", -1e9, 0}, {"exp2", 1e9, largest},
			{"sqrt", 0, 0}, {"cbrt", 0, 0}, {"x^2.7", 0, 0}, {"x^7", 0, 0},
			{"reciprocal", 0, one * one}, {"reciprocal, signed", 0, one * one}, {"rsqrt", 0, one * math.Sqrt(one)},
			{"log", 0, math.Log(unit) * one}, {"log2", 0, -one * float64(c.fraction)}, {"log2", unit, -one * float64(c.fraction)},
			{"reciprocal, signed", -unit, -one * one}, {"divide", 0, 0},
		} {
			f := byName[p.f]
			xs := make([]int64, 64)
			for i := range xs {
				xs[i] = int64(math.Ldexp(p.x, c.fraction))
			}
			r := ring.Z(c.k)
			tr := trial{n: c.n, k: r, in: []operand{{v: ring.FromInts(r, xs)}, {v: ring.New(r, len(xs))}}, build: f.build(c)}
			out := decoded(tr.run(t).out[0], 0)
			for _, got := range out {
				if limit := 1.5 + math.Abs(p.want)*math.Ldexp(1, -20); math.Abs(got-p.want) > limit {
					t.Errorf("%+v: %s of %v is %v units, want %v within %v", c, p.f, p.x, got, p.want, limit)
					break
				}
			}
		}
	}
}

// TestOutside: what lies outside a function's domain gives values without
// meaning, but the same whatever the masks are. (What overflows the ring's top,
// or an exponential without the clamp that is needed, does not.)
func TestOutside(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	c := settings{2, 64, 18}
	beyond := map[string][]int64{
		"log": {-1, -1 << 18, -12345678, 1<<33 + 12345, 1 << 50}, "log2": {-1, 1 << 40},
		"reciprocal": {-1, -1 << 18, 1<<33 + 12345, 1 << 50}, "rsqrt": {-1, -1 << 18, 1 << 50}, "sqrt": {-1, -1 << 18, 1 << 50},
		"x^2.7": {-1, -12345678}, "reciprocal, signed": {1 << 31, 1<<33 + 12345, -1 << 50}, "cbrt": {1 << 31, -1 << 50},
		"divide": {1 << 31, -1 << 50}, "x^y": {0, -1 << 18, 1 << 33},
		"sigmoid/8": {-9 << 18, 100 << 18}, "reciprocal/2": {0, -9 << 18, 100 << 18}, "atan": {3 << 18, -9 << 18},
	}
	for _, f := range functions {
		xs := beyond[f.name]
		if xs == nil {
			continue
		}
		r, ys := ring.Z(c.k), slices.Repeat([]int64{3 << 18}, len(xs))
		var first []float64
		for seed := range byte(8) {
			tr := trial{n: c.n, seed: seed, in: []operand{{v: ring.FromInts(r, xs)}, {v: ring.FromInts(r, ys)}}, build: f.build(c)}
			got := decoded(tr.run(t).out[0], c.fraction)
			if first == nil {
				first = got
			}
			for i := range got {
				if errorOf(got[i], first[i]) > 1e-4 {
					t.Errorf("%s of %d units is %v or %v", f.name, xs[i], got[i], first[i])
				}
			}
		}
	}
}
