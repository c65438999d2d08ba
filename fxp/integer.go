package fxp

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Integer converts the integer x to type to: to a narrower type modulo 2^bits, to a wider type by its value, to a
// float exactly (without fraction bits).
func (a *Arith) Integer(op *flow.Op, x *Value, to tensor.DType) *Value {
	r := a.RingOf(to)
	s := x.S
	switch {
	case r.Bits < s.Ring().Bits:
		s = a.P.Narrow(op, r, s)
	case r.Bits > s.Ring().Bits:
		s = a.P.Extend(op, r, s, x.Type.DType.IsSigned())
	}
	return newValue(s, tensor.Type{DType: to, Shape: x.Type.Shape}, 0)
}

// HighWord returns the upper half of the product x·y of integers of one type.
func (a *Arith) HighWord(op *flow.Op, x, y *Value) *Value {
	signed, half := x.Type.DType.IsSigned(), x.S.Ring()
	wide := ring.Z(2 * half.Bits)
	p := a.P.Product(op, wide, maps.Elementwise{N: x.S.Len()}, a.P.Extend(op, wide, x.S, signed), a.P.Extend(op, wide, y.S, signed), 0)
	return newValue(a.P.Floor(op, half, p, half.Bits, signed), x.Type, 0)
}

// planes holds the bits of n numbers by bit position: plane 0 holds all lowest bits.
type planes struct {
	s    mpc.Bit
	k, n int
}

func (a *Arith) planes(op *flow.Op, x *Value) planes {
	return planes{a.P.BitDecompose(op, x.S), x.S.Ring().Bits, x.S.Len()}
}

// composed returns the integers of type t whose bits are p.
func (a *Arith) composed(op *flow.Op, p planes, t tensor.Type) *Value {
	return newValue(a.P.BitCompose(op, ring.Z(p.k), p.s), t, 0)
}

// moved returns planes of which plane i is p's plane from(i), or zeros where p has no such plane.
func (a *Arith) moved(op *flow.Op, p planes, from func(i int) int) planes {
	v := tensor.Listed(tensor.Shape{p.k * p.n}, p.s.Len(), func() []int32 {
		index := make([]int32, 0, p.k*p.n)
		for i := range p.k {
			src := from(i)
			for e := range p.n {
				if src < 0 || src >= p.s.Len()/p.n {
					index = append(index, tensor.Fill)
				} else {
					index = append(index, int32(src*p.n+e))
				}
			}
		}
		return index
	})
	return planes{a.P.Linear(op, maps.NewView(v, p.s.Len()), p.s), p.k, p.n}
}

// spread returns one plane of p, k times.
func (a *Arith) spread(op *flow.Op, p planes, plane int) planes {
	return a.moved(op, p, func(int) int { return plane })
}

// xor adds planes modulo 2.
func (a *Arith) xor(op *flow.Op, ps ...planes) planes {
	coef, in := make([]int64, len(ps)), make([]mpc.Secret, len(ps))
	for i, p := range ps {
		coef[i], in[i] = 1, p.s
	}
	return planes{a.P.Linear(op, maps.Combine{N: ps[0].s.Len(), Coef: coef}, in...), ps[0].k, ps[0].n}
}

func (a *Arith) and(op *flow.Op, ps ...planes) planes {
	in := make([]mpc.Bit, len(ps))
	for i, p := range ps {
		in[i] = p.s
	}
	return planes{a.P.And(op, in...), ps[0].k, ps[0].n}
}

func (a *Arith) not(op *flow.Op, p planes) planes {
	p.s = a.Not(op, boolean(p.s, tensor.Shape{p.s.Len()})).S
	return p
}

// BitAnd returns x & y for integers.
func (a *Arith) BitAnd(op *flow.Op, x, y *Value) *Value {
	return a.composed(op, a.and(op, a.planes(op, x), a.planes(op, y)), x.Type)
}

// BitOr returns x | y = x + y − (x & y).
func (a *Arith) BitOr(op *flow.Op, x, y *Value) *Value {
	return a.Combine(op, []int64{1, 1, -1}, x, y, a.BitAnd(op, x, y))
}

