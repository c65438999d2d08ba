package fxp

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// View copies elements by a view of the operands laid end to end. Elements
// without a source are zero.
func (a *Arith) View(op *flow.Op, v tensor.View, xs ...*Value) *Value {
	if len(xs) == 1 && v.Identity() {
		out := newValue(xs[0].S, tensor.Type{DType: xs[0].Type.DType, Shape: v.Shape}, xs[0].Scale)
		out.large = xs[0].large
		return out
	}
	xs = a.oneRing(op, a.align(op, a.alike(op, xs)...))
	lens := make([]int, len(xs))
	for i, x := range xs {
		lens[i] = x.S.Len()
	}
	out := a.linear(op, maps.NewView(v, lens...), v.Shape, xs...)
	out.large = anyLarge(xs)
	return out
}

func anyLarge(xs []*Value) bool {
	return slices.ContainsFunc(xs, func(x *Value) bool { return x.large })
}

// alike truncates operands above the fraction if another one is at it and
// closed: raised to their scale it would have to be truncated once more.
func (a *Arith) alike(op *flow.Op, xs []*Value) []*Value {
	rest := false
	for _, x := range xs {
		rest = rest || x.Scale <= a.Fraction && !x.S.Opened()
	}
	if !rest {
		return xs
	}
	out := make([]*Value, len(xs))
	for i, x := range xs {
		out[i] = a.Reduce(op, x)
	}
	return out
}

// oneRing extends values in narrower rings (comparands and what is taken from
// them) if others are in a wider one.
func (a *Arith) oneRing(op *flow.Op, xs []*Value) []*Value {
	widest := xs[0].S.Ring()
	for _, x := range xs {
		if r := x.S.Ring(); r.Bits > widest.Bits {
			widest = r
		}
	}
	out := make([]*Value, len(xs))
	for i, x := range xs {
		out[i] = x
		if x.S.Ring() != widest {
			out[i] = newValue(a.P.Extend(op, widest, x.S, true), x.Type, x.Scale)
		}
	}
	return out
}

// Combine is Σ coef_i·x_i of values of one type.
func (a *Arith) Combine(op *flow.Op, coef []int64, xs ...*Value) *Value {
	xs = a.align(op, xs...)
	out := a.linear(op, maps.Combine{N: xs[0].S.Len(), Coef: coef}, xs[0].Type.Shape, xs...)
	out.large = anyLarge(xs)
	return out
}

// Add is x + y.
func (a *Arith) Add(op *flow.Op, x, y *Value) *Value { return a.Combine(op, []int64{1, 1}, x, y) }

// Sub is x − y.
func (a *Arith) Sub(op *flow.Op, x, y *Value) *Value { return a.Combine(op, []int64{1, -1}, x, y) }

// Neg is −x.
func (a *Arith) Neg(op *flow.Op, x *Value) *Value { return a.Combine(op, []int64{-1}, x) }

// AddPublic is x + c for a public array of x's type.
func (a *Arith) AddPublic(op *flow.Op, x *Value, c *tensor.Array) *Value {
	large := x.Type.DType.IsFloat() && a.tooLarge(c)
	if large {
		x = a.Reduce(op, x)
	}
	if !x.Type.DType.IsFloat() || x.Scale < 0 || x.Scale >= a.Fraction || !multiples(c, x.Scale) {
		x = a.atLeast(op, x)
	}
	out := newValue(a.P.AddPublic(op, x.S, a.words(op, c, x.Scale), a.bound(x.Type.DType)), x.Type, x.Scale)
	out.large = x.large || large
	return out
}

// AddKnown is x + c for an array that one party knows; c is called there only.
// Nothing is sent, and the sum is masked only if x is: then c is shared in the
// input phase.
func (a *Arith) AddKnown(op *flow.Op, x *Value, owner int, c func() *tensor.Array) *Value {
	x = a.atLeast(op, x)
	if x.S.Opened() {
		return a.Add(op, x, a.inputAt(op, owner, x.Type, x.Scale, c))
	}
	r := x.S.Ring()
	return newValue(a.P.AddKnown(op, x.S, owner, encoder(c, x.Type, r, x.Scale)), x.Type, x.Scale)
}

