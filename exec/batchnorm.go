package exec

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Batch normalization computes the factors and offsets of features first, at no cost where one party knows
// them, then one product with the data.

func init() {
	table.Add(hlo.OpBatchNormInference, batchNormInference)
	table.Add(hlo.OpBatchNormTraining, batchNormTraining)
	table.Add(hlo.OpBatchNormGrad, batchNormGrad)
}

// features holds a batch normalization's operands and the steps that work feature by feature.
type features struct {
	formula
	dim   int
	shape tensor.Shape
}

func (c *opRun) features(x *value) *features {
	return &features{formula{c: c}, c.o.Attrs.Int("feature_index", 0), x.typ.Shape}
}

// all repeats each feature's number for all elements of the feature.
func (f *features) all(v *value) *value {
	return f.c.view(v, tensor.Broadcast(v.typ.Shape, []int{f.dim}, f.shape))
}

// inverse returns 1/√(variance + ε).
func (f *features) inverse(variance *value) *value {
	epsilon, _ := f.c.o.Attrs["epsilon"].(float64)
	return f.of(hlo.OpRsqrt, f.add(variance, constantly(variance, epsilon)))
}

// mean returns the mean of each feature's elements.
func (f *features) mean(x *value) *value {
	sum := f.sumOver(x, f.dim)
	n := float64(f.shape.Size()) / float64(max(1, f.shape[f.dim]))
	return f.mul(sum, constantly(sum, 1/n))
}

func (f *features) results(out ...*value) ([]*value, error) { return out, f.err }

func batchNormInference(c *opRun, in []*value) ([]*value, error) {
	f := c.features(in[0])
	x, scale, offset, mean, variance := in[0], in[1], in[2], in[3], in[4]
	factor := f.mul(scale, f.inverse(variance))
	rest := f.sub(offset, f.mul(mean, factor))
	return f.results(f.add(f.mul(x, f.all(factor)), f.all(rest)))
}

func batchNormTraining(c *opRun, in []*value) ([]*value, error) {
	f := c.features(in[0])
	x, scale, offset := in[0], in[1], in[2]
	mean := f.mean(x)
	centred := f.sub(x, f.all(mean))
	variance := f.mean(f.mul(centred, centred))
	factor := f.mul(scale, f.inverse(variance))
	return f.results(f.add(f.mul(centred, f.all(factor)), f.all(offset)), mean, variance)
}

// batchNormGrad returns the gradients of operand, scale and offset.
func batchNormGrad(c *opRun, in []*value) ([]*value, error) {
	f := c.features(in[0])
	x, scale, mean, variance, grad := in[0], in[1], in[2], in[3], in[4]
	inverse := f.inverse(variance)
	unit := f.mul(f.sub(x, f.all(mean)), f.all(inverse))
	product := f.mul(grad, unit)
	meanGrad, meanUnit := f.mean(grad), f.mean(product)
	inner := f.sub(f.sub(grad, f.all(meanGrad)), f.mul(unit, f.all(meanUnit)))
	gradX := f.mul(f.all(f.mul(scale, inverse)), inner)
	return f.results(gradX, f.sumOver(product, f.dim), f.sumOver(grad, f.dim))
}
