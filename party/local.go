package party

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// local is what of a run is in this process: every party and the dealer, or
// one party of several.
type local struct {
	spec     *Spec
	sessions []*session
	seeds    seeds
	seconds  [link.Phases]float64
	offline  float64 // seconds
	// apart says that the other parties are in processes of their own; live is
	// the session that a dealer elsewhere deals.
	apart bool
	live  correlation.SessionID
}

// Run runs a spec with every party and the dealer inside this process.
func Run(ctx context.Context, s Spec) (*Outcome, error) {
	s, err := s.resumedHere(ctx)
	if err != nil {
		return nil, openly(err)
	}
	l, err := s.local(ctx)
	if err != nil {
		return nil, openly(err)
	}
	defer l.connect()()
	l.supply(ctx)
	if err := l.run(ctx); err != nil {
		return nil, openly(err)
	}
	return l.outcome(), nil
}

// connect links the parties of this process; what it returns ends that.
func (l *local) connect() (end func()) {
	ends := link.Shaped(len(l.sessions), l.spec.shape())
	for i, x := range l.sessions {
		x.link = ends[i]
	}
	return func() { disconnect(ends) }
}

// disconnect closes the ends of links, at once: each waits for the others.
func disconnect(ends []*link.Endpoint) {
	var wg sync.WaitGroup
	for _, e := range ends {
		wg.Go(e.Close)
	}
	wg.Wait()
}

// run takes the sessions of this process through all phases.
func (l *local) run(ctx context.Context) error {
	defer l.close()
	err := l.step(ctx, link.Setup, "plan", func(ctx context.Context, x *session) error {
		x.memo.Once = x.spec.Protocol != "plain" // which computes all in clear
		if err := x.prepare(ctx); err != nil {
			return err
		}
		if l.apart {
			x.bound(1)
		}
		return x.handshake(ctx, l.seeds)
	})
	if err == nil {
		l.spec.forget()
		err = l.compute(ctx)
	}
	if err != nil {
		return err
	}
	if err := l.close(); err != nil { // used it is all the same
		l.spec.notice(fmt.Sprintf("warning: what is left of the session is not destroyed: %v", err))
	}
	return nil
}

// compute takes the sessions through the phases after setup.
func (l *local) compute(ctx context.Context) error {
	if err := l.step(ctx, link.Input, "input", func(ctx context.Context, x *session) error { return x.share(ctx) }); err != nil {
		return err
	}
	l.spec.report(Progress{Phase: "offline"}) // inputs need no corrections
	start := time.Now()
	if err := l.each(ctx, func(ctx context.Context, x *session) error { return x.supplied(ctx) }); err != nil {
		return err
	}
	l.spec.Trace.Phase("wait for corrections", start)
	if l.apart {
		if err := l.sessions[0].meet(ctx, prepared); err != nil {
			return err
		}
	}
	if err := l.step(ctx, link.Online, "online", func(ctx context.Context, x *session) error { return x.compute(ctx) }); err != nil {
		return err
	}
	return l.step(ctx, link.Output, "output", func(ctx context.Context, x *session) error { return x.reveal(ctx) })
}

// step takes the sessions through one phase.
func (l *local) step(ctx context.Context, phase link.Phase, name string, f func(context.Context, *session) error) error {
	l.spec.report(Progress{Phase: name})
	start := time.Now()
	if err := l.each(ctx, f); err != nil {
		return err
	}
	l.seconds[phase] = time.Since(start).Seconds()
	l.spec.Trace.Phase(phase.String(), start)
	return nil
}

// outcome is what the run gave.
func (l *local) outcome() *Outcome {
	out := &Outcome{Report: l.report()}
	for _, x := range l.sessions {
		out.Held = append(out.Held, x.held()...)
	}
	for _, x := range l.sessions {
		if x.learned != nil {
			out.Results = x.learned
			break
		}
	}
	return out
}

// local makes the parties' sessions of a spec whose choices are made.
func (s Spec) local(ctx context.Context) (*local, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	s, err := s.optimized(ctx)
	if err != nil {
		return nil, err
	}
	return newLocal(&s), nil
}

func newLocal(s *Spec) *local {
	l := &local{spec: s}
	s.rewrite()
	n := len(s.Parties)
	if s.Protocol == "plain" {
		n = 1
	}
	l.seeds = newSeeds(s.Seed)
	for i := range n {
		l.sessions = append(l.sessions, &session{
			spec: s, rank: i, zero: map[int]ring.Seed{}, memo: &exec.Memo{},
		})
	}
	return l
}

