package semi2k

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// Reveal implements mpc.Core (docs/protocols/arithmetic.md#reveal). Each computing party sends its share, plus its
// share of a sharing of zero, to the parties that learn x.
func (p *Party) Reveal(op *flow.Op, x mpc.Secret, to []int) *flow.Future[ring.Vec] {
	s := p.share(x)
	r, n := s.ring, s.n
	var t flow.ExchangeSpec
	var mine *flow.Future[outgoing]
	var ds []flow.Dep
	learns := slices.Contains(to, p.rank)
	if p.rank < p.n {
		own := flow.Resolved(s.additive.Get())
		id := op.Next()
		mine = flow.Do(op, bytes(r, n), func() outgoing { return p.rerandomised(own.Get(), id, link.Output) }, own)
		ds = append(ds, mine)
		for _, i := range to {
			if i != p.rank {
				t.To = append(t.To, i)
			}
		}
		t.Pack = func() ring.Payload {
			var w ring.Writer
			w.Vec(mine.Get().share)
			return w.Payload()
		}
	}
	if learns {
		for i := range p.n {
			if i != p.rank {
				t.From = append(t.From, i)
			}
		}
		t.Size = (n*r.Bits + 7) / 8
	}
	return flow.Exchange(op, bytes(r, n), t, func(in []ring.Payload) (ring.Vec, error) {
		if !learns {
			return ring.Vec{}, nil
		}
		var sum ring.Vec
		if mine != nil {
			sum = mine.Get().share.Clone()
		}
		for i, m := range in {
			rd := ring.NewReader(m)
			v := rd.Vec(r, n)
			if err := rd.Close(); err != nil {
				return ring.Vec{}, err
			}
			if i == 0 && mine == nil {
				sum = v
			} else {
				ring.Add(sum, sum, v)
			}
		}
		return sum, nil
	}, ds...)
}

// outgoing is a share that may leave this party without a mask. Only rerandomised makes one
// (TestOnlyOutgoingLeaves).
type outgoing struct{ share ring.Vec }

// rerandomised adds this party's part of a sharing of zero to v. An id serves one value in each phase.
func (p *Party) rerandomised(v ring.Vec, id uint64, phase link.Phase) outgoing {
	out := v.Clone()
	if v.ShapeOnly() {
		return outgoing{out}
	}
	z := p.zeroSharing(id, uint8(phase), v.Ring(), v.Len())
	eachBlock(v.Len(), func(lo, hi int) { z.addTo(out.Slice(lo, hi), lo) })
	return outgoing{out}
}
