package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
)

// powers replaces x·x by a square, and a power of a secret with a small integer exponent by squares
// and products. Each has a rounding error of one unit, whereas logarithm and exponential have
// errors relative to the magnitude of the result.
var powers = Pass{"powers", "powers with small integer exponents become products", func(e *editor) {
	parts := e.parts()
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if parts[o] || len(o.Results) != 1 || !e.secretFloat(o.Results[0]) {
			return false
		}
		switch o.Name {
		case hlo.OpMultiply:
			return o.Operands[0] == o.Operands[1] && s.replaceResult(o, s.emitLike(hlo.OpSquare, o.Operands[0]))
		case hlo.OpPower:
			k, ok := e.splat(o.Operands[1])
			if !ok || k != math.Trunc(k) || k < 1 || k > maxPower {
				return false
			}
			return s.replaceResult(o, s.power(o.Operands[0], int(k)))
		}
		return false
	})
}}

// maxPower is the largest exponent; for larger ones a logarithm and an exponential take fewer
// rounds.
const maxPower = 16

// power inserts x^k by repeated squaring.
func (s *site) power(x *hlo.Value, k int) *hlo.Value {
	var y *hlo.Value
	for {
		if k&1 == 1 {
			if y == nil {
				y = x
			} else {
				y = s.emitLike(hlo.OpMultiply, y, x)
			}
		}
		if k >>= 1; k == 0 {
			return y
		}
		x = s.emitLike(hlo.OpSquare, x)
	}
}
