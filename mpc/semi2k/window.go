package semi2k

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// A window compares an open x with several thresholds at once, from one set of digit tables
// (docs/protocols/look-ups.md#several-thresholds). Where step > 0 the comparison is fuzzy: u is one of the two
// integers next to x/2^step − 1/2, so that [u < θ] is right where x is half a step or more from θ·2^step.
//
// With P_θ = Δ' − θ, T the part of P_θ above the mid digit for the largest θ: every other P_θ has the part T or T + 1
// there, which is public. Round 1 opens the digits' comparisons with T and T + 1 and the mid digit's with each P_θ;
// round 2 opens the groups' less, equal to T and equal to T + 1; round 3 opens the results.
//
// Of an exact window the low bits of u − θ are compared, too: those of thresholds that agree modulo 2^low at once.
// Rounds 1 and 2 make their borrow as they make a group's less, and round 1 opens the mid digit's equal with each P_θ.
type windowPlan struct {
	windowKey
	low    int   // bits below the mid digit; 0 but for exact windows
	mid    int   // bits of the mid digit: thresholds differ by less than 2^(low+mid)
	lows   []int // digits of the mask from bit step on, below the mid digit
	digits []int // the mid digit, then those above it
	groups []int // numbers of digits above the mid digit, lowest first
	merged bool  // round 2 multiplies the lowest group's equal with the mid digit's bits, for each threshold
	rests  []int // remainders of the thresholds modulo 2^low, each once
	inner  *logic
	result *logic
	opened int // bits of round 2
}

// windowKey identifies a plan: the step; the width in bits of numbers that u − θ fits, in steps; thresholds, the
// largest first; and results.
type windowKey struct {
	step, width int
	exact       bool   // thresholds need not be close to each other
	weight      int    // how many dealt bits weigh as much as one opened bit
	thresholds  [3]int // the first count
	count       int
	results     [3]windowResult // the first wanted
	wanted      int
}

// windowResult is the XOR of the bits [u < thresholds[i]], negated if negate. of is a set of bits i.
type windowResult struct {
	of     uint8
	negate bool
}

// window is a comparison with the ends of a window of so many steps, and with others.
type window struct {
	step       int  // log2 of a step in units of x
	exact      bool // thresholds may differ by up to 2^exactBits; step is 0
	weight     int  // how many dealt bits weigh as much as one opened bit; 0 is dealtPerOpened
	thresholds []int
	results    []windowResult
}

// odd reports whether the parts that all thresholds have in common remain.
func (r windowResult) odd() bool { return r.of>>0&1^r.of>>1&1^r.of>>2&1 == 1 }

var windowPlans sync.Map // windowKey → *windowPlan

func planWindow(key windowKey) *windowPlan {
	if have, ok := windowPlans.Load(key); ok {
		return have.(*windowPlan)
	}
	kept, _ := windowPlans.LoadOrStore(key, newWindowPlan(key)) // all parties share one
	return kept.(*windowPlan)
}

// spread is a number of bits: thresholds differ by less than 2^spread.
func (k windowKey) spread() int {
	d := 1
	for k.thresholds[0]-k.thresholds[k.count-1] >= 1<<d {
		d++
	}
	return d
}

// windowKeyOf is the key for numbers below 2^bound in a ring.
func windowKeyOf(w window, bound int, r ring.Ring) windowKey {
	k := windowKey{step: w.step, exact: w.exact, weight: cmp.Or(w.weight, dealtPerOpened), count: len(w.thresholds), wanted: len(w.results)}
	copy(k.thresholds[:], w.thresholds)
	copy(k.results[:], w.results)
	// Room for u − θ: with a threshold far from 0, more than thresholds that are close to each other need.
	far := max(w.thresholds[0], -w.thresholds[0], -w.thresholds[len(w.thresholds)-1])
	least := w.step + max(k.spread(), bits.Len(uint(far))) + 2
	if signOnly := w.step == 0 && len(w.thresholds) == 1 && w.thresholds[0] == 0; signOnly {
		k.width = max(3, min(bound+1, r.Bits))
		return k
	}
	if least > r.Bits || bound > r.Bits-2 {
		panic(fmt.Sprintf("semi2k: numbers below 2^%d in %v are compared with thresholds of %d bits", bound, r, least))
	}
	k.width = min(max(bound+2, least), r.Bits) - w.step
	return k
}

