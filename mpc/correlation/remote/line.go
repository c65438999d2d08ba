package remote

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tacet-mpc/tacet/link"
)

// The kinds of frames.
const (
	frameBeat byte = iota
	frameHello
	frameForm
	frameSeed
	frameRecords
	frameDone
	frameBye
	frameEnd
	frameNext
)

const (
	frameHead = 4
	maxFrame  = 1 << 16
	maxReason = 1 << 10
)

// parting is how long the last words may take.
const parting = time.Second

// EndError is why the other side ended the session.
type EndError struct{ Reason string }

func (e *EndError) Error() string { return e.Reason }

// Secondhand reports whether the other side is a dealer who has it from a party
// whose run has ended. Why it has, that party alone knows.
func (e *EndError) Secondhand() bool { return strings.HasSuffix(e.Reason, ": "+runEnded) }

// ErrLost says that the other side closed the connection without a word.
var ErrLost = errors.New("connection lost")

// errEarly says that a party has left before it sent its form.
var errEarly = errors.New("left early")

// line is one end of a connection.
type line struct {
	conn  net.Conn
	in    *bufio.Reader
	watch link.Watch
	until atomic.Int64 // when reading ends at the latest, if not 0: UnixNano
	heard bool         // the other side's last word; of who reads

	mu    sync.Mutex // of writing
	frame [frameHead + maxFrame]byte
	cut   error        // what writing failed with: what was written last may be a part of a frame
	last  atomic.Int64 // when something was written: UnixNano

	stop  chan struct{}
	once  sync.Once
	beats sync.WaitGroup
}

func newLine(conn net.Conn, w link.Watch) *line {
	l := &line{conn: conn, watch: w, stop: make(chan struct{})}
	l.in = bufio.NewReaderSize(watched{l}, maxFrame)
	l.last.Store(time.Now().UnixNano())
	if w.Beat > 0 {
		l.beats.Go(l.beat)
	}
	return l
}

// close closes the connection and returns when nothing here uses it, but for
// who reads or writes.
func (l *line) close() {
	l.once.Do(func() {
		close(l.stop)
		l.conn.Close()
	})
	l.beats.Wait()
}

// beat sends beats while nothing else is sent. What is being written is a sign
// of life already, or waits for the other side to read.
func (l *line) beat() {
	t := time.NewTicker(l.watch.Beat)
	defer t.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-t.C:
		}
		if time.Now().UnixNano()-l.last.Load() >= int64(l.watch.Beat)/2 && l.mu.TryLock() {
			l.put(frameBeat, nil) // an error is one for who reads, too
			l.mu.Unlock()
		}
	}
}

// write sends a frame.
func (l *line) write(kind byte, data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.put(kind, data)
}

func (l *line) put(kind byte, data []byte) error {
	if l.cut != nil {
		return l.cut
	}
	n := len(data)
	l.frame[0], l.frame[1], l.frame[2], l.frame[3] = kind, byte(n), byte(n>>8), byte(n>>16)
	_, err := l.conn.Write(l.frame[:frameHead+copy(l.frame[frameHead:], data)])
	l.last.Store(time.Now().UnixNano())
	if err != nil {
		l.cut = broken(err)
	}
	return l.cut
}

// pieces writes frames of a kind.
type pieces struct {
	*line
	kind byte
}

func (p pieces) Write(b []byte) (int, error) {
	n := 0
	for n < len(b) {
		size := min(len(b)-n, maxFrame)
		if err := p.write(p.kind, b[n:n+size]); err != nil {
			return n, err
		}
		n += size
	}
	return n, nil
}

