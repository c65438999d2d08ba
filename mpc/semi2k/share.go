package semi2k

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// share is a secret vector: at least one of its forms is there, others are
// made when needed and kept. The forms' existence is known while the graph is
// built.
type share struct {
	ring  ring.Ring
	n     int
	bound int

	additive *flow.Of[ring.Vec] // this party's share
	masked   *masked
	poly     *poly
	narrow   *share // the same value in a narrower ring
	image    *image
	minus    *share           // what it is the negation of
	signs    map[int64]*share // [x < c] by c
	gaps     []gap
	coins    map[int]uint64 // see coin
}

// masked is a vector's masked form: Δ = x + λ in its ring.
type masked struct {
	delta  *flow.Of[ring.Vec]
	lambda *flow.Of[ring.Vec] // this party's share of λ
	none   bool               // this party's share of λ is zero
	mask   *correlation.Mask
	*maskKept
	bit *bit // of a vector over Z_2: the same, packed
	// What of its logarithm, powers and quotients is one for all.
	normals map[normKey]*normal
}

// maskKept is what was dealt of a mask, for all that is open under it.
type maskKept struct {
	tables map[tableKey]bitVec
	parts  []*factor
	hots   map[hotKey]*flow.Of[ring.Vec]
}

func (s *share) Len() int        { return s.n }
func (s *share) Ring() ring.Ring { return s.ring }
func (s *share) Bound() int      { return s.bound }
func (s *share) Opened() bool    { return s.masked != nil }

// width is how many bits hold a signed value of the bound and a slack bit that
// settles a wrap (|x| < 2^(width−2)).
func (s *share) width() int { return s.bound + 2 }

// public reports whether all parties know the vector.
func (s *share) public() bool { return s.masked != nil && s.masked.mask.Kind == correlation.Zero }

func (p *Party) share(x mpc.Secret) *share {
	s, ok := x.(*share)
	if !ok {
		panic(fmt.Sprintf("semi2k: a secret of another protocol: %T", x))
	}
	return s
}

// limit caps a bound at what a ring can hold.
func limit(bound int, r ring.Ring) int { return min(bound, r.Bits-2) }

func (p *Party) newShare(r ring.Ring, n, bound int, additive *flow.Of[ring.Vec]) *share {
	return &share{ring: r, n: n, bound: limit(bound, r), additive: additive}
}

func (p *Party) newPoly(r ring.Ring, n, bound int, y *poly) *share {
	return &share{ring: r, n: n, bound: limit(bound, r), poly: y}
}

func newMasked(delta, lambda *flow.Of[ring.Vec], mask *correlation.Mask) *masked {
	return &masked{delta: delta, lambda: lambda, mask: mask, maskKept: &maskKept{}}
}

func bytes(r ring.Ring, n int) int64 { return int64(n) * int64(r.Words()) * 8 }

// own is this party's additive share, made from another form if need be.
func (p *Party) own(op *flow.Op, s *share) *flow.Of[ring.Vec] {
	switch {
	case s.additive != nil:
	case s.masked != nil && s.masked.none && p.first():
		s.additive = s.masked.delta
	case s.masked != nil && s.masked.none: // waits for Δ all the same: all parties' rounds are alike
		lambda := s.masked.lambda
		s.additive = flow.Pick(op, lambda.Get, lambda, s.masked.delta)
	case s.masked != nil:
		m := s.masked
		s.additive = flow.Do(op, bytes(s.ring, s.n), func() ring.Vec {
			lambda := m.lambda.Get()
			out := lambda.BlankLike(s.ring, s.n)
			if p.first() {
				ring.Sub(out, m.delta.Get(), lambda)
			} else {
				ring.Neg(out, lambda)
			}
			return out
		}, m.delta, m.lambda)
	case s.poly != nil:
		s.additive = p.polyShare(op, s.poly, s.ring, s.n)
	default:
		s.additive = p.ownImage(op, s)
		s.forget()
	}
	return s.additive
}

// Settle makes the additive share.
func (p *Party) Settle(op *flow.Op, x mpc.Secret) { flow.Need(op, p.own(op, p.share(x))) }

// Unopened keeps the additive share alone. Later openings have masks of their
// own, as all have.
func (p *Party) Unopened(op *flow.Op, x mpc.Secret) mpc.Secret {
	s := p.share(x)
	return p.newShare(s.ring, s.n, s.bound, p.own(op, s))
}

// in gives the same value in a narrower ring that holds it.
func (p *Party) in(op *flow.Op, s *share, r ring.Ring) *share {
	if s.ring == r {
		return s
	}
	if s.narrow != nil && s.narrow.ring == r {
		return s.narrow
	}
	if s.image != nil && s.image.by != nil {
		if roots, _ := cut(nil, s); len(roots) != 1 || roots[0] != s {
			return p.narrowImage(op, s, r, roots)
		}
	}
	v := p.own(op, s)
	s.narrow = p.newShare(r, s.n, s.bound, flow.Do(op, bytes(r, s.n), func() ring.Vec {
		out := v.Get().BlankLike(r, s.n)
		ring.Low(out, v.Get())
		return out
	}, v))
	s.narrow.signs = s.kept()
	return s.narrow
}

// Linear applies the map to the masked forms if all operands have one, else to
// the additive shares.
func (p *Party) Linear(op *flow.Op, m maps.Linear, xs ...mpc.Secret) mpc.Secret {
	var in []*share
	all, bound := true, 0
	for _, x := range xs {
		s := p.share(x)
		in = append(in, s)
		all = all && s.masked != nil
		bound = max(bound, s.bound)
	}
	r, n := in[0].ring, m.Out()
	out := p.newShare(r, n, bound+m.Growth(), nil)
	if negates(m) {
		out.minus = in[0]
	}
	if !all {
		if out.image = imageOf(m, in); out.image != nil {
			return out
		}
	}
	if !all {
		var own []*flow.Of[ring.Vec]
		for _, s := range in {
			own = append(own, p.own(op, s))
		}
		out.additive = p.apply(op, m, r, own...)
		return out
	}
	out.masked = p.mapped(op, m, r, in...)
	return out
}

// apply applies a linear map to vectors that a party has.
func (p *Party) apply(op *flow.Op, m maps.Linear, r ring.Ring, vs ...*flow.Of[ring.Vec]) *flow.Of[ring.Vec] {
	return flow.Do(op, bytes(r, m.Out()), func() ring.Vec {
		src := make([]ring.Vec, len(vs))
		for i, v := range vs {
			src[i] = v.Get()
		}
		dst := src[0].BlankLike(r, m.Out())
		m.Apply(dst, src...)
		return dst
	}, deps(vs)...)
}

// mapped is the masked form of a linear map of opened shares.
func (p *Party) mapped(op *flow.Op, m maps.Linear, r ring.Ring, in ...*share) *masked {
	var deltas, lambdas []*flow.Of[ring.Vec]
	var of []*correlation.Mask
	none := true
	for _, s := range in {
		deltas = append(deltas, s.masked.delta)
		lambdas = append(lambdas, s.masked.lambda)
		of = append(of, s.masked.mask)
		none = none && s.masked.none
	}
	lambda := p.zeros(op, r, m.Out())
	if !none {
		lambda = p.apply(op, m, r, lambdas...)
	}
	out := newMasked(p.apply(op, m, r, deltas...), lambda, correlation.NewDerived(op.Next(), r, m, of...))
	out.none = none
	return out
}

func deps(vs []*flow.Of[ring.Vec]) []flow.Dep {
	d := make([]flow.Dep, len(vs))
	for i, v := range vs {
		d[i] = v
	}
	return d
}

// AddPublic adds to Δ, or to the first party's share.
func (p *Party) AddPublic(op *flow.Op, x mpc.Secret, words ring.Vec, bound int) mpc.Secret {
	s := p.share(x)
	out := p.newShare(s.ring, s.n, max(s.bound, bound)+1, nil)
	if m := s.masked; m != nil {
		// The same mask, the same tables and parts.
		out.masked = m.moved(p.plusWords(op, m.delta, words))
		return out
	}
	if s.ring.Bits == 1 {
		out.image = &image{of: []*share{s}, plus: words, depth: s.image.height() + 1, stays: true}
		return out
	}
	out.additive = p.own(op, s)
	if p.first() {
		out.additive = p.plusWords(op, out.additive, words)
	}
	return out
}

// plusWords adds what all parties know.
func (p *Party) plusWords(op *flow.Op, v *flow.Of[ring.Vec], words ring.Vec) *flow.Of[ring.Vec] {
	r, n := words.Ring(), words.Len()
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		sum := v.Get().BlankLike(r, n)
		ring.Add(sum, v.Get(), words)
		return sum
	}, v)
}
