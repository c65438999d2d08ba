package exec

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// A max-pool and its gradient select the same elements. Where a program has both, the pool computes one-hots
// of its windows' winners and its result as a sum over them, and the one-hots are kept with the operand for
// the gradient.

// picking says how windows choose: direction is the comparison by which the chosen element precedes the
// others.
type picking struct {
	algo.Window
	direction string
}

func (p picking) String() string { return fmt.Sprint(p.Size, p.Stride, p.Pad, p.direction) }

func (p picking) least() bool { return p.direction == "LE" || p.direction == "LT" }

// cut is a group of windows of which padding leaves the same elements: the positions of each, in the order in
// which the first of equal elements is chosen.
type cut struct {
	windows []int32
	places  [][]int32
}

// cuts groups windows. Windows that consist of padding only are left out.
func (p picking) cuts() []cut {
	var cuts []cut
	byKind := map[string]int{}
	index, size := p.Index(), p.Size.Size()
	for w := range p.Out.Size() {
		var places []int32
		var which []int
		for k, at := range index[w*size:][:size] {
			if at != tensor.Fill {
				places, which = append(places, at), append(which, k)
			}
		}
		if len(places) == 0 {
			continue
		}
		if p.direction == "GT" || p.direction == "LT" { // the last of equal ones
			slices.Reverse(places)
		}
		name := fmt.Sprint(which)
		if _, ok := byKind[name]; !ok {
			byKind[name] = len(cuts)
			cuts = append(cuts, cut{})
		}
		k := &cuts[byKind[name]]
		k.windows = append(k.windows, int32(w))
		k.places = append(k.places, places)
	}
	return cuts
}

// elements lists the positions of m elements of n windows, the first elements of all windows first, and the
// window to which each belongs.
func (k cut) elements() (index, of []int32) {
	for i := range k.places[0] {
		for w := range k.windows {
			index = append(index, k.places[w][i])
		}
		of = append(of, k.windows...)
	}
	return index, of
}

// windowChoice is a cut with its elements, m×n, and the one-hots of its columns; the one-hots are public
// where a window has one element.
type windowChoice struct {
	cut
	members, hot *value
}

// winners computes the choices of windows over a secret, once for each secret.
func (c *opRun) winners(x *value, p picking) []windowChoice {
	if w := x.won[p.String()]; w != nil {
		return w
	}
	cuts, picked := p.cuts(), 0
	for _, k := range cuts {
		picked += len(k.windows) * len(k.places[0])
	}
	from := c.share(x, c.Arith.Fraction)
	if x.typ.DType.IsFloat() {
		from = c.Arith.Comparand(c.op, from)
	}
	if picked >= from.S.Len() {
		c.Arith.Open(c.op, from) // instead of the selected elements, some of them twice
	}
	var out []windowChoice
	for _, k := range cuts {
		m, n := len(k.places[0]), len(k.windows)
		index, _ := k.elements()
		w := windowChoice{cut: k, members: c.pickedFrom(index, tensor.Shape{m, n}, secret(from))}
		if m == 1 {
			t := tensor.Type{DType: tensor.Bool, Shape: tensor.Shape{1, n}}
			w.hot = &value{typ: t, owner: Public, arr: &tensor.Array{Type: t, Data: slices.Repeat([]bool{true}, n)}}
		} else {
			w.hot = secret(c.Arith.OneHots(c.op, w.members.sec, m, n, p.least()))
		}
		out = append(out, w)
	}
	if x.won == nil {
		x.won = map[string][]windowChoice{}
	}
	x.won[p.String()] = out
	return out
}

// pickedLater returns the picking of a pool's gradient over the same windows; ok is false if the program has
// none.
func (x *run) pickedLater(o *hlo.Op, body string) (p picking, ok bool) {
	if x.picks == nil {
		x.picks = map[*hlo.Value][]picking{}
		for o := range x.uses {
			if o.Name == hlo.OpSelectAndScatter {
				x.picks[o.Operands[0]] = append(x.picks[o.Operands[0]], picking{algo.WindowOf(o), selection(o.Regions[0])})
			}
		}
	}
	directions := []string{"GE", "GT"}
	if body == hlo.OpMinimum {
		directions = []string{"LE", "LT"}
	}
	for _, d := range directions {
		p := picking{algo.WindowOf(o), d}
		if slices.ContainsFunc(x.picks[o.Operands[0]], func(q picking) bool { return q.String() == p.String() }) {
			return p, true
		}
	}
	return picking{}, false
}

// pickedPool computes a pool from its windows' winners.
func (c *opRun) pickedPool(body string, x *value, p picking, out tensor.Shape, init *value) ([]*value, error) {
	var sums []*value
	from := make([]int32, out.Size())
	at := int32(0)
	for _, w := range c.winners(x, p) {
		best := w.members
		if w.hot.owner == Secret {
			kept := c.Arith.Kept(c.op, w.hot.sec, w.members.sec)
			best = secret(c.Arith.Sum(c.op, kept, 1, len(w.places[0]), len(w.windows), tensor.Shape{len(w.windows)}))
		}
		sums = append(sums, c.view(best, tensor.Reshaped(best.typ.Shape, tensor.Shape{len(w.windows)})))
		for _, i := range w.windows {
			from[i] = at
			at++
		}
	}
	f := maximum
	if p.least() {
		f = minimum
	}
	return c.from(init, body, c.pickedFrom(from, out, c.concatenated(sums)), f)
}
