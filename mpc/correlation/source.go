package correlation

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tacet-mpc/tacet/ring"
)

// ErrSpent is the error of an id that a source has given before.
var ErrSpent = errors.New("correlation: id was used before")

// ErrMissing is the error of a request whose correction did not arrive and will not, or was taken before.
var ErrMissing = errors.New("correlation: no correction was dealt for the id")

// Source provides one party with its shares of masks and of correlations. Each id is given once: a second request of
// an id fails with ErrSpent.
type Source interface {
	// Leaf returns the party's share of a Fresh or Owned mask, or the vector that the party adds to a Shuffled one. A
	// share that a seed makes is expanded whenever the stream is read.
	Leaf(m *Mask) (ring.Stream, error)
	// LeafBits returns the party's share of a FreshBits mask, plane by plane.
	LeafBits(m *Mask) ([]ring.Bits, error)
	// Permutations returns the permutations, from this party's seed, that the party applies in a shuffle to every
	// rows of n elements. Element i is the position from which element i of the result comes.
	Permutations(id ID, rows, n int) ([]int32, error)
	// Await calls ready once, when Take can succeed or fail without waiting: at once, or later from another
	// goroutine. ready must not block.
	Await(r *Request, ready func())
	// Take returns the party's share of the requested correlation. It does not block: a correction that has not
	// arrived is an error (ErrMissing).
	Take(ctx context.Context, r *Request) (Correlation, error)
}

// ids is the set of ids that were given.
type ids struct {
	mu sync.Mutex
	// spent has a bit for each id that was given: of the 64 ids with the same id/64, which mostly are given together. An entry
	// for each id would take the caches with it in a long loop.
	spent map[ID]uint64
	// begun has the same bits for the first 64 ids of each instance, in blocks of instances. latest is the block that was looked at
	// last: ids are given roughly in the order of the instances.
	begun      map[uint32]*spentBlock
	latest     *spentBlock
	latestAt   uint32
	first, end uint32
}

// spentBlock has 64 bits for each of 128 instances with consecutive numbers.
type spentBlock [1 << 7]uint64

// bits returns the bits of the 64 ids with the same id/64, to be set in the returned place; nil if they are in spent.
func (s *ids) bits(id ID) *uint64 {
	if uint32(id) >= 64 {
		return nil
	}
	op := id.Op()
	at := op / uint32(len(s.latest))
	if s.latest == nil || s.latestAt != at {
		b := s.begun[at]
		if b == nil {
			if s.begun == nil {
				s.begun = map[uint32]*spentBlock{}
			}
			b = new(spentBlock)
			s.begun[at] = b
		}
		s.latest, s.latestAt = b, at
	}
	return &s.latest[op%uint32(len(s.latest))]
}

// Restrict makes the source refuse ids of operation instances outside of [first, end), with an error. The sources of
// different requests to a service get disjoint ranges.
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
	bit, begun := uint64(1)<<(id%64), s.bits(id)
	given := begun
	if begun == nil {
		given = new(uint64)
		*given = s.spent[id/64]
	}
	if *given&bit != 0 {
		return fmt.Errorf("%w: %v", ErrSpent, id)
	}
	if *given |= bit; begun == nil {
		if s.spent == nil {
			s.spent = map[ID]uint64{}
		}
		s.spent[id/64] = *given
	}
	return nil
}

// Spent records which ids were given, for sources in other packages. The zero Spent has recorded none.
type Spent struct{ ids ids }

// Spend records id. It returns an error that wraps ErrSpent if id was recorded before.
func (s *Spent) Spend(id ID) error { return s.ids.spend(id) }

// Recorder is the Source of dry runs: it returns vectors without storage and records the requests. The zero Recorder
// has recorded none.
type Recorder struct {
	ids
	manifest Manifest
}

// Leaf implements Source with a shape-only share.
func (s *Recorder) Leaf(m *Mask) (ring.Stream, error) {
	return ring.StreamOf(ring.ShapeOnly(m.Ring, m.N)), s.spend(m.ID)
}

// LeafBits implements Source with shape-only bits.
func (s *Recorder) LeafBits(m *Mask) ([]ring.Bits, error) {
	return ring.ShapeOnlyPlanes(equal(m.N, m.Planes)...), s.spend(m.ID)
}

// Await implements Source: it calls ready at once.
func (*Recorder) Await(_ *Request, ready func()) { ready() }

// Permutations implements Source; it returns nil.
func (s *Recorder) Permutations(id ID, _, _ int) ([]int32, error) { return nil, s.spend(id) }

