package onnx

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var lossOps = map[string]operation{
	".NegativeLogLikelihoodLoss": {build: func(x *node) []*value { return one(x.likelihood(x.v(0))) }},
	".SoftmaxCrossEntropyLoss": {build: func(x *node) []*value {
		x.ensureDims(0, 2, 64)
		p := logSoftmax(x.b, x.v(0), 1)
		return several(x.likelihood(p), p)
	}},
}

// likelihood is the negative of the log-probabilities at the targets' classes, along the second dimension.
func (x *node) likelihood(v build.Value) build.Value {
	b, s := x.b, x.ensureDims(0, 2, 64)
	target := x.v(1)
	if target.DType() == tensor.I64 {
		target = b.Convert(target, tensor.I32)
	}
	at := []int{0}
	for d := 2; d < len(s); d++ {
		at = append(at, d)
	}
	if !slices.Equal(target.Shape(), slices.Delete(s.Clone(), 1, 2)) {
		x.fail("the model does not take inputs of this shape", "targets of shape %v for scores of shape %v", target.Shape(), s)
	}
	hot := b.Equal(b.BroadcastInDim(target, at, s...), b.Iota(target.DType(), 1, s...))
	pick := func(f build.Value) build.Value { return b.Sum(b.Select(hot, f, 0), 1) }
	loss := b.Neg(pick(v))
	var weight *build.Value
	if x.has(2) {
		w := pick(b.BroadcastInDim(x.v(2), []int{1}, s...))
		weight = &w
	}
	if x.attr("ignore_index") != nil {
		counted := b.NotEqual(target, x.int("ignore_index", 0))
		w := b.Convert(counted, v.DType())
		if weight != nil {
			w = b.Select(counted, *weight, 0)
		}
		weight = &w
	}
	if weight != nil {
		loss = b.Mul(loss, *weight)
	}
	switch reduction := x.text("reduction", "mean"); reduction {
	case "none":
		return loss
	case "sum":
		return b.Sum(loss)
	case "mean":
		if weight != nil {
			return b.Div(b.Sum(loss), b.Sum(*weight))
		}
		return b.Mean(loss)
	default:
		x.fail("the file is damaged", "reduction is %q", reduction)
		return loss
	}
}
