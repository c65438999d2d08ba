package fxp

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// A product has the fraction bits of both factors, and most operations use no more than f of them. Roots and
// quotients use more: the root of a square below 2^−f would be 0, though the root itself is far above 2^−f,
// and so would be a moment of gradients that is divided by such a root. Therefore dividends and divisors keep
// a scale of 2f through linear operations, and products of which a root is taken have the fine form (below).
// Package hlo/pattern finds these values. This does not narrow the ranges of sums and products: contractions
// are below 2^26 (64-bit ring, f = 18) at scale 2f in any case, a single product is recomputed from its
// factors where it is rescaled, and the fine form holds every value. The operands of roots and quotients have
// ranges of their own.

// multiple says that a value is of·by, element by element, for a public array by.
type multiple struct {
	of *Value
	by *tensor.Array
}

// MulFine returns x·c for a public array c, at x's own scale if x is above the fraction: the product is made in a
// ring that is wider by c's fraction bits, which are then dropped without a message. It opens x.
func (a *Arith) MulFine(op *flow.Op, x *Value, c *tensor.Array) *Value {
	if a.Fine(x) {
		return a.timesFine(op, x, c)
	}
	_, by, _ := a.factor(c)
	a.noteLost(op, c, by)
	if x.Scale <= a.Fraction || by <= 0 || x.Scale+by <= a.limit() && x.wide == nil {
		return a.MulPublic(op, x, c)
	}
	of := x
	switch {
	case x.wide != nil && x.Scale > a.limit():
		return a.MulPublic(op, x, c)
	case x.Scale > a.limit():
		x = a.rescaleTo(op, x, a.limit())
	}
	from := x // the multiplicand, in a wider ring
	var in func(r ring.Ring) mpc.Secret
	if len(x.factors) == 2 {
		a.Open(op, x.factors...)
		in = func(r ring.Ring) mpc.Secret { return a.ofFactors(op, x, r) }
	} else {
		if x.wide != nil {
			from = a.widen(op, x)
		}
		a.Open(op, from)
		in = func(r ring.Ring) mpc.Secret { return a.P.Max(op, r, from.S) }
	}
	times := func(r ring.Ring) mpc.Secret {
		m, _, bits := a.factorIn(c, r, a.Fraction)
		return a.P.Linear(op, maps.Times{By: m, Bits: bits}, in(r))
	}
	// A contraction times a factor of at most 1 is in the range of contractions. Other products have the range of values,
	// which x's scale may leave no room for.
	full := x.wide != nil || a.bits(x)+max(0, a.bitsOf(c))+x.Scale > a.Ring.Bits-2 && !(a.unproved(x) && atMostOne(c))
	room := from.Scale + by - x.Scale
	if full {
		room = from.Scale + by - a.Fraction
	}
	product := newValue(times(ring.Z(a.Ring.Bits+room)), x.Type, from.Scale+by)
	out := a.lowered(op, product, x.Scale).is(x.top+max(0, a.bitsOf(c)), true)
	if full {
		out.wide = func(*flow.Op) *Value { return product }
	}
	out.multiple = &multiple{of: of, by: c}
	return out
}

// atMostOne reports whether no element's magnitude is above 1.
func atMostOne(c *tensor.Array) bool {
	return !slices.ContainsFunc(c.Floats(), func(v float64) bool { return math.Abs(v) > 1 })
}

// unproved reports whether x is a contraction that only the rule about contractions keeps in its range.
func (a *Arith) unproved(x *Value) bool {
	return x.term && len(x.factors) == 0 && a.bits(x) >= ContractionBits(a.Ring, a.Fraction)
}

// openFactors reports whether x is the product of two open values.
func (a *Arith) openFactors(x *Value) bool {
	return len(x.factors) == 2 && x.factors[0].S.Opened() && x.factors[1].S.Opened()
}

// numerator returns y in the form in which it is divided: at its own scale of up to 2f or in the fine form, since small
// dividends have small divisors, in a ring in which it is right.
func (a *Arith) numerator(op *flow.Op, y *Value) *Value {
	switch {
	case !y.Type.DType.IsFloat() || y.Scale <= a.Fraction || a.Fine(y):
		return y
	case y.wide != nil:
		return a.fineOperand(op, y)
	case y.S.Ring().Bits < a.Ring.Bits, y.dropped != nil, y.reduced != nil: // another operation has opened what is left of it
		return a.drop(op, y)
	case y.Scale > a.limit():
		return a.rescaleTo(op, y, a.limit())
	}
	return y
}

