package fxp

import (
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// Comparand returns x in the form that is cheapest to open if x is compared and selected several times: at the
// fraction, in a narrower ring if x is not open yet.
func (a *Arith) Comparand(op *flow.Op, x *Value) *Value {
	if x.S.Opened() {
		return a.proper(op, x)
	}
	return a.drop(op, x)
}

// Open opens the masked values of xs that are not open, all at the same time.
func (a *Arith) Open(op *flow.Op, xs ...*Value) {
	for _, x := range xs {
		a.P.Open(op, x.S)
	}
}

// Unopened returns x as a value whose masked value is not open, for measurements.
func (a *Arith) Unopened(op *flow.Op, x *Value) *Value {
	x = a.proper(op, x)
	return newValue(a.P.Unopened(op, x.S), x.Type, x.Scale).is(x.top, x.term)
}

// Abs returns |x|, computed as x − 2·[x < 0]·x.
func (a *Arith) Abs(op *flow.Op, x *Value) *Value {
	y := a.Comparand(op, x)
	below := a.Kept(op, a.Negative(op, y), y)
	if y != x {
		x = a.Rescale(op, x) // the opened value, in its ring
	}
	return a.Combine(op, []int64{1, -2}, x, below).like(x)
}

// Clamp returns x limited to [low, high], low ≤ high. Both comparisons run in parallel and share their
// tables. The gradient of a clamp, which passes where low < x < high, uses the same comparisons, hence their
// memoised results.
func (a *Arith) Clamp(op *flow.Op, x *Value, low, high *tensor.Array) *Value {
	x = a.Comparand(op, x)
	if least, most, ok := a.ends(x, low, high); ok {
		return newValue(a.P.Clamp(op, a.Ring, x.S, least, most), x.Type, x.Scale).is(x.top, x.term)
	}
	below, above := a.Not(op, a.LessPublic(op, x, low, true)), a.Not(op, a.LessPublic(op, x, high, false))
	a.Open(op, below, above)
	raised := a.Select(op, below, a.PublicBeside(op, low, x.Scale), x)
	top := a.MulPublic(op, a.Number(op, above, x.Type.DType), high)
	return a.Combine(op, []int64{1, -1, 1}, raised, a.Kept(op, above, x), top).like(raised, top)
}

// ends returns the bounds of a clamp in x's units if all elements have the same, they are whole units and x's bound
// allows them.
func (a *Arith) ends(x *Value, low, high *tensor.Array) (least, most int64, ok bool) {
	unit := func(c *tensor.Array) (int64, bool) {
		v, same := a.OnGrid(c).Uniform()
		v = math.Ldexp(v, x.Scale)
		return int64(v), same && v == math.Trunc(v) && math.Abs(v) < math.Ldexp(1, min(x.S.Bound(), 52))
	}
	least, ok = unit(low)
	most, fits := unit(high)
	return least, most, ok && fits
}

// Limit returns max(x, limit), or min(x, limit) if least, for a public array limit of x's shape.
func (a *Arith) Limit(op *flow.Op, x *Value, limit *tensor.Array, least bool) *Value {
	x = a.Comparand(op, x)
	return a.Select(op, a.LessPublic(op, x, limit, !least), x, a.PublicBeside(op, limit, x.Scale))
}

// Kept returns x where b is true and 0 where b is false.
func (a *Arith) Kept(op *flow.Op, b, x *Value) *Value {
	if x.Type.DType.IsFloat() {
		x = a.Comparand(op, x)
	}
	r := a.RingOf(x.Type.DType)
	return newValue(a.P.Select(op, r, b.S, x.S, a.P.Public(op, a.zeroVec(op, r, x.S.Len()), 0)), x.Type, x.Scale).is(x.top, x.term)
}

// Winners returns the one-hots of columns of k numbers: x is k×n, and so is the result, which is true where a
// number is the largest (or smallest, if least) of its column; of equal numbers the first. All pairs are
// compared at once, and their bits are opened and multiplied.
func (a *Arith) Winners(op *flow.Op, x *Value, k, n int, least bool) *Value {
	var earlier, later []int32
	at := map[[2]int]int{} // the pairs' rows
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
	beaten := a.Less(op, second, first) // true if the later number wins
	a.P.Open(op, beaten.S)
	factors := make([]*Value, k-1)
	for t := range factors {
		var index []int32
		var flip []bool
		for i := range k - 1 {
			j := t // the number that i is compared with
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

// listed copies elements of x by their indices.
func (a *Arith) listed(op *flow.Op, x *Value, index []int32) *Value {
	return a.View(op, tensor.Listed(tensor.Shape{len(index)}, x.S.Len(), func() []int32 { return index }), x)
}

// compareFanIn is the largest number of elements that are compared pairwise at a time.
const compareFanIn = 4

// FanIn returns how many of m numbers MaxOf and Winners compare pairwise at a time: the smallest number, at most
// four, that needs no more levels than four do.
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

// OneHots is Winners for any number of rows, k > 1: it finds the winners of groups of neighbouring rows, then the
// winners among those, and so on.
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
	var over *Value // one-hots of the rows that fill no group
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
	var parts []*Value // f×g×n each, then the remaining rows
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
