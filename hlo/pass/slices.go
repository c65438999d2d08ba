package pass

import (
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// slicing moves slices to the operands of the operation that they slice, so that only the elements that
// are read are computed: a language model's head for the last token, not for every token. The operation
// must be read by the slice alone. Functions are not moved behind a slice if other operations read their
// operands: comparisons and openings of those may be shared. Exact.
var slicing = Pass{"slices", "slices are taken of the operands of contractions, elementwise operations and broadcasts", func(e *editor) {
	parts, home := e.parts(), map[*hlo.Op]*hlo.Block{}
	var visit func(b *hlo.Block)
	visit = func(b *hlo.Block) {
		for _, o := range b.Ops {
			home[o] = b
			for _, r := range o.Regions {
				visit(r)
			}
		}
	}
	for _, fn := range e.prog.Funcs {
		visit(fn.Body)
	}
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || e.vis[o.Results[0]] != hlo.Secret {
			return false
		}
		c, ok := s.cutOf(o)
		if !ok {
			return false
		}
		m := &slicer{site: s, movable: func(d *hlo.Op) bool { return home[d] == s.block && !parts[d] }}
		v, moved := m.cut(o.Operands[0], c)
		return moved && s.replaceResult(o, v)
	})
}}

// cut describes the elements that a slice takes, by dimension.
type cut []span

// span is what a slice takes along one dimension of the given size: n elements from start on, or from the
// public number at on if that is not nil, stride apart.
type span struct {
	size, start, n, stride int
	at                     *hlo.Value
}

func (s span) whole() bool { return s.at == nil && s.n == s.size && s.stride == 1 }

func wholeSpan(size int) span { return span{size: size, n: size, stride: 1} }

// cutOf reads a slice, or a dynamic slice with public starts.
func (s *site) cutOf(o *hlo.Op) (cut, bool) {
	var c cut
	switch o.Name {
	case hlo.OpSlice:
		low, limit, stride := o.Attrs.Ints("start_indices"), o.Attrs.Ints("limit_indices"), o.Attrs.Ints("strides")
		for d, n := range o.Operands[0].Type.Shape {
			c = append(c, span{size: n, start: low[d], n: (limit[d] - low[d] + stride[d] - 1) / stride[d], stride: stride[d]})
		}
	case hlo.OpDynamicSlice:
		sizes := o.Attrs.Ints("slice_sizes")
		for d, n := range o.Operands[0].Type.Shape {
			at := o.Operands[1+d]
			if s.vis[at] != hlo.Public {
				return nil, false
			}
			if c = append(c, span{size: n, n: sizes[d], stride: 1, at: at}); sizes[d] == n {
				c[d].at = nil // clamped to 0
			}
		}
	default:
		return nil, false
	}
	return c, o.Results[0].Type.Shape.Size() < o.Operands[0].Type.Shape.Size()
}

// slicer writes slices of values.
type slicer struct {
	*site
	movable func(o *hlo.Op) bool
}

// cut returns the elements of v that c takes. moved says that the operation that defines v is not needed
// for them.
func (m *slicer) cut(v *hlo.Value, c cut) (out *hlo.Value, moved bool) {
	if !slices.ContainsFunc(c, func(s span) bool { return !s.whole() }) {
		return v, false
	}
	if d := m.def[v]; d != nil && m.movable(d) && m.uses[v] == 1 && m.vis[v] == hlo.Secret && len(d.Results) == 1 {
		if y := m.through(d, c); y != nil {
			return y, true
		}
	}
	return m.slice(v, c), false
}

