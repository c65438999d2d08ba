package fxp

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Comparand is x as it is best opened to be compared, and chosen from, several
// times: at the fraction, in a narrower ring if it is not open yet.
func (a *Arith) Comparand(op *flow.Op, x *Value) *Value {
	if x.S.Opened() {
		return a.proper(op, x)
	}
	return a.drop(op, x)
}

// Open opens values, all in one message.
func (a *Arith) Open(op *flow.Op, xs ...*Value) {
	for _, x := range xs {
		a.P.Open(op, x.S)
	}
}

// Unopened is x as a secret that nobody has seen masked.
func (a *Arith) Unopened(op *flow.Op, x *Value) *Value {
	x = a.proper(op, x)
	return newValue(a.P.Unopened(op, x.S), x.Type, x.Scale).is(x.top, x.term)
}

// Abs is x − 2·[x < 0]·x.
func (a *Arith) Abs(op *flow.Op, x *Value) *Value {
	y := a.Comparand(op, x)
	below := a.Kept(op, a.Negative(op, y), y)
	if y != x {
		x = a.Reduce(op, x) // what was opened, in its ring
	}
	return a.Combine(op, []int64{1, -2}, x, below).like(x)
}

// Clamp is x, but low where that is more and high where that is less; low ≤
// high. Both comparisons are beside each other, and share their tables; they
// are those of its gradient, which is of x where low < x < high.
func (a *Arith) Clamp(op *flow.Op, x *Value, low, high *tensor.Array) *Value {
	x = a.Comparand(op, x)
	below, above := a.Not(op, a.LessPublic(op, x, low, true)), a.Not(op, a.LessPublic(op, x, high, false))
	a.Open(op, below, above)
	raised := a.Select(op, below, a.PublicBeside(op, low, x.Scale), x)
	top := a.MulPublic(op, a.Number(op, above, x.Type.DType), high)
	return a.Combine(op, []int64{1, -1, 1}, raised, a.Kept(op, above, x), top).like(raised, top)
}

// Limit is max(x, limit), or min(x, limit) if least, for a public array.
func (a *Arith) Limit(op *flow.Op, x *Value, limit *tensor.Array, least bool) *Value {
	x = a.Comparand(op, x)
	return a.Select(op, a.LessPublic(op, x, limit, !least), x, a.PublicBeside(op, limit, x.Scale))
}

// Kept is x where b is true and 0 where it is false.
func (a *Arith) Kept(op *flow.Op, b, x *Value) *Value {
	if x.Type.DType.IsFloat() {
		x = a.Comparand(op, x)
	}
	r := a.RingOf(x.Type.DType)
	zero := ring.Weightless(r, x.S.Len())
	if !op.Graph.Weightless() {
		zero = ring.New(r, x.S.Len())
	}
	return newValue(a.P.Select(op, r, b.S, x.S, a.P.Public(op, zero, 0)), x.Type, x.Scale).is(x.top, x.term)
}

// Winners are the one-hots of columns of k numbers: x is k×n, and so is the
// result, true where a number is the largest (or smallest) of its column, of
// equal ones the first. All pairs are compared at once, whose bits are opened
// and multiplied.
func (a *Arith) Winners(op *flow.Op, x *Value, k, n int, least bool) *Value {
	var earlier, later []int32
	at := map[[2]int]int{} // the pairs' places
	for i := range k {
		for j := i + 1; j < k; j++ {
			at[[2]int{i, j}] = len(earlier)
			for e := range n {
				earlier, later = append(earlier, int32(i*n+e)), append(later, int32(j*n+e))
			}
		}
	}
	first, second := a.listed(op, x, earlier), a.listed(op, x, later)
	if !least {
		first, second = second, first
	}
	beaten := a.Less(op, second, first) // the later number is better
	a.P.Open(op, beaten.S)
	factors := make([]*Value, k-1)
	for t := range factors {
		var index []int32
		var flip []bool
		for i := range k - 1 {
			j := t // the number that i is to win against
			if j >= i {
				j++
			}
			place := at[[2]int{min(i, j), max(i, j)}]
			for e := range n {
				index, flip = append(index, int32(place+e)), append(flip, j > i)
			}
		}
		bits := a.listed(op, beaten, index)
		factors[t] = a.AddPublic(op, bits, &tensor.Array{Type: bits.Type, Data: flip})
	}
	won := a.And(op, factors...)
	a.P.Open(op, won.S)
	last := a.Not(op, boolean(a.P.Linear(op, maps.Sum{Outer: 1, Reduced: k - 1, Inner: n}, won.S), tensor.Shape{n}))
	shape := tensor.Shape{k, n}
	join := tensor.Concatenated([]tensor.Shape{{k - 1, n}, {1, n}}, 0)
	return boolean(a.P.Linear(op, maps.NewView(join, (k-1)*n, n), won.S, last.S), shape)
}

