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
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/version"
)

// Dealer serves sessions. It is safe for concurrent use.
type Dealer struct {
	parties map[string]bool
	limits  Limits
	log     *slog.Logger
	counts  *ops.DealerMetrics
	// The memory of decoded manifests has a budget of its own, since it is held while a session
	// waits for memory to deal in: with one budget, sessions could wait for each other forever.
	manifestMemory, memory *budget

	mu         sync.Mutex
	open       map[correlation.SessionID]*session // open sessions
	ended      map[correlation.SessionID]string   // sessions that have ended, with how each ended
	endedOrder []correlation.SessionID            // keys of ended, oldest first
	closed     bool                               // no further sessions are opened
}

// manifestFraction is the fraction 1/4 of the memory that is for correlation manifests. decodedSize is
// an upper bound of the bytes that a byte of an encoded manifest takes when it is decoded.
const (
	manifestFraction = 4
	decodedSize      = 32
)

// maxEnded is the maximum number of ended sessions that a dealer remembers.
const maxEnded = 1 << 16

// New creates a dealer for the parties of these names. Its metrics are registered with r.
func New(parties []string, l Limits, log *slog.Logger, r *prometheus.Registry) *Dealer {
	d := &Dealer{
		parties: map[string]bool{}, limits: l, log: log,
		manifestMemory: newBudget("a correlation manifest of this length", l.Memory/manifestFraction), memory: newBudget("dealing for this correlation manifest", l.Memory-l.Memory/manifestFraction),
		open: map[correlation.SessionID]*session{}, ended: map[correlation.SessionID]string{},
	}
	for _, p := range parties {
		d.parties[p] = true
	}
	d.counts = ops.NewDealerMetrics(r, d.states)
	return d
}

// Serve serves a party's connection until it ends. name is the verified name of the party.
func (d *Dealer) Serve(conn net.Conn, name string) {
	g, err := remote.Accept(conn, d.limits.heartbeat())
	if errors.Is(err, remote.ErrLost) { // a connection without a message, such as a health check
		d.log.Debug("caller sent nothing", "name", name)
		return
	}
	if err != nil {
		d.log.Warn("invalid message from caller", "name", name, "error", err.Error())
		return
	}
	s, err := d.joinSession(g, name)
	if err != nil {
		d.log.Warn("caller refused", "name", name, "session", g.Session.String(), "error", err.Error())
		g.End(err.Error())
		return
	}
	s.serve(g)
}

// joinSession opens the party's session or joins it.
func (d *Dealer) joinSession(g *remote.PartyConn, name string) (*session, error) {
	if here := g.Parties[g.Rank]; here != name {
		return nil, fmt.Errorf("the certificate names %s, but rank %d of the session is %s", name, g.Rank, here)
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
		return nil, fmt.Errorf("session %v has ended and cannot be served again: %s", g.Session, how)
	case ok:
		return s, s.join(g)
	case d.closed:
		return nil, errStopping
	case len(d.open) >= d.limits.Sessions:
		return nil, fmt.Errorf("the dealer serves %d sessions already, its maximum (try again later, or raise limits: sessions in its configuration)", len(d.open))
	}
	s = newSession(d, g)
	d.open[g.Session] = s
	return s, nil
}

// errStopping is the error of sessions that are refused or aborted because the dealer stops.
var errStopping = errors.New("the dealer is stopping")

// forget moves a session from the open ones to the ended ones. Dealer.mu is held.
func (d *Dealer) forget(s *session, how string) {
	delete(d.open, s.terms.Session)
	if len(d.endedOrder) == maxEnded {
		delete(d.ended, d.endedOrder[0])
		d.endedOrder = d.endedOrder[1:]
	}
	d.ended[s.terms.Session] = how
	d.endedOrder = append(d.endedOrder, s.terms.Session)
}

// Close refuses further sessions, waits until the open ones end or ctx does, and aborts the rest.
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
		case <-s.done:
			continue
		case <-ctx.Done():
		}
		s.fail(errStopping)
		<-s.done
	}
}

// states returns the number of open sessions in each state.
func (d *Dealer) states() map[string]float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]float64{waiting: 0, dealing: 0, dealt: 0}
	for _, s := range d.open {
		out[s.state]++
	}
	return out
}

// Health is the answer of /health.
type Health struct {
	version.Info
	Sessions int  `json:"sessions"` // open sessions
	Limit    int  `json:"limit"`
	Draining bool `json:"draining"` // no further sessions are opened
	// Certificates lists until when the dealer's certificate and the CAs that it trusts are valid.
	Certificates []pki.Expiry `json:"certificates,omitempty"`
}

// Health returns the dealer's health.
func (d *Dealer) Health() Health {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Health{Sessions: len(d.open), Limit: d.limits.Sessions, Draining: d.closed}
}

// missingParties lists the names of the parties that have not connected.
func (s *session) missingParties() string {
	var names []string
	for rank, g := range s.conns {
		if g == nil {
			names = append(names, s.terms.Parties[rank])
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
