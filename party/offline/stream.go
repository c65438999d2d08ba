package offline

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// stream is a sequence of corrections in transit: from a dealer to the party that receives them, or
// from the party that deals. It has a segment for each correlation request.
type stream struct {
	ctx      context.Context
	stop     context.CancelCauseFunc
	segments []*segment
	current  int           // used by put only: the segment that corrections arrive for
	open     atomic.Int32  // number of segments that are not closed
	done     chan struct{} // closed when all goroutines have ended
}

// segment is the part of a stream that one correlation request asked for.
type segment struct {
	*stream
	manifest *correlation.Manifest
	maxTail  time.Duration
	total    int64
	delivery *correlation.Delivery
	timely   chan struct{} // closed when the remaining corrections will arrive before they are needed
	all      chan struct{} // closed when nothing more arrives
	ended    sync.Once
	// Written by put and its goroutine, until all is closed.
	start   time.Time
	left    int // correlations that have not arrived
	arrived int64
	took    time.Duration
	err     error // why some corrections did not arrive
}

// MaxWaiting is the bytes of corrections after which the online phase begins though others have yet to
// arrive. In a run it also bounds those that have arrived and wait to be used: beyond it the dealer waits.
const MaxWaiting = 512 << 20

// Tail returns the time for which corrections may still arrive after the online phase has begun on a network of this
// shape: twice the least time of the online phase, given its rounds, the bytes that a party sends to all others in it, and the
// number of computing parties.
// Corrections arrive in the order in which they are needed, so that the run takes no longer than if the online phase
// began later, and the online phase at most three times its time. It is 0 without a network, where the dealer and the
// parties have the same cores.
func Tail(shape link.Shape, rounds int, bytes int64, computing int) time.Duration {
	if shape.Zero() {
		return 0
	}
	return time.Duration(2 * shape.Seconds(rounds, bytes/int64(max(1, computing-1))) * float64(time.Second))
}

// newStream makes the stream of a run's correlation request.
func newStream(ctx context.Context, o *Request) *stream {
	return streamOf(ctx, []*Request{o}, MaxWaiting)
}

// newBufferedStream makes the stream of a service's requests. It has room for all corrections, so
// that the dealer never waits for their use.
func newBufferedStream(ctx context.Context, requests []*Request) *stream {
	var most int64
	for _, o := range requests {
		most = max(most, o.Manifest.Bytes())
	}
	return streamOf(ctx, requests, most)
}

func streamOf(ctx context.Context, requests []*Request, limit int64) *stream {
	s := &stream{done: make(chan struct{})}
	s.ctx, s.stop = context.WithCancelCause(ctx)
	for _, o := range requests {
		s.segments = append(s.segments, &segment{
			stream: s, manifest: o.Manifest, maxTail: o.MaxTail, total: o.Manifest.Bytes(), left: len(o.Manifest.Requests),
			delivery: correlation.NewDelivery(limit), timely: make(chan struct{}), all: make(chan struct{}),
		})
	}
	s.segments[0].start = time.Now()
	s.open.Store(int32(len(s.segments)))
	context.AfterFunc(s.ctx, func() {
		for _, p := range s.segments {
			p.delivery.End(context.Cause(s.ctx))
		}
	})
	return s
}

// run starts the stream's ends that are in this process.
func (s *stream) run(ends ...func() error) {
	var working sync.WaitGroup
	for _, end := range ends {
		working.Go(func() { s.check(end()) })
	}
	go func() {
		working.Wait()
		for _, p := range s.segments {
			p.manifest = nil // all ends have ended; a long loop's takes much memory
			p.end(s.failure())
		}
		close(s.done)
	}()
}

// each returns an end that calls f with one segment after the other.
func (s *stream) each(f func(p *segment) error) func() error {
	return func() error {
		for _, p := range s.segments {
			if err := f(p); err != nil {
				return err
			}
		}
		return nil
	}
}

// check ends the stream if err is not nil; the first error counts.
func (s *stream) check(err error) {
	if err != nil {
		s.stop(fmt.Errorf("dealer: %w", err))
	}
}

// failure is the error that ended the stream early, else nil.
func (s *stream) failure() error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return nil
}

// put delivers a correction that has arrived.
func (s *stream) put(id correlation.ID, data []byte) {
	for s.segments[s.current].left == 0 {
		s.current++
		s.segments[s.current].start = time.Now()
	}
	p := s.segments[s.current]
	p.recordArrival(int64(len(data)))
	p.delivery.Put(id, data)
	if p.left--; p.left == 0 {
		s.finishSegment(p)
	}
}

// finishSegment ends a segment that has arrived or been sent completely. The last segment ends with
// the stream instead: only then the dealer can be asked for more.
func (s *stream) finishSegment(p *segment) {
	if p != s.segments[len(s.segments)-1] {
		p.end(nil)
	}
}

// recordArrival counts n bytes. It marks the segment as timely if the rest, at the rate so far,
// will arrive within maxTail, or if MaxWaiting bytes have arrived.
func (p *segment) recordArrival(n int64) {
	p.arrived += n
	passed := time.Since(p.start)
	rest := time.Duration(float64(passed) * float64(p.total-p.arrived) / float64(max(p.arrived, 1)))
	if p.arrived < p.total && (p.maxTail > 0 && rest <= p.maxTail || p.arrived > MaxWaiting) {
		p.markTimely()
	}
}

func (p *segment) markTimely() {
	select {
	case <-p.timely:
	default:
		close(p.timely)
	}
}

// end notes that nothing more arrives, with the error if that is too early.
func (p *segment) end(err error) {
	p.ended.Do(func() {
		p.err = err
		if !p.start.IsZero() {
			p.took = time.Since(p.start)
		}
		p.delivery.End(err)
		close(p.all) // before timely: ready looks at all, for the error, once timely is closed
		p.markTimely()
	})
}

// ready returns when the remaining corrections will arrive before they are needed.
func (p *segment) ready(ctx context.Context) error {
	select {
	case <-p.timely:
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

// complete returns when all corrections have arrived.
func (p *segment) complete(ctx context.Context) error {
	select {
	case <-p.all:
		return p.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// duration is how long the segment took to arrive, once it is complete; else 0.
func (p *segment) duration() time.Duration {
	select {
	case <-p.all:
		return p.took
	default:
		return 0
	}
}

// arrivedAt is the time at which the segment was complete; zero if it is not.
func (p *segment) arrivedAt() time.Time {
	if took := p.duration(); took > 0 {
		return p.start.Add(took)
	}
	return time.Time{}
}

// close ends the segment. Closing the last segment ends the stream and waits for its goroutines.
func (p *segment) close() {
	p.delivery.End(context.Canceled)
	if p.open.Add(-1) == 0 {
		p.stop(nil)
		<-p.done
	}
}