// through returns the result of d, cut; nil if the slice stays behind d.
func (m *slicer) through(d *hlo.Op, c cut) *hlo.Value {
	t := tensor.Type{DType: d.Results[0].Type.DType, Shape: make(tensor.Shape, len(c))}
	for i, s := range c {
		t.Shape[i] = s.n
	}
	switch {
	case d.Name == hlo.OpDotGeneral:
		return m.throughDot(d, c, t)
	case d.Name == hlo.OpTranspose:
		of := make(cut, len(c))
		for i, p := range d.Attrs.Ints("permutation") {
			of[p] = c[i]
		}
		return m.emit(d.Name, t, d.Attrs, m.some(d.Operands[0], of))
	case d.Name == hlo.OpBroadcastInDim:
		x := d.Operands[0]
		var of cut
		for i, to := range d.Attrs.Ints("broadcast_dimensions") {
			if n := x.Type.Shape[i]; n == c[to].size {
				of = append(of, c[to])
			} else {
				of = append(of, wholeSpan(n))
			}
		}
		return m.emit(d.Name, t, d.Attrs, m.some(x, of))
	case d.Is(hlo.Elementwise) && len(d.Regions) == 0 && d.Name != hlo.OpBitcastConvert:
		shape := d.Results[0].Type.Shape
		for _, x := range d.Operands {
			switch _, constant := m.splat(x); {
			case constant || m.vis[x] == hlo.Public || len(x.Type.Shape) == 0:
			case m.uses[x] > 1 && !slices.Contains([]string{hlo.OpAdd, hlo.OpSubtract, hlo.OpNegate}, d.Name), !x.Type.Shape.Equal(shape):
				return nil
			}
		}
		operands := make([]*hlo.Value, len(d.Operands))
		for i, x := range d.Operands {
			if operands[i] = x; len(x.Type.Shape) > 0 {
				operands[i] = m.some(x, c)
			}
		}
		return m.emit(d.Name, t, d.Attrs, operands...)
	}
	return nil
}

// throughDot cuts the operands of a contraction along their batching and free dimensions.
func (m *slicer) throughDot(d *hlo.Op, c cut, t tensor.Type) *hlo.Value {
	dims := d.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
	operands := make([]*hlo.Value, 2)
	next := len(dims.LHSBatch)
	for i, x := range d.Operands {
		batch, contract := dims.LHSBatch, dims.LHSContract
		if i == 1 {
			batch, contract = dims.RHSBatch, dims.RHSContract
		}
		of := make(cut, len(x.Type.Shape))
		for k, n := range x.Type.Shape {
			switch b := slices.Index(batch, k); {
			case b >= 0:
				of[k] = c[b]
			case slices.Contains(contract, k):
				of[k] = wholeSpan(n)
			default:
				of[k] = c[next]
				next++
			}
		}
		operands[i] = m.some(x, of)
	}
	return m.emit(d.Name, t, maps.Clone(d.Attrs), operands...)
}

// some returns the elements of an operand that c takes.
func (m *slicer) some(v *hlo.Value, c cut) *hlo.Value {
	out, _ := m.cut(v, c)
	return out
}

// slice writes a slice of v.
func (m *slicer) slice(v *hlo.Value, c cut) *hlo.Value {
	t := tensor.Type{DType: v.Type.DType}
	var low, limit, stride, sizes []int64
	dynamic, static := false, false
	for _, s := range c {
		t.Shape = append(t.Shape, s.n)
		dynamic, static = dynamic || s.at != nil, static || s.at == nil && !s.whole()
	}
	if x, ok := m.splat(v); ok && m.vis[v] == hlo.Public && t.DType.IsFloat() {
		return m.number(t, x)
	}
	if static { // whole where a dynamic slice is left
		part := t
		part.Shape = t.Shape.Clone()
		for d, s := range c {
			if s.at != nil {
				part.Shape[d], s = s.size, wholeSpan(s.size)
			}
			low, limit, stride = append(low, int64(s.start)), append(limit, int64(s.start+(s.n-1)*s.stride+1)), append(stride, int64(s.stride))
			if s.n == 0 {
				limit[d] = low[d]
			}
		}
		v = m.emit(hlo.OpSlice, part, hlo.Attrs{"start_indices": low, "limit_indices": limit, "strides": stride}, v)
	}
	if !dynamic {
		return v
	}
	operands := []*hlo.Value{v}
	var zero *hlo.Value
	for _, s := range c {
		if s.at != nil {
			zero = s.at
		}
	}
	zero = m.number(zero.Type, 0)
	for _, s := range c {
		at := s.at
		if at == nil {
			at = zero
		}
		operands, sizes = append(operands, at), append(sizes, int64(s.n))
	}
	return m.emit(hlo.OpDynamicSlice, t, hlo.Attrs{"slice_sizes": sizes}, operands...)
}
