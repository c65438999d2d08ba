package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// constants combines successive products of a secret with constants into one product with the
// product of the constants. The product of the constants is rounded to the type's precision, which
// exceeds the fraction bits (only for floats of 32 and 64 bits), and the pass is applied only while
// the constant is far from the smallest representable fraction; one rounding of the secret is
// saved.
var constants = Pass{"constants", "successive products with constants become one product", func(e *editor) {
	parts := e.parts()
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if parts[o] || len(o.Results) != 1 || !e.secretFloat(o.Results[0]) {
			return false
		}
		x, k, ok := e.scaled(o)
		if !ok {
			return false
		}
		n := 0
		for inner := e.def[x]; inner != nil && !parts[inner] && n < 16; inner = e.def[x] {
			y, f, ok := e.scaled(inner)
			if !ok || !(math.Abs(k*f) >= 1.0/4096 && math.Abs(k*f) <= 1<<20) {
				break
			}
			x, k, n = y, k*f, n+1
		}
		if n == 0 {
			return false
		}
		if k == 1 {
			return s.replaceResult(o, x)
		}
		return s.replaceResult(o, s.emitLike(hlo.OpMultiply, x, s.number(x.Type, k)))
	})
}}

// scaled returns o as a secret times a constant.
func (e *editor) scaled(o *hlo.Op) (x *hlo.Value, k float64, ok bool) {
	if d := o.Results[0].Type.DType; d != tensor.F32 && d != tensor.F64 {
		return nil, 0, false
	}
	switch o.Name {
	case hlo.OpMultiply:
		for i, v := range o.Operands {
			if k, ok := e.splat(v); ok && k != 0 {
				return o.Operands[1-i], k, true
			}
		}
	case hlo.OpDivide:
		if k, ok := e.splat(o.Operands[1]); ok && k != 0 {
			return o.Operands[0], 1 / k, true
		}
	case hlo.OpNegate:
		return o.Operands[0], -1, true
	}
	return nil, 0, false
}
