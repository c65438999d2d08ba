package semi2k

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// pool holds the masks and correlations of that many comparisons whose operands are not known while the graph
// is built: masks for differences and for the gates' bits, and dealt values. A batch of comparisons takes as
// many entries as it has elements, in order; each entry is used once. The dealer learns the size of the pool,
// whatever is compared and however many entries are used (docs/protocols/sorting.md#sort).
type pool struct {
	p        *Party
	width    int
	required *requirements
	blocks   []*block
	used     int
}

// requirements is a source that records the masks and requests of one comparison. at maps an id, less the
// first id, to the index in list.
type requirements struct {
	correlation.Spent
	base uint64
	at   map[uint64]int
	list []requirement
}

// requirement is a mask or a request.
type requirement struct {
	mask    *correlation.Mask
	request *correlation.Request
}

// lessThanZero opens the differences d, |d| < 2^(width−1), and returns this party's XOR shares of [d < 0].
func (p *Party) lessThanZero(op *flow.Op, d *share, width int) bitVec {
	p.open(op, d)
	return p.negativeShares(op, comparison{d, width})[0]
}

// requirementsOf records the masks and requests of lessThanZero for one element, in an operation with the
// given objective.
func (p *Party) requirementsOf(objective flow.Objective, width int) *requirements {
	s := &requirements{at: map[uint64]int{}}
	q := *p
	q.source = s
	op := flow.NewDryRun(link.Online, &flow.Account{}).Op(0, &flow.Cost{}, "")
	op.Objective = objective
	s.base = op.Next()
	r := ring.Z(width)
	q.lessThanZero(op, q.newShare(r, 1, 0, flow.Resolved(ring.ShapeOnly(r, 1))), width)
	return s
}

func (s *requirements) record(id correlation.ID, n int, x requirement) error {
	if n != 1 {
		return fmt.Errorf("semi2k: a mask or request of %d elements in a comparison of one element", n)
	}
	s.at[uint64(id)-s.base] = len(s.list)
	s.list = append(s.list, x)
	return s.Spend(id)
}

// Leaf records a mask.
func (s *requirements) Leaf(m *correlation.Mask) (ring.Stream, error) {
	return ring.StreamOf(ring.ShapeOnly(m.Ring, m.N)), s.record(m.ID, m.N, requirement{mask: m})
}

// LeafBits records a mask of bits.
func (s *requirements) LeafBits(m *correlation.Mask) ([]ring.Bits, error) {
	bits := make([]ring.Bits, m.Planes)
	for i := range bits {
		bits[i] = ring.ShapeOnlyBits(m.N)
	}
	return bits, s.record(m.ID, m.N, requirement{mask: m})
}

// Await calls ready at once.
func (*requirements) Await(_ *correlation.Request, ready func()) { ready() }

// Take records a request.
func (s *requirements) Take(_ context.Context, r *correlation.Request) (correlation.Correlation, error) {
	return r.ShapeOnly(), s.record(r.ID, r.N, requirement{request: r})
}

// Orders returns an error: a comparison takes no permutations.
func (s *requirements) Permutations(correlation.ID, int, int) ([]int32, error) {
	return nil, errNoPermutations
}

var errNoPermutations = errors.New("semi2k: a comparison takes no permutations")

// block is the part of a pool that is expanded at one time.
type block struct {
	n    int
	list []requirement

	mu    sync.Mutex
	taken []*correlation.Correlation // masks and correlations that were taken from the source
}

// blockSize is the largest number of entries of a block.
const blockSize = 1 << 15

// newPool requests masks and correlations for size comparisons.
func (p *Party) newPool(op *flow.Op, width, size int) *pool {
	l := &pool{p: p, width: width, required: p.requirementsOf(op.Objective, width)}
	for left := size; left > 0; {
		n := min(left, blockSize)
		l.blocks = append(l.blocks, p.newBlock(op, l.required, n))
		left -= n
	}
	return l
}

