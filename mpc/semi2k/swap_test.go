package semi2k

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// TestSwap exchanges pairs in several rings by one bit each; a compare-exchange
// costs 4 rounds, 96 bits, 484 bits dealt (docs/protocols/bits.md#selection).
func TestSwap(t *testing.T) {
	const n = 64
	for _, parties := range []int{2, 3} {
		for _, k := range []int{32, 64, 128} {
			z := ring.Z(k)
			in := []operand{
				{v: extremes(z, k-3, n, 1), masked: true, bound: k - 2}, {v: extremes(z, k-3, n, 2), masked: true, bound: k - 2},
				{v: extremes(ring.Z(9), 5, n, 3)}, {v: extremes(ring.Z(9), 5, n, 4)},
			}
			res := trial{n: parties, k: z, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				b := p.Less(op, in[1], in[0])
				first, second := p.Swap(op, b, []mpc.Secret{in[0], in[2]}, []mpc.Secret{in[1], in[3]})
				return append(first, second...)
			}}.run(t)
			for i := range n {
				want := [4]string{in[0].v.Int(i).String(), in[2].v.Int(i).String(), in[1].v.Int(i).String(), in[3].v.Int(i).String()}
				if in[1].v.Int(i).Cmp(in[0].v.Int(i)) < 0 {
					want = [4]string{want[2], want[3], want[0], want[1]}
				}
				got := [4]string{res.out[0].Int(i).String(), res.out[1].Int(i).String(), res.out[2].Int(i).String(), res.out[3].Int(i).String()}
				if got != want {
					t.Fatalf("%d parties, %d bits, element %d: %v, want %v", parties, k, i, got, want)
				}
			}
		}
		in := []operand{
			{v: extremes(ring.Z(64), 61, n, 1), masked: true, bound: 62},
			{v: extremes(ring.Z(64), 61, n, 2), masked: true, bound: 62},
		}
		res := trial{n: parties, k: ring.Z(64), in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			first, second := p.Swap(op, p.Less(op, in[1], in[0]), in[:1], in[1:])
			if !first[0].Opened() || !second[0].Opened() || first[0].Bound() != 62 || second[0].Bound() != 62 {
				t.Error("results are not open, or their bounds grew")
			}
			return append(first, second...)
		}}.run(t)
		if got := fmt.Sprint(res.rounds, res.online*8/n, res.dealt*8/n); got != "4 96 484" {
			t.Errorf("%d parties: rounds, bits sent and dealt are %s", parties, got)
		}
	}
}