// newWindowPlan finds the sizes of digits and groups with the lowest cost. Merged plans are there to deal less: none is
// taken that deals as much as the best of the others.
func newWindowPlan(key windowKey) *windowPlan {
	best := &windowPlan{windowKey: key}
	cost := best.searchAll(false, math.MaxInt, math.MaxInt)
	_, dealt := best.cost()
	best.searchAll(true, cost, dealt)
	best.build()
	return best
}

// searchAll is search for all numbers of low bits and of bits of the mid digit.
func (p *windowPlan) searchAll(merged bool, cost, most int) int {
	spread := p.spread()
	if !p.exact {
		return p.search(merged, cost, most, 0, spread, nil)
	}
	for low := max(0, spread-mostExactMid); low < spread; low++ {
		for mid := spread - low; mid <= min(mostExactMid, p.width-low-2); mid++ {
			if low == 0 {
				cost = p.search(merged, cost, most, 0, mid, nil)
			}
			for digits := (low + maxDigit - 1) / maxDigit; low > 0 && digits <= min(low, maxWindowGroup); digits++ {
				cost = p.search(merged, cost, most, low, mid, split(low, digits))
			}
		}
	}
	return cost
}

// search sets p to the plan with the lowest cost among those, merged or not, with so many low bits and bits of the mid
// digit, if that is below a cost and it deals less than most bits. It returns the lower of both costs.
func (p *windowPlan) search(merged bool, cost, most, low, mid int, lows []int) int {
	top := p.width - low - mid - 1 // bits above the mid digit, without the sign
	var rests []int
	if low > 0 {
		for _, theta := range p.thresholds[:p.count] {
			if rest := theta & (1<<low - 1); !slices.Contains(rests, rest) {
				rests = append(rests, rest)
			}
		}
	}
	q := &windowPlan{windowKey: p.windowKey, low: low, mid: mid, lows: lows, merged: merged, rests: rests}
	consider := func(groups []int) {
		q.groups = groups
		online, dealt := q.cost()
		if c := online*p.weight + dealt; c < cost && dealt < most {
			*p, cost = *q, c
			p.digits, p.groups = slices.Clone(q.digits), slices.Clone(groups)
		}
	}
	var groups []int // reused by all that are considered
	for digits := (top + maxDigit - 1) / maxDigit; digits <= top; digits++ {
		q.digits = appendSplit(append(q.digits[:0], mid), top, digits)
		if tables := q.tablesDealt(); tables >= most || (p.count+p.wanted)*p.weight+tables >= cost {
			continue // however the digits are grouped
		}
		for count := (digits + maxWindowGroup - 1) / maxWindowGroup; count <= min(digits, maxWindowGroup); count++ {
			if !merged {
				groups = appendUpwards(groups[:0], digits, count)
				consider(groups)
				continue
			}
			for lowest := 1; count > 1 && lowest <= min(digits-count+1, maxWindowGroup); lowest++ {
				groups = appendUpwards(append(groups[:0], lowest), digits-lowest, count-1)
				consider(groups)
			}
		}
	}
	return cost
}

// appendUpwards appends the sizes of so many groups of digits, of which the top one, which opens one bit less, is the largest.
func appendUpwards(to []int, digits, count int) []int {
	at := len(to)
	to = appendSplit(to, digits, count)
	slices.Reverse(to[at:])
	return to
}

const (
	// maxWindowGroup is the largest number of digits in a group, and of groups.
	maxWindowGroup = 7
	// mostExactMid is the largest number of bits of an exact window's mid digit, and exactBits the largest difference
	// of its thresholds, in bits: a group of digits has room for the others.
	mostExactMid = 5
	exactBits    = mostExactMid + 4*maxWindowGroup
)

