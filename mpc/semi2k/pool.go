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

// pool is what so many comparisons need whose operands are not known while the
// graph is built: masks to open differences and gates' bits under, and what is
// dealt of them. A batch of comparisons takes as many entries as it has
// elements, in order, each once. What the dealer is asked for is the pool's
// size, whatever is compared and however much of it is used.
type pool struct {
	p      *Party
	width  int
	plan   *supplies
	blocks []*block
	used   int
}

// supplies are all that one comparison asks a source for, by how far their ids
// are from the first one.
type supplies struct {
	correlation.Spent
	base  uint64
	at    map[uint64]int
	kinds []supply
}

// supply is a mask, or a request.
type supply struct {
	mask    *correlation.Mask
	request *correlation.Request
}

// belowZero opens differences and gives this party's XOR shares of [d < 0], of
// magnitudes below 2^(width−1).
func (p *Party) belowZero(op *flow.Op, d *share, width int) bitVec {
	p.open(op, d)
	return p.negativeShares(op, comparison{d, width})[0]
}

// suppliesOf writes down what belowZero of one element asks for, in an operation
// of the given aim.
func (p *Party) suppliesOf(aim flow.Aim, width int) *supplies {
	s := &supplies{at: map[uint64]int{}}
	q := *p
	q.source = s
	op := flow.NewWeightless(link.Online, &flow.Account{}).Op(0, &flow.Cost{}, "")
	op.Aim = aim
	s.base = op.Next()
	r := ring.Z(width)
	q.belowZero(op, q.newShare(r, 1, 0, flow.Known(ring.Weightless(r, 1))), width)
	return s
}

func (s *supplies) note(id correlation.ID, n int, x supply) error {
	if n != 1 {
		return fmt.Errorf("semi2k: %d elements of a comparison's material", n)
	}
	s.at[uint64(id)-s.base] = len(s.kinds)
	s.kinds = append(s.kinds, x)
	return s.Spend(id)
}

// Leaf notes a mask.
func (s *supplies) Leaf(m *correlation.Mask) (ring.Vec, error) {
	return ring.Weightless(m.Ring, m.N), s.note(m.ID, m.N, supply{mask: m})
}

// LeafBits notes a mask of bits.
func (s *supplies) LeafBits(m *correlation.Mask) ([]ring.Bits, error) {
	bits := make([]ring.Bits, m.Planes)
	for i := range bits {
		bits[i] = ring.WeightlessBits(m.N)
	}
	return bits, s.note(m.ID, m.N, supply{mask: m})
}

// Await is ready.
func (*supplies) Await(_ *correlation.Request, ready func()) { ready() }

// Take notes a request.
func (s *supplies) Take(_ context.Context, r *correlation.Request) (correlation.Material, error) {
	return r.Weightless(), s.note(r.ID, r.N, supply{request: r})
}

// Orders has no place in a comparison.
func (s *supplies) Orders(correlation.ID, int, int) ([]int32, error) { return nil, errNoOrders }

var errNoOrders = errors.New("semi2k: a comparison asks for orders")

// block is a part of a pool: as much as is expanded at one time.
type block struct {
	n     int
	kinds []supply

	mu  sync.Mutex
	got []*correlation.Material // what was taken of the source
}

// blockSize bounds a block's entries.
const blockSize = 1 << 15

// newPool orders what size comparisons need.
func (p *Party) newPool(op *flow.Op, width, size int) *pool {
	l := &pool{p: p, width: width, plan: p.suppliesOf(op.Aim, width)}
	for left := size; left > 0; {
		n := min(left, blockSize)
		l.blocks = append(l.blocks, p.newBlock(op, l.plan, n))
		left -= n
	}
	return l
}

// newBlock makes a pattern of one comparison one of n.
func (p *Party) newBlock(op *flow.Op, plan *supplies, n int) *block {
	b := &block{n: n, got: make([]*correlation.Material, len(plan.kinds))}
	masks := map[*correlation.Mask]*correlation.Mask{}
	for i, k := range plan.kinds {
		if k.mask != nil {
			m := *k.mask
			m.ID, m.N = correlation.ID(op.Next()), n
			masks[k.mask] = &m
			b.kinds = append(b.kinds, supply{mask: &m})
			continue
		}
		r := *k.request
		r.ID, r.Op, r.N, r.Factors = correlation.ID(op.Next()), op.Where(), n, nil
		for _, f := range k.request.Factors {
			f.Mask = masks[f.Mask]
			r.Factors = append(r.Factors, f)
		}
		b.kinds = append(b.kinds, supply{request: &r})
		op.Offline(r.Bytes())
		if op.Graph.Weightless() { // where requests are written down
			b.take(p, i)
		}
	}
	return b
}

// await calls ready when the i-th supply can be taken.
func (b *block) await(p *Party, i int, ready func()) {
	b.mu.Lock()
	there := b.got[i] != nil
	b.mu.Unlock()
	if r := b.kinds[i].request; r != nil && !there {
		p.source.Await(r, ready)
	} else {
		ready()
	}
}

