package semi2k

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// constVecs holds vectors of equal elements, the longest so far for each ring and number. Shorter ones are parts of it. No vector of
// constVecs is written to.
type constVecs struct {
	mu  sync.Mutex
	vec map[constKey]ring.Vec
}

type constKey struct {
	r ring.Ring
	c int64
}

const (
	// mostConstants is the number of rings and numbers from which on vectors of a further number other than 0 are not kept;
	// mostCopies is the length up to which vectors of such a number are kept.
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