// listed takes elements of x by their places.
func (a *Arith) listed(op *flow.Op, x *Value, index []int32) *Value {
	return a.View(op, tensor.Listed(tensor.Shape{len(index)}, x.S.Len(), func() []int32 { return index }), x)
}

// compareFanIn is how many numbers are compared with each other at a time.
const compareFanIn = 4

// FanIn is how many of m numbers to compare with each other at a time so that
// as few levels are needed as with the most.
func FanIn(m int) int {
	levels, reach := 1, compareFanIn
	for reach < m {
		levels, reach = levels+1, reach*compareFanIn
	}
	for k := 2; ; k++ {
		reach = 1
		for range levels {
			reach *= k
		}
		if reach >= m {
			return min(k, m)
		}
	}
}

// OneHots are Winners of any number of rows, k > 1: winners of groups of
// neighbours, whose winners are found, and so on.
func (a *Arith) OneHots(op *flow.Op, x *Value, k, n int, least bool) *Value {
	f := FanIn(k)
	if f == k {
		return a.Winners(op, x, k, n, least)
	}
	g := k / f
	grouped := func(i int) []int32 { // row i of every group
		var index []int32
		for j := range g {
			for e := range n {
				index = append(index, int32((j*f+i)*n+e))
			}
		}
		return index
	}
	var index []int32
	for i := range f {
		index = append(index, grouped(i)...)
	}
	members := a.listed(op, x, index)
	hot := a.Winners(op, members, f, g*n, least)
	best := []*Value{a.Sum(op, a.Kept(op, hot, members), 1, f, g*n, tensor.Shape{g * n})}
	var over *Value // one-hots of what is in no full group
	left := k - g*f
	if left > 0 {
		rest := a.listed(op, x, inBatches(1, 0, span(g*f*n, k*n)))
		if left > 1 {
			over = a.OneHots(op, rest, left, n, least)
			rest = a.Sum(op, a.Kept(op, over, rest), 1, left, n, tensor.Shape{n})
		}
		best = append(best, rest)
	}
	of := a.Comparand(op, a.View(op, tensor.Concatenated(shapesOf(best), 0), best...))
	groups := of.S.Len() / n
	top := a.OneHots(op, of, groups, n, least)
	var parts []*Value // of f×g×n, then the rest
	upper := a.listed(op, top, inBatches(1, 0, span(0, g*n)))
	parts = append(parts, a.And(op, hot, a.View(op, tensor.Broadcast(tensor.Shape{g * n}, []int{1}, tensor.Shape{f, g * n}), upper)))
	if left > 0 {
		upper := a.listed(op, top, inBatches(1, 0, span(g*n, groups*n)))
		if over != nil {
			upper = a.And(op, over, a.View(op, tensor.Broadcast(tensor.Shape{n}, []int{1}, tensor.Shape{left, n}), upper))
		}
		parts = append(parts, upper)
	}
	back := make([]int32, k*n)
	for from, to := range index {
		back[to] = int32(from)
	}
	for i := g * f * n; i < k*n; i++ {
		back[i] = int32(i)
	}
	v := tensor.Listed(tensor.Shape{k, n}, k*n, func() []int32 { return back })
	return a.View(op, v, parts...)
}