// take gets the block's i-th supply from the source, once.
func (b *block) take(p *Party, i int) (correlation.Material, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.got[i] != nil {
		return *b.got[i], nil
	}
	var m correlation.Material
	var err error
	k := b.kinds[i]
	switch {
	case k.request != nil:
		m, err = p.source.Take(p.ctx, k.request)
		m.Vec = ring.StreamOf(m.Vec.Vec()) // several batches read it
	case k.mask.Kind == correlation.FreshBits:
		m.Bits, err = p.source.LeafBits(k.mask)
	default:
		var v ring.Vec
		v, err = p.source.Leaf(k.mask)
		m.Vec = ring.StreamOf(v)
	}
	if err == nil {
		b.got[i] = &m
	}
	return m, err
}

// drain takes what is left from the source, as what is dealt for a session is
// destroyed with it.
func (l *pool) drain(op *flow.Op) {
	for _, b := range l.blocks {
		if b == nil {
			continue
		}
		for i, k := range b.kinds {
			if k.request == nil || b.got[i] != nil {
				continue
			}
			flow.Later(op, 0, func(ready func()) { b.await(l.p, i, ready) }, func() (struct{}, error) {
				_, err := l.p.source.Take(l.p.ctx, k.request)
				return struct{}{}, err
			})
		}
	}
	l.blocks = nil
}

// errUsedUp is what happens once in more than 2^40 sorts.
var errUsedUp = errors.New("sorting took more comparisons than were dealt for it, which chance brings about once in 2^40 runs: run the job again")

// take gives the next n entries.
func (l *pool) take(n int) (*withdrawal, error) {
	b := &withdrawal{pool: l, n: n}
	start := 0
	for i, k := range l.blocks {
		if k == nil {
			start += blockSize
			continue
		}
		lo, hi := max(l.used, start), min(l.used+n, start+k.n)
		if lo < hi {
			b.parts = append(b.parts, part{k, lo - start, hi - lo})
			b.have += hi - lo
		}
		start += k.n
		if start <= l.used+n {
			l.blocks[i] = nil // the batch's now
		}
	}
	if b.have < n {
		return nil, errUsedUp
	}
	l.used += n
	return b, nil
}

// withdrawal is what one batch of comparisons takes of a pool: its source. Like
// every source it gives each id once.
type withdrawal struct {
	*pool
	correlation.Spent
	n, have int
	base    uint64
	parts   []part
}

// part are n entries of a block.
type part struct {
	*block
	lo, n int
}

// belowZero is belowZero with material of the pool.
func (b *withdrawal) belowZero(op *flow.Op, d *share) bitVec {
	q := *b.p
	q.source, q.ahead = b, true
	b.base = op.Next()
	return q.belowZero(op, d, b.width)
}

// give is the number of the supply with the given id, once.
func (b *withdrawal) give(id correlation.ID) (int, error) {
	i, ok := b.plan.at[uint64(id)-b.base]
	if !ok {
		return 0, fmt.Errorf("%w: %v in a pool", correlation.ErrMissing, id)
	}
	return i, b.Spend(id)
}

// vec is the supply with the given id, of all parts.
func (b *withdrawal) vec(id correlation.ID, r ring.Ring) (ring.Vec, error) {
	i, err := b.give(id)
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
		if !out.Weightless() {
			copy(out.Words()[at*k:], v.Words())
		}
		at += t.n
	}
	return out, nil
}

// bits is vec of vectors of bits.
func (b *withdrawal) bits(id correlation.ID) ([]ring.Bits, error) {
	i, err := b.give(id)
	if err != nil {
		return nil, err
	}
	var out []ring.Bits
	at := 0 // entries
	for _, t := range b.parts {
		m, err := t.take(b.p, i)
		if err != nil {
			return nil, err
		}
		for j, v := range m.Bits {
			each := v.Len() / t.block.n // bits of an entry
			if at == 0 {
				out = append(out, v.Like(b.n*each))
			}
			ring.CopyBits(out[j], at*each, v, t.lo*each, t.n*each)
		}
		at += t.n
	}
	return out, nil
}

// Leaf gives the mask's part.
func (b *withdrawal) Leaf(m *correlation.Mask) (ring.Vec, error) { return b.vec(m.ID, m.Ring) }

// LeafBits gives the mask's part.
func (b *withdrawal) LeafBits(m *correlation.Mask) ([]ring.Bits, error) { return b.bits(m.ID) }

// Await waits for what was dealt for all parts.
func (b *withdrawal) Await(r *correlation.Request, ready func()) {
	i, ok := b.plan.at[uint64(r.ID)-b.base]
	if !ok {
		ready() // Take will say
		return
	}
	b.await(i, b.parts, ready)
}

func (b *withdrawal) await(i int, of []part, ready func()) {
	if len(of) == 0 {
		ready()
		return
	}
	of[0].await(b.p, i, func() { b.await(i, of[1:], ready) })
}

// Take gives the part of what was dealt.
func (b *withdrawal) Take(_ context.Context, r *correlation.Request) (m correlation.Material, err error) {
	if r.OfBits() {
		m.Bits, err = b.bits(r.ID)
	} else {
		var v ring.Vec
		v, err = b.vec(r.ID, r.Shares())
		m.Vec = ring.StreamOf(v)
	}
	return m, err
}

// Orders has no place in a comparison.
func (b *withdrawal) Orders(correlation.ID, int, int) ([]int32, error) { return nil, errNoOrders }
