package hlo

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// reduceOps are operations that apply a region to many elements.
func reduceOps() (ops []opDef) {
	ops = append(ops,
		opDef{name: "stablehlo.reduce", operands: atLeast(2), results: atLeast(1), regions: exactly(1), check: checkReduce,
			attrs: []attrDef{required("dimensions", isInts)}, form: form(reduceForm)},
		opDef{name: "stablehlo.reduce_window", operands: atLeast(2), results: atLeast(1), regions: exactly(1), check: checkReduceWindow,
			attrs: []attrDef{
				required("window_dimensions", isInts), perDim("window_strides", 1, rank), perDim("base_dilations", 1, rank),
				perDim("window_dilations", 1, rank), perDim("padding", 0, twiceRank),
			}},
		opDef{name: "stablehlo.select_and_scatter", operands: exactly(3), results: exactly(1), regions: exactly(2), check: checkSelectAndScatter,
			attrs: []attrDef{perDim("window_dimensions", 1, rank), perDim("window_strides", 1, rank), perDim("padding", 0, twiceRank)}},
		opDef{name: "stablehlo.map", operands: atLeast(1), results: exactly(1), regions: exactly(1), check: checkMap,
			attrs: []attrDef{required("dimensions", isInts)}},
		opDef{name: "stablehlo.sort", operands: atLeast(1), results: atLeast(1), regions: exactly(1), check: checkSort,
			attrs: []attrDef{preset("dimension", isInt, int64(-1)), preset("is_stable", isFlag, false)}},
	)
	return ops
}

func twiceRank(o *Op) int { return 2 * rank(o) }

// scalars are the types of single elements of values.
func scalars(vs []*Value) []tensor.Type {
	out := make([]tensor.Type, len(vs))
	for i, v := range vs {
		out[i] = scalar(v.Type.DType)
	}
	return out
}

// wantsReducer checks what reductions have in common: operands of one shape,
// as many scalar initial values, and a region that combines elements of both.
// It returns the number of reduced operands.
func (o *Op) wantsReducer() (int, error) {
	n := len(o.Operands) / 2
	if len(o.Operands) != 2*n || len(o.Results) != n {
		return 0, fmt.Errorf("has %d operands and %d results, but takes an operand and an initial value for each result", len(o.Operands), len(o.Results))
	}
	for i := range n {
		if !o.shape(i).Equal(o.shape(0)) {
			return 0, fmt.Errorf("operand %d has type %v, but operand 0 has %v", i, o.in(i), o.in(0))
		}
		if want := scalar(o.in(i).DType); !o.in(n + i).Equal(want) {
			return 0, fmt.Errorf("the initial value of operand %d has type %v, but must have %v", i, o.in(n+i), want)
		}
	}
	elems := scalars(o.Operands[:n])
	return n, o.wantsRegion(0, slices.Concat(elems, elems), elems)
}

// givesShapes checks that each result has its operand's element type, and
// shape s.
func (o *Op) givesShapes(s tensor.Shape) error {
	want := make([]tensor.Type, len(o.Results))
	for i := range want {
		want[i] = tensor.Type{DType: o.in(i).DType, Shape: s}
	}
	return o.gives(want...)
}

func checkReduce(o *Op) error {
	if _, err := o.wantsReducer(); err != nil {
		return err
	}
	dims := o.Attrs.Ints("dimensions")
	if err := dimList("dimensions", dims, rank(o)); err != nil {
		return err
	}
	return o.givesShapes(without(o.shape(0), dims))
}

// window is what sweeps over one dimension.
type window struct{ size, stride, low, high, baseDilation, dilation int }

// count is how many places the window has along a dimension of size n.
func (w window) count(n int) int {
	padded := w.low + w.high
	if n > 0 {
		padded += times(n-1, w.baseDilation) + 1
	}
	span := times(w.size-1, w.dilation) + 1
	if span > padded {
		return 0
	}
	return (padded-span)/w.stride + 1
}

func checkReduceWindow(o *Op) error {
	_, err := o.wantsReducer()
	lists := []string{"window_dimensions", "window_strides", "base_dilations", "window_dilations"}
	if err := first(err, o.lengths(rank(o), lists...), o.positive(lists...), o.lengths(2*rank(o), "padding")); err != nil {
		return err
	}
	size, stride, pad := o.Attrs.Ints("window_dimensions"), o.Attrs.Ints("window_strides"), o.Attrs.Ints("padding")
	base, dilation := o.Attrs.Ints("base_dilations"), o.Attrs.Ints("window_dilations")
	out := make(tensor.Shape, rank(o))
	for i, n := range o.shape(0) {
		out[i] = window{size[i], stride[i], pad[2*i], pad[2*i+1], base[i], dilation[i]}.count(n)
	}
	return o.givesShapes(out)
}

func checkSelectAndScatter(o *Op) error {
	lists := []string{"window_dimensions", "window_strides"}
	if err := first(o.lengths(rank(o), lists...), o.positive(lists...), o.lengths(2*rank(o), "padding")); err != nil {
		return err
	}
	size, stride, pad := o.Attrs.Ints("window_dimensions"), o.Attrs.Ints("window_strides"), o.Attrs.Ints("padding")
	source := make(tensor.Shape, rank(o))
	for i, n := range o.shape(0) {
		source[i] = window{size[i], stride[i], pad[2*i], pad[2*i+1], 1, 1}.count(n)
	}
	elem := scalar(o.in(0).DType)
	if want := (tensor.Type{DType: elem.DType, Shape: source}); !o.in(1).Equal(want) {
		return fmt.Errorf("the source has type %v, but the windows make %v", o.in(1), want)
	}
	if !o.in(2).Equal(elem) {
		return fmt.Errorf("the initial value has type %v, but must have %v", o.in(2), elem)
	}
	pair := []tensor.Type{elem, elem}
	return first(
		o.wantsRegion(0, pair, []tensor.Type{scalar(tensor.Bool)}),
		o.wantsRegion(1, pair, []tensor.Type{elem}),
		o.gives(o.in(0)))
}

func checkMap(o *Op) error {
	for i := range o.Operands {
		if !o.shape(i).Equal(o.shape(0)) {
			return fmt.Errorf("operand %d has type %v, but operand 0 has %v", i, o.in(i), o.in(0))
		}
	}
	dims := o.Attrs.Ints("dimensions")
	for i, d := range dims {
		if d != i || len(dims) != rank(o) {
			return fmt.Errorf("dimensions must name all %d dimensions in order", rank(o))
		}
	}
	if len(dims) != rank(o) {
		return fmt.Errorf("dimensions must name all %d dimensions in order", rank(o))
	}
	elem := o.out(0).DType
	return first(
		o.wantsRegion(0, scalars(o.Operands), []tensor.Type{scalar(elem)}),
		o.gives(tensor.Type{DType: elem, Shape: o.shape(0)}))
}

func checkSort(o *Op) error {
	d := o.Attrs.Int("dimension", -1)
	if d < 0 {
		d += rank(o) // as Python counts
		o.Attrs["dimension"] = int64(d)
	}
	if err := o.oneDim("dimension", rank(o)); err != nil {
		return err
	}
	var params []tensor.Type
	for i, t := range scalars(o.Operands) {
		if !o.shape(i).Equal(o.shape(0)) {
			return fmt.Errorf("operand %d has type %v, but operand 0 has %v", i, o.in(i), o.in(0))
		}
		params = append(params, t, t)
	}
	return first(o.wantsRegion(0, params, []tensor.Type{scalar(tensor.Bool)}), o.gives(types(o.Operands)...))
}
