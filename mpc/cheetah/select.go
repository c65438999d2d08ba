package cheetah

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// And implements mpc.Selections: a tree of products over Z_2.
func (p *Party) And(op *flow.Op, xs ...mpc.Bit) mpc.Bit {
	level := make([]*share, len(xs))
	for i, x := range xs {
		level[i] = of(x)
	}
	for len(level) > 1 {
		var next []*share
		for i := 0; i+1 < len(level); i += 2 {
			next = append(next, p.and(op, level[i], level[i+1]))
		}
		if len(level)%2 == 1 {
			next = append(next, level[len(level)-1])
		}
		level = next
	}
	return level[0]
}

// choose (MUX) returns b·x for bits b = b0 ⊕ b1 and numbers x = x0 + x1: b·x_i is b_i·x_i at the party that has x_i,
// plus the other one's bit times (1 − 2·b_i)·x_i. Each bit chooses among as many consecutive elements of x as x has
// for each bit.
func (p *Party) choose(op *flow.Op, b, x *share) *share {
	n, r, each := x.n, x.ring, x.n/max(b.n, 1)
	wide := func() ring.Bits { return repeatedBits(ring.Bit(b.own.Get(), 0), each) }
	out := newShare(r, n, x.bound, nil)
	out.within = x.within
	if b.public != nil {
		out.own, out.owner = local(op, r, n, func(dst ring.Vec, src []ring.Vec) {
			ring.Low(dst, src[0])
			keep(dst, repeatedBits(ring.Bit(src[1], 0), each))
		}, x.mine(), b.public), x.owner
		return out
	}
	var cs []crossing
	for rank := range computing { // of the bits' party
		if b.owner == 1-rank || x.owner == rank {
			continue // its bits, or the other party's numbers, are zero
		}
		c := crossing{receiver: rank, n: b.n}
		for range each {
			c.parts = append(c.parts, part{0, b.n, r})
		}
		cs = append(cs, c)
	}
	own := func(dst ring.Vec, v ring.Vec) {
		ring.Low(dst, v)
		keep(dst, wide())
	}
	if len(cs) == 0 { // one party has both
		out.own, out.owner = local(op, r, n, func(dst ring.Vec, src []ring.Vec) { own(dst, src[0]) }, x.mine(), b.mine()), x.owner
		return out
	}
	made := p.cross(op, cs, func() []operands {
		var out []operands
		bits := ring.Bit(b.own.Get(), 0)
		for _, c := range cs {
			if c.receiver == p.rank {
				out = append(out, operands{choices: bits})
				continue
			}
			var o operands
			for i := range each {
				o.numbers = append(o.numbers, numbers{vec: signed(every(x.own.Get(), i, each), bits)})
			}
			out = append(out, o)
		}
		return out
	}, b.mine(), x.mine())
	out.own = flow.Do(op, bytes(r, n), func() ring.Vec {
		if op.Graph.DryRun() {
			return ring.ShapeOnly(r, n)
		}
		dst := ring.New(r, n)
		own(dst, x.own.Get())
		for _, parts := range made.Get() {
			for i, q := range parts {
				addEvery(dst, q, i, each)
			}
		}
		return dst
	}, x.mine(), b.mine(), made)
	return out
}

// repeatedBits repeats each bit.
func repeatedBits(b ring.Bits, each int) ring.Bits {
	if each == 1 {
		return b
	}
	out := ring.NewBits(b.Len() * each)
	to, from := out.Words(), b.Words()
	for i := range out.Len() {
		to[i/64] |= from[i/each/64] >> (i / each % 64) & 1 << (i % 64)
	}
	return out
}

// every is elements first, first+each, … of v.
func every(v ring.Vec, first, each int) ring.Vec {
	if each == 1 {
		return v
	}
	out, w := ring.New(v.Ring(), v.Len()/each), v.Ring().Words()
	for i := range out.Len() {
		copy(out.Words()[i*w:(i+1)*w], v.Words()[(i*each+first)*w:(i*each+first+1)*w])
	}
	return out
}

