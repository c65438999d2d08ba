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
	frameHeartbeat byte = iota
	frameHello
	frameManifest
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

// finalTimeout bounds the time for sending the last frame and for the peer to close the connection.
const finalTimeout = time.Second

// EndError says that the peer, the dealer or a party, ended the session early, for the reason that it sent.
type EndError struct{ Reason string }

// Error returns Reason.
func (e *EndError) Error() string { return e.Reason }

// FromOtherParty reports whether the peer is a dealer that ended the session because another party's run had ended.
// Only that party knows why.
func (e *EndError) FromOtherParty() bool { return strings.HasSuffix(e.Reason, ": "+RunEnded) }

// ErrLost is the error of a connection that the peer closed without a reason.
var ErrLost = errors.New("connection lost")

// errEarly is the error of a party that left before it had sent its manifest.
var errEarly = errors.New("left early")

// line is one end of a connection.
type line struct {
	conn      net.Conn
	in        *bufio.Reader
	heartbeat link.Heartbeat
	deadline  atomic.Int64 // latest end of reading if not 0: UnixNano
	peerDone  bool         // the peer sends nothing more; only the reading goroutine uses it

	mu        sync.Mutex // guards writing
	frame     [frameHead + maxFrame]byte
	writeErr  error        // first error of writing: the last frame may be incomplete
	lastWrite atomic.Int64 // time of the last write: UnixNano

	stop       chan struct{}
	once       sync.Once
	heartbeats sync.WaitGroup
}

func newLine(conn net.Conn, w link.Heartbeat) *line {
	l := &line{conn: conn, heartbeat: w, stop: make(chan struct{})}
	l.in = bufio.NewReaderSize(timeoutReader{l}, maxFrame)
	l.lastWrite.Store(time.Now().UnixNano())
	if w.Interval > 0 {
		l.heartbeats.Go(l.sendHeartbeats)
	}
	return l
}

// close closes the connection and returns when the heartbeat goroutine has ended. Other goroutines
// may still be in a read or a write, which fail.
func (l *line) close() {
	l.once.Do(func() {
		close(l.stop)
		l.conn.Close()
	})
	l.heartbeats.Wait()
}

// sendHeartbeats sends heartbeats while nothing else is sent. A write in progress is itself a sign
// of life, or waits for the peer to read.
func (l *line) sendHeartbeats() {
	t := time.NewTicker(l.heartbeat.Interval)
	defer t.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-t.C:
		}
		if time.Now().UnixNano()-l.lastWrite.Load() >= int64(l.heartbeat.Interval)/2 && l.mu.TryLock() {
			l.put(frameHeartbeat, nil) // the reading goroutine sees the error too
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
	if l.writeErr != nil {
		return l.writeErr
	}
	n := len(data)
	l.frame[0], l.frame[1], l.frame[2], l.frame[3] = kind, byte(n), byte(n>>8), byte(n>>16)
	_, err := l.conn.Write(l.frame[:frameHead+copy(l.frame[frameHead:], data)])
	l.lastWrite.Store(time.Now().UnixNano())
	if err != nil {
		l.writeErr = connError(err)
	}
	return l.writeErr
}

// frameWriter writes frames of one kind.
type frameWriter struct {
	*line
	kind byte
}

