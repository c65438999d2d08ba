package semi2k

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// constVecs holds vectors of equal elements, the longest so far for each ring and number. Shorter ones are parts of it. No vector of
// constVecs is written to.
type constVecs struct {
	mu    sync.Mutex
	vec   map[constKey]ring.Vec
	zeros []uint64
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
	if c == 0 {
		v = ring.FromZeros(r, z.zero(n*r.Words()))
	} else {
		v = ring.New(r, n)
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

// zero returns n words of zeros, those of the vectors of all rings. They are allocated anew rather than from memory that vectors have left:
// pages that the system has yet to clear take no memory when they are read.
func (z *constVecs) zero(n int) []uint64 {
	if z.zeros == nil || len(z.zeros) < n {
		z.zeros = make([]uint64, n)
	}
	return z.zeros[:n]
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
