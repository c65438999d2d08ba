package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// infinities decides comparisons of secrets with an infinity, which would otherwise cost a comparison for each element.
// PyTorch's attention asks of each row of scores whether all are −∞, so that a row that is masked out has weights of 0.
// Secrets are finite (fixed point has no infinity, and an input that is one is refused), so that an element is infinite
// only where a selection takes it from a constant: there the comparison is the selection's mask. What the pass cannot
// follow it leaves as it is.
var infinities = Pass{"infinities", "comparisons of secrets with an infinity are decided", func(e *editor) {
	f := &infinite{editor: e}
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != hlo.OpCompare || !e.secretFloat(o.Operands[0]) && !e.secretFloat(o.Operands[1]) {
			return false
		}
		for i, x := range o.Operands {
			k, ok := e.splat(o.Operands[1-i])
			if !ok || !math.IsInf(k, 0) || !e.secretFloat(x) {
				continue
			}
			mask, ok := f.where(s, x, k, 0)
			if !ok {
				continue
			}
			direction := o.Attrs.Str("comparison_direction")
			if i == 1 {
				direction = hlo.MirroredDirection(direction)
			}
			return s.replaceResult(o, s.compared(o.Results[0].Type, mask, direction, k > 0))
		}
		return false
	})
}}

// compared returns the comparison of x with +∞ or −∞, where mask says where x is that; nil: nowhere.
func (s *site) compared(t tensor.Type, mask *hlo.Value, direction string, positive bool) *hlo.Value {
	same := map[string]bool{"EQ": true, "LE": true, "GE": true}[direction]
	other := direction == "NE" || positive && (direction == "LT" || direction == "LE") || !positive && (direction == "GT" || direction == "GE")
	switch {
	case same == other || mask == nil:
		return s.truth(t, other)
	case same:
		return mask
	}
	return s.emitLike(hlo.OpNot, mask)
}

// truth inserts a boolean constant.
func (s *site) truth(t tensor.Type, b bool) *hlo.Value {
	a := tensor.NewArray(tensor.Type{DType: tensor.Bool, Shape: tensor.Shape{}})
	a.Data.([]bool)[0] = b
	one := s.emit(hlo.OpConstant, a.Type, hlo.Attrs{"value": a})
	return s.broadcast(one, nil, t.Shape)
}

// infinite finds where values are infinite.
type infinite struct {
	*editor
	// finite holds the values of which no element is infinite; nil until a program compares with an infinity.
	finite map[*hlo.Value]bool
}

// maxFollowed is the largest number of operations that are followed from a comparison.
const maxFollowed = 64

// where returns where v is the infinity inf: a mask of v's shape, nil for nowhere; ok is false if that is not known.
func (f *infinite) where(s *site, v *hlo.Value, inf float64, depth int) (mask *hlo.Value, ok bool) {
	v = f.current(v)
	bools := tensor.Type{DType: tensor.Bool, Shape: v.Type.Shape}
	if x, ok := f.splat(v); ok {
		if x == inf {
			return s.truth(bools, true), true
		}
		return nil, true
	}
	if f.isFinite(v) {
		return nil, true
	}
	if f.vis[v] != hlo.Secret {
		limit := s.number(v.Type, inf)
		return s.emit(hlo.OpCompare, bools, hlo.Attrs{"comparison_direction": hlo.Enum("EQ"), "compare_type": hlo.Enum("FLOAT")}, v, limit), true
	}
	o := f.def[v]
	if o == nil || depth > maxFollowed {
		return nil, false
	}
	switch {
	case o.Name == hlo.OpConvert && o.Operands[0].Type.DType.IsFloat():
		return f.where(s, o.Operands[0], inf, depth+1)
	case o.Is(hlo.Moving) && len(o.Operands) == 1:
		mask, ok := f.where(s, o.Operands[0], inf, depth+1)
		if mask != nil {
			mask = s.emit(o.Name, bools, o.Attrs, mask)
		}
		return mask, ok
	case o.Name == hlo.OpSelect:
		x, ok := f.where(s, o.Operands[1], inf, depth+1)
		y, ok2 := f.where(s, o.Operands[2], inf, depth+1)
		if !ok || !ok2 || x == nil && y == nil {
			return nil, ok && ok2
		}
		for _, m := range []**hlo.Value{&x, &y} {
			if *m == nil {
				*m = s.truth(bools, false)
			}
		}
		return s.emit(hlo.OpSelect, bools, nil, f.current(o.Operands[0]), x, y), true
	case o.Name == hlo.OpAdd:
		for i, x := range o.Operands {
			if f.isFinite(x) {
				return f.where(s, o.Operands[1-i], inf, depth+1)
			}
		}
	case o.Name == hlo.OpSubtract && f.isFinite(o.Operands[1]):
		return f.where(s, o.Operands[0], inf, depth+1)
	case o.Name == hlo.OpMultiply:
		for i, x := range o.Operands {
			if k, ok := f.splat(x); ok && k > 0 && !math.IsInf(k, 0) {
				return f.where(s, o.Operands[1-i], inf, depth+1)
			}
		}
	}
	return nil, false
}

// isFinite reports whether no element of v is infinite: those of secret arguments, and of what is computed from finite
// values. A division by 0 and the like has a finite result in fixed point.
func (f *infinite) isFinite(v *hlo.Value) bool {
	if f.finite == nil {
		f.finite = map[*hlo.Value]bool{}
		for _, a := range f.prog.Main.Body.Params {
			f.finite[a] = f.vis[a] == hlo.Secret
		}
		f.each(func(o *hlo.Op) {
			is := f.finiteResults(o)
			for _, r := range o.Results {
				f.finite[r] = is || !r.Type.DType.IsFloat()
			}
		})
	}
	if is, ok := f.finite[v]; ok {
		return is
	}
	return f.finite[f.current(v)]
}

// finiteResults reports whether an operation's results are finite, given which values before it are.
func (f *infinite) finiteResults(o *hlo.Op) bool {
	if o.Name == hlo.OpConstant {
		x, ok := f.constant(o)
		return ok && !math.IsInf(x, 0)
	}
	extreme := extremeOf(o) != "" && noWindowEmpty(o) // the initial value is in no result
	for i, x := range o.Operands {
		if x.Type.DType.IsFloat() && !f.finite[x] && !(extreme && i > 0) {
			return false
		}
	}
	sums := o.Name == hlo.OpReduce || o.Name == hlo.OpReduceWindow
	known := len(o.Regions) == 0 && o.Callee == nil && o.Name != hlo.OpCustomCall
	return len(o.Results) > 0 && (known || sums) && f.vis[o.Results[0]] == hlo.Secret
}
