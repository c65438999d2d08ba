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

// How far a session is.
const (
	waiting = "waiting" // for parties, the form, or memory
	dealing = "dealing"
	dealt   = "dealt" // parties may still be taking what is on its way
)

// session is one session, while any of its parties is connected.
type session struct {
	*Dealer
	terms remote.Hello // of the first party; of the form's digest and length the latest turn's
	seeds []ring.Seed  // by rank
	began time.Time
	late  *time.Timer
	ctx   context.Context
	end   context.CancelCauseFunc
	turns correlation.Turns
	work  sync.WaitGroup // dealing, and telling
	over  chan struct{}  // closed when nobody is left

	// With the dealer's lock.
	guests []*remote.Guest // who has come, by rank
	ready  int             // of these, how many have said all
	here   int             // and how many are still there
	form   *correlation.Form
	held   int64  // bytes of its maps
	turn   int    // further orders so far
	left   string // who has left; "" while nobody has
	state  string
	sent   int64 // bytes of corrections
}

// newSession opens a session for its first guest. It is called with the
// dealer's lock.
func newSession(d *Dealer, g *remote.Guest) *session {
	s := &session{Dealer: d, terms: g.Hello, began: time.Now(), over: make(chan struct{}), guests: make([]*remote.Guest, len(g.Parties)), state: waiting}
	s.ctx, s.end = context.WithCancelCause(context.Background())
	for range g.Parties {
		s.seeds = append(s.seeds, ring.NewSeed())
	}
	s.guests[g.Rank], s.here = g, 1
	s.late = time.AfterFunc(d.limits.Wait, s.expire)
	return s
}

// join lets another guest in, or says why not. It is called with the dealer's
// lock.
func (s *session) join(g *remote.Guest) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	name := g.Parties[g.Rank]
	if field, theirs, mine := s.terms.Differs(&g.Hello); field != "" {
		err := fmt.Errorf("%s and %s differ in %s: %q and %q", s.terms.Parties[s.terms.Rank], name, field, theirs, mine)
		s.failLocked(err)
		return err
	}
	if s.guests[g.Rank] != nil {
		return fmt.Errorf("%s is here already", name)
	}
	s.guests[g.Rank] = g
	s.here++
	return nil
}

// serve is a guest's time in the session.
func (s *session) serve(g *remote.Guest) {
	if err := s.attend(g); err != nil {
		s.fail(err)
	}
	g.Close()
	s.leave()
}

func (s *session) attend(g *remote.Guest) error {
	name := g.Parties[g.Rank]
	g.Give(s.seeds[g.Rank]) // an error is one of reading, too
	more, err := true, error(nil)
	for turn := 0; more && err == nil; turn++ {
		if turn > 0 {
			if err := s.further(g, turn); err != nil {
				return err
			}
		}
		if more, err = s.order(g); err != nil && more {
			return gone(name, "the order of "+name, err)
		}
	}
	switch {
	case s.has(dealt) && !g.Corrected() && !g.Turns: // it needs nothing any more, nor do others of it
		return nil
	case err != nil:
		return gone(name, name, err)
	case g.Corrected() && !s.has(dealt):
		return fmt.Errorf("%s has left before all was dealt", name)
	}
	return s.parts(name)
}

// parts notes that a party has left, without which there is no further turn.
func (s *session) parts(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == waiting {
		return fmt.Errorf("%s has left before dealing began", name)
	}
	s.left = name
	return nil
}

// order takes a party's part in an order, and returns when it orders more, or
// with the error that it was, or leaves.
func (s *session) order(g *remote.Guest) (more bool, err error) {
	var form *correlation.Form
	var held int64
	if g.Corrected() {
		memory := min(g.Length, s.limits.Form) * formMemory // a longer one is refused there
		if err := s.forms.take(s.ctx, memory); err != nil {
			return true, err
		}
		defer s.forms.give(memory)
		if form, held, err = g.Form(s.formLimits()); err != nil {
			return true, err
		}
	}
	s.settle(form, held)
	return g.Next()
}

