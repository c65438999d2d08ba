package semi2k

import (
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// TestCoarseDividends checks quotients of dividends at negative scales, of public and secret ones, in the divisor's ring
// and in a narrower one, of an element and of a row for each divisor.
func TestCoarseDividends(t *testing.T) {
	for _, c := range []struct{ n, k, out, fy, narrow, rows int }{
		{2, 128, 26, -72, 128, 1}, {3, 128, 26, -72, 64, 1}, {2, 64, 18, -40, 64, 1}, {2, 64, 18, -1, 40, 1}, {3, 64, 18, -12, 64, 2},
	} {
		for _, public := range []bool{false, true} {
			xs := []int64{1, -3, 1000, -70_000}
			ys := []int64{5, -7, 0, 12}
			for _, y := range ys[:4*(c.rows-1)] {
				ys = append(ys, 3*y)
			}
			in := []operand{{v: ring.FromInts(ring.Z(c.narrow), ys), bound: 8}, {v: ring.FromInts(ring.Z(c.k), xs)}}
			tr := trial{n: c.n, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				y := in[0]
				if public {
					y = p.Public(op, ring.FromInts(ring.Z(c.narrow), ys), 8)
				}
				return single(p.Divide(op, y, c.fy, in[1], mpc.Fixed{In: 0, Out: c.out}, mpc.Normal{Signed: true, Width: 20}, false))
			}}
			for i, got := range decoded(tr.run(t).out[0], c.out) {
				want := math.Ldexp(float64(ys[i])/float64(xs[i/c.rows]), -c.fy)
				if off := math.Abs(got - want); !(off <= math.Abs(want)*1e-5+4*math.Ldexp(1, -c.out)) {
					t.Errorf("%+v, public %v: element %d is %v, want %v", c, public, i, got, want)
				}
			}
		}
	}
}
