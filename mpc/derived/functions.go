package derived

import (
	"fmt"
	"math"
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// real is a number as an integer at so many fraction bits.
func real(x float64, fraction int) *big.Int {
	f := new(big.Float).SetPrec(256).SetFloat64(x)
	return rounded(f.SetMantExp(f, fraction))
}

// rounded is the nearest integer.
func rounded(f *big.Float) *big.Int {
	half := big.NewFloat(0.5)
	if f.Sign() < 0 {
		half.Neg(half)
	}
	i, _ := new(big.Float).SetPrec(512).Add(f, half).Int(nil)
	return i
}

// tolerance is that of a function's approximation for a result's fraction bits.
func tolerance(out int) float64 { return math.Ldexp(1, -min(out+6, 44)) }

// finished brings a result of fine fraction bits into its ring.
func (d *defaults) finished(op *flow.Op, y mpc.Secret, f mpc.Fixed, r ring.Ring) mpc.Secret {
	return d.fitted(op, f.RingFor(r), d.rescaled(op, y, fine, f.Out))
}

// fitted changes a number's ring.
func (d *defaults) fitted(op *flow.Op, r ring.Ring, y mpc.Secret) mpc.Secret {
	if r.Bits < y.Ring().Bits {
		return d.p.Narrow(op, r, y)
	}
	return d.in(op, r, y)
}

// between is x within [lo, hi], and the bit that says that it was above. x has fraction
// bits, and is in a ring that holds the bounds.
func (d *defaults) between(op *flow.Op, x mpc.Secret, fraction int, lo, hi float64) (mpc.Secret, mpc.Bit) {
	r, n := x.Ring(), x.Len()
	a, b := real(lo, fraction), real(hi, fraction)
	above := d.not(op, d.p.LessConst(op, x, b.Int64()))
	y := d.p.Select(op, r, above, d.constant(op, r, n, b), x)
	return d.p.Select(op, r, d.p.LessConst(op, x, a.Int64()), d.constant(op, r, n, a), y), above
}

// onInterval is the series of f at x in [lo, hi].
func (d *defaults) onInterval(op *flow.Op, x mpc.Secret, in int, f func(float64) float64, lo, hi float64, out int) mpc.Secret {
	x = d.rescaled(op, d.in(op, working(x.Ring()), x), in, fine)
	// t = (2x − lo − hi)/(hi − lo)
	t := d.p.Truncate(op, d.combined(op, []int64{int64(math.Ldexp(2/(hi-lo), 30))}, x), 30)
	if 2/(hi-lo) == math.Trunc(2/(hi-lo)) {
		t = d.combined(op, []int64{int64(2 / (hi - lo))}, x)
	}
	t = d.plus(op, t, real(-(lo+hi)/(hi-lo), fine))
	return d.polynomials(op, t).value(interpolated(f, lo, hi, tolerance(out)))
}

// EvalTable is the series of the table's function on its interval.
func (d *defaults) EvalTable(op *flow.Op, x mpc.Secret, f mpc.Fixed, name string) mpc.Secret {
	class := fourier.Small
	if f.Out > 18 {
		class = fourier.Large
	}
	t := fourier.Lookup(name, class)
	if t == nil {
		panic(fmt.Sprintf("derived: no table %q", name))
	}
	if y := d.tabled(op, x, f.In, t.WithTolerance(f.Tolerance), f.Out); y != nil {
		return d.fitted(op, f.RingFor(x.Ring()), y)
	}
	return d.finished(op, d.onInterval(op, x, f.In, fourier.Formula(name), t.A, t.B, f.Out), f, x.Ring())
}

// EvalTableWithTails evaluates a table where the core does, of the magnitude or of the argument, whichever sends less. Else it
// takes an argument that is beyond the window for the window's end, where the function is its tail's.
func (d *defaults) EvalTableWithTails(op *flow.Op, x mpc.Secret, f mpc.Fixed, name string, _ bool) mpc.Secret {
	class := fourier.Small
	if f.Out > 18 {
		class = fourier.Large
	}
	g, t := fourier.Windowed(name, class)
	if t == nil {
		panic(fmt.Sprintf("derived: no table %q", name))
	}
	end := g.Window(class).Settled()
	if d.slots != nil {
		folded := fourier.Lookup(name+"/folded", class).WithTolerance(f.Tolerance)
		half, ok := d.slots.SeriesBytes(x.Len(), folded, f.Out)
		if whole, tabled := d.slots.SeriesBytes(x.Len(), t.WithTolerance(f.Tolerance), f.Out); ok && (!tabled || half+foldBytes*x.Len() < whole) {
			return d.folded(op, x, f, g, folded, g.Window(class))
		}
	}
	if y := d.tabled(op, x, f.In, t.WithTolerance(f.Tolerance), f.Out); y != nil {
		return d.tailed(op, x, f, y, g, g.Window(class))
	}
	inside, above := d.between(op, x, f.In, -end, end)
	r := f.RingFor(x.Ring())
	y := d.finished(op, d.onInterval(op, inside, f.In, g.F, -end, end, f.Out), f, x.Ring())
	if g.Above == fourier.Identity {
		beyond := d.fitted(op, r, d.difference(op, x, inside))
		y = d.sum(op, y, d.p.Select(op, r, above, d.rescaled(op, beyond, f.In, f.Out), d.constant(op, r, x.Len(), new(big.Int))))
	}
	return y
}

// tabled is the core's evaluation of a table; nil if it has none.
func (d *defaults) tabled(op *flow.Op, x mpc.Secret, in int, t *fourier.Table, out int) mpc.Secret {
	if d.slots == nil {
		return nil
	}
	return d.slots.Series(op, x, in, t, out)
}

// tailed is y within the window, and the tails of g beyond. Constants are chosen in y's ring, which holds them as they
// are near to values at the ends. x is compared with the window's ends in units of half a step, by less than which TruncateReduce
// is off: within half a step of an end both the table and the tail are right.
func (d *defaults) tailed(op *flow.Op, x mpc.Secret, f mpc.Fixed, y mpc.Secret, g *fourier.Function, w fourier.Window) mpc.Secret {
	r, narrow, end := f.RingFor(x.Ring()), y.Ring(), w.Settled()
	steps, last := x, real(w.End(), f.In).Int64()
	if unit := f.In + w.Step - 1; unit > 0 && unit < x.Ring().Bits-16 {
		steps, last = d.p.TruncateReduce(op, x, unit), int64(2*w.Steps)
	}
	below := d.p.LessConst(op, steps, -last)
	above := d.not(op, d.p.LessConst(op, steps, last))
	at := func(x float64) mpc.Secret { return d.constant(op, narrow, y.Len(), real(g.F(x), f.Out)) }
	y = d.p.Select(op, narrow, below, at(-end), y)
	if g.Above == fourier.Identity {
		return d.p.Select(op, r, above, d.fitted(op, r, d.rescaled(op, x, f.In, f.Out)), d.fitted(op, r, y))
	}
	return d.fitted(op, r, d.p.Select(op, narrow, above, at(end), y))
}

// foldBytes is about what the selections of folded send beyond those of tailed, for an element.
const foldBytes = 20

// folded is g by the table t of Function.Folded. x is compared with 0, and then its magnitude with the window's end, in units of
// half a step, by less than which TruncateReduce is off: within half a step of 0 the table holds for both signs, and within half a
// step of the end both the table and the tail are right.
func (d *defaults) folded(op *flow.Op, x mpc.Secret, f mpc.Fixed, g *fourier.Function, t *fourier.Table, w fourier.Window) mpc.Secret {
	r := f.RingFor(x.Ring())
	if b := max(x.Bound(), f.In) + 3; b < x.Ring().Bits {
		x = d.p.Narrow(op, ring.Z(b), x)
	}
	unit, last := f.In+w.Step-1, real(w.End(), f.In).Int64()
	coarse := func(x mpc.Secret) mpc.Secret { return x }
	if unit > 0 && unit < x.Ring().Bits-16 {
		coarse, last = func(x mpc.Secret) mpc.Secret { return d.p.TruncateReduce(op, x, unit) }, int64(2*w.Steps)
	}
	zero := func(r ring.Ring) mpc.Secret { return d.constant(op, r, x.Len(), new(big.Int)) }
	negative := d.p.LessConst(op, coarse(x), 0)
	part := d.p.Select(op, x.Ring(), negative, x, zero(x.Ring())) // min(x, 0), about
	size := d.bounded(d.combined(op, []int64{1, -2}, x, part), x.Bound())
	y := d.slots.Series(op, size, f.In, t, f.Out)
	narrow := y.Ring()
	inside := d.p.LessConst(op, coarse(size), last)
	end := real(g.Folded(w.Settled()), f.Out)
	bound := y.Bound()
	y = d.p.Select(op, narrow, inside, d.plus(op, y, new(big.Int).Neg(end)), zero(narrow))
	y = d.bounded(d.plus(op, y, end), bound)
	if g.Odd() {
		y = d.bounded(d.combined(op, []int64{1, -2}, y, d.p.Select(op, narrow, negative, y, zero(narrow))), bound)
		return d.plus(op, d.fitted(op, r, y), real(g.F(0), f.Out))
	}
	positive := d.reduced(op, d.bounded(d.difference(op, x, part), x.Bound()), f.In, f.Out, r)
	return d.sum(op, positive, d.fitted(op, r, y))
}

// log2e is log2 of e with 46 fraction bits.
var log2e = int64(math.RoundToEven(math.Ldexp(math.Log2E, 46)))

// Exp is 2^z for z = x·log2 e.
func (d *defaults) Exp(op *flow.Op, x mpc.Secret, f mpc.ExpOf) mpc.Secret {
	if d.slots != nil {
		if y := d.slots.Exponential(op, x, f); y != nil {
			return y
		}
	}
	r := f.RingFor(x.Ring())
	w := working(r)
	if w.Bits < working(x.Ring()).Bits {
		w = working(x.Ring())
	}
	x = d.in(op, w, x)
	if f.Two {
		return d.exp2(op, d.rescaled(op, x, f.In, fine), f.Out, r)
	}
	z := d.combined(op, []int64{log2e}, x)
	return d.exp2(op, d.rescaled(op, z, f.In+46, fine), f.Out, r)
}

// exp2 is 2^z in ring r with out fraction bits, for any z of fine fraction bits in a
// working ring of r's: 2^⌊z⌋ from the integer's bits, times a series of the fraction.
func (d *defaults) exp2(op *flow.Op, z mpc.Secret, out int, r ring.Ring) mpc.Secret {
	const whole = 8 // bits of ⌊z⌋ + off
	off := out + 3
	z, _ = d.between(op, z, fine, -float64(off), float64(r.Bits-3-out)+0.99)
	z = d.plus(op, z, real(float64(off), fine))
	n, w := z.Len(), z.Ring()
	planes := d.p.BitDecompose(op, d.p.Narrow(op, ring.Z(fine+whole), z))
	bits := d.p.B2A(op, w, d.part(op, planes, fine*n, (fine+whole)*n))
	var factors []mpc.Secret
	frac := z
	for j := range whole {
		b := d.part(op, bits, j*n, (j+1)*n)
		frac = d.difference(op, frac, d.p.Linear(op, maps.Shift{N: n, By: fine + j}, b))
		if 1<<j > r.Bits {
			continue // which the clamps exclude
		}
		e := d.difference(op, d.p.Linear(op, maps.Shift{N: n, By: 1 << j}, b), b)
		factors = append(factors, d.plus(op, e, big.NewInt(1)))
	}
	v := d.onInterval(op, frac, fine, math.Exp2, 0, 1, 30)
	v = d.rescaled(op, v, fine, 36)
	for len(factors) > 1 {
		var next []mpc.Secret
		for i := 0; i+1 < len(factors); i += 2 {
			next = append(next, d.times(op, factors[i], factors[i+1]))
		}
		if len(factors)%2 == 1 {
			next = append(next, factors[len(factors)-1])
		}
		factors = next
	}
	y := d.times(op, v, factors[0])
	return d.fitted(op, r, d.rescaled(op, y, 36+off, out))
}

// SinCos takes x/2π modulo 1 by the wrap of a ring, and the series of both on a turn.
func (d *defaults) SinCos(op *flow.Op, x mpc.Secret, f mpc.Fixed) (sin, cos mpc.Secret) {
	r := x.Ring()
	turn := ring.Z(r.Bits + 32)
	c := new(big.Float).SetPrec(320).SetMantExp(big.NewFloat(1), turn.Bits-f.In-1)
	c.Quo(c, pi())
	p := d.weighted(op, d.p.Extend(op, turn, x, true), []*big.Int{rounded(c)})
	t := d.rescaled(op, d.p.Extend(op, working(turn), p, true), turn.Bits-1, fine) // of half a turn
	b := d.polynomials(op, t)
	one := func(g func(float64) float64) mpc.Secret {
		s := interpolated(func(t float64) float64 { return g(math.Pi * t) }, -1, 1, tolerance(f.Out))
		return d.finished(op, b.value(s), f, r)
	}
	return one(math.Sin), one(math.Cos)
}

// pi is π to 320 bits.
func pi() *big.Float {
	f, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651", 10, 320, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return f
}

// PowerSecret is 2^(y·log2 x).
func (d *defaults) PowerSecret(op *flow.Op, x, y mpc.Secret, fy int, f mpc.Fixed, n mpc.Normal) mpc.Secret {
	l := d.logarithm(op, x, f.In, n.Width)
	w := ring.Z(l.Ring().Bits + 64) // 7 bits and fine ones of the logarithm, a word of y
	z := d.timesUpTo(op, d.in(op, w, l), d.in(op, w, y), fy)
	return d.exp2(op, d.rescaled(op, z, fine+fy, fine), f.Out, f.RingFor(x.Ring()))
}

// rowGuard is how many bits of the reciprocal of a row's sum, and of the root, are right for results with out fraction bits:
// results of rows are small.
func rowGuard(out int) int { return min(out+6, guard) }

// Softmax takes exponentials of x less the row's largest element. Their sum is 1 or more.
func (d *defaults) Softmax(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, kind mpc.RowKind) mpc.Secret {
	const more = 4 // bits of exponentials beyond the result's
	r, rows, out := f.RingFor(x.Ring()), x.Len()/m, f.Out+more
	top := d.rowsMax(op, x, m)
	less := d.difference(op, x, d.repeated(op, top, m, true))
	width := out + maps.CeilLog2(m) + 1 // of the sum
	e := d.p.Exp(op, less, mpc.ExpOf{
		Fixed: mpc.Fixed{In: f.In, Out: out, Ring: ring.Z(max(32, width+3)), Tolerance: math.Ldexp(1, -out-1)}, Lower: true,
	})
	e = d.bounded(e, out+1)
	sum := d.p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, e)
	if kind == mpc.Softmax {
		p := power{y: e, fy: out, x: sum, in: out, least: out - 1, width: width, a: -1, gain: 1, guard: rowGuard(f.Out), most: f.Out + 2}
		return d.power(op, p, f.Out, r)
	}
	log := d.p.Log(op, sum, mpc.Fixed{In: out, Out: f.Out, Ring: r}, mpc.Normal{Width: width}, false)
	if kind == mpc.LogSumExp {
		return d.sum(op, d.rescaled(op, d.fitted(op, r, top), f.In, f.Out), log)
	}
	return d.difference(op, d.rescaled(op, d.fitted(op, r, less), f.In, f.Out), d.repeated(op, log, m, true))
}

