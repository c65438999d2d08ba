package hlo

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names (Op.Name) of the StableHLO operations that create tensors or move elements.
const (
	OpBroadcast          = "stablehlo.broadcast"
	OpBroadcastInDim     = "stablehlo.broadcast_in_dim"
	OpConcatenate        = "stablehlo.concatenate"
	OpConstant           = "stablehlo.constant"
	OpDynamicBroadcast   = "stablehlo.dynamic_broadcast_in_dim"
	OpDynamicIota        = "stablehlo.dynamic_iota"
	OpDynamicReshape     = "stablehlo.dynamic_reshape"
	OpDynamicSlice       = "stablehlo.dynamic_slice"
	OpDynamicUpdateSlice = "stablehlo.dynamic_update_slice"
	OpGetDimensionSize   = "stablehlo.get_dimension_size"
	OpIota               = "stablehlo.iota"
	OpPad                = "stablehlo.pad"
	OpReshape            = "stablehlo.reshape"
	OpReverse            = "stablehlo.reverse"
	OpSlice              = "stablehlo.slice"
	OpTranspose          = "stablehlo.transpose"
)

// shapeOps are operations that create tensors or move elements unchanged.
func shapeOps() (ops []opDef) {
	ops = append(ops,
		opDef{name: OpConstant, results: exactly(1), check: checkConstant, parens: true,
			attrs: []attrDef{required("value", isValue)}, form: form(constantForm)},
		opDef{name: OpIota, results: exactly(1), check: checkIota, free: true,
			attrs: []attrDef{required("iota_dimension", isInt)},
			form:  form(word("dim ="), intOf("iota_dimension"), attributes, resultTypes)},
		opDef{name: OpBroadcast, canonical: (*Op).broadcastInDim, operands: exactly(1), results: exactly(1), check: checkBroadcast,
			traits: Structured, linear: all,
			attrs: []attrDef{required("broadcast_sizes", isInts)},
			form:  form(args(1), word(", sizes ="), intsOf("broadcast_sizes"), attributes, signature)},
		opDef{name: OpBroadcastInDim, operands: exactly(1), results: exactly(1), check: checkBroadcastInDim, free: true,
			traits: Structured, linear: all,
			attrs: []attrDef{required("broadcast_dimensions", isInts)},
			form:  form(args(1), word(", dims ="), intsOf("broadcast_dimensions"), attributes, signature)},
		opDef{name: OpReshape, operands: exactly(1), results: exactly(1), check: checkReshape, free: true, traits: Structured, linear: all,
			form: form(args(1), attributes, anyType)},
		opDef{name: OpTranspose, operands: exactly(1), results: exactly(1), check: checkTranspose, traits: Structured, linear: all,
			attrs: []attrDef{required("permutation", isInts)},
			form:  form(args(1), word(", dims ="), intsOf("permutation"), attributes, anyType)},
		opDef{name: OpReverse, operands: exactly(1), results: exactly(1), check: checkReverse, traits: Structured, linear: all,
			attrs: []attrDef{required("dimensions", isInts)},
			form:  form(args(1), word(", dims ="), intsOf("dimensions"), attributes, sameType)},
		opDef{name: OpConcatenate, operands: atLeast(1), results: exactly(1), check: checkConcatenate, traits: Structured, linear: all,
			attrs: []attrDef{required("dimension", isInt)},
			form:  form(allArgs, word(", dim ="), intOf("dimension"), attributes, anyType)},
		opDef{name: OpPad, operands: exactly(2), results: exactly(1), check: checkPad, traits: Structured, linear: all,
			attrs: []attrDef{required("edge_padding_low", isInts), required("edge_padding_high", isInts), required("interior_padding", isInts)},
			form: form(args(2), word(", low ="), intsOf("edge_padding_low"), word(", high ="), intsOf("edge_padding_high"),
				word(", interior ="), intsOf("interior_padding"), attributes, signature)},
		opDef{name: OpSlice, operands: exactly(1), results: exactly(1), check: checkSlice, traits: Structured, linear: all,
			attrs: []attrDef{required("start_indices", isInts), required("limit_indices", isInts), perDim("strides", 1, rank)},
			form:  form(args(1), sliceForm, attributes, signature)},
		opDef{name: OpDynamicSlice, operands: atLeast(1), results: exactly(1), check: checkDynamicSlice,
			traits: Structured, linear: []int{0},
			attrs: []attrDef{required("slice_sizes", isInts)},
			form:  form(allArgs, word(", sizes ="), intsOf("slice_sizes"), attributes, signature)},
		opDef{name: OpDynamicUpdateSlice, operands: atLeast(2), results: exactly(1), check: checkDynamicUpdateSlice,
			traits: Structured, linear: []int{0, 1},
			form: form(allArgs, attributes, signature)},
		opDef{name: OpGetDimensionSize, operands: exactly(1), results: exactly(1),
			attrs: []attrDef{required("dimension", isInt)},
			form:  form(args(1), word(", dim ="), intOf("dimension"), attributes, signature),
			check: func(o *Op) error { return first(o.oneDim("dimension", rank(o)), o.gives(scalar(tensor.I32))) }},
	)
	return ops
}

func checkConstant(o *Op) error {
	c, _ := constantOf(o.Attrs["value"])
	return o.gives(c.Type)
}

func checkIota(o *Op) error {
	t := o.out(0)
	if t.DType == tensor.Bool {
		return fmt.Errorf("is not defined for elements of type %v", t.DType)
	}
	return o.oneDim("iota_dimension", len(t.Shape))
}

