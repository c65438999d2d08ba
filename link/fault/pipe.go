package fault

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// window is the number of bytes that may be in transit in one direction of a pipe before writes
// block.
const window = 64 << 10

// End is one end of a connection in memory. It implements net.Conn.
type End struct {
	name    Addr
	peer    *End
	mu      *sync.Mutex // guards both ends
	changed sync.Cond   // signals a change of this end

	received []byte // received and not read yet
	ended    bool   // the other side sends nothing more
	reset    bool   // by the other side
	closed   bool
	hard     bool // Close resets the other side
	reads    deadline
	writes   deadline
}

// deadline is the deadline of reads or of writes.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

// Pipe returns the two ends, named a and b, of a connection in memory, for tests in bubbles of testing/synctest,
// which cannot wait for sockets. Its ends behave like those of a TCP connection: writes return before the data
// are read, one half can be closed, and closing with unread data resets the other side.
func Pipe(a, b string) (*End, *End) {
	mu := new(sync.Mutex)
	x, y := &End{name: Addr(a), mu: mu}, &End{name: Addr(b), mu: mu}
	x.peer, y.peer, x.changed.L, y.changed.L = y, x, mu, mu
	return x, y
}

// Addr is the name of an end of a pipe. It implements net.Addr.
type Addr string

// Network returns the name of the kind of network, as net.Addr says.
func (Addr) Network() string { return "memory" }

// String returns the name as text.
func (a Addr) String() string { return string(a) }

// LocalAddr returns the end's name.
func (e *End) LocalAddr() net.Addr { return e.name }

// RemoteAddr returns the other end's name.
func (e *End) RemoteAddr() net.Addr { return e.peer.name }

// Read reads received bytes, as net.Conn says.
func (e *End) Read(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		switch {
		case e.closed:
			return 0, net.ErrClosed
		case e.reads.expired():
			return 0, os.ErrDeadlineExceeded
		case len(b) == 0:
			return 0, nil
		case len(e.received) > 0:
			n := copy(b, e.received)
			e.received = e.received[n:]
			e.peer.changed.Broadcast()
			return n, nil
		case e.reset:
			return 0, syscall.ECONNRESET
		case e.ended:
			return 0, io.EOF
		}
		e.changed.Wait()
	}
}

// Write sends bytes without waiting until they are read. Bytes that are sent to an end that is closed are lost,
// and reset this end.
func (e *End) Write(b []byte) (n int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		switch room := window - len(e.peer.received); {
		case e.closed:
			return n, net.ErrClosed
		case e.reset || e.peer.ended:
			return n, syscall.EPIPE
		case e.writes.expired():
			return n, os.ErrDeadlineExceeded
		case n == len(b):
			return n, nil
		case e.peer.closed:
			e.reset = true
			e.changed.Broadcast()
			return len(b), nil
		case room > 0:
			part := b[n:min(len(b), n+room)]
			e.peer.received = append(e.peer.received, part...)
			n += len(part)
			e.peer.changed.Broadcast()
			continue
		}
		e.changed.Wait()
	}
}

// CloseWrite ends the stream that the other side reads; reading at this end continues.
func (e *End) CloseWrite() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return net.ErrClosed
	}
	e.peer.ended = true
	e.peer.changed.Broadcast()
	return nil
}

// SetLinger sets whether Close resets the other side: yes if sec is 0, as on a TCP connection.
func (e *End) SetLinger(sec int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hard = sec == 0
	return nil
}

// Close closes the end. If received data was not read, the other side is reset.
func (e *End) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return net.ErrClosed
	}
	e.closed = true
	if e.hard || len(e.received) > 0 {
		e.peer.reset = true
	}
	e.peer.ended = true
	e.received = nil
	e.reads.set(e, time.Time{})
	e.writes.set(e, time.Time{})
	e.changed.Broadcast()
	e.peer.changed.Broadcast()
	return nil
}

// SetDeadline sets the deadline of reads and writes, as net.Conn says.
func (e *End) SetDeadline(t time.Time) error { return e.until(t, &e.reads, &e.writes) }

// SetReadDeadline sets the deadline of reads, as net.Conn says.
func (e *End) SetReadDeadline(t time.Time) error { return e.until(t, &e.reads) }

// SetWriteDeadline sets the deadline of writes, as net.Conn says.
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
	e.changed.Broadcast()
	return nil
}

// set sets a deadline. The caller holds the lock.
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
			e.changed.Broadcast()
		})
	}
}

func (d *deadline) expired() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }
