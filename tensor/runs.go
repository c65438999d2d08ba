package tensor

import (
	"fmt"
	"slices"
	"sync"
)

// Run is N consecutive elements of a view: copies of the elements From, From+Step, …, or N times the
// fill value if From is Fill.
type Run struct{ From, Step, N int }

// InRuns is a view given by runs, in the result's order, of Shape.Size() elements together. runs is
// called at most once, when the list is first needed. A view of long runs takes little memory, and
// its copies are block moves.
func InRuns(shape Shape, in int, runs func() []Run) View {
	if in > 1<<31-1 {
		panic(fmt.Sprintf("tensor: view over %d elements", in))
	}
	once := sync.OnceValue(runs)
	return View{Shape: shape, In: in, index: sync.OnceValue(func() []int32 { return Positions(once(), shape.Size()) }), runs: once}
}

// Positions lists the positions of runs of n elements.
func Positions(runs []Run, n int) []int32 {
	out := make([]int32, 0, n)
	for _, r := range runs {
		for i := range r.N {
			if r.From == Fill {
				out = append(out, Fill)
			} else {
				out = append(out, int32(r.From+i*r.Step))
			}
		}
	}
	return out
}

// AppendRun appends n elements of step 1 from a position, or n fill elements, and extends the last
// run if they continue it.
func AppendRun(runs []Run, from, n int) []Run {
	if n == 0 {
		return runs
	}
	if k := len(runs) - 1; k >= 0 {
		last := &runs[k]
		if from == Fill && last.From == Fill || from != Fill && last.From != Fill && last.Step == 1 && last.From+last.N == from {
			last.N += n
			return runs
		}
	}
	return append(runs, Run{from, 1, n})
}

// Inverse is the view that puts the elements that v took back to their positions in a tensor of the
// given shape, and the fill value elsewhere. v must take no element twice.
func Inverse(v View, shape Shape) View {
	n, last := v.Shape.Size(), len(v.Shape)-1
	if v.Strided() && last >= 0 && v.Shape[last] > 1 && v.Strides[last] != 1 || v.index != nil && v.runs == nil {
		return Listed(shape, n, func() []int32 { return inverseIndex(v, shape) })
	}
	return InRuns(shape, n, func() []Run {
		type block struct{ to, from, n int } // n elements of v's result, from the position from on, belong to the positions from to on
		var taken []block
		at := 0
		add := func(to, step, n int) {
			for i := 0; to != Fill && step != 1 && i < n; i++ {
				taken = append(taken, block{to + i*step, at + i, 1})
			}
			if to != Fill && step == 1 {
				taken = append(taken, block{to, at, n})
			}
			at += n
		}
		if v.runs == nil {
			v.Runs(add)
		} else {
			for _, r := range v.runs() {
				add(r.From, r.Step, r.N)
			}
		}
		slices.SortFunc(taken, func(a, b block) int { return a.to - b.to })
		var out []Run
		next := 0
		for _, b := range taken {
			out = AppendRun(AppendRun(out, Fill, b.to-next), b.from, b.n)
			next = b.to + b.n
		}
		return AppendRun(out, Fill, shape.Size()-next)
	})
}

// inverseIndex lists, for every element of shape, the position in the result of v, or Fill.
func inverseIndex(v View, shape Shape) []int32 {
	index := make([]int32, shape.Size())
	for i := range index {
		index[i] = Fill
	}
	for i, p := range v.Index() {
		if p != Fill {
			index[p] = int32(i)
		}
	}
	return index
}

// Padded returns the view of an operand of shape in that inserts interior[d] fill elements between neighbours along
// dimension d, and low[d] and high[d] before and after them. A negative low or high removes elements.
func Padded(in Shape, low, high, interior []int) View {
	out := make(Shape, len(in))
	for i, n := range in {
		span := n
		if n > 0 {
			span = n + (n-1)*interior[i]
		}
		out[i] = max(0, span+low[i]+high[i])
	}
	st := in.Strides()
	runs := func() []Run {
		var runs []Run
		var add func(d, base int)
		add = func(d, base int) {
			if d == len(in) {
				runs = AppendRun(runs, base, 1)
				return
			}
			inner := out[d+1:].Size()
			plain := interior[d] == 0 && slices.Equal(in[d+1:], out[d+1:]) && unpadded(low[d+1:], interior[d+1:])
			if plain { // whole slices along d follow one another
				first, last := min(max(low[d], 0), out[d]), min(max(low[d]+in[d], 0), out[d])
				runs = AppendRun(runs, Fill, first*inner)
				if last > first {
					runs = AppendRun(runs, base+(first-low[d])*st[d], (last-first)*inner)
				}
				runs = AppendRun(runs, Fill, (out[d]-max(first, last))*inner)
				return
			}
			for o := range out[d] {
				p := o - low[d]
				if p < 0 || p%(1+interior[d]) != 0 || p/(1+interior[d]) >= in[d] {
					runs = AppendRun(runs, Fill, inner)
					continue
				}
				add(d+1, base+p/(1+interior[d])*st[d])
			}
		}
		if out.Size() > 0 {
			add(0, 0)
		}
		return runs
	}
	gaps := 0 // the dimension after the last one with gaps between elements
	for d, n := range interior {
		if n > 0 {
			gaps = d + 1
		}
	}
	if gaps > 0 && out[gaps:].Size() < shortRun {
		return Listed(out, in.Size(), func() []int32 { return Positions(runs(), out.Size()) })
	}
	return InRuns(out, in.Size(), runs)
}

