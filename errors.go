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

// Kind is a class of errors, such as ErrUsage. A Kind is an error itself, so that errors.Is can compare with it.
type Kind = problem.Kind

// The kinds of errors that functions of this package return. errors.Is(err, ErrUsage) reports whether err or an
// error that it wraps is of kind usage.
const (
	ErrUsage       = problem.Usage       // a Spec, job file, program text or other file is wrong; nothing has been sent
	ErrUnsupported = problem.Unsupported // a valid program or setting needs something that Tacet does not support
	ErrRange       = problem.Range       // an argument's element is outside the range of fixed point or outside a declared range
	ErrDenied      = problem.Denied      // a node's rules or its owner refuse the job
	ErrPeerLost    = problem.PeerLost    // another party, node or dealer is unreachable or aborted
	ErrTolerance   = problem.Tolerance   // results differ from the expected ones by more than the tolerance
	ErrLimit       = problem.Limit       // planning the program needs more memory, operations or time than a limit allows
	ErrInterrupted = problem.Interrupted // the context ended before the call was finished
	ErrInternal    = problem.Internal    // a defect of Tacet: please report it
	ErrFailed      = problem.Failed      // any other failure
)

// The types of errors, for errors.As. All errors have these types as pointers: *FieldError, *ProgramError and so
// on.
type (
	// FieldError is an error in a field of a Spec. Its kind is usage, unsupported or range.
	FieldError = party.FieldError
	// ProgramError is an error at a place in a program's text. Its kind is usage or unsupported.
	ProgramError = hlo.Error
	// ElementError is an error in one element of an argument. Its kind is range.
	ElementError = job.ElementError
	// JobError is an error at a place in a job file or a file that it names. Its kind is usage.
	JobError = job.Error
	// Deviation says that a result differs from the expected one by more than the tolerance. Its kind is
	// tolerance.
	Deviation = job.Deviation
	// LostError says that another party is unreachable or aborted during a run. Its kind is peer-lost.
	LostError = party.LostError
	// DeclinedError says that a party of a service declined a request before anything was shared. The service
	// continues.
	DeclinedError = party.DeclinedError
	// RefusedError is a node's refusal of an API call. Its kind is usage for an invalid request, denied for what
	// the node's rules forbid, and failed otherwise.
	RefusedError = api.Refused
	// EndedError says that a submitted job was denied, cancelled or failed at the nodes. Its kind is denied,
	// interrupted or failed.
	EndedError = cluster.EndedError
)

// Problem is the description of an error in fields: kind, message, place, operation, argument, element, party,
// remedy. Empty fields are unknown or do not apply.
type Problem = problem.Problem

// Describe returns the description of an error and of all errors that it wraps. If several errors set a field,
// the outermost one wins. The kind is ErrFailed if no error has one.
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
