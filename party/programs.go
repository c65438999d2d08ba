package party

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/profile"
)

// servedProgram is one program of a service: its share of the opening, and its requests to come.
type servedProgram struct {
	name        string       // "" for Spec.Program
	opening     *execution   // shared the program's resident vectors
	prepared    []*execution // requests whose correlations have been requested
	recentBatch int          // recent number of requests per batch: grows at once, shrinks by 1 per batch

	mu    sync.Mutex
	first map[int]walked // by rank: the first request that was planned without data
}

// walked is a plan, and the number of its first operation instance.
type walked struct {
	plan    *prediction
	firstOp uint32
}

// planWithoutData sets the session's plan before it has its data. All requests of a program walk alike (Service), so a party walks once
// and derives the manifests of later requests.
func (p *servedProgram) planWithoutData(ctx context.Context, s *session) error {
	p.mu.Lock()
	first, ok := p.first[s.rank]
	p.mu.Unlock()
	if ok {
		s.plan, s.requests = first.plan, first.plan.manifest.Later(first.firstOp, s.firstOp-first.firstOp)
		return nil
	}
	if err := s.prepare(ctx); err != nil || s.plan.demand != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first == nil {
		p.first = map[int]walked{}
	}
	if _, ok := p.first[s.rank]; !ok {
		p.first[s.rank] = walked{s.plan, s.firstOp}
	}
	return nil
}

// ids is the number of operation instances of one request.
func (p *servedProgram) ids() uint32 { return p.opening.sessions[0].plan.ids }

// WithProgram returns a spec of the further program of that name alone. Arguments that each request brings have no data,
// since their types may differ.
func (s Spec) WithProgram(name string) (Spec, error) {
	if name == "" {
		s.Programs = nil
		return s, nil
	}
	i := slices.IndexFunc(s.Programs, func(p NamedProgram) bool { return p.Name == name })
	if i < 0 {
		return s, wrongField("Programs", "there is no program %q (%s)", name, s.programNames())
	}
	if err := s.checkPrograms(); err != nil {
		return s, err
	}
	p := s.Programs[i].Program
	more := len(p.Main.Results) - len(s.Program.Main.Results)
	s.Program, s.Programs, s.Facts = p, nil, nil
	s.State = slices.Clone(s.State)
	for i := range s.State {
		s.State[i].Result += more
	}
	s.Args = withoutRequestData(s.Args)
	return s, nil
}

// programNames lists the names of all programs for a message.
func (s *Spec) programNames() string {
	text := "the service has none but the first"
	for i, p := range s.Programs {
		if i == 0 {
			text = "the first one has no name; others: " + p.Name
		} else {
			text += ", " + p.Name
		}
	}
	return text
}

// checkPrograms refuses further programs that do not fit the first one.
func (s *Spec) checkPrograms() error {
	for i, p := range s.Programs {
		wrong := func(format string, args ...any) error {
			return wrongField("Programs", "program %s: %w", p.Name, fmt.Errorf(format, args...))
		}
		if p.Name == "" || slices.ContainsFunc(s.Programs[:i], func(q NamedProgram) bool { return q.Name == p.Name }) {
			return wrongField("Programs", "program %d has no name, or another one's: %q", i, p.Name)
		}
		if p.Program == nil || p.Program.Main == nil {
			return wrong("there is no program")
		}
		first, params := s.Program.Main, p.Program.Main.Body.Params
		if len(params) != len(first.Body.Params) {
			return wrong("it takes %d arguments, the service's first program %d (take the same ones; jax.jit(f, keep_unused=True) keeps unused ones)",
				len(params), len(first.Body.Params))
		}
		if len(s.Args) != len(params) {
			return wrongField("Args", "%d arguments for a program that takes %d", len(s.Args), len(params))
		}
		for arg, a := range s.Args {
			stays := a.Owner < 0 || a.Resident || slices.ContainsFunc(s.State, func(st State) bool { return st.Arg == arg })
			if t, want := params[arg].Type, first.Body.Params[arg].Type; stays && !t.Equal(want) {
				return wrong("argument %d, which stays between requests, is %v, in the service's first program %v", arg, t, want)
			}
		}
		if have := len(p.Program.Main.Results); have < len(s.State) {
			return wrong("it has %d results, and the service's state are its last %d (return all states, unchanged ones too)", have, len(s.State))
		}
		for j := range s.State {
			k := len(s.State) - j
			have, want := p.Program.Main.Results[len(p.Program.Main.Results)-k], first.Results[max(0, len(first.Results)-k)]
			if !have.Equal(want) {
				return wrong("result %d is %v, in the service's first program this state is %v", len(p.Program.Main.Results)-k, have, want)
			}
		}
	}
	return nil
}

