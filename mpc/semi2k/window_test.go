package semi2k

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// windowCases have all thresholds, and each single one, as results.
func windowCases(step int, thresholds ...int) window {
	w := window{step: step, thresholds: thresholds, results: []windowResult{{of: 1<<len(thresholds) - 1}, {of: 1, negate: true}}}
	if len(thresholds) > 1 {
		w.results = append(w.results, windowResult{of: 2})
	}
	return w
}

// exactCases are windowCases of an exact window.
func exactCases(thresholds ...int) window {
	w := windowCases(0, thresholds...)
	w.exact = true
	return w
}

func (r windowResult) want(less []bool) int64 {
	out := r.negate
	for i, l := range less {
		out = out != (r.of>>i&1 == 1 && l)
	}
	if out {
		return 1
	}
	return 0
}

// TestWindow compares windowBits with their definition: for all numbers of narrow rings, for the edges of wide ones.
// A fuzzy comparison may be wrong less than half a step from a threshold.
func TestWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, bound int
		w        window
	}{
		{9, 7, windowCases(0, 3, -3)}, {10, 8, windowCases(2, 1, -1)}, {12, 10, windowCases(3, 5, 0, -5)},
		{13, 10, windowCases(0, 21, 0, -21)}, {12, 10, windowCases(4, 3, 1)}, {12, 3, windowCases(3, -60)},
		{12, 4, windowCases(0, -200)}, {13, 11, windowCases(2, -90)}, {12, 10, windowCases(6, 0)},
		{14, 4, windowCases(5, 9, -9)}, {11, 9, windowCases(1, 13, -2, -14)}, {32, 30, windowCases(6, 21, 0, -21)},
		{46, 44, windowCases(16, 21, -21)}, {64, 62, windowCases(16, 29, 0, -29)},
		{64, 40, windowCases(18, 17, 0, -17)}, {128, 126, windowCases(24, 25, 0, -25)},
		{97, 95, windowCases(1, 31, -31)}, {12, 10, exactCases(96, 0)},
		{12, 10, exactCases(100, 3)}, {11, 9, exactCases(33, -21)},
		{13, 11, exactCases(1000, -1000)}, {12, 9, exactCases(511, 100, -37)}, {12, 10, exactCases(1000)}, {9, 7, exactCases(1, 0)},
		{64, 62, exactCases(6<<18, 0)}, {46, 44, exactCases(6<<18, -5)},
		{128, 126, exactCases(6<<26, 0)}, {64, 62, exactCases(1<<32, -1<<30)},
		{128, 126, windowCases(60, 27, 0, -27)},
	} {
		r := ring.Z(c.k)
		var xs []*big.Int
		limit := new(big.Int).Lsh(big.NewInt(1), uint(c.bound))
		if c.k <= 14 {
			for x := -limit.Int64(); x < limit.Int64(); x++ {
				xs = append(xs, big.NewInt(x))
			}
		} else {
			add := func(x *big.Int) {
				if x.CmpAbs(limit) < 0 {
					xs = append(xs, x)
				}
			}
			for j := range c.bound + 1 {
				for d := int64(-2); d <= 2; d++ {
					p := new(big.Int).Lsh(big.NewInt(1), uint(j))
					add(p.Add(p, big.NewInt(d)))
					add(new(big.Int).Neg(p))
				}
			}
			for _, theta := range c.w.thresholds {
				for _, half := range []int64{-3, -2, -1, 0, 1, 2, 3} {
					for d := int64(-1); d <= 1; d++ {
						x := new(big.Int).Lsh(big.NewInt(2*int64(theta)+half), uint(c.w.step))
						add(x.Rsh(x, 1).Add(x, big.NewInt(d)))
					}
				}
			}
			for len(xs)%64 != 5 { // not a multiple of a word
				xs = append(xs, new(big.Int))
			}
		}
		for _, n := range []int{2, 3, 5} {
			t.Run(fmt.Sprintf("k=%d/step=%d/%v/n=%d", c.k, c.w.step, c.w.thresholds, n), func(t *testing.T) {
				for seed := range byte(3) {
					tr := trial{n: n, seed: seed + 11, in: []operand{{v: ring.FromBig(r, xs), bound: c.bound}},
						build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
							x := p.opened(op, in[0])
							x.bound = c.bound
							if seed == 2 {
								op.Objective = flow.ForRounds
							}
							var out []mpc.Secret
							for _, b := range p.windowBits(op, x, c.w) {
								out = append(out, p.newPoly(ring.Z(8), x.n, 1, b.poly()))
							}
							return out
						}}
					c.w.compare(t, xs, tr.run(t).out)
				}
			})
		}
	}
}

func (w window) compare(t *testing.T, xs []*big.Int, out []ring.Vec) {
	t.Helper()
	for i, x := range xs {
		// Each bit may be either of two where x is near a threshold, of which there is at most one.
		least, most := make([]bool, len(w.thresholds)), make([]bool, len(w.thresholds))
		for j, theta := range w.thresholds {
			at := new(big.Int).Lsh(big.NewInt(2*int64(theta)), uint(w.step)) // twice
			half := new(big.Int)
			if w.step > 0 {
				half.Lsh(big.NewInt(1), uint(w.step))
			}
			x2 := new(big.Int).Lsh(x, 1)
			least[j] = x2.Cmp(new(big.Int).Sub(at, half)) < 0
			most[j] = x2.Cmp(new(big.Int).Add(at, half)) < 0
		}
		for j, r := range w.results {
			got := out[j].Int(i).Int64()
			if a, b := r.want(least), r.want(most); got != a && got != b {
				t.Fatalf("result %d of %v steps of 2^%d is %d for x = %v, want %d or %d", j, w.thresholds, w.step, got, x, a, b)
			}
		}
	}
}