// MulPublic is x·c, element by element, for a public array.
func (a *Arith) MulPublic(op *flow.Op, x *Value, c *tensor.Array) *Value {
	m, scale, bits := a.factor(c)
	if v, ok := same(m); ok && v == 1 { // a power of two is but another scale
		out := newValue(x.S, x.Type, x.Scale+scale)
		out.large = x.large || a.tooLarge(c)
		return out
	}
	if x.large && scale > 0 {
		return a.timesWide(op, x, c)
	}
	out := a.timesPublic(op, x, scale, func(x *Value) *Value {
		if v, ok := same(m); ok {
			return a.linear(op, maps.Combine{N: x.S.Len(), Coef: []int64{v}}, x.Type.Shape, x)
		}
		return a.linear(op, maps.Times{By: m, Bits: bits}, x.Type.Shape, x)
	})
	out.multiple = &multiple{of: x, by: c}
	out.large = x.large || a.tooLarge(c)
	return out
}

// same reports whether all elements are one small integer.
func same(m ring.Vec) (int64, bool) {
	if m.Len() == 0 || m.Ring().Bits > 64 {
		return 0, false
	}
	w, up := m.Words(), 64-m.Ring().Bits
	for _, x := range w {
		if x != w[0] {
			return 0, false
		}
	}
	return int64(w[0]<<up) >> up, true
}

// timesPublic applies a product with public factors of a scale; x is reduced
// first if both scales together are too much.
func (a *Arith) timesPublic(op *flow.Op, x *Value, scale int, f func(*Value) *Value) *Value {
	if scale > 0 && x.Scale > a.Fraction {
		if x.Scale+scale > a.limit() {
			x = a.Reduce(op, x)
		}
	}
	y := f(x)
	return newValue(y.S, y.Type, x.Scale+scale)
}

// ProductPublic is b(x, c), or b(c, x) if left, for a public array c.
func (a *Arith) ProductPublic(op *flow.Op, b maps.Bilinear, shape tensor.Shape, x *Value, c *tensor.Array, left bool) *Value {
	m, scale, bits := a.factor(c)
	return a.timesPublic(op, x, scale, func(x *Value) *Value {
		return a.linear(op, maps.With{B: b, Public: m, Right: !left, Bits: bits + log2(b.Terms())}, shape, x)
	})
}

// Product is b(x, y) of two secrets. What is above the fraction is truncated
// first if the product would have too much scale: for an elementwise product
// into a narrower ring, which needs no message but the opening.
func (a *Arith) Product(op *flow.Op, b maps.Bilinear, shape tensor.Shape, x, y *Value) *Value {
	reduce := a.Reduce
	if _, ok := b.(maps.Elementwise); ok {
		reduce = a.drop
	}
	if x == y {
		if 2*x.Scale > a.limit() {
			x = reduce(op, x)
		}
		y = x
	}
	if x.Scale+y.Scale > a.limit() && x.Scale > a.Fraction {
		x = reduce(op, x)
	}
	if x.Scale+y.Scale > a.limit() && y.Scale > a.Fraction {
		y = reduce(op, y)
	}
	r := a.RingOf(x.Type.DType)
	if p, ok := a.P.(fitter); ok && x.Type.DType.IsFloat() {
		p.Fits(op, r, b, x.S, y.S)
	}
	out := newValue(a.P.Product(op, r, b, x.S, y.S), tensor.Type{DType: x.Type.DType, Shape: shape}, x.Scale+y.Scale)
	if _, ok := b.(maps.Elementwise); ok && x.Type.DType.IsFloat() {
		out.factors = []*Value{x, y}
	}
	return out
}

