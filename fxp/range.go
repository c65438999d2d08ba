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

// Floats in a ring of k bits with f fraction bits have two ranges. Values are below
// 2^(k−2−f) in magnitude. Contractions, which are dots, convolutions, sums of products
// and chains of products before they are rescaled, are below 2^(k−2−2f). Of the second
// range users are told; where it cannot be meant, nothing is narrower than the first:
// what may not fit at a product's scale meets the product once that is rescaled, and an
// elementwise product or a multiple that may not fit at its scale itself is made anew
// in a wider ring (Value.wide).

// ValueBits is b where values of a ring and fraction are below 2^b in magnitude.
func ValueBits(r ring.Ring, fraction int) int { return r.Bits - 2 - fraction }

// ContractionBits is b where contractions, before they are rescaled, are below
// 2^b in magnitude.
func ContractionBits(r ring.Ring, fraction int) int { return r.Bits - 2 - 2*fraction }

// Usual are the rings of floats and the fraction bits that they have unless a job sets
// them, the narrowest first.
var Usual = []struct{ Bits, Fraction int }{{32, 8}, {64, 18}, {128, 26}}

// UsualFraction is how many fraction bits floats have in a ring unless a job sets them;
// false of a ring that jobs cannot have.
func UsualFraction(bits int) (fraction int, ok bool) {
	for _, u := range Usual {
		if u.Bits == bits {
			return u.Fraction, true
		}
	}
	return 0, false
}

// headroom is how many bits below the range of contractions a number is that is
// added to one as it is.
const headroom = 2

// unbounded is the top of what nothing is known of.
const unbounded = 1 << 20

// is says of a new value what is known of it: see Value.
func (x *Value) is(top int, term bool) *Value {
	x.top, x.term = min(x.top, top), term
	return x
}

// contraction says of a new value that it is a contraction, which for all that is known
// is below 2^top: if that may not fit, users are told.
func (a *Arith) contraction(op *flow.Op, x *Value, top int) *Value {
	most := min(ContractionBits(a.Ring, a.Fraction), a.Ring.Bits-2-x.Scale)
	if top > most && a.Unproved != nil {
		a.Unproved(op.Where(), math.Ldexp(1, most))
	}
	return x.is(min(top, most), true)
}

// bits is b where x is below 2^b in magnitude.
func (a *Arith) bits(x *Value) int {
	return min(x.top, x.S.Bound()-x.Scale, ValueBits(a.Ring, a.Fraction))
}

// bitsOf is b where a public array is below 2^b in magnitude once it is encoded.
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

// bitsOfNumber is b where a magnitude is below 2^b, and 2^−40 or more.
func bitsOfNumber(v float64) int {
	_, e := math.Frexp(math.Max(v, 0x1p-40))
	return e
}

// Saturated is the magnitude to which public values saturate that are outside of the
// range of values: half of that, so that differences to it fit.
func (a *Arith) Saturated() float64 { return math.Ldexp(1, ValueBits(a.Ring, a.Fraction)-1) }

// Largest is the largest value, but for the last of 40 bits.
func (a *Arith) Largest() float64 {
	most := math.Ldexp(1, ValueBits(a.Ring, a.Fraction))
	return most - math.Ldexp(most, -40)
}

// Within says of a float that all its elements lie in a range that follows from
// the program's text.
func (a *Arith) Within(x *Value, r Range) {
	if most := math.Max(math.Abs(r.Lo), math.Abs(r.Hi)); x.Type.DType.IsFloat() && !math.IsInf(most, 0) {
		x.top = min(x.top, bitsOfNumber(most+math.Ldexp(1, -min(x.Scale, a.Fraction)))) // a unit for roundings
	}
}

// besides is the magnitude from which a number is not added to a contraction as it
// is.
func (a *Arith) besides() float64 {
	return math.Ldexp(1, ContractionBits(a.Ring, a.Fraction)-headroom)
}

// Beside is the magnitude below which numbers are added to a contraction as it is, at
// its scale.
func (a *Arith) Beside(x *Value) float64 {
	return math.Ldexp(1, min(ContractionBits(a.Ring, a.Fraction), a.Ring.Bits-2-x.Scale)-headroom) - 1
}

// Contracted reports whether x is a contraction, or made of such, that is not rescaled.
func (a *Arith) Contracted(x *Value) bool {
	return x.Type.DType.IsFloat() && x.Scale > a.Fraction && x.Contraction()
}

// tooLarge reports whether a public array has elements that are not added to a
// contraction as they are.
func (a *Arith) tooLarge(c *tensor.Array) bool {
	return c.DType.IsFloat() && slices.ContainsFunc(c.Floats(), func(v float64) bool { return math.Abs(v) >= a.besides() })
}

