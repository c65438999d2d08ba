package party

import (
	"context"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// partyDealer is the provider of a run in which one of the parties deals for the others: seeds
// arrive with its hello, corrections over the parties' own link, in the order in which they are
// needed, during the run.
type partyDealer struct {
	*session
	ctx context.Context // the run's
	id  correlation.SessionID
}

func (d partyDealer) sessions(*correlationRequest) ([]correlation.SessionID, error) {
	return []correlation.SessionID{d.id}, nil
}

// dealing is the protocol's offline phase.
func (d partyDealer) dealing() *protocol.Dealing { return d.spec.Descriptor().Dealing }

// begin starts dealing or receiving.
func (d partyDealer) begin(_ context.Context, _ correlation.SessionID, o *correlationRequest) (correlations, error) {
	if p := d.dealing(); d.rank != p.Rank && d.rank != p.Corrected {
		return &dealerCorrelations{common: d.dealerSeed}, nil
	}
	return d.deal(newStream(d.ctx, o, d.spec.shape()))[0], nil
}

func (d partyDealer) prepareMore(_ context.Context, _ correlations, requests []*correlationRequest) ([]correlations, error) {
	if p := d.dealing(); d.rank != p.Rank && d.rank != p.Corrected {
		return uncorrected(d.dealerSeed, requests), nil
	}
	return d.deal(newBufferedStream(d.ctx, requests)), nil
}

// deal starts this party's end of a stream.
func (d partyDealer) deal(s *stream) []correlations {
	dealing := d.dealing()
	if d.rank == dealing.Corrected {
		s.run(s.each(func(p *segment) error { return dealing.Receive(s.ctx, d.link, p.manifest, s.put) }))
		return s.dealt(d.dealerSeed)
	}
	seeds := dealing.Seeds(d.dealerSeed, d.link.Size())
	s.run(s.each(func(p *segment) error {
		err := dealing.Deal(s.ctx, d.link, seeds, p.manifest)
		if err == nil {
			s.finishSegment(p)
		}
		return err
	}))
	var out []correlations
	for _, p := range s.segments {
		out = append(out, &dealingCorrelations{d.dealerSeed, p, !d.spec.shape().Zero()})
	}
	return out
}

// dealingCorrelations are the correlations of the party that deals.
type dealingCorrelations struct {
	own     ring.Seed
	segment *segment // its end of the stream
	ahead   bool     // the online phase may begin before all corrections are sent
}

func (m *dealingCorrelations) seed() ring.Seed                      { return m.own }
func (m *dealingCorrelations) corrections() correlation.Corrections { return nil }
func (m *dealingCorrelations) took() time.Duration                  { return 0 } // the receiver measures it
func (m *dealingCorrelations) close() error                         { m.segment.close(); return nil }

// ready waits for all corrections to be sent if none may arrive during the online phase.
func (m *dealingCorrelations) ready(ctx context.Context) error {
	if m.ahead {
		return nil
	}
	return m.finish(ctx)
}

// finish waits until all corrections are sent.
func (m *dealingCorrelations) finish(ctx context.Context) error   { return m.segment.complete(ctx) }
func (m *dealingCorrelations) complete(ctx context.Context) error { return m.segment.complete(ctx) }
