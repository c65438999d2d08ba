package offline

import (
	"bufio"
	"context"
	"io"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// NewLocal returns a provider for each party, by rank, of a dealer in this process that serves one run. The
// first parties, as many as computing says, compute. seeds[rank] is the seed that the dealer and that party have
// in common; shape is the network of the dealer's connection. ctx is the run's context.
func NewLocal(ctx context.Context, computing int, seeds []ring.Seed, shape link.Shape) []Provider {
	d := &local{ctx: ctx, session: correlation.NewSessionID(), computing: computing, seeds: seeds, shape: shape}
	d.kept = correlation.NewKept(keptMasks)
	out := make([]Provider, len(seeds))
	for rank := range seeds {
		out[rank] = fromLocal{d, rank}
	}
	return out
}

// local is a dealer in this process. All parties begin its one session.
type local struct {
	ctx       context.Context
	session   correlation.SessionID
	seeds     []ring.Seed // by rank
	computing int         // number of computing parties
	shape     link.Shape
	served    correlation.ManifestSequence // manifests so far
	kept      *correlation.Kept            // of a service's requests
}

// fromLocal is a dealer in this process as one party's provider.
type fromLocal struct {
	*local
	rank int
}

func (d fromLocal) Sessions(*Request) ([]correlation.SessionID, error) {
	return []correlation.SessionID{d.session}, nil
}

// Begin returns the party's seed. At the party that receives corrections it starts the dealer.
func (d fromLocal) Begin(_ correlation.SessionID, o *Request) (Correlations, error) {
	if !correlation.ReceivesCorrections(d.rank, d.computing) {
		return &dealt{seed: d.seeds[d.rank]}, nil
	}
	m, err := d.deal(newStream(d.ctx, o), nil)
	if err != nil {
		return nil, err
	}
	return m[0], nil
}

func (d fromLocal) Prepare(_ Correlations, requests []*Request) ([]Correlations, error) {
	if !correlation.ReceivesCorrections(d.rank, d.computing) {
		return uncorrected(d.seeds[d.rank], requests), nil
	}
	return d.deal(newBufferedStream(d.ctx, requests), d.kept)
}

// keptMasks is the limit of the memory for masks of resident vectors that the dealer keeps between the requests of a service, in bytes.
const keptMasks = 1 << 30

// deal starts the dealer, which keeps masks in kept if that is not nil, and, at the party that receives corrections, the receiver.
func (d fromLocal) deal(s *stream, kept *correlation.Kept) ([]Correlations, error) {
	for _, p := range s.segments {
		if err := d.served.Admit(p.manifest); err != nil {
			s.stop(nil)
			return nil, err
		}
	}
	dealer := correlation.NewLocal(d.computing, d.seeds)
	dealer.Kept = kept
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
