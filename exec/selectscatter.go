package exec

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// selectAndScatter finds the one-hot of each window's choice, whose products
// with the window's source are combined, by the second body, into the element
// they belong to. Windows that padding cuts alike are compared together.
func selectAndScatter(c *opRun, in []*value) ([]*value, error) {
	x, source, init := in[0], in[1], in[2]
	direction := selection(c.o.Regions[0])
	if direction == "" {
		return nil, refuse(c.o, "selects by something else than a comparison, which is not built for secrets", "select by GE, GT, LE or LT")
	}
	rank := len(x.typ.Shape)
	size := tensor.Shape(window(c.o, "window_dimensions", rank, 1))
	stride, pad := window(c.o, "window_strides", rank, 1), window(c.o, "padding", 2*rank, 0)
	var kinds []cut
	byKind := map[string]int{}
	for w := range source.typ.Shape.Size() {
		var places []int32
		var which []int
		for k := range size.Size() {
			if p := eval.WindowPlace(x.typ.Shape, source.typ.Shape, size, stride, pad, w, k); p != tensor.Fill {
				places, which = append(places, p), append(which, k)
			}
		}
		if len(places) == 0 {
			continue
		}
		if direction == "GT" || direction == "LT" { // the last of equal ones
			for i, j := 0, len(places)-1; i < j; i, j = i+1, j-1 {
				places[i], places[j] = places[j], places[i]
			}
		}
		name := fmt.Sprint(which)
		if _, ok := byKind[name]; !ok {
			byKind[name] = len(kinds)
			kinds = append(kinds, cut{})
		}
		kind := &kinds[byKind[name]]
		kind.windows = append(kind.windows, int32(w))
		kind.places = append(kind.places, places)
	}
	base := c.spread(init, x.typ.Shape)
	if x.who == Public {
		return c.combine(c.o.Regions[1], publicChoice(kinds, x.arr, direction, source.typ.Shape.Size()), []*value{base}, []*value{source})
	}
	chosen := &choice{}
	least := direction == "LE" || direction == "LT"
	for _, k := range kinds {
		c.chooseIn(k, x, source, least, chosen)
	}
	if len(kinds) == 0 {
		return []*value{base}, nil
	}
	hot, updates := c.concatenated(chosen.hot), c.concatenated(chosen.updates)
	body := c.o.Regions[1]
	if bodyOf(body) == "stablehlo.add" && x.typ.DType != tensor.Bool {
		kept, err := multiply(c, []*value{c.number(hot, updates.typ.DType), updates})
		if err != nil {
			return nil, err
		}
		return c.sums(groupedBy(chosen.places), base, kept[0])
	}
	return c.combineChosen(body, chosen.places, base, hot, updates)
}

// cut are windows of which padding leaves the same elements: the places of
// each.
type cut struct {
	windows []int32
	places  [][]int32
}

// publicChoice gives each window the place that it chooses of public numbers.
func publicChoice(kinds []cut, x *tensor.Array, direction string, windows int) []int32 {
	out := slices.Repeat([]int32{tensor.Fill}, windows)
	least := direction == "LE" || direction == "LT"
	better := func(p, q int32) bool { // of unequal ones
		if x.DType.IsFloat() {
			f := x.Floats()
			return f[p] != f[q] && f[p] < f[q] == least
		}
		w := x.Words()
		less := w[p] < w[q]
		if x.DType.IsSigned() {
			less = int64(w[p]) < int64(w[q])
		}
		return w[p] != w[q] && less == least
	}
	for _, k := range kinds {
		for i, places := range k.places {
			best := places[0]
			for _, p := range places[1:] {
				if better(p, best) {
					best = p
				}
			}
			out[k.windows[i]] = best
		}
	}
	return out
}

// choice lists elements of windows: where they are, whether their window
// chose them, and its source.
type choice struct {
	places       []int32
	hot, updates []*value
}

// chooseIn finds the one-hots of windows.
func (c *opRun) chooseIn(k cut, x, source *value, least bool, into *choice) {
	n, m := len(k.windows), len(k.places[0])
	var index, of []int32
	for i := range m {
		for w := range n {
			index = append(index, k.places[w][i])
		}
		of = append(of, k.windows...)
	}
	into.places = append(into.places, index...)
	into.updates = append(into.updates, c.pickedFrom(of, tensor.Shape{m * n}, source))
	t := tensor.Type{DType: tensor.Bool, Shape: tensor.Shape{m * n}}
	if m == 1 {
		all := make([]bool, n)
		for i := range all {
			all[i] = true
		}
		into.hot = append(into.hot, &value{typ: t, who: Public, arr: &tensor.Array{Type: t, Data: all}})
		return
	}
	opened := secret(c.Arith.Comparand(c.op, c.share(x, c.Arith.Fraction)))
	hot := c.Arith.OneHots(c.op, c.pickedFrom(index, tensor.Shape{m, n}, opened).sec, m, n, least)
	into.hot = append(into.hot, c.view(secret(hot), tensor.Reshaped(hot.Type.Shape, t.Shape)))
}

// selection is the direction in which a window's choice compares with the
// elements after it.
func selection(b *hlo.Block) string {
	if len(b.Ops) != 2 || b.Ops[0].Name != "stablehlo.compare" || b.Return().Operands[0] != b.Ops[0].Results[0] {
		return ""
	}
	o := b.Ops[0]
	dir := o.Attrs.Str("comparison_direction")
	turned := map[string]string{"GE": "LE", "GT": "LT", "LE": "GE", "LT": "GT"}
	switch in := o.Operands; {
	case in[0] == b.Params[0] && in[1] == b.Params[1] && turned[dir] != "":
		return dir
	case in[0] == b.Params[1] && in[1] == b.Params[0]:
		return turned[dir]
	}
	return ""
}

// number is a boolean as 0 or 1 of a type, and still known to be one.
func (c *opRun) number(b *value, d tensor.DType) *value {
	out := secret(c.Arith.Number(c.op, c.share(b, 0), d))
	out.bits = b.sec
	return out
}

// combineChosen applies a body to an element and the sources of all windows
// that have it, in turn, where they chose it.
func (c *opRun) combineChosen(block *hlo.Block, places []int32, base, hot, updates *value) ([]*value, error) {
	b := c.body(block)
	g := groupedBy(places)
	cur := c.pickedFrom(g.places, tensor.Shape{len(g.places)}, base)
	for turn := range len(g.updates[0]) {
		live, index := 0, []int32{}
		for live < len(g.updates) && len(g.updates[live]) > turn {
			index = append(index, g.updates[live][turn])
			live++
		}
		shape := tensor.Shape{live}
		old := c.pickedFrom(counted(live), shape, cur)
		next, err := b.apply(old, c.pickedFrom(index, shape, updates))
		if err != nil {
			return nil, err
		}
		if next, err = c.pick(c.pickedFrom(index, shape, hot), next[0], old); err != nil {
			return nil, err
		}
		if n := cur.typ.Shape[0]; live < n {
			rest := c.view(cur, tensor.Sliced(tensor.Shape{n}, []int{live}, []int{n}, []int{1}))
			next[0] = c.concatenated([]*value{next[0], rest})
		}
		cur = next[0]
	}
	return c.placed(g.places, []*value{base}, []*value{cur}), nil
}

func init() { table["stablehlo.select_and_scatter"] = selectAndScatter }
