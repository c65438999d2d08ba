package semi2k

import (
	"context"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// Party is one party's side of the protocol.
type Party struct {
	ctx    context.Context
	rank   int
	n      int // computing parties: ranks below n
	dealer int // see Config
	source correlation.Source
	pairs  map[int]*ring.PRG // by rank: seeds shared with the other computing parties
	zero   *zeros
	others []int // the other computing parties
	inputs Inputs
	base   uint32 // Config.First
	// scatter is Config.Scatter
	scatter int
	common  *ring.PRG // seed shared by all computing parties
	// ahead says that what is taken was booked when it was ordered (pool).
	ahead bool
	// bare says that shares are rounded without a sharing of zero: what must not
	// be, so that tests can show that they would see it.
	bare bool
}

// Config says who a party is and what it has.
type Config struct {
	Rank, Computing int
	// Dealer is the rank of the party that deals, if one of the parties does,
	// and not somebody outside: a rank from Computing on. 0 if none does.
	Dealer int
	Source correlation.Source
	// Zero are the seeds that the party shares with each other computing
	// party, by rank; nil in a weightless run.
	Zero map[int]ring.Seed
	// Common is a seed that all computing parties share and the dealer lacks; of
	// no meaning in a weightless run.
	Common ring.Seed
	// Scatter is from how many bytes on an opening takes two rounds and fewer
	// bytes, if more than two parties compute (total); 0: never. It is the same
	// at every party.
	Scatter int
	// Inputs are what the input phase shared; in a weightless run they are
	// collected there.
	Inputs Inputs
	// First is the first operation instance of this turn of a session. Turns go
	// alike: what is the i-th in one is the i-th in all.
	First uint32
}

// New makes a party. The context bounds waiting for dealt material.
func New(ctx context.Context, c Config) *Party {
	p := &Party{ctx: ctx, rank: c.Rank, n: c.Computing, dealer: c.Dealer, source: c.Source, inputs: c.Inputs, base: c.First, scatter: c.Scatter, pairs: map[int]*ring.PRG{}, zero: &zeros{}}
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

// Computing is how many parties compute.
func (p *Party) Computing() int { return p.n }

// Name is "semi2k".
func (p *Party) Name() string { return "semi2k" }

// first reports whether this party adds public constants to shares.
func (p *Party) first() bool { return p.rank == 0 }

// take asks the source for dealt material, of which pick is what is wanted and
// takes so many bytes, once somebody needs it: what nobody does is not dealt. A
// request without an id gets the next one.
func take[T any](p *Party, op *flow.Op, r *correlation.Request, hold int64, pick func(correlation.Material) T) *flow.Of[T] {
	if r.ID == 0 {
		r.ID = correlation.ID(op.Next())
	}
	r.Op = op.Where()
	stream := r.Bytes()
	if !r.OfBits() {
		stream = int64(r.N * r.Shares().Drawn())
	}
	return flow.Lazy(op, hold, func(ready func()) { p.source.Await(r, ready) }, func() (T, error) {
		op.Spend(flow.Stream, stream)
		if !p.ahead {
			op.Offline(r.Bytes())
		}
		m, err := p.source.Take(p.ctx, r)
		return pick(m), err
	})
}

// takeVec takes ring material and lays it out.
func (p *Party) takeVec(op *flow.Op, r *correlation.Request) *flow.Of[ring.Vec] {
	return take(p, op, r, bytes(r.Shares(), r.N), func(m correlation.Material) ring.Vec { return m.Vec.Vec() })
}

// takeStream takes ring material that is read in parts.
func (p *Party) takeStream(op *flow.Op, r *correlation.Request) *flow.Of[ring.Stream] {
	return take(p, op, r, r.Bytes(), func(m correlation.Material) ring.Stream { return m.Vec })
}

// takeBits takes vectors of bits.
func (p *Party) takeBits(op *flow.Op, r *correlation.Request) *flow.Of[[]ring.Bits] {
	return take(p, op, r, r.Bytes(), func(m correlation.Material) []ring.Bits { return m.Bits })
}

// leaf is this party's share of a new mask.
func (p *Party) leaf(op *flow.Op, m *correlation.Mask) *flow.Of[ring.Vec] {
	held := bytes(m.Ring, m.N)
	return flow.Lazy(op, held, nil, func() (ring.Vec, error) {
		op.Spend(flow.Stream, int64(m.N*m.Ring.Drawn()))
		return p.source.Leaf(m)
	})
}
