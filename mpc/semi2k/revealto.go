package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// RevealTo implements mpc.Core. Each other computing party sends its share, plus its share of a sharing of zero, to the party that
// learns x. The dealer learns nothing: no correlation request has a field for x or depends on it.
func (p *Party) RevealTo(op *flow.Op, x mpc.Secret, to int) *flow.Future[ring.Vec] {
	s := p.share(x)
	r, n := s.ring, s.n
	if to < 0 || to >= p.n {
		panic("semi2k: a vector is revealed to a party that does not compute")
	}
	own, id := p.additive(op, s), op.Next()
	mine := flow.Do(op, bytes(r, n), func() outgoing { return p.rerandomised(own.Get(), id, link.Online) }, own)
	t := flow.ExchangeSpec{Rounds: 1} // also at senders: all parties' rounds are alike
	if p.rank == to {
		t.From, t.Size = p.others, (n*r.Bits+7)/8
	} else if p.rank < p.n {
		t.To = []int{to}
		t.Pack = func() ring.Payload {
			w := writerOf(op, (n*r.Bits+7)/8)
			w.Vec(mine.Get().share)
			return w.Payload()
		}
	}
	return flow.Exchange(op, bytes(r, n), t, func(in []ring.Payload) (ring.Vec, error) {
		if p.rank != to {
			return ring.Vec{}, nil
		}
		sum := mine.Get().share
		for _, m := range in {
			rd := ring.NewReader(m)
			ring.Add(sum, sum, rd.Vec(r, n))
			if err := rd.Close(); err != nil {
				return ring.Vec{}, err
			}
		}
		return sum, nil
	}, mine)
}

// InputLate implements mpc.Core. The owner's share is the vector and all others' are zero, plus a sharing of zero, so that shares are
// uniform as those of other results are.
func (p *Party) InputLate(op *flow.Op, owner int, r ring.Ring, n, bound int, words *flow.Future[ring.Vec]) mpc.Secret {
	if owner < 0 || owner >= p.n {
		panic("semi2k: a late vector of a party that does not compute")
	}
	id := op.Next()
	return p.newShare(r, n, bound, flow.Do(op, bytes(r, n), func() ring.Vec {
		if op.Graph.DryRun() {
			return ring.ShapeOnly(r, n)
		}
		v := words.Get()
		if p.rank != owner {
			v = p.constVecs.of(r, 0, n)
		}
		return p.rerandomised(v, id, link.Online).share
	}, words))
}
