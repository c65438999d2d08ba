package gomlx

import (
	"github.com/gomlx/compute"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
)

// Elementwise operations. The interface compute.StandardOps says what each computes.

func (f *function) unary(do func(*build.Builder, build.Value) build.Value, x compute.Value) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value { return do(b, v[0]) }, x)
}

func (f *function) binary(do func(b *build.Builder, x, y any) build.Value, x, y compute.Value) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value { return do(b, v[0], v[1]) }, x, y)
}

// totalOrder compares floats in the total order in which −NaN is the smallest and NaN the largest.
func (f *function) totalOrder(direction hlo.Enum, x, y compute.Value) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value {
		attrs := hlo.Attrs{"comparison_direction": direction}
		if v[0].DType().IsFloat() {
			attrs["compare_type"] = hlo.Enum("TOTALORDER")
		}
		shape := v[0].Shape()
		if v[0].Rank() < v[1].Rank() {
			shape = v[1].Shape()
		}
		return b.Op(hlo.OpCompare, []build.Value{b.Broadcast(v[0], shape...), b.Broadcast(v[1], shape...)}, attrs)[0]
	}, x, y)
}

// Abs implements compute.StandardOps.
func (f *function) Abs(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Abs, x)
}

// Ceil implements compute.StandardOps.
func (f *function) Ceil(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Ceil, x)
}

// Cos implements compute.StandardOps.
func (f *function) Cos(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Cos, x)
}

// Erf implements compute.StandardOps.
func (f *function) Erf(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Erf, x)
}

// Exp implements compute.StandardOps.
func (f *function) Exp(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Exp, x)
}

// Expm1 implements compute.StandardOps.
func (f *function) Expm1(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Expm1, x)
}

// Floor implements compute.StandardOps.
func (f *function) Floor(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Floor, x)
}

// Imag implements compute.StandardOps.
func (f *function) Imag(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Imag, x)
}

// IsFinite implements compute.StandardOps.
func (f *function) IsFinite(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).IsFinite, x)
}

// Log implements compute.StandardOps.
func (f *function) Log(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Log, x)
}

// Log1p implements compute.StandardOps.
func (f *function) Log1p(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Log1p, x)
}

// Logistic implements compute.StandardOps.
func (f *function) Logistic(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Sigmoid, x)
}

// Neg implements compute.StandardOps.
func (f *function) Neg(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Neg, x)
}

// Real implements compute.StandardOps.
func (f *function) Real(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Real, x)
}

// Round implements compute.StandardOps.
func (f *function) Round(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Round, x)
}

// Rsqrt implements compute.StandardOps.
func (f *function) Rsqrt(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Rsqrt, x)
}

// Sign implements compute.StandardOps.
func (f *function) Sign(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Sign, x)
}

// Sin implements compute.StandardOps.
func (f *function) Sin(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Sin, x)
}

// Sqrt implements compute.StandardOps.
func (f *function) Sqrt(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Sqrt, x)
}

// Tanh implements compute.StandardOps.
func (f *function) Tanh(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Tanh, x)
}

// LogicalNot implements compute.StandardOps.
func (f *function) LogicalNot(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Not, x)
}

// BitwiseNot implements compute.StandardOps.
func (f *function) BitwiseNot(x compute.Value) (compute.Value, error) {
	return f.unary((*build.Builder).Not, x)
}

// Add implements compute.StandardOps.
func (f *function) Add(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Add, x, y)
}

// Atan2 implements compute.StandardOps.
func (f *function) Atan2(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Atan2, x, y)
}

// BitwiseAnd implements compute.StandardOps.
func (f *function) BitwiseAnd(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).And, x, y)
}

// BitwiseOr implements compute.StandardOps.
func (f *function) BitwiseOr(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Or, x, y)
}

// BitwiseXor implements compute.StandardOps.
func (f *function) BitwiseXor(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Xor, x, y)
}

// Complex implements compute.StandardOps.
func (f *function) Complex(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Complex, x, y)
}

// Div implements compute.StandardOps.
func (f *function) Div(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Div, x, y)
}

// Equal implements compute.StandardOps.
func (f *function) Equal(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Equal, x, y)
}

// GreaterOrEqual implements compute.StandardOps.
func (f *function) GreaterOrEqual(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).GreaterEqual, x, y)
}

// GreaterThan implements compute.StandardOps.
func (f *function) GreaterThan(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Greater, x, y)
}

// LessOrEqual implements compute.StandardOps.
func (f *function) LessOrEqual(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).LessEqual, x, y)
}

// LessThan implements compute.StandardOps.
func (f *function) LessThan(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Less, x, y)
}

// LogicalAnd implements compute.StandardOps.
func (f *function) LogicalAnd(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).And, x, y)
}

