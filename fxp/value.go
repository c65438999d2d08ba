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
	// large says that the program's text lets elements be too large for a scale
	// above the fraction.
	large bool
}

func newValue(s mpc.Secret, t tensor.Type, scale int) *Value {
	return &Value{S: s, Type: t, Scale: scale}
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

// Held takes up a secret of a type.
func (a *Arith) Held(g *flow.Graph, t tensor.Type, h *Held) *Value {
	v := h.Vec
	if g.Weightless() {
		v = ring.Weightless(v.Ring(), v.Len())
	}
	return newValue(a.P.Held(v, h.Bound), t, h.Scale)
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
	out.large = a.tooLarge(arr)
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
	return y
}

// Reduce truncates to the fraction in the same ring.
func (a *Arith) Reduce(op *flow.Op, x *Value) *Value {
	if by := x.Scale - a.Fraction; by > 0 && x.Type.DType.IsFloat() {
		switch {
		case x.reduced != nil:
		case x.dropped != nil && x.dropped.S.Opened(): // a value is rounded once
			x.reduced = newValue(a.P.Max(op, a.Ring, x.dropped.S), x.Type, a.Fraction)
		default:
			x.reduced = a.reduceTo(op, x, a.Fraction)
		}
		return x.reduced
	}
	return x
}

// reduceTo truncates to a scale below x's, in the same ring.
func (a *Arith) reduceTo(op *flow.Op, x *Value, scale int) *Value {
	by := x.Scale - scale
	if a.openFactors(x) {
		wide := a.P.Product(op, ring.Z(a.Ring.Bits+by), maps.Elementwise{N: x.S.Len()}, x.factors[0].S, x.factors[1].S)
		return newValue(a.P.Drop(op, wide, by), x.Type, scale)
	}
	return newValue(a.P.Truncate(op, x.S, by), x.Type, scale)
}

// drop truncates to the fraction, in a narrower ring if x is not open yet.
func (a *Arith) drop(op *flow.Op, x *Value) *Value {
	by := x.Scale - a.Fraction
	switch {
	case by <= 0 || !x.Type.DType.IsFloat() || x.S.Opened():
		return a.Reduce(op, x)
	case x.dropped != nil:
	case x.reduced != nil:
		return x.reduced
	default:
		x.dropped = newValue(a.P.Drop(op, x.S, by), x.Type, a.Fraction)
	}
	return x.dropped
}

// align brings values to one scale: the largest, once what is above the limit
// has been truncated. Up to beyondLimit above, values whose bounds leave room
// for the largest scale are brought to it as they are.
func (a *Arith) align(op *flow.Op, xs ...*Value) []*Value {
	out, scale, room := make([]*Value, len(xs)), 0, true
	xs = a.besideLarge(op, xs)
	for _, x := range xs {
		scale = max(scale, x.Scale)
	}
	for _, x := range xs {
		room = room && (x.Scale == scale || x.S.Bound()+scale-x.Scale <= x.S.Ring().Bits-2)
	}
	if reduced := 0; !room || scale > a.limit()+beyondLimit {
		for i, x := range xs {
			if x.Scale > a.limit() {
				x = a.Reduce(op, x)
			}
			out[i], reduced = x, max(reduced, x.Scale)
		}
		xs, scale = out, reduced
	}
	for i, x := range xs {
		out[i] = a.raise(op, x, scale)
	}
	return out
}

// beyondLimit is how much scale above the limit a sum may have: the guard of
// a product whose kernel has factors folded into it (package hlo/pass).
const beyondLimit = 4

// atLeast raises a float to the fraction, so that a public value may be added
// without loss.
func (a *Arith) atLeast(op *flow.Op, x *Value) *Value {
	if x.Type.DType.IsFloat() {
		return a.raise(op, x, a.Fraction)
	}
	return x
}

// Settle brings a result to what is revealed: at most the fraction, and guard bits
// of more than two parties.
func (a *Arith) Settle(op *flow.Op, x *Value) *Value {
	if y := a.guarded(op, x, a.crowd(), false); y != nil {
		x = y
	} else if x.Scale > a.Fraction+a.crowd() {
		x = a.Reduce(op, x)
	}
	a.P.Settle(op, x.S)
	return x
}
