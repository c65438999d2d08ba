package semi2k

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// centred is share + 2^(f−1) at the first party and share + 2^(f−1) − 1 at the
// others: only one party rounds halves up, so that the error has mean zero
// even where all shares have the same low bits, and multiples of 2^f stay
// exact.
func (p *Party) centred(v ring.Vec, f int) ring.Vec {
	out := v.BlankLike(v.Ring(), v.Len())
	ring.AddPow(out, v, f-1, false)
	if !p.first() {
		ring.AddInt(out, out, -1)
	}
	return out
}

// bias is what a party adds beside one half before it drops bits.
func (p *Party) bias() int64 {
	if p.first() {
		return 0
	}
	return -1
}

// Drop shifts every share; the unknown carry out of 2^k is a multiple of the
// narrower ring's modulus.
func (p *Party) Drop(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	s := p.share(x)
	r := ring.Z(s.ring.Bits - by)
	if s.additive == nil && s.masked == nil && s.poly != nil { // in one pass
		return p.newShare(r, s.n, s.bound-by, p.polyDropped(op, s.poly, s.ring, s.n, by))
	}
	v := p.own(op, s)
	return p.newShare(r, s.n, s.bound-by, flow.Do(op, bytes(r, s.n), func() ring.Vec {
		out := v.Get().BlankLike(r, s.n)
		ring.Drop(out, v.Get(), by, p.bias())
		return out
	}, v))
}

// Truncate is local for a masked value. Else the parties open their masked top
// t bits, from which everyone counts how often the sum of the shares wraps:
// with τ_i party i's top bits and m_i = τ_i + r_i mod 2^t sent, the wraps are
// Σ_i [m_i < r_i] + ⌊(Σ m_i + n − 1 − R)/2^t⌋, R = Σ r_i. The first sum is
// local; of the second the dealer shares the 2^t values that Σ m_i mod 2^t may
// choose from.
func (p *Party) Truncate(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	s := p.share(x)
	if s.masked != nil {
		return p.newPoly(s.ring, s.n, s.bound-by, p.truncatedPoly(op, s.masked, s.ring, s.n, by))
	}
	k, n, t := s.ring.Bits, s.n, wrapBits(p.n)
	mask := correlation.NewFresh(op.Next(), ring.Z(t), n)
	r := p.leaf(op, mask)
	table := p.takeVec(op, &correlation.Request{
		Kind:    correlation.WrapTable,
		Factors: []correlation.Factor{{Mask: mask}},
		Out:     ring.Z(by),
		N:       n * (1<<t - 1),
	})
	v := p.own(op, s)
	shifted := flow.Do(op, bytes(s.ring, n), func() ring.Vec {
		z := p.centred(v.Get(), by)
		if p.first() {
			ring.AddPow(z, z, k-2, false)
		}
		return z
	}, v)
	var mine ring.Vec
	kind := numbers(ring.Z(t), n)
	kind.sum = ring.Z(t + bits.Len(uint(p.n-1))) // carries count
	sum := p.total(op, bytes(s.ring, n), []addend{kind}, func() []addend {
		z := shifted.Get()
		mine = z.BlankLike(ring.Z(t), n)
		ring.Rsh(mine, z, k-t)
		ring.Add(mine, mine, r.Get())
		a := kind
		a.vec = mine
		return []addend{a}
	}, shifted, r)
	return p.newShare(s.ring, n, s.bound-by, flow.Do(op, bytes(s.ring, n), func() ring.Vec {
		wraps := p.wraps(sum.Get()[0].vec, mine, r.Get(), table.Get(), t)
		z := shifted.Get()
		out, u := z.BlankLike(s.ring, n), z.BlankLike(s.ring, n)
		ring.Rsh(out, z, by)
		ring.Low(u, wraps)
		ring.Lsh(u, u, k-by)
		ring.Sub(out, out, u)
		if p.first() {
			ring.AddPow(out, out, k-2-by, true)
		}
		u.Free()
		return out
	}, sum, shifted, r, table))
}

// wraps is this party's share of the number of wraps, in the table's ring:
// every sum of messages selects an entry, whose last follows from the others.
func (p *Party) wraps(sum, mine, r, table ring.Vec, t int) ring.Vec {
	n := sum.Len()
	out := sum.Like(table.Ring(), n)
	if sum.Weightless() {
		return out
	}
	blocks := 1<<t - 1
	w := make([]uint64, n)
	for i, total := range sum.Words() {
		j := int(total) & blocks // mod 2^t
		var u uint64
		if j < blocks {
			u = table.Words()[j*n+i]
		} else { // Σ_j F[j] = n − 1 − R
			u = -r.Words()[i]
			if p.first() {
				u += uint64(p.n - 1)
			}
			for b := range blocks {
				u -= table.Words()[b*n+i]
			}
		}
		_, less := bits.Sub64(mine.Words()[i], r.Words()[i], 0)
		u += less
		if p.first() {
			u += total >> t
		}
		w[i] = u
	}
	return ring.FromWords(table.Ring(), w)
}
