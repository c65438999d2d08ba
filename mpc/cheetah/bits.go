package cheetah

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// B2A implements mpc.Core.
func (p *Party) B2A(op *flow.Op, out ring.Ring, b mpc.Bit) mpc.Secret {
	s := of(b)
	if out.Bits == 1 {
		return s
	}
	low := func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, src[0]) }
	if s.public != nil || s.owner != nobody {
		return p.mapped(op, out, s.n, 1, low, s)
	}
	own := flow.Pick(op, func() ring.Bits {
		if op.Graph.DryRun() {
			return ring.ShapeOnlyBits(s.n)
		}
		return ring.Bit(s.own.Get(), 0)
	}, s.mine())
	return newShare(out, s.n, 1, p.numberOf(op, out, own, s.n))
}

// BitDecompose implements mpc.Core: a prefix adder (Sklansky) of both parties' shares, 1 + ⌈log2 (k−1)⌉ rounds.
func (p *Party) BitDecompose(op *flow.Op, x mpc.Secret) mpc.Bit {
	s := of(x)
	k, n := s.ring.Bits, s.n
	split := func(dst, src ring.Vec) {
		for i := range k {
			ring.FromBits(dst.Slice(i*n, (i+1)*n), ring.Bit(src, i))
		}
	}
	if k == 1 {
		return s
	}
	if known := p.clearBits(op, s, k*n, split); known != nil {
		return known
	}
	// propagate is x0 ⊕ x1, generate x0·x1, both bit by bit.
	bit := ring.Z(1)
	planes := newShare(bit, k*n, 1, local(op, bit, k*n, func(dst ring.Vec, src []ring.Vec) { split(dst, src[0]) }, s.mine()))
	low := p.cut(op, planes, 0, (k-1)*n)
	generate := newShare(bit, (k-1)*n, 1, p.bitTimesBit(op, bit, (k-1)*n, low.mine()))
	propagate := low
	for s := 1; s < k-1; s *= 2 {
		generate, propagate = p.adderLevel(op, generate, propagate, s, k-1, n)
	}
	return newShare(bit, k*n, 1, local(op, bit, k*n, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst, src[0])
		above := dst.Slice(n, k*n)
		ring.Add(above, above, src[1])
	}, planes.mine(), generate.mine()))
}

// adderLevel joins, in each block of 2s bits, every bit of the upper half with the last bit of the lower half.
func (p *Party) adderLevel(op *flow.Op, generate, propagate *share, s, k, n int) (_, _ *share) {
	var high, low []int // bits that are joined: high with low
	for i := range k {
		if i/s%2 == 1 {
			high, low = append(high, i), append(low, i/s*s-1)
		}
	}
	planes := func(x *share, at []int) *share {
		return p.mapped(op, x.ring, len(at)*n, 1, func(dst ring.Vec, src []ring.Vec) {
			for j, i := range at {
				ring.Low(dst.Slice(j*n, (j+1)*n), src[0].Slice(i*n, (i+1)*n))
			}
		}, x)
	}
	p1, g0, p0 := planes(propagate, high), planes(generate, low), planes(propagate, low)
	both := p.andPair(op, p1, g0, p0)
	back := func(x *share, first int, add bool) *share {
		return newShare(x.ring, x.n, 1, local(op, x.ring, x.n, func(dst ring.Vec, src []ring.Vec) {
			ring.Low(dst, src[0])
			for j, i := range high {
				at, v := dst.Slice(i*n, (i+1)*n), src[1].Slice((first+j)*n, (first+j+1)*n)
				if add {
					ring.Add(at, at, v)
				} else {
					ring.Low(at, v)
				}
			}
		}, x.mine(), both.mine()))
	}
	return back(generate, 0, true), back(propagate, len(high), false)
}

// andPair is x·y and x·z of vectors of bits, one after the other. Each bit of x takes one transfer each way.
func (p *Party) andPair(op *flow.Op, x, y, z *share) *share {
	n, bit := x.n, ring.Z(1)
	parts := []part{{0, n, bit}, {0, n, bit}}
	made := p.cross(op, []crossing{{0, n, parts}, {1, n, parts}}, func() []operands {
		out := []operands{{choices: ring.Bit(x.own.Get(), 0)}, bitsAre(ring.Bit(y.own.Get(), 0), ring.Bit(z.own.Get(), 0))}
		if p.rank == 1 {
			out[0], out[1] = out[1], out[0]
		}
		return out
	}, x.mine(), y.mine(), z.mine())
	return newShare(bit, 2*n, 1, flow.Do(op, bytes(bit, 2*n), func() ring.Vec {
		if op.Graph.DryRun() {
			return ring.ShapeOnly(bit, 2*n)
		}
		out := ring.New(bit, 2*n)
		for i, of := range []*share{y, z} {
			b := ring.Bit(x.own.Get(), 0)
			ring.And(b, b, ring.Bit(of.own.Get(), 0))
			for _, parts := range made.Get() {
				ring.Xor(b, b, parts[i].bits)
			}
			ring.FromBits(out.Slice(i*n, (i+1)*n), b)
		}
		return out
	}, x.mine(), y.mine(), z.mine(), made))
}

