package dealer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ring"
)

// The states of a session.
const (
	waiting = "waiting" // for parties, the correlation manifest, or memory
	dealing = "dealing"
	dealt   = "dealt" // all corrections are sent; parties may still be receiving them
)

// session is an open session: at least one of its parties is connected.
type session struct {
	*Dealer
	terms     remote.Hello // of the first party; manifest digest and length are those of the latest correlation request
	seeds     []ring.Seed  // by rank
	began     time.Time
	timeout   *time.Timer
	ctx       context.Context
	end       context.CancelCauseFunc
	manifests correlation.ManifestSequence
	work      sync.WaitGroup // goroutines that deal or notify parties
	done      chan struct{}  // closed when the last party has left

	// Guarded by Dealer.mu.
	conns     []*remote.PartyConn // connected parties by rank
	ready     int                 // number of parties that have sent everything for the present request
	connected int                 // number of parties still connected
	manifest  *correlation.Manifest
	mapBytes  int64  // bytes of the manifest's maps
	request   int    // number of further correlation requests so far
	departed  string // name of a party that has left; "" if none has
	payer     string // party for which the session counts: the first, then the one of fewest sessions
	short     bool   // the manifest waits for memory
	state     string
	sent      int64 // bytes of corrections sent
}

// newSession opens a session for its first party. Dealer.mu is held.
func newSession(d *Dealer, g *remote.PartyConn) *session {
	s := &session{
		Dealer: d,
		terms:  g.Hello,
		began:  time.Now(),
		done:   make(chan struct{}),
		conns:  make([]*remote.PartyConn, len(g.Parties)),
		state:  waiting,
	}
	s.ctx, s.end = context.WithCancelCause(context.Background())
	for range g.Parties {
		s.seeds = append(s.seeds, ring.NewSeed())
	}
	s.conns[g.Rank], s.connected = g, 1
	s.timeout = time.AfterFunc(d.limits.Wait, s.expire)
	return s
}

// join adds another party, or returns why it is refused. Dealer.mu is held.
func (s *session) join(g *remote.PartyConn) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	name := g.Parties[g.Rank]
	if field, theirs, mine := s.terms.Differs(&g.Hello); field != "" {
		err := fmt.Errorf("%s and %s differ in %s: %q and %q", s.terms.Parties[s.terms.Rank], name, field, theirs, mine)
		s.failLocked(err)
		return err
	}
	if s.conns[g.Rank] != nil {
		return fmt.Errorf("%s is connected already", name)
	}
	s.conns[g.Rank] = g
	if s.connected++; s.connected == len(s.conns) { // all take part, so that any of them may answer for it
		for _, p := range s.terms.Parties {
			if s.charged[p] < s.charged[s.payer]-1 {
				s.charge(s, p)
			}
		}
	}
	return nil
}

// serve serves a party until it leaves the session.
func (s *session) serve(g *remote.PartyConn) {
	if err := s.serveParty(g); err != nil {
		s.fail(err)
	}
	g.Close()
	s.leave()
}

// serveParty receives a party's correlation requests until it leaves. It returns nil if the party may
// leave, else the error that ends the session.
func (s *session) serveParty(g *remote.PartyConn) error {
	name := g.Parties[g.Rank]
	g.SendSeed(s.seeds[g.Rank]) // an error shows up when reading, too
	more, err := true, error(nil)
	for request := 0; more && err == nil; request++ {
		if request > 0 {
			if err := s.beginRequest(g, request); err != nil {
				return err
			}
		}
		if more, err = s.receiveManifest(g); err != nil && more {
			return partyError(name, "the correlation request of "+name, err)
		}
	}
	switch {
	// all corrections are sent, and the party takes part in no further request
	case s.inState(dealt) && !g.ReceivesCorrections() && !g.Service:
		return nil
	case err != nil:
		return partyError(name, name, err)
	case g.ReceivesCorrections() && !s.inState(dealt):
		return leftBefore(name, "everything was dealt")
	}
	return s.noteDeparture(name)
}

// noteDeparture records that a party has left; no further correlation request is possible without it.
func (s *session) noteDeparture(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == waiting {
		return leftBefore(name, "dealing began")
	}
	s.departed = name
	return nil
}

// receiveManifest receives the correlation manifest, if this party sends it, marks the party ready and
// waits for its next message. more is true if that is a further correlation request. An error with
// more set concerns the manifest or the request; one without it means that the party has left.
func (s *session) receiveManifest(g *remote.PartyConn) (more bool, err error) {
	var manifest *correlation.Manifest
	var mapBytes int64
	if g.ReceivesCorrections() {
		memory := &manifestClaim{session: s, share: s.shares[g.Parties[g.Rank]]}
		defer memory.release()
		if err := memory.claim(min(g.Length, s.limits.Manifest) * correlation.DecodedSize); err != nil { // Manifest refuses a longer one
			return true, err
		}
		if manifest, mapBytes, err = g.Manifest(s.manifestLimits(memory.grow)); err != nil {
			return true, err
		}
	}
	s.markReady(manifest, mapBytes)
	return g.Next()
}

