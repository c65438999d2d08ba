package cheetah

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Product implements mpc.Core. With shares x0 + x1 and y0 + y1, each party computes its own x_i·y_i, and x0·y1 and
// x1·y0 are products of one party's bits with the other's numbers (cross), or by encryption (crossEncrypted, slotProduct),
// whose results may be wrong in the slack low bits. What one party knows has one of the two only, and a public operand none.
func (p *Party) Product(op *flow.Op, out ring.Ring, b maps.Bilinear, xs, ys mpc.Secret, slack int) mpc.Secret {
	x, y := of(xs), of(ys)
	if l, r := b.In(); x.n != l || y.n != r {
		panic(fmt.Sprintf("cheetah: operands of %d and %d elements, want %d and %d", x.n, y.n, l, r))
	}
	bound := max(x.bound, 0) + max(y.bound, 0) + maps.CeilLog2(b.Terms())
	r := out
	if w := bound + 2; out.Bits > 1 && w < out.Bits { // in the smallest ring that holds the result
		r = ring.Z(w)
	}
	if _, ok := b.(maps.Elementwise); ok && x == y && x.owner == nobody && x.public == nil && r.Bits > 1 {
		z := p.square(op, p.resize(op, r, x), bound, slack)
		z.spare = max(x.bound, y.bound)
		return p.lift(op, out, z)
	}
	z := p.product(op, b, p.resize(op, r, x), p.resize(op, r, y), bound, slack)
	z.spare = max(x.bound, y.bound) // (2^a − 1)·(2^b − 1) is that less than 2^(a+b)
	return p.lift(op, out, z)
}

// SendsProducts implements mpc.Sender.
func (p *Party) SendsProducts() bool { return true }

// square returns the squares of x = x0 + x1, x0² + x1² + 2·x0·x1, in its ring of k bits: one product of different parties'
// shares, modulo 2^(k−1).
func (p *Party) square(op *flow.Op, x *share, bound, slack int) *share {
	r := x.ring
	e := maps.Elementwise{N: x.n}
	own := x.mine() // before half is made of it: both are the same shares
	half := p.low(op, ring.Z(r.Bits-1), x, x.bound)
	cross := p.slotProduct(op, x.n, half, half, slack-1)
	if cross == nil {
		cross = p.crossProduct(op, e, 0, half, half, slack-1)
	}
	op.Spend(flow.Products, e.Products()*int64(r.Words()*r.Words()))
	return newShare(r, x.n, bound, local(op, r, x.n, func(dst ring.Vec, src []ring.Vec) {
		e.Apply(dst, src[0], src[0])
		ring.AddShifted(dst, src[1], 1, false)
	}, own, cross))
}

// resize is x, of magnitudes below 2^(bound), in another ring that holds the result of what is computed of it.
func (p *Party) resize(op *flow.Op, r ring.Ring, x *share) *share {
	if r.Bits <= x.ring.Bits {
		return p.low(op, r, x, x.bound)
	}
	return p.lift(op, r, x)
}

// product is Product of operands in one ring, the result's.
func (p *Party) product(op *flow.Op, b maps.Bilinear, x, y *share, bound, slack int) *share {
	r := x.ring
	apply := func(dst ring.Vec, src []ring.Vec) { b.Apply(dst, src[0], src[1]) }
	spend := func() { op.Spend(flow.Products, b.Products()*int64(r.Words()*r.Words())) }
	own := func(x, y *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
		spend()
		return local(op, r, b.Out(), apply, x, y)
	}
	out := newShare(r, b.Out(), bound, nil)
	switch {
	case x.public != nil && y.public != nil:
		return p.publicShare(op, own(x.public, y.public), r, b.Out(), bound)
	case x.public != nil:
		out.own, out.owner = own(x.public, y.mine()), y.owner
		return out
	case y.public != nil:
		out.own, out.owner = own(x.mine(), y.public), x.owner
		return out
	case x.owner != nobody && x.owner == y.owner:
		out.own, out.owner = own(x.mine(), y.mine()), x.owner
		return out
	}
	mine, other := x.mine(), y.mine() // at both parties: a share that is lifted sends messages
	var sum []*flow.Future[ring.Vec]
	if p.holds(x) && p.holds(y) {
		sum = append(sum, own(mine, other))
	}
	added := func() *flow.Future[ring.Vec] {
		return local(op, r, b.Out(), func(dst ring.Vec, src []ring.Vec) {
			for _, v := range src {
				ring.Add(dst, dst, v)
			}
		}, sum...)
	}
	if e, ok := b.(maps.Elementwise); ok {
		if v := p.slotProduct(op, e.N, x, y, slack); v != nil {
			sum = append(sum, v)
			out.own = added()
			return out
		}
	}
	if x.owner == nobody && y.owner == nobody {
		slack = max(0, slack-1) // the errors of two products add up
	}
	for rank := range computing { // x of the party of that rank, y of the other one
		if x.owner == 1-rank || y.owner == rank {
			continue // it is zero
		}
		sum = append(sum, p.crossProduct(op, b, rank, x, y, slack))
	}
	out.own = added()
	return out
}

