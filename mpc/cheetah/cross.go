package cheetah

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/pair"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// crossing is a set of products of one party's bits with the other one's numbers, all in one message each way. Each bit
// takes one transfer, whose strings serve all products of the bit.
//
// For a bit c of the receiver and a number d of the sender modulo 2^w: let b be the transfer's choice, m0 and m1 parts
// of its strings, D = m1 − m0, which is uniform to the receiver. The receiver sends δ = c ⊕ b and the sender e = d − D,
// neither of which needs the other one. As the receiver has m_b = m0 + b·D,
//
//	c = b:       c·d = (b·e + m_b) − m0
//	c = 1 − b:   c·d = −(b·e + m_b) + (d + m0)
//
// and each party has one of the two terms. Costs: 1 + w bits online and one transfer, one round.
type crossing struct {
	receiver int // rank of the party that has the bits
	n        int // number of bits
	parts    []part
}

// part is the product of each of the bits lo … lo+n−1 with a number of ring r.
type part struct {
	lo, n int
	r     ring.Ring
}

// numbers is a vector of bits or of a wider ring. Operands over Z_2 may be either; products over Z_2 are bits.
type numbers struct {
	bits ring.Bits
	vec  ring.Vec
}

// as returns a product as a vector of its ring.
func (x numbers) as(r ring.Ring) ring.Vec {
	if r.Bits > 1 {
		return x.vec
	}
	v := x.bits.LikeVec(r, x.bits.Len())
	if !v.ShapeOnly() {
		ring.FromBits(v, x.bits)
	}
	return v
}

// operands is what a party brings into a crossing: its bits, or a vector of numbers for each part.
type operands struct {
	choices ring.Bits
	numbers []numbers
}

// bitsAre returns operands of parts of bits.
func bitsAre(bs ...ring.Bits) operands {
	var o operands
	for _, b := range bs {
		o.numbers = append(o.numbers, numbers{bits: b})
	}
	return o
}

// maxBitParts is the number of parts of bits that a crossing may have: their strings are the bits of one word.
const maxBitParts = 64

// side is one party's state of a crossing between its two messages.
type side struct {
	received *ot.Received
	sent     *ot.Sent
	given    operands
	strings  []numbers // the receiver's m_b, or the sender's m0, of each part
	out      ring.Bits // δ, at the receiver
	e        []numbers // at the sender
}

