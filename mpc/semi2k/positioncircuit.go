package semi2k

// positionCircuit is the position circuit while its plan is made. With Δ's digits
// c and λ's l, x < 16^j if (Δ − λ)/16^j rounds down to 0: all digits from j up
// agree and no borrow comes from below (X_j), or λ's are Δ's minus one and a
// borrow comes (Y_j). Where the minus one stops is public: at Δ's lowest digit
// from j up that is not 0. W_j is the same for −1 and digits that are not 15.
type positionCircuit struct {
	positionKey
	first []int // groups: group g has digits first[g] … first[g+1]−1
	looks []digitLook
	bits  int // opened so far
	facts map[fact]*xorPoly
	inner map[fact]*xorPoly // round 2, within groups

	// Expressions number [Δ_i = v] before it is known how many masked bits come
	// before them.
	is    [][2]int
	known map[[2]int]*switchBits
}

// fact is of digit i: 'l' [Δ_i < λ_i], 'e' equal, 'd' [Δ_i − 1 = λ_i] and 'u'
// [Δ_i + 1 = λ_i] modulo 16; 'z' whether the top digits' low three bits agree.
type fact struct {
	name byte
	i    int
}

func newPositionCircuit(key positionKey) *positionCircuit {
	c := &positionCircuit{positionKey: key, facts: map[fact]*xorPoly{}, inner: map[fact]*xorPoly{}, known: map[[2]int]*switchBits{}}
	c.first = []int{0}
	for _, n := range split(c.digits, (c.digits+3)/4) {
		c.first = append(c.first, c.first[len(c.first)-1]+n)
	}
	return c
}

// plan goes through the rounds.
func (c *positionCircuit) plan() *positionPlan {
	c.openFacts()
	looked := c.bits
	inner := c.openInner()
	result, above, below := c.result()
	out := &positionPlan{digits: c.digits, signed: c.signed, looks: c.looks, is: c.is, above: above, below: below}
	b := c.logic(looked, 0, nil)
	for _, y := range inner {
		b.add(y)
	}
	out.inner = b.done()
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
	out.result = b.done()
	return out
}

// logic starts a logic of so many masked bits and the public digits, whose numbers
// come after them.
func (c *positionCircuit) logic(masked, linear int, before *logic) *logicBuilder {
	for i, x := range c.is {
		c.known[x].leaf = masked + i
	}
	return newLogic(masked, len(c.is), linear, before)
}

// opens makes the next masked bit.
func (c *positionCircuit) opens() *xorPoly {
	c.bits++
	return bitPoly(c.bits - 1)
}

