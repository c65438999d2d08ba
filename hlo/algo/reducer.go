package algo

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Reducer returns the full name of the operation that a region applies to its two parameters, in either order, and
// returns; "" for any other region.
func Reducer(b *hlo.Block) string {
	if len(b.Params) != 2 || len(b.Ops) != 2 {
		return ""
	}
	o, ret := b.Ops[0], b.Ops[1]
	if len(o.Operands) != 2 || len(o.Results) != 1 || len(ret.Operands) != 1 || ret.Operands[0] != o.Results[0] {
		return ""
	}
	p, q := b.Params[0], b.Params[1]
	if o.Operands[0] == p && o.Operands[1] == q || o.Operands[0] == q && o.Operands[1] == p {
		return o.Name
	}
	return ""
}

// associative are the operations that Associative recognises.
var associative = map[string]bool{
	hlo.OpAdd: true, hlo.OpMultiply: true, hlo.OpMaximum: true, hlo.OpMinimum: true,
	hlo.OpAnd: true, hlo.OpOr: true, hlo.OpXor: true,
}

// Associative reports whether a region is one operation that is associative and commutative.
func Associative(b *hlo.Block) bool { return associative[Reducer(b)] }

// Neutral reports whether the scalar a is the neutral element of the operation reducer, a name that Reducer returned.
func Neutral(reducer string, a *tensor.Array) bool {
	if a.DType.IsFloat() {
		neutral := map[string]float64{
			hlo.OpMultiply: 1, hlo.OpMaximum: math.Inf(-1), hlo.OpMinimum: math.Inf(1),
		}
		return a.Floats()[0] == neutral[reducer]
	}
	all := ^uint64(0) >> (64 - a.DType.Bits())
	least, most := uint64(0), all
	if a.DType.IsSigned() {
		least, most = all>>1+1, all>>1
	}
	neutral := map[string]uint64{
		hlo.OpMultiply: 1, hlo.OpAnd: all, hlo.OpMaximum: least, hlo.OpMinimum: most,
	}
	return a.Words()[0]&all == neutral[reducer]
}
