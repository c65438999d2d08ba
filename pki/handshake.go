package pki

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"time"
)

// drainTime is the maximum time for which a connection is read after its handshake failed, so that the
// other side receives the alert.
const drainTime = time.Second

// halfCloser is a connection of which one direction can be closed.
type halfCloser interface{ CloseWrite() error }

// Handshake performs the TLS handshake on c, which a client or a server has made. peer names the other side in
// errors only: a client gives the server's name, a server the client's address. If the handshake fails or ctx
// ends, Handshake closes c and returns an error of Explain, which states the cause and the remedy.
func Handshake(ctx context.Context, c *tls.Conn, peer string) error {
	return Explain(handshake(ctx, c), peer)
}

// handshake makes the TLS handshake and closes a failed connection.
func handshake(ctx context.Context, c *tls.Conn) error {
	err := c.HandshakeContext(ctx)
	if err == nil {
		return nil
	}
	// The alert with the reason is still being sent. If the connection were closed with
	// unread data, it would be reset and the alert lost.
	if n, ok := c.NetConn().(halfCloser); ok && ctx.Err() == nil && n.CloseWrite() == nil {
		drain(c.NetConn())
	}
	c.NetConn().Close()
	return err
}

// drain reads and discards for at most drainTime and maxFile bytes.
func drain(c net.Conn) {
	if c.SetReadDeadline(time.Now().Add(drainTime)) == nil {
		io.Copy(io.Discard, io.LimitReader(c, maxFile))
	}
}
