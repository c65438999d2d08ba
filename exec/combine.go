package exec

import (
	"cmp"
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// scatterPublic combines updates with the inputs' elements at public positions.
func scatterPublic(c *opRun, in []*value) ([]*value, error) {
	n := len(in) / 2
	body := c.o.Regions[0]
	places := eval.ScatterPositions(c.o, in[n].arr)
	inputs, updates := in[:n], in[n+1:]
	if slices.Equal(body.Return().Operands, body.Params[n:]) {
		return c.placed(places, inputs, updates), nil
	}
	return c.combine(body, places, inputs, updates)
}

// placed sets elements of the inputs. Of several updates of one element the last is used.
func (c *opRun) placed(places []int32, inputs, updates []*value) []*value {
	out := make([]*value, len(inputs))
	for i, x := range inputs {
		index := counted(x.typ.Shape.Size())
		for u, place := range places {
			if place != tensor.Fill {
				index[place] = int32(x.typ.Shape.Size() + u)
			}
		}
		out[i] = c.pickedFrom(index, x.typ.Shape, x, updates[i])
	}
	return out
}

func counted(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// grouped lists updates by the position that they change, positions with more updates first.
type grouped struct {
	places  []int32
	updates [][]int32 // of each place, in order
}

func groupedBy(places []int32) grouped {
	by := map[int32][]int32{}
	var g grouped
	for u, p := range places {
		if p == tensor.Fill {
			continue
		}
		if by[p] == nil {
			g.places = append(g.places, p)
		}
		by[p] = append(by[p], int32(u))
	}
	slices.SortFunc(g.places, func(p, q int32) int {
		return cmp.Or(cmp.Compare(len(by[q]), len(by[p])), cmp.Compare(p, q))
	})
	for _, p := range g.places {
		g.updates = append(g.updates, by[p])
	}
	return g
}

// combine applies a body to elements of the inputs and the updates at their positions. Sums cost nothing. An
// associative body first combines the updates of a position pairwise, then applies the result to the element.
// Any other body is applied to the first updates of all positions, then to the second ones, and so on.
func (c *opRun) combine(block *hlo.Block, places []int32, inputs, updates []*value) ([]*value, error) {
	g := groupedBy(places)
	if len(g.places) == 0 {
		return inputs, nil
	}
	body := bodyOf(block)
	if body == hlo.OpAdd && inputs[0].typ.DType != tensor.Bool {
		return c.sums(g, inputs[0], updates[0])
	}
	b := c.closureBody(block)
	cur := make([]*value, len(inputs))
	for i, x := range inputs {
		cur[i] = c.pickedFrom(g.places, tensor.Shape{len(g.places)}, x)
	}
	var err error
	if f, _ := folding(body, inputs[0].typ.DType); f != nil {
		if updates, err = c.foldGroups(b, g, updates); err == nil {
			cur, err = b.apply(append(cur, updates...)...)
		}
	} else {
		cur, err = c.inTurn(b, g, cur, updates)
	}
	if err != nil {
		return nil, err
	}
	return c.placed(g.places, inputs, cur), nil
}

// sums adds each position's updates.
func (c *opRun) sums(g grouped, x, updates *value) ([]*value, error) {
	n, most := x.typ.Shape.Size(), len(g.updates[0])
	out := x
	// Positions with at most half as many updates as the largest group are summed separately, so that lists
	// have few gaps.
	for at := 0; at < len(g.places); {
		to := at
		for to < len(g.places) && 2*len(g.updates[to]) > most {
			to++
		}
		index := make([]int32, 0, (to-at)*most)
		for _, list := range g.updates[at:to] {
			index = append(index, list...)
			for range most - len(list) {
				index = append(index, tensor.Fill)
			}
		}
		m := maps.Gathered{From: updates.typ.Shape.Size(), To: to - at, Terms: most, Index: func() []int32 { return index }}
		added := c.gatherSum(updates, m, tensor.Shape{m.To})
		back := slices.Repeat([]int32{tensor.Fill}, n)
		for i, p := range g.places[at:to] {
			back[p] = int32(i)
		}
		v := tensor.Listed(x.typ.Shape, to-at, func() []int32 { return back })
		res, err := add(c, []*value{out, secret(c.Arith.View(c.op, v, added.sec))})
		if err != nil {
			return nil, err
		}
		out = res[0]
		if at = to; at < len(g.places) {
			most = len(g.updates[at])
		}
	}
	return []*value{out}, nil
}

// gatherSum sums elements of a value, which it shares first if necessary.
func (c *opRun) gatherSum(x *value, m maps.Gathered, shape tensor.Shape) *value {
	if c.guarded() {
		return secret(c.Arith.GatherSumGuarded(c.op, c.share(x, c.Arith.Fraction), m, shape))
	}
	return secret(c.Arith.GatherSum(c.op, c.share(x, c.Arith.Fraction), m, shape))
}

// foldGroups combines each position's updates to one, neighbours pairwise.
func (c *opRun) foldGroups(b *closureBody, g grouped, updates []*value) ([]*value, error) {
	lists := g.updates
	for {
		var left, right, single []int32
		for _, l := range lists {
			for k := 0; k+1 < len(l); k += 2 {
				left, right = append(left, l[k]), append(right, l[k+1])
			}
			if len(l)%2 == 1 {
				single = append(single, l[len(l)-1])
			}
		}
		take := func(index []int32) []*value {
			out := make([]*value, len(updates))
			for i, u := range updates {
				out[i] = c.pickedFrom(index, tensor.Shape{len(index)}, u)
			}
			return out
		}
		if len(left) == 0 {
			return take(single), nil
		}
		pairs, err := b.apply(append(take(left), take(right)...)...)
		if err != nil {
			return nil, err
		}
		if len(single) > 0 {
			for i, s := range take(single) {
				pairs[i] = c.concatenated([]*value{pairs[i], s})
			}
		}
		updates = pairs
		pair, lone := int32(0), int32(len(left))
		next := make([][]int32, len(lists))
		for i, l := range lists {
			for range len(l) / 2 {
				next[i] = append(next[i], pair)
				pair++
			}
			if len(l)%2 == 1 {
				next[i] = append(next[i], lone)
				lone++
			}
		}
		lists = next
	}
}

// inTurn applies the first update of each position, then the second of each that has one, and so on.
func (c *opRun) inTurn(b *closureBody, g grouped, cur, updates []*value) ([]*value, error) {
	for round := range len(g.updates[0]) {
		live := 0
		var index []int32
		for live < len(g.updates) && len(g.updates[live]) > round {
			index = append(index, g.updates[live][round])
			live++
		}
		var args []*value
		for _, x := range cur {
			args = append(args, c.pickedFrom(counted(live), tensor.Shape{live}, x))
		}
		for _, u := range updates {
			args = append(args, c.pickedFrom(index, tensor.Shape{live}, u))
		}
		out, err := b.apply(args...)
		if err != nil {
			return nil, err
		}
		for i, x := range cur {
			if n := x.typ.Shape[0]; live < n {
				rest := c.view(x, tensor.Sliced(tensor.Shape{n}, []int{live}, []int{n}, []int{1}))
				out[i] = c.concatenated([]*value{out[i], rest})
			}
		}
		cur = out
	}
	return cur, nil
}
