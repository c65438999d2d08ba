package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// reduceWindow reduces the elements of every window of the operands by the body, starting with the
// initial value. Padding and the gaps between dilated elements do not take part: this is XLA's
// behaviour, while StableHLO's specification puts the initial value there. The two agree if the
// initial value is neutral.
//
// The windows are reduced one dimension after the other, the last one first, which keeps row-major
// order. Along a dimension, windows of 2m elements are combined from two windows of m elements, so
// a window of w elements costs log2(w) to 2·log2(w) applications of the body to the whole tensor
// instead of w. StableHLO requires the body to be associative.
func reduceWindow(c *call) ([]*tensor.Array, error) {
	n, a := len(c.args)/2, c.op.Attrs
	inits := c.args[n:]
	size, stride := a.Ints("window_dimensions"), a.Ints("window_strides")
	dilation := a.Ints("window_dilations")
	rank := len(size)
	view := padded(c.op)
	b := newBody(c.env, c.op.Regions[0])
	cur := windowReduction{nonEmpty: make([]bool, view.Shape.Size())}
	for i, p := range view.Index() {
		cur.nonEmpty[i] = p != tensor.Fill
	}
	for _, x := range c.args[:n] {
		cur.x = append(cur.x, apply(view, x))
	}
	out := c.result(0).Shape
	var err error
	for d := rank - 1; d >= 0; d-- {
		if cur, err = b.reduceWindows(c, cur, d, size[d], dilation[d]); err != nil {
			return nil, err
		}
		shape := cur.x[0].Shape // window starts are stride apart
		start, limit, step := make([]int, rank), slices.Clone(shape), slices.Repeat([]int{1}, rank)
		step[d], limit[d] = stride[d], max(0, (out[d]-1)*stride[d]+1)
		cur = cur.viewed(tensor.Sliced(shape, start, limit, step))
	}
	first := windowReduction{nonEmpty: slices.Repeat([]bool{true}, out.Size())}
	for _, v := range inits {
		first.x = append(first.x, fill(v, out))
	}
	all, err := b.combine(c, first, cur)
	return all.x, err
}

// padded returns the view of a reduce_window's operand with its padding.
func padded(op *hlo.Op) tensor.View {
	pad, base := op.Attrs.Ints("padding"), op.Attrs.Ints("base_dilations")
	rank := len(base)
	low, high, interior := make([]int, rank), make([]int, rank), make([]int, rank)
	for d := range rank {
		low[d], high[d], interior[d] = pad[2*d], pad[2*d+1], base[d]-1
	}
	return tensor.Padded(shapeOf(op, 0), low, high, interior)
}

// windowReduction holds, for each start of a window, the reduction of that window, and whether the window
// contains any element (held). The reduction of a window without elements is undefined.
type windowReduction struct {
	x        []*tensor.Array
	nonEmpty []bool
}

func (s windowReduction) viewed(v tensor.View) windowReduction {
	out := windowReduction{nonEmpty: tensor.Apply(v, false, s.nonEmpty)}
	for _, x := range s.x {
		out.x = append(out.x, apply(v, x))
	}
	return out
}

// reduceWindows replaces every element by the reduction of the window of size elements, dilation apart,
// that starts there. Windows that would leave the tensor are omitted.
func (b *body) reduceWindows(c *call, x windowReduction, dim, size, dilation int) (windowReduction, error) {
	var done windowReduction // reductions of the first `have` elements of each window
	have := 0
	for power, m := x, 1; ; m *= 2 { // power: reductions of windows of m elements
		if size&m != 0 {
			if have == 0 {
				done = power
			} else {
				var err error
				if done, err = b.combineAt(c, done, power, dim, have*dilation); err != nil {
					return windowReduction{}, err
				}
			}
			have += m
		}
		if have == size {
			return done, nil
		}
		var err error
		if power, err = b.combineAt(c, power, power, dim, m*dilation); err != nil {
			return windowReduction{}, err
		}
	}
}

// combineAt combines each window of x with the window of y that starts distance later.
func (b *body) combineAt(c *call, x, y windowReduction, dim, distance int) (windowReduction, error) {
	length := max(0, min(x.x[0].Shape[dim], y.x[0].Shape[dim]-distance))
	cut := func(s windowReduction, from int) windowReduction {
		shape := s.x[0].Shape
		start, limit := make([]int, len(shape)), slices.Clone(shape)
		start[dim], limit[dim] = from, from+length
		return s.viewed(tensor.Sliced(shape, start, limit, slices.Repeat([]int{1}, len(shape))))
	}
	return b.combine(c, cut(x, 0), cut(y, distance))
}

// combine combines windows of x and y at the same positions. If only one of the two contains elements,
// the result is that one.
func (b *body) combine(c *call, x, y windowReduction) (windowReduction, error) {
	n, shape := len(x.nonEmpty), x.x[0].Shape
	out := windowReduction{nonEmpty: make([]bool, n)}
	var both []int32
	for i := range n {
		out.nonEmpty[i] = x.nonEmpty[i] || y.nonEmpty[i]
		if x.nonEmpty[i] && y.nonEmpty[i] {
			both = append(both, int32(i))
		}
	}
	var args []*tensor.Array
	for _, a := range slices.Concat(x.x, y.x) {
		args = append(args, take(a, both))
	}
	res, err := b.apply(c.ctx, args)
	if err != nil {
		return windowReduction{}, err
	}
	from := make([]int32, n) // index into the combined elements, then x, then y
	done := int32(0)
	for i := range from {
		switch {
		case x.nonEmpty[i] && y.nonEmpty[i]:
			from[i] = done
			done++
		case x.nonEmpty[i]:
			from[i] = int32(len(both) + i)
		default:
			from[i] = int32(len(both) + n + i)
		}
	}
	v := tensor.Listed(shape, len(both)+2*n, func() []int32 { return from })
	for k, r := range res {
		out.x = append(out.x, apply(v, r, x.x[k], y.x[k]))
	}
	return out, nil
}

// selectAndScatter selects one element of each window by the select body (the first that no later
// one beats) and combines the sources of all windows that selected an element by the scatter body,
// starting with the initial value. Padding is never selected.
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
		var at []int32 // windows that contain this element
		var rival []int32
		for w := range best {
			if place := WindowPosition(x.Shape, source.Shape, offsets, stride, pad, w, k); place == tensor.Fill {
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

// WindowPosition returns the position in the operand of element k of window w, Fill in the padding.
func WindowPosition(in, windows, size tensor.Shape, stride, pad []int, w, k int) int32 {
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

// scatterTo combines each source with the element at its position by the second region, in order.
func scatterTo(c *call, places []int32, base, source *tensor.Array) ([]*tensor.Array, error) {
	u := updatesByPlace(places)
	return u.combine(c, newBody(c.env, c.op.Regions[1]), []*tensor.Array{base}, []*tensor.Array{source})
}
