package hlo

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names (Op.Name) of the StableHLO operations that apply a region to many elements.
const (
	OpMap              = "stablehlo.map"
	OpReduce           = "stablehlo.reduce"
	OpReduceWindow     = "stablehlo.reduce_window"
	OpSelectAndScatter = "stablehlo.select_and_scatter"
	OpSort             = "stablehlo.sort"
)

// reduceOps are operations that apply a region to many elements.
func reduceOps() (ops []opDef) {
	ops = append(
		ops,
		opDef{
			name:     OpReduce,
			operands: atLeast(2),
			results:  atLeast(1),
			regions:  exactly(1),
			check:    checkReduce,
			infer:    halfOfOperands,
			params:   reducerParams,
			traits:   Precise,
			linear:   all,
			attrs:    []attrDef{required("dimensions", isInts)},
			form:     form(reduceForm),
		},
		opDef{
			name:     OpReduceWindow,
			operands: atLeast(2),
			results:  atLeast(1),
			regions:  exactly(1),
			check:    checkReduceWindow,
			infer:    halfOfOperands,
			params:   reducerParams,
			linear:   all,
			attrs: []attrDef{
				required("window_dimensions", isInts), perDim("window_strides", 1, rank), perDim("base_dilations", 1, rank),
				perDim("window_dilations", 1, rank), padding(twiceRank),
			},
		},
		opDef{
			name:     OpSelectAndScatter,
			operands: exactly(3),
			results:  exactly(1),
			regions:  exactly(2),
			check:    checkSelectAndScatter,
			params:   elementPair,
			linear:   []int{1, 2},
			attrs:    []attrDef{perDim("window_dimensions", 1, rank), perDim("window_strides", 1, rank), padding(twiceRank)},
		},
		opDef{name: OpMap, operands: atLeast(1), results: exactly(1), regions: exactly(1), check: checkMap, infer: mapResult, params: elements,
			attrs: []attrDef{required("dimensions", isInts)}},
		opDef{
			name:     OpSort,
			operands: atLeast(1),
			results:  atLeast(1),
			regions:  exactly(1),
			check:    checkSort,
			infer:    asOperands,
			params:   sortParams,
			attrs:    []attrDef{preset("dimension", isInt, int64(-1)), preset("is_stable", isFlag, false)},
		},
	)
	return ops
}

func twiceRank(o *Op) int { return 2 * rank(o) }

// padding declares the attribute padding, pairs of integers, by default zero.
func padding(n func(o *Op) int) attrDef {
	p := perDim("padding", 0, n)
	p.is = isPairs
	return p
}

// halfOfOperands are as many results as an operation has pairs of operands.
func halfOfOperands(o *Op) []tensor.Type { return make([]tensor.Type, len(o.Operands)/2) }

// elements are the types of single elements of the operands.
func elements(o *Op) []tensor.Type { return scalars(o.Operands) }

// elementPair are the types of two elements of operand 0.
func elementPair(o *Op) []tensor.Type { return slices.Repeat(scalars(o.Operands[:1]), 2) }

// reducerParams are the types of two elements of each reduced operand: all
// first ones, then all second ones. Scatter's are the same.
func reducerParams(o *Op) []tensor.Type {
	return slices.Repeat(scalars(o.Operands[:len(o.Operands)/2]), 2)
}

// sortParams are the types of two elements of each operand, in pairs.
func sortParams(o *Op) []tensor.Type {
	var params []tensor.Type
	for _, t := range elements(o) {
		params = append(params, t, t)
	}
	return params
}

// mapResult is operand 0's shape with the elements that the region returns.
func mapResult(o *Op) []tensor.Type {
	ret := o.Regions[0].Return().Operands
	if len(ret) != 1 {
		return nil
	}
	return []tensor.Type{{DType: ret[0].Type.DType, Shape: o.shape(0)}}
}

// scalars are the types of single elements of values.
func scalars(vs []*Value) []tensor.Type {
	out := make([]tensor.Type, len(vs))
	for i, v := range vs {
		out[i] = scalar(v.Type.DType)
	}
	return out
}

// wantsReducer checks the common rules of reductions: operands of one shape, as many scalar initial
// values, and a region that combines elements. It returns the number of reduced operands.
func (o *Op) wantsReducer() (int, error) {
	n := len(o.Operands) / 2
	if len(o.Operands) != 2*n || len(o.Results) != n {
		return 0, fmt.Errorf(
			"has %d operands and %d results, but takes an operand and an initial value for each result",
			len(o.Operands),
			len(o.Results),
		)
	}
	for i := range n {
		if !o.shape(i).Equal(o.shape(0)) {
			return 0, fmt.Errorf("operand %d has type %v, but operand 0 has %v", i, o.in(i), o.in(0))
		}
		if want := scalar(o.in(i).DType); !o.in(n + i).Equal(want) {
			return 0, fmt.Errorf("the initial value of operand %d has type %v, but must have %v", i, o.in(n+i), want)
		}
	}
	return n, o.wantsRegion(0, scalars(o.Operands[:n]))
}

// givesShapes checks that each result has its operand's element type and shape s.
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

// window is the geometry of windows along one dimension.
type window struct{ size, stride, low, high, baseDilation, dilation int }

// count returns the number of positions of the window along a dimension of size n.
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
		return fmt.Errorf("the source has type %v, but the windows give %v", o.in(1), want)
	}
	if !o.in(2).Equal(elem) {
		return fmt.Errorf("the initial value has type %v, but must have %v", o.in(2), elem)
	}
	return first(
		o.wantsRegion(0, []tensor.Type{scalar(tensor.Bool)}),
		o.wantsRegion(1, []tensor.Type{elem}),
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
		o.wantsRegion(0, []tensor.Type{scalar(elem)}),
		o.gives(tensor.Type{DType: elem, Shape: o.shape(0)}))
}

func checkSort(o *Op) error {
	d := o.Attrs.Int("dimension", -1)
	if d < 0 {
		d += rank(o) // negative numbers count from the end, as in Python
		o.Attrs["dimension"] = int64(d)
	}
	if err := o.oneDim("dimension", rank(o)); err != nil {
		return err
	}
	for i := range o.Operands {
		if !o.shape(i).Equal(o.shape(0)) {
			return fmt.Errorf("operand %d has type %v, but operand 0 has %v", i, o.in(i), o.in(0))
		}
	}
	return first(o.wantsRegion(0, []tensor.Type{scalar(tensor.Bool)}), o.gives(types(o.Operands)...))
}