// addEvery adds numbers to elements first, first+each, … of dst.
func addEvery(dst ring.Vec, x numbers, first, each int) {
	v := x.as(dst.Ring())
	if each == 1 {
		ring.Add(dst, dst, v)
		return
	}
	for i := range v.Len() {
		at := dst.Slice(i*each+first, i*each+first+1)
		ring.Add(at, at, v.Slice(i, i+1))
	}
}

// Select implements mpc.Selections: y + b·(x − y), in the narrower ring if x and y have one.
func (p *Party) Select(op *flow.Op, out ring.Ring, b mpc.Bit, x, y mpc.Secret) mpc.Secret {
	return p.pick(op, out, of(b), of(x), of(y))
}

func (p *Party) pick(op *flow.Op, out ring.Ring, b, x, y *share) *share {
	bound := max(x.bound, y.bound)
	x, y = x.tight(), y.tight()
	r := ring.Z(min(out.Bits, max(x.ring.Bits, y.ring.Bits)))
	x, y = p.fit(op, r, x), p.fit(op, r, y)
	z := p.sum(op, y, p.choose(op, b, p.difference(op, x, y)))
	z.bound, z.within = min(bound, r.Bits-2), x.known() && y.known()
	return p.fit(op, out, z)
}

// fit is x, a signed number, in a ring that is as wide or wider.
func (p *Party) fit(op *flow.Op, r ring.Ring, x *share) *share { return of(p.Extend(op, r, x, true)) }

// Swap implements mpc.Selections: b·(y − x) is added to x and taken from y.
func (p *Party) Swap(op *flow.Op, b mpc.Bit, xs, ys []mpc.Secret) (first, second []mpc.Secret) {
	for i := range xs {
		x, y := of(xs[i]), of(ys[i])
		change, bound := p.choose(op, of(b), p.difference(op, y, x)), max(x.bound, y.bound)
		lo, hi := p.sum(op, x, change), p.difference(op, y, change)
		lo.bound, hi.bound = min(bound, x.ring.Bits-2), min(bound, x.ring.Bits-2)
		first, second = append(first, lo), append(second, hi)
	}
	return first, second
}

// Relu implements mpc.Rectifiers: x where it is not negative. Comparisons require that magnitudes are below 2^Bound, and so those
// of maxima are.
func (p *Party) Relu(op *flow.Op, out ring.Ring, x mpc.Secret) mpc.Secret {
	s := of(x)
	positive := p.not(op, of(p.LessConst(op, s, 0)))
	y := p.choose(op, positive, s.tight())
	y.within = true
	return p.fit(op, out, y)
}

// not negates bits.
func (p *Party) not(op *flow.Op, b *share) *share {
	return of(p.AddPublic(op, b, constant(op, b.ring, b.n, 1), 1))
}

// Max implements mpc.Rectifiers: a tree of comparisons and selections.
func (p *Party) Max(op *flow.Op, out ring.Ring, xs ...mpc.Secret) mpc.Secret {
	level := make([]*share, len(xs))
	for i, x := range xs {
		level[i] = of(x).tight()
	}
	for len(level) > 1 {
		var next []*share
		for i := 0; i+1 < len(level); i += 2 {
			x, y := level[i], level[i+1]
			r := ring.Z(max(x.ring.Bits, y.ring.Bits))
			most := p.pick(op, r, of(p.Less(op, x, y)), y, x)
			most.within = true
			next = append(next, most)
		}
		if len(level)%2 == 1 {
			next = append(next, level[len(level)-1])
		}
		level = next
	}
	return p.fit(op, out, level[0])
}

// Clamp implements mpc.Rectifiers: x, or the end beyond which it lies.
func (p *Party) Clamp(op *flow.Op, out ring.Ring, x mpc.Secret, low, high int64) mpc.Secret {
	s := of(x)
	below, under := of(p.LessConst(op, s, low)), of(p.LessConst(op, s, high))
	end := func(c int64) *share {
		return of(p.Public(op, constant(op, s.ring, s.n, c), s.bound))
	}
	raised := p.pick(op, s.ring, below, end(low), s)
	y := p.pick(op, s.ring, under, raised, end(high))
	y.within = true
	return p.fit(op, out, y)
}