// ratio returns y/x, or y/√x if root, for a numerator y at its own scale. The result is in x's ring, or in
// y's if that is wider.
func (a *Arith) ratio(op *flow.Op, y, x *Value, f mpc.Fixed, n mpc.Normal, root bool) mpc.Secret {
	s := x.S
	if y.S.Ring().Bits > s.Ring().Bits {
		a.Open(op, x)
		s = a.P.Max(op, ring.Z(max(128, y.S.Ring().Bits)), s)
	}
	return a.P.Divide(op, y.S, y.Scale, s, f, n, root)
}

// LargestSmallQuotient returns the magnitude up to which a quotient may have guard bits (QuotientSmall): 2^24, or less
// where the job's ring has no room for that.
func (a *Arith) LargestSmallQuotient() float64 {
	return math.Ldexp(1, min(24, ValueBits(a.Ring, a.Fraction+a.guard())-1))
}

// QuotientSmall returns y/x with guard bits, for quotients of at most LargestSmallQuotient. r is the range of x.
func (a *Arith) QuotientSmall(op *flow.Op, y, x *Value, r Range) *Value {
	if w := a.inFull(op, x, r); w != nil {
		return a.fineQuotient(op, y, w, r, false, true)
	}
	x, f := a.precise(op, x)
	y = a.numerator(op, y)
	f.Out += a.guard()
	return newValue(a.narrowed(op, a.ratio(op, y, x, f, a.normal(x, r), false)), x.Type, f.Out)
}

// precise returns the argument of a root, or a divisor, at its own scale if that is above the fraction and x
// is right in the job's ring.
func (a *Arith) precise(op *flow.Op, x *Value) (*Value, mpc.Fixed) {
	if x.Scale <= a.Fraction || !x.Type.DType.IsFloat() {
		return a.argument(op, x)
	}
	return x, mpc.Fixed{In: x.Scale, Out: a.Fraction}
}

// inFull returns the argument of a root, or a divisor, in a ring wider than the job's if that is needed: because x is
// in the fine form, or because it is right only modulo the job's ring and neither its range r nor its scale allow that.
// It returns nil otherwise.
func (a *Arith) inFull(op *flow.Op, x *Value, r Range) *Value {
	switch {
	case a.Fine(x):
		return x
	case x.wide == nil || !x.Type.DType.IsFloat() || a.small(r):
		return nil
	}
	w := a.fineOperand(op, x)
	if by := ValueBits(a.Ring, a.Fraction) + w.Scale + 1 - mostFineBits; by > 0 { // what there are tables for
		w = newValue(a.P.TruncateReduce(op, w.S, by), w.Type, w.Scale-by)
	}
	if full := a.fineRing(); w.S.Ring().Bits < full.Bits {
		a.Open(op, w)
		w = newValue(a.P.Max(op, full, w.S), w.Type, w.Scale)
	}
	return w
}

// small reports whether a value's range allows it to stay above the fraction.
func (a *Arith) small(r Range) bool { return r.Within(-a.besides(), a.besides()) }

// RootDivisor returns √x with guard bits, for use as a divisor. r is the range of x.
func (a *Arith) RootDivisor(op *flow.Op, x *Value, r Range) *Value {
	r.Lo = math.Max(r.Lo, 0)
	if w := a.inFull(op, x, r); w != nil {
		return a.fineRoot(op, w, 0.5, r)
	}
	if a.noisy(x) {
		r.Lo = -math.Ldexp(1, -a.Fraction)
	}
	x, f := a.precise(op, x)
	f.Out += a.guard()
	return newValue(a.P.Power(op, x.S, f, a.normal(x, r), 0.5), x.Type, f.Out)
}

// The fine form of a float is its integer at a scale of about 3f in a wider ring, which has room for the range
// of values. Products of which a root is taken later have it: the square of 2^(−f+2) is 2^(−2f+4), its moving
// average a thousandth of that, and the root of that average is right to several bits. The form is recognised by
// its ring and scale. Another value that has both represents the same number.

// mostFineBits is the number of bits of a magnitude in the fine form for which there are tables, less one for
// its sign.
const mostFineBits = 159

