package grad

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// normParts are the operands of a batch normalisation, spread to the shape of its first one.
type normParts struct {
	*writer
	o     *hlo.Op
	axes  []int
	shape tensor.Shape
	at    int
	n     float64
}

func (w *writer) norm(o *hlo.Op) normParts {
	s, at := o.Operands[0].Type.Shape, o.Attrs.Int("feature_index", 0)
	axes := without(len(s), []int{at})
	n := 1.0
	for _, d := range axes {
		n *= float64(s[d])
	}
	return normParts{w, o, axes, s, at, n}
}

// spread repeats a vector of the features.
func (p normParts) spread(v *hlo.Value) *hlo.Value { return p.broadcast(v, []int{p.at}, p.shape) }

// mean is the mean of each feature.
func (p normParts) mean(v *hlo.Value) *hlo.Value {
	return p.times(p.total(v, p.axes), 1/p.n)
}

// deviation is 1/√(variance + epsilon).
func (p normParts) deviation(variance *hlo.Value) *hlo.Value {
	eps, _ := p.o.Attrs["epsilon"].(float64)
	return p.one(hlo.OpRsqrt, nil, p.plus(variance, eps))
}

// normTraining is batch_norm_training in elementwise operations and sums.
func normTraining(w *writer, o *hlo.Op) expansion {
	return w.expand(func(in *writer) []*hlo.Value {
		p := in.norm(o)
		x := o.Operands[0]
		mean := p.mean(x)
		centred := p.sub(x, p.spread(mean))
		variance := p.mean(p.mul(centred, centred))
		y := p.mul(centred, p.spread(p.mul(p.deviation(variance), o.Operands[1])))
		return []*hlo.Value{p.add(y, p.spread(o.Operands[2])), mean, variance}
	})
}

// normInference is batch_norm_inference.
func normInference(w *writer, o *hlo.Op) expansion {
	return w.expand(func(in *writer) []*hlo.Value {
		p := in.norm(o)
		centred := p.sub(o.Operands[0], p.spread(o.Operands[3]))
		y := p.mul(centred, p.spread(p.mul(p.deviation(o.Operands[4]), o.Operands[1])))
		return []*hlo.Value{p.add(y, p.spread(o.Operands[2]))}
	})
}

// normGradient is batch_norm_grad: with z the normalised operand, the derivative for x is the scale over the deviation
// times t − mean t − z·mean(t·z).
func normGradient(w *writer, o *hlo.Op) expansion {
	return w.expand(func(in *writer) []*hlo.Value {
		p := in.norm(o)
		t := o.Operands[4]
		inverse := p.deviation(o.Operands[3])
		z := p.mul(p.sub(o.Operands[0], p.spread(o.Operands[2])), p.spread(inverse))
		along, sum := p.mul(t, z), p.total(t, p.axes)
		product := p.total(along, p.axes)
		rest := p.sub(p.sub(t, p.spread(p.times(sum, 1/p.n))), p.mul(z, p.spread(p.times(product, 1/p.n))))
		return []*hlo.Value{p.mul(rest, p.spread(p.mul(inverse, o.Operands[1]))), product, sum}
	})
}

// expanding makes rules of an expansion.
func expanding(expand func(w *writer, o *hlo.Op) expansion) rule {
	return rule{
		back: func(r *reverse, o *hlo.Op, ct []*hlo.Value) { r.through(o, ct, expand(r.writer, o)) },
		fore: func(f *forward, o *hlo.Op) []*hlo.Value { return f.through(o, expand(f.writer, o)) },
	}
}
