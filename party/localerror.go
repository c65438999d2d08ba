package party

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/exec"
)

// LocalError says that a party failed to evaluate owner-local values in cleartext. After inputs have been read,
// it is the only error of a run that can depend on a party's inputs. Its text does not depend on them, and it
// has no method Unwrap, so it can be sent to other parties and shown to the submitter. Cause returns the reason,
// for the party's own log.
type LocalError struct {
	Party string // name of the party that failed
	cause error
}

// Error returns a text that names the party and does not depend on its inputs.
func (e *LocalError) Error() string {
	return fmt.Sprintf("party %s failed while it computed on its own inputs; the reason is in its log", e.Party)
}

// Cause returns the reason. It may depend on the party's inputs, so no other party may see it.
func (e *LocalError) Cause() error { return e.cause }

// walk is exec.Walk; it replaces exec.LocalError by LocalError, which names the party.
func (s *session) walk(ctx context.Context, c exec.Config) ([]exec.Result, error) {
	out, err := exec.Walk(ctx, c)
	return out, s.ownError(err)
}

// ownError converts an exec.LocalError into a LocalError and returns other errors as they are.
func (s *session) ownError(err error) error {
	var own *exec.LocalError
	if errors.As(err, &own) {
		err = &LocalError{s.spec.Parties[own.Owner], own.Cause()}
	}
	return err
}

// withCause replaces a LocalError by a PartyError with its cause, for runs with all parties in one
// process.
func withCause(err error) error {
	var own *LocalError
	if errors.As(err, &own) {
		return &PartyError{own.Party, own.cause}
	}
	return err
}
