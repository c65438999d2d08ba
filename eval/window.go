package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// reduceWindow reduces every window of the padded operands by the body.
//
// The windows are reduced one dimension after the other, the last one first,
// which keeps row-major order. Along a dimension, windows of 2m elements are
// put together from two of m elements, so a window of w elements costs about
// log2(w) to 2·log2(w) applications to the whole tensor and not w. The body is
// associative, as StableHLO wants it; the initial value comes first, and is
// what padding holds.
func reduceWindow(c *call) ([]*tensor.Array, error) {
	n, a := len(c.args)/2, c.op.Attrs
	inits, pad := c.args[n:], a.Ints("padding")
	size, stride := a.Ints("window_dimensions"), a.Ints("window_strides")
	base, dilation := a.Ints("base_dilations"), a.Ints("window_dilations")
	rank := len(size)
	low, high, interior := make([]int, rank), make([]int, rank), make([]int, rank)
	for d := range rank {
		low[d], high[d], interior[d] = pad[2*d], pad[2*d+1], base[d]-1
	}
	if size := tensor.Padded(c.args[0].Shape, low, high, interior).Shape; size.Check() != nil || size.Size() > maxElements {
		return nil, c.failf("a padded operand of shape %v is too large to be computed in clear", size)
	}
	b := newBody(c.env, c.op.Regions[0])
	cur := make([]*tensor.Array, n)
	for i, x := range c.args[:n] {
		cur[i] = padded(x, inits[i], low, high, interior)
	}
	out := c.result(0).Shape
	var err error
	for d := rank - 1; d >= 0; d-- {
		if cur, err = b.slide(c, cur, d, size[d], dilation[d]); err != nil {
			return nil, err
		}
		for i, x := range cur { // windows start stride apart
			start, limit, step := make([]int, rank), slices.Clone(x.Shape), slices.Repeat([]int{1}, rank)
			step[d], limit[d] = stride[d], max(0, (out[d]-1)*stride[d]+1)
			cur[i] = apply(tensor.Sliced(x.Shape, start, limit, step), x)
		}
	}
	args := make([]*tensor.Array, 2*n)
	for i, x := range cur {
		args[i] = fill(inits[i], tensor.Shape{x.Len()})
		args[n+i] = x.Reshape(tensor.Shape{x.Len()})
	}
	res, err := b.apply(c.ctx, args)
	if err != nil {
		return nil, err
	}
	for i, r := range res {
		res[i] = r.Reshape(out)
	}
	return res, nil
}

func padded(x, value *tensor.Array, low, high, interior []int) *tensor.Array {
	v := tensor.Padded(x.Shape, low, high, interior)
	n := x.Len()
	return apply(tensor.Listed(v.Shape, n+1, func() []int32 {
		index := slices.Clone(v.Index())
		for i, p := range index {
			if p == tensor.Fill {
				index[i] = int32(n)
			}
		}
		return index
	}), x, value)
}

// slide replaces every element by the reduction of the window of size
// elements, dilation apart, that starts there. Windows that would leave the
// tensor are left out.
func (b *body) slide(c *call, x []*tensor.Array, dim, size, dilation int) ([]*tensor.Array, error) {
	var done []*tensor.Array // windows of the first have elements
	have := 0
	for power, m := x, 1; ; m *= 2 { // power: windows of m elements
		if size&m != 0 {
			if done == nil {
				done = power
			} else {
				var err error
				if done, err = b.join(c, done, power, dim, have*dilation); err != nil {
					return nil, err
				}
			}
			have += m
		}
		if have == size {
			return done, nil
		}
		var err error
		if power, err = b.join(c, power, power, dim, m*dilation); err != nil {
			return nil, err
		}
	}
}

// join combines each window of x with the one of y that starts distance later.
func (b *body) join(c *call, x, y []*tensor.Array, dim, distance int) ([]*tensor.Array, error) {
	n := len(x)
	length := max(0, min(x[0].Shape[dim], y[0].Shape[dim]-distance))
	shape := slices.Clone(x[0].Shape)
	shape[dim] = length
	cut := func(a *tensor.Array, from int) *tensor.Array {
		start, limit := make([]int, len(shape)), slices.Clone(a.Shape)
		start[dim], limit[dim] = from, from+length
		s := apply(tensor.Sliced(a.Shape, start, limit, slices.Repeat([]int{1}, len(shape))), a)
		return s.Reshape(tensor.Shape{s.Len()})
	}
	args := make([]*tensor.Array, 2*n)
	for i := range x {
		args[i], args[n+i] = cut(x[i], 0), cut(y[i], distance)
	}
	res, err := b.apply(c.ctx, args)
	if err != nil {
		return nil, err
	}
	for i, r := range res {
		res[i] = r.Reshape(shape)
	}
	return res, nil
}

// selectAndScatter picks one element of each window by the selecting body (the
// first that no later one beats) and combines the sources of all windows that
// picked an element by the scattering body, beginning with the initial value.
// Padding is never picked.
func selectAndScatter(c *call) ([]*tensor.Array, error) {
	x, source, init := c.args[0], c.args[1], c.args[2]
	rank := len(x.Shape)
	a := c.op.Attrs
	size, stride, pad := a.Ints("window_dimensions"), a.Ints("window_strides"), a.Ints("padding")
	if pad == nil {
		pad = make([]int, 2*rank)
	}
	if stride == nil {
		stride = slices.Repeat([]int{1}, rank)
	}
	if size == nil {
		size = slices.Repeat([]int{1}, rank)
	}

	selects := newBody(c.env, c.op.Regions[0])
	best := slices.Repeat([]int32{tensor.Fill}, source.Len())
	offsets := tensor.Shape(size)
	for k := range offsets.Size() {
		var at []int32 // windows that have this element
		var rival []int32
		for w := range best {
			if place := WindowPlace(x.Shape, source.Shape, offsets, stride, pad, w, k); place == tensor.Fill {
				continue
			} else if best[w] == tensor.Fill {
				best[w] = place
			} else {
				at, rival = append(at, int32(w)), append(rival, place)
			}
		}
		held := make([]int32, len(at))
		for i, w := range at {
			held[i] = best[w]
		}
		keep, err := selects.apply(c.ctx, []*tensor.Array{take(x, held), take(x, rival)})
		if err != nil {
			return nil, err
		}
		for i, stays := range keep[0].Data.([]bool) {
			if !stays {
				best[at[i]] = rival[i]
			}
		}
	}
	return scatterTo(c, best, fill(init, x.Shape), source)
}

// WindowPlace is the place in the operand of element k of window w, Fill in
// the padding.
func WindowPlace(in, windows, size tensor.Shape, stride, pad []int, w, k int) int32 {
	place, step := 0, 1
	for d := len(in) - 1; d >= 0; d-- {
		p := w%windows[d]*stride[d] + k%size[d] - pad[2*d]
		if p < 0 || p >= in[d] {
			return tensor.Fill
		}
		place += p * step
		step *= in[d]
		w, k = w/windows[d], k/size[d]
	}
	return int32(place)
}

// scatterTo combines each source with the element at its place by the second
// region, in order.
func scatterTo(c *call, places []int32, base, source *tensor.Array) ([]*tensor.Array, error) {
	u := updatesByPlace(places)
	return u.combine(c, newBody(c.env, c.op.Regions[1]), []*tensor.Array{base}, []*tensor.Array{source})
}
