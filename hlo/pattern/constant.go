package pattern

import (
	"math"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// constant returns the number to which all elements of t are known to be equal.
func (a *attempt) constant(t term) (float64, bool) { return a.fold(t.v, t.f, 0) }

// instance is a value within one call.
type instance struct {
	v  *hlo.Value
	in *frame
}

// fold evaluates values that depend on constants only, in whichever block those are, in the type's range and
// (for f32) precision.
func (f *finder) fold(v *hlo.Value, fr *frame, depth int) (float64, bool) {
	if depth > maxDepth {
		return 0, false
	}
	if fr == nil {
		s := f.site(v)
		if s.folded == unknown {
			s.folded = variable // also while it is evaluated
			if x, ok := f.typed(v, fr, depth); ok {
				s.folded, s.number = constant, x
			}
		}
		return s.number, s.folded == constant
	}
	key := instance{v, fr}
	if k, ok := f.folded[key]; ok {
		if k == nil {
			return 0, false
		}
		return *k, true
	}
	f.folded[key] = nil
	x, ok := f.typed(v, fr, depth)
	if ok {
		f.folded[key] = &x
	}
	return x, ok
}

// typed evaluates a value in its type.
func (f *finder) typed(v *hlo.Value, fr *frame, depth int) (float64, bool) {
	x, ok := f.evaluate(v, fr, depth)
	d := v.Type.DType
	switch {
	case !ok || d.IsComplex():
		return 0, false
	case d == tensor.F32:
		x = float64(float32(x))
	case d.IsInt():
		low, high := 0.0, math.Ldexp(1, d.Bits())
		if d.IsSigned() {
			low, high = -high/2, high/2
		}
		if !(low <= x && x < high) {
			return 0, false
		}
	}
	return x, true
}

func (f *finder) evaluate(v *hlo.Value, fr *frame, depth int) (float64, bool) {
	s := f.site(v)
	o := s.op
	if o == nil {
		if fr != nil && s.home == fr.call.Callee.Body {
			return f.fold(fr.call.Operands[s.result], fr.up, depth+1)
		}
		return 0, false
	}
	arg := func(i int) (float64, bool) { return f.fold(o.Operands[i], fr, depth+1) }
	if o.Is(hlo.Moving) {
		return arg(0)
	}
	switch o.Name {
	case hlo.OpConstant:
		return f.splat(o)
	case hlo.OpOptimizationBarrier:
		return arg(s.result)
	case hlo.OpConvert:
		x, ok := arg(0)
		return converted(x, o.Results[0].Type.DType), ok
	case hlo.OpCall, hlo.OpComposite:
		if o.Callee == nil || fr.depth() >= maxFrames {
			return 0, false
		}
		return f.fold(o.Callee.Body.Return().Operands[s.result], f.enter(o, fr), depth+1)
	case hlo.OpSelect:
		p, ok := arg(0)
		if !ok {
			return 0, false
		}
		return arg(2 - int(p))
	case hlo.OpCompare:
		x, ok := arg(0)
		y, ok2 := arg(1)
		return truth(compare(o.Attrs.Str("comparison_direction"), x, y)), ok && ok2
	}
	if g := eval.Float(o.Name); g != nil && o.Results[0].Type.DType.IsFloat() {
		x, ok := arg(0)
		return g(x), ok
	}
	if g := foldBinary[o.Name]; g != nil && (o.Results[0].Type.DType.IsFloat() || o.Name != hlo.OpDivide) &&
		o.Results[0].Type.DType != tensor.Bool {
		x, ok := arg(0)
		if !ok {
			return 0, false
		}
		y, ok := arg(1)
		return g(x, y), ok
	}
	return 0, false
}

// splat returns the number that a constant repeats.
func (f *finder) splat(o *hlo.Op) (float64, bool) {
	if k, ok := f.consts[o]; ok {
		if k == nil {
			return 0, false
		}
		return *k, true
	}
	f.consts[o] = nil
	c, _ := o.Constant()
	x, ok := c.Uniform()
	if !ok {
		return 0, false
	}
	f.consts[o] = &x
	return x, true
}

func converted(x float64, d tensor.DType) float64 {
	switch {
	case d == tensor.Bool:
		return truth(x != 0)
	case d.IsInt():
		return math.Trunc(x)
	}
	return x
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func compare(dir string, x, y float64) bool {
	switch dir {
	case "EQ":
		return x == y
	case "NE":
		return x != y
	case "LT":
		return x < y
	case "LE":
		return x <= y
	case "GT":
		return x > y
	}
	return x >= y
}

var foldBinary = map[string]func(x, y float64) float64{
	hlo.OpAdd:      func(x, y float64) float64 { return x + y },
	hlo.OpSubtract: func(x, y float64) float64 { return x - y },
	hlo.OpMultiply: func(x, y float64) float64 { return x * y },
	hlo.OpDivide:   func(x, y float64) float64 { return x / y },
	hlo.OpMaximum:  math.Max,
	hlo.OpMinimum:  math.Min,
	hlo.OpPower:    math.Pow,
}
