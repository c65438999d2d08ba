package gomlx

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Contractions, reductions, windows and statistics. The interface compute.StandardOps says what each computes.

// DotGeneral implements compute.StandardOps. Secrets are accumulated exactly, whatever the accumulator's type.
func (f *function) DotGeneral(
	x compute.Value, xContract, xBatch []int, y compute.Value, yContract, yBatch []int, config compute.DotGeneralConfig,
) (compute.Value, error) {
	var accumulator, out tensor.DType // Invalid: those of the operands, and of the first operand
	for to, d := range map[*tensor.DType]dtypes.DType{&accumulator: config.AccumulatorDType, &out: config.OutputDType} {
		if d != dtypes.InvalidDType {
			t, err := dtypeOf(d)
			if err != nil {
				return nil, err
			}
			*to = t
		}
	}
	convert := func(b *build.Builder, x build.Value, d tensor.DType) build.Value {
		if d == tensor.Invalid || d == x.DType() {
			return x
		}
		return b.Convert(x, d)
	}
	dims := hlo.DotDims{LHSBatch: xBatch, RHSBatch: yBatch, LHSContract: xContract, RHSContract: yContract}
	return f.one(func(b *build.Builder, v []build.Value) build.Value {
		result := out
		if result == tensor.Invalid {
			result = v[0].DType()
		}
		return convert(b, b.DotGeneral(convert(b, v[0], accumulator), convert(b, v[1], accumulator), dims), result)
	}, x, y)
}

// ConvGeneral implements compute.StandardOps.
func (f *function) ConvGeneral(
	x, kernel compute.Value, axes compute.ConvolveAxesConfig, strides []int, padding [][2]int, dilation, kernelDilation []int,
	groups, batchGroups int,
) (compute.Value, error) {
	c := build.Conv{
		Dims: &hlo.ConvDims{
			InBatch: axes.InputBatch, InFeature: axes.InputChannels, InSpatial: axes.InputSpatial,
			KerIn: axes.KernelInputChannels, KerOut: axes.KernelOutputChannels, KerSpatial: axes.KernelSpatial,
			OutBatch: axes.OutputBatch, OutFeature: axes.OutputChannels, OutSpatial: axes.OutputSpatial,
		},
		Strides: strides, InputDilation: dilation, KernelDilation: kernelDilation, Padding: padding,
		FeatureGroups: groups, BatchGroups: batchGroups,
	}
	return f.one(func(b *build.Builder, v []build.Value) build.Value { return b.Conv(v[0], v[1], c) }, x, kernel)
}

func (f *function) reduce(
	do func(b *build.Builder, x build.Value, dims ...int) build.Value, x compute.Value, axes []int,
) (compute.Value, error) {
	return f.unary(func(b *build.Builder, x build.Value) build.Value {
		if x.Rank() == 0 {
			return x
		}
		return do(b, x, axes...)
	}, x)
}

// ReduceSum implements compute.StandardOps.
func (f *function) ReduceSum(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce((*build.Builder).Sum, x, axes)
}

// ReduceProduct implements compute.StandardOps.
func (f *function) ReduceProduct(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce((*build.Builder).Prod, x, axes)
}

// ReduceMax implements compute.StandardOps.
func (f *function) ReduceMax(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce((*build.Builder).ReduceMax, x, axes)
}

// ReduceMin implements compute.StandardOps.
func (f *function) ReduceMin(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce((*build.Builder).ReduceMin, x, axes)
}

// ReduceLogicalAnd implements compute.StandardOps.
func (f *function) ReduceLogicalAnd(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce((*build.Builder).All, x, axes)
}

// ReduceLogicalOr implements compute.StandardOps.
func (f *function) ReduceLogicalOr(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce((*build.Builder).Any, x, axes)
}

// ReduceLogicalXor implements compute.StandardOps.
func (f *function) ReduceLogicalXor(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduceWith((*build.Builder).Xor, false, x, axes)
}

