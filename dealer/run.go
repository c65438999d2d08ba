package dealer

import (
	"context"
	"log/slog"
	"os"
	"sync"

	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/version"
)

// Run runs the dealer daemon: it loads the identity of c.TLS, listens on c.Listen and serves until ctx ends.
// Then it waits up to Limits.Drain for open sessions, aborts the rest and returns nil. release is the version
// shown in metrics. Each signal on reload makes it read the certificates again. Run calls ready with the
// listening address once the dealer accepts connections. An error means that the dealer could not start.
func Run(ctx context.Context, c *Config, release string, log *slog.Logger, reload <-chan os.Signal, ready func(address string)) error {
	certificates, err := ops.LoadCertificates(c.Daemon, "dealer", log, func(path string) (pki.Files, error) {
		again, err := ReadConfig(path)
		if err != nil {
			return pki.Files{}, err
		}
		return again.TLS, nil
	})
	if err != nil {
		return err
	}
	id := certificates.Identity
	registry := ops.Registry(c.Name, release, id.Expiries)
	d := New(c.Parties, c.Limits, log, registry)
	l, err := pki.Listen(c.Listen, id, ops.Refusals(log, d.counts.Refused), remote.Proto)
	if err != nil {
		return err
	}
	if c.Metrics != "" {
		s, err := ops.Listen(ops.Config{Address: c.Metrics, PProf: c.PProf, Metrics: registry, Log: log, Health: func() (any, bool) {
			h := d.Health()
			h.Info, h.Certificates = version.Get(), id.Expiries()
			return h, !h.Draining
		}})
		if err != nil {
			l.Close()
			return err
		}
		defer s.Close(context.Background())
	}
	log.Info("dealer serves", "name", c.Name, "version", version.Get().String(), "address", l.Address(), "parties", c.Parties)
	ready(l.Address())
	var work sync.WaitGroup
	work.Go(func() { d.accept(l, &work) })
	work.Go(func() { certificates.Watch(ctx) })
	work.Go(func() {
		for {
			select {
			case <-reload:
				certificates.Reload()
			case <-ctx.Done():
				return
			}
		}
	})
	<-ctx.Done()
	log.Info("dealer stops", "sessions", d.Health().Sessions)
	draining, cancel := context.WithTimeout(context.Background(), c.Limits.Drain)
	defer cancel()
	d.Close(draining)
	l.Close()
	work.Wait()
	log.Info("dealer has stopped", "name", c.Name)
	return nil
}

// accept serves each connection in a goroutine of its own.
func (d *Dealer) accept(l *pki.Listener, work *sync.WaitGroup) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		work.Go(func() { d.serve(c.Conn, c.Name, c.Denied) })
	}
}
