package correlation

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tacet-mpc/tacet/ring"
)

// ErrSpent says that an id was asked for a second time.
var ErrSpent = errors.New("correlation: id was used before")

// ErrMissing says that no correction for an id was dealt.
var ErrMissing = errors.New("correlation: nothing was dealt for the id")

// Source gives one party its shares of masks and of dealt material. Every id
// is given once; a second asking fails with ErrSpent.
type Source interface {
	// Leaf gives the party's share of a Fresh or Owned mask, or what it adds to a
	// Shuffled one.
	Leaf(m *Mask) (ring.Vec, error)
	// LeafBits gives the party's share of a FreshBits mask, plane by plane.
	LeafBits(m *Mask) ([]ring.Bits, error)
	// Orders gives the orders, from this party's seed, in which it puts every
	// rows of n elements to be shuffled: for each place where its element comes
	// from.
	Orders(id ID, rows, n int) ([]int32, error)
	// Await calls ready once, as soon as Take need not wait: at once, or later
	// from another goroutine, which ready must not block.
	Await(r *Request, ready func())
	// Take gives the party's share of what the request asks for. It does not
	// wait: what has not come yet is missing.
	Take(ctx context.Context, r *Request) (Material, error)
}

// ids is the set of ids that were given out.
type ids struct {
	mu         sync.Mutex
	spent      map[ID]struct{}
	first, end uint32
}

// Within has the source give ids of operation instances from first to before end
// alone. A source of a turn of a session gives none that another turn's does.
func (s *ids) Within(first, end uint32) { s.first, s.end = first, end }

func (s *ids) spend(id ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spendLocked(id)
}

func (s *ids) spendLocked(id ID) error {
	if op := id.Op(); s.end > 0 && (op < s.first || op >= s.end) {
		return fmt.Errorf("%w, or is another turn's: %v", ErrSpent, id)
	}
	if _, twice := s.spent[id]; twice {
		return fmt.Errorf("%w: %v", ErrSpent, id)
	}
	if s.spent == nil {
		s.spent = map[ID]struct{}{}
	}
	s.spent[id] = struct{}{}
	return nil
}

// Spent is the check that every source makes, for sources in other packages: it
// refuses an id that was given before.
type Spent struct{ ids ids }

// Spend notes that an id is given; its error is ErrSpent if it was before.
func (s *Spent) Spend(id ID) error { return s.ids.spend(id) }

// Recorder is the weightless source: it gives vectors without storage and
// writes the order form.
type Recorder struct {
	ids
	form Form
}

// Leaf gives a weightless share.
func (s *Recorder) Leaf(m *Mask) (ring.Vec, error) {
	return ring.Weightless(m.Ring, m.N), s.spend(m.ID)
}

// LeafBits gives weightless bits.
func (s *Recorder) LeafBits(m *Mask) ([]ring.Bits, error) {
	return ring.WeightlessPlanes(equal(m.N, m.Planes)...), s.spend(m.ID)
}

// Await is ready.
func (*Recorder) Await(_ *Request, ready func()) { ready() }

// Orders gives none.
func (s *Recorder) Orders(id ID, _, _ int) ([]int32, error) { return nil, s.spend(id) }

// Take notes the request and gives weightless material.
func (s *Recorder) Take(_ context.Context, r *Request) (Material, error) {
	if err := r.check(); err != nil {
		return Material{}, malformed(r, err)
	}
	s.mu.Lock()
	err := s.spendLocked(r.ID)
	if err == nil {
		s.form.Requests = append(s.form.Requests, r)
	}
	s.mu.Unlock()
	if err != nil {
		return Material{}, err
	}
	return r.Weightless(), nil
}

// Form is everything that was asked for, in order of ids.
func (s *Recorder) Form() *Form { return s.form.sorted() }

// Party is the source of one computing party: its own seed, and for the last
// computing party the corrections that a dealer made.
type Party struct {
	ids
	rank, n     int
	prg         *ring.PRG
	corrections Corrections
}

// NewParty makes the source of a party from the seed that it shares with the
// dealer and, if the party is Corrected, from where it takes corrections. n
// parties compute; a rank of n or more owns inputs only.
func NewParty(rank, n int, seed ring.Seed, c Corrections) *Party {
	return &Party{rank: rank, n: n, prg: ring.NewPRG(seed), corrections: c}
}

// Corrected reports whether the party of a rank among n computing ones is the
// one that gets corrections.
func Corrected(rank, n int) bool { return rank == n-1 }

// Await waits for a correction, where the party needs one.
func (s *Party) Await(r *Request, ready func()) {
	if Corrected(s.rank, s.n) {
		s.corrections.Await(r.ID, ready)
	} else {
		ready()
	}
}

// Leaf gives the party's share of a mask from its seed.
func (s *Party) Leaf(m *Mask) (ring.Vec, error) {
	if m.Kind != Fresh && m.Kind != Owned && m.Kind != Shuffled {
		return ring.Vec{}, fmt.Errorf("correlation: mask %v of kind %d comes from no seed", m.ID, m.Kind)
	}
	if err := s.spend(m.ID); err != nil {
		return ring.Vec{}, err
	}
	if m.Kind == Owned && m.Owner != s.rank {
		return ring.New(m.Ring, m.N), nil
	}
	return m.seeded(s.prg), nil
}

// Orders gives the party's orders from its seed.
func (s *Party) Orders(id ID, rows, n int) ([]int32, error) {
	if err := s.spend(id); err != nil {
		return nil, err
	}
	return ordersOf(s.prg, id, rows, n), nil
}

// LeafBits gives the party's share of a bit mask from its seed.
func (s *Party) LeafBits(m *Mask) ([]ring.Bits, error) {
	if m.Kind != FreshBits {
		return nil, fmt.Errorf("correlation: mask %v of kind %d has no bits", m.ID, m.Kind)
	}
	if err := s.spend(m.ID); err != nil {
		return nil, err
	}
	return m.seededBits(s.prg), nil
}

// Take gives the party's share: from its seed, or from the correction, which
// is then gone.
func (s *Party) Take(_ context.Context, r *Request) (Material, error) {
	if err := r.check(); err != nil {
		return Material{}, malformed(r, err)
	}
	if err := s.spend(r.ID); err != nil {
		return Material{}, err
	}
	if !Corrected(s.rank, s.n) {
		return r.seeded(s.prg), nil
	}
	data, err := s.corrections.Take(r.ID)
	if err != nil {
		return Material{}, fmt.Errorf("%w (%v for %s)", err, r.Kind, r.Op)
	}
	return r.unpack(data)
}

// seeded is the share of a party that needs no correction.
func (r *Request) seeded(p *ring.PRG) Material {
	if r.OfBits() {
		b := ring.NewPlanes(r.lengths()...)
		p.Planes(b, uint64(r.ID), laneShare)
		return Material{Bits: b}
	}
	return Material{Vec: p.Stream(r.Shares(), r.N, uint64(r.ID), laneShare)}
}

func (r *Request) unpack(data []byte) (Material, error) {
	in := ring.NewReader(ring.Payload{Len: len(data), Data: data})
	var m Material
	if r.OfBits() {
		m.Bits = ring.NewPlanes(r.lengths()...)
		for _, b := range m.Bits {
			in.BitsInto(b)
		}
	} else {
		m.Vec = in.Stream(r.Shares(), r.N)
	}
	if err := in.Close(); err != nil {
		return Material{}, fmt.Errorf("correlation: correction %v (%v for %s): %w", r.ID, r.Kind, r.Op, err)
	}
	return m, nil
}
