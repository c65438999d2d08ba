package semi2k

import (
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
)

// threshold asks for [x < c] of an open x. The bit is kept with x and opened at most once, so a second
// comparison of x with c, in any operation, and of −x with 1 − c, sends nothing.
type threshold struct {
	x *share
	c int64
}

// LessConst implements mpc.Comparisons. If x is not open, it opens x in the narrowest ring that holds x. The
// comparison takes two more rounds.
func (p *Party) LessConst(op *flow.Op, x mpc.Secret, c int64) mpc.Bit {
	s := p.narrowed(op, p.share(x))
	p.open(op, s)
	return p.lessThanThresholds(op, threshold{s, c})[0]
}

// lessThanThresholds answers thresholds; what has to be compared goes in the same messages.
func (p *Party) lessThanThresholds(op *flow.Op, ts ...threshold) []*share {
	var todo []threshold
	var cs []comparison
	for _, t := range ts {
		t, _ = t.unnegated()
		if t.x.lessThan[t.c] != nil || p.fromNeighbour(op, t) {
			continue
		}
		todo, cs = append(todo, t), append(cs, p.thresholdComparison(op, t))
	}
	if len(todo) > 0 {
		for i, x := range p.negativeShares(op, cs...) {
			todo[i].memoise(p.fromShares(op, todo[i].x.n, x))
		}
	}
	out := make([]*share, len(ts))
	for i, t := range ts {
		t, flipped := t.unnegated()
		if out[i] = t.x.lessThan[t.c]; flipped {
			out[i] = p.AddPublic(op, out[i], p.ones(op, t.x.n), 0).(*share)
		}
	}
	return out
}

// unnegated is the threshold for what x is the negation of: [−x < c] is not
// [x < 1 − c].
func (t threshold) unnegated() (_ threshold, flipped bool) {
	for ; t.x.negationOf != nil; flipped = !flipped {
		t = threshold{t.x.negationOf, 1 - t.c}
	}
	return t, flipped
}

func (t threshold) memoise(b *share) { t.x.thresholdBits()[t.c] = b }

// thresholdBits are the answers about x: one set for all its rings.
func (s *share) thresholdBits() map[int64]*share {
	if s.lessThan == nil {
		s.lessThan = map[int64]*share{}
	}
	return s.lessThan
}

// thresholdComparison is the comparison of x − c with zero. x itself and x − 1 have as
// many bits as x's bound asks for, as |x| is below it.
func (p *Party) thresholdComparison(op *flow.Op, t threshold) comparison {
	if t.c == 0 {
		return signComparison(t.x)
	}
	width := t.x.bound + 1
	if t.c != 1 {
		width = max(t.x.bound, bits.Len64(uint64(max(t.c, -t.c)))) + 2
	}
	d := p.plusConst(op, t.x, big.NewInt(-t.c))
	d.bound = min(d.bound, width-1) // of x − 1 as of x
	return comparison{d, max(2, min(width, t.x.ring.Bits))}
}

// fromNeighbour answers a threshold beside one that is known, by an equality:
// [x < c + 1] = [x < c] ⊕ [x = c].
func (p *Party) fromNeighbour(op *flow.Op, t threshold) bool {
	at, known := t.c, t.x.lessThan[t.c+1]
	if known == nil {
		at, known = t.c-1, t.x.lessThan[t.c-1]
	}
	if known == nil || bits.Len64(uint64(max(at, -at))) > t.x.bound {
		return false
	}
	d := t.x
	if at != 0 {
		d = p.plusConst(op, t.x, big.NewInt(-at))
	}
	equal := p.isZero(op, d, min(t.x.bound+1, t.x.ring.Bits))
	t.memoise(p.Linear(op, maps.Combine{N: t.x.n, Coef: []int64{1, 1}}, known, equal).(*share))
	return true
}
