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
		return x
	}
	return a.drop(op, x)
}

// Open opens values, all in one message.
func (a *Arith) Open(op *flow.Op, xs ...*Value) {
	for _, x := range xs {
		a.P.Open(op, x.S)
	}
}

// Kept is x where b is true and 0 where it is false.
func (a *Arith) Kept(op *flow.Op, b, x *Value) *Value {
	r := a.RingOf(x.Type.DType)
	zero := ring.Weightless(r, x.S.Len())
	if !op.Graph.Weightless() {
		zero = ring.New(r, x.S.Len())
	}
	return newValue(a.P.Select(op, r, b.S, x.S, a.P.Public(op, zero, 0)), x.Type, x.Scale)
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
