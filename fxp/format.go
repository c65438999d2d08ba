package fxp

import (
	"math"
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// format is a binary floating-point format: a sign, exponent bits, and the bits of the significand after its
// leading one.
type format struct{ exponent, fraction int }

func formatOf(d tensor.DType) format {
	return map[tensor.DType]format{tensor.F16: {5, 10}, tensor.BF16: {8, 7}, tensor.F32: {8, 23}, tensor.F64: {11, 52}}[d]
}

func (f format) bits() int { return 1 + f.exponent + f.fraction }
func (f format) bias() int { return 1<<(f.exponent-1) - 1 }

// FloatBits returns the bits of x in the format of x's type, as an integer of type to. x is in fixed point
// and is rounded to the format's precision. Zero becomes +0; the result for a magnitude beyond the format's
// largest number is meaningless.
//
// The magnitude's bits give the position of the leading one: h_j = 1 if bit j is the leading one. A
// multiplication by Σ h_j·2^(k−2−j) moves the leading one to bit k−2, from where the significand's bits are
// taken; the exponent is Σ h_j·w_j with other weights w_j. Numbers of the format's lowest exponent have no
// leading one, as in IEEE 754. r is the range of x.
func (a *Arith) FloatBits(op *flow.Op, x *Value, to tensor.DType, r Range) *Value {
	f := formatOf(x.Type.DType)
	x = a.Rescale(op, x)
	size, negative := x, (*Value)(nil)
	if r.Lo < 0 {
		negative = a.Negative(op, x)
		size = a.Signed(op, negative, x)
	}
	top := a.Ring.Bits - 2
	width := top + 1
	if most := math.Max(math.Abs(r.Lo), math.Abs(r.Hi)); !math.IsInf(most, 0) {
		_, e := math.Frexp(most + math.Ldexp(1, -x.Scale)) // a unit for roundings
		width = min(width, max(2, e+x.Scale))
	}
	p := a.planes(op, newValue(a.P.Narrow(op, ring.Z(width), size.S), size.Type, size.Scale))
	above := a.zerosFrom(op, p)
	leads := a.xor(op, above, a.not(op, a.moved(op, a.not(op, above), func(i int) int { return i + 1 })))
	whole := ring.Z(f.bits())
	numbers := a.P.B2A(op, ring.Z(max(a.Ring.Bits, f.bits())), leads.s)
	lowest := 1 - f.bias() + x.Scale // the bit of the leading one at the lowest exponent
	shifts := a.weighted(op, a.P.Narrow(op, a.Ring, numbers), p.n, func(j int) *big.Int { return power(top - max(j, lowest)) })
	exponents := a.weighted(op, a.P.Narrow(op, whole, numbers), p.n, func(j int) *big.Int {
		return new(big.Int).Mul(big.NewInt(int64(max(0, j-lowest))), power(f.fraction))
	})
	s := a.P.Product(op, a.Ring, maps.Elementwise{N: p.n}, size.S, shifts, 0)
	if by := top - f.fraction; by > 0 {
		s = a.P.AddPublic(op, s, repeated(a.Ring, p.n, power(by-1)), by-1)
		s = a.P.Floor(op, whole, s, by, false)
	} else {
		s = a.P.Linear(op, maps.Shift{N: p.n, By: -by}, a.P.Extend(op, whole, s, false))
	}
	terms, coef := []mpc.Secret{s, exponents}, []int64{1, 1}
	if negative != nil {
		sign := a.P.Linear(op, maps.Shift{N: p.n, By: f.bits() - 1}, a.P.B2A(op, whole, negative.S))
		terms, coef = append(terms, sign), append(coef, 1)
	}
	sum := a.P.Linear(op, maps.Combine{N: p.n, Coef: coef}, terms...)
	return newValue(sum, tensor.Type{DType: to, Shape: x.Type.Shape}, 0)
}

// weighted returns the sum of all planes of n numbers, each times its weight.
func (a *Arith) weighted(op *flow.Op, numbers mpc.Secret, n int, weight func(plane int) *big.Int) mpc.Secret {
	r, k := numbers.Ring(), numbers.Len()/n
	weights := make([]*big.Int, k)
	for j := range weights {
		weights[j] = weight(j)
	}
	by := maps.Times{By: repeated(r, n, weights...), Bits: r.Bits}
	return a.P.Linear(op, maps.Sum{Outer: 1, Reduced: k, Inner: n}, a.P.Linear(op, by, numbers))
}

// repeated returns each of the integers n times.
func repeated(r ring.Ring, n int, ints ...*big.Int) ring.Vec {
	once, w := ring.FromBig(r, ints), r.Words()
	out := ring.New(r, n*len(ints))
	for i := range n * len(ints) {
		copy(out.Words()[i*w:(i+1)*w], once.Words()[i/n*w:])
	}
	return out
}

func power(e int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(e)) }

// BitsFloat returns the numbers of the float type to whose bits are the integers x. 2^e of a number (1 + m)·2^e is
// computed by the exponential. Magnitudes below the last fraction bit become 0: formats whose lowest exponent is
// above it cost a comparison. Infinities and NaN become large numbers of no meaning.
func (a *Arith) BitsFloat(op *flow.Op, x *Value, to tensor.DType) *Value {
	f := formatOf(to)
	t := tensor.Type{DType: to, Shape: x.Type.Shape}
	negative := boolean(a.P.MSB(op, x.S), t.Shape)
	drop := max(0, f.fraction-a.Fraction)
	m := a.P.Floor(op, ring.Z(f.fraction-drop), a.P.Narrow(op, ring.Z(f.fraction), x.S), drop, false)
	significand := a.AddConst(op, newValue(a.P.Extend(op, a.Ring, m, false), t, f.fraction-drop), 1)
	e := a.P.Floor(op, ring.Z(f.exponent), a.P.Narrow(op, ring.Z(f.bits()-1), x.S), f.fraction, false)
	exponent := a.AddConst(op, newValue(a.P.Extend(op, a.Ring, e, false), t, 0), -float64(f.bias()))
	if f.bias() <= a.Fraction+1 { // numbers of the lowest exponent are not normalised: m·2^(e+1)
		lowest := boolean(a.P.Equal(op, e, a.P.Public(op, a.same(op, e.Ring(), e.Len(), 0), e.Ring().Bits)), t.Shape)
		one := a.Number(op, lowest, to)
		significand, exponent = a.Sub(op, significand, one), a.Add(op, exponent, one)
	}
	size := a.Rescale(op, a.Mul(op, significand, a.Exp(op, exponent, true, Unknown, false)))
	return a.Signed(op, negative, size)
}
