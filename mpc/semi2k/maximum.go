package semi2k

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// softmaxForm is how a softmax is computed.
type softmaxForm struct {
	tree []treeLevel // finds a row's maximum; nil for one that is chosen
	// selects opens the exponent that the clamp has selected; else each word is dealt twice, once times the clamp's bit.
	selects bool
	// normalises normalises a row's sum before its logarithm is taken, four rounds more than with a table of the logarithm of all
	// sums, which long rows do not have.
	normalises bool
}

// treeLevel is how one level of a tree of maxima finds the maximum of each group of numbers.
type treeLevel struct {
	fan int // numbers of a group, at most
	// winners opens, in a round of its own, which number of a group is the largest. What selects it is then multiplied by one
	// bit, not by those of all its comparisons, and far less is dealt.
	winners bool
	fast    bool // compares in two rounds
}

// rounds of a level are those of its comparisons and of the opening of what they select.
func (l treeLevel) rounds() int {
	rounds := 4
	if l.winners {
		rounds++
	}
	if l.fast {
		rounds--
	}
	return rounds
}

// comparisonCost are the bits of a comparison that are opened and dealt, and its rounds.
type comparisonCost struct{ opened, dealt, rounds int }

// comparisonCostOf is the cost of a comparison of so many bits with at most the given number of rounds, if there is such a circuit.
func comparisonCostOf(width, rounds int) comparisonCost {
	c := compareCircuit(width-1, rounds)
	opened, dealt := c.cost()
	return comparisonCost{opened, dealt, c.rounds()}
}

// treeCosts is what the tree over the numbers of each of some rows is chosen by.
type treeCosts struct {
	rows           int
	word           int            // bits of a number
	compared, fast comparisonCost // in three rounds, and in two
	pair           comparisonCost // of a group of two, in three rounds
	opened, round  int64          // the weights of an opened bit and of a round, in dealt bits
	most           int            // rounds of the tree, at most; 0 for any number
	widest         int            // largest fan-in
	plain          bool           // neither opens winners nor compares in two rounds
}

// tree returns the levels of the tree over w numbers of the lowest cost.
func (c treeCosts) tree(w int) (levels []treeLevel) {
	type state struct{ w, most int }
	type choice struct {
		level treeLevel
		cost  int64
	}
	known := map[state]choice{}
	var best func(s state) choice
	best = func(s state) choice {
		if s.w <= 1 {
			return choice{}
		}
		if have, ok := known[s]; ok {
			return have
		}
		out := choice{cost: math.MaxInt64}
		for fan := c.widest; fan >= 2; fan-- {
			for _, l := range []treeLevel{{fan: fan}, {fan: fan, fast: true}, {fan: fan, winners: true}, {fan: fan, winners: true, fast: true}} {
				if c.plain && l != (treeLevel{fan: fan}) || l.winners && fan == 2 || l.fast && c.fast.rounds >= c.compared.rounds ||
					c.most > 0 && l.rounds() > s.most {
					continue
				}
				groups := (s.w + fan - 1) / fan
				next := state{w: groups}
				if c.most > 0 {
					next.most = s.most - l.rounds()
				}
				rest := best(next).cost
				if rest == math.MaxInt64 {
					continue
				}
				if total := rest + int64(c.rows)*c.levelCost(l, split(s.w, groups)) + int64(l.rounds())*c.round; total < out.cost {
					out = choice{l, total}
				}
			}
		}
		known[s] = out
		return out
	}
	for s := (state{w, c.most}); s.w > 1; {
		l := best(s).level
		levels = append(levels, l)
		s.w = (s.w + l.fan - 1) / l.fan
		if c.most > 0 {
			s.most -= l.rounds()
		}
	}
	return levels
}

