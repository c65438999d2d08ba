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

// Arith builds operations on secret tensors from those of one protocol. P, Ring, Fraction and Options must be set
// before the first operation. The package comment defines the terms of the methods' comments.
type Arith struct {
	P        mpc.Protocol // the protocol
	Ring     ring.Ring    // the ring of floats; integers have rings of their own types' widths
	Fraction int          // f, the number of fraction bits of a float once it is rescaled
	Options  Options      // the job's settings
	// Note, if not nil, is called for public values that have no fixed-point form: NaN and infinities. where is the
	// operation's place in the program, what the text of a warning.
	Note func(where, what string)
	// Unproved, if not nil, is called for each contraction whose magnitude must be below limit and is not proved to
	// be. where is the operation's place in the program.
	Unproved func(where string, limit float64)
	// Lost, if not nil, is called for public numbers other than 0 that become 0 in the form in which an operation
	// takes them. where is the operation's place in the program, what the text of a warning.
	Lost func(where, what string)
	// Encodings holds the encodings of public arrays. nil: the Arith makes its own when it encodes the first one.
	Encodings *Encodings
}

// Value is a secret tensor: the integers S represent x = S/2^Scale. A Value must not be changed once it has been
// used.
type Value struct {
	S     mpc.Secret  // the shared integers, x·2^Scale
	Type  tensor.Type // element type and shape of x
	Scale int         // the scale, in bits; 0 for integers and booleans

	// reduced and dropped memoise the value at the fraction, in its own ring and in a narrower ring, so that
	// a value is rounded once.
	reduced, dropped *Value
	// factors are the two operands if the value is an elementwise product. If both are open, the product is
	// recomputed in a wider ring, where its truncation is a local drop of low bits.
	factors []*Value
	// product says that Outer returned the value: its share is symbolic.
	product bool
	// multiple is set if the value is a public multiple of another one.
	multiple *multiple
	// top bounds floats: every element is below 2^top in magnitude. It is unbounded if no bound is known.
	top int
	// term says that the value is a product or a contraction, or is made of such values. A sum of terms is a
	// contraction; that contractions stay in their range is a rule that users are told (Unproved).
	term bool
	// wide, if not nil, says that S, above the fraction, is right only modulo its ring. wide returns x at its
	// scale or a higher one, in a ring that is wider by as many bits as that scale exceeds the fraction, and
	// is right over the whole range of values. Sums of products take S as it is, comparisons take the result
	// of wide, and all other operations take x rescaled (Rescale).
	wide    func(op *flow.Op) *Value
	widened *Value
	// within, if not nil, is the same value in a narrower ring, at the same scale, for functions that take it there (RealOfInteger).
	within *Value
	// narrow says that S is in a narrower ring than that of the type, which holds the value (narrow.go).
	narrow bool
	// coarse memoises Coarse.
	coarse *Value
	// guarded memoises Guarded; low and lowBy memoise Parts.
	guarded, low *Value
	lowBy        int
	// root says that x is a root of a value in the fine form.
	root bool
}

// NewValue returns the value x of type t that the integers s = x·2^scale represent, without known bounds.
func NewValue(s mpc.Secret, t tensor.Type, scale int) *Value { return newValue(s, t, scale) }

// Contraction reports whether x is a contraction, or a linear combination of contractions, that has not been
// rescaled, so that the smaller range of contractions holds for it.
func (x *Value) Contraction() bool { return x.term && x.wide == nil }

func newValue(s mpc.Secret, t tensor.Type, scale int) *Value {
	return &Value{S: s, Type: t, Scale: scale, top: unbounded}
}

// RingOf returns the ring in which values of an element type are shared: the job's ring for floats, a ring of the
// type's own width for integers and booleans.
func (a *Arith) RingOf(d tensor.DType) ring.Ring {
	if d.IsFloat() {
		return a.Ring
	}
	return ring.Z(d.Bits())
}

// scaleOf returns the scale at which inputs and constants of a type are encoded.
func (a *Arith) scaleOf(d tensor.DType) int {
	if d.IsFloat() {
		return a.Fraction
	}
	return 0
}

// limit is the largest scale, 2f, at which a float is combined with others.
func (a *Arith) limit() int { return 2 * a.Fraction }

// words encodes an array for op. The vector has no storage in a dry run.
func (a *Arith) words(op *flow.Op, arr *tensor.Array, scale int) ring.Vec {
	r := a.RingOf(arr.DType)
	a.noteLost(op, arr, scale)
	if op.Graph.DryRun() {
		return ring.ShapeOnly(r, arr.Len())
	}
	if a.Note != nil && arr.DType.IsFloat() {
		a.noteSpecial(op, arr)
	}
	return Encode(arr, r, scale)
}

