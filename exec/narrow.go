package exec

import (
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	customs.Add(hlo.NarrowTarget, narrowed)
	customs.Add(hlo.WideTarget, wideInteger)
	customs.Add(hlo.SigmoidTarget, sigmoidOfInteger)
}

// narrowed shares integers that one party knows in a narrow ring, or brings secret ones into it.
func narrowed(c *opRun, in []*value) ([]*value, error) {
	n, _ := hlo.NarrowOf(c.o)
	x, t := in[0], c.o.Results[0].Type
	if x.owner == Secret || x.sec != nil || n.By > 0 || x.typ.DType != t.DType {
		return one(c.Arith.Narrowed(c.op, c.share(x, 0), t.DType, n.By, n.Bits))
	}
	owner := x.owner
	if _, stays := mpc.Owner(owner); stays {
		owner = mpc.StayingArgument(owner, x.argument)
	}
	return one(c.Arith.InputNarrow(c.op, owner, t, n.Bits, func() *tensor.Array { return x.array() }))
}

// wideInteger returns integers that are as small as the program's author says in another type.
func wideInteger(c *opRun, in []*value) ([]*value, error) {
	n, _ := hlo.NarrowOf(c.o)
	return one(c.Arith.WideInteger(c.op, c.share(in[0], 0), c.o.Results[0].Type.DType, n.Bits))
}

// sigmoidOfInteger returns sigmoids of integers as narrow integers.
func sigmoidOfInteger(c *opRun, in []*value) ([]*value, error) {
	n, _ := hlo.NarrowOf(c.o)
	return one(c.Arith.SigmoidOfInteger(c.op, c.share(in[0], 0), n.By, n.Fraction, n.Bits))
}

// onNarrow reports whether an operation is one of this file's calls.
func onNarrow(o *hlo.Op) bool {
	switch o.Attrs.Str("call_target_name") {
	case hlo.NarrowTarget, hlo.WideTarget, hlo.SigmoidTarget:
		return o.Name == hlo.OpCustomCall
	}
	return false
}

// takesNarrow reports whether an operation's handler takes narrow integers as they are.
func takesNarrow(o *hlo.Op) bool {
	switch o.Name {
	case hlo.OpDotGeneral, hlo.OpAdd, hlo.OpSubtract, hlo.OpNegate, hlo.OpDynamicSlice, hlo.OpOptimizationBarrier:
		return true
	case hlo.OpReduce:
		return algo.Reducer(o.Regions[0]) == hlo.OpAdd
	case hlo.OpCustomCall:
		target := o.Attrs.Str("call_target_name")
		return onNarrow(o) || target == "tacet.real" || target == "tacet.outside"
	}
	return isView(o)
}

// checkNarrow refuses narrow integers where an operation reads the ring of their type, or others beside them.
func checkNarrow(o *hlo.Op, in []*value) error {
	var narrow *fxp.Value
	for _, v := range in {
		if v.sec != nil && v.sec.Narrow() {
			narrow = v.sec
		}
	}
	if narrow == nil {
		return nil
	}
	fits := takesNarrow(o)
	if o.Name == hlo.OpAdd || o.Name == hlo.OpSubtract || isView(o) {
		for _, v := range in {
			fits = fits && (v.owner != Secret || v.sec != nil && v.sec.S.Ring() == narrow.S.Ring())
		}
	}
	if !fits {
		return refuse(o, "takes no integers of @"+hlo.NarrowTarget, "take @tacet.wide of them first")
	}
	return nil
}
