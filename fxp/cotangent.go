package fxp

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// A cotangent is a value of a backward pass whose gradients an optimiser divides by
// their own size (package hlo/pattern). Its last places count, since a gradient of
// 2^−16 moves a parameter as far as a gradient of 1 does. A cotangent therefore has
// guard bits: a scale of f + g where other values are rounded to f. An elementwise
// result with guard bits is right over the whole range of values, as it is computed
// in a ring that is wider by g bits (Value.wide). A contraction of a cotangent c is
// the sum of two contractions in the job's ring: of c rounded to f, which has the range of
// all contractions, and of what that rounding left, which is a small number.
// Rejected: one contraction in a ring of k + g bits, for which the other operand,
// an activation or a weight, would have to be opened again in that ring. The second
// contraction wraps if the other operand's magnitudes add up to 2^(k−2−f−g) or more
// (2^34 at k = 64, f = 18); it is off by up to 2^(k−2f−g) then (2^18), about as much as
// rounding such an operand's cotangents to f would cost.

// mostGuard is the largest scale f + g of a cotangent with guard bits: at that scale a gradient of 2^−16 has
// a relative error of at most 2^−10.
const mostGuard = 28

// fewestGuard is the smallest number of guard bits that is worth its cost.
const fewestGuard = 4

// Guard returns g, the number of guard bits of a cotangent. It is 0 in rings below 64 bits, which leave no room, and
// where the fraction is so long that none are needed.
func (a *Arith) Guard() int {
	g := min(extraBits, mostGuard-a.Fraction, a.Fraction)
	if g < fewestGuard || a.Ring.Bits < 64 || ContractionBits(a.Ring, a.Fraction) < extraBits {
		return 0
	}
	return g
}

// rightGradient is the number of bits by which a gradient must exceed the last place of cotangents, so that its quotient
// by its own size is right to a hundredth.
const rightGradient = 6

// LeastGradient returns the magnitude below which gradients are not represented well enough to be divided by their own
// size, and what to set for smaller ones.
func (a *Arith) LeastGradient() (least float64, remedy string) {
	least = math.Ldexp(1, rightGradient-a.guardScale())
	if most := 36; a.Ring.Bits < 128 || a.guardScale() < most {
		return least, fmt.Sprintf("set ring: 128 and fraction: %d for those down to %.2g", most, math.Ldexp(1, rightGradient-most))
	}
	return least, "multiply the loss by a factor"
}

// guardScale is the scale of a cotangent, f + g.
func (a *Arith) guardScale() int { return a.Fraction + a.Guard() }

// Guarded returns x as an operand of elementwise operations on cotangents: at a scale of at most f + g (Guard), in a
// ring in which it is right. The result is memoised.
func (a *Arith) Guarded(op *flow.Op, x *Value) *Value {
	x = a.Coarse(op, x)
	by := x.Scale - a.guardScale()
	switch {
	case x.Scale <= a.Fraction || x.wide == nil && by <= 0:
		return x
	case x.guarded != nil:
	case x.wide != nil:
		w := a.widen(op, x)
		if by = w.Scale - a.guardScale(); by > 0 {
			w = newValue(a.P.TruncateReduce(op, w.S, by), x.Type, a.guardScale())
		}
		if r := a.ringAt(w.Scale); w.S.Ring().Bits > r.Bits { // such as a multiple of the fine form
			w = newValue(a.P.Narrow(op, r, w.S), x.Type, w.Scale)
		}
		x.guarded = w.is(x.top, x.term)
	case x.S.Opened() || a.openFactors(x):
		x.guarded = a.rescaleTo(op, x, a.guardScale())
	default:
		x.guarded = newValue(a.P.TruncateReduce(op, x.S, by), x.Type, a.guardScale()).is(x.top, x.term)
	}
	return x.guarded
}

// guardedResult wraps the result s at the given scale, in a ring that is wider than the job's by the bits of
// that scale above the fraction. Scales above f + g are truncated to f + g.
func (a *Arith) guardedResult(op *flow.Op, s mpc.Secret, t tensor.Type, scale int) *Value {
	if by := scale - a.guardScale(); by > 0 {
		s, scale = a.P.TruncateReduce(op, s, by), a.guardScale()
	}
	out := newValue(a.inRing(op, s), t, scale)
	if scale <= a.Fraction {
		return out
	}
	wide := newValue(s, t, scale)
	out.wide = func(*flow.Op) *Value { return wide }
	return out
}

// inRing returns s in the job's ring.
func (a *Arith) inRing(op *flow.Op, s mpc.Secret) mpc.Secret {
	if s.Ring().Bits < a.Ring.Bits {
		a.P.Open(op, s)
		return a.P.Max(op, a.Ring, s)
	}
	return a.narrowed(op, s)
}

