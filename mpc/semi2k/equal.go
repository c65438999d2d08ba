package semi2k

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Equal implements mpc.Comparisons (docs/protocols/bits.md#equality). It counts the digits in which Δ and λ of the
// difference x − y differ. The parties compute shares of the count modulo 2^s without a message; the count is opened
// under a mask (s bits), and one look-up in that mask's table gives [count = 0]. If both operands are open, or one is
// public, the difference is open already and Equal takes one round; otherwise it takes one more.
func (p *Party) Equal(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	if a, b := p.share(x), p.share(y); onBits(a, b) {
		return p.equalBits(op, a, b)
	}
	d, w := p.differenceToCompare(op, p.share(x), p.share(y))
	if w == 1 {
		out := d
		if d.ring.Bits > 1 {
			out = p.Narrow(op, ring.Z(1), d).(*share)
		}
		return p.AddPublic(op, out, p.ones(op, d.n), 0)
	}
	return p.isZero(op, d, w)
}

// isZero returns [the lowest w bits of d are 0].
func (p *Party) isZero(op *flow.Op, d *share, w int) *share {
	p.open(op, d)
	plan := equalPlan(w)
	sum := p.newShare(ring.Z(plan.sum), d.n, 0, p.countDiffering(op, d.masked, d.n, plan))
	p.open(op, sum)
	return p.fromShares(op, d.n, p.lookUp(op, sum.masked, d.n, []int{plan.sum})[0].equal)
}

// differenceToCompare is x − y, and how many bits tell that it is not zero: the ring's width
// where operands may use all of their ring. If one operand is public, the other one
// is opened itself and the gap has its mask, so that all comparisons with it
// share their tables.
func (p *Party) differenceToCompare(op *flow.Op, x, y *share) (d *share, width int) {
	bound := max(x.bound, y.bound)
	whole := bound >= x.ring.Bits-2
	switch {
	case x.public() && y.public():
		d = p.difference(op, x, y, bound)
	case y.public():
		s := p.narrowed(op, x)
		p.open(op, s)
		d = p.newShare(s.ring, s.n, 0, nil)
		d.masked = s.masked.withDelta(p.minusPublic(op, s, y))
		bound = max(s.bound, min(bound, s.ring.Bits-2))
		d.bound = bound + 1
	case x.public():
		d, width = p.differenceToCompare(op, y, x)
		return p.negated(op, d), width
	default:
		p.openRepeated(op, x, y)
		d = p.difference(op, x, y, bound)
		if d.masked == nil && !whole {
			d = p.narrowed(op, d)
		}
	}
	if whole {
		return d, d.ring.Bits
	}
	return d, max(1, min(bound+1, d.ring.Bits))
}

// withDelta is the masked form with another Δ: the same mask, tables and parts.
func (m *masked) withDelta(delta *flow.Future[ring.Vec]) *masked {
	return &masked{delta: delta, lambda: m.lambda, zeroLambda: m.zeroLambda, mask: m.mask, maskKept: m.maskKept}
}

// minusPublic is Δ of x − y for an open x and a public y.
func (p *Party) minusPublic(op *flow.Op, x, y *share) *flow.Future[ring.Vec] {
	a, b := x.masked.delta, y.masked.delta
	return flow.Do(op, bytes(x.ring, x.n), func() ring.Vec {
		out := a.Get().Like(x.ring, x.n)
		ring.Low(out, b.Get())
		ring.Sub(out, a.Get(), out)
		return out
	}, a, b)
}

// equalityPlan is how an equality of so many bits is told: digits of one or two
// bits, and the bits of the sum.
type equalityPlan struct {
	digits []int
	sum    int
}

// equalPlan is the cheapest plan for w bits in opened plus dealt/dealtPrice
// bits.
func equalPlan(w int) equalityPlan {
	var best equalityPlan
	least := 0
	for s := 1; s <= maxDigit; s++ {
		digits := min(w, 1<<s-1)
		if w > 2*digits {
			continue
		}
		pl := equalityPlan{split(w, digits), s}
		if c := pl.cost(); best.sum == 0 || c < least {
			best, least = pl, c
		}
	}
	return best
}

func (pl equalityPlan) cost() int {
	sent, dealt := pl.bits()
	return sent*dealtPerOpened + dealt
}

// bits returns the bits opened, that of the result included, and dealt for each element.
func (pl equalityPlan) bits() (sent, dealt int) {
	dealt = 1<<pl.sum - 1
	for _, d := range pl.digits {
		dealt += pl.sum * (1<<d - 1)
	}
	return pl.sum + 1, dealt
}

// countDiffering is this party's share of the number of digits in which Δ and λ
// differ, modulo 2^sum. With Δ's bit c and λ's bit l it is c + (1 − 2c)·l for
// one bit; for two bits one minus the entry that c picks of the four products
// of l's bits and their negations.
func (p *Party) countDiffering(op *flow.Op, m *masked, n int, plan equalityPlan) *flow.Future[ring.Vec] {
	r := ring.Z(plan.sum)
	var dealt []shiftedStream
	var ds []flow.Dep
	take := func(f monomial) {
		for _, x := range p.monomialShares(op, f, r) {
			dealt, ds = append(dealt, x), append(ds, x.dep())
		}
	}
	pos := 0
	for _, d := range plan.digits {
		low := monomial{m.maskFactor(correlation.Bit, pos, 0)}
		take(low)
		if d == 2 {
			high := monomial{m.maskFactor(correlation.Bit, pos+1, 0)}
			take(high)
			take(low.times(high))
		}
		pos += d
	}
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		delta := m.delta.Get()
		out := delta.Like(r, n)
		if out.ShapeOnly() {
			return out
		}
		room := ring.NewUninitialised(r, 3*min(n, blockLength))
		for lo := 0; lo < n; lo += blockLength {
			hi := min(lo+blockLength, n)
			in, pos, size := dealt, 0, hi-lo
			sum, part := out.Slice(lo, hi), delta.Slice(lo, hi)
			for _, d := range plan.digits {
				shares := 1<<d - 1
				for i, x := range in[:shares] {
					x.get().Read(room.Slice(i*size, (i+1)*size), lo)
				}
				ring.CountDifferences(sum, part, room.Slice(0, shares*size), pos, d, p.first())
				in, pos = in[shares:], pos+d
			}
		}
		room.Free()
		return out
	}, append(ds, m.delta)...)
}

