package correlation

import (
	"errors"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Later manifests may name only Owned masks of earlier ones.
func TestManifestSequence(t *testing.T) {
	r, n := ring.Z(64), 3
	ask := func(id uint64, m *Mask) *Request {
		return &Request{ID: ID(id), Kind: Product, Factors: []Factor{{Mask: m}}, Out: r, N: n}
	}
	sum := maps.Combine{N: n, Coef: []int64{1}}
	weights := NewOwned(3, r, n, 0)
	for _, c := range []struct {
		name string
		req  *Request
		ok   bool
	}{
		{"all new", ask(21, NewFresh(20, r, n)), true},
		{"a mask that stays", ask(21, weights), true},
		{"made of one that stays", ask(21, NewDerived(20, r, sum, weights)), true},
		{"an earlier request", ask(10, NewFresh(20, r, n)), false},
		{"an earlier mask", ask(21, NewFresh(5, r, n)), false},
		{"made of an earlier mask", ask(21, NewDerived(20, r, sum, NewFresh(5, r, n))), false},
		{"earlier and made", ask(21, NewDerived(6, r, sum, weights)), false},
		{"an earlier order", ask(21, NewShuffled(20, 7, n, weights)), false},
	} {
		var sequence ManifestSequence
		if err := sequence.Admit(&Manifest{Requests: []*Request{ask(9, NewFresh(5, r, n)), ask(10, weights),
			ask(11, NewShuffled(8, 7, n, weights))}}); err != nil {
			t.Fatal(err)
		}
		if err := sequence.Admit(&Manifest{Requests: []*Request{c.req}}); c.ok != (err == nil) || err != nil && !errors.Is(err, ErrSpent) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A source gives the ids of its service request, and no others.
func TestRestrict(t *testing.T) {
	s := NewParty(0, 2, ring.Seed{1}, nil)
	s.Restrict(3, 5)
	for op, ok := range []bool{false, false, false, true, true, false} {
		if _, err := s.Leaf(NewFresh(uint64(op)<<32|1, ring.Z(64), 2)); ok != (err == nil) || err != nil && !errors.Is(err, ErrSpent) {
			t.Errorf("instance %d: %v", op, err)
		}
	}
}