// fitter is a protocol that can say which products do not fit.
type fitter interface {
	Fits(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y mpc.Secret)
}

// watcher is a protocol that can say which loops have not ended when they are
// cut.
type watcher interface {
	Cut(op *flow.Op, goes mpc.Bit, turns int)
}

// Watched reports whether anybody asks for what Cut is to be told.
func (a *Arith) Watched() bool {
	_, ok := a.P.(watcher)
	return ok && a.Note != nil
}

// Cut tells whether a loop would go on after so many turns.
func (a *Arith) Cut(op *flow.Op, goes *Value, turns int) {
	if p, ok := a.P.(watcher); ok {
		p.Cut(op, goes.S, turns)
	}
}

// Mul is x·y, element by element.
func (a *Arith) Mul(op *flow.Op, x, y *Value) *Value {
	return a.Product(op, maps.Elementwise{N: x.S.Len()}, x.Type.Shape, x, y)
}

// Sum adds up the middle dimension of an outer×reduced×inner tensor.
func (a *Arith) Sum(op *flow.Op, x *Value, outer, reduced, inner int, shape tensor.Shape) *Value {
	return a.linear(op, maps.Sum{Outer: outer, Reduced: reduced, Inner: inner}, shape, x)
}

// GatherSum sums elements by index; see maps.Gathered.
func (a *Arith) GatherSum(op *flow.Op, x *Value, g maps.Gathered, shape tensor.Shape) *Value {
	return a.linear(op, g, shape, x)
}

// Relu is max(x, 0) at x's scale if x is open, else at the fraction.
func (a *Arith) Relu(op *flow.Op, x *Value) *Value {
	if !x.S.Opened() {
		x = a.drop(op, x)
	}
	return newValue(a.P.Relu(op, a.Ring, x.S), x.Type, x.Scale)
}

// Max is the largest of values of one type, element by element.
func (a *Arith) Max(op *flow.Op, xs ...*Value) *Value {
	in := make([]*Value, len(xs))
	for i, x := range xs {
		if !x.S.Opened() {
			x = a.Reduce(op, x)
		}
		in[i] = x
	}
	in = a.align(op, in...)
	secrets := make([]mpc.Secret, len(in))
	for i, x := range in {
		secrets[i] = x.S
	}
	return newValue(a.P.Max(op, a.Ring, secrets...), xs[0].Type, in[0].Scale)
}

// MaxOf is the largest of equally shaped views of x, element by element. Of two
// views of what is above the fraction and not open it is b + max(a − b, 0): only
// the difference is dropped and opened, and what is dropped stays in b. Else what
// is above the fraction is dropped, and x opened in the narrower ring, if that
// is no more to send than the truncated elements' differences, or if rounds count
// alone.
func (a *Arith) MaxOf(op *flow.Op, x *Value, views []tensor.View) *Value {
	if by := x.Scale - a.Fraction; by > 0 && !x.S.Opened() {
		if len(views) == 2 && x.Scale <= a.limit()+beyondLimit {
			p, q := a.View(op, views[0], x), a.View(op, views[1], x)
			return a.Add(op, q, a.Relu(op, a.Sub(op, p, q)))
		}
		apart := views[0].Shape.Size() * (len(views) - (len(views)+2)/3) // differences of the first level
		if x.S.Len()*(a.Ring.Bits-by) <= apart*a.Ring.Bits || a.Options.Optimize == "rounds" && len(views) > 1 {
			x = a.drop(op, x)
			a.P.Open(op, x.S)
		} else {
			x = a.Reduce(op, x)
		}
	}
	xs := make([]*Value, len(views))
	for i, v := range views {
		xs[i] = a.View(op, v, x)
	}
	return a.Max(op, xs...)
}

func log2(n int) int {
	e := 0
	for 1<<e < n {
		e++
	}
	return e
}