// cost returns the bits opened and dealt for each element (TestWindowPlans compares them with the circuit's).
func (p *windowPlan) cost() (online, dealt int) {
	more := p.count - 1 // thresholds below the largest
	groups := len(p.groups)
	online, dealt = p.count+p.wanted, 1+p.tablesDealt()
	for g, r := range p.groups {
		equals := 1 // relations to T, and to T + 1
		if more > 0 {
			equals = 2
		}
		online += p.lessOpened(g) + equals*r
		if p.merged && g == 0 { // times the mid digit's less, for each threshold and T or T + 1, and its equal
			kinds := 1
			if p.low > 0 {
				kinds = 2
			}
			online += kinds * (p.count + more)
			dealt += kinds * (p.count + more) * (1<<r - 1)
		}
		if r == 1 {
			continue
		}
		if !p.merged || g > 0 {
			online += equals
		}
		if g < groups-1 {
			online++
		}
		dealt += (1<<r - 1 - r) * equals // products of equal bits
		dealt += 1<<r - 2 - (r - 1)      // with a less bit
	}
	dealt += 1<<groups - 2 - (groups - 1) // with a group's less
	if p.merged {
		groups-- // what was opened for each threshold stands for the lowest group
		sets := 1<<groups - 1
		dealt += sets - groups + p.count*sets
		if more > 0 {
			dealt += sets - groups + more*sets
		}
	} else {
		dealt += (1<<groups - 1 - groups) + p.count*(1<<groups-1) // equal to T, and with a mid digit's
		if more > 0 {
			dealt += (1<<groups - 1 - groups) + more*(1<<groups-1) // equal to T + 1
		}
	}
	if p.low == 0 {
		return online, dealt
	}
	r, rests, below := len(p.lows), len(p.rests), uint(0) // below: the remainders of thresholds below the largest, as a set
	for _, theta := range p.thresholds[1:p.count] {
		below |= 1 << p.rest(theta)
	}
	online += p.count + rests // the mid digit's equal, and the borrows
	if r > 1 {
		online += 2 * (r - 1) * rests
		dealt += rests * (1<<(r-1) - r + 1<<r - 2 - (r - 1)) // products of equal bits, and with a less bit
	}
	dealt += (p.count + rests) * (1<<groups - 1) // T, with a mid digit's equal and with a borrow
	dealt += p.count * 1 << groups               // and with both
	dealt += (2*more + bits.OnesCount(below)) * (1<<groups - 1)
	if p.merged { // an equal stands for T or T + 1, and is multiplied with the borrow alone, too
		dealt += more
	}
	return online, dealt
}

// tablesDealt returns the dealt bits of the digits' tables for each element.
func (p *windowPlan) tablesDealt() int {
	dealt := 0
	for _, sizes := range [2][]int{p.lows, p.digits} {
		for _, d := range sizes {
			dealt += 1<<d - 1
		}
	}
	return dealt
}

// rest is the number of a threshold's remainder modulo 2^low.
func (p *windowPlan) rest(theta int) int { return slices.Index(p.rests, theta&(1<<p.low-1)) }