// levelCost is what a level's groups of such sizes cost, in dealt bits: all pairs of a group of g are compared, each of g − 1
// differences is multiplied by one bit or by those of its g − 1 comparisons, and the sum is opened.
func (c treeCosts) levelCost(l treeLevel, sizes []int) (cost int64) {
	for _, g := range sizes {
		if g == 1 {
			continue
		}
		pairs := g * (g - 1) / 2
		of := c.compared
		switch {
		case l.fast:
			of = c.fast
		case l.fan == 2:
			of = c.pair
		}
		opened, dealt := pairs*of.opened+c.word, pairs*of.dealt
		if l.winners && g > 2 {
			opened += g - 1
			dealt += (g-1)*(1<<(g-1)-g) + 2*(g-1)*c.word
		} else {
			dealt += ((g-1)*(1<<g-2) - (g-1)*(g-2)/2) * c.word // two differences share the bit of their comparison
		}
		cost += int64(opened)*c.opened + int64(dealt)
	}
	return cost
}

// widestFan is the largest fan-in of a tree.
const widestFan = 4

// fewestLevels is the number of levels that a tree over w numbers takes.
func fewestLevels(w int) (levels int) {
	for ; w > 1; w = (w + widestFan - 1) / widestFan {
		levels++
	}
	return levels
}

// What is taken for a row's maximum, found from numbers without their low bits, exceeds it by at most 2^tableMiss, or by
// 2^normalisedMiss if the row's sum of exponentials is normalised. Of a sum that is above 0.984, the table of logarithms is off by
// a fifth of a unit at most.
const tableMiss, normalisedMiss = -6, -2

// coarseBits is how many low bits n parties' numbers of so many fraction bits go without for a miss of at most 2^most.
func coarseBits(fraction, n, most int) int { return max(0, fraction+most-bits.Len(uint(n))) }

// coarse returns x without its lowest by bits: x = 2^by·u + e with −n·2^by < e < 2^by for n parties. It follows from the masked
// form of x, whose shares and Δ are shifted, and sends nothing. It returns nil if x's mask is neither Fresh nor a view of a Fresh one.
func (p *Party) coarse(op *flow.Op, x *share, by int) *share {
	r, m := ring.Z(x.ring.Bits-by), x.masked
	mask := m.mask
	var views []maps.Linear
	for mask.Kind == correlation.Derived {
		view, ok := mask.Map.(maps.View)
		if !ok || len(mask.Of) != 1 || mask.Of[0].Ring != mask.Ring {
			return nil
		}
		views, mask = append(views, view), mask.Of[0]
	}
	if mask.Kind != correlation.Fresh {
		return nil
	}
	mask = correlation.NewUpper(op.Next(), by, mask)
	for _, view := range slices.Backward(views) {
		mask = correlation.NewDerived(op.Next(), r, view, mask)
	}
	upper := func(v *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
		return flow.Do(op, bytes(r, x.n), func() ring.Vec {
			out := v.Get().UninitialisedLike(r, x.n)
			ring.Rsh(out, v.Get(), by)
			return out
		}, v)
	}
	return &share{ring: r, n: x.n, bound: capBound(x.bound-by+1, r), masked: newMasked(upper(m.delta), upper(m.lambda), mask)}
}

// raised is 2^by·(x + 1) in a ring that is wider by as many bits, from x's additive share.
func (p *Party) raised(op *flow.Op, x *share, by int, bound int) *share {
	r, v := ring.Z(x.ring.Bits+by), p.additive(op, x)
	return p.newShare(r, x.n, bound, flow.Do(op, bytes(r, x.n), func() ring.Vec {
		out := v.Get().UninitialisedLike(r, x.n)
		ring.Low(out, v.Get())
		if p.first() {
			ring.AddInt(out, out, 1)
		}
		ring.Lsh(out, out, by)
		return out
	}, v))
}

// treeOf chooses the tree over the numbers of each of so many rows of w, of a ring and below 2^bound.
//
// By default it takes no more rounds than one of the fewest levels that compares in three rounds, and of those trees it is the
// one of the lowest cost, where dealt bytes weigh as flow.DealtPerSent says. Where rounds are minimised, it takes the fewest;
// where the total cost is, as many as pay.
func treeOf(op *flow.Op, r ring.Ring, bound, parties, rows, w int) []treeLevel {
	width := max(2, min(bound+2, r.Bits)) // of differences
	c := treeCosts{rows: rows, word: r.Bits, widest: widestFan}
	c.compared, c.fast = comparisonCostOf(width, comparisonRounds(op)), comparisonCostOf(width, 2)
	c.pair = c.compared
	switch op.Objective {
	case flow.ForOnline:
		c.opened, c.most = flow.DealtPerSent*int64(parties-1), treeLevel{}.rounds()*fewestLevels(w)
	case flow.ForRounds:
		c.opened, c.round = flow.DealtPerSent*int64(parties-1), 1<<40 // more than all bits
	case flow.ForTotal:
		c.opened, c.round = int64(parties*(parties-1)), 8*flow.RoundBytes
		c.pair.opened, c.pair.dealt = planWindow(windowKeyOf(pairWindow, min(bound+1, r.Bits), r)).cost()
	}
	return c.tree(w)
}

