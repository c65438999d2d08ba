package hlo

import (
	"fmt"

	"github.com/tacet-mpc/tacet/tensor"
)

// OpDynamicGather is gather with the slices' sizes as an operand.
const OpDynamicGather = "stablehlo.dynamic_gather"

// staticOps are operations that take the result's shape as an operand. Where the result's type is static, it says the
// shape, and StableHLO leaves undefined what an operand of other values does: the canonical form is the operation
// without that operand. torch-mlir prints torch.arange as dynamic_iota. An operation whose result type does not say
// everything (dynamic_pad: where the padding is) is refused.
func staticOps() (ops []opDef) {
	expanding := []attrDef{optional("known_expanding_dimensions", isInts), optional("known_nonexpanding_dimensions", isInts)}
	ops = append(ops,
		opDef{name: OpDynamicIota, operands: exactly(1), results: exactly(1), check: checkDynamicIota, free: true,
			canonical: withoutShape(OpIota, 0),
			attrs:     []attrDef{required("iota_dimension", isInt)},
			form:      form(args(1), word(", dim ="), intOf("iota_dimension"), attributes, signature)},
		opDef{name: OpDynamicBroadcast, operands: exactly(2), results: exactly(1), check: checkDynamicBroadcast, free: true,
			canonical: withoutShape(OpBroadcastInDim, 1),
			attrs:     append(expanding, required("broadcast_dimensions", isInts)),
			form:      form(args(2), word(", dims ="), intsOf("broadcast_dimensions"), attributes, signature)},
		opDef{name: OpDynamicReshape, operands: exactly(2), results: exactly(1), check: checkDynamicReshape, free: true,
			canonical: withoutShape(OpReshape, 1),
			form:      form(args(2), attributes, signature)},
		opDef{name: OpDynamicGather, operands: exactly(3), results: exactly(1), check: checkDynamicGather, free: true,
			canonical: (*Op).staticGather,
			attrs:     []attrDef{required("dimension_numbers", isGather), preset("indices_are_sorted", isFlag, false)}},
	)
	return ops
}

// withoutShape returns the canonical form of an operation whose operand i is the result's shape.
func withoutShape(to string, i int) func(o *Op) []*Op {
	return func(o *Op) []*Op {
		o.Name, o.Operands = to, o.Operands[:i:i]
		delete(o.Attrs, "known_expanding_dimensions")
		delete(o.Attrs, "known_nonexpanding_dimensions")
		return []*Op{o}
	}
}

// wantsShape checks that operand i is a vector of integers, one for each of rank dimensions.
func (o *Op) wantsShape(i, rank int) error {
	if err := o.wants(i, classInt); err != nil {
		return err
	}
	if s := o.shape(i); !s.Equal(tensor.Shape{rank}) {
		return fmt.Errorf("operand %d has type %v, but must be a vector of %d integers", i, o.in(i), rank)
	}
	return nil
}

func checkDynamicIota(o *Op) error {
	return first(o.wantsShape(0, len(o.out(0).Shape)), checkIota(o))
}

func checkDynamicBroadcast(o *Op) error {
	return first(o.wantsShape(1, len(o.out(0).Shape)), checkBroadcastInDim(o))
}

func checkDynamicReshape(o *Op) error {
	return first(o.wantsShape(1, len(o.out(0).Shape)), checkReshape(o))
}

func checkDynamicGather(o *Op) error {
	if err := o.wantsShape(2, rank(o)); err != nil {
		return err
	}
	sizes, err := o.sliceSizes()
	if err != nil {
		return err
	}
	static := *o
	static.Name, static.Operands, static.Attrs = OpGather, o.Operands[:2:2], Attrs{
		"dimension_numbers": o.Attrs["dimension_numbers"], "slice_sizes": sizes, "indices_are_sorted": o.Attrs["indices_are_sorted"],
	}
	return registry[OpGather].check(&static)
}

// sliceSizes returns the sizes of a gather's slices, which its result type says: 1 along the dimensions that the result
// does not have.
func (o *Op) sliceSizes() ([]int64, error) {
	d, out := o.Attrs["dimension_numbers"].(*GatherDims), o.out(0).Shape
	gone := map[int]bool{}
	for _, list := range [][]int{d.CollapsedSliceDims, d.OperandBatchingDims} {
		for _, x := range list {
			gone[x] = true
		}
	}
	sizes, next := make([]int64, rank(o)), 0
	for i := range sizes {
		if sizes[i] = 1; gone[i] {
			continue
		}
		if next == len(d.OffsetDims) || d.OffsetDims[next] < 0 || d.OffsetDims[next] >= len(out) {
			return nil, fmt.Errorf("offset_dims name no dimension of %v for dimension %d of %v", o.out(0), i, o.in(0))
		}
		sizes[i] = int64(out[d.OffsetDims[next]])
		next++
	}
	return sizes, nil
}

// staticGather is dynamic_gather as gather.
func (o *Op) staticGather() []*Op {
	sizes, err := o.sliceSizes()
	if err != nil {
		panic("hlo: " + o.Name + " was not checked: " + err.Error())
	}
	o.Name, o.Operands = OpGather, o.Operands[:2:2]
	o.Attrs["slice_sizes"] = sizes
	return []*Op{o}
}
