package correlation

import (
	"context"
	"errors"
	"testing"

	"github.com/tacet-mpc/tacet/ring"
)

// TestDealtOnce: the parties' shares of a dealt product add up to the product
// of the masks, and every id is given once.
func TestDealtOnce(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{2, 3, 5} {
		seeds := make([]ring.Seed, n)
		for i := range seeds {
			seeds[i] = ring.Seed{byte(i + 1)}
		}
		r := ring.Z(64)
		a, b := NewFresh(1, r, 50), NewOwned(2, r, 50, 0)
		req := &Request{ID: 3, Kind: Product, Factors: []Factor{{Mask: a}, {Mask: b}}, Out: r, N: 50}
		sources := make([]*Party, n)
		for i := range sources {
			sources[i] = NewParty(i, n, seeds[i])
		}
		err := NewLocal(n, seeds).Deal(ctx, &Form{Requests: []*Request{req}}, sources[n-1].Deliver)
		if err != nil {
			t.Fatal(err)
		}
		la, lb, sum := ring.New(r, 50), ring.New(r, 50), ring.New(r, 50)
		for i, s := range sources {
			va, err := s.Leaf(a)
			if err != nil {
				t.Fatal(err)
			}
			vb, err := s.Leaf(b)
			if err != nil {
				t.Fatal(err)
			}
			m, err := s.Take(ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			ring.Add(la, la, va)
			ring.Add(lb, lb, vb)
			ring.Add(sum, sum, m.Vec)
			if _, err := s.Take(ctx, req); !errors.Is(err, ErrSpent) {
				t.Errorf("party %d of %d takes an id twice: %v", i, n, err)
			}
			if _, err := s.Leaf(a); !errors.Is(err, ErrSpent) {
				t.Errorf("party %d of %d takes a mask twice: %v", i, n, err)
			}
		}
		ring.Mul(la, la, lb)
		for i := range 50 {
			if sum.Int(i).Cmp(la.Int(i)) != 0 {
				t.Fatalf("n=%d: shares of element %d add up to %v, want %v", n, i, sum.Int(i), la.Int(i))
			}
		}
	}
	last := NewParty(1, 2, ring.Seed{1})
	if _, err := last.Take(ctx, &Request{ID: 9, Kind: Product, Out: ring.Z(64), N: 1, Factors: []Factor{{Mask: NewFresh(8, ring.Z(64), 1)}}}); !errors.Is(err, ErrMissing) {
		t.Errorf("what was not dealt gives %v", err)
	}
}
