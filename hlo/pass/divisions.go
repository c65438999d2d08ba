package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// divisions by what is repeated fourfold or more are products with the
// reciprocal, of which there are fewer; x/√y is a product with 1/√y. The
// reciprocal errs by a unit of the last place whatever its size, and the
// product by as many as x is large. So this is done only where the text says
// that the divisor is at most 4: the result is then no smaller than a quarter of
// x and errs, relatively, by no more than 4 units.
var divisions = Pass{"divisions", "divisions by a broadcast as products with the reciprocal", func(e *editor) {
	parts, matches, ranges := e.parts(), e.patterns(), pattern.Bounds(e.prog, e.Ranges...)
	small := func(v *hlo.Value, most float64) bool {
		low, high := ranges.Of(v)
		return math.Max(math.Abs(low), math.Abs(high)) <= most
	}
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != "stablehlo.divide" || parts[o] || !e.secretFloat(o.Results[0]) {
			return false
		}
		x, y := o.Operands[0], o.Operands[1]
		if m := matches.At(o); m != nil && m.Kind == pattern.DivSqrt {
			root := s.named(y, "sqrt")
			if root == nil || s.vis[y] != hlo.Secret || !small(y, mostDivisor) {
				return false
			}
			return s.put(o, s.like("stablehlo.multiply", x, s.like("stablehlo.rsqrt", root.Operands[0])))
		}
		b := s.named(y, "broadcast_in_dim")
		if b == nil || s.vis[y] == hlo.Public || b.Operands[0].Type.Shape.Size()*4 > y.Type.Shape.Size() || !small(y, mostDivisor) {
			return false
		}
		if _, ok := s.splat(x); ok {
			return false // a reciprocal itself
		}
		d := b.Operands[0]
		inverse := s.like("stablehlo.divide", s.number(d.Type, 1), d)
		return s.put(o, s.like("stablehlo.multiply", x, s.emit(b.Name, y.Type, b.Attrs, inverse)))
	})
}}

// mostDivisor is the largest divisor whose reciprocal is taken.
const mostDivisor = 4