// Take records the request and returns a shape-only correlation.
func (s *Recorder) Take(_ context.Context, r *Request) (Correlation, error) {
	if err := r.checkTaken(); err != nil {
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

// Manifest returns a manifest of all recorded requests, in the order of their ids.
func (s *Recorder) Manifest() *Manifest { return s.manifest.sorted() }

// Party is the Source of one party other than the dealer: it expands shares from the party's seed and, at the last
// computing party, takes the dealer's corrections.
type Party struct {
	ids
	rank, n     int
	prg         *ring.PRG
	corrections Corrections
}

// NewParty returns the source of the party of the given rank, from its seed in common with the dealer. c provides the
// corrections if the party ReceivesCorrections, and is not used otherwise. n parties compute; a party of rank n or
// more provides inputs only.
func NewParty(rank, n int, seed ring.Seed, c Corrections) *Party {
	return &Party{rank: rank, n: n, prg: ring.NewPRG(seed), corrections: c}
}

// ReceivesCorrections reports whether the party of the given rank, among n computing parties, is the one to which the
// dealer sends corrections.
func ReceivesCorrections(rank, n int) bool { return rank == n-1 }

// Await implements Source. At the party that receives corrections it waits for the correction; at others it calls
// ready at once.
func (s *Party) Await(r *Request, ready func()) {
	if ReceivesCorrections(s.rank, s.n) {
		s.corrections.Await(r.ID, ready)
	} else {
		ready()
	}
}

// Leaf implements Source: the share is expanded from the party's seed.
func (s *Party) Leaf(m *Mask) (ring.Stream, error) {
	if m.Kind != Fresh && m.Kind != Owned && m.Kind != Shuffled {
		return ring.Stream{}, fmt.Errorf("correlation: mask %v of kind %d is not expanded from a seed", m.ID, m.Kind)
	}
	if err := s.spend(m.ID); err != nil {
		return ring.Stream{}, err
	}
	if m.Kind == Owned && m.Owner != s.rank {
		return ring.StreamOf(ring.New(m.Ring, m.N)), nil
	}
	return s.prg.Stream(m.Ring, m.N, uint64(m.ID), laneMask), nil
}

// Share returns this party's share of a ring mask that is made of Fresh, Owned and Zero ones and whose shares follow from seeds. It is no
// use of the mask: Leaf gives the same share afterwards.
func (s *Party) Share(m *Mask) ring.Vec {
	prgs := make([]*ring.PRG, s.n)
	prgs[s.rank] = s.prg
	e := evaluator{d: &Local{prgs: prgs, n: s.n}}
	return e.share(m, s.rank)
}

// Permutations implements Source: it expands the permutations from the party's seed.
func (s *Party) Permutations(id ID, rows, n int) ([]int32, error) {
	if err := s.spend(id); err != nil {
		return nil, err
	}
	return ordersOf(s.prg, id, rows, n), nil
}

// LeafBits implements Source: it expands the share from the party's seed.
func (s *Party) LeafBits(m *Mask) ([]ring.Bits, error) {
	if m.Kind != FreshBits {
		return nil, fmt.Errorf("correlation: mask %v of kind %d has no bits", m.ID, m.Kind)
	}
	if err := s.spend(m.ID); err != nil {
		return nil, err
	}
	return m.seededBits(s.prg), nil
}

// Take implements Source. It expands the share from the party's seed, or at the last computing party takes the
// correction. It returns ErrSpent for an id that was given before.
func (s *Party) Take(_ context.Context, r *Request) (Correlation, error) {
	if err := r.checkTaken(); err != nil {
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
		b := ring.NewUninitialisedPlanes(r.lengths()...)
		p.Planes(b, uint64(r.ID), laneShare)
		return Correlation{Bits: b}
	}
	return Correlation{Vec: p.Stream(r.Shares(), r.N, uint64(r.ID), laneShare)}
}

func (r *Request) unpack(data []byte) (Correlation, error) {
	in := ring.NewReader(ring.Payload{Len: len(data), Data: data})
	var m Correlation
	if r.OfBits() {
		for _, n := range r.lengths() {
			m.Bits = append(m.Bits, in.ViewBits(n))
		}
	} else {
		m.Vec = in.Stream(r.Shares(), r.N)
	}
	if err := in.Close(); err != nil {
		return Correlation{}, fmt.Errorf("correlation: correction %v (%v for %s): %w", r.ID, r.Kind, r.Op, err)
	}
	return m, nil
}
