package remote

import (
	"bufio"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// runEnded is all that the dealer learns of why.
const runEnded = "its run has ended"

// Session is a party's end.
type Session struct {
	line *line
	seat Seat
	form *correlation.Form
	seed ring.Seed

	seeded  chan struct{}                             // closed when the seed has come
	put     chan func(id correlation.ID, data []byte) // from Receive
	closing chan struct{}
	once    sync.Once
	done    chan struct{} // closed when the reader has ended
	err     error         // of the reader
	stop    func() bool
	sender  sync.WaitGroup
}

// Open begins a session over a connection to the dealer, which is the
// session's from now on, and returns when the dealer has given the seed. The
// party that gets corrections sends the form; of the others' the dealer learns
// the digest. The end of ctx ends the session.
func Open(ctx context.Context, conn net.Conn, seat Seat, f *correlation.Form, w link.Watch) (*Session, error) {
	h := &Hello{Seat: seat}
	h.Digest, h.Length = f.Measure()
	hello, err := h.encode()
	if err != nil {
		conn.Close()
		return nil, err
	}
	s := &Session{
		line: newLine(conn, w), seat: seat, form: f,
		seeded: make(chan struct{}), put: make(chan func(correlation.ID, []byte), 1), closing: make(chan struct{}), done: make(chan struct{}),
	}
	s.stop = context.AfterFunc(ctx, func() { s.leave(func() { s.line.end(runEnded) }) })
	go s.read()
	s.sender.Go(func() { // errors are the reader's to explain
		if s.line.write(frameHello, hello) == nil && seat.Corrected() {
			s.send()
		}
	})
	select {
	case <-s.seeded:
		return s, nil
	case <-s.done:
	}
	s.Close()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, s.err
}

// send sends the form.
func (s *Session) send() {
	out := bufio.NewWriterSize(pieces{s.line, frameForm}, maxFrame)
	z, _ := flate.NewWriter(out, flate.DefaultCompression) // a level that there is
	if s.form.Encode(z) == nil && z.Close() == nil {
		out.Flush()
	}
}

// Seed is what the party and the dealer have in common.
func (s *Session) Seed() ring.Seed { return s.seed }

// Receive passes on the corrections as they come, at the party that gets them,
// and returns when the dealer has dealt all, or why it will not. While put
// waits, the dealer does. It is called once.
func (s *Session) Receive(put func(id correlation.ID, data []byte)) error {
	select {
	case s.put <- put:
	case <-s.done:
	}
	<-s.done
	return s.err
}

// Done is closed when the dealer has dealt all, or the session has ended
// early; then Err says why.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err is why the session ended early, once it is Done.
func (s *Session) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Close ends the session. Who has not got all that is dealt needs it no longer.
func (s *Session) Close() error {
	s.stop()
	s.leave(func() {
		s.line.wane()
		s.line.write(frameBye, nil)
	})
	<-s.done
	s.sender.Wait()
	return nil
}

// leave says goodbye, once, unless all is over; the reader ends soon after.
func (s *Session) leave(say func()) {
	s.once.Do(func() {
		close(s.closing)
		select {
		case <-s.done:
		default:
			say()
		}
	})
}

// ErrClosed is how a session ends at a party that closes it early.
var ErrClosed = errors.New("session was closed")

// read reads until the session's end.
func (s *Session) read() {
	err := s.frames()
	left := false
	select {
	case <-s.closing:
		left = true
	default:
	}
	switch {
	case left && err != nil:
		err = ErrClosed
	case err == nil:
		s.line.write(frameBye, nil)
	case !s.line.heard:
		s.line.end(runEnded)
	}
	s.line.part()
	s.err = err
	close(s.done)
}

func (s *Session) frames() error {
	kind, n, err := s.line.next()
	if err != nil {
		return err
	}
	if kind != frameSeed || n != len(s.seed) {
		return &otherKind{kind, n}
	}
	seed, err := s.line.body(n)
	if err != nil {
		return err
	}
	s.seed = ring.Seed(seed)
	close(s.seeded)
	in := &joined{line: s.line, kind: frameRecords}
	if s.seat.Corrected() && len(s.form.Requests) > 0 {
		if err := s.records(in); err != nil {
			return err
		}
	}
	if in.left > 0 {
		return fmt.Errorf("%d bytes more than were ordered", in.left)
	}
	kind, n, err = s.line.next()
	if err == nil && (kind != frameDone || n != 0) {
		err = &otherKind{kind, n}
	}
	return err
}

// records passes on the corrections.
func (s *Session) records(in *joined) error {
	// Nothing is read before there is somebody to take it, who comes after the
	// seed.
	var put func(correlation.ID, []byte)
	select {
	case put = <-s.put:
	case <-s.closing:
		return ErrClosed
	}
	for _, want := range s.form.Requests {
		id, data, err := correlation.ReadRecord(in, s.seat.Session, func(id correlation.ID) int64 {
			if id != want.ID {
				return -1
			}
			return want.Bytes()
		})
		if err != nil {
			return err
		}
		put(id, data)
	}
	return nil
}
