package semi2k

import (
	"math"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// softmaxForm is how a softmax is computed.
type softmaxForm struct {
	tree []treeLevel // finds a row's maximum
	// step makes the tree's comparisons of pairs fuzzy, if it is above 0: each such level's choice may be 2^(step−1) units less
	// than the larger number. Only comparisons of two at a time, which cannot contradict each other, may be fuzzy.
	step int
	// selects opens the exponent that the clamp has selected; else each word is dealt twice, once times the clamp's bit.
	selects bool
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
	rows                 int
	word                 int            // bits of a number
	pair, compared, fast comparisonCost // of a group of two in three rounds; of other groups; in two rounds
	opened, round        int64          // the weights of an opened bit and of a round, in dealt bits
	most                 int            // rounds of the tree, at most; 0 for any number
}

// tree returns the levels of the tree over w numbers of the lowest cost, and that cost. Of trees that cost the same it returns
// one with the fewest levels.
func (c treeCosts) tree(w int) (levels []treeLevel, cost int64) {
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
		for fan := widestFan; fan >= 2; fan-- {
			for _, l := range []treeLevel{{fan: fan}, {fan: fan, fast: true}, {fan: fan, winners: true}, {fan: fan, winners: true, fast: true}} {
				if l.winners && fan == 2 || l.fast && c.fast.rounds >= c.compared.rounds || c.most > 0 && l.rounds() > s.most {
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
	s := state{w, c.most}
	cost = best(s).cost
	for s.w > 1 {
		l := best(s).level
		levels = append(levels, l)
		s.w = (s.w + l.fan - 1) / l.fan
		if c.most > 0 {
			s.most -= l.rounds()
		}
	}
	return levels, cost
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

// fuzzyBits is how many fraction bits the steps of a maximum's fuzzy comparisons have.
const fuzzyBits = 3

// softmaxFormOf chooses the form of a softmax with results in the ring own for n elements of r, below 2^bound, in rows of w.
//
// Its tree takes no more rounds than one of the fewest levels that compares in three rounds, and of those trees it is the one
// of the lowest cost, where dealt bytes weigh as flow.DealtPerSent says. Where rounds are minimised, it takes the fewest; where
// the total cost is, as many as pay, and its comparisons of pairs may be fuzzy: sums that these may make too large for a table
// take four rounds more. If the elements are so many that it is worth a round, selected exponents are opened then, too.
func softmaxFormOf(op *flow.Op, own, r ring.Ring, bound, parties, n, w int, f mpc.Fixed, z precision) (form softmaxForm) {
	width := max(2, min(bound+2, r.Bits)) // of differences
	c := treeCosts{rows: n / max(w, 1), word: r.Bits}
	c.compared, c.fast = comparisonCostOf(width, comparisonRounds(op)), comparisonCostOf(width, 2)
	c.pair = c.compared
	switch op.Objective {
	case flow.ForOnline:
		c.opened, c.most = flow.DealtPerSent*int64(parties-1), treeLevel{}.rounds()*fewestLevels(w)
	case flow.ForRounds:
		c.opened, c.round = flow.DealtPerSent*int64(parties-1), 1<<40 // more than all bits
	case flow.ForTotal:
		c.opened, c.round = int64(parties*(parties-1)), 8*flow.RoundBytes
	}
	var cost int64
	form.tree, cost = c.tree(w)
	if op.Objective != flow.ForTotal {
		return form
	}
	if step := max(0, f.In-fuzzyBits); step > 0 && bound+1 <= r.Bits-2 {
		key := windowKeyOf(window{step: step, weight: foldedWeight, thresholds: []int{0}, results: []windowResult{{of: 1}}}, bound+1, r)
		c.pair.opened, c.pair.dealt = planWindow(key).cost()
		fuzzy := softmaxForm{step: step}
		var least int64
		fuzzy.tree, least = c.tree(w)
		if w <= maxTableRow && fuzzy.largestSum(w, f.In) > maxTableRow {
			least += 4 * c.round // normalised, and not by a table
		}
		if least < cost {
			form = fuzzy
		}
	}
	words := own.Bits / 2 // bytes of the words that are dealt twice, at least
	opened := parties * (parties - 1) * z.e
	form.selects = int64(n)*int64(words-(2*exponentRing(f.In, z).Bits+opened)/8) >= flow.RoundBytes
	return form
}

// miss is by how much a row's maximum may be too small, in units of a number of so many fraction bits.
func (form softmaxForm) miss(fraction int) float64 {
	if form.step == 0 {
		return 0
	}
	fuzzy := 0
	for _, l := range form.tree {
		if l.fan == 2 {
			fuzzy++
		}
	}
	return float64(fuzzy) * math.Ldexp(1, form.step-1-fraction)
}

// largestSum is the largest sum of the exponentials of a row of w.
func (form softmaxForm) largestSum(w, fraction int) int {
	return int(math.Ceil(float64(w) * math.Exp(form.miss(fraction))))
}

// rowMax is the maximum of each row of w elements, by a tree, or where its comparisons of pairs are fuzzy an element that is
// at most softmaxForm.miss smaller. The first level takes a round less than treeLevel.rounds.
func (p *Party) rowMax(op *flow.Op, x *share, w int, tree []treeLevel, step int) *share {
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
			case level == treeLevel{fan: 2} && size == 2 && step > 0:
				best = p.maxOfPair(op, in, step)
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

// maxOfPair is the maximum of two vectors of one ring. If step is above 0 and the ring has room, it may be the other one
// where they differ by less than 2^(step−1).
func (p *Party) maxOfPair(op *flow.Op, in []*share, step int) *share {
	out := in[0].ring
	ds, bound := p.differences(op, out, in)
	d := ds[0]
	if d.bound > out.Bits-2 { // u − θ of a fuzzy comparison has more values than the difference
		step = 0
	}
	less := p.windowBits(op, d, window{step: step, thresholds: []int{0}, results: []windowResult{{of: 1}}})[0]
	return p.plus(op, out, bound, in[1], p.excess(op, d, out).times(constantPoly(constant(1)).minus(less.poly())))
}

// maxByAllPairs is the maximum of two to four vectors: all pairs are compared
// beside each other, and the winner's difference to the last is chosen by
// products of bits, or by the bit that says who wins. Of equal ones the first wins.
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
