package correlation

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/ring"
)

// A shuffled mask is the result of all parties' permutations and vectors, one party after the
// other; masks that name the same permutations have their rows permuted alike.
func TestShuffled(t *testing.T) {
	const rows, groups = 10, 3
	for _, n := range partyCounts {
		s := newSession(n, 9)
		order := s.id()
		x, y := NewFresh(s.id(), ring.Z(78), rows*groups), NewFresh(s.id(), ring.Z(1), rows*groups)
		a, b := NewShuffled(s.id(), order, rows, x), NewShuffled(s.id(), order, rows, y)
		var rs []*Request
		for _, m := range []*Mask{a, b} {
			rs = append(rs, &Request{ID: ID(s.id()), Kind: Product, Factors: []Factor{{Mask: m}}, Out: m.Ring, N: m.N})
		}
		s.deal(t, rs...)
		orders := make([][]int32, n)
		for i, p := range s.parties[:n] {
			var err error
			if orders[i], err = p.Permutations(a.Order, rows, rows*groups); err != nil {
				t.Fatal(err)
			}
			for g := range groups {
				block := slices.Sorted(slices.Values(orders[i][g*rows : (g+1)*rows]))
				if block[0] != int32(g*rows) || block[rows-1] != int32((g+1)*rows-1) || len(slices.Compact(block)) != rows {
					t.Fatalf("rows leave their group: %v", orders[i])
				}
			}
			if _, err := p.Permutations(a.Order, rows, rows*groups); !errors.Is(err, ErrSpent) {
				t.Errorf("orders that are asked for twice: %v", err)
			}
		}
		for i, m := range []*Mask{a, b} {
			want := ring.Sum(s.shares(t, m.Of[0])...)
			for j, p := range s.parties[:n] {
				add, err := p.Leaf(m)
				if err != nil {
					t.Fatal(err)
				}
				next := ring.New(m.Ring, m.N)
				ring.Gather(next, want, orders[j])
				ring.AddStream(next, add)
				want = next
			}
			var got []ring.Vec
			for _, p := range s.parties[:n] {
				v, err := p.Take(t.Context(), rs[i])
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, v.Vec.Vec())
			}
			if sum := ring.Sum(got...); !slices.Equal(sum.Words(), want.Words()) {
				t.Errorf("%d parties, %v: the dealt shares are not of the shuffled mask", n, m.Ring)
			}
		}
	}
}

// TestUpper: the shares of an upper mask are those of the mask below it, shifted, in requests that deal them and in those that
// continue the parties' own. An upper mask of anything but a fresh one is refused.
func TestUpper(t *testing.T) {
	const elements, by = 30, 11
	for _, n := range partyCounts {
		s := newSession(n, 10)
		x := NewFresh(s.id(), ring.Z(46), elements)
		upper := NewUpper(s.id(), by, x)
		other := *upper
		other.Of = []*Mask{NewOwned(s.id(), x.Ring, elements, 0)}
		dealt := &Request{ID: ID(s.id()), Kind: Product, Factors: []Factor{{Mask: upper}}, Out: upper.Ring, N: elements}
		lift := &Request{ID: ID(s.id()), Kind: Lift, Factors: []Factor{{Mask: upper, Part: LowBits, Width: 35}}, Out: ring.Z(64), N: elements}
		refused := &Request{ID: ID(s.id()), Kind: Product, Factors: []Factor{{Mask: &other}}, Out: upper.Ring, N: elements}
		if err := s.dealer.Deal(t.Context(), &Manifest{Requests: []*Request{refused}}, func(ID, []byte) error { return nil }); err == nil {
			t.Error("an upper mask of an owned one")
		}
		s.deal(t, dealt, lift)
		var own, lifted, got []ring.Vec
		for i, v := range s.shares(t, x) {
			u := ring.New(upper.Ring, elements)
			ring.Rsh(u, v, by)
			own = append(own, u)
			d, err := s.parties[i].Take(t.Context(), dealt)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, d.Vec.Vec())
			if d, err = s.parties[i].Take(t.Context(), lift); err != nil {
				t.Fatal(err)
			}
			wide, high := ring.New(lift.Out, elements), ring.New(lift.Out, elements)
			ring.Low(wide, u)
			ring.Low(high, d.Vec.Vec())
			ring.Lsh(high, high, 35)
			ring.Add(wide, wide, high)
			lifted = append(lifted, wide)
		}
		want := ring.Sum(own...)
		low := ring.New(upper.Ring, elements)
		ring.Low(low, ring.Sum(lifted...))
		if sum := ring.Sum(got...); !slices.Equal(sum.Words(), want.Words()) || !slices.Equal(low.Words(), want.Words()) {
			t.Errorf("%d parties: the mask is not the sum of the shifted shares", n)
		}
		high := ring.New(lift.Out, elements)
		ring.Rsh(high, ring.Sum(lifted...), 35)
		if !slices.Equal(high.Words(), make([]uint64, elements)) {
			t.Errorf("%d parties: a lift is not of the mask", n)
		}
	}
}

// Inconsistent shuffled masks are refused, and so are requests that need the parties' shares of
// one.
func TestShuffledRefused(t *testing.T) {
	s := newSession(2, 9)
	x := NewFresh(s.id(), ring.Z(32), 12)
	product := func(m *Mask) *Request {
		return &Request{ID: ID(s.id()), Kind: Product, Factors: []Factor{{Mask: m}}, Out: ring.Z(32), N: 12}
	}
	other := func(change func(*Mask)) *Request {
		m := *NewShuffled(s.id(), s.id(), 4, x)
		change(&m)
		return product(&m)
	}
	lift := &Request{
		ID:      ID(s.id()),
		Kind:    Lift,
		Factors: []Factor{{Mask: NewShuffled(s.id(), s.id(), 4, x), Part: LowBits, Width: 32}},
		Out:     ring.Z(64),
		N:       12,
	}
	for name, r := range map[string]*Request{
		"rows":   other(func(m *Mask) { m.Rows = 5 }),
		"none":   other(func(m *Mask) { m.Rows = 0 }),
		"ring":   other(func(m *Mask) { m.Ring = ring.Z(31) }),
		"source": other(func(m *Mask) { m.Of = nil }),
		"bits":   other(func(m *Mask) { m.Of = []*Mask{NewFreshBits(s.id(), 12, 1)} }),
		"lift":   lift,
	} {
		err := s.dealer.Deal(t.Context(), &Manifest{Requests: []*Request{r}}, func(ID, []byte) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "malformed request") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
