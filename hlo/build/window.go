package build

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// Window is what sweeps over a tensor. Its lists have a number for each
// dimension; nil stands for 1, and for no padding.
type Window struct {
	Size         []int
	Strides      []int
	BaseDilation []int // distance between the tensor's elements
	Dilation     []int // distance between the window's elements
	Padding      [][2]int
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

// WindowSum adds up the elements in each place of a window.
func (b *Builder) WindowSum(x Value, w Window) Value { return b.foldWindow(hlo.OpAdd, x, w) }

// WindowMax is the largest element in each place of a window: max pooling.
func (b *Builder) WindowMax(x Value, w Window) Value { return b.foldWindow(hlo.OpMaximum, x, w) }

// WindowMin is the smallest element in each place of a window.
func (b *Builder) WindowMin(x Value, w Window) Value { return b.foldWindow(hlo.OpMinimum, x, w) }

func (b *Builder) foldWindow(name string, x Value, w Window) Value {
	if b.use([]Value{x}) == nil {
		return Value{}
	}
	operands := []Value{x, b.identity(name, x.DType())}
	return b.op(hlo.OpReduceWindow, nil, operands, w.attrs(), []Region{b.combine(name)})[0]
}

// ReduceWindow combines the elements in each place of a window as Reduce
// combines those of dimensions.
func (b *Builder) ReduceWindow(xs []Value, inits []any, w Window, body func(x, y []Value) []Value) []Value {
	operands, ok := b.withInits(xs, inits)
	if !ok {
		return make([]Value, len(xs))
	}
	return b.op(hlo.OpReduceWindow, nil, operands, w.attrs(), []Region{halves(body)})
}

// SelectAndScatter picks one element of x for each place of a window: choose
// says of two elements whether the first is preferred. The result starts as
// init; at the picked element's index, combine adds the window's element of
// source. This is the gradient of max-pooling. source has the shape that ReduceWindow gives; dilations must be nil.
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
