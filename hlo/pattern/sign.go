package pattern

import "github.com/tacet-mpc/tacet/hlo"

// negative recognises the test of x's sign bit in x's bits: they are less than 0 as a signed integer, or not
// 0 once all other bits are shifted out.
func (a *attempt) negative(_ *hlo.Op, end term) *Match {
	p, q, ok := a.binary(end, hlo.OpCompare)
	if k, c := a.constant(q); !ok || !c || k != 0 {
		return nil
	}
	signed := p.v.Type.DType.IsSigned()
	switch a.def(a.resolve(end).v).Attrs.Str("comparison_direction") {
	case "LT":
		if !signed {
			return nil
		}
	case "NE":
		shifted, by, ok := a.binary(p, hlo.OpShiftRightArithmetic)
		if !ok {
			shifted, by, ok = a.binary(p, hlo.OpShiftRightLogical)
		}
		if k, c := a.constant(by); !ok || !c || int(k) != p.v.Type.DType.Bits()-1 {
			return nil
		}
		p = shifted
	default:
		return nil
	}
	x, ok := a.unary(p, hlo.OpBitcastConvert)
	if !ok || !x.v.Type.DType.IsFloat() || x.v.Type.DType.Bits() != p.v.Type.DType.Bits() {
		return nil
	}
	return a.made(Negative, nil, x)
}
