package fxp

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Floats in a ring of k bits with f fraction bits have two ranges. Values are below
// 2^(k−2−f) in magnitude. Contractions, which are dots, convolutions and sums of
// products before they are rescaled, are below 2^(k−2−2f). What the program's text
// lets be larger than that is met by products only once they are rescaled.

// ValueBits is b where values of a ring and fraction are below 2^b in magnitude.
func ValueBits(r ring.Ring, fraction int) int { return r.Bits - 2 - fraction }

// ContractionBits is b where contractions, before they are rescaled, are below
// 2^b in magnitude.
func ContractionBits(r ring.Ring, fraction int) int { return r.Bits - 2 - 2*fraction }

// headroom is how many bits below the range of contractions a number is that is
// added to one as it is.
const headroom = 2

// Saturated is the largest magnitude to which public values saturate: half of the
// range of values, so that differences to it fit.
func (a *Arith) Saturated() float64 { return math.Ldexp(1, ValueBits(a.Ring, a.Fraction)-1) }

// Within says of a float that all its elements lie in a range that follows from
// the program's text.
func (a *Arith) Within(x *Value, r Range) {
	most := math.Max(math.Abs(r.Lo), math.Abs(r.Hi))
	if x.Type.DType.IsFloat() && !math.IsInf(most, 0) && most >= a.besides() {
		x.large = true
	}
}

// besides is the magnitude from which a number is not added to a contraction as it
// is.
func (a *Arith) besides() float64 {
	return math.Ldexp(1, ContractionBits(a.Ring, a.Fraction)-headroom)
}

// tooLarge reports whether a public array has elements that are not added to a
// contraction as they are.
func (a *Arith) tooLarge(c *tensor.Array) bool {
	return c.DType.IsFloat() && slices.ContainsFunc(c.Floats(), func(v float64) bool { return math.Abs(v) >= a.besides() })
}

// besideLarge rescales what is above the fraction where something beside it may be
// too large for its scale.
func (a *Arith) besideLarge(op *flow.Op, xs []*Value) []*Value {
	if !slices.ContainsFunc(xs, func(x *Value) bool { return x.large }) {
		return xs
	}
	out := slices.Clone(xs)
	for i, x := range out {
		out[i] = a.Reduce(op, x)
	}
	return out
}

// saturated is a public array within the range to which public values saturate.
func (a *Arith) saturated(c *tensor.Array) *tensor.Array {
	limit := a.Saturated()
	if !c.DType.IsFloat() || !slices.ContainsFunc(c.Floats(), func(v float64) bool { return math.Abs(v) > limit }) {
		return c
	}
	f := slices.Clone(c.Floats())
	for i, v := range f {
		f[i] = math.Max(-limit, math.Min(limit, v)) // NaN stays
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

// timesWide is x·c for an x that may be large and small public factors: in a ring
// that is wider by the factors' fraction bits, which are dropped. x is opened.
func (a *Arith) timesWide(op *flow.Op, x *Value, c *tensor.Array) *Value {
	x = a.Reduce(op, x)
	_, by, _ := a.factor(c)
	wide := ring.Z(a.Ring.Bits + by)
	m, _, bits := factor(a.saturated(c), wide, a.Fraction)
	a.Open(op, x)
	s := a.P.Linear(op, maps.Times{By: m, Bits: bits}, a.P.Max(op, wide, x.S))
	out := newValue(a.P.Drop(op, s, by), x.Type, x.Scale)
	out.large = true
	return out
}
