package cheetah

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// Extend implements mpc.Core. For signed numbers that are known to be below a quarter of the ring's size it is lift.
// Otherwise the carry of the shares' sum is computed.
func (p *Party) Extend(op *flow.Op, out ring.Ring, x mpc.Secret, signed bool) mpc.Secret {
	s := of(x)
	switch k := s.ring.Bits; {
	case out.Bits < k:
		panic(fmt.Sprintf("cheetah: %v is narrower than %v", out, s.ring))
	case out.Bits == k:
		return s
	case s.public != nil:
		return p.extendPublic(op, out, s, signed)
	case signed && s.known():
		return p.lift(op, out, s)
	}
	return p.extendWhole(op, out, s, signed)
}

// extendPublic extends a vector that both parties know.
func (p *Party) extendPublic(op *flow.Op, out ring.Ring, s *share, signed bool) *share {
	bound := s.bound
	if !signed {
		bound = s.ring.Bits
	}
	return p.publicShare(op, local(op, out, s.n, func(dst ring.Vec, src []ring.Vec) {
		if signed {
			ring.SignExtend(dst, src[0])
		} else {
			ring.Low(dst, src[0])
		}
	}, s.public), out, s.n, bound)
}

// lift is x, of magnitudes below 2^(k−2), in a wider ring: the sum of the shares of x + 2^(k−2) wraps if the top bit of
// one of them is 1. Nothing is sent before the share in the wider ring is needed, if it ever is.
func (p *Party) lift(op *flow.Op, out ring.Ring, s *share) *share {
	switch {
	case out == s.ring:
		return s
	case s.public != nil:
		return p.extendPublic(op, out, s, true)
	case s.owner != nobody: // its owner extends it
		v := newShare(out, s.n, s.bound, local(op, out, s.n, func(dst ring.Vec, src []ring.Vec) { ring.SignExtend(dst, src[0]) }, s.mine()))
		v.owner = s.owner
		return v
	}
	narrow := *s.tight()
	narrow.within = true
	v := newShare(out, s.n, narrow.bound, nil)
	v.narrow = &narrow
	v.lifted = func() *flow.Future[ring.Vec] {
		k := narrow.ring.Bits
		y := p.offset(op, &narrow, k-2)
		wraps := p.wrapped(op, ring.Z(out.Bits-k), y)
		return local(op, out, s.n, func(dst ring.Vec, src []ring.Vec) {
			ring.Low(dst, src[0])
			ring.AddShifted(dst, src[1], k, true)
			if p.rank == opener {
				ring.AddPow(dst, dst, k-2, true)
			}
		}, y.own, wraps)
	}
	return v
}

// reducedNarrow is TruncateReduce of the narrower ring of x, extended to the given ring; nil if there is none, or its ring cannot hold
// the rounded numbers with the bit that lift needs.
func (p *Party) reducedNarrow(op *flow.Op, out ring.Ring, x *share, by int) *share {
	if x.own != nil || x.narrow.spare <= by {
		return nil
	}
	y := of(p.TruncateReduce(op, x.narrow, by))
	y.bound = x.narrow.bound - by // 2^spare are two units or more: one for the rounding
	return p.lift(op, out, y)
}

// offset adds 2^at.
func (p *Party) offset(op *flow.Op, s *share, at int) *share {
	return newShare(s.ring, s.n, s.bound, local(op, s.ring, s.n, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst, src[0])
		if p.rank == opener {
			ring.AddPow(dst, dst, at, false)
		}
	}, s.mine()))
}

// wrapped returns shares, in ring r, of the bit that says whether the sum of the shares of x wraps, for x below half of
// its ring's size: the OR of their top bits, t0 + t1 − t0·t1.
func (p *Party) wrapped(op *flow.Op, r ring.Ring, x *share) *flow.Future[ring.Vec] {
	k := x.ring.Bits
	top := local(op, r, x.n, func(dst ring.Vec, src []ring.Vec) { ring.FromBits(dst, ring.Bit(src[0], k-1)) }, x.mine())
	both := p.bitTimesBit(op, r, x.n, top)
	return local(op, r, x.n, func(dst ring.Vec, src []ring.Vec) { ring.Sub(dst, src[0], src[1]) }, top, both)
}

// bitTimesBit returns shares in ring r of the products of rank 0's bits with rank 1's; bit has the party's own as
// numbers of r.
func (p *Party) bitTimesBit(op *flow.Op, r ring.Ring, n int, bit *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
	const receiver = 0
	made := p.cross(op, []crossing{{receiver, n, []part{{0, n, r}}}}, func() []operands {
		if p.rank == receiver {
			return []operands{{choices: ring.Bit(bit.Get(), 0)}}
		}
		return []operands{{numbers: []numbers{{vec: bit.Get()}}}}
	}, bit)
	return flow.Do(op, bytes(r, n), func() ring.Vec { return made.Get()[0][0].as(r) }, made)
}

