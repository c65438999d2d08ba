package cheetah

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// nobody is the owner of a vector that no single party knows.
const nobody = -1

// share is a secret vector: each party's additive share of it.
type share struct {
	ring  ring.Ring
	n     int
	bound int
	// within says that all magnitudes are below 2^bound. Without it, a vector whose bound is ring.Bits−2, the largest there is,
	// may use the whole ring.
	within bool
	own    *flow.Future[ring.Vec] // this party's additive share; nil if it is lifted when it is needed (mine)
	// owner is the rank of the computing party that knows the vector, whose share is the vector itself while the
	// other one's is zero; or nobody.
	owner int
	// public is the vector if both parties know it, and nil otherwise. The opener's share is then the vector and the
	// other one's zero.
	public   *flow.Future[ring.Vec]
	lessThan map[int64]*share // the bits x < c that were computed, by c
	// narrow is the vector in a narrower ring, of which lifted makes own; both are nil if there is none. Magnitudes of narrow are
	// at most 2^narrow.bound − 2^narrow.spare.
	narrow *share
	lifted func() *flow.Future[ring.Vec]
	spare  int // 0 if nothing is known
}

// mine is this party's additive share of x. If it has to be lifted, the messages are added to the operation that made x.
func (s *share) mine() *flow.Future[ring.Vec] {
	if s.own == nil {
		s.own, s.lifted = s.lifted(), nil
	}
	return s.own
}

// tight is x in a narrower ring, if there is one and x is not lifted.
func (s *share) tight() *share {
	if s.own == nil {
		return s.narrow
	}
	return s
}

func (s *share) Len() int        { return s.n }
func (s *share) Ring() ring.Ring { return s.ring }
func (s *share) Bound() int      { return s.bound }
func (s *share) Opened() bool    { return false }

// known reports whether all magnitudes are known to be below 2^bound.
func (s *share) known() bool { return s.within || s.bound < s.ring.Bits-2 }

// Bounded implements mpc.Bounder. The share itself is changed, so that comparisons that are kept stay with it.
func (p *Party) Bounded(x mpc.Secret, bound int) {
	s := of(x)
	s.bound, s.within = min(s.bound, bound), s.within || bound <= s.ring.Bits-2
}

// RevealBits implements mpc.Revealed.
func (s *share) RevealBits() int { return s.tight().ring.Bits }

// Additive implements mpc.Additive.
func (s *share) Additive() ring.Vec { return s.own.Get() }

// of returns x as a share. It panics if x is of another protocol.
func of(x mpc.Secret) *share {
	s, ok := x.(*share)
	if !ok {
		panic(fmt.Sprintf("cheetah: secret of another protocol: %T", x))
	}
	return s
}

func bytes(r ring.Ring, n int) int64 { return int64(n) * int64(r.Words()) * 8 }

// newShare returns a share that nobody owns.
func newShare(r ring.Ring, n, bound int, own *flow.Future[ring.Vec]) *share {
	return &share{ring: r, n: n, bound: min(bound, r.Bits-2), own: own, owner: nobody}
}

// local returns a vector that f computes of the vectors vs, without a message. In a dry run it is shape-only.
func local(op *flow.Op, r ring.Ring, n int, f func(dst ring.Vec, src []ring.Vec), vs ...*flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
	deps := make([]flow.Dep, len(vs))
	for i, v := range vs {
		deps[i] = v
	}
	return flow.Do(op, bytes(r, n), func() ring.Vec {
		if op.Graph.DryRun() {
			return ring.ShapeOnly(r, n)
		}
		src := make([]ring.Vec, len(vs))
		for i, v := range vs {
			src[i] = v.Get()
		}
		dst := ring.New(r, n)
		f(dst, src)
		return dst
	}, deps...)
}

// mapped applies a linear function to the shares of x, and to x where a party knows it.
func (p *Party) mapped(op *flow.Op, r ring.Ring, n, bound int, f func(dst ring.Vec, src []ring.Vec), xs ...*share) *share {
	own, public := make([]*flow.Future[ring.Vec], len(xs)), make([]*flow.Future[ring.Vec], len(xs))
	out, clear := newShare(r, n, bound, nil), true
	out.within = bound <= r.Bits-2
	out.owner = xs[0].owner
	for i, x := range xs {
		own[i], public[i] = x.mine(), x.public
		clear, out.within = clear && x.public != nil, out.within && x.known()
		if x.owner != out.owner {
			out.owner = nobody
		}
	}
	out.own = local(op, r, n, f, own...)
	if clear {
		out.public = local(op, r, n, f, public...)
	}
	return out
}

// Public implements mpc.Core. The opener's share is the vector.
func (p *Party) Public(op *flow.Op, words ring.Vec, bound int) mpc.Secret {
	return p.publicShare(op, flow.Resolved(words), words.Ring(), words.Len(), bound)
}

// publicShare is a vector that both parties know.
func (p *Party) publicShare(op *flow.Op, words *flow.Future[ring.Vec], r ring.Ring, n, bound int) *share {
	out := newShare(r, n, bound, local(op, r, n, func(dst ring.Vec, src []ring.Vec) {
		if p.rank == opener {
			ring.Low(dst, src[0])
		}
	}, words))
	out.public = words
	return out
}

