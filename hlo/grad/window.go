package grad

import (
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// maxTaps bounds the number of elements of a window that is written out element by element.
const maxTaps = 1 << 12

// windowBack: of a sum each element gets the cotangents of the windows that it lies in. Of a maximum the first of the
// largest elements of a window gets all, by select_and_scatter as XLA has it, so that the one-hot vector of the
// maximum serves the gradient. Other windows are written out element by element.
func windowBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	w := algo.WindowOf(o)
	x := o.Operands[0]
	name := extreme(o)
	switch {
	case ct[0] != nil && ct[0].Type.Shape.Size() == 0:
	case name == hlo.OpAdd:
		r.windowSumBack(o, w, ct[0])
	case (name == hlo.OpMaximum || name == hlo.OpMinimum) && plain(w) && !r.wants(o.Operands[1]):
		r.give(x, r.scatterExtreme(o, name, x, ct[0]))
	case selects(o) != "" && plain(w) && !r.wants(o.Operands[0]):
		// The second of a pair, chosen by the first: the derivative of select_and_scatter.
		if r.wants(o.Operands[1]) && ct[1] != nil {
			r.give(o.Operands[1], r.scatterExtreme(o, selects(o), x, ct[1]))
		}
	default:
		r.through(o, ct, r.taps(o, w))
	}
}

// plain reports whether windows have no dilations.
func plain(w algo.Window) bool {
	other := func(n int) bool { return n != 1 }
	return !slices.ContainsFunc(w.Base, other) && !slices.ContainsFunc(w.Dilate, other)
}

func (r *reverse) windowSumBack(o *hlo.Op, w algo.Window, t *hlo.Value) {
	x, init := o.Operands[0], o.Operands[1]
	if r.wants(init) {
		r.give(init, r.total(t, count(len(t.Type.Shape))))
	}
	if !r.wants(x) || x.Type.Shape.Size() == 0 {
		return
	}
	rank := len(w.In)
	low, high, between := make([]int, rank), make([]int, rank), make([]int, rank)
	for d := range rank {
		in, size, out := spread(w.In[d], w.Base[d]), spread(w.Size[d], w.Dilate[d]), spread(w.Out[d], w.Stride[d])
		low[d] = size - w.Pad[2*d] - 1
		high[d] = in + size - 1 - out - low[d]
		between[d] = w.Stride[d] - 1
	}
	attrs := hlo.Attrs{"window_dimensions": list(w.Size), "window_strides": list(w.Base), "window_dilations": list(w.Dilate)}
	padded := r.pad(t, low, high, between)
	zero := r.zeros(scalar(t.Type.DType))
	r.give(x, r.emit(hlo.OpReduceWindow, nil, attrs, []*hlo.Block{r.combiner(hlo.OpAdd, t.Type.DType)}, padded, zero)[0])
}

// scatterExtreme puts the elements of source at the places of the windows' largest (or smallest) elements.
func (r *reverse) scatterExtreme(o *hlo.Op, name string, x, source *hlo.Value) *hlo.Value {
	attrs := hlo.Attrs{}
	for _, a := range []string{"window_dimensions", "window_strides", "padding"} {
		attrs[a] = o.Attrs[a]
	}
	d := x.Type.DType
	dir := "GE"
	if name == hlo.OpMinimum {
		dir = "LE"
	}
	pick := r.region([]tensor.Type{scalar(d), scalar(d)}, func(in *writer, p []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{in.compare(dir, p[0], p[1])}
	})
	return r.emit(hlo.OpSelectAndScatter, nil, attrs, []*hlo.Block{pick, r.combiner(hlo.OpAdd, d)}, x, source, r.zeros(scalar(d)))[0]
}

// selects returns OpMaximum or OpMinimum for a window of pairs that keeps the pair with the larger (or smaller) first
// element, else "".
func selects(o *hlo.Op) string {
	b := o.Regions[0]
	if len(o.Operands) != 4 || len(b.Ops) != 4 || len(b.Params) != 4 {
		return ""
	}
	c, x, y, ret := b.Ops[0], b.Ops[1], b.Ops[2], b.Ops[3]
	p := b.Params
	if c.Name != hlo.OpCompare || !slices.Equal(c.Operands, []*hlo.Value{p[0], p[2]}) || x.Name != hlo.OpSelect || y.Name != hlo.OpSelect ||
		!slices.Equal(x.Operands, []*hlo.Value{c.Results[0], p[0], p[2]}) || !slices.Equal(y.Operands, []*hlo.Value{c.Results[0], p[1], p[3]}) ||
		!slices.Equal(ret.Operands, []*hlo.Value{x.Results[0], y.Results[0]}) {
		return ""
	}
	switch c.Attrs.Str("comparison_direction") {
	case "GE":
		return hlo.OpMaximum
	case "LE":
		return hlo.OpMinimum
	}
	return ""
}

