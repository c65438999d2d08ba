package pki

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// memoryListener is a net.Listener whose connections come from any addresses.
type memoryListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newMemoryListener() *memoryListener {
	return &memoryListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *memoryListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *memoryListener) Addr() net.Addr { return memoryAddr("memory") }

// dial connects from an address. It waits until the listener accepts, in the order of the calls, or closes.
func (l *memoryListener) dial(from string) net.Conn {
	a, b := net.Pipe()
	select {
	case l.conns <- memoryConn{b, memoryAddr(from)}:
	case <-l.done:
		a.Close()
	}
	return a
}

type memoryConn struct {
	net.Conn
	from memoryAddr
}

func (c memoryConn) RemoteAddr() net.Addr { return c.from }

type memoryAddr string

func (memoryAddr) Network() string  { return "memory" }
func (a memoryAddr) String() string { return string(a) }

// port is a listener of bob's in memory, and what it refused, by cause.
type port struct {
	*Listener
	raw     *memoryListener
	ids     []*Identity
	mu      sync.Mutex
	refused map[string]int
}

// newPort starts to listen, for callers alice, bob and carol.
func newPort(t *testing.T) *port {
	_, ids := issued(t, "alice", "bob", "carol")
	p := &port{raw: newMemoryListener(), ids: ids, refused: map[string]int{}}
	p.Listener = NewListener(p.raw, ids[1], func(_ string, err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.refused[DenialCause(err)]++
	}, "one/1")
	return p
}

// connect makes the connection of the caller ids[i] and returns both ends.
func (p *port) connect(t *testing.T, i int, from string) (net.Conn, Caller) {
	t.Helper()
	type result struct {
		net.Conn
		err error
	}
	dialled := make(chan result, 1)
	go func() {
		c, err := Client(t.Context(), p.raw.dial(from), p.ids[i], "bob", "one/1")
		dialled <- result{c, err}
	}()
	at, err := p.Accept()
	if err != nil {
		t.Fatal(err)
	}
	r := <-dialled
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r.Conn, at
}

func (p *port) refusals(cause string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused[cause]
}

// TestSilentConnections checks that connections which send nothing, or trickle, keep nobody out, whether
// they come from one address or from many, and also if the party calls from the same address.
func TestSilentConnections(t *testing.T) {
	many := func(i int) string { return fmt.Sprintf("10.0.%d.%d:1000", i/250, i%250) }
	one := func(i int) string { return fmt.Sprintf("10.0.0.1:%d", 1000+i) }
	for name, c := range map[string]struct {
		from  func(i int) string
		slow  bool
		alice string
		cause string
	}{
		"one address":       {one, false, "192.0.2.1:1", "address"},
		"alice's address":   {one, false, "10.0.0.1:1", "address"},
		"one IPv6 network":  {func(i int) string { return fmt.Sprintf("[2001:db8::%x:1]:1000", i) }, false, "[2001:db8:0:1::1]:1", "address"},
		"300 addresses":     {many, false, "192.0.2.1:1", "handshakes"},
		"trickling":         {many, true, "192.0.2.1:1", "handshakes"},
		"trickling, of one": {one, true, "10.0.0.1:1", "address"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPort(t)
				var work sync.WaitGroup
				defer work.Wait()
				defer p.Close()
				accepted := make(chan Caller, 1)
				go func() { x, _ := p.Accept(); accepted <- x }()
				for i := range 300 {
					work.Go(func() {
						s := p.raw.dial(c.from(i))
						if c.slow {
							trickle(s)
						}
						s.Read(make([]byte, 1)) // until it is closed
					})
				}
				time.Sleep(500 * time.Millisecond)
				began := time.Now()
				conn, err := Client(t.Context(), p.raw.dial(c.alice), p.ids[0], "bob", "one/1")
				if err != nil {
					t.Fatal(err)
				}
				at := <-accepted
				if took := time.Since(began); took > time.Second || at.Name != "alice" {
					t.Errorf("%s is in after %v", at.Name, took)
				}
				if n := p.refusals(c.cause); n < 40 {
					t.Errorf("%d connections gave way because of %q, want 40 or more: %v", n, c.cause, p.refused)
				}
				go at.Close()
				conn.Close()
			})
		})
	}
}