// digitsOf returns bits [pos, pos+d) of each element of v, d ≤ 64.
func digitsOf(v ring.Vec, pos, d int) []uint64 {
	out := ring.New(ring.Z(d), v.Len())
	ring.Digit(out, v, pos)
	return out.Words()
}

// Less implements mpc.Comparisons. It compares the difference x − y with zero. It opens the difference if an operand
// is not open; if one operand is public, it opens the other one instead.
func (p *Party) Less(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	if a, b := p.share(x), p.share(y); onBits(a, b) {
		return p.lessOfBits(op, a, b)
	}
	d, _ := p.differenceToCompare(op, p.share(x), p.share(y))
	p.open(op, d)
	return p.lessThanThresholds(op, threshold{d, 0})[0]
}

// LessFullRange implements mpc.Comparisons (docs/protocols/bits.md#less-than-of-numbers-that-use-the-whole-ring). It
// opens both operands. With T_z(u) = [u < λ_z] and d = x − y, the result is
//
//	[Δx < Δy] ⊕ [λx < λy] ⊕ T_x(Δx) ⊕ T_y(Δy) ⊕ T_d(Δd):
//
// three comparisons in two rounds, and one bit of the masks. If y is public, λy = 0 and two comparisons remain, which
// share the tables of one mask.
func (p *Party) LessFullRange(op *flow.Op, x, y mpc.Secret, signed bool) mpc.Bit {
	a, b := p.share(x), p.share(y)
	switch {
	case b.public():
		return p.lessThanPublic(op, a, b, signed, false)
	case a.public(): // not y ≤ x
		return p.AddPublic(op, p.lessThanPublic(op, b, a, signed, true), p.ones(op, a.n), 0)
	}
	p.open(op, a, b)
	a, b = p.seededMask(op, a), p.seededMask(op, b)
	p.open(op, a, b)
	d := p.Linear(op, maps.Combine{N: a.n, Coef: []int64{1, -1}}, a, b).(*share)
	u, v := p.unsigned(op, a, signed), p.unsigned(op, b, signed)
	k, n := a.ring.Bits, a.n
	terms := p.borrows(op, borrow{u, n, k}, borrow{v, n, k}, borrow{d.masked, n, k})
	terms = append(terms, p.masksLess(op, a.masked, b.masked, d.masked, a.ring, n))
	return p.xorAll(op, n, p.wordsLess(op, u.delta, v.delta, n, false), terms)
}

