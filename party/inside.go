package party

import (
	"context"
	"time"

	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// inside supplies a party of a run in which one of the parties deals for the
// others: seeds came with its greeting, corrections come over the parties' own
// link, in the order of need, while the run goes on.
type inside struct {
	*session
	ctx context.Context // the run's
	id  correlation.SessionID
}

func (d inside) sessions(*order) ([]correlation.SessionID, error) {
	return []correlation.SessionID{d.id}, nil
}

// begin starts dealing, or receiving.
func (d inside) begin(_ context.Context, _ correlation.SessionID, o *order) (material, error) {
	shape := d.spec.shape()
	switch d.rank {
	case aby3.Dealer:
		s := newStream(d.ctx, o, shape)
		s.run(func() error {
			return aby3.Deal(s.ctx, d.link, aby3.Seeds(d.common, d.link.Size()), o.form)
		})
		return &sent{d.common, s, !shape.Zero()}, nil
	case aby3.Corrected:
		s := newStream(d.ctx, o, shape)
		s.run(func() error { return aby3.Receive(s.ctx, d.link, o.form, s.put) })
		return &dealt{d.common, s}, nil
	}
	return &dealt{common: d.common}, nil
}

func (d inside) further(ctx context.Context, _ material, o *order) (material, error) {
	return d.begin(ctx, d.id, o)
}

// sent is what the party has that deals.
type sent struct {
	own   ring.Seed
	s     *stream // its end of it
	ahead bool    // others may begin before all is sent
}

func (m *sent) seed() ring.Seed                      { return m.own }
func (m *sent) corrections() correlation.Corrections { return nil }
func (m *sent) took() time.Duration                  { return 0 } // the receiver says it
func (m *sent) close() error                         { return m.s.close() }

// ready waits only where nothing may come later.
func (m *sent) ready(ctx context.Context) error {
	if m.ahead {
		return nil
	}
	return m.finish(ctx)
}

// finish waits until all is sent.
func (m *sent) finish(ctx context.Context) error   { return m.s.complete(ctx) }
func (m *sent) complete(ctx context.Context) error { return m.s.complete(ctx) }
