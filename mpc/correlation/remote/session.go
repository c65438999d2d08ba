package remote

import (
	"bufio"
	"compress/flate"
	"context"
	"encoding/hex"
	"encoding/json"
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
	seed ring.Seed

	mu    sync.Mutex
	form  *correlation.Form // the latest
	dealt chan struct{}     // of turns, at the party that gets corrections: the form is complete

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
		line: newLine(conn, w), seat: seat, form: f, dealt: make(chan struct{}, 1),
		seeded: make(chan struct{}), put: make(chan func(correlation.ID, []byte), 1), closing: make(chan struct{}), done: make(chan struct{}),
	}
	s.stop = context.AfterFunc(ctx, func() { s.leave(func() { s.line.end(runEnded) }) })
	go s.read()
	s.sender.Go(func() { // errors are the reader's to explain
		if s.line.write(frameHello, hello) == nil && seat.Corrected() {
			s.send(f)
		}
	})
	select {
	case <-s.seeded:
		return s, nil
	case <-s.done:
	}
	select {
	case <-s.seeded: // both: all has been dealt since, or Err says why not
		return s, nil
	default:
	}
	s.Close()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, s.err
}

// Next orders more in a session of turns, once the form before is complete: at
// the party that gets corrections, when Receive has returned. Errors are those of
// Receive, and Err's.
func (s *Session) Next(f *correlation.Form) error {
	sum, length := f.Measure()
	text, err := json.Marshal(further{hex.EncodeToString(sum[:]), length})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.form = f
	s.mu.Unlock()
	s.sender.Wait()
	s.sender.Go(func() {
		if s.line.write(frameNext, text) == nil && s.seat.Corrected() {
			s.send(f)
		}
	})
	return s.Err()
}

// ordered is the latest form.
func (s *Session) ordered() *correlation.Form {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.form
}

// send sends a form.
func (s *Session) send(f *correlation.Form) {
	out := bufio.NewWriterSize(pieces{s.line, frameForm}, maxFrame)
	z, _ := flate.NewWriter(out, flate.DefaultCompression) // a level that there is
	if f.Encode(z) == nil && z.Close() == nil {
		out.Flush()
	}
}

// Seed is what the party and the dealer have in common.
func (s *Session) Seed() ring.Seed { return s.seed }

// Receive passes on the corrections as they come, at the party that gets them,
// and returns when the dealer has dealt all, or why it will not. While put
// waits, the dealer does. It is called once for each form.
func (s *Session) Receive(put func(id correlation.ID, data []byte)) error {
	if len(s.ordered().Requests) > 0 {
		select {
		case s.put <- put:
		case <-s.done:
		}
	}
	select {
	case <-s.dealt: // of turns
		return nil
	case <-s.done:
		return s.err
	}
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
	for {
		if err := s.complete(); err != nil || !s.seat.Turns {
			return err
		}
		if s.seat.Corrected() {
			select {
			case s.dealt <- struct{}{}:
			case <-s.closing:
				return ErrClosed
			}
		}
	}
}

// complete reads what a form asks for, and that it is all. A frame's head is read
// whoever receives: so a session that waits for its next turn hears of its end.
func (s *Session) complete() error {
	kind, n, err := s.line.next()
	if err != nil {
		return err
	}
	if f := s.ordered(); s.seat.Corrected() && len(f.Requests) > 0 {
		if kind != frameRecords {
			return &otherKind{kind, n}
		}
		in := &joined{line: s.line, kind: frameRecords, left: n}
		if err := s.records(in, f); err != nil {
			return err
		}
		if in.left > 0 {
			return fmt.Errorf("%d bytes more than were ordered", in.left)
		}
		if kind, n, err = s.line.next(); err != nil {
			return err
		}
	}
	if kind != frameDone || n != 0 {
		return &otherKind{kind, n}
	}
	return nil
}

// records passes on the corrections.
func (s *Session) records(in *joined, f *correlation.Form) error {
	// Nothing is read before there is somebody to take it, who comes after the
	// seed.
	var put func(correlation.ID, []byte)
	select {
	case put = <-s.put:
	case <-s.closing:
		return ErrClosed
	}
	for _, want := range f.Requests {
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