// FromShare implements mpc.Core.
func (p *Party) FromShare(v ring.Vec, bound int) mpc.Secret {
	return newShare(v.Ring(), v.Len(), bound, flow.Resolved(v))
}

// AdditiveShare implements mpc.Core: it returns the share that x has.
func (p *Party) AdditiveShare(_ *flow.Op, x mpc.Secret) *flow.Future[ring.Vec] { return of(x).mine() }

// Linear implements mpc.Core: each party applies the map to its shares. Nothing is sent.
func (p *Party) Linear(op *flow.Op, m maps.Linear, xs ...mpc.Secret) mpc.Secret {
	in, bound := make([]*share, len(xs)), 0
	lens := m.In()
	if len(lens) != len(xs) {
		panic(fmt.Sprintf("cheetah: a linear map of %d operands, given %d", len(lens), len(xs)))
	}
	for i, x := range xs {
		in[i] = of(x)
		bound = max(bound, x.Bound())
		if lens[i] != x.Len() || x.Ring() != xs[0].Ring() {
			panic(fmt.Sprintf("cheetah: operand %d has %d elements of %v, want %d of %v", i, x.Len(), x.Ring(), lens[i], xs[0].Ring()))
		}
	}
	if x := in[0]; len(in) == 1 && x.own == nil && m.Growth() == 0 { // elements are copied, or negated
		y := p.mapped(op, x.narrow.ring, m.Out(), x.narrow.bound, func(dst ring.Vec, src []ring.Vec) { m.Apply(dst, src...) }, x.narrow)
		y.spare = x.narrow.spare
		return p.lift(op, x.ring, y)
	}
	return p.mapped(op, in[0].ring, m.Out(), bound+m.Growth(), func(dst ring.Vec, src []ring.Vec) { m.Apply(dst, src...) }, in...)
}

// AddPublic implements mpc.Additions: the opener adds the vector to its share.
func (p *Party) AddPublic(op *flow.Op, x mpc.Secret, words ring.Vec, bound int) mpc.Secret {
	s := of(x)
	out := newShare(s.ring, s.n, max(s.bound, bound)+1, s.mine())
	out.within = s.known() && max(s.bound, bound)+1 <= s.ring.Bits-2
	if words.Ring() != s.ring || words.Len() != s.n {
		panic("cheetah: a public vector of another ring or length")
	}
	plus := func(v *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
		return local(op, s.ring, s.n, func(dst ring.Vec, src []ring.Vec) { ring.Add(dst, src[0], words) }, v)
	}
	adds := opener
	if s.owner != nobody { // its owner adds the vector, and so continues to know the sum
		adds, out.owner = s.owner, s.owner
	}
	if p.rank == adds || op.Graph.DryRun() {
		out.own = plus(s.mine())
	}
	if s.public != nil {
		out.public = plus(s.public)
	}
	return out
}

// AddLocal implements mpc.Additions: an owner that computes adds the vector to its share, and nothing is sent. An
// input party shares the vector like an input.
func (p *Party) AddLocal(op *flow.Op, x mpc.Secret, owner int, words func() ring.Vec) mpc.Secret {
	s := of(x)
	y := of(p.Input(op, owner, s.ring, s.n, s.ring.Bits-2, words))
	return p.mapped(op, s.ring, s.n, s.ring.Bits, func(dst ring.Vec, src []ring.Vec) { ring.Add(dst, src[0], src[1]) }, s, y)
}

// Open implements mpc.Openings. Vectors have no masked values, and nothing is sent.
func (p *Party) Open(*flow.Op, ...mpc.Secret) {}

// Finalize implements mpc.Openings: it makes the party's share, in the narrowest ring.
func (p *Party) Finalize(op *flow.Op, x mpc.Secret) { flow.Force(op, of(x).tight().mine()) }

// Unopened implements mpc.Openings. It returns x as a vector that nobody knows, as results of other operations are, for
// measurements. Its shares stay what they are: messages depend on transfers and not on how x is divided.
func (p *Party) Unopened(_ *flow.Op, x mpc.Secret) mpc.Secret {
	s := of(x)
	return newShare(s.ring, s.n, s.bound, s.mine())
}

// Narrow implements mpc.Core: each party narrows its share. Nothing is sent.
func (p *Party) Narrow(op *flow.Op, r ring.Ring, x mpc.Secret) mpc.Secret {
	s := of(x)
	if r.Bits > s.ring.Bits {
		panic(fmt.Sprintf("cheetah: %v is wider than %v", r, s.ring))
	}
	return p.low(op, r, s, s.bound)
}

// low is x modulo a ring that is as wide or narrower.
func (p *Party) low(op *flow.Op, r ring.Ring, s *share, bound int) *share {
	if r == s.ring {
		return s
	}
	if s.own == nil {
		if r.Bits > s.narrow.ring.Bits {
			return p.lift(op, r, s.narrow)
		}
		s = s.narrow
		if r == s.ring {
			return s
		}
	}
	return p.mapped(op, r, s.n, bound, func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, src[0]) }, s)
}
