package correlation

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tacet-mpc/tacet/ring"
)

// ErrSpent is the error of an id that is requested for a second time.
var ErrSpent = errors.New("correlation: id was used before")

// ErrMissing is the error of a request whose correction was not dealt.
var ErrMissing = errors.New("correlation: no correction was dealt for the id")

// Source provides one party with its shares of masks and correlations. Each id is given once; a
// second request of it fails with ErrSpent.
type Source interface {
	// Leaf returns the party's share of a Fresh or Owned mask, or the vector that the party adds to
	// a Shuffled one.
	Leaf(m *Mask) (ring.Vec, error)
	// LeafBits returns the party's share of a FreshBits mask, plane by plane.
	LeafBits(m *Mask) ([]ring.Bits, error)
	// Permutations returns the permutations, from this party's seed, that it applies to every rows of n
	// elements in a shuffle: for each position the position that its element comes from.
	Permutations(id ID, rows, n int) ([]int32, error)
	// Await calls ready once, as soon as Take can succeed or fail without waiting: at once, or
	// later from another goroutine, which ready must not block.
	Await(r *Request, ready func())
	// Take returns the party's share of the requested correlation. It does not block: a correction
	// that has not arrived is an error (ErrMissing).
	Take(ctx context.Context, r *Request) (Correlation, error)
}

// ids is the set of ids that were given.
type ids struct {
	mu         sync.Mutex
	spent      map[ID]struct{}
	first, end uint32
}

// Restrict limits the source to ids of operation instances in [first, end). Sources of different
// requests to a service have disjoint ranges.
func (s *ids) Restrict(first, end uint32) { s.first, s.end = first, end }

func (s *ids) spend(id ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spendLocked(id)
}

func (s *ids) spendLocked(id ID) error {
	if op := id.Op(); s.end > 0 && (op < s.first || op >= s.end) {
		return fmt.Errorf("%w, or belongs to another service request: %v", ErrSpent, id)
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

// Spent is the check that each id is given once, for sources in other packages.
type Spent struct{ ids ids }

// Spend marks an id as given. It returns ErrSpent if the id was given before.
func (s *Spent) Spend(id ID) error { return s.ids.spend(id) }

// Recorder is the source of dry runs: it returns vectors without storage and records the
// correlation manifest.
type Recorder struct {
	ids
	manifest Manifest
}

// Leaf returns a shape-only share.
func (s *Recorder) Leaf(m *Mask) (ring.Vec, error) {
	return ring.ShapeOnly(m.Ring, m.N), s.spend(m.ID)
}

// LeafBits returns shape-only bits.
func (s *Recorder) LeafBits(m *Mask) ([]ring.Bits, error) {
	return ring.ShapeOnlyPlanes(equal(m.N, m.Planes)...), s.spend(m.ID)
}

// Await calls ready at once.
func (*Recorder) Await(_ *Request, ready func()) { ready() }

// Permutations returns nil.
func (s *Recorder) Permutations(id ID, _, _ int) ([]int32, error) { return nil, s.spend(id) }

// Take records the request and returns a shape-only correlation.
func (s *Recorder) Take(_ context.Context, r *Request) (Correlation, error) {
	if err := r.check(); err != nil {
		return Correlation{}, malformed(r, err)
	}
	s.mu.Lock()
	err := s.spendLocked(r.ID)
	if err == nil {
		s.manifest.Requests = append(s.manifest.Requests, r)
	}
	s.mu.Unlock()
	if err != nil {
		return Correlation{}, err
	}
	return r.ShapeOnly(), nil
}

// Manifest returns all recorded requests, in order of ids.
func (s *Recorder) Manifest() *Manifest { return s.manifest.sorted() }

// Party is the source of one computing party: its own seed and, at the last computing party, the
// dealer's corrections.
type Party struct {
	ids
	rank, n     int
	prg         *ring.PRG
	corrections Corrections
}

// NewParty makes the source of a party from its seed in common with the dealer and, at the party
// that ReceivesCorrections, the source of corrections. n parties compute; a rank of n or more owns
// inputs only.
func NewParty(rank, n int, seed ring.Seed, c Corrections) *Party {
	return &Party{rank: rank, n: n, prg: ring.NewPRG(seed), corrections: c}
}

// ReceivesCorrections reports whether the party of a rank among n computing ones is the one that
// receives corrections.
func ReceivesCorrections(rank, n int) bool { return rank == n-1 }

// Await waits for the correction, at the party that receives corrections.
func (s *Party) Await(r *Request, ready func()) {
	if ReceivesCorrections(s.rank, s.n) {
		s.corrections.Await(r.ID, ready)
	} else {
		ready()
	}
}

// Leaf expands the party's share of a mask from its seed.
func (s *Party) Leaf(m *Mask) (ring.Vec, error) {
	if m.Kind != Fresh && m.Kind != Owned && m.Kind != Shuffled {
		return ring.Vec{}, fmt.Errorf("correlation: mask %v of kind %d is not expanded from a seed", m.ID, m.Kind)
	}
	if err := s.spend(m.ID); err != nil {
		return ring.Vec{}, err
	}
	if m.Kind == Owned && m.Owner != s.rank {
		return ring.New(m.Ring, m.N), nil
	}
	return m.seeded(s.prg), nil
}

// Permutations expands the party's permutations from its seed.
func (s *Party) Permutations(id ID, rows, n int) ([]int32, error) {
	if err := s.spend(id); err != nil {
		return nil, err
	}
	return ordersOf(s.prg, id, rows, n), nil
}

// LeafBits expands the party's share of a bit mask from its seed.
func (s *Party) LeafBits(m *Mask) ([]ring.Bits, error) {
	if m.Kind != FreshBits {
		return nil, fmt.Errorf("correlation: mask %v of kind %d has no bits", m.ID, m.Kind)
	}
	if err := s.spend(m.ID); err != nil {
		return nil, err
	}
	return m.seededBits(s.prg), nil
}

// Take returns the party's share: expanded from its seed, or the correction, which is removed from
// the source.
func (s *Party) Take(_ context.Context, r *Request) (Correlation, error) {
	if err := r.check(); err != nil {
		return Correlation{}, malformed(r, err)
	}
	if err := s.spend(r.ID); err != nil {
		return Correlation{}, err
	}
	if !ReceivesCorrections(s.rank, s.n) {
		return r.seeded(s.prg), nil
	}
	data, err := s.corrections.Take(r.ID)
	if err != nil {
		return Correlation{}, fmt.Errorf("%w (%v for %s)", err, r.Kind, r.Op)
	}
	return r.unpack(data)
}

// seeded is the share of a party that receives no correction.
func (r *Request) seeded(p *ring.PRG) Correlation {
	if r.OfBits() {
		b := ring.NewPlanes(r.lengths()...)
		p.Planes(b, uint64(r.ID), laneShare)
		return Correlation{Bits: b}
	}
	return Correlation{Vec: p.Stream(r.Shares(), r.N, uint64(r.ID), laneShare)}
}

func (r *Request) unpack(data []byte) (Correlation, error) {
	in := ring.NewReader(ring.Payload{Len: len(data), Data: data})
	var m Correlation
	if r.OfBits() {
		m.Bits = ring.NewPlanes(r.lengths()...)
		for _, b := range m.Bits {
			in.BitsInto(b)
		}
	} else {
		m.Vec = in.Stream(r.Shares(), r.N)
	}
	if err := in.Close(); err != nil {
		return Correlation{}, fmt.Errorf("correlation: correction %v (%v for %s): %w", r.ID, r.Kind, r.Op, err)
	}
	return m, nil
}