// newBlock makes masks and requests for n comparisons from those of one comparison.
func (p *Party) newBlock(op *flow.Op, plan *requirements, n int) *block {
	b := &block{n: n, taken: make([]*correlation.Correlation, len(plan.list))}
	masks := map[*correlation.Mask]*correlation.Mask{}
	for i, k := range plan.list {
		if k.mask != nil {
			m := *k.mask
			m.ID, m.N = correlation.ID(op.Next()), n
			masks[k.mask] = &m
			b.list = append(b.list, requirement{mask: &m})
			continue
		}
		r := *k.request
		r.ID, r.Op, r.N, r.Factors = correlation.ID(op.Next()), op.Where(), n, nil
		for _, f := range k.request.Factors {
			f.Mask = masks[f.Mask]
			r.Factors = append(r.Factors, f)
		}
		b.list = append(b.list, requirement{request: &r})
		op.Offline(r.Bytes())
		if op.Graph.DryRun() { // a dry run records the manifest
			b.take(p, i)
		}
	}
	return b
}

// await calls ready when list[i] can be taken.
func (b *block) await(p *Party, i int, ready func()) {
	b.mu.Lock()
	there := b.taken[i] != nil
	b.mu.Unlock()
	if r := b.list[i].request; r != nil && !there {
		p.source.Await(r, ready)
	} else {
		ready()
	}
}

// take returns the block's i-th mask or correlation. It asks the source once.
func (b *block) take(p *Party, i int) (correlation.Correlation, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken[i] != nil {
		return *b.taken[i], nil
	}
	var m correlation.Correlation
	var err error
	k := b.list[i]
	switch {
	case k.request != nil:
		m, err = p.source.Take(p.ctx, k.request)
		m.Vec = ring.StreamOf(m.Vec.Vec()) // expanded, as several batches read it
	case k.mask.Kind == correlation.FreshBits:
		m.Bits, err = p.source.LeafBits(k.mask)
	default:
		m.Vec, err = p.source.Leaf(k.mask)
		m.Vec = ring.StreamOf(m.Vec.Vec())
	}
	if err == nil {
		b.taken[i] = &m
	}
	return m, err
}

// drain takes the correlations that are left from the source: a session uses up all that was dealt for it,
// whatever the comparisons revealed.
func (l *pool) drain(op *flow.Op) {
	for _, b := range l.blocks {
		if b == nil {
			continue
		}
		for i, k := range b.list {
			if k.request == nil || b.taken[i] != nil {
				continue
			}
			flow.DoWhen(op, 0, func(ready func()) { b.await(l.p, i, ready) }, func() (struct{}, error) {
				_, err := l.p.source.Take(l.p.ctx, k.request)
				return struct{}{}, err
			})
		}
	}
	l.blocks = nil
}

// errPoolExhausted is the error of a sort that needs more comparisons than its pool has (poolSize).
var errPoolExhausted = errors.New("the sort needs more comparisons than were dealt for it, which is meant to happen less than once in 2^40 sorts: run the job again")

// take returns the next n entries.
func (l *pool) take(n int) (*poolBatch, error) {
	b := &poolBatch{pool: l, n: n}
	start := 0
	for i, k := range l.blocks {
		if k == nil {
			start += blockSize
			continue
		}
		lo, hi := max(l.used, start), min(l.used+n, start+k.n)
		if lo < hi {
			b.parts = append(b.parts, blockRange{k, lo - start, hi - lo})
			b.have += hi - lo
		}
		start += k.n
		if start <= l.used+n {
			l.blocks[i] = nil // only the batch refers to the block from here on
		}
	}
	if b.have < n {
		return nil, errPoolExhausted
	}
	l.used += n
	return b, nil
}

// poolBatch is the source of one batch of comparisons. Like each source it gives an id once.
type poolBatch struct {
	*pool
	correlation.Spent
	n, have int
	base    uint64
	parts   []blockRange
}

