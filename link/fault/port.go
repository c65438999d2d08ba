package fault

import (
	"fmt"
	"net"
	"sync"
	"syscall"
)

// backlog is the number of connections that may wait to be accepted.
const backlog = 64

// Port is a listener in memory, a net.Listener. Dialling it makes a Pipe.
type Port struct {
	name   Addr
	conns  chan net.Conn
	mu     sync.Mutex
	closed bool
}

// NewPort returns a new port with this name, which its Addr returns.
func NewPort(name string) *Port {
	return &Port{name: Addr(name), conns: make(chan net.Conn, backlog)}
}

// Addr returns the port's name.
func (p *Port) Addr() net.Addr { return p.name }

// Accept waits for the next connection. After Close it returns an error.
func (p *Port) Accept() (net.Conn, error) {
	c, ok := <-p.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

// Close closes the port and resets the connections that were not accepted.
func (p *Port) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return net.ErrClosed
	}
	p.closed = true
	close(p.conns)
	for c := range p.conns {
		shut(c, true)
	}
	return nil
}

// Dial connects a client named from to the port, without a line. After Close it returns an error.
func (p *Port) Dial(from string) (net.Conn, error) {
	a, b := Pipe(from, string(p.name))
	return a, p.offer(b)
}

// offer queues a connection for Accept; it fails if the port is closed or the backlog is full.
func (p *Port) offer(c net.Conn) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		select {
		case p.conns <- c:
			return nil
		default:
		}
	}
	c.Close()
	return fmt.Errorf("dial %s: %w", p.name, syscall.ECONNREFUSED)
}

// Dial connects a client named from to the port to, over the line.
func (l *Line) Dial(from string, to *Port) (net.Conn, error) {
	a, x := Pipe(from, string(to.name))
	y, b := Pipe(from, string(to.name))
	if err := to.offer(b); err != nil {
		return nil, err
	}
	l.Join(x, y)
	return a, nil
}
