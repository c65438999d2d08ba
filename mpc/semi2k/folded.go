package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// foldedWeight is how many dealt bits weigh as much as one opened bit where few are to be dealt.
const foldedWeight = 4

// folded evaluates a function with tails by a table of half its window (docs/protocols/look-ups.md#folded-windows):
// max(x, 0) + h(|x|), or F(0) + sign(x)·h(|x|). It returns nil where the form does not apply: an argument of more
// fraction bits than the result, whose tail is rounded by itself, or of so few that a unit is longer than the
// window's step; and a ring too narrow for the phase or the thresholds.
//
// The window's bits and the sign are opened first. The magnitude, or the window's end outside, is opened modulo the
// table's period; then the table's value is, in as few bits as it has.
func (p *Party) folded(op *flow.Op, s *share, f mpc.Fixed, fn *fourier.Function, class fourier.Class) mpc.Secret {
	out, n := f.RingFor(s.ring), s.n
	t := shortTableOf(fn, class, true, f.Tolerance, f.Out)
	multiple, log, ok := t.table.PeriodFraction()
	low, high, step := windowEnds(fn.Window(class), f.In)
	m := ring.Z(max(1, f.In+log))
	if !ok || f.In > f.Out || fn.Window(class).Step+f.In < 0 || m.Bits > s.ring.Bits {
		return nil
	}
	bits := p.windowBits(op, s, window{
		step: step, weight: foldedWeight, thresholds: []int{high, 0, -low}, results: []windowResult{{of: 0b011}, {of: 0b110}, {of: 0b010}},
	})
	right, left, negative := bits[0].poly(), bits[1].poly(), bits[2]
	one := constantPoly(constant(1))
	a := right.minus(left).times(p.asPoly(op, p.share(p.Narrow(op, m, s)), m))
	if fn.Folded(0) != 0 || fn.Odd() { // else h(0) is the limit of h, too
		a = a.plus(one.minus(right).minus(left).times(constantPoly(constant(int64(high) << step))))
	}
	magnitude := p.newPoly(m, n, m.Bits-2, a.times(constantPoly(constant(int64(multiple)))))
	p.open(op, magnitude)
	var sign *bit
	if fn.Odd() {
		sign = negative
	}
	v := p.shortWaves(op, phase{magnitude, [2]uint64{1}}, t, sign)
	y := p.asPoly(op, p.narrowOpen(op, v, t.ring(), n, t.width).x, out)
	if fn.Odd() {
		y = y.plus(constantPoly(bigConstant(units(fn.F(0), f.Out))))
	} else {
		x := p.asPoly(op, s, out).times(constantPoly(pow2(f.Out - f.In)))
		y = y.plus(constantPoly(bigConstant(t.middle))).plus(one.minus(negative.poly()).times(x))
	}
	return p.newPoly(out, n, out.Bits-2, y)
}
