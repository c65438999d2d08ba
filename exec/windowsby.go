package exec

import (
	"math/bits"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// windowsBy reduces windows by any body. Padding is not combined (package eval gives the reason).
func (c *opRun) windowsBy(in []*value, w windows) ([]*value, error) {
	if w.overlap() {
		return c.slide(in, w)
	}
	n := len(in) / 2
	index, size := w.index(), tensor.Shape(w.size).Size()
	outs := w.out.Size()
	if slices.Contains(index, tensor.Fill) {
		return c.ragged(in, w.out, index, size)
	}
	from := make([]int32, len(index)) // each window becomes a column
	for o := range outs {
		for t := range size {
			from[t*outs+o] = index[o*size+t]
		}
	}
	rows := make([]*value, n)
	for i, x := range in[:n] {
		rows[i] = c.pickedFrom(from, tensor.Shape{size, outs}, x)
	}
	out, err := c.reduceRows(rows, in[n:])
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i] = c.view(out[i], tensor.Reshaped(out[i].typ.Shape, w.out))
	}
	return out, nil
}

// ragged reduces windows with different numbers of elements: each window has size entries in index, Fill for
// none. All windows' neighbours are combined pairwise at once, until each window has one element left.
func (c *opRun) ragged(in []*value, out tensor.Shape, index []int32, size int) ([]*value, error) {
	n := len(in) / 2
	held := make([][]int32, out.Size()) // where each window's elements are
	for i, p := range index {
		if p != tensor.Fill {
			held[i/size] = append(held[i/size], p)
		}
	}
	b := c.closureBody(c.o.Regions[0])
	cur := in[:n]
	for {
		var left, right []int32
		for _, list := range held {
			for i := 0; i+1 < len(list); i += 2 {
				left, right = append(left, list[i]), append(right, list[i+1])
			}
		}
		if len(left) == 0 {
			break
		}
		next, err := b.apply(append(c.places(cur, left), c.places(cur, right)...)...)
		if err != nil {
			return nil, err
		}
		var over []int32
		done := int32(0)
		for w, list := range held {
			rest := make([]int32, 0, (len(list)+1)/2)
			for i := 0; i+1 < len(list); i += 2 {
				rest = append(rest, done)
				done++
			}
			if len(list)%2 == 1 {
				rest = append(rest, int32(len(left)+len(over)))
				over = append(over, list[len(list)-1])
			}
			held[w] = rest
		}
		if len(over) > 0 {
			for k, x := range c.places(cur, over) {
				next[k] = c.concatenated([]*value{next[k], x})
			}
		}
		cur = next
	}
	last := windowed{held: make([]bool, out.Size())}
	from := make([]int32, out.Size())
	for w, list := range held {
		if len(list) > 0 {
			from[w], last.held[w] = list[0], true
		}
	}
	if !slices.Contains(last.held, true) {
		cur = in[n:] // any value: no window holds an element
	}
	for _, x := range c.places(cur, from) {
		last.x = append(last.x, c.view(x, tensor.Reshaped(x.typ.Shape, out)))
	}
	return c.begun(b, in[n:], last)
}

// places copies elements of each value by index.
func (c *opRun) places(in []*value, index []int32) []*value {
	out := make([]*value, len(in))
	for i, x := range in {
		out[i] = c.pickedFrom(index, tensor.Shape{len(index)}, x)
	}
	return out
}

// overlap reports whether windows overlap so much that combining neighbours in steps of 1, 2, 4, … is cheaper
// than combining each window separately.
func (w windows) overlap() bool {
	steps, size := 0, 1
	for d, n := range w.size {
		size *= w.padded(d)
		steps += bits.Len(uint(n-1)) + bits.OnesCount(uint(n)) - 1
	}
	return steps*size < w.out.Size()*(tensor.Shape(w.size).Size()-1)
}

// padded returns the operand's size along a dimension, with padding and dilation.
func (w windows) padded(d int) int {
	inner := 0
	if w.in[d] > 0 {
		inner = (w.in[d]-1)*w.base[d] + 1
	}
	return max(0, inner+w.pad[2*d]+w.pad[2*d+1])
}

// windowed holds the reductions x of windows, one for each position where a window can begin, and held,
// whether that window holds an element at all. x is meaningless where held is false.
type windowed struct {
	x    []*value
	held []bool
}

func (c *opRun) slidBy(s windowed, v tensor.View) windowed {
	out := windowed{held: tensor.Apply(v, false, s.held)}
	for _, x := range s.x {
		out.x = append(out.x, c.view(x, v))
	}
	return out
}

