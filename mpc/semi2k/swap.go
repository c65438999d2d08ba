package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
)

// Swap implements mpc.Selections. It opens the operands that are not open, and then, in one message, the first result
// x + b·(y − x) of each pair. The masked form of the second result, x + y − first, follows from those of x, y and
// first.
func (p *Party) Swap(op *flow.Op, b mpc.Bit, xs, ys []mpc.Secret) (first, second []mpc.Secret) {
	bit := p.share(b)
	todo := []*share{bit}
	for i := range xs {
		todo = append(todo, p.share(xs[i]), p.share(ys[i]))
	}
	p.open(op, todo...)
	choice := p.maskedBit(op, bit).poly()
	firsts := make([]*share, len(xs))
	for i := range xs {
		x, y := p.share(xs[i]), p.share(ys[i])
		bound := max(x.bound, y.bound)
		d := p.difference(op, y, x, bound)
		firsts[i] = p.newPoly(x.ring, x.n, bound, p.asPoly(op, x, x.ring).plus(p.asPoly(op, d, x.ring).times(choice)))
	}
	p.open(op, firsts...)
	for i, f := range firsts {
		x, y := p.share(xs[i]), p.share(ys[i])
		s := p.newShare(x.ring, x.n, f.bound, nil)
		s.masked = p.maskedLinear(op, maps.Combine{N: x.n, Coef: []int64{1, 1, -1}}, x.ring, x, y, f)
		first, second = append(first, f), append(second, s)
	}
	return first, second
}
