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
	if d.rank != aby3.Dealer && d.rank != aby3.Corrected {
		return &dealt{common: d.common}, nil
	}
	return d.deal(newStream(d.ctx, o, d.spec.shape()))[0], nil
}

func (d inside) further(_ context.Context, _ material, orders []*order) ([]material, error) {
	if d.rank != aby3.Dealer && d.rank != aby3.Corrected {
		return undealt(d.common, orders), nil
	}
	return d.deal(newHolding(d.ctx, orders)), nil
}

// deal starts the party's end of a stream.
func (d inside) deal(s *stream) []material {
	if d.rank == aby3.Corrected {
		s.run(s.each(func(p *part) error { return aby3.Receive(s.ctx, d.link, p.form, s.put) }))
		return s.dealt(d.common)
	}
	seeds := aby3.Seeds(d.common, d.link.Size())
	s.run(s.each(func(p *part) error {
		err := aby3.Deal(s.ctx, d.link, seeds, p.form)
		if err == nil {
			s.passed(p)
		}
		return err
	}))
	var out []material
	for _, p := range s.parts {
		out = append(out, &sent{d.common, p, !d.spec.shape().Zero()})
	}
	return out
}

// sent is what the party has that deals.
type sent struct {
	own   ring.Seed
	part  *part // its end of it
	ahead bool  // others may begin before all is sent
}

func (m *sent) seed() ring.Seed                      { return m.own }
func (m *sent) corrections() correlation.Corrections { return nil }
func (m *sent) took() time.Duration                  { return 0 } // the receiver says it
func (m *sent) close() error                         { m.part.close(); return nil }

// ready waits only where nothing may come later.
func (m *sent) ready(ctx context.Context) error {
	if m.ahead {
		return nil
	}
	return m.finish(ctx)
}

// finish waits until all is sent.
func (m *sent) finish(ctx context.Context) error   { return m.part.complete(ctx) }
func (m *sent) complete(ctx context.Context) error { return m.part.complete(ctx) }
