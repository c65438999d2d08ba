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

// Floats in a ring of k bits with f fraction bits have two ranges. Values are below 2^(k−2−f) in magnitude.
// Contractions (dots, convolutions, sums and chains of products before they are rescaled) are below
// 2^(k−2−2f). Users are told about the second range. Where they cannot expect it, no operation is narrower
// than the first: an operand that may not fit at a product's scale is combined with the product once that is
// rescaled, and an elementwise product or a multiple that may not fit at its own scale is recomputed in a
// wider ring (Value.wide).

// ValueBits returns b such that floats must be below 2^b in magnitude, in ring r with the given number of fraction
// bits.
func ValueBits(r ring.Ring, fraction int) int { return r.Bits - 2 - fraction }

// ContractionBits returns b such that a contraction must be below 2^b in magnitude before it is rescaled, for floats
// in ring r with the given number of fraction bits.
func ContractionBits(r ring.Ring, fraction int) int { return r.Bits - 2 - 2*fraction }

// Usual lists the widths in bits of the rings that a job may choose for floats, the narrowest first, each with the
// number of fraction bits that a job has unless it sets that.
var Usual = []struct{ Bits, Fraction int }{{32, 8}, {64, 18}, {128, 26}}

// UsualFraction returns the default number of fraction bits of floats in a ring of the given width in bits; ok is
// false if jobs cannot use that ring.
func UsualFraction(bits int) (fraction int, ok bool) {
	for _, u := range Usual {
		if u.Bits == bits {
			return u.Fraction, true
		}
	}
	return 0, false
}

// headroom is the number of bits by which a number must be below the range of contractions to be added to a
// contraction that is not rescaled.
const headroom = 2

// unbounded is the top of a value without a known bound.
const unbounded = 1 << 20

// is sets top and term of a new value; see Value.
func (x *Value) is(top int, term bool) *Value {
	x.top, x.term = min(x.top, top), term
	return x
}

// contraction marks a new value as a contraction whose magnitude is below 2^top as far as is known, and calls
// Unproved if that may not fit.
func (a *Arith) contraction(op *flow.Op, x *Value, top int) *Value {
	most := min(ContractionBits(a.Ring, a.Fraction), a.Ring.Bits-2-x.Scale)
	if top > most && a.Unproved != nil {
		a.Unproved(op.Where(), math.Ldexp(1, most))
	}
	return x.is(min(top, most), true)
}

// bits returns b such that x is below 2^b in magnitude.
func (a *Arith) bits(x *Value) int {
	return min(x.top, x.S.Bound()-x.Scale, ValueBits(a.Ring, a.Fraction))
}

// bitsOf returns b such that a public array is below 2^b in magnitude once it is encoded.
func (a *Arith) bitsOf(c *tensor.Array) int {
	if !c.DType.IsFloat() {
		return unbounded
	}
	most := 0.0
	for _, v := range c.Floats() {
		most = math.Max(most, math.Abs(v)) // NaN becomes 0
	}
	return bitsOfNumber(math.Min(most, a.Largest()))
}

// bitsOfNumber returns the least b such that max(v, 2^−40) < 2^b, for v ≥ 0.
func bitsOfNumber(v float64) int {
	_, e := math.Frexp(math.Max(v, 0x1p-40))
	return e
}

// Saturated returns the magnitude to which public values outside of the range of values saturate: half of the end of
// that range, so that differences to it fit.
func (a *Arith) Saturated() float64 { return math.Ldexp(1, ValueBits(a.Ring, a.Fraction)-1) }

// Largest returns (1 − 2^−40)·2^ValueBits: the end of the range of values, less a margin.
func (a *Arith) Largest() float64 {
	most := math.Ldexp(1, ValueBits(a.Ring, a.Fraction))
	return most - math.Ldexp(most, -40)
}

// Within records that all elements of the float x lie in the range r, which must follow from the program's text.
func (a *Arith) Within(x *Value, r Range) {
	most := math.Max(math.Abs(r.Lo), math.Abs(r.Hi))
	if !x.Type.DType.IsFloat() || math.IsInf(most, 0) {
		return
	}
	top := bitsOfNumber(most + math.Ldexp(1, -min(x.Scale, a.Fraction))) // a unit for roundings
	x.top = min(x.top, top)
	if p, ok := mpc.As[mpc.Bounder](a.P); ok && x.S != nil && x.wide == nil {
		p.Bounded(x.S, max(top+x.Scale, errorBits+x.Scale-a.Fraction)+1)
	}
}

