package semi2k

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// constVecs are vectors of copies of one number, of each ring and number parts of one that nobody writes to.
type constVecs struct {
	mu  sync.Mutex
	vec map[constKey]ring.Vec
}

type constKey struct {
	r ring.Ring
	c int64
}

const (
	// mostConstants is the largest number of numbers other than 0 of which copies are kept, and mostCopies the largest number of
	// copies.
	mostConstants = 32
	mostCopies    = 1 << 16
)

// of returns n copies of c, not to be written to.
func (z *constVecs) of(r ring.Ring, c int64, n int) ring.Vec {
	z.mu.Lock()
	defer z.mu.Unlock()
	key := constKey{r, c}
	v, ok := z.vec[key]
	if ok && v.Len() >= n {
		return v.Slice(0, n)
	}
	v = ring.New(r, n)
	if c != 0 {
		ring.AddInt(v, v, c)
		if n > mostCopies || !ok && len(z.vec) >= mostConstants {
			return v
		}
	}
	if z.vec == nil {
		z.vec = map[constKey]ring.Vec{}
	}
	z.vec[key] = v
	return v
}

// zeroVec are n zeros, not to be written to.
func (p *Party) zeroVec(op *flow.Op, r ring.Ring, n int) *flow.Future[ring.Vec] {
	if op.Graph.DryRun() {
		return flow.Resolved(ring.ShapeOnly(r, n))
	}
	return flow.Resolved(p.constVecs.of(r, 0, n))
}

// ones are n ones in Z_2, not to be written to.
func (p *Party) ones(op *flow.Op, n int) ring.Vec {
	if op.Graph.DryRun() {
		return ring.ShapeOnly(ring.Z(1), n)
	}
	return p.constVecs.of(ring.Z(1), 1, n)
}
