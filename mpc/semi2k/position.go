package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// position is where a value's leading hex digit stands, as masked bits.
type position struct {
	above []*bit // [x ≥ 16^j], j = 0 … D−1; [0] only if asked for
	below []*bit // [−x−1 ≥ 16^j], j = 1 … D−1, of signed values
	sign  *bit   // [x < 0], of signed values
}

// digits is the state of the position circuit. With Δ's digits c and λ's l,
// x < 16^j if (Δ − λ)/16^j rounds down to 0: all digits from j up agree and no
// borrow comes from below (X_j), or λ's are Δ's minus one and a borrow comes
// (Y_j). Where the minus one stops is public: at Δ's lowest digit from j up
// that is not 0. W_j is the same for −1 and digits that are not 15.
type digitCircuit struct {
	p     *Party
	op    *flow.Op
	x     *share
	d     int
	first []int // groups: group g has digits first[g] … first[g+1]−1
	facts map[fact]*xorPoly
	is    map[[2]int]*switchBits // [Δ_i = v]
	inner map[fact]*xorPoly      // round 2, within groups
}

type fact struct {
	name byte
	i    int
}

// position runs the circuit on a masked x, three rounds: 0 ≤ x < 16^D, or
// |x| < 16^D/2 if signed. Reads only the low 4D bits of Δ and λ
// (protocols-functions.md §3, protocols-bits.md §8).
func (p *Party) position(op *flow.Op, x *share, digits int, signed, zero bool) position {
	c := &digitCircuit{p: p, op: op, x: x, d: digits,
		facts: map[fact]*xorPoly{}, is: map[[2]int]*switchBits{}, inner: map[fact]*xorPoly{}}
	c.first = []int{0}
	for _, n := range split(digits, (digits+3)/4) {
		c.first = append(c.first, c.first[len(c.first)-1]+n)
	}
	lowest := 1
	if zero {
		lowest = 0
	}
	c.openFacts(signed, zero)
	c.openInner(signed, lowest)
	return c.result(signed, lowest)
}

// table facts of digit i as XOR shares: less [Δ_i < λ_i], equal, dn
// [Δ_i − 1 = λ_i] and up [Δ_i + 1 = λ_i] modulo 16.
func (c *digitCircuit) lookUp(i, shift int) (less, equal *flow.Of[ring.Bits]) {
	m, n := c.x.masked, c.x.n
	t := c.p.table(c.op, m, tableKey{4 * i, 4}, n)
	both := flow.Do(c.op, int64(n)/4, func() [2]ring.Bits {
		table := t.Get()
		lt, eq := table.Like(n), table.Like(n)
		digit := m.delta.Get().BlankLike(ring.Z(4), n)
		ring.Digit(digit, m.delta.Get(), 4*i)
		ring.AddInt(digit, digit, int64(shift))
		ring.Thermometer(lt, eq, table, digit, 0, 4, c.p.first())
		digit.Free()
		return [2]ring.Bits{lt, eq}
	}, t, m.delta)
	return flow.Pick(c.op, func() ring.Bits { return both.Get()[0] }, both),
		flow.Pick(c.op, func() ring.Bits { return both.Get()[1] }, both)
}

// opener gathers shares to be opened in one message.
type opener struct {
	xs  []*flow.Of[ring.Bits]
	set []func(*bit)
}

func (o *opener) add(x *flow.Of[ring.Bits], set func(*bit)) {
	o.xs, o.set = append(o.xs, x), append(o.set, set)
}

func (o *opener) open(p *Party, op *flow.Op, n int) {
	lens := make([]int, len(o.xs))
	for i := range lens {
		lens[i] = n
	}
	if len(o.xs) == 0 {
		return
	}
	for i, b := range p.openBits(op, lens, o.xs) {
		o.set[i](b)
	}
}

// openFacts is the first round. What nothing will ask for stays closed.
func (c *digitCircuit) openFacts(signed, zero bool) {
	var o opener
	top := c.d - 1
	for i := range c.d {
		less, equal := c.lookUp(i, 0)
		to := func(name byte) func(*bit) {
			return func(b *bit) { c.facts[fact{name, i}] = b.xorPoly() }
		}
		if i < top {
			o.add(less, to('l'))
		}
		if i > 0 || zero || c.d == 1 {
			o.add(equal, to('e'))
		}
		if i > 0 {
			_, dn := c.lookUp(i, -1)
			o.add(dn, to('d'))
		}
		if i > 0 && signed {
			_, up := c.lookUp(i, 1)
			o.add(up, to('u'))
		}
	}
	if signed && c.d > 1 {
		_, same := c.topHalf()
		o.add(same, func(b *bit) { c.facts[fact{'z', top}] = b.xorPoly() })
	}
	o.open(c.p, c.op, c.x.n)
}

// topHalf gives, of the top digits without a borrow, shares of the
// difference's top bit and of whether their low three bits agree: by three
// look-ups in the one table.
func (c *digitCircuit) topHalf() (negative, same *flow.Of[ring.Bits]) {
	m, n, i := c.x.masked, c.x.n, c.d-1
	t := c.p.table(c.op, m, tableKey{4 * i, 4}, n)
	both := flow.Do(c.op, int64(n)/4, func() [2]ring.Bits {
		table := t.Get()
		at := func(shift int64) (lt, eq ring.Bits) {
			lt, eq = table.Like(n), table.Like(n)
			digit := m.delta.Get().BlankLike(ring.Z(4), n)
			ring.Digit(digit, m.delta.Get(), 4*i)
			ring.AddInt(digit, digit, shift)
			ring.Thermometer(lt, eq, table, digit, 0, 4, c.p.first())
			digit.Free()
			return lt, eq
		}
		// The difference c − l mod 16 is 8 to 15 if l is one of c+1 … c+8 mod
		// 16: [c < l] ⊕ [c + 8 < l], and 1 where c + 8 passes 16.
		less, equal := at(0)
		less8, equal8 := at(8)
		ring.Xor(less, less, less8)
		if c.p.first() {
			ring.Xor(less, less, ring.Bit(m.delta.Get(), 4*i+3))
		}
		ring.Xor(equal, equal, equal8)
		return [2]ring.Bits{less, equal}
	}, t, m.delta)
	return flow.Pick(c.op, func() ring.Bits { return both.Get()[0] }, both),
		flow.Pick(c.op, func() ring.Bits { return both.Get()[1] }, both)
}

