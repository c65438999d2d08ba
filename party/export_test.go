package party

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// OrderForm is what a run would ask of the dealer, and of how many parties.
func OrderForm(ctx context.Context, s Spec) (*correlation.Form, int, error) {
	l, err := s.local(ctx)
	if err != nil {
		return nil, 0, err
	}
	x := l.sessions[l.spec.online()-1]
	if err := x.prepare(ctx); err != nil {
		return nil, 0, err
	}
	return x.plan.form, l.spec.online(), nil
}
