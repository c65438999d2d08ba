package semi2k

import (
	"context"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// Party implements mpc.Protocol for one party of a session. The interfaces of package mpc say what its methods
// return; the comments here say how they work and what they send. A method returns at once; its steps run with the
// graph of its argument op.
type Party struct {
	ctx       context.Context
	rank      int
	n         int // computing parties: ranks below n
	dealer    int // see Config
	source    correlation.Source
	pairs     map[int]*ring.PRG // by rank: seeds shared with the other computing parties
	constVecs *constVecs
	others    []int // the other computing parties
	inputs    Inputs
	earlier   []Inputs // Config.Earlier
	firstOp   uint32   // Config.First
	opening   uint32   // Config.Opening
	// scatter is Config.Scatter
	scatter  int
	products map[correlation.ID]ring.Vec // Config.Products, less those that were taken
	common   *ring.PRG                   // seed shared by all computing parties
	// booked says that what is taken was booked when it was ordered (pool).
	booked bool
	// bare says that shares are rounded without a sharing of zero: what must not
	// be, so that tests can show that they would see it.
	bare bool
}

// Config says which party of a session New makes, and with which seeds and correlations.
type Config struct {
	// Rank is the party's rank; Computing is the number of computing parties, which have the ranks below it.
	Rank, Computing int
	// Dealer is the rank of the party that deals, at least Computing. 0: the dealer is no party of the job.
	Dealer int
	// Source gives the party its correlations; in a dry run it records what is requested.
	Source correlation.Source
	// Zero holds, for the rank of each other computing party, the seed that the two parties share. nil in a dry run.
	Zero map[int]ring.Seed
	// Common is the seed that all computing parties share and the dealer does not know; unused in a dry run.
	Common ring.Seed
	// Scatter is the message size in bytes from which openings among more than two parties use reduce-scatter and
	// all-gather: one more round, 2/n of the bytes to each other party. 0: never. All parties must have the same
	// value.
	Scatter int
	// Inputs holds the vectors that the input phase shared. A dry run adds the vectors that it needs.
	Inputs Inputs
	// Earlier holds the staying vectors that openings of the session's earlier programs have shared.
	Earlier []Inputs
	// First is the number of this request's first operation. All requests of one program have the same operations in
	// the same order.
	First uint32
	// Opening is First of the execution that recorded the staying vectors of Inputs.
	Opening uint32
	// Products is what ProductsAhead returned for this request; nil if nothing was computed ahead, and in a dry run.
	Products map[correlation.ID]ring.Vec
}

// New returns the party that c describes. If ctx ends, steps that wait for correlations fail.
func New(ctx context.Context, c Config) *Party {
	p := &Party{
		ctx:       ctx,
		rank:      c.Rank,
		n:         c.Computing,
		dealer:    c.Dealer,
		source:    c.Source,
		inputs:    c.Inputs,
		earlier:   c.Earlier,
		firstOp:   c.First,
		opening:   c.Opening,
		scatter:   c.Scatter,
		products:  c.Products,
		pairs:     map[int]*ring.PRG{},
		constVecs: &constVecs{},
	}
	for i := range p.n {
		if i != p.rank {
			p.others = append(p.others, i)
		}
	}
	p.common = ring.NewPRG(c.Common)
	for i, s := range c.Zero {
		p.pairs[i] = ring.NewPRG(s)
	}
	return p
}

// Computing implements mpc.Rounder: it returns the number of computing parties.
func (p *Party) Computing() int { return p.n }

// first reports whether this party is the one that adds public constants to shares.
func (p *Party) first() bool { return p.rank == 0 }

// take requests a correlation and returns pick of it, which takes hold bytes. The source is asked when an
// operation needs the future; correlations that no operation needs are not dealt. A request without an id
// gets the next one.
// spend adds the work beyond writing those bytes.
func take[T any](
	p *Party, op *flow.Op, r *correlation.Request, hold int64, spend func(), pick func(correlation.Correlation) T,
) *flow.Future[T] {
	if r.ID == 0 {
		r.ID = correlation.ID(op.Next())
	}
	r.Op = op.Where()
	return flow.Dealt(op, hold, uint64(r.ID), func(ready func()) { p.source.Await(r, ready) }, func() (T, error) {
		if spend(); !p.booked {
			op.Offline(r.Bytes())
		}
		m, err := p.source.Take(p.ctx, r)
		return pick(m), err
	})
}

// takeVec takes a vector over a ring, expanded in memory.
func (p *Party) takeVec(op *flow.Op, r *correlation.Request) *flow.Future[ring.Vec] {
	expand := func() { op.Spend(flow.Stream, int64(r.N*r.Shares().Drawn())) }
	return take(p, op, r, bytes(r.Shares(), r.N), expand, func(m correlation.Correlation) ring.Vec { return m.Vec.Vec() })
}

// takeStream takes a vector over a ring that is expanded in parts as it is read: at the last computing party from the correction, and
// at the others from their seeds, which take no memory.
func (p *Party) takeStream(op *flow.Op, r *correlation.Request) *flow.Future[ring.Stream] {
	var hold int64
	if p.rank == p.n-1 {
		hold = r.Bytes()
	}
	expand := func() { // where it is read
		op.Spend(flow.Stream, int64(r.N*r.Shares().Drawn()))
		op.Spend(flow.Bytes, -hold)
	}
	return take(p, op, r, hold, expand, func(m correlation.Correlation) ring.Stream { return m.Vec })
}

// takeBits takes vectors of bits.
func (p *Party) takeBits(op *flow.Op, r *correlation.Request) *flow.Future[[]ring.Bits] {
	expand := func() {
		if p.rank == p.n-1 { // the correction itself
			op.Spend(flow.Bytes, -r.Bytes())
		} else {
			op.Spend(flow.Stream, r.Bytes())
		}
	}
	return take(p, op, r, r.Bytes(), expand, func(m correlation.Correlation) []ring.Bits { return m.Bits })
}

// leaf is this party's share of a new mask.
func (p *Party) leaf(op *flow.Op, m *correlation.Mask) *flow.Future[ring.Vec] {
	return takeLeaf(p, op, m, bytes(m.Ring, m.N), ring.Stream.Vec)
}

// leafStream is leaf, expanded where it is read.
func (p *Party) leafStream(op *flow.Op, m *correlation.Mask) *flow.Future[ring.Stream] {
	return takeLeaf(p, op, m, 0, func(s ring.Stream) ring.Stream { return s })
}

func takeLeaf[T any](p *Party, op *flow.Op, m *correlation.Mask, hold int64, pick func(ring.Stream) T) *flow.Future[T] {
	return flow.Lazy(op, hold, nil, func() (T, error) {
		op.Spend(flow.Stream, int64(m.N*m.Ring.Drawn()))
		v, err := p.source.Leaf(m)
		return pick(v), err
	})
}