// next reads a frame's head; beats are passed over.
func (l *line) next() (kind byte, n int, err error) {
	for {
		var h [frameHead]byte
		if _, err := io.ReadFull(l.in, h[:]); err != nil {
			return 0, 0, l.lost(err)
		}
		kind, n = h[0], int(h[1])|int(h[2])<<8|int(h[3])<<16
		if n > maxFrame {
			return 0, 0, fmt.Errorf("frame of %d bytes", n)
		}
		if kind == frameEnd {
			return 0, 0, l.ended(n)
		}
		if kind != frameBeat {
			return kind, n, nil
		}
		if n > 0 {
			return 0, 0, fmt.Errorf("beat of %d bytes", n)
		}
	}
}

// ended reads why the other side has ended the session.
func (l *line) ended(n int) error {
	if n > maxReason {
		return fmt.Errorf("reason of %d bytes", n)
	}
	b, err := l.body(n)
	if err != nil {
		return err
	}
	l.heard = true
	return &EndError{string(b)}
}

// body reads a frame's bytes.
func (l *line) body(n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(l.in, b); err != nil {
		return nil, l.lost(err)
	}
	return b, nil
}

// lost is an error of reading, in words.
func (l *line) lost(err error) error {
	l.heard = true
	if errors.Is(err, os.ErrDeadlineExceeded) && l.until.Load() == 0 {
		return fmt.Errorf("%w for %v", link.ErrSilent, l.watch.Silence)
	}
	return broken(err)
}

// broken is a connection's error, in words.
func broken(err error) error {
	for _, of := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, io.ErrClosedPipe, os.ErrDeadlineExceeded, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, of) {
			return ErrLost
		}
	}
	return link.Lost(err)
}

// joined reads what frames of a kind hold as one stream. Another kind ends it,
// with an error that says which.
type joined struct {
	*line
	kind byte
	left int
	err  error // of the connection, whatever who reads makes of it
}

// otherKind is a frame where one of another kind belongs.
type otherKind struct {
	kind byte
	n    int
}

func (e *otherKind) Error() string { return fmt.Sprintf("frame of kind %d out of place", e.kind) }

func (j *joined) Read(b []byte) (int, error) {
	for j.left == 0 {
		kind, n, err := j.next()
		if err != nil {
			j.err = err
			return 0, err
		}
		if kind == frameBye {
			j.heard = true
			return 0, errEarly
		}
		if kind != j.kind || n == 0 {
			return 0, &otherKind{kind, n}
		}
		j.left = n
	}
	n, err := j.in.Read(b[:min(len(b), j.left)])
	j.left -= n
	if err != nil {
		err = j.lost(err)
		j.err = err
	}
	return n, err
}

// end says why. The other side hangs up when it has read that, which who reads
// here will see.
func (l *line) end(reason string) {
	l.wane()
	l.write(frameEnd, []byte(reason[:min(len(reason), maxReason)]))
}

// part closes the connection, when the other side has said its last word or has
// heard that of this one.
func (l *line) part() {
	if !l.heard {
		l.drain()
	}
	l.close()
}

// wane lets the connection last for a moment only: also a write that waits
// now.
func (l *line) wane() {
	by := time.Now().Add(parting)
	l.conn.SetWriteDeadline(by)
	l.until.CompareAndSwap(0, by.UnixNano())
	l.conn.SetReadDeadline(time.Unix(0, l.until.Load()))
}

// drain reads until the other side hangs up, or not for long: who closes a
// connection in which something lies unread may destroy what is on its way to
// the other side.
func (l *line) drain() {
	l.wane()
	io.Copy(io.Discard, l.in)
}

// watched reads from the connection as long as the other side shows signs of
// life. It counts from the beginning of each reading: who does not read does
// not listen.
type watched struct{ *line }

func (w watched) Read(b []byte) (int, error) {
	until := w.until.Load()
	for {
		var by time.Time
		if w.watch.Silence > 0 {
			by = time.Now().Add(w.watch.Silence)
		}
		if until != 0 {
			by = time.Unix(0, until)
		}
		if err := w.conn.SetReadDeadline(by); err != nil {
			return 0, err
		}
		now := w.until.Load()
		if now == until { // or the end was set meanwhile
			return w.conn.Read(b)
		}
		until = now
	}
}
