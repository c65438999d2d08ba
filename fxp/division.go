package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Division is x/y of secret integers, truncated towards zero, and the remainder,
// of x's sign. As in XLA, x/0 has all bits set and leaves x, and MIN/−1 is MIN.
//
// It divides |x| by y as functions divide, with a relative error, as often as
// the error takes: each quotient's product with y is subtracted, and the
// remainder is divided again, by the y whose logarithm is known. The last
// quotient is rounded exactly, so that the remainder is within (½ + 1/64)·|y|
// of zero, and one comparison with zero makes it right. All of it is exact
// modulo 2^bits, whatever the error is below its bound.
type Division struct {
	a              *Arith
	t              tensor.Type
	quotient, rest mpc.Secret // of |x|
	negative       *Value     // whether x is; nil if it is unsigned
	zero           *Value     // whether y is
}

// divisionPlan says how numbers of k bits are divided.
type divisionPlan struct {
	wide     ring.Ring
	fraction int // bits of a quotient below one
	gain     int // bits of a quotient that a division gets right
	steps    int
}

// planDivision picks the functions' precision (package mpc: a few 2^−22 or
// 2^−31) and as many steps as leave an error of no more than 2^−6.
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

// left is how many bits the quotient that is still to be found may have after
// so many steps, roundings of up to 16 parties included.
func (p divisionPlan) left(k, steps int) int { return max(0, k-p.gain*steps) + 4 }

// Divide makes a division.
func (a *Arith) Divide(op *flow.Op, x, y *Value) *Division {
	k, n, signed := x.S.Ring().Bits, x.S.Len(), x.Type.DType.IsSigned()
	p := planDivision(k)
	d := &Division{a: a, t: x.Type, zero: a.EqualPublic(op, y, tensor.NewArray(y.Type))}
	den := a.P.Extend(op, p.wide, y.S, signed)
	a.P.Open(op, den)
	var sign mpc.Secret // of y, ±1
	if signed {
		below := a.P.Arithmetic(op, ring.Z(3), a.Negative(op, y).S)
		sign = a.P.AddPublic(op, a.P.Linear(op, maps.Combine{N: n, Coef: []int64{-2}}, below), a.same(op, ring.Z(3), n, 1), 0)
		a.P.Open(op, sign)
		d.negative = a.Negative(op, x)
		x = a.Select(op, d.negative, a.Neg(op, x), x)
	}
	rest := a.P.Extend(op, ring.Z(k+2), x.S, false)
	a.P.Open(op, rest)
	whole := a.P.Max(op, p.wide, rest) // the same in the wide ring
	minus := maps.Combine{N: n, Coef: []int64{1, -1}}
	for i := 1; ; i++ {
		q := a.P.Divide(op, rest, 0, den, mpc.Fixed{Out: p.fraction}, mpc.Normal{Width: k, Signed: signed}, false)
		if i == p.steps {
			q = a.P.AddPublic(op, q, a.same(op, p.wide, n, 1<<(p.fraction-1)), p.fraction)
			q = a.P.FloorReal(op, q, p.fraction, true)
		} else {
			q = a.P.Narrow(op, ring.Z(p.left(k, i-1)+3), a.P.Drop(op, q, p.fraction))
			a.P.Open(op, q)
		}
		d.add(op, a.P.Max(op, p.wide, q))
		whole = a.P.Linear(op, minus, whole, a.P.Product(op, p.wide, maps.Elementwise{N: n}, q, den))
		if i == p.steps {
			break
		}
		rest = a.P.Narrow(op, ring.Z(k+p.left(k, i)+3), whole)
		a.P.Open(op, rest)
	}
	short := a.P.Under(op, a.P.Narrow(op, ring.Z(k+3), whole), 0) // |y| is to be added
	fix := a.P.Arithmetic(op, p.wide, short)
	if signed {
		fix = a.P.Product(op, p.wide, maps.Elementwise{N: n}, fix, sign)
	}
	d.quotient = a.P.Linear(op, minus, d.quotient, fix)
	d.rest = a.P.Linear(op, maps.Combine{N: n, Coef: []int64{1, 1}}, whole, a.P.Product(op, p.wide, maps.Elementwise{N: n}, fix, den))
	return d
}

// add adds to the quotient.
func (d *Division) add(op *flow.Op, q mpc.Secret) {
	if d.quotient != nil {
		q = d.a.P.Linear(op, maps.Combine{N: q.Len(), Coef: []int64{1, 1}}, d.quotient, q)
	}
	d.quotient = q
}

// signed narrows a number to the type and gives it x's sign.
func (d *Division) signed(op *flow.Op, s mpc.Secret) *Value {
	x := newValue(d.a.P.Narrow(op, d.a.RingOf(d.t.DType), s), d.t, 0)
	if d.negative == nil {
		return x
	}
	return d.a.Select(op, d.negative, d.a.Neg(op, x), x)
}

// Quotient is x/y.
func (d *Division) Quotient(op *flow.Op) *Value {
	ones := make([]uint64, d.t.Shape.Size())
	for i := range ones {
		ones[i] = ^uint64(0)
	}
	all := d.a.Public(op, tensor.FromWords(d.t.DType, d.t.Shape, ones), 0)
	return d.a.Select(op, d.zero, all, d.signed(op, d.quotient))
}

// Remainder is what x/y leaves.
func (d *Division) Remainder(op *flow.Op) *Value { return d.signed(op, d.rest) }