// FineForm returns the ring and the scale of the fine form (package comment) for jobs with ring r and the given
// number of fraction bits. The scale is at most three times that number.
func FineForm(r ring.Ring, fraction int) (fine ring.Ring, scale int) {
	if r.Bits <= 32 {
		return ring.Z(64), min(3*fraction, 33)
	}
	scale = min(3*fraction, max(54, 2*fraction+6), 64, mostFineBits-1-ValueBits(r, fraction))
	if r.Bits+scale-fraction > 128 {
		return ring.Z(mostFineBits + 1), scale
	}
	return ring.Z(128), scale
}

// SquareBits returns by how many bits the range of a square under a root exceeds the range of values, in jobs with ring r
// and the given number of fraction bits.
func SquareBits(r ring.Ring, fraction int) int {
	a := Arith{Ring: r, Fraction: fraction}
	if !a.hasFine() {
		return 0
	}
	fine, scale := FineForm(r, fraction)
	return max(0, ValueBits(fine, scale)-ValueBits(r, fraction))
}

// WidestRing returns the width in bits of the widest ring in which a float is stored, by jobs with ring r and the
// given number of fraction bits.
func WidestRing(r ring.Ring, fraction int) int {
	fine, _ := FineForm(r, fraction)
	return max(fine.Bits, r.Bits+5*fraction+2*extraBits)
}

func (a *Arith) fineRing() ring.Ring {
	r, _ := FineForm(a.Ring, a.Fraction)
	return r
}

func (a *Arith) fineScale() int {
	_, scale := FineForm(a.Ring, a.Fraction)
	return scale
}

// hasFine reports whether the fine form has more fraction bits than a product. With few fraction bits it has
// not; and with more than 32, floats are never that small.
func (a *Arith) hasFine() bool { return a.fineScale() > a.limit()+beyondLimit }

// Fine reports whether x is in the fine form: it has that ring and scale, and is right in that ring.
func (a *Arith) Fine(x *Value) bool {
	return x != nil && x.wide == nil && x.Type.DType.IsFloat() && a.hasFine() && x.Scale == a.fineScale() && x.S.Ring() == a.fineRing()
}

// coarseRange is the magnitude, in bits, up to which results of Coarse are right.
const coarseRange = 34

// coarseScale is the scale of results of Coarse.
func (a *Arith) coarseScale() int {
	return max(a.Fraction, min(a.limit(), ValueBits(a.Ring, 0)-coarseRange))
}

// Coarse returns a value in the fine form in the job's ring, at a scale of at most 2f, and less where magnitudes of
// 2^34 would not fit. It returns values in other forms unchanged.
func (a *Arith) Coarse(op *flow.Op, x *Value) *Value {
	if !a.Fine(x) {
		return x
	}
	if x.coarse == nil {
		x.coarse = a.lowered(op, x, a.coarseScale()).is(x.top, x.term)
		if x.coarse.Scale > a.Fraction { // a rescale of the result has the whole range
			x.coarse.wide = func(*flow.Op) *Value { return x }
		}
	}
	return x.coarse
}

// ToStore returns x as it is stored for a later execution: in the fine form if it has that, at its scale of up to 2f
// if small says that its magnitude is small, and at the fraction otherwise.
func (a *Arith) ToStore(op *flow.Op, x *Value, small bool) *Value {
	if a.Fine(x) || small && a.exact(x) {
		return x
	}
	return a.Rescale(op, x)
}

// narrowed returns s in the job's ring if its ring is wider.
func (a *Arith) narrowed(op *flow.Op, s mpc.Secret) mpc.Secret {
	if s.Ring().Bits > a.Ring.Bits {
		return a.P.Narrow(op, a.Ring, s)
	}
	return s
}

// ToFine returns a float in the fine form. It opens x.
func (a *Arith) ToFine(op *flow.Op, x *Value) *Value {
	if a.Fine(x) {
		return x
	}
	switch {
	case x.wide != nil && x.Scale <= a.fineScale():
		x = a.widen(op, x)
		if by := x.Scale - a.fineScale(); by > 0 {
			x = newValue(a.P.TruncateReduce(op, x.S, by), x.Type, a.fineScale())
		}
		if x.S.Ring().Bits > a.fineRing().Bits { // beside rings of 128 bits
			x = newValue(a.P.Narrow(op, a.fineRing(), x.S), x.Type, x.Scale)
		}
	case x.Scale > a.limit():
		x = a.rescaleTo(op, x, a.limit())
	}
	a.Open(op, x)
	return a.raise(op, newValue(a.P.Max(op, a.fineRing(), x.S), x.Type, x.Scale), a.fineScale())
}