// ReduceBitwiseAnd implements compute.StandardOps.
func (f *function) ReduceBitwiseAnd(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduce(func(b *build.Builder, x build.Value, dims ...int) build.Value {
		ones := b.Not(b.Const(x.DType(), 0))
		return reduceWith(b, (*build.Builder).And, ones, x, dims)
	}, x, axes)
}

// ReduceBitwiseOr implements compute.StandardOps.
func (f *function) ReduceBitwiseOr(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduceWith((*build.Builder).Or, 0, x, axes)
}

// ReduceBitwiseXor implements compute.StandardOps.
func (f *function) ReduceBitwiseXor(x compute.Value, axes ...int) (compute.Value, error) {
	return f.reduceWith((*build.Builder).Xor, 0, x, axes)
}

func (f *function) reduceWith(
	combine func(b *build.Builder, x, y any) build.Value, init any, x compute.Value, axes []int,
) (compute.Value, error) {
	return f.reduce(func(b *build.Builder, x build.Value, dims ...int) build.Value {
		return reduceWith(b, combine, init, x, dims)
	}, x, axes)
}

func reduceWith(
	b *build.Builder, combine func(b *build.Builder, x, y any) build.Value, init any, x build.Value, dims []int,
) build.Value {
	if len(dims) == 0 {
		for i := range x.Rank() {
			dims = append(dims, i)
		}
	}
	return single(b.Reduce([]build.Value{x}, []any{init}, dims, func(l, r []build.Value) []build.Value {
		return []build.Value{combine(b, l[0], r[0])}
	}))
}

// ArgMinMax implements compute.StandardOps; of equal elements it returns the first one.
func (f *function) ArgMinMax(x compute.Value, axis int, dtype dtypes.DType, smallest bool) (compute.Value, error) {
	d, err := dtypeOf(dtype)
	if err != nil {
		return nil, err
	}
	return f.unary(func(b *build.Builder, x build.Value) build.Value {
		better, worst := b.Greater, x.DType().Extreme(-1)
		if smallest {
			better, worst = b.Less, x.DType().Extreme(1)
		}
		places := b.Iota(tensor.I32, axis, x.Shape()...)
		out := b.Reduce([]build.Value{x, places}, []any{worst, 0}, []int{axis}, func(l, r []build.Value) []build.Value {
			first := better(l[0], r[0])
			tie := b.And(b.Equal(l[0], r[0]), b.Less(l[1], r[1]))
			return []build.Value{b.Select(first, l[0], r[0]), b.Select(b.Or(first, tie), l[1], r[1])}
		})
		return b.Convert(out[1], d)
	}, x)
}

// CumSum implements compute.StandardOps.
func (f *function) CumSum(x compute.Value, axis int, o compute.CumSumOptions) (compute.Value, error) {
	return f.unary(func(b *build.Builder, x build.Value) build.Value {
		n, shift := x.Dim(axis), build.Padding{Low: 1, High: -1}
		pads, size, padding := make([]build.Padding, x.Rank()), ones(x.Rank()), make([][2]int, x.Rank())
		size[axis], padding[axis] = n, [2]int{n - 1, 0}
		if o.Reverse {
			shift, padding[axis] = build.Padding{Low: -1, High: 1}, [2]int{0, n - 1}
		}
		if o.Exclusive {
			pads[axis] = shift
			x = b.Pad(x, 0, pads...)
		}
		return b.WindowSum(x, build.Window{Size: size, Padding: padding})
	}, x)
}

