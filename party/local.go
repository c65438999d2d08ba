package party

import (
	"context"
	"errors"

	"github.com/tacet-mpc/tacet/profile"
)

// Run runs a spec with every party and the dealer inside this process.
func Run(ctx context.Context, s Spec) (*Outcome, error) {
	return nil, errors.New("party: run: not built yet")
}

// Plan says what Run would cost, without data.
func Plan(ctx context.Context, s Spec) (*profile.Report, error) {
	return nil, errors.New("party: plan: not built yet")
}
