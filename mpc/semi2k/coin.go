package semi2k

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// laneCoin keeps the sharings of zero for roundings apart from those for
// messages, which have their phase for a lane.
const laneCoin = 16

// A party that drops t low bits of its share rounds the value by a coin: the
// carry out of the low bits of all shares. Whoever knows all dealt shares and
// masks (the dealer; in aby3 the third party) knows every share of every
// candidate input, so that the carry of plain shares would be known too, and a
// rounded result that is revealed would confirm or refute the candidate. So the
// shares are re-randomised first: their low bits, in Z_2^K by a sharing of zero of
// t bits an element, which leaves the low bits uniform but for their sum. The
// result then depends on the value alone and on bits that the dealer lacks.
//
// Two things of the coin are known, both below 2^−60. Of more than 64 bits the
// highest 64 are re-randomised: the others move the probability of rounding up by
// less than 2^−64. And shares in Z_(2^q−1) that wrap u times, u < n, stand for a
// value that is smaller by u of 2^t, t ≥ 60, parts of a unit.
//
// The alternative, a dither that all computing parties draw from their common
// seed, needs no parties' pairs, but leaves a value with the offset λ mod 2^t: the
// dealer would know by how much a candidate's probabilities are shifted.

// coin names the sharing of zero with which a value is rounded by so many bits: an
// id of its own for each of these amounts, kept with the share, so that one sharing
// has one rounding by an amount whatever asks for it (rule 6). Another sharing of the
// same value never gets the same zeros: the dealer knows by how much two dealt
// sharings differ, and so how their coins would depend on each other.
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

// ofMasked is the amount for the sharing that the masked form has in a wider ring,
// which need not be that of the additive form.
func ofMasked(by int) int { return -by }

// zeroSharing is this party's part of a sharing of zero among the computing
// parties, from the seeds that each two of them share and the dealer lacks: the
// sum of the streams in common with parties of higher rank minus those in common
// with parties of lower rank. An id and a lane serve one value.
type zeroSharing struct {
	ring    ring.Ring
	by      int // of a rounding: the streams' elements are times 2^by
	streams []ring.Stream
	minus   []bool
}

// zeroSharing makes the sharing with an id and a lane, n elements over r.
func (p *Party) zeroSharing(id uint64, lane uint8, r ring.Ring, n int) zeroSharing {
	z := zeroSharing{ring: r}
	for _, i := range p.others {
		z.streams = append(z.streams, p.pairs[i].Stream(r, n, id, lane))
		z.minus = append(z.minus, i < p.rank)
	}
	return z
}

// leastCyclic is how many bits at least are dropped of shares over Z_(2^q−1).
const leastCyclic = 60

// rounding makes the sharing that a share over r gets before its t low bits are
// dropped, and books the work.
func (p *Party) rounding(op *flow.Op, id uint64, r ring.Ring, n, t int) zeroSharing {
	if r.Cyclic && t < leastCyclic {
		panic(fmt.Sprintf("semi2k: %d bits dropped of a share over %v, which tells how often shares wrap", t, r))
	}
	of := ring.Z(min(t, 64))
	op.Spend(flow.Stream, int64(len(p.others)*n*of.Drawn()))
	if op.Graph.Weightless() || p.bare {
		return zeroSharing{}
	}
	z := p.zeroSharing(id, laneCoin, of, n)
	z.by = t - of.Bits
	return z
}

// addTo adds elements from place lo on to as many of a share.
func (z zeroSharing) addTo(v ring.Vec, lo int) {
	if len(z.streams) == 0 {
		return
	}
	room := ring.Blank(z.ring, v.Len())
	for i, s := range z.streams {
		switch part := s.Part(room, lo, lo+v.Len()); {
		case z.ring.Words() == 1 && !z.ring.Cyclic:
			ring.Offset(v, part, z.by, z.minus[i])
		case z.minus[i]:
			ring.Sub(v, v, part)
		default:
			ring.Add(v, v, part)
		}
	}
	room.Free()
}

// droppedInto sets out to this party's share of value/2^t, of elements from place
// lo on of a share that is v, rounded with the sharing. v is overwritten.
func (p *Party) droppedInto(out, v ring.Vec, t int, z zeroSharing, lo int) {
	z.addTo(v, lo)
	ring.Drop(out, v, t, p.bias())
}

// rounded is a share of value/2^t over r from one over a ring of t bits more or
// over a cyclic one, with the sharing of zero that an id names.
func (p *Party) rounded(op *flow.Op, v *flow.Of[ring.Vec], id uint64, r ring.Ring, n, t int) *flow.Of[ring.Vec] {
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		in := v.Get()
		out, z := in.BlankLike(r, n), p.rounding(op, id, in.Ring(), n, t)
		if out.Weightless() {
			return out
		}
		ring.Parallel(n, 8*blockLength, func(from, to int) {
			room := ring.Blank(in.Ring(), min(blockLength, to-from))
			for lo := from; lo < to; lo += blockLength {
				hi := min(lo+blockLength, to)
				part := room.Slice(0, hi-lo)
				copy(part.Words(), in.Slice(lo, hi).Words())
				p.droppedInto(out.Slice(lo, hi), part, t, z, lo)
			}
			room.Free()
		})
		return out
	}, v)
}