// softmaxFormOf chooses the form of a softmax of n elements in rows of w with results in the ring own.
func softmaxFormOf(op *flow.Op, own ring.Ring, parties, n, w int, f mpc.Fixed, z precision) softmaxForm {
	form := softmaxForm{selects: selectsExponents(op, own, parties, n, f, z), normalises: w > maxTableRow}
	if op.Objective == flow.ForTotal && !form.normalises {
		const normalised, rounds = 400, 4 // bytes that are dealt for a row that is normalised, about, and rounds
		words := 2 * logSumTable(w, z).N()
		form.normalises = int64(n/max(w, 1))*int64(words*z.k/8-normalised) >= rounds*flow.RoundBytes
	}
	return form
}

// selectsExponents reports whether a softmax of n elements with results in the ring own opens selected exponents: where the
// elements are so many that it is worth a round, and rounds are not minimised.
func selectsExponents(op *flow.Op, own ring.Ring, parties, n int, f mpc.Fixed, z precision) bool {
	words := own.Bits / 2 // bytes of the words that are dealt twice, at least
	saved := words - 2*exponentRing(f.In, z).Bits/8
	switch op.Objective {
	case flow.ForTotal:
		return int64(n)*int64(saved-parties*(parties-1)*z.e/8) >= flow.RoundBytes
	case flow.ForOnline:
		return int64(n)*int64(saved/flow.DealtPerSent-(parties-1)*z.e/8) >= flow.RoundBytes
	}
	return false
}

// rowMaximum is the maximum of each row of w elements of an open x, or a number that is above it by up to n + 1 times 2^by units
// for n parties, if by > 0 and the ring of x has room. tree finds it; if it is nil, one is chosen. Of small numbers fewer bits
// than by are left out, so that what they make up stays below the numbers' bound.
//
// Where x is in a narrower ring than the result, it is a product that may be as large as the ring allows; the differences of a
// row are taken to be less than twice that by a few units of the numbers that are compared.
func (p *Party) rowMaximum(op *flow.Op, x *share, w, by int, narrower bool, tree []treeLevel) *share {
	in := x
	by = min(by, x.bound-bits.Len(uint(p.n)))
	if w > 1 && by > 0 && (x.bound+1 <= x.ring.Bits-2 || narrower) {
		in = p.coarse(op, x, by)
	}
	if in == nil || in == x {
		in, by = x, 0
	}
	if tree == nil {
		tree = treeOf(op, in.ring, in.bound, p.n, x.n/w, w)
	}
	top := p.rowMax(op, in, w, tree)
	if by > 0 {
		return p.raised(op, top, by, x.bound+1)
	}
	return top
}

// rowMax is the maximum of each row of w elements, by a tree. The first level takes a round less than treeLevel.rounds.
func (p *Party) rowMax(op *flow.Op, x *share, w int, tree []treeLevel) *share {
	rows := x.n / w
	for _, level := range tree {
		sizes := split(w, (w+level.fan-1)/level.fan)
		var winners []mpc.Secret
		var shapes []tensor.Shape
		var lens []int
		at := 0
		for g := 0; g < len(sizes); {
			size, same := sizes[g], g
			for same < len(sizes) && sizes[same] == size {
				same++
			}
			groups := same - g
			in := make([]*share, size)
			for i := range in {
				v := tensor.Sliced(tensor.Shape{rows, w}, []int{0, at + i}, []int{rows, at + i + (groups-1)*size + 1}, []int{1, size})
				in[i] = p.Linear(op, maps.NewView(v, x.n), x).(*share)
			}
			best := in[0]
			switch {
			case level == treeLevel{fan: 2} && size == 2 && op.Objective == flow.ForTotal:
				best = p.maxOfPair(op, in)
			case size > 1:
				best = p.maxByAllPairs(op, x.ring, in, level)
			}
			winners = append(winners, best)
			shapes, lens = append(shapes, tensor.Shape{rows, groups}), append(lens, rows*groups)
			at += groups * size
			g = same
		}
		if len(winners) == 1 {
			x = winners[0].(*share)
		} else {
			x = p.Linear(op, maps.NewView(tensor.Concatenated(shapes, 1), lens...), winners...).(*share)
		}
		w = len(sizes)
	}
	return x
}

