package fxp

import (
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// A product has the fraction bits of both factors, and most of what follows
// wants no more than one fraction. Roots and divisors do: the root of a square
// below the last place is 0, though the square's own is far above. They take
// what is above the fraction as it is, as far as there are tables for its
// digits, which spares the truncation too; and sums of squares stay as they are
// until then.

// multiple is what a value is a public multiple of.
type multiple struct {
	of *Value
	by *tensor.Array
}

// MulFine is x·c at x's own scale, if x is above the fraction: in a ring that
// is wider by c's fraction bits, which are dropped for nothing. x is opened.
func (a *Arith) MulFine(op *flow.Op, x *Value, c *tensor.Array) *Value {
	_, by, _ := a.factor(c)
	if x.Scale <= a.Fraction || by <= 0 || x.Scale+by <= a.limit() {
		return a.MulPublic(op, x, c)
	}
	of := x
	if x.Scale > a.limit() {
		x = a.reduceTo(op, x, a.limit())
	}
	wide := ring.Z(a.Ring.Bits + by)
	n := x.S.Len()
	var s mpc.Secret
	if a.openFactors(x) {
		s = a.P.Product(op, wide, maps.Elementwise{N: n}, x.factors[0].S, x.factors[1].S)
	} else {
		a.Open(op, x)
		s = a.P.Max(op, wide, x.S)
	}
	m, _, bits := factor(c, wide, a.Fraction)
	s = a.P.Linear(op, maps.Times{By: m, Bits: bits}, s)
	out := newValue(a.P.Drop(op, s, by), x.Type, x.Scale)
	out.multiple = &multiple{of: of, by: c}
	return out
}

// MulFineBoth is x·y, where x is a public multiple of another value: the multiple
// is taken of the product, so that nothing of x is lost before.
func (a *Arith) MulFineBoth(op *flow.Op, x, y *Value) *Value {
	if x.multiple == nil {
		x, y = y, x
	}
	if m := x.multiple; m != nil && x.Scale > a.Fraction {
		return a.MulFine(op, a.Mul(op, m.of, y), m.by)
	}
	return a.Mul(op, x, y)
}

// openFactors reports whether x is the product of two open values.
func (a *Arith) openFactors(x *Value) bool {
	return len(x.factors) == 2 && x.factors[0].S.Opened() && x.factors[1].S.Opened()
}

// precise is the argument of a root, or a divisor: above the fraction, if its
// largest digit leaves room for more. It has to be below 2^32, or 2^50 in rings
// of more than 64 bits, unless it is at the fraction.
func (a *Arith) precise(op *flow.Op, x *Value, r Range) (*Value, mpc.Fixed) {
	if x.Scale <= a.Fraction || x.reduced != nil || !x.Type.DType.IsFloat() {
		return a.argument(op, x)
	}
	n := a.normal(x, r)
	top := a.Ring.Bits - 2 - x.Scale // of what x can be, in bits above one
	if most := math.Max(math.Abs(r.Lo), math.Abs(r.Hi)); !math.IsInf(most, 0) {
		_, e := math.Frexp(most)
		top = min(top, e+1)
	}
	if a.Ring.Bits > 64 {
		top = min(top, 50)
	} else {
		top = min(top, 32)
	}
	widest := a.widest(n.Signed)
	if scale := max(a.Fraction, min(x.Scale, widest-top)); scale < x.Scale {
		x = a.reduceTo(op, x, scale)
	}
	return x, mpc.Fixed{In: x.Scale, Out: a.Fraction}
}

// RootDivisor is √x with guard bits, for what is divided by it.
func (a *Arith) RootDivisor(op *flow.Op, x *Value, r Range) *Value {
	r.Lo = math.Max(r.Lo, 0)
	if a.noisy(x) {
		r.Lo = -math.Ldexp(1, -a.Fraction)
	}
	x, f := a.precise(op, x, r)
	f.Out += a.guard()
	return newValue(a.P.Power(op, x.S, f, a.normal(x, r), 0.5), x.Type, f.Out)
}
