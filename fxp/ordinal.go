package fxp

import (
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// The ordinal of a float is a signed integer: floats of one type compare as their ordinals do, and are equal
// if their ordinals are. It is the float's bits without the sign, negated if the sign is set; both zeros have
// the ordinal 0. Ordinals of floats of up to 32 bits are below 2^31 in magnitude, of 64 bits below 2^63, and
// are shared in rings of two bits more, which their differences fill. So floats that nobody has computed with
// as secrets compare exactly: fixed point would round them first, and floats that differ by less than a unit
// would become equal.

// NaN says which ordinal a NaN gets. No ordinal compares as NaN does in every direction, so each comparison chooses
// the one that gives its answer.
type NaN bool

// The ordinals of a NaN.
const (
	NaNBelow NaN = false // below all other ordinals
	NaNAbove NaN = true  // above all other ordinals
)

// ordinalRing returns the ring of the ordinals of a float type. They are below 2^(bits−2).
func ordinalRing(d tensor.DType) ring.Ring {
	if d.Bits() > 32 {
		return ring.Z(65)
	}
	return ring.Z(33)
}

// ordinals returns the ordinals of a float array.
func ordinals(a *tensor.Array, nan NaN) *tensor.Array {
	out := make([]uint64, a.Len())
	wide := a.DType.Bits() > 32
	for i, x := range a.Floats() {
		out[i] = uint64(ordinal(x, wide, nan))
	}
	return tensor.FromWords(tensor.I64, a.Shape, out)
}

// ordinal returns the ordinal of x among the floats of 64 bits if wide, else among those of 32 bits.
func ordinal(x float64, wide bool, nan NaN) int64 {
	var size int64 // the bits of |x|
	most := int64(math.MaxInt32)
	if wide {
		size, most = int64(math.Float64bits(x)&^(1<<63)), math.MaxInt64
	} else {
		size = int64(math.Float32bits(float32(x)) &^ (1 << 31))
	}
	switch {
	case math.IsNaN(x) && nan == NaNAbove:
		return most - 1 // the next ordinal is a number of the ring's bound too
	case math.IsNaN(x):
		return 1 - most
	case math.Signbit(x):
		return -size
	}
	return size
}

// InputOrdinals returns the ordinals of an array of floats of type t that the party owner knows, shared. nan says
// which ordinal a NaN gets. arr is called at the owner only.
func (a *Arith) InputOrdinals(op *flow.Op, owner int, t tensor.Type, nan NaN, arr func() *tensor.Array) *Value {
	r := ordinalRing(t.DType)
	s := a.P.Input(op, owner, r, t.Shape.Size(), r.Bits-2, func() ring.Vec {
		if x := arr(); x != nil {
			return Encode(ordinals(x, nan), r, 0)
		}
		return ring.ShapeOnly(r, t.Shape.Size())
	})
	return ofOrdinals(s, t.Shape)
}

// OrdinalBits returns the number of bits of the ordinals of a float type, in two's complement.
func OrdinalBits(d tensor.DType) int { return ordinalRing(d).Bits - 1 }

// InputOrdinalBits is InputOrdinals with a sharing of the ordinals' bits, for look-ups and comparisons that work on these. P must implement
// mpc.BitForms.
func (a *Arith) InputOrdinalBits(op *flow.Op, owner int, t tensor.Type, nan NaN, arr func() *tensor.Array) *Value {
	r := ordinalRing(t.DType)
	return ofOrdinals(a.inputByBits(op, owner, r, t.Shape.Size(), OrdinalBits(t.DType), func() ring.Vec {
		if x := arr(); x != nil {
			return Encode(ordinals(x, nan), r, 0)
		}
		return ring.ShapeOnly(r, t.Shape.Size())
	}), t.Shape)
}

// PublicOrdinalBits is PublicOrdinals with the ordinals' bits.
func (a *Arith) PublicOrdinalBits(op *flow.Op, arr *tensor.Array, nan NaN) *Value {
	r, width := ordinalRing(arr.DType), OrdinalBits(arr.DType)
	planes := ring.ShapeOnly(ring.Z(1), arr.Len()*width)
	if !op.Graph.DryRun() {
		planes = planesOf(Encode(ordinals(arr, nan), r, 0), width)
	}
	return ofOrdinals(a.fromBits(op, r, arr.Len(), a.P.Public(op, planes, 1)), arr.Shape)
}

// PublicOrdinals returns the ordinals of a public array of floats. nan says which ordinal a NaN gets.
func (a *Arith) PublicOrdinals(op *flow.Op, arr *tensor.Array, nan NaN) *Value {
	r := ordinalRing(arr.DType)
	words := ring.ShapeOnly(r, arr.Len())
	if !op.Graph.DryRun() {
		words = Encode(ordinals(arr, nan), r, 0)
	}
	return ofOrdinals(a.P.Public(op, words, r.Bits-2), arr.Shape)
}

// ViewOrdinals is View for ordinals.
func (a *Arith) ViewOrdinals(op *flow.Op, v tensor.View, xs ...*Value) *Value {
	lens := make([]int, len(xs))
	for i, x := range xs {
		lens[i] = x.S.Len()
	}
	return a.linear(op, maps.NewView(v, lens...), v.Shape, xs...)
}

// SelectOrdinals returns the ordinals x where b is true, and y where b is false. A scalar b is for all elements.
func (a *Arith) SelectOrdinals(op *flow.Op, b, x, y *Value) *Value {
	n := x.S.Len()
	if b.S.Len() != n {
		a.P.Open(op, b.S)
		b = boolean(a.P.Linear(op, maps.NewView(tensor.Broadcast(nil, nil, x.Type.Shape), 1), b.S), x.Type.Shape)
	}
	return ofOrdinals(a.P.Select(op, x.S.Ring(), b.S, x.S, y.S), x.Type.Shape)
}

// LookupOrdinals returns the rows of tables of ordinals that indices select.
func (a *Arith) LookupOrdinals(op *flow.Op, index mpc.Secret, table *Value, t mpc.Table, shape tensor.Shape) *Value {
	return ofOrdinals(a.P.Lookup(op, index, table.S, t), shape)
}

func ofOrdinals(s mpc.Secret, shape tensor.Shape) *Value {
	return newValue(s, tensor.Type{DType: tensor.I64, Shape: shape}, 0)
}

// LessOrdinals returns the bit x < y for ordinals of one float type.
func (a *Arith) LessOrdinals(op *flow.Op, x, y *Value) *Value {
	return boolean(a.P.Less(op, x.S, y.S), x.Type.Shape)
}

// LessOrdinal returns the bit x < c, or c < x if swapped, for ordinals x of floats of type t and the public number c
// of that type. nan says which ordinal a NaN gets.
func (a *Arith) LessOrdinal(op *flow.Op, x *Value, c float64, t tensor.DType, nan NaN, swapped bool) *Value {
	at := ordinal(c, t.Bits() > 32, nan)
	if swapped {
		return a.Not(op, boolean(a.P.LessConst(op, x.S, at+1), x.Type.Shape))
	}
	return boolean(a.P.LessConst(op, x.S, at), x.Type.Shape)
}

// EqualOrdinals returns the bit x = y for ordinals of one float type.
func (a *Arith) EqualOrdinals(op *flow.Op, x, y *Value) *Value {
	return boolean(a.P.Equal(op, x.S, y.S), x.Type.Shape)
}
