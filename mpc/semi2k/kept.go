package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// FromShare implements mpc.Core: it returns the vector of which v is this party's additive share.
func (p *Party) FromShare(v ring.Vec, bound int) mpc.Secret {
	return p.newShare(v.Ring(), v.Len(), bound, flow.Resolved(v))
}

// Additive returns the party's additive share of a finalized secret, after its graph has run.
func (s *share) Additive() ring.Vec { return s.additive.Get() }
