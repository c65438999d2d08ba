package onnx

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var activationOps = map[string]operation{
	".Relu":     unary((*build.Builder).Relu),
	".Sigmoid":  unary((*build.Builder).Sigmoid),
	".Tanh":     unary((*build.Builder).Tanh),
	".Softplus": unary(softplus),
	".Softsign": unary(func(b *build.Builder, x build.Value) build.Value {
		return b.Div(x, b.Add(b.Abs(x), 1))
	}),
	".Mish": unary(func(b *build.Builder, x build.Value) build.Value { return b.Mul(x, b.Tanh(softplus(b, x))) }),
	".HardSwish": unary(func(b *build.Builder, x build.Value) build.Value {
		return b.Mul(x, b.Div(b.Clamp(0, b.Add(x, 3), 6), 6))
	}),
	".HardSigmoid": {build: func(x *node) []*value {
		return one(hardSigmoid(x.b, x.v(0), x.float("alpha", float64(float32(0.2))), x.float("beta", 0.5)))
	}},
	".LeakyRelu": {build: func(x *node) []*value {
		return one(leaky(x.b, x.v(0), x.float("alpha", float64(float32(0.01)))))
	}},
	".PRelu": {build: func(x *node) []*value {
		v := x.v(0)
		return one(x.b.Select(x.b.GreaterEqual(v, 0), v, x.b.Mul(v, x.v(1))))
	}},
	".ThresholdedRelu": {build: func(x *node) []*value {
		v := x.v(0)
		return one(x.b.Select(x.b.Greater(v, x.float("alpha", 1)), v, 0))
	}},
	".Elu": {build: func(x *node) []*value { return one(elu(x.b, x.v(0), x.float("alpha", 1), 1)) }},
	".Celu": {build: func(x *node) []*value {
		a := x.float("alpha", 1)
		return one(elu(x.b, x.v(0), a, a))
	}},
	".Selu": {build: func(x *node) []*value {
		alpha, gamma := x.float("alpha", float64(float32(1.67326319217681884765625))), x.float("gamma", float64(float32(1.05070102214813232421875)))
		return one(x.b.Mul(elu(x.b, x.v(0), alpha, 1), gamma))
	}},
	".Gelu": {build: func(x *node) []*value {
		switch form := x.text("approximate", "none"); form {
		case "none":
			return one(gelu(x.b, x.v(0)))
		case "tanh":
			return one(geluTanh(x.b, x.v(0)))
		default:
			x.fail("the file is damaged", "approximate is %q, want none or tanh", form)
			return nil
		}
	}},
	".Swish": {build: func(x *node) []*value { return one(swish(x.b, x.v(0), x.float("alpha", 1))) }},
	".Shrink": {build: func(x *node) []*value {
		b, v := x.b, x.v(0)
		bias, l := x.float("bias", 0), x.float("lambd", 0.5)
		if v.DType().IsInt() {
			f := b.Convert(v, tensor.F32)
			return one(b.Convert(shrink(b, f, bias, l), v.DType()))
		}
		return one(shrink(b, v, bias, l))
	}},
	".Softmax": {build: func(x *node) []*value { return one(x.alongLast(x.b.Softmax)) }},
	".LogSoftmax": {build: func(x *node) []*value {
		return one(x.alongLast(func(v build.Value, dim int) build.Value { return logSoftmax(x.b, v, dim) }))
	}},
	".Hardmax": {build: func(x *node) []*value {
		return one(x.alongLast(func(v build.Value, dim int) build.Value { return hardmax(x.b, v, dim) }))
	}},
	".SwiGLU": {build: swiGLU},
}

// softplus is log(1 + e^x), in the form without overflow.
func softplus(b *build.Builder, x build.Value) build.Value {
	return b.Add(b.Max(x, 0), b.Log1p(b.Exp(b.Neg(b.Abs(x)))))
}

func shrink(b *build.Builder, v build.Value, bias, l float64) build.Value {
	return b.Select(b.Less(v, -l), b.Add(v, bias), b.Select(b.Greater(v, l), b.Sub(v, bias), 0))
}