// trickle sends the head of a TLS record of 512 bytes and its first bytes, one a second.
func trickle(c net.Conn) {
	for _, b := range append([]byte{22, 3, 1, 2, 0}, make([]byte, 100)...) {
		if _, err := c.Write([]byte{b}); err != nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// TestHandshakeTime checks how long a silent connection stays: HandshakeTime while there are few, and
// little more than minHandshakeTime while others need the slots.
func TestHandshakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPort(t)
		go p.Accept()
		began := time.Now()
		s := p.raw.dial("10.0.0.1:1")
		s.Read(make([]byte, 1))
		if took := time.Since(began); took != HandshakeTime {
			t.Errorf("alone, it is closed after %v", took)
		}
		began = time.Now()
		s = p.raw.dial("10.0.0.1:1")
		go func() {
			for i := 0; ; i++ {
				select {
				case p.raw.conns <- memoryConn{silent(), memoryAddr(fmt.Sprintf("10.1.%d.%d:1", i/250, i%250))}:
				case <-p.raw.done:
					return
				}
				select {
				case <-time.After(6 * time.Millisecond):
				case <-p.raw.done:
					return
				}
			}
		}()
		s.Read(make([]byte, 1))
		if took := time.Since(began); took < minHandshakeTime || took > 2*minHandshakeTime {
			t.Errorf("among many, it is closed after %v", took)
		}
		p.Close() // waits until all refusals are counted
		if p.refusals("time") < 2 {
			t.Errorf("causes: %v", p.refused)
		}
	})
	for n, want := range map[int]time.Duration{
		1: HandshakeTime, maxHandshakes / 2: HandshakeTime, maxHandshakes * 3 / 4: (HandshakeTime + minHandshakeTime) / 2,
		maxHandshakes: minHandshakeTime, 2 * maxHandshakes: minHandshakeTime,
	} {
		if got := handshakeTime(n); got != want {
			t.Errorf("%d handshakes: %v, want %v", n, got, want)
		}
	}
}

// silent returns the accepted end of a connection on which nothing is sent.
func silent() net.Conn {
	_, b := net.Pipe()
	return b
}

// TestConnectionsPerIdentity checks that one caller cannot take all connections, learns its own number
// when it is refused, and that a closed connection counts no more.
func TestConnectionsPerIdentity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPort(t)
		defer p.Close()
		p.open.max, p.open.perIdentity = 4, 3
		var ends []net.Conn
		connect := func(i int) Caller {
			c, at := p.connect(t, i, fmt.Sprintf("10.0.0.%d:1", len(ends)))
			ends = append(ends, c)
			go func() { // so that the other end can send its last alert
				var b bytes.Buffer
				b.ReadFrom(c)
			}()
			return at
		}
		first := connect(0)
		for range 2 {
			if at := connect(0); at.Denied != nil {
				t.Fatal(at.Denied)
			}
		}
		denied := connect(0)
		if d := (*DeniedError)(nil); !errors.As(denied.Denied, &d) || d.Limit != "connections" ||
			!strings.Contains(d.Error(), "alice has 3 connections here, the maximum for one name is 3") {
			t.Errorf("the fourth: %v", denied.Denied)
		}
		denied.Close()
		if at := connect(2); at.Denied != nil {
			t.Errorf("carol: %v", at.Denied)
		}
		if at := connect(2); at.Denied == nil || !strings.Contains(at.Denied.Error(), "all 4 connections are taken here, 1 of them by carol") {
			t.Errorf("carol's second: %v", at.Denied)
		} else {
			at.Close()
		}
		first.Close()
		first.Close()
		if at := connect(0); at.Denied != nil {
			t.Errorf("after one was closed: %v", at.Denied)
		}
		if p.refusals("connections") != 2 {
			t.Errorf("causes: %v", p.refused)
		}
		for range 2 * maxDenied { // connections beyond the limit that the daemon does not close
			if d, ok := p.open.add("alice"); d == nil || !ok {
				break
			}
		}
		if n := p.open.total; n > p.open.max+maxDenied {
			t.Errorf("%d connections are counted", n)
		}
		for _, c := range ends {
			c.Close()
		}
	})
}

// TestNetwork checks which addresses count as one.
func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:4000": "192.0.2.7", "[::ffff:192.0.2.7]:4000": "192.0.2.7", "[2001:db8:1:2:3:4:5:6]:1": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:1": "fe80::/64", "[::1]:1": "::/64", "host:1": "host", "memory": "memory", "": "",
	} {
		if got := Network(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// TestDenialCause checks the names of causes.
func TestDenialCause(t *testing.T) {
	for want, err := range map[string]error{
		"address": Explain(&DeniedError{"address", "x"}, "10.0.0.1:1"), "handshake": errors.New("x"),
		"certificate": Explain(&tls.CertificateVerificationError{Err: &RefusedError{Cause: WrongCA}}, "x"),
	} {
		if got := DenialCause(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}
