package semi2k

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// centred sets dst to share + 2^(f−1) at the first party, and to share + 2^(f−1) − 1 at the others. For
// n = 2 the error of the rounding then has mean zero, even if the low bits of the shares are equal, and multiples
// of 2^f stay exact. For n ≥ 3 the mean is −(n−2)/2^(f+1) of a unit, and multiples of 2^f are not exact
// (docs/protocols/arithmetic.md#truncate-reduce). The first party also adds 2^(k−2), so that the sum is not
// negative.
func (p *Party) centred(dst, share ring.Vec, f int) {
	ring.AddPow(dst, share, f-1, false)
	if p.first() {
		ring.AddPow(dst, dst, dst.Ring().Bits-2, false)
	} else {
		ring.AddInt(dst, dst, -1)
	}
}

// bias is what a party adds to its share, beside 2^(t−1), before it drops t bits: 0 at the first party, −1 at
// the others.
func (p *Party) bias() int64 {
	if p.first() {
		return 0
	}
	return -1
}

// TruncateReduce implements mpc.Reductions (docs/protocols/arithmetic.md#truncate-reduce). Each party drops the low
// bits of its re-randomised share (coin.go); nothing is sent. The sum's unknown carry out of 2^k becomes a multiple
// of the narrower ring's modulus.
func (p *Party) TruncateReduce(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	s := p.share(x)
	r := ring.Z(s.ring.Bits - by)
	if s.additive == nil && s.masked == nil && s.poly != nil { // in one pass
		return p.newShare(r, s.n, mpc.RoundedBound(s.bound, by, p.n), p.polyTruncateReduced(op, s.poly, s.coin(op, by), s.ring, s.n, by))
	}
	return p.newShare(r, s.n, mpc.RoundedBound(s.bound, by, p.n), p.truncateReduceShares(op, p.additive(op, s), s.coin(op, by), r, s.n, by))
}