func hardSigmoid(b *build.Builder, v build.Value, alpha, beta float64) build.Value {
	return b.Clamp(0, b.Add(b.Mul(v, alpha), beta), 1)
}

func leaky(b *build.Builder, v build.Value, alpha float64) build.Value {
	return b.Select(b.GreaterEqual(v, 0), v, b.Mul(v, alpha))
}

// elu is x above 0 and alpha·(e^(x/divisor) − 1) below.
func elu(b *build.Builder, x build.Value, alpha, divisor float64) build.Value {
	positive := b.Greater(x, 0)
	low := b.Select(positive, 0, x)
	if divisor != 1 {
		low = b.Div(low, divisor)
	}
	low = b.Expm1(low)
	if alpha != 1 {
		low = b.Mul(low, alpha)
	}
	return b.Select(positive, x, low)
}

// gelu is x·Φ(x), in the form that passes recognise.
func gelu(b *build.Builder, x build.Value) build.Value {
	return b.Mul(b.Mul(x, 0.5), b.Add(b.Erf(b.Mul(x, math.Sqrt2/2)), 1))
}

func geluTanh(b *build.Builder, x build.Value) build.Value {
	cubic := b.Add(x, b.Mul(b.Mul(b.Mul(x, x), x), 0.044715))
	return b.Mul(b.Mul(x, 0.5), b.Add(b.Tanh(b.Mul(cubic, math.Sqrt(2/math.Pi))), 1))
}

func swish(b *build.Builder, x build.Value, alpha float64) build.Value {
	if alpha == 1 {
		return b.Mul(x, b.Sigmoid(x))
	}
	return b.Mul(x, b.Sigmoid(b.Mul(x, alpha)))
}

// alongLast applies a function along the attribute axis; before operator set 13 along all dimensions from axis on.
func (x *node) alongLast(f func(v build.Value, dim int) build.Value) build.Value {
	v, s := x.v(0), x.shape(0)
	if x.opset >= 13 {
		return f(v, x.axis(x.int("axis", -1), len(s)))
	}
	at := x.int("axis", 1)
	if at < 0 {
		at += len(s)
	}
	if at < 0 || at > len(s) {
		x.fail("the file is damaged", "axis is %d", at)
	}
	flat := x.b.Reshape(v, s[:at].Size(), s[at:].Size())
	return x.b.Reshape(f(flat, 1), s...)
}

func logSoftmax(b *build.Builder, v build.Value, dim int) build.Value {
	shifted := b.Sub(v, keepDims(b, b.ReduceMax(v, dim), v, dim))
	return b.Sub(shifted, b.Log(keepDims(b, b.Sum(b.Exp(shifted), dim), v, dim)))
}

// keepDims gives a reduction of v along dims these dimensions again, of size 1.
func keepDims(b *build.Builder, reduced, v build.Value, dims ...int) build.Value {
	shape := v.Shape()
	for _, d := range dims {
		shape[d] = 1
	}
	return b.Reshape(reduced, shape...)
}

// hardmax is 1 at the first maximum and 0 elsewhere.
func hardmax(b *build.Builder, v build.Value, dim int) build.Value {
	_, at := argMax(b, v, dim, false, false)
	places := b.Iota(tensor.I32, dim, v.Shape()...)
	return b.Convert(b.Equal(places, keepDims(b, at, v, dim)), v.DType())
}

// swiGLU is swish of the first input times the second.
func swiGLU(x *node) []*value {
	b := x.b
	alpha := x.float("alpha", 1)
	if x.has(1) {
		return one(b.Mul(swish(b, x.v(0), alpha), x.v(1)))
	}
	s := x.ensureDims(0, 1, 64)
	dim := x.axis(x.int("axis", -1), len(s))
	halves := splitEqually(b, x.v(0), dim, 2)
	return one(b.Mul(swish(b, halves[0], alpha), halves[1]))
}
