package pki

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// Caller is a connection that a Listener has accepted, with its verified peer. Closing the Caller closes the
// connection.
type Caller struct {
	net.Conn
	Name         string // name in the peer's certificate
	Organisation string // the organisation that owns the name; "" if the configuration lists none
	Proto        string // the negotiated ALPN protocol
	// Denied is not nil if the connection exceeds a limit of the listener. The daemon then sends the reason to
	// the caller and closes the connection; nothing else is served.
	Denied error

	by *Identity // that accepted it; nil in tests
}

// Identity returns the peer's identity as policies and audit logs spell it (Peer.String).
func (c Caller) Identity() string { return Peer{c.Name, c.Organisation}.String() }

// Check verifies the peer's certificate again, at the present time and with the CAs that are trusted now.
// Daemons call it on long connections: a certificate that was accepted may have expired since, or its CA, name
// or key may have been removed. The error is a *RefusedError, or says that the name belongs to another
// organisation now.
func (c Caller) Check() error {
	t, ok := c.Conn.(*tls.Conn)
	if !ok || c.by == nil {
		return nil
	}
	p, err := c.by.Peer(t.ConnectionState())
	if err == nil && p.String() != c.Identity() {
		err = fmt.Errorf("pki: %s is %s now", c.Identity(), p)
	}
	return err
}

// Listener accepts TLS connections from callers with certificates. It bounds the number of connections in their
// handshakes (in all, and by network), and the number of accepted connections (in all, and by identity).
type Listener struct {
	raw     net.Listener
	id      *Identity
	protos  []string
	refused func(from string, err error)
	begin   sync.Once
	callers chan Caller
	slots   slots
	open    connections
	ctx     context.Context
	stop    context.CancelFunc
	work    sync.WaitGroup
}

// Listen opens a port at address, a host:port, for these ALPN protocols. Handshakes begin with the first call of
// Accept. refused is called, from several goroutines, for each connection whose handshake failed or which
// exceeds a limit: from is the caller's address, and DenialCause returns the cause of err.
func Listen(address string, id *Identity, refused func(from string, err error), protos ...string) (*Listener, error) {
	tcp, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return NewListener(tcp, id, refused, protos...), nil
}

// NewListener returns a Listener over the connections that raw accepts, as Listen does.
func NewListener(raw net.Listener, id *Identity, refused func(from string, err error), protos ...string) *Listener {
	l := &Listener{raw: raw, id: id, protos: protos, refused: refused, callers: make(chan Caller)}
	l.open.max, l.open.perIdentity = maxConnections, maxPerIdentity
	l.ctx, l.stop = context.WithCancel(context.Background())
	return l
}

// Address returns the host:port at which the listener listens.
func (l *Listener) Address() string { return l.raw.Addr().String() }

// Accept waits for the next connection whose handshake has succeeded. After Close it returns an error.
func (l *Listener) Accept() (Caller, error) {
	l.begin.Do(func() { l.work.Go(l.listen) })
	select {
	case c := <-l.callers:
		return c, nil
	case <-l.ctx.Done():
		return Caller{}, net.ErrClosed
	}
}

// Close closes the port and aborts the handshakes in progress. Accepted connections stay open.
func (l *Listener) Close() error {
	l.begin.Do(func() {})
	l.stop()
	err := l.raw.Close()
	l.work.Wait()
	return err
}

// listen makes handshakes, several at a time.
func (l *Listener) listen() {
	for {
		c, err := l.raw.Accept()
		if err != nil {
			if l.ctx.Err() != nil {
				return
			}
			l.refused("", err)
			time.Sleep(100 * time.Millisecond) // perhaps there are no file descriptors at present
			continue
		}
		x := l.slots.take(l.ctx, c)
		l.work.Go(func() { l.handshake(x) })
	}
}

// handshake makes the handshake of a connection and passes the caller to Accept.
func (l *Listener) handshake(x *slot) {
	from := x.conn.RemoteAddr().String()
	config, peer := l.id.server(l.protos) // of this moment: the identity may be reloaded
	counted := &countedConn{Conn: x.conn}
	t := tls.Server(counted, config)
	err := handshake(x.ctx, t)
	if err != nil && x.ctx.Err() != nil {
		err = context.Cause(x.ctx)
	}
	if !l.slots.free(x) && err == nil {
		err = context.Cause(x.ctx)
	}
	if err != nil {
		l.refused(from, l.id.explain(err, from))
		return
	}
	c := Caller{t, peer.Name, peer.Organisation, t.ConnectionState().NegotiatedProtocol, nil, l.id}
	identity := c.Identity()
	denied, ok := l.open.add(identity)
	if denied != nil {
		l.refused(from, denied)
	}
	if !ok {
		counted.Close()
		return
	}
	c.Denied, counted.closed = denied, func() { l.open.remove(identity) }
	select {
	case l.callers <- c:
	case <-l.ctx.Done():
		t.Close()
	}
}

// explain explains why the handshake with a client failed, as Explain does. An error of crypto/tls's
// check of the chain is replaced by verify's, which names the organisations.
func (id *Identity) explain(err error, peer string) error {
	if unverified := (*tls.CertificateVerificationError)(nil); errors.As(err, &unverified) {
		if _, why := id.current().trust.verify(unverified.UnverifiedCertificates, x509.ExtKeyUsageClientAuth, time.Now()); why != nil {
			err = why
		}
	}
	return Explain(err, peer)
}

// Dial opens a TLS connection to the server of this name at address, a host:port, as Client does.
func Dial(ctx context.Context, id *Identity, name, address, proto string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, HandshakeTime)
	defer cancel()
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot reach %s: %w", name, err)
	}
	return Client(ctx, c, id, name, proto)
}

// Client performs the TLS handshake with the server of this name over the connection c, and returns the TLS
// connection. id is the client's identity, proto the ALPN protocol. The server's certificate must have this
// name. Errors are those of Handshake.
func Client(ctx context.Context, c net.Conn, id *Identity, name, proto string) (net.Conn, error) {
	t := tls.Client(c, id.Client(name, proto))
	if err := Handshake(ctx, t, name); err != nil {
		return nil, err
	}
	return t, nil
}
