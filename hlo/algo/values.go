package algo

import (
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Values moves the elements of values of type V, such as arrays or secrets.
type Values[V any] interface {
	// Shape returns the shape of x.
	Shape(x V) tensor.Shape
	// View returns the value that view v copies from values of one element type, taken one after the other.
	View(v tensor.View, in ...V) V
}

// Combiner is what algorithms that combine elements need besides Values: a region that is applied to many elements.
type Combiner[V any] interface {
	Values[V]
	// Apply applies the region to all elements at once. args has one value for each parameter of the region, all
	// of one shape, which is also the shape of the results.
	Apply(args ...V) ([]V, error)
}

// Reshaped returns x with another shape of the same size.
func Reshaped[V any](of Values[V], x V, shape tensor.Shape) V {
	return of.View(tensor.Reshaped(of.Shape(x), shape), x)
}

// Spread returns the scalar x repeated for all elements of a shape.
func Spread[V any](of Values[V], x V, shape tensor.Shape) V {
	return of.View(tensor.Broadcast(of.Shape(x), nil, shape), x)
}

// Take returns, for each of xs, the vector of its elements at the row-major positions in index.
func Take[V any](of Values[V], xs []V, index []int32) []V {
	return Picked(of, xs, index, tensor.Shape{len(index)})
}

// Picked is Take with results of the given shape.
func Picked[V any](of Values[V], xs []V, index []int32, shape tensor.Shape) []V {
	out := make([]V, len(xs))
	for i, x := range xs {
		out[i] = of.View(tensor.Listed(shape, of.Shape(x).Size(), func() []int32 { return index }), x)
	}
	return out
}

// Concatenated returns the values concatenated along the first dimension.
func Concatenated[V any](of Values[V], parts ...V) V {
	if len(parts) == 1 {
		return parts[0]
	}
	shapes := make([]tensor.Shape, len(parts))
	for i, p := range parts {
		shapes[i] = of.Shape(p)
	}
	return of.View(tensor.Concatenated(shapes, 0), parts...)
}

// rows returns every step-th row, along the first dimension, from row from to below row to.
func rows[V any](of Values[V], x V, from, to, step int) V {
	return of.View(cut(of.Shape(x), 0, from, to, step), x)
}

// cut returns the view of every step-th element along a dimension, from from to below to.
func cut(shape tensor.Shape, dim, from, to, step int) tensor.View {
	start, limit, steps := make([]int, len(shape)), slices.Clone(shape), slices.Repeat([]int{1}, len(shape))
	start[dim], limit[dim], steps[dim] = from, to, step
	return tensor.Sliced(shape, start, limit, steps)
}

// Counted returns the numbers 0 … n−1.
func Counted(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// Others returns the dimensions below rank that are in none of the lists, in ascending order.
func Others(rank int, lists ...[]int) []int {
	var out []int
	for d := range rank {
		if !slices.ContainsFunc(lists, func(l []int) bool { return slices.Contains(l, d) }) {
			out = append(out, d)
		}
	}
	return out
}

// Size returns the product of the sizes of s along the given dimensions.
func Size(s tensor.Shape, dims []int) int {
	n := 1
	for _, d := range dims {
		n *= s[d]
	}
	return n
}
