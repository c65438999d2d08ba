package semi2k

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// BenchmarkRounding is what a party does to drop bits of 2^16 shares, with the
// sharing of zero and without.
func BenchmarkRounding(b *testing.B) {
	const n = 1 << 16
	for _, c := range []struct {
		from, to ring.Ring
		t        int
	}{{ring.Z(64), ring.Z(46), 18}, {ring.Z(82), ring.Z(64), 18}, {ring.Z(104), ring.Z(64), 39}, {ring.M(152), ring.Z(64), 63}} {
		for _, bare := range []bool{false, true} {
			b.Run(fmt.Sprintf("%v to %v/bare=%t", c.from, c.to, bare), func(b *testing.B) {
				p := New(b.Context(), Config{Rank: 0, Computing: 2, Zero: map[int]ring.Seed{1: {1}}})
				ends := link.Memory(2)
				defer ends[0].Close()
				defer ends[1].Close()
				op := flow.New(b.Context(), link.Online, ends[0], &flow.Account{}).Op(1, &flow.Cost{}, "")
				v, out, room := ring.New(c.from, n), ring.New(c.to, n), ring.New(c.from, blockLength)
				ring.NewPRG(ring.Seed{2}).Vec(v, 1, 0)
				b.SetBytes(8 * n)
				for i := 0; b.Loop(); i++ {
					var z zeroSharing
					if !bare {
						z = p.rounding(op, uint64(i), c.from, n, c.t)
					}
					eachBlock(n, func(lo, hi int) {
						part := room.Slice(0, hi-lo)
						copy(part.Words(), v.Slice(lo, hi).Words())
						p.truncateReduceInto(out.Slice(lo, hi), part, c.t, z, lo)
					})
				}
			})
		}
	}
}