// Normalize is v/√(Σv²/m³ + ε) for v = m·x − Σx, all of which are whole units: √m·v
// times the root of the reciprocal of Σv² + m³ε.
func (d *defaults) Normalize(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, epsilon float64, centred bool) mpc.Secret {
	rows, r := x.Len()/m, f.RingFor(x.Ring())
	bound := min(x.Bound(), x.Ring().Bits*3/4) // squares of larger ones leave the ring in every protocol
	factor := 1.
	v := d.in(op, ring.Z(max(x.Ring().Bits, bound+maps.CeilLog2(m)+4)), x)
	if centred {
		sum := d.p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, v)
		v = d.combined(op, []int64{int64(m), -1}, v, d.repeated(op, sum, m, true))
		bound += maps.CeilLog2(m) + 1
		factor = float64(m)
	}
	v = d.bounded(v, bound)
	// Squares are of v·2^extra, and wrong in low bits, for which package cheetah sends less: by less than factor²·4^extra/64, so that
	// the variance is off by less than 1/32 of the square of x's unit. As much is added, lest the sum be negative.
	low, extra := 0, 0
	if d.slots != nil {
		free := 2 * int(math.Log2(factor))
		extra = max(0, (11-free)/2)
		low = free + 2*extra + 2
	}
	width := 2*(bound+extra) + maps.CeilLog2(m) + 2
	w := d.in(op, ring.Z(width+3), v)
	if extra > 0 {
		w = d.p.Linear(op, maps.Shift{N: w.Len(), By: extra}, w)
	}
	w = d.bounded(w, bound+extra)
	total := d.p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, d.timesUpTo(op, w, w, low))
	c := real(epsilon*factor*factor*float64(m), 2*(f.In+extra))
	if low > 0 {
		c.Add(c, new(big.Int).Lsh(big.NewInt(int64(m)), uint(low-8)))
	}
	total = d.bounded(d.plus(op, total, c), width)
	// factor·x' / √(factor²·Σx'²/m): the units' scale cancels.
	most := f.Out + maps.CeilLog2(m)/2 + 2
	p := power{y: v, x: total, in: 2 * extra, width: width, a: -0.5, gain: math.Sqrt(float64(m)), guard: rowGuard(f.Out), most: most}
	return d.power(op, p, f.Out, r)
}