// begun combines windows with the initial values, which come first.
func (c *opRun) begun(b *closureBody, inits []*value, last windowed) ([]*value, error) {
	if len(inits) == 1 && inits[0].owner == Public && neutral(bodyOf(b.block), inits[0].arr) && !slices.Contains(last.held, false) {
		return last.x, nil
	}
	shape := last.x[0].typ.Shape
	first := windowed{held: slices.Repeat([]bool{true}, shape.Size())}
	for _, v := range inits {
		first.x = append(first.x, c.spread(v, shape))
	}
	all, err := c.join(b, first, last)
	return all.x, err
}

// slide reduces windows along one dimension after the other, the last one first: a window of 2m elements is
// combined from two windows of m.
func (c *opRun) slide(in []*value, w windows) ([]*value, error) {
	n := len(in) / 2
	b := c.closureBody(c.o.Regions[0])
	all := w // windows of one element, one for each position
	all.size, all.out, all.stride = slices.Repeat([]int{1}, len(w.in)), tensor.Shape{}, slices.Repeat([]int{1}, len(w.in))
	for d := range w.in {
		all.out = append(all.out, w.padded(d))
	}
	var cur windowed
	index := all.index()
	for i, p := range index {
		cur.held = append(cur.held, p != tensor.Fill)
		index[i] = max(p, 0)
	}
	for _, x := range in[:n] {
		cur.x = append(cur.x, c.pickedFrom(index, all.out, x))
	}
	var err error
	for d := len(w.in) - 1; d >= 0; d-- {
		if cur, err = c.slideAlong(b, cur, d, w.size[d], w.dilate[d]); err != nil {
			return nil, err
		}
		shape := cur.x[0].typ.Shape
		start, limit, step := make([]int, len(w.in)), shape.Clone(), slices.Repeat([]int{1}, len(w.in))
		step[d], limit[d] = w.stride[d], max(0, (w.out[d]-1)*w.stride[d]+1)
		cur = c.slidBy(cur, tensor.Sliced(shape, start, limit, step))
	}
	return c.begun(b, in[n:], cur)
}

// slideAlong replaces every element by the reduction of the window that starts there; windows that extend
// beyond the tensor are left out.
func (c *opRun) slideAlong(b *closureBody, x windowed, dim, size, dilation int) (windowed, error) {
	var done windowed // windows of the first have elements
	have := 0
	var err error
	for power, m := x, 1; ; m *= 2 { // windows of m elements
		if size&m != 0 {
			if have == 0 {
				done = power
			} else if done, err = c.apart(b, done, power, dim, have*dilation); err != nil {
				return windowed{}, err
			}
			have += m
		}
		if have == size {
			return done, nil
		}
		if power, err = c.apart(b, power, power, dim, m*dilation); err != nil {
			return windowed{}, err
		}
	}
}

// apart combines each window of x with the window of y that starts distance later.
func (c *opRun) apart(b *closureBody, x, y windowed, dim, distance int) (windowed, error) {
	length := max(0, min(x.x[0].typ.Shape[dim], y.x[0].typ.Shape[dim]-distance))
	cut := func(s windowed, from int) windowed {
		shape := s.x[0].typ.Shape
		start, limit := make([]int, len(shape)), shape.Clone()
		start[dim], limit[dim] = from, from+length
		return c.slidBy(s, tensor.Sliced(shape, start, limit, slices.Repeat([]int{1}, len(shape))))
	}
	return c.join(b, cut(x, 0), cut(y, distance))
}

// join combines windows of x with those of y at the same positions. Where only one of two holds an element,
// the result is that one.
func (c *opRun) join(b *closureBody, x, y windowed) (windowed, error) {
	if !slices.Contains(x.held, false) && !slices.Contains(y.held, false) {
		out, err := b.apply(slices.Concat(x.x, y.x)...)
		return windowed{out, x.held}, err
	}
	n, shape := len(x.held), x.x[0].typ.Shape
	out := windowed{held: make([]bool, n)}
	var both, from []int32 // from: of what is combined, then of x, then of y
	for i := range n {
		out.held[i] = x.held[i] || y.held[i]
		if x.held[i] && y.held[i] {
			both = append(both, int32(i))
		}
	}
	done := 0
	for i := range n {
		switch {
		case x.held[i] && y.held[i]:
			from = append(from, int32(done))
			done++
		case x.held[i]:
			from = append(from, int32(len(both)+i))
		default:
			from = append(from, int32(len(both)+n+i))
		}
	}
	if len(both) == 0 {
		for k := range x.x {
			out.x = append(out.x, c.pickedFrom(from, shape, x.x[k], y.x[k]))
		}
		return out, nil
	}
	res, err := b.apply(append(c.places(x.x, both), c.places(y.x, both)...)...)
	if err != nil {
		return windowed{}, err
	}
	for k, r := range res {
		out.x = append(out.x, c.pickedFrom(from, shape, r, x.x[k], y.x[k]))
	}
	return out, nil
}
