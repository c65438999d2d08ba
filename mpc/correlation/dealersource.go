package correlation

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/ring"
)

// DealerSource is the Source of a party that deals and does not compute (protocol aby3). It knows the computing
// parties' seeds and so all of a Fresh mask. It masks its own inputs with Fresh masks, for which nothing has to be
// dealt.
type DealerSource struct {
	ids
	prgs []*ring.PRG
}

// NewDealerSource returns the source of a dealer that has the given seeds in common with the computing parties, by
// rank.
func NewDealerSource(seeds []ring.Seed) *DealerSource {
	s := &DealerSource{}
	for _, seed := range seeds {
		s.prgs = append(s.prgs, ring.NewPRG(seed))
	}
	return s
}

// Leaf returns the whole value of a Fresh mask: the sum of the computing parties' shares. It fails for other masks.
func (s *DealerSource) Leaf(m *Mask) (ring.Stream, error) {
	if m.Kind != Fresh {
		return ring.Stream{}, fmt.Errorf("correlation: mask %v of kind %d is not one that a dealer masks inputs with", m.ID, m.Kind)
	}
	if err := s.spend(m.ID); err != nil {
		return ring.Stream{}, err
	}
	return ring.StreamOf(m.sum(s.prgs)), nil
}

// LeafBits returns an error: a dealer masks no bits.
func (s *DealerSource) LeafBits(m *Mask) ([]ring.Bits, error) {
	return nil, fmt.Errorf("correlation: bit mask %v is not one that a dealer masks inputs with", m.ID)
}

// Permutations returns an error: a dealer takes no part in shuffles.
func (s *DealerSource) Permutations(id ID, _, _ int) ([]int32, error) {
	return nil, fmt.Errorf("correlation: permutations %v are not a dealer's", id)
}

// Await implements Source: it calls ready at once.
func (s *DealerSource) Await(_ *Request, ready func()) { ready() }

// Take returns an error: a dealer uses no correlations.
func (s *DealerSource) Take(_ context.Context, r *Request) (Correlation, error) {
	return Correlation{}, fmt.Errorf("correlation: correlation %v (%v for %s) was requested by the dealer", r.ID, r.Kind, r.Op)
}
