package fxp

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Arith is fixed-point arithmetic over a protocol.
type Arith struct {
	P        mpc.Protocol
	Ring     ring.Ring // of floats
	Fraction int       // fraction bits of a float at rest
	Options  Options
	// Note, if not nil, is told of public values that have no fixed-point form.
	Note func(where, what string)
	// Unproved, if not nil, is told of each contraction that nothing proves to be below
	// the limit in magnitude that it has to be below.
	Unproved func(where string, limit float64)
	// Lost, if not nil, is told of public numbers other than 0 that have no bit left in
	// the form in which an operation takes them.
	Lost func(where, what string)

	factors factors
}

// Value is a secret tensor: integers S at 2^scale to one.
type Value struct {
	S     mpc.Secret
	Type  tensor.Type
	Scale int

	// The value at the fraction, in its ring and in a narrower one, once
	// something needed it: a value is rounded once.
	reduced, dropped *Value
	// What x is the elementwise product of, if it is one: where both are open
	// the product is made anew in a wider ring, of which what is truncated is
	// dropped for nothing.
	factors []*Value
	// What x is a public multiple of, if it is one.
	multiple *multiple
	// Elements of floats are below 2^top in magnitude; unbounded if nothing says so.
	top int
	// term says that x is a product or a contraction, or is made of such: a sum of
	// terms is a contraction, and in its range by what users are told.
	term bool
	// wide, if not nil, says that S, above the fraction, is right only modulo its
	// ring, and gives x at its scale or a higher one in a ring that is wider by what
	// that is above the fraction: right over the whole range of values. Sums of
	// products take S as it is, comparisons what is wide, everything else x by Reduce.
	wide    func(op *flow.Op) *Value
	widened *Value
	// coarse is what Coarse gives of x, once something asked for it.
	coarse *Value
	// root says that x is a root of a value in the fine form, which is below 2^20.
	root bool
}

// NewValue is what a protocol gave as a value: of integers S at 2^scale to one, of
// which nothing more is known.
func NewValue(s mpc.Secret, t tensor.Type, scale int) *Value { return newValue(s, t, scale) }

// Contraction reports whether x's range is that of contractions: a contraction, or made
// of such, that is not rescaled.
func (x *Value) Contraction() bool { return x.term && x.wide == nil }

func newValue(s mpc.Secret, t tensor.Type, scale int) *Value {
	return &Value{S: s, Type: t, Scale: scale, top: unbounded}
}

// RingOf is the ring for a type: the job's for floats, one of their own width
// for integers and booleans.
func (a *Arith) RingOf(d tensor.DType) ring.Ring {
	if d.IsFloat() {
		return a.Ring
	}
	return ring.Z(d.Bits())
}

// scaleOf is the scale at which a type is encoded.
func (a *Arith) scaleOf(d tensor.DType) int {
	if d.IsFloat() {
		return a.Fraction
	}
	return 0
}

// limit is the largest scale that a float may have and meet others: two
// fractions.
func (a *Arith) limit() int { return 2 * a.Fraction }

// words encodes an array for op: without storage if the run has none.
func (a *Arith) words(op *flow.Op, arr *tensor.Array, scale int) ring.Vec {
	r := a.RingOf(arr.DType)
	a.noteLost(op, arr, scale)
	if op.Graph.Weightless() {
		return ring.Weightless(r, arr.Len())
	}
	if a.Note != nil && arr.DType.IsFloat() {
		a.noteSpecial(op, arr)
	}
	return Encode(arr, r, scale)
}

// noteSpecial notes NaN and infinities.
func (a *Arith) noteSpecial(op *flow.Op, arr *tensor.Array) {
	nan, inf := 0, 0
	for _, x := range arr.Floats() {
		switch {
		case math.IsNaN(x):
			nan++
		case math.IsInf(x, 0):
			inf++
		}
	}
	if nan > 0 {
		a.Note(op.Where(), fmt.Sprintf("%d of %d public values that meet secrets are NaN: they become 0", nan, arr.Len()))
	}
	if inf > 0 {
		a.Note(op.Where(), fmt.Sprintf("%d of %d public values that meet secrets are infinite: they saturate", inf, arr.Len()))
	}
}

// bound is the bound of whatever is encoded.
func (a *Arith) bound(d tensor.DType) int { return a.RingOf(d).Bits - 2 }

// Held is a secret that the computing parties have had shares of since an earlier
// run: this party's, and the scale and bound of what it is.
type Held struct {
	Vec          ring.Vec
	Scale, Bound int
}

// Held takes up a secret of a type. One in a wider ring, but for the fine form, was set
// aside as what is right over the whole range of values (ToSetAside).
func (a *Arith) Held(g *flow.Graph, t tensor.Type, h *Held) *Value {
	v := h.Vec
	if g.Weightless() {
		v = ring.Weightless(v.Ring(), v.Len())
	}
	x := newValue(a.P.Held(v, h.Bound), t, h.Scale)
	if !t.DType.IsFloat() || v.Ring().Bits <= a.Ring.Bits || a.Fine(x) {
		return x
	}
	low := ring.Weightless(a.Ring, v.Len())
	if !g.Weightless() {
		low = ring.New(a.Ring, v.Len())
		ring.Low(low, v)
	}
	out := newValue(a.P.Held(low, a.Ring.Bits-2), t, h.Scale)
	out.wide = func(*flow.Op) *Value { return x }
	return out
}

// ToSetAside is x as a checkpoint has it: as it is, or in a wider ring if it is right
// only modulo its own.
func (a *Arith) ToSetAside(op *flow.Op, x *Value) *Value {
	if x != nil && x.wide != nil {
		return a.widen(op, x)
	}
	return x
}

