package fxp

import (
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Narrow integers (Value.narrow) are integers of which the program's author says that they fit a ring that is narrower than that of their
// type, with a slack bit: they are shared, multiplied and opened in that ring. Views, sums and contractions of them are narrow.

// Narrow reports whether x is made of narrow integers.
func (x *Value) Narrow() bool { return x.narrow }

// alike returns out, which is narrow if x is.
func (out *Value) alike(x *Value) *Value {
	out.narrow = x.narrow
	return out
}

// InputNarrow is Input of integers in a ring of so many bits.
func (a *Arith) InputNarrow(op *flow.Op, owner int, t tensor.Type, bits int, arr func() *tensor.Array) *Value {
	r := ring.Z(bits)
	out := newValue(a.P.Input(op, owner, r, t.Shape.Size(), bits-2, encoder(arr, t, r, 0)), t, 0)
	out.narrow = true
	return out
}

// Narrowed returns integers x divided by 2^by, as integers of type d in a ring of so many bits: they are off by less than n/2 among n
// computing parties, with an error of mean zero. x has at least by + bits bits.
func (a *Arith) Narrowed(op *flow.Op, x *Value, d tensor.DType, by, bits int) *Value {
	s := x.S
	if by > 0 {
		s = a.P.TruncateReduce(op, s, by)
	}
	out := newValue(a.P.Narrow(op, ring.Z(bits), s), tensor.Type{DType: d, Shape: x.Type.Shape}, 0)
	out.narrow = bits < a.RingOf(d).Bits
	return out
}

// WideInteger returns integers that are below 2^bits in magnitude, as the program's author says, as integers of the type d.
func (a *Arith) WideInteger(op *flow.Op, x *Value, d tensor.DType, bits int) *Value {
	s, r := x.S, a.RingOf(d)
	if p, ok := mpc.As[mpc.Asserter](a.P); ok && s.Ring().Bits < r.Bits {
		s = p.Asserted(op, s, min(bits, s.Ring().Bits))
	}
	switch {
	case s.Ring().Bits < r.Bits:
		s = a.P.Extend(op, r, s, true)
	case s.Ring().Bits > r.Bits:
		s = a.P.Narrow(op, r, s)
	}
	return newValue(s, tensor.Type{DType: d, Shape: x.Type.Shape}, 0)
}

// waveBits is log2 of the period of the table sigmoid/wave.
const waveBits = 6

// SigmoidOfInteger returns the sigmoid of x·2^−scale, times 2^fraction, as integers of x's type in a ring of so many bits: they are off
// by less than 1 + n/2 among n computing parties. |x| is below 24·2^scale, as the program's author says. Where x is in a ring of
// scale + 6 bits or more, only x is opened.
func (a *Arith) SigmoidOfInteger(op *flow.Op, x *Value, scale, fraction, bits int) *Value {
	r := ring.Z(bits)
	if p, ok := mpc.As[mpc.ShortTables](a.P); ok && x.S.Ring().Bits >= scale+waveBits {
		f := mpc.Fixed{In: scale, Out: fraction, Ring: r, Tolerance: math.Ldexp(1, -min(fraction+shortMargin, mostShort))}
		out := newValue(p.EvalShortTable(op, x.S, f, "sigmoid/wave"), x.Type, 0)
		out.narrow = bits < a.RingOf(x.Type.DType).Bits
		return out
	}
	y := a.RealOfInteger(op, x, tensor.F64, scale, min(x.S.Ring().Bits-2, scale+waveBits-1))
	y = a.EvalTableWithTails(op, y, "sigmoid", Unknown)
	y = a.NearInteger(op, newValue(y.S, y.Type, y.Scale-fraction), x.Type.DType)
	return a.Narrowed(op, y, x.Type.DType, 0, bits)
}

// A table's error is 2^−shortMargin of a unit of the result, or 2^−mostShort if that is more: it is no noise of mean zero, as
// roundings are.
const shortMargin, mostShort = 8, 13

// lowOf returns integers modulo another ring's size.
func lowOf(r ring.Ring, v ring.Vec) ring.Vec {
	if v.Ring() == r {
		return v
	}
	out := v.Like(r, v.Len())
	ring.Low(out, v)
	return out
}
