package pki

import (
	"errors"
	"fmt"
	"net"
	"sync"
)

// Limits of a listener's open connections whose handshakes have succeeded.
const (
	maxConnections = 4096
	maxPerIdentity = 512
	// maxDenied is the number of connections beyond a limit that the daemon still gets, to tell the
	// caller why it is refused, for each identity and, beyond maxConnections, for all of them.
	maxDenied = 16
)

// connections counts a listener's open connections by identity.
type connections struct {
	max, perIdentity int

	mu    sync.Mutex
	total int
	of    map[string]int
}

// add counts a connection of an identity. denied says which limit it exceeds; it is for its identity
// only, since it says how many connections that has. If counted is false, the connection is not counted
// and must be closed at once.
func (n *connections) add(identity string) (denied error, counted bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	own := n.of[identity]
	switch {
	case own >= n.perIdentity:
		denied = &DeniedError{"connections", fmt.Sprintf(
			"%s has %d connections here, the maximum for one name is %d (close some, or try again later)", identity, own, n.perIdentity)}
	case n.total >= n.max:
		denied = &DeniedError{"connections", fmt.Sprintf("all %d connections are taken here, %d of them by %s (try again later)",
			n.max, own, identity)}
	}
	if own >= n.perIdentity+maxDenied || n.total >= n.max+maxDenied {
		return denied, false
	}
	if n.of == nil {
		n.of = map[string]int{}
	}
	n.total++
	n.of[identity]++
	return denied, true
}

// remove counts a connection of an identity less.
func (n *connections) remove(identity string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.total--
	if n.of[identity]--; n.of[identity] == 0 {
		delete(n.of, identity)
	}
}

// countedConn is a connection below TLS that calls closed when it is closed for the first time.
type countedConn struct {
	net.Conn
	once   sync.Once
	closed func() // set before the connection is handed out; nil if it is not counted
}

// Close closes the connection.
func (c *countedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() {
		if c.closed != nil {
			c.closed()
		}
	})
	return err
}

// CloseWrite closes the direction to the peer, if the connection can.
func (c *countedConn) CloseWrite() error {
	if h, ok := c.Conn.(halfCloser); ok {
		return h.CloseWrite()
	}
	return errors.ErrUnsupported
}