// noteSpecial calls Note for NaN and infinities.
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
		a.Note(op.Where(), fmt.Sprintf("%d of %d public values in an operation with secrets are NaN: they become 0", nan, arr.Len()))
	}
	if inf > 0 {
		a.Note(op.Where(), fmt.Sprintf("%d of %d public values in an operation with secrets are infinite: they saturate", inf, arr.Len()))
	}
}

// bound returns the bound, in bits, of every encoded element of a type.
func (a *Arith) bound(d tensor.DType) int { return a.RingOf(d).Bits - 2 }

// StoredShare is this party's share of a secret that an earlier execution computed and the computing parties have
// stored.
type StoredShare struct {
	Vec ring.Vec // the additive share
	// Scale is the scale of the secret; Bound says that its integers are below 2^Bound in magnitude.
	Scale, Bound int
}

// FromShare returns the value of type t of which h is this party's share. g is the graph in which it is used. A share
// in a ring wider than the job's is in the fine form, or was stored by ToCheckpoint because it is right only modulo
// the job's ring.
func (a *Arith) FromShare(g *flow.Graph, t tensor.Type, h *StoredShare) *Value {
	v := h.Vec
	if g.DryRun() {
		v = ring.ShapeOnly(v.Ring(), v.Len())
	}
	x := newValue(a.P.FromShare(v, h.Bound), t, h.Scale)
	if !t.DType.IsFloat() || v.Ring().Bits <= a.Ring.Bits || a.Fine(x) {
		return x
	}
	low := ring.ShapeOnly(a.Ring, v.Len())
	if !g.DryRun() {
		low = ring.New(a.Ring, v.Len())
		ring.Low(low, v)
	}
	out := newValue(a.P.FromShare(low, a.Ring.Bits-2), t, h.Scale)
	out.wide = func(*flow.Op) *Value { return x }
	return out
}

// ToCheckpoint returns x as a checkpoint stores it: x itself, or x in a wider ring if x is right only modulo its own.
// It returns nil if x is nil.
func (a *Arith) ToCheckpoint(op *flow.Op, x *Value) *Value {
	if x != nil && x.wide != nil {
		return a.widen(op, x)
	}
	return x
}

// Input returns an array of type t that the party owner knows, as a shared value. arr is called at the owner only.
func (a *Arith) Input(op *flow.Op, owner int, t tensor.Type, arr func() *tensor.Array) *Value {
	return a.inputAt(op, owner, t, a.scaleOf(t.DType), arr)
}

// InputLate is Input of an array that its owner, which is the computing party with that rank, knows only when the graph runs. At other
// parties the future holds nil.
func (a *Arith) InputLate(op *flow.Op, owner int, t tensor.Type, arr *flow.Future[*tensor.Array]) *Value {
	r, scale := a.RingOf(t.DType), a.scaleOf(t.DType)
	n := t.Shape.Size()
	words := flow.Do(op, int64(n)*int64(r.Words())*8, func() ring.Vec { return encoder(arr.Get, t, r, scale)() }, arr)
	return newValue(a.P.InputLate(op, owner, r, n, a.bound(t.DType), words), t, scale)
}

func (a *Arith) inputAt(op *flow.Op, owner int, t tensor.Type, scale int, arr func() *tensor.Array) *Value {
	r := a.RingOf(t.DType)
	s := a.P.Input(op, owner, r, t.Shape.Size(), a.bound(t.DType), encoder(arr, t, r, scale))
	return newValue(s, t, scale)
}

// encoder returns a function that encodes arr's result. In a dry run there is no data, and the vector has no
// storage.
func encoder(arr func() *tensor.Array, t tensor.Type, r ring.Ring, scale int) func() ring.Vec {
	return func() ring.Vec {
		if a := arr(); a != nil {
			return Encode(a, r, scale)
		}
		return ring.ShapeOnly(r, t.Shape.Size())
	}
}

// Public returns a public array as a Value at the given scale, so that operations on secrets take it. It
// stays public.
func (a *Arith) Public(op *flow.Op, arr *tensor.Array, scale int) *Value {
	if !arr.DType.IsFloat() {
		scale = 0
	}
	out := newValue(a.P.Public(op, a.words(op, arr, scale), a.bound(arr.DType)), arr.Type, scale)
	out.top = a.bitsOf(arr)
	return out
}

