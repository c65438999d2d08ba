package grad

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// whole adds the cotangent of the input of a function that is recognised as a whole. y is the function's result.
func (r *reverse) whole(m *pattern.Match, t *hlo.Value) {
	x, y := m.X(), m.End.Results[0]
	r.give(x, r.convert(wholePartial(r.writer, m, y, t), x.Type.DType))
}

// wholePartial multiplies t by the derivative of a function that is recognised as a whole; all these derivatives are
// symmetric.
func wholePartial(w *writer, m *pattern.Match, y, t *hlo.Value) *hlo.Value {
	x := w.convert(m.X(), y.Type.DType)
	mean := func(v *hlo.Value) *hlo.Value {
		n := 1
		for _, d := range m.Axes {
			n *= y.Type.Shape[d]
		}
		return w.along(w.times(w.total(v, m.Axes), 1/float64(n)), m.Axes, y.Type.Shape)
	}
	switch m.Kind {
	case pattern.Softmax: // y·(t − Σ t·y): symmetric, because both y·t and y·(Σ t·y) are
		return w.mul(y, w.sub(t, w.along(w.total(w.mul(t, y), m.Axes), m.Axes, y.Type.Shape)))
	case pattern.Sigmoid:
		return w.mul(t, w.mul(y, w.minusFrom(1, y)))
	case pattern.Tanh:
		return w.mul(t, w.minusFrom(1, w.mul(y, y)))
	case pattern.Softplus:
		return w.mul(t, w.one(hlo.OpLogistic, nil, x))
	case pattern.LayerNorm: // (t − mean t − y·mean(t·y))/√(var x + eps)
		return w.mul(w.sub(w.sub(t, mean(t)), w.mul(y, mean(w.mul(t, y)))), reciprocalRoot(w, m, y.Type.Shape))
	case pattern.RMSNorm: // (t − y·mean(t·y))/√(mean x² + eps)
		return w.mul(w.sub(t, w.mul(y, mean(w.mul(t, y)))), reciprocalRoot(w, m, y.Type.Shape))
	case pattern.GeluTanh, pattern.GeluErf:
		return w.mul(t, geluSlope(w, m, x, y))
	}
	return w.mul(t, w.one(hlo.OpLogistic, nil, w.neg(x))) // LogSigmoid
}

// geluSlope is the derivative of a gelu, y = x·s: s + x·s′. It reads s off the operation within the gelu that computes it.
func geluSlope(w *writer, m *pattern.Match, x, y *hlo.Value) *hlo.Value {
	gate := within(m, hlo.OpTanh, hlo.OpErf, hlo.OpErfc)
	s := w.times(gate.Results[0], 0.5)
	if gate.Name != hlo.OpErfc {
		s = w.plus(s, 0.5)
	}
	if m.Kind == pattern.GeluErf { // s′ = exp(−x²/2)/√(2π)
		bell := w.one(hlo.OpExponential, nil, w.times(w.mul(x, x), -0.5))
		return w.add(s, w.times(w.mul(x, bell), 1/math.Sqrt(2*math.Pi)))
	}
	// s is the logistic function of 2√(2/π)·(x + 0.044715 x³), so that x·s′ = y·(1 − s)·2√(2/π)·(1 + 3·0.044715 x²).
	inner := w.times(w.plus(w.times(w.mul(x, x), 3*0.044715), 1), 2*math.Sqrt(2/math.Pi))
	return w.add(s, w.mul(w.mul(y, w.minusFrom(1, s)), inner))
}

// reciprocalRoot is what a normalisation multiplies by, in the given shape.
func reciprocalRoot(w *writer, m *pattern.Match, to tensor.Shape) *hlo.Value {
	o := within(m, hlo.OpRsqrt, hlo.OpSqrt)
	v := o.Results[0]
	if o.Name == hlo.OpSqrt {
		v = w.div(w.number(v.Type, 1), v)
	}
	if kept := without(len(to), m.Axes); len(v.Type.Shape) != len(to) || len(kept) == len(to) {
		return w.along(v, m.Axes, to)
	} else if !v.Type.Shape.Equal(to) {
		rows := tensor.Shape{}
		for _, d := range kept {
			rows = append(rows, to[d])
		}
		return w.along(w.reshape(v, rows), m.Axes, to)
	}
	return v
}

// within returns the only operation with one of the names among those that compute a match, nil if there is none or
// there are several.
func within(m *pattern.Match, names ...string) *hlo.Op {
	var found *hlo.Op
	for _, o := range m.Ops {
		for _, name := range names {
			if o.Name == name {
				if found != nil {
					return nil
				}
				found = o
			}
		}
	}
	return found
}

// derivable reports whether a match has a derivative as a whole: it has one input and the values that wholePartial
// reads, of the result's type and with dimensions in the result's order.
func derivable(m *pattern.Match) bool {
	x, y := m.X().Type, m.End.Results[0].Type
	if len(m.Inputs) != 1 || !y.Shape.Equal(x.Shape) {
		return false
	}
	switch m.Kind {
	case pattern.Softmax, pattern.Sigmoid, pattern.Tanh, pattern.Softplus, pattern.LogSigmoid:
		return true
	case pattern.GeluTanh, pattern.GeluErf:
		gate := within(m, hlo.OpTanh, hlo.OpErf, hlo.OpErfc)
		return gate != nil && upright(m) && gate.Results[0].Type.Shape.Equal(y.Shape) && gate.Results[0].Type.DType == y.DType
	case pattern.LayerNorm, pattern.RMSNorm:
		root := within(m, hlo.OpRsqrt, hlo.OpSqrt)
		if root == nil || !upright(m) || root.Results[0].Type.DType != y.DType {
			return false
		}
		return spreads(root.Results[0].Type.Shape, y.Shape, m.Axes)
	}
	return false
}

// upright reports whether no operation of a match changes the order of dimensions.
func upright(m *pattern.Match) bool {
	for _, o := range m.Ops {
		if o.Name == hlo.OpTranspose || o.Name == hlo.OpReverse {
			return false
		}
		if dims := o.Attrs.Ints("broadcast_dimensions"); o.Name == hlo.OpBroadcastInDim {
			for i := range dims[:max(len(dims)-1, 0)] {
				if dims[i] > dims[i+1] {
					return false
				}
			}
		}
	}
	return true
}

// spreads reports whether a shape is to, to without the axes, or to with size 1 along the axes.
func spreads(s, to tensor.Shape, axes []int) bool {
	rows, ones := tensor.Shape{}, to.Clone()
	for _, d := range without(len(to), axes) {
		rows = append(rows, to[d])
	}
	for _, d := range axes {
		ones[d] = 1
	}
	return s.Equal(to) || s.Equal(rows) || s.Equal(ones)
}
