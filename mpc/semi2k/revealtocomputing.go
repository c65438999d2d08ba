package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// RevealToComputing implements mpc.Core. Each computing party sends its share, plus its share of a sharing of zero,
// to all other computing parties. The result is open under the zero mask. The dealer does not learn it: no
// correlation request has a field for it or depends on it.
func (p *Party) RevealToComputing(op *flow.Op, x mpc.Secret) mpc.Secret {
	s := p.share(x)
	r, n := s.ring, s.n
	own, id := p.additive(op, s), op.Next()
	mine := flow.Do(op, bytes(r, n), func() outgoing { return p.rerandomised(own.Get(), id, link.Online) }, own)
	sum := p.openSum(op, bytes(r, n), []addend{vecAddend(r, n)}, func() []addend {
		a := vecAddend(r, n)
		a.vec = mine.Get().share
		return []addend{a}
	}, mine)
	delta := flow.Pick(op, func() ring.Vec { return sum.Get()[0].vec }, sum)
	return p.publicShare(op, delta, r, n, s.bound)
}

// publicShare is a vector that all computing parties know, masked by zero.
func (p *Party) publicShare(op *flow.Op, v *flow.Future[ring.Vec], r ring.Ring, n, bound int) *share {
	s := p.newShare(r, n, bound, nil)
	s.masked = newMasked(v, p.zeroVec(op, r, n), correlation.NewZero(op.Next(), r, n))
	s.masked.zeroLambda = true
	return s
}
