package fault

import (
	"fmt"
	"net"
	"sync"
	"syscall"
)

// backlog is how many connections may wait to be accepted.
const backlog = 64

// Port is a listener in memory: what is dialled there is a Pipe.
type Port struct {
	name  Addr
	conns chan net.Conn
	mu    sync.Mutex
	over  bool
}

// NewPort opens a port.
func NewPort(name string) *Port {
	return &Port{name: Addr(name), conns: make(chan net.Conn, backlog)}
}

// Addr is the port's name.
func (p *Port) Addr() net.Addr { return p.name }

// Accept waits for the next connection. After Close it fails.
func (p *Port) Accept() (net.Conn, error) {
	c, ok := <-p.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

// Close closes the port and resets whoever was not accepted.
func (p *Port) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return net.ErrClosed
	}
	p.over = true
	close(p.conns)
	for c := range p.conns {
		shut(c, true)
	}
	return nil
}

// Dial connects whoever has that name to the port, over no line.
func (p *Port) Dial(from string) (net.Conn, error) {
	a, b := Pipe(from, string(p.name))
	return a, p.offer(b)
}

// offer has a connection accepted, if there is somebody to do it.
func (p *Port) offer(c net.Conn) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		select {
		case p.conns <- c:
			return nil
		default:
		}
	}
	c.Close()
	return fmt.Errorf("dial %s: %w", p.name, syscall.ECONNREFUSED)
}

// Dial connects whoever has that name to a port, over the line.
func (l *Line) Dial(from string, to *Port) (net.Conn, error) {
	a, x := Pipe(from, string(to.name))
	y, b := Pipe(from, string(to.name))
	if err := to.offer(b); err != nil {
		return nil, err
	}
	l.Join(x, y)
	return a, nil
}
