package semi2k

// positionCircuit builds the plan of a position circuit (docs/protocols/bits.md#leading-digit). With digits c
// of Δ and l of λ, 0 ≤ x < 16^j if all digits from j up agree and no borrow comes from below (X_j), or if λ's
// digits from j up are those of Δ's number minus 1 and a borrow comes (Y_j). Subtracting 1 changes the digits
// up to Δ's lowest digit from j up that is not 0, which is public. W_j is Y_j with plus 1 and digits that are
// not 15.
type positionCircuit struct {
	positionKey
	first     []int // groups: group g has digits first[g] … first[g+1]−1
	lookups   []digitLookup
	bits      int // opened so far
	relations map[digitRelation]*xorPoly
	inner     map[digitRelation]*xorPoly // round 2, within groups

	// Expressions number [Δ_i = v] before it is known how many masked bits come
	// before them.
	digitTests     [][2]int
	digitTestExprs map[[2]int]*publicExpr
}

// digitRelation is of digit i: 'l' [Δ_i < λ_i], 'e' equal, 'd' [Δ_i − 1 = λ_i] and 'u'
// [Δ_i + 1 = λ_i] modulo 16; 'q' [Δ_i − 4 mod 16 < λ_i]; 'z' whether the top digits' low three bits agree. Of a top digit
// of five bits they are modulo 32.
type digitRelation struct {
	name byte
	i    int
}

func newPositionCircuit(key positionKey) *positionCircuit {
	c := &positionCircuit{
		positionKey:    key,
		relations:      map[digitRelation]*xorPoly{},
		inner:          map[digitRelation]*xorPoly{},
		digitTestExprs: map[[2]int]*publicExpr{},
	}
	c.first = []int{0}
	for _, n := range split(c.digits, positionGroups(c.digits)) {
		c.first = append(c.first, c.first[len(c.first)-1]+n)
	}
	return c
}

// positionGroups returns the number of groups of digits. The third round multiplies a bit of every group, and
// deals all products of these bits; the second does so within groups.
func positionGroups(digits int) int {
	switch {
	case digits <= mostSmallGroups:
		return (digits + 3) / 4
	case digits <= mostKept:
		return (digits + 5) / 6
	}
	return (digits + 6) / 7
}

// Numbers of digits up to which groups have four of them, and up to which products of two relations are kept.
const mostSmallGroups, mostKept = 15, 25

// plan builds the rounds.
func (c *positionCircuit) plan() *positionPlan {
	c.openRelations()
	looked := c.bits
	inner := c.openInner()
	result, above, below, quarters := c.result()
	out := &positionPlan{digits: c.digits, top: c.topBits(), signed: c.signed, lookups: c.lookups, digitTests: c.digitTests}
	out.above, out.below, out.quarters = above, below, quarters
	b := c.logic(looked, 0, nil)
	for _, y := range inner {
		b.add(y)
	}
	out.inner = b.finish()
	if c.signed { // the first result is the sign, which the others are to be added to
		b = c.logic(c.bits, 1, out.inner)
		b.add(result[0], 0)
		for _, y := range result[1:] {
			b.addTo(0, y)
		}
	} else {
		b = c.logic(c.bits, 0, out.inner)
		for _, y := range result {
			b.add(y)
		}
	}
	out.result = b.finish()
	return out
}

// logic starts a logic with that many masked bits, followed by the public digit tests.
func (c *positionCircuit) logic(masked, linear int, before *logic) *logicBuilder {
	for i, x := range c.digitTests {
		c.digitTestExprs[x].leaf = masked + i
	}
	return newLogic(masked, len(c.digitTests), linear, before)
}

// newBit makes the next masked bit.
func (c *positionCircuit) newBit() *xorPoly {
	c.bits++
	return bitPoly(c.bits - 1)
}

