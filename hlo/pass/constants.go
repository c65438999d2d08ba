package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// constants: products of a secret with one number after another are one
// product with the product of the numbers. It rounds once less: to the type's
// digits, which are more than the fraction has (32 and 64 bit floats only), and
// only while the number is far from the smallest fraction.
var constants = Pass{"constants", "chains of products with numbers are one product", func(e *editor) {
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
			return s.put(o, x)
		}
		return s.put(o, s.like("stablehlo.multiply", x, s.number(x.Type, k)))
	})
}}

// scaled reads o as a secret times a number.
func (e *editor) scaled(o *hlo.Op) (x *hlo.Value, k float64, ok bool) {
	if d := o.Results[0].Type.DType; d != tensor.F32 && d != tensor.F64 {
		return nil, 0, false
	}
	switch o.Name {
	case "stablehlo.multiply":
		for i, v := range o.Operands {
			if k, ok := e.splat(v); ok && k != 0 {
				return o.Operands[1-i], k, true
			}
		}
	case "stablehlo.divide":
		if k, ok := e.splat(o.Operands[1]); ok && k != 0 {
			return o.Operands[0], 1 / k, true
		}
	case "stablehlo.negate":
		return o.Operands[0], -1, true
	}
	return nil, 0, false
}
