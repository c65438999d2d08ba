package node

import (
	"context"
	"fmt"
	"net"

	"github.com/tacet-mpc/tacet/pki"
)

// SessionProto is the ALPN protocol of the data connections between the parties of a session. The node's one
// port also serves the control API (api.Proto); ALPN tells the connections apart.
const SessionProto = "tacet-session/1"

// Network connects a node with other nodes and the dealer. Both ends are identified by the verified
// names of their certificates.
type Network interface {
	// Dial opens a connection with the ALPN protocol proto to the node or dealer with this certificate name.
	Dial(ctx context.Context, name, proto string) (net.Conn, error)
	// Accept waits for the next connection and returns it with the verified name of the caller. It accepts the
	// ALPN protocols that a node serves. After Close it returns an error.
	Accept() (pki.Caller, error)
	// Close makes Accept return an error.
	Close() error
}

// tlsNetwork is the Network over TLS and TCP.
type tlsNetwork struct {
	*pki.Listener
	id *pki.Identity
	at map[string]string // addresses by name
}

// Dial opens a connection to the node or dealer that at lists under name.
func (n *tlsNetwork) Dial(ctx context.Context, name, proto string) (net.Conn, error) {
	address, ok := n.at[name]
	if !ok {
		return nil, fmt.Errorf("no address for %s (add it to peers)", name)
	}
	return pki.Dial(ctx, n.id, name, address, proto)
}
