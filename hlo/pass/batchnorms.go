package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// batchNorms writes batch normalisation out as JAX prints it: (x − mean)·(scale/√(variance + ε)) + offset, where the
// statistics are operands or those of x. The passes and patterns that follow then see a convolution's factor and
// offset, which its owner folds into the kernel, and a layer normalisation, which torch_xla prints as
// batch_norm_training of one feature for each row. Exact: each step is one of the operation's definition.
var batchNorms = Pass{"batch norms", "batch normalisation is written out", func(e *editor) {
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != hlo.OpBatchNormInference && o.Name != hlo.OpBatchNormTraining || !e.secretFloat(o.Results[0]) {
			return false
		}
		switch o.Name {
		case hlo.OpBatchNormInference:
			f := features{s, o}
			centred := s.emitLike(hlo.OpSubtract, o.Operands[0], f.all(o.Operands[3]))
			return s.replaceResult(o, f.affine(centred, f.inverse(o.Operands[4])))
		case hlo.OpBatchNormTraining:
			f := features{s, o}
			x := o.Operands[0]
			mean := f.mean(x)
			centred := s.emitLike(hlo.OpSubtract, x, f.all(mean))
			variance := f.mean(s.emitLike(hlo.OpMultiply, centred, centred))
			s.replace(o.Results[1], mean)
			s.replace(o.Results[2], variance)
			s.uses[mean] += s.uses[o.Results[1]]
			s.uses[variance] += s.uses[o.Results[2]]
			return s.replaceResult(o, f.affine(s.emitLike(hlo.OpMultiply, centred, f.all(f.inverse(variance))), nil))
		}
		return false
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

// affine returns x·factor·scale + offset, where factor may be nil. The product of factor and scale has one element for
// each feature. A scale of 1 and an offset of 0 are left out.
func (f features) affine(x, factor *hlo.Value) *hlo.Value {
	scale, offset := f.o.Operands[1], f.o.Operands[2]
	if k, ok := f.splat(scale); !ok || k != 1 {
		if factor != nil {
			scale = f.emitLike(hlo.OpMultiply, factor, scale)
		}
		factor = scale
	}
	if factor != nil {
		x = f.emitLike(hlo.OpMultiply, x, f.all(factor))
	}
	if k, ok := f.splat(offset); !ok || k != 0 {
		x = f.emitLike(hlo.OpAdd, x, f.all(offset))
	}
	return x
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
	l, r, total, out := &hlo.Value{Name: "l", Type: one}, &hlo.Value{Name: "r", Type: one}, &hlo.Value{Name: "s", Type: one}, &hlo.Value{Name: "new", Type: sums}
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
