package cheetah

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// carries is a level of the tree of carry: for each of several groups of digits, lowest first, shares of whether the
// group generates a carry and whether it propagates one, n bits each. The lowest group has no propagate bits.
type carries struct{ generate, propagate ring.Bits }

// carry returns this party's shares of the bits [x0 + x1 ≥ 2^w], x0 and x1 the parties' vectors of n elements modulo
// 2^w, the argument own (Millionaires' problem: [2^w − 1 − x0 < x1]).
//
// Digits have two bits, a1 a0 of rank 0 and b1 b0 of rank 1. A digit generates a carry if
// a1·b1 ⊕ a1·a0·b0 ⊕ a0·b1·b0, and propagates one if (a1 ⊕ b1)·(a0 ⊕ b0): five products of the bits a1, a0, a1·a0 of
// one party with bits of the other one. A tree of fan-in 2 follows, whose nodes are products of shared bits:
// generate = g_high ⊕ p_high·g_low, propagate = p_high·p_low.
func (p *Party) carry(op *flow.Op, own *flow.Future[ring.Vec], w, n int) *flow.Future[ring.Bits] {
	digits, single := w/2, w%2
	groups := digits + single
	level := p.digitCarries(op, own, digits, single, n)
	for ; groups > 1; groups = (groups + 1) / 2 {
		level = p.joinCarries(op, level, groups, n)
	}
	return flow.Pick(op, func() ring.Bits { return level.Get().generate }, level)
}

// digitCarries are the groups of one digit each; single is 1 if the highest digit has one bit.
func (p *Party) digitCarries(op *flow.Op, own *flow.Future[ring.Vec], digits, single, n int) *flow.Future[carries] {
	full, some := digits*n, max(digits-1, 0)*n // bits of all digits, and of all but the lowest
	bit := ring.Z(1)
	const receiver = 0
	// Bits of the receiver: a1 of all digits, a0, a1·a0, and the single bit.
	c := crossing{receiver: receiver, n: 3*full + single*n}
	if digits > 0 {
		c.parts = []part{
			{0, full, bit},        // a1·b1
			{full, full, bit},     // a0·(b1·b0)
			{2 * full, full, bit}, // (a1·a0)·b0
		}
	}
	if some > 0 {
		c.parts = append(c.parts, part{n, some, bit}, part{full + n, some, bit}) // a1·b0, a0·b1
	}
	if single > 0 {
		c.parts = append(c.parts, part{3 * full, n, bit})
	}
	// planes are the high bits, low bits and products of both of the party's digits, and the single bit.
	planes := func() (high, low, both, last ring.Bits) {
		high, low, both = ring.NewBits(full), ring.NewBits(full), ring.NewBits(full)
		for i := range digits {
			ring.CopyBits(low, i*n, ring.Bit(own.Get(), 2*i), 0, n)
			ring.CopyBits(high, i*n, ring.Bit(own.Get(), 2*i+1), 0, n)
		}
		ring.And(both, high, low)
		if single > 0 {
			last = ring.Bit(own.Get(), 2*digits)
		}
		return high, low, both, last
	}
	made := p.cross(op, []crossing{c}, func() []operands {
		high, low, both, last := planes()
		if p.rank == receiver {
			o := []ring.Bits{high, low, both}
			if single > 0 {
				o = append(o, last)
			}
			return []operands{{choices: joinBits(o...)}}
		}
		var o []ring.Bits
		if digits > 0 {
			o = []ring.Bits{high, both, low}
		}
		if some > 0 {
			o = append(o, cutBits(low, n, some), cutBits(high, n, some))
		}
		if single > 0 {
			o = append(o, last)
		}
		return []operands{bitsAre(o...)}
	}, own)
	return flow.Do(op, int64(full)/4, func() (out carries) {
		if op.Graph.DryRun() {
			return carries{ring.ShapeOnlyBits(full + single*n), ring.ShapeOnlyBits(full + single*n)}
		}
		out.generate, out.propagate = ring.NewBits(full+single*n), ring.NewBits(full+single*n)
		parts := made.Get()[0]
		_, _, both, last := planes()
		if digits > 0 {
			g := parts[0].bits
			ring.Xor(g, g, parts[1].bits)
			ring.Xor(g, g, parts[2].bits)
			ring.CopyBits(out.generate, 0, g, 0, full)
		}
		if some > 0 { // a1·a0 ⊕ b1·b0 ⊕ a1·b0 ⊕ a0·b1
			e := cutBits(both, n, some)
			e = joinBits(e) // both must not change
			ring.Xor(e, e, parts[3].bits)
			ring.Xor(e, e, parts[4].bits)
			ring.CopyBits(out.propagate, n, e, 0, some)
		}
		if single > 0 {
			ring.CopyBits(out.generate, full, parts[len(parts)-1].bits, 0, n)
			ring.CopyBits(out.propagate, full, last, 0, n)
		}
		return out
	}, made)
}

// joinCarries joins each two neighbouring groups; an odd last one remains.
func (p *Party) joinCarries(op *flow.Op, level *flow.Future[carries], groups, n int) *flow.Future[carries] {
	pairs, rest := groups/2, groups%2
	all, some := pairs*n, (pairs-1)*n
	bit := ring.Z(1)
	parts := []part{{0, all, bit}} // p_high·g_low
	if some > 0 {
		parts = append(parts, part{n, some, bit}) // p_high·p_low
	}
	// every returns plane first, first+2, … of bits.
	every := func(of ring.Bits, first int) ring.Bits {
		out := ring.NewBits(all)
		for i := range pairs {
			ring.CopyBits(out, i*n, of, (2*i+first)*n, n)
		}
		return out
	}
	made := p.cross(op, []crossing{{0, all, parts}, {1, all, parts}}, func() []operands {
		l := level.Get()
		choose := operands{choices: every(l.propagate, 1)}
		send := []ring.Bits{every(l.generate, 0)}
		if some > 0 {
			send = append(send, cutBits(every(l.propagate, 0), n, some))
		}
		out := []operands{choose, bitsAre(send...)}
		if p.rank == 1 {
			out[0], out[1] = out[1], out[0]
		}
		return out
	}, level)
	return flow.Do(op, int64(all)/4, func() carries {
		if op.Graph.DryRun() {
			return carries{ring.ShapeOnlyBits(all + rest*n), ring.ShapeOnlyBits(all + rest*n)}
		}
		l, xs := level.Get(), made.Get()
		out := carries{ring.NewBits(all + rest*n), ring.NewBits(all + rest*n)}
		high := every(l.propagate, 1)
		g := every(l.generate, 1)
		ring.XorAnd(g, high, every(l.generate, 0))
		ring.Xor(g, g, xs[0][0].bits)
		ring.Xor(g, g, xs[1][0].bits)
		ring.CopyBits(out.generate, 0, g, 0, all)
		if some > 0 {
			e := xs[0][1].bits
			ring.Xor(e, e, xs[1][1].bits)
			ring.XorAnd(e, cutBits(high, n, some), cutBits(every(l.propagate, 0), n, some))
			ring.CopyBits(out.propagate, n, e, 0, some)
		}
		if rest > 0 {
			ring.CopyBits(out.generate, all, l.generate, 2*all, n)
			ring.CopyBits(out.propagate, all, l.propagate, 2*all, n)
		}
		return out
	}, level, made)
}
