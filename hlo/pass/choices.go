package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// choices recognises selections by a comparison as maximum, minimum, abs or clamp. If both the
// minimum and the maximum of a pair are needed, one comparison suffices: min = a + b − max. It
// applies to secrets only, where all of this is exact.
var choices = Pass{"choices", "selections by a comparison become maximum, minimum, abs or clamp", func(e *editor) {
	matches := e.patterns()
	extremes := map[extreme]*hlo.Value{}
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || e.vis[o.Results[0]] != hlo.Secret {
			return false
		}
		r := o.Results[0]
		if m := matches.At(o); m != nil && m.Kind == pattern.Abs && m.X().Type.Equal(r.Type) {
			return s.replaceResult(o, s.emitLike(hlo.OpAbs, m.X()))
		}
		switch o.Name {
		case hlo.OpSelect:
			return s.selectToExtreme(o)
		case hlo.OpMaximum, hlo.OpMinimum:
			return s.magnitude(o) || s.clamped(o) || s.otherExtreme(o, extremes)
		}
		return false
	})
}}

// selectToExtreme replaces select(a < b, …) by a minimum, maximum or abs.
func (s *site) selectToExtreme(o *hlo.Op) bool {
	r := o.Results[0]
	c := s.named(o.Operands[0], hlo.OpCompare)
	if c == nil || r.Type.DType == tensor.Bool || c.Attrs.Str("compare_type") == "TOTALORDER" || !c.Operands[0].Type.Equal(r.Type) {
		return false
	}
	a, b, x, y := c.Operands[0], c.Operands[1], o.Operands[1], o.Operands[2]
	switch c.Attrs.Str("comparison_direction") {
	case "LT", "LE":
	case "GT", "GE":
		x, y = y, x
	default:
		return false
	}
	// Where the comparison selects x, a is the smaller operand.
	switch {
	case s.nan(a) || s.nan(b) || s.uses[o.Operands[0]] > 1 && !s.comparisonIsFree(a, b):
		return false // other operations need the comparison anyway
	case s.same(a, x) && s.same(b, y):
		return s.replaceResult(o, s.emitLike(hlo.OpMinimum, a, b))
	case s.same(a, y) && s.same(b, x):
		return s.replaceResult(o, s.emitLike(hlo.OpMaximum, a, b))
	}
	if k, ok := s.splat(b); ok && k == 0 && a == y && s.isNegationOf(x, a) && signed(r.Type.DType) {
		return s.replaceResult(o, s.emitLike(hlo.OpAbs, a))
	}
	if k, ok := s.splat(a); ok && k == 0 && b == x && s.isNegationOf(y, b) && signed(r.Type.DType) {
		return s.replaceResult(o, s.emitLike(hlo.OpAbs, b))
	}
	return false
}

// comparisonIsFree reports whether the maximum of a and b would repeat an existing comparison at no cost:
// floats compared with zero or with each other.
func (e *editor) comparisonIsFree(a, b *hlo.Value) bool {
	for _, v := range []*hlo.Value{a, b} {
		if k, ok := e.splat(v); e.vis[v] == hlo.Public && !(ok && k == 0) {
			return false
		}
	}
	return a.Type.DType.IsFloat()
}

func signed(d tensor.DType) bool { return d.IsFloat() || d.IsSigned() }

func (e *editor) nan(v *hlo.Value) bool {
	x, ok := e.splat(v)
	return ok && math.IsNaN(x)
}

// isNegationOf reports whether v is −w.
func (e *editor) isNegationOf(v, w *hlo.Value) bool {
	n := e.named(v, hlo.OpNegate)
	return n != nil && n.Operands[0] == w
}

// magnitude replaces max(x, −x) by abs.
func (s *site) magnitude(o *hlo.Op) bool {
	x, y := o.Operands[0], o.Operands[1]
	if s.isNegationOf(x, y) {
		x, y = y, x
	}
	if o.Name != hlo.OpMaximum || !s.isNegationOf(y, x) || !signed(x.Type.DType) {
		return false
	}
	return s.replaceResult(o, s.emitLike(hlo.OpAbs, x))
}

// clamped replaces min(max(x, low), high), or max(min(x, high), low), with low ≤ high by clamp.
func (s *site) clamped(o *hlo.Op) bool {
	if o.Results[0].Type.DType == tensor.Bool {
		return false
	}
	outer, in := s.bounded(o)
	if in == nil {
		return false
	}
	inner := s.named(in, hlo.OpMaximum, hlo.OpMinimum)
	if inner == nil || inner.Name == o.Name || s.uses[in] != 1 {
		return false
	}
	bound, x := s.bounded(inner)
	if x == nil {
		return false
	}
	low, high := bound, outer
	if o.Name == hlo.OpMaximum {
		low, high = outer, bound
	}
	l, _ := s.splat(low)
	h, _ := s.splat(high)
	if !(l <= h) {
		return false
	}
	return s.replaceResult(o, s.emit(hlo.OpClamp, x.Type, nil, s.scalar(low), x, s.scalar(high)))
}

// bounded returns the constant k and the operand x of max(x, k) or min(x, k); x is nil if no
// operand is a constant.
func (e *editor) bounded(o *hlo.Op) (k, x *hlo.Value) {
	for i, v := range o.Operands {
		if _, ok := e.splat(v); ok {
			return v, o.Operands[1-i]
		}
	}
	return nil, nil
}

// scalar returns the scalar that v repeats.
func (s *site) scalar(v *hlo.Value) *hlo.Value {
	if len(v.Type.Shape) == 0 {
		return v
	}
	if b := s.named(v, hlo.OpBroadcastInDim); b != nil && len(b.Operands[0].Type.Shape) == 0 {
		return b.Operands[0]
	}
	x, _ := s.splat(v)
	return s.number(tensor.Type{DType: v.Type.DType, Shape: tensor.Shape{}}, x)
}

// extreme is the minimum or maximum of two values in a block.
type extreme struct {
	in   *hlo.Block
	name string
	a, b *hlo.Value
}

// otherExtreme replaces a minimum by a + b − maximum if the maximum of a and b already exists, and vice
// versa.
func (s *site) otherExtreme(o *hlo.Op, seen map[extreme]*hlo.Value) bool {
	r, a, b := o.Results[0], o.Operands[0], o.Operands[1]
	if r.Type.DType == tensor.Bool || s.vis[a] == hlo.Public || s.vis[b] == hlo.Public {
		return false
	}
	other := hlo.OpMinimum
	if o.Name == other {
		other = hlo.OpMaximum
	}
	for _, k := range []extreme{{s.block, other, a, b}, {s.block, other, b, a}} {
		if v := seen[k]; v != nil {
			return s.replaceResult(o, s.emitLike(hlo.OpSubtract, s.emitLike(hlo.OpAdd, a, b), v))
		}
	}
	seen[extreme{s.block, o.Name, a, b}] = r
	return false
}
