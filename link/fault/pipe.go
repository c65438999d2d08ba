package fault

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// window is how many bytes may be under way in one direction of a pipe; then
// writers wait.
const window = 64 << 10

// End is one end of a connection in memory.
type End struct {
	name Addr
	far  *End
	mu   *sync.Mutex // of both ends
	news sync.Cond   // something of this end has changed

	came   []byte // and is not read
	ended  bool   // nothing more comes
	reset  bool   // by the other side
	closed bool
	hard   bool // closing resets the other side
	reads  deadline
	writes deadline
}

// deadline is until when something may take.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

// Pipe makes a connection in memory, for tests in bubbles of testing/synctest,
// which know no sockets. Its ends behave as those of TCP do: what is written is
// under way for a while, half of it can be closed, and who closes with something
// unread resets the other side.
func Pipe(a, b string) (*End, *End) {
	mu := new(sync.Mutex)
	x, y := &End{name: Addr(a), mu: mu}, &End{name: Addr(b), mu: mu}
	x.far, y.far, x.news.L, y.news.L = y, x, mu, mu
	return x, y
}

// Addr is the name of an end of a pipe.
type Addr string

func (Addr) Network() string  { return "memory" }
func (a Addr) String() string { return string(a) }

// LocalAddr is the end's name.
func (e *End) LocalAddr() net.Addr { return e.name }

// RemoteAddr is the other end's.
func (e *End) RemoteAddr() net.Addr { return e.far.name }

// Read reads what has come.
func (e *End) Read(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		switch {
		case e.closed:
			return 0, net.ErrClosed
		case e.reads.over():
			return 0, os.ErrDeadlineExceeded
		case len(b) == 0:
			return 0, nil
		case len(e.came) > 0:
			n := copy(b, e.came)
			e.came = e.came[n:]
			e.far.news.Broadcast()
			return n, nil
		case e.reset:
			return 0, syscall.ECONNRESET
		case e.ended:
			return 0, io.EOF
		}
		e.news.Wait()
	}
}

// Write sends bytes. What comes to an end that is closed is lost, and resets
// this one.
func (e *End) Write(b []byte) (n int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		switch room := window - len(e.far.came); {
		case e.closed:
			return n, net.ErrClosed
		case e.reset || e.far.ended:
			return n, syscall.EPIPE
		case e.writes.over():
			return n, os.ErrDeadlineExceeded
		case n == len(b):
			return n, nil
		case e.far.closed:
			e.reset = true
			e.news.Broadcast()
			return len(b), nil
		case room > 0:
			part := b[n:min(len(b), n+room)]
			e.far.came = append(e.far.came, part...)
			n += len(part)
			e.far.news.Broadcast()
			continue
		}
		e.news.Wait()
	}
}

// CloseWrite ends what the other side reads.
func (e *End) CloseWrite() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return net.ErrClosed
	}
	e.far.ended = true
	e.far.news.Broadcast()
	return nil
}

// SetLinger says whether closing resets the other side (0), as on a TCP
// connection.
func (e *End) SetLinger(sec int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hard = sec == 0
	return nil
}

// Close closes the end.
func (e *End) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return net.ErrClosed
	}
	e.closed = true
	if e.hard || len(e.came) > 0 {
		e.far.reset = true
	}
	e.far.ended = true
	e.came = nil
	e.reads.set(e, time.Time{})
	e.writes.set(e, time.Time{})
	e.news.Broadcast()
	e.far.news.Broadcast()
	return nil
}

// SetDeadline says until when reads and writes may take.
func (e *End) SetDeadline(t time.Time) error { return e.until(t, &e.reads, &e.writes) }

// SetReadDeadline says it of reads.
func (e *End) SetReadDeadline(t time.Time) error { return e.until(t, &e.reads) }

// SetWriteDeadline says it of writes.
func (e *End) SetWriteDeadline(t time.Time) error { return e.until(t, &e.writes) }

func (e *End) until(t time.Time, which ...*deadline) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return net.ErrClosed
	}
	for _, d := range which {
		d.set(e, t)
	}
	e.news.Broadcast()
	return nil
}

// set sets a deadline. The lock is held.
func (d *deadline) set(e *End, t time.Time) {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	d.at = t
	if wait := time.Until(t); !t.IsZero() && wait > 0 {
		d.timer = time.AfterFunc(wait, func() {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.news.Broadcast()
		})
	}
}

func (d *deadline) over() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }
