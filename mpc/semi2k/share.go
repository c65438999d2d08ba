package semi2k

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// share is a secret vector. It has at least one form; others are made when an operation needs them, and kept.
// Which forms exist is known while the graph is built.
type share struct {
	ring  ring.Ring
	n     int
	bound int

	additive    *flow.Future[ring.Vec] // this party's share
	masked      *masked
	poly        *poly
	bits        *share // the bits of its numbers (bitform.go)
	narrow      *share // the same value in a narrower ring
	image       *image
	negationOf  *share           // what it is the negation of
	lessThan    map[int64]*share // [x < c] by c
	differences []keptDifference
	coins       map[int]uint64 // see coin
}

// masked is a vector's masked form: Δ = x + λ in its ring.
type masked struct {
	delta      *flow.Future[ring.Vec]
	lambda     *flow.Future[ring.Vec] // this party's share of λ
	zeroLambda bool                   // this party's share of λ is zero
	stream     *ring.Stream           // at the party whose seed makes λ: λ, expanded where it is read; else nil
	known      *ring.Vec              // at that party, of a vector that stays: the vector in cleartext; else nil
	// Of an input that is packed (input.packed): Δ as it was sent, and at the owner the vector in cleartext; else nil.
	sent, plain *flow.Future[ring.Stream]
	mask        *correlation.Mask
	*maskKept
	bit  *bit               // of a vector over Z_2: the same, packed
	hots map[hotsKey]*share // of an index: one-hot vectors that are opened
	// What of its logarithm, powers and quotients is one for all.
	normalisations map[normalisationKey]*normalisation
}

// maskKept holds what was dealt for a mask. It is shared by all masked forms under that mask.
type maskKept struct {
	tables  map[tableKey]bitVec
	repeats *repeated // of a mask that repeats another one's elements
	factors []*factor
	oneHots map[hotKey]*flow.Future[ring.Vec]
	parts   map[int]*correlation.Mask // its shares by rank, as masks (partOfMask)
}

func (s *share) Len() int        { return s.n }
func (s *share) Ring() ring.Ring { return s.ring }
func (s *share) Bound() int      { return s.bound }
func (s *share) Opened() bool    { return s.masked != nil }

// width is the number of bits of a ring that holds x with a slack bit: |x| < 2^(width−2).
func (s *share) width() int { return max(s.bound, 0) + 2 }

// public reports whether all computing parties know the vector.
func (s *share) public() bool { return s.masked != nil && s.masked.mask.Kind == correlation.Zero }

func (p *Party) share(x mpc.Secret) *share {
	s, ok := x.(*share)
	if !ok {
		panic(fmt.Sprintf("semi2k: secret of another protocol: %T", x))
	}
	return s
}

// capBound caps a bound at what a ring can hold.
func capBound(bound int, r ring.Ring) int { return min(bound, r.Bits-2) }

func (p *Party) newShare(r ring.Ring, n, bound int, additive *flow.Future[ring.Vec]) *share {
	return &share{ring: r, n: n, bound: capBound(bound, r), additive: additive}
}

func (p *Party) newPoly(r ring.Ring, n, bound int, y *poly) *share {
	return &share{ring: r, n: n, bound: capBound(bound, r), poly: y}
}

func newMasked(delta, lambda *flow.Future[ring.Vec], mask *correlation.Mask) *masked {
	return &masked{delta: delta, lambda: lambda, mask: mask, maskKept: &maskKept{}}
}

func bytes(r ring.Ring, n int) int64 { return int64(n) * int64(r.Words()) * 8 }

