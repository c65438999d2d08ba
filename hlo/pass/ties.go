package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// ties rewrites operations in gradients of maxima as selections by the comparison that the maximum
// makes, so that it is computed once:
//
// - x = max(x, y) is x ≥ y, and likewise for the minimum;
// - [x ≥ y]/(1 + [y ≥ x]), which divides a gradient among equal operands, is ([x ≥ y] + [x > y])/2,
// and a product with it is two selections;
// - a product with select(p, 1, 0) is a selection;
// - select(x ≥ 0, x, k·x) is k·x + (1 − k)·max(x, 0).
//
// It applies to secret floats, where these are exact except the last, in which k and 1 − k are
// rounded so that their sum is 1.
var ties = Pass{"ties", "gradients of maxima and leaky ReLUs use the maximum's comparison", func(e *editor) {
	shared := map[*hlo.Value]tie{}
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || e.vis[o.Results[0]] != hlo.Secret {
			return false
		}
		switch o.Name {
		case hlo.OpCompare:
			return s.equalsExtreme(o)
		case hlo.OpDivide:
			return s.gradientShare(o, shared)
		case hlo.OpMultiply:
			return s.productWithIndicator(o, shared)
		case hlo.OpSelect:
			return s.leaky(o)
		}
		return false
	})
}}

// tie holds the comparisons x ≥ y (least) and x > y (more).
type tie struct{ least, more *hlo.Value }

// equalsExtreme rewrites x = max(x, y).
func (s *site) equalsExtreme(o *hlo.Op) bool {
	if o.Attrs.Str("comparison_direction") != "EQ" || !o.Operands[0].Type.DType.IsFloat() {
		return false
	}
	for i, m := range o.Operands {
		x := o.Operands[1-i]
		f := s.named(m, hlo.OpMaximum, hlo.OpMinimum)
		if f == nil {
			continue
		}
		for j, v := range f.Operands {
			other := f.Operands[1-j]
			if !s.same(v, x) || s.mayBeNaN(v) || s.mayBeNaN(other) {
				continue
			}
			dir := hlo.Enum("GE")
			if f.Name == hlo.OpMinimum {
				dir = "LE"
			}
			return s.replaceResult(o, s.compare(dir, o, x, other))
		}
	}
	return false
}

// mayBeNaN reports whether v is public and not a known number.
func (e *editor) mayBeNaN(v *hlo.Value) bool {
	x, ok := e.splat(v)
	return e.vis[v] == hlo.Public && !(ok && x == x)
}

// compare inserts a comparison with the attributes of o.
func (s *site) compare(dir hlo.Enum, o *hlo.Op, x, y *hlo.Value) *hlo.Value {
	return s.emit(o.Name, o.Results[0].Type, hlo.Attrs{"comparison_direction": dir, "compare_type": o.Attrs["compare_type"]}, x, y)
}

// floatOrder returns the float comparison that defines v as x ≥ y, or x > y if strict; o is nil if there
// is none.
func (e *editor) floatOrder(v *hlo.Value) (o *hlo.Op, x, y *hlo.Value, strict bool) {
	o = e.named(v, hlo.OpCompare)
	if o == nil || !o.Operands[0].Type.DType.IsFloat() || o.Attrs.Str("compare_type") == "TOTALORDER" {
		return nil, nil, nil, false
	}
	x, y = o.Operands[0], o.Operands[1]
	switch o.Attrs.Str("comparison_direction") {
	case "GE":
		return o, x, y, false
	case "LE":
		return o, y, x, false
	case "GT":
		return o, x, y, true
	case "LT":
		return o, y, x, true
	}
	return nil, nil, nil, false
}

// indicator returns p if v is select(p, one, zero), else nil.
func (e *editor) indicator(v *hlo.Value, one, zero float64) *hlo.Value {
	o := e.named(v, hlo.OpSelect)
	if o == nil || !o.Operands[0].Type.Shape.Equal(v.Type.Shape) {
		return nil
	}
	x, ok := e.splat(o.Operands[1])
	y, ok2 := e.splat(o.Operands[2])
	if !ok || !ok2 || x != one || y != zero {
		return nil
	}
	return o.Operands[0]
}

