package fxp

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// View returns the elements that view v copies from the operands xs, taken one after the other. Elements without a
// source are zero.
func (a *Arith) View(op *flow.Op, v tensor.View, xs ...*Value) *Value {
	typ := tensor.Type{DType: xs[0].Type.DType, Shape: v.Shape}
	if len(xs) == 1 {
		x, out := xs[0], newValue(xs[0].S, typ, xs[0].Scale).alike(xs[0])
		if !v.Identity() {
			out = a.linear(op, maps.NewView(v, x.S.Len()), v.Shape, x)
		}
		if x.wide != nil {
			out.wide = func(op *flow.Op) *Value { return a.View(op, v, a.widen(op, x)) }
			if x.reduced != nil {
				out.reduced = a.View(op, v, x.reduced)
			}
		}
		return out.is(x.top, x.term)
	}
	if slices.ContainsFunc(xs, func(x *Value) bool { return !a.Fine(x) }) {
		xs = a.oneRing(op, a.commonScale(op, false, a.alignScales(op, xs)...))
	}
	lens := make([]int, len(xs))
	for i, x := range xs {
		lens[i] = x.S.Len()
	}
	return beside(a.linear(op, maps.NewView(v, lens...), v.Shape, xs...), xs...)
}

// alignScales truncates operands above the fraction if another operand is at the fraction and not open:
// raised to the larger scale, that operand would have to be truncated again.
func (a *Arith) alignScales(op *flow.Op, xs []*Value) []*Value {
	rest := false
	for _, x := range xs {
		rest = rest || x.Scale <= a.Fraction && !x.S.Opened()
	}
	if !rest {
		return xs
	}
	out := make([]*Value, len(xs))
	for i, x := range xs {
		out[i] = a.Rescale(op, x)
	}
	return out
}

// oneRing extends values in narrower rings (comparands and the values selected by their comparison) if other
// values are in a wider ring.
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
			out[i] = newValue(a.P.Extend(op, widest, x.S, true), x.Type, x.Scale).is(x.top, x.term)
		}
	}
	return out
}

// Combine returns Σ coef[i]·xs[i] for values of one type and public coefficients.
func (a *Arith) Combine(op *flow.Op, coef []int64, xs ...*Value) *Value {
	typ := xs[0].Type
	if x := xs[0]; len(xs) == 1 && x.wide != nil {
		m := maps.Combine{N: x.S.Len(), Coef: coef}
		out := a.summedTop(a.linear(op, m, typ.Shape, x), coef, xs).is(unbounded, x.term)
		out.wide = func(op *flow.Op) *Value { return a.linear(op, m, typ.Shape, a.widen(op, x)) }
		if x.reduced != nil {
			out.reduced = a.Combine(op, coef, x.reduced)
		}
		return out
	}
	xs = a.commonScale(op, true, xs...)
	return a.summed(op, a.linear(op, maps.Combine{N: xs[0].S.Len(), Coef: coef}, typ.Shape, xs...), coef, xs)
}

// Add returns x + y, for values of one type.
func (a *Arith) Add(op *flow.Op, x, y *Value) *Value { return a.Combine(op, []int64{1, 1}, x, y) }

// Sub returns x − y.
func (a *Arith) Sub(op *flow.Op, x, y *Value) *Value { return a.Combine(op, []int64{1, -1}, x, y) }

// Neg returns −x.
func (a *Arith) Neg(op *flow.Op, x *Value) *Value { return a.Combine(op, []int64{-1}, x) }

// AddPublic returns x + c for a public array of x's type.
func (a *Arith) AddPublic(op *flow.Op, x *Value, c *tensor.Array) *Value {
	if v, ok := c.Uniform(); ok && v == 0 && x.Type.DType.IsFloat() {
		return x
	}
	top := a.bitsOf(c)
	x = a.toAdd(op, x, top)
	if !x.Type.DType.IsFloat() || x.Scale < 0 || x.Scale >= a.Fraction || !multiples(c, x.Scale) {
		x = a.atLeast(op, x)
	}
	words := a.words(op, c, x.Scale)
	if x.narrow {
		words = lowOf(x.S.Ring(), words)
	}
	out := newValue(a.P.AddPublic(op, x.S, words, min(a.bound(x.Type.DType), x.S.Ring().Bits-2)), x.Type, x.Scale).alike(x)
	return a.added(out, x, top)
}