// openFacts is the first round. What nothing will ask for stays closed.
func (c *positionCircuit) openFacts() {
	look := func(name byte, i int, shift int64, equal bool) {
		c.facts[fact{name, i}] = c.opens()
		c.looks = append(c.looks, digitLook{i, shift, equal})
	}
	top := c.digits - 1
	for i := range c.digits {
		if i < top {
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
	}
	if c.signed && c.digits > 1 {
		c.facts[fact{'z', top}] = c.opens()
	}
}

// digitIs is the public bit [Δ_i = v].
func (c *positionCircuit) digitIs(i, v int) *switchBits {
	key := [2]int{i, v}
	if c.known[key] == nil {
		c.known[key] = &switchBits{}
		c.is = append(c.is, key)
	}
	return c.known[key]
}

func (c *positionCircuit) equals(i, hi int) *xorPoly {
	out := c.facts[fact{'e', i}]
	for q := i + 1; q < hi; q++ {
		out = out.times(c.facts[fact{'e', q}])
	}
	return out
}

// chain is the product over digits i … hi−1 of facts of the name up to and
// including the first digit of Δ that is not stop, of equality above it.
func (c *positionCircuit) chain(i, hi int, name byte, stop int) *xorPoly {
	out := c.facts[fact{name, hi - 1}]
	for q := hi - 2; q >= i; q-- {
		out = c.facts[fact{name, q}].times(pick(c.digitIs(q, stop), out, c.equals(q+1, hi)))
	}
	return out
}

// lowest is the first digit whose place is asked for.
func (c *positionCircuit) lowest() int {
	if c.zero {
		return 0
	}
	return 1
}

// openInner is the second round: X_j, Y_j, W_j within j's group, borrows and
// equality of the digits below j within theirs. What is one masked bit already
// is not opened.
func (c *positionCircuit) openInner() (opened []*xorPoly) {
	add := func(name byte, j int, y *xorPoly) {
		if !y.single() {
			opened = append(opened, y)
			y = c.opens()
		}
		c.inner[fact{name, j}] = y
	}
	for g := range len(c.first) - 1 {
		lo, hi := c.first[g], c.first[g+1]
		for j := max(lo, c.lowest()); j < hi; j++ {
			add('X', j, c.equals(j, hi))
			if j > 0 {
				add('Y', j, c.chain(j, hi, 'd', 0))
			}
			if j > 0 && c.signed {
				add('W', j, c.chain(j, hi, 'u', 15))
			}
		}
		for j := lo + 1; j <= hi && j < c.digits; j++ {
			borrow, equal := c.facts[fact{'l', lo}], c.facts[fact{'e', lo}]
			for q := lo + 1; q < j; q++ {
				borrow = c.facts[fact{'l', q}].plus(c.facts[fact{'e', q}].times(borrow))
				if lo > 0 {
					equal = equal.times(c.facts[fact{'e', q}])
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

// group is the group that digit j is in; for a borrow into j, that of j − 1.
func (c *positionCircuit) group(j int) int {
	g := 0
	for c.first[g+1] <= j {
		g++
	}
	return g
}

// into is the borrow into digit j.
func (c *positionCircuit) into(j int) *xorPoly {
	if j == 0 {
		return nil
	}
	g := c.group(j - 1)
	b := c.inner[fact{'G', j}]
	if g > 0 {
		b = b.plus(c.inner[fact{'E', j}].times(c.into(c.first[g])))
	}
	return b
}

func (c *positionCircuit) same(j int) *xorPoly {
	hi := c.first[c.group(j)+1]
	if hi == c.digits {
		return c.inner[fact{'X', j}]
	}
	return c.inner[fact{'X', j}].times(c.same(hi))
}

// off is Y or W from digit j to the top.
func (c *positionCircuit) off(j int, name byte, stop int) *xorPoly {
	hi := c.first[c.group(j)+1]
	if hi == c.digits {
		return c.inner[fact{name, j}]
	}
	run := c.digitIs(j, stop)
	for q := j + 1; q < hi; q++ {
		run = run.times(c.digitIs(q, stop))
	}
	return c.inner[fact{name, j}].times(pick(run, c.off(hi, name, stop), c.same(hi)))
}

// result is the third round: the sign, of signed values, less the top bit of the
// top digits' difference, then places, each with its number; of signed values plus
// the sign.
func (c *positionCircuit) result() (out []*xorPoly, above, below []int) {
	above, below = make([]int, c.digits), make([]int, c.digits)
	if c.signed {
		sign := &xorPoly{}
		if c.digits > 1 {
			sign = c.into(c.digits - 1).times(c.facts[fact{'z', c.digits - 1}])
		}
		out = append(out, sign)
	}
	for j := range c.digits {
		above[j], below[j] = -1, -1
		if j < c.lowest() {
			continue
		}
		b, s := c.into(j), c.same(j)
		within := s // 0 ≤ x < 16^j
		if b != nil {
			within = s.plus(b.times(s.plus(c.off(j, 'Y', 0))))
		}
		above[j] = len(out)
		out = append(out, within.plus(onePoly()))
		if c.signed && j > 0 { // −16^j ≤ x < 0
			w := c.off(j, 'W', 15)
			within := w.plus(b.times(s.plus(w)))
			below[j] = len(out)
			out = append(out, within)
		}
	}
	return out, above, below
}