// supply says where the parties' correlated randomness comes from.
func (l *local) supply(ctx context.Context) {
	if l.spec.Protocol == "plain" {
		return
	}
	if l.spec.Store != "" {
		for i, x := range l.sessions {
			x.supplier = stored{l.spec, i}
		}
		return
	}
	id := correlation.NewSessionID()
	if l.spec.dealer() >= 0 {
		for _, x := range l.sessions {
			x.supplier = inside{x, ctx, id}
		}
		return
	}
	d := &dealing{ctx: ctx, session: id, n: l.spec.Computing, shape: l.spec.shape()}
	for i := range l.sessions {
		d.seeds = append(d.seeds, l.seeds.dealer(i))
	}
	for i, x := range l.sessions {
		x.supplier = d.at(i)
	}
}

// supplied waits until the party's correlated randomness is there or will come
// ahead of need.
func (s *session) supplied(ctx context.Context) error {
	if s.material == nil {
		return nil
	}
	return s.material.ready(ctx)
}

// finish waits until the party has nothing left to send of what it deals.
func (s *session) finish(ctx context.Context) error {
	if s.material == nil {
		return nil
	}
	return s.material.finish(ctx)
}

// close ends what has begun of the sessions of correlated randomness.
func (l *local) close() error {
	var errs []error
	for _, x := range l.sessions {
		if x.aside != nil {
			x.aside.close()
		}
		if x.material == nil {
			continue
		}
		if err := x.material.close(); err != nil {
			errs = append(errs, &PartyError{l.spec.Parties[x.rank], err})
		}
		l.offline = max(l.offline, x.material.took().Seconds())
		x.material = nil
	}
	return errors.Join(errs...)
}

// check refuses what no party could run.
func (s *Spec) check() error {
	switch s.Protocol {
	case "plain", "semi2k":
	case "aby3":
		if s.Computing != aby3.Parties || s.Computing > len(s.Parties) {
			return fmt.Errorf("party: aby3 computes with %d of the %d parties, not %d", aby3.Parties, len(s.Parties), s.Computing)
		}
	default:
		return fmt.Errorf("party: protocol %s is not built yet (plain, semi2k and aby3 are): %w", s.Protocol, errors.ErrUnsupported)
	}
	if s.Protocol == "semi2k" && (s.Computing < 2 || s.Computing > len(s.Parties)) {
		return fmt.Errorf("party: semi2k computes with 2 or more of the %d parties, not %d", len(s.Parties), s.Computing)
	}
	if s.Protocol == "semi2k" && s.Computing > MaxParties {
		return fmt.Errorf("party: semi2k computes with %d parties at most", MaxParties)
	}
	if s.Store != "" && s.Protocol == "plain" {
		return fmt.Errorf("party: protocol plain takes nothing from a store: %w", errors.ErrUnsupported)
	}
	if s.Store != "" && s.Seed != nil {
		return errors.New("party: what lies in a store was made from seeds of its own: a fixed seed changes nothing in it")
	}
	if _, err := fxp.ParseOptions(s.Set); err != nil {
		return fmt.Errorf("party: %w", err)
	}
	for _, name := range append([]string{s.Network}, s.Networks...) {
		if _, err := link.ParseShape(name); err != nil {
			return fmt.Errorf("party: %w", err)
		}
	}
	if len(s.Args) != len(s.Program.Main.Body.Params) {
		return fmt.Errorf("party: %d arguments for a program of %d", len(s.Args), len(s.Program.Main.Body.Params))
	}
	if err := s.checkCheckpoints(); err != nil {
		return err
	}
	return s.checkKept()
}

// MaxParties is how many parties may compute.
const MaxParties = 64

// shape is the declared network's, which has been checked.
func (s *Spec) shape() link.Shape {
	shape, _ := link.ParseShape(s.Network)
	return shape
}

func (s *Spec) notice(text string) {
	if s.Notice != nil {
		s.Notice(text)
	}
}

func (s *Spec) report(p Progress) {
	if s.Progress != nil {
		s.Progress(p)
	}
}

// each runs one step of all sessions side by side; the first error ends the
// others and is returned.
func (l *local) each(ctx context.Context, f func(context.Context, *session) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	errs := make([]error, len(l.sessions))
	for i, x := range l.sessions {
		wg.Go(func() {
			if errs[i] = f(ctx, x); errs[i] != nil {
				cancel(&PartyError{x.spec.Parties[x.rank], errs[i]})
			}
		})
	}
	wg.Wait()
	for i, err := range errs {
		var program *hlo.Error
		if errors.As(err, &program) {
			return program // the same at every party
		}
		var own *OwnError
		if errors.As(err, &own) {
			return own
		}
		var other *PartyError
		if err != nil && !errors.As(err, &other) {
			return &PartyError{l.spec.Parties[l.sessions[i].rank], err}
		}
	}
	return errors.Join(errs...)
}

// PartyError is an error and the party that it happened at.
type PartyError struct {
	Party string
	Err   error
}

func (e *PartyError) Error() string { return fmt.Sprintf("party %s: %v", e.Party, e.Err) }

// Unwrap is the cause.
func (e *PartyError) Unwrap() error { return e.Err }
