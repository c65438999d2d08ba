package pass

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// views moves elementwise functions and products to where there are fewest elements: before broadcasts, and
// conversions after slices and gathers. Exact.
var views = Pass{"views", "elementwise functions and products are moved before broadcasts, conversions after slices", func(e *editor) {
	parts := e.parts()
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || e.vis[o.Results[0]] == hlo.Public || parts[o] {
			return false
		}
		return s.beforeBroadcast(o) || s.productBeforeBroadcast(o) || s.convertAfterSlice(o)
	})
}}

// beforeBroadcast rewrites f(broadcast(x)) as broadcast(f(x)).
func (s *site) beforeBroadcast(o *hlo.Op) bool {
	if !o.Is(hlo.Expensive) {
		return false
	}
	var b *hlo.Op
	at := -1
	for i, v := range o.Operands {
		if _, ok := s.splat(v); ok {
			continue
		}
		if at >= 0 {
			return false
		}
		if b, at = s.named(v, hlo.OpBroadcastInDim), i; b == nil || b.Operands[0].Type.Shape.Size() >= v.Type.Shape.Size() {
			return false
		}
	}
	if at < 0 {
		return false
	}
	x, r := b.Operands[0], o.Results[0]
	operands := make([]*hlo.Value, len(o.Operands))
	for i, v := range o.Operands {
		if operands[i] = x; i != at {
			operands[i] = s.broadcast(s.scalar(v), nil, x.Type.Shape)
		}
	}
	y := s.emit(o.Name, tensor.Type{DType: r.Type.DType, Shape: x.Type.Shape}, o.Attrs, operands...)
	return s.replaceResult(o, s.emit(b.Name, r.Type, b.Attrs, y))
}

// productBeforeBroadcast rewrites dot(broadcast(x), k), or dot(k, broadcast(x)), as a broadcast of dot(x, k) if the
// broadcast repeats x along dimensions of the result.
func (s *site) productBeforeBroadcast(o *hlo.Op) bool {
	if o.Name != hlo.OpDotGeneral {
		return false
	}
	d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
	r := o.Results[0].Type
	shape, operands := r.Shape.Clone(), slices.Clone(o.Operands)
	at := len(d.LHSBatch) // the result's dimension for the next of an operand's that is neither batch nor contracted
	for side, not := range [][2][]int{{d.LHSBatch, d.LHSContract}, {d.RHSBatch, d.RHSContract}} {
		v := o.Operands[side]
		free := algo.Others(len(v.Type.Shape), not[0], not[1])
		if b := s.named(v, hlo.OpBroadcastInDim); b != nil && s.vis[v] != hlo.Public {
			small := v.Type.Shape.Clone()
			for i, dim := range free {
				if small[dim] > 1 && repeats(b, dim) {
					small[dim], shape[at+i] = 1, 1
				}
			}
			operands[side] = s.broadcastLike(b, small)
		}
		at += len(free)
	}
	if shape.Equal(r.Shape) {
		return false
	}
	y := s.emit(o.Name, tensor.Type{DType: r.DType, Shape: shape}, o.Attrs, operands...)
	return s.replaceResult(o, s.broadcast(y, algo.Others(len(shape), nil, nil), r.Shape))
}

// repeats reports whether a broadcast repeats its operand along a dimension of its result.
func repeats(b *hlo.Op, dim int) bool {
	at := slices.Index(b.Attrs.Ints("broadcast_dimensions"), dim)
	return at < 0 || b.Operands[0].Type.Shape[at] == 1
}

// broadcastLike returns the result of a broadcast with another shape, smaller along dimensions along which it repeats its operand.
func (s *site) broadcastLike(b *hlo.Op, shape tensor.Shape) *hlo.Value {
	v := b.Results[0]
	if v.Type.Shape.Equal(shape) {
		return v
	}
	return s.emit(b.Name, tensor.Type{DType: v.Type.DType, Shape: shape}, b.Attrs, b.Operands[0])
}

// convertAfterSlice rewrites slice(convert(x)) as convert(slice(x)) for integers and booleans.
func (s *site) convertAfterSlice(o *hlo.Op) bool {
	if !o.Is(hlo.Moving) {
		return false
	}
	c := s.named(o.Operands[0], hlo.OpConvert)
	r := o.Results[0]
	if c == nil || s.uses[o.Operands[0]] != 1 || r.Type.Shape.Size() >= o.Operands[0].Type.Shape.Size() {
		return false
	}
	x := c.Operands[0]
	if x.Type.DType.IsFloat() || x.Type.DType.IsComplex() {
		return false
	}
	for _, v := range o.Operands[1:] {
		if s.vis[v] != hlo.Public {
			return false
		}
	}
	operands := append([]*hlo.Value{x}, o.Operands[1:]...)
	y := s.emit(o.Name, tensor.Type{DType: x.Type.DType, Shape: r.Type.Shape}, o.Attrs, operands...)
	return s.replaceResult(o, s.emit(c.Name, r.Type, c.Attrs, y))
}
