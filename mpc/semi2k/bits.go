package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// A secret bit is a share in Z_2: additive shares are XOR shares, a masked
// form is a masked bit, linear maps are XORs and views. Chains of them stay
// additive until something needs the masked bit. Inside a protocol bits are
// packed; the functions here go from one to the other.

// fromShares is a secret bit from this party's packed XOR share.
func (p *Party) fromShares(op *flow.Op, n int, x bitVec) *share {
	r := ring.Z(1)
	return p.newShare(r, n, 0, flow.Do(op, bytes(r, n), func() ring.Vec {
		v := x.Get().LikeVec(r, n)
		ring.FromBits(v, x.Get())
		return v
	}, x))
}

// maskedBit reads an opened share in Z_2 as a masked bit.
func (p *Party) maskedBit(op *flow.Op, s *share) *bit {
	if s.masked.bit == nil {
		s.masked.bit = &bit{
			n:      s.n,
			m:      p.packed(op, s.n, s.masked.delta),
			a:      p.packed(op, s.n, s.masked.lambda),
			factor: s.masked.part(correlation.Bit, 0, 0),
		}
	}
	return s.masked.bit
}

// packed is the lowest bit of every element.
func (p *Party) packed(op *flow.Op, n int, v *flow.Of[ring.Vec]) *flow.Of[ring.Bits] {
	return flow.Do(op, int64(n)/8, func() ring.Bits { return ring.Bit(v.Get(), 0) }, v)
}

// Open opens what is not open, each in its whole ring.
func (p *Party) Open(op *flow.Op, xs ...mpc.Secret) {
	todo := make([]*share, len(xs))
	for i, x := range xs {
		todo[i] = p.share(x)
	}
	p.open(op, todo...)
}

// maxAnd is how many bits one gate takes: four are opened for eleven dealt.
const maxAnd = 4

// And opens its operands and multiplies up to maxAnd of them at a time, all
// groups of a level in one message.
func (p *Party) And(op *flow.Op, xs ...mpc.Bit) mpc.Bit {
	cur := make([]*share, len(xs))
	for i, x := range xs {
		cur[i] = p.share(x)
	}
	for len(cur) > 1 {
		sizes := split(len(cur), (len(cur)+maxAnd-1)/maxAnd)
		var todo []*share
		for at, g := 0, 0; g < len(sizes); g++ {
			if sizes[g] > 1 {
				todo = append(todo, cur[at:at+sizes[g]]...)
			}
			at += sizes[g]
		}
		p.open(op, todo...)
		next := make([]*share, len(sizes))
		at := 0
		for g, size := range sizes {
			next[g] = p.product(op, cur[at:at+size])
			at += size
		}
		cur = next
	}
	return cur[0]
}

// product is the product of opened bits.
func (p *Party) product(op *flow.Op, xs []*share) *share {
	if len(xs) == 1 {
		return xs[0]
	}
	bits := make([]*bit, len(xs))
	for i, x := range xs {
		bits[i] = p.maskedBit(op, x)
	}
	return p.fromShares(op, xs[0].n, p.xorShare(op, xor{products: [][]*bit{bits}}, xs[0].n))
}

// Top opens x in its whole ring and compares it with zero. Of a negation it says
// nothing of what that is the negation of: the lowest number is its own.
func (p *Party) Top(op *flow.Op, x mpc.Secret) mpc.Bit {
	s := p.share(x)
	if s.ring.Bits == 1 {
		return s
	}
	p.open(op, s)
	at := threshold{s, 0}
	if s.signs[0] == nil {
		at.keep(p.fromShares(op, s.n, p.negativeShares(op, comparison{s, s.ring.Bits})[0]))
	}
	return s.signs[0]
}