// cross adds the products of crossings, whose operands give returns; it is called when deps are done. The result has
// this party's share of each product, by crossing and part.
func (p *Party) cross(op *flow.Op, cs []crossing, give func() []operands, deps ...flow.Dep) *flow.Future[[][]numbers] {
	ids := make([]uint64, len(cs))
	hold, transfers := int64(0), 0
	for i, c := range cs {
		ids[i] = op.Next()
		if p.demand != nil && op.Graph.DryRun() {
			p.demand.Add(pair.Request{ID: ids[i], Receiver: c.receiver, N: c.n})
		}
		transfers += c.n
		for _, q := range c.parts {
			hold += bytes(q.r, q.n)
		}
	}
	if op.Graph.DryRun() {
		op.Offline(int64(ot.BatchBytes(transfers)))
	}
	begun := flow.Try(op, hold, func() ([]*side, error) {
		op.Spend(flow.Stream, int64(transfers)*hashStream)
		if op.Graph.DryRun() {
			return nil, nil
		}
		given, out := give(), make([]*side, len(cs))
		for i, c := range cs {
			var err error
			if out[i], err = p.begin(ids[i], c, given[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	}, deps...)
	return flow.Exchange(op, hold, flow.ExchangeSpec{
		To: []int{p.peer()}, From: []int{p.peer()}, Size: crossBytes(cs, p.peer()),
		Pack: func() ring.Payload { return p.packCrossings(cs, begun.Get()) },
	}, func(in []ring.Payload) ([][]numbers, error) {
		rd, out := ring.NewReader(in[0]), make([][]numbers, len(cs))
		for i, c := range cs {
			if op.Graph.DryRun() {
				out[i] = shapes(c)
			} else {
				out[i] = p.end(c, begun.Get()[i], rd)
			}
		}
		if op.Graph.DryRun() {
			return out, nil
		}
		return out, rd.Close()
	}, begun)
}

// hashStream is the work of a transfer's strings, in bytes of pseudo-random streams that take as long.
const hashStream = 500

// crossBytes is the length of the message of one party.
func crossBytes(cs []crossing, rank int) int {
	bits := 0
	for _, c := range cs {
		if c.receiver == rank {
			bits += c.n
			continue
		}
		for _, q := range c.parts {
			bits += q.n * q.r.Bits
		}
	}
	return (bits + 7) / 8
}

// shapes are the results of a crossing in a dry run.
func shapes(c crossing) []numbers {
	out := make([]numbers, len(c.parts))
	for j, q := range c.parts {
		if q.r.Bits == 1 {
			out[j].bits = ring.ShapeOnlyBits(q.n)
		} else {
			out[j].vec = ring.ShapeOnly(q.r, q.n)
		}
	}
	return out
}

// begin takes the transfers of a crossing and makes this party's message.
func (p *Party) begin(id uint64, c crossing, given operands) (*side, error) {
	s := &side{given: given}
	var err error
	if c.receiver == p.rank {
		if given.choices.Len() != c.n {
			panic(fmt.Sprintf("cheetah: %d bits in a crossing of %d", given.choices.Len(), c.n))
		}
		if s.received, err = p.material.Received(id, c.n); err != nil {
			return nil, err
		}
		s.strings = c.strings(func(lo, hi, first, each int) ([]uint64, []uint64) { return s.received.Words(lo, hi, first, each), nil }, nil)
		s.out = ring.NewBits(c.n)
		ring.Xor(s.out, given.choices, s.received.Choices)
		return s, nil
	}
	if s.sent, err = p.material.Sent(id, c.n); err != nil {
		return nil, err
	}
	ones := make([]numbers, len(c.parts))
	s.strings = c.strings(s.sent.Words, ones)
	for j, q := range c.parts {
		if d := &s.given.numbers[j]; q.r.Bits == 1 && d.bits.ShapeOnly() {
			d.bits = ring.Bit(d.vec, 0)
		}
	}
	s.e = ones
	for j, q := range c.parts {
		d, m0, e := given.numbers[j], s.strings[j], &s.e[j] // e is m1 and becomes d − (m1 − m0)
		if q.r.Bits == 1 {
			ring.Xor(e.bits, e.bits, m0.bits)
			ring.Xor(e.bits, e.bits, d.bits)
			continue
		}
		ring.Sub(e.vec, m0.vec, e.vec)
		ring.Add(e.vec, e.vec, d.vec)
	}
	return s, nil
}

// stringsAtATime is the number of transfers whose strings for bits are made at a time, a multiple of 64: so that they fit a cache.
const stringsAtATime = 1 << 12

// strings returns the parts' shares of the strings that words gives: of the first result, and in ones of the second one
// if ones is not nil. Word 0 of a string has a bit for each part of bits; each other part has words of its own.
func (c crossing) strings(words func(lo, hi, first, each int) (zero, one []uint64), ones []numbers) []numbers {
	out, next := make([]numbers, len(c.parts)), 0
	var bits []int // the parts of bits
	aligned := true
	for j, q := range c.parts {
		if q.r.Bits > 1 {
			continue
		}
		bits, aligned = append(bits, j), aligned && q.lo%64 == 0
		out[j].bits = ring.NewBits(q.n)
		if ones != nil {
			ones[j].bits = ring.NewBits(q.n)
		}
	}
	if len(bits) > maxBitParts {
		panic("cheetah: too many parts of bits")
	}
	if len(bits) > 0 {
		next = 2
		grain := 4
		if !aligned { // words of bits have those of two pieces
			grain = c.n
		}
		ring.Parallel((c.n+stringsAtATime-1)/stringsAtATime, grain, func(from, to int) {
			for lo := from * stringsAtATime; lo < min(to*stringsAtATime, c.n); lo += stringsAtATime {
				hi := min(lo+stringsAtATime, c.n)
				zero, one := words(lo, hi, 0, 1)
				for bit, j := range bits {
					q := c.parts[j]
					begin, end := max(lo, q.lo), min(hi, q.lo+q.n)
					if begin >= end {
						continue
					}
					ring.CopyBits(out[j].bits, begin-q.lo, column(zero[begin-lo:end-lo], bit), 0, end-begin)
					if ones != nil {
						ring.CopyBits(ones[j].bits, begin-q.lo, column(one[begin-lo:end-lo], bit), 0, end-begin)
					}
				}
				for _, w := range [][]uint64{zero, one} { // columns are copies
					ring.FromWords(ring.Z(64), w).Free()
				}
			}
		})
	}
	for j, q := range c.parts {
		if q.r.Bits == 1 {
			continue
		}
		each := q.r.Words()
		zero, one := words(q.lo, q.lo+q.n, next, each)
		next += (each + 1) / 2 * 2
		out[j].vec = ring.FromWords(q.r, zero)
		if ones != nil {
			ones[j].vec = ring.FromWords(q.r, one)
		}
	}
	return out
}

// column is one bit of each word.
func column(words []uint64, bit int) ring.Bits {
	return ring.Bit(ring.FromWords(ring.Z(64), words), bit)
}

// packCrossings is this party's message.
func (p *Party) packCrossings(cs []crossing, sides []*side) ring.Payload {
	var w ring.Writer
	if sides == nil {
		return ring.Payload{Len: crossBytes(cs, p.rank)}
	}
	for i, c := range cs {
		if c.receiver == p.rank {
			w.Bits(sides[i].out)
			continue
		}
		for j, q := range c.parts {
			if q.r.Bits == 1 {
				w.Bits(sides[i].e[j].bits)
			} else {
				w.Vec(sides[i].e[j].vec)
			}
		}
	}
	return w.Payload()
}

// end makes this party's shares of a crossing's products from the other one's message.
func (p *Party) end(c crossing, s *side, rd *ring.Reader) []numbers {
	out := make([]numbers, len(c.parts))
	delta := s.out
	if c.receiver != p.rank {
		delta = rd.Bits(c.n)
	}
	for j, q := range c.parts {
		flip, m := cutBits(delta, q.lo, q.n), s.strings[j]
		switch {
		case c.receiver == p.rank && q.r.Bits == 1: // c·e ⊕ m_b
			ring.XorAnd(m.bits, cutBits(s.given.choices, q.lo, q.n), rd.Bits(q.n))
			out[j] = m
		case c.receiver == p.rank: // ±(b·e + m_b)
			e := rd.Vec(q.r, q.n)
			keep(e, cutBits(s.received.Choices, q.lo, q.n))
			ring.Add(m.vec, m.vec, e)
			out[j].vec = signed(m.vec, flip)
		case q.r.Bits == 1: // m0 ⊕ δ·D, D = d ⊕ e
			d := ring.NewBits(q.n)
			ring.Xor(d, s.given.numbers[j].bits, s.e[j].bits)
			ring.XorAnd(m.bits, flip, d)
			out[j] = m
		default: // −m0, or d + m0
			out[j].vec = signed(m.vec, complement(flip))
			d := s.given.numbers[j].vec.Clone()
			keep(d, flip)
			ring.Add(out[j].vec, out[j].vec, d)
		}
	}
	return out
}

// complement returns ¬b.
func complement(b ring.Bits) ring.Bits {
	out := ring.NewBits(b.Len())
	ring.Not(out, b)
	return out
}

// cutBits are bits [lo, lo+n) of b.
func cutBits(b ring.Bits, lo, n int) ring.Bits {
	if lo == 0 && n == b.Len() {
		return b
	}
	out := b.Like(n)
	if !b.ShapeOnly() {
		ring.CopyBits(out, 0, b, lo, n)
	}
	return out
}

// joinBits are vectors of bits one after the other.
func joinBits(bs ...ring.Bits) ring.Bits {
	n := 0
	for _, b := range bs {
		n += b.Len()
	}
	out := ring.NewBits(n)
	n = 0
	for _, b := range bs {
		ring.CopyBits(out, n, b, 0, b.Len())
		n += b.Len()
	}
	return out
}

// keep sets elements of v to zero where the bit of b is 0. Its time does not depend on b.
func keep(v ring.Vec, b ring.Bits) {
	words, each := v.Words(), v.Ring().Words()
	bits := b.Words()
	for i := range b.Len() {
		mask := -(bits[i/64] >> (i % 64) & 1)
		for j := range each {
			words[i*each+j] &= mask
		}
	}
}

// signed returns −v where the bit of b is 1 and v elsewhere. Its time does not depend on b.
func signed(v ring.Vec, b ring.Bits) ring.Vec {
	out := ring.New(v.Ring(), v.Len())
	ring.Neg(out, v)
	to, from, each := out.Words(), v.Words(), v.Ring().Words()
	bits := b.Words()
	for i := range b.Len() {
		mask := -(bits[i/64] >> (i % 64) & 1)
		for j := i * each; j < (i+1)*each; j++ {
			to[j] = to[j]&mask | from[j]&^mask
		}
	}
	return out
}