// holds reports whether this party's share of x may be other than zero: it is zero if the other party knows x.
func (p *Party) holds(x *share) bool { return x.owner == nobody || x.owner == p.rank }

// planes is the number of bits by which a party's share of x is multiplied: those of the ring, or for a vector that the
// party knows and that does not use its whole ring, those of its magnitudes and the sign.
func planes(x *share) int {
	if shortened(x) {
		return max(x.bound, 0) + 1
	}
	return x.ring.Bits
}

// shortened reports whether one party knows x, and its magnitudes leave bits of the ring unused.
func shortened(x *share) bool { return x.owner != nobody && x.bound < x.ring.Bits-2 }

// negative reports whether plane i is the sign of a shortened vector, which counts −2^i.
func negative(x *share, i int) bool { return shortened(x) && i == planes(x)-1 }

// crossProduct is this party's share of b(x, y), x the share of the party of the given rank, y that of the other one.
func (p *Party) crossProduct(op *flow.Op, b maps.Bilinear, rank int, x, y *share, slack int) *flow.Future[ring.Vec] {
	if e, ok := b.(maps.Elementwise); ok {
		if planes(y) < planes(x) {
			x, y, rank = y, x, 1-rank
		}
		if x.ring.Bits == 1 {
			return p.crossBits(op, e.N, rank, x, y)
		}
		return p.crossElements(op, e.N, rank, x, y)
	}
	if l, uploader := p.cheapest(b, rank, x, y, slack); l != nil {
		left, right := x.mine(), y.mine()
		if uploader != rank {
			left, right = right, left
		}
		return p.crossEncrypted(op, l, uploader, b.Out(), left, right, x.ring)
	}
	return p.crossMatrices(op, contraction(b), rank, x, y)
}

// crossBits is crossElements over Z_2.
func (p *Party) crossBits(op *flow.Op, n, receiver int, x, y *share) *flow.Future[ring.Vec] {
	made := p.cross(op, []crossing{{receiver, n, []part{{0, n, ring.Z(1)}}}}, func() []operands {
		if p.rank == receiver {
			return []operands{{choices: ring.Bit(x.own.Get(), 0)}}
		}
		return []operands{bitsAre(ring.Bit(y.own.Get(), 0))}
	}, x.mine(), y.mine())
	return flow.Do(op, bytes(x.ring, n), func() ring.Vec {
		return made.Get()[0][0].as(x.ring)
	}, made)
}

// crossElements multiplies element by element: the receiver's bits of x, plane by plane, with y modulo 2^(k−i) for the
// bits of weight 2^i.
func (p *Party) crossElements(op *flow.Op, n, receiver int, x, y *share) *flow.Future[ring.Vec] {
	r, bits := x.ring, planes(x)
	c := crossing{receiver: receiver, n: bits * n}
	for i := range bits {
		c.parts = append(c.parts, part{i * n, n, ring.Z(r.Bits - i)})
	}
	made := p.cross(op, []crossing{c}, func() []operands {
		var o operands
		if p.rank == receiver {
			o.choices = ring.NewBits(bits * n)
			for i := range bits {
				ring.CopyBits(o.choices, i*n, ring.Bit(x.own.Get(), i), 0, n)
			}
			return []operands{o}
		}
		for _, q := range c.parts {
			v := ring.New(q.r, n)
			ring.Low(v, y.own.Get())
			o.numbers = append(o.numbers, numbers{vec: v})
		}
		return []operands{o}
	}, x.mine(), y.mine())
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		if op.Graph.DryRun() {
			return ring.ShapeOnly(r, n)
		}
		out := ring.New(r, n)
		for i, v := range made.Get()[0] {
			ring.AddShifted(out, v.as(c.parts[i].r), i, negative(x, i))
		}
		return out
	}, made)
}