// ringAt returns the ring in which values of a scale have their whole range.
func (a *Arith) ringAt(scale int) ring.Ring { return ring.Z(a.Ring.Bits + max(0, scale-a.Fraction)) }

// atScale returns x, a result of Guarded, at a scale that is not below x's, in the ring of that scale. It
// opens x unless x already has both.
func (a *Arith) atScale(op *flow.Op, x *Value, scale int) mpc.Secret {
	r, s := a.ringAt(scale), x.S
	if s.Ring() != r {
		a.Open(op, x)
		s = a.P.Max(op, r, s)
	}
	if scale > x.Scale {
		s = a.P.Linear(op, maps.Shift{N: s.Len(), By: scale - x.Scale}, s)
	}
	return s
}

// anyGuarded reports whether one of the values has a scale above the fraction.
func (a *Arith) anyGuarded(xs ...*Value) bool {
	for _, x := range xs {
		if x.Scale > a.Fraction {
			return true
		}
	}
	return false
}

// MulGuarded returns x·y for a cotangent.
func (a *Arith) MulGuarded(op *flow.Op, x, y *Value) *Value {
	if !a.anyGuarded(x, y) {
		return a.Mul(op, x, y)
	}
	top, term := x.top+y.top, true
	x, y = a.Guarded(op, x), a.Guarded(op, y)
	scale := x.Scale + y.Scale
	s := a.P.Product(op, a.ringAt(scale), maps.Elementwise{N: x.S.Len()}, x.S, y.S, 0)
	return a.guardedResult(op, s, x.Type, scale).is(top, term)
}

// TimesGuarded returns x·c for a cotangent and a public array.
func (a *Arith) TimesGuarded(op *flow.Op, x *Value, c *tensor.Array) *Value {
	if !a.anyGuarded(x) {
		return a.MulPublic(op, x, c)
	}
	c = a.saturated(c)
	m, by, bits := a.factorIn(c, a.Ring, a.Fraction)
	a.noteLost(op, c, by)
	if v, ok := same(m); ok && by >= 0 && (v == 1 || v == -1) { // only the scale changes
		return a.scaled(op, a.Combine(op, []int64{v}, x), by)
	}
	if by > 0 && integers(c) {
		by = -1 // its integer is not scaled
	}
	top, term := x.top+a.bitsOf(c), x.term || by > 0
	x = a.Guarded(op, x)
	r := a.ringAt(x.Scale + max(0, by))
	if by >= 0 {
		m, _, bits = a.factorIn(c, r, a.Fraction)
	} else { // large integers
		m, by, bits = Encode(c, r, 0), 0, max(0, a.bitsOf(c))
	}
	a.Open(op, x)
	s := a.P.Linear(op, maps.Times{By: m, Bits: bits}, a.P.Max(op, r, x.S))
	return a.guardedResult(op, s, x.Type, x.Scale+by).is(top, term)
}

// TimesUpdate returns x·c for an update or a parameter, and a public array. A sum is rounded to the fraction first, as
// its other readers need it: mostly c is small, so that the product is precise. A multiple of an update is not rounded.
func (a *Arith) TimesUpdate(op *flow.Op, x *Value, c *tensor.Array) *Value {
	if x.multiple != nil {
		return a.TimesGuarded(op, x, c)
	}
	return a.MulFine(op, a.proper(op, x), c)
}

// scaled returns x·2^(−by) without loss of precision: it changes the scale only.
func (a *Arith) scaled(op *flow.Op, x *Value, by int) *Value {
	out := newValue(x.S, x.Type, x.Scale+by).is(x.top-by, x.term)
	if x.wide != nil {
		out.wide = func(op *flow.Op) *Value {
			w := a.widen(op, x)
			return newValue(w.S, w.Type, w.Scale+by)
		}
	}
	return out
}

// perElement returns b, which has one element or as many as x, with as many elements as x.
func (a *Arith) perElement(op *flow.Op, b, x *Value) *Value {
	if b.S.Len() == x.S.Len() {
		return b
	}
	a.P.Open(op, b.S)
	return boolean(a.P.Linear(op, maps.NewView(tensor.Broadcast(nil, nil, x.Type.Shape), 1), b.S), x.Type.Shape)
}

// KeptGuarded returns the cotangent x where b is true, and 0 elsewhere.
func (a *Arith) KeptGuarded(op *flow.Op, b, x *Value) *Value {
	b = a.perElement(op, b, x)
	if !a.anyGuarded(x) {
		return a.Kept(op, b, x)
	}
	top, term := x.top, x.term
	x = a.Guarded(op, x)
	r := a.ringAt(x.Scale)
	s := a.P.Select(op, r, b.S, x.S, a.P.Public(op, a.zeroVec(op, r, x.S.Len()), 0))
	return a.guardedResult(op, s, x.Type, x.Scale).is(top, term)
}

