package party

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/profile"
)

// Service is a run that stays: arguments that stay (Arg.Stays, and public ones)
// are shared once, and each turn brings the others. It is used by one goroutine
// at a time.
//
// # How turns keep apart
//
// All turns walk the same program, and since what decides their way is public
// and stays, they go alike: the operation instance that is the i-th in one is
// the i-th in all. A turn's instances are numbered from where those of the one
// before end, so that no mask, correlation or message of any two turns has the
// same id; a source refuses those of other turns, and the dealer forms that
// name them. A vector that one party knows, and that follows from what stays
// alone, keeps the mask and masked value that it got at the opening, and nothing
// else does: that it stays is propagated like who knows it, so all parties see
// it the same.
//
// So several turns can take place side by side (Turns), whatever the program is,
// and their rounds overlap: what they queue for a peer at one time goes out in
// one write, and their steps share the process's workers. Each has its own
// requests, books and results, and nothing of one depends on what another brings.
type Service struct {
	opening *local
	own     []*session // of the opening, in this process
	opened  *profile.Report
	close   func()
	life    context.Context // ends when another party gives up
	quiet   context.CancelCauseFunc
	lost    chan error
	err     error // what ended it

	first  uint32   // where the instances of what is ordered next begin
	agreed uint32   // how often parties have agreed on something, or tried
	ahead  []*local // the turns that are ordered
	asked  int      // for how many turns at one time of late: less only by and by
}

// ErrExhausted says that a service has had as many turns as there are numbers
// for operations.
var ErrExhausted = errors.New("party: the service has used up its numbers: open another one")

// Open begins a service: arguments that stay are shared, and what the first turn
// takes is ordered. The data of others is not looked at. With a seat it is one
// party's side, and its link is closed when the service is; without one all
// parties are in this process. The end of ctx ends the service.
func Open(ctx context.Context, s Spec, seat *Seat) (*Service, error) {
	if s.Store != "" {
		return nil, fmt.Errorf("party: a service takes its correlated randomness from a dealer at work, not from a store: %w", errors.ErrUnsupported)
	}
	if s.Checkpoints != nil {
		return nil, fmt.Errorf("party: a service sets nothing aside: %w", errors.ErrUnsupported)
	}
	if s.Protocol == "plain" {
		return nil, fmt.Errorf("party: protocol plain shares nothing, so nothing stays: %w", errors.ErrUnsupported)
	}
	s.Args = fresh(s.Args)
	v := &Service{lost: make(chan error, 1)}
	var err error
	if seat != nil {
		seat := *seat
		seat.turns = true
		v.life, v.quiet = seat.heeding(ctx, s.online())
		if v.opening, err = s.seated(v.life, seat); err != nil {
			seat.Link.Abort(err.Error())
			v.quiet(nil)
			return nil, err
		}
		v.close = seat.Link.Close
	} else {
		if v.opening, err = s.local(ctx); err != nil {
			return nil, err
		}
		v.life, v.quiet = context.WithCancelCause(ctx)
		v.close = v.opening.connect()
		v.opening.supply(v.life)
	}
	v.own = v.opening.sessions
	if err := v.open(v.life); err != nil {
		return nil, v.fail(err)
	}
	return v, nil
}

// fresh are arguments without what a turn brings.
func fresh(args []Arg) []Arg {
	out := slices.Clone(args)
	for i, a := range out {
		if a.Owner != Public && !a.Stays {
			out[i].Data = nil
		}
	}
	return out
}

func (v *Service) open(ctx context.Context) error {
	l := v.opening
	err := l.step(ctx, link.Setup, "plan", func(ctx context.Context, x *session) error {
		if err := x.opens(ctx); err != nil {
			return err
		}
		if l.apart {
			x.bound(1)
		}
		return x.handshake(ctx, l.seeds)
	})
	if err == nil {
		err = l.step(ctx, link.Input, "input", func(ctx context.Context, x *session) error { return x.share(ctx) })
	}
	if err == nil {
		err = v.complete(ctx, l)
	}
	if err != nil {
		return err
	}
	for _, x := range v.own {
		x.stays = x.inputs
		x.dealt.Bytes = x.meter.bytes
	}
	v.first = v.own[0].plan.ids
	if l.apart {
		v.watch()
		if err := l.settle(ctx); err != nil {
			return err
		}
	}
	v.opened = l.report()
	return v.order(ctx, 1)
}

// opens plans what is shared once. The terms hold the form of a whole turn.
func (s *session) opens(ctx context.Context) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	turn := s.plan.form.Digest()
	s.inputs = s.inputs.Staying()
	rec := &correlation.Recorder{}
	f := &forecast{costs: exec.NewCosts(s.spec.Program), ids: s.plan.ids, order: &turn}
	input := s.weightless(link.Input, f)
	s.sharing(ctx, rec).ShareInputs(input)
	if err := input.Wait(); err != nil {
		return err
	}
	f.rounds[link.Input] = input.Rounds()
	f.form = rec.Form()
	s.plan, s.costs = f, exec.NewCosts(s.spec.Program)
	return nil
}

// Opened is what the opening cost: its setup, inputs and what was dealt for
// them.
func (v *Service) Opened() *profile.Report { return v.opened }

// watch has Lost tell of connections that end while the service waits.
func (v *Service) watch() {
	x := v.own[0]
	for _, i := range x.others() {
		x.link.Await(i, link.Key{Phase: link.Setup, Step: parting}, func(_ link.Message, err error) {
			select {
			case v.lost <- v.opening.named(err):
			default: // another one was lost before
			}
		})
	}
}

// Lost gives, once, why no turn succeeds any more, when the connection to some
// party has ended. It is of one party's side.
func (v *Service) Lost() <-chan error { return v.lost }

// fail ends the service.
func (v *Service) fail(err error) error {
	if v.err != nil {
		return v.err
	}
	v.err = v.opening.named(heeded(v.life, err))
	if v.opening.apart {
		v.own[0].link.Abort(v.err.Error())
	}
	v.end()
	return v.err
}

// Abort ends the service and tells the others why.
func (v *Service) Abort(reason error) {
	if v.err == nil {
		v.fail(reason)
	}
}

// Close ends the service.
func (v *Service) Close() {
	if v.err == nil {
		v.err = errors.New("party: the service is closed")
		v.end()
	}
}

func (v *Service) end() {
	for _, l := range v.ahead {
		l.close() // what is left of it nobody will use
	}
	opening := &local{spec: v.opening.spec, sessions: v.own}
	opening.close()
	v.close()
	v.quiet(nil)
}
