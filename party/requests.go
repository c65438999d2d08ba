package party

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/tensor"
)

// Request is one evaluation of a service.
type Request struct {
	Program string // name of one of Spec.Programs; "" for Spec.Program
	// Data has an entry for each argument of the program. The service reads only the entries of arguments that
	// are not resident and whose owners are in this process; the others may be nil.
	Data []*tensor.Array
	// Progress, if not nil, is called from time to time, from any goroutine.
	Progress func(Progress)
	// Done is called once, from any goroutine, with the request's outcome or its error. After a
	// DeclinedError the service continues. A non-nil error from Done ends the service.
	Done func(*Outcome, error) error
}

// DeclinedError says that a service did not evaluate a request, because a party declined it before anything was
// shared. The service continues.
type DeclinedError struct {
	Party string // name of the party that declined
	Err   error  // the reason; nil at the other parties, which do not learn it
}

// Error returns a text that names the party. It states the reason only in the process of the party that declined.
func (e *DeclinedError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s declined the request before anything was shared (the reason is not disclosed)", e.Party)
	}
	return fmt.Sprintf("%s declined the request: %v", e.Party, e.Err)
}

// Unwrap returns Err, which may be nil.
func (e *DeclinedError) Unwrap() error { return e.Err }

// PrepareAhead requests correlations for future requests, until those of twice the recent number of requests per
// batch are requested, of each program. So the dealer works while the parties wait for requests or evaluate them. All parties
// must call it at the same point of their sequence of calls. An error ends the service.
func (v *Service) PrepareAhead(ctx context.Context) error {
	if v.err != nil {
		return v.err
	}
	ctx, end := v.withAbort(ctx)
	defer end()
	for _, p := range v.programs {
		if p.recentBatch == 0 {
			continue
		}
		if err := v.requestCorrelations(ctx, p, 2*p.recentBatch); err != nil {
			return v.fail(err)
		}
	}
	return nil
}

