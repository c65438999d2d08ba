package semi2k

import (
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// TestAdditiveShare: whatever form a vector has, the parties' shares of it as it stands
// are the vector's, and what is done with it afterwards costs what it would have.
func TestAdditiveShare(t *testing.T) {
	z := ring.Z(64)
	open := func(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret {
		p.Open(op, x)
		return x
	}
	for name, c := range map[string]struct {
		make func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret
		use  func(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret
	}{
		"shares": {func(_ *Party, _ *flow.Op, in []mpc.Secret) mpc.Secret { return in[0] }, open},
		"input":  {func(_ *Party, _ *flow.Op, in []mpc.Secret) mpc.Secret { return in[1] }, open},
		"opened": {func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return open(p, op, in[0]) }, open},
		"tiles":  {func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return tiles(p, op, in[0]) }, open},
		"a tile of a sum": {func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Linear(op, sliced(10, 2, 6), p.Linear(op, maps.Combine{N: 10, Coef: []int64{1, -1}}, in[0], in[1]))
		}, open},
		"negative": {func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Linear(op, maps.Combine{N: 10, Coef: []int64{-1}}, in[0])
		}, func(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret { return p.Relu(op, z, x) }},
		"polynomial": {func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.Relu(op, z, in[0]) }, open},
		"bits": {func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.AddPublic(op, p.LessConst(op, in[0], 7), ring.FromWords(ring.Z(1), []uint64{1, 0, 1, 0, 1, 0, 1, 0, 1, 0}), 1)
		}, func(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret { return p.B2A(op, z, x) }},
	} {
		for n := 2; n <= 3; n++ {
			in := []operand{{v: extremes(z, 20, 10, 1), bound: 20}, {v: extremes(z, 20, 10, 2), bound: 20, masked: true}}
			run := func(aside bool) outcome {
				return trial{n: n, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
					x := c.make(p, op, in)
					if !aside {
						return []mpc.Secret{c.use(p, op, x), x}
					}
					share := p.newShare(x.Ring(), x.Len(), x.Bound(), p.AdditiveShare(op, x))
					return []mpc.Secret{c.use(p, op, x), share}
				}}.run(t)
			}
			with, without := run(true), run(false)
			if with.online != without.online || with.messages != without.messages || with.rounds != without.rounds || with.dealt != without.dealt {
				t.Errorf("%s, n = %d: %d bytes, %d messages, %d rounds and %d bytes dealt; without %d, %d, %d and %d", name, n,
					with.online, with.messages, with.rounds, with.dealt, without.online, without.messages, without.rounds, without.dealt)
			}
			for i, v := range with.out {
				if !slices.Equal(v.Words(), without.out[i].Words()) {
					t.Errorf("%s, n = %d: result %d is %v, and without %v", name, n, i, v.Words(), without.out[i].Words())
				}
			}
		}
	}
}