// InputFine is Input in the fine form if floats have one. Numbers of the range of values fit there.
func (a *Arith) InputFine(op *flow.Op, owner int, t tensor.Type, arr func() *tensor.Array) *Value {
	if !a.hasFine() || !t.DType.IsFloat() {
		return a.Input(op, owner, t, arr)
	}
	r := a.fineRing()
	bound := min(r.Bits-2, ValueBits(a.Ring, a.Fraction)+a.fineScale())
	return newValue(a.P.Input(op, owner, r, t.Shape.Size(), bound, encoder(arr, t, r, a.fineScale())), t, a.fineScale())
}

// PublicFine returns a public array as a Value in the fine form.
func (a *Arith) PublicFine(op *flow.Op, c *tensor.Array) *Value {
	return newValue(a.P.Public(op, a.fineWords(op, c), a.fineRing().Bits-2), c.Type, a.fineScale())
}

// fineWords encodes a public array in the fine form.
func (a *Arith) fineWords(op *flow.Op, c *tensor.Array) ring.Vec {
	a.noteLost(op, c, a.fineScale())
	if op.Graph.DryRun() {
		return ring.ShapeOnly(a.fineRing(), c.Len())
	}
	return Encode(a.saturated(c), a.fineRing(), a.fineScale())
}

// ProductFine returns x·y, element by element, in the fine form if floats have one. It has the range of values.
func (a *Arith) ProductFine(op *flow.Op, x, y *Value) *Value {
	if !a.hasFine() || !x.Type.DType.IsFloat() {
		return a.Mul(op, a.Coarse(op, x), a.Coarse(op, y))
	}
	same := x == y
	x = a.fineOperand(op, x)
	if y = a.fineOperand(op, y); same {
		y = x
	}
	by := max(0, x.Scale+y.Scale-a.fineScale())
	s := a.P.Product(op, ring.Z(a.fineRing().Bits+by), maps.Elementwise{N: x.S.Len()}, x.S, y.S, 0)
	if by > 0 {
		s = a.P.TruncateReduce(op, s, by)
	}
	return a.raise(op, newValue(s, x.Type, x.Scale+y.Scale-by), a.fineScale())
}

// Square returns x·x as ProductFine does.
func (a *Arith) Square(op *flow.Op, x *Value) *Value { return a.ProductFine(op, x, x) }

// fineOperand returns x in a ring in which it is right, at its own scale, or in the fine form if that has a smaller scale.
func (a *Arith) fineOperand(op *flow.Op, x *Value) *Value {
	switch {
	case a.Fine(x) || x.Scale <= a.limit() && x.wide == nil:
		return x
	case x.wide == nil:
		return a.rescaleTo(op, x, a.limit())
	}
	if w := a.widen(op, x); w.Scale <= a.fineScale() || !a.hasFine() {
		return w
	}
	return a.ToFine(op, x)
}

// fineFactor is the number of bits of public factors of values in the fine form: more than a fraction, so
// that a moving average's factor near one stays right over many iterations.
const fineFactor = 30

// mostFineFactor is the largest scale of a public factor of a value in the fine form.
const mostFineFactor = 64

// timesFine returns x·c for x in the fine form, element by element: the product is made in a ring that is
// wider by c's fraction bits, which are then dropped. It opens x.
func (a *Arith) timesFine(op *flow.Op, x *Value, c *tensor.Array) *Value {
	c = a.saturated(c)
	by, bits := fineFactors(c)
	a.noteLost(op, c, by)
	if v, ok := c.Uniform(); ok && v == 1 {
		return x
	}
	wide := ring.Z(a.fineRing().Bits + by)
	a.Open(op, x)
	s := a.P.Linear(op, maps.Times{By: Encode(c, wide, by), Bits: bits}, a.P.Max(op, wide, x.S))
	if by > 0 {
		s = a.P.TruncateReduce(op, s, by)
	}
	return newValue(s, x.Type, x.Scale)
}