// toAdd returns x in the form in which a number below 2^top in magnitude can be added to it: rescaled if one
// of the two may not fit at x's scale.
func (a *Arith) toAdd(op *flow.Op, x *Value, top int) *Value {
	if x.Type.DType.IsFloat() && x.Scale > a.Fraction && !a.addable(x, top) {
		return a.Rescale(op, x)
	}
	return x
}

// addable reports whether a number below 2^top may be added to x, above the fraction, without a rescale.
func (a *Arith) addable(x *Value, top int) bool {
	room := a.Ring.Bits - 2 - x.Scale
	return x.wide == nil && top <= room-headroom && (a.bits(x) < room || a.bits(x) == room && x.term)
}

// added sets the bounds of the sum of x and a number below 2^top.
func (a *Arith) added(sum, x *Value, top int) *Value {
	if most := ContractionBits(a.Ring, a.Fraction); x.term && a.bits(x) <= most && top <= most-headroom {
		// A contraction plus a small number is a contraction. The sum exceeds the bound of either.
		return sum.is(max(x.top, min(max(x.top, top)+1, most)), true)
	}
	return sum.is(max(x.top, top)+1, false)
}

// AddLocal returns x + c for an array c that the party owner knows and whose elements lie in the public range r. c is
// called at its owner only. Nothing is sent unless x is masked: then c is shared in the input phase, and the sum is
// masked.
func (a *Arith) AddLocal(op *flow.Op, x *Value, owner int, r Range, c func() *tensor.Array) *Value {
	known := &Value{Type: x.Type, Scale: a.Fraction, top: unbounded}
	a.Within(known, r)
	x = a.atLeast(op, a.toAdd(op, x, known.top))
	if x.S.Opened() {
		if x.narrow {
			return a.Add(op, x, a.InputNarrow(op, owner, x.Type, x.S.Ring().Bits, c))
		}
		y := a.inputAt(op, owner, x.Type, x.Scale, c)
		return a.Add(op, x, y.is(known.top, false))
	}
	return a.added(newValue(a.P.AddLocal(op, x.S, owner, encoder(c, x.Type, x.S.Ring(), x.Scale)), x.Type, x.Scale).alike(x), x, known.top)
}

// MulPublic returns x·c, element by element, for a public array.
func (a *Arith) MulPublic(op *flow.Op, x *Value, c *tensor.Array) *Value {
	x = a.proper(op, x)
	m, scale, bits := a.factor(c)
	a.noteLost(op, c, scale)
	if x.Type.DType.IsFloat() && scale == 0 && a.tooLarge(c) && x.Scale == 0 && a.bits(x) <= 1 { // x is a boolean
		m, scale, bits = a.encode(c, a.Ring, a.Fraction), a.Fraction, a.Ring.Bits-2
	}
	if v, ok := same(m); ok && v == 1 { // a power of two changes the scale only
		x, scale = a.withinRing(op, x, scale)
		out := newValue(x.S, x.Type, x.Scale+scale)
		return out.is(x.top-scale, x.term)
	}
	by := bits - scale // |c| ≤ 2^by
	if x.Type.DType.IsFloat() && x.Scale > a.Fraction && a.bits(x)+by+x.Scale+scale > a.Ring.Bits-2 {
		x = a.Rescale(op, x)
	}
	of := x
	out := a.timesPublic(op, x, scale, func(y *Value) *Value {
		of = y
		if v, ok := same(m); ok {
			return a.linear(op, maps.Combine{N: y.S.Len(), Coef: []int64{v}}, y.Type.Shape, y)
		}
		return a.linear(op, maps.Times{By: m, Bits: bits}, y.Type.Shape, y)
	})
	if !x.Type.DType.IsFloat() {
		return out
	}
	out.multiple = &multiple{of: x, by: c}
	if out.Scale > a.Fraction && a.bits(of)+by+out.Scale > a.Ring.Bits-2 {
		out.wide = func(op *flow.Op) *Value {
			s, scale := a.timesWide(op, of, c, func(m ring.Vec, bits int) maps.Linear { return maps.Times{By: m, Bits: bits} })
			return newValue(s, out.Type, scale)
		}
	}
	return out.is(of.top+by, of.term || scale > 0)
}

