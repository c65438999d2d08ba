package dealer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ops"
)

// Dealer serves sessions.
type Dealer struct {
	parties map[string]bool
	limits  Limits
	log     *slog.Logger
	counts  *ops.DealerMetrics
	// What order forms take is held while sessions wait for memory to deal in,
	// and so has a share of its own.
	forms, memory *budget

	mu     sync.Mutex
	open   map[correlation.SessionID]*session
	ended  map[correlation.SessionID]string // how
	order  []correlation.SessionID          // of these, oldest first
	closed bool                             // opens no more sessions
}

// formShare is which share of the memory is for order forms, and formMemory
// how many bytes a byte of one takes when it is decoded.
const (
	formShare  = 4
	formMemory = 32
)

// remembered is how many sessions that have ended a dealer knows.
const remembered = 1 << 16

// New makes a dealer for the parties of some names, which shows its metrics in
// a registry.
func New(parties []string, l Limits, log *slog.Logger, r *prometheus.Registry) *Dealer {
	d := &Dealer{
		parties: map[string]bool{}, limits: l, log: log,
		forms: newBudget("an order form of this length", l.Memory/formShare), memory: newBudget("dealing this order", l.Memory-l.Memory/formShare),
		open: map[correlation.SessionID]*session{}, ended: map[correlation.SessionID]string{},
	}
	for _, p := range parties {
		d.parties[p] = true
	}
	d.counts = ops.NewDealerMetrics(r, d.states)
	return d
}

// Serve is a party's connection, whose name has been verified, from its first
// byte to its last.
func (d *Dealer) Serve(conn net.Conn, name string) {
	g, err := remote.Accept(conn, d.limits.watch())
	if errors.Is(err, remote.ErrLost) { // who wants to know whether a dealer is here
		d.log.Debug("caller said nothing", "name", name)
		return
	}
	if err != nil {
		d.log.Warn("caller not understood", "name", name, "error", err.Error())
		return
	}
	s, err := d.seat(g, name)
	if err != nil {
		d.log.Warn("caller refused", "name", name, "session", g.Session.String(), "error", err.Error())
		g.End(err.Error())
		return
	}
	s.serve(g)
}

// seat finds a guest's place in a session.
func (d *Dealer) seat(g *remote.Guest, name string) (*session, error) {
	if here := g.Parties[g.Rank]; here != name {
		return nil, fmt.Errorf("the certificate is that of %s, and rank %d is said to be %s", name, g.Rank, here)
	}
	for _, p := range g.Parties {
		if !d.parties[p] {
			return nil, fmt.Errorf("the dealer does not serve %s (add it to parties in its configuration)", p)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.open[g.Session]
	how, over := d.ended[g.Session]
	switch {
	case over:
		return nil, fmt.Errorf("session %v is over, and none is served twice: %s", g.Session, how)
	case ok:
		return s, s.join(g)
	case d.closed:
		return nil, errStopping
	case len(d.open) >= d.limits.Sessions:
		return nil, fmt.Errorf("the dealer serves %d sessions already, and no more at once (try again later, or raise limits: sessions in its configuration)", len(d.open))
	}
	s = newSession(d, g)
	d.open[g.Session] = s
	return s, nil
}

// errStopping is what those hear who come or are still there when the dealer
// stops.
var errStopping = errors.New("the dealer is being stopped")

// forget takes a session that is over from those that are open. It is called
// with the lock.
func (d *Dealer) forget(s *session, how string) {
	delete(d.open, s.terms.Session)
	if len(d.order) == remembered {
		delete(d.ended, d.order[0])
		d.order = d.order[1:]
	}
	d.ended[s.terms.Session] = how
	d.order = append(d.order, s.terms.Session)
}

// Close opens no more sessions, lets those end that are open as long as ctx
// lasts, and ends the rest.
func (d *Dealer) Close(ctx context.Context) {
	d.mu.Lock()
	d.closed = true
	var rest []*session
	for _, s := range d.open {
		rest = append(rest, s)
	}
	d.mu.Unlock()
	for _, s := range rest {
		select {
		case <-s.over:
			continue
		case <-ctx.Done():
		}
		s.fail(errStopping)
		<-s.over
	}
}

// states are how many sessions are how far.
func (d *Dealer) states() map[string]float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]float64{waiting: 0, dealing: 0, dealt: 0}
	for _, s := range d.open {
		out[s.state]++
	}
	return out
}

// Health is what a dealer says of itself.
type Health struct {
	Sessions int  `json:"sessions"` // open
	Limit    int  `json:"limit"`
	Draining bool `json:"draining"` // it takes no more
}

// Health says how the dealer is.
func (d *Dealer) Health() Health {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Health{len(d.open), d.limits.Sessions, d.closed}
}

// absent lists the names of those for whom a session waits.
func (s *session) absent() string {
	var names []string
	for rank, g := range s.guests {
		if g == nil {
			names = append(names, s.terms.Parties[rank])
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