// SelectGuarded returns x where b is true and y elsewhere, for cotangents.
func (a *Arith) SelectGuarded(op *flow.Op, b, x, y *Value) *Value {
	if !a.anyGuarded(x, y) {
		return a.Select(op, b, x, y)
	}
	top, term := max(x.top, y.top), x.term && y.term
	x, y = a.Guarded(op, x), a.Guarded(op, y)
	scale := max(x.Scale, y.Scale)
	s := a.P.Select(op, a.ringAt(scale), a.perElement(op, b, x).S, a.atScale(op, x, scale), a.atScale(op, y, scale))
	return a.guardedResult(op, s, x.Type, scale).is(top, term)
}

// CombineGuarded returns Σ coef[i]·xs[i] for cotangents and public coefficients.
func (a *Arith) CombineGuarded(op *flow.Op, coef []int64, xs ...*Value) *Value {
	scale := 0
	for _, x := range xs {
		scale = max(scale, x.Scale)
	}
	if len(xs) == 1 || scale <= a.Fraction || a.scaleFits(scale, true, xs) {
		return a.Combine(op, coef, xs...)
	}
	scale = 0
	term := true
	in, s := make([]*Value, len(xs)), make([]mpc.Secret, len(xs))
	for i, x := range xs {
		in[i] = a.Guarded(op, x)
		scale, term = max(scale, in[i].Scale), term && x.term
	}
	for i, x := range in {
		s[i] = a.atScale(op, x, scale)
	}
	sum := a.P.Linear(op, maps.Combine{N: s[0].Len(), Coef: coef}, s...)
	return a.summedTop(a.guardedResult(op, sum, xs[0].Type, scale), coef, xs).is(unbounded, term)
}

// AddPublicGuarded returns x + c for a cotangent and a public array.
func (a *Arith) AddPublicGuarded(op *flow.Op, x *Value, c *tensor.Array) *Value {
	top := a.bitsOf(c)
	if v, ok := c.Uniform(); ok && v == 0 || !a.anyGuarded(x) || a.addable(x, top) {
		return a.AddPublic(op, x, c)
	}
	g := a.Guarded(op, x)
	r := a.ringAt(g.Scale)
	words := ring.ShapeOnly(r, c.Len())
	if !op.Graph.DryRun() {
		words = Encode(a.saturated(c), r, g.Scale)
	}
	s := a.P.AddPublic(op, a.atScale(op, g, g.Scale), words, r.Bits-2)
	return a.guardedResult(op, s, x.Type, g.Scale).is(max(x.top, top)+1, false)
}

// AddKnownGuarded is AddLocal for a cotangent.
func (a *Arith) AddKnownGuarded(op *flow.Op, x *Value, owner int, r Range, c func() *tensor.Array) *Value {
	known := &Value{Type: x.Type, Scale: a.Fraction, top: unbounded}
	a.Within(known, r)
	if !a.anyGuarded(x) || a.addable(x, known.top) {
		return a.AddLocal(op, x, owner, r, c)
	}
	g := a.Guarded(op, x)
	s := a.atScale(op, g, g.Scale)
	if s.Opened() {
		y := a.P.Input(op, owner, s.Ring(), s.Len(), s.Ring().Bits-2, encoder(c, x.Type, s.Ring(), g.Scale))
		s = a.P.Linear(op, maps.Combine{N: s.Len(), Coef: []int64{1, 1}}, s, y)
	} else {
		s = a.P.AddLocal(op, s, owner, encoder(c, x.Type, s.Ring(), g.Scale))
	}
	return a.guardedResult(op, s, x.Type, g.Scale).is(max(x.top, known.top)+1, false)
}

// InputGuarded is Input for a cotangent.
func (a *Arith) InputGuarded(op *flow.Op, owner int, t tensor.Type, arr func() *tensor.Array) *Value {
	scale := a.guardScale()
	r := a.ringAt(scale)
	s := a.P.Input(op, owner, r, t.Shape.Size(), r.Bits-2, encoder(arr, t, r, scale))
	return a.guardedResult(op, s, t, scale)
}

// SumGuarded is Sum for a cotangent.
func (a *Arith) SumGuarded(op *flow.Op, x *Value, outer, reduced, inner int, shape tensor.Shape) *Value {
	return a.summandGuarded(op, x, reduced, maps.Sum{Outer: outer, Reduced: reduced, Inner: inner}, shape)
}

