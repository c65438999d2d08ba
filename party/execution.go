package party

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party/report"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/ring"
)

// execution is the part of a run that is in this process: all parties and the dealer, or one of
// several parties.
type execution struct {
	spec     *Spec
	sessions []*session
	seeds    seeds
	seconds  [link.Phases]float64
	offline  float64 // seconds
	// beside is the seconds of the offline phase in which the online phase, which began at online, ran too.
	beside float64
	// besideInput is the seconds of the offline phase in which inputs were shared too, from input on.
	besideInput float64
	input       time.Time // when the input phase began; zero before
	online      time.Time
	// distributed says that the other parties are in other processes; dealerSession is the id of
	// the session that their dealer deals.
	distributed   bool
	dealerSession correlation.SessionID
	// parties are the costs of all parties, once parties in different processes have exchanged
	// them.
	parties []*report.Party
	ahead   *ahead // of a prepared request of a service
}

// Run runs s with all parties and the dealer in this process. Errors are *FieldError for a wrong spec,
// *hlo.Error for operations that are not supported, and *PartyError for failures at one party.
func Run(ctx context.Context, s Spec) (*Outcome, error) {
	s, err := s.resolveResumeLocal(ctx)
	if err != nil {
		return nil, withCause(err)
	}
	l, err := s.execute(ctx, needsAll)
	if err != nil {
		return nil, withCause(err)
	}
	defer l.connect()()
	l.setProviders(ctx)
	if err := l.run(ctx); err != nil {
		return nil, withCause(err)
	}
	return l.outcome(), nil
}

// connect links the parties of this process; end closes the links.
func (l *execution) connect() (end func()) {
	ends := link.Shaped(len(l.sessions), l.spec.shape())
	for i, x := range l.sessions {
		x.link = ends[i]
	}
	return func() { disconnect(ends) }
}

// disconnect closes the ends of links concurrently, since each waits for the others.
func disconnect(ends []*link.Endpoint) {
	var wg sync.WaitGroup
	for _, e := range ends {
		wg.Go(e.Close)
	}
	wg.Wait()
}

// run takes the sessions of this process through all phases.
func (l *execution) run(ctx context.Context) error {
	defer l.close()
	err := l.step(ctx, link.Setup, "plan", func(ctx context.Context, x *session) error {
		x.memo.Once = !x.spec.clear()
		if err := x.prepare(ctx); err != nil {
			return err
		}
		if l.distributed {
			x.allowTraffic(1)
		}
		return x.handshake(ctx, l.seeds)
	})
	if err == nil {
		err = l.checkRoom(ctx)
	}
	if err == nil {
		l.spec.forget()
		for _, x := range l.sessions {
			x.plan.dropManifest()
		}
		err = l.compute(ctx)
	}
	if err != nil {
		return err
	}
	if err := l.close(); err != nil { // the session is spent nevertheless
		l.spec.notice(fmt.Sprintf("warning: unused correlations of the session could not be destroyed: %v", err))
	}
	return nil
}

// checkRoom refuses a run if the input vectors of all parties in this process take more memory than its budget allows. Those
// of the steps come on top.
func (l *execution) checkRoom(ctx context.Context) error {
	if l.distributed || l.spec.clear() {
		return nil
	}
	var bytes int64
	for _, x := range l.sessions {
		shared, own := x.vectorBytes(x.inputs)
		bytes = budget.Add(bytes, shared, own)
	}
	return budget.From(ctx).Holds("the parties' shares of the inputs", bytes)
}

// compute takes the sessions through the phases after setup.
func (l *execution) compute(ctx context.Context) error {
	if err := l.each(ctx, func(ctx context.Context, x *session) error { return x.awaitOffline(ctx) }); err != nil {
		return err
	}
	l.input = time.Now()
	if err := l.step(ctx, link.Input, "input", func(ctx context.Context, x *session) error { return x.shareInputs(ctx) }); err != nil {
		return err
	}
	l.spec.report(Progress{Phase: "offline"}) // inputs need no corrections
	start := time.Now()
	if err := l.each(ctx, func(ctx context.Context, x *session) error { return x.awaitTimely(ctx) }); err != nil {
		return err
	}
	l.spec.Trace.Phase("wait for corrections", start)
	if l.distributed {
		if err := l.sessions[0].barrier(ctx, stepReady); err != nil {
			return err
		}
	}
	l.online = time.Now()
	if err := l.step(ctx, link.Online, "online", func(ctx context.Context, x *session) error { return x.compute(ctx) }); err != nil {
		return err
	}
	return l.step(ctx, link.Output, "output", func(ctx context.Context, x *session) error { return x.reveal(ctx) })
}

// step takes the sessions through one phase.
func (l *execution) step(ctx context.Context, phase link.Phase, name string, f func(context.Context, *session) error) error {
	l.spec.report(Progress{Phase: name})
	start := time.Now()
	if err := l.each(ctx, f); err != nil {
		return err
	}
	l.seconds[phase] = time.Since(start).Seconds()
	l.spec.Trace.Phase(phase.String(), start)
	return nil
}

// outcome is the result of the run.
func (l *execution) outcome() *Outcome {
	out := &Outcome{Report: l.report()}
	for _, x := range l.sessions {
		out.Shares = append(out.Shares, x.keptShares()...)
	}
	for _, x := range l.sessions {
		if x.learned != nil {
			out.Results = x.learned
			break
		}
	}
	return out
}

