package build

import "fmt"

// Relu returns the larger of x and 0.
func (b *Builder) Relu(x Value) Value { return b.Max(x, 0) }

// Softmax returns e^x divided by its sum along dimension dim. The largest element is subtracted first, so that
// nothing overflows.
func (b *Builder) Softmax(x Value, dim int) Value {
	if b.use([]Value{x}) == nil {
		return Value{}
	}
	at := int(fromEnd(dim, x.Rank()))
	if at < 0 || at >= x.Rank() {
		b.fail(fmt.Sprintf("%v has no dimension %d", x, dim), "count dimensions from 0, or from the end with -1")
		return Value{}
	}
	e := b.Exp(b.Sub(x, b.along(b.ReduceMax(x, at), x, at)))
	return b.Div(e, b.along(b.Sum(e, at), x, at))
}

// along repeats a reduction of x along the dimension that it lacks.
func (b *Builder) along(reduced, x Value, dim int) Value {
	var at []int
	for i := range x.Rank() {
		if i != dim {
			at = append(at, i)
		}
	}
	return b.BroadcastInDim(reduced, at, x.Shape()...)
}
