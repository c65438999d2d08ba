package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Sort returns the first s.First rows of each value of xs, ordered along the last dimension by keys, which are
// compared exactly, and their original positions, in ring s.At. Keys and xs have one shape; xs are truncated to the
// fraction first.
func (a *Arith) Sort(op *flow.Op, s mpc.Sorting, keys, xs []*Value) (sorted []*Value, at mpc.Secret) {
	by, moved := make([]mpc.Secret, len(keys)), make([]mpc.Secret, len(xs))
	for i, x := range xs {
		sorted = append(sorted, a.Rescale(op, x))
		moved[i] = sorted[i].S
	}
	for i, k := range keys {
		by[i] = a.comparable(op, a.Rescale(op, k))
	}
	moved, at = a.P.Sort(op, s, by, moved)
	for i, x := range sorted {
		shape := append(tensor.Shape{}, x.Type.Shape...)
		shape[len(shape)-1] = s.First
		sorted[i] = newValue(moved[i], tensor.Type{DType: x.Type.DType, Shape: shape}, x.Scale)
	}
	return sorted, at
}

// comparable returns a value as signed integers that leave two bits of their ring free, so that differences
// have a sign.
func (a *Arith) comparable(op *flow.Op, x *Value) mpc.Secret {
	d := x.Type.DType
	r := ring.Z(x.S.Ring().Bits + 2)
	switch {
	case d == tensor.Bool:
		return a.P.B2A(op, r, x.S)
	case d.IsInt() && (a.whole(x) || !d.IsSigned()):
		return a.P.Extend(op, r, x.S, d.IsSigned())
	}
	return x.S
}
