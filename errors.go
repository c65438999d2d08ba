package tacet

import (
	"errors"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/problem"
)

// Kind is a class of errors.
type Kind = problem.Kind

// The kinds of errors, for errors.Is.
const (
	ErrUsage       = problem.Usage       // a wrong Spec, job file, program text or file; nothing has been sent
	ErrUnsupported = problem.Unsupported // a valid program or setting that Tacet does not support
	ErrRange       = problem.Range       // an argument's element is outside the range of values or a declared range
	ErrDenied      = problem.Denied      // a node's rules or owner refuse the job
	ErrPeerLost    = problem.PeerLost    // another party, node or dealer is unreachable or aborted
	ErrTolerance   = problem.Tolerance   // results differ from the expected ones by more than allowed
	ErrLimit       = problem.Limit       // a program needs more memory, operations or time to be planned than a limit allows
	ErrInterrupted = problem.Interrupted // the context ended
	ErrInternal    = problem.Internal    // a defect of Tacet: please report it
	ErrFailed      = problem.Failed      // any other failure
)

// The types of errors, for errors.As.
type (
	FieldError    = party.FieldError    // a field of a Spec; kinds usage, unsupported, range
	ProgramError  = hlo.Error           // a place in a program; kinds usage, unsupported
	ElementError  = job.ElementError    // an element of an argument; kind range
	JobError      = job.Error           // a place in a job file or a file of values; kind usage
	Deviation     = job.Deviation       // a result out of tolerance; kind tolerance
	LostError     = party.LostError     // a party that is gone; kind peer-lost
	DeclinedError = party.DeclinedError // a request that a party declined before anything was shared
	RefusedError  = api.Refused         // a node's refusal; kinds usage, denied
	EndedError    = cluster.EndedError  // a job that nodes ended; kinds denied, interrupted, failed
)

// Problem describes an error: kind, place, operation, argument, element, party, remedy.
type Problem = problem.Problem

// Describe combines the descriptions of an error and of all errors that it wraps.
func Describe(err error) Problem { return problem.Of(err) }

// kinded makes an error's kind one that errors.Is finds.
func kinded(err error) error {
	if err == nil {
		return nil
	}
	if k := Describe(err).Kind; !errors.Is(err, k) {
		return &kindError{err, k}
	}
	return err
}

// kindError is an error with the kind that its description has.
type kindError struct {
	error
	kind Kind
}

func (e *kindError) Is(target error) bool { return target == e.kind }

func (e *kindError) Unwrap() error { return e.error }
