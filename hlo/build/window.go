package build

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// Window describes windows over a tensor. Its lists have one number for each dimension of the tensor; nil stands for
// 1, and for no padding.
type Window struct {
	Size         []int    // number of elements of a window
	Strides      []int    // distance between windows
	BaseDilation []int    // distance between the tensor's elements
	Dilation     []int    // distance between the window's elements
	Padding      [][2]int // number of elements before and after the tensor
}

// attrs are the window's attributes.
func (w Window) attrs() hlo.Attrs {
	attrs := hlo.Attrs{"window_dimensions": ints(w.Size)}
	setInts(attrs, "window_strides", w.Strides)
	setInts(attrs, "base_dilations", w.BaseDilation)
	setInts(attrs, "window_dilations", w.Dilation)
	setPairs(attrs, "padding", w.Padding)
	return attrs
}

// WindowSum returns the sum of the elements in each place of the window w.
func (b *Builder) WindowSum(x Value, w Window) Value { return b.foldWindow(hlo.OpAdd, x, w) }

// WindowMax returns the largest element in each place of the window w: max pooling.
func (b *Builder) WindowMax(x Value, w Window) Value { return b.foldWindow(hlo.OpMaximum, x, w) }

// WindowMin returns the smallest element in each place of the window w.
func (b *Builder) WindowMin(x Value, w Window) Value { return b.foldWindow(hlo.OpMinimum, x, w) }

func (b *Builder) foldWindow(name string, x Value, w Window) Value {
	if b.use([]Value{x}) == nil {
		return Value{}
	}
	operands := []Value{x, b.identity(name, x.DType())}
	return b.op(hlo.OpReduceWindow, nil, operands, w.attrs(), []Region{b.combine(name)})[0]
}

// ReduceWindow combines the elements of xs in each place of the window w, as Reduce combines those along dimensions,
// and returns a result for each of xs.
func (b *Builder) ReduceWindow(xs []Value, inits []any, w Window, body func(x, y []Value) []Value) []Value {
	operands, ok := b.withInits(xs, inits)
	if !ok {
		return make([]Value, len(xs))
	}
	return b.op(hlo.OpReduceWindow, nil, operands, w.attrs(), []Region{halves(body)})
}

// SelectAndScatter returns the gradient of max-pooling and the like. choose says of two elements whether the first is
// preferred, and so picks one element of x in each place of the window w. The result starts as init; combine adds the
// element of source for that place to the result's element at the picked index. source has the shape that
// ReduceWindow gives; dilations must be nil.
func (b *Builder) SelectAndScatter(x, source Value, init any, w Window, choose, combine func(x, y Value) Value) Value {
	if b.use([]Value{x, source}) == nil {
		return Value{}
	}
	if slices.ContainsFunc([][]int{w.BaseDilation, w.Dilation}, func(d []int) bool { return d != nil }) {
		b.fail("the window is dilated", "leave its dilations nil")
		return Value{}
	}
	operands := []Value{x, source, b.bound(init, x.DType())}
	return b.op(hlo.OpSelectAndScatter, nil, operands, w.attrs(), []Region{pair(choose), pair(combine)})[0]
}
