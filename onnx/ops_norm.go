package onnx

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var normOps = map[string]operation{
	".BatchNormalization":        {build: batchNorm},
	".LayerNormalization":        {build: layerNorm},
	".RMSNormalization":          {build: rmsNorm},
	".InstanceNormalization":     {build: instanceNorm},
	".GroupNormalization":        {build: groupNorm},
	".LRN":                       {build: lrn},
	".LpNormalization":           {build: lpNorm},
	".MeanVarianceNormalization": {build: meanVariance},
}

func batchNorm(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 2, 64)
	v, d := x.v(0), x.typ(0).DType
	eps := x.float("epsilon", float64(float32(1e-5)))
	scale, offset, mean, variance := b.Convert(x.v(1), d), b.Convert(x.v(2), d), x.v(3), x.v(4)
	if x.int("training_mode", 0) == 0 {
		out := b.Op(hlo.OpBatchNormInference, []build.Value{v, scale, offset, b.Convert(mean, d), b.Convert(variance, d)},
			hlo.Attrs{"epsilon": eps, "feature_index": 1})
		return one(out[0])
	}
	var dims []int
	for i := range s {
		if i != 1 {
			dims = append(dims, i)
		}
	}
	m := b.Mean(v, dims...)
	centred := b.Sub(v, x.perChannel(m, v))
	q := b.Mean(b.Mul(centred, centred), dims...)
	y := b.Mul(b.Mul(centred, x.perChannel(b.Rsqrt(b.Add(q, eps)), v)), x.perChannel(scale, v))
	momentum := x.float("momentum", float64(float32(0.9)))
	running := func(old, now build.Value) build.Value {
		return b.Add(b.Mul(old, momentum), b.Mul(b.Convert(now, old.DType()), 1-momentum))
	}
	return several(b.Add(y, x.perChannel(offset, v)), running(mean, m), running(variance, q))
}

// from is the dimensions from the attribute axis on.
func (x *node) from(rank int) []int {
	at := x.axis(x.int("axis", -1), rank)
	var dims []int
	for d := at; d < rank; d++ {
		dims = append(dims, d)
	}
	return dims
}

// stash is the type in which a normalisation computes.
func (x *node) stash(v build.Value) build.Value {
	return x.cast(v, x.dtype("stash_type", tensor.F32))
}

func layerNorm(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 1, 64)
	d := x.typ(0).DType
	v := x.v(0)
	if d.Bits() < 32 {
		v = x.stash(v)
	}
	dims := x.from(len(s))
	wide := func(f build.Value) build.Value { return b.Broadcast(keepDims(b, f, v, dims...), s...) }
	mean := b.Mean(v, dims...)
	centred := b.Sub(v, wide(mean))
	variance := b.Mean(b.Mul(centred, centred), dims...)
	inverse := b.Rsqrt(b.Add(variance, x.float("epsilon", float64(float32(1e-5)))))
	// The factor is multiplied first, as the pattern of layer normalisation with a scale wants.
	factor := b.Mul(wide(inverse), b.Convert(x.v(1), v.DType()))
	y := b.Mul(centred, factor)
	if x.has(2) {
		y = b.Add(y, b.Convert(x.v(2), v.DType()))
	}
	return several(x.cast(y, d), keepDims(b, mean, v, dims...), keepDims(b, inverse, v, dims...))
}

func rmsNorm(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 1, 64)
	d := x.typ(0).DType
	v := x.v(0)
	if d.Bits() < 32 {
		v = x.stash(v)
	}
	dims := x.from(len(s))
	square := b.Mean(b.Mul(v, v), dims...)
	inverse := b.Rsqrt(b.Add(square, x.float("epsilon", float64(float32(1e-5)))))
	factor := b.Mul(b.Broadcast(keepDims(b, inverse, v, dims...), s...), b.Convert(x.v(1), v.DType()))
	return one(x.cast(b.Mul(v, factor), d))
}

