package algo

import (
	"math/bits"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Window describes windows over an operand of shape In, one for each element of Out, of Size elements each. Along
// dimension d, element t of window o lies at position o·Stride[d] + t·Dilate[d] of the operand with Base[d]−1 gaps
// between its elements, Pad[2d] elements of padding before them and Pad[2d+1] after them (negative padding removes
// elements).
type Window struct {
	In, Out, Size             tensor.Shape
	Stride, Base, Dilate, Pad []int
	Reversed                  []bool // whether elements of a window are counted from its end, by dimension; nil: along none
}

// WindowOf returns the windows of o, a reduce_window or select_and_scatter.
func WindowOf(o *hlo.Op) Window {
	in := o.Operands[0].Type.Shape
	w := Window{In: in, Out: o.Results[0].Type.Shape, Size: listOf(o, "window_dimensions", len(in), 1)}
	if o.Name == hlo.OpSelectAndScatter {
		w.Out = o.Operands[1].Type.Shape
	}
	return w.dilated(o, "base_dilations", "window_dilations")
}

// dilated reads the window's attributes that all operations with windows have; base and window are the names of
// the dilations.
func (w Window) dilated(o *hlo.Op, base, window string) Window {
	rank := len(w.In)
	w.Stride, w.Pad = listOf(o, "window_strides", rank, 1), listOf(o, "padding", 2*rank, 0)
	w.Base, w.Dilate = listOf(o, base, rank, 1), listOf(o, window, rank, 1)
	return w
}

// listOf returns a list attribute, or n times missing if there is none.
func listOf(o *hlo.Op, name string, n, missing int) []int {
	if v := o.Attrs.Ints(name); v != nil {
		return v
	}
	return slices.Repeat([]int{missing}, n)
}

// At returns the operand's coordinate along dimension d of element t of window o; −1 in padding and gaps.
func (w Window) At(d, o, t int) int {
	if w.Reversed != nil && w.Reversed[d] {
		t = w.Size[d] - 1 - t
	}
	p := o*w.Stride[d] + t*w.Dilate[d] - w.Pad[2*d]
	if p < 0 || p%w.Base[d] != 0 || p/w.Base[d] >= w.In[d] {
		return -1
	}
	return p / w.Base[d]
}

// Index returns, for every window and every element of it, its position in the operand; tensor.Fill in padding and
// gaps.
func (w Window) Index() []int32 {
	taps, strides := w.Size.Size(), w.In.Strides()
	index := make([]int32, w.Out.Size()*taps)
	offsets := make([][]int32, len(w.In)) // by dimension, window and element
	for d := range w.In {
		for o := range w.Out[d] {
			for t := range w.Size[d] {
				p := w.At(d, o, t)
				if p >= 0 {
					p *= strides[d]
				}
				offsets[d] = append(offsets[d], int32(p))
			}
		}
	}
	o, at := make([]int, len(w.In)), make([][]int32, len(w.In))
	for list := index; len(list) > 0; list = list[taps:] {
		for d, n := range w.Size {
			at[d] = offsets[d][o[d]*n:][:n]
		}
		sums(list[:taps], at, 0)
		advance(o, w.Out)
	}
	return index
}

// sums lists base plus one offset of each list, in row-major order; tensor.Fill if an offset is negative.
func sums(to []int32, offsets [][]int32, base int32) {
	switch len(offsets) {
	case 0:
		to[0] = base
		return
	case 1:
		for i, o := range offsets[0] {
			if to[i] = base + o; o < 0 {
				to[i] = tensor.Fill
			}
		}
		return
	}
	n := len(to) / len(offsets[0])
	for i, o := range offsets[0] {
		part := to[i*n:][:n]
		if o >= 0 {
			sums(part, offsets[1:], base+o)
			continue
		}
		for k := range part {
			part[k] = tensor.Fill
		}
	}
}

// advance moves to the next coordinates in row-major order.
func advance(at []int, s tensor.Shape) {
	for d := len(at) - 1; d >= 0; d-- {
		if at[d]++; at[d] < s[d] {
			return
		}
		at[d] = 0
	}
}

// Padded returns the view of the operand with its padding and gaps as elements without a source.
func (w Window) Padded() tensor.View {
	rank := len(w.In)
	low, high, interior := make([]int, rank), make([]int, rank), make([]int, rank)
	for d := range rank {
		low[d], high[d], interior[d] = w.Pad[2*d], w.Pad[2*d+1], w.Base[d]-1
	}
	return tensor.Padded(w.In, low, high, interior)
}

// Plain reports whether neither the operand nor the windows are dilated.
func (w Window) Plain() bool {
	return !slices.ContainsFunc(slices.Concat(w.Base, w.Dilate), func(n int) bool { return n != 1 })
}

// Filled reports whether every window holds an element of the operand.
func (w Window) Filled() bool {
	for d := range w.In {
		for o := range w.Out[d] {
			if w.first(d, o) < 0 {
				return false
			}
		}
	}
	return true
}

// first returns the operand's first coordinate along dimension d in window o, -1 if there is none.
func (w Window) first(d, o int) int {
	for t := range w.Size[d] {
		if p := w.At(d, o, t); p >= 0 {
			return p
		}
	}
	return -1
}

// Along returns the windows of w along dimension d only, of an operand of shape in.
func (w Window) Along(d int, in tensor.Shape) Window {
	out := in.Clone()
	out[d] = w.Out[d]
	w.In, w.Out = in, out
	return w
}

// Trivial reports whether the windows along dimension d are the single elements of the operand, in order.
func (w Window) Trivial(d int) bool {
	return w.Size[d] == 1 && w.Stride[d] == 1 && w.Base[d] == 1 && w.Pad[2*d] == 0 && w.In[d] == w.Out[d]
}

// Parts returns views of the operand, one for each element of a window along dimension d, of windows that are all
// Filled. In padding and gaps a view reads the window's first element instead.
func (w Window) Parts(d int) []tensor.View {
	var parts []tensor.View
	for t := range w.Size[d] {
		from := make([]int, w.Out[d])
		for o := range from {
			if from[o] = w.At(d, o, t); from[o] < 0 {
				from[o] = w.first(d, o)
			}
		}
		parts = append(parts, selected(w.In, d, from))
	}
	return parts
}

// selected returns the view of the given coordinates along dimension d.
func selected(in tensor.Shape, d int, from []int) tensor.View {
	out := in.Clone()
	out[d] = len(from)
	return tensor.Listed(out, in.Size(), func() []int32 {
		index := make([]int32, 0, out.Size())
		inner := out[d+1:].Size()
		for i := range out[:d].Size() {
			for _, p := range from {
				base := (i*in[d] + p) * inner
				for j := range inner {
					index = append(index, int32(base+j))
				}
			}
		}
		return index
	})
}

// Taps returns the first and the last number of a window's elements along dimension d that meet the operand in some
// window; one element if none does.
func (w Window) Taps(d int) (first, last int) {
	first, last = -1, -1
	for t := range w.Size[d] {
		for o := range w.Out[d] {
			if w.At(d, o, t) >= 0 {
				if first < 0 {
					first = t
				}
				last = t
				break
			}
		}
	}
	return max(first, 0), max(last, 0)
}

// Overlap reports whether windows overlap so much that ReduceOverlapping combines fewer elements than
// ReduceSeparately.
func (w Window) Overlap() bool {
	steps, size := 0, w.Padded().Shape.Size()
	for _, n := range w.Size {
		steps += bits.Len(uint(n-1)) + bits.OnesCount(uint(n)) - 1
	}
	return steps*size < w.Out.Size()*(w.Size.Size()-1)
}
