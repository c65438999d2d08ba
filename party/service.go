package party

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
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
type Service struct {
	opening *local
	own     []*session // of the opening, in this process
	opened  *profile.Report
	close   func()
	lost    chan struct{}
	once    sync.Once
	err     error // what ended it

	first uint32 // where the next turn's instances begin
	turn  uint32 // how often parties have agreed on one, or tried
	next  *local // the turn that is ordered; nil if none is
}

// ErrExhausted says that a service has had as many turns as there are numbers
// for operations.
var ErrExhausted = errors.New("party: the service has used up its numbers: open another one")

// DeclinedError says that a turn has not taken place, because a party could not
// take part, before anything was shared: the service goes on.
type DeclinedError struct {
	Party string
	Err   error // at the party itself; others do not learn it
}

func (e *DeclinedError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s has declined before anything was shared (it knows why)", e.Party)
	}
	return fmt.Sprintf("%s declines: %v", e.Party, e.Err)
}

// Unwrap is the cause.
func (e *DeclinedError) Unwrap() error { return e.Err }

// Open begins a service: arguments that stay are shared, and what the first turn
// takes is ordered. The data of others is not looked at. With a seat it is one
// party's side, and its link is closed when the service is; without one all
// parties are in this process. The end of ctx ends the service.
func Open(ctx context.Context, s Spec, seat *Seat) (*Service, error) {
	if s.Store != "" {
		return nil, fmt.Errorf("party: a service takes its correlated randomness from a dealer at work, not from a store: %w", errors.ErrUnsupported)
	}
	if s.Protocol == "plain" {
		return nil, fmt.Errorf("party: protocol plain shares nothing, so nothing stays: %w", errors.ErrUnsupported)
	}
	s.Args = fresh(s.Args)
	v := &Service{lost: make(chan struct{})}
	var err error
	if seat != nil {
		seat := *seat
		seat.turns = true
		if v.opening, err = s.seated(ctx, seat); err != nil {
			seat.Link.Abort(err.Error())
			return nil, err
		}
		v.close = seat.Link.Close
	} else {
		if v.opening, err = s.local(ctx); err != nil {
			return nil, err
		}
		v.close = v.opening.connect()
		v.opening.supply(ctx)
	}
	v.own = v.opening.sessions
	if err := v.open(ctx); err != nil {
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
			x.bound()
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
	return v.Ahead(ctx)
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

// Ahead orders what the next turn takes, unless that has been done: while the
// parties wait for the next turn's data, the dealer works. All parties call it.
func (v *Service) Ahead(ctx context.Context) error {
	if v.err != nil || v.next != nil {
		return v.err
	}
	ids := v.own[0].plan.ids
	if v.first > math.MaxUint32-ids || v.turn == math.MaxUint32 {
		return v.fail(ErrExhausted)
	}
	l := v.following(fresh(v.opening.spec.Args))
	err := l.each(ctx, func(ctx context.Context, x *session) error {
		if err := x.prepare(ctx); err != nil {
			return err
		}
		if l.apart { // before others send what they may only then
			x.bound()
		}
		return x.expects(ctx)
	})
	if err == nil {
		err = l.each(ctx, func(ctx context.Context, x *session) error {
			m, err := x.supplier.further(ctx, v.at(x.rank).material, &order{form: x.plan.form, lead: x.tail()})
			if err == nil {
				x.has(m)
			}
			return err
		})
	}
	v.next = l
	if err != nil {
		return v.fail(err)
	}
	return nil
}

// expects waits until all parties expect the turn.
func (s *session) expects(ctx context.Context) error {
	return s.gather(ctx, ordering, func(int) any { return s.first }, func(from int, data []byte) error {
		return s.agreesOn(from, data, s.first)
	})
}

// following are the sessions of the next turn, with arguments.
func (v *Service) following(args []Arg) *local {
	spec := *v.opening.spec
	spec.Args = args
	v.turn++
	l := &local{spec: &spec, apart: v.opening.apart}
	for _, x := range v.own {
		l.sessions = append(l.sessions, &session{
			spec: &spec, rank: x.rank, link: x.link, supplier: x.supplier, begun: x.begun, common: x.common,
			zero: x.zero, orders: x.orders, memo: x.memo, stays: x.stays, first: v.first, turn: v.turn,
		})
	}
	return l
}

// at is the opening's session of a party of this process.
func (v *Service) at(rank int) *session {
	return v.own[slices.IndexFunc(v.own, func(x *session) bool { return x.rank == rank })]
}

// Turn takes the service through one turn: data has an entry for each argument,
// of which those count that parties of this process own and that do not stay.
// All parties call it for the same turn. After a DeclinedError the service goes
// on, after any other it is over.
func (v *Service) Turn(ctx context.Context, data []*tensor.Array) (*Outcome, error) {
	if err := v.Ahead(ctx); err != nil {
		return nil, err
	}
	l := v.next
	bad := l.bring(v.opening.spec.Args, data)
	v.turn++
	err := l.step(ctx, link.Setup, "plan", func(ctx context.Context, x *session) error {
		x.turn = v.turn
		return x.vote(ctx, bad)
	})
	if err == nil {
		if declined := l.declined(); declined != nil {
			return nil, declined
		}
		err = l.compute(ctx)
	}
	if err == nil {
		err = v.complete(ctx, l)
	}
	if err == nil {
		err = l.close()
	}
	if err == nil && l.apart {
		err = l.settle(ctx)
	}
	if err != nil {
		return nil, v.fail(err)
	}
	v.next = nil
	v.first += v.own[0].plan.ids
	return l.outcome(), nil
}

// bring puts a turn's data in its place, or says what is wrong with it.
func (l *local) bring(args []Arg, data []*tensor.Array) error {
	params := l.spec.Program.Main.Body.Params
	if len(data) != len(args) {
		return fmt.Errorf("%d arguments for a program of %d", len(data), len(args))
	}
	l.spec.Args = slices.Clone(args)
	for i, a := range args {
		if a.Owner == Public || a.Stays {
			continue
		}
		l.spec.Args[i].Data = data[i]
		for _, x := range l.sessions {
			if x.rank != a.Owner {
				continue
			}
			if data[i] == nil {
				return fmt.Errorf("argument %d is missing", i)
			}
			if !data[i].Type.Equal(params[i].Type) {
				return fmt.Errorf("argument %d is %v, the program wants %v", i, data[i].Type, params[i].Type)
			}
		}
	}
	return nil
}

// vote plans the turn with its data and tells the others whether this party
// takes part. Why it does not they do not learn: it may be about the data.
func (s *session) vote(ctx context.Context, bad error) error {
	s.declined = nil
	if bad == nil {
		bad = s.prepare(ctx)
	}
	if bad != nil {
		s.declined = &DeclinedError{s.spec.Parties[s.rank], bad}
	}
	return s.gather(ctx, voting, func(int) any { return bad == nil }, func(from int, data []byte) error {
		if s.agreesOn(from, data, true) == nil {
			return nil
		}
		if s.declined == nil {
			s.declined = &DeclinedError{Party: s.spec.Parties[from]}
		}
		return s.agreesOn(from, data, false)
	})
}

// declined is why the turn does not take place, as far as parties of this
// process know.
func (l *local) declined() error {
	var why error
	for _, x := range l.sessions {
		var d *DeclinedError
		if errors.As(x.declined, &d) && (why == nil || d.Err != nil) {
			why = d
		}
	}
	return why
}

// complete waits until nothing of a turn's correlated randomness is on its way.
func (v *Service) complete(ctx context.Context, l *local) error {
	return l.each(ctx, func(ctx context.Context, x *session) error { return x.material.complete(ctx) })
}

// watch has Lost tell of connections that end while the service waits.
func (v *Service) watch() {
	x := v.own[0]
	for _, i := range x.others() {
		x.link.Await(i, link.Key{Phase: link.Setup, Step: parting}, func(link.Message, error) {
			v.once.Do(func() { close(v.lost) })
		})
	}
}

// Lost is closed when the connection to some party has ended: then no turn
// succeeds any more. It is of one party's side.
func (v *Service) Lost() <-chan struct{} { return v.lost }

// fail ends the service.
func (v *Service) fail(err error) error {
	if v.err != nil {
		return v.err
	}
	v.err = v.opening.named(err)
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
	if v.next != nil {
		v.next.close() // what is left of it nobody will use
	}
	opening := &local{spec: v.opening.spec, sessions: v.own}
	opening.close()
	v.close()
}