// lessThanPublic compares with a public vector: [x < y], or [x ≤ y], is
// T(Δ − y) ⊕ T(Δ) ⊕ [Δ < y], or T(Δ − y − 1) ⊕ T(Δ) ⊕ [Δ ≤ y].
func (p *Party) lessThanPublic(op *flow.Op, x, y *share, signed, orEqual bool) mpc.Bit {
	p.open(op, x)
	r, k, n := x.ring, x.ring.Bits, x.n
	u, v := p.unsigned(op, x, signed), p.unsigned(op, y, signed)
	d := u.withDelta(flow.Do(op, bytes(r, n), func() ring.Vec {
		out := u.delta.Get().Like(r, n)
		ring.Sub(out, u.delta.Get(), v.delta.Get())
		if orEqual {
			ring.AddInt(out, out, -1)
		}
		return out
	}, u.delta, v.delta))
	return p.xorAll(op, n, p.wordsLess(op, u.delta, v.delta, n, orEqual), p.borrows(op, borrow{u, n, k}, borrow{d, n, k}))
}

// unsigned is x's masked form, or that of x + 2^(k−1) if signed: the order of signed numbers is that of the
// unsigned numbers x + 2^(k−1).
func (p *Party) unsigned(op *flow.Op, x *share, signed bool) *masked {
	if !signed {
		return x.masked
	}
	m := x.masked
	return m.withDelta(flow.Do(op, bytes(x.ring, x.n), func() ring.Vec {
		out := m.delta.Get().Like(x.ring, x.n)
		ring.AddPow(out, m.delta.Get(), x.ring.Bits-1, false)
		return out
	}, m.delta))
}

// seededMask is x under a mask whose shares follow from seeds.
func (p *Party) seededMask(op *flow.Op, x *share) *share {
	if !p.hasDealtShares(x.masked.mask) {
		return x
	}
	return &share{ring: x.ring, n: x.n, bound: x.bound, additive: p.additive(op, x)}
}

// masksLess is this party's XOR share of [λx < λy]. Of the masks and their
// difference λd as integers, λd − λx + λy is 2^k·[λx < λy]; lifted by one bit
// (one dealt bit each), the shares' lower bits cancel.
func (p *Party) masksLess(op *flow.Op, x, y, d *masked, r ring.Ring, n int) *flow.Future[ring.Bits] {
	up := ring.Z(r.Bits + 1)
	lift := func(m *masked) *flow.Future[ring.Vec] {
		return p.monomialShare(op, monomial{m.maskFactor(correlation.LowBits, r.Bits, 0)}, up)
	}
	lx, ly, ld := lift(x), lift(y), lift(d)
	return flow.Do(op, int64(n)/8, func() ring.Bits {
		sum := lx.Get().Like(up, n)
		ring.Sub(sum, ld.Get(), lx.Get())
		ring.Add(sum, sum, ly.Get())
		out := ring.Bit(sum, r.Bits)
		sum.Free()
		return out
	}, lx, ly, ld)
}

// wordsLess is [x < y], or [x ≤ y], of opened unsigned numbers.
func (p *Party) wordsLess(op *flow.Op, x, y *flow.Future[ring.Vec], n int, orEqual bool) *flow.Future[ring.Bits] {
	return flow.Do(op, int64(n)/8, func() ring.Bits {
		a, b := x.Get(), y.Get()
		out := ring.LikeBits(a, n)
		if a.ShapeOnly() {
			return out
		}
		if orEqual { // x ≤ y is not y < x
			a, b = b, a
		}
		k := a.Ring().Words()
		for i := range n {
			var less uint64
			for j := range k {
				_, less = bits.Sub64(a.Words()[i*k+j], b.Words()[i*k+j], less)
			}
			out.Words()[i/64] |= less << (i % 64)
		}
		if orEqual {
			ring.Not(out, out)
		}
		return out
	}, x, y)
}

// xorAll is the XOR of shares and of a term that all computing parties know.
func (p *Party) xorAll(op *flow.Op, n int, opened bitVec, shares []bitVec) *share {
	ds := []flow.Dep{opened}
	for _, s := range shares {
		ds = append(ds, s)
	}
	return p.fromShares(op, n, flow.Do(op, int64(n)/8, func() ring.Bits {
		out := opened.Get().Like(n)
		if p.first() {
			ring.Xor(out, out, opened.Get())
		}
		for _, s := range shares {
			ring.Xor(out, out, s.Get())
		}
		return out
	}, ds...))
}
