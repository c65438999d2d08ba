package pki

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"time"
)

// linger is how long a connection whose handshake failed is read further, so
// that the other side gets to know why.
const linger = time.Second

// Handshake makes the handshake of a connection with a peer (an address, for a
// server) and says what went wrong in words. A connection that failed is
// closed.
func Handshake(ctx context.Context, c *tls.Conn, peer string) error {
	err := c.HandshakeContext(ctx)
	if err == nil {
		return nil
	}
	// The alert that says why is on its way. Closed with anything unread, the
	// connection would be reset and the alert lost.
	if n, ok := c.NetConn().(interface{ CloseWrite() error }); ok && ctx.Err() == nil && n.CloseWrite() == nil {
		drain(c.NetConn())
	}
	c.NetConn().Close()
	return Explain(err, peer)
}

// drain reads what still comes, for a while and not much of it.
func drain(c net.Conn) {
	if c.SetReadDeadline(time.Now().Add(linger)) == nil {
		io.Copy(io.Discard, io.LimitReader(c, maxFile))
	}
}
