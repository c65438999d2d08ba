package dealer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/quota"
	"github.com/tacet-mpc/tacet/version"
)

// Dealer serves sessions of correlated randomness to parties. It is safe for concurrent use. New makes a Dealer.
type Dealer struct {
	// shares holds, for each party that is served, the memory that the correlation manifests may take
	// which it sends: the fraction 1/2 of manifestMemory.
	shares   map[string]*budget
	limits   Limits
	log      *slog.Logger
	counts   *ops.DealerMetrics
	refusals quota.Reports // of hellos, by party
	// The memory of decoded manifests has a budget of its own, since it is held while a session
	// waits for memory to deal in: with one budget, sessions could wait for each other forever.
	manifestMemory, memory *budget

	mu         sync.Mutex
	open       map[correlation.SessionID]*session // open sessions
	ended      map[correlation.SessionID]string   // sessions that have ended, with how each ended
	endedOrder []correlation.SessionID            // keys of ended, oldest first
	charged    map[string]int                     // number of open sessions that count for each party (session.payer)
	entering   map[net.Conn]bool                  // connections whose hello has not arrived
	closed     bool                               // no further sessions are opened
	over       bool                               // no connection is served any more
}

// manifestFraction is the fraction 1/4 of the memory that is for correlation manifests. partyFraction is
// the fraction 1/2 of that which one party's manifests may take.
const (
	manifestFraction = 4
	partyFraction    = 2
)

// maxEnded is the maximum number of ended sessions that a dealer remembers.
const maxEnded = 1 << 16

// New returns a dealer for the parties with these names. l has its limits, log gets its messages, and its
// metrics are registered with r.
func New(parties []string, l Limits, log *slog.Logger, r *prometheus.Registry) *Dealer {
	d := &Dealer{
		shares: map[string]*budget{}, limits: l, log: log,
		manifestMemory: newBudget("a correlation manifest", l.Memory/manifestFraction),
		memory:         newBudget("dealing for this correlation manifest", l.Memory-l.Memory/manifestFraction),
		open:           map[correlation.SessionID]*session{}, ended: map[correlation.SessionID]string{},
		charged: map[string]int{}, entering: map[net.Conn]bool{},
	}
	if d.limits.SessionsPerParty == 0 {
		d.limits.SessionsPerParty = fairShare(l.Sessions, len(parties))
	}
	for _, p := range parties {
		d.shares[p] = newBudget("a correlation manifest of "+p, d.manifestMemory.total/partyFraction)
	}
	d.counts = ops.NewDealerMetrics(r, d.states)
	return d
}

// fairShare returns the number of open sessions that count for one party at most, where the
// configuration does not say it: the parties' equal parts of all, but 8, or half of them, if these are
// fewer.
func fairShare(sessions, parties int) int {
	return max(sessions/max(parties, 1), min(8, (sessions+1)/2))
}

// Serve serves one party's connection and returns when it has ended; it closes conn. name is the party's name,
// which the caller has verified by the party's certificate.
func (d *Dealer) Serve(conn net.Conn, name string) { d.serve(conn, name, nil) }

// serve is Serve for a connection that the listener denied if denied is not nil: the party is told why.
func (d *Dealer) serve(conn net.Conn, name string, denied error) {
	if !d.enter(conn) {
		closeNow(conn)
		return
	}
	g, err := remote.Accept(conn, d.limits.heartbeat())
	d.entered(conn)
	if errors.Is(err, remote.ErrLost) { // a connection without a message, such as a health check
		d.log.Debug("caller sent nothing", "name", name)
		return
	}
	if err != nil {
		d.refused("invalid message from caller", name, err)
		return
	}
	if denied != nil { // the listener has counted and logged it
		g.End(denied.Error())
		return
	}
	s, err := d.joinSession(g, name)
	if err != nil {
		d.refused("caller refused", name, err, "session", g.Session.String())
		g.End(err.Error())
		return
	}
	s.serve(g)
}

// refused counts a caller that is not served, and logs why, once a minute for each name.
func (d *Dealer) refused(what, name string, err error, about ...any) {
	d.counts.Refused("session")
	if due, suppressed := d.refusals.Add(name, time.Now()); due {
		d.log.Warn(what, append(about, "name", name, "error", err.Error(), "suppressed", suppressed)...)
	}
}

// joinSession opens the party's session or joins it.
func (d *Dealer) joinSession(g *remote.PartyConn, name string) (*session, error) {
	if here := g.Parties[g.Rank]; here != name {
		return nil, fmt.Errorf("the certificate names %s, but rank %d of the session is %s", name, g.Rank, here)
	}
	for _, p := range g.Parties {
		if d.shares[p] == nil {
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
	case d.charged[name] >= d.limits.SessionsPerParty:
		return nil, fmt.Errorf("%d open sessions count for %s, the maximum for one party "+
			"(try again later, or raise limits: sessions_per_party in the dealer's configuration)", d.charged[name], name)
	case len(d.open) >= d.limits.Sessions:
		return nil, fmt.Errorf("the dealer serves %d sessions already, its maximum; %d of them count for %s "+
			"(try again later, or raise limits: sessions in its configuration)", len(d.open), d.charged[name], name)
	}
	s = newSession(d, g)
	d.open[g.Session] = s
	d.charge(s, name)
	return s, nil
}

// charge counts a session for another party than before; "" stands for none. Dealer.mu is held.
func (d *Dealer) charge(s *session, name string) {
	if s.payer != "" {
		if d.charged[s.payer]--; d.charged[s.payer] == 0 {
			delete(d.charged, s.payer)
		}
	}
	if s.payer = name; name != "" {
		d.charged[name]++
	}
}

// enter records a connection whose hello has not arrived. It returns false if the dealer has closed.
func (d *Dealer) enter(conn net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.over {
		d.entering[conn] = true
	}
	return !d.over
}

// entered records that a connection's hello has arrived, or will not.
func (d *Dealer) entered(conn net.Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.entering, conn)
}

// closeNow closes a connection without the alert of TLS, which might block.
func closeNow(conn net.Conn) {
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	conn.Close()
}

// errStopping is the error of sessions that are refused or aborted because the dealer stops.
var errStopping = errors.New("the dealer is stopping")

// forget moves a session from the open ones to the ended ones. Dealer.mu is held.
func (d *Dealer) forget(s *session, how string) {
	delete(d.open, s.terms.Session)
	d.charge(s, "")
	if len(d.endedOrder) == maxEnded {
		delete(d.ended, d.endedOrder[0])
		d.endedOrder = d.endedOrder[1:]
	}
	d.ended[s.terms.Session] = how
	d.endedOrder = append(d.endedOrder, s.terms.Session)
}

// Close refuses new sessions, waits until the open ones have ended or ctx ends, and aborts the rest. Then it
// closes the connections that have not sent their first message.
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
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = true
	for conn := range d.entering {
		closeNow(conn)
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

// Health is the dealer's answer to GET /health, as JSON.
type Health struct {
	// Info is the build's version.
	version.Info
	Sessions int  `json:"sessions"` // open sessions
	Limit    int  `json:"limit"`    // maximum number of open sessions
	Draining bool `json:"draining"` // no further sessions are opened
	// Certificates lists until when the dealer's certificate and the CAs that it trusts are valid.
	Certificates []pki.Expiry `json:"certificates,omitempty"`
}

// Health returns the dealer's state now. It leaves Info and Certificates empty; Run sets them.
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
