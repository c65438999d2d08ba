package plain

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
)

// Swap implements mpc.Selections by two selections.
func (p Party) Swap(op *flow.Op, b mpc.Bit, xs, ys []mpc.Secret) (first, second []mpc.Secret) {
	for i, x := range xs {
		y := ys[i]
		first = append(first, p.Select(op, x.Ring(), b, y, x))
		second = append(second, p.Select(op, x.Ring(), b, x, y))
	}
	return first, second
}
