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

// RunEnded is the only reason that a party gives the dealer for an early end. The dealer ends with it what it tells the others of a party
// that left (EndError.FromOtherParty).
const RunEnded = "its run has ended"

// Session is a party's end of the connection to the dealer.
type Session struct {
	line *line
	self Participant
	seed ring.Seed

	mu       sync.Mutex
	manifest *correlation.Manifest // the latest one
	dealt    chan struct{}         // in a service, at the party that receives corrections: those of the latest manifest are complete

	seeded  chan struct{}                             // closed when the seed has arrived
	put     chan func(id correlation.ID, data []byte) // passed from Receive to the reading goroutine
	closing chan struct{}
	once    sync.Once
	done    chan struct{} // closed when the reading goroutine has ended
	err     error         // result of the reading goroutine
	stop    func() bool
	sender  sync.WaitGroup
}

// Open begins a session over conn, a connection to the dealer, which the Session takes over, and returns when the
// dealer has sent the seed. f is the correlation manifest: the party that receives corrections sends all of it, the
// others send its digest. w sets the heartbeats and timeouts. The end of ctx ends the session.
func Open(ctx context.Context, conn net.Conn, self Participant, f *correlation.Manifest, w link.Heartbeat) (*Session, error) {
	h := &Hello{Participant: self}
	h.Digest, h.Length = f.Measure()
	hello, err := h.encode()
	if err != nil {
		conn.Close()
		return nil, err
	}
	s := &Session{
		line: newLine(conn, w), self: self, manifest: f, dealt: make(chan struct{}, 1),
		seeded: make(chan struct{}), put: make(chan func(correlation.ID, []byte), 1), closing: make(chan struct{}), done: make(chan struct{}),
	}
	s.stop = context.AfterFunc(ctx, func() { s.leave(func() { s.line.end(RunEnded) }) })
	go s.read()
	s.sender.Go(func() { // the reading goroutine reports the error
		if s.line.write(frameHello, hello) == nil && self.ReceivesCorrections() {
			s.send(f)
		}
	})
	select {
	case <-s.seeded:
		return s, nil
	case <-s.done:
	}
	select {
	case <-s.seeded: // both are ready: if the session has failed since, Err says why
		return s, nil
	default:
	}
	s.Close()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, self.explainFormer(s.err)
}

// Next sends a further manifest in a service's session. Call it when the corrections of the manifest before are
// complete: at the party that receives corrections, when Receive has returned. Errors of sending are reported by
// Receive and Err.
func (s *Session) Next(f *correlation.Manifest) error {
	sum, length := f.Measure()
	text, err := json.Marshal(manifestJSON{hex.EncodeToString(sum[:]), length})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.manifest = f
	s.mu.Unlock()
	s.sender.Wait()
	s.sender.Go(func() {
		if s.line.write(frameNext, text) == nil && s.self.ReceivesCorrections() {
			s.send(f)
		}
	})
	return s.Err()
}

// latest is the latest manifest.
func (s *Session) latest() *correlation.Manifest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manifest
}

// send sends a manifest.
func (s *Session) send(f *correlation.Manifest) {
	out := bufio.NewWriterSize(frameWriter{s.line, frameManifest}, maxFrame)
	z, _ := flate.NewWriter(out, flate.DefaultCompression) // this level exists, so there is no error
	if f.Encode(z) == nil && z.Close() == nil {
		out.Flush()
	}
}

// Seed returns the seed that the party shares with the dealer.
func (s *Session) Seed() ring.Seed { return s.seed }

// Receive calls put for each correction of the latest manifest as it arrives, in the manifest's order. It returns nil
// when all have arrived, or the error that ended the session. While put blocks, nothing is read and the dealer waits.
// Only the party that receives corrections gets any. Call Receive once for each manifest.
func (s *Session) Receive(put func(id correlation.ID, data []byte)) error {
	if len(s.latest().Requests) > 0 {
		select {
		case s.put <- put:
		case <-s.done:
		}
	}
	select {
	case <-s.dealt: // only in a service
		return nil
	case <-s.done:
		return s.err
	}
}

// Done returns a channel that is closed when the dealer has sent all corrections or the session has ended early; Err
// tells which.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err returns the reason of an early end once Done is closed, and nil otherwise.
func (s *Session) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Close ends the session and closes the connection; Err is then ErrClosed if corrections were missing. It returns
// nil.
func (s *Session) Close() error {
	s.stop()
	s.leave(func() {
		s.line.limit()
		s.line.write(frameBye, nil)
	})
	<-s.done
	s.sender.Wait()
	return nil
}

// leave calls say, once, unless the session is over; the reading goroutine ends soon after.
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

// ErrClosed is the error of a session that this party closed before it was complete.
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
	case !s.line.peerDone:
		s.line.end(RunEnded)
	}
	s.line.finish()
	s.err = err
	close(s.done)
}

func (s *Session) frames() error {
	kind, n, err := s.line.next()
	if err != nil {
		return err
	}
	if kind != frameSeed || n != len(s.seed) {
		return &unexpectedFrame{kind, n}
	}
	seed, err := s.line.body(n)
	if err != nil {
		return err
	}
	s.seed = ring.Seed(seed)
	close(s.seeded)
	for {
		if err := s.readCorrections(); err != nil || !s.self.Service {
			return err
		}
		if s.self.ReceivesCorrections() {
			select {
			case s.dealt <- struct{}{}:
			case <-s.closing:
				return ErrClosed
			}
		}
	}
}

// readCorrections reads the corrections of a manifest and the done frame. It reads the first
// frame's head before Receive is called, so that a session that waits for its next manifest sees
// its end.
func (s *Session) readCorrections() error {
	kind, n, err := s.line.next()
	if err != nil {
		return err
	}
	if f := s.latest(); s.self.ReceivesCorrections() && len(f.Requests) > 0 {
		if kind != frameRecords {
			return &unexpectedFrame{kind, n}
		}
		in := &frameReader{line: s.line, kind: frameRecords, left: n}
		if err := s.records(in, f); err != nil {
			return err
		}
		if in.left > 0 {
			return fmt.Errorf("%d bytes more than the correlation manifest asks for", in.left)
		}
		if kind, n, err = s.line.next(); err != nil {
			return err
		}
	}
	if kind != frameDone || n != 0 {
		return &unexpectedFrame{kind, n}
	}
	return nil
}

// records reads corrections and passes them to Receive's callback.
func (s *Session) records(in *frameReader, f *correlation.Manifest) error {
	// Nothing is read before Receive is called.
	var put func(correlation.ID, []byte)
	select {
	case put = <-s.put:
	case <-s.closing:
		return ErrClosed
	}
	for _, want := range f.Requests {
		id, data, err := correlation.ReadRecord(in, s.self.Session, func(id correlation.ID) int64 {
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
