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

// heard is a connection whose writes are events.
type heard struct {
	net.Conn
	events *events
}

func (h heard) Write(b []byte) (int, error) {
	h.events.add("%v > %v: %d bytes", h.LocalAddr(), h.RemoteAddr(), len(b))
	return h.Conn.Write(b)
}

// CloseWrite closes half of it.
func (h heard) CloseWrite() error { return h.Conn.(interface{ CloseWrite() error }).CloseWrite() }

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
	return heard{c, p.events}, nil
}