// fineFactors returns the scale at which an array of public factors of values in the fine form is encoded, and b such
// that its integers are below 2^b.
func fineFactors(c *tensor.Array) (scale, bits int) {
	most := 0.0
	for _, v := range c.Floats() {
		if !math.IsNaN(v) {
			most = math.Max(most, math.Abs(v))
		}
	}
	_, top := math.Frexp(most)
	scale = min(max(0, fineFactor-top), mostFineFactor)
	return scale, max(0, top+scale)
}

// SumFine returns Σ coef[i]·xs[i] for floats of which at least one is in the fine form. It opens the others.
func (a *Arith) SumFine(op *flow.Op, coef []int64, xs ...*Value) *Value {
	fine := make([]*Value, len(xs))
	for i, x := range xs {
		fine[i] = a.ToFine(op, x)
	}
	return a.linear(op, maps.Combine{N: xs[0].S.Len(), Coef: coef}, xs[0].Type.Shape, fine...)
}

// AddFine returns x + c for x in the fine form and a public array c of its shape.
func (a *Arith) AddFine(op *flow.Op, x *Value, c *tensor.Array) *Value {
	return newValue(a.P.AddPublic(op, x.S, a.fineWords(op, c), x.S.Ring().Bits-2), x.Type, x.Scale)
}

// MaxFine returns the larger of two floats of which at least one is in the fine form.
func (a *Arith) MaxFine(op *flow.Op, x, y *Value) *Value {
	x, y = a.ToFine(op, x), a.ToFine(op, y)
	return newValue(a.P.Max(op, x.S.Ring(), x.S, y.S), x.Type, x.Scale)
}

// SelectFine returns x where b is true and y elsewhere, at least one of them in the fine form.
func (a *Arith) SelectFine(op *flow.Op, b, x, y *Value) *Value {
	x, y = a.ToFine(op, x), a.ToFine(op, y)
	n := x.S.Len()
	if b.S.Len() != n {
		a.P.Open(op, b.S)
		b = boolean(a.P.Linear(op, maps.NewView(tensor.Broadcast(nil, nil, x.Type.Shape), 1), b.S), x.Type.Shape)
	}
	return newValue(a.P.Select(op, x.S.Ring(), b.S, x.S, y.S), x.Type, x.Scale)
}

// fineResult returns the formats of a function whose argument x is in the fine form and whose result has
// guard bits.
func (a *Arith) fineResult(x *Value, r Range) (mpc.Fixed, mpc.Normal) {
	n := mpc.Normal{Signed: r.Lo < 0, Width: ValueBits(a.Ring, a.Fraction) + x.Scale}
	if top := math.Max(math.Abs(r.Lo), math.Abs(r.Hi)); !math.IsInf(top, 0) {
		_, e := math.Frexp(top)
		n.Width = min(n.Width, max(1, e+1+x.Scale))
	}
	return mpc.Fixed{In: x.Scale, Out: a.Fraction + a.guard()}, n
}

// fineRoot returns x^c with guard bits in the job's ring, for x in the fine form and |c| ≤ ½ or c = −1; of a negative
// x, which r must include, it returns −|x|^c.
func (a *Arith) fineRoot(op *flow.Op, x *Value, c float64, r Range) *Value {
	if _, ok := mpc.As[mpc.Rounder](a.P); ok && c > 0 { // a value of 0 may be negative by roundings
		r.Lo = math.Min(r.Lo, -math.Ldexp(1, -x.Scale))
	}
	f, n := a.fineResult(x, r)
	out := newValue(a.narrowed(op, a.P.Power(op, x.S, f, n, c)), x.Type, f.Out)
	if out.root = c > 0; out.root {
		out.top = a.rootBits()
	}
	return out
}

// rootBits returns b such that roots of values are below 2^b.
func (a *Arith) rootBits() int { return (ValueBits(a.Ring, a.Fraction)+1)/2 + 1 }

// fineQuotient returns y/x, or y/√x if root, for x in the fine form, as QuotientRows does. It has guard bits
// if small, as a quotient by a root is.
func (a *Arith) fineQuotient(op *flow.Op, y, x *Value, r Range, root, small bool) *Value {
	f, n := a.fineResult(x, r)
	y = a.numerator(op, y)
	out := newValue(a.ratio(op, y, x, f, n, root), y.Type, f.Out)
	if root || small {
		out.S = a.narrowed(op, out.S)
		return out
	}
	return a.lowered(op, out, a.Fraction)
}

