package node

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/link/fault"
)

// events are what happens in a simulation, in order, with the time that the
// simulation has: each write to a connection, what daemons log, faults.
type events struct {
	begun time.Time
	mu    sync.Mutex
	text  bytes.Buffer
	open  int            // ends of connections that no daemon has closed
	sent  int            // writes to connections so far
	due   map[int]func() // what happens with a write
}

// at has something done with a write to a connection, of which this is the number.
func (e *events) at(write int, do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.due[write] = do
}

// calm forgets what has not come yet.
func (e *events) calm() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.due)
}

// write notes a write.
func (e *events) write(h *heard, n int) {
	e.add("%v > %v: %d bytes", h.LocalAddr(), h.RemoteAddr(), n)
	e.mu.Lock()
	do := e.due[e.sent]
	e.sent++
	e.mu.Unlock()
	if do != nil {
		do()
	}
}

func (e *events) add(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(&e.text, "%12.6f ", time.Since(e.begun).Seconds())
	fmt.Fprintf(&e.text, format, args...)
	e.text.WriteByte('\n')
}

func (e *events) writeTo(w io.Writer) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err := w.Write(e.text.Bytes())
	return err
}

// log is a daemon's log as events.
func (e *events) log(name string) *slog.Logger {
	return slog.New(slog.NewTextHandler(lines{e, name}, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{} // it is that of the event
		}
		return a
	}}))
}

// lines are a daemon's lines as events.
type lines struct {
	events *events
	name   string
}

func (l lines) Write(b []byte) (int, error) {
	l.events.add("%s: %s", l.name, bytes.TrimSpace(b))
	return len(b), nil
}

// heard is a daemon's end of a connection, whose writes are events.
type heard struct {
	net.Conn
	events *events
	once   sync.Once
}

// hear makes the writes to a connection events.
func (e *events) hear(c net.Conn) *heard {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open++
	return &heard{Conn: c, events: e}
}

func (h *heard) Write(b []byte) (int, error) {
	h.events.write(h, len(b))
	return h.Conn.Write(b)
}

// CloseWrite closes half of it.
func (h *heard) CloseWrite() error { return h.Conn.(interface{ CloseWrite() error }).CloseWrite() }

// Close closes it.
func (h *heard) Close() error {
	h.once.Do(func() {
		h.events.mu.Lock()
		defer h.events.mu.Unlock()
		h.events.open--
	})
	return h.Conn.Close()
}

// opened is how many ends of connections nobody has closed.
func (e *events) opened() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open
}

// heardPort is a port whose connections' writes are events, but for those to
// carol: reports, which she asks for, hold what this process takes of memory.
type heardPort struct {
	net.Listener
	events *events
}

func (p heardPort) Accept() (net.Conn, error) {
	c, err := p.Listener.Accept()
	if err != nil || c.RemoteAddr() == fault.Addr("carol") {
		return c, err
	}
	return p.events.hear(c), nil
}
