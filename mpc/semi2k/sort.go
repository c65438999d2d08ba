package semi2k

import (
	"math/bits"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Sort shuffles rows and then sorts them by comparisons that all computing
// parties learn (Hamada et al., ICISC '12). An item is a row's keys as the digits
// of one number, with its place as the last digit: no two are equal, so which of
// two is less depends on nothing but a uniformly random order, and tells nothing.
// A difference of two items is opened under masks of a pool that was dealt
// ahead (pool): which pairs are compared depends on earlier outcomes, and no
// request may name them. Their number is hidden from the dealer with them.
//
// Every group of items that is not in order meets three pivots of its own, all
// in one batch of four rounds: its difference opened, compared in two levels of
// gates, and the outcome. Groups of at most allPairs items are ranked by
// comparing all pairs, and so are all that are left when that takes no more
// than one comparison for each row.
func (p *Party) Sort(op *flow.Op, s mpc.Sorting, keys, xs []mpc.Secret) (sorted []mpc.Secret, at mpc.Secret) {
	op.Expect()
	places := bits.Len(uint(s.Rows - 1))
	width := places + 1 // of differences of items
	for _, k := range keys {
		width += k.Bound() + 1
	}
	first := p.share(keys[0])
	rest := p.lower(op, s, keys[1:], ring.Z(max(width, s.At.Bits)))
	todo, column := []*share{first, rest}, make([]int, len(xs))
	for i, x := range xs {
		if column[i] = slices.Index(todo, p.share(x)); column[i] < 0 {
			column[i], todo = len(todo), append(todo, p.share(x))
		}
	}
	counted := 1 // the column of places: the rest, if it holds nothing else
	if s.At.Bits > 0 && len(keys) > 1 {
		counted, todo = len(todo), append(todo, p.places(op, s, s.At))
	}
	p.open(op, todo...)
	parts := p.shuffle(op, s.Rows, todo...)
	items := p.items(op, width, width-2-first.bound, s.Descending[0], parts[0], parts[1])
	aside := op.Aside()
	c := &ordering{p: p, op: aside, s: s, width: width, items: items, pool: p.newPool(op, width, poolSize(s.Groups, s.Rows))}
	c.start()
	order := flow.Then(aside, c.next, items)
	inOrder := func(i int) *share { return p.inOrder(op, s, order, parts[i], todo[i].ring, todo[i].bound) }
	for _, i := range column {
		sorted = append(sorted, inOrder(i))
	}
	if s.At.Bits > 0 {
		at = p.Narrow(op, s.At, inOrder(counted))
	}
	return sorted, at
}

// places count each group's rows.
func (p *Party) places(op *flow.Op, s mpc.Sorting, r ring.Ring) *share {
	v := ring.Weightless(r, s.Len())
	if !op.Graph.Weightless() {
		ints := make([]int64, s.Len())
		for i := range ints {
			ints[i] = int64(i % s.Rows)
		}
		v = ring.FromInts(r, ints)
	}
	return p.share(p.Public(op, v, bits.Len(uint(s.Rows-1))))
}

// lower are an item's digits below the first key's: further keys, read into
// ring r, and the place.
func (p *Party) lower(op *flow.Op, s mpc.Sorting, keys []mpc.Secret, r ring.Ring) *share {
	sum := p.places(op, s, r)
	at := bits.Len(uint(s.Rows - 1))
	for i := len(keys) - 1; i >= 0; i-- {
		k := p.share(keys[i])
		digit := p.Narrow(op, ring.Z(min(r.Bits, k.ring.Bits)), k)
		digit = p.Linear(op, maps.Shift{N: s.Len(), By: at}, p.Extend(op, r, digit, true))
		sum = p.Linear(op, maps.Combine{N: s.Len(), Coef: []int64{1, direction(s.Descending[i+1])}}, sum, digit).(*share)
		at += k.bound + 1
	}
	return sum
}

func direction(descending bool) int64 {
	if descending {
		return -1
	}
	return 1
}

// items puts the first key, whose shares may be of a ring too narrow for them,
// above the lower digits.
func (p *Party) items(op *flow.Op, width, shift int, descending bool, first, rest *flow.Of[ring.Vec]) *flow.Of[ring.Vec] {
	r := ring.Z(width)
	return flow.Do(op, 0, func() ring.Vec {
		key := first.Get()
		out, low := key.Like(r, key.Len()), key.Like(r, key.Len())
		ring.Low(out, key)
		ring.Lsh(out, out, shift)
		if descending {
			ring.Neg(out, out)
		}
		ring.Low(low, rest.Get())
		ring.Add(out, out, low)
		low.Free()
		return out
	}, first, rest)
}

// inOrder takes the first rows of every group.
func (p *Party) inOrder(op *flow.Op, s mpc.Sorting, order *flow.Of[[]int32], of *flow.Of[ring.Vec], r ring.Ring, bound int) *share {
	n := s.Groups * s.First
	out := &share{ring: r, n: n, bound: bound}
	out.additive = flow.Do(op, bytes(r, n), func() ring.Vec {
		v := of.Get().Like(r, n)
		for g := range s.Groups {
			ring.Gather(v.Slice(g*s.First, (g+1)*s.First), of.Get(), order.Get()[g*s.Rows:][:s.First])
		}
		return v
	}, order, of)
	return out
}

// ordering is a sort as it goes on: what all computing parties know of the
// order of shuffled items.
type ordering struct {
	p     *Party
	op    *flow.Op // set aside
	s     mpc.Sorting
	width int
	items *flow.Of[ring.Vec]
	pool  *pool
	// order are the items as far as they are in order: those of a span are
	// together, in no order.
	order []int32
	spans []span
	rank  []int32 // in a weightless run: a random order, for what would come
}

// span are places of the order.
type span struct{ lo, n int }

const (
	pivots   = 3
	allPairs = 8
)

func (c *ordering) start() {
	n := c.s.Len()
	c.order = make([]int32, n)
	for i := range c.order {
		c.order[i] = int32(i)
	}
	for g := range c.s.Groups {
		c.push(span{g * c.s.Rows, c.s.Rows})
	}
	if c.op.Graph.Weightless() {
		c.rank = make([]int32, n)
		ring.NewPRG(ring.Seed{}).Orders(c.rank, c.s.Rows, uint64(c.op.ID), 0)
	}
}

// push notes a span that is to be put in order, if any of its places is wanted.
func (c *ordering) push(s span) {
	if s.n > 1 && s.lo%c.s.Rows < c.s.First {
		c.spans = append(c.spans, s)
	}
}

// whole reports whether all pairs of a span are compared.
func (s span) whole(last bool) bool { return last || s.n <= allPairs }

// next compares the next batch, and goes on until nothing is left to compare.
func (c *ordering) next() (*flow.Of[[]int32], error) {
	if len(c.spans) == 0 {
		c.pool.drain(c.op)
		return flow.Known(c.order), nil
	}
	all := 0
	for _, s := range c.spans {
		all += s.n * (s.n - 1) / 2
	}
	last := all <= c.s.Len()
	xs, ys := c.pairs(last)
	n := len(xs)
	batch, err := c.pool.take(n)
	if err != nil {
		return nil, err
	}
	r := ring.Z(c.width)
	d := flow.Do(c.op, bytes(r, n), func() ring.Vec {
		items := c.items.Get()
		x, y := items.Like(r, n), items.Like(r, n)
		ring.Gather(x, items, xs)
		ring.Gather(y, items, ys)
		ring.Sub(x, x, y)
		y.Free()
		return x
	}, c.items)
	less := batch.belowZero(c.op, c.p.newShare(r, n, 0, d))
	told := c.p.share(c.p.Disclose(c.op, c.p.fromShares(c.op, n, less))).masked.delta
	return flow.Then(c.op, func() (*flow.Of[[]int32], error) {
		c.settle(last, c.outcomes(told.Get(), xs, ys))
		return c.next()
	}, told), nil
}

// outcomes are [x < y] of pairs.
func (c *ordering) outcomes(told ring.Vec, xs, ys []int32) []bool {
	out := make([]bool, len(xs))
	for i := range out {
		if c.rank != nil {
			out[i] = c.rank[xs[i]] < c.rank[ys[i]]
		} else {
			out[i] = told.Words()[i] != 0
		}
	}
	return out
}

// pairs lists which items are compared: of a span all pairs, or its pivots, the
// first of it, with each other and with all others.
func (c *ordering) pairs(last bool) (xs, ys []int32) {
	for _, s := range c.spans {
		in := c.order[s.lo : s.lo+s.n]
		of := pivots
		if s.whole(last) {
			of = s.n
		}
		for i, x := range in[:of] {
			for _, y := range in[i+1:] {
				xs, ys = append(xs, x), append(ys, y)
			}
		}
	}
	return xs, ys
}

// settle puts the spans in order as far as the outcomes tell, in the order of
// pairs.
func (c *ordering) settle(last bool, less []bool) {
	spans := c.spans
	c.spans = nil
	for _, s := range spans {
		in := c.order[s.lo : s.lo+s.n]
		of := pivots
		if s.whole(last) {
			of = s.n
		}
		// Of each item, how many of those that it met come before it.
		before := make([]int, s.n)
		for i := range of {
			for j := i + 1; j < s.n; j++ {
				if less[0] {
					before[j]++
				} else {
					before[i] += outrank(j, of)
				}
				less = less[1:]
			}
		}
		c.place(s, in, before, of)
	}
}

// outrank is 1 of a pivot and 0 of another item: which pivots come before a
// pivot is counted, not which items.
func outrank(j, of int) int {
	if j < of {
		return 1
	}
	return 0
}

// place moves pivots to where they belong among themselves and all other items
// between them.
func (c *ordering) place(s span, in []int32, before []int, of int) {
	sizes := make([]int, of+1) // of the parts between pivots
	for _, b := range before[of:] {
		sizes[b]++
	}
	starts, at := make([]int, of+1), 0
	for i, n := range sizes {
		starts[i] = at
		c.push(span{s.lo + at, n})
		at += n + 1 // and the pivot behind it
	}
	out := make([]int32, s.n)
	for i, b := range before[:of] {
		out[starts[b]+sizes[b]] = in[i]
	}
	for i, b := range before[of:] {
		out[starts[b]] = in[of+i]
		starts[b]++
	}
	copy(in, out)
}
