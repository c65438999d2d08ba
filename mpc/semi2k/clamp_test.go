package semi2k

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// clampCase is a clamp of numbers below 2^bound of one ring to [low, high] in another.
type clampCase struct {
	own, out, bound int
	low, high       int64
}

// clampCases have ends that agree in their low bits and ends that do not, that are close and far from each other.
var clampCases = []clampCase{
	{64, 64, 62, 0, 6 << 18}, {64, 64, 62, -1 << 18, 1 << 18}, {64, 64, 62, 3, 3}, {64, 64, 44, -12345, 777777}, {46, 64, 44, 0, 6 << 18},
	{128, 128, 126, 0, 6 << 26}, {64, 64, 62, -5, 1 << 50}, {64, 64, 62, 7, 1<<20 - 1}, {64, 64, 62, -1, 0}, {32, 32, 30, 0, 6 << 8},
	{32, 32, 30, -1 << 29, 1<<29 + 1}, {46, 46, 44, -1, 1<<20 - 2},
}

// points are numbers around 0, the ends of the clamp and of the range, and powers of two from each of them.
func (c clampCase) points() (out []*big.Int) {
	limit := new(big.Int).Lsh(big.NewInt(1), uint(c.bound))
	add := func(x *big.Int) {
		if x.CmpAbs(limit) < 0 {
			out = append(out, x)
		}
	}
	for _, at := range []*big.Int{{}, big.NewInt(c.low), big.NewInt(c.high), limit, new(big.Int).Neg(limit)} {
		for d := int64(-3); d <= 3; d++ {
			add(new(big.Int).Add(at, big.NewInt(d)))
		}
		for j := range c.bound {
			for d := int64(-1); d <= 1; d++ {
				p := new(big.Int).Lsh(big.NewInt(1), uint(j))
				p.Add(p, big.NewInt(d))
				add(new(big.Int).Add(at, p))
				add(new(big.Int).Sub(at, p))
			}
		}
	}
	return out
}

func (c clampCase) want(x *big.Int) *big.Int {
	if low := big.NewInt(c.low); x.Cmp(low) < 0 {
		return low
	}
	if high := big.NewInt(c.high); x.Cmp(high) > 0 {
		return high
	}
	return x
}

// clamp builds the clamp, and if again what the memoised comparisons give.
func (c clampCase) clamp(objective flow.Objective, again bool) func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
	return func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		x, out := p.share(in[0]), ring.Z(c.out)
		x.bound, op.Objective = c.bound, objective
		y := single(p.Clamp(op, out, x, c.low, c.high))
		if again {
			y = append(y, p.B2A(op, ring.Z(8), p.LessConst(op, x, c.low)), p.B2A(op, ring.Z(8), p.LessConst(op, x, c.high)),
				p.Clamp(op, out, x, c.low, c.high))
		}
		return y
	}
}

// TestClamp compares Clamp with its definition at the ends of x's range and of the clamp's, and the comparisons that
// it leaves with theirs.
func TestClamp(t *testing.T) {
	t.Parallel()
	for i, c := range clampCases {
		xs := c.points()
		for _, n := range []int{2, 3} {
			t.Run(fmt.Sprintf("%+v/n=%d", c, n), func(t *testing.T) {
				aim := []flow.Objective{flow.ForOnline, flow.ForRounds}[(i+n)%2]
				tr := trial{n: n, seed: 3, in: []operand{{v: ring.FromBig(ring.Z(c.own), xs), bound: c.bound}}, build: c.clamp(aim, true)}
				got := tr.run(t).out
				for i, x := range xs {
					for _, j := range []int{0, 3} {
						if y := got[j].Int(i); y.Cmp(c.want(x)) != 0 {
							t.Fatalf("clamp of %v is %v, want %v", x, y, c.want(x))
						}
					}
					for j, end := range []int64{c.low, c.high} {
						less := int64(0)
						if x.Cmp(big.NewInt(end)) < 0 {
							less = 1
						}
						if b := got[1+j].Int(i).Int64(); b != less {
							t.Fatalf("[%v < %d] is %d", x, end, b)
						}
					}
				}
			})
		}
	}
}

// TestClampNarrowly tests the form that opens the result in few bits, which many elements take.
func TestClampNarrowly(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	narrow := 0
	for _, c := range clampCases {
		xs := c.points()
		if narrow == 2 {
			break
		}
		tr := trial{n: 2, seed: 4, in: []operand{{v: ring.ShapeOnly(ring.Z(c.own), 1<<17), bound: c.bound}}, build: c.clamp(flow.ForTotal, false)}
		if _, _, _, g := tr.dryRun(0); g.Rounds() != 5 {
			continue
		}
		narrow++
		for n, rounds := range map[int]int{1 << 14: 4, 1 << 20: 5} { // by default where dealt bytes weigh less
			many := trial{n: 2, seed: 4, in: []operand{{v: ring.ShapeOnly(ring.Z(c.own), n), bound: c.bound}}, build: c.clamp(flow.ForOnline, false)}
			if _, _, _, g := many.dryRun(0); g.Rounds() != rounds {
				t.Errorf("%+v: %d elements take %d rounds by default, want %d", c, n, g.Rounds(), rounds)
			}
		}
		for len(xs) < 1<<17 {
			xs = append(xs, xs[:min(len(xs), 1<<17-len(xs))]...)
		}
		tr.in[0].v = ring.FromBig(ring.Z(c.own), xs)
		out := tr.run(t).out[0]
		for i, x := range xs {
			if y := out.Int(i); y.Cmp(c.want(x)) != 0 {
				t.Fatalf("%+v: clamp of %v is %v, want %v", c, x, y, c.want(x))
			}
		}
	}
	if narrow < 2 {
		t.Errorf("%d of the clamps are opened narrowly", narrow)
	}
}

// TestClampCosts bounds the cost of a ReLU6: of a number of the whole ring, and of a product.
func TestClampCosts(t *testing.T) {
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	const n = 1 << 17
	for _, c := range []struct {
		clampCase
		aim           flow.Objective
		opened, dealt float64 // bytes of an element
		rounds        int
	}{
		{clampCases[0], flow.ForOnline, 14.75, 71.5, 4}, {clampCases[0], flow.ForTotal, 14.75, 71.5, 4},
		{clampCases[4], flow.ForOnline, 10, 60.8, 4}, {clampCases[4], flow.ForTotal, 12.75, 48.8, 5},
	} {
		tr := trial{n: 2, in: []operand{{v: ring.ShapeOnly(ring.Z(c.own), n), bound: c.bound}}, build: c.clamp(c.aim, false)}
		_, form, cost, g := tr.dryRun(0)
		opened, dealt := float64(cost.Bytes.Load())/n, float64(form.Bytes())/n
		if opened > c.opened || dealt > c.dealt || g.Rounds() != c.rounds {
			t.Errorf("%+v: %.2f bytes in %d rounds, %.1f dealt", c, opened, g.Rounds(), dealt)
		}
	}
}
