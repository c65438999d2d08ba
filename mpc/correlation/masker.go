package correlation

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/ring"
)

// Masker is the source of a party that deals and computes nothing: it knows the
// computing parties' seeds, and its part of a Fresh mask is all of it. It masks
// its own inputs with such masks, of which nothing has to be dealt.
type Masker struct {
	ids
	prgs []*ring.PRG
}

// NewMasker makes the source from the seeds of the computing parties.
func NewMasker(seeds []ring.Seed) *Masker {
	s := &Masker{}
	for _, seed := range seeds {
		s.prgs = append(s.prgs, ring.NewPRG(seed))
	}
	return s
}

// Leaf gives a whole mask.
func (s *Masker) Leaf(m *Mask) (ring.Vec, error) {
	if m.Kind != Fresh {
		return ring.Vec{}, fmt.Errorf("correlation: mask %v of kind %d is no dealer's", m.ID, m.Kind)
	}
	if err := s.spend(m.ID); err != nil {
		return ring.Vec{}, err
	}
	return m.sum(s.prgs), nil
}

// LeafBits fails: a party that deals masks no bits.
func (s *Masker) LeafBits(m *Mask) ([]ring.Bits, error) {
	return nil, fmt.Errorf("correlation: bit mask %v is no dealer's", m.ID)
}

// Orders fails: a party that deals shuffles nothing.
func (s *Masker) Orders(id ID, _, _ int) ([]int32, error) {
	return nil, fmt.Errorf("correlation: order %v is no dealer's", id)
}

// Await is ready: a party that deals waits for nothing.
func (s *Masker) Await(_ *Request, ready func()) { ready() }

// Take fails: a party that deals takes nothing.
func (s *Masker) Take(_ context.Context, r *Request) (Material, error) {
	return Material{}, fmt.Errorf("correlation: %v (%v for %s) is taken by the dealer", r.ID, r.Kind, r.Op)
}
