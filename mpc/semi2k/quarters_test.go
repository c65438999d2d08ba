package semi2k

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// TestQuarters runs a logarithm, a reciprocal and a root with places to radix 4, on numbers of all widths that a job may
// have: ends of places, numbers that count as of either, and the ends of the range.
func TestQuarters(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	for _, c := range []struct{ n, k, fraction, width int }{
		{2, 64, 18, 0}, {3, 64, 18, 5}, {2, 64, 18, 31}, {2, 64, 18, 33}, {5, 64, 18, 40}, {2, 64, 18, 48}, {3, 64, 18, 60}, {2, 64, 18, 62},
		{2, 64, 10, 62}, {2, 128, 26, 0}, {3, 128, 26, 92}, {2, 128, 26, 126}, {2, 32, 8, 30}, {2, 32, 8, 20}, {2, 128, 18, 62},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			width := c.width
			if width == 0 {
				width = precisionFor(ring.Z(c.k), c.fraction).width
			}
			var xs []*big.Int
			limit := new(big.Int).Lsh(big.NewInt(1), uint(width))
			for j := range width + 1 {
				for _, times := range []int64{4, 3, 5, 7} {
					for d := int64(-2); d <= 2; d++ {
						x := new(big.Int).Lsh(big.NewInt(times), uint(j))
						if x.Rsh(x, 2).Add(x, big.NewInt(d)); x.Sign() >= 0 && x.Cmp(limit) < 0 {
							xs = append(xs, x)
						}
					}
				}
			}
			f := mpc.Fixed{In: c.fraction, Out: c.fraction}
			normal := mpc.Normal{Width: c.width}
			tr := trial{n: c.n, k: ring.Z(c.k), seed: 6, in: []operand{{v: ring.FromBig(ring.Z(c.k), xs)}}}
			tr.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				op.Objective = flow.ForTotal
				return []mpc.Secret{
					p.log(op, in[0], f, normal, false, true), p.log(op, in[0], f, normal, true, true), p.log(op, in[0], f, normal, false, false),
					p.Power(op, in[0], f, normal, -1), p.Power(op, in[0], f, normal, -0.5), p.Power(op, in[0], f, normal, 0.5),
				}
			}
			unit := math.Ldexp(1, -c.fraction)
			bar := unit*float64(c.n)/2 + max(unit/4, math.Exp2(-21))
			if c.k > 64 && c.fraction > 18 {
				bar = unit*float64(c.n)/2 + math.Exp2(-28)
			}
			for j, out := range tr.run(t).out {
				for i, got := range decoded(out, c.fraction) {
					x, _ := new(big.Float).SetInt(xs[i]).Float64()
					x = math.Max(x, 1) * unit
					want := []float64{math.Log(x), math.Log2(x), math.Log(x), 1 / x, 1 / math.Sqrt(x), math.Sqrt(x)}[j]
					if j == 5 && xs[i].Sign() == 0 {
						want = 0
					}
					if limit := bar * math.Max(1, want) * (1 + float64(j/3)); math.Abs(got-want) > limit {
						t.Fatalf("function %d of %v is %v, want %v within %.3g", j, xs[i], got, want, limit)
					}
				}
			}
		})
	}
}
