package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
)

// powers: x·x is a square, and a power of a secret with a small whole number
// is a chain of squares and products: exact up to one unit's rounding each,
// where logarithm and exponential err by units of the result's magnitude.
var powers = Pass{"powers", "powers with small whole exponents as products", func(e *editor) {
	parts := e.parts()
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if parts[o] || len(o.Results) != 1 || !e.secretFloat(o.Results[0]) {
			return false
		}
		switch o.Name {
		case "stablehlo.multiply":
			return o.Operands[0] == o.Operands[1] && s.put(o, s.like("chlo.square", o.Operands[0]))
		case "stablehlo.power":
			k, ok := e.splat(o.Operands[1])
			if !ok || k != math.Trunc(k) || k < 1 || k > mostPower {
				return false
			}
			return s.put(o, s.power(o.Operands[0], int(k)))
		}
		return false
	})
}}

// mostPower bounds exponents: beyond, a logarithm and an exponential take fewer
// rounds.
const mostPower = 16

// power writes x^k by squaring.
func (s *site) power(x *hlo.Value, k int) *hlo.Value {
	var y *hlo.Value
	for {
		if k&1 == 1 {
			if y == nil {
				y = x
			} else {
				y = s.like("stablehlo.multiply", y, x)
			}
		}
		if k >>= 1; k == 0 {
			return y
		}
		x = s.like("chlo.square", x)
	}
}