// shortRun is the number of elements from which a run takes less memory than a list of its positions.
const shortRun = 6

// unpadded reports whether dimensions of equal size are copied as they are.
func unpadded(low, interior []int) bool {
	zero := func(n int) bool { return n != 0 }
	return !slices.ContainsFunc(low, zero) && !slices.ContainsFunc(interior, zero)
}

// Concatenated returns the view that concatenates operands of the given shapes along dimension dim.
func Concatenated(in []Shape, dim int) View {
	out := in[0].Clone()
	total := 0
	out[dim] = 0
	for _, s := range in {
		out[dim] += s[dim]
		total += s.Size()
	}
	outer, inner := out[:dim].Size(), out[dim+1:].Size()
	return InRuns(out, total, func() []Run {
		var runs []Run
		for o := range outer {
			base := 0
			for _, s := range in {
				n := s[dim] * inner
				runs = AppendRun(runs, base+o*n, n)
				base += s.Size()
			}
		}
		return runs
	})
}

// applyRuns copies elements run by run. A run may reach from one operand into the next.
func applyRuns[T any](out []T, runs []Run, fill T, src [][]T) {
	starts := make([]int, len(src)+1)
	for i, s := range src {
		starts[i+1] = starts[i] + len(s)
	}
	k := 0
	for _, r := range runs {
		to := out[:r.N]
		out = out[r.N:]
		if r.From == Fill {
			for i := range to {
				to[i] = fill
			}
			continue
		}
		for p := r.From; len(to) > 0; {
			for p < starts[k] {
				k--
			}
			for p >= starts[k+1] {
				k++
			}
			if r.Step == 1 {
				n := copy(to, src[k][p-starts[k]:])
				to, p = to[n:], p+n
				continue
			}
			to[0] = src[k][p-starts[k]]
			to, p = to[1:], p+r.Step
		}
	}
}

// tile is the number of rows and columns that a transposed copy handles at once, so that both sides'
// cache lines are used whole.
const tile = 16

// applyStrided copies elements by a strided view. Where the last dimension is not the one along which
// the operand's elements follow one another, the copy goes over tiles of both.
func applyStrided[T any](out []T, v View, in []T) {
	v = v.withoutOnes()
	rank := len(v.Shape)
	near := -1 // the dimension along which the operand's elements follow one another
	for d := 0; d < rank-1; d++ {
		if v.Strides[d] == 1 && v.Shape[d] > 1 {
			near = d
		}
	}
	if rank < 2 || near < 0 || v.Strides[rank-1] == 1 || v.Shape[rank-1] == 1 {
		i := 0
		v.Runs(func(start, stride, n int) {
			copyRun(out[i:i+n], in, start, stride)
			i += n
		})
		return
	}
	rows, cols, step, row := v.Shape[near], v.Shape[rank-1], v.Strides[rank-1], v.Shape[near+1:].Size()
	others := v
	others.Shape, others.Strides = v.Shape.Clone(), slices.Clone(v.Strides)
	others.Shape[near], others.Shape[rank-1] = 1, 1
	at := others
	at.Offset, at.Strides = 0, v.Shape.Strides() // of the result
	var to []int
	at.Runs(func(start, _, _ int) { to = append(to, start) })
	i := 0
	others.Runs(func(start, _, _ int) {
		dst := out[to[i]:]
		i++
		for c0 := 0; c0 < cols; c0 += tile {
			c1 := min(c0+tile, cols)
			for r := range rows {
				from, line := start+r+c0*step, dst[r*row+c0:r*row+c1]
				for j := range line {
					line[j] = in[from]
					from += step
				}
			}
		}
	})
}

// withoutOnes returns a strided view without the dimensions of one element, which end runs early.
func (v View) withoutOnes() View {
	if !slices.Contains(v.Shape, 1) {
		return v
	}
	out := View{In: v.In, Offset: v.Offset, Shape: Shape{}, Strides: []int{}}
	for d, n := range v.Shape {
		if n != 1 {
			out.Shape, out.Strides = append(out.Shape, n), append(out.Strides, v.Strides[d])
		}
	}
	return out
}

// copyRun copies len(to) elements from a position, stride apart.
func copyRun[T any](to, in []T, start, stride int) {
	if stride == 1 {
		copy(to, in[start:start+len(to)])
		return
	}
	for j := range to {
		to[j] = in[start]
		start += stride
	}
}