// gradientShare rewrites [x ≥ y]/(1 + [y ≥ x]).
func (s *site) gradientShare(o *hlo.Op, shared map[*hlo.Value]tie) bool {
	over, under := s.indicator(o.Operands[0], 1, 0), s.indicator(o.Operands[1], 2, 1)
	if over == nil || under == nil || !s.secretFloat(o.Results[0]) {
		return false
	}
	c, x, y, strict := s.floatOrder(over)
	d, y2, x2, strict2 := s.floatOrder(under)
	if c == nil || d == nil || strict || strict2 || !s.same(x, x2) || !s.same(y, y2) {
		return false
	}
	t := o.Results[0].Type
	more := s.compare("GT", c, x, y)
	sum := s.emitLike(hlo.OpAdd, s.emit(hlo.OpConvert, t, nil, over), s.emit(hlo.OpConvert, t, nil, more))
	half := s.emitLike(hlo.OpMultiply, sum, s.number(t, 0.5))
	shared[half] = tie{over, more}
	return s.replaceResult(o, half)
}

// productWithIndicator rewrites a product with an indicator, or with the share of a gradient, as selections.
func (s *site) productWithIndicator(o *hlo.Op, shared map[*hlo.Value]tie) bool {
	t := o.Results[0].Type
	if !s.secretFloat(o.Results[0]) {
		return false
	}
	for i, v := range o.Operands {
		x := o.Operands[1-i]
		if p, ok := shared[v]; ok {
			zero := s.number(t, 0)
			sum := s.emitLike(hlo.OpAdd, s.emit(hlo.OpSelect, t, nil, p.least, x, zero), s.emit(hlo.OpSelect, t, nil, p.more, x, zero))
			return s.replaceResult(o, s.emitLike(hlo.OpMultiply, sum, s.number(t, 0.5)))
		}
		if p := s.indicator(v, 1, 0); p != nil && s.vis[p] == hlo.Secret {
			return s.replaceResult(o, s.emit(hlo.OpSelect, t, nil, p, x, s.number(t, 0)))
		}
		if p := s.indicator(v, 0, 1); p != nil && s.vis[p] == hlo.Secret {
			return s.replaceResult(o, s.emit(hlo.OpSelect, t, nil, p, s.number(t, 0), x))
		}
	}
	return false
}

// leaky rewrites select(x ≥ 0, x, k·x) with 0 < k < 1.
func (s *site) leaky(o *hlo.Op) bool {
	c, x, y, _ := s.floatOrder(o.Operands[0])
	if c == nil || !s.secretFloat(o.Results[0]) {
		return false
	}
	up, down := o.Operands[1], o.Operands[2]
	if k, ok := s.splat(x); ok && k == 0 { // select(0 ≥ x, k·x, x)
		x, y, up, down = y, x, down, up
	}
	if k, ok := s.splat(y); !ok || k != 0 || up != x {
		return false
	}
	slope, ok := s.times(down, x)
	if !ok || !(0 < slope && slope < 1) {
		return false
	}
	t := x.Type
	relu := s.emitLike(hlo.OpMaximum, x, s.number(t, 0))
	rest := s.emitLike(hlo.OpMultiply, relu, s.number(t, 1-slope))
	return s.replaceResult(o, s.emitLike(hlo.OpAdd, rest, down))
}

// times returns k if v is k·x.
func (e *editor) times(v, x *hlo.Value) (k float64, ok bool) {
	o := e.named(v, hlo.OpMultiply)
	if o == nil || o.Results[0].Type.DType == tensor.Bool {
		return 0, false
	}
	for i, in := range o.Operands {
		if k, ok := e.splat(o.Operands[1-i]); ok && in == x {
			return k, true
		}
	}
	return 0, false
}