// linear applies a linear map to values of one scale.
func (a *Arith) linear(op *flow.Op, m maps.Linear, shape tensor.Shape, xs ...*Value) *Value {
	in := make([]mpc.Secret, len(xs))
	for i, x := range xs {
		in[i] = x.S
	}
	return newValue(a.P.Linear(op, m, in...), tensor.Type{DType: xs[0].Type.DType, Shape: shape}, xs[0].Scale).alike(xs[0])
}

// raise multiplies by a power of two so that the value has the given, larger scale.
func (a *Arith) raise(op *flow.Op, x *Value, scale int) *Value {
	if scale <= x.Scale {
		return x
	}
	y := a.linear(op, maps.Shift{N: x.S.Len(), By: scale - x.Scale}, x.Type.Shape, x)
	y.Scale = scale
	return y.is(x.top, x.term)
}

// Rescale truncates x to the fraction in the same ring.
func (a *Arith) Rescale(op *flow.Op, x *Value) *Value {
	x = a.Coarse(op, x)
	if by := x.Scale - a.Fraction; by > 0 && x.Type.DType.IsFloat() {
		switch {
		case x.reduced != nil:
		case x.dropped != nil && x.dropped.S.Opened(): // a value is rounded once
			x.reduced = newValue(a.P.Max(op, a.Ring, x.dropped.S), x.Type, a.Fraction).is(x.top, x.term)
		default:
			x.reduced = a.rescaleTo(op, x, a.Fraction)
		}
		return x.reduced
	}
	return x
}

// rescaleTo truncates x to a scale below x's, in the same ring.
func (a *Arith) rescaleTo(op *flow.Op, x *Value, scale int) *Value {
	switch {
	case x.wide != nil:
		return a.lowered(op, a.widen(op, x), scale).is(x.top, x.term)
	case a.openFactors(x):
		wide := a.ofFactors(op, x, ring.Z(a.Ring.Bits+x.Scale-scale))
		return newValue(a.P.TruncateReduce(op, wide, x.Scale-scale), x.Type, scale).is(x.top, x.term)
	}
	return newValue(a.P.Truncate(op, x.S, x.Scale-scale), x.Type, scale).is(x.top, x.term)
}

// lowered returns x, of the job's ring or a wider one, at the given scale in the job's ring.
func (a *Arith) lowered(op *flow.Op, x *Value, scale int) *Value {
	by, s := x.Scale-scale, x.S
	switch {
	case by > 0 && s.Ring().Bits-by >= a.Ring.Bits:
		s = a.P.TruncateReduce(op, s, by)
	case by > 0:
		s = a.P.Truncate(op, s, by)
	}
	return a.raise(op, newValue(a.narrowed(op, s), x.Type, min(x.Scale, scale)), scale)
}

// ofFactors recomputes the elementwise product x from its factors in ring r.
func (a *Arith) ofFactors(op *flow.Op, x *Value, r ring.Ring) mpc.Secret {
	return a.P.Product(op, r, maps.Elementwise{N: x.S.Len()}, x.factors[0].S, x.factors[1].S, 0)
}

// widen returns x, which is right only modulo its ring, in a wider ring where it is right.
func (a *Arith) widen(op *flow.Op, x *Value) *Value {
	if x.widened == nil {
		x.widened = x.wide(op).is(x.top, x.term)
	}
	return x.widened
}

// drop truncates x to the fraction: by truncate-reduce into a narrower ring if x is not open yet.
func (a *Arith) drop(op *flow.Op, x *Value) *Value {
	by := x.Scale - a.Fraction
	switch {
	case by <= 0 || !x.Type.DType.IsFloat() || x.S.Opened() || x.wide != nil:
		return a.Rescale(op, x)
	case x.dropped != nil:
	case x.reduced != nil:
		return x.reduced
	default:
		x.dropped = newValue(a.P.TruncateReduce(op, x.S, by), x.Type, a.Fraction).is(x.top, x.term)
	}
	return x.dropped
}

// atLeast raises a float to the fraction, so that a public value can be added without loss.
func (a *Arith) atLeast(op *flow.Op, x *Value) *Value {
	if x.Type.DType.IsFloat() {
		return a.raise(op, x, a.Fraction)
	}
	return x
}

// Finalize returns x as Reveal takes it: at the fraction or a smaller scale, and finalized by the protocol.
func (a *Arith) Finalize(op *flow.Op, x *Value) *Value {
	if x.narrow {
		x = a.WideInteger(op, x, x.Type.DType, x.S.Ring().Bits-2)
	}
	x = a.Rescale(op, a.Coarse(op, x))
	a.P.Finalize(op, x.S)
	return x
}
