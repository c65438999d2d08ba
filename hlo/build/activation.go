package build

import (
	"fmt"
	"math"
)

// Relu returns the larger of x and 0.
func (b *Builder) Relu(x Value) Value { return b.Max(x, 0) }

// Silu returns x·sigmoid(x), also called swish.
func (b *Builder) Silu(x Value) Value { return b.Mul(x, b.Sigmoid(x)) }

// Gelu returns x·Φ(x), where Φ is the distribution function of a standard normal number: x/2·(1 + erf(x/√2)).
func (b *Builder) Gelu(x Value) Value {
	return b.Mul(b.Mul(x, 0.5), b.Add(b.Erf(b.Mul(x, math.Sqrt2/2)), 1))
}

// GeluTanh returns the approximation of Gelu by a tanh: x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))).
func (b *Builder) GeluTanh(x Value) Value {
	cubic := b.Add(x, b.Mul(b.Mul(b.Mul(x, x), x), 0.044715))
	return b.Mul(b.Mul(x, 0.5), b.Add(b.Tanh(b.Mul(cubic, math.Sqrt(2/math.Pi))), 1))
}

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