// further notes that a party orders more; all must, and the same.
func (s *session) further(g *remote.Guest, turn int) error {
	name := g.Parties[g.Rank]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left != "" {
		return fmt.Errorf("%s has left, and %s orders more", s.left, name)
	}
	if turn > s.turn {
		if s.state != dealt {
			return fmt.Errorf("%s has ordered more before all was dealt", name)
		}
		s.turn, s.state, s.ready, s.form = turn, waiting, 0, nil
		s.terms = g.Hello
		s.late.Reset(s.limits.Wait)
	}
	if field, theirs, mine := s.terms.Differs(&g.Hello); field != "" {
		return fmt.Errorf("%s and %s differ in %s: %q and %q", s.terms.Parties[s.terms.Rank], name, field, theirs, mine)
	}
	return nil
}

// gone says how a party was lost, or of what else it is that there is an error.
func gone(name, what string, err error) error {
	switch {
	case errors.As(err, new(*remote.EndError)):
		return fmt.Errorf("%s has ended it: %w", name, err)
	case errors.Is(err, remote.ErrLost), errors.Is(err, link.ErrSilent):
		return fmt.Errorf("lost %s: %w", name, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// formLimits bound the order form of the session.
func (s *session) formLimits() correlation.Limits {
	return correlation.Limits{
		Bytes: s.limits.Form, Items: int(s.limits.Form / 4), // no mask and no request is shorter
		Words: s.limits.Memory / formShare / 8, Parties: len(s.guests),
	}
}

// settle notes that a guest has said all. With the last, dealing begins.
func (s *session) settle(form *correlation.Form, held int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if form != nil {
		s.form, s.held = form, held
	}
	if s.ready++; s.ready == len(s.guests) && s.ctx.Err() == nil {
		s.late.Stop()
		s.work.Go(func() {
			if err := s.deal(); err != nil {
				s.fail(err)
			}
		})
	}
}

// deal deals what was ordered, when there is memory for it.
func (s *session) deal() error {
	if err := s.turns.Admit(s.form); err != nil {
		return err
	}
	to := s.guests[s.terms.Computing-1]
	memory := min(s.form.Memory(runtime.GOMAXPROCS(0)), 1<<62) + s.held
	if err := s.memory.take(s.ctx, memory); err != nil {
		return err
	}
	defer s.memory.give(memory)
	s.enter(dealing)
	w := bufio.NewWriterSize(to.Records(), 1<<16)
	var out error
	err := correlation.NewLocal(s.terms.Computing, s.seeds).Deal(s.ctx, s.form, func(id correlation.ID, data []byte) error {
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
	s.enter(dealt)
	for _, g := range s.guests { // who is gone needs nothing more
		g.Finish()
	}
	return nil
}

func (s *session) enter(state string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = state
}

func (s *session) has(state string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == state
}

// expire ends a session whose parties are not all there in time.
func (s *session) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if who := s.absent(); who != "" {
		s.failLocked(fmt.Errorf("waited %v for %s", s.limits.Wait, who))
	} else {
		s.failLocked(fmt.Errorf("waited %v for the order form", s.limits.Wait))
	}
}

// fail ends the session early, and tells all why; the first reason counts.
func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failLocked(err)
}

func (s *session) failLocked(err error) {
	if s.ctx.Err() != nil || s.here == 0 {
		return
	}
	s.late.Stop()
	s.end(err)
	for _, g := range s.guests {
		if g != nil {
			s.work.Go(func() { g.Tell(err.Error()) })
		}
	}
}

// leave is a guest's last step. Who goes last puts the light out.
func (s *session) leave() {
	s.mu.Lock()
	s.here--
	last := s.here == 0
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
	about := []any{"session", s.terms.Session.String(), "parties", s.terms.Parties, "computing", s.terms.Computing, "sent_bytes", s.sent, "seconds", lasted.Seconds()}
	if s.form != nil {
		about = append(about, "requests", len(s.form.Requests))
	}
	if end == "served" {
		s.log.Info("session served", about...)
	} else {
		s.log.Warn("session failed", append(about, "error", how)...)
	}
	close(s.over)
}