// withinRing returns a float and a power of two by which it is divided, such that the quotient's scale leaves a rescale
// some bits of the float's ring. What a larger power leaves is below a unit.
func (a *Arith) withinRing(op *flow.Op, x *Value, by int) (*Value, int) {
	most := x.S.Ring().Bits - leastLeft
	for x.Type.DType.IsFloat() && by > 0 && x.Scale+by-a.Fraction > most {
		rest := x.Scale + by - a.Fraction - most
		x, by = a.Rescale(op, newValue(x.S, x.Type, a.Fraction+most)), rest
	}
	return x, by
}

// leastLeft is the smallest number of bits of a ring that a rescale leaves.
const leastLeft = 4

// same reports whether all elements are one integer of at most 64 bits, and returns it.
func same(m ring.Vec) (int64, bool) {
	if m.Len() == 0 {
		return 0, false
	}
	w, each := m.Words(), m.Ring().Words()
	for i, x := range w {
		if x != w[i%each] {
			return 0, false
		}
	}
	if each == 1 {
		up := 64 - m.Ring().Bits
		return int64(w[0]<<up) >> up, true
	}
	v := int64(w[0])
	return v, slices.Equal(ring.FromInts(m.Ring(), []int64{v}).Words(), w[:each])
}

// timesPublic applies a product with public factors of the given scale. It truncates x first if the sum of
// both scales is too large.
func (a *Arith) timesPublic(op *flow.Op, x *Value, scale int, f func(*Value) *Value) *Value {
	if scale > 0 && x.Scale > a.Fraction {
		if x.Scale+scale > a.limit() {
			x = a.Rescale(op, x)
		}
	}
	y := f(x)
	return newValue(y.S, y.Type, x.Scale+scale).alike(y)
}

// ProductPublic returns b(x, c), or b(c, x) if left, for a public array c, in the given shape.
func (a *Arith) ProductPublic(op *flow.Op, b maps.Bilinear, shape tensor.Shape, x *Value, c *tensor.Array, left bool) *Value {
	m, scale, bits := a.factor(c)
	if x.narrow {
		m, bits = lowOf(x.S.Ring(), m), min(bits, x.S.Ring().Bits)
	}
	with := func(m ring.Vec, bits int) maps.Linear {
		return maps.With{B: b, Public: m, Right: !left, Bits: bits + maps.CeilLog2(b.Terms())}
	}
	of := x
	out := a.timesPublic(op, x, scale, func(x *Value) *Value {
		of = x
		return a.linear(op, with(m, bits), shape, x)
	})
	if !x.Type.DType.IsFloat() || out.Scale <= a.Fraction {
		return out
	}
	// Small factors have more fraction bits than the range of contractions may have room for: a few excess
	// bits are left out of the factors, more are dropped in a wider ring.
	if by := out.Scale - a.limit(); by > 0 && a.bits(of)+bits+maps.CeilLog2(b.Terms())+of.Scale > a.Ring.Bits-2 {
		if by <= fewBits && bits-by >= a.Fraction-fewBits {
			out = a.linear(op, with(a.encode(c, a.Ring, scale-by), bits-by), shape, of)
			out.Scale = a.limit()
		} else {
			s, own := a.timesWide(op, of, c, with)
			if out = a.lowered(op, newValue(s, out.Type, own), min(own, a.limit())); own <= a.Fraction {
				return out
			}
		}
	}
	return a.contraction(op, out, a.bits(of)+bits-scale+maps.CeilLog2(b.Terms()))
}

// ProductPublicFull is ProductPublic of floats whose result has the range of values, at the fraction. It opens x.
func (a *Arith) ProductPublicFull(op *flow.Op, b maps.Bilinear, shape tensor.Shape, x *Value, c *tensor.Array, left bool) *Value {
	if !x.Type.DType.IsFloat() {
		return a.ProductPublic(op, b, shape, x, c, left)
	}
	x = a.Rescale(op, x)
	s, scale := a.timesWide(op, x, c, func(m ring.Vec, bits int) maps.Linear {
		return maps.With{B: b, Public: m, Right: !left, Bits: bits + maps.CeilLog2(b.Terms())}
	})
	out := a.lowered(op, newValue(s, tensor.Type{DType: x.Type.DType, Shape: shape}, scale), a.Fraction)
	return out.is(a.bits(x)+a.bitsOf(c)+maps.CeilLog2(b.Terms()), false)
}

