package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// monotone moves monotonically increasing functions behind the maximum or minimum of several
// elements: max(f(x), f(y)) = f(max(x, y)), so a ReLU before a max-pool is computed once per
// window. As exact as f.
var monotone = Pass{"monotone", "a ReLU before a max-pool is moved behind it", func(e *editor) {
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || !e.secretFloat(o.Results[0]) {
			return false
		}
		body := extremeOf(o)
		if body == "" || o.Results[0].Type.Shape.Size() >= o.Operands[0].Type.Shape.Size() || !noWindowEmpty(o) {
			return false
		}
		f := e.def[o.Operands[0]]
		if f == nil || s.uses[o.Operands[0]] != 1 || !e.secretFloat(f.Results[0]) {
			return false
		}
		x := s.increasingOperand(f)
		if x < 0 || !e.neutral(o.Operands[1], body) && f.Name != body {
			return false
		}
		pool := *o
		pool.Operands = []*hlo.Value{f.Operands[x], o.Operands[1]}
		out := *o.Results[0]
		pool.Results = []*hlo.Value{&out}
		s.write(&pool)
		s.at = f
		operands := make([]*hlo.Value, len(f.Operands))
		for i, v := range f.Operands {
			switch {
			case i == x:
				operands[i] = &out
			case len(v.Type.Shape) == 0:
				operands[i] = v
			default:
				k, _ := e.splat(v)
				operands[i] = s.number(out.Type, k)
			}
		}
		return s.replaceResult(o, s.emit(f.Name, out.Type, f.Attrs, operands...))
	})
}}

// extremeOf returns "stablehlo.maximum" or "stablehlo.minimum" if o is such a reduction of one
// operand, else "".
func extremeOf(o *hlo.Op) string {
	if o.Name != hlo.OpReduceWindow && o.Name != hlo.OpReduce || len(o.Operands) != 2 {
		return ""
	}
	if name := algo.Reducer(o.Regions[0]); name == hlo.OpMaximum || name == hlo.OpMinimum {
		return name
	}
	return ""
}

// increasingOperand returns the number of the operand in which f is monotonically increasing while its other
// operands are constants; −1 if there is none.
func (e *editor) increasingOperand(f *hlo.Op) int {
	if sign, _, _ := f.Monotone(); sign > 0 {
		return 0
	}
	switch f.Name {
	case hlo.OpMaximum, hlo.OpMinimum:
		for i := range f.Operands {
			if k, ok := e.splat(f.Operands[1-i]); ok && !math.IsNaN(k) {
				return i
			}
		}
	case hlo.OpClamp:
		l, ok := e.splat(f.Operands[0])
		h, ok2 := e.splat(f.Operands[2])
		if ok && ok2 && l <= h {
			return 1
		}
	}
	return -1
}

// neutral reports whether init is a lower bound (for a minimum: an upper bound) of all floats of
// its type.
func (e *editor) neutral(init *hlo.Value, body string) bool {
	k, ok := e.splat(init)
	if body == hlo.OpMinimum {
		k = -k
	}
	lowest := -math.MaxFloat32
	switch init.Type.DType {
	case tensor.F64:
		lowest = -math.MaxFloat64
	case tensor.F16, tensor.BF16:
		lowest = math.Inf(-1)
	}
	return ok && k <= lowest
}

// noWindowEmpty reports whether every window contains an element.
func noWindowEmpty(o *hlo.Op) bool {
	if o.Name == hlo.OpReduce {
		return o.Operands[0].Type.Shape.Size() > 0
	}
	return allFilled(algo.WindowOf(o))
}

// allFilled reports whether every window contains an element; false if there are too many positions to check.
func allFilled(w algo.Window) bool {
	for d, n := range w.Size {
		if w.Out[d] > maxInspected/n {
			return false
		}
	}
	return w.Filled()
}
