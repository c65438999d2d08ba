package tensor

import (
	"fmt"
	"slices"
	"sync"
)

// View is a public rule that makes a tensor by copying: each element of the result is an element of the operands,
// taken one after the other as one list, or the fill value.
//
// A strided view reads element Offset + Σ index_d·Strides[d]. Any other view lists its source
// positions, one by one or in runs, which are computed only on request, so that a view costs nothing
// in a dry run.
type View struct {
	Shape Shape // shape of the result
	In    int   // number of elements of all operands together
	// Offset and Strides define a strided view. Both are in elements; Strides has one number of any sign for each
	// dimension of Shape. Other views do not use them.
	Offset  int
	Strides []int
	index   func() []int32 // nil for a strided view; else the source position of each element, or Fill
	runs    func() []Run   // nil for other views than those in runs: the same as index, run by run
}

// Fill is the entry of a View's index list for an element that no operand provides; such an element gets the fill
// value.
const Fill = -1

// Strided reports whether the view is defined by Offset and Strides; if not, only Index gives the positions.
func (v View) Strided() bool { return v.index == nil }

// Identity reports whether the view copies its only operand unchanged (a reshape).
func (v View) Identity() bool {
	if v.index != nil || v.Offset != 0 || v.In != v.Shape.Size() {
		return false
	}
	for i, s := range v.Shape.Strides() {
		if v.Shape[i] != 1 && v.Strides[i] != s {
			return false
		}
	}
	return true
}

// Same reports whether two views are strided and copy the same elements of operands of the same size into the same shape.
func (v View) Same(w View) bool {
	return v.Strided() && w.Strided() && v.In == w.In && v.Offset == w.Offset && v.Shape.Equal(w.Shape) && slices.Equal(v.Strides, w.Strides)
}

// Block returns the position of the first element of the view in its only operand if the view copies adjacent elements unchanged.
func (v View) Block() (from int, ok bool) {
	if v.index != nil || v.Shape.Size() == 0 {
		return 0, false
	}
	for i, s := range v.Shape.Strides() {
		if v.Shape[i] != 1 && v.Strides[i] != s {
			return 0, false
		}
	}
	return v.Offset, true
}

// Expands reports whether the result has more elements than the operands, so that opening or
// sharing before the view is cheaper than after it.
func (v View) Expands() bool { return v.Shape.Size() > v.In }

// Index returns the source position of every element of the result, or Fill. The caller must not change the slice.
func (v View) Index() []int32 {
	if v.index != nil {
		return v.index()
	}
	out := make([]int32, 0, v.Shape.Size())
	v.Runs(func(start, stride, n int) {
		for i := 0; i < n; i++ {
			out = append(out, int32(start+i*stride))
		}
	})
	return out
}

// Listing returns the source positions of a view that is not strided in runs, if it was made so.
func (v View) Listing() (runs []Run, ok bool) {
	if v.runs == nil {
		return nil, false
	}
	return v.runs(), true
}

// Runs calls f for every run along the last dimension of a strided view, in the result's order. A run has n elements,
// from position start, each stride positions after the one before.
func (v View) Runs(f func(start, stride, n int)) {
	rank := len(v.Shape)
	if rank == 0 {
		f(v.Offset, 1, 1)
		return
	}
	if v.Shape.Size() == 0 {
		return
	}
	inner, stride := v.Shape[rank-1], v.Strides[rank-1]
	at := make([]int, rank-1)
	pos := v.Offset
	for {
		f(pos, stride, inner)
		d := rank - 2
		for ; d >= 0; d-- {
			at[d]++
			pos += v.Strides[d]
			if at[d] < v.Shape[d] {
				break
			}
			pos -= at[d] * v.Strides[d]
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// Listed returns the view of the given shape whose elements have the source positions index(), each Fill or below in,
// the number of elements of all operands. index is called at most once, when the list is first needed. Listed panics
// if in is 2^31 or more.
func Listed(shape Shape, in int, index func() []int32) View {
	if in > 1<<31-1 {
		panic(fmt.Sprintf("tensor: view over %d elements", in))
	}
	return View{Shape: shape, In: in, index: sync.OnceValue(index)}
}

// Reshaped returns the view of an operand of shape in that gives its elements the shape out. It panics if the sizes
// differ.
func Reshaped(in, out Shape) View {
	if in.Size() != out.Size() {
		panic(fmt.Sprintf("tensor: reshape %v to %v", in, out))
	}
	return View{Shape: out, In: in.Size(), Strides: out.Strides()}
}

// Transposed returns the view of an operand of shape in that permutes its dimensions: dimension i of the result is
// dimension perm[i] of in.
func Transposed(in Shape, perm []int) View {
	st := in.Strides()
	v := View{Shape: make(Shape, len(perm)), In: in.Size(), Strides: make([]int, len(perm))}
	for i, p := range perm {
		v.Shape[i], v.Strides[i] = in[p], st[p]
	}
	return v
}

// Sliced returns the view of an operand of shape in that takes, along every dimension d, the positions start[d],
// start[d]+stride[d], … below limit[d].
func Sliced(in Shape, start, limit, stride []int) View {
	st := in.Strides()
	v := View{Shape: make(Shape, len(in)), In: in.Size(), Strides: make([]int, len(in))}
	for i := range in {
		v.Shape[i] = (limit[i] - start[i] + stride[i] - 1) / stride[i]
		v.Strides[i] = st[i] * stride[i]
		v.Offset += start[i] * st[i]
	}
	return v
}

// Reversed returns the view of an operand of shape in that reverses the order along each of the dimensions dims.
func Reversed(in Shape, dims []int) View {
	v := View{Shape: in.Clone(), In: in.Size(), Strides: in.Strides()}
	for _, d := range dims {
		v.Offset += (in[d] - 1) * v.Strides[d]
		v.Strides[d] = -v.Strides[d]
	}
	return v
}

// Broadcast returns the view of an operand of shape in that has the shape out: dimension i of in becomes dimension
// dims[i] of out. The elements are repeated along all other dimensions of out, and along dims[i] if in has size 1
// there.
func Broadcast(in Shape, dims []int, out Shape) View {
	v := View{Shape: out, In: in.Size(), Strides: make([]int, len(out))}
	st := in.Strides()
	for i, d := range dims {
		if in[i] != 1 {
			v.Strides[d] = st[i]
		}
	}
	return v
}

// Apply returns the elements of view v of the operands src, one slice for each operand. Elements without a source are
// fill.
func Apply[T any](v View, fill T, src ...[]T) []T {
	out := make([]T, v.Shape.Size())
	ApplyTo(out, v, fill, src...)
	return out
}

// ApplyTo is Apply that writes to out, which has Shape.Size() elements and overlaps no operand, and returns it.
func ApplyTo[T any](out []T, v View, fill T, src ...[]T) {
	if v.Strided() {
		if len(out) == 0 {
			return
		}
		applyStrided(out, v, src[0])
		return
	}
	if v.runs != nil {
		applyRuns(out, v.runs(), fill, src)
		return
	}
	index := v.Index()
	if len(src) == 1 {
		in := src[0]
		for i, p := range index {
			if p < 0 {
				out[i] = fill
			} else {
				out[i] = in[p]
			}
		}
		return
	}
	starts := make([]int, len(src)+1)
	for i, s := range src {
		starts[i+1] = starts[i] + len(s)
	}
	k := 0
	for i, p32 := range index {
		p := int(p32)
		if p < 0 {
			out[i] = fill
			continue
		}
		for p < starts[k] {
			k--
		}
		for p >= starts[k+1] {
			k++
		}
		out[i] = src[k][p-starts[k]]
	}
}