// normalised is (v − mean)/√(variance + ε) along dims.
func normalised(b *build.Builder, v build.Value, eps float64, dims ...int) build.Value {
	wide := func(f build.Value) build.Value { return b.Broadcast(keepDims(b, f, v, dims...), v.Shape()...) }
	centred := b.Sub(v, wide(b.Mean(v, dims...)))
	variance := b.Mean(b.Mul(centred, centred), dims...)
	return b.Mul(centred, wide(b.Rsqrt(b.Add(variance, eps))))
}

func instanceNorm(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 3, 64)
	var dims []int
	for d := 2; d < len(s); d++ {
		dims = append(dims, d)
	}
	v := x.v(0)
	y := normalised(b, v, x.float("epsilon", float64(float32(1e-5))), dims...)
	return one(b.Add(b.Mul(y, x.perChannel(x.v(1), v)), x.perChannel(x.v(2), v)))
}

func groupNorm(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 3, 64)
	n := x.int("num_groups", 0)
	if n < 1 || s[1]%n != 0 {
		x.fail("the file is damaged", "%d channels have no %d groups", s[1], n)
	}
	d, v := x.typ(0).DType, x.v(0)
	if d.Bits() < 32 {
		v = x.stash(v)
	}
	wide := append([]int{s[0], n, s[1] / n}, s[2:]...)
	var dims []int
	for i := 2; i < len(wide); i++ {
		dims = append(dims, i)
	}
	y := normalised(b, b.Reshape(v, wide...), x.float("epsilon", float64(float32(1e-5))), dims...)
	scale, bias := b.Convert(x.v(1), v.DType()), b.Convert(x.v(2), v.DType())
	if x.opset < 21 { // one number for each group
		apply := func(f build.Value) build.Value { return b.BroadcastInDim(f, []int{1}, wide...) }
		return one(x.cast(b.Reshape(b.Add(b.Mul(y, apply(scale)), apply(bias)), s...), d))
	}
	y = b.Reshape(y, s...)
	return one(x.cast(b.Add(b.Mul(y, x.perChannel(scale, y)), x.perChannel(bias, y)), d))
}

// lrn divides by a power of the sum of squares of neighbouring channels.
func lrn(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 2, 64)
	size := x.int("size", 0)
	if size < 1 || size > 1<<16 {
		x.fail("the file is damaged", "size is %d", size)
	}
	alpha, beta, bias := x.float("alpha", float64(float32(1e-4))), x.float("beta", 0.75), x.float("bias", 1)
	v := x.v(0)
	w := build.Window{Size: slices.Repeat([]int{1}, len(s)), Padding: make([][2]int, len(s))}
	w.Size[1], w.Padding[1] = size, [2]int{(size - 1) / 2, size / 2}
	sum := b.WindowSum(b.Mul(v, v), w)
	return one(b.Div(v, b.Pow(b.Add(b.Mul(sum, alpha/float64(size)), bias), beta)))
}

func lpNorm(x *node) []*value {
	b, v := x.b, x.v(0)
	dim := x.axis(x.int("axis", -1), v.Rank())
	wide := func(f build.Value) build.Value { return keepDims(b, f, v, dim) }
	var norm build.Value
	switch x.int("p", 2) {
	case 1:
		norm = b.Sum(b.Abs(v), dim)
	case 2:
		norm = b.Sqrt(b.Sum(b.Mul(v, v), dim))
	default:
		x.unsupported("use p 1 or 2", "p is %d", x.int("p", 2))
	}
	// 0 divided by 0 is 0 here.
	none := b.Equal(norm, 0)
	return one(b.Div(v, wide(b.Select(none, 1, norm))))
}

func meanVariance(x *node) []*value {
	axes := x.ints("axes")
	if axes == nil {
		axes = []int{0, 2, 3}
	}
	b, v := x.b, x.v(0)
	dims := x.axes(axes, v.Rank())
	wide := func(f build.Value) build.Value { return b.Broadcast(keepDims(b, f, v, dims...), v.Shape()...) }
	centred := b.Sub(v, wide(b.Mean(v, dims...)))
	deviation := b.Sqrt(b.Mean(b.Mul(centred, centred), dims...))
	return one(b.Div(centred, b.Add(wide(deviation), 1e-9)))
}