// pairWindow compares a difference with 0, and deals less than the comparisons of maxByAllPairs.
var pairWindow = window{weight: foldedWeight, thresholds: []int{0}, results: []windowResult{{of: 1}}}

// maxOfPair is the maximum of two vectors of one ring.
func (p *Party) maxOfPair(op *flow.Op, in []*share) *share {
	out := in[0].ring
	ds, bound := p.differences(op, out, in)
	less := p.windowBits(op, ds[0], pairWindow)[0]
	return p.plus(op, out, bound, in[1], p.excess(op, ds[0], out).times(constantPoly(constant(1)).minus(less.poly())))
}

// maxByAllPairs is the maximum of two to four vectors: all pairs are compared
// beside each other, and the winner's difference to the last is chosen by
// products of bits, or by the bit that says which number is the largest. Of equal ones the first wins.
func (p *Party) maxByAllPairs(op *flow.Op, out ring.Ring, in []*share, level treeLevel) *share {
	ds, bound := p.differences(op, out, in)
	last := len(in) - 1
	var cs []comparison
	index := map[[2]int]int{}
	for i := range in {
		for j := i + 1; j < len(in); j++ {
			d := ds[min(i, last-1)]
			if j < last {
				d = p.difference(op, ds[i], ds[j], bound)
			}
			index[[2]int{i, j}] = len(cs)
			cs = append(cs, signComparison(d))
		}
	}
	rounds := comparisonRounds(op)
	if level.fast {
		rounds = 2
	}
	less := p.negative(op, rounds, cs...)
	one := constantPoly(constant(1))
	sel := newPoly()
	if level.winners && last > 1 {
		shares, _ := p.evaluate(op, winnersOf(len(in)), logicArgs{n: in[0].n, bits: less})
		lens := make([]int, last)
		for i := range lens {
			lens[i] = in[0].n
		}
		for i, b := range p.openBits(op, lens, flow.Parts(shares, last)) {
			sel = sel.plus(p.excess(op, ds[i], out).times(b.poly()))
		}
		return p.plus(op, out, bound, in[last], sel)
	}
	for i := range last {
		wins := p.excess(op, ds[i], out)
		for j := range in {
			if j < i {
				wins = wins.times(less[index[[2]int{j, i}]].poly())
			} else if j > i {
				wins = wins.times(one.minus(less[index[[2]int{i, j}]].poly()))
			}
		}
		sel = sel.plus(wins)
	}
	return p.plus(op, out, bound, in[last], sel)
}

// winnerLogics are the logics of winnersOf by their sizes, made at their first use.
var winnerLogics [widestFan + 1]struct {
	once  sync.Once
	logic *logic
}

// winnersOf returns the logic of the bits, of all numbers of a group but the last, that a number is larger than all before it
// and no smaller than all after it. It reads the bits of all comparisons, in the order of maxByAllPairs.
func winnersOf(size int) *logic {
	w := &winnerLogics[size]
	w.once.Do(func() {
		less := map[[2]int]*xorPoly{}
		for i := range size {
			for j := i + 1; j < size; j++ {
				less[[2]int{i, j}] = bitPoly(len(less))
			}
		}
		b := newLogic(len(less), 0, 0, nil)
		for i := range size - 1 {
			wins := onePoly()
			for j := range size {
				if j < i {
					wins = wins.times(less[[2]int{j, i}])
				} else if j > i {
					wins = wins.times(less[[2]int{i, j}].plus(onePoly()))
				}
			}
			b.add(wins)
		}
		w.logic = b.finish()
	})
	return w.logic
}
