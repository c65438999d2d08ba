package correlation

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tacet-mpc/tacet/ring"
)

func product(id ID, m *Mask) *Request {
	return &Request{ID: id, Kind: Product, Factors: []Factor{{Mask: m}}, Out: ring.Z(64), N: m.N, Op: "prog:3: multiply"}
}

// askers are all ways to request an id from a source.
func askers(s Source) map[string]func(id ID) error {
	take := func(r *Request) error {
		if p, ok := s.(*Party); ok && p.corrections != nil {
			p.corrections.(*Delivery).Put(r.ID, make([]byte, r.Bytes()))
		}
		_, err := s.Take(context.Background(), r)
		return err
	}
	return map[string]func(id ID) error{
		"Leaf":     func(id ID) error { _, err := s.Leaf(NewFresh(uint64(id), ring.Z(46), 5)); return err },
		"Owned":    func(id ID) error { _, err := s.Leaf(NewOwned(uint64(id), ring.Z(46), 5, 1)); return err },
		"LeafBits": func(id ID) error { _, err := s.LeafBits(NewFreshBits(uint64(id), 5, 1)); return err },
		"Take":     func(id ID) error { return take(product(id, NewFresh(1000, ring.Z(64), 5))) },
		"Take bits": func(id ID) error {
			return take(&Request{ID: id, Kind: BitProduct, Factors: []Factor{{Mask: NewFreshBits(1000, 5, 1)}}, N: 5})
		},
	}
}

func sources() map[string]Source {
	return map[string]Source{
		"recorder":    &Recorder{},
		"first party": NewParty(0, 2, ring.Seed{1}, nil),
		"input owner": NewParty(2, 2, ring.Seed{1}, nil),
		"last party":  NewParty(1, 2, ring.Seed{1}, unlimited()),
	}
}

// An id is given once, whatever kinds the two requests have.
func TestIDsAreSpent(t *testing.T) {
	for name, s := range sources() {
		id := ID(0)
		for a, first := range askers(s) {
			for b, second := range askers(s) {
				id++
				if err := first(id); err != nil {
					t.Errorf("%s, %s: %v", name, a, err)
				}
				for range 2 {
					if err := second(id); !errors.Is(err, ErrSpent) || !strings.Contains(err.Error(), id.String()) {
						t.Errorf("%s, %s of %v after %s: %v", name, b, id, a, err)
					}
				}
			}
		}
	}
}

// Of many concurrent requests of one id exactly one succeeds.
func TestIDsAreSpentOnceByMany(t *testing.T) {
	for name, s := range sources() {
		id := ID(0)
		for how, ask := range askers(s) {
			for range 50 {
				id++
				var won, spent atomic.Int32
				var wg sync.WaitGroup
				for range 8 {
					wg.Go(func() {
						switch err := ask(id); {
						case err == nil:
							won.Add(1)
						case errors.Is(err, ErrSpent):
							spent.Add(1)
						}
					})
				}
				wg.Wait()
				if won.Load() != 1 || spent.Load() != 7 {
					t.Fatalf("%s, %s: %d got it, %d were refused", name, how, won.Load(), spent.Load())
				}
			}
		}
		if r, ok := s.(*Recorder); ok && len(r.Manifest().Requests) != 100 {
			t.Errorf("%d requests are recorded", len(r.Manifest().Requests))
		}
	}
}

func TestMissingCorrections(t *testing.T) {
	last := NewParty(1, 2, ring.Seed{}, unlimited())
	m := NewFresh(1, ring.Z(64), 5)
	_, err := last.Take(context.Background(), product(1<<32|9, m))
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "1.9") || !strings.Contains(err.Error(), "prog:3: multiply") {
		t.Errorf("got %v", err)
	}
	if _, err := NewParty(0, 2, ring.Seed{}, nil).Take(context.Background(), product(9, m)); err != nil {
		t.Errorf("a party that needs no correction: %v", err)
	}
	if !ReceivesCorrections(1, 2) || ReceivesCorrections(0, 2) || ReceivesCorrections(2, 2) {
		t.Error("the wrong party gets corrections")
	}
}

