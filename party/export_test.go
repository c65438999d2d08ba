package party

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// Manifest is the correlation manifest of a run, and its number of online parties.
func Manifest(ctx context.Context, s Spec) (*correlation.Manifest, int, error) {
	l, err := s.execute(ctx, needsNothing)
	if err != nil {
		return nil, 0, err
	}
	x := l.sessions[l.spec.online()-1]
	if err := x.prepare(ctx); err != nil {
		return nil, 0, err
	}
	return x.plan.manifest, l.spec.online(), nil
}