// extendWhole extends numbers that may use their whole ring, by the carry of the shares' sum. Signed ones are made
// non-negative by an offset of 2^(k−1).
func (p *Party) extendWhole(op *flow.Op, out ring.Ring, s *share, signed bool) *share {
	k, y := s.ring.Bits, s
	if signed {
		y = p.offset(op, s, k-1)
	}
	wraps := p.numberOf(op, ring.Z(out.Bits-k), p.carry(op, y.mine(), k, s.n), s.n)
	return newShare(out, s.n, k, local(op, out, s.n, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst, src[0])
		ring.AddShifted(dst, src[1], k, true)
		if signed && p.rank == opener {
			ring.AddPow(dst, dst, k-1, true)
		}
	}, y.mine(), wraps))
}

// numberOf is B2A of a party's shares of bits: b0 + b1 − 2·b0·b1, the product modulo half of the ring's size.
func (p *Party) numberOf(op *flow.Op, r ring.Ring, b *flow.Future[ring.Bits], n int) *flow.Future[ring.Vec] {
	own := flow.Do(op, bytes(r, n), func() ring.Vec {
		if op.Graph.DryRun() {
			return ring.ShapeOnly(r, n)
		}
		v := ring.New(r, n)
		ring.FromBits(v, b.Get())
		return v
	}, b)
	if r.Bits == 1 {
		return own
	}
	half := ring.Z(r.Bits - 1)
	low := local(op, half, n, func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, src[0]) }, own)
	both := p.bitTimesBit(op, half, n, low)
	return local(op, r, n, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst, src[0])
		ring.AddShifted(dst, src[1], 1, true)
	}, own, both)
}

// Truncate implements mpc.Core: each party divides its share of x + 2^(k−2) and rounds it, and the wrap of the shares'
// sum is taken off. The error of each share is at most half a unit and symmetric.
func (p *Party) Truncate(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	s, k := of(x), x.Ring().Bits
	if by <= 0 || by > k-2 {
		panic(fmt.Sprintf("cheetah: Truncate by %d bits in %v", by, s.ring))
	}
	if s.public != nil {
		return p.publicShare(op, local(op, s.ring, s.n, func(dst ring.Vec, src []ring.Vec) {
			ring.AddPow(dst, src[0], by-1, false)
			ring.Arsh(dst, dst, by)
		}, s.public), s.ring, s.n, s.bound-by)
	}
	if y := p.reducedNarrow(op, s.ring, s, by); y != nil {
		return y
	}
	y := p.offset(op, s, k-2)
	wraps := p.wrapped(op, ring.Z(by), y)
	return newShare(s.ring, s.n, s.bound-by+1, local(op, s.ring, s.n, func(dst ring.Vec, src []ring.Vec) {
		p.roundedShift(dst, src[0], by)
		ring.AddShifted(dst, src[1], k-by, true)
		if p.rank == opener {
			ring.AddPow(dst, dst, k-2-by, true)
		}
	}, y.mine(), wraps))
}

// roundedShift sets dst to a, read as numbers of [0, 2^k), divided by 2^by and rounded to the nearest number, modulo
// dst's ring. Halves are rounded up by the opener and down by the other party, so that the errors of both together are
// below one unit and have mean zero.
func (p *Party) roundedShift(dst, a ring.Vec, by int) {
	wide := ring.New(ring.Z(a.Ring().Bits+1), a.Len())
	ring.Low(wide, a)
	ring.AddPow(wide, wide, by-1, false)
	if p.rank != opener {
		ring.AddInt(wide, wide, -1)
	}
	ring.Rsh(dst, wide, by)
}

// TruncateReduce implements mpc.Reductions: each party divides and rounds its share. What the shares' sum wraps by is a
// multiple of the size of the narrower ring. Nothing is sent.
func (p *Party) TruncateReduce(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	s := of(x)
	if by <= 0 || by >= s.ring.Bits {
		panic(fmt.Sprintf("cheetah: TruncateReduce by %d bits in %v", by, s.ring))
	}
	if y := p.reducedNarrow(op, ring.Z(s.ring.Bits-by), s, by); y != nil {
		return y
	}
	return p.mapped(op, ring.Z(s.ring.Bits-by), s.n, s.bound-by+1, func(dst ring.Vec, src []ring.Vec) { p.roundedShift(dst, src[0], by) }, s)
}
