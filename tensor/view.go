package tensor

import (
	"fmt"
	"sync"
)

// View is a public rule that makes a tensor by copying: each element of the result is an element of
// the concatenated operands, or the fill value.
//
// A strided view reads element Offset + Σ index_d·Strides[d]. Any other view lists its source
// positions, one by one or in runs, which are computed only on request, so that a view costs nothing
// in a dry run.
type View struct {
	Shape Shape // of the result
	In    int   // number of elements of all operands together
	// Offset and Strides (in elements, one for each dimension of Shape, of any sign) define a
	// strided view.
	Offset  int
	Strides []int
	index   func() []int32 // nil for a strided view; else the source position of each element, or Fill
	runs    func() []Run   // nil for other views than those in runs: the same as index, run by run
}

// Fill marks, in an index list, elements that get the fill value.
const Fill = -1

// Strided reports whether the view is defined by Offset and Strides.
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

// Expands reports whether the result has more elements than the operands, so that opening or
// sharing before the view is cheaper than after it.
func (v View) Expands() bool { return v.Shape.Size() > v.In }

// Index lists the source position of every element of the result, or Fill. Callers must not change
// the list.
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

// Runs calls f for every run along the last dimension of a strided view, in the result's order: n
// elements from position start, stride apart.
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

// Listed is a view given by the source position of each element. index is called at most once, when
// the list is first needed.
func Listed(shape Shape, in int, index func() []int32) View {
	if in > 1<<31-1 {
		panic(fmt.Sprintf("tensor: view over %d elements", in))
	}
	return View{Shape: shape, In: in, index: sync.OnceValue(index)}
}

// Reshaped is the view of in's elements with the shape out.
func Reshaped(in, out Shape) View {
	if in.Size() != out.Size() {
		panic(fmt.Sprintf("tensor: reshape %v to %v", in, out))
	}
	return View{Shape: out, In: in.Size(), Strides: out.Strides()}
}

// Transposed permutes dimensions: dimension i of the result is dimension perm[i] of in.
func Transposed(in Shape, perm []int) View {
	st := in.Strides()
	v := View{Shape: make(Shape, len(perm)), In: in.Size(), Strides: make([]int, len(perm))}
	for i, p := range perm {
		v.Shape[i], v.Strides[i] = in[p], st[p]
	}
	return v
}

// Sliced takes the elements start, start+stride, … below limit in every dimension.
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

// Reversed reverses the given dimensions.
func Reversed(in Shape, dims []int) View {
	v := View{Shape: in.Clone(), In: in.Size(), Strides: in.Strides()}
	for _, d := range dims {
		v.Offset += (in[d] - 1) * v.Strides[d]
		v.Strides[d] = -v.Strides[d]
	}
	return v
}

// Broadcast maps dimension i of in to dimension dims[i] of out and repeats it along all others, and
// along dims[i] where in has size 1.
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

// Apply copies elements by the view. src are the operands' elements, one slice each; fill is the
// fill value.
func Apply[T any](v View, fill T, src ...[]T) []T {
	out := make([]T, v.Shape.Size())
	ApplyTo(out, v, fill, src...)
	return out
}

// ApplyTo is Apply into a slice of Shape.Size() elements that overlaps no operand.
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
