package correlation

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/ring"
)

// DealerSource is the source of a party that deals and does not compute. It knows the computing
// parties' seeds and hence all of a Fresh mask. It masks its own inputs with Fresh masks, for which
// nothing has to be dealt.
type DealerSource struct {
	ids
	prgs []*ring.PRG
}

// NewDealerSource makes the source from the seeds of the computing parties.
func NewDealerSource(seeds []ring.Seed) *DealerSource {
	s := &DealerSource{}
	for _, seed := range seeds {
		s.prgs = append(s.prgs, ring.NewPRG(seed))
	}
	return s
}

// Leaf gives all of a Fresh mask.
func (s *DealerSource) Leaf(m *Mask) (ring.Vec, error) {
	if m.Kind != Fresh {
		return ring.Vec{}, fmt.Errorf("correlation: mask %v of kind %d is not one that a dealer masks inputs with", m.ID, m.Kind)
	}
	if err := s.spend(m.ID); err != nil {
		return ring.Vec{}, err
	}
	return m.sum(s.prgs), nil
}

// LeafBits fails: a dealer masks no bits.
func (s *DealerSource) LeafBits(m *Mask) ([]ring.Bits, error) {
	return nil, fmt.Errorf("correlation: bit mask %v is not one that a dealer masks inputs with", m.ID)
}

// Permutations fails: a dealer shuffles nothing.
func (s *DealerSource) Permutations(id ID, _, _ int) ([]int32, error) {
	return nil, fmt.Errorf("correlation: permutations %v are not a dealer's", id)
}

// Await calls ready at once.
func (s *DealerSource) Await(_ *Request, ready func()) { ready() }

// Take fails: a dealer takes no correlations.
func (s *DealerSource) Take(_ context.Context, r *Request) (Correlation, error) {
	return Correlation{}, fmt.Errorf("correlation: correlation %v (%v for %s) was requested by the dealer", r.ID, r.Kind, r.Op)
}
