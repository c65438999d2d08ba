package kit

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/pki"
)

// CheckHealth checks that a daemon answers: a node by its control API, the dealer, which has none, by
// a TLS handshake.
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
