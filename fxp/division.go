package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Division holds x/y for secret integers, truncated towards zero, and the remainder, which has x's sign. As
// in XLA, x/0 has all bits set and its remainder is x, and MIN/−1 is MIN.
//
// It divides |x| by y with a relative error, as the division of floats does, in several steps: each step
// subtracts its quotient's product with y and divides the remainder by the same y, whose normalisation is
// computed once. The last quotient is rounded exactly, so that the remainder is within (½ + 1/64)·|y| of
// zero, and one comparison with zero corrects it. The result is exact modulo 2^bits for any error within the
// planned bound.
type Division struct {
	a              *Arith
	t              tensor.Type
	quotient, rest mpc.Secret // of |x|
	negative       *Value     // whether x is negative; nil if x is unsigned
	zero           *Value     // whether y is 0
}

// divisionPlan is the schedule of a division of k-bit integers.
type divisionPlan struct {
	wide     ring.Ring
	fraction int // fraction bits of a step's quotient
	gain     int // bits of the quotient that one step gets right
	steps    int
}

// planDivision chooses the functions' precision (package mpc: a relative error of a few 2^−22 or 2^−31) and
// the fewest steps that leave an error of at most 2^−6.
func planDivision(k int) divisionPlan {
	p := divisionPlan{wide: ring.Z(64), fraction: 10, gain: 19, steps: 1}
	switch {
	case k <= 8:
		p.wide = ring.Z(32)
	case k > 32:
		p = divisionPlan{wide: ring.Z(128), fraction: 20, gain: 28, steps: 1}
	}
	for p.gain*p.steps < k+6 {
		p.steps++
	}
	return p
}

// left bounds the bits of the quotient that remains after the given number of steps, including the roundings
// of up to 16 parties.
func (p divisionPlan) left(k, steps int) int { return max(0, k-p.gain*steps) + 4 }

// DivideIntegers divides secret integers of one type. The Division computes the quotient and the remainder when they are
// asked for.
func (a *Arith) DivideIntegers(op *flow.Op, x, y *Value) *Division {
	k, n, signed := x.S.Ring().Bits, x.S.Len(), x.Type.DType.IsSigned()
	p := planDivision(k)
	d := &Division{a: a, t: x.Type, zero: a.EqualPublic(op, y, tensor.NewArray(y.Type))}
	den := a.P.Extend(op, p.wide, y.S, signed)
	a.P.Open(op, den)
	var sign mpc.Secret // of y, ±1
	if signed {
		below := a.P.B2A(op, ring.Z(3), a.Negative(op, y).S)
		sign = a.P.AddPublic(op, a.P.Linear(op, maps.Combine{N: n, Coef: []int64{-2}}, below), a.same(op, ring.Z(3), n, 1), 0)
		a.P.Open(op, sign)
		d.negative = a.Negative(op, x)
		x = a.Select(op, d.negative, a.Neg(op, x), x)
	}
	rest := a.P.Extend(op, ring.Z(k+2), x.S, false)
	a.P.Open(op, rest)
	whole := a.P.Max(op, p.wide, rest) // the remainder in the wide ring
	minus := maps.Combine{N: n, Coef: []int64{1, -1}}
	for i := 1; ; i++ {
		q := a.P.Divide(op, rest, 0, den, mpc.Fixed{Out: p.fraction}, mpc.Normal{Width: k, Signed: signed}, false)
		if i == p.steps {
			q = a.P.AddPublic(op, q, a.same(op, p.wide, n, 1<<(p.fraction-1)), p.fraction)
			q = a.P.FloorReal(op, q, p.fraction, true)
		} else {
			q = a.P.Narrow(op, ring.Z(p.left(k, i-1)+3), a.P.TruncateReduce(op, q, p.fraction))
			a.P.Open(op, q)
		}
		d.add(op, a.P.Max(op, p.wide, q))
		whole = a.P.Linear(op, minus, whole, a.P.Product(op, p.wide, maps.Elementwise{N: n}, q, den, 0))
		if i == p.steps {
			break
		}
		rest = a.P.Narrow(op, ring.Z(k+p.left(k, i)+3), whole)
		a.P.Open(op, rest)
	}
	short := a.P.LessConst(op, a.P.Narrow(op, ring.Z(k+3), whole), 0) // whether |y| has to be added
	fix := a.P.B2A(op, p.wide, short)
	if signed {
		fix = a.P.Product(op, p.wide, maps.Elementwise{N: n}, fix, sign, 0)
	}
	d.quotient = a.P.Linear(op, minus, d.quotient, fix)
	d.rest = a.P.Linear(op, maps.Combine{N: n, Coef: []int64{1, 1}}, whole, a.P.Product(op, p.wide, maps.Elementwise{N: n}, fix, den, 0))
	return d
}

// add adds q to the quotient.
func (d *Division) add(op *flow.Op, q mpc.Secret) {
	if d.quotient != nil {
		q = d.a.P.Linear(op, maps.Combine{N: q.Len(), Coef: []int64{1, 1}}, d.quotient, q)
	}
	d.quotient = q
}

// signed narrows a number to the result's type and gives it x's sign.
func (d *Division) signed(op *flow.Op, s mpc.Secret) *Value {
	x := newValue(d.a.P.Narrow(op, d.a.RingOf(d.t.DType), s), d.t, 0)
	if d.negative == nil {
		return x
	}
	return d.a.Select(op, d.negative, d.a.Neg(op, x), x)
}

// Quotient returns x/y, truncated towards zero.
func (d *Division) Quotient(op *flow.Op) *Value {
	ones := make([]uint64, d.t.Shape.Size())
	for i := range ones {
		ones[i] = ^uint64(0)
	}
	all := d.a.Public(op, tensor.FromWords(d.t.DType, d.t.Shape, ones), 0)
	return d.a.Select(op, d.zero, all, d.signed(op, d.quotient))
}

// Remainder returns x − y·(x/y), with the sign of x.
func (d *Division) Remainder(op *flow.Op) *Value { return d.signed(op, d.rest) }
