package party

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/tensor"
)

// Request asks a service for one turn.
type Request struct {
	// Data has an entry for each argument, of which those count that parties of
	// this process own and that do not stay.
	Data []*tensor.Array
	// Progress, if not nil, is called now and then from any goroutine.
	Progress func(Progress)
	// Done is called once, from any goroutine: with what the turn gave, or why it
	// has not taken place. If it is a DeclinedError, the service goes on. What Done
	// returns ends the service, unless it is nil.
	Done func(*Outcome, error) error
}

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

// Ahead orders what is missing for twice as many turns as are asked for at one
// time of late: while the parties wait for the next requests, and while they go
// through their turns, the dealer works for the next. All parties call it.
func (v *Service) Ahead(ctx context.Context) error {
	if v.err != nil {
		return v.err
	}
	ctx, end := v.living(ctx)
	defer end()
	if err := v.order(ctx, 2*v.asked); err != nil {
		return v.fail(err)
	}
	return nil
}

// living is a context that ends when another party gives up, too.
func (v *Service) living(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(v.life, func() { cancel(context.Cause(v.life)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// order orders turns until so many are, or there are no more numbers for them.
// Since a dealer makes one order after the other, what is on its way is waited
// for first.
func (v *Service) order(ctx context.Context, want int) error {
	ids := v.own[0].plan.ids
	n := min(want-len(v.ahead), int((math.MaxUint32-v.first)/ids))
	if n <= 0 && len(v.ahead) == 0 {
		return ErrExhausted
	}
	if n <= 0 {
		return nil
	}
	if k := len(v.ahead); k > 0 {
		if err := v.complete(ctx, v.ahead[k-1]); err != nil {
			return err
		}
	}
	agreement, err := v.agreements(1)
	if err != nil {
		return err
	}
	next := make([]*local, n)
	for i := range next {
		next[i] = v.following(agreement)
		v.first += ids
	}
	v.ahead = append(v.ahead, next...)
	err = sideBySide(ctx, next, func(ctx context.Context, _ int, l *local) error {
		return l.each(ctx, func(ctx context.Context, x *session) error { return x.prepare(ctx) })
	})
	if err != nil {
		return err
	}
	return next[0].each(ctx, func(ctx context.Context, x *session) error {
		if v.opening.apart { // before others send what they may only then
			x.bound(len(v.ahead))
		}
		if err := x.expects(ctx, n); err != nil {
			return err
		}
		orders, in := make([]*order, n), make([]*session, n)
		for i, l := range next {
			in[i] = l.of(x.rank)
			orders[i] = &order{form: in[i].plan.form, lead: in[i].tail()}
		}
		given, err := x.supplier.further(ctx, v.opening.of(x.rank).material, orders)
		for i, m := range given {
			in[i].has(m)
		}
		return err
	})
}

// of is the session of a party of this process.
func (l *local) of(rank int) *session {
	return l.sessions[slices.IndexFunc(l.sessions, func(x *session) bool { return x.rank == rank })]
}

// expects waits until all parties expect so many turns, from this one on.
func (s *session) expects(ctx context.Context, turns int) error {
	from := []int{int(s.first), turns}
	return s.gather(ctx, ordering, func(int) any { return from }, func(rank int, data []byte) error {
		return s.agreesOn(rank, data, from)
	})
}

// agreements are numbers for so many things that parties will agree on; the
// first of them.
func (v *Service) agreements(n int) (uint32, error) {
	if uint64(v.agreed)+uint64(n) >= math.MaxUint32 { // which no message has
		return 0, ErrExhausted
	}
	first := v.agreed + 1
	v.agreed += uint32(n)
	return first, nil
}

// following are the sessions of the next turn, about to agree that it is ordered.
func (v *Service) following(agreement uint32) *local {
	spec := *v.opening.spec
	spec.Args = fresh(spec.Args)
	l := &local{spec: &spec, apart: v.opening.apart}
	for _, x := range v.own {
		l.sessions = append(l.sessions, &session{
			spec: &spec, rank: x.rank, link: x.link, supplier: x.supplier, begun: x.begun, common: x.common,
			zero: x.zero, orders: x.orders, memo: x.memo, stays: x.stays, first: v.first, turn: agreement,
		})
	}
	return l
}

// sideBySide does something with several turns at once; the first error ends it
// for all.
func sideBySide(ctx context.Context, turns []*local, f func(ctx context.Context, i int, l *local) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var all sync.WaitGroup
	for i, l := range turns {
		all.Go(func() {
			if err := f(ctx, i, l); err != nil {
				end(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// Turns takes the service through a turn for each request, side by side. All
// parties call it for the same requests, in the same order. The error is what has
// ended the service, of which the requests hear that have not been done; those
// that are declined do not end it.
func (v *Service) Turns(ctx context.Context, asked []Request) error {
	done := make([]bool, len(asked))
	if v.err == nil && len(asked) > 0 {
		ctx, end := v.living(ctx)
		defer end()
		if err := v.turns(ctx, asked, done); err != nil {
			v.fail(err)
		}
	}
	for i, r := range asked {
		if !done[i] {
			r.Done(nil, v.err)
		}
	}
	return v.err
}

func (v *Service) turns(ctx context.Context, asked []Request, done []bool) error {
	if err := v.order(ctx, len(asked)); err != nil {
		return err
	}
	v.asked = max(len(asked), v.asked-1)
	turns := v.ahead[:min(len(asked), len(v.ahead))]
	vote, err := v.agreements(len(turns))
	if err != nil {
		return err
	}
	used := make([]bool, len(turns))
	err = sideBySide(ctx, turns, func(ctx context.Context, i int, l *local) error {
		l.spec.Progress = asked[i].Progress
		out, err := v.takes(ctx, l, vote+uint32(i), asked[i].Data)
		used[i] = err == nil
		if done[i] = err == nil || errors.As(err, new(*DeclinedError)); done[i] {
			err = asked[i].Done(out, err)
		}
		return err
	})
	if err == nil && len(turns) < len(asked) {
		err = ErrExhausted
	}
	kept := v.ahead[:0:0]
	for i, l := range v.ahead {
		if i >= len(turns) || !used[i] {
			kept = append(kept, l)
		}
	}
	v.ahead = kept
	return err
}

// takes is one turn, unless in the vote of a number some party declines it.
func (v *Service) takes(ctx context.Context, l *local, vote uint32, data []*tensor.Array) (*Outcome, error) {
	bad := l.bring(v.opening.spec.Args, data)
	err := l.step(ctx, link.Setup, "plan", func(ctx context.Context, x *session) error {
		x.turn = vote
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
		return nil, err
	}
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
	if ctx.Err() != nil { // it is over, and nobody's data is to blame
		return context.Cause(ctx)
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