// furtherExecution makes the sessions of a further program of the service, in the parties of this process. s is the
// service's resolved spec.
func (v *Service) furtherExecution(ctx context.Context, s Spec, name string, needs func(Arg) bool) (*execution, error) {
	first := v.spec()
	s, err := s.WithProgram(name)
	if err != nil {
		return nil, err
	}
	s.first, s.sameForm = first.first, true
	for _, st := range s.State {
		s.Args[st.Arg] = first.Args[st.Arg]
	}
	l, err := s.execute(ctx, needs)
	if err != nil {
		return nil, inProgram(name, err)
	}
	l.distributed, l.dealerSession = v.opening().distributed, v.opening().dealerSession
	l.sessions = slices.DeleteFunc(l.sessions, func(x *session) bool {
		return !slices.ContainsFunc(v.opening().sessions, func(y *session) bool { return y.rank == x.rank })
	})
	return l, nil
}

// inProgram names a further program in the error of a field; other errors name places in the program's file.
func inProgram(name string, err error) error {
	var field *FieldError
	if errors.As(err, &field) {
		return &FieldError{field.Field, field.Argument, fmt.Errorf("program %s: %w", name, field.Err)}
	}
	return err
}

// openFurther shares the resident vectors of a further program, in the session that the first program's opening has begun.
func (v *Service) openFurther(ctx context.Context, l *execution) error {
	agreement, err := v.reserveAgreements(1)
	if err != nil {
		return err
	}
	begun := v.opening().sessions
	for i, x := range l.sessions {
		b := begun[i]
		x.link, x.provider, x.sessionID, x.dealerSeed = b.link, b.provider, b.sessionID, b.dealerSeed
		x.zero, x.onlineSeed = b.zero, b.onlineSeed
		x.firstOp, x.openedOp, x.setupOp = v.firstOp, v.firstOp, agreement
		for _, p := range v.programs {
			if p.opening == l {
				break
			}
			x.earlier = append(x.earlier, p.opening.sessions[i].resident)
		}
	}
	err = l.step(ctx, link.Setup, "plan", func(ctx context.Context, x *session) error {
		if err := x.planOpening(ctx); err != nil {
			return err
		}
		if uint64(v.firstOp)+uint64(x.plan.ids) > math.MaxUint32 {
			return ErrExhausted
		}
		if l.distributed {
			x.allowTraffic(1)
		}
		return x.compareFurther(ctx)
	})
	if err != nil {
		return err
	}
	err = l.each(ctx, func(ctx context.Context, x *session) error {
		given, err := x.provider.Prepare(v.opening().sessionOf(x.rank).correlations, []*offline.Request{x.furtherRequest()})
		if err == nil {
			x.setCorrelations(given[0])
		}
		return err
	})
	if err == nil {
		err = v.complete(ctx, l)
	}
	if err != nil {
		return err
	}
	return l.step(ctx, link.Input, "input", func(ctx context.Context, x *session) error { return x.shareInputs(ctx) })
}

// compareFurther compares the terms of a further program with those of all other parties.
func (s *session) compareFurther(ctx context.Context) error {
	mine := s.terms()
	return s.gather(ctx, stepHello, func(int) any { return mine }, func(from int, data []byte) error {
		var theirs map[string]string
		if err := json.Unmarshal(data, &theirs); err != nil {
			return fmt.Errorf("party: malformed terms from %s: %w", s.spec.Parties[from], err)
		}
		return s.compareTerms(from, mine, theirs)
	})
}

// opening is the execution that opened the service, with its first program.
func (v *Service) opening() *execution { return v.programs[0].opening }

// spec has the service's parties and state.
func (v *Service) spec() *Spec { return v.opening().spec }

// program returns the number of the program of that name, −1 if there is none.
func (v *Service) program(name string) int {
	return slices.IndexFunc(v.programs, func(p *servedProgram) bool { return p.name == name })
}

// allPrepared returns the prepared requests of all programs.
func (v *Service) allPrepared() []*execution {
	var out []*execution
	for _, p := range v.programs {
		out = append(out, p.prepared...)
	}
	return out
}

// openedReport adds the costs of further programs' openings to the first one's report.
func (v *Service) openedReport() *profile.Report {
	all := v.opening().report()
	for _, p := range v.programs[1:] {
		r := p.opening.report()
		for _, sum := range [][2]*profile.Phase{{&all.Setup, &r.Setup}, {&all.Input, &r.Input}} {
			sum[0].Seconds += sum[1].Seconds
			sum[0].Rounds += sum[1].Rounds
			for i, n := range sum[1].BytesSent {
				sum[0].BytesSent[i] += n
			}
		}
		all.Offline.BytesSent += r.Offline.BytesSent
		all.Offline.Seconds += r.Offline.Seconds
	}
	return all
}

// residentOf makes the vectors that an opening has shared the resident ones.
func (l *execution) residentOf() {
	for _, x := range l.sessions {
		x.resident = x.inputs
		x.dealt.Bytes = x.meter.bytes
	}
}