// Input shares what one party knows. arr is called at the owner only.
func (a *Arith) Input(op *flow.Op, owner int, t tensor.Type, arr func() *tensor.Array) *Value {
	return a.inputAt(op, owner, t, a.scaleOf(t.DType), arr)
}

func (a *Arith) inputAt(op *flow.Op, owner int, t tensor.Type, scale int, arr func() *tensor.Array) *Value {
	r := a.RingOf(t.DType)
	s := a.P.Input(op, owner, r, t.Shape.Size(), a.bound(t.DType), encoder(arr, t, r, scale))
	return newValue(s, t, scale)
}

// encoder encodes what arr gives; where there is no data (in a plan), the
// vector has no storage.
func encoder(arr func() *tensor.Array, t tensor.Type, r ring.Ring, scale int) func() ring.Vec {
	return func() ring.Vec {
		if a := arr(); a != nil {
			return Encode(a, r, scale)
		}
		return ring.Weightless(r, t.Shape.Size())
	}
}

// Public is a public tensor as a secret, at the given scale.
func (a *Arith) Public(op *flow.Op, arr *tensor.Array, scale int) *Value {
	if !arr.DType.IsFloat() {
		scale = 0
	}
	out := newValue(a.P.Public(op, a.words(op, arr, scale), a.bound(arr.DType)), arr.Type, scale)
	out.top = a.bitsOf(arr)
	return out
}

// linear applies a map to values of one scale.
func (a *Arith) linear(op *flow.Op, m maps.Linear, shape tensor.Shape, xs ...*Value) *Value {
	in := make([]mpc.Secret, len(xs))
	for i, x := range xs {
		in[i] = x.S
	}
	return newValue(a.P.Linear(op, m, in...), tensor.Type{DType: xs[0].Type.DType, Shape: shape}, xs[0].Scale)
}

// raise multiplies by a power of two so that the scale grows to the given one.
func (a *Arith) raise(op *flow.Op, x *Value, scale int) *Value {
	if scale <= x.Scale {
		return x
	}
	y := a.linear(op, maps.Shift{N: x.S.Len(), By: scale - x.Scale}, x.Type.Shape, x)
	y.Scale = scale
	return y.is(x.top, x.term)
}

// Reduce truncates to the fraction in the same ring.
func (a *Arith) Reduce(op *flow.Op, x *Value) *Value {
	x = a.Coarse(op, x)
	if by := x.Scale - a.Fraction; by > 0 && x.Type.DType.IsFloat() {
		switch {
		case x.reduced != nil:
		case x.dropped != nil && x.dropped.S.Opened(): // a value is rounded once
			x.reduced = newValue(a.P.Max(op, a.Ring, x.dropped.S), x.Type, a.Fraction).is(x.top, x.term)
		default:
			x.reduced = a.reduceTo(op, x, a.Fraction)
		}
		return x.reduced
	}
	return x
}

// reduceTo truncates to a scale below x's, in the same ring.
func (a *Arith) reduceTo(op *flow.Op, x *Value, scale int) *Value {
	switch {
	case x.wide != nil:
		return a.lowered(op, a.widen(op, x), scale).is(x.top, x.term)
	case a.openFactors(x):
		wide := a.ofFactors(op, x, ring.Z(a.Ring.Bits+x.Scale-scale))
		return newValue(a.P.Drop(op, wide, x.Scale-scale), x.Type, scale).is(x.top, x.term)
	}
	return newValue(a.P.Truncate(op, x.S, x.Scale-scale), x.Type, scale).is(x.top, x.term)
}

// lowered is x, of the job's ring or a wider one, at a scale in the job's ring.
func (a *Arith) lowered(op *flow.Op, x *Value, scale int) *Value {
	by, s := x.Scale-scale, x.S
	switch {
	case by > 0 && s.Ring().Bits-by >= a.Ring.Bits:
		s = a.P.Drop(op, s, by)
	case by > 0:
		s = a.P.Truncate(op, s, by)
	}
	return a.raise(op, newValue(a.narrowed(op, s), x.Type, min(x.Scale, scale)), scale)
}

// ofFactors is the elementwise product x, made of its factors in another ring.
func (a *Arith) ofFactors(op *flow.Op, x *Value, r ring.Ring) mpc.Secret {
	return a.P.Product(op, r, maps.Elementwise{N: x.S.Len()}, x.factors[0].S, x.factors[1].S)
}

// widen is x, which is right only modulo its ring, in a wider one.
func (a *Arith) widen(op *flow.Op, x *Value) *Value {
	if x.widened == nil {
		x.widened = x.wide(op).is(x.top, x.term)
	}
	return x.widened
}

// drop truncates to the fraction, in a narrower ring if x is not open yet.
func (a *Arith) drop(op *flow.Op, x *Value) *Value {
	by := x.Scale - a.Fraction
	switch {
	case by <= 0 || !x.Type.DType.IsFloat() || x.S.Opened() || x.wide != nil:
		return a.Reduce(op, x)
	case x.dropped != nil:
	case x.reduced != nil:
		return x.reduced
	default:
		x.dropped = newValue(a.P.Drop(op, x.S, by), x.Type, a.Fraction).is(x.top, x.term)
	}
	return x.dropped
}

// atLeast raises a float to the fraction, so that a public value may be added
// without loss.
func (a *Arith) atLeast(op *flow.Op, x *Value) *Value {
	if x.Type.DType.IsFloat() {
		return a.raise(op, x, a.Fraction)
	}
	return x
}

// Settle brings a result to what is revealed: at most the fraction.
func (a *Arith) Settle(op *flow.Op, x *Value) *Value {
	x = a.Reduce(op, a.Coarse(op, x))
	a.P.Settle(op, x.S)
	return x
}