// withAbort returns a context that also ends when another party aborts.
func (v *Service) withAbort(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(v.lifetime, func() { cancel(context.Cause(v.lifetime)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// requestCorrelations requests correlations until want requests of a program are prepared, or operation numbers
// are exhausted. Since a dealer serves one correlation request after the other, it first waits
// until the last one is complete.
func (v *Service) requestCorrelations(ctx context.Context, p *servedProgram, want int) error {
	ids := p.ids()
	n := min(want-len(p.prepared), int((math.MaxUint32-v.firstOp)/ids))
	if n <= 0 && len(p.prepared) == 0 {
		return ErrExhausted
	}
	if n <= 0 {
		return nil
	}
	if slices.Contains(v.allPrepared(), v.lastPrepared) { // otherwise it has been evaluated, and was complete then
		if err := v.complete(ctx, v.lastPrepared); err != nil {
			return err
		}
	}
	agreement, err := v.reserveAgreements(1)
	if err != nil {
		return err
	}
	next := make([]*execution, n)
	for i := range next {
		next[i] = v.newRequest(p, agreement)
		v.firstOp += ids
	}
	p.prepared = append(p.prepared, next...)
	err = concurrently(ctx, next, func(ctx context.Context, _ int, l *execution) error {
		return l.each(ctx, p.planWithoutData)
	})
	if err != nil {
		return err
	}
	err = next[0].each(ctx, func(ctx context.Context, x *session) error {
		if v.opening().distributed { // before other parties send messages that only this allows
			x.allowTrafficOf(v.allPrepared())
		}
		if err := x.confirmRequests(ctx, n); err != nil {
			return err
		}
		requests, in := make([]*offline.Request, n), make([]*session, n)
		for i, l := range next {
			in[i] = l.sessionOf(x.rank)
			requests[i] = in[i].furtherRequest()
		}
		given, err := x.provider.Prepare(v.opening().sessionOf(x.rank).correlations, requests)
		for i, m := range given {
			in[i].setCorrelations(m)
			in[i].multiplyAhead(ctx, requests[i].Manifest)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, l := range next {
		v.watchArrival(l)
	}
	v.lastPrepared = next[n-1]
	v.setAhead(v.allPrepared())
	return nil
}

// multiplyAhead computes what the party can of a prepared request before that begins, while the dealer works. m is what the request asks
// of the dealer.
func (s *session) multiplyAhead(ctx context.Context, m *correlation.Manifest) {
	multiply := s.spec.Descriptor().ProductsAhead
	if multiply == nil || s.source == nil || !s.computes() {
		return
	}
	c := s.config(s.source)
	c.Inputs = s.resident
	s.products = multiply(ctx, c, m)
}

// sessionOf returns the session of a party of this process.
func (l *execution) sessionOf(rank int) *session {
	return l.sessions[slices.IndexFunc(l.sessions, func(x *session) bool { return x.rank == rank })]
}

// confirmRequests waits until all parties prepare the same number of requests, from this one on.
func (s *session) confirmRequests(ctx context.Context, n int) error {
	from := []int{int(s.firstOp), n}
	return s.gather(ctx, stepRequests, func(int) any { return from }, func(rank int, data []byte) error {
		return s.checkAnswer(rank, data, from)
	})
}

// compareBatch returns an error unless all parties evaluate requests of the same programs, in the same order. A service
// with one program need not compare them.
func (v *Service) compareBatch(ctx context.Context, asked []Request) error {
	if len(v.programs) == 1 {
		return nil
	}
	agreement, err := v.reserveAgreements(1)
	if err != nil {
		return err
	}
	names := make([]string, len(asked))
	for i, r := range asked {
		names[i] = r.Program
	}
	return v.newRequest(v.programs[0], agreement).each(ctx, func(ctx context.Context, x *session) error {
		return x.gather(ctx, stepBatch, func(int) any { return names }, func(from int, data []byte) error {
			return x.checkAnswer(from, data, names)
		})
	})
}

// reserveAgreements reserves numbers for n agreements between the parties and returns the first of
// them.
func (v *Service) reserveAgreements(n int) (uint32, error) {
	if uint64(v.agreements)+uint64(n) >= math.MaxUint32 { // withPeerAbort's key, which no message has
		return 0, ErrExhausted
	}
	first := v.agreements + 1
	v.agreements += uint32(n)
	return first, nil
}

// newRequest makes the sessions of the next request of a program; agreement numbers the messages with which the
// parties confirm it.
func (v *Service) newRequest(p *servedProgram, agreement uint32) *execution {
	spec := *p.opening.spec
	spec.Args = withoutRequestData(spec.Args)
	l := &execution{spec: &spec, distributed: p.opening.distributed}
	for _, x := range p.opening.sessions {
		l.sessions = append(l.sessions, &session{
			spec: &spec, rank: x.rank, link: x.link, provider: x.provider, sessionID: x.sessionID, dealerSeed: x.dealerSeed,
			zero: x.zero, onlineSeed: x.onlineSeed, memo: x.memo, resident: x.resident, firstOp: v.firstOp, openedOp: x.openedOp,
			setupOp: agreement,
		})
	}
	return l
}

// concurrently calls f for several requests at once; the first error ends all.
func concurrently(ctx context.Context, requests []*execution, f func(ctx context.Context, i int, l *execution) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var all sync.WaitGroup
	for i, l := range requests {
		all.Go(func() {
			if err := f(ctx, i, l); err != nil {
				end(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// inTurn calls f for one request after the other, until the first error.
func inTurn(ctx context.Context, requests []*execution, f func(ctx context.Context, i int, l *execution) error) error {
	for i, l := range requests {
		if err := f(ctx, i, l); err != nil {
			return err
		}
	}
	return nil
}

// Evaluate evaluates requests and returns when all have ended: side by side, or one after the other if the service has
// state. All parties call it with the same requests, in the same order. Each request's Done gets its outcome or error.
// Evaluate returns an error only if the service has ended; Done of requests that were not finished gets that error too.
// A declined request (DeclinedError) does not end the service.
func (v *Service) Evaluate(ctx context.Context, asked []Request) error {
	done := make([]bool, len(asked))
	if v.err == nil && len(asked) > 0 {
		ctx, end := v.withAbort(ctx)
		defer end()
		if err := v.evaluate(ctx, asked, done); err != nil {
			v.fail(err)
		}
		collect(leastGarbage)
	}
	for i, r := range asked {
		if !done[i] {
			r.Done(nil, v.err)
		}
	}
	return v.err
}

func (v *Service) evaluate(ctx context.Context, asked []Request, done []bool) error {
	requests, err := v.takePrepared(ctx, asked)
	if err != nil {
		return err
	}
	vote, err := v.reserveAgreements(len(requests))
	if err != nil {
		return err
	}
	used := make([]bool, len(requests))
	evaluate := concurrently
	if len(v.spec().State) > 0 {
		evaluate = inTurn // each reads what the one before has computed
	}
	err = evaluate(ctx, requests, func(ctx context.Context, i int, l *execution) error {
		l.spec.Progress = asked[i].Progress
		out, err := v.evaluateOne(ctx, l, vote+uint32(i), asked[i])
		used[i] = err == nil
		if done[i] = err == nil || errors.As(err, new(*DeclinedError)); done[i] {
			err = asked[i].Done(out, err)
		}
		return err
	})
	if err == nil && len(requests) < len(asked) {
		err = ErrExhausted
	}
	for _, p := range v.programs {
		p.prepared = slices.DeleteFunc(slices.Clone(p.prepared), func(l *execution) bool {
			i := slices.Index(requests, l)
			return i >= 0 && used[i]
		})
	}
	v.setAhead(v.allPrepared())
	return err
}

// takePrepared returns a prepared request for each of those asked, up to the first for which no operation numbers are
// left. They stay in the lists of prepared requests until they have been used.
func (v *Service) takePrepared(ctx context.Context, asked []Request) ([]*execution, error) {
	of, count := make([]int, len(asked)), make([]int, len(v.programs))
	for i, r := range asked {
		if of[i] = v.program(r.Program); of[i] < 0 {
			return nil, wrongField("Programs", "a request names program %q, which the service does not have", r.Program)
		}
		count[of[i]]++
	}
	if err := v.compareBatch(ctx, asked); err != nil {
		return nil, err
	}
	for k, p := range v.programs {
		if p.recentBatch = max(count[k], p.recentBatch-1); count[k] > 0 {
			if err := v.requestCorrelations(ctx, p, count[k]); err != nil {
				return nil, err
			}
		}
	}
	next, requests := make([]int, len(v.programs)), []*execution(nil)
	for _, k := range of {
		if next[k] == len(v.programs[k].prepared) {
			break
		}
		requests = append(requests, v.programs[k].prepared[next[k]])
		next[k]++
	}
	v.setAhead(slices.DeleteFunc(v.allPrepared(), func(l *execution) bool { return slices.Contains(requests, l) }))
	return requests, nil
}

// evaluateOne evaluates one request, unless some party declines it in the vote of the given number.
func (v *Service) evaluateOne(ctx context.Context, l *execution, vote uint32, r Request) (*Outcome, error) {
	bad := l.setData(v.programs[v.program(r.Program)].opening.spec.Args, r.Data)
	err := l.step(ctx, link.Setup, "plan", func(ctx context.Context, x *session) error {
		x.setupOp = vote
		return x.vote(ctx, bad)
	})
	if err == nil {
		if declined := l.declineError(); declined != nil {
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
	if err == nil && l.distributed {
		err = l.exchangeTallies(ctx)
	}
	if err == nil {
		err = v.advance(l)
	}
	if err != nil {
		return nil, err
	}
	return l.outcome(), nil
}

// setData sets the request's data, or returns what is wrong with it.
func (l *execution) setData(args []Arg, data []*tensor.Array) error {
	params := l.spec.Program.Main.Body.Params
	if len(data) != len(args) {
		return fmt.Errorf("%d arguments for a program that takes %d", len(data), len(args))
	}
	l.spec.Args = slices.Clone(args)
	for i, a := range args {
		if a.Owner == Public || a.Owner == Kept || a.Resident {
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
				return fmt.Errorf("argument %d is %v, the program takes %v", i, data[i].Type, params[i].Type)
			}
		}
	}
	return nil
}

// vote plans the request with its data and tells the other parties whether this one takes part. It
// does not send the reason for declining, which may depend on the data.
func (s *session) vote(ctx context.Context, bad error) error {
	s.declined = nil
	if bad == nil {
		bad = s.prepare(ctx)
	}
	if ctx.Err() != nil { // the service ended; this is not due to the data
		return context.Cause(ctx)
	}
	if bad != nil {
		s.declined = &DeclinedError{s.spec.Parties[s.rank], bad}
	}
	return s.gather(ctx, stepVote, func(int) any { return bad == nil }, func(from int, data []byte) error {
		if s.checkAnswer(from, data, true) == nil {
			return nil
		}
		if s.declined == nil {
			s.declined = &DeclinedError{Party: s.spec.Parties[from]}
		}
		return s.checkAnswer(from, data, false)
	})
}

// declineError returns a DeclinedError if some party declined the request, preferably one with the
// reason, else nil.
func (l *execution) declineError() error {
	var why error
	for _, x := range l.sessions {
		var d *DeclinedError
		if errors.As(x.declined, &d) && (why == nil || d.Err != nil) {
			why = d
		}
	}
	return why
}

// complete waits until all correlations of a request have arrived.
func (v *Service) complete(ctx context.Context, l *execution) error {
	return l.each(ctx, func(ctx context.Context, x *session) error { return x.correlations.Complete(ctx) })
}
