package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// Integer converts an integer: to a narrower type modulo 2^bits, to a wider
// one by its value, to a float exactly (it has no fraction bits).
func (a *Arith) Integer(op *flow.Op, x *Value, to tensor.DType) *Value {
	r := a.RingOf(to)
	s := x.S
	switch {
	case r.Bits < s.Ring().Bits:
		s = a.P.Narrow(op, r, s)
	case r.Bits > s.Ring().Bits:
		s = a.P.Extend(op, r, s, x.Type.DType.IsSigned())
	}
	return newValue(s, tensor.Type{DType: to, Shape: x.Type.Shape}, 0)
}
