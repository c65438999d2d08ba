package semi2k

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// centred sets dst to share + 2^(f−1) at the first party and share + 2^(f−1) − 1 at
// the others: only one party rounds halves up, so that the error has mean zero
// even where all shares have the same low bits, and multiples of 2^f stay exact. To
// the first's it adds 2^(k−2), so that the sum is not negative.
func (p *Party) centred(dst, share ring.Vec, f int) {
	ring.AddPow(dst, share, f-1, false)
	if p.first() {
		ring.AddPow(dst, dst, dst.Ring().Bits-2, false)
	} else {
		ring.AddInt(dst, dst, -1)
	}
}

// bias is what a party adds beside one half before it drops bits.
func (p *Party) bias() int64 {
	if p.first() {
		return 0
	}
	return -1
}

// Drop shifts every share, re-randomised (coin.go); the unknown carry out of 2^k
// is a multiple of the narrower ring's modulus.
func (p *Party) Drop(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	s := p.share(x)
	r := ring.Z(s.ring.Bits - by)
	if s.additive == nil && s.masked == nil && s.poly != nil { // in one pass
		return p.newShare(r, s.n, s.bound-by, p.polyDropped(op, s.poly, s.coin(op, by), s.ring, s.n, by))
	}
	return p.newShare(r, s.n, s.bound-by, p.rounded(op, p.own(op, s), s.coin(op, by), r, s.n, by))
}

// Truncate is local for a masked value: it is lifted into a ring of as many bits
// more as go, from which they are dropped. Of a value that all parties know all
// know the quotient, rounded to the nearest. Else the parties re-randomise their
// shares (coin.go) and open their masked top t bits, from which everyone counts
// how often the sum of the shares wraps:
// with τ_i party i's top bits and m_i = τ_i + r_i mod 2^t sent, the wraps are
// Σ_i [m_i < r_i] + ⌊(Σ m_i + n − 1 − R)/2^t⌋, R = Σ r_i. The first sum is
// local; of the second the dealer shares the 2^t values that Σ m_i mod 2^t may
// choose from.
func (p *Party) Truncate(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	s := p.share(x)
	if s.public() {
		return p.truncatedPublic(op, s, by)
	}
	if s.masked != nil {
		wide := ring.Z(s.ring.Bits + by)
		return p.newShare(s.ring, s.n, s.bound-by, p.polyDropped(op, p.asPoly(op, s, wide), s.coin(op, ofMasked(by)), wide, s.n, by))
	}
	k, n, t := s.ring.Bits, s.n, wrapBits(p.n)
	coin := s.coin(op, by)
	mask := correlation.NewFresh(op.Next(), ring.Z(t), n)
	r := p.leaf(op, mask)
	table := p.takeStream(op, &correlation.Request{
		Kind:    correlation.WrapTable,
		Factors: []correlation.Factor{{Mask: mask}},
		Out:     ring.Z(by),
		N:       n * (1<<t - 1),
	})
	v := p.own(op, s)
	var mine ring.Vec
	kind := numbers(ring.Z(t), n)
	kind.sum = ring.Z(t + bits.Len(uint(p.n-1))) // carries count
	sum := p.total(op, bytes(s.ring, n), []addend{kind}, func() []addend {
		zeros := p.rounding(op, coin, s.ring, n, by)
		mine = v.Get().BlankLike(ring.Z(t), n)
		room := v.Get().BlankLike(s.ring, min(n, blockLength))
		eachBlock(n, func(lo, hi int) {
			z := room.Slice(0, hi-lo)
			p.centred(z, v.Get().Slice(lo, hi), by)
			zeros.addTo(z, lo)
			top := mine.Slice(lo, hi)
			ring.Rsh(top, z, k-t)
			ring.Add(top, top, r.Get().Slice(lo, hi))
		})
		room.Free()
		a := kind
		a.vec = mine
		return []addend{a}
	}, v, r)
	return p.newShare(s.ring, n, s.bound-by, flow.Do(op, bytes(s.ring, n), func() ring.Vec {
		out := v.Get().BlankLike(s.ring, n)
		if out.Weightless() {
			return out
		}
		zeros := p.rounding(op, coin, s.ring, n, by)
		size := min(n, blockLength)
		w := wrapCounter{first: p.first(), parties: p.n, t: t, sum: sum.Get()[0].vec, mine: mine, r: r.Get(), table: table.Get(),
			room: ring.Blank(ring.Z(by), (1<<t-1)*size), wraps: ring.Blank(ring.Z(by), size)}
		eachBlock(n, func(lo, hi int) {
			part := out.Slice(lo, hi)
			p.centred(part, v.Get().Slice(lo, hi), by)
			zeros.addTo(part, lo)
			ring.Rsh(part, part, by)
			ring.AddShifted(part, w.count(lo, hi), k-by, true)
			if p.first() {
				ring.AddPow(part, part, k-2-by, true)
			}
		})
		w.room.Free()
		w.wraps.Free()
		return out
	}, sum, v, r, table))
}

// truncatedPublic is the quotient of a value that all parties know, as one.
func (p *Party) truncatedPublic(op *flow.Op, s *share, by int) *share {
	delta := s.masked.delta
	return p.knownToAll(op, flow.Do(op, bytes(s.ring, s.n), func() ring.Vec {
		out := delta.Get().BlankLike(s.ring, s.n)
		ring.AddPow(out, delta.Get(), by-1, false)
		ring.Arsh(out, out, by)
		return out
	}, delta), s.ring, s.n, s.bound-by)
}

// eachBlock calls f with the ends of each block of n elements.
func eachBlock(n int, f func(lo, hi int)) {
	for lo := 0; lo < n; lo += blockLength {
		f(lo, min(lo+blockLength, n))
	}
}

// wrapCounter is what tells a party its shares of the numbers of wraps.
type wrapCounter struct {
	first        bool
	parties, t   int
	sum, mine, r ring.Vec
	table        ring.Stream
	room, wraps  ring.Vec // for a block, of table's entries and of the result
}

// count is this party's share of the number of wraps of elements [lo, hi), in the
// table's ring: every sum of messages selects an entry, whose last follows from
// the others.
func (w *wrapCounter) count(lo, hi int) ring.Vec {
	size, n, entries := hi-lo, w.sum.Len(), 1<<w.t-1
	var one, others uint64
	if w.first {
		one, others = 1, uint64(w.parties-1)
	}
	for b := range entries {
		w.table.Read(w.room.Slice(b*size, (b+1)*size), b*n+lo)
	}
	table, r, mine := w.room.Words(), w.r.Words()[lo:hi], w.mine.Words()[lo:hi]
	out := w.wraps.Slice(0, size)
	to := out.Words()
	for i, total := range w.sum.Words()[lo:hi] {
		entry := table[i]
		last, u := others-r[i]-entry, entry // Σ_j F[j] = n − 1 − R
		for b := 1; b < entries; b++ {      // among two there is one
			next := table[b*size+i]
			last -= next
			u ^= (u ^ next) & -equal64(total&uint64(entries), uint64(b))
		}
		u ^= (u ^ last) & -equal64(total&uint64(entries), uint64(entries))
		_, less := bits.Sub64(mine[i], r[i], 0)
		to[i] = u + less + one*(total>>w.t)
	}
	ring.Low(out, out)
	return out
}

// equal64 is 1 if a and b are equal, numbers below 2^63.
func equal64(a, b uint64) uint64 { return ((a ^ b) - 1) >> 63 }
