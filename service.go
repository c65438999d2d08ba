package tacet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/party"
)

// Service is a program that stays in memory and evaluates requests, with all parties in this process. Resident
// arguments (Arg.Resident), for instance a model's weights, are shared once; each request brings the others. Its
// methods may be called from any goroutine; batches are evaluated one after the other. Open makes a Service.
type Service struct {
	mu   sync.Mutex
	s    *party.Service
	spec Spec // without the arguments' data
}

// Open opens a service with all parties in this process: it shares the resident and public arguments and
// requests the correlations of the first request. Data of other arguments is ignored. The service ends when ctx
// ends or Close is called. Errors are those of Run; a Spec with Store or Checkpoints is refused.
func Open(ctx context.Context, s Spec) (*Service, error) {
	s, err := checkElements(s)
	if err != nil {
		return nil, err
	}
	v, err := party.Open(ctx, s, nil)
	if err != nil {
		return nil, kinded(err)
	}
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		s.Args[i].Data = nil // of resident arguments, for instance weights, the session keeps what its requests read
	}
	return &Service{s: v, spec: s}, nil
}

// Evaluate evaluates one request and returns its outcome. args has an entry for each argument of the program;
// entries of public and resident arguments are ignored and may be nil. After a *FieldError or *DeclinedError the
// service continues; any other error, and the end of ctx, ends the service.
func (v *Service) Evaluate(ctx context.Context, args ...*Array) (*Outcome, error) {
	out, err := v.EvaluateBatch(ctx, [][]*Array{args})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// EvaluateProgram evaluates one request of the program of that name among Spec.Programs, as Evaluate does; "" is
// Spec.Program. Requests of all programs read and replace the same state.
func (v *Service) EvaluateProgram(ctx context.Context, program string, args ...*Array) (*Outcome, error) {
	out, err := v.evaluate(ctx, program, [][]*Array{args})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// EvaluateBatch evaluates several requests side by side, so that their rounds overlap, or one after the other if the
// service has state. An entry of requests has the arguments of one request, as for Evaluate; the outcomes have the same
// order. If requests fail, EvaluateBatch returns the error of the first one that failed and no outcomes.
func (v *Service) EvaluateBatch(ctx context.Context, requests [][]*Array) ([]*Outcome, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	return v.evaluate(ctx, "", requests)
}

func (v *Service) evaluate(ctx context.Context, program string, requests [][]*Array) ([]*Outcome, error) {
	spec, err := v.spec.WithProgram(program)
	if err != nil {
		return nil, err
	}
	for _, args := range requests {
		if err := checkRequest(spec, args); err != nil {
			return nil, err
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	var mu sync.Mutex
	out, failures := make([]*Outcome, len(requests)), make([]error, len(requests))
	asked := make([]party.Request, len(requests))
	for i, args := range requests {
		asked[i] = party.Request{Program: program, Data: args, Done: func(o *party.Outcome, err error) error {
			mu.Lock()
			defer mu.Unlock()
			out[i], failures[i] = o, err
			return nil
		}}
	}
	err = v.s.Evaluate(ctx, asked)
	if err := errors.Join(failures...); err != nil {
		return nil, kinded(failures[slices.IndexFunc(failures, func(err error) bool { return err != nil })])
	}
	return out, kinded(err)
}

// checkRequest refuses a request's arguments before any party gets them.
func checkRequest(s Spec, args []*Array) error {
	params := s.Program.Main.Body.Params
	if len(args) != len(params) {
		return &FieldError{Field: "Args", Argument: -1, Err: fmt.Errorf("%d arguments for a program that takes %d", len(args), len(params))}
	}
	for i, a := range s.Args {
		if a.Owner == Public || a.Resident {
			continue
		}
		a.Data, a.Checked = args[i], false
		if err := checkRequestArg(s, i, a); err != nil {
			return &FieldError{Field: "Args", Argument: i, Err: err}
		}
	}
	return nil
}

// checkRequestArg refuses an argument of a request that is absent, of another type or malformed, and
// one whose elements checkArg refuses.
func checkRequestArg(s Spec, i int, a Arg) error {
	want := s.Program.Main.Body.Params[i].Type
	if a.Data == nil {
		return fmt.Errorf("there is no array, and the program takes %v", want)
	}
	if !a.Data.Type.Equal(want) {
		return fmt.Errorf("the array is %v, and the program takes %v", a.Data.Type, want)
	}
	if err := a.Data.Check(); err != nil {
		return err
	}
	return checkArg(s, i, a)
}

// Close waits for the batch that is being evaluated, then ends the service. A second Close has no effect.
func (v *Service) Close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.s.Close()
}
