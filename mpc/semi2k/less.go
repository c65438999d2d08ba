package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// tableKey is a digit's place and size.
type tableKey struct{ pos, bits int }

// digit is what is known of one digit, or run of digits: shares of [Δ < λ] and
// [Δ = λ] there. equal is nil where it is not needed.
type digit struct{ less, equal *flow.Of[ring.Bits] }

// table is this party's share of the thermometer table of a digit of the
// mask; it serves any number of look-ups.
func (p *Party) table(op *flow.Op, m *masked, k tableKey, n int) *flow.Of[ring.Bits] {
	if m.tables[k] == nil {
		m.tables[k] = p.takeBits(op, &correlation.Request{
			Kind:    correlation.Thermometer,
			Factors: []correlation.Factor{{Mask: m.mask}},
			Out:     ring.Z(1<<k.bits - 1),
			N:       n,
			Pos:     k.pos,
		})
	}
	return m.tables[k]
}

// lookUp reads shares of "less" and "equal" of every digit of the circuit.
func (p *Party) lookUp(op *flow.Op, m *masked, n int, c circuit) []digit {
	out := make([]digit, len(c.digits))
	pos := 0
	for i, d := range c.digits {
		t, at := p.table(op, m, tableKey{pos, d}, n), pos
		both := flow.Do(op, int64(n)/4, func() [2]ring.Bits {
			op.Spend(flow.Lookups, int64(n))
			table := t.Get()
			lt, eq := table.Like(n), table.Like(n)
			ring.Thermometer(lt, eq, table, m.delta.Get(), at, d, p.first())
			return [2]ring.Bits{lt, eq}
		}, t, m.delta)
		out[i].less = flow.Pick(op, func() ring.Bits { return both.Get()[0] }, both)
		out[i].equal = flow.Pick(op, func() ring.Bits { return both.Get()[1] }, both)
		pos += d
	}
	return out
}

// comparison is one vector to be compared with zero.
type comparison struct {
	x     *share // masked
	width int    // |x| < 2^(width−1)
}

// negative gives masked bits of [x < 0] for every comparison, all in the same
// messages: negativeShares and one more for the results.
func (p *Party) negative(op *flow.Op, cs ...comparison) []*bit {
	lens := make([]int, len(cs))
	for i, c := range cs {
		lens[i] = c.x.n
	}
	return p.openBits(op, lens, p.negativeShares(op, cs...))
}

// negativeShares gives this party's XOR shares of [x < 0]. The sign of x =
// Δ − λ mod 2^w is Δ's top bit ⊕ λ's top bit ⊕ the borrow of the bits below.
func (p *Party) negativeShares(op *flow.Op, cs ...comparison) []*flow.Of[ring.Bits] {
	below := make([]borrow, len(cs))
	for i, c := range cs {
		below[i] = borrow{c.x.masked, c.x.n, c.width - 1}
	}
	signs := p.borrows(op, below...)
	for i, c := range cs {
		signs[i] = p.sign(op, c, signs[i])
	}
	return signs
}

// borrow asks for [Δ mod 2^bits < λ mod 2^bits] of a masked form.
type borrow struct {
	m       *masked
	n, bits int
}

// borrows gives this party's XOR shares of all that are asked for: digits'
// borrows are looked up and combined by wide gates on masked bits, one message
// a level.
func (p *Party) borrows(op *flow.Op, cs ...borrow) []*flow.Of[ring.Bits] {
	state := make([][]digit, len(cs))
	circ := make([]circuit, len(cs))
	for i, c := range cs {
		circ[i] = compareCircuit(c.bits, comparisonRounds(op))
		state[i] = p.lookUp(op, c.m, c.n, circ[i])
	}
	for level := 0; ; level++ {
		var gates []*gate
		var lens []int
		var open []*flow.Of[ring.Bits]
		for i, c := range cs {
			if level >= len(circ[i].levels) {
				continue
			}
			at := 0
			for g, size := range circ[i].levels[level] {
				gt := &gate{of: i, in: state[i][at : at+size], lowest: g == 0, n: c.n}
				gates = append(gates, gt)
				for _, x := range gt.opens() {
					open = append(open, x)
					lens = append(lens, gt.n)
				}
				at += size
			}
			state[i] = nil
		}
		if len(gates) == 0 {
			break
		}
		var bits []*bit
		if len(open) > 0 {
			bits = p.openBits(op, lens, open)
		}
		for _, g := range gates {
			k := len(g.opens())
			state[g.of] = append(state[g.of], p.combine(op, g, bits[:k]))
			bits = bits[k:]
		}
	}
	out := make([]*flow.Of[ring.Bits], len(cs))
	for i := range out {
		out[i] = state[i][0].less
	}
	return out
}

// sign adds the top bits of Δ and λ to the borrow.
func (p *Party) sign(op *flow.Op, c comparison, borrow *flow.Of[ring.Bits]) *flow.Of[ring.Bits] {
	top := monomial{c.x.masked.part(correlation.Bit, c.width-1, 0)}
	lambda, delta := p.bitShare(op, top), c.x.masked.delta
	return flow.Do(op, int64(c.x.n)/8, func() ring.Bits {
		out := borrow.Get().Clone()
		ring.Xor(out, out, lambda.Get())
		if p.first() {
			ring.Xor(out, out, ring.Bit(delta.Get(), c.width-1))
		}
		return out
	}, borrow, lambda, delta)
}

// gate combines a group of adjacent digits, least significant first:
// less = less_top ⊕ Σ_i less_i·Π_{j>i} equal_j and equal = Π equal_j. The top
// "less" enters linearly and stays closed; the lowest group of a level needs
// no "equal".
type gate struct {
	of     int // which borrow
	in     []digit
	lowest bool
	n      int
}

// opens lists the shares that the gate needs as masked bits: all "less" but
// the top one, then "equal" from the top down, the lowest digit's only if the
// group's own "equal" is wanted.
func (g *gate) opens() []*flow.Of[ring.Bits] {
	r := len(g.in)
	if r == 1 {
		return nil
	}
	var out []*flow.Of[ring.Bits]
	for _, d := range g.in[:r-1] {
		out = append(out, d.less)
	}
	for i := r - 1; i >= 0; i-- {
		if i > 0 || !g.lowest {
			out = append(out, g.in[i].equal)
		}
	}
	return out
}

func (p *Party) combine(op *flow.Op, g *gate, bits []*bit) digit {
	r := len(g.in)
	if r == 1 {
		return g.in[0]
	}
	less, equal := bits[:r-1], bits[r-1:] // equal[q] is of digit r−1−q
	x := xor{linear: []*flow.Of[ring.Bits]{g.in[r-1].less}}
	for i, l := range less {
		x.products = append(x.products, append([]*bit{l}, equal[:r-1-i]...))
	}
	out := digit{less: p.xorShare(op, x, g.n)}
	if !g.lowest {
		out.equal = p.xorShare(op, xor{products: [][]*bit{equal}}, g.n)
	}
	return out
}
