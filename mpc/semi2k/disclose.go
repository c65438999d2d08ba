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
	mine := flow.Do(op, bytes(r, n), func() outgoing { return p.rerandomised(own.Get(), id, link.Online) }, own)
	sum := p.total(op, bytes(r, n), []addend{numbers(r, n)}, func() []addend {
		a := numbers(r, n)
		a.vec = mine.Get().share
		return []addend{a}
	}, mine)
	delta := flow.Pick(op, func() ring.Vec { return sum.Get()[0].vec }, sum)
	return p.knownToAll(op, delta, r, n, s.bound)
}

// knownToAll is a vector that all computing parties know, masked by zero.
func (p *Party) knownToAll(op *flow.Op, v *flow.Of[ring.Vec], r ring.Ring, n, bound int) *share {
	s := p.newShare(r, n, bound, nil)
	s.masked = newMasked(v, p.zeros(op, r, n), correlation.NewZero(op.Next(), r, n))
	s.masked.none = true
	return s
}