// fewBits is the number of fraction bits that may be left out of factors.
const fewBits = 2

// Product returns the bilinear map b of two secrets, in the given shape. An operand above the fraction is truncated
// first if the product's scale would be too large; for an elementwise product it is truncate-reduced into a narrower
// ring, which needs no message but the opening.
func (a *Arith) Product(op *flow.Op, b maps.Bilinear, shape tensor.Shape, x, y *Value) *Value {
	return a.product(op, b, shape, x, y, false)
}

// product is Product. If rescaled, the product is used by operations that rescale it.
func (a *Arith) product(op *flow.Op, b maps.Bilinear, shape tensor.Shape, x, y *Value, rescaled bool) *Value {
	reduce := a.Rescale
	_, elementwise := b.(maps.Elementwise)
	if elementwise {
		reduce = a.drop
		x, y = a.proper(op, x), a.proper(op, y)
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
	r, narrow := a.RingOf(x.Type.DType), x.narrow || y.narrow
	if narrow {
		r = ring.Z(min(x.S.Ring().Bits, y.S.Ring().Bits))
		same := x == y
		x = a.Narrowed(op, x, x.Type.DType, 0, r.Bits)
		if y = a.Narrowed(op, y, y.Type.DType, 0, r.Bits); same {
			y = x
		}
	}
	if p, ok := mpc.As[mpc.RangeChecker](a.P); ok && x.Type.DType.IsFloat() {
		bound := r.Bits - 2
		if elementwise {
			bound += max(0, x.Scale+y.Scale-a.Fraction)
		}
		p.Fits(op, r, bound, b, x.S, y.S)
	}
	typ, scale := tensor.Type{DType: x.Type.DType, Shape: shape}, x.Scale+y.Scale
	full := elementwise && scale > a.Fraction && a.bits(x)+a.bits(y)+scale > a.Ring.Bits-2
	wide := func(op *flow.Op) *Value {
		a.Open(op, x, y)
		return newValue(a.P.Product(op, ring.Z(a.Ring.Bits+scale-a.Fraction), b, x.S, y.S, a.slack(x, y)), typ, scale)
	}
	if p, ok := mpc.As[mpc.Sender](a.P); ok && p.SendsProducts() && rescaled && full && typ.DType.IsFloat() {
		w := wide(op)
		out := newValue(a.P.Narrow(op, r, w.S), typ, scale)
		out.factors = []*Value{x, y}
		out.wide = func(*flow.Op) *Value { return w }
		return out.is(x.top+y.top, true)
	}
	out := newValue(a.P.Product(op, r, b, x.S, y.S, a.slack(x, y)), typ, scale)
	if out.narrow = narrow; !x.Type.DType.IsFloat() {
		return out
	}
	if !elementwise {
		if out.Scale > a.Fraction {
			return a.contraction(op, out, a.bits(x)+a.bits(y)+maps.CeilLog2(b.Terms()))
		}
		return out
	}
	out.factors = []*Value{x, y}
	if full {
		out.wide = wide
	}
	return out.is(x.top+y.top, true)
}

// slackMargin is the number of bits below the fraction in which a product must be right: an error below them
// changes a truncated result by at most 2^-slackMargin units.
const slackMargin = 4

// slack returns the number of low bits in which a product may be wrong: for floats at the fraction, nearly
// all bits that a truncation removes; 0 for integers and for floats at other scales.
func (a *Arith) slack(x, y *Value) int {
	if !x.Type.DType.IsFloat() || x.Scale != a.Fraction || y.Scale != a.Fraction {
		return 0
	}
	return max(0, a.Fraction-slackMargin)
}

// Watched reports whether this run checks loop bounds: the protocol is an mpc.LoopChecker and Note is not nil.
func (a *Arith) Watched() bool {
	_, ok := mpc.As[mpc.LoopChecker](a.P)
	return ok && a.Note != nil
}

// Cut calls the protocol's mpc.LoopChecker for a loop that its bound ends after the given number of iterations. goes
// is the loop's condition at that point.
func (a *Arith) Cut(op *flow.Op, goes *Value, iterations int) {
	if p, ok := mpc.As[mpc.LoopChecker](a.P); ok {
		p.Cut(op, goes.S, iterations)
	}
}

// Mul returns x·y, element by element.
func (a *Arith) Mul(op *flow.Op, x, y *Value) *Value {
	return a.Product(op, maps.Elementwise{N: x.S.Len()}, x.Type.Shape, x, y)
}

// MulRescaled is Mul of a product that is only read by operations that rescale it.
func (a *Arith) MulRescaled(op *flow.Op, x, y *Value) *Value {
	return a.product(op, maps.Elementwise{N: x.S.Len()}, x.Type.Shape, x, y, true)
}

// Sum returns the sums over the middle dimension of x, which has outer·reduced·inner elements, in the given shape.
func (a *Arith) Sum(op *flow.Op, x *Value, outer, reduced, inner int, shape tensor.Shape) *Value {
	return a.summand(op, x, reduced, func(x *Value) *Value {
		return a.linear(op, maps.Sum{Outer: outer, Reduced: reduced, Inner: inner}, shape, x)
	})
}

// GatherSum returns sums of elements of x by index, as maps.Gathered defines them, in the given shape.
func (a *Arith) GatherSum(op *flow.Op, x *Value, g maps.Gathered, shape tensor.Shape) *Value {
	return a.summand(op, x, max(1, g.Terms), func(x *Value) *Value { return a.linear(op, g, shape, x) })
}

// summand applies f, a linear map whose outputs are sums of at most terms elements of x.
func (a *Arith) summand(op *flow.Op, x *Value, terms int, f func(x *Value) *Value) *Value {
	if !x.Type.DType.IsFloat() || a.Fine(x) { // the fine form has the range of values
		return f(x)
	}
	if x.Scale > a.Fraction {
		if x.term && x.Scale <= a.limit() {
			return a.contraction(op, f(x), a.bits(x)+maps.CeilLog2(terms))
		}
		if x.wide != nil || a.bits(x)+maps.CeilLog2(terms)+x.Scale > a.Ring.Bits-2 {
			x = a.Rescale(op, x)
		}
	}
	return f(x).is(x.top+maps.CeilLog2(terms), x.term)
}

// Relu returns max(x, 0), at x's scale if x is open and at the fraction otherwise.
func (a *Arith) Relu(op *flow.Op, x *Value) *Value {
	x = a.Comparand(op, x)
	return newValue(a.P.Relu(op, a.Ring, x.S), x.Type, x.Scale).is(x.top, x.term)
}

// Max returns the largest of values of one type, element by element.
func (a *Arith) Max(op *flow.Op, xs ...*Value) *Value {
	in := make([]*Value, len(xs))
	for i, x := range xs {
		if !x.S.Opened() {
			x = a.Rescale(op, x)
		}
		in[i] = x
	}
	in = a.commonScale(op, false, in...)
	secrets := make([]mpc.Secret, len(in))
	for i, x := range in {
		secrets[i] = x.S
	}
	return beside(newValue(a.P.Max(op, a.Ring, secrets...), xs[0].Type, in[0].Scale), in...)
}

// MaxOf returns the largest of the given views of x, all of one shape, element by element. x above the fraction and
// not open is treated in one of three ways. For two views p and q the result is q + max(p − q, 0): only the
// difference, a contraction, is truncate-reduced and opened, and q keeps its low bits. For more views x is
// truncate-reduced and opened in the narrower ring if that sends no more than the truncated elements' differences
// would, or if only rounds count. Otherwise x is rescaled.
func (a *Arith) MaxOf(op *flow.Op, x *Value, views []tensor.View) *Value {
	if x = a.proper(op, x); x.Scale > a.Fraction && !x.S.Opened() {
		by := x.Scale - a.Fraction
		if len(views) == 2 && x.Scale <= a.limit()+beyondLimit {
			p, q := a.View(op, views[0], x), a.View(op, views[1], x)
			return a.Add(op, q, a.Relu(op, a.Sub(op, p, q))).like(x)
		}
		apart := views[0].Shape.Size() * (len(views) - (len(views)+2)/3) // differences of the first level
		if x.S.Len()*(a.Ring.Bits-by) <= apart*a.Ring.Bits || a.Options.Optimize == "rounds" && len(views) > 1 {
			x = a.drop(op, x)
			a.P.Open(op, x.S)
		} else {
			x = a.Rescale(op, x)
		}
	}
	xs := make([]*Value, len(views))
	for i, v := range views {
		xs[i] = a.View(op, v, x)
	}
	return a.Max(op, xs...)
}
