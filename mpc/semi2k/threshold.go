package semi2k

import (
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
)

// threshold asks for [x < c] of an open x. The answer is kept with x, as a bit
// that is opened once: whoever compares x with the same number, in whatever
// operation and whichever way round, pays nothing.
type threshold struct {
	x *share
	c int64
}

// Under opens x in the narrowest ring that holds it, unless it is open, and
// takes two rounds to compare.
func (p *Party) Under(op *flow.Op, x mpc.Secret, c int64) mpc.Bit {
	s := p.narrowed(op, p.share(x))
	p.open(op, s)
	return p.under(op, threshold{s, c})[0]
}

// under answers thresholds; what has to be compared goes in the same messages.
func (p *Party) under(op *flow.Op, ts ...threshold) []*share {
	var todo []threshold
	var cs []comparison
	for _, t := range ts {
		t, _ = t.positive()
		if t.x.signs[t.c] != nil || p.besides(op, t) {
			continue
		}
		todo, cs = append(todo, t), append(cs, p.compared(op, t))
	}
	if len(todo) > 0 {
		for i, x := range p.negativeShares(op, cs...) {
			todo[i].keep(p.fromShares(op, todo[i].x.n, x))
		}
	}
	out := make([]*share, len(ts))
	for i, t := range ts {
		t, flipped := t.positive()
		if out[i] = t.x.signs[t.c]; flipped {
			out[i] = p.AddPublic(op, out[i], ones(op, t.x.n), 0).(*share)
		}
	}
	return out
}

// positive is the threshold for what x is the negation of: [−x < c] is not
// [x < 1 − c].
func (t threshold) positive() (_ threshold, flipped bool) {
	for ; t.x.minus != nil; flipped = !flipped {
		t = threshold{t.x.minus, 1 - t.c}
	}
	return t, flipped
}

func (t threshold) keep(b *share) { t.x.kept()[t.c] = b }

// kept are the answers about x: one set for all its rings.
func (s *share) kept() map[int64]*share {
	if s.signs == nil {
		s.signs = map[int64]*share{}
	}
	return s.signs
}

// compared is the comparison of x − c with zero. x itself and x − 1 have as
// many bits as x's bound asks for, as |x| is below it.
func (p *Party) compared(op *flow.Op, t threshold) comparison {
	if t.c == 0 {
		return compare(t.x)
	}
	width := t.x.bound + 1
	if t.c != 1 {
		width = max(t.x.bound, bits.Len64(uint64(max(t.c, -t.c)))) + 2
	}
	d := p.shifted(op, t.x, big.NewInt(-t.c))
	d.bound = min(d.bound, width-1) // of x − 1 as of x
	return comparison{d, max(2, min(width, t.x.ring.Bits))}
}

// besides answers a threshold beside one that is known, by an equality:
// [x < c + 1] = [x < c] ⊕ [x = c].
func (p *Party) besides(op *flow.Op, t threshold) bool {
	at, known := t.c, t.x.signs[t.c+1]
	if known == nil {
		at, known = t.c-1, t.x.signs[t.c-1]
	}
	if known == nil || bits.Len64(uint64(max(at, -at))) > t.x.bound {
		return false
	}
	d := t.x
	if at != 0 {
		d = p.shifted(op, t.x, big.NewInt(-at))
	}
	equal := p.isZero(op, d, min(t.x.bound+1, t.x.ring.Bits))
	t.keep(p.Linear(op, maps.Combine{N: t.x.n, Coef: []int64{1, 1}}, known, equal).(*share))
	return true
}