// openRelations is the first round. What nothing will ask for stays closed.
func (c *positionCircuit) openRelations() {
	look := func(name byte, i int, shift int64, equal bool) {
		c.relations[digitRelation{name, i}] = c.newBit()
		c.lookups = append(c.lookups, digitLookup{i, shift, equal})
	}
	top := c.digits - 1
	for i := range c.digits {
		if i < top || i < c.quarters {
			look('l', i, 0, false)
		}
		if i > 0 || c.zero || c.digits == 1 {
			look('e', i, 0, true)
		}
		if i > 0 {
			look('d', i, -1, true)
		}
		if i > 0 && c.signed {
			look('u', i, 1, true)
		}
		if i < c.quarters {
			look('q', i, -4, false)
		}
	}
	if c.signed && c.digits > 1 {
		c.relations[digitRelation{'z', top}] = c.newBit()
	}
}

// digitIs is the public bit [Δ_i = v].
func (c *positionCircuit) digitIs(i, v int) *publicExpr {
	key := [2]int{i, v}
	if c.digitTestExprs[key] == nil {
		c.digitTestExprs[key] = &publicExpr{}
		c.digitTests = append(c.digitTests, key)
	}
	return c.digitTestExprs[key]
}

func (c *positionCircuit) equals(i, hi int) *xorPoly {
	out := c.relations[digitRelation{'e', i}]
	for q := i + 1; q < hi; q++ {
		out = out.times(c.relations[digitRelation{'e', q}])
	}
	return out
}

// chain is, for digits i … hi−1, the product of the relation name up to and including the first digit of Δ
// that is not stop, times equality of the digits above it.
func (c *positionCircuit) chain(i, hi int, name byte, stop int) *xorPoly {
	out := c.relations[digitRelation{name, hi - 1}]
	for q := hi - 2; q >= i; q-- {
		out = c.relations[digitRelation{name, q}].times(selectPoly(c.digitIs(q, stop), out, c.equals(q+1, hi)))
	}
	return out
}

// lowestPlace is the first digit whose place is asked for.
func (c *positionCircuit) lowestPlace() int {
	if c.zero {
		return 0
	}
	return 1
}

// kept reports whether a product of two opened relations is not opened itself but multiplied in the third
// round: of a group's last digit but one, or of its first two digits. That opens fewer bits and deals more. Few
// groups make it cheap, more than mostKept digits do not.
func (c *positionCircuit) kept(name byte, j int) bool {
	if c.digits <= mostSmallGroups || c.digits > mostKept {
		return false
	}
	if name == 'G' || name == 'E' {
		return j-c.first[c.group(j-1)] == 2
	}
	return c.first[c.group(j)+1]-j == 2
}

// openInner is the second round: 'X', 'Y' and 'W' of digit j to the end of its group; 'G' and 'E', borrow and
// equality of the digits below j in the group of j − 1. An expression that is one masked bit already is not
// opened, nor is one that is kept.
func (c *positionCircuit) openInner() (opened []*xorPoly) {
	add := func(name byte, j int, y *xorPoly) {
		if !y.single() && !c.kept(name, j) {
			opened = append(opened, y)
			y = c.newBit()
		}
		c.inner[digitRelation{name, j}] = y
	}
	for g := range len(c.first) - 1 {
		lo, hi := c.first[g], c.first[g+1]
		for j := max(lo, c.lowestPlace()); j < hi; j++ {
			add('X', j, c.equals(j, hi))
			if j > 0 {
				add('Y', j, c.chain(j, hi, 'd', 0))
			}
			if j > 0 && c.signed {
				add('W', j, c.chain(j, hi, 'u', 15))
			}
		}
		for j := lo + 1; j <= hi && j < c.digits && c.quarters == 0; j++ {
			borrow, equal := c.relations[digitRelation{'l', lo}], c.relations[digitRelation{'e', lo}]
			for q := lo + 1; q < j; q++ {
				borrow = c.relations[digitRelation{'l', q}].plus(c.relations[digitRelation{'e', q}].times(borrow))
				if lo > 0 {
					equal = equal.times(c.relations[digitRelation{'e', q}])
				}
			}
			add('G', j, borrow)
			if lo > 0 {
				add('E', j, equal)
			}
		}
	}
	return opened
}

// group is the group of digit j.
func (c *positionCircuit) group(j int) int {
	g := 0
	for c.first[g+1] <= j {
		g++
	}
	return g
}

