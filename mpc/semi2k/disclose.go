package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// Disclose sends every computing party's share, plus its part of a sharing of
// zero, to all others. What results is open under a mask that is zero. The
// dealer does not learn it: requests have no room for it, and nothing that is
// asked for depends on it.
func (p *Party) Disclose(op *flow.Op, x mpc.Secret) mpc.Secret {
	s := p.share(x)
	r, n := s.ring, s.n
	own, id := p.own(op, s), op.Next()
	mine := flow.Do(op, bytes(r, n), func() ring.Vec { return p.rerandomised(own.Get(), id, link.Online) }, own)
	delta := flow.Exchange(op, bytes(r, n), flow.Talk{
		To: p.others, From: p.others, Size: (n*r.Bits + 7) / 8,
		Pack: func() ring.Payload {
			var w ring.Writer
			w.Vec(mine.Get())
			return w.Payload()
		},
	}, func(in []ring.Payload) (ring.Vec, error) {
		sum := mine.Get().Clone()
		for _, m := range in {
			rd := ring.NewReader(m)
			v := rd.Vec(r, n)
			if err := rd.Close(); err != nil {
				return ring.Vec{}, err
			}
			ring.Add(sum, sum, v)
		}
		return sum, nil
	}, mine)
	out := p.newShare(r, n, s.bound, nil)
	out.masked = newMasked(delta, p.zeros(op, r, n), correlation.NewZero(op.Next(), r, n))
	out.masked.none = true
	return out
}