// chosen is, for each window over x, the element of values at the place of the window's largest (smallest) element.
func (w *writer) chosen(o *hlo.Op, name string, x, values *hlo.Value) *hlo.Value {
	attrs := hlo.Attrs{}
	for _, a := range []string{"window_dimensions", "window_strides", "padding"} {
		attrs[a] = o.Attrs[a]
	}
	d := x.Type.DType
	dir, worst := "GE", lowest(d)
	if name == hlo.OpMinimum {
		dir, worst = "LE", highest(d)
	}
	s := scalar(d)
	body := w.region([]tensor.Type{s, s, s, s}, func(in *writer, p []*hlo.Value) []*hlo.Value {
		c := in.compare(dir, p[0], p[2])
		return []*hlo.Value{in.choose(c, p[0], p[2]), in.choose(c, p[1], p[3])}
	})
	return w.emit(hlo.OpReduceWindow, nil, attrs, []*hlo.Block{body}, x, values, w.number(s, worst), w.zeros(s))[1]
}

func windowFore(f *forward, o *hlo.Op) []*hlo.Value {
	w := algo.WindowOf(o)
	name := extreme(o)
	switch {
	case name == hlo.OpAdd:
		return linearFore(f, o)
	case (name == hlo.OpMaximum || name == hlo.OpMinimum) && plain(w) && f.dot[o.Operands[1]] == nil:
		return []*hlo.Value{f.chosen(o, name, o.Operands[0], f.dot[o.Operands[0]])}
	case selects(o) != "" && plain(w) && f.dot[o.Operands[0]] == nil:
		return []*hlo.Value{nil, f.chosen(o, selects(o), o.Operands[0], f.dot[o.Operands[1]])}
	}
	return f.through(o, f.taps(o, w))
}

// taps writes windows element by element: the slice of all windows' first elements, of their second ones, and so on,
// are combined by the region.
func (w *writer) taps(o *hlo.Op, win algo.Window) expansion {
	n := len(o.Operands) / 2
	size := 1
	for _, k := range win.Size {
		size *= k
	}
	if size > maxTaps {
		w.refuse(o, "has windows of too many elements for its derivative", "reduce along one dimension after the other")
	}
	rank := len(win.In)
	return w.expand(func(in *writer) []*hlo.Value {
		padded, acc := make([]*hlo.Value, n), make([]*hlo.Value, n)
		low, high, between := make([]int, rank), make([]int, rank), make([]int, rank)
		for d := range rank {
			low[d], high[d], between[d] = win.Pad[2*d], win.Pad[2*d+1], win.Base[d]-1
		}
		for i := range n {
			padded[i] = in.padWith(o.Operands[i], o.Operands[n+i], low, high, between)
			acc[i] = in.broadcast(o.Operands[n+i], nil, win.Out)
		}
		at := make([]int, rank)
		for range size {
			start, limit := make([]int, rank), make([]int, rank)
			for d := range rank {
				start[d] = at[d] * win.Dilate[d]
				limit[d] = start[d] + spread(win.Out[d], win.Stride[d])
			}
			var xs []*hlo.Value
			for i := range n {
				xs = append(xs, in.slice(padded[i], start, limit, win.Stride))
			}
			acc = in.lifted(o, o.Regions[0], slices.Concat(acc, xs))
			for d := rank - 1; d >= 0; d-- {
				if at[d]++; at[d] < win.Size[d] {
					break
				}
				at[d] = 0
			}
		}
		return acc
	})
}

// selectAndScatterBack: select_and_scatter is linear in its source, whose cotangents are taken from where the elements went.
func selectAndScatterBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	name := picks(o)
	if name == "" || algo.Reducer(o.Regions[1]) != hlo.OpAdd {
		r.refuse(o, "selects or combines in a way whose derivative is not known", "select by GE or LE, and combine by add")
	}
	if source := o.Operands[1]; r.wants(source) && source.Type.Shape.Size() > 0 {
		r.give(source, r.chosen(o, name, o.Operands[0], ct[0]))
	}
	if init := o.Operands[2]; r.wants(init) {
		r.give(init, r.total(ct[0], count(len(ct[0].Type.Shape))))
	}
}

// picks returns OpMaximum or OpMinimum for a select_and_scatter that selects by GE or LE, else "".
func picks(o *hlo.Op) string {
	b := o.Regions[0]
	if len(b.Ops) != 2 || b.Ops[0].Name != hlo.OpCompare || !slices.Equal(b.Ops[0].Operands, b.Params) {
		return ""
	}
	return map[string]string{"GE": hlo.OpMaximum, "LE": hlo.OpMinimum}[b.Ops[0].Attrs.Str("comparison_direction")]
}

func selectAndScatterFore(f *forward, o *hlo.Op) []*hlo.Value {
	if algo.Reducer(o.Regions[1]) != hlo.OpAdd {
		f.refuse(o, "combines in a way whose derivative is not known", "combine by add")
	}
	k := hlo.NewCopier()
	regions := []*hlo.Block{k.Block(o.Regions[0]), k.Block(o.Regions[1])}
	source, init := o.Operands[1], o.Operands[2]
	in := []*hlo.Value{o.Operands[0], f.orZeros(f.dot[source], source.Type), f.orZeros(f.dot[init], init.Type)}
	return f.emit(o.Name, nil, maps.Clone(o.Attrs), regions, in...)
}