func checkBroadcast(o *Op) error {
	sizes := o.Attrs.Ints("broadcast_sizes")
	for _, n := range sizes {
		if n < 0 {
			return fmt.Errorf("broadcast_sizes holds %d", n)
		}
	}
	return o.givesShape(append(tensor.Shape(sizes), o.shape(0)...))
}

func checkBroadcastInDim(o *Op) error {
	dims, out := o.Attrs.Ints("broadcast_dimensions"), o.out(0)
	if err := first(o.lengths(rank(o), "broadcast_dimensions"), dimList("broadcast_dimensions", dims, len(out.Shape))); err != nil {
		return err
	}
	for i, d := range dims {
		if n := o.shape(0)[i]; n != 1 && n != out.Shape[d] {
			return fmt.Errorf("dimension %d of size %d cannot become dimension %d of size %d", i, n, d, out.Shape[d])
		}
	}
	return o.givesShape(out.Shape)
}

func checkReshape(o *Op) error {
	if in, out := o.in(0), o.out(0); in.DType != out.DType || in.Shape.Size() != out.Shape.Size() {
		return fmt.Errorf("cannot give the elements of %v the type %v", in, out)
	}
	return nil
}

func checkTranspose(o *Op) error {
	perm := o.Attrs.Ints("permutation")
	if err := first(o.lengths(rank(o), "permutation"), dimList("permutation", perm, rank(o))); err != nil {
		return err
	}
	return o.givesShape(pick(o.shape(0), perm))
}

func checkReverse(o *Op) error {
	return first(dimList("dimensions", o.Attrs.Ints("dimensions"), rank(o)), o.gives(o.in(0)))
}

func checkConcatenate(o *Op) error {
	if err := o.oneDim("dimension", rank(o)); err != nil {
		return err
	}
	d := o.Attrs.Int("dimension", 0)
	out := o.shape(0).Clone()
	for i := 1; i < len(o.Operands); i++ {
		s := o.shape(i)
		if o.in(i).DType != o.in(0).DType || len(s) != len(out) || !slices.Equal(without(s, []int{d}), without(out, []int{d})) {
			return fmt.Errorf("operand %d has type %v, which is incompatible with %v along dimension %d", i, o.in(i), o.in(0), d)
		}
		out[d] += s[d]
	}
	return o.givesShape(out)
}

func checkPad(o *Op) error {
	low, high, interior := o.Attrs.Ints("edge_padding_low"), o.Attrs.Ints("edge_padding_high"), o.Attrs.Ints("interior_padding")
	err := first(o.lengths(rank(o), "edge_padding_low", "edge_padding_high", "interior_padding"), o.wantsScalar(1))
	if err != nil {
		return err
	}
	if o.in(1).DType != o.in(0).DType {
		return fmt.Errorf("pads %v with %v", o.in(0), o.in(1))
	}
	out := make(tensor.Shape, rank(o))
	for i, n := range o.shape(0) {
		if interior[i] < 0 {
			return fmt.Errorf("interior_padding holds %d", interior[i])
		}
		out[i] = n + times(max(0, n-1), interior[i]) + low[i] + high[i]
		if out[i] < 0 {
			return fmt.Errorf("dimension %d would have a negative size", i)
		}
	}
	return o.givesShape(out)
}

func checkSlice(o *Op) error {
	if err := first(o.lengths(rank(o), "start_indices", "limit_indices", "strides"), o.positive("strides")); err != nil {
		return err
	}
	start, limit, stride := o.Attrs.Ints("start_indices"), o.Attrs.Ints("limit_indices"), o.Attrs.Ints("strides")
	out := make(tensor.Shape, rank(o))
	for i, n := range o.shape(0) {
		if start[i] < 0 || start[i] > limit[i] || limit[i] > n {
			return fmt.Errorf("%d:%d is not a range of dimension %d, which has size %d", start[i], limit[i], i, n)
		}
		out[i] = (limit[i] - start[i] + stride[i] - 1) / stride[i]
	}
	return o.givesShape(out)
}

// wantsIndices checks that the operands starting at from are scalar indices of one type, one for
// each dimension of operand 0.
func (o *Op) wantsIndices(from int) error {
	if n := len(o.Operands) - from; n != rank(o) {
		return fmt.Errorf("has %d indices for %d dimensions", n, rank(o))
	}
	for i := from; i < len(o.Operands); i++ {
		if err := first(o.wants(i, classInt), o.wantsScalar(i)); err != nil {
			return err
		}
	}
	return o.alike(from, len(o.Operands))
}

func checkDynamicSlice(o *Op) error {
	if err := first(o.wantsIndices(1), o.lengths(rank(o), "slice_sizes")); err != nil {
		return err
	}
	sizes := tensor.Shape(o.Attrs.Ints("slice_sizes"))
	for i, n := range sizes {
		if n < 0 || n > o.shape(0)[i] {
			return fmt.Errorf("slice_sizes takes %d of dimension %d, which has size %d", n, i, o.shape(0)[i])
		}
	}
	return o.givesShape(sizes)
}

func checkDynamicUpdateSlice(o *Op) error {
	if err := o.wantsIndices(2); err != nil {
		return err
	}
	u := o.in(1)
	fits := u.DType == o.in(0).DType && len(u.Shape) == rank(o)
	for i := 0; fits && i < rank(o); i++ {
		fits = u.Shape[i] <= o.shape(0)[i]
	}
	if !fits {
		return fmt.Errorf("an update of type %v does not fit %v", u, o.in(0))
	}
	return o.gives(o.in(0))
}