// execute resolves a spec, applies the plan's choices and makes the parties' sessions. needs
// reports whether an argument's data is required.
func (s Spec) execute(ctx context.Context, needs func(Arg) bool) (*execution, error) {
	s, err := s.validate(needs)
	if err != nil {
		return nil, err
	}
	s = s.withState()
	if s, err = s.optimized(ctx); err != nil {
		return nil, err
	}
	return newLocal(ctx, &s)
}

// newLocal makes the sessions of all parties of a resolved spec.
func newLocal(ctx context.Context, s *Spec) (*execution, error) {
	l := &execution{spec: s}
	if err := s.rewrite(ctx); err != nil {
		return nil, err
	}
	if err := s.settleState(ctx); err != nil {
		return nil, err
	}
	n := len(s.Parties)
	if s.clear() {
		n = 1
	}
	l.seeds = newSeeds(s.Seed)
	for i := range n {
		l.sessions = append(l.sessions, &session{
			spec: s, rank: i, zero: map[int]ring.Seed{}, memo: &exec.Memo{},
		})
	}
	return l, nil
}

// awaitTimely waits until the party's correlations have arrived or will arrive before they are
// needed.
func (s *session) awaitTimely(ctx context.Context) error {
	if s.correlations == nil {
		return nil
	}
	return s.correlations.Ready(ctx)
}

// finishDealing waits until a dealing party has sent all corrections.
func (s *session) finishDealing(ctx context.Context) error {
	if s.correlations == nil {
		return nil
	}
	return s.correlations.Finish(ctx)
}

// close waits for checkpoints that are being written and closes the sessions' correlations.
func (l *execution) close() error {
	var errs []error
	for _, x := range l.sessions {
		if x.checkpoints != nil {
			x.checkpoints.Close()
		}
		if x.correlations == nil {
			continue
		}
		if err := x.correlations.Close(); err != nil {
			errs = append(errs, &PartyError{l.spec.Parties[x.rank], err})
		}
		took := x.correlations.Took()
		l.offline = max(l.offline, took.Seconds())
		if c, ok := x.correlations.(interface{ ArrivedAt() time.Time }); ok && !l.online.IsZero() {
			at := c.ArrivedAt()
			l.beside = max(l.beside, at.Sub(l.online).Seconds())
			both := min(at.Sub(l.input).Seconds(), l.seconds[link.Input]) - max(0, at.Add(-took).Sub(l.input).Seconds())
			l.besideInput = max(l.besideInput, both)
		}
		x.correlations = nil
	}
	return errors.Join(errs...)
}

// validate resolves a spec and refuses specs that no party could run.
func (s Spec) validate(needs func(Arg) bool) (Spec, error) {
	s, err := s.checkProgram(needs)
	if err != nil {
		return s, err
	}
	if d, err := protocol.Find(s.Protocol); err == nil && s.Store != "" && !d.Dealt() && (d.Between == nil || d.Between.Keep == nil) {
		return s, wrongField("Store", "%w", problem.Refusef("protocol %s takes nothing from a store", d.Name))
	}
	if b := s.Descriptor().Between; s.PairState != "" && (b == nil || b.Keep == nil) {
		return s, wrongField("PairState", "%w", problem.Refusef("protocol %s keeps nothing from one session to the next", s.Protocol))
	}
	if s.PairState != "" && s.Checkpoints != nil {
		return s, wrongField("PairState", "%w", problem.Refusef("a run with checkpoints begins with nothing that was kept"))
	}
	if err := s.checkCheckpoints(); err != nil {
		return s, err
	}
	if err := s.checkState(); err != nil {
		return s, err
	}
	return s, s.checkKept()
}

// checkProtocol refuses a protocol that does not exist or does not support the number of computing
// parties.
func (s *Spec) checkProtocol() error {
	d, err := protocol.Find(s.Protocol)
	if err != nil {
		return wrongField("Protocol", "%w", err)
	}
	if err := d.Check(s.Computing); err != nil {
		if d.Fixed() > 0 {
			return wrongField("Computing", "%w", err)
		}
		return wrongField("Protocol", "%w", err)
	}
	return nil
}

// MaxParties is the largest number of computing parties in a run.
const MaxParties = protocol.MaxParties

// shape is the declared network's shape, whose text Resolve has checked.
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

// each calls f for all sessions concurrently. The first error ends the others and is returned.
func (l *execution) each(ctx context.Context, f func(context.Context, *session) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	errs := make([]error, len(l.sessions))
	for i, x := range l.sessions {
		wg.Go(func() {
			if errs[i] = flow.Guard(func() error { return f(ctx, x) }); errs[i] != nil {
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
		var limit *budget.Error
		if errors.As(err, &limit) {
			return limit
		}
		var own *LocalError
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

// PartyError is an error together with the name of the party at which it happened. Runs with all parties in this
// process return it.
type PartyError struct {
	Party string // name of the party
	Err   error  // what happened
}

// Error returns the party's name and the text of Err.
func (e *PartyError) Error() string { return fmt.Sprintf("party %s: %v", e.Party, e.Err) }

// Unwrap returns Err.
func (e *PartyError) Unwrap() error { return e.Err }
