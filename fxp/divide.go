package fxp

import (
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// divisor is what is divided by: a secret, or an array that is public.
type divisor struct {
	secret *Value
	public *tensor.Array
}

// Divide is x/y of integers, truncated towards zero, and the remainder, of x's
// sign. As in XLA, x/0 has all bits set and leaves x, and MIN/−1 is MIN. It
// finds two bits of the quotient in four rounds.
func (a *Arith) Divide(op *flow.Op, x, y *Value) (q, r *Value) {
	return a.divide(op, x, divisor{secret: y})
}

// DividePublic divides by a public array: by an exact floor of the product
// with a reciprocal, or of x itself where all divisors are one power of two.
func (a *Arith) DividePublic(op *flow.Op, x *Value, c *tensor.Array) (q, r *Value) {
	if by, negative, ok := powerOfTwo(c, x.S.Ring().Bits); ok {
		q = a.shiftDivide(op, x, by, negative)
		return q, a.Sub(op, x, a.MulPublic(op, q, c))
	}
	return a.divide(op, x, divisor{public: c})
}

// reciprocals are m, and s for all, such that ⌊x/d⌋ = ⌊m·x/2^s⌋ of all
// unsigned x of k bits: m = ⌊2^s/d⌋ + 1, s = k + L, d ≤ 2^L. Then 0 < m·d −
// 2^s ≤ 2^L, and the product is too large by less than 2^s/d (Granlund and
// Montgomery, PLDI '94). Of zeros m is 0.
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

// dividePublic divides unsigned numbers. What m·x exceeds of s + k bits does
// not matter to the quotient modulo 2^k.
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

// powerOfTwo reports whether all elements are one ±2^by.
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

// shiftDivide is ⌊(x + [x < 0]·(2^by − 1))/2^by⌋, negated for a negative
// divisor.
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

func (a *Arith) divide(op *flow.Op, x *Value, y divisor) (q, r *Value) {
	if !x.Type.DType.IsSigned() {
		return a.divideUnsigned(op, x, y)
	}
	sign := a.Negative(op, x)
	x = a.Select(op, sign, a.Neg(op, x), x)
	var opposite *Value // whether the quotient is negated
	if c := y.public; c != nil {
		size, flip, keep := magnitudes(c)
		y.public = size
		opposite = a.AddPublic(op, a.MulPublic(op, sign, keep), flip)
	} else {
		below := a.Negative(op, y.secret)
		zero := a.EqualPublic(op, y.secret, tensor.NewArray(y.secret.Type))
		opposite = a.And(op, a.Add(op, sign, below), a.Not(op, zero))
		y.secret = a.Select(op, below, a.Neg(op, y.secret), y.secret)
	}
	q, r = a.divideUnsigned(op, x, y)
	return a.Select(op, opposite, a.Neg(op, q), q), a.Select(op, sign, a.Neg(op, r), r)
}

// magnitudes are |c|, whether the quotient's sign is not the dividend's, and
// whether it has one: a quotient by zero does not.
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

// divideUnsigned reads x and y as unsigned. By a secret it finds the
// quotient's digits to base four from the top: with the remainder r < y so far
// and the dividend's next digit d, the digit is how many of y, 2y, 3y are at
// most 4r + d.
func (a *Arith) divideUnsigned(op *flow.Op, x *Value, y divisor) (q, r *Value) {
	if y.public != nil {
		return a.dividePublic(op, x, y.public)
	}
	k, n := x.S.Ring().Bits, x.S.Len()
	wide := ring.Z(k + 4) // holds 4r + d < 4·2^k and its differences to 3y
	numbers := a.P.Arithmetic(op, wide, a.planes(op, x).s)
	once := a.P.Extend(op, wide, y.secret.S, false)
	a.P.Open(op, once)
	multiples := []mpc.Secret{once}
	for i := int64(2); i <= 3; i++ {
		multiples = append(multiples, a.P.Linear(op, maps.Combine{N: n, Coef: []int64{i}}, once))
	}
	var rest, quotient mpc.Secret
	for at := k - 2; at >= 0; at -= 2 {
		in, coef := []mpc.Secret{a.plane(op, numbers, at, n), a.plane(op, numbers, at+1, n)}, []int64{1, 2}
		if rest != nil {
			in, coef = append(in, rest), append(coef, 4)
		}
		rest = a.P.Linear(op, maps.Combine{N: n, Coef: coef}, in...)
		a.P.Open(op, rest)
		var less, digits []mpc.Secret
		for _, m := range multiples {
			less = append(less, a.P.Less(op, rest, m))
		}
		a.P.Open(op, less...)
		in, coef = []mpc.Secret{rest}, []int64{1}
		for _, b := range less {
			fits := a.P.Arithmetic(op, wide, a.Not(op, boolean(b, x.Type.Shape)).S)
			digits = append(digits, fits)
			in = append(in, a.P.Product(op, wide, maps.Elementwise{N: n}, fits, once))
			coef = append(coef, -1)
		}
		rest = a.P.Linear(op, maps.Combine{N: n, Coef: coef}, in...)
		coef = []int64{1, 1, 1}
		if quotient != nil {
			digits, coef = append(digits, quotient), append(coef, 4)
		}
		quotient = a.P.Linear(op, maps.Combine{N: n, Coef: coef}, digits...)
	}
	return newValue(a.P.Narrow(op, ring.Z(k), quotient), x.Type, 0), newValue(a.P.Narrow(op, ring.Z(k), rest), x.Type, 0)
}

// plane is one plane of numbers.
func (a *Arith) plane(op *flow.Op, s mpc.Secret, i, n int) mpc.Secret {
	v := tensor.Sliced(tensor.Shape{s.Len()}, []int{i * n}, []int{(i + 1) * n}, []int{1})
	return a.P.Linear(op, maps.NewView(v, s.Len()), s)
}