// build makes the circuit's logic. Masked bits are numbered in the order in which they are opened: for each group
// less of all digits but the highest (of a single digit too, unless it is the top group), equal, and equal to T + 1;
// then the mid digit's less for each threshold, and if there are low bits its equal; then for each remainder of the
// thresholds less of all low digits but the highest and equal of all but the lowest (less of a single one); then round
// 2's less (not of the top group), equal and equal to T + 1 of each group of two or more digits (not of a merged one), the
// products of a merged group, and the borrows of two or more low digits. The less of the highest digit of each group, and
// of the low digits for each remainder, the top group's less and the mask's top bit enter linearly.
func (p *windowPlan) build() {
	type bits struct{ less, equal, next []int }
	at := 0
	take := func(n int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = at
			at++
		}
		return out
	}
	top := len(p.groups) - 1
	round1 := make([]bits, len(p.groups))
	for g, r := range p.groups {
		round1[g] = bits{less: take(p.lessOpened(g)), equal: take(r)}
		if p.count > 1 {
			round1[g].next = take(r)
		}
	}
	mid := take(p.count)
	var midEqual []int
	type lowBits struct{ less, equal []int } // equal of digits 1, 2, …
	lows := make([]lowBits, len(p.rests))
	if p.low > 0 {
		midEqual = take(p.count)
		for i := range lows {
			lows[i] = lowBits{take(p.lowOpened()), take(len(p.lows) - 1)}
		}
	}
	looked := at
	product := func(of []int) *xorPoly {
		out := bitPoly(of[0])
		for _, i := range of[1:] {
			out = out.times(bitPoly(i))
		}
		return out
	}
	var less, equal, next []*xorPoly // of groups, as masked bits; less of the top group is not one
	inner := newLogic(looked, 0, len(p.groups)+len(lows), nil)
	for g, r := range p.groups {
		b := round1[g]
		if r == 1 {
			if g < top {
				less = append(less, bitPoly(b.less[0]))
			}
			if p.merged && g == 0 {
				continue
			}
			equal = append(equal, bitPoly(b.equal[0]))
			if p.count > 1 {
				next = append(next, bitPoly(b.next[0]))
			}
			continue
		}
		lower := &xorPoly{}
		through := onePoly()
		for i := r - 2; i >= 0; i-- {
			through = through.times(bitPoly(b.equal[i+1]))
			lower = lower.plus(bitPoly(b.less[i]).times(through))
		}
		inner.add(lower, g)
		if g < top {
			less = append(less, bitPoly(take(1)[0]))
		}
		if p.merged && g == 0 {
			continue
		}
		inner.add(product(b.equal))
		equal = append(equal, bitPoly(take(1)[0]))
		if p.count > 1 {
			inner.add(product(b.next))
			next = append(next, bitPoly(take(1)[0]))
		}
	}
	// mergedBits are, of a threshold, products with all equal bits of the lowest group: less and equal are the mid digit's;
	// more is 1 less its less, and nextEqual its equal, with equal to T + 1.
	type mergedBits struct{ less, equal, more, nextEqual *xorPoly }
	merged := make([]mergedBits, p.count)
	if p.merged {
		open := func(y *xorPoly) *xorPoly {
			inner.add(y)
			return bitPoly(take(1)[0])
		}
		equals, nexts := product(round1[0].equal), (*xorPoly)(nil)
		if p.count > 1 {
			nexts = product(round1[0].next)
		}
		for i := range merged {
			m := &merged[i]
			m.less = open(equals.times(bitPoly(mid[i])))
			if p.low > 0 {
				m.equal = open(equals.times(bitPoly(midEqual[i])))
			}
			if i == 0 {
				continue // the largest threshold's part is T
			}
			m.more = open(nexts.times(bitPoly(mid[i]).plus(onePoly())))
			if p.low > 0 {
				m.nextEqual = open(nexts.times(bitPoly(midEqual[i])))
			}
		}
	}
	borrow := make([]*xorPoly, len(lows))
	for i, b := range lows {
		if len(p.lows) == 1 {
			borrow[i] = bitPoly(b.less[0])
			continue
		}
		lower, through := &xorPoly{}, onePoly()
		for j := len(p.lows) - 2; j >= 0; j-- {
			through = through.times(bitPoly(b.equal[j]))
			lower = lower.plus(bitPoly(b.less[j]).times(through))
		}
		inner.add(lower, len(p.groups)+i)
		borrow[i] = bitPoly(take(1)[0])
	}
	p.inner = inner.finish()
	p.opened = at - looked

	// Public vectors of the last round: T's top bit, then for each threshold but the largest whether its part above
	// the mid digit is T + 1.
	public := func(i int) *publicExpr { return publicLeaf(at + i) }
	below := &xorPoly{} // less of the groups but the top one's, which is linear
	through := onePoly()
	for g := top - 1; g >= 0; g-- {
		through = through.times(equal[len(equal)-top+g])
		below = below.plus(less[g].times(through))
	}
	all := func(of []*xorPoly) *xorPoly {
		out := onePoly()
		for _, y := range of {
			out = out.times(y)
		}
		return out
	}
	isT, isNext := all(equal), all(next)
	own := make([]*xorPoly, p.count)
	for i := range own {
		if m := merged[i]; p.merged {
			b, next := m.less, m.more
			if p.low > 0 {
				b = b.plus(m.equal.times(borrow[p.rest(p.thresholds[i])]))
			}
			own[i] = isT.times(b)
			if i > 0 {
				if p.low > 0 {
					next = next.plus(m.nextEqual.times(borrow[p.rest(p.thresholds[i])]))
				}
				own[i] = selectPoly(public(i), isNext.times(next), own[i])
			}
			continue
		}
		b := bitPoly(mid[i])
		if p.low > 0 {
			b = b.plus(bitPoly(midEqual[i]).times(borrow[p.rest(p.thresholds[i])]))
		}
		own[i] = isT.times(b)
		if i > 0 {
			own[i] = selectPoly(public(i), isNext.plus(isNext.times(b)), own[i])
		}
	}
	result := newLogic(at, p.count, 2, p.inner)
	for _, r := range p.results[:p.wanted] {
		y := &xorPoly{}
		for i := range own {
			if r.of>>i&1 == 1 {
				y = y.plus(own[i])
			}
		}
		var linear []int
		if r.odd() {
			y = y.plus(below).plus(onePoly().timesPublic(public(0)))
			linear = []int{0, 1}
		}
		if r.negate {
			y = y.plus(onePoly())
		}
		result.add(y, linear...)
	}
	p.result = result.finish()
}

