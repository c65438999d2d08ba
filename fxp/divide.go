package fxp

import (
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// DividePublic returns the quotient and the remainder of x and a public array: by an exact floor of the
// product of x with a reciprocal, or of x itself where all divisors are one power of two.
func (a *Arith) DividePublic(op *flow.Op, x *Value, c *tensor.Array) (q, r *Value) {
	if by, negative, ok := powerOfTwo(c, x.S.Ring().Bits); ok {
		q = a.shiftDivide(op, x, by, negative)
		return q, a.Sub(op, x, a.MulPublic(op, q, c))
	}
	if !x.Type.DType.IsSigned() {
		return a.dividePublic(op, x, c)
	}
	sign := a.Negative(op, x)
	size, flip, keep := magnitudes(c)
	opposite := a.AddPublic(op, a.MulPublic(op, sign, keep), flip) // whether the quotient is negated
	q, r = a.dividePublic(op, a.Select(op, sign, a.Neg(op, x), x), size)
	return a.Select(op, opposite, a.Neg(op, q), q), a.Select(op, sign, a.Neg(op, r), r)
}

// reciprocals returns m for each divisor, and one s for all, such that ⌊x/d⌋ = ⌊m·x/2^s⌋ for every unsigned x
// of k bits: m = ⌊2^s/d⌋ + 1, s = k + L, d ≤ 2^L. Then 0 < m·d − 2^s ≤ 2^L, and the product is too large by
// less than 2^s/d (Granlund and Montgomery, PLDI '94). For d = 0, m is 0.
func reciprocals(d []uint64, k int) (m []*big.Int, s int) {
	most := uint64(1)
	for _, x := range d {
		most = max(most, x)
	}
	s = k + bits.Len64(most-1)
	m = make([]*big.Int, len(d))
	unit := new(big.Int).Lsh(big.NewInt(1), uint(s))
	for i, x := range d {
		m[i] = new(big.Int)
		if x != 0 {
			m[i].Add(m[i].Quo(unit, new(big.Int).SetUint64(x)), big.NewInt(1))
		}
	}
	return m, s
}

// dividePublic divides unsigned numbers. Bits of m·x from bit s + k on do not affect the quotient modulo 2^k.
func (a *Arith) dividePublic(op *flow.Op, x *Value, c *tensor.Array) (q, r *Value) {
	k := x.S.Ring().Bits
	d := append([]uint64{}, c.Words()...)
	ones := make([]uint64, len(d)) // quotients by zero
	for i := range d {
		d[i] &= ^uint64(0) >> (64 - k)
		if d[i] == 0 {
			ones[i] = ^uint64(0)
		}
	}
	m, s := reciprocals(d, k)
	wide := ring.Z(s + k)
	factors := ring.New(wide, len(m))
	for i, v := range m {
		setBig(factors.Words()[i*wide.Words():(i+1)*wide.Words()], v)
	}
	product := a.P.Linear(op, maps.Times{By: factors, Bits: s + 1}, a.P.Extend(op, wide, x.S, false))
	q = newValue(a.P.Floor(op, ring.Z(k), product, s, false), x.Type, 0)
	q = a.AddPublic(op, q, tensor.FromWords(c.DType, c.Shape, ones))
	return q, a.Sub(op, x, a.MulPublic(op, q, c))
}

// powerOfTwo reports whether all elements are the same ±2^by.
func powerOfTwo(c *tensor.Array, k int) (by int, negative, ok bool) {
	w := c.Words()
	for _, x := range w {
		if x != w[0] {
			return 0, false, false
		}
	}
	if len(w) == 0 {
		return 0, false, false
	}
	x := w[0]
	negative = c.DType.IsSigned() && int64(x) < 0
	if negative {
		x = -x
	}
	x &= ^uint64(0) >> (64 - k)
	return bits.TrailingZeros64(x), negative, bits.OnesCount64(x) == 1
}

// shiftDivide returns ⌊(x + [x < 0]·(2^by − 1))/2^by⌋, negated if negative.
func (a *Arith) shiftDivide(op *flow.Op, x *Value, by int, negative bool) *Value {
	signed := x.Type.DType.IsSigned()
	if by > 0 {
		if signed {
			up := make([]uint64, x.S.Len())
			for i := range up {
				up[i] = 1<<by - 1
			}
			below := a.Number(op, a.Negative(op, x), x.Type.DType)
			x = a.Add(op, x, a.MulPublic(op, below, tensor.FromWords(x.Type.DType, x.Type.Shape, up)))
		}
		x = newValue(a.P.Floor(op, x.S.Ring(), x.S, by, signed), x.Type, 0)
	}
	if negative {
		x = a.Neg(op, x)
	}
	return x
}

// magnitudes returns |c|; flip, whether the quotient's sign differs from the dividend's; and keep, whether
// the quotient has a sign: a quotient by zero has none.
func magnitudes(c *tensor.Array) (size, flip, keep *tensor.Array) {
	w := append([]uint64{}, c.Words()...)
	f, k := make([]bool, len(w)), make([]bool, len(w))
	for i, x := range w {
		f[i], k[i] = int64(x) < 0, x != 0
		if f[i] {
			w[i] = -x
		}
	}
	t := tensor.Type{DType: tensor.Bool, Shape: c.Shape}
	return tensor.FromWords(c.DType, c.Shape, w), &tensor.Array{Type: t, Data: f}, &tensor.Array{Type: t, Data: k}
}