// divisor returns x, of range r, as a quotient takes it, with the formats of the function: in the fine form if x has digits there.
func (a *Arith) divisor(op *flow.Op, x *Value, r Range) (*Value, mpc.Fixed, mpc.Normal) {
	if w := a.inFull(op, x, r); w != nil {
		f, n := a.fineResult(w, r)
		return w, f, n
	}
	x, f := a.precise(op, x)
	return x, f, a.normal(x, r)
}

// QuotientFine returns y/x, or y/√x if root, in the fine form, as QuotientRows does. Its digits end at a scale of 2f.
func (a *Arith) QuotientFine(op *flow.Op, y, x *Value, r Range, root bool) *Value {
	if root {
		r.Lo = 0
	}
	x, f, n := a.divisor(op, x, r)
	f.Out = a.limit()
	if full := a.fineRing(); x.S.Ring().Bits < full.Bits {
		a.Open(op, x)
		x = newValue(a.P.Max(op, full, x.S), x.Type, x.Scale)
	}
	y = a.numerator(op, y)
	s := a.ratio(op, y, x, f, n, root)
	if full := a.fineRing(); s.Ring().Bits > full.Bits {
		s = a.P.Narrow(op, full, s)
	}
	return a.raise(op, newValue(s, y.Type, f.Out), a.fineScale())
}

// HasFine reports whether floats have a fine form.
func (a *Arith) HasFine() bool { return a.hasFine() }

// Small reports whether x, which is no contraction, has digits below the fraction: it is in the fine form, or an
// elementwise product or multiple that is right only modulo the job's ring.
func (a *Arith) Small(x *Value) bool {
	return a.Fine(x) || a.hasFine() && x.Type.DType.IsFloat() && x.wide != nil
}

// ContractFine returns the bilinear map b of x and y, in the given shape and in the fine form, which floats must have.
// It opens both.
func (a *Arith) ContractFine(op *flow.Op, b maps.Bilinear, shape tensor.Shape, x, y *Value) *Value {
	x, y = a.fineOperand(op, x), a.fineOperand(op, y)
	by := max(0, x.Scale+y.Scale-a.fineScale())
	wide := ring.Z(a.fineRing().Bits + by)
	lifted := func(v *Value) mpc.Secret {
		a.Open(op, v)
		return a.P.Max(op, wide, v.S)
	}
	s := a.P.Product(op, wide, b, lifted(x), lifted(y), 0)
	if by > 0 {
		s = a.P.TruncateReduce(op, s, by)
	}
	t := tensor.Type{DType: x.Type.DType, Shape: shape}
	return a.raise(op, newValue(s, t, x.Scale+y.Scale-by), a.fineScale())
}

// ContractFinePublic returns b(x, c), or b(c, x) if left, for x in the fine form and a public array c, in the given shape
// and in the fine form. It opens x.
func (a *Arith) ContractFinePublic(op *flow.Op, b maps.Bilinear, shape tensor.Shape, x *Value, c *tensor.Array, left bool) *Value {
	c = a.saturated(c)
	by, bits := fineFactors(c)
	a.noteLost(op, c, by)
	more := maps.CeilLog2(b.Terms())
	wide := ring.Z(a.fineRing().Bits + by + more)
	a.Open(op, x)
	s := a.P.Linear(op, maps.With{B: b, Public: Encode(c, wide, by), Right: !left, Bits: bits + more}, a.P.Max(op, wide, x.S))
	if by > 0 {
		s = a.P.TruncateReduce(op, s, by)
	}
	if more > 0 {
		s = a.P.Narrow(op, a.fineRing(), s)
	}
	return newValue(s, tensor.Type{DType: x.Type.DType, Shape: shape}, x.Scale)
}

