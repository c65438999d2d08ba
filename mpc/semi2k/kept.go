package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// Held is a vector of which the party has a share since earlier.
func (p *Party) Held(v ring.Vec, bound int) mpc.Secret {
	return p.newShare(v.Ring(), v.Len(), bound, flow.Known(v))
}

// Additive is the party's share of what was settled in a graph that is done.
func Additive(x mpc.Secret) ring.Vec { return x.(*share).additive.Get() }
