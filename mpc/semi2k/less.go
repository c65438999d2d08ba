package semi2k

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// tableKey is a digit's lowest bit and its number of bits.
type tableKey struct{ pos, bits int }

// digit is this party's shares of [Δ < λ] and [Δ = λ] on one digit, or on several adjacent digits. equal is
// nil where it is not needed.
type digit struct{ less, equal bitVec }

// maxTableBits bounds, in bits, the tables that are dealt and looked up in one step:
// what one digit takes may be more.
const maxTableBits = 1 << 20

// tables returns this party's shares of the thermometer tables of adjacent digits of the mask, from bit pos
// on (docs/protocols/bits.md#digit-tables). A table serves any number of look-ups and is requested once.
// Tables that are missing are requested together, about maxTableBits at a time; a batch of a pool takes them in
// one request, as requirementsOf recorded it.
func (p *Party) tables(op *flow.Op, m *masked, pos int, digits []int, n int) []bitVec {
	out := make([]bitVec, len(digits))
	for i := 0; i < len(digits); {
		key := tableKey{pos, digits[i]}
		if out[i] = m.tables[key]; out[i] != nil {
			pos += digits[i]
			i++
			continue
		}
		size, k := 0, i // digits i … k−1 are requested together
		for at := pos; k < len(digits) && m.tables[tableKey{at, digits[k]}] == nil; k++ {
			if size += n * (1<<digits[k] - 1); size > maxTableBits && k > i && !p.booked {
				break
			}
			at += digits[k]
		}
		dealt := flow.Parts(p.takeBits(op, &correlation.Request{
			Kind:    correlation.Thermometer,
			Factors: []correlation.Factor{{Mask: m.mask}},
			N:       n,
			Pos:     pos,
			Digits:  digits[i:k],
		}), k-i)
		if m.tables == nil {
			m.tables = map[tableKey]bitVec{}
		}
		for _, t := range dealt {
			out[i], m.tables[tableKey{pos, digits[i]}] = t, t
			pos += digits[i]
			i++
		}
	}
	return out
}

// lookUp returns shares of less and equal of adjacent digits, the first one at bit 0.
func (p *Party) lookUp(op *flow.Op, m *masked, n int, digits []int) []digit {
	out := make([]digit, 0, len(digits))
	tables := p.tables(op, m, 0, digits, n)
	pos := 0
	for len(out) < len(digits) {
		size, first, at := 0, len(out), pos
		for i := first; i < len(digits) && (i == first || size <= maxTableBits); i++ {
			size += n * (1<<digits[i] - 1)
			out = append(out, digit{})
			pos += digits[i]
		}
		in := tables[first:len(out)]
		both := flow.Do(op, int64(len(in)*n)/4, func() []ring.Bits {
			op.Spend(flow.Lookups, int64(len(in)*n))
			var vs []ring.Bits
			pos := at
			for i, t := range in {
				table, d := t.Get(), digits[first+i]
				lt, eq := table.Like(n), table.Like(n)
				ring.LookUpDigit(lt, eq, table, m.delta.Get(), pos, d, p.first())
				vs = append(vs, lt, eq)
				pos += d
			}
			return vs
		}, append(bitDeps(in), m.delta)...)
		for i, v := range flow.Parts(both, 2*len(in)) {
			if d := &out[first+i/2]; i%2 == 0 {
				d.less = v
			} else {
				d.equal = v
			}
		}
	}
	return out
}

// comparison is a vector to be compared with zero.
type comparison struct {
	x     *share // masked
	width int    // |x| < 2^(width−1), or width is the ring's
}

// negative returns masked bits of [x < 0] for all comparisons, in so many rounds.
func (p *Party) negative(op *flow.Op, rounds int, cs ...comparison) []*bit {
	lens := make([]int, len(cs))
	for i, c := range cs {
		lens[i] = c.x.n
	}
	return p.openBits(op, lens, p.negativeSharesIn(op, rounds, cs...))
}

// negativeShares returns this party's XOR shares of [x < 0]: the top bit of Δ ⊕ the top bit of λ ⊕ the borrow
// of the bits below, of the low width bits (docs/protocols/bits.md#less-than).
func (p *Party) negativeShares(op *flow.Op, cs ...comparison) []bitVec {
	return p.negativeSharesIn(op, comparisonRounds(op), cs...)
}

// negativeSharesIn is negativeShares with comparisons of so many rounds, the opening of their results included.
func (p *Party) negativeSharesIn(op *flow.Op, rounds int, cs ...comparison) []bitVec {
	below := make([]borrow, len(cs))
	for i, c := range cs {
		c.check()
		below[i] = borrow{c.x.masked, c.x.n, c.width - 1}
	}
	signs := p.borrowsIn(op, rounds, below...)
	for i, c := range cs {
		signs[i] = p.sign(op, c, signs[i])
	}
	return signs
}

// check panics if a comparison has fewer bits than its operand's bound asks for (rule 8). With as many bits
// as the ring has, x may use its whole ring.
func (c comparison) check() {
	if c.width > c.x.ring.Bits || c.width < min(c.x.bound+1, c.x.ring.Bits) {
		panic(fmt.Sprintf("semi2k: numbers below 2^%d in %v are compared with %d bits", c.x.bound, c.x.ring, c.width))
	}
}

// borrow asks for [Δ mod 2^bits < λ mod 2^bits] of a masked form.
type borrow struct {
	m       *masked
	n, bits int
}

// borrows returns this party's XOR shares of all borrows. Digits are looked up and combined level by level,
// by wide AND gates on masked bits; each level takes one message.
func (p *Party) borrows(op *flow.Op, cs ...borrow) []bitVec {
	return p.borrowsIn(op, comparisonRounds(op), cs...)
}

func (p *Party) borrowsIn(op *flow.Op, rounds int, cs ...borrow) []bitVec {
	state := make([][]digit, len(cs))
	circ := make([]circuit, len(cs))
	for i, c := range cs {
		circ[i] = compareCircuit(c.bits, rounds)
		state[i] = p.lookUp(op, c.m, c.n, circ[i].digits)
	}
	for level := 0; ; level++ {
		var lens []int
		var open []bitVec
		more := false
		for i, c := range cs {
			if level < len(circ[i].levels) {
				more = true
				for _, x := range circ[i].levels[level].opens(state[i]) {
					open, lens = append(open, x), append(lens, c.n)
				}
			}
		}
		if !more {
			break
		}
		bits := p.openBits(op, lens, open)
		for i, c := range cs {
			if level < len(circ[i].levels) {
				l := circ[i].levels[level]
				state[i] = p.combine(op, l, state[i], bits[:l.opened], c.n)
				bits = bits[l.opened:]
			}
		}
	}
	out := make([]bitVec, len(cs))
	for i := range out {
		out[i] = state[i][0].less
	}
	return out
}

// sign adds the top bits of Δ and λ to the borrow.
func (p *Party) sign(op *flow.Op, c comparison, borrow bitVec) bitVec {
	top := monomial{c.x.masked.maskFactor(correlation.Bit, c.width-1, 0)}
	lambda, delta := p.bitMonomialShares(op, c.x.n, top)[0], c.x.masked.delta
	return flow.Do(op, int64(c.x.n)/8, func() ring.Bits {
		out := borrow.Get().Clone()
		ring.Xor(out, out, lambda.Get())
		if p.first() {
			ring.Xor(out, out, ring.Bit(delta.Get(), c.width-1))
		}
		return out
	}, borrow, lambda, delta)
}
