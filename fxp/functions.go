package fxp

import (
	"math"
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Range is an interval that contains every element of a float. It follows from the program's text and is public; an
// infinite end means no bound.
type Range struct{ Lo, Hi float64 }

// Unknown is the range of a float without known bounds: from −∞ to ∞.
var Unknown = Range{math.Inf(-1), math.Inf(1)}

// Within reports whether all of r lies in [lo, hi].
func (r Range) Within(lo, hi float64) bool { return r.Lo >= lo && r.Hi <= hi }

// normal returns what a function that normalises x (finds its leading digit) needs to know. Without a known
// range it covers the range of values, or x's own if that is known to be narrower.
func (a *Arith) normal(x *Value, r Range) mpc.Normal {
	n := mpc.Normal{Signed: r.Lo < 0, Width: max(1, min(a.bits(x)+x.Scale, a.Ring.Bits-2))}
	if top := math.Max(math.Abs(r.Lo), math.Abs(r.Hi)); !math.IsInf(top, 0) {
		_, e := math.Frexp(top + math.Ldexp(1, -x.Scale)) // a unit for roundings
		n.Width = min(n.Width, max(1, e+x.Scale))
	}
	return n
}

// argument returns x as functions take it: in the job's ring, at the fraction or a smaller scale.
func (a *Arith) argument(op *flow.Op, x *Value) (*Value, mpc.Fixed) {
	x = a.Rescale(op, x)
	return x, mpc.Fixed{In: x.Scale, Out: a.Fraction}
}

// narrowMargin is the number of bits that a ring must have beyond 2f so that the widest table, whose period
// is 33, is off by at most a quarter of a unit at its end.
const narrowMargin = 10

// narrowArgument is argument for functions that take x in a narrower ring: one round and some bytes less
// where x is a product that is not open.
func (a *Arith) narrowArgument(op *flow.Op, x *Value) (*Value, mpc.Fixed) {
	if !a.fitsNarrow(x) {
		return a.argument(op, x)
	}
	x = a.drop(op, x)
	return x, mpc.Fixed{In: x.Scale, Out: a.Fraction, Ring: a.Ring}
}

// fitsNarrow reports whether x can be truncate-reduced to the fraction with narrowMargin left.
func (a *Arith) fitsNarrow(x *Value) bool {
	return a.Ring.Bits-(x.Scale-a.Fraction) >= 2*a.Fraction+narrowMargin
}

// asIs returns the format of an argument that has been prepared with guard bits already.
func (a *Arith) asIs(_ *flow.Op, x *Value) (*Value, mpc.Fixed) {
	return x, mpc.Fixed{In: x.Scale, Out: a.Fraction, Ring: a.Ring}
}

func (a *Arith) result(s mpc.Secret, x *Value) *Value { return newValue(s, x.Type, a.Fraction) }

// guardBits returns the number of guard bits that compensate the roundings of more than two parties, n/2
// units, where keeping them costs nothing or little: results of many parties are then as exact as those of
// two.
func (a *Arith) guardBits() int {
	if p, ok := mpc.As[mpc.Rounder](a.P); ok && p.Computing() > 2 {
		return bits.Len(uint(p.Computing() - 1))
	}
	return 0
}

// guarded returns x truncated to the fraction and guard more bits, in its ring or a narrower one. It returns
// nil if guard is 0, or if x was truncated before or has a smaller scale.
func (a *Arith) guarded(op *flow.Op, x *Value, guard int, narrow bool) *Value {
	scale := a.Fraction + guard
	switch {
	case guard == 0 || x.Scale <= scale || x.reduced != nil || x.dropped != nil || !x.Type.DType.IsFloat():
		return nil
	case narrow && a.fitsNarrow(x) && !x.S.Opened() && x.wide == nil:
		return newValue(a.P.TruncateReduce(op, x.S, x.Scale-scale), x.Type, scale)
	}
	return a.rescaleTo(op, x, scale)
}

// Exp returns e^x, or 2^x if two. The argument is clamped as Options.ExpClamp says, or where the range r of x does
// not exclude an overflow. With more than two parties the argument has guard bits if alone says that nothing else
// reads x.
func (a *Arith) Exp(op *flow.Op, x *Value, two bool, r Range, alone bool) *Value {
	if !two && a.Options.ExpMode == "taylor" {
		return a.expTaylor(op, x)
	}
	if !two && a.Options.ExpMode == "pade" {
		return a.expPade(op, x)
	}
	take, narrow := a.argument, r.Hi <= 1 || a.Ring.Bits > 64
	if narrow { // the bits that a narrow ring loses are far below a unit
		take = a.narrowArgument
	}
	if a.fitsWithin(x) {
		take = a.argumentWithin
	} else if alone {
		if y := a.guarded(op, x, a.guardBits(), narrow); y != nil {
			x, take = y, a.asIs
		}
	}
	x, f := take(op, x)
	unit := math.Ln2
	if two {
		unit = 1
	}
	lowest, highest := -float64(f.Out+1)*unit, float64(a.Ring.Bits-3-f.Out)*unit
	return a.result(a.P.Exp(op, x.S, mpc.ExpOf{Fixed: f, Two: two,
		Lower: a.Options.ExpClamp != "none" && r.Lo < lowest,
		Upper: a.Options.ExpClamp == "both" && r.Hi > highest,
	}), x)
}

// expTaylor returns (1 + x/2^n)^(2^n), n being the option exp.iterations: the approximation that other
// systems use, with its error.
func (a *Arith) expTaylor(op *flow.Op, x *Value) *Value {
	n := a.Options.ExpIterations
	x = a.proper(op, x)
	y := newValue(x.S, x.Type, x.Scale+n) // x/2^n
	y = a.AddPublic(op, y, filled(x.Type, 1))
	for range n {
		y = a.Mul(op, y, y)
	}
	return y
}

func filled(t tensor.Type, x float64) *tensor.Array {
	f := make([]float64, t.Shape.Size())
	for i := range f {
		f[i] = x
	}
	return tensor.FromFloats(tensor.F64, t.Shape, f)
}

// AddConst returns x + c, for the public number c.
func (a *Arith) AddConst(op *flow.Op, x *Value, c float64) *Value {
	return a.AddPublic(op, x, filled(x.Type, c))
}

// MulConst returns x·c for the public number c.
func (a *Arith) MulConst(op *flow.Op, x *Value, c float64) *Value {
	return a.MulPublic(op, x, filled(x.Type, c))
}

// EvalTableWithTails returns the function of package fourier with the given name, which has tails outside its table's
// interval. r is the range of x.
func (a *Arith) EvalTableWithTails(op *flow.Op, x *Value, name string, r Range) *Value {
	take := a.narrowArgument
	if name == "sigmoid" && a.fitsWithin(x) {
		take = a.argumentWithin
	}
	x, f := take(op, x)
	f.Tolerance = a.Options.Tolerance
	if name == "sigmoid" && r.Within(-8, 8) {
		return a.result(a.P.EvalTable(op, x.S, f, "sigmoid/8"), x)
	}
	others := 1
	if p, ok := mpc.As[mpc.Rounder](a.P); ok {
		others = p.Computing() - 1
	}
	return a.result(a.P.EvalTableWithTails(op, x.S, f, name, a.Options.thrifty(op, name, x.S.Len(), others)), x)
}

// EvalTable returns the function of package fourier with the given name, for x in the interval of its table.
func (a *Arith) EvalTable(op *flow.Op, x *Value, name string) *Value {
	x, f := a.narrowArgument(op, x)
	f.Tolerance = a.Options.Tolerance
	return a.result(a.P.EvalTable(op, x.S, f, name), x)
}

// SinCos returns the sine and the cosine of x at the given number of fraction bits.
func (a *Arith) SinCos(op *flow.Op, x *Value, fraction int) (sin, cos *Value) {
	x, f := a.narrowArgument(op, x)
	f.Out = fraction
	s, c := a.P.SinCos(op, x.S, f)
	return newValue(s, x.Type, fraction), newValue(c, x.Type, fraction)
}

// Log returns the natural logarithm of x, or the logarithm to base 2 if two. r is the range of x.
func (a *Arith) Log(op *flow.Op, x *Value, two bool, r Range) *Value {
	x, f := a.argument(op, x)
	return a.result(a.P.Log(op, x.S, f, a.normal(x, Range{0, r.Hi}), two), x)
}

// RealPower returns x^c for a public number c, or sgn(x)·|x|^c if signed and x may be negative.
func (a *Arith) RealPower(op *flow.Op, x *Value, c float64, signed bool, r Range) *Value {
	if !signed {
		r.Lo = math.Max(r.Lo, 0)
	}
	if math.Abs(c) <= 0.5 || c == -1 {
		if w := a.inFull(op, x, r); w != nil {
			return a.fineRoot(op, w, c, r)
		}
	}
	x = a.Coarse(op, x)
	if c == -1 && r.Within(1, 2) {
		x, f := a.argument(op, x)
		return a.result(a.P.EvalTable(op, x.S, f, "reciprocal/2"), x)
	}
	if c > 0 && a.noisy(x) {
		r.Lo = math.Min(r.Lo, -math.Ldexp(1, -a.Fraction))
	}
	if x.wide != nil && !a.small(r) {
		x = a.Rescale(op, x)
	}
	x, f := a.precise(op, x)
	return a.result(a.P.Power(op, x.S, f, a.normal(x, r), c), x)
}

// noisy reports whether a value that should be 0 may be negative by roundings. With one truncation of two
// parties a multiple of the unit stays exact; with more parties, or several truncations one after the other,
// it does not. The root of such a value is then computed of its magnitude, since the root of a negative
// number is meaningless.
func (a *Arith) noisy(x *Value) bool {
	_, ok := mpc.As[mpc.Rounder](a.P)
	return ok && (a.guardBits() > 0 || x.Scale > a.Fraction)
}

// Quotient returns y/x; r is the range of x.
func (a *Arith) Quotient(op *flow.Op, y, x *Value, r Range) *Value {
	if w := a.inFull(op, x, r); w != nil {
		return a.fineQuotient(op, y, w, r, false, false)
	}
	x, f := a.precise(op, x)
	y = a.numerator(op, y)
	return a.result(a.narrowed(op, a.ratio(op, y, x, f, a.normal(x, r), false)), x)
}

// QuotientRows returns y/x, or y/√x if root. Each element of x divides the same number of consecutive
// elements of y, and is normalised once for all of them: an element of y costs its own opening, and one more
// where x may be negative. The error is no larger than Quotient's; the result has guard bits if small.
func (a *Arith) QuotientRows(op *flow.Op, y, x *Value, r Range, root, small bool) *Value {
	if root {
		r.Lo = 0
	}
	if w := a.inFull(op, x, r); w != nil {
		return a.fineQuotient(op, y, w, r, root, small)
	}
	x, f := a.precise(op, x)
	y = a.numerator(op, y)
	if small {
		f.Out += a.guard()
	}
	return newValue(a.narrowed(op, a.ratio(op, y, x, f, a.normal(x, r), root)), y.Type, f.Out)
}

// QuotientScaled returns y/x for values at their own scales, without truncating them first. r is the range of x.
func (a *Arith) QuotientScaled(op *flow.Op, y, x *Value, r Range) *Value {
	return a.result(a.P.Divide(op, y.S, y.Scale, x.S, mpc.Fixed{In: x.Scale, Out: a.Fraction}, a.normal(x, r), false), x)
}

// PowerSecret returns x^y for secret x and y; r is the range of x.
func (a *Arith) PowerSecret(op *flow.Op, x, y *Value, r Range) *Value {
	x, f := a.argument(op, x)
	y, _ = a.argument(op, y)
	return a.result(a.P.PowerSecret(op, x.S, y.S, y.Scale, f, a.normal(x, Range{0, r.Hi})), x)
}

// PowerWhole returns x^y for integers y, given as floats without fraction bits: |x|^y, negated where x is negative
// and y is odd. r is the range of x.
func (a *Arith) PowerWhole(op *flow.Op, x, y *Value, r Range) *Value {
	negative := a.Negative(op, x)
	odd := boolean(a.P.Narrow(op, ring.Z(1), y.S), y.Type.Shape)
	size := a.PowerSecret(op, a.Signed(op, negative, x), y, Range{0, math.Max(-r.Lo, r.Hi)})
	return a.Signed(op, a.And(op, negative, odd), size)
}

// Floor returns ⌊x⌋ as a value of the float or integer type t.
func (a *Arith) Floor(op *flow.Op, x *Value, t tensor.DType) *Value {
	x = a.exactComparand(op, x)
	typ := tensor.Type{DType: t, Shape: x.Type.Shape}
	if x.Scale <= 0 {
		x = a.raise(op, x, 1)
	}
	if t.IsFloat() {
		y := a.P.FloorReal(op, x.S, x.Scale, true)
		if y.Ring().Bits > a.Ring.Bits {
			y = a.P.Narrow(op, a.Ring, y)
		}
		return newValue(y, typ, 0)
	}
	y := a.P.FloorReal(op, x.S, x.Scale, true)
	r := a.RingOf(t)
	switch {
	case r.Bits < y.Ring().Bits:
		y = a.P.Narrow(op, r, y)
	case r.Bits > y.Ring().Bits:
		y = a.P.Extend(op, r, y, true)
	}
	return newValue(y, typ, 0)
}

// NearInteger returns x as an integer of type t. It is a truncation: off by less than n/2 among n computing parties, with an error of
// mean zero.
func (a *Arith) NearInteger(op *flow.Op, x *Value, t tensor.DType) *Value {
	x = a.raise(op, a.Rescale(op, x), 0)
	s, r := x.S, a.RingOf(t)
	switch by := x.Scale; {
	case by > 0 && s.Ring().Bits-by >= r.Bits:
		s = a.P.TruncateReduce(op, s, by)
	case by > 0:
		s = a.P.Truncate(op, s, by)
	}
	switch {
	case r.Bits < s.Ring().Bits:
		s = a.P.Narrow(op, r, s)
	case r.Bits > s.Ring().Bits:
		s = a.P.Extend(op, r, s, true)
	}
	return newValue(s, tensor.Type{DType: t, Shape: x.Type.Shape}, 0)
}

// RealOfInteger returns x·2^−scale for integers that are below 2^bits in magnitude, as the program's author says. Exponentials and
// sigmoids of the result take it in the integers' own ring. Integers that the job's ring does not hold lose bits beyond the fraction.
func (a *Arith) RealOfInteger(op *flow.Op, x *Value, d tensor.DType, scale, bits int) *Value {
	t, given := tensor.Type{DType: d, Shape: x.Type.Shape}, x.S
	bits = min(bits, given.Ring().Bits)
	signed := x.Type.DType.IsSigned() || bits < given.Ring().Bits // unsigned ones are then the same as signed ones
	if p, ok := mpc.As[mpc.Asserter](a.P); ok && given.Ring().Bits < a.Ring.Bits {
		given = p.Asserted(op, given, bits)
	}
	s, top := given, bits-scale
	by := max(0, min(bits-(a.Ring.Bits-2), scale-a.Fraction))
	switch r := ring.Z(a.Ring.Bits + by); {
	case s.Ring().Bits < r.Bits:
		s = a.P.Extend(op, r, s, signed)
	case s.Ring().Bits > r.Bits:
		s = a.P.Narrow(op, r, s)
	}
	if by > 0 {
		s, scale = a.P.TruncateReduce(op, s, by), scale-by
	}
	y := newValue(s, t, scale).is(top, false)
	if signed && given.Ring().Bits < a.Ring.Bits {
		y.within = newValue(given, t, scale).is(top, false)
	}
	if scale > a.limit() {
		return a.rescaleTo(op, y, a.limit())
	}
	return y
}

// Outside returns a bit for each of signed integers x: 1 if |x| ≥ 2^bits or x ≥ 2^below, 0 if |x| < ¾·2^bits and x < ¾·2^below, and either
// otherwise. |x| + 2^bits must be at most half the number of integers of the type.
//
// Only high bits are compared: x in units of 2^(below−6), in a ring that has lost the low bits and holds every x. A unit is rounded by
// less than n/2 among n computing parties, which is below an eighth of 2^below for up to 16. below is hlo.MinOutside or more.
func (a *Arith) Outside(op *flow.Op, x *Value, bits, below int) *Value {
	by := below - 6
	s := a.P.TruncateReduce(op, x.S, by)
	end := func(bits int) int64 { return 7 << (bits - by) / 8 }
	low := boolean(a.P.LessConst(op, s, -end(bits)), x.Type.Shape)
	high := a.Not(op, boolean(a.P.LessConst(op, s, end(below)), x.Type.Shape))
	return a.Xor(op, low, high) // never both
}

// WeightedSquares returns xᵀ·diag(w)·x for each matrix x, batch × rows × columns, and vector w, batch × rows, of integers.
// owner is the rank of the party that provides x; it is negative if there is none.
func (a *Arith) WeightedSquares(op *flow.Op, owner int, x, w *Value) *Value {
	shape := x.Type.Shape
	d := mpc.SquareDims{Batch: shape[0], Rows: shape[1], Columns: shape[2]}
	t := tensor.Type{DType: x.Type.DType, Shape: tensor.Shape{d.Batch, d.Columns, d.Columns}}
	if p, ok := mpc.As[mpc.Squarer](a.P); ok && owner >= 0 {
		if s := p.WeightedSquares(op, owner, d, x.S, w.S); s != nil {
			return newValue(s, t, 0)
		}
	}
	weighted := a.Mul(op, x, a.View(op, tensor.Broadcast(shape[:2], []int{0, 1}, shape), w))
	left := a.View(op, tensor.Transposed(shape, []int{0, 2, 1}), x)
	return a.Product(op, maps.MatMul{Batch: d.Batch, M: d.Columns, K: d.Rows, N: d.Columns}, t.Shape, left, weighted)
}

// withinMargin is the number of bits beyond the scale that the ring of Value.within must have for a function of it: its period, of some
// 140 or less, is rounded to 2^(scale − bits) of itself, which multiplies the argument by 1 ± 2^−20 or nearer to 1.
const withinMargin = 27

// fitsWithin reports whether x has a narrower ring that holds it (Value.within) and is wide enough for a function.
func (a *Arith) fitsWithin(x *Value) bool {
	return x.within != nil && x.within.S.Ring().Bits-x.within.Scale >= withinMargin
}

// argumentWithin is argument for values for which fitsWithin holds.
func (a *Arith) argumentWithin(_ *flow.Op, x *Value) (*Value, mpc.Fixed) {
	return newValue(x.within.S, x.Type, x.within.Scale), mpc.Fixed{In: x.within.Scale, Out: a.Fraction, Ring: a.Ring}
}

// RowArgument returns x in the form in which Softmax takes it. For a softmax, a product is truncate-reduced to a narrower ring, which
// saves a round. Every other argument is in the job's ring.
func (a *Arith) RowArgument(op *flow.Op, x *Value, kind mpc.RowKind) *Value {
	x = a.Coarse(op, x)
	if kind == mpc.Softmax && a.fitsNarrow(x) {
		return a.drop(op, x)
	}
	return a.Rescale(op, x)
}

// Softmax computes a row function (softmax, log-softmax or log-sum-exp, by kind) of rows of m elements: x is
// rows×m, as RowArgument returns it.
func (a *Arith) Softmax(op *flow.Op, x *Value, m int, kind mpc.RowKind) *Value {
	x, f := a.asIs(op, x)
	s := a.P.Softmax(op, x.S, f, m, kind)
	t := x.Type
	if kind == mpc.LogSumExp {
		t.Shape = tensor.Shape{s.Len()}
	}
	return newValue(s, t, a.Fraction)
}

// Normalize returns (x − mean)/√(variance + epsilon) for rows of m elements, or x/√(mean x² + epsilon) unless
// centred.
func (a *Arith) Normalize(op *flow.Op, x *Value, m int, epsilon float64, centred bool) *Value {
	x, f := a.argument(op, x)
	return newValue(a.P.Normalize(op, x.S, f, m, epsilon, centred), x.Type, a.Fraction)
}

// Signed returns x where b is false and −x where b is true.
func (a *Arith) Signed(op *flow.Op, b, x *Value) *Value {
	return a.Select(op, b, a.Neg(op, x), x)
}

// Xor returns the exclusive or of two vectors of booleans, element by element.
func (a *Arith) Xor(op *flow.Op, x, y *Value) *Value {
	return boolean(a.P.Linear(op, maps.Combine{N: x.S.Len(), Coef: []int64{1, 1}}, x.S, y.S), x.Type.Shape)
}

// Atan2 returns the angle of the point (x, y) in radians, in (−π, π], and 0 at the origin. One table is applied to
// the smaller magnitude divided by the larger.
func (a *Arith) Atan2(op *flow.Op, y, x *Value) *Value {
	y, x = a.pair(op, y, x)
	left, below := a.Negative(op, x), a.Negative(op, y)
	steep := a.Xor(op, a.Negative(op, a.Sub(op, x, y)), a.Negative(op, a.Add(op, x, y)))
	num, den := a.Select(op, steep, x, y), a.Select(op, steep, y, x)
	num, den = a.Rescale(op, num), a.Rescale(op, den)
	q := newValue(
		a.P.Divide(op, num.S, num.Scale, den.S, mpc.Fixed{In: den.Scale, Out: a.Fraction + a.guard()}, a.normal(den, Unknown), false),
		x.Type,
		a.Fraction+a.guard(),
	)
	t := newValue(a.P.EvalTable(op, q.S, mpc.Fixed{In: q.Scale, Out: a.Fraction}, "atan"), x.Type, a.Fraction)
	t = a.Signed(op, steep, t)
	zero := a.Constant(op, x.Type, 0)
	base := a.Select(op, steep, a.Constant(op, x.Type, math.Pi/2), a.Select(op, left, a.Constant(op, x.Type, math.Pi), zero))
	return a.Add(op, t, a.Signed(op, below, base))
}

// Constant returns a value of type t whose elements are all the public number x.
func (a *Arith) Constant(op *flow.Op, t tensor.Type, x float64) *Value {
	return a.Public(op, tensor.FromFloats(t.DType, t.Shape, filled(t, x).Floats()), a.Fraction)
}

// guard returns the number of guard bits of intermediate results that are divided next.
func (a *Arith) guard() int { return min(10, max(0, a.Ring.Bits-3*a.Fraction)) }

// Tan returns tan x: the quotient of sine and cosine, both computed with guard bits.
func (a *Arith) Tan(op *flow.Op, x *Value) *Value {
	s, c := a.SinCos(op, x, a.Fraction+a.guard())
	return a.QuotientScaled(op, s, c, Range{-1, 1})
}

// ErfInv returns the inverse of erf: x times a function of −ln(1 − x²). At ±1 it returns the value at the
// next number towards 0.
func (a *Arith) ErfInv(op *flow.Op, x *Value) *Value {
	x, _ = a.argument(op, x)
	one := a.AddConst(op, a.Neg(op, a.Mul(op, x, x)), 1)
	w := a.Neg(op, a.Log(op, one, false, Range{0, 1}))
	return a.Mul(op, x, a.EvalTable(op, w, "erf_inv"))
}

// stirling returns the terms that LogGamma and Digamma share: z = x + 4, t = 1/z, and the factors p = x(x+3)
// and p2 = p + 2 = (x+1)(x+2), which relate Γ(x) to Γ(z).
func (a *Arith) stirling(op *flow.Op, x *Value) (z, t, p, p2 *Value) {
	z = a.AddConst(op, x, 4)
	t = a.RealPower(op, z, -1, false, Range{4, math.Inf(1)})
	p = a.Rescale(op, a.Mul(op, x, a.AddConst(op, x, 3)))
	return z, t, p, a.AddConst(op, p, 2)
}

// reflected returns y = x, or 1 − x where x < ½, and low, the bit x < ½.
func (a *Arith) reflected(op *flow.Op, x *Value) (y, low *Value) {
	x, _ = a.argument(op, x)
	other := a.AddConst(op, a.Neg(op, x), 1)
	low = a.Negative(op, a.AddConst(op, x, -0.5))
	return a.Select(op, low, other, x), low
}

// LogGamma returns ln|Γ(x)| for |x| < 2^12: Stirling's series at x + 4 less the logarithms of the factors in
// between, and the reflection formula below ½ unless the range excludes that.
func (a *Arith) LogGamma(op *flow.Op, x *Value, r Range) *Value {
	y, low := x, (*Value)(nil)
	if r.Lo < 0.5 {
		y, low = a.reflected(op, x)
	}
	z, t, p, p2 := a.stirling(op, y)
	any := Range{0, math.Inf(1)}
	t2 := a.Rescale(op, a.Mul(op, t, t))
	rest := a.Mul(op, t, a.AddConst(op, a.Rescale(op, a.Mul(op, t2, a.AddConst(op, a.MulConst(op, t2, 1./1260), -1./360))), 1./12))
	out := a.Mul(op, a.AddConst(op, z, -0.5), a.Log(op, z, false, any))
	out = a.Combine(op, []int64{1, -1, 1}, out, z, rest)
	out = a.AddConst(op, out, math.Log(2*math.Pi)/2)
	out = a.Combine(op, []int64{1, -1, -1}, a.Rescale(op, out), a.Log(op, p, false, any), a.Log(op, p2, false, any))
	if low == nil {
		return out
	}
	sine := a.sinPi(op, x)
	positive := a.Signed(op, a.Negative(op, sine), sine)
	mirror := a.Combine(op, []int64{-1, -1}, a.Log(op, positive, false, Range{0, 1}), out)
	return a.Select(op, low, a.AddConst(op, mirror, math.Log(math.Pi)), out)
}

// sinPi returns sin πx with guard bits.
func (a *Arith) sinPi(op *flow.Op, x *Value) *Value {
	s, _ := a.SinCos(op, a.MulConst(op, x, math.Pi), a.Fraction)
	return s
}

// Digamma returns ψ(x) = Γ'(x)/Γ(x), the derivative of LogGamma, for |x| < 2^12 in r: Stirling's series, differentiated,
// at x + 4 less the reciprocals of the factors in between, and the reflection formula below ½ unless r excludes that.
func (a *Arith) Digamma(op *flow.Op, x *Value, r Range) *Value {
	y, low := x, (*Value)(nil)
	if r.Lo < 0.5 {
		y, low = a.reflected(op, x)
	}
	z, t, p, p2 := a.stirling(op, y)
	any := Range{0, math.Inf(1)}
	t2 := a.Rescale(op, a.Mul(op, t, t))
	series := a.AddConst(op, a.Rescale(op, a.Mul(op, t2, a.AddConst(op, a.MulConst(op, t2, -1./252), 1./120))), -1./12)
	series = a.Mul(op, t2, series)
	slope := a.AddConst(op, a.Combine(op, []int64{2}, y), 3) // of p: 1/x + 1/(x+3) is slope/p
	out := a.Combine(op, []int64{1, 1, -1, -1}, a.Log(op, z, false, any), series,
		a.Quotient(op, slope, p, any), a.Quotient(op, slope, p2, any))
	out = a.Sub(op, out, a.MulConst(op, t, 0.5))
	if low == nil {
		return out
	}
	g := a.Fraction + a.guard()
	sin, cos := a.SinCos(op, a.MulConst(op, x, math.Pi), g)
	cot := a.QuotientScaled(op, cos, sin, Range{-1, 1})
	return a.Select(op, low, a.Sub(op, out, a.MulConst(op, cot, math.Pi)), out)
}

// expPade returns 2^n·R(z), where n is the nearest integer to x·log2 e, z the remainder, R the diagonal Padé
// approximant of order 3 (relative error 6e-9 on z's range), and 2^n a product over n's bits: the method that
// other systems use. It is valid where the product at scale 2f fits, which is x below about (k − 3f)·ln 2;
// the result is 0 below the smallest number.
func (a *Arith) expPade(op *flow.Op, x *Value) *Value {
	x, _ = a.argument(op, x)
	y := a.Rescale(op, a.MulConst(op, x, math.Log2E))
	n := a.Floor(op, a.AddConst(op, y, 0.5), x.Type.DType)
	z := a.Rescale(op, a.MulConst(op, a.Sub(op, y, n), math.Ln2))
	half := func(z *Value) *Value { // 1 + z/2 + z²/10 + z³/120
		h := a.AddConst(op, a.MulConst(op, z, 1./120), 1./10)
		h = a.AddConst(op, a.Mul(op, a.Rescale(op, h), z), 1./2)
		return a.AddConst(op, a.Mul(op, a.Rescale(op, h), z), 1)
	}
	q := a.Quotient(op, half(z), a.Rescale(op, half(a.Neg(op, z))), Range{0.5, 2})
	m := a.P.AddPublic(op, n.S, a.integers(op, n.S, int64(a.Fraction)), n.S.Bound()) // of 2^n in units
	tooLow := boolean(a.P.LessConst(op, m, 0), x.Type.Shape)
	bits := maps.CeilLog2(a.Ring.Bits)
	planes := a.P.BitDecompose(op, a.P.Narrow(op, ring.Z(bits), m))
	size := x.S.Len()
	var power mpc.Secret // the product of 1 or 2^(2^i)
	for i := range bits {
		v := tensor.Sliced(tensor.Shape{bits * size}, []int{i * size}, []int{(i + 1) * size}, []int{1})
		b := a.P.B2A(op, a.Ring, a.P.Linear(op, maps.NewView(v, bits*size), planes))
		f := a.P.Linear(op, maps.Combine{N: size, Coef: []int64{1, -1}}, a.P.Linear(op, maps.Shift{N: size, By: 1 << i}, b), b)
		f = a.P.AddPublic(op, f, a.integers(op, f, 1), 1)
		if power == nil {
			power = f
		} else {
			power = a.P.Product(op, a.Ring, maps.Elementwise{N: size}, power, f, 0)
		}
	}
	out := a.Mul(op, q, newValue(power, x.Type, a.Fraction))
	return a.Select(op, tooLow, a.Constant(op, x.Type, 0), a.Rescale(op, out))
}

// integers returns copies of a public integer, in the ring and length of s.
func (a *Arith) integers(op *flow.Op, s mpc.Secret, c int64) ring.Vec {
	if op.Graph.DryRun() {
		return ring.ShapeOnly(s.Ring(), s.Len())
	}
	v := ring.New(s.Ring(), s.Len())
	ring.AddInt(v, v, c)
	return v
}
