package node

import (
	"context"
	"fmt"
	"net"

	"github.com/tacet-mpc/tacet/pki"
)

// SessionProto is the protocol of parties' data connections, beside that of
// the control API on a node's one port.
const SessionProto = "tacet-session/1"

// Network is how a node reaches others and is reached. Names at both ends are
// those of certificates.
type Network interface {
	// Dial opens a connection to a node or dealer by name.
	Dial(ctx context.Context, name, proto string) (net.Conn, error)
	// Accept waits for the next connection, of a protocol that a node serves.
	// After Close it fails.
	Accept() (pki.Caller, error)
	Close() error
}

// tlsNetwork is TLS over TCP.
type tlsNetwork struct {
	*pki.Listener
	id *pki.Identity
	at map[string]string // addresses by name
}

// Dial opens a connection to whom the addresses name.
func (n *tlsNetwork) Dial(ctx context.Context, name, proto string) (net.Conn, error) {
	address, ok := n.at[name]
	if !ok {
		return nil, fmt.Errorf("%s has no address here (add it to peers)", name)
	}
	return pki.Dial(ctx, n.id, name, address, proto)
}
