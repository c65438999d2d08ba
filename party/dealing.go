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

// dealing is a dealer in this process that works for one run. It is all
// parties' supplier, of one session that begins for each of them.
type dealing struct {
	ctx     context.Context // the run's
	session correlation.SessionID
	seeds   []ring.Seed // by rank
	n       int         // how many compute
	shape   link.Shape  // of the dealer's connection
	turns   correlation.Turns
}

// at is the dealer as a party sees it.
func (d *dealing) at(rank int) supplier { return dealtTo{d, rank} }

type dealtTo struct {
	*dealing
	rank int
}

func (d dealtTo) sessions(*order) ([]correlation.SessionID, error) {
	return []correlation.SessionID{d.session}, nil
}

// begin gives the party its seed. At the party that gets corrections the dealer
// begins to make them.
func (d dealtTo) begin(_ context.Context, _ correlation.SessionID, o *order) (material, error) {
	if !correlation.Corrected(d.rank, d.n) {
		return &dealt{common: d.seeds[d.rank]}, nil
	}
	m, err := d.deal(newStream(d.ctx, o, d.shape))
	if err != nil {
		return nil, err
	}
	return m[0], nil
}

func (d dealtTo) further(_ context.Context, _ material, orders []*order) ([]material, error) {
	if !correlation.Corrected(d.rank, d.n) {
		return undealt(d.seeds[d.rank], orders), nil
	}
	return d.deal(newHolding(d.ctx, orders))
}

// dealt is what a party has from a dealer at work.
type dealt struct {
	common ring.Seed
	part   *part // nil at parties that get no corrections
}

// undealt is what a party has of orders that gets no corrections.
func undealt(seed ring.Seed, orders []*order) []material {
	out := make([]material, len(orders))
	for i := range out {
		out[i] = &dealt{common: seed}
	}
	return out
}

func (m *dealt) seed() ring.Seed { return m.common }

func (m *dealt) corrections() correlation.Corrections {
	if m.part == nil {
		return nil
	}
	return m.part.delivery
}

func (m *dealt) ready(ctx context.Context) error {
	if m.part == nil {
		return nil
	}
	return m.part.ready(ctx)
}

func (m *dealt) finish(context.Context) error { return nil }

func (m *dealt) complete(ctx context.Context) error {
	if m.part == nil {
		return nil
	}
	return m.part.complete(ctx)
}

func (m *dealt) took() time.Duration {
	if m.part == nil {
		return 0
	}
	return m.part.lasted()
}

func (m *dealt) close() error {
	if m.part != nil {
		m.part.close()
	}
	return nil
}

// deal starts the dealer and the receiver, of the party that gets corrections, of
// what it sends.
func (d dealtTo) deal(s *stream) ([]material, error) {
	for _, p := range s.parts {
		if err := d.turns.Admit(p.form); err != nil {
			s.stop(nil)
			return nil, err
		}
	}
	dealer := correlation.NewLocal(d.n, d.seeds)
	if d.shape.Zero() { // nothing between them
		s.run(s.each(func(p *part) error {
			return dealer.Deal(s.ctx, p.form, func(id correlation.ID, data []byte) error { s.put(id, data); return nil })
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
		s.each(func(p *part) error { return send(s.ctx, dealer, p.form, d.session, from) }),
		s.each(func(p *part) error { return s.receive(r, d.session, p.form) }),
	)
	return s.dealt(d.seeds[d.rank]), nil
}

// send deals and writes.
func send(ctx context.Context, dealer correlation.Dealer, f *correlation.Form, id correlation.SessionID, to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	err := dealer.Deal(ctx, f, func(r correlation.ID, data []byte) error {
		return correlation.WriteRecord(w, id, r, data)
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// receive reads what a form asks for and delivers it.
func (s *stream) receive(from io.Reader, session correlation.SessionID, f *correlation.Form) error {
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
