package semi2k

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// laneCoin is the lane of the sharings of zero for roundings. The lane of those for messages is the message's
// phase.
const laneCoin = 16

// Rounding (docs/protocols/arithmetic.md#rounding). A party that drops the low t bits of its share rounds the
// value by a coin: the carry out of the low bits of all shares. The dealer (in aby3 the third party) knows
// all masks and all dealt shares, and so every party's share for each candidate input. With plain shares it
// would know the carry too, and a revealed rounded result would confirm or refute the candidate. So shares
// are re-randomised first: a sharing of zero of t bits an element is added to their low bits, which are then
// uniform subject to their sum. The result depends on the value and on bits that the dealer lacks.
//
// Two exceptions, both proved small:
//   - If t > 64, only the highest 64 of the t bits are re-randomised. The other bits change the distribution of
//     the result by a statistical distance of at most (n−1)·2^−64.
//   - Shares over Z_(2^q−1) add up to y + u·(2^q−1) for an integer u in [0, n] (u < n if y ≥ 0), which the
//     dealer knows. It shifts the value before rounding by u/2^t ≤ n·2^−60 of a unit, since t ≥ leastCyclic = 60
//     is enforced.
//
// A rejected alternative is a dither that all computing parties draw from their common seed. It needs no
// pairwise seeds, but the shares keep the offset λ mod 2^t: the dealer would know by how much a candidate's
// probabilities are shifted.

// coin returns the id of the sharing of zero with which s is rounded by that many bits. There is one id for
// each amount, kept with s, so that an additive form is rounded alike by an amount however often it is asked
// for (rule 6). Another additive sharing of the same value never gets the same sharing of zero: the dealer
// knows the difference of two dealt sharings, and so would know how their coins depend on each other.
func (s *share) coin(op *flow.Op, by int) uint64 {
	if id, ok := s.coins[by]; ok {
		return id
	}
	if s.coins == nil {
		s.coins = map[int]uint64{}
	}
	s.coins[by] = op.Next()
	return s.coins[by]
}

// maskedAmount is the amount for the sharing that the masked form has in a wider ring,
// which need not be that of the additive form.
func maskedAmount(by int) int { return -by }

// zeroSharing is this party's part of a sharing of zero among the computing parties: the sum of the streams
// that it shares with parties of higher rank minus the sum of those that it shares with parties of lower
// rank. Each pair of computing parties has a seed that the dealer lacks. An id and a lane serve one value.
type zeroSharing struct {
	ring    ring.Ring
	by      int // elements of the streams are multiplied by 2^by (roundings)
	streams []ring.Stream
	minus   int // number of streams that are subtracted, the first ones: those with parties of lower rank
}

// zeroSharing returns the sharing of n elements over r with the given id and lane.
func (p *Party) zeroSharing(id uint64, lane uint8, r ring.Ring, n int) zeroSharing {
	z := zeroSharing{ring: r, streams: make([]ring.Stream, 0, len(p.others)), minus: p.rank}
	for _, i := range p.others { // ascending
		z.streams = append(z.streams, p.pairs[i].Stream(r, n, id, lane))
	}
	return z
}

// leastCyclic is the smallest number of bits that may be dropped of shares over Z_(2^q−1).
const leastCyclic = 60

// rounding returns the sharing of zero that a share over r gets before its low t bits are dropped, and adds
// its work to op.
func (p *Party) rounding(op *flow.Op, id uint64, r ring.Ring, n, t int) zeroSharing {
	if r.Cyclic && t < leastCyclic {
		panic(fmt.Sprintf("semi2k: %d bits dropped of a share over %v reveal to the dealer how often shares wrap: at least %d are needed", t, r, leastCyclic))
	}
	of := ring.Z(min(t, 64))
	op.Spend(flow.Stream, int64(len(p.others)*n*of.Drawn()))
	if op.Graph.DryRun() || p.bare {
		return zeroSharing{}
	}
	z := p.zeroSharing(id, laneCoin, of, n)
	z.by = t - of.Bits
	return z
}

// addTo adds elements [lo, lo + v.Len()) of the sharing to v.
func (z zeroSharing) addTo(v ring.Vec, lo int) {
	if len(z.streams) == 0 {
		return
	}
	room := ring.NewUninitialised(z.ring, v.Len())
	for i, s := range z.streams {
		switch part := s.Part(room, lo, lo+v.Len()); {
		case z.ring.Words() == 1 && !z.ring.Cyclic:
			ring.Offset(v, part, z.by, i < z.minus)
		case i < z.minus:
			ring.Sub(v, v, part)
		default:
			ring.Add(v, v, part)
		}
	}
	room.Free()
}

// truncateReduceInto sets out to this party's share of value/2^t, of elements from place
// lo on of a share that is v, rounded with the sharing. v is overwritten.
func (p *Party) truncateReduceInto(out, v ring.Vec, t int, z zeroSharing, lo int) {
	z.addTo(v, lo)
	ring.TruncateReduce(out, v, t, p.bias())
}

// truncateReduceShares is a share of value/2^t over r from one over a ring of t bits more or
// over a cyclic one, with the sharing of zero that an id names.
func (p *Party) truncateReduceShares(op *flow.Op, v *flow.Future[ring.Vec], id uint64, r ring.Ring, n, t int) *flow.Future[ring.Vec] {
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		in := v.Get()
		out, z := in.UninitialisedLike(r, n), p.rounding(op, id, in.Ring(), n, t)
		op.Spend(flow.Cached, 6*bytes(in.Ring(), n)) // a copy, to which the sharing is added and which is shifted and narrowed
		if out.ShapeOnly() {
			return out
		}
		ring.Parallel(n, 8*blockLength, func(from, to int) {
			room := ring.NewUninitialised(in.Ring(), min(blockLength, to-from))
			for lo := from; lo < to; lo += blockLength {
				hi := min(lo+blockLength, to)
				part := room.Slice(0, hi-lo)
				copy(part.Words(), in.Slice(lo, hi).Words())
				p.truncateReduceInto(out.Slice(lo, hi), part, t, z, lo)
			}
			room.Free()
		})
		return out
	}, v)
}