func (p frameWriter) Write(b []byte) (int, error) {
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

// next reads a frame's head; it skips heartbeats.
func (l *line) next() (kind byte, n int, err error) {
	for {
		var h [frameHead]byte
		if _, err := io.ReadFull(l.in, h[:]); err != nil {
			return 0, 0, l.readError(err)
		}
		kind, n = h[0], int(h[1])|int(h[2])<<8|int(h[3])<<16
		if n > maxFrame {
			return 0, 0, fmt.Errorf("frame of %d bytes", n)
		}
		if kind == frameEnd {
			return 0, 0, l.ended(n)
		}
		if kind != frameHeartbeat {
			return kind, n, nil
		}
		if n > 0 {
			return 0, 0, fmt.Errorf("heartbeat of %d bytes", n)
		}
	}
}

// ended reads the reason for which the peer ended the session.
func (l *line) ended(n int) error {
	if n > maxReason {
		return fmt.Errorf("reason of %d bytes", n)
	}
	b, err := l.body(n)
	if err != nil {
		return err
	}
	l.peerDone = true
	return &EndError{string(b)}
}

// body reads a frame's bytes.
func (l *line) body(n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(l.in, b); err != nil {
		return nil, l.readError(err)
	}
	return b, nil
}

// readError classifies an error of reading.
func (l *line) readError(err error) error {
	l.peerDone = true
	if errors.Is(err, os.ErrDeadlineExceeded) && l.deadline.Load() == 0 {
		return fmt.Errorf("%w for %v", link.ErrSilent, l.heartbeat.Timeout)
	}
	return connError(err)
}

// connError maps the errors of a closed connection to ErrLost, and removes addresses from others.
func connError(err error) error {
	for _, of := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, io.ErrClosedPipe, os.ErrDeadlineExceeded, syscall.ECONNRESET,
		syscall.EPIPE} {
		if errors.Is(err, of) {
			return ErrLost
		}
	}
	return link.Lost(err)
}

// frameReader reads the bytes of consecutive frames of one kind as a stream. A frame of another
// kind ends it with an unexpectedFrame.
type frameReader struct {
	*line
	kind byte
	left int
	err  error // error of the connection; the stream's reader may replace it
}

// unexpectedFrame is the error of a frame whose kind is not the expected one.
type unexpectedFrame struct {
	kind byte
	n    int
}

func (e *unexpectedFrame) Error() string { return fmt.Sprintf("unexpected frame of kind %d", e.kind) }

func (j *frameReader) Read(b []byte) (int, error) {
	for j.left == 0 {
		kind, n, err := j.next()
		if err != nil {
			j.err = err
			return 0, err
		}
		if kind == frameBye {
			j.peerDone = true
			return 0, errEarly
		}
		if kind != j.kind || n == 0 {
			return 0, &unexpectedFrame{kind, n}
		}
		j.left = n
	}
	n, err := j.in.Read(b[:min(len(b), j.left)])
	j.left -= n
	if err != nil {
		err = j.readError(err)
		j.err = err
	}
	return n, err
}

// end sends the reason of an early end. The peer closes the connection when it has read it, which
// the reading goroutine sees.
func (l *line) end(reason string) {
	l.limit()
	l.write(frameEnd, []byte(reason[:min(len(reason), maxReason)]))
}

// finish closes the connection: at once if the peer sends nothing more, else after drain.
func (l *line) finish() {
	if !l.peerDone {
		l.drain()
	}
	l.close()
}

// limit sets finalTimeout for reads and writes, including those in progress.
func (l *line) limit() {
	by := time.Now().Add(finalTimeout)
	l.conn.SetWriteDeadline(by)
	l.deadline.CompareAndSwap(0, by.UnixNano())
	l.conn.SetReadDeadline(time.Unix(0, l.deadline.Load()))
}

// drain reads until the peer closes the connection, for at most finalTimeout: closing a connection
// with unread data may destroy data on its way to the peer.
func (l *line) drain() {
	l.limit()
	io.Copy(io.Discard, l.in)
}

// timeoutReader reads from the connection and fails when the peer sends nothing for a timeout. The
// timeout starts with each read: while the caller does not read, no timeout runs.
type timeoutReader struct{ *line }

func (w timeoutReader) Read(b []byte) (int, error) {
	until := w.deadline.Load()
	for {
		var by time.Time
		if w.heartbeat.Timeout > 0 {
			by = time.Now().Add(w.heartbeat.Timeout)
		}
		if until != 0 {
			by = time.Unix(0, until)
		}
		if err := w.conn.SetReadDeadline(by); err != nil {
			return 0, err
		}
		now := w.deadline.Load()
		if now == until { // else the deadline was set meanwhile
			return w.conn.Read(b)
		}
		until = now
	}
}
