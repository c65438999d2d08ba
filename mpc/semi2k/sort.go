package semi2k

import (
	"math/bits"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Sort implements mpc.Sorts (docs/protocols/sorting.md#sort). It shuffles the rows and sorts them by comparisons that
// are revealed to all computing parties (Hamada et al., ICISC '12). An item is a number whose digits are a row's keys
// and, as the last digit, the row's place. No two items are equal, so the results of comparisons depend on a
// uniformly random order only and reveal nothing. Which pairs are compared depends on earlier results, and no
// correlation request may name them. So differences of items are opened under masks of a pool that was requested
// before, and the dealer does not learn how many pairs are compared.
//
// Each unordered part of a group compares three pivots with each other and with all other items of the part. All
// parts are compared in one batch of four rounds: open the differences, two levels of gates, reveal the results.
// Parts of at most eight items compare all pairs, and so do all parts as soon as that takes at most one comparison
// for each row.
func (p *Party) Sort(op *flow.Op, s mpc.Sorting, keys, xs []mpc.Secret) (sorted []mpc.Secret, at mpc.Secret) {
	op.Expect()
	places := bits.Len(uint(s.Rows - 1))
	width := places + 1 // bits of a difference of two items
	for _, k := range keys {
		width += k.Bound() + 1
	}
	first := p.share(keys[0])
	rest := p.lowerDigits(op, s, keys[1:], ring.Z(max(width, s.At.Bits)))
	todo, column := []*share{first, rest}, make([]int, len(xs))
	for i, x := range xs {
		if column[i] = slices.Index(todo, p.share(x)); column[i] < 0 {
			column[i], todo = len(todo), append(todo, p.share(x))
		}
	}
	placesColumn := 1 // index of the column of places: the lower digits, if there is one key
	if s.At.Bits > 0 && len(keys) > 1 {
		placesColumn, todo = len(todo), append(todo, p.places(op, s, s.At))
	}
	p.open(op, todo...)
	parts := p.shuffle(op, s.Rows, todo...)
	items := p.items(op, width, width-2-first.bound, s.Descending[0], parts[0], parts[1])
	reserved := op.Reserve()
	c := &sortState{p: p, op: reserved, s: s, width: width, items: items, pool: p.newPool(op, width, poolSize(s.Groups, s.Rows))}
	c.start()
	order := flow.Then(reserved, c.nextBatch, items)
	inOrder := func(i int) *share { return p.firstRows(op, s, order, parts[i], todo[i].ring, todo[i].bound) }
	for _, i := range column {
		sorted = append(sorted, inOrder(i))
	}
	if s.At.Bits > 0 {
		at = p.Narrow(op, s.At, inOrder(placesColumn))
	}
	return sorted, at
}

// places returns, for each row, its number in its group.
func (p *Party) places(op *flow.Op, s mpc.Sorting, r ring.Ring) *share {
	v := ring.ShapeOnly(r, s.Len())
	if !op.Graph.DryRun() {
		ints := make([]int64, s.Len())
		for i := range ints {
			ints[i] = int64(i % s.Rows)
		}
		v = ring.FromInts(r, ints)
	}
	return p.share(p.Public(op, v, bits.Len(uint(s.Rows-1))))
}

// lowerDigits returns the items' digits below the first key, over r: further keys and the place.
func (p *Party) lowerDigits(op *flow.Op, s mpc.Sorting, keys []mpc.Secret, r ring.Ring) *share {
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

// items returns this party's shares of the items: the first key, shared over a ring that may be too narrow
// for items, above the lower digits.
func (p *Party) items(op *flow.Op, width, shift int, descending bool, first, rest *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
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

// firstRows returns the first s.First rows of each group in order.
func (p *Party) firstRows(
	op *flow.Op,
	s mpc.Sorting,
	order *flow.Future[[]int32],
	of *flow.Future[ring.Vec],
	r ring.Ring,
	bound int,
) *share {
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

// sortState is the state of a running sort: what the computing parties know of the order of the shuffled
// items.
type sortState struct {
	p     *Party
	op    *flow.Op // the operation reserved for the sort's batches
	s     mpc.Sorting
	width int
	items *flow.Future[ring.Vec]
	pool  *pool
	// order lists the items as far as their order is known: the items of an unordered part are adjacent, in
	// no order.
	order    []int32
	unsorted []unsorted
	rank     []int32 // in a dry run: a random order that stands for the revealed results
}

// unsorted is the unordered part of order[lo : lo+n].
type unsorted struct{ lo, n int }

const (
	pivots   = 3
	allPairs = 8
)

func (c *sortState) start() {
	n := c.s.Len()
	c.order = make([]int32, n)
	for i := range c.order {
		c.order[i] = int32(i)
	}
	for g := range c.s.Groups {
		c.addUnsorted(unsorted{g * c.s.Rows, c.s.Rows})
	}
	if c.op.Graph.DryRun() {
		c.rank = make([]int32, n)
		ring.NewPRG(ring.Seed{}).Permutations(c.rank, c.s.Rows, uint64(c.op.ID), 0)
	}
}

// addUnsorted adds a part to be sorted if it has more than one item and one of its places is wanted.
func (c *sortState) addUnsorted(s unsorted) {
	if s.n > 1 && s.lo%c.s.Rows < c.s.First {
		c.unsorted = append(c.unsorted, s)
	}
}

// comparesAllPairs reports whether all pairs of a part are compared.
func (s unsorted) comparesAllPairs(last bool) bool { return last || s.n <= allPairs }

// nextBatch compares the next batch, and further ones until nothing is left to compare. It returns the final
// order.
func (c *sortState) nextBatch() (*flow.Future[[]int32], error) {
	if len(c.unsorted) == 0 {
		c.pool.drain(c.op)
		return flow.Resolved(c.order), nil
	}
	all := 0
	for _, s := range c.unsorted {
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
	less := batch.lessThanZero(c.op, c.p.newShare(r, n, 0, d))
	revealed := c.p.share(c.p.RevealToComputing(c.op, c.p.fromShares(c.op, n, less))).masked.delta
	return flow.Then(c.op, func() (*flow.Future[[]int32], error) {
		c.applyOutcomes(last, c.outcomes(revealed.Get(), xs, ys))
		return c.nextBatch()
	}, revealed), nil
}

// outcomes returns [x < y] of the pairs.
func (c *sortState) outcomes(revealed ring.Vec, xs, ys []int32) []bool {
	out := make([]bool, len(xs))
	for i := range out {
		if c.rank != nil {
			out[i] = c.rank[xs[i]] < c.rank[ys[i]]
		} else {
			out[i] = revealed.Words()[i] != 0
		}
	}
	return out
}

// pairs lists the items to compare: all pairs of a part, or its first items, the pivots, with each other and
// with all other items.
func (c *sortState) pairs(last bool) (xs, ys []int32) {
	for _, s := range c.unsorted {
		in := c.order[s.lo : s.lo+s.n]
		of := pivots
		if s.comparesAllPairs(last) {
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

// applyOutcomes orders the items by the results of comparisons, which are in the order of pairs.
func (c *sortState) applyOutcomes(last bool, less []bool) {
	spans := c.unsorted
	c.unsorted = nil
	for _, s := range spans {
		in := c.order[s.lo : s.lo+s.n]
		of := pivots
		if s.comparesAllPairs(last) {
			of = s.n
		}
		// before[i] counts the pivots (or, if all pairs are compared, the items) that come before item i.
		before := make([]int, s.n)
		for i := range of {
			for j := i + 1; j < s.n; j++ {
				if less[0] {
					before[j]++
				} else {
					before[i] += isPivot(j, of)
				}
				less = less[1:]
			}
		}
		c.partition(s, in, before, of)
	}
}

// isPivot is 1 if item j of a part is a pivot, else 0. A pivot counts the pivots before it, not the other
// items.
func isPivot(j, of int) int {
	if j < of {
		return 1
	}
	return 0
}

// partition moves the pivots to their places among themselves and all other items between them.
func (c *sortState) partition(s unsorted, in []int32, before []int, of int) {
	sizes := make([]int, of+1) // of the parts between pivots
	for _, b := range before[of:] {
		sizes[b]++
	}
	starts, at := make([]int, of+1), 0
	for i, n := range sizes {
		starts[i] = at
		c.addUnsorted(unsorted{s.lo + at, n})
		at += n + 1 // the part and the pivot after it
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