// digitIs are the public bits [Δ_i = v].
func (c *digitCircuit) digitIs(i, v int) *switchBits {
	key := [2]int{i, v}
	if c.is[key] == nil {
		delta := c.x.masked.delta
		c.is[key] = leafBits(flow.Do(c.op, int64(c.x.n)/8, func() ring.Bits {
			d := delta.Get()
			out := ring.LikeBits(d, c.x.n)
			ring.Not(out, out)
			for b := range 4 {
				x := ring.Bit(d, 4*i+b)
				if v>>b&1 == 0 {
					ring.Not(x, x)
				}
				ring.And(out, out, x)
			}
			return out
		}, delta))
	}
	return c.is[key]
}

func (c *digitCircuit) equals(i, hi int) *xorPoly {
	out := c.facts[fact{'e', i}]
	for q := i + 1; q < hi; q++ {
		out = out.times(c.facts[fact{'e', q}])
	}
	return out
}

// chain is the product over digits i … hi−1 of facts of the name up to and
// including the first digit of Δ that is not stop, of equality above it.
func (c *digitCircuit) chain(i, hi int, name byte, stop int) *xorPoly {
	out := c.facts[fact{name, hi - 1}]
	for q := hi - 2; q >= i; q-- {
		out = c.facts[fact{name, q}].times(pick(c.digitIs(q, stop), out, c.equals(q+1, hi)))
	}
	return out
}

// openInner is the second round: X_j, Y_j, W_j within j's group, borrows and
// equality of the digits below j within theirs. What is one masked bit already
// is not opened.
func (c *digitCircuit) openInner(signed bool, lowest int) {
	var o opener
	add := func(name byte, j int, y *xorPoly) {
		if y.single() {
			c.inner[fact{name, j}] = y
			return
		}
		o.add(c.p.xorPolyShare(c.op, y, c.x.n), func(b *bit) { c.inner[fact{name, j}] = b.xorPoly() })
	}
	for g := range len(c.first) - 1 {
		lo, hi := c.first[g], c.first[g+1]
		for j := max(lo, lowest); j < hi; j++ {
			add('X', j, c.equals(j, hi))
			if j > 0 {
				add('Y', j, c.chain(j, hi, 'd', 0))
			}
			if j > 0 && signed {
				add('W', j, c.chain(j, hi, 'u', 15))
			}
		}
		for j := lo + 1; j <= hi && j < c.d; j++ {
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
	o.open(c.p, c.op, c.x.n)
}

// group is the group that digit j is in; for a borrow into j, that of j − 1.
func (c *digitCircuit) group(j int) int {
	g := 0
	for c.first[g+1] <= j {
		g++
	}
	return g
}

// into is the borrow into digit j.
func (c *digitCircuit) into(j int) *xorPoly {
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

func (c *digitCircuit) same(j int) *xorPoly {
	hi := c.first[c.group(j)+1]
	if hi == c.d {
		return c.inner[fact{'X', j}]
	}
	return c.inner[fact{'X', j}].times(c.same(hi))
}

// off is Y or W from digit j to the top.
func (c *digitCircuit) off(j int, name byte, stop int) *xorPoly {
	hi := c.first[c.group(j)+1]
	if hi == c.d {
		return c.inner[fact{name, j}]
	}
	run := c.digitIs(j, stop)
	for q := j + 1; q < hi; q++ {
		run = run.times(c.digitIs(q, stop))
	}
	return c.inner[fact{name, j}].times(pick(run, c.off(hi, name, stop), c.same(hi)))
}

// result is the third round.
func (c *digitCircuit) result(signed bool, lowest int) position {
	out := position{above: make([]*bit, c.d), below: make([]*bit, c.d)}
	var o opener
	var sign []*flow.Of[ring.Bits]
	n := c.x.n
	if signed {
		negative, _ := c.topHalf()
		s := c.p.xorPolyShare(c.op, c.into(c.d-1).times(c.facts[fact{'z', c.d - 1}]), n, negative)
		sign = append(sign, s)
		o.add(s, func(b *bit) { out.sign = b })
	}
	for j := lowest; j < c.d; j++ {
		b, s := c.into(j), c.same(j)
		within := s // 0 ≤ x < 16^j
		if b != nil {
			within = s.plus(b.times(s.plus(c.off(j, 'Y', 0))))
		}
		o.add(c.p.xorPolyShare(c.op, within.plus(onePoly()), n, sign...), func(b *bit) { out.above[j] = b })
		if signed && j > 0 { // −16^j ≤ x < 0
			w := c.off(j, 'W', 15)
			within := w.plus(b.times(s.plus(w)))
			o.add(c.p.xorPolyShare(c.op, within, n, sign...), func(b *bit) { out.below[j] = b })
		}
	}
	o.open(c.p, c.op, n)
	return out
}
