package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// conversions combines two successive conversions into one, or none if they return to the original
// type, if the intermediate type can represent all values of the first. Exact.
var conversions = Pass{"conversions", "successive conversions become one or none", func(e *editor) {
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != hlo.OpConvert {
			return false
		}
		x, r := o.Operands[0], o.Results[0]
		if x.Type.DType == r.Type.DType {
			return s.replaceResult(o, x)
		}
		first := s.named(x, hlo.OpConvert)
		if first == nil || !represents(x.Type.DType, first.Operands[0].Type.DType) {
			return false
		}
		x = first.Operands[0]
		if x.Type.DType == r.Type.DType {
			return s.replaceResult(o, x)
		}
		return s.replaceResult(o, s.emit(o.Name, r.Type, o.Attrs, x))
	})
}}

// represents reports whether every value of type d is a value of type w.
func represents(w, d tensor.DType) bool {
	digits := map[tensor.DType]int{tensor.F16: 11, tensor.BF16: 8, tensor.F32: 24, tensor.F64: 53}
	switch {
	case d.IsComplex() || w.IsComplex():
		return false
	case d == tensor.Bool:
		return true
	case w == tensor.Bool:
		return false
	case d.IsFloat() && w.IsFloat():
		return w == tensor.F64 || w == d || w == tensor.F32 && d != tensor.F64
	case d.IsFloat():
		return false
	case w.IsFloat():
		return d.Bits() <= digits[w]
	case d.IsSigned() == w.IsSigned():
		return w.Bits() >= d.Bits()
	}
	return w.IsSigned() && w.Bits() > d.Bits()
}