// LogicalOr implements compute.StandardOps.
func (f *function) LogicalOr(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Or, x, y)
}

// LogicalXor implements compute.StandardOps.
func (f *function) LogicalXor(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Xor, x, y)
}

// Max implements compute.StandardOps.
func (f *function) Max(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Max, x, y)
}

// Min implements compute.StandardOps.
func (f *function) Min(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Min, x, y)
}

// Mul implements compute.StandardOps.
func (f *function) Mul(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Mul, x, y)
}

// NotEqual implements compute.StandardOps.
func (f *function) NotEqual(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).NotEqual, x, y)
}

// Pow implements compute.StandardOps.
func (f *function) Pow(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Pow, x, y)
}

// Rem implements compute.StandardOps.
func (f *function) Rem(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Rem, x, y)
}

// ShiftLeft implements compute.StandardOps.
func (f *function) ShiftLeft(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).ShiftLeft, x, y)
}

// ShiftRightArithmetic implements compute.StandardOps.
func (f *function) ShiftRightArithmetic(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).ShiftRightArithmetic, x, y)
}

// ShiftRightLogical implements compute.StandardOps.
func (f *function) ShiftRightLogical(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).ShiftRightLogical, x, y)
}

// Sub implements compute.StandardOps.
func (f *function) Sub(x, y compute.Value) (compute.Value, error) {
	return f.binary((*build.Builder).Sub, x, y)
}

// EqualTotalOrder implements compute.StandardOps.
func (f *function) EqualTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.totalOrder("EQ", x, y)
}

// NotEqualTotalOrder implements compute.StandardOps.
func (f *function) NotEqualTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.totalOrder("NE", x, y)
}

// GreaterOrEqualTotalOrder implements compute.StandardOps.
func (f *function) GreaterOrEqualTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.totalOrder("GE", x, y)
}

// GreaterThanTotalOrder implements compute.StandardOps.
func (f *function) GreaterThanTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.totalOrder("GT", x, y)
}

// LessOrEqualTotalOrder implements compute.StandardOps.
func (f *function) LessOrEqualTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.totalOrder("LE", x, y)
}

// LessThanTotalOrder implements compute.StandardOps.
func (f *function) LessThanTotalOrder(x, y compute.Value) (compute.Value, error) {
	return f.totalOrder("LT", x, y)
}

// BitCount implements compute.StandardOps.
func (f *function) BitCount(x compute.Value) (compute.Value, error) { return f.named(hlo.OpPopcnt, x) }

// Clz implements compute.StandardOps.
func (f *function) Clz(x compute.Value) (compute.Value, error) {
	return f.named(hlo.OpCountLeadingZeros, x)
}

// named builds an operation without attributes by its name.
func (f *function) named(op string, x ...compute.Value) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value { return b.Op(op, v, nil)[0] }, x...)
}

// Conj implements compute.StandardOps.
func (f *function) Conj(x compute.Value) (compute.Value, error) {
	return f.unary(func(b *build.Builder, x build.Value) build.Value { return b.Complex(b.Real(x), b.Neg(b.Imag(x))) }, x)
}

// IsNaN implements compute.StandardOps.
func (f *function) IsNaN(x compute.Value) (compute.Value, error) {
	return f.unary(func(b *build.Builder, x build.Value) build.Value { return b.NotEqual(x, x) }, x)
}

// Identity implements compute.StandardOps.
func (f *function) Identity(x compute.Value) (compute.Value, error) {
	return f.one(func(_ *build.Builder, v []build.Value) build.Value { return v[0] }, x)
}

// OptimizationBarrier returns its operands: what may be computed in which order, the parties' dataflow decides.
func (f *function) OptimizationBarrier(x ...compute.Value) ([]compute.Value, error) {
	return f.add(x, func(_ *build.Builder, v []build.Value, _ *scope) []build.Value { return v })
}

// SchedulingBarrier returns its operand, for the same reason.
func (f *function) SchedulingBarrier(x compute.Value, _ ...compute.Value) (compute.Value, error) {
	return f.Identity(x)
}

// Clamp implements compute.StandardOps.
func (f *function) Clamp(low, x, high compute.Value) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value { return b.Clamp(v[0], v[1], v[2]) }, low, x, high)
}

// Where implements compute.StandardOps.
func (f *function) Where(condition, yes, no compute.Value) (compute.Value, error) {
	return f.one(func(b *build.Builder, v []build.Value) build.Value {
		if v[1].Rank() == 0 && v[2].Rank() == 0 {
			v[1] = b.Broadcast(v[1], v[0].Shape()...)
		}
		return b.Select(v[0], v[1], v[2])
	}, condition, yes, no)
}
