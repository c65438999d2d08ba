package tacet

import (
	"context"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/check"
	"github.com/tacet-mpc/tacet/problem"
)

// Run runs a program with all parties and the dealer in this process, and returns when all parties have finished
// or ctx ends. Results of the Outcome are nil if Reveal is empty. Run drops its references to Data as soon as it
// does not need them; the caller's Args stay unchanged.
//
// Errors are *FieldError for a wrong Spec and for elements of arguments that cannot be shared, and *ProgramError
// for operations that are not supported.
func Run(ctx context.Context, s Spec) (*Outcome, error) {
	s, err := checkElements(s)
	if err != nil {
		return nil, err
	}
	out, err := party.Run(ctx, s)
	return out, kinded(err)
}

// Plan predicts the costs of Run: bytes, messages and rounds of each phase and operation, and the correlations
// that the dealer makes. Only public arguments need Data. The prediction equals the measured costs, except for
// operations that sort many rows by revealed comparisons: their costs are expected values, and the Report marks
// them.
func Plan(ctx context.Context, s Spec) (*Report, error) {
	s, err := checkElements(s)
	if err != nil {
		return nil, err
	}
	out, err := party.Plan(ctx, s)
	return out, kinded(err)
}

// Checked is the result of the function Check: operations whose values fixed point cannot represent, operations
// at which errors larger than the Bound begin, and the largest magnitudes of secrets.
type Checked = check.Result

// Bound is the tolerance Atol + Rtol·|x| for the error of a value x.
type Bound = check.Bound

// Check runs a program in this process, with all parties' data in cleartext: once in the program's own types and
// once in fixed point. It compares the two runs operation by operation. The result names operations whose values
// fixed point cannot represent, and operations at which errors larger than b begin. All arguments need Data.
func Check(ctx context.Context, s Spec, b Bound) (*Checked, error) {
	s, err := checkElements(s)
	if err != nil {
		return nil, err
	}
	out, err := party.Check(ctx, s, b)
	return out, kinded(err)
}

// checkElements resolves a Spec and refuses elements of arguments that cannot be shared or are
// outside of a declared range.
func checkElements(s Spec) (Spec, error) {
	s, err := s.Resolve()
	if err != nil {
		return s, err
	}
	if s.Program == nil || s.Program.Main == nil || len(s.Args) != len(s.Program.Main.Body.Params) {
		return s, nil // package party reports the error
	}
	for i, a := range s.Args {
		if err := checkArg(s, i, a); err != nil {
			return s, &FieldError{Field: "Args", Argument: i, Err: err}
		}
	}
	return s, nil
}

// checkArg refuses elements of argument i that cannot be shared or are outside of its declared range,
// and a range that its type cannot have.
func checkArg(s Spec, i int, a Arg) error {
	if a.Range != nil {
		if err := job.RangeFits(i, *a.Range, s.Program.Main.Body.Params[i].Type); err != nil {
			return err
		}
	}
	if a.Data == nil || a.Checked || a.Data.Check() != nil {
		return nil
	}
	if a.Owner != Public {
		if err := job.CheckValues(a.Data, s.Ring, s.Fraction); err != nil {
			return err
		}
	}
	if a.Range != nil {
		return job.CheckRange(i, a.Data, *a.Range)
	}
	return nil
}

// OfflineResult lists the sessions of correlated randomness that Offline stored, and their size.
type OfflineResult = party.OfflineResult

// Offline makes the correlations for a number of later runs of a program, with a dealer in this process, and
// writes them to the parties' folders in s.Store. A run takes the correlations of one session from there. Only
// public arguments need Data. After an error the result lists the sessions that were completed. A Spec without
// Store is a *FieldError.
func Offline(ctx context.Context, s Spec, sessions int) (OfflineResult, error) {
	s, err := checkElements(s)
	if err != nil {
		return OfflineResult{}, err
	}
	if s.Store == "" {
		return OfflineResult{}, &FieldError{Field: "Store", Argument: -1, Err: problem.New(problem.Usage, "", "no folder is given for the parties' stores")}
	}
	out, err := party.Offline(ctx, s, sessions)
	return out, kinded(err)
}
