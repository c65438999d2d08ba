package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// divisions replaces a division by a value that is broadcast at least fourfold by a product with
// the reciprocal, of which there are fewer, and x/√y by a product with 1/√y. A reciprocal has an
// absolute error of one unit in the last place, so the product has an error of up to |x| units. The
// pass therefore applies only if the divisor is known to be at most 4: the result is then at least
// |x|/4, with a relative error of at most 4 units.
var divisions = Pass{"divisions", "divisions by a broadcast become products with the reciprocal", func(e *editor) {
	parts, matches, ranges := e.parts(), e.patterns(), pattern.Bounds(e.prog, e.Ranges...)
	small := func(v *hlo.Value, most float64) bool {
		low, high := ranges.Of(v)
		return math.Max(math.Abs(low), math.Abs(high)) <= most
	}
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != hlo.OpDivide || parts[o] || !e.secretFloat(o.Results[0]) {
			return false
		}
		x, y := o.Operands[0], o.Operands[1]
		if m := matches.At(o); m != nil && m.Kind == pattern.DivSqrt {
			root := s.named(y, hlo.OpSqrt)
			if root == nil || s.vis[y] != hlo.Secret || !small(y, maxDivisor) {
				return false
			}
			return s.replaceResult(o, s.emitLike(hlo.OpMultiply, x, s.emitLike(hlo.OpRsqrt, root.Operands[0])))
		}
		b := s.named(y, hlo.OpBroadcastInDim)
		if b == nil || s.vis[y] == hlo.Public || b.Operands[0].Type.Shape.Size()*4 > y.Type.Shape.Size() || !small(y, maxDivisor) {
			return false
		}
		if _, ok := s.splat(x); ok {
			return false // is a reciprocal already
		}
		d := b.Operands[0]
		inverse := s.emitLike(hlo.OpDivide, s.number(d.Type, 1), d)
		return s.replaceResult(o, s.emitLike(hlo.OpMultiply, x, s.emit(b.Name, y.Type, b.Attrs, inverse)))
	})
}}

// maxDivisor is the largest bound of a divisor whose reciprocal is taken.
const maxDivisor = 4
