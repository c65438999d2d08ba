package kit

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/pki"
)

// CheckHealth connects to the daemon with identity id and returns nil if it answers: a node by a health request
// of its API, the dealer, which has no such API, by a TLS handshake. ctx bounds the time.
func (m *Daemon) CheckHealth(ctx context.Context, id *pki.Identity) error {
	if m.Name != Dealer {
		_, err := api.NewClient(id, m.Name, m.Address).Health(ctx)
		return err
	}
	raw, err := new(net.Dialer).DialContext(ctx, "tcp", m.Address)
	if err != nil {
		return err
	}
	conn := tls.Client(raw, id.Client(m.Name, remote.Proto))
	if err := pki.Handshake(ctx, conn, m.Name); err != nil {
		return err
	}
	return conn.Close()
}
