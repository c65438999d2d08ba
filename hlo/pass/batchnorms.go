package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// batchNorms writes batch normalisation out where that costs less: with known statistics as x·factor + rest, where
// factor = scale/√(variance + ε) and rest = offset − mean·factor have one element for each feature. The passes that follow
// then see a convolution's factor and offset, which its owner folds into the kernel. The other order, (x − mean)·factor +
// offset as JAX prints it, has to open x − mean where x is open already. Of an operand that is not secret the statistics
// are computed in clear, whoever knows scale and offset; those of a secret are left to the execution, which opens less.
// Exact: each step is one of the operation's definition.
var batchNorms = Pass{"batch norms", "batch normalisation with known statistics is written out", func(e *editor) {
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != hlo.OpBatchNormInference && o.Name != hlo.OpBatchNormTraining || !e.secretFloat(o.Results[0]) {
			return false
		}
		f, x := features{s, o}, o.Operands[0]
		if o.Name == hlo.OpBatchNormInference {
			factor := s.emitLike(hlo.OpMultiply, o.Operands[1], f.inverse(o.Operands[4]))
			rest := s.emitLike(hlo.OpSubtract, o.Operands[2], s.emitLike(hlo.OpMultiply, o.Operands[3], factor))
			return s.replaceResult(o, f.affine(x, factor, rest))
		}
		if e.vis[x] == hlo.Secret {
			return false
		}
		mean := f.mean(x)
		centred := s.emitLike(hlo.OpSubtract, x, f.all(mean))
		variance := f.mean(s.emitLike(hlo.OpMultiply, centred, centred))
		for i, v := range []*hlo.Value{mean, variance} {
			s.replace(o.Results[1+i], v)
			s.uses[v] += s.uses[o.Results[1+i]]
		}
		normal := s.emitLike(hlo.OpMultiply, centred, f.all(f.inverse(variance)))
		return s.replaceResult(o, f.affine(normal, o.Operands[1], o.Operands[2]))
	})
}}

// features is a batch normalisation that is written out.
type features struct {
	*site
	o *hlo.Op
}

// dim returns the dimension of the features.
func (f features) dim() int { return f.o.Attrs.Int("feature_index", 0) }

// all repeats each feature's number for all elements of the feature.
func (f features) all(v *hlo.Value) *hlo.Value {
	return f.broadcast(v, []int{f.dim()}, f.o.Operands[0].Type.Shape)
}

// inverse returns 1/√(variance + ε).
func (f features) inverse(variance *hlo.Value) *hlo.Value {
	epsilon, _ := f.o.Attrs["epsilon"].(float64)
	return f.emitLike(hlo.OpRsqrt, f.emitLike(hlo.OpAdd, variance, f.number(variance.Type, epsilon)))
}

// affine returns x·factor + offset, both feature by feature.
func (f features) affine(x, factor, offset *hlo.Value) *hlo.Value {
	return f.emitLike(hlo.OpAdd, f.emitLike(hlo.OpMultiply, x, f.all(factor)), f.all(offset))
}

// mean returns the mean of each feature's elements.
func (f features) mean(x *hlo.Value) *hlo.Value {
	shape, d := x.Type.Shape, f.dim()
	one := tensor.Type{DType: x.Type.DType, Shape: tensor.Shape{}}
	sums := tensor.Type{DType: x.Type.DType, Shape: tensor.Shape{shape[d]}}
	var dims []int64
	for i := range shape {
		if i != d {
			dims = append(dims, int64(i))
		}
	}
	l, r := &hlo.Value{Name: "l", Type: one}, &hlo.Value{Name: "r", Type: one}
	total, out := &hlo.Value{Name: "s", Type: one}, &hlo.Value{Name: "new", Type: sums}
	region := &hlo.Block{Params: []*hlo.Value{l, r}, Ops: []*hlo.Op{
		{Name: hlo.OpAdd, Operands: []*hlo.Value{l, r}, Results: []*hlo.Value{total}, Attrs: hlo.Attrs{}, Pos: f.o.Pos},
		{Name: hlo.OpReturn, Operands: []*hlo.Value{total}, Attrs: hlo.Attrs{}, Pos: f.o.Pos},
	}}
	f.write(&hlo.Op{
		Name: hlo.OpReduce, Operands: []*hlo.Value{x, f.number(one, 0)}, Results: []*hlo.Value{out}, Regions: []*hlo.Block{region},
		Attrs: hlo.Attrs{"dimensions": dims}, Pos: f.o.Pos, Loc: f.o.Loc,
	})
	n := float64(shape.Size()) / float64(max(1, shape[d]))
	return f.emitLike(hlo.OpDivide, out, f.number(sums, n))
}