func ones(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// ReduceWindow implements compute.StandardOps.
func (f *function) ReduceWindow(
	x compute.Value, kind compute.ReduceOpType, size, strides, dilations, windowDilations []int, padding [][2]int,
) (compute.Value, error) {
	w := build.Window{Size: size, Strides: strides, BaseDilation: dilations, Dilation: windowDilations, Padding: padding}
	switch kind {
	case compute.ReduceOpSum:
		return f.unary(func(b *build.Builder, x build.Value) build.Value { return b.WindowSum(x, w) }, x)
	case compute.ReduceOpMax:
		return f.unary(func(b *build.Builder, x build.Value) build.Value { return b.WindowMax(x, w) }, x)
	case compute.ReduceOpMin:
		return f.unary(func(b *build.Builder, x build.Value) build.Value { return b.WindowMin(x, w) }, x)
	case compute.ReduceOpProduct:
		return f.unary(func(b *build.Builder, x build.Value) build.Value {
			return single(b.ReduceWindow([]build.Value{x}, []any{1}, w, func(l, r []build.Value) []build.Value {
				return []build.Value{b.Mul(l[0], r[0])}
			}))
		}, x)
	}
	return nil, f.ErrFn(compute.OpTypeReduceWindow)
}

func (f *function) selectAndScatter(
	choose func(b *build.Builder, x, y any) build.Value, x, source compute.Value, size, strides []int, padding [][2]int,
) (compute.Value, error) {
	w := build.Window{Size: size, Strides: strides, Padding: padding}
	return f.one(func(b *build.Builder, v []build.Value) build.Value {
		return b.SelectAndScatter(v[0], v[1], 0, w,
			func(x, y build.Value) build.Value { return choose(b, x, y) },
			func(x, y build.Value) build.Value { return b.Add(x, y) })
	}, x, source)
}

// SelectAndScatterMax implements compute.StandardOps.
func (f *function) SelectAndScatterMax(x, source compute.Value, size, strides []int, padding [][2]int) (compute.Value, error) {
	return f.selectAndScatter((*build.Builder).GreaterEqual, x, source, size, strides, padding)
}

// SelectAndScatterMin implements compute.StandardOps.
func (f *function) SelectAndScatterMin(x, source compute.Value, size, strides []int, padding [][2]int) (compute.Value, error) {
	return f.selectAndScatter((*build.Builder).LessEqual, x, source, size, strides, padding)
}

// batchNorm builds one of StableHLO's three operations.
func (f *function) batchNorm(op string, epsilon float32, axis int, x ...compute.Value) ([]compute.Value, error) {
	attrs := hlo.Attrs{"epsilon": epsilon, "feature_index": axis}
	return f.add(x, func(b *build.Builder, v []build.Value, _ *scope) []build.Value { return b.Op(op, v, attrs) })
}

// BatchNormForInference implements compute.StandardOps.
func (f *function) BatchNormForInference(
	x, scale, offset, mean, variance compute.Value, epsilon float32, axis int,
) (compute.Value, error) {
	out, err := f.batchNorm(hlo.OpBatchNormInference, epsilon, axis, x, scale, offset, mean, variance)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// BatchNormForTraining implements compute.StandardOps.
func (f *function) BatchNormForTraining(
	x, scale, offset compute.Value, epsilon float32, axis int,
) (y, mean, variance compute.Value, err error) {
	out, err := f.batchNorm(hlo.OpBatchNormTraining, epsilon, axis, x, scale, offset)
	if err != nil {
		return nil, nil, nil, err
	}
	return out[0], out[1], out[2], nil
}

// BatchNormGradient implements compute.StandardOps.
func (f *function) BatchNormGradient(
	x, scale, mean, variance, gradient compute.Value, epsilon float32, axis int,
) (dx, dScale, dOffset compute.Value, err error) {
	out, err := f.batchNorm(hlo.OpBatchNormGrad, epsilon, axis, x, scale, mean, variance, gradient)
	if err != nil {
		return nil, nil, nil, err
	}
	return out[0], out[1], out[2], nil
}

// FFT implements compute.StandardOps.
func (f *function) FFT(x compute.Value, kind compute.FFTType, length []int) (compute.Value, error) {
	names := map[compute.FFTType]hlo.Enum{
		compute.FFTForward: "FFT", compute.FFTInverse: "IFFT", compute.FFTForwardReal: "RFFT", compute.FFTInverseReal: "IRFFT",
	}
	attrs := hlo.Attrs{"fft_type": names[kind], "fft_length": length}
	return f.one(func(b *build.Builder, v []build.Value) build.Value { return b.Op(hlo.OpFFT, v, attrs)[0] }, x)
}