// BitXor returns x ^ y, which needs no product of bits.
func (a *Arith) BitXor(op *flow.Op, x, y *Value) *Value {
	return a.composed(op, a.xor(op, a.planes(op, x), a.planes(op, y)), x.Type)
}

// BitAndPublic returns x & c for a public array.
func (a *Arith) BitAndPublic(op *flow.Op, x *Value, c *tensor.Array) *Value {
	p := a.planes(op, x)
	pick := ring.New(ring.Z(1), p.k*p.n)
	for e, w := range c.Words() {
		for i := range p.k {
			pick.Words()[i*p.n+e] = w >> i & 1
		}
	}
	p.s = a.P.Linear(op, maps.Times{By: pick}, p.s)
	return a.composed(op, p, x.Type)
}

// BitOrPublic returns x | c = x + c − (x & c).
func (a *Arith) BitOrPublic(op *flow.Op, x *Value, c *tensor.Array) *Value {
	return a.AddPublic(op, a.Sub(op, x, a.BitAndPublic(op, x, c)), c)
}

// BitXorPublic returns x ^ c = x + c − 2·(x & c).
func (a *Arith) BitXorPublic(op *flow.Op, x *Value, c *tensor.Array) *Value {
	return a.AddPublic(op, a.Combine(op, []int64{1, -2}, x, a.BitAndPublic(op, x, c)), c)
}

// PopCount returns the number of set bits.
func (a *Arith) PopCount(op *flow.Op, x *Value) *Value {
	return a.count(op, a.planes(op, x), x.Type)
}

// count returns the sum of the planes, for each number.
func (a *Arith) count(op *flow.Op, p planes, t tensor.Type) *Value {
	s := a.P.B2A(op, ring.Z(p.k), p.s)
	return newValue(a.P.Linear(op, maps.Sum{Outer: 1, Reduced: p.k, Inner: p.n}, s), t, 0)
}

// LeadingZeros returns the number of zero bits above the highest set bit.
func (a *Arith) LeadingZeros(op *flow.Op, x *Value) *Value {
	return a.count(op, a.zerosFrom(op, a.planes(op, x)), x.Type)
}

// zerosFrom returns, for each plane, whether it and all planes above are zero: products over prefixes of 4,
// 16, 64 planes, one message each.
func (a *Arith) zerosFrom(op *flow.Op, p planes) planes {
	zero := a.not(op, p)
	for step := 1; step < zero.k; step *= gateFanIn {
		a.P.Open(op, zero.s)
		in := []planes{zero}
		for q := step; q < zero.k && q < gateFanIn*step; q += step {
			above := a.moved(op, a.not(op, zero), func(i int) int { return i + q })
			in = append(in, a.not(op, above)) // planes above the top are zero
		}
		zero = a.and(op, in...)
	}
	return zero
}

// gateFanIn is the number of bits that are multiplied at a time.
const gateFanIn = 4

// ShiftKind is the direction of a shift, and says which bits fill in.
type ShiftKind int

// The kinds of shifts. An amount of the type's width or more shifts all bits out: the result is 0, or copies of the
// sign.
const (
	ShiftLeft            ShiftKind = iota // towards the highest bit; zeros fill in
	ShiftRight                            // towards the lowest bit; zeros fill in
	ShiftRightArithmetic                  // towards the lowest bit; copies of the sign fill in
)

// from returns the plane that a shift moves to position i, −1 for a zero.
func (s ShiftKind) from(i, by, k int) int {
	switch {
	case s == ShiftLeft:
		return max(i-by, -1)
	case i+by < k:
		return i + by
	case s == ShiftRightArithmetic:
		return k - 1
	}
	return -1
}

