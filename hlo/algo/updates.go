package algo

import (
	"cmp"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Updates holds the updates of a scatter, grouped by the position that they change. Positions with more updates come
// first; of positions with equally many, the smaller one.
type Updates struct {
	Positions []int32 // the positions that have updates
	Counts    []int   // number of updates of each of Positions
	order     []int32 // numbers of updates: those of a position are consecutive and in their order
	first     []int   // by position: index in order of its first update
}

// UpdatesAt returns the updates grouped; update i changes positions[i]. Updates at tensor.Fill are left out.
func UpdatesAt(positions []int32) Updates {
	var all []int32 // numbers of updates by position
	for u, p := range positions {
		if p != tensor.Fill {
			all = append(all, int32(u))
		}
	}
	slices.SortStableFunc(all, func(a, b int32) int { return cmp.Compare(positions[a], positions[b]) })
	var groups [][]int32
	for len(all) > 0 {
		n := 1
		for n < len(all) && positions[all[n]] == positions[all[0]] {
			n++
		}
		groups, all = append(groups, all[:n]), all[n:]
	}
	slices.SortStableFunc(groups, func(a, b []int32) int { return cmp.Compare(len(b), len(a)) })
	var g Updates
	for _, list := range groups {
		g.Positions, g.Counts = append(g.Positions, positions[list[0]]), append(g.Counts, len(list))
		g.first = append(g.first, len(g.order))
		g.order = append(g.order, list...)
	}
	return g
}

// List returns the numbers of the updates of Positions[i], in ascending order.
func (g Updates) List(i int) []int32 { return g.order[g.first[i]:][:g.Counts[i]] }

// CombineUpdates returns inputs with the updates of each position combined into the element there. If the region
// is Associative, the updates of a position are combined first; else each in turn is combined with the element.
func CombineUpdates[V any](b Combiner[V], block *hlo.Block, g Updates, inputs, updates []V) ([]V, error) {
	if len(g.Positions) == 0 {
		return inputs, nil
	}
	old := Take(b, inputs, g.Positions)
	var changed []V
	var err error
	if Associative(block) {
		if updates, err = FoldLists(b, updates, g.order, g.Counts); err != nil {
			return nil, err
		}
		changed, err = b.Apply(append(old, updates...)...)
	} else {
		changed, err = Sequential(b, g, old, updates)
	}
	if err != nil {
		return nil, err
	}
	return Set(b, g.Positions, inputs, changed), nil
}

// Sequential applies the region to cur, which holds the elements of all positions of g, and their first updates, then
// to the results and the second updates of all positions that have one, and so on. It returns the last elements, one
// vector for each of cur.
func Sequential[V any](b Combiner[V], g Updates, cur, updates []V) ([]V, error) {
	n := len(cur)
	done := make([][]V, n) // finished pieces, the last positions first
	for turn, live := 0, len(g.Positions); ; turn++ {
		ready := live
		for live > 0 && g.Counts[live-1] <= turn {
			live--
		}
		if live == 0 {
			for i, x := range cur {
				done[i] = append(done[i], x)
			}
			break
		}
		if live < ready {
			for i, x := range cur {
				done[i] = append(done[i], rows(b, x, live, ready, 1))
				cur[i] = rows(b, x, 0, live, 1)
			}
		}
		var next []int32
		for _, first := range g.first[:live] {
			next = append(next, g.order[first+turn])
		}
		var err error
		if cur, err = b.Apply(append(slices.Clone(cur), Take(b, updates, next)...)...); err != nil {
			return nil, err
		}
	}
	out := make([]V, n)
	for i, pieces := range done {
		slices.Reverse(pieces)
		out[i] = Concatenated(b, pieces...)
	}
	return out, nil
}

// Set returns inputs with the elements at the given positions replaced by those of updates, which are vectors, one
// element for each position. Of several updates of one element the last one is used; updates at tensor.Fill are not
// used.
func Set[V any](of Values[V], positions []int32, inputs, updates []V) []V {
	out := make([]V, len(inputs))
	for i, x := range inputs {
		v := SetView(of.Shape(x), len(positions), func() []int32 { return positions })
		out[i] = of.View(v, x, updates[i])
	}
	return out
}

// SetView returns the view of an input of the given shape and n updates in which each update replaces the element at
// its position, as Set does.
func SetView(shape tensor.Shape, n int, positions func() []int32) tensor.View {
	size := shape.Size()
	return tensor.Listed(shape, size+n, func() []int32 {
		index := Counted(size)
		for u, p := range positions() {
			if p != tensor.Fill {
				index[p] = int32(size + u)
			}
		}
		return index
	})
}