// beginRequest begins a further correlation request for a party. All parties must make the same one.
func (s *session) beginRequest(g *remote.PartyConn, request int) error {
	name := g.Parties[g.Rank]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.departed != "" {
		return leftBefore(s.departed, name+" requested further correlations")
	}
	if request > s.request {
		if s.state != dealt {
			return fmt.Errorf("%s requested further correlations before everything was dealt", name)
		}
		s.request, s.state, s.ready, s.manifest = request, waiting, 0, nil
		s.terms = g.Hello
		s.timeout.Reset(s.limits.Wait)
	}
	if field, theirs, mine := s.terms.Differs(&g.Hello); field != "" {
		return fmt.Errorf("%s and %s differ in %s: %q and %q", s.terms.Parties[s.terms.Rank], name, field, theirs, mine)
	}
	return nil
}

// leftBefore is the error of a party that left too early.
func leftBefore(name, what string) error {
	return fmt.Errorf("%s left before %s: %s", name, what, remote.RunEnded)
}

// partyError returns err as the loss of a party, if it is one, or prefixed by what it is about.
func partyError(name, what string, err error) error {
	switch {
	case errors.As(err, new(*remote.EndError)):
		return fmt.Errorf("%s ended the session: %w", name, err)
	case errors.Is(err, remote.ErrLost), errors.Is(err, link.ErrSilent):
		return fmt.Errorf("lost %s: %w", name, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// manifestLimits returns the limits for decoding the session's correlation manifest, whose memory grow
// takes.
func (s *session) manifestLimits(grow func(bytes int64) error) correlation.Limits {
	return correlation.Limits{
		Bytes: s.limits.Manifest, Items: int(s.limits.Manifest / 4), // no mask and no request is shorter than 4 bytes
		Words: s.limits.Memory / manifestFraction / 8, Parties: len(s.conns), Grow: grow,
	}
}

// markReady records that a party has sent everything. When all have, dealing begins.
func (s *session) markReady(manifest *correlation.Manifest, mapBytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if manifest != nil {
		s.manifest, s.mapBytes = manifest, mapBytes
	}
	if s.ready++; s.ready == len(s.conns) && s.ctx.Err() == nil {
		s.timeout.Stop()
		s.work.Go(func() {
			if err := s.deal(); err != nil {
				s.fail(err)
			}
		})
	}
}

// deal waits for memory and deals the requested correlations.
func (s *session) deal() error {
	if err := s.manifests.Admit(s.manifest); err != nil {
		return err
	}
	to := s.conns[s.terms.Computing-1]
	memory := min(s.manifest.Memory(runtime.GOMAXPROCS(0)), 1<<62) + s.mapBytes
	if err := s.memory.acquire(s.ctx, memory); err != nil {
		return err
	}
	defer s.memory.release(memory)
	s.setState(dealing)
	w := bufio.NewWriterSize(to.Records(), 1<<16)
	var out error // read only after dealing has ended
	err := correlation.NewLocal(s.terms.Computing, s.seeds).Deal(s.ctx, s.manifest, func(id correlation.ID, data []byte) error {
		s.counts.Sent(int64(len(data)))
		s.sent += int64(len(data)) // read when dealing has ended
		out = correlation.WriteRecord(w, s.terms.Session, id, data)
		return out
	})
	if err == nil {
		out = w.Flush()
	}
	switch {
	case out != nil:
		return fmt.Errorf("lost %s: %w", to.Parties[to.Rank], out)
	case err != nil:
		return err
	}
	s.setState(dealt)
	for _, g := range s.conns { // parties that have left need nothing more
		g.SendDone()
	}
	return nil
}

func (s *session) setState(state string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = state
}

func (s *session) inState(state string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == state
}

// expire aborts a session whose parties or manifest are not there within Limits.Wait.
func (s *session) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch names := s.missingParties(); {
	case names != "":
		s.failLocked(fmt.Errorf("waited %v for %s", s.limits.Wait, names))
	case s.short:
		s.failLocked(&shortError{s.limits.Wait})
	default:
		s.failLocked(fmt.Errorf("waited %v for the correlation manifest", s.limits.Wait))
	}
}

// fail aborts the session and notifies all parties; the first error counts.
func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failLocked(err)
}

func (s *session) failLocked(err error) {
	if s.ctx.Err() != nil || s.connected == 0 {
		return
	}
	s.timeout.Stop()
	s.end(err)
	for _, g := range s.conns {
		if g != nil {
			why := err.Error()
			if short := (*shortError)(nil); errors.As(err, &short) && g.ReceivesCorrections() {
				name := g.Parties[g.Rank]
				why = short.describe(name, s.shares[name])
			}
			s.work.Go(func() { g.SendEnd(why) })
		}
	}
}

// leave disconnects a party. The last party to leave ends the session and frees it.
func (s *session) leave() {
	s.mu.Lock()
	s.connected--
	last := s.connected == 0
	s.mu.Unlock()
	if !last {
		return
	}
	s.work.Wait()
	how, end := "it was served", "served"
	if err := context.Cause(s.ctx); err != nil {
		how, end = err.Error(), "failed"
	}
	s.end(nil)
	s.mu.Lock()
	s.forget(s, how)
	s.mu.Unlock()
	lasted := time.Since(s.began)
	s.counts.Ended(end, lasted)
	about := []any{
		"session",
		s.terms.Session.String(),
		"parties",
		s.terms.Parties,
		"computing",
		s.terms.Computing,
		"sent_bytes",
		s.sent,
		"seconds",
		lasted.Seconds(),
	}
	if s.manifest != nil {
		about = append(about, "requests", len(s.manifest.Requests))
	}
	if end == "served" {
		s.log.Info("session served", about...)
	} else {
		s.log.Warn("session failed", append(about, "error", how)...)
	}
	close(s.done)
}
