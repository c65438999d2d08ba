package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// powers replaces x·x by a square, and a power of a secret with a small integer exponent by squares
// and products. Each has a rounding error of one unit, whereas logarithm and exponential have
// errors relative to the magnitude of the result. A public multiple of a square of which a root is taken, such as (c·x)·x in the
// moving average of an optimiser, becomes c·x², since only squares keep their small digits (package pattern's Roots). Elsewhere
// it stays: x² may lie outside the range of values.
var powers = Pass{"powers", "powers with small integer exponents become products", func(e *editor) {
	parts, roots := e.parts(), pattern.Roots(e.prog)
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if parts[o] || len(o.Results) != 1 || !e.secretFloat(o.Results[0]) {
			return false
		}
		switch o.Name {
		case hlo.OpMultiply:
			if c, x := e.multipleOfSquare(o); x != nil && roots[o.Results[0]] {
				return s.replaceResult(o, s.emitLike(hlo.OpMultiply, c, s.emitLike(hlo.OpSquare, x)))
			}
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

// multipleOfSquare returns c and x if the product is (c·x)·x for a constant c, such that x² is in the range of squares
// under roots wherever c·x² is in the range of values. x is nil otherwise.
func (e *editor) multipleOfSquare(o *hlo.Op) (c, x *hlo.Value) {
	for i, x := range o.Operands {
		m := e.named(o.Operands[1-i], hlo.OpMultiply)
		if m == nil {
			continue
		}
		for k, c := range m.Operands {
			if by, ok := e.splat(c); ok && math.Abs(by) >= math.Ldexp(1, -e.Squares) && e.same(m.Operands[1-k], x) {
				return c, x
			}
		}
	}
	return nil, nil
}

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