// BitCompose implements mpc.Compositions: bit i counts 2^i, so that its number is needed modulo 2^(k−i) only.
func (p *Party) BitCompose(op *flow.Op, out ring.Ring, b mpc.Bit) mpc.Secret {
	s, k := of(b), out.Bits
	n := s.n / k
	if s.n != k*n {
		panic(fmt.Sprintf("cheetah: %d bits for numbers of %d", s.n, k))
	}
	if k == 1 {
		return s
	}
	if s.public != nil || s.owner != nobody {
		return p.mapped(op, out, n, k, func(dst ring.Vec, src []ring.Vec) {
			for i := range k {
				ring.AddShifted(dst, src[0].Slice(i*n, (i+1)*n), i, false)
			}
		}, s)
	}
	const receiver = 0
	c := crossing{receiver: receiver, n: (k - 1) * n} // the top bit's product counts 2^k
	for i := range k - 1 {
		c.parts = append(c.parts, part{i * n, n, ring.Z(k - 1 - i)})
	}
	made := p.cross(op, []crossing{c}, func() []operands {
		v := s.own.Get()
		if p.rank == receiver {
			return []operands{{choices: ring.Bit(v.Slice(0, (k-1)*n), 0)}}
		}
		var o operands
		for i, q := range c.parts {
			x := ring.New(q.r, n)
			ring.Low(x, v.Slice(i*n, (i+1)*n))
			o.numbers = append(o.numbers, numbers{vec: x})
		}
		return []operands{o}
	}, s.mine())
	return newShare(out, n, k, flow.Do(op, bytes(out, n), func() ring.Vec {
		if op.Graph.DryRun() {
			return ring.ShapeOnly(out, n)
		}
		dst := ring.New(out, n)
		for i := range k {
			ring.AddShifted(dst, s.own.Get().Slice(i*n, (i+1)*n), i, false)
		}
		for i, q := range made.Get()[0] {
			ring.AddShifted(dst, q.as(c.parts[i].r), i+1, true)
		}
		return dst
	}, s.mine(), made))
}

// Floor implements mpc.Compositions. With the carry c of the low bits of both shares and the carry d of the shares,
// ⌊x/2^by⌋ = ⌊x0/2^by⌋ + ⌊x1/2^by⌋ + c − 2^(k−by)·d. Both are computed side by side; d is not needed for a narrow
// result. Signed numbers are made non-negative by an offset of 2^(k−1).
func (p *Party) Floor(op *flow.Op, out ring.Ring, x mpc.Secret, by int, signed bool) mpc.Secret {
	s := of(x)
	k, n := s.ring.Bits, s.n
	if by < 0 || by >= k {
		panic(fmt.Sprintf("cheetah: Floor by %d bits in %v", by, s.ring))
	}
	if by == 0 {
		if out.Bits <= k {
			return p.low(op, out, s, s.bound)
		}
		return p.Extend(op, out, s, signed)
	}
	if s.public != nil {
		return p.publicShare(op, local(op, out, n, func(dst ring.Vec, src []ring.Vec) {
			wide := ring.New(ring.Z(max(k, out.Bits)+1), n)
			if signed {
				ring.SignExtend(wide, src[0])
			} else {
				ring.Low(wide, src[0])
			}
			ring.Arsh(wide, wide, by)
			ring.Low(dst, wide)
		}, s.public), out, n, k-by)
	}
	y := s
	if signed {
		y = p.offset(op, s, k-1)
	}
	low := local(op, ring.Z(by), n, func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, src[0]) }, y.mine())
	sum := []*flow.Future[ring.Vec]{y.mine(), p.numberOf(op, out, p.carry(op, low, by, n), n)}
	if out.Bits > k-by {
		sum = append(sum, p.numberOf(op, ring.Z(out.Bits-(k-by)), p.carry(op, y.mine(), k, n), n))
	}
	return newShare(out, n, k-by, local(op, out, n, func(dst ring.Vec, src []ring.Vec) {
		ring.Rsh(dst, src[0], by)
		ring.Add(dst, dst, src[1])
		if len(src) > 2 {
			ring.AddShifted(dst, src[2], k-by, true)
		}
		if signed && p.rank == opener && k-1-by < out.Bits {
			ring.AddPow(dst, dst, k-1-by, true)
		}
	}, sum...))
}
