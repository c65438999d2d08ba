package exec

import (
	"math/bits"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// reduceBy reduces operands along dimensions by any body, which StableHLO
// wants associative: neighbours pair by pair, all pairs at once, and the
// initial values first.
func (c *opRun) reduceBy(in []*value, dims []int) ([]*value, error) {
	n := len(in) / 2
	s := in[0].typ.Shape
	kept := others(len(s), dims)
	m, rest := sizeOf(s, dims), sizeOf(s, kept)
	rows := make([]*value, n)
	for i, x := range in[:n] {
		x = c.view(x, tensor.Transposed(s, concat(dims, kept)))
		rows[i] = c.view(x, tensor.Reshaped(x.typ.Shape, tensor.Shape{m, rest}))
	}
	out, err := c.reduceRows(rows, in[n:])
	if err != nil {
		return nil, err
	}
	for i, r := range c.o.Results {
		out[i] = c.view(out[i], tensor.Reshaped(out[i].typ.Shape, r.Type.Shape))
	}
	return out, nil
}

// reduceRows combines the rows of each value, and the initial values.
func (c *opRun) reduceRows(rows, inits []*value) ([]*value, error) {
	shape := rows[0].typ.Shape[1:]
	first := make([]*value, len(inits))
	for i, v := range inits {
		first[i] = c.spread(v, shape)
	}
	if rows[0].typ.Shape.Size() == 0 {
		return first, nil
	}
	if a := c.argOf(c.o.Regions[0], rows); a != nil {
		return a.reduce(rows, inits)
	}
	b := c.body(c.o.Regions[0])
	for rows[0].typ.Shape[0] > 1 {
		m := rows[0].typ.Shape[0]
		var left, right, over []*value
		for _, x := range rows {
			left = append(left, c.everyOther(x, 0, m-m%2))
			right = append(right, c.everyOther(x, 1, m))
			if m%2 == 1 {
				over = append(over, c.everyOther(x, m-1, m))
			}
		}
		next, err := b.apply(append(left, right...)...)
		if err != nil {
			return nil, err
		}
		for i, x := range over {
			next[i] = c.concatenated([]*value{next[i], x})
		}
		rows = next
	}
	last := make([]*value, len(rows))
	for i, x := range rows {
		last[i] = c.view(x, tensor.Reshaped(x.typ.Shape, shape))
	}
	return b.apply(append(first, last...)...)
}

// everyOther takes rows from, from + 2, … below to.
func (c *opRun) everyOther(x *value, from, to int) *value {
	s := x.typ.Shape
	start, limit, step := make([]int, len(s)), s.Clone(), slices.Repeat([]int{1}, len(s))
	start[0], limit[0], step[0] = from, to, 2
	return c.view(x, tensor.Sliced(s, start, limit, step))
}

// windowsBy reduces windows by any body: the elements of each window become a
// column, with the initial value where the window lies in padding.
func (c *opRun) windowsBy(in []*value, w windows) ([]*value, error) {
	if w.overlap() {
		return c.slide(in, w)
	}
	n := len(in) / 2
	index, size := w.index(), tensor.Shape(w.size).Size()
	outs := w.out.Size()
	rows := make([]*value, n)
	for i, x := range in[:n] {
		count := x.typ.Shape.Size()
		from := make([]int32, len(index))
		padded := false
		for o := range outs {
			for t := range size {
				p := index[o*size+t]
				if p == tensor.Fill {
					p, padded = int32(count), true
				}
				from[t*outs+o] = p
			}
		}
		source := []*value{x}
		if padded {
			source = append(source, in[n+i])
		}
		rows[i] = c.pickedFrom(from, tensor.Shape{size, outs}, source...)
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

// overlap reports whether windows share so much that it is less to combine
// neighbours in steps of 1, 2, 4, … than each window by itself.
func (w windows) overlap() bool {
	steps, size := 0, 1
	for d, n := range w.size {
		size *= w.padded(d)
		steps += bits.Len(uint(n-1)) + bits.OnesCount(uint(n)) - 1
	}
	return steps*size < w.out.Size()*(tensor.Shape(w.size).Size()-1)
}

// padded is the operand's size along a dimension, with padding and dilation.
func (w windows) padded(d int) int {
	inner := 0
	if w.in[d] > 0 {
		inner = (w.in[d]-1)*w.base[d] + 1
	}
	return max(0, inner+w.pad[2*d]+w.pad[2*d+1])
}

// slide reduces windows along one dimension after the other, the last one
// first: a window of 2m elements is put together from two of m.
func (c *opRun) slide(in []*value, w windows) ([]*value, error) {
	n := len(in) / 2
	b := c.body(c.o.Regions[0])
	all := w // windows of one element, one for each place
	all.size, all.out, all.stride = slices.Repeat([]int{1}, len(w.in)), tensor.Shape{}, slices.Repeat([]int{1}, len(w.in))
	for d := range w.in {
		all.out = append(all.out, w.padded(d))
	}
	cur := make([]*value, n)
	for i, x := range in[:n] {
		index := all.index()
		for k, p := range index {
			if p == tensor.Fill {
				index[k] = int32(x.typ.Shape.Size())
			}
		}
		cur[i] = c.pickedFrom(index, all.out, x, in[n+i])
	}
	var err error
	for d := len(w.in) - 1; d >= 0; d-- {
		if cur, err = c.slideAlong(b, cur, d, w.size[d], w.dilate[d]); err != nil {
			return nil, err
		}
		for i, x := range cur {
			start, limit, step := make([]int, len(w.in)), x.typ.Shape.Clone(), slices.Repeat([]int{1}, len(w.in))
			step[d], limit[d] = w.stride[d], max(0, (w.out[d]-1)*w.stride[d]+1)
			cur[i] = c.view(x, tensor.Sliced(x.typ.Shape, start, limit, step))
		}
	}
	first := make([]*value, n)
	for i, v := range in[n:] {
		first[i] = c.spread(v, w.out)
	}
	return b.apply(append(first, cur...)...)
}

// slideAlong replaces every element by the reduction of the window that starts
// there; windows that would leave the tensor are left out.
func (c *opRun) slideAlong(b *body, x []*value, dim, size, dilation int) ([]*value, error) {
	var done []*value // windows of the first have elements
	have := 0
	var err error
	for power, m := x, 1; ; m *= 2 { // windows of m elements
		if size&m != 0 {
			if done == nil {
				done = power
			} else if done, err = c.join(b, done, power, dim, have*dilation); err != nil {
				return nil, err
			}
			have += m
		}
		if have == size {
			return done, nil
		}
		if power, err = c.join(b, power, power, dim, m*dilation); err != nil {
			return nil, err
		}
	}
}

// join combines each window of x with the one of y that starts distance later.
func (c *opRun) join(b *body, x, y []*value, dim, distance int) ([]*value, error) {
	length := max(0, min(x[0].typ.Shape[dim], y[0].typ.Shape[dim]-distance))
	cut := func(v *value, from int) *value {
		s := v.typ.Shape
		start, limit := make([]int, len(s)), s.Clone()
		start[dim], limit[dim] = from, from+length
		return c.view(v, tensor.Sliced(s, start, limit, slices.Repeat([]int{1}, len(s))))
	}
	var left, right []*value
	for i := range x {
		left, right = append(left, cut(x[i], 0)), append(right, cut(y[i], distance))
	}
	return b.apply(append(left, right...)...)
}

// mapBody applies a body to the elements of operands of one shape.
func mapBody(c *opRun, in []*value) ([]*value, error) {
	return c.body(c.o.Regions[0]).apply(in...)
}

func init() { // bodies look operations up
	table["stablehlo.map"] = mapBody
	table["stablehlo.reduce"] = reduce
	table["stablehlo.reduce_window"] = reduceWindow
}
