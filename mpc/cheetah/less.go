package cheetah

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// bitShare is a vector of bits of which this party's shares are b.
func bitShare(op *flow.Op, n int, b *flow.Future[ring.Bits]) *share {
	r := ring.Z(1)
	return newShare(r, n, 1, flow.Do(op, bytes(r, n), func() ring.Vec {
		if op.Graph.DryRun() {
			return ring.ShapeOnly(r, n)
		}
		out := ring.New(r, n)
		ring.FromBits(out, b.Get())
		return out
	}, b))
}

// clearBits is what the owner of x, or every party that knows x, computes of it without a message: bits as numbers of
// Z_2. It is nil if nobody knows x.
func (p *Party) clearBits(op *flow.Op, s *share, n int, f func(dst, src ring.Vec)) *share {
	bit := ring.Z(1)
	apply := func(v *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
		return local(op, bit, n, func(dst ring.Vec, src []ring.Vec) { f(dst, src[0]) }, v)
	}
	switch {
	case s.public != nil:
		return p.publicShare(op, apply(s.public), bit, n, 1)
	case s.owner == p.rank || s.owner != nobody && op.Graph.DryRun():
		out := newShare(bit, n, 1, apply(s.mine()))
		out.owner = s.owner
		return out
	case s.owner != nobody:
		out := newShare(bit, n, 1, local(op, bit, n, func(ring.Vec, []ring.Vec) {}, s.mine()))
		out.owner = s.owner
		return out
	}
	return nil
}

// MSB implements mpc.Comparisons: the top bits of both shares, and the carry of the bits below.
func (p *Party) MSB(op *flow.Op, x mpc.Secret) mpc.Bit { return p.top(op, of(x)) }

// top is the most significant bit of x.
func (p *Party) top(op *flow.Op, s *share) *share {
	k, n := s.ring.Bits, s.n
	if k == 1 {
		return s
	}
	if known := p.clearBits(op, s, n, func(dst, src ring.Vec) { ring.FromBits(dst, ring.Bit(src, k-1)) }); known != nil {
		return known
	}
	low := local(op, ring.Z(k-1), n, func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, src[0]) }, s.mine())
	carry := p.carry(op, low, k-1, n)
	return bitShare(op, n, flow.Do(op, int64(n)/8, func() ring.Bits {
		if op.Graph.DryRun() {
			return ring.ShapeOnlyBits(n)
		}
		out := ring.Bit(s.own.Get(), k-1)
		ring.Xor(out, out, carry.Get())
		return out
	}, s.mine(), carry))
}

// negative returns the bit x < 0 of numbers below 2^bound in magnitude: the top bit in the ring of bound + 1 bits.
func (p *Party) negative(op *flow.Op, s *share, bound int) *share {
	return p.top(op, p.low(op, ring.Z(min(s.ring.Bits, max(bound, 0)+1)), s, bound))
}

// LessConst implements mpc.Comparisons: the sign of x − c, kept for a second call.
func (p *Party) LessConst(op *flow.Op, x mpc.Secret, c int64) mpc.Bit {
	s := of(x)
	if kept := s.lessThan[c]; kept != nil {
		return kept
	}
	bound, y := s.bound, s
	if c != 0 {
		size := bits.Len64(uint64(max(c, -c))) // of −2^63, too
		bound = max(s.bound, size) + 1
		y = p.resize(op, ring.Z(bound+1), s)
		minus := constant(op, y.ring, y.n, c)
		ring.Neg(minus, minus)
		y = of(p.AddPublic(op, y, minus, size))
	}
	out := p.negative(op, y, bound)
	if s.lessThan == nil {
		s.lessThan = map[int64]*share{}
	}
	s.lessThan[c] = out
	return out
}

// constant is a public vector of n times c.
func constant(op *flow.Op, r ring.Ring, n int, c int64) ring.Vec {
	if op.Graph.DryRun() {
		return ring.ShapeOnly(r, n)
	}
	v := ring.New(r, n)
	ring.AddInt(v, v, c)
	return v
}

// combined is the sum of vectors times public coefficients.
func (p *Party) combined(op *flow.Op, coef []int64, xs ...*share) *share {
	secrets := make([]mpc.Secret, len(xs))
	for i, x := range xs {
		secrets[i] = x
	}
	return of(p.Linear(op, maps.Combine{N: xs[0].n, Coef: coef}, secrets...))
}

func (p *Party) sum(op *flow.Op, x, y *share) *share { return p.combined(op, []int64{1, 1}, x, y) }

func (p *Party) difference(op *flow.Op, x, y *share) *share {
	return p.combined(op, []int64{1, -1}, x, y)
}

// Less implements mpc.Comparisons: the sign of x − y.
func (p *Party) Less(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	a, b := of(x), of(y)
	bound := max(a.bound, b.bound, 0) + 1
	r := ring.Z(bound + 1)
	return p.negative(op, p.difference(op, p.resize(op, r, a), p.resize(op, r, b)), bound)
}

