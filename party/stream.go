package party

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// stream is corrections on their way from a dealer to the party that gets them,
// or the party that deals sending them: what one order asks for, then the next.
type stream struct {
	ctx   context.Context
	stop  context.CancelCauseFunc
	parts []*part
	now   int           // of who puts: the part whose corrections come
	open  atomic.Int32  // parts that are not closed
	done  chan struct{} // closed when nothing runs any more
}

// part is what of a stream one order asks for.
type part struct {
	*stream
	form     *correlation.Form
	lead     time.Duration
	total    int64
	delivery *correlation.Delivery
	near     chan struct{} // closed when what is to come will come ahead of need
	all      chan struct{} // closed when nothing more comes
	ended    sync.Once
	// Of who puts, until nothing more comes.
	start time.Time
	left  int // requests
	came  int64
	took  time.Duration
	err   error // why not all has come
}

// maxWaiting bounds the corrections of a run that wait at the party for their
// use, in bytes, where they come over a network: then the dealer waits.
const maxWaiting = 512 << 20

// newStream makes a stream of what a run orders, over a connection of the shape.
func newStream(ctx context.Context, o *order, shape link.Shape) *stream {
	if shape.Zero() { // no network: all of it is there before the run goes on
		return newHolding(ctx, []*order{o})
	}
	return streamOf(ctx, []*order{o}, maxWaiting)
}

// newHolding makes a stream of what turns of a service order. There is room for
// all of it, so that it comes whether or not it is being used.
func newHolding(ctx context.Context, orders []*order) *stream {
	var most int64
	for _, o := range orders {
		most = max(most, o.form.Bytes())
	}
	return streamOf(ctx, orders, most)
}

func streamOf(ctx context.Context, orders []*order, limit int64) *stream {
	s := &stream{done: make(chan struct{})}
	s.ctx, s.stop = context.WithCancelCause(ctx)
	for _, o := range orders {
		s.parts = append(s.parts, &part{
			stream: s, form: o.form, lead: o.lead, total: o.form.Bytes(), left: len(o.form.Requests),
			delivery: correlation.NewDelivery(limit), near: make(chan struct{}), all: make(chan struct{}),
		})
	}
	s.parts[0].start = time.Now()
	s.open.Store(int32(len(s.parts)))
	context.AfterFunc(s.ctx, func() {
		for _, p := range s.parts {
			p.delivery.End(context.Cause(s.ctx))
		}
	})
	return s
}

// run starts what makes the stream: its ends, as far as they are here.
func (s *stream) run(ends ...func() error) {
	var working sync.WaitGroup
	for _, end := range ends {
		working.Go(func() { s.check(end()) })
	}
	go func() {
		working.Wait()
		for _, p := range s.parts {
			p.end(s.failure())
		}
		close(s.done)
	}()
}

// each is an end that goes from part to part.
func (s *stream) each(f func(p *part) error) func() error {
	return func() error {
		for _, p := range s.parts {
			if err := f(p); err != nil {
				return err
			}
		}
		return nil
	}
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

// put delivers a correction that has come.
func (s *stream) put(id correlation.ID, data []byte) {
	for s.parts[s.now].left == 0 {
		s.now++
		s.parts[s.now].start = time.Now()
	}
	p := s.parts[s.now]
	p.arrives(int64(len(data)))
	p.delivery.Put(id, data)
	if p.left--; p.left == 0 {
		s.passed(p)
	}
}

// passed ends a part all of which has come, or been sent. The last one ends with
// the stream: then its dealer can be asked for more.
func (s *stream) passed(p *part) {
	if p != s.parts[len(s.parts)-1] {
		p.end(nil)
	}
}

// arrives notes bytes and whether the rest, at the rate so far, takes as little
// time as it may, or has to wait for those that use what has come.
func (p *part) arrives(n int64) {
	p.came += n
	passed := time.Since(p.start)
	rest := time.Duration(float64(passed) * float64(p.total-p.came) / float64(max(p.came, 1)))
	if p.came < p.total && (p.lead > 0 && rest <= p.lead || p.came > maxWaiting) {
		p.isNear()
	}
}

func (p *part) isNear() {
	select {
	case <-p.near:
	default:
		close(p.near)
	}
}

// end notes that nothing more comes of the part, and why if that is too early.
func (p *part) end(err error) {
	p.ended.Do(func() {
		p.err = err
		if !p.start.IsZero() {
			p.took = time.Since(p.start)
		}
		p.delivery.End(err)
		p.isNear()
		close(p.all)
	})
}

// ready returns when what is still to come will come ahead of need.
func (p *part) ready(ctx context.Context) error {
	select {
	case <-p.near:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-p.all:
		return p.err
	default:
		return nil
	}
}

// complete returns when all has been made and put.
func (p *part) complete(ctx context.Context) error {
	select {
	case <-p.all:
		return p.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// lasted is how long the part was on its way, once it is complete.
func (p *part) lasted() time.Duration {
	select {
	case <-p.all:
		return p.took
	default:
		return 0
	}
}

// close ends the part. With the last one of its stream that ends, and nothing
// runs any more when it returns.
func (p *part) close() {
	p.delivery.End(context.Canceled)
	if p.open.Add(-1) == 0 {
		p.stop(nil)
		<-p.done
	}
}

// dealt is the stream as a party's material, with its seed: a part for each
// order.
func (s *stream) dealt(seed ring.Seed) []material {
	out := make([]material, len(s.parts))
	for i, p := range s.parts {
		out[i] = &dealt{seed, p}
	}
	return out
}