// lessOpened is the number of digits of a group whose less is opened in round 1.
func (p *windowPlan) lessOpened(g int) int {
	if r := p.groups[g]; r > 1 || g == len(p.groups)-1 {
		return r - 1
	}
	return 1
}

// lowOpened is the number of low digits whose less is opened in round 1.
func (p *windowPlan) lowOpened() int { return max(1, len(p.lows)-1) }

// windowBits returns masked bits of the wanted results, in three rounds. The first message opens the vectors too.
// Where rounds count, it compares with each threshold in two rounds, and the second message opens the vectors.
func (p *Party) windowBits(op *flow.Op, x *share, w window, vectors ...*share) []*bit {
	if op.Objective == flow.ForRounds {
		return p.windowBitsInTwoRounds(op, x, w, vectors...)
	}
	if op.Objective == flow.ForTotal && w.weight == 0 {
		w.weight = foldedWeight
	}
	plan := planWindow(windowKeyOf(w, x.bound, x.ring))
	n, m := x.n, x.masked
	open := func(shares []bitVec, vectors ...*share) []*bit {
		lens := make([]int, len(shares))
		for i := range lens {
			lens[i] = n
		}
		return p.openBits(op, lens, shares, vectors...)
	}
	looked, tops, public := p.lookUpWindow(op, x, plan)
	bits := open(looked, vectors...)
	inner, dealt := p.evaluate(op, plan.inner, logicArgs{n: n, bits: bits, linear: tops})
	made := flow.Parts(inner, len(plan.inner.outs))
	var second []bitVec
	topLess := tops[len(plan.groups)-1]
	for g, r := range plan.groups {
		if r == 1 {
			continue
		}
		results := min(plan.count, 2) + 1
		if plan.merged && g == 0 {
			results = 1
		}
		if g == len(plan.groups)-1 {
			topLess = made[0]
			second = append(second, made[1:results]...)
		} else {
			second = append(second, made[:results]...)
		}
		made = made[results:]
	}
	second = append(second, made...) // the borrows of low digits
	if len(second) > 0 {
		bits = append(bits, open(second)...)
	}
	sign := p.bitMonomialShares(op, n, monomial{m.maskFactor(correlation.Bit, plan.step+plan.width-1, 0)})[0]
	result, _ := p.evaluate(op, plan.result, logicArgs{n: n, bits: bits, public: public, linear: []bitVec{topLess, sign}, earlier: dealt})
	return open(flow.Parts(result, len(plan.result.outs)))
}

// windowBitsInTwoRounds is windowBits by separate comparisons, which are exact.
func (p *Party) windowBitsInTwoRounds(op *flow.Op, x *share, w window, vectors ...*share) []*bit {
	less := make([]comparison, len(w.thresholds))
	for i, theta := range w.thresholds {
		less[i] = p.lessThanConst(op, x, new(big.Int).Lsh(big.NewInt(int64(theta)), uint(w.step)))
	}
	results := make([]combination, len(w.results))
	for i, r := range w.results {
		results[i].negate = r.negate
		for j := range less {
			if r.of>>j&1 == 1 {
				results[i].of = append(results[i].of, j)
			}
		}
	}
	return p.openCombined(op, x.n, p.negativeShares(op, less...), results, vectors...)
}