// blockRange is entries lo … lo+n−1 of a block.
type blockRange struct {
	*block
	lo, n int
}

// lessThanZero is Party.lessThanZero with masks and correlations of the pool.
func (b *poolBatch) lessThanZero(op *flow.Op, d *share) bitVec {
	q := *b.p
	q.source, q.booked = b, true
	b.base = op.Next()
	return q.lessThanZero(op, d, b.width)
}

// spendID marks id as used and returns its index in the pool's requirements.
func (b *poolBatch) spendID(id correlation.ID) (int, error) {
	i, ok := b.required.at[uint64(id)-b.base]
	if !ok {
		return 0, fmt.Errorf("%w: %v is not of a pool of comparisons", correlation.ErrMissing, id)
	}
	return i, b.Spend(id)
}

// vec returns the vector with the given id, from all blocks of the batch.
func (b *poolBatch) vec(id correlation.ID, r ring.Ring) (ring.Vec, error) {
	i, err := b.spendID(id)
	if err != nil {
		return ring.Vec{}, err
	}
	var out ring.Vec
	k, at := r.Words(), 0
	for _, t := range b.parts {
		m, err := t.take(b.p, i)
		if err != nil {
			return ring.Vec{}, err
		}
		v := m.Vec.Vec().Slice(t.lo, t.lo+t.n)
		if len(b.parts) == 1 {
			return v, nil
		}
		if at == 0 {
			out = v.Like(r, b.n)
		}
		if !out.ShapeOnly() {
			copy(out.Words()[at*k:], v.Words())
		}
		at += t.n
	}
	return out, nil
}

// bits is vec for vectors of bits.
func (b *poolBatch) bits(id correlation.ID) ([]ring.Bits, error) {
	i, err := b.spendID(id)
	if err != nil {
		return nil, err
	}
	var out []ring.Bits
	at := 0 // in entries
	for _, t := range b.parts {
		m, err := t.take(b.p, i)
		if err != nil {
			return nil, err
		}
		for j, v := range m.Bits {
			each := v.Len() / t.block.n // number of bits of an entry
			if at == 0 {
				out = append(out, v.Like(b.n*each))
			}
			ring.CopyBits(out[j], at*each, v, t.lo*each, t.n*each)
		}
		at += t.n
	}
	return out, nil
}

// Leaf returns the party's share of a mask.
func (b *poolBatch) Leaf(m *correlation.Mask) (ring.Stream, error) {
	v, err := b.vec(m.ID, m.Ring)
	return ring.StreamOf(v), err
}

// LeafBits returns the party's shares of a mask of bits.
func (b *poolBatch) LeafBits(m *correlation.Mask) ([]ring.Bits, error) { return b.bits(m.ID) }

// Await calls ready when the correlation has arrived for all blocks of the batch.
func (b *poolBatch) Await(r *correlation.Request, ready func()) {
	i, ok := b.required.at[uint64(r.ID)-b.base]
	if !ok {
		ready() // Take returns the error
		return
	}
	b.await(i, b.parts, ready)
}

func (b *poolBatch) await(i int, of []blockRange, ready func()) {
	if len(of) == 0 {
		ready()
		return
	}
	of[0].await(b.p, i, func() { b.await(i, of[1:], ready) })
}

// Take returns a correlation.
func (b *poolBatch) Take(_ context.Context, r *correlation.Request) (m correlation.Correlation, err error) {
	if r.OfBits() {
		m.Bits, err = b.bits(r.ID)
	} else {
		var v ring.Vec
		v, err = b.vec(r.ID, r.Shares())
		m.Vec = ring.StreamOf(v)
	}
	return m, err
}

// Orders returns an error: a comparison takes no permutations.
func (b *poolBatch) Permutations(correlation.ID, int, int) ([]int32, error) {
	return nil, errNoPermutations
}
