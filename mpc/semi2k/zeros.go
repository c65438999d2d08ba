package semi2k

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// zeroVecs are vectors of zeros, of each ring parts of one that nobody writes to.
type zeroVecs struct {
	mu  sync.Mutex
	vec map[ring.Ring]ring.Vec
}

func (z *zeroVecs) of(r ring.Ring, n int) ring.Vec {
	z.mu.Lock()
	defer z.mu.Unlock()
	v, ok := z.vec[r]
	if !ok || v.Len() < n {
		if z.vec == nil {
			z.vec = map[ring.Ring]ring.Vec{}
		}
		v = ring.New(r, n)
		z.vec[r] = v
	}
	return v.Slice(0, n)
}

// zeroVec are n zeros, not to be written to.
func (p *Party) zeroVec(op *flow.Op, r ring.Ring, n int) *flow.Future[ring.Vec] {
	if op.Graph.DryRun() {
		return flow.Resolved(ring.ShapeOnly(r, n))
	}
	return flow.Resolved(p.zeroVecs.of(r, n))
}
