package derived

import (
	"math"
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// digits is the leading digit of positive numbers x: the place p, 2^p ≤ x < 2^(p+1), and the mantissa x/2^p.
type digits struct {
	least, count int        // places that are looked at: least … least+count−1
	one          mpc.Secret // a plane for each place, 1 if it is x's, lowest first; none is 1 of x < 2^least
	zero         mpc.Secret // 1 of x < 2^least
	m            mpc.Secret // the mantissa in [1, 2), with fine fraction bits; 1 of x < 2^least
}

// leading finds the leading digit of numbers in [0, 2^width), which are 0 or at least 2^least. Its planes are in a ring of
// planes bits or more, its mantissa is in ring w.
func (d *defaults) leading(op *flow.Op, x mpc.Secret, least, width, planes int, w ring.Ring) digits {
	n := x.Len()
	width = max(1, min(width, x.Ring().Bits-1))
	least = min(least, width-1)
	out := digits{least: least, count: width - least}
	count := out.count
	low := x
	if r := ring.Z(width + 1); r.Bits < x.Ring().Bits {
		low = d.p.Narrow(op, r, x)
	}
	none := d.not(op, d.part(op, d.p.BitDecompose(op, low), least*n, width*n)) // none[j]: no bit from place least + j on is set
	for s := 1; s < count; s *= 2 {
		both := d.p.And(op, d.part(op, none, 0, (count-s)*n), d.part(op, none, s*n, count*n))
		none = d.concat(op, both, d.part(op, none, (count-s)*n, count*n))
	}
	above := d.constant(op, ring.Z(1), n, big.NewInt(1))
	if count > 1 {
		above = d.concat(op, d.part(op, none, n, count*n), above)
	}
	mantissas := ring.Z(width + 4)
	all := d.p.B2A(op, ring.Z(max(planes, mantissas.Bits)), d.concat(op, d.sum(op, above, none), d.part(op, none, 0, n)))
	out.one, out.zero = d.part(op, all, 0, count*n), d.part(op, all, count*n, (count+1)*n)
	// u is x·2^(width−1−place), and as much as a 1 of x < 2^least: in [2^(width−1), 2^width)
	scale := make([]*big.Int, count)
	for j := range scale {
		scale[j] = new(big.Int).Lsh(big.NewInt(1), uint(count-1-j))
	}
	by := d.fitted(op, mantissas, d.bounded(d.weighted(op, out.one, scale), count))
	u := d.bounded(d.times(op, d.bounded(d.fitted(op, mantissas, x), width), by), width)
	u = d.bounded(d.sum(op, u, d.p.Linear(op, maps.Shift{N: n, By: width - 1}, d.fitted(op, mantissas, out.zero))), width)
	out.m = d.bounded(d.reduced(op, u, width-1, fine, w), fine+2)
	return out
}

// bounded returns x, whose integers are below 2^bound in magnitude, and tells a protocol that makes use of it.
func (d *defaults) bounded(x mpc.Secret, bound int) mpc.Secret {
	if d.bounder != nil {
		d.bounder.Bounded(x, bound)
	}
	return x
}

// reduced returns x, which has so many fraction bits, with others, in ring r, which holds it.
func (d *defaults) reduced(op *flow.Op, x mpc.Secret, from, to int, r ring.Ring) mpc.Secret {
	if from > to {
		return d.fitted(op, r, d.p.TruncateReduce(op, x, from-to))
	}
	return d.rescaled(op, d.fitted(op, r, x), from, to)
}

// logarithm is log2 of x with fine fraction bits; 0 is taken for one unit.
func (d *defaults) logarithm(op *flow.Op, x mpc.Secret, in, width int) mpc.Secret {
	w := working(x.Ring())
	l := d.leading(op, x, 0, widthOf(x, width), fine+12, w)
	places := make([]*big.Int, l.count)
	for j := range places {
		places[j] = new(big.Int).Lsh(big.NewInt(int64(j)), fine)
	}
	y := d.polynomials(op, d.centred(op, l.m)).value(interpolated(math.Log2, 1, 2, math.Ldexp(1, -40)))
	place := d.bounded(d.weighted(op, l.one, places), fine+9)
	return d.plus(op, d.sum(op, y, d.fitted(op, w, place)), real(float64(-in), fine))
}

// centred is the mantissa m in [1, 2) as a number 2m − 3 in [−1, 1].
func (d *defaults) centred(op *flow.Op, m mpc.Secret) mpc.Secret {
	return d.plus(op, d.combined(op, []int64{2}, m), real(-3, fine))
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
	return d.signed(op, negative, d.power(op, power{x: size, in: f.In, width: n.Width, a: a, gain: 1, guard: guard}, f.Out, r))
}

// power is gain·y·x^a for positive x. x may have fewer elements than y: each then serves as many. 0 is taken for one unit,
// but of 0 with y nil and a > 0, which gives 0.
type power struct {
	y  mpc.Secret // nil for 1
	fy int        // fraction bits of y
	x  mpc.Secret
	in int // fraction bits of x
	// x is below 2^width units, and is 0 or at least 2^least units. A width of 0 stands for that of x's ring.
	least, width int
	a, gain      float64
	guard        int // bits of x^a that are right, beside the errors of Truncate
	most         int // the result is below 2^most units in magnitude; 0 if nothing is known
}

// guard is how many bits of the factors of a power count beyond the result's.
const guard = 32

// power returns what p describes with out fraction bits in ring r: the mantissa's power times that of the leading digit,
// which comes from a table by its place.
func (d *defaults) power(op *flow.Op, p power, out int, r ring.Ring) mpc.Secret {
	x, y, a := p.x, p.y, p.a
	width := widthOf(x, p.width)
	least := min(p.least, width-1)
	count := width - least
	// The table of 2^(a·(place − in))·gain, with so many fraction bits that the least
	// that counts has guard bits: all of them where they are multiplied by y, else those
	// that a result's unit takes.
	smallest, limit := math.Inf(1), math.Inf(1)
	exponent := func(j int) float64 { return a*float64(least+j-p.in) + math.Log2(p.gain) }
	for j := range count {
		smallest = math.Min(smallest, exponent(j))
	}
	scale := p.guard - int(math.Floor(smallest))
	if y == nil {
		scale = out + p.guard
		limit = float64(r.Bits - 1 - out)
	}
	weights, bits := make([]*big.Int, count), 1
	for j := range weights {
		if exponent(j) > limit {
			weights[j] = new(big.Int)
			continue
		}
		e := exponent(j) + float64(scale)
		whole := math.Floor(e)
		f := new(big.Float).SetPrec(256).SetFloat64(math.Exp2(e - whole))
		weights[j] = rounded(f.SetMantExp(f, int(whole)))
		bits = max(bits, weights[j].BitLen())
	}
	l := d.leading(op, x, least, width, bits+4, working(x.Ring()))
	m := d.mantissaPower(op, l.m, a, p.guard)
	mBits := p.guard + 1 + int(math.Ceil(math.Max(0, a)))
	one := l.one
	if y != nil || a < 0 { // 0 is one unit
		n := x.Len()
		lowest := d.sum(op, d.part(op, one, 0, n), l.zero)
		if one = lowest; count > 1 {
			one = d.concat(op, lowest, d.part(op, l.one, n, count*n))
		}
	}
	table := d.bounded(d.weighted(op, one, weights), bits)
	total, drop := p.guard+scale, min(p.guard, p.guard+scale) // guard bits are left of the least
	if y == nil {
		drop = total - out
	}
	first := ring.Z(mBits + bits + 3)
	q := d.bounded(d.timesUpTo(op, d.fitted(op, first, m), d.fitted(op, first, table), drop), mBits+bits)
	if y == nil {
		return d.reduced(op, q, total, out, r)
	}
	qBits := mBits + bits - drop + 1
	yBits := min(y.Bound(), y.Ring().Bits-2)
	wide := ring.Z(qBits + yBits + 3)
	q = d.bounded(d.reduced(op, q, total, total-drop, wide), qBits)
	if rows := x.Len(); rows < y.Len() {
		q = d.repeated(op, q, y.Len()/rows, true)
	}
	from := total - drop + p.fy
	q = d.bounded(d.timesUpTo(op, q, d.fitted(op, wide, y), from-out), qBits+yBits)
	if p.most > 0 && from > out {
		q = d.bounded(d.p.TruncateReduce(op, q, from-out), p.most)
		return d.fitted(op, r, q)
	}
	return d.reduced(op, q, from, out, r)
}

// mantissaPower is m^a of m in [1, 2) with fine fraction bits, with so many fraction bits.
func (d *defaults) mantissaPower(op *flow.Op, m mpc.Secret, a float64, out int) mpc.Secret {
	if y := d.newton(op, m, a, out); y != nil {
		return y
	}
	tolerance := math.Ldexp(math.Max(1, math.Exp2(a)), -out-6)
	y := d.polynomials(op, d.centred(op, m)).value(interpolated(func(x float64) float64 { return math.Pow(x, a) }, 1, 2, tolerance))
	return d.rescaled(op, y, fine, out)
}

// start holds the coefficients of 1, m and 1/m of a sum that is m^(−½) for m in [1, 2] to within 2^-10 of it.
var start = [3]float64{0.6223495836726852, -0.06989519775683622, 0.44848469083544273}

// newton is mantissaPower of a = −1, −½ and ½ where the core evaluates tables with few bytes (Slots): R = 1/m by the table, and a
// step of Newton's method or of Householder's. It is right to 2^-30. It returns nil where it cannot.
func (d *defaults) newton(op *flow.Op, m mpc.Secret, a float64, out int) mpc.Secret {
	const (
		f     = 36 // fraction bits of what is right to 2^-33
		table = 18 // fraction bits of the table's values
	)
	if d.slots == nil || a != -1 && a != -0.5 && a != 0.5 || out > 32 {
		return nil
	}
	n := m.Len()
	r0 := d.slots.Series(op, m, fine, fourier.Lookup("reciprocal/2", fourier.Small), table)
	if r0 == nil {
		return nil
	}
	r0 = d.bounded(r0, table+1)
	m = d.bounded(d.p.TruncateReduce(op, m, fine-f), f+2)
	// product is x·y, of which the lowest `low` bits are dropped: a number below 2^bound.
	product := func(x, y mpc.Secret, low, bound int) mpc.Secret {
		w := ring.Z(x.Bound() + y.Bound() + 3)
		q := d.timesUpTo(op, d.fitted(op, w, x), d.fitted(op, w, y), low)
		return d.bounded(d.p.TruncateReduce(op, q, low), bound)
	}
	// one is 1 − x of x with f fraction bits, a small number below 2^bound.
	one := func(x mpc.Secret, bound int) mpc.Secret {
		x = d.plus(op, d.combined(op, []int64{-1}, x), real(1, f))
		return d.bounded(d.fitted(op, ring.Z(bound+4), x), bound)
	}
	sum := func(x mpc.Secret, shift int, y mpc.Secret) mpc.Secret { // x·2^shift + y, with f fraction bits below 2^(f+2)
		w := ring.Z(f + 5)
		return d.bounded(d.sum(op, d.p.Linear(op, maps.Shift{N: n, By: shift}, d.fitted(op, w, x)), d.fitted(op, w, y)), f+2)
	}
	if a == -1 { // R(1 + h) for h = 1 − m·R
		h := one(product(m, r0, table, f+1), f-13)
		return d.reduced(op, sum(r0, f-table, product(r0, h, table, f-13)), f, out, m.Ring())
	}
	// With y a sum of 1, m and R, and h = 1 − m·y²: y(1 + h/2 + 3h²/8 + 5h³/16).
	const (
		c     = 20 // fraction bits of coefficients
		first = 12 // fraction bits of y
	)
	w := ring.Z(table + c + 5)
	coarse := d.bounded(d.fitted(op, w, d.p.TruncateReduce(op, m, f-table)), table+2)
	coef := []int64{int64(math.RoundToEven(math.Ldexp(start[1], c))), int64(math.RoundToEven(math.Ldexp(start[2], c)))}
	y := d.plus(op, d.combined(op, coef, coarse, d.fitted(op, w, r0)), real(start[0], table+c))
	y = d.bounded(d.p.TruncateReduce(op, y, table+c-first), first+1)
	square := d.fitted(op, ring.Z(2*first+5), y)
	square = d.bounded(d.times(op, square, square), 2*first+1)
	h := one(product(m, square, 2*first, f+1), f-6)
	const digits = 27 // fraction bits of what is multiplied by h
	g := d.combined(op, []int64{5}, h)
	g = d.plus(op, d.bounded(d.fitted(op, ring.Z(digits+4), d.p.TruncateReduce(op, g, f-digits+4)), digits), real(0.375, digits))
	g = product(h, d.bounded(g, digits), digits, f-6)
	g = d.bounded(d.fitted(op, ring.Z(digits+4), d.p.TruncateReduce(op, g, f-digits)), digits-5)
	g = d.bounded(d.plus(op, g, real(0.5, digits)), digits+1)
	y = sum(y, f-first, product(y, product(h, g, digits, f-6), first, f-6))
	if a == 0.5 {
		y = product(y, m, f, f+2)
	}
	return d.reduced(op, y, f, out, m.Ring())
}

// Divide is y·x^−1 or y·x^(−½).
func (d *defaults) Divide(op *flow.Op, y mpc.Secret, fy int, x mpc.Secret, f mpc.Fixed, n mpc.Normal, root bool) mpc.Secret {
	size, negative := d.magnitude(op, x, n)
	a := -1.
	if root {
		a = -0.5
	}
	q := d.power(op, power{y: y, fy: fy, x: size, in: f.In, width: n.Width, a: a, gain: 1, guard: guard}, f.Out, f.RingFor(x.Ring()))
	if negative != nil && x.Len() < y.Len() {
		negative = d.repeated(op, negative, y.Len()/x.Len(), true)
	}
	return d.signed(op, negative, q)
}
