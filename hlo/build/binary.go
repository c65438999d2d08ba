package build

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// The operations of this file work element by element. Operands are Values,
// constant arrays (*tensor.Array) and Go numbers and bools, at least one of
// them a Value or an array. Their element types are equal, and their shapes
// broadcast as NumPy's do. The result has the common shape.

// Add returns x + y; for bools the OR.
func (b *Builder) Add(x, y any) Value { return b.binary(hlo.OpAdd, nil, x, y) }

// Sub returns x − y.
func (b *Builder) Sub(x, y any) Value { return b.binary(hlo.OpSubtract, nil, x, y) }

// Mul returns x · y; for bools the AND.
func (b *Builder) Mul(x, y any) Value { return b.binary(hlo.OpMultiply, nil, x, y) }

// Div returns x / y; for integers rounded towards zero.
func (b *Builder) Div(x, y any) Value { return b.binary(hlo.OpDivide, nil, x, y) }

// Rem returns the remainder of x / y, with x's sign.
func (b *Builder) Rem(x, y any) Value { return b.binary(hlo.OpRemainder, nil, x, y) }

// Pow returns x to the power y.
func (b *Builder) Pow(x, y any) Value { return b.binary(hlo.OpPower, nil, x, y) }

// Max returns the larger of x and y, element by element.
func (b *Builder) Max(x, y any) Value { return b.binary(hlo.OpMaximum, nil, x, y) }

// Min returns the smaller of x and y, element by element.
func (b *Builder) Min(x, y any) Value { return b.binary(hlo.OpMinimum, nil, x, y) }

// And returns the AND of bools, or of the bits of integers.
func (b *Builder) And(x, y any) Value { return b.binary(hlo.OpAnd, nil, x, y) }

// Or returns the OR of bools, or of the bits of integers.
func (b *Builder) Or(x, y any) Value { return b.binary(hlo.OpOr, nil, x, y) }

// Xor returns the exclusive or of bools, or of the bits of integers.
func (b *Builder) Xor(x, y any) Value { return b.binary(hlo.OpXor, nil, x, y) }

// Atan2 returns the angle from the positive real axis to the point x + y·i, in radians.
func (b *Builder) Atan2(y, x any) Value { return b.binary(hlo.OpAtan2, nil, y, x) }

// ShiftLeft returns x · 2^y of integers.
func (b *Builder) ShiftLeft(x, y any) Value { return b.binary(hlo.OpShiftLeft, nil, x, y) }

// ShiftRightArithmetic returns x / 2^y of integers, rounded down; the sign is kept.
func (b *Builder) ShiftRightArithmetic(x, y any) Value {
	return b.binary(hlo.OpShiftRightArithmetic, nil, x, y)
}

// ShiftRightLogical returns the bits of integers x shifted right by y places; zeros fill in.
func (b *Builder) ShiftRightLogical(x, y any) Value {
	return b.binary(hlo.OpShiftRightLogical, nil, x, y)
}

// Complex returns x + y·i of floats.
func (b *Builder) Complex(x, y any) Value { return b.binary(hlo.OpComplex, nil, x, y) }

// Equal returns the bool x = y.
func (b *Builder) Equal(x, y any) Value { return b.compare("EQ", x, y) }

// NotEqual returns the bool x ≠ y.
func (b *Builder) NotEqual(x, y any) Value { return b.compare("NE", x, y) }

// Less returns the bool x < y.
func (b *Builder) Less(x, y any) Value { return b.compare("LT", x, y) }

// LessEqual returns the bool x ≤ y.
func (b *Builder) LessEqual(x, y any) Value { return b.compare("LE", x, y) }

// Greater returns the bool x > y.
func (b *Builder) Greater(x, y any) Value { return b.compare("GT", x, y) }

// GreaterEqual returns the bool x ≥ y.
func (b *Builder) GreaterEqual(x, y any) Value { return b.compare("GE", x, y) }

// binary builds an elementwise operation of operands that are broadcast.
func (b *Builder) binary(name string, attrs hlo.Attrs, xs ...any) Value {
	vs, ok := b.operands(xs...)
	if !ok {
		return Value{}
	}
	return b.one(name, attrs, vs...)
}

func (b *Builder) compare(direction hlo.Enum, x, y any) Value {
	return b.binary(hlo.OpCompare, hlo.Attrs{"comparison_direction": direction}, x, y)
}

// Select returns x where p is true, and y elsewhere. p is a tensor of bools that broadcasts to the common shape of x
// and y, or one bool for all elements.
func (b *Builder) Select(p Value, x, y any) Value {
	vs, ok := b.operands(x, y)
	if !ok {
		return Value{}
	}
	if b.use([]Value{p}) == nil {
		return Value{}
	}
	shape, ok := tensor.CommonShape(p.Shape(), vs[0].Shape())
	if !ok {
		b.fail("the predicate has type "+p.String()+", the values have "+vs[0].String(), "dimensions must be equal or 1, aligned at the end: Reshape or Broadcast an operand")
		return Value{}
	}
	if p.Rank() > 0 {
		p = b.widen(p, shape)
	}
	return b.one(hlo.OpSelect, nil, p, b.widen(vs[0], shape), b.widen(vs[1], shape))
}

// Clamp returns the number in [low, high] that is nearest to x, element by element. Bounds are Values of x's type,
// scalars of its element type, or Go numbers.
func (b *Builder) Clamp(low any, x Value, high any) Value {
	if b.use([]Value{x}) == nil {
		return Value{}
	}
	l, h := b.bound(low, x.DType()), b.bound(high, x.DType())
	return b.one(hlo.OpClamp, nil, l, x, h)
}

// bound is a Value, or a scalar constant.
func (b *Builder) bound(x any, d tensor.DType) Value {
	if v, ok := x.(Value); ok || b.m.err != nil {
		return v
	}
	return b.number(d, x)
}
