package offline

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ring"
)

// table is a dealer that parties reach by a call; it notes what it is asked for.
type table struct {
	joined []remote.Participant
	asked  [][]correlation.ID // by manifest
	now    *correlation.Manifest
	closed int
	fails  error
}

func (d *table) Begin(_ context.Context, self remote.Participant, f *correlation.Manifest) (DealerSession, error) {
	d.joined = append(d.joined, self)
	return d, d.Next(f)
}

func (d *table) Next(f *correlation.Manifest) error {
	var ids []correlation.ID
	for _, r := range f.Requests {
		ids = append(ids, r.ID)
	}
	d.asked, d.now = append(d.asked, ids), f
	return d.fails
}

func (d *table) Receive(put func(correlation.ID, []byte)) error {
	for _, r := range d.now.Requests {
		put(r.ID, make([]byte, r.Bytes()))
	}
	return nil
}

func (d *table) Seed() ring.Seed { return ring.Seed{9} }
func (d *table) Close() error    { d.closed++; return nil }

// with is product's request with another id.
func with(id correlation.ID) *Request {
	o := product()
	o.Manifest.Requests[0].ID = id
	return o
}

// TestFromDealer checks what a party asks its dealer for and what it gets, with and without
// corrections: further requests are made in one manifest.
func TestFromDealer(t *testing.T) {
	defer goleak.VerifyNone(t)
	for rank := range 2 {
		d := &table{}
		self := remote.Participant{Session: correlation.SessionID{1}, Rank: rank, Parties: []string{"a", "b"}, Computing: 2, Service: true}
		p := FromDealer(t.Context(), d, self)
		first, err := p.Begin(self.Session, with(2))
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Complete(t.Context()); err != nil {
			t.Error(err)
		}
		more, err := p.Prepare(first, []*Request{with(3), with(4)})
		if err != nil || len(more) != 2 {
			t.Fatal(more, err)
		}
		for i, m := range append([]Correlations{first}, more...) {
			if err := m.Complete(t.Context()); err != nil || m.Seed() != (ring.Seed{9}) {
				t.Errorf("rank %d, request %d: %v, seed %x", rank, i, err, m.Seed())
			}
			if got := m.Corrections() != nil; got != self.ReceivesCorrections() {
				t.Errorf("rank %d, request %d has corrections: %v", rank, i, got)
			}
		}
		for _, m := range append(more, first) {
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}
		if len(d.joined) != 1 || d.joined[0].Rank != rank || d.closed == 0 {
			t.Errorf("joined %+v, closed %d times", d.joined, d.closed)
		}
		if !slices.EqualFunc(d.asked, [][]correlation.ID{{2}, {3, 4}}, slices.Equal) {
			t.Errorf("asked for %v", d.asked)
		}
	}
	self := remote.Participant{Computing: 2, Parties: []string{"a", "b"}}
	p := FromDealer(t.Context(), &table{fails: errors.New("no room")}, self)
	if _, err := p.Begin(correlation.SessionID{}, with(2)); err == nil || !strings.Contains(err.Error(), "dealer: no room") {
		t.Errorf("got %v", err)
	}
}