// borrowInto is the borrow into digit j.
func (c *positionCircuit) borrowInto(j int) *xorPoly {
	if j == 0 {
		return nil
	}
	g := c.group(j - 1)
	b := c.inner[digitRelation{'G', j}]
	if g > 0 {
		b = b.plus(c.inner[digitRelation{'E', j}].times(c.borrowInto(c.first[g])))
	}
	return b
}

func (c *positionCircuit) equalFrom(j int) *xorPoly {
	hi := c.first[c.group(j)+1]
	if hi == c.digits {
		return c.inner[digitRelation{'X', j}]
	}
	return c.inner[digitRelation{'X', j}].times(c.equalFrom(hi))
}

// offByOneFrom is Y or W from digit j to the top.
func (c *positionCircuit) offByOneFrom(j int, name byte, stop int) *xorPoly {
	hi := c.first[c.group(j)+1]
	if hi == c.digits {
		return c.inner[digitRelation{name, j}]
	}
	run := c.digitIs(j, stop)
	for q := j + 1; q < hi; q++ {
		run = run.times(c.digitIs(q, stop))
	}
	return c.inner[digitRelation{name, j}].times(selectPoly(run, c.offByOneFrom(hi, name, stop), c.equalFrom(hi)))
}

// result is the third round. It returns the expressions to be opened and their indices: for signed values the
// sign without the top bit of the top digits' difference first; then the places, to which the sign is added
// for signed values.
func (c *positionCircuit) result() (out []*xorPoly, above, below, quarters []int) {
	above, below = make([]int, c.digits), make([]int, c.digits)
	if c.signed {
		sign := &xorPoly{}
		if c.digits > 1 {
			sign = c.borrowInto(c.digits - 1).times(c.relations[digitRelation{'z', c.digits - 1}])
		}
		out = append(out, sign)
	}
	for j := range c.digits {
		above[j], below[j] = -1, -1
		if j < c.lowestPlace() {
			continue
		}
		b, s := (*xorPoly)(nil), c.equalFrom(j)
		switch {
		case j == 0:
		case c.quarters > 0:
			b = c.relations[digitRelation{'l', j - 1}]
		default:
			b = c.borrowInto(j)
		}
		within := s // 0 ≤ x < 16^j
		if b != nil {
			within = s.plus(b.times(s.plus(c.offByOneFrom(j, 'Y', 0))))
		}
		above[j] = len(out)
		out = append(out, within.plus(onePoly()))
		if c.signed && j > 0 { // −16^j ≤ x < 0
			w := c.offByOneFrom(j, 'W', 15)
			within := w.plus(b.times(s.plus(w)))
			below[j] = len(out)
			out = append(out, within)
		}
	}
	for j := range c.quarters {
		quarters = append(quarters, len(out))
		out = append(out, c.belowQuarter(j).plus(onePoly()))
	}
	return out, above, below, quarters
}

// belowQuarter is 1 only if 0 ≤ x < 4·16^j, and 0 only if x > 3·16^j: the difference of digit j of Δ and λ is 0 … 3,
// which leaves the borrow from below out of account, and the digits above agree with those of Δ, or of Δ's number minus
// 1 if digit j borrows.
func (c *positionCircuit) belowQuarter(j int) *xorPoly {
	low := c.digitIs(j, 0) // the digit of Δ is 0 … 3
	for v := 1; v < 4; v++ {
		low = low.plus(c.digitIs(j, v))
	}
	less, less4 := c.relations[digitRelation{'l', j}], c.relations[digitRelation{'q', j}]
	upTo := less.plus(onePoly()) // λ's digit is at most Δ's; less4 says whether it is above Δ's − 4, modulo 16 (the top digit: 2^top)
	if j == c.digits-1 {         // there is no digit above: differences are modulo 2^top
		return selectPoly(low, upTo.plus(less4), less.plus(less4))
	}
	out := c.equalFrom(j + 1).times(selectPoly(low, upTo, less.plus(less4)))
	return out.plus(c.offByOneFrom(j+1, 'Y', 0).times(less4.timesPublic(low)))
}
