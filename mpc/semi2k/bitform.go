package semi2k

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Numbers by their bits (docs/protocols/bits.md#look-ups-and-comparisons-of-bits). A share may have the bits of its numbers as one more
// form: a vector over Z_2, bit 0 of all numbers first, in two's complement. Its owner shares a table's bits as an input like any other.
//
// A look-up of row x in a table T of C rows is a product of the index's one-hot vector with the table's bits, over Z_2:
//
//	T[x] = Σ_v e_x[v]·T[v]
//
// The XOR shares of e_x follow from the one-hot vector of the index's mask, 2^s − 1 dealt bits; they are opened, C bits, and the
// product takes one dealt bit for each bit of the result. Numbers that are looked up as such (index.go) are dealt twice 2^s words instead.
//
// For x < y the parties open d_i = x_i ⊕ y_i and y_i of all bits, but those of an operand that is open. With x_i = 0 and y_i =
// 1 exactly if d_i·y_i = 1,
//
//	[x < y] = Σ_i d_i·y_i·Π_(j>i) (1 ⊕ d_j),
//
// and the sign bits change places. Groups of bits are wide AND gates, whose results are digits as in a comparison of masked values
// (gates.go). [x = y] is the AND of all 1 ⊕ d_i; the choice of x or y by a bit b is y ⊕ b·d.
//
// Each party sees opened bits, each under a mask bit of its own: those of e_x, of d, of y and of gates' results; Δ of the
// index, under a mask that is independent of these; and dealt shares. All are uniform, whatever the data are. An index's e_x is
// opened once for all tables of one length, and under other mask bits for another length. The dealt shares of the mask's
// one-hot vector enter a message only after Δ is open, and only under those mask bits. The dealer learns which tables an index
// is used with, and whether bits or numbers are looked up: that follows from the program's text.

// onlyBits reports whether the bits are the only form of the numbers.
func (s *share) onlyBits() bool {
	return s.bits != nil && s.additive == nil && s.masked == nil && s.poly == nil
}

// bitWidth returns the number of bits of each number of a share that has its bits.
func (s *share) bitWidth() int { return s.bits.n / max(1, s.n) }

// FromBits implements mpc.BitForms. Nothing is sent before the numbers are needed as such.
func (p *Party) FromBits(_ *flow.Op, out ring.Ring, n int, bits mpc.Bit) mpc.Secret {
	b := p.share(bits)
	s := p.newShare(out, n, b.n/max(1, n)-1, nil)
	s.bits = b
	return s
}

// ComparesByBits implements mpc.BitForms. A look-up by bits takes one round more than one of numbers.
func (p *Party) ComparesByBits(op *flow.Op, c mpc.BitComparison) bool {
	if p.dealer > 0 || op.Objective == flow.ForRounds {
		return false
	}
	number := c.Width + 1 // the bits of a ring in which differences fit
	sent, dealt := compareCircuit(number, comparisonRounds(op)).cost()
	asBits := bitCircuitOf(c.Width).cost()
	if c.Equal {
		sent, dealt = equalPlan(number).bits()
		asBits = equalBitsCost(c.Width)
	}
	asNumbers := bitCost{c.N * (number + sent), c.N * dealt}
	asBits = asBits.times(c.N)
	asNumbers.add(bitCost{number, 2 * number}.times(c.AsNumbers.Selected))
	asBits.add(bitCost{c.Width, c.Width}.times(c.AsBits.Selected))
	for _, l := range c.AsNumbers.Lookups {
		asNumbers.add(lookupCost(l, number))
	}
	for _, l := range c.AsBits.Lookups {
		asBits.add(bitLookupCost(l, c.Width))
	}
	return !tooManyBits(c.Width, c.AsNumbers.Lookups, c.AsBits.Lookups) && asBits.weight(p, op)+8*flow.RoundBytes < asNumbers.weight(p, op)
}

// LooksUpByBits implements mpc.BitForms. A look-up by bits takes two rounds more than one of numbers.
func (p *Party) LooksUpByBits(op *flow.Op, r ring.Ring, width int, l mpc.Lookups) bool {
	all := []mpc.Lookups{l}
	if p.dealer > 0 || op.Objective == flow.ForRounds || tooManyBits(width, all, all) {
		return false
	}
	asNumbers, asBits := lookupCost(l, r.Bits), bitLookupCost(l, width)
	asBits.add(bitCost{width, width*r.Bits - width*(width-1)/2}.times(l.Indices * l.Table.Columns))
	return asBits.weight(p, op)+2*8*flow.RoundBytes < asNumbers.weight(p, op)
}

// tooManyBits reports whether look-ups of bits take far more memory than those of numbers: a bit of a table, of a one-hot
// vector and of what is found takes a word, as does each element of what is dealt for a look-up of numbers.
func tooManyBits(width int, asNumbers, asBits []mpc.Lookups) bool {
	var numbers, bits int
	for _, l := range asNumbers {
		numbers += l.Indices << l.Table.Bits()
		if !opensOneHots(l) {
			numbers += 3 * l.Indices * l.Table.Rows() << l.Table.Bits()
		}
	}
	for _, l := range asBits {
		bits += l.Indices<<l.Table.Bits() + width*(l.Table.Size()+l.Indices*l.Table.Rows())
	}
	return bits > max(1<<20, numbers)
}

// bitCost is a number of bits that a party sends to each other one, and of dealt bits.
type bitCost struct{ sent, dealt int }

func (c *bitCost) add(d bitCost) { c.sent, c.dealt = c.sent+d.sent, c.dealt+d.dealt }

func (c bitCost) times(n int) bitCost { return bitCost{c.sent * n, c.dealt * n} }

// weight returns the cost in sent bits: by the objective dealt ones weigh less, or the bits of all parties count.
func (c bitCost) weight(p *Party, op *flow.Op) int {
	if op.Objective == flow.ForTotal {
		return p.n*(p.n-1)*c.sent + c.dealt
	}
	return (p.n-1)*c.sent + c.dealt/flow.DealtPerSent
}

// lookupCost is the cost of look-ups of numbers of so many bits, once index and table are open (Lookup).
func lookupCost(l mpc.Lookups, bits int) bitCost {
	c := bitCost{dealt: 1<<l.Table.Bits() - 1}
	if opensOneHots(l) {
		c.add(bitCost{l.Table.Cells, l.Table.Rows()})
	} else {
		c.dealt += l.Table.Rows() << l.Table.Bits()
	}
	return c.times(l.Indices * bits)
}

// opensOneHots reports whether Lookup of numbers in tables that are not public opens one-hot vectors.
func opensOneHots(l mpc.Lookups) bool { return l.Indices*l.Table.Columns<<l.Table.Bits() > maxDealt }

// bitLookupCost is the cost of look-ups of so many bits, once index and table are open.
func bitLookupCost(l mpc.Lookups, width int) bitCost {
	return bitCost{l.Table.Cells, 1<<l.Table.Bits() - 1 + width*l.Table.Rows()}.times(l.Indices)
}

// viewedBits returns the bits of a view of numbers that have theirs, all the same number of them; nil for another map or other numbers.
func (p *Party) viewedBits(op *flow.Op, m maps.Linear, in []*share) *share {
	v, ok := m.(maps.View)
	if !ok || m.Out() == 0 {
		return nil
	}
	lens, bits := make([]int, len(in)), make([]mpc.Secret, len(in))
	for i, s := range in {
		if s.bits == nil || s.n == 0 || s.bitWidth() != in[0].bitWidth() {
			return nil
		}
		lens[i], bits[i] = s.bits.n, s.bits
	}
	return p.Linear(op, maps.NewView(eachPlane(v, in[0].bitWidth()), lens...), bits...).(*share)
}

// eachPlane returns the view of a number of planes of each operand, laid end to end, that views each plane.
func eachPlane(m maps.View, planes int) tensor.View {
	v := m.Rule
	shape := append(tensor.Shape{planes}, v.Shape...)
	if v.Strided() && len(m.Lens) == 1 {
		return tensor.View{Shape: shape, In: planes * v.In, Offset: v.Offset, Strides: append([]int{v.In}, v.Strides...)}
	}
	return tensor.Listed(shape, planes*v.In, func() []int32 {
		list := v.Index()
		size, base := make([]int32, len(list)), make([]int32, len(list)) // of the operand that an element comes from: length and first position
		for i, at := range list {
			for _, n := range m.Lens {
				if at < base[i]+int32(n) {
					size[i] = int32(n)
					break
				}
				base[i] += int32(n)
			}
		}
		out := make([]int32, 0, planes*len(list))
		for plane := range int32(planes) {
			for i, at := range list {
				if at != tensor.Fill {
					at += base[i]*int32(planes-1) + plane*size[i]
				}
				out = append(out, at)
			}
		}
		return out
	})
}

// lowBits returns the bits of numbers modulo 2^k.
func (p *Party) lowBits(op *flow.Op, s *share, k int) *share {
	if k >= s.bitWidth() {
		return s.bits
	}
	v := tensor.Sliced(tensor.Shape{s.bits.n}, []int{0}, []int{k * s.n}, []int{1})
	return p.Linear(op, maps.NewView(v, s.bits.n), s.bits).(*share)
}

// looksUpBits reports whether a look-up in a table is one of its bits.
func looksUpBits(table *share, t mpc.Table) bool {
	return table.onlyBits() && len(t.Offsets) == 1 && t.Offsets[0] == 0
}

// lookUpBits is Lookup in a table that has its bits only.
func (p *Party) lookUpBits(op *flow.Op, x, table *share, t mpc.Table) *share {
	w, n, z2 := table.bitWidth(), x.n, ring.Z(1)
	p.open(op, x, table.bits)
	planes := tensor.Transposed(tensor.Shape{w, t.Groups * t.Cells, t.Columns}, []int{1, 0, 2})
	rows := p.Linear(op, maps.NewView(planes, table.bits.n), table.bits)
	by := maps.MatMul{Batch: t.Groups, M: n / t.Groups, K: t.Cells, N: w * t.Columns}
	found := p.Product(op, z2, by, p.openedHots(op, z2, x, t), rows, 0)
	out := p.newShare(table.ring, n*t.Columns, table.bound, nil)
	back := tensor.Transposed(tensor.Shape{n, w, t.Columns}, []int{1, 0, 2})
	out.bits = p.Linear(op, maps.NewView(back, n*w*t.Columns), found).(*share)
	return out
}

// hotsKey identifies one-hot vectors of an index: their ring and length.
type hotsKey struct {
	r     ring.Ring
	cells int
}

// openedHots returns the one-hot vectors over r of an open index, one entry for each row of a table, that are or will be opened: one vector
// for all look-ups by the index.
func (p *Party) openedHots(op *flow.Op, r ring.Ring, x *share, t mpc.Table) *share {
	key := hotsKey{r, t.Cells}
	if x.masked.hots[key] == nil {
		if x.masked.hots == nil {
			x.masked.hots = map[hotsKey]*share{}
		}
		s := t.Bits()
		all := p.indexOneHots(op, r, x, p.oneHot(op, x.masked, x.n, r, s), s)
		v := tensor.View{Shape: tensor.Shape{x.n, t.Cells}, In: x.n << s, Strides: []int{1 << s, 1}}
		x.masked.hots[key] = p.Linear(op, maps.NewView(v, x.n<<s), all).(*share)
	}
	return x.masked.hots[key]
}

// onBits reports whether an operation with two vectors is one of their bits: if both have them, and one of them has no other form.
func onBits(x, y *share) bool {
	return x.bits != nil && y.bits != nil && x.bits.n == y.bits.n && x.n == y.n && x.n > 0 && (x.onlyBits() || y.onlyBits())
}

// differingBits returns x ⊕ y of numbers that have their bits.
func (p *Party) differingBits(op *flow.Op, x, y *share) *share {
	return p.Linear(op, maps.Combine{N: x.bits.n, Coef: []int64{1, 1}}, x.bits, y.bits).(*share)
}

// selectBits is Select of numbers that have their bits: y ⊕ b·(x ⊕ y). It opens b and the differences in one message, and each
// bit takes one dealt bit.
func (p *Party) selectBits(op *flow.Op, out ring.Ring, b, x, y *share) *share {
	w := x.bitWidth()
	differ := p.differingBits(op, x, y)
	p.open(op, b, differ)
	each := maps.NewView(tensor.Broadcast(tensor.Shape{x.n}, []int{1}, tensor.Shape{w, x.n}), x.n)
	moved := p.product(op, []*share{p.Linear(op, each, b).(*share), differ})
	s := p.newShare(out, x.n, max(x.bound, y.bound), nil)
	s.bits = p.Linear(op, maps.Combine{N: x.bits.n, Coef: []int64{1, 1}}, y.bits, moved).(*share)
	return s
}

// equalBits returns [x = y] of numbers that have their bits: an AND of the bits that do not differ.
func (p *Party) equalBits(op *flow.Op, x, y *share) mpc.Bit {
	n, w := x.n, x.bitWidth()
	differ := p.differingBits(op, x, y)
	p.open(op, differ)
	same := p.AddPublic(op, differ, p.ones(op, w*n), 0)
	planes := make([]mpc.Bit, w)
	for i := range planes {
		planes[i] = p.Linear(op, maps.NewView(tensor.Sliced(tensor.Shape{w * n}, []int{i * n}, []int{(i + 1) * n}, []int{1}), w*n), same)
	}
	return p.And(op, planes...)
}

// equalBitsCost is the cost of equalBits for one element, the opening of its result included, if nothing is open.
func equalBitsCost(width int) bitCost {
	c := bitCost{sent: 1}
	for left := width; left > 1; {
		sizes := split(left, (left+maxAnd-1)/maxAnd)
		for _, size := range sizes {
			if size > 1 {
				c.add(bitCost{size, 1<<size - 1 - size})
			}
		}
		left = len(sizes)
	}
	return c
}

// lessOfBits returns [x < y] of numbers that have their bits.
func (p *Party) lessOfBits(op *flow.Op, x, y *share) *share {
	n, w := x.n, x.bitWidth()
	circ := bitCircuitOf(w)
	bits := p.openToCompare(op, x, y)
	shares, _ := p.evaluate(op, circ.first, logicArgs{n: n, bits: bits})
	digits := make([]digit, len(circ.groups))
	for i, made := 0, flow.Parts(shares, len(circ.first.outs)); i < len(digits); i++ {
		digits[i].less, made = made[0], made[1:]
		if i > 0 {
			digits[i].equal, made = made[0], made[1:]
		}
	}
	for _, l := range circ.levels {
		open := l.opens(digits)
		lens := make([]int, len(open))
		for i := range lens {
			lens[i] = n
		}
		digits = p.combine(op, l, digits, p.openBits(op, lens, open), n)
	}
	return p.fromShares(op, n, digits[0].less)
}

// openToCompare returns the masked bits that a comparison x < y reads: the differences of all bits, then y's bits, but x's sign: a negative
// number is less. It opens those that are not open, in one message.
func (p *Party) openToCompare(op *flow.Op, x, y *share) []*bit {
	n, w := x.n, x.bitWidth()
	xs, ys := p.planes(op, x.bits, n), p.planes(op, y.bits, n)
	out := make([]*bit, 0, 2*w)
	var lens, at []int
	var closed []bitVec
	open := func(b bitVec) {
		at, lens, closed, out = append(at, len(out)), append(lens, n), append(closed, b), append(out, nil)
	}
	if x.bits.masked != nil && y.bits.masked != nil {
		differ := p.differingBits(op, x, y)
		for i := range w {
			out = append(out, p.maskedPlane(op, differ, i, n))
		}
	} else {
		for i := range w {
			a, b := xs[i], ys[i]
			open(flow.Do(op, int64(n)/8, func() ring.Bits {
				d := a.Get().Like(n)
				ring.Xor(d, a.Get(), b.Get())
				return d
			}, a, b))
		}
	}
	for i := range w {
		of, plane := y, ys
		if i == w-1 {
			of, plane = x, xs
		}
		if of.bits.masked != nil {
			out = append(out, p.maskedPlane(op, of.bits, i, n))
		} else {
			open(plane[i])
		}
	}
	for i, b := range p.openBits(op, lens, closed) {
		out[at[i]] = b
	}
	return out
}

// maskedPlane returns plane i, of n bits, of an open vector over Z_2.
func (p *Party) maskedPlane(op *flow.Op, s *share, i, n int) *bit {
	v := tensor.Sliced(tensor.Shape{s.n}, []int{i * n}, []int{(i + 1) * n}, []int{1})
	return p.maskedBit(op, p.Linear(op, maps.NewView(v, s.n), s).(*share))
}

// planes returns this party's share of each plane of n bits of a vector over Z_2, packed.
func (p *Party) planes(op *flow.Op, s *share, n int) []bitVec {
	out := make([]bitVec, s.n/n)
	for i := range out {
		plane := func(v *flow.Future[ring.Vec]) ring.Bits { return ring.Bit(v.Get().Slice(i*n, (i+1)*n), 0) }
		if m := s.masked; m != nil {
			out[i] = flow.Do(op, int64(n)/8, func() ring.Bits {
				b := plane(m.lambda)
				if p.first() {
					ring.Xor(b, b, plane(m.delta))
				}
				return b
			}, m.delta, m.lambda)
			continue
		}
		own := p.additive(op, s)
		out[i] = flow.Do(op, int64(n)/8, func() ring.Bits { return plane(own) }, own)
	}
	return out
}

// bitCircuit describes a comparison of numbers by their bits: sizes of the groups of bits, lowest first, the gates that make digits of
// them, and levels of gates that combine these.
type bitCircuit struct {
	groups []int
	first  *logic // results: less, and equal of all groups but the lowest
	levels []level
}

// maxBitGroup is the largest number of bits of a group: r bits take 2^(r+1) − 1 − ... dealt bits (see bitCircuit.cost).
const maxBitGroup = 3

var bitCircuits sync.Map // int → bitCircuit

// bitCircuitOf returns the cheapest circuit of at most two levels for numbers of a width, in the bits of two parties and dealt ones.
func bitCircuitOf(width int) bitCircuit {
	if c, ok := bitCircuits.Load(width); ok {
		return c.(bitCircuit)
	}
	var best bitCircuit
	least := 0
	for count := (width + maxBitGroup - 1) / maxBitGroup; count <= width; count++ {
		searchLevels(count, 2, func(counts []int) {
			c := bitCircuit{groups: split(width, count)}
			have := count
			for _, n := range counts {
				c.levels = append(c.levels, level{groups: split(have, n)})
				have = n
			}
			cost := c.cost()
			if w := 2*cost.sent + cost.dealt; best.groups == nil || w < least {
				best, least = c, w
			}
		})
	}
	for i, l := range best.levels {
		best.levels[i] = newLevel(l.groups)
	}
	best.first = newBitGates(best.groups)
	kept, _ := bitCircuits.LoadOrStore(width, best) // all parties share one
	return kept.(bitCircuit)
}

// cost returns the cost of a comparison, the opening of its result included, if nothing is open. A group of r bits opens 2r bits.
func (c bitCircuit) cost() bitCost {
	cost := bitCost{sent: 1, dealt: 0}
	for _, r := range c.groups {
		cost.sent += 2 * r
		cost.dealt += groupMonomials[r]
	}
	for _, l := range c.levels {
		sent, dealt := l.cost()
		cost.add(bitCost{sent, dealt})
	}
	return cost
}

// groupMonomials is the number of products of mask bits in the gates of a group of so many bits.
var groupMonomials = [maxBitGroup + 1]int{1: 1, 2: 5, 3: 15}

// newBitGates returns the gates of groups of adjacent bits, which make a digit of each. Masked bits are all differences d, lowest first,
// then the bits y. In a group less is Σ_i d_i·y_i·Π_(j>i) (1 ⊕ d_j) and equal is Π_i (1 ⊕ d_i).
func newBitGates(groups []int) *logic {
	width := 0
	for _, r := range groups {
		width += r
	}
	b := newLogic(2*width, 0, 0, nil)
	at := 0
	for g, r := range groups {
		less, through := &xorPoly{}, onePoly()
		for i := at + r - 1; i >= at; i-- {
			less = less.plus(bitPoly(i).times(bitPoly(width + i)).times(through))
			through = through.times(bitPoly(i).plus(onePoly()))
		}
		if b.add(less); g > 0 {
			b.add(through)
		}
		at += r
	}
	return b.finish()
}