// additive is this party's additive share, made from another form if need be.
func (p *Party) additive(op *flow.Op, s *share) *flow.Future[ring.Vec] {
	switch {
	case s.additive != nil:
	case s.masked != nil && s.masked.zeroLambda && p.first():
		s.additive = s.masked.delta
	case s.masked != nil && s.masked.zeroLambda: // waits for Δ all the same: all parties' rounds are alike
		lambda := s.masked.lambda
		s.additive = flow.Pick(op, lambda.Get, lambda, s.masked.delta)
	case s.masked != nil:
		m := s.masked
		s.additive = flow.Do(op, bytes(s.ring, s.n), func() ring.Vec {
			lambda := m.lambda.Get()
			out := lambda.UninitialisedLike(s.ring, s.n)
			if p.first() {
				ring.Sub(out, m.delta.Get(), lambda)
			} else {
				ring.Neg(out, lambda)
			}
			return out
		}, m.delta, m.lambda)
	case s.poly != nil:
		s.additive = p.polyShare(op, s.poly, s.ring, s.n)
	case s.bits != nil:
		s.additive = p.composed(op, s.ring, s.bits, s.n)
	default:
		s.additive = p.additiveImage(op, s)
		s.dropImage()
	}
	return s.additive
}

// Finalize implements mpc.Openings. It computes the additive share of x, so that Reveal only has to send it.
func (p *Party) Finalize(op *flow.Op, x mpc.Secret) { flow.Force(op, p.additive(op, p.share(x))) }

// Unopened implements mpc.Openings. It returns the vector in its additive form only. Later operations open it under
// new masks.
func (p *Party) Unopened(op *flow.Op, x mpc.Secret) mpc.Secret {
	s := p.share(x)
	return p.newShare(s.ring, s.n, s.bound, p.additive(op, s))
}

// narrowTo gives the same value in a narrower ring that holds it.
func (p *Party) narrowTo(op *flow.Op, s *share, r ring.Ring) *share {
	if s.ring == r {
		return s
	}
	if s.narrow != nil && s.narrow.ring == r {
		return s.narrow
	}
	if s.onlyBits() {
		s.narrow = p.newShare(r, s.n, s.bound, nil)
		s.narrow.bits = p.lowBits(op, s, r.Bits)
		return s.narrow
	}
	if s.image != nil && s.image.linear != nil {
		if roots, _ := leastToOpen(nil, s); len(roots) != 1 || roots[0] != s {
			return p.narrowImage(op, s, r, roots)
		}
	}
	v := p.additive(op, s)
	s.narrow = p.newShare(r, s.n, s.bound, flow.Do(op, bytes(r, s.n), func() ring.Vec {
		out := v.Get().UninitialisedLike(r, s.n)
		ring.Low(out, v.Get())
		return out
	}, v))
	s.narrow.lessThan = s.thresholdBits()
	return s.narrow
}

// Linear implements mpc.Core. It applies the map to the masked forms if all operands have one, and to the additive
// shares otherwise. Nothing is sent.
func (p *Party) Linear(op *flow.Op, m maps.Linear, xs ...mpc.Secret) mpc.Secret {
	in := make([]*share, 0, len(xs))
	all, bound := true, 0
	for _, x := range xs {
		s := p.share(x)
		in = append(in, s)
		all = all && s.masked != nil
		bound = max(bound, s.bound)
	}
	r, n := in[0].ring, m.Out()
	out := p.newShare(r, n, bound+m.Growth(), nil)
	if out.bits = p.viewedBits(op, m, in); out.bits != nil && slices.ContainsFunc(in, (*share).onlyBits) {
		return out
	}
	if negates(m) {
		out.negationOf = in[0]
	}
	if !all {
		if out.image = imageOf(m, in); out.image != nil {
			return out
		}
	}
	if !all {
		own := make([]*flow.Future[ring.Vec], 0, len(in))
		for _, s := range in {
			own = append(own, p.additive(op, s))
		}
		out.additive = p.applyLinear(op, m, r, own...)
		return out
	}
	out.masked = p.maskedLinear(op, m, r, in...)
	return out
}

// applyLinear applies a linear map to vectors that a party has.
func (p *Party) applyLinear(op *flow.Op, m maps.Linear, r ring.Ring, vs ...*flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
	return flow.Do(op, bytes(r, m.Out()), func() ring.Vec {
		src := make([]ring.Vec, len(vs))
		for i, v := range vs {
			src[i] = v.Get()
		}
		dst := src[0].UninitialisedLike(r, m.Out())
		m.Apply(dst, src...)
		return dst
	}, deps(vs)...)
}

