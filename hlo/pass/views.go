package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// views moves elementwise functions to where there are fewest elements: before broadcasts, and
// conversions after slices and gathers. Exact.
var views = Pass{"views", "elementwise functions are moved before broadcasts, conversions after slices", func(e *editor) {
	parts := e.parts()
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || e.vis[o.Results[0]] == hlo.Public || parts[o] {
			return false
		}
		return s.beforeBroadcast(o) || s.convertAfterSlice(o)
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