// TestWindowPlans compares the cost by which a plan is chosen with what its circuit opens and is dealt.
func TestWindowPlans(t *testing.T) {
	step := 5
	if testcases.All() {
		step = 1
	}
	for _, w := range []window{
		windowCases(2, 5), windowCases(2, 21, -21), windowCases(2, 29, 0, -29), exactCases(6<<18, 0), exactCases(3<<18, -5<<17),
		exactCases(1500, 3), exactCases(5000, 37, -100),
	} {
		thresholds := w.thresholds
		for bound := 3; bound < 120; bound += step {
			p := planWindow(windowKeyOf(w, bound, ring.Z(128)))
			online, dealt := p.cost()
			gotOnline, gotDealt := p.inner.masked+p.opened+p.wanted, 1
			bits := 0
			for _, d := range slices.Concat(p.lows, p.digits) {
				gotDealt += 1<<d - 1
				bits += d
			}
			for _, g := range []*logic{p.inner, p.result} {
				gotDealt += len(g.monomials) - g.earlier
			}
			if online != gotOnline || dealt != gotDealt {
				t.Errorf("%v, bound %d: cost %d opened, %d dealt; the circuit has %d, %d", thresholds, bound, online, dealt, gotOnline, gotDealt)
			}
			if bits != p.width-1 || p.step+p.width < bound+2 {
				t.Errorf("%v, bound %d: %d bits in digits of %d", thresholds, bound, bits, p.width)
			}
		}
	}
}

// TestWindowNeedsRoom: thresholds that do not fit a number's ring are a programmer's error.
func TestWindowNeedsRoom(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a window of 8 bits in a ring of 9")
		}
	}()
	windowKeyOf(windowCases(2, 21, -21), 7, ring.Z(9))
}

// TestWindowScales runs functions with tails at all scales of the argument and the result that a job may have, in
// each ring, on their whole range.
func TestWindowScales(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	runs := testcases.OneOf(t, 5)
	for _, c := range []struct {
		n, wide, own int // rings of the result and of the argument
		in, out      int
	}{
		{2, 32, 32, 8, 8}, {3, 32, 32, 8, 8}, {5, 32, 32, 8, 8}, {2, 32, 32, 11, 11}, {2, 32, 32, 1, 1}, {3, 32, 32, 2, 5},
		{2, 32, 32, 0, 8}, {2, 64, 46, 18, 18}, {3, 64, 46, 18, 18}, {2, 64, 64, 4, 18}, {2, 64, 64, 0, 18}, {2, 64, 64, -3, 18},
		{2, 64, 64, 20, 18}, {3, 64, 64, 22, 10}, {2, 64, 64, 25, 25}, {2, 64, 64, 29, 29}, {2, 128, 72, 26, 26},
		{3, 128, 128, 26, 26}, {2, 128, 128, 10, 26}, {2, 128, 128, 30, 26}, {2, 128, 128, 40, 40},
		{2, 128, 64, 18, 18},
		{2, 128, 128, 44, 56}, {2, 128, 128, 44, 61},
	} {
		for _, name := range []string{"sigmoid", "tanh", "erfc", "gelu", "silu", "softplus"} {
			for _, thrifty := range []bool{false, true} {
				if !runs() {
					continue
				}
				t.Run(fmt.Sprintf("%s/%+v/%t", name, c, thrifty), func(t *testing.T) {
					checkScales(t, name, thrifty, c.n, c.wide, c.own, c.in, c.out)
				})
			}
		}
	}
}

func checkScales(t *testing.T, name string, thrifty bool, n, wide, own, in, out int) {
	r, bound := ring.Z(own), min(own-2, 52)
	fn, _ := fourier.Windowed(name, fourier.Small)
	for fn.Above == fourier.Identity && bound-in+out > min(wide-2, 52) {
		bound--
	}
	var xs []int64
	add := func(x float64) {
		for d := -1.0; d <= 1; d++ {
			if y := math.RoundToEven(x) + d; math.Abs(y) < math.Ldexp(1, bound) {
				xs = append(xs, int64(y))
			}
		}
	}
	for j := range bound + 1 {
		add(math.Ldexp(1, j))
		add(-math.Ldexp(1, j))
	}
	for i := range 400 {
		add(math.Ldexp(float64(i-200)/8, in))
	}
	tr := trial{n: n, seed: 5, in: []operand{{v: ring.FromInts(r, xs)}}, build: func(p *Party, op *flow.Op, s []mpc.Secret) []mpc.Secret {
		return single(p.EvalTableWithTails(op, s[0], mpc.Fixed{In: in, Out: out, Ring: ring.Z(wide)}, name, thrifty))
	}}
	// Half a unit for each party and addend that is rounded, a third for words and the table's error.
	unit, table := math.Ldexp(1, -out), math.Exp2(-18.5)
	if wide > 64 && out > 18 {
		table = math.Exp2(-26.5)
	}
	limit := unit*(float64(n)/2+0.4) + table
	if in > out {
		limit += unit * float64(n) / 2
	}
	for i, got := range decoded(tr.run(t).out[0], out) {
		x := math.Ldexp(float64(xs[i]), -in)
		if want := fn.F(x); math.Abs(got-want) > limit+math.Abs(want)*math.Ldexp(1, -50) {
			t.Fatalf("%s(%v) is %v, want %v within %.3g", name, x, got, want, limit)
		}
	}
}