// lookUpWindow looks up what round 1 opens, and the less of the highest digits of the groups and of the low bits, which
// stay closed. public
// are T's top bit and, for each threshold but the largest, whether its part above the mid digit is T + 1.
func (p *Party) lookUpWindow(op *flow.Op, x *share, plan *windowPlan) (looked, tops []bitVec, public *flow.Future[[]ring.Bits]) {
	n, m := x.n, x.masked
	sizes := slices.Concat(plan.lows, plan.digits)
	tables := p.tables(op, m, plan.step, sizes, n)
	mid := len(plan.lows)
	above := plan.step + plan.low + plan.mid // the lowest bit of T
	highest := plan.step + plan.width - 1
	thresholds := plan.thresholds[:plan.count]
	opened, groups := plan.inner.masked, len(plan.groups)+len(plan.rests)
	all := flow.Do(op, int64((opened+groups+plan.count)*n)/8, func() []ring.Bits {
		op.Spend(flow.Lookups, 2*int64((2*len(plan.digits)+plan.count+len(plan.rests)*len(plan.lows))*n)) // of digits of several widths
		op.Spend(flow.Bytes, int64(plan.count+1)*bytes(x.ring, n))
		delta := m.delta.Get()
		at := make([]ring.Vec, plan.count) // Δ' − θ, in units
		for i, theta := range thresholds {
			at[i] = delta.UninitialisedLike(x.ring, n)
			c := new(big.Int).Lsh(big.NewInt(-2*int64(theta)-1), uint(plan.step))
			if c.Rsh(c, 1); plan.step == 0 {
				c.SetInt64(-int64(theta))
			}
			if c.IsInt64() {
				ring.AddInt(at[i], delta, c.Int64())
				continue
			}
			v := copies(x.ring, c, n)
			ring.Add(at[i], delta, v)
			v.Free()
		}
		next := delta.UninitialisedLike(x.ring, n) // T + 1
		ring.AddPow(next, at[0], above, false)
		out := make([]ring.Bits, 0, opened+groups+plan.count)
		var closed []ring.Bits
		look := func(v ring.Vec, i, pos int) (less, equal ring.Bits) {
			table := tables[i].Get()
			less, equal = table.Like(n), table.Like(n)
			ring.LookUpDigit(less, equal, table, v, pos, sizes[i], p.first())
			return less, equal
		}
		i, pos := mid+1, above
		for g, r := range plan.groups {
			var equals, nexts []ring.Bits
			for k := range r {
				less, equal := look(at[0], i, pos)
				equals = append(equals, equal)
				if plan.count > 1 {
					_, equal := look(next, i, pos)
					nexts = append(nexts, equal)
				}
				if k < plan.lessOpened(g) {
					out = append(out, less)
				}
				if k == r-1 {
					closed = append(closed, less)
				}
				pos += sizes[i]
				i++
			}
			out = append(append(out, equals...), nexts...)
		}
		var equals []ring.Bits // of the mid digit
		for _, v := range at {
			less, equal := look(v, mid, plan.step+plan.low)
			out, equals = append(out, less), append(equals, equal)
		}
		if plan.low > 0 {
			out = append(out, equals...)
		}
		for _, rest := range plan.rests {
			v := at[slices.IndexFunc(thresholds, func(theta int) bool { return theta&(1<<plan.low-1) == rest })]
			pos := plan.step
			var equals []ring.Bits
			for i, d := range plan.lows {
				less, equal := look(v, i, pos)
				if i < plan.lowOpened() {
					out = append(out, less)
				}
				if i == mid-1 { // not read if it is open
					closed = append(closed, less)
				}
				if i > 0 {
					equals = append(equals, equal)
				}
				pos += d
			}
			out = append(out, equals...)
		}
		out = append(out, closed...)
		out = append(out, ring.Bit(at[0], highest))
		for _, v := range at[1:] {
			b := ring.Bit(v, above)
			ring.Xor(b, b, ring.Bit(at[0], above))
			out = append(out, b)
		}
		for _, v := range append(at, next) {
			v.Free()
		}
		return out
	}, append(bitDeps(tables), m.delta)...)
	parts := flow.Parts(all, opened+groups)
	public = flow.Pick(op, func() []ring.Bits { return all.Get()[opened+groups:] }, all)
	return parts[:opened], parts[opened:], public
}
