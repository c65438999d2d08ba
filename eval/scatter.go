package eval

import (
	"cmp"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// scatterInputs returns the number n of inputs of a scatter; it has n inputs, the indices, and n
// updates.
func scatterInputs(op *hlo.Op) (n int) { return len(op.Operands) / 2 }

// setsUpdates reports whether a scatter's body returns the updates.
func setsUpdates(op *hlo.Op) bool {
	n, body := scatterInputs(op), op.Regions[0]
	return slices.Equal(body.Return().Operands, body.Params[n:])
}

// ScatterPositions returns for each element of the updates its position in the input. All elements
// of a window that does not lie within the input have position tensor.Fill.
func ScatterPositions(op *hlo.Op, indices *tensor.Array) []int32 {
	dims := op.Attrs["scatter_dimension_numbers"].(*hlo.ScatterDims)
	n := scatterInputs(op)
	in, upd := shapeOf(op, 0), shapeOf(op, n+1)
	dropped := append(slices.Clone(dims.InsertedWindowDims), dims.InputBatchingDims...)
	sizes := make([]int, len(in))
	for d, k := 0, 0; d < len(in); d++ {
		sizes[d] = 1
		if !slices.Contains(dropped, d) {
			sizes[d] = upd[dims.UpdateWindowDims[k]]
			k++
		}
	}
	return windows{
		in: in, outer: upd, windowDims: dims.UpdateWindowDims,
		vector: dims.IndexVectorDim, targets: dims.ScatterDimsToOperandDims,
		batching: dims.InputBatchingDims, indexBatching: dims.ScatterIndicesBatchingDims,
		dropped: dropped,
	}.positions(indices, func(start []int) bool {
		for d, s := range start {
			if s < 0 || s > in[d]-sizes[d] {
				return false
			}
		}
		return true
	})
}

// scatterView is the view of a scatter whose body returns the update: of several updates of one
// element the last one wins.
func scatterView(op *hlo.Op, public func(int) *tensor.Array) (tensor.View, []int, error) {
	n := scatterInputs(op)
	in, upd := shapeOf(op, 0).Size(), shapeOf(op, n+1).Size()
	indices := public(n)
	if indices == nil {
		return tensor.View{}, nil, failf(op, "indices are not public")
	}
	return tensor.Listed(resultShape(op), in+upd, func() []int32 {
		index := ascending(in)
		for i, place := range ScatterPositions(op, indices) {
			if place != tensor.Fill {
				index[place] = int32(in + i)
			}
		}
		return index
	}), []int{0, n + 1}, nil
}

// scatter combines updates with the input's elements by the body, several updates of one element in
// their order.
func scatter(c *call) ([]*tensor.Array, error) {
	n := scatterInputs(c.op)
	inputs, updates := c.args[:n], c.args[n+1:]
	if setsUpdates(c.op) {
		v, _, _, err := View(c.op, func(i int) *tensor.Array { return c.args[i] })
		if err != nil {
			return nil, err
		}
		out := make([]*tensor.Array, n)
		for i := range out {
			out[i] = apply(v, inputs[i], updates[i])
		}
		return out, nil
	}

	return updatesByPlace(ScatterPositions(c.op, c.args[n])).combine(c, newBody(c.env, c.op.Regions[0]), inputs, updates)
}

// groupedUpdates are updates grouped by the position that they change. Positions with more updates come
// first.
type groupedUpdates struct {
	order   []int32 // indices of updates: those of a position are consecutive and in their order
	targets []int32 // positions
	first   []int   // by position: index in order of its first update
	counts  []int   // by position: number of its updates
}

func updatesByPlace(places []int32) groupedUpdates {
	byPlace := map[int32][]int32{}
	var g groupedUpdates
	for i, place := range places {
		if place == tensor.Fill {
			continue
		}
		if byPlace[place] == nil {
			g.targets = append(g.targets, place)
		}
		byPlace[place] = append(byPlace[place], int32(i))
	}
	slices.SortFunc(g.targets, func(p, q int32) int {
		return cmp.Or(cmp.Compare(len(byPlace[q]), len(byPlace[p])), cmp.Compare(p, q))
	})
	for _, place := range g.targets {
		g.first = append(g.first, len(g.order))
		g.counts = append(g.counts, len(byPlace[place]))
		g.order = append(g.order, byPlace[place]...)
	}
	return g
}

// combine returns the inputs with each position's updates combined into them.
func (g groupedUpdates) combine(c *call, b *body, inputs, updates []*tensor.Array) ([]*tensor.Array, error) {
	n := len(inputs)
	old, sorted := make([]*tensor.Array, n), make([]*tensor.Array, n)
	for i := range inputs {
		old[i], sorted[i] = take(inputs[i], g.targets), take(updates[i], g.order)
	}
	combine := g.sequential
	if simpleBody(b.block) != none {
		combine = g.associative
	}
	changed, err := combine(c, b, old, sorted)
	if err != nil {
		return nil, err
	}
	size := inputs[0].Len()
	index := ascending(size)
	for i, place := range g.targets {
		index[place] = int32(size + i)
	}
	out := make([]*tensor.Array, n)
	for i, x := range inputs {
		out[i] = apply(tensor.Listed(x.Shape, size+len(g.targets), func() []int32 { return index }), x, changed[i])
	}
	return out, nil
}

// associative folds each position's updates first and then combines the result with the old
// element.
func (g groupedUpdates) associative(c *call, b *body, old, updates []*tensor.Array) ([]*tensor.Array, error) {
	folded, err := b.fold(c.ctx, updates, g.counts)
	if err != nil {
		return nil, err
	}
	return b.apply(c.ctx, append(slices.Clone(old), folded...))
}

// sequential applies the first update of each position, then the second update of each position that
// has one, and so on.
func (g groupedUpdates) sequential(c *call, b *body, cur, updates []*tensor.Array) ([]*tensor.Array, error) {
	n := len(cur)
	done := make([][]*tensor.Array, n) // finished pieces, the last positions first
	for turn, live := 0, len(g.targets); live > 0; turn++ {
		ready := live
		for live > 0 && g.counts[live-1] <= turn {
			live--
		}
		var next []int32
		for _, f := range g.first[:live] {
			next = append(next, int32(f+turn))
		}
		args := make([]*tensor.Array, 2*n)
		for i, x := range cur {
			if live < ready {
				done[i] = append(done[i], part(x, live, ready))
			}
			args[i], args[n+i] = part(x, 0, live), take(updates[i], next)
		}
		var err error
		if cur, err = b.apply(c.ctx, args); err != nil {
			return nil, err
		}
	}
	for i, pieces := range done {
		slices.Reverse(pieces)
		shapes := make([]tensor.Shape, len(pieces)+1)
		for k, p := range append(pieces, cur[i]) {
			shapes[k] = p.Shape
		}
		cur[i] = apply(tensor.Concatenated(shapes, 0), append(pieces, cur[i])...)
	}
	return cur, nil
}

// part returns the elements from … to of a vector.
func part(x *tensor.Array, from, to int) *tensor.Array {
	return apply(tensor.Sliced(x.Shape, []int{from}, []int{to}, []int{1}), x)
}
