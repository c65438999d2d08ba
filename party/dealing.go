package party

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"
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
	m := &dealt{common: d.seeds[d.rank]}
	if correlation.Corrected(d.rank, d.n) {
		if err := d.turns.Admit(o.form); err != nil {
			return nil, err
		}
		m.stream = d.deal(o)
	}
	return m, nil
}

func (d dealtTo) further(ctx context.Context, _ material, o *order) (material, error) {
	return d.begin(ctx, d.session, o)
}

// dealt is what a party has from a dealer at work.
type dealt struct {
	common ring.Seed
	stream *stream // nil at parties that get no corrections
}

func (m *dealt) seed() ring.Seed { return m.common }

func (m *dealt) corrections() correlation.Corrections {
	if m.stream == nil {
		return nil
	}
	return m.stream.delivery
}

func (m *dealt) ready(ctx context.Context) error {
	if m.stream == nil {
		return nil
	}
	select {
	case <-m.stream.near:
		return m.stream.failure()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (m *dealt) finish(context.Context) error { return nil }

func (m *dealt) complete(ctx context.Context) error {
	if m.stream == nil {
		return nil
	}
	return m.stream.complete(ctx)
}

func (m *dealt) took() time.Duration {
	if m.stream == nil {
		return 0
	}
	return m.stream.took
}

func (m *dealt) close() error {
	if m.stream == nil {
		return nil
	}
	return m.stream.close()
}

// maxWaiting bounds the corrections that wait at the party for their use, in
// bytes, where they come over a network: then the dealer waits.
const maxWaiting = 512 << 20

// stream is corrections on their way from a dealer to the party that gets them.
type stream struct {
	delivery *correlation.Delivery
	ctx      context.Context
	stop     context.CancelCauseFunc
	near     chan struct{} // closed when what is to come will come ahead of need
	done     chan struct{} // closed when nothing runs any more
	// Of the receiver, until done.
	took  time.Duration
	start time.Time
	lead  time.Duration
	total int64
	came  int64
}

// newStream makes a stream of what an order asks for, over a connection of the
// shape.
func newStream(ctx context.Context, o *order, shape link.Shape) *stream {
	s := &stream{
		delivery: correlation.NewDelivery(maxWaiting), near: make(chan struct{}), done: make(chan struct{}),
		start: time.Now(), lead: o.lead, total: o.form.Bytes(),
	}
	if shape.Zero() { // no network: all of it is there before the run goes on
		s.delivery = correlation.NewDelivery(s.total)
	}
	s.ctx, s.stop = context.WithCancelCause(ctx)
	context.AfterFunc(s.ctx, func() { s.delivery.End(context.Cause(s.ctx)) })
	return s
}

// run starts what makes the stream: its ends, as far as they are here.
func (s *stream) run(ends ...func() error) {
	var all sync.WaitGroup
	for _, end := range ends {
		all.Go(func() { s.check(end()) })
	}
	go func() {
		all.Wait()
		s.took = time.Since(s.start)
		s.delivery.End(s.failure())
		s.isNear()
		close(s.done)
	}()
}

// deal starts the dealer and the party's receiver of what it sends.
func (d *dealing) deal(o *order) *stream {
	s := newStream(d.ctx, o, d.shape)
	dealer := correlation.NewLocal(d.n, d.seeds)
	if d.shape.Zero() { // nothing between them
		s.run(func() error {
			return dealer.Deal(s.ctx, o.form, func(id correlation.ID, data []byte) error { s.put(id, data); return nil })
		})
		return s
	}
	from, to := link.Pipe(d.shape)
	context.AfterFunc(s.ctx, func() {
		from.Close()
		to.Close()
	})
	s.run(
		func() error { return send(s.ctx, dealer, o.form, d.session, from) },
		func() error { return s.receive(to, d.session, o.form) },
	)
	return s
}

// complete returns when all has been made and put.
func (s *stream) complete(ctx context.Context) error {
	select {
	case <-s.done:
		return s.failure()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// close ends the stream and returns when nothing runs any more.
func (s *stream) close() error {
	s.stop(nil)
	<-s.done
	return nil
}

// check ends the stream with an error; the first one counts.
func (s *stream) check(err error) {
	if err != nil {
		s.stop(fmt.Errorf("dealer: %w", err))
	}
}

// failure is what ended the stream early.
func (s *stream) failure() error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return nil
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
	r := bufio.NewReaderSize(from, 1<<16)
	for _, want := range f.Requests {
		id, data, err := correlation.ReadRecord(r, session, func(id correlation.ID) int64 {
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

// put delivers a correction that has come.
func (s *stream) put(id correlation.ID, data []byte) {
	s.arrives(int64(len(data)))
	s.delivery.Put(id, data)
}

// arrives notes bytes and whether the rest, at the rate so far, takes as little
// time as it may, or has to wait for those that use what has come.
func (s *stream) arrives(n int64) {
	s.came += n
	passed := time.Since(s.start)
	rest := time.Duration(float64(passed) * float64(s.total-s.came) / float64(max(s.came, 1)))
	if s.came < s.total && (s.lead > 0 && rest <= s.lead || s.came > maxWaiting) {
		s.isNear()
	}
}

func (s *stream) isNear() {
	select {
	case <-s.near:
	default:
		close(s.near)
	}
}
