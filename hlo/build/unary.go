package build

import "github.com/tacet-mpc/tacet/hlo"

// The operations of this file work element by element on one Value. The result
// has its shape.

// Neg is -x.
func (b *Builder) Neg(x Value) Value { return b.one(hlo.OpNegate, nil, x) }

// Abs is |x|; complex numbers give real ones.
func (b *Builder) Abs(x Value) Value { return b.one(hlo.OpAbs, nil, x) }

// Sign is -1, 0 or 1, x's sign.
func (b *Builder) Sign(x Value) Value { return b.one(hlo.OpSign, nil, x) }

// Exp is e^x.
func (b *Builder) Exp(x Value) Value { return b.one(hlo.OpExponential, nil, x) }

// Expm1 is e^x - 1.
func (b *Builder) Expm1(x Value) Value { return b.one(hlo.OpExponentialMinusOne, nil, x) }

// Log is the natural logarithm of x.
func (b *Builder) Log(x Value) Value { return b.one(hlo.OpLog, nil, x) }

// Log1p is the natural logarithm of 1 + x.
func (b *Builder) Log1p(x Value) Value { return b.one(hlo.OpLogPlusOne, nil, x) }

// Sqrt is the square root of x.
func (b *Builder) Sqrt(x Value) Value { return b.one(hlo.OpSqrt, nil, x) }

// Rsqrt is 1 / √x.
func (b *Builder) Rsqrt(x Value) Value { return b.one(hlo.OpRsqrt, nil, x) }

// Cbrt is the cube root of x.
func (b *Builder) Cbrt(x Value) Value { return b.one(hlo.OpCbrt, nil, x) }

// Sin is the sine of x.
func (b *Builder) Sin(x Value) Value { return b.one(hlo.OpSine, nil, x) }

// Cos is the cosine of x.
func (b *Builder) Cos(x Value) Value { return b.one(hlo.OpCosine, nil, x) }

// Tan is the tangent of x.
func (b *Builder) Tan(x Value) Value { return b.one(hlo.OpTan, nil, x) }

// Tanh is the hyperbolic tangent of x.
func (b *Builder) Tanh(x Value) Value { return b.one(hlo.OpTanh, nil, x) }

// Sigmoid is 1 / (1 + e^-x).
func (b *Builder) Sigmoid(x Value) Value { return b.one(hlo.OpLogistic, nil, x) }

// Floor is the largest integer that is not above x, as a float.
func (b *Builder) Floor(x Value) Value { return b.one(hlo.OpFloor, nil, x) }

// Ceil is the smallest integer that is not below x, as a float.
func (b *Builder) Ceil(x Value) Value { return b.one(hlo.OpCeil, nil, x) }

// Round is the integer next to x, as a float; the even one of two.
func (b *Builder) Round(x Value) Value { return b.one(hlo.OpRoundNearestEven, nil, x) }

// Not is the complement of a bool, or of an integer's bits.
func (b *Builder) Not(x Value) Value { return b.one(hlo.OpNot, nil, x) }

// IsFinite is a bool: whether x is neither infinite nor NaN.
func (b *Builder) IsFinite(x Value) Value { return b.one(hlo.OpIsFinite, nil, x) }

// Real is the real part of x.
func (b *Builder) Real(x Value) Value { return b.one(hlo.OpReal, nil, x) }

// Imag is the imaginary part of x.
func (b *Builder) Imag(x Value) Value { return b.one(hlo.OpImag, nil, x) }

// Erf is the error function of x.
func (b *Builder) Erf(x Value) Value { return b.one(hlo.OpErf, nil, x) }

// Square is x·x.
func (b *Builder) Square(x Value) Value { return b.one(hlo.OpSquare, nil, x) }