// A correction is removed when it is taken, and one of a wrong length is refused.
func TestCorrections(t *testing.T) {
	bits := NewFreshBits(1, 9, 1)
	wide := NewFresh(2, ring.Z(46), 3)
	for _, r := range []*Request{
		product(10, NewFresh(3, ring.Z(64), 5)),
		{ID: 11, Kind: BitProduct, Factors: []Factor{{Mask: bits}}, N: 9},
		{ID: 15, Kind: BitProduct, Factors: []Factor{{Mask: bits}, {Mask: bits}}, N: 9, Products: NewProducts(2, [][]uint16{{0}, {1}, {0, 1}})},
		{ID: 12, Kind: Lift, Factors: []Factor{{Mask: wide, Part: LowBits, Width: 46}}, Out: ring.Z(64), N: 3},
		{ID: 13, Kind: Product, Factors: []Factor{{Mask: wide, Part: Wrap, Width: 46}}, Out: ring.Z(64), N: 3, Zeros: 46},
		{ID: 14, Kind: Thermometer, Factors: []Factor{{Mask: wide}}, Digits: Digits{4}, N: 3},
	} {
		for _, d := range []int{-int(r.Bytes()), -1, 0, 1, 100} {
			c := unlimited()
			p := NewParty(1, 2, ring.Seed{}, c)
			c.Put(r.ID, make([]byte, int(r.Bytes())+d))
			m, err := p.Take(context.Background(), r)
			if (err == nil) != (d == 0) {
				t.Errorf("%v: %d bytes too many: %v", r.Kind, d, err)
			}
			want := r.N
			if r.OfBits() {
				want = r.CorrectionBits()
			}
			got := m.Vec.Len()
			for _, b := range m.Bits {
				got += b.Len()
			}
			if err == nil && got != want {
				t.Errorf("%v: %d elements", r.Kind, got)
			}
			if len(c.arrived) != 0 || c.held != 0 {
				t.Errorf("%v: the correction is kept", r.Kind)
			}
		}
	}
}

// The recorder returns shape-only versions of a party's results, and records requests in the order
// of their ids.
func TestRecorder(t *testing.T) {
	rec := &Recorder{}
	v, err := rec.Leaf(NewFresh(1, ring.Z(46), 5))
	if err != nil || !v.ShapeOnly() || v.Ring() != ring.Z(46) || v.Len() != 5 {
		t.Errorf("leaf: %v, %v", v, err)
	}
	b, err := rec.LeafBits(NewFreshBits(2, 70, 3))
	if err != nil || len(b) != 3 || !b[2].ShapeOnly() || b[2].Len() != 70 {
		t.Errorf("bits: %v, %v", b, err)
	}
	m := NewFresh(3, ring.Z(64), 5)
	for _, id := range []ID{30, 1 << 40, 10, 20} {
		got, err := rec.Take(context.Background(), product(id, m))
		if err != nil || !got.Vec.ShapeOnly() || got.Vec.Len() != 5 || got.Vec.Ring() != ring.Z(64) {
			t.Errorf("take: %v, %v", got, err)
		}
	}
	r := &Request{ID: 15, Kind: BitProduct, Factors: []Factor{{Mask: NewFreshBits(4, 9, 1)}}, N: 9}
	got, err := rec.Take(context.Background(), r)
	if err != nil || len(got.Bits) != 1 || !got.Bits[0].ShapeOnly() || got.Bits[0].Len() != 9 {
		t.Errorf("take: %v, %v", got, err)
	}
	var ids []ID
	for _, r := range rec.Manifest().Requests {
		ids = append(ids, r.ID)
	}
	if want := []ID{10, 15, 20, 30, 1 << 40}; len(ids) != 5 || [5]ID(ids) != [5]ID(want) {
		t.Errorf("the form lists %v", ids)
	}
	if n := rec.Manifest().Bytes(); n != 4*40+2 {
		t.Errorf("the form has %d bytes", n)
	}
}

// Sources expand only masks that come from seeds.
func TestLeavesOfOtherMasks(t *testing.T) {
	p := NewParty(0, 2, ring.Seed{}, nil)
	fresh := NewFresh(1, ring.Z(64), 4)
	for _, m := range []*Mask{NewZero(2, ring.Z(64), 4), NewFreshBits(3, 4, 1), NewDerived(4, ring.Z(64), reversal(4), fresh),
		{ID: 5, Kind: 99}} {
		if _, err := p.Leaf(m); err == nil || errors.Is(err, ErrSpent) {
			t.Errorf("a leaf of kind %d: %v", m.Kind, err)
		}
	}
	for _, m := range []*Mask{fresh, NewOwned(6, ring.Z(64), 4, 0), NewZero(7, ring.Z(1), 4)} {
		if _, err := p.LeafBits(m); err == nil || errors.Is(err, ErrSpent) {
			t.Errorf("bits of kind %d: %v", m.Kind, err)
		}
	}
}

func TestIDNames(t *testing.T) {
	id := ID(3<<32 | 17)
	if id.Op() != 3 || id.String() != "3.17" {
		t.Errorf("%d, %q", id.Op(), id)
	}
	for k, want := range map[Kind]string{BitProduct: "bit product", WrapTable: "wrap table", 77: "kind 77"} {
		if k.String() != want {
			t.Errorf("%q, want %q", k, want)
		}
	}
	a, b := Factor{
		Mask:  NewFresh(1, ring.Z(8), 1),
		Part:  Shifted,
		Width: 7,
		Shift: 2,
	}, Factor{
		Mask:  NewFresh(1, ring.Z(8), 1),
		Part:  Shifted,
		Width: 7,
		Shift: 3,
	}
	if a.Key() == b.Key() {
		t.Errorf("two factors are both %q", a.Key())
	}
}
