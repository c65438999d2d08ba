package party

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/ring"
)

// local is a run with every party and the dealer in this process.
type local struct {
	spec     *Spec
	sessions []*session
	seeds    seeds
	seconds  [4]float64
	offline  struct {
		seconds float64
		mu      sync.Mutex
		bytes   int64
		byOp    map[uint32]int64
	}
}

// Run runs a spec with every party and the dealer inside this process.
func Run(ctx context.Context, s Spec) (*Outcome, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	s, err := s.optimized(ctx)
	if err != nil {
		return nil, err
	}
	l, err := newLocal(&s)
	if err != nil {
		return nil, err
	}
	ends := link.Shaped(len(l.sessions), s.shape())
	defer func() {
		var wg sync.WaitGroup
		for _, e := range ends {
			wg.Go(e.Close)
		}
		wg.Wait()
	}()
	for i, x := range l.sessions {
		x.link = ends[i]
	}
	steps := []struct {
		phase link.Phase
		name  string
		run   func(context.Context, *session) error
	}{
		{link.Setup, "plan", func(ctx context.Context, x *session) error {
			if err := x.prepare(ctx); err != nil {
				return err
			}
			return x.handshake(ctx, l.seeds.zero)
		}},
		{link.Input, "input", func(ctx context.Context, x *session) error { return x.share(ctx) }},
		{link.Online, "online", func(ctx context.Context, x *session) error { return x.compute(ctx) }},
		{link.Output, "output", func(ctx context.Context, x *session) error { return x.reveal(ctx) }},
	}
	for _, step := range steps {
		s.report(Progress{Phase: step.name})
		start := time.Now()
		if err := l.each(ctx, step.run); err != nil {
			return nil, err
		}
		l.seconds[step.phase] = time.Since(start).Seconds()
		if step.phase == link.Setup {
			s.report(Progress{Phase: "offline"})
			if err := l.deal(ctx); err != nil {
				return nil, err
			}
		}
	}
	out := &Outcome{Report: l.report()}
	for _, x := range l.sessions {
		if x.learned != nil {
			out.Results = x.learned
			break
		}
	}
	return out, nil
}

// Plan says what Run would cost, without data.
func Plan(ctx context.Context, s Spec) (*profile.Report, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	s, err := s.optimized(ctx)
	if err != nil {
		return nil, err
	}
	l, err := newLocal(&s)
	if err != nil {
		return nil, err
	}
	if err := l.each(ctx, func(ctx context.Context, x *session) error {
		if err := x.prepare(ctx); err != nil {
			return err
		}
		return x.expectGreetings()
	}); err != nil {
		return nil, err
	}
	return l.planned(), nil
}

func newLocal(s *Spec) (*local, error) {
	l := &local{spec: s}
	l.offline.byOp = map[uint32]int64{}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.rewrite()
	n := len(s.Parties)
	if s.Protocol == "plain" {
		n = 1
	}
	l.seeds = newSeeds(s.Seed)
	for i := range n {
		l.sessions = append(l.sessions, &session{
			spec: s, rank: i, zero: map[int]ring.Seed{},
			source: correlation.NewParty(i, s.Computing, l.seeds.dealer(i)),
		})
	}
	return l, nil
}

// check refuses what no party could run.
func (s *Spec) check() error {
	switch s.Protocol {
	case "plain", "semi2k":
	default:
		return fmt.Errorf("party: protocol %s is not built yet (plain and semi2k are): %w", s.Protocol, errors.ErrUnsupported)
	}
	if s.Protocol == "semi2k" && (s.Computing < 2 || s.Computing > len(s.Parties)) {
		return fmt.Errorf("party: semi2k computes with 2 or more of the %d parties, not %d", len(s.Parties), s.Computing)
	}
	if s.Protocol == "semi2k" && s.Computing > maxParties {
		return fmt.Errorf("party: semi2k computes with %d parties at most", maxParties)
	}
	if _, err := fxp.ParseOptions(s.Set); err != nil {
		return fmt.Errorf("party: %w", err)
	}
	if _, err := link.ParseShape(s.Network); err != nil {
		return fmt.Errorf("party: %w", err)
	}
	if len(s.Args) != len(s.Program.Main.Body.Params) {
		return fmt.Errorf("party: %d arguments for a program of %d", len(s.Args), len(s.Program.Main.Body.Params))
	}
	return nil
}

// maxParties is how many parties may compute.
const maxParties = 64

// shape is the declared network's, which has been checked.
func (s *Spec) shape() link.Shape {
	shape, _ := link.ParseShape(s.Network)
	return shape
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
		var other *PartyError
		if err != nil && !errors.As(err, &other) {
			return &PartyError{l.spec.Parties[i], err}
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

// deal has the dealer make what the parties will need and gives each party
// what is for it.
func (l *local) deal(ctx context.Context) error {
	if l.spec.Protocol == "plain" {
		return nil
	}
	start := time.Now()
	seeds := make([]ring.Seed, len(l.sessions))
	for i := range seeds {
		seeds[i] = l.seeds.dealer(i)
	}
	var dealer correlation.Dealer = correlation.NewLocal(l.spec.Computing, seeds)
	to := l.sessions[l.spec.Computing-1].source
	err := dealer.Deal(ctx, l.sessions[0].plan.form, func(id correlation.ID, data []byte) {
		to.Deliver(id, data)
		l.offline.mu.Lock()
		l.offline.bytes += int64(len(data))
		l.offline.byOp[id.Op()] += int64(len(data))
		l.offline.mu.Unlock()
	})
	l.offline.seconds = time.Since(start).Seconds()
	return err
}