// maskedLinear is the masked form of a linear map of opened shares.
func (p *Party) maskedLinear(op *flow.Op, m maps.Linear, r ring.Ring, in ...*share) *masked {
	deltas, lambdas := make([]*flow.Future[ring.Vec], 0, len(in)), make([]*flow.Future[ring.Vec], 0, len(in))
	of := make([]*correlation.Mask, 0, len(in))
	none := true
	for _, s := range in {
		deltas = append(deltas, s.masked.delta)
		lambdas = append(lambdas, s.masked.lambda)
		of = append(of, s.masked.mask)
		none = none && s.masked.zeroLambda
	}
	apply := p.applyLinear
	if from, ok := blockOf(m); ok {
		// A batch of rows shares the storage of all: the steps of a loop are built ahead, and copies would be there for each of them.
		apply = func(op *flow.Op, m maps.Linear, _ ring.Ring, vs ...*flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
			return flow.Pick(op, func() ring.Vec { return vs[0].Get().Slice(from, from+m.Out()) }, vs[0])
		}
	}
	lambda := p.zeroVec(op, r, m.Out())
	if !none {
		lambda = apply(op, m, r, lambdas...)
	}
	out := newMasked(apply(op, m, r, deltas...), lambda, correlation.NewDerived(op.Next(), r, m, of...))
	out.zeroLambda = none
	if v, ok := m.(maps.View); ok && len(in) == 1 && v.Rule.Strided() && v.Rule.Expands() {
		out.repeats = &repeated{in[0].masked, v}
	}
	return out
}

// leastBlock is the number of elements from which views of adjacent elements are no copies.
const leastBlock = 1 << 16

// blockOf returns the position of the first element of a view of adjacent elements of one vector, if it is long.
func blockOf(m maps.Linear) (from int, ok bool) {
	v, ok := m.(maps.View)
	if !ok || len(v.Lens) != 1 || m.Out() < leastBlock {
		return 0, false
	}
	return v.Rule.Block()
}

func deps(vs []*flow.Future[ring.Vec]) []flow.Dep {
	d := make([]flow.Dep, len(vs))
	for i, v := range vs {
		d[i] = v
	}
	return d
}

// AddPublic implements mpc.Additions. The computing parties add words to the masked value Δ if x has one; otherwise
// rank 0 adds it to its additive share. Nothing is sent.
func (p *Party) AddPublic(op *flow.Op, x mpc.Secret, words ring.Vec, bound int) mpc.Secret {
	s := p.share(x)
	if s.masked == nil && s.ring.Bits == 1 {
		out := p.newShare(s.ring, s.n, max(s.bound, bound)+1, nil)
		out.image = &image{operands: []*share{s}, addend: words, depth: s.image.depthOf() + 1, permanent: true}
		return out
	}
	return p.withPublic(op, s, bound, func(v *flow.Future[ring.Vec]) *flow.Future[ring.Vec] { return p.plusPublic(op, v, words) })
}

// withPublic is s and numbers below 2^bound that all parties know, which add adds to a vector.
func (p *Party) withPublic(op *flow.Op, s *share, bound int, add func(v *flow.Future[ring.Vec]) *flow.Future[ring.Vec]) *share {
	out := p.newShare(s.ring, s.n, max(s.bound, bound)+1, nil)
	if m := s.masked; m != nil {
		// The same mask, the same tables and parts.
		out.masked = m.withDelta(add(m.delta))
		return out
	}
	if out.additive = p.additive(op, s); p.first() {
		out.additive = add(out.additive)
	}
	return out
}

// plusPublic adds what all parties know.
func (p *Party) plusPublic(op *flow.Op, v *flow.Future[ring.Vec], words ring.Vec) *flow.Future[ring.Vec] {
	r, n := words.Ring(), words.Len()
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		sum := v.Get().UninitialisedLike(r, n)
		ring.Add(sum, v.Get(), words)
		return sum
	}, v)
}