// errorBits bounds the integers of small numbers in Within: r holds for exact arithmetic, and the errors of an operation may
// be many units where r is narrow. Where r is wide, the bit that Within adds has room for them: errors are smaller than r.
const errorBits = 10

// besides is the magnitude from which on a number is not added to a contraction before that is rescaled.
func (a *Arith) besides() float64 {
	return math.Ldexp(1, ContractionBits(a.Ring, a.Fraction)-headroom)
}

// Beside returns the bound below which a number's magnitude must lie so that it may be added to the contraction x
// before x is rescaled.
func (a *Arith) Beside(x *Value) float64 {
	return math.Ldexp(1, min(ContractionBits(a.Ring, a.Fraction), a.Ring.Bits-2-x.Scale)-headroom) - 1
}

// Contracted reports whether x is a contraction, or a linear combination of contractions, that has not been rescaled.
func (a *Arith) Contracted(x *Value) bool {
	return x.Type.DType.IsFloat() && x.Scale > a.Fraction && x.Contraction()
}

// tooLarge reports whether a public array has elements that are too large to be added to a contraction that
// is not rescaled.
func (a *Arith) tooLarge(c *tensor.Array) bool {
	return c.DType.IsFloat() && slices.ContainsFunc(c.Floats(), func(v float64) bool { return math.Abs(v) >= a.besides() })
}

// commonScale brings floats or integers to one scale, to be summed (sum) or to be concatenated or compared.
// They stay above the fraction only where that fits: as terms of a sum, which is a contraction then, or if
// they are known to be small enough at the largest scale. Otherwise all are rescaled first.
func (a *Arith) commonScale(op *flow.Op, sum bool, xs ...*Value) []*Value {
	scale := 0
	for i, x := range xs {
		if i == 0 || x.Scale > scale {
			scale = x.Scale
		}
	}
	out := slices.Clone(xs)
	if xs[0].Type.DType.IsFloat() && scale > a.Fraction && !a.scaleFits(scale, sum, xs) {
		scale = a.Fraction
		for i, x := range out {
			out[i] = a.Rescale(op, x)
		}
	}
	for i, x := range out {
		out[i] = a.raise(op, x, scale)
	}
	return out
}

// scaleFits reports whether values may be combined at the given scale, the largest of theirs.
func (a *Arith) scaleFits(scale int, sum bool, xs []*Value) bool {
	if scale > a.limit()+beyondLimit {
		return false
	}
	if sum && len(xs) > 1 && scale <= a.limit() && !slices.ContainsFunc(xs, func(x *Value) bool { return !x.term }) {
		return true
	}
	return !slices.ContainsFunc(xs, func(x *Value) bool {
		room := a.Ring.Bits - 2 - scale
		if sum && !x.term {
			room -= headroom
		}
		return x.wide != nil || a.bits(x) > room
	})
}

// beyondLimit is the scale above limit that a sum may have: the guard bits of a product whose kernel has
// factors folded into it (package hlo/pass).
const beyondLimit = 4

// beside sets the bounds of out, which is a concatenation of xs or a selection among them.
func beside(out *Value, xs ...*Value) *Value {
	top, term := xs[0].top, true
	for _, x := range xs {
		top, term = max(top, x.top), term && x.term
	}
	return out.is(top, term)
}

// summed sets the bounds of a sum Σ coef_i·x_i.
func (a *Arith) summed(op *flow.Op, out *Value, coef []int64, xs []*Value) *Value {
	term := false
	for _, x := range xs {
		term = term || x.term
	}
	if out.Scale <= a.Fraction { // terms alone, or what is as small, and small numbers
		all, small := true, true
		for _, x := range xs {
			all = all && x.term
			most := ContractionBits(a.Ring, a.Fraction)
			if !x.term {
				most -= headroom
			}
			small = small && a.bits(x) <= most
		}
		term = term && (all || small)
	}
	if a.summedTop(out, coef, xs); term && len(xs) > 1 {
		return a.contraction(op, out, out.top)
	}
	return out.is(unbounded, term)
}