// meet brings floats or integers to one scale, to be added up (sum) or to lie beside
// each other. Above the fraction they stay only where that fits: terms of a sum, which
// is a contraction then, and what is known to be small enough for the largest scale.
// Else all are rescaled first.
func (a *Arith) meet(op *flow.Op, sum bool, xs ...*Value) []*Value {
	scale := 0
	for i, x := range xs {
		if i == 0 || x.Scale > scale {
			scale = x.Scale
		}
	}
	out := slices.Clone(xs)
	if xs[0].Type.DType.IsFloat() && scale > a.Fraction && !a.fits(scale, sum, xs) {
		scale = a.Fraction
		for i, x := range out {
			out[i] = a.Reduce(op, x)
		}
	}
	for i, x := range out {
		out[i] = a.raise(op, x, scale)
	}
	return out
}

// fits reports whether values may meet at the largest of their scales.
func (a *Arith) fits(scale int, sum bool, xs []*Value) bool {
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

// beyondLimit is how much scale above the limit a sum may have: the guard of
// a product whose kernel has factors folded into it (package hlo/pass).
const beyondLimit = 4

// beside says of what values become that lie beside each other, or one of which is
// chosen, what is known of them.
func beside(out *Value, xs ...*Value) *Value {
	top, term := xs[0].top, true
	for _, x := range xs {
		top, term = max(top, x.top), term && x.term
	}
	return out.is(top, term)
}

// summed says of a sum of values what is known of it.
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

// summedTop says of a sum of values how large it can be.
func (a *Arith) summedTop(out *Value, coef []int64, xs []*Value) *Value {
	top := 0
	for i, x := range xs {
		top = max(top, x.top+log2(int(max(coef[i], -coef[i]))))
	}
	return out.is(top+log2(len(xs)), false)
}

// like says of a new value that it is as large as others are, of which it is one.
func (x *Value) like(xs ...*Value) *Value {
	x.top = unbounded
	return beside(x, xs...)
}

// proper is x as it is, unless that is right only modulo its ring: then rescaled.
func (a *Arith) proper(op *flow.Op, x *Value) *Value {
	if x.wide != nil {
		return a.Reduce(op, x)
	}
	return x
}

// saturated is a public array within the range to which public values saturate.
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

// multiples reports whether all elements are multiples of 2^(−scale), and none is
// large.
func multiples(c *tensor.Array, scale int) bool {
	for _, v := range c.Floats() {
		if v = math.Ldexp(v, scale); v != math.Trunc(v) || math.Abs(v) >= 1<<20 {
			return false
		}
	}
	return true
}

// PublicBeside is a public array as a secret that meets others at a scale: at
// that scale, or at the fraction if floats do not fit there.
func (a *Arith) PublicBeside(op *flow.Op, c *tensor.Array, scale int) *Value {
	if a.tooLarge(c) {
		scale = min(scale, a.Fraction)
	}
	return a.Public(op, c, scale)
}

// OnGrid is a float array as inputs are encoded: rounded to the fraction, to nearest.
// What is compared with inputs, or with sums that choose among them, is rounded as
// they are, so that numbers that were equal are. Numbers below a unit stay.
func (a *Arith) OnGrid(c *tensor.Array) *tensor.Array {
	f := slices.Clone(c.Floats())
	unit := math.Ldexp(1, -a.Fraction)
	for i, v := range f {
		if size := math.Abs(v); size >= unit && size < unit*(1<<52) {
			f[i] = math.RoundToEven(v/unit) * unit
		}
	}
	return tensor.FromFloats(tensor.F64, c.Shape, f)
}

// finer is how many bits more than the fraction factors have that large numbers are
// multiplied with.
const finer = 10

// timesWide applies a product with public factors, which have more bits than the
// fraction, in a ring that is wider by what the result's scale is above the fraction. x
// is opened.
func (a *Arith) timesWide(op *flow.Op, x *Value, c *tensor.Array, with func(m ring.Vec, bits int) maps.Linear) (s mpc.Secret, scale int) {
	c = a.saturated(c)
	_, by, _ := factor(c, a.Ring, a.Fraction+finer)
	scale = x.Scale + by
	wide := ring.Z(a.Ring.Bits + max(0, scale-a.Fraction))
	m, _, bits := factor(c, wide, a.Fraction+finer)
	a.Open(op, x)
	return a.P.Linear(op, with(m, bits), a.P.Max(op, wide, x.S)), scale
}
