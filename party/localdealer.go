package party

import (
	"bufio"
	"context"
	"io"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// localDealer is a dealer in this process that serves one run. It is the provider of all parties,
// with one session that each of them begins.
type localDealer struct {
	ctx       context.Context // the run's
	session   correlation.SessionID
	seeds     []ring.Seed                  // by rank
	computing int                          // number of computing parties
	shape     link.Shape                   // of the dealer's connection
	served    correlation.ManifestSequence // manifests so far
}

// provider is the dealer as one party's provider.
func (d *localDealer) provider(rank int) correlationProvider { return localDealerProvider{d, rank} }

type localDealerProvider struct {
	*localDealer
	rank int
}

func (d localDealerProvider) sessions(*correlationRequest) ([]correlation.SessionID, error) {
	return []correlation.SessionID{d.session}, nil
}

// begin returns the party's seed. At the party that receives corrections it starts the dealer.
func (d localDealerProvider) begin(_ context.Context, _ correlation.SessionID, o *correlationRequest) (correlations, error) {
	if !correlation.ReceivesCorrections(d.rank, d.computing) {
		return &dealerCorrelations{common: d.seeds[d.rank]}, nil
	}
	m, err := d.deal(newStream(d.ctx, o, d.shape))
	if err != nil {
		return nil, err
	}
	return m[0], nil
}

func (d localDealerProvider) prepareMore(_ context.Context, _ correlations, requests []*correlationRequest) ([]correlations, error) {
	if !correlation.ReceivesCorrections(d.rank, d.computing) {
		return uncorrected(d.seeds[d.rank], requests), nil
	}
	return d.deal(newBufferedStream(d.ctx, requests))
}

// dealerCorrelations are a party's correlations from a live dealer.
type dealerCorrelations struct {
	common  ring.Seed
	segment *segment // nil at parties that receive no corrections
}

// uncorrected returns the correlations of a party that receives no corrections: its seed.
func uncorrected(seed ring.Seed, requests []*correlationRequest) []correlations {
	out := make([]correlations, len(requests))
	for i := range out {
		out[i] = &dealerCorrelations{common: seed}
	}
	return out
}

func (m *dealerCorrelations) seed() ring.Seed { return m.common }

func (m *dealerCorrelations) corrections() correlation.Corrections {
	if m.segment == nil {
		return nil
	}
	return m.segment.delivery
}

func (m *dealerCorrelations) ready(ctx context.Context) error {
	if m.segment == nil {
		return nil
	}
	return m.segment.ready(ctx)
}

func (m *dealerCorrelations) finish(context.Context) error { return nil }

func (m *dealerCorrelations) complete(ctx context.Context) error {
	if m.segment == nil {
		return nil
	}
	return m.segment.complete(ctx)
}

func (m *dealerCorrelations) took() time.Duration {
	if m.segment == nil {
		return 0
	}
	return m.segment.duration()
}

func (m *dealerCorrelations) close() error {
	if m.segment != nil {
		m.segment.close()
	}
	return nil
}

// deal starts the dealer and, at the party that receives corrections, the receiver.
func (d localDealerProvider) deal(s *stream) ([]correlations, error) {
	for _, p := range s.segments {
		if err := d.served.Admit(p.manifest); err != nil {
			s.stop(nil)
			return nil, err
		}
	}
	dealer := correlation.NewLocal(d.computing, d.seeds)
	if d.shape.Zero() { // no network between dealer and party
		s.run(s.each(func(p *segment) error {
			return dealer.Deal(s.ctx, p.manifest, func(id correlation.ID, data []byte) error { s.put(id, data); return nil })
		}))
		return s.dealt(d.seeds[d.rank]), nil
	}
	from, to := link.Pipe(d.shape)
	context.AfterFunc(s.ctx, func() {
		from.Close()
		to.Close()
	})
	r := bufio.NewReaderSize(to, 1<<16)
	s.run(
		s.each(func(p *segment) error { return send(s.ctx, dealer, p.manifest, d.session, from) }),
		s.each(func(p *segment) error { return s.receive(r, d.session, p.manifest) }),
	)
	return s.dealt(d.seeds[d.rank]), nil
}

// send makes the corrections of a manifest and writes them.
func send(ctx context.Context, dealer correlation.Dealer, f *correlation.Manifest, id correlation.SessionID, to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	err := dealer.Deal(ctx, f, func(r correlation.ID, data []byte) error {
		return correlation.WriteRecord(w, id, r, data)
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// receive reads the corrections of a manifest and delivers them.
func (s *stream) receive(from io.Reader, session correlation.SessionID, f *correlation.Manifest) error {
	for _, want := range f.Requests {
		id, data, err := correlation.ReadRecord(from, session, func(id correlation.ID) int64 {
			if id != want.ID {
				return -1
			}
			return want.Bytes()
		})
		if err != nil {
			return err
		}
		s.put(id, data)
	}
	return nil
}