// summedTop sets the top of a sum Σ coef_i·x_i.
func (a *Arith) summedTop(out *Value, coef []int64, xs []*Value) *Value {
	top := 0
	for i, x := range xs {
		top = max(top, x.top+maps.CeilLog2(int(max(coef[i], -coef[i]))))
	}
	return out.is(top+maps.CeilLog2(len(xs)), false)
}

// like gives a new value, which is a copy or choice of xs, the bounds of xs.
func (x *Value) like(xs ...*Value) *Value {
	x.top = unbounded
	return beside(x, xs...)
}

// proper returns x, rescaled if it is right only modulo its ring.
func (a *Arith) proper(op *flow.Op, x *Value) *Value {
	if x.wide != nil {
		return a.Rescale(op, x)
	}
	return x
}

// saturated clamps a public array to the magnitude Saturated. NaN stays.
func (a *Arith) saturated(c *tensor.Array) *tensor.Array {
	most := a.Largest()
	if !c.DType.IsFloat() || !slices.ContainsFunc(c.Floats(), func(v float64) bool { return math.Abs(v) > most }) {
		return c
	}
	f := slices.Clone(c.Floats())
	for i, v := range f {
		if math.Abs(v) > most { // NaN stays
			f[i] = math.Copysign(a.Saturated(), v)
		}
	}
	return tensor.FromFloats(tensor.F64, c.Shape, f)
}

// multiples reports whether all elements are multiples of 2^(−scale) and none is large.
func multiples(c *tensor.Array, scale int) bool {
	for _, v := range c.Floats() {
		if v = math.Ldexp(v, scale); v != math.Trunc(v) || math.Abs(v) >= 1<<20 {
			return false
		}
	}
	return true
}

// PublicBeside returns a public array as a Value to be combined with values of the given scale: at that scale, or at
// the fraction if floats do not fit there, or if that scale is smaller and would round them.
func (a *Arith) PublicBeside(op *flow.Op, c *tensor.Array, scale int) *Value {
	switch {
	case !c.DType.IsFloat():
	case scale < a.Fraction && !multiples(c, scale):
		scale = a.Fraction
	case a.tooLarge(c) || a.bitsOf(c) > a.Ring.Bits-2-scale:
		scale = min(scale, a.Fraction)
	}
	return a.Public(op, c, scale)
}

// OnGrid returns a float array whose elements are rounded to f fraction bits, to nearest, as inputs are encoded. A
// public array that is compared with inputs, or with values selected among them, is rounded as they are, so that
// equal numbers stay equal. Numbers below a unit stay as they are.
func (a *Arith) OnGrid(c *tensor.Array) *tensor.Array {
	unit := math.Ldexp(1, -a.Fraction)
	round := func(v float64) float64 {
		if size := math.Abs(v); size >= unit && size < unit*(1<<52) {
			return math.RoundToEven(v/unit) * unit
		}
		return v
	}
	if v, ok := c.Uniform(); ok && round(v) == v {
		return c
	}
	f := slices.Clone(c.Floats())
	for i, v := range f {
		f[i] = round(v)
	}
	return tensor.FromFloats(tensor.F64, c.Shape, f)
}

// extraBits is the number of bits, beyond the fraction, of a public factor of numbers that may be large.
const extraBits = 10

// timesWide applies a product with public factors of more bits than the fraction, in a ring that is wider by the bits
// by which the result's scale exceeds the fraction. It opens x.
func (a *Arith) timesWide(op *flow.Op, x *Value, c *tensor.Array, with func(m ring.Vec, bits int) maps.Linear) (s mpc.Secret, scale int) {
	_, by, _ := a.factorIn(c, a.Ring, a.Fraction+extraBits)
	scale = x.Scale + by
	wide := ring.Z(a.Ring.Bits + max(0, scale-a.Fraction))
	m, _, bits := a.factorIn(c, wide, a.Fraction+extraBits)
	a.Open(op, x)
	return a.P.Linear(op, with(m, bits), a.P.Max(op, wide, x.S)), scale
}
