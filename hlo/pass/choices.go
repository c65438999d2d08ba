package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// choices are recognised as what they choose: the larger or the smaller of
// what was compared, the magnitude, the nearest value within bounds. Of the
// smaller and the larger of a pair one comparison gives both:
// min = a + b − max. All of secrets, where they are exact.
var choices = Pass{"choices", "selections by a comparison as maximum, minimum, abs, clamp", func(e *editor) {
	matches := e.patterns()
	extremes := map[extreme]*hlo.Value{}
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || e.vis[o.Results[0]] != hlo.Secret {
			return false
		}
		r := o.Results[0]
		if m := matches.At(o); m != nil && m.Kind == pattern.Abs && m.X().Type.Equal(r.Type) {
			return s.put(o, s.like("stablehlo.abs", m.X()))
		}
		switch o.Name {
		case "stablehlo.select":
			return s.chosen(o)
		case "stablehlo.maximum", "stablehlo.minimum":
			return s.magnitude(o) || s.clamped(o) || s.pair(o, extremes)
		}
		return false
	})
}}

// chosen: select(a < b, …).
func (s *site) chosen(o *hlo.Op) bool {
	r := o.Results[0]
	c := s.named(o.Operands[0], "compare")
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
	// a is the smaller one where x is taken.
	switch {
	case s.nan(a) || s.nan(b) || s.uses[o.Operands[0]] > 1 && !s.remembered(a, b):
		return false // others need the comparison anyway
	case s.same(a, x) && s.same(b, y):
		return s.put(o, s.like("stablehlo.minimum", a, b))
	case s.same(a, y) && s.same(b, x):
		return s.put(o, s.like("stablehlo.maximum", a, b))
	}
	if k, ok := s.splat(b); ok && k == 0 && a == y && s.minus(x, a) && signed(r.Type.DType) {
		return s.put(o, s.like("stablehlo.abs", a))
	}
	if k, ok := s.splat(a); ok && k == 0 && b == x && s.minus(y, b) && signed(r.Type.DType) {
		return s.put(o, s.like("stablehlo.abs", b))
	}
	return false
}

// remembered reports that the maximum of a and b makes the comparison that is
// there already: of floats, with zero or with each other.
func (e *editor) remembered(a, b *hlo.Value) bool {
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

// minus reports that v is −w.
func (e *editor) minus(v, w *hlo.Value) bool {
	n := e.named(v, "negate")
	return n != nil && n.Operands[0] == w
}

// magnitude: max(x, −x).
func (s *site) magnitude(o *hlo.Op) bool {
	x, y := o.Operands[0], o.Operands[1]
	if s.minus(x, y) {
		x, y = y, x
	}
	if o.Name != "stablehlo.maximum" || !s.minus(y, x) || !signed(x.Type.DType) {
		return false
	}
	return s.put(o, s.like("stablehlo.abs", x))
}

// clamped: min(max(x, low), high), or the other way round, low ≤ high.
func (s *site) clamped(o *hlo.Op) bool {
	if o.Results[0].Type.DType == tensor.Bool {
		return false
	}
	outer, in := s.bounded(o)
	if in == nil {
		return false
	}
	inner := s.named(in, "maximum", "minimum")
	if inner == nil || inner.Name == o.Name || s.uses[in] != 1 {
		return false
	}
	bound, x := s.bounded(inner)
	if x == nil {
		return false
	}
	low, high := bound, outer
	if o.Name == "stablehlo.maximum" {
		low, high = outer, bound
	}
	l, _ := s.splat(low)
	h, _ := s.splat(high)
	if !(l <= h) {
		return false
	}
	return s.put(o, s.emit("stablehlo.clamp", x.Type, nil, s.scalar(low), x, s.scalar(high)))
}

// bounded takes max(x, k) or min(x, k) apart; x is nil where there is no
// number.
func (e *editor) bounded(o *hlo.Op) (k, x *hlo.Value) {
	for i, v := range o.Operands {
		if _, ok := e.splat(v); ok {
			return v, o.Operands[1-i]
		}
	}
	return nil, nil
}

// scalar is the one value that v repeats.
func (s *site) scalar(v *hlo.Value) *hlo.Value {
	if len(v.Type.Shape) == 0 {
		return v
	}
	if b := s.named(v, "broadcast_in_dim"); b != nil && len(b.Operands[0].Type.Shape) == 0 {
		return b.Operands[0]
	}
	x, _ := s.splat(v)
	return s.number(tensor.Type{DType: v.Type.DType, Shape: tensor.Shape{}}, x)
}

// extreme names the smaller or the larger of two values of a block.
type extreme struct {
	in   *hlo.Block
	name string
	a, b *hlo.Value
}

// pair: the other one of two values of which one extreme is there already.
func (s *site) pair(o *hlo.Op, seen map[extreme]*hlo.Value) bool {
	r, a, b := o.Results[0], o.Operands[0], o.Operands[1]
	if r.Type.DType == tensor.Bool || s.vis[a] == hlo.Public || s.vis[b] == hlo.Public {
		return false
	}
	other := "stablehlo.minimum"
	if o.Name == other {
		other = "stablehlo.maximum"
	}
	for _, k := range []extreme{{s.block, other, a, b}, {s.block, other, b, a}} {
		if v := seen[k]; v != nil {
			return s.put(o, s.like("stablehlo.subtract", s.like("stablehlo.add", a, b), v))
		}
	}
	seen[extreme{s.block, o.Name, a, b}] = r
	return false
}
