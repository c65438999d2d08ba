package algo

import (
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Padding and the gaps between dilated elements do not take part in the reduction of a window: this is XLA's
// behaviour, while StableHLO's specification puts the initial value there. The two agree if the initial value is
// neutral.

// Reduced holds the reductions of windows.
type Reduced[V any] struct {
	X    []V    // one value for each operand, with one element for each window
	Held []bool // whether each window holds an element of the operand; the reduction of a window that holds none is undefined
}

func (r Reduced[V]) viewed(of Values[V], v tensor.View) Reduced[V] {
	out := Reduced[V]{Held: tensor.Apply(v, false, r.Held)}
	for _, x := range r.X {
		out.X = append(out.X, of.View(v, x))
	}
	return out
}

// CombineInits returns the reductions of windows combined with the initial values, which come first. There is one of
// inits and one result for each operand.
func CombineInits[V any](b Combiner[V], inits []V, windows Reduced[V]) ([]V, error) {
	shape := b.Shape(windows.X[0])
	first := Reduced[V]{Held: slices.Repeat([]bool{true}, shape.Size())}
	for _, v := range inits {
		first.X = append(first.X, Spread(b, v, shape))
	}
	all, err := combine(b, first, windows)
	return all.X, err
}

// ReduceOverlapping reduces windows of each operand along one dimension after the other, the last one first, which
// keeps row-major order. Along a dimension, windows of 2m elements are combined from two windows of m elements,
// so a window of w elements costs log2(w) to 2·log2(w) applications of the region to the whole operand instead of
// w.
func ReduceOverlapping[V any](b Combiner[V], w Window, operands []V) (Reduced[V], error) {
	cur := elements(b, w, operands)
	var err error
	for d := len(w.In) - 1; d >= 0; d-- {
		if cur, err = reduceAlong(b, cur, d, w.Size[d], w.Dilate[d]); err != nil {
			return Reduced[V]{}, err
		}
		// Windows begin w.Stride[d] apart.
		limit := max(0, (w.Out[d]-1)*w.Stride[d]+1)
		cur = cur.viewed(b, cut(b.Shape(cur.X[0]), d, 0, limit, w.Stride[d]))
	}
	return cur, nil
}

// elements returns windows of one element, one for each position of the operands with padding and gaps.
func elements[V any](of Values[V], w Window, operands []V) Reduced[V] {
	padded, unused := w.Padded(), anyElement(w.In.Size())
	index := slices.Clone(padded.Index())
	held := make([]bool, len(index))
	for i, p := range index {
		if held[i] = p != tensor.Fill; !held[i] {
			index[i] = unused
		}
	}
	return Reduced[V]{Picked(of, operands, index, padded.Shape), held}
}

// anyElement returns the position of an element, of size elements, whose value does not matter.
func anyElement(size int) int32 {
	if size == 0 {
		return tensor.Fill
	}
	return 0
}

// reduceAlong replaces every element by the reduction of the window of size elements, dilation apart, that starts
// there. Windows that extend beyond the tensor are left out.
func reduceAlong[V any](b Combiner[V], x Reduced[V], dim, size, dilation int) (Reduced[V], error) {
	var done Reduced[V] // reductions of the first have elements of each window
	have := 0
	var err error
	for power, m := x, 1; ; m *= 2 { // power: reductions of windows of m elements
		if size&m != 0 {
			if have == 0 {
				done = power
			} else if done, err = combineAt(b, done, power, dim, have*dilation); err != nil {
				return Reduced[V]{}, err
			}
			have += m
		}
		if have == size {
			return done, nil
		}
		if power, err = combineAt(b, power, power, dim, m*dilation); err != nil {
			return Reduced[V]{}, err
		}
	}
}

// combineAt combines each window of x with the window of y that starts distance later.
func combineAt[V any](b Combiner[V], x, y Reduced[V], dim, distance int) (Reduced[V], error) {
	sx, sy := b.Shape(x.X[0]), b.Shape(y.X[0])
	length := max(0, min(sx[dim], sy[dim]-distance))
	return combine(b, x.viewed(b, cut(sx, dim, 0, length, 1)), y.viewed(b, cut(sy, dim, distance, distance+length, 1)))
}

// combine combines windows of x and y at the same positions. If only one of the two holds an element, the result is
// that one.
func combine[V any](b Combiner[V], x, y Reduced[V]) (Reduced[V], error) {
	if !slices.Contains(x.Held, false) && !slices.Contains(y.Held, false) {
		out, err := b.Apply(slices.Concat(x.X, y.X)...)
		return Reduced[V]{out, x.Held}, err
	}
	n, shape := len(x.Held), b.Shape(x.X[0])
	out := Reduced[V]{Held: make([]bool, n)}
	var both []int32
	for i := range n {
		out.Held[i] = x.Held[i] || y.Held[i]
		if x.Held[i] && y.Held[i] {
			both = append(both, int32(i))
		}
	}
	from := make([]int32, n) // position in the combined elements, then x, then y
	done := int32(0)
	for i := range from {
		switch {
		case x.Held[i] && y.Held[i]:
			from[i] = done
			done++
		case x.Held[i]:
			from[i] = int32(len(both) + i)
		default:
			from[i] = int32(len(both) + n + i)
		}
	}
	v := tensor.Listed(shape, len(both)+2*n, func() []int32 { return from })
	if len(both) == 0 {
		for k := range x.X {
			out.X = append(out.X, b.View(v, x.X[k], y.X[k]))
		}
		return out, nil
	}
	res, err := b.Apply(append(Take(b, x.X, both), Take(b, y.X, both)...)...)
	if err != nil {
		return Reduced[V]{}, err
	}
	for k, r := range res {
		out.X = append(out.X, b.View(v, r, x.X[k], y.X[k]))
	}
	return out, nil
}

// ReduceSeparately reduces each window of each operand on its own. It combines neighbours pairwise, in all windows at
// the same time.
func ReduceSeparately[V any](b Combiner[V], w Window, operands []V) (Reduced[V], error) {
	index, size, n := w.Index(), w.Size.Size(), w.Out.Size()
	out := Reduced[V]{Held: make([]bool, n)}
	var inside []int32
	var lengths []int // of the windows that hold an element
	from := make([]int32, n)
	for o := range n {
		before := len(inside)
		for _, p := range index[o*size:][:size] {
			if p != tensor.Fill {
				inside = append(inside, p)
			}
		}
		if got := len(inside) - before; got > 0 {
			from[o], out.Held[o] = int32(len(lengths)), true
			lengths = append(lengths, got)
		}
	}
	folded, err := FoldLists(b, operands, inside, lengths)
	if err != nil {
		return Reduced[V]{}, err
	}
	if len(lengths) == n {
		for _, x := range folded {
			out.X = append(out.X, Reshaped(b, x, w.Out))
		}
		return out, nil
	}
	for o, held := range out.Held {
		if !held {
			from[o] = anyElement(len(lengths))
		}
	}
	out.X = Picked(b, folded, from, w.Out)
	return out, nil
}

// Columns returns the elements of each operand arranged so that each window becomes a column: the results have the
// shape [elements of a window, windows]. ok is false if a window has padding or gaps.
func Columns[V any](of Values[V], w Window, operands []V) (columns []V, ok bool) {
	index, size, n := w.Index(), w.Size.Size(), w.Out.Size()
	if slices.Contains(index, tensor.Fill) {
		return nil, false
	}
	from := make([]int32, len(index))
	for o := range n {
		for t := range size {
			from[t*n+o] = index[o*size+t]
		}
	}
	return Picked(of, operands, from, tensor.Shape{size, n}), true
}
