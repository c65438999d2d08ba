package build

// The operations of this file work element by element on one Value. The result
// has its shape.

// Neg is -x.
func (b *Builder) Neg(x Value) Value { return b.one("stablehlo.negate", nil, x) }

// Abs is |x|; complex numbers give real ones.
func (b *Builder) Abs(x Value) Value { return b.one("stablehlo.abs", nil, x) }

// Sign is -1, 0 or 1, x's sign.
func (b *Builder) Sign(x Value) Value { return b.one("stablehlo.sign", nil, x) }

// Exp is e^x.
func (b *Builder) Exp(x Value) Value { return b.one("stablehlo.exponential", nil, x) }

// Expm1 is e^x - 1.
func (b *Builder) Expm1(x Value) Value { return b.one("stablehlo.exponential_minus_one", nil, x) }

// Log is the natural logarithm of x.
func (b *Builder) Log(x Value) Value { return b.one("stablehlo.log", nil, x) }

// Log1p is the natural logarithm of 1 + x.
func (b *Builder) Log1p(x Value) Value { return b.one("stablehlo.log_plus_one", nil, x) }

// Sqrt is the square root of x.
func (b *Builder) Sqrt(x Value) Value { return b.one("stablehlo.sqrt", nil, x) }

// Rsqrt is 1 / √x.
func (b *Builder) Rsqrt(x Value) Value { return b.one("stablehlo.rsqrt", nil, x) }

// Cbrt is the cube root of x.
func (b *Builder) Cbrt(x Value) Value { return b.one("stablehlo.cbrt", nil, x) }

// Sin is the sine of x.
func (b *Builder) Sin(x Value) Value { return b.one("stablehlo.sine", nil, x) }

// Cos is the cosine of x.
func (b *Builder) Cos(x Value) Value { return b.one("stablehlo.cosine", nil, x) }

// Tan is the tangent of x.
func (b *Builder) Tan(x Value) Value { return b.one("stablehlo.tan", nil, x) }

// Tanh is the hyperbolic tangent of x.
func (b *Builder) Tanh(x Value) Value { return b.one("stablehlo.tanh", nil, x) }

// Sigmoid is 1 / (1 + e^-x).
func (b *Builder) Sigmoid(x Value) Value { return b.one("stablehlo.logistic", nil, x) }

// Floor is the largest integer that is not above x, as a float.
func (b *Builder) Floor(x Value) Value { return b.one("stablehlo.floor", nil, x) }

// Ceil is the smallest integer that is not below x, as a float.
func (b *Builder) Ceil(x Value) Value { return b.one("stablehlo.ceil", nil, x) }

// Round is the integer next to x, as a float; the even one of two.
func (b *Builder) Round(x Value) Value { return b.one("stablehlo.round_nearest_even", nil, x) }

// Not is the complement of a bool, or of an integer's bits.
func (b *Builder) Not(x Value) Value { return b.one("stablehlo.not", nil, x) }

// IsFinite is a bool: whether x is neither infinite nor NaN.
func (b *Builder) IsFinite(x Value) Value { return b.one("stablehlo.is_finite", nil, x) }

// Real is the real part of x.
func (b *Builder) Real(x Value) Value { return b.one("stablehlo.real", nil, x) }

// Imag is the imaginary part of x.
func (b *Builder) Imag(x Value) Value { return b.one("stablehlo.imag", nil, x) }

// Erf is the error function of x.
func (b *Builder) Erf(x Value) Value { return b.one("chlo.erf", nil, x) }

// Square is x·x.
func (b *Builder) Square(x Value) Value { return b.one("chlo.square", nil, x) }