// GatherSumGuarded is GatherSum for a cotangent.
func (a *Arith) GatherSumGuarded(op *flow.Op, x *Value, g maps.Gathered, shape tensor.Shape) *Value {
	return a.summandGuarded(op, x, max(1, g.Terms), g, shape)
}

// summandGuarded applies a map whose outputs are sums of at most terms elements of x. A sum of values that
// are no contractions has the range of values.
func (a *Arith) summandGuarded(op *flow.Op, x *Value, terms int, m maps.Linear, shape tensor.Shape) *Value {
	if x.wide == nil || x.term && x.Scale <= a.limit() {
		return a.summand(op, x, terms, func(x *Value) *Value { return a.linear(op, m, shape, x) })
	}
	g := a.Guarded(op, x)
	s := a.P.Linear(op, m, g.S)
	out := a.guardedResult(op, s, tensor.Type{DType: x.Type.DType, Shape: shape}, g.Scale)
	return out.is(x.top+maps.CeilLog2(terms), x.term)
}

// ViewGuarded is View of several operands for a cotangent.
func (a *Arith) ViewGuarded(op *flow.Op, v tensor.View, xs ...*Value) *Value {
	if len(xs) == 1 || !a.anyGuarded(xs...) {
		return a.View(op, v, xs...)
	}
	scale := 0
	in, s, lens := make([]*Value, len(xs)), make([]mpc.Secret, len(xs)), make([]int, len(xs))
	for i, x := range xs {
		in[i] = a.Guarded(op, x)
		scale = max(scale, in[i].Scale)
	}
	for i, x := range in {
		s[i] = a.atScale(op, x, scale)
		lens[i] = s[i].Len()
	}
	t := tensor.Type{DType: xs[0].Type.DType, Shape: v.Shape}
	return beside(a.guardedResult(op, a.P.Linear(op, maps.NewView(v, lens...), s...), t, scale), xs...)
}

// QuotientGuarded returns y/x for a cotangent y, in a ring that has room for guard bits. r is the range of x.
func (a *Arith) QuotientGuarded(op *flow.Op, y, x *Value, r Range) *Value {
	x, f, n := a.divisor(op, x, r)
	f.Out = a.guardScale()
	y = a.Guarded(op, y)
	a.Open(op, x, y)
	wide := a.P.Max(op, ring.Z(max(128, a.ringAt(f.Out).Bits, y.S.Ring().Bits)), x.S)
	s := a.P.Divide(op, y.S, y.Scale, wide, f, n, false)
	return a.guardedResult(op, a.P.Narrow(op, a.ringAt(f.Out), s), y.Type, f.Out)
}

// SplitScale splits a cotangent into its rounding to the fraction and the rest in units of 2^(−by): x = high +
// low·2^(−by), both at the fraction. low is nil, and high is x, if x's scale is not above the fraction.
func (a *Arith) SplitScale(op *flow.Op, x *Value) (high, low *Value, by int) {
	if !x.Type.DType.IsFloat() || a.Fine(x) || x.Scale <= a.Fraction {
		return x, nil, 0
	}
	if x.low == nil {
		high, full := a.Rescale(op, x), x
		switch {
		case x.wide != nil:
			g := a.Guarded(op, x)
			full = newValue(a.inRing(op, g.S), x.Type, g.Scale)
		case x.Scale > a.guardScale():
			full = a.rescaleTo(op, x, a.guardScale())
		}
		x.lowBy = full.Scale - a.Fraction
		if x.lowBy <= 0 {
			return high, nil, 0
		}
		m := maps.Combine{N: x.S.Len(), Coef: []int64{1, -1 << x.lowBy}}
		x.low = newValue(a.P.Linear(op, m, full.S, high.S), x.Type, a.Fraction).is(x.lowBy+2-a.Fraction, true)
	}
	return a.Rescale(op, x), x.low, x.lowBy
}

// JoinScale returns high + low·2^(−by), the inverse of SplitScale after a linear map f: of f(high) and f(low) it makes
// f(high + low·2^(−by)).
func (a *Arith) JoinScale(op *flow.Op, high, low *Value, by int) *Value {
	low = newValue(low.S, low.Type, low.Scale+by)
	if more := low.Scale - max(high.Scale, a.limit()); more > 0 {
		low = a.rescaleTo(op, low, low.Scale-more)
	}
	scale := max(high.Scale, low.Scale)
	in := []*Value{a.raise(op, high, scale), a.raise(op, low, scale)}
	out := a.linear(op, maps.Combine{N: high.S.Len(), Coef: []int64{1, 1}}, high.Type.Shape, in...)
	return out.is(high.top, high.term)
}
