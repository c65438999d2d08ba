package party

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/exec"
)

// OwnError says that a party could not evaluate in clear what it alone knows: the
// only error of a run that can depend on a party's inputs once it has touched them.
// The text is the same whatever they are, and there is no Unwrap, so that it can be
// sent to the other parties and shown to who submitted the job. Cause is for the
// party's own log.
type OwnError struct {
	Party string
	cause error
}

func (e *OwnError) Error() string {
	return fmt.Sprintf("party %s failed while it computed on its own inputs; the reason is in its log", e.Party)
}

// Cause is why it failed.
func (e *OwnError) Cause() error { return e.cause }

// walk is exec.Walk, whose errors name parties.
func (s *session) walk(ctx context.Context, c exec.Config) ([]exec.Result, error) {
	out, err := exec.Walk(ctx, c)
	var own *exec.OwnError
	if errors.As(err, &own) {
		err = &OwnError{s.spec.Parties[own.Owner], own.Cause()}
	}
	return out, err
}

// openly is an error as it is told where all parties are in one process: with what
// a party would keep to itself.
func openly(err error) error {
	var own *OwnError
	if errors.As(err, &own) {
		return &PartyError{own.Party, own.cause}
	}
	return err
}
