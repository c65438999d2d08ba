package semi2k

import (
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Clamp implements mpc.Rectifiers. It computes low + [low ≤ x < high]·(x − low) + [x ≥ high]·(high − low), with both
// comparisons made at once by one exact window (docs/protocols/look-ups.md#clamps). The result is below high − low units
// beyond low. Where that is cheaper and rounds are not minimised, it is opened in as few bits as it has and extended.
func (p *Party) Clamp(op *flow.Op, out ring.Ring, x mpc.Secret, low, high int64) mpc.Secret {
	s := p.narrowed(op, p.share(x))
	p.open(op, s)
	inside, above := p.clampBits(op, s, low, high)
	height := high - low
	bound := max(bits.Len64(uint64(max(low, -low))), bits.Len64(uint64(max(high, -high))))
	zeros := bits.TrailingZeros64(uint64(height)) // of height: [x ≥ high] is wanted modulo so many bits less
	sum := func(r ring.Ring, start int64) *share {
		less := constantPoly(constant(-low))
		v := mantissaSum{outer: r, n: s.n, times: constantPoly(constant(1))}
		v.add(p, op, inside.poly().times(p.clampedPoly(op, s, r).plus(less)).plus(constantPoly(constant(start))), 0)
		if zeros < r.Bits {
			v.add(p, op, above.poly().times(constantPoly(constant(height>>zeros))), zeros)
		}
		return p.newShare(r, s.n, bound, v.total(op))
	}
	width := bits.Len64(uint64(height + 1))
	if narrow := ring.Z(width + 1); height > 0 && p.clampNarrowly(op, s, out, narrow, zeros) {
		y := sum(narrow, -height/2) // between −height/2 and height/2
		y.bound = width - 1
		p.open(op, y)
		middle := new(big.Int).Add(big.NewInt(low), big.NewInt(height/2))
		return p.newPoly(out, s.n, bound, p.asPoly(op, y, out).plus(constantPoly(bigConstant(middle))))
	}
	return sum(out, low)
}

// clampedPoly is x, that is selected where it is between two numbers, as a polynomial in a ring: modulo a ring that is
// not wider than its own, or extended.
func (p *Party) clampedPoly(op *flow.Op, s *share, r ring.Ring) *poly {
	if r.Bits < s.ring.Bits {
		s = p.share(p.Narrow(op, r, s))
	}
	return p.asPoly(op, s, r)
}

// clampNarrowly reports whether a clamped value is better opened in the narrow ring than selected in ring out: what is
// dealt less outweighs what is opened, and a round.
func (p *Party) clampNarrowly(op *flow.Op, s *share, out, narrow ring.Ring, zeros int) bool {
	if narrow.Bits >= min(out.Bits, s.ring.Bits) {
		return false
	}
	saved := 2*out.Bits + max(0, out.Bits-zeros) - 2*narrow.Bits - max(0, narrow.Bits-zeros) - 2*(out.Bits-narrow.Bits)
	if s.ring != out { // the mask is extended, alone and times a bit
		saved += 3 * (out.Bits - s.ring.Bits)
	}
	switch op.Objective {
	case flow.ForTotal:
		saved -= p.n * (p.n - 1) * narrow.Bits
	case flow.ForOnline:
		saved = saved/flow.DealtPerSent - (p.n-1)*narrow.Bits
	default:
		return false
	}
	return int64(s.n)*int64(saved)/8 >= flow.RoundBytes
}

// clampBits are the masked bits [low ≤ x < high] and [x ≥ high] of an open x, in three rounds. The comparisons are
// kept with x.
func (p *Party) clampBits(op *flow.Op, s *share, low, high int64) (inside, above *bit) {
	known := func(c int64) bool {
		t, _ := (threshold{s, c}).unnegated()
		return t.x.lessThan[t.c] != nil
	}
	w := window{
		weight: foldedWeight, exact: true, thresholds: []int{int(high), int(low)},
		results: []windowResult{{of: 0b11}, {of: 0b01, negate: true}},
	}
	far := max(bits.Len64(uint64(max(low, -low))), bits.Len64(uint64(max(high, -high))))
	spread := bits.Len64(uint64(high - low))
	if known(low) || known(high) || spread > exactBits || s.bound > s.ring.Bits-2 || max(spread, far)+2 > s.ring.Bits {
		// By comparisons of their own, which may have been made before.
		bs := p.lessThanThresholds(op, threshold{s, low}, threshold{s, high})
		both := p.Linear(op, maps.Combine{N: s.n, Coef: []int64{1, 1}}, bs[0], bs[1]).(*share)
		over := p.AddPublic(op, bs[1], p.ones(op, s.n), 0).(*share)
		p.open(op, both, over)
		return p.maskedBit(op, both), p.maskedBit(op, over)
	}
	made := p.windowBits(op, s, w)
	inside, above = made[0], made[1]
	under := flow.Do(op, int64(s.n)/8, func() ring.Bits { // this party's share of [x < high]
		out := p.shareOfBit(above)
		if p.first() {
			ring.Not(out, out)
		}
		return out
	}, above.m, above.a)
	below := flow.Do(op, int64(s.n)/8, func() ring.Bits { // and of [x < low]
		out := under.Get().Clone()
		ring.Xor(out, out, p.shareOfBit(inside))
		return out
	}, under, inside.m, inside.a)
	for _, at := range []struct {
		c    int64
		less bitVec
	}{{low, below}, {high, under}} {
		t, flipped := (threshold{s, at.c}).unnegated()
		v := p.fromShares(op, s.n, at.less)
		if flipped {
			v = p.AddPublic(op, v, p.ones(op, s.n), 0).(*share)
		}
		t.memoise(v)
	}
	return inside, above
}

// shareOfBit is this party's XOR share of a masked bit.
func (p *Party) shareOfBit(b *bit) ring.Bits {
	out := b.a.Get().Clone()
	if p.first() {
		ring.Xor(out, out, b.m.Get())
	}
	return out
}
