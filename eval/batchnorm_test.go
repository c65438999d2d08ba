package eval

import (
	"context"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

var normAttrs = hlo.Attrs{"epsilon": 0.5, "feature_index": int64(1)}

func TestBatchNormTrainingAndInference(t *testing.T) {
	// Feature 0 holds 1, 2, 3, 6 (mean 3, variance 3.5); feature 1 is constant.
	x := shaped([]float64{1, 2, 5, 5, 3, 6, 5, 5}, 2, 2, 2)
	scale, offset := vec(2, 3.), vec(10., 20)
	op := newOp("stablehlo.batch_norm_training", normAttrs, []tensor.Type{x.Type, scale.Type, scale.Type}, x, scale, offset)
	got := must(t, op, x, scale, offset)
	want := shaped([]float64{8, 9, 20, 20, 10, 13, 20, 20}, 2, 2, 2) // √(3.5 + 0.5) = 2
	same(t, got[0], want)
	same(t, got[1], vec(3., 5))
	same(t, got[2], vec(3.5, 0))
	same(t, do(t, "stablehlo.batch_norm_inference", normAttrs, x.Type, x, scale, offset, got[1], got[2]), want)
}

// The gradients equal finite differences of the training operation.
func TestBatchNormGrad(t *testing.T) {
	values := []float64{1, -2, 0.5, 3, 2.5, 6, -1, 0.25}
	scale, offset := vec(2., -3), vec(0., 0)
	upstream := shaped([]float64{0.3, -1, 2, 0.7, 1.1, 0.2, -0.4, 1.5}, 2, 2, 2)
	train := func(v []float64, s *tensor.Array) []*tensor.Array {
		x := shaped(v, 2, 2, 2)
		return must(
			t,
			newOp("stablehlo.batch_norm_training", normAttrs, []tensor.Type{x.Type, scale.Type, scale.Type}, x, s, offset),
			x,
			s,
			offset,
		)
	}
	loss := func(v []float64, s *tensor.Array) (sum float64) {
		for i, y := range train(v, s)[0].Data.([]float64) {
			sum += y * upstream.Data.([]float64)[i]
		}
		return sum
	}
	x := shaped(values, 2, 2, 2)
	stats := train(values, scale)
	op := newOp("stablehlo.batch_norm_grad", normAttrs, []tensor.Type{x.Type, scale.Type, scale.Type}, x, scale, stats[1], stats[2], upstream)
	got := must(t, op, x, scale, stats[1], stats[2], upstream)

	const h = 1e-6
	numeric := make([]float64, len(values))
	for i := range values {
		up, down := append([]float64{}, values...), append([]float64{}, values...)
		up[i] += h
		down[i] -= h
		numeric[i] = (loss(up, scale) - loss(down, scale)) / (2 * h)
	}
	near(t, got[0], shaped(numeric, 2, 2, 2), 1e-7)
	near(
		t,
		got[1],
		vec((loss(values, vec(2+h, -3))-loss(values, vec(2-h, -3)))/(2*h), (loss(values, vec(2, -3+h))-loss(values, vec(2, -3-h)))/(2*h)),
		1e-7,
	)
	near(t, got[2], vec(0.3-1+1.1+0.2, 2+0.7-0.4+1.5), 1e-12)
}

func TestBatchNormTakesFloats(t *testing.T) {
	x := vec[int32](1)
	for _, name := range []string{"inference", "training", "grad"} {
		op := newOp("stablehlo.batch_norm_"+name, normAttrs, nil, x)
		if _, err := Op(context.Background(), op, []*tensor.Array{x}); err == nil {
			t.Errorf("%s of integers", name)
		}
	}
	if got := do(t, "stablehlo.batch_norm_inference", hlo.Attrs{"feature_index": int64(0)}, typ(tensor.F32, 1),
		vec[float32](1), vec[float32](1), vec[float32](0), vec[float32](0), vec[float32](3)); got.Data.([]float32)[0] != float32(1/math.Sqrt(3)) {
		t.Error(got.Data)
	}
}