// Truncate implements mpc.Core (docs/protocols/arithmetic.md#truncation). It depends on x's form:
//   - Public: all parties round the quotient to the nearest integer.
//   - Masked: x is extended to a ring of by more bits and truncate-reduced. Nothing is sent.
//   - Otherwise the parties re-randomise their shares (coin.go) and open the top t bits of each, masked, from which
//     they count how often the sum of the shares wraps. With τ_i party i's top bits and m_i = τ_i + r_i mod 2^t its
//     message, the count is Σ_i [m_i < r_i] + ⌊(Σ m_i + n − 1 − r)/2^t⌋, r = Σ r_i. Each party has its term of the
//     first sum. The dealer shares the value of the second for each Σ m_i mod 2^t.
func (p *Party) Truncate(op *flow.Op, x mpc.Secret, by int) mpc.Secret {
	s := p.share(x)
	if s.public() {
		return p.truncatedPublic(op, s, by)
	}
	if s.masked != nil {
		wide := ring.Z(s.ring.Bits + by)
		v := p.polyTruncateReduced(op, p.asPoly(op, s, wide), s.coin(op, maskedAmount(by)), wide, s.n, by)
		return p.newShare(s.ring, s.n, mpc.RoundedBound(s.bound, by, p.n), v)
	}
	k, n, t := s.ring.Bits, s.n, wrapBits(p.n)
	coin := s.coin(op, by)
	mask := correlation.NewFresh(op.Next(), ring.Z(t), n)
	r := p.leafStream(op, mask)
	table := p.takeStream(op, &correlation.Request{
		Kind:    correlation.WrapTable,
		Factors: []correlation.Factor{{Mask: mask}},
		Out:     ring.Z(by),
		N:       n * (1<<t - 1),
	})
	v := p.additive(op, s)
	var mine, own, rounded ring.Vec // rounded: the re-randomised share, kept from the opening on if it is short
	kind := vecAddend(ring.Z(t), n)
	kind.sum = ring.Z(t + bits.Len(uint(p.n-1))) // carries count
	sum := p.openSum(op, bytes(s.ring, n), []addend{kind}, func() []addend {
		op.Spend(flow.Cached, 6*bytes(s.ring, n)) // the share is centred, the sharing is added, top bits are taken and masked
		zeros := p.rounding(op, coin, s.ring, n, by)
		mine, own = v.Get().UninitialisedLike(ring.Z(t), n), v.Get().UninitialisedLike(ring.Z(t), n)
		r.Get().Read(own, 0)
		room := v.Get().UninitialisedLike(s.ring, min(n, blockLength))
		if n <= keptRoundings {
			rounded = v.Get().UninitialisedLike(s.ring, n)
		}
		eachBlock(n, func(lo, hi int) {
			z := room.Slice(0, hi-lo)
			if n <= keptRoundings {
				z = rounded.Slice(lo, hi)
			}
			p.centred(z, v.Get().Slice(lo, hi), by)
			zeros.addTo(z, lo)
			top := mine.Slice(lo, hi)
			ring.Rsh(top, z, k-t)
			ring.Add(top, top, own.Slice(lo, hi))
		})
		room.Free()
		a := kind
		a.vec = mine
		return []addend{a}
	}, v, r)
	return p.newShare(s.ring, n, mpc.RoundedBound(s.bound, by, p.n), flow.Do(op, bytes(s.ring, n), func() ring.Vec {
		out := rounded
		op.Spend(flow.Cached, 8*bytes(s.ring, n)) // likewise, and wraps are counted and subtracted
		var zeros zeroSharing
		if n > keptRoundings {
			out, zeros = v.Get().UninitialisedLike(s.ring, n), p.rounding(op, coin, s.ring, n, by)
		}
		if out.ShapeOnly() {
			return v.Get().UninitialisedLike(s.ring, n)
		}
		size := min(n, blockLength)
		w := wrapCounter{first: p.first(), parties: p.n, t: t, sum: sum.Get()[0].vec, mine: mine, r: own, table: table.Get(),
			room: ring.NewUninitialised(ring.Z(by), (1<<t-1)*size), wraps: ring.NewUninitialised(ring.Z(by), size)}
		eachBlock(n, func(lo, hi int) {
			part := out.Slice(lo, hi)
			if n > keptRoundings {
				p.centred(part, v.Get().Slice(lo, hi), by)
				zeros.addTo(part, lo)
			}
			ring.Rsh(part, part, by)
			ring.AddShifted(part, w.count(lo, hi), k-by, true)
			if p.first() {
				ring.AddPow(part, part, k-2-by, true)
			}
		})
		for _, v := range []ring.Vec{w.room, w.wraps, w.sum, mine, own} { // nothing else reads them
			v.Free()
		}
		return out
	}, sum, v, r, table))
}

// keptRoundings is the number of elements up to which a truncation keeps its re-randomised share while it waits for the other
// parties' messages. Longer ones make it a second time, so that a share's memory is not held twice.
const keptRoundings = 1 << 14

// truncatedPublic is the quotient of a public value, rounded to the nearest integer, as a public value.
func (p *Party) truncatedPublic(op *flow.Op, s *share, by int) *share {
	delta := s.masked.delta
	return p.publicShare(op, flow.Do(op, bytes(s.ring, s.n), func() ring.Vec {
		out := delta.Get().UninitialisedLike(s.ring, s.n)
		ring.AddPow(out, delta.Get(), by-1, false)
		ring.Arsh(out, out, by)
		return out
	}, delta), s.ring, s.n, mpc.RoundedBound(s.bound, by, p.n))
}

// eachBlock calls f with the bounds of each block of blockLength elements.
func eachBlock(n int, f func(lo, hi int)) {
	for lo := 0; lo < n; lo += blockLength {
		f(lo, min(lo+blockLength, n))
	}
}

// wrapCounter holds what a party computes its shares of the number of wraps from.
type wrapCounter struct {
	first        bool
	parties, t   int
	sum, mine, r ring.Vec
	table        ring.Stream
	room, wraps  ring.Vec // one block of table entries, and of results
}

// count is this party's share of the number of wraps for elements [lo, hi), in the table's ring. The sum of
// the messages selects an entry of the table; the last entry follows from the others.
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
		last, u := others-r[i]-entry, entry // Σ_j F[j] = n − 1 − r
		for b := 1; b < entries; b++ {      // no pass for two parties
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

// equal64 is 1 if a = b, else 0; a and b are below 2^63.
func equal64(a, b uint64) uint64 { return ((a ^ b) - 1) >> 63 }
