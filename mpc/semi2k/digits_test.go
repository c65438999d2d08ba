package semi2k

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// TestRootsOfFineForms takes roots of numbers of all sizes in the fine form beside rings of 128 bits.
func TestRootsOfFineForms(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("TestOperations runs the same goroutines")
	}
	for _, f := range []int{6, 10, 15, 16, 20, 26, 31} {
		r, scale := fxp.FineForm(ring.Z(128), f)
		width := fxp.ValueBits(ring.Z(128), f) + scale
		t.Run(fmt.Sprintf("f=%d/%v/%d", f, r, scale), func(t *testing.T) {
			var xs []*big.Int
			for j := range width {
				xs = append(xs, new(big.Int).Lsh(big.NewInt(1), uint(j)))
			}
			out := f + 10
			tr := trial{n: 2, seed: 5, in: []operand{{v: ring.FromBig(r, xs)}}, build: func(p *Party, op *flow.Op, s []mpc.Secret) []mpc.Secret {
				return single(p.Power(op, s[0], mpc.Fixed{In: scale, Out: out}, mpc.Normal{Signed: true, Width: width}, 0.5))
			}}
			for i, got := range decoded(tr.run(t).out[0], out) {
				want := math.Exp2(float64(i-scale) / 2)
				if math.Abs(got-want) > 2*math.Ldexp(1, -out)+1e-6*want {
					t.Fatalf("root of 2^%d is %v, want %v", i-scale, got, want)
				}
			}
		})
	}
}
