package semi2k

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// zeros are vectors of zeros, of each ring parts of one that nobody writes to.
type zeros struct {
	mu  sync.Mutex
	vec map[ring.Ring]ring.Vec
}

func (z *zeros) of(r ring.Ring, n int) ring.Vec {
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

// zeros are n zeros, not to be written to.
func (p *Party) zeros(op *flow.Op, r ring.Ring, n int) *flow.Of[ring.Vec] {
	if op.Graph.Weightless() {
		return flow.Known(ring.Weightless(r, n))
	}
	return flow.Known(p.zero.of(r, n))
}