// MulSmall returns x·y where one factor may be small, or is a reciprocal root that is as large as the other
// is small. If the larger scale is above the fraction, both factors keep their scales and the product has
// guard bits. It opens both.
func (a *Arith) MulSmall(op *flow.Op, x, y *Value) *Value {
	if x.Scale <= a.Fraction {
		x, y = y, x
	}
	scale := a.Fraction + a.guard()
	by, most := x.Scale+y.Scale-scale, a.limit()+beyondLimit
	if x == y || by <= 0 || x.Scale+y.Scale <= a.limit() || x.Scale <= a.Fraction || max(x.Scale, y.Scale) > most ||
		x.wide != nil && !a.openFactors(x) ||
		y.wide != nil {
		return a.Mul(op, x, y)
	}
	n, s := x.S.Len(), x.S
	if a.openFactors(x) { // in a ring that has room for the range of values
		s = a.ofFactors(op, x, ring.Z(a.Ring.Bits+x.Scale-a.Fraction))
	}
	wide := newValue(
		a.P.Product(op, ring.Z(a.Ring.Bits+x.Scale+y.Scale-a.Fraction), maps.Elementwise{N: n}, s, y.S, 0),
		x.Type,
		x.Scale+y.Scale,
	)
	top := a.bits(x) + a.bits(y) // the bound of a result that is narrowed to its ring says nothing
	out := a.lowered(op, wide, scale).is(x.top+y.top, true)
	if top+scale > a.Ring.Bits-2 {
		out.wide = func(*flow.Op) *Value { return wide }
	}
	return out
}

// AddSmall returns x + c for a public array c of small numbers, whose bits below the fraction matter; r is the range
// of x. The sum has the scale 2f if c has significant bits below x's scale and either r fits there or x is a root.
func (a *Arith) AddSmall(op *flow.Op, x *Value, c *tensor.Array, r Range) *Value {
	units := 1024.
	if x.Scale > a.Fraction { // x has guard bits, and is mostly far above c
		units = 2
	}
	switch {
	case !x.Type.DType.IsFloat() || !below(c, math.Ldexp(units, -x.Scale)):
	case x.root || r.Within(-a.besides(), a.besides()):
		a.Within(x, r)
		x = a.raise(op, x, a.limit())
	case x.Scale <= a.Fraction && a.hasFine() && below(c, math.Ldexp(fewUnits, -x.Scale)) && !below(c, math.Ldexp(1, -a.coarseScale())):
		return a.AddFine(op, a.ToFine(op, x), c) // the fine form has room for all values
	}
	return a.AddPublic(op, x, c)
}

// fewUnits is the size of c in units of 2^−f below which AddSmall uses the fine form.
const fewUnits = 16

// below reports whether a public array has an element other than 0 that is smaller than size, and none of 1
// or more.
func below(c *tensor.Array, size float64) bool {
	small := false
	for _, v := range c.Floats() {
		v = math.Abs(v)
		if v >= 1 {
			return false
		}
		small = small || v > 0 && v < size
	}
	return small
}

// exact reports whether comparisons may take x at its own scale of up to 2f: x is a contraction, not a
// product that is right over the whole range only after a rescale.
func (a *Arith) exact(x *Value) bool {
	return x.Scale > a.Fraction && x.Scale <= a.limit() && x.wide == nil && x.S.Ring() == a.Ring
}

// MaxExact is Max for floats at their own scales, instead of at the fraction.
func (a *Arith) MaxExact(op *flow.Op, x, y *Value) *Value {
	if !a.exact(x) || !a.exact(y) {
		return a.Max(op, x, y)
	}
	in := a.commonScale(op, false, x, y)
	return beside(newValue(a.P.Max(op, a.Ring, in[0].S, in[1].S), x.Type, in[0].Scale), in...)
}

// ReluExact is Relu for a float at its own scale.
func (a *Arith) ReluExact(op *flow.Op, x *Value) *Value {
	if !a.exact(x) {
		return a.Relu(op, x)
	}
	return newValue(a.P.Relu(op, a.Ring, x.S), x.Type, x.Scale).is(x.top, x.term)
}

// AbsExact returns |x| at x's present scale, without rescaling x. A product of opened values, whose range
// needs more bits, is first converted to the fine form (package comment, Precision).
func (a *Arith) AbsExact(op *flow.Op, x *Value) *Value {
	if a.hasFine() && len(x.factors) == 2 && x.Scale > a.Fraction && x.Scale <= a.fineScale() {
		x = a.raise(op, newValue(a.ofFactors(op, x, a.fineRing()), x.Type, x.Scale), a.fineScale())
	}
	if a.Fine(x) {
		y := a.SumFine(op, []int64{-1}, x)
		y = newValue(a.P.Relu(op, y.S.Ring(), y.S), y.Type, y.Scale)
		return a.SumFine(op, []int64{1, 2}, x, y)
	}
	if !a.exact(x) {
		return a.Abs(op, x)
	}
	return a.Combine(op, []int64{1, 2}, x, a.ReluExact(op, a.Neg(op, x))).like(x)
}
