package exec

import (
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

// ordered puts the operand that is neither public nor (if there is another)
// known first, and says whether it swapped them.
func ordered(in []*value) (x, y *value, swapped bool) {
	if in[0].who == Secret || in[1].who == Public {
		return in[0], in[1], false
	}
	return in[1], in[0], true
}

func add(c *opRun, in []*value) ([]*value, error) {
	if in[0].typ.DType == tensor.Bool {
		return c.or(in...)
	}
	return c.sum(in)
}

// sum is addition in the operands' ring: of booleans it is xor.
func (c *opRun) sum(in []*value) ([]*value, error) {
	x, y, _ := ordered(in)
	xs := c.share(x, 0)
	switch {
	case y.who == Public:
		return one(c.Arith.AddPublic(c.op, xs, y.arr))
	case y.who != Secret && y.sec == nil:
		return one(c.Arith.AddKnown(c.op, xs, y.who, func() *tensor.Array { return y.arr }))
	}
	c.openRepeated(x, y)
	return one(c.Arith.Add(c.op, xs, y.sec))
}

// openRepeated opens what is repeated to meet an open value: that is less than
// to open what becomes of the two.
func (c *opRun) openRepeated(x, y *value) {
	if x.sec.S.Opened() {
		x, y = y, x
	}
	if x.repeats && y.sec.S.Opened() {
		c.Arith.Open(c.op, x.sec)
	}
}

func subtract(c *opRun, in []*value) ([]*value, error) {
	x, y, swapped := ordered(in)
	xs := c.share(x, 0)
	if y.who == Secret || y.sec != nil {
		c.openRepeated(x, y)
		if swapped {
			return one(c.Arith.Sub(c.op, y.sec, xs))
		}
		return one(c.Arith.Sub(c.op, xs, y.sec))
	}
	term := func() *tensor.Array { return y.arr }
	if swapped { // y − x
		xs = c.Arith.Neg(c.op, xs)
	} else {
		term = func() *tensor.Array { return negated(y.arr) }
	}
	if y.who == Public {
		return one(c.Arith.AddPublic(c.op, xs, term()))
	}
	return one(c.Arith.AddKnown(c.op, xs, y.who, term))
}

// negated is −a in a's type; nil if there is no a.
func negated(a *tensor.Array) *tensor.Array {
	if a == nil {
		return nil
	}
	if !a.DType.IsFloat() {
		w := append([]uint64{}, a.Words()...)
		for i := range w {
			w[i] = -w[i]
		}
		return tensor.FromWords(a.DType, a.Shape, w)
	}
	f := append([]float64{}, a.Floats()...)
	for i := range f {
		f[i] = -f[i]
	}
	return tensor.FromFloats(a.DType, a.Shape, f)
}

func multiply(c *opRun, in []*value) ([]*value, error) {
	if in[0].typ.DType == tensor.Bool {
		return c.and(in...)
	}
	x, y, _ := ordered(in)
	xs := c.share(x, 0)
	if y.who == Public {
		return one(c.Arith.MulPublic(c.op, xs, y.arr))
	}
	switch ys := c.share(y, 0); {
	case x.bits != nil:
		return one(c.Arith.Kept(c.op, x.bits, ys))
	case y.bits != nil:
		return one(c.Arith.Kept(c.op, y.bits, xs))
	default:
		return one(c.Arith.Mul(c.op, xs, ys))
	}
}

func square(c *opRun, in []*value) ([]*value, error) { return multiply(c, []*value{in[0], in[0]}) }

// divide by a public value is a product with its reciprocal; integers are
// divided exactly.
func divide(c *opRun, in []*value) ([]*value, error) {
	if in[0].typ.DType.IsInt() {
		q, _ := c.divideInt(in)
		return one(q)
	}
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	if in[1].who != Public {
		return c.quotient(in)
	}
	f := append([]float64{}, in[1].arr.Floats()...)
	for i := range f {
		f[i] = 1 / f[i]
	}
	r := tensor.FromFloats(tensor.F64, in[1].typ.Shape, f)
	return one(c.Arith.MulPublic(c.op, c.share(in[0], 0), r))
}

func negate(c *opRun, in []*value) ([]*value, error) {
	return one(c.Arith.Neg(c.op, in[0].sec))
}

// abs is 2·max(x, 0) − x of floats, −x or x of integers.
func abs(c *opRun, in []*value) ([]*value, error) {
	x := in[0].sec
	if d := x.Type.DType; d.IsInt() && !d.IsSigned() {
		return in, nil
	} else if !d.IsFloat() {
		return one(c.Arith.Select(c.op, c.Arith.Negative(c.op, x), c.Arith.Neg(c.op, x), x))
	}
	return one(c.Arith.Combine(c.op, []int64{2, -1}, c.Arith.Relu(c.op, x), x))
}

func maximum(c *opRun, in []*value) ([]*value, error) {
	if !in[0].typ.DType.IsFloat() {
		return c.extremeInt(in[0], in[1], false)
	}
	return c.largest(in[0], in[1])
}

// minimum is −max(−x, −y) of floats.
func minimum(c *opRun, in []*value) ([]*value, error) {
	if !in[0].typ.DType.IsFloat() {
		return c.extremeInt(in[0], in[1], true)
	}
	out, err := c.largest(c.opposite(in[0]), c.opposite(in[1]))
	if err != nil {
		return nil, err
	}
	return []*value{c.opposite(out[0])}, nil
}

// opposite is −v, in whatever form v is.
func (c *opRun) opposite(v *value) *value {
	switch {
	case v.who == Secret:
		return secret(c.Arith.Neg(c.op, v.sec))
	case v.arr != nil:
		return &value{typ: v.typ, who: v.who, arr: negated(v.arr)}
	}
	return &value{typ: v.typ, who: v.who}
}

// largest is max(a, b): with zero a ReLU, with another public value y
// max(x − y, 0) + y.
func (c *opRun) largest(a, b *value) ([]*value, error) {
	x, y, _ := ordered([]*value{a, b})
	xs := c.share(x, 0)
	if y.who != Public {
		return one(c.Arith.Max(c.op, xs, c.share(y, 0)))
	}
	floor, zero, none := c.finite(y.arr)
	switch {
	case none:
		return []*value{x}, nil
	case zero:
		return one(c.Arith.Relu(c.op, xs))
	}
	above := c.Arith.Relu(c.op, c.Arith.AddPublic(c.op, xs, negated(floor)))
	return one(c.Arith.AddPublic(c.op, above, floor))
}

// finite clamps public floats so that their differences to secrets fit, and
// says whether all are zero, or all −∞.
func (c *opRun) finite(a *tensor.Array) (b *tensor.Array, zero, none bool) {
	limit := math.Ldexp(1, c.Arith.Ring.Bits-4-2*c.Arith.Fraction)
	f := append([]float64{}, a.Floats()...)
	zero, none = true, true
	for i, x := range f {
		zero = zero && x == 0
		none = none && math.IsInf(x, -1)
		f[i] = math.Max(-limit, math.Min(limit, x))
	}
	return tensor.FromFloats(a.DType, a.Shape, f), zero, none
}

// clamp is min(max(x, low), high), bounds being scalars or of x's shape.
func clamp(c *opRun, in []*value) ([]*value, error) {
	bound := func(v *value) *value {
		if len(v.typ.Shape) == len(in[1].typ.Shape) {
			return v
		}
		return c.view(v, tensor.Broadcast(v.typ.Shape, nil, in[1].typ.Shape))
	}
	f := &formula{c: c} // two operands may be public, or known to one party
	out := f.of("minimum", f.of("maximum", in[1], bound(in[0])), bound(in[2]))
	return []*value{out}, f.err
}
