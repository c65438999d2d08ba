package offline

import (
	"context"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// FromParty returns the provider of a run in which one of the parties deals for the others. The seeds arrive
// with that party's first message (Request.Seed), and the corrections arrive during the run over the link l
// between the parties, in the order in which they are needed. ctx is the run's context, id its session, shape
// the declared network.
func FromParty(ctx context.Context, id correlation.SessionID, dealing *protocol.Dealing, l *link.Endpoint, shape link.Shape) Provider {
	return fromParty{ctx, id, dealing, l, shape}
}

type fromParty struct {
	ctx     context.Context
	id      correlation.SessionID
	dealing *protocol.Dealing
	link    *link.Endpoint // of this party
	shape   link.Shape
}

func (d fromParty) Sessions(*Request) ([]correlation.SessionID, error) {
	return []correlation.SessionID{d.id}, nil
}

// seedOnly reports whether this party neither deals nor receives corrections.
func (d fromParty) seedOnly() bool {
	rank := d.link.Rank()
	return rank != d.dealing.Rank && rank != d.dealing.Corrected
}

// Begin starts dealing or receiving.
func (d fromParty) Begin(_ correlation.SessionID, o *Request) (Correlations, error) {
	if d.seedOnly() {
		return &dealt{seed: o.Seed}, nil
	}
	return d.start(newStream(d.ctx, o), o.Seed)[0], nil
}

func (d fromParty) Prepare(_ Correlations, requests []*Request) ([]Correlations, error) {
	seed := requests[0].Seed // the same in all
	if d.seedOnly() {
		return uncorrected(seed, requests), nil
	}
	return d.start(newBufferedStream(d.ctx, requests), seed), nil
}

// start starts this party's end of a stream.
func (d fromParty) start(s *stream, seed ring.Seed) []Correlations {
	if d.link.Rank() == d.dealing.Corrected {
		s.run(s.each(func(p *segment) error { return d.dealing.Receive(s.ctx, d.link, p.manifest, s.put) }))
		return s.dealt(seed)
	}
	seeds := d.dealing.Seeds(seed, d.link.Size())
	s.run(s.each(func(p *segment) error {
		err := d.dealing.Deal(s.ctx, d.link, seeds, p.manifest)
		if err == nil {
			s.finishSegment(p)
		}
		return err
	}))
	var out []Correlations
	for _, p := range s.segments {
		out = append(out, &dealing{seed, p, !d.shape.Zero()})
	}
	return out
}

// dealing are the correlations of the party that deals.
type dealing struct {
	seed    ring.Seed // its own
	segment *segment  // its end of the stream
	ahead   bool      // the online phase may begin before all corrections are sent
}

func (m *dealing) Seed() ring.Seed                      { return m.seed }
func (m *dealing) Corrections() correlation.Corrections { return nil }
func (m *dealing) Result() any                          { return nil }
func (m *dealing) Took() time.Duration                  { return 0 } // the receiver measures it
func (m *dealing) Close() error                         { m.segment.close(); return nil }

// Ready waits for all corrections to be sent if none may arrive during the online phase.
func (m *dealing) Ready(ctx context.Context) error {
	if m.ahead {
		return nil
	}
	return m.Finish(ctx)
}

// Finish waits until all corrections are sent.
func (m *dealing) Finish(ctx context.Context) error   { return m.segment.complete(ctx) }
func (m *dealing) Complete(ctx context.Context) error { return m.segment.complete(ctx) }
