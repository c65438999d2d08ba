package build

import "github.com/tacet-mpc/tacet/hlo"

// The operations of this file work element by element on one Value. The result
// has its shape.

// Neg returns −x.
func (b *Builder) Neg(x Value) Value { return b.one(hlo.OpNegate, nil, x) }

// Abs returns |x|; for complex numbers a real one.
func (b *Builder) Abs(x Value) Value { return b.one(hlo.OpAbs, nil, x) }

// Sign returns the sign of x: −1, 0 or 1.
func (b *Builder) Sign(x Value) Value { return b.one(hlo.OpSign, nil, x) }

// Exp returns e^x.
func (b *Builder) Exp(x Value) Value { return b.one(hlo.OpExponential, nil, x) }

// Expm1 returns e^x − 1.
func (b *Builder) Expm1(x Value) Value { return b.one(hlo.OpExponentialMinusOne, nil, x) }

// Log returns the natural logarithm of x.
func (b *Builder) Log(x Value) Value { return b.one(hlo.OpLog, nil, x) }

// Log1p returns the natural logarithm of 1 + x.
func (b *Builder) Log1p(x Value) Value { return b.one(hlo.OpLogPlusOne, nil, x) }

// Sqrt returns the square root of x.
func (b *Builder) Sqrt(x Value) Value { return b.one(hlo.OpSqrt, nil, x) }

// Rsqrt returns 1 / √x.
func (b *Builder) Rsqrt(x Value) Value { return b.one(hlo.OpRsqrt, nil, x) }

// Cbrt returns the cube root of x.
func (b *Builder) Cbrt(x Value) Value { return b.one(hlo.OpCbrt, nil, x) }

// Sin returns the sine of x, in radians.
func (b *Builder) Sin(x Value) Value { return b.one(hlo.OpSine, nil, x) }

// Cos returns the cosine of x, in radians.
func (b *Builder) Cos(x Value) Value { return b.one(hlo.OpCosine, nil, x) }

// Tan returns the tangent of x, in radians.
func (b *Builder) Tan(x Value) Value { return b.one(hlo.OpTan, nil, x) }

// Tanh returns the hyperbolic tangent of x.
func (b *Builder) Tanh(x Value) Value { return b.one(hlo.OpTanh, nil, x) }

// Sigmoid returns 1 / (1 + e^−x).
func (b *Builder) Sigmoid(x Value) Value { return b.one(hlo.OpLogistic, nil, x) }

// Floor returns the largest integer that is not above x, as a float.
func (b *Builder) Floor(x Value) Value { return b.one(hlo.OpFloor, nil, x) }

// Ceil returns the smallest integer that is not below x, as a float.
func (b *Builder) Ceil(x Value) Value { return b.one(hlo.OpCeil, nil, x) }

// Round returns the integer nearest to x, as a float; of two, the even one.
func (b *Builder) Round(x Value) Value { return b.one(hlo.OpRoundNearestEven, nil, x) }

// Not returns the complement of a bool, or of the bits of an integer.
func (b *Builder) Not(x Value) Value { return b.one(hlo.OpNot, nil, x) }

// IsFinite returns a bool: whether x is neither infinite nor NaN.
func (b *Builder) IsFinite(x Value) Value { return b.one(hlo.OpIsFinite, nil, x) }

// Real returns the real part of x.
func (b *Builder) Real(x Value) Value { return b.one(hlo.OpReal, nil, x) }

// Imag returns the imaginary part of x.
func (b *Builder) Imag(x Value) Value { return b.one(hlo.OpImag, nil, x) }

// Erf returns the error function of x.
func (b *Builder) Erf(x Value) Value { return b.one(hlo.OpErf, nil, x) }

// Square returns x·x.
func (b *Builder) Square(x Value) Value { return b.one(hlo.OpSquare, nil, x) }
