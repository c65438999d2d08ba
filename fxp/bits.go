package fxp

import (
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// boolean wraps a secret bit as a tensor.
func boolean(b mpc.Bit, shape tensor.Shape) *Value {
	return newValue(b, tensor.Type{DType: tensor.Bool, Shape: shape}, 0)
}

// Not returns the complement of booleans.
func (a *Arith) Not(op *flow.Op, x *Value) *Value {
	return boolean(a.P.AddPublic(op, x.S, a.trueVec(op, x.S.Len()), 0), x.Type.Shape)
}

// And returns the AND of booleans, element by element.
func (a *Arith) And(op *flow.Op, xs ...*Value) *Value {
	bits := make([]mpc.Bit, len(xs))
	for i, x := range xs {
		bits[i] = x.S
	}
	return boolean(a.P.And(op, bits...), xs[0].Type.Shape)
}

// Or returns the disjunction of booleans: the negation of the product of their negations.
func (a *Arith) Or(op *flow.Op, xs ...*Value) *Value {
	in := make([]*Value, len(xs))
	for i, x := range xs {
		in[i] = a.Not(op, x)
	}
	return a.Not(op, a.And(op, in...))
}

// Number returns booleans as 0 or 1 of type d. A float result has no fraction bits, so that products with it cost no
// truncation.
func (a *Arith) Number(op *flow.Op, x *Value, d tensor.DType) *Value {
	return newValue(a.P.B2A(op, a.RingOf(d), x.S), tensor.Type{DType: d, Shape: x.Type.Shape}, 0)
}

// whole reports whether x may use all of its ring: it is an integer whose bound states nothing.
func (a *Arith) whole(x *Value) bool {
	return !x.Type.DType.IsFloat() && x.S.Bound() >= x.S.Ring().Bits-2
}

// exactComparand returns a secret in the form in which it is compared with others: at its own scale, so that
// ties are exact, unless it has been rounded already.
func (a *Arith) exactComparand(op *flow.Op, x *Value) *Value {
	switch {
	case x.wide != nil && x.reduced == nil:
		return a.widen(op, x)
	case x.wide == nil && (x.S.Opened() || x.reduced == nil && x.dropped == nil):
		return x
	}
	return a.drop(op, x)
}

// Negative returns the bit x < 0.
func (a *Arith) Negative(op *flow.Op, x *Value) *Value {
	if a.whole(x) {
		return boolean(a.P.MSB(op, x.S), x.Type.Shape)
	}
	return boolean(a.P.LessConst(op, a.exactComparand(op, x).S, 0), x.Type.Shape)
}

// LessLocal returns the bit x < y, or y < x if swapped, for a float x that is not open and an array y that the party
// owner knows; y is called at its owner only. The comparison is exact like Less: y is encoded at x's scale and
// saturates at the ends of x's range.
func (a *Arith) LessLocal(op *flow.Op, x *Value, owner int, y func() *tensor.Array, swapped bool) *Value {
	x = a.atLeast(op, a.exactComparand(op, x))
	sign := int64(-1)
	if swapped {
		x, sign = a.linear(op, maps.Combine{N: x.S.Len(), Coef: []int64{-1}}, x.Type.Shape, x), 1
	}
	bound := x.S.Ring().Bits - 2 // the difference's sign bit is right up to this bound
	gap := a.P.AddLocal(op, x.S, owner, encoder(func() *tensor.Array {
		if arr := y(); arr != nil {
			return clamped(arr, x.Scale, bound, sign, x.S.Ring())
		}
		return nil
	}, x.Type, x.S.Ring(), 0))
	return boolean(a.P.MSB(op, gap), x.Type.Shape)
}

// Less returns the bit x < y for secrets of one type. It is exact if both have one scale, and otherwise exact up to
// the rounding of one to the scale of the other.
func (a *Arith) Less(op *flow.Op, x, y *Value) *Value {
	shape := x.Type.Shape
	if !x.Type.DType.IsFloat() && (!x.Type.DType.IsSigned() || a.whole(x) || a.whole(y)) {
		return boolean(a.P.LessFullRange(op, x.S, y.S, x.Type.DType.IsSigned()), shape)
	}
	x, y = a.pair(op, x, y)
	return boolean(a.P.Less(op, x.S, y.S), shape)
}

// Equal returns the bit x = y for secrets of one type, exact like Less.
func (a *Arith) Equal(op *flow.Op, x, y *Value) *Value {
	x, y = a.pair(op, x, y)
	return boolean(a.P.Equal(op, x.S, y.S), x.Type.Shape)
}

// pair brings two values to one scale. A value that is not open is truncated first.
func (a *Arith) pair(op *flow.Op, x, y *Value) (*Value, *Value) {
	switch {
	case x.Scale != y.Scale:
	case x.wide == nil && y.wide == nil:
		return x, y
	case x.wide != nil && y.wide != nil:
		if u, v := a.widen(op, x), a.widen(op, y); u.Scale == v.Scale {
			return u, v
		}
	}
	in := []*Value{x, y}
	for i, v := range in {
		if !v.S.Opened() || v.wide != nil {
			in[i] = a.Rescale(op, v)
		}
	}
	in = a.commonScale(op, false, in...)
	return in[0], in[1]
}

// LessPublic returns the bit x < c, or c < x if swapped, for a public array. A float c is rounded as inputs
// are; where x has fewer fraction bits, c is rounded in the direction that keeps the answer exact.
func (a *Arith) LessPublic(op *flow.Op, x *Value, c *tensor.Array, swapped bool) *Value {
	d := x.Type.DType
	if !d.IsFloat() {
		y := a.Public(op, c, 0)
		if d.IsSigned() && !a.whole(x) {
			y = a.limited(op, x, c, 0)
		}
		if swapped {
			return a.Less(op, y, x)
		}
		return a.Less(op, x, y)
	}
	if x = a.exactComparand(op, x); x.Scale >= a.Fraction {
		c = a.OnGrid(c)
	}
	if v, ok := c.Uniform(); ok {
		if b := a.lessNumber(op, x, v, swapped); b != nil {
			return b
		}
	}
	round := math.Ceil
	if swapped {
		round = math.Floor
	}
	f := append([]float64{}, c.Floats()...)
	for i, v := range f {
		f[i] = math.Ldexp(round(math.Ldexp(v, x.Scale)), -x.Scale)
	}
	y := a.limited(op, x, tensor.FromFloats(tensor.F64, c.Shape, f), x.Scale)
	if swapped {
		return boolean(a.P.Less(op, y.S, x.S), x.Type.Shape)
	}
	return boolean(a.P.Less(op, x.S, y.S), x.Type.Shape)
}

// lessNumber returns the bit x < v, or v < x if swapped; x ≤ v is tested as x less than the next number of
// x's scale. It returns nil if v is outside x's range.
func (a *Arith) lessNumber(op *flow.Op, x *Value, v float64, swapped bool) *Value {
	at := math.Ceil(math.Ldexp(v, x.Scale))
	if swapped {
		at = math.Floor(math.Ldexp(v, x.Scale)) + 1
	}
	if !(math.Abs(at) < math.Ldexp(1, min(x.S.Bound(), 52))) {
		return nil
	}
	under := boolean(a.P.LessConst(op, x.S, int64(at)), x.Type.Shape)
	if swapped {
		return a.Not(op, under)
	}
	return under
}

// EqualPublic returns the bit x = c for a public array. A float c is rounded as inputs are; where x has fewer
// fraction bits, x is equal to multiples of its unit only.
func (a *Arith) EqualPublic(op *flow.Op, x *Value, c *tensor.Array) *Value {
	if x.Type.DType.IsFloat() {
		if x = a.exactComparand(op, x); x.Scale < a.Fraction {
			c = multiplesOnly(a.OnGrid(c), x.Scale)
		}
	}
	y := a.limited(op, x, c, x.Scale)
	return boolean(a.P.Equal(op, x.S, y.S), x.Type.Shape)
}

// multiplesOnly replaces elements of a float array that are no multiples of 2^(−scale) by ∞.
func multiplesOnly(c *tensor.Array, scale int) *tensor.Array {
	f := append([]float64{}, c.Floats()...)
	for i, v := range f {
		if v = math.Ldexp(v, scale); v != math.Trunc(v) {
			f[i] = math.Inf(1)
		}
	}
	return tensor.FromFloats(tensor.F64, c.Shape, f)
}

// limited returns a public array in x's ring with x's bound. Elements beyond the bound are replaced by the
// next number beyond it, which compares alike.
func (a *Arith) limited(op *flow.Op, x *Value, c *tensor.Array, scale int) *Value {
	r, bound := x.S.Ring(), max(0, x.S.Bound()) // a bound below one unit says that x is 0, and the next number is 1
	if a.whole(x) {
		return a.Public(op, c, 0)
	}
	var v ring.Vec
	switch {
	case op.Graph.DryRun():
		v = ring.ShapeOnly(r, c.Len())
	case c.DType.IsFloat():
		v = Encode(clamped(c, scale, bound, 1, r), r, 0)
	default:
		v = Encode(clampedInts(c, bound), r, 0)
	}
	return newValue(a.P.Public(op, v, bound), x.Type, x.Scale)
}

// clamped returns sign·c·2^scale, rounded and clamped to ±2^bound, for numbers of ring r. At the end of the
// ring's range it clamps to one unit, or the 52nd bit, less: 2^(k−2) itself would be encoded as another number.
func clamped(c *tensor.Array, scale, bound int, sign int64, r ring.Ring) *tensor.Array {
	f := append([]float64{}, c.Floats()...)
	limit := math.Ldexp(1, bound)
	if bound >= r.Bits-2 {
		limit -= max(1, math.Ldexp(limit, -52))
	}
	for i, v := range f {
		f[i] = float64(sign) * math.Max(-limit, math.Min(limit, math.RoundToEven(math.Ldexp(v, scale))))
	}
	return tensor.FromFloats(tensor.F64, c.Shape, f)
}

// clampedInts clamps signed integers to ±2^bound, bound < 62.
func clampedInts(c *tensor.Array, bound int) *tensor.Array {
	w := append([]uint64{}, c.Words()...)
	limit := int64(1) << bound
	for i, v := range w {
		w[i] = uint64(max(-limit, min(limit, int64(v))))
	}
	return tensor.FromWords(tensor.I64, c.Shape, w)
}

// Select returns x where b is true and y where b is false (MUX). A scalar b is opened before it is broadcast.
func (a *Arith) Select(op *flow.Op, b, x, y *Value) *Value {
	if x.Scale != y.Scale || x.wide != nil || y.wide != nil {
		in := a.commonScale(op, false, a.alignScales(op, []*Value{x, y})...)
		x, y = in[0], in[1]
	}
	n := x.S.Len()
	if b.S.Len() != n {
		a.P.Open(op, b.S)
		b = boolean(a.P.Linear(op, maps.NewView(tensor.Broadcast(nil, nil, x.Type.Shape), 1), b.S), x.Type.Shape)
	}
	return beside(newValue(a.P.Select(op, a.RingOf(x.Type.DType), b.S, x.S, y.S), x.Type, x.Scale), x, y)
}

// Digits returns the bits of an integer as booleans, the lowest first.
func (a *Arith) Digits(op *flow.Op, x *Value) []*Value {
	n := x.S.Len()
	all := boolean(a.P.BitDecompose(op, x.S), tensor.Shape{x.S.Ring().Bits, n})
	out := make([]*Value, x.S.Ring().Bits)
	for i := range out {
		v := tensor.View{Shape: x.Type.Shape, In: len(out) * n, Offset: i * n, Strides: x.Type.Shape.Strides()}
		out[i] = a.View(op, v, all)
	}
	return out
}
