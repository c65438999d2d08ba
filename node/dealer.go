package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/party/offline"
)

// remoteDealer is an offline.Dealer on the network.
type remoteDealer struct {
	net   Network
	name  string
	watch link.Heartbeat
}

// Begin joins a session at the dealer.
func (d remoteDealer) Begin(ctx context.Context, t remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	dialling, cancel := context.WithTimeout(ctx, d.watch.Timeout)
	defer cancel()
	c, err := d.net.Dial(dialling, d.name, remote.Proto)
	if err != nil {
		return nil, err
	}
	s, err := remote.Open(ctx, c, t, f, d.watch)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Probe returns an error if the dealer does not accept a connection. The dealer takes a connection without
// a message for a health check.
func (d remoteDealer) Probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.watch.Timeout)
	defer cancel()
	c, err := d.net.Dial(ctx, d.name, remote.Proto)
	if err != nil {
		return err
	}
	return c.Close()
}

// probeDealer returns an error if the session of a job needs the dealer and the dealer cannot be reached. A
// job that may use a store is started while there are sessions in it: only the parties together can tell
// whether one of these fits.
func (n *Node) probeDealer(ctx context.Context, t *task) error {
	w, err := n.resolvedOf(t)
	if err != nil {
		return nil // the job has ended
	}
	d, ok := n.dealer.(interface{ Probe(context.Context) error })
	if !ok {
		return nil
	}
	err = d.Probe(ctx)
	if err != nil && !w.sub.Serve && !w.sub.Offline && n.stored() > 0 {
		return nil
	}
	return err
}

// dealerProbe is the time between two probes of the dealer for the metrics.
const dealerProbe = 15 * time.Second

// watchDealer probes the dealer for the metrics until the node stops.
func (n *Node) watchDealer() {
	d, ok := n.dealer.(remoteDealer)
	if !ok {
		return
	}
	for n.ctx.Err() == nil {
		err := d.Probe(n.ctx)
		if up := err == nil; up != n.dealerUp.Swap(up) && n.ctx.Err() == nil {
			if up {
				n.log.Info("the dealer is reached", "dealer", d.name)
			} else {
				n.log.Warn("the dealer is not reached", "dealer", d.name, "error", err.Error())
			}
		}
		select {
		case <-n.ctx.Done():
		case <-time.After(dealerProbe):
		}
	}
}

// monitoredDealer is a dealer for one run. It aborts the run if the dealer's session ends before
// everything has been dealt, since a party that receives no corrections would not notice otherwise.
type monitoredDealer struct {
	offline.Dealer
	end context.CancelCauseFunc // aborts the run
}

func (a monitoredDealer) Begin(ctx context.Context, t remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	d, err := a.Dealer.Begin(ctx, t, f)
	if s, ok := d.(*remote.Session); ok && err == nil {
		go func() {
			<-s.Done()
			if err := s.Err(); err != nil && !errors.Is(err, remote.ErrClosed) {
				a.end(fmt.Errorf("dealer: %w", err))
			}
		}()
	}
	return d, err
}
