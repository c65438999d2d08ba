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

// events lists what happens in a simulation, in order, with the simulated time: writes to connections,
// daemons' log lines, faults.
type events struct {
	begun time.Time
	mu    sync.Mutex
	text  bytes.Buffer
	open  int            // connection ends that no daemon has closed
	sent  int            // number of writes to connections so far
	due   map[int]func() // functions to call at the write with that number
}

// at schedules f for the write with this number.
func (e *events) at(write int, do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.due[write] = do
}

// calm removes the scheduled functions.
func (e *events) calm() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.due)
}

// write records a write and calls what is scheduled for it.
func (e *events) write(h *recordedConn, n int) {
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

// log returns a logger that adds a daemon's log lines to the events.
func (e *events) log(name string) *slog.Logger {
	return slog.New(slog.NewTextHandler(lines{e, name}, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{} // the event has its own time
		}
		return a
	}}))
}

// lines is a writer that adds a daemon's log lines to the events.
type lines struct {
	events *events
	name   string
}

func (l lines) Write(b []byte) (int, error) {
	l.events.add("%s: %s", l.name, bytes.TrimSpace(b))
	return len(b), nil
}

// recordedConn is a daemon's end of a connection whose writes are recorded as events.
type recordedConn struct {
	net.Conn
	events *events
	once   sync.Once
}

// hear wraps a connection so that its writes are recorded as events.
func (e *events) hear(c net.Conn) *recordedConn {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open++
	return &recordedConn{Conn: c, events: e}
}

func (h *recordedConn) Write(b []byte) (int, error) {
	h.events.write(h, len(b))
	return h.Conn.Write(b)
}

// CloseWrite closes the sending direction.
func (h *recordedConn) CloseWrite() error {
	return h.Conn.(interface{ CloseWrite() error }).CloseWrite()
}

// Close closes the connection.
func (h *recordedConn) Close() error {
	h.once.Do(func() {
		h.events.mu.Lock()
		defer h.events.mu.Unlock()
		h.events.open--
	})
	return h.Conn.Close()
}

// opened returns the number of connection ends that are not closed.
func (e *events) opened() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open
}

// recordingPort is a port whose connections' writes are recorded as events, except those to carol: she
// fetches reports, which contain this process's memory use.
type recordingPort struct {
	net.Listener
	events *events
}

func (p recordingPort) Accept() (net.Conn, error) {
	c, err := p.Listener.Accept()
	if err != nil || c.RemoteAddr() == fault.Addr("carol") {
		return c, err
	}
	return p.events.hear(c), nil
}
