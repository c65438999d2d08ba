package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// A secret bit is a share in Z_2: its additive shares are XOR shares, its masked form is a masked bit, and
// XORs, negations and views are linear maps. Chains of linear maps stay additive until an operation needs the
// masked bit. Gates work on packed bits (ring.Bits); the functions of this file convert between shares in Z_2
// and packed bits.

// fromShares is the secret of n bits of which x is this party's packed XOR share.
func (p *Party) fromShares(op *flow.Op, n int, x bitVec) *share {
	r := ring.Z(1)
	return p.newShare(r, n, 0, flow.Do(op, bytes(r, n), func() ring.Vec {
		v := x.Get().LikeVec(r, n)
		ring.FromBits(v, x.Get())
		return v
	}, x))
}

// maskedBit returns the masked bit of an open share in Z_2.
func (p *Party) maskedBit(op *flow.Op, s *share) *bit {
	if s.masked.bit == nil {
		s.masked.bit = &bit{
			n:      s.n,
			m:      p.packed(op, s.n, s.masked.delta),
			a:      p.packed(op, s.n, s.masked.lambda),
			factor: s.masked.maskFactor(correlation.Bit, 0, 0),
		}
	}
	return s.masked.bit
}

// packed returns bit 0 of the n elements of v, packed.
func (p *Party) packed(op *flow.Op, n int, v *flow.Future[ring.Vec]) *flow.Future[ring.Bits] {
	return flow.Do(op, int64(n)/8, func() ring.Bits { return ring.Bit(v.Get(), 0) }, v)
}

// Open implements mpc.Openings. It opens the vectors of xs that are not open, each in its own ring, in one message.
func (p *Party) Open(op *flow.Op, xs ...mpc.Secret) {
	todo := make([]*share, len(xs))
	for i, x := range xs {
		todo[i] = p.share(x)
	}
	p.open(op, todo...)
}

// maxAnd is the fan-in of one AND gate: four opened bits take eleven dealt bits.
const maxAnd = 4

// And implements mpc.Selections. It opens the bits that are not open and multiplies groups of up to four of them; all
// groups of a level are opened in one message.
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

// product is the AND of open bits.
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

// MSB implements mpc.Comparisons. It opens x in its own ring and compares it with zero. The result for −x is not
// derived from that for x, because −2^(k−1) is its own negation.
func (p *Party) MSB(op *flow.Op, x mpc.Secret) mpc.Bit {
	s := p.share(x)
	if s.ring.Bits == 1 {
		return s
	}
	p.open(op, s)
	at := threshold{s, 0}
	if s.lessThan[0] == nil {
		at.memoise(p.fromShares(op, s.n, p.negativeShares(op, comparison{s, s.ring.Bits})[0]))
	}
	return s.lessThan[0]
}