// LessFullRange implements mpc.Comparisons. As integers, x = x0 + x1 − 2^k·cx with the carry cx, and so on:
// [x < y] is the parity of the carries of x, y and x − y, and of both parties' [x_i < y_i]. Signed numbers are compared
// as unsigned ones after adding 2^(k−1).
func (p *Party) LessFullRange(op *flow.Op, x, y mpc.Secret, signed bool) mpc.Bit {
	a, b := of(x), of(y)
	if k := max(a.ring.Bits, b.ring.Bits); a.ring != b.ring {
		a, b = of(p.Extend(op, ring.Z(k), a, signed)), of(p.Extend(op, ring.Z(k), b, signed))
	}
	k, n := a.ring.Bits, a.n
	if signed {
		a, b = p.offset(op, a, k-1), p.offset(op, b, k-1)
	}
	all := local(op, a.ring, 3*n, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst.Slice(0, n), src[0])
		ring.Low(dst.Slice(n, 2*n), src[1])
		ring.Sub(dst.Slice(2*n, 3*n), src[0], src[1])
	}, a.mine(), b.mine())
	carries := p.carry(op, all, k, 3*n)
	return bitShare(op, n, flow.Do(op, int64(n)/8, func() ring.Bits {
		if op.Graph.DryRun() {
			return ring.ShapeOnlyBits(n)
		}
		out := borrows(a.own.Get(), b.own.Get())
		for i := range 3 {
			ring.Xor(out, out, cutBits(carries.Get(), i*n, n))
		}
		return out
	}, a.mine(), b.mine(), carries))
}

// borrows returns the bits x < y of unsigned numbers that the party has, in a time that does not depend on them.
func borrows(x, y ring.Vec) ring.Bits {
	wide := ring.Z(x.Ring().Bits + 1)
	a, b := ring.New(wide, x.Len()), ring.New(wide, x.Len())
	ring.Low(a, x)
	ring.Low(b, y)
	ring.Sub(a, a, b)
	return ring.Bit(a, wide.Bits-1)
}

// Equal implements mpc.Comparisons: all bits of x0 − y0 and of y1 − x1 agree. Bits are compared without a message; an
// AND of all follows.
func (p *Party) Equal(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	a, b := of(x), of(y)
	whole := func(s *share) bool { return s.bound >= s.ring.Bits-2 }
	k := max(a.ring.Bits, b.ring.Bits)
	if !whole(a) && !whole(b) {
		k = min(k, max(a.bound, b.bound, 0)+2)
	}
	fit := func(s *share) *share {
		if r := ring.Z(k); k > s.ring.Bits {
			return of(p.Extend(op, r, s, true))
		} else {
			return p.low(op, r, s, s.bound)
		}
	}
	d := p.difference(op, fit(a), fit(b))
	n, bit := d.n, ring.Z(1)
	equal := newShare(bit, k*n, 1, local(op, bit, k*n, func(dst ring.Vec, src []ring.Vec) {
		v := ring.New(d.ring, n)
		ring.Low(v, src[0])
		if p.rank == opener {
			ring.Neg(v, v)
		}
		for i := range k {
			b := ring.Bit(v, i)
			if p.rank == opener {
				ring.Not(b, b)
			}
			ring.FromBits(dst.Slice(i*n, (i+1)*n), b)
		}
	}, d.mine()))
	return p.all(op, equal, n)
}

// all is the AND of planes of n bits.
func (p *Party) all(op *flow.Op, x *share, n int) *share {
	for x.n > n {
		half := x.n / n / 2 * n
		low := p.and(op, p.cut(op, x, 0, half), p.cut(op, x, half, 2*half))
		if 2*half < x.n {
			low = p.join(op, low, p.cut(op, x, 2*half, x.n))
		}
		x = low
	}
	return x
}

// cut is elements [lo, hi) of x.
func (p *Party) cut(op *flow.Op, x *share, lo, hi int) *share {
	if lo == 0 && hi == x.n {
		return x
	}
	return p.mapped(op, x.ring, hi-lo, x.bound, func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, src[0].Slice(lo, hi)) }, x)
}

// join is vectors one after the other.
func (p *Party) join(op *flow.Op, xs ...*share) *share {
	n, bound := 0, xs[0].bound
	for _, x := range xs {
		n, bound = n+x.n, max(bound, x.bound)
	}
	return p.mapped(op, xs[0].ring, n, bound, func(dst ring.Vec, src []ring.Vec) {
		at := 0
		for _, v := range src {
			ring.Low(dst.Slice(at, at+v.Len()), v)
			at += v.Len()
		}
	}, xs...)
}

// and is the AND of two vectors of bits.
func (p *Party) and(op *flow.Op, x, y *share) *share {
	return p.product(op, maps.Elementwise{N: x.n}, x, y, 1, 0)
}
