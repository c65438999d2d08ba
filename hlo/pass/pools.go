package pass

import (
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// pools rewrites the gradient of a max-pool to use the pool's own operand and windows, so that the
// maxima of the pool need not be found again, and a max-pool on a padded operand, as torch_xla prints
// it, to pad its windows. JAX prints the gradient on an operand padded by the
// smallest number and slices the padding off the result; this pass pads the windows instead. If
// every window contains an element, padding is never selected. Padding and slices without effect
// are removed. Exact on secrets, which are larger than the smallest number.
var pools = Pass{"pools", "max-pools pad their windows, and their gradients use the pool's operand and windows", func(e *editor) {
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || e.vis[o.Results[0]] != hlo.Secret {
			return false
		}
		switch o.Name {
		case hlo.OpPad, hlo.OpSlice:
			return s.unchanged(o) || s.unpadded(o)
		case hlo.OpSelectAndScatter:
			return s.unpaddedPool(o)
		case hlo.OpReduceWindow:
			return s.paddedWindows(o)
		}
		return false
	})
}}

// unchanged removes a padding of zero width or a slice of all elements.
func (s *site) unchanged(o *hlo.Op) bool {
	x := o.Operands[0]
	if !x.Type.Equal(o.Results[0].Type) {
		return false
	}
	if o.Name == hlo.OpPad {
		for _, name := range []string{"edge_padding_low", "edge_padding_high"} {
			for _, n := range o.Attrs.Ints(name) {
				if n != 0 {
					return false
				}
			}
		}
	}
	return s.replaceResult(o, x)
}

// unpadded removes a slice that undoes a padding.
func (s *site) unpadded(o *hlo.Op) bool {
	p := s.named(o.Operands[0], hlo.OpPad)
	if o.Name != hlo.OpSlice || p == nil || !p.Operands[0].Type.Equal(o.Results[0].Type) || !padsEdgesOnly(p) {
		return false
	}
	low, start := p.Attrs.Ints("edge_padding_low"), o.Attrs.Ints("start_indices")
	for d, n := range low {
		if start[d] != n || o.Attrs.Ints("strides")[d] != 1 {
			return false
		}
	}
	return s.replaceResult(o, p.Operands[0])
}

// padsEdgesOnly reports whether a padding only adds elements at the edges.
func padsEdgesOnly(p *hlo.Op) bool {
	low, high, between := p.Attrs.Ints("edge_padding_low"), p.Attrs.Ints("edge_padding_high"), p.Attrs.Ints("interior_padding")
	for d := range low {
		if low[d] < 0 || high[d] < 0 || between[d] != 0 {
			return false
		}
	}
	return true
}

// unpaddedPool pads the windows instead of the operand.
func (s *site) unpaddedPool(o *hlo.Op) bool {
	p := s.named(o.Operands[0], hlo.OpPad)
	if p == nil || !padsEdgesOnly(p) || !s.secretFloat(p.Operands[0]) {
		return false
	}
	c := o.Regions[0].Ops[0]
	if len(o.Regions[0].Ops) != 2 || c.Name != hlo.OpCompare || c.Operands[0] != o.Regions[0].Params[0] {
		return false
	}
	body := map[string]string{"GE": hlo.OpMaximum, "GT": hlo.OpMaximum, "LE": hlo.OpMinimum, "LT": hlo.OpMinimum}[c.Attrs.Str("comparison_direction")]
	if body == "" || !s.neutral(p.Operands[1], body) {
		return false
	}
	x, t := p.Operands[0], o.Results[0].Type
	w := algo.WindowOf(o)
	pads := slices.Clone(w.Pad)
	for d := range t.Shape {
		pads[2*d] += p.Attrs.Ints("edge_padding_low")[d]
		pads[2*d+1] += p.Attrs.Ints("edge_padding_high")[d]
	}
	w.In, w.Pad = x.Type.Shape, pads
	if !allFilled(w) {
		return false
	}
	attrs := maps.Clone(o.Attrs)
	list := make([]int64, len(pads))
	for i, n := range pads {
		list[i] = int64(n)
	}
	attrs["padding"] = list
	inner := *o
	out := *o.Results[0]
	out.Type = tensor.Type{DType: t.DType, Shape: x.Type.Shape}
	inner.Operands, inner.Results, inner.Attrs = []*hlo.Value{x, o.Operands[1], o.Operands[2]}, []*hlo.Value{&out}, attrs
	s.write(&inner)
	return s.replaceResult(o, s.emit(hlo.OpPad, t, p.Attrs, &out, o.Operands[2]))
}

// paddedWindows pads the windows of a max-pool instead of its operand, where padding is no larger than any element: the smallest
// number, or zeros beside the results of a ReLU, as Keras prints it.
func (s *site) paddedWindows(o *hlo.Op) bool {
	body := extremeOf(o)
	p := s.named(o.Operands[0], hlo.OpPad)
	if body == "" || p == nil || !padsEdgesOnly(p) || !s.secretFloat(p.Operands[0]) {
		return false
	}
	if !s.neutral(p.Operands[1], body) && !s.limits(p.Operands[1], body, p.Operands[0]) || !s.neutral(o.Operands[1], body) {
		return false
	}
	for _, n := range o.Attrs.Ints("base_dilations") {
		if n != 1 {
			return false
		}
	}
	low, high := p.Attrs.Ints("edge_padding_low"), p.Attrs.Ints("edge_padding_high")
	w := algo.WindowOf(o)
	w.In, w.Pad = p.Operands[0].Type.Shape, slices.Clone(w.Pad)
	padding := make([]int64, len(w.Pad))
	for d := range w.In {
		w.Pad[2*d] += low[d]
		w.Pad[2*d+1] += high[d]
	}
	if !allFilled(w) {
		return false
	}
	for i, n := range w.Pad {
		padding[i] = int64(n)
	}
	attrs := maps.Clone(o.Attrs)
	attrs["padding"] = padding
	pool, out := *o, *o.Results[0]
	pool.Operands, pool.Results, pool.Attrs = []*hlo.Value{p.Operands[0], o.Operands[1]}, []*hlo.Value{&out}, attrs
	s.write(&pool)
	return s.replaceResult(o, &out)
}

// limits reports whether x is the maximum (for a minimum: the minimum) of something and constants that are not below pad (above it).
func (s *site) limits(pad *hlo.Value, body string, x *hlo.Value) bool {
	k, ok := s.splat(pad)
	f := s.def[x]
	if !ok || f == nil {
		return false
	}
	inside := func(v *hlo.Value) bool {
		c, ok := s.splat(v)
		return ok && (body == hlo.OpMaximum && c >= k || body == hlo.OpMinimum && c <= k)
	}
	switch f.Name {
	case body:
		return inside(f.Operands[0]) || inside(f.Operands[1])
	case hlo.OpClamp: // of which the upper limit counts
		if body == hlo.OpMaximum {
			return inside(f.Operands[0]) && inside(f.Operands[2])
		}
		return inside(f.Operands[2])
	}
	return false
}
