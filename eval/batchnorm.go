package eval

import (
	"math"

	"github.com/tacet-mpc/tacet/tensor"
)

// Batch normalization is computed in float64 and rounded once. Explicit conversions keep products
// from being fused into sums.

// features gives access to a tensor by feature, with n elements per feature.
type features struct {
	shape        tensor.Shape
	count, inner int // number of features; distance between neighbouring features
	n            float64
}

func (c *call) features() features {
	s, dim := c.args[0].Shape, c.op.Attrs.Int("feature_index", 0)
	f := features{shape: s, count: s[dim], inner: s[dim+1:].Size()}
	f.n = float64(s.Size()) / float64(max(1, f.count))
	return f
}

// of returns the feature of element i.
func (f features) of(i int) int { return i / f.inner % f.count }

// means returns the mean of g(i) for each feature.
func (f features) means(g func(i int) float64) []float64 {
	m := make([]float64, f.count)
	for i := range f.shape.Size() {
		m[f.of(i)] += g(i)
	}
	for k := range m {
		m[k] /= f.n
	}
	return m
}

func (c *call) epsilon() float64 {
	e, _ := c.op.Attrs["epsilon"].(float64)
	return e
}

// normalize computes (x - mean)/√(variance + ε)·scale + offset.
func (f features) normalize(x, scale, offset, mean, variance []float64, epsilon float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		k := f.of(i)
		out[i] = float64((v-mean[k])/math.Sqrt(variance[k]+epsilon)*scale[k]) + offset[k]
	}
	return out
}

func batchNormInference(c *call) ([]*tensor.Array, error) {
	a := make([][]float64, len(c.args))
	for i, x := range c.args {
		a[i] = x.Floats()
	}
	y := c.features().normalize(a[0], a[1], a[2], a[3], a[4], c.epsilon())
	return one(fromFloats(c.result(0), y)), nil
}

func batchNormTraining(c *call) ([]*tensor.Array, error) {
	f, x := c.features(), c.args[0].Floats()
	mean := f.means(func(i int) float64 { return x[i] })
	variance := f.means(func(i int) float64 { d := x[i] - mean[f.of(i)]; return float64(d * d) })
	y := f.normalize(x, c.args[1].Floats(), c.args[2].Floats(), mean, variance, c.epsilon())
	return []*tensor.Array{fromFloats(c.result(0), y), fromFloats(c.result(1), mean), fromFloats(c.result(2), variance)}, nil
}

// batchNormGrad computes the gradients of operand, scale and offset.
func batchNormGrad(c *call) ([]*tensor.Array, error) {
	f, epsilon := c.features(), c.epsilon()
	x, scale, mean, variance, grad := c.args[0].Floats(), c.args[1].Floats(), c.args[2].Floats(), c.args[3].Floats(), c.args[4].Floats()
	unit := func(i int) float64 { k := f.of(i); return (x[i] - mean[k]) / math.Sqrt(variance[k]+epsilon) }
	gradMean := f.means(func(i int) float64 { return grad[i] })
	unitMean := f.means(func(i int) float64 { return float64(grad[i] * unit(i)) })
	gradX := make([]float64, len(x))
	for i := range gradX {
		k := f.of(i)
		gradX[i] = scale[k] / math.Sqrt(variance[k]+epsilon) * (grad[i] - gradMean[k] - float64(unit(i)*unitMean[k]))
	}
	for k := range f.count { // the gradients of scale and offset are sums
		gradMean[k] *= f.n
		unitMean[k] *= f.n
	}
	return []*tensor.Array{fromFloats(c.result(0), gradX), fromFloats(c.result(1), unitMean), fromFloats(c.result(2), gradMean)}, nil
}