// ShiftPublic returns x shifted by public amounts, read as unsigned. Left shifts send nothing; right shifts by one
// common amount are exact floors.
func (a *Arith) ShiftPublic(op *flow.Op, x *Value, by *tensor.Array, kind ShiftKind) *Value {
	k := x.S.Ring().Bits
	amounts := make([]int, by.Len())
	uniform := true
	for i, w := range by.Words() {
		amounts[i] = int(min(w&(^uint64(0)>>(64-k)), uint64(k)))
		uniform = uniform && amounts[i] == amounts[0]
	}
	switch {
	case len(amounts) == 0:
		return x
	case kind == ShiftLeft:
		factor := make([]uint64, len(amounts))
		for i, s := range amounts {
			factor[i] = 1 << s // 0 for 64
			if s == k {
				factor[i] = 0
			}
		}
		return a.linear(op, maps.Times{By: ring.FromWords(ring.Z(k), factor), Bits: k}, x.Type.Shape, x)
	case uniform && amounts[0] == k && kind == ShiftRight:
		return a.MulPublic(op, x, tensor.NewArray(x.Type))
	case uniform:
		signed := kind == ShiftRightArithmetic
		return newValue(a.P.Floor(op, x.S.Ring(), x.S, min(amounts[0], k-1), signed), x.Type, 0)
	}
	p := a.planes(op, x)
	v := tensor.Listed(tensor.Shape{k * p.n}, k*p.n, func() []int32 {
		index := make([]int32, 0, k*p.n)
		for i := range k {
			for e, s := range amounts {
				at := int32(tensor.Fill)
				if from := kind.from(i, s, k); from >= 0 {
					at = int32(from*p.n + e)
				}
				index = append(index, at)
			}
		}
		return index
	})
	p.s = a.P.Linear(op, maps.NewView(v, k*p.n), p.s)
	return a.composed(op, p, x.Type)
}

// Shift returns x shifted by secret amounts. After one opening of all bits, each two bits of the amount select among
// four public shifts. The last selection is multiplied with the bit that says whether the amount is below the type's
// width.
func (a *Arith) Shift(op *flow.Op, x, by *Value, kind ShiftKind) *Value {
	b, amount := a.planes(op, x), a.planes(op, by)
	a.P.Open(op, b.s)
	k, n, sign := b.k, b.n, a.spread(op, b, b.k-1)
	width := make([]uint64, n)
	for i := range width {
		width[i] = uint64(k)
	}
	limit := a.Public(op, tensor.FromWords(by.Type.DType, by.Type.Shape, width), 0)
	small := a.P.LessFullRange(op, by.S, limit.S, false)
	a.P.Open(op, small, amount.s)
	valid := a.spread(op, planes{small, k, n}, 0)
	last := bits.Len(uint(k - 1)) // bits of the amount that select
	for bit := 0; bit < last; bit += 2 {
		if bit > 0 {
			a.P.Open(op, b.s)
		}
		shifted := func(by int) planes {
			return a.moved(op, b, func(i int) int { return kind.from(i, by, k) })
		}
		terms := [][]planes{{b}}
		s0, b1 := a.spread(op, amount, bit), shifted(1<<bit)
		terms = append(terms, []planes{s0, a.xor(op, b, b1)})
		if bit+1 < last {
			s1, b2, b3 := a.spread(op, amount, bit+1), shifted(2<<bit), shifted(3<<bit)
			terms = append(terms, []planes{s1, a.xor(op, b, b2)}, []planes{s0, s1, a.xor(op, b, b1, b2, b3)})
		}
		if bit+2 >= last {
			if kind == ShiftRightArithmetic {
				terms = append(terms, []planes{sign})
			}
			for i := range terms {
				terms[i] = append(terms[i], valid)
			}
			if kind == ShiftRightArithmetic { // sign ⊕ valid·(shifted ⊕ sign)
				terms = append(terms, []planes{sign})
			}
		}
		sum := make([]planes, len(terms))
		for i, t := range terms {
			sum[i] = a.and(op, t...)
		}
		b = a.xor(op, sum...)
	}
	return a.composed(op, b, x.Type)
}

// Power returns x^e for a public exponent, by squaring.
func (a *Arith) Power(op *flow.Op, x *Value, e uint64) *Value {
	var out *Value
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			if out == nil {
				out = x
			} else {
				out = a.Mul(op, out, x)
			}
		}
		if e > 1 {
			x = a.Mul(op, x, x)
		}
	}
	return out
}
