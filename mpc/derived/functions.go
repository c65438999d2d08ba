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

// EvalTableWithTails takes an argument that is beyond the window for the window's end,
// where the function is its tail's.
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
	if y := d.tabled(op, x, f.In, t.WithTolerance(f.Tolerance), f.Out); y != nil {
		return d.tailed(op, x, f, y, g, end)
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

// tailed is y within [−end, end], and the tails of g beyond. Constants are chosen in y's ring, which holds them as they
// are near to values at the ends.
func (d *defaults) tailed(op *flow.Op, x mpc.Secret, f mpc.Fixed, y mpc.Secret, g *fourier.Function, end float64) mpc.Secret {
	r, narrow := f.RingFor(x.Ring()), y.Ring()
	below := d.p.LessConst(op, x, real(-end, f.In).Int64())
	above := d.not(op, d.p.LessConst(op, x, real(end, f.In).Int64()))
	at := func(x float64) mpc.Secret { return d.constant(op, narrow, y.Len(), real(g.F(x), f.Out)) }
	y = d.p.Select(op, narrow, below, at(-end), y)
	if g.Above == fourier.Identity {
		return d.p.Select(op, r, above, d.fitted(op, r, d.rescaled(op, x, f.In, f.Out)), d.fitted(op, r, y))
	}
	return d.fitted(op, r, d.p.Select(op, narrow, above, at(end), y))
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

// digits is a positive number's leading digit: planes that are 1 at its place, in ring
// w, and whether the number is 0.
type digits struct {
	width int
	one   mpc.Secret // planes, lowest first; none is 1 of 0
	zero  mpc.Secret // 1 of 0
	m     mpc.Secret // the mantissa in [1, 2), with fine fraction bits; 1 of 0
}

// leading finds the leading digit of numbers in [0, 2^width).
func (d *defaults) leading(op *flow.Op, x mpc.Secret, width int, w ring.Ring) digits {
	n := x.Len()
	width = max(1, min(width, x.Ring().Bits-1))
	planes := d.part(op, d.p.BitDecompose(op, x), 0, width*n)
	none := d.not(op, planes) // none[j]: no bit from j on is set
	for s := 1; s < width; s *= 2 {
		low := d.p.And(op, d.part(op, none, 0, (width-s)*n), d.part(op, none, s*n, width*n))
		none = d.concat(op, low, d.part(op, none, (width-s)*n, width*n))
	}
	above := d.concat(op, d.part(op, none, n, width*n), d.constant(op, ring.Z(1), n, big.NewInt(1)))
	if width == 1 {
		above = d.constant(op, ring.Z(1), n, big.NewInt(1))
	}
	all := d.p.B2A(op, w, d.concat(op, d.sum(op, above, none), d.part(op, none, 0, n)))
	out := digits{width: width, one: d.part(op, all, 0, width*n), zero: d.part(op, all, width*n, (width+1)*n)}
	// x·2^(width−1−place) and a 1 of 0, in [2^(width−1), 2^width)
	scale := make([]*big.Int, width)
	for j := range scale {
		scale[j] = new(big.Int).Lsh(big.NewInt(1), uint(width-1-j))
	}
	u := d.times(op, d.fitted(op, w, x), d.weighted(op, out.one, scale))
	u = d.sum(op, u, d.p.Linear(op, maps.Shift{N: n, By: width - 1}, out.zero))
	out.m = d.rescaled(op, u, width-1, fine)
	return out
}

// logarithm is log2 of x with fine fraction bits; 0 is taken for one unit.
func (d *defaults) logarithm(op *flow.Op, x mpc.Secret, in, width int) mpc.Secret {
	w := working(x.Ring())
	l := d.leading(op, x, widthOf(x, width), w)
	places := make([]*big.Int, l.width)
	for j := range places {
		places[j] = new(big.Int).Lsh(big.NewInt(int64(j)), fine)
	}
	t := d.plus(op, d.combined(op, []int64{2}, l.m), real(-3, fine))
	y := d.polynomials(op, t).value(interpolated(math.Log2, 1, 2, math.Ldexp(1, -40)))
	return d.plus(op, d.sum(op, y, d.weighted(op, l.one, places)), real(float64(-in), fine))
}

// widthOf is how many bits of a positive number are looked at.
func widthOf(x mpc.Secret, width int) int {
	if width <= 0 {
		width = x.Ring().Bits - 2
	}
	return min(width, x.Ring().Bits-1)
}

// Log is log2 x, times ln 2.
func (d *defaults) Log(op *flow.Op, x mpc.Secret, f mpc.Fixed, n mpc.Normal, two bool) mpc.Secret {
	y := d.logarithm(op, x, f.In, n.Width)
	if !two {
		y = d.p.Truncate(op, d.combined(op, []int64{int64(math.RoundToEven(math.Ldexp(math.Ln2, 46)))}, y), 46)
	}
	return d.finished(op, y, f, x.Ring())
}

// magnitude is |x|, and the bit that says that x is negative; nil if it is not signed.
func (d *defaults) magnitude(op *flow.Op, x mpc.Secret, n mpc.Normal) (mpc.Secret, mpc.Bit) {
	if !n.Signed {
		return x, nil
	}
	negative := d.p.LessConst(op, x, 0)
	return d.signed(op, negative, x), negative
}

// signed is −x where the bit is 1; the bit may be nil, for none.
func (d *defaults) signed(op *flow.Op, negative mpc.Bit, x mpc.Secret) mpc.Secret {
	if negative == nil {
		return x
	}
	return d.p.Select(op, x.Ring(), negative, d.combined(op, []int64{-1}, x), x)
}

// largestDirect is the largest |a| for which x^a is computed from x's leading digit and a
// series; above that by exponentials of logarithms.
const largestDirect = 8

// Power is x^a.
func (d *defaults) Power(op *flow.Op, x mpc.Secret, f mpc.Fixed, n mpc.Normal, a float64) mpc.Secret {
	r := f.RingFor(x.Ring())
	size, negative := d.magnitude(op, x, n)
	if math.Abs(a) > largestDirect {
		l := d.logarithm(op, size, f.In, n.Width)
		z := d.p.Truncate(op, d.combined(op, []int64{int64(math.RoundToEven(math.Ldexp(a, 20)))}, l), 20)
		return d.signed(op, negative, d.exp2(op, z, f.Out, r))
	}
	return d.signed(op, negative, d.power(op, nil, 0, size, f.In, n.Width, a, 1, f.Out, r))
}

// guard is how many bits of the factors of a power count beyond the result's.
const guard = 32

// power is gain·y·x^a in ring r with out fraction bits, x positive with in of them, of
// width bits, and y (nil for 1) with fy: the mantissa's power by a series, that of the
// leading digit from a table by its place. x may have fewer elements than y: each then
// serves as many. 0 is taken for one unit, but of 0 with y nil and a > 0, which gives 0.
func (d *defaults) power(op *flow.Op, y mpc.Secret, fy int, x mpc.Secret, in, width int, a, gain float64, out int, r ring.Ring) mpc.Secret {
	l := d.leading(op, x, widthOf(x, width), working(x.Ring()))
	most := math.Max(1, math.Exp2(a))
	t := d.plus(op, d.combined(op, []int64{2}, l.m), real(-3, fine))
	m := d.polynomials(op, t).value(interpolated(func(x float64) float64 { return math.Pow(x, a) }, 1, 2, math.Ldexp(most, -38)))
	m = d.rescaled(op, m, fine, guard)
	mBits := guard + 1 + int(math.Ceil(math.Log2(most)))
	// The table of 2^(a·(place − in))·gain, with so many fraction bits that the least
	// that counts has guard bits: all of them where they are multiplied by y, else those
	// that a result's unit takes.
	least, limit := math.Inf(1), math.Inf(1)
	for j := range l.width {
		least = math.Min(least, a*float64(j-in)+math.Log2(gain))
	}
	scale := guard - int(math.Floor(least))
	if y == nil {
		scale = out + guard
		limit = float64(r.Bits - 1 - out)
	}
	weights, bits := make([]*big.Int, l.width), 1
	for j := range weights {
		e := a*float64(j-in) + math.Log2(gain) + float64(scale)
		if e-float64(scale) > limit {
			weights[j] = new(big.Int)
			continue
		}
		whole := math.Floor(e)
		f := new(big.Float).SetPrec(256).SetFloat64(math.Exp2(e - whole))
		weights[j] = rounded(f.SetMantExp(f, int(whole)))
		bits = max(bits, weights[j].BitLen())
	}
	one := l.one
	if y != nil || a < 0 { // 0 is one unit
		n := x.Len()
		one = d.concat(op, d.sum(op, d.part(op, one, 0, n), l.zero), d.part(op, one, n, l.width*n))
		if l.width == 1 {
			one = d.sum(op, l.one, l.zero)
		}
	}
	first := ring.Z(max(l.m.Ring().Bits, (mBits+bits+2+63)/64*64))
	table := d.weighted(op, d.fitted(op, first, one), weights)
	total, drop := guard+scale, min(guard, guard+scale) // guard bits are left of the least
	if y == nil {
		drop = total - out
	}
	p := d.timesUpTo(op, d.fitted(op, first, m), table, drop)
	if y == nil {
		return d.fitted(op, r, d.rescaled(op, p, total, out))
	}
	p = d.rescaled(op, p, total, total-drop)
	if rows := x.Len(); rows < y.Len() {
		p = d.repeated(op, p, y.Len()/rows, true)
	}
	wide := ring.Z(max(first.Bits, (mBits+bits-drop+min(y.Bound(), y.Ring().Bits-2)+3+63)/64*64, r.Bits))
	if shift := out - (total - drop + fy); shift > 0 {
		wide = ring.Z(max(wide.Bits, r.Bits+64))
	}
	q := d.timesUpTo(op, d.in(op, wide, p), d.in(op, wide, y), total-drop+fy-out)
	return d.fitted(op, r, d.rescaled(op, q, total-drop+fy, out))
}

// Divide is y·x^−1 or y·x^(−½).
func (d *defaults) Divide(op *flow.Op, y mpc.Secret, fy int, x mpc.Secret, f mpc.Fixed, n mpc.Normal, root bool) mpc.Secret {
	size, negative := d.magnitude(op, x, n)
	a := -1.
	if root {
		a = -0.5
	}
	q := d.power(op, y, fy, size, f.In, n.Width, a, 1, f.Out, f.RingFor(x.Ring()))
	if negative != nil && x.Len() < y.Len() {
		negative = d.repeated(op, negative, y.Len()/x.Len(), true)
	}
	return d.signed(op, negative, q)
}

// PowerSecret is 2^(y·log2 x).
func (d *defaults) PowerSecret(op *flow.Op, x, y mpc.Secret, fy int, f mpc.Fixed, n mpc.Normal) mpc.Secret {
	l := d.logarithm(op, x, f.In, n.Width)
	w := ring.Z(l.Ring().Bits + 64) // 7 bits and fine ones of the logarithm, a word of y
	z := d.timesUpTo(op, d.in(op, w, l), d.in(op, w, y), fy)
	return d.exp2(op, d.rescaled(op, z, fine+fy, fine), f.Out, f.RingFor(x.Ring()))
}

// Softmax takes exponentials of x less the row's largest element.
func (d *defaults) Softmax(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, kind mpc.RowKind) mpc.Secret {
	const more = 8 // bits of exponentials beyond the result's
	r, rows := f.RingFor(x.Ring()), x.Len()/m
	top := d.rowsMax(op, x, m)
	less := d.difference(op, x, d.repeated(op, top, m, true))
	e := d.p.Exp(op, less, mpc.ExpOf{Fixed: mpc.Fixed{In: f.In, Out: f.Out + more, Ring: r}, Lower: true})
	sum := d.p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, e)
	width := mpc.Normal{Width: f.Out + more + maps.CeilLog2(m) + 1}
	if kind == mpc.Softmax {
		return d.p.Divide(op, e, f.Out+more, sum, mpc.Fixed{In: f.Out + more, Out: f.Out}, width, false)
	}
	log := d.p.Log(op, sum, mpc.Fixed{In: f.Out + more, Out: f.Out}, width, false)
	if kind == mpc.LogSumExp {
		return d.sum(op, d.rescaled(op, d.fitted(op, r, top), f.In, f.Out), log)
	}
	return d.difference(op, d.rescaled(op, d.fitted(op, r, less), f.In, f.Out), d.repeated(op, log, m, true))
}

// Normalize is d/√(Σd²/m³ + ε) for d = m·x − Σx, all of which are whole units: √m·d
// times the root of the reciprocal of Σd² + m³ε.
func (d *defaults) Normalize(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, epsilon float64, centred bool) mpc.Secret {
	rows, r := x.Len()/m, f.RingFor(x.Ring())
	bound := min(x.Bound(), x.Ring().Bits*3/4) // squares of larger ones leave the ring in every protocol
	factor := 1.
	v := d.in(op, ring.Z(max(x.Ring().Bits, bound+maps.CeilLog2(m)+3)), x)
	if centred {
		sum := d.p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, v)
		v = d.combined(op, []int64{int64(m), -1}, v, d.repeated(op, sum, m, true))
		bound += maps.CeilLog2(m) + 1
		factor = float64(m)
	}
	width := 2*bound + maps.CeilLog2(m) + 2
	wide := ring.Z((width + 3 + 63) / 64 * 64)
	w := d.in(op, wide, v)
	total := d.p.Linear(op, maps.Sum{Outer: rows, Reduced: m, Inner: 1}, d.times(op, w, w))
	total = d.plus(op, total, real(epsilon*factor*factor*float64(m), 2*f.In))
	// factor·x' / √(factor²·Σx'²/m): the units' scale cancels.
	return d.power(op, v, 0, total, 0, width, -0.5, math.Sqrt(float64(m)), f.Out, r)
}
