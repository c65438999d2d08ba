package onnx

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var quantOps = map[string]operation{
	".QuantizeLinear":        {build: quantize},
	".DequantizeLinear":      {build: dequantize},
	".DynamicQuantizeLinear": {build: dynamicQuantize},
	".MatMulInteger":         {build: matMulInteger},
	".ConvInteger":           {build: convInteger},
	".QLinearMatMul":         {build: qLinearMatMul},
	".QLinearConv":           {build: qLinearConv},
}

// spread gives a scale or a zero point the shape of the tensor that it belongs to: one number for all, one for each index
// of a dimension, or one for each block of elements along it.
func (x *node) spread(f build.Value, s tensor.Shape, axis, block int) build.Value {
	b := x.b
	switch {
	case f.Rank() == 0 || f.Rank() == 1 && f.Dim(0) == 1:
		return b.Broadcast(b.Reshape(f), s...)
	case f.Rank() == 1:
		return b.BroadcastInDim(f, []int{x.axis(axis, len(s))}, s...)
	}
	d := x.axis(axis, len(s))
	if f.Rank() != len(s) || block < 1 || f.Dim(d) < 1 {
		x.fail("the file is damaged", "a scale of shape %v does not fit a tensor of shape %v", f.Shape(), s)
	}
	wide := f.Shape()
	wide = append(wide[:d+1], append(tensor.Shape{block}, wide[d+1:]...)...)
	var at []int
	for i := range wide {
		if i != d+1 {
			at = append(at, i)
		}
	}
	all := b.BroadcastInDim(f, at, wide...)
	flat := f.Shape()
	flat[d] *= block
	return part(b, b.Reshape(all, flat...), d, 0, s[d])
}

// rounded is x/scale rounded and moved by the zero point, within the range of d.
func (x *node) rounded(v, zero build.Value, d tensor.DType) build.Value {
	b := x.b
	if !d.IsInt() || d.Bits() > 16 {
		x.unsupported("quantise to 8 or 16 bits", "quantisation to %v is not supported", d)
	}
	low, high := 0.0, math.Ldexp(1, d.Bits())-1
	if d.IsSigned() {
		low, high = -math.Ldexp(1, d.Bits()-1), math.Ldexp(1, d.Bits()-1)-1
	}
	moved := b.Add(b.Round(v), b.Convert(zero, v.DType()))
	return b.Convert(b.Clamp(low, moved, high), d)
}

func quantize(x *node) []*value {
	b, s := x.b, x.shape(0)
	axis, block := x.int("axis", 1), x.int("block_size", 0)
	v := x.v(0)
	if v.DType().IsInt() || v.DType().Bits() < 32 {
		v = b.Convert(v, tensor.F32)
	}
	d := x.dtype("output_dtype", tensor.U8)
	zero := b.Const(tensor.F32, 0, s...)
	if x.has(2) {
		d = x.typ(2).DType
		zero = x.spread(x.v(2), s, axis, block)
	}
	scale := x.spread(b.Convert(x.v(1), v.DType()), s, axis, block)
	return one(x.rounded(b.Div(v, scale), zero, d))
}

func dequantize(x *node) []*value {
	b, s := x.b, x.shape(0)
	axis, block := x.int("axis", 1), x.int("block_size", 0)
	scale := x.v(1)
	d := x.dtype("output_dtype", scale.DType())
	v := b.Convert(x.v(0), tensor.I32)
	if x.has(2) {
		v = b.Sub(v, b.Convert(x.spread(x.v(2), s, axis, block), tensor.I32))
	}
	return one(x.cast(b.Mul(b.Convert(v, tensor.F32), b.Convert(x.spread(scale, s, axis, block), tensor.F32)), d))
}

func dynamicQuantize(x *node) []*value {
	b, v := x.b, x.v(0)
	low, high := b.Min(b.ReduceMin(v), 0), b.Max(b.ReduceMax(v), 0)
	scale := b.Div(b.Sub(high, low), 255)
	zero := b.Convert(b.Clamp(0, b.Round(b.Div(b.Neg(low), scale)), 255), tensor.U8)
	return several(x.rounded(b.Div(v, b.Broadcast(scale, v.Shape()...)), zero, tensor.U8), scale, zero)
}

// centred is input i less its zero point, input z, as i32. A zero point of several numbers belongs to the rows (axis -2) or
// columns (axis -1) of a matrix.
func (x *node) centred(i, z, axis int) build.Value {
	b := x.b
	v := b.Convert(x.v(i), tensor.I32)
	if !x.has(z) {
		return v
	}
	zero := b.Convert(x.v(z), tensor.I32)
	if zero.Rank() == 1 && zero.Dim(0) != 1 {
		zero = b.BroadcastInDim(zero, []int{x.axis(axis, v.Rank())}, v.Shape()...)
	} else if zero.Rank() == 1 {
		zero = b.Reshape(zero)
	}
	return b.Sub(v, zero)
}

func matMulInteger(x *node) []*value {
	return one(x.matMul(x.centred(0, 2, -2), x.centred(1, 3, -1)))
}

func convInteger(x *node) []*value {
	return one(x.convolution(x.centred(0, 2, 1), x.centred(1, 3, 0), -1))
}

// requantized is a product of integers as the type of the zero point, by the scales of both operands and of the result. The
// product of two scales would be too small for fixed point: one of them is divided by the result's scale, and the other is
// multiplied first.
func (x *node) requantized(v build.Value, l, r, to, zero, axis int) []*value {
	b, s := x.b, v.Shape()
	scale := func(i, axis int) build.Value { return x.spread(b.Convert(x.v(i), tensor.F32), s, axis, 0) }
	scaled := b.Mul(b.Mul(b.Convert(v, tensor.F32), scale(r, axis)), b.Div(scale(l, -2), scale(to, -2)))
	return one(x.rounded(scaled, x.spread(x.v(zero), s, -2, 0), x.typ(zero).DType))
}

func qLinearMatMul(x *node) []*value {
	return x.requantized(x.matMul(x.centred(0, 2, -2), x.centred(3, 5, -1)), 1, 4, 6, 7, -1)
}

func qLinearConv(x *node) []*value {
	return x.requantized(x.convolution(x.centred(0, 2, 1), x.centred(3, 5, 0), 8), 1, 4, 6, 7, 1)
}
