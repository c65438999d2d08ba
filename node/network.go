package node

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/pki"
)

// The protocols of a node's one port, beside that of the control API, and of a
// dealer's.
const (
	SessionProto = "tacet-session/1"
	DealerProto  = "tacet-dealer/1"
)

// Network is how a node reaches others and is reached. Names at both ends are
// those of certificates.
type Network interface {
	// Dial opens a connection to a node or dealer by name.
	Dial(ctx context.Context, name, proto string) (net.Conn, error)
	// Accept waits for the next connection, one of the protocols above. After
	// Close it fails.
	Accept() (Caller, error)
	Close() error
}

// Caller is who has opened a connection.
type Caller struct {
	net.Conn
	Name, Proto string
}

// handshakeTime is how long a TLS handshake may take.
const handshakeTime = 10 * time.Second

// maxHandshakes bounds the callers that have not said who they are.
const maxHandshakes = 256

// tlsNetwork is TLS over TCP.
type tlsNetwork struct {
	id      *pki.Identity
	at      map[string]string // addresses by name
	l       net.Listener
	callers chan Caller
	refused func(from string, err error)
	stop    context.CancelFunc
	ctx     context.Context
}

// listenTLS opens a node's port. Addresses are those of whom it may dial, and
// refused is told of callers whom it did not let in.
func listenTLS(address string, id *pki.Identity, at map[string]string, refused func(from string, err error)) (*tlsNetwork, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	n := &tlsNetwork{id: id, at: at, l: l, callers: make(chan Caller), refused: refused}
	n.ctx, n.stop = context.WithCancel(context.Background())
	return n, nil
}

// listen makes handshakes, several at a time, until the network is closed.
func (n *tlsNetwork) listen() {
	config := n.id.Server(api.Proto, SessionProto)
	slots := make(chan struct{}, maxHandshakes)
	for {
		c, err := n.l.Accept()
		if err != nil {
			if n.ctx.Err() != nil {
				return
			}
			n.refused("", err)
			time.Sleep(100 * time.Millisecond) // out of descriptors, perhaps: they come back
			continue
		}
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			t := tls.Server(c, config)
			ctx, cancel := context.WithTimeout(n.ctx, handshakeTime)
			defer cancel()
			if err := pki.Handshake(ctx, t, c.RemoteAddr().String()); err != nil {
				n.refused(c.RemoteAddr().String(), err)
				return
			}
			s := t.ConnectionState()
			select {
			case n.callers <- Caller{t, pki.PeerName(s), s.NegotiatedProtocol}:
			case <-n.ctx.Done():
				t.Close()
			}
		}()
	}
}

func (n *tlsNetwork) Accept() (Caller, error) {
	select {
	case c := <-n.callers:
		return c, nil
	case <-n.ctx.Done():
		return Caller{}, net.ErrClosed
	}
}

func (n *tlsNetwork) Close() error {
	n.stop()
	return n.l.Close()
}

func (n *tlsNetwork) Dial(ctx context.Context, name, proto string) (net.Conn, error) {
	address, ok := n.at[name]
	if !ok {
		return nil, fmt.Errorf("%s has no address here (add it to peers)", name)
	}
	return DialTLS(ctx, n.id, name, address, proto)
}

// DialTLS opens a connection to whom the name and address say.
func DialTLS(ctx context.Context, id *pki.Identity, name, address, proto string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, handshakeTime)
	defer cancel()
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s is not reached: %w", name, err)
	}
	t := tls.Client(c, id.Client(name, proto))
	if err := pki.Handshake(ctx, t, name); err != nil {
		return nil, err
	}
	return t, nil
}
