package semi2k

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Inputs are the vectors that owners bring into a computation, by id: the
// weightless run collects them, the input phase shares them, the online run
// finds them.
type Inputs map[uint64]*input

// input is one vector that its owner knows.
type input struct {
	id     uint64
	owner  int
	masked bool // shared in the input phase; else only the owner adds it to its share
	mask   *correlation.Mask
	words  ring.Vec // at the owner
	where  string

	delta  *flow.Of[ring.Vec] // after the input phase, at computing parties
	lambda *flow.Of[ring.Vec] // at the owner
}

// known finds or, in the weightless run, makes the record of the next vector
// that a party knows.
func (p *Party) known(op *flow.Op, owner int, r ring.Ring, n int, masked bool, words func() ring.Vec) *input {
	id := op.Next()
	if in := p.inputs[id]; in != nil || !op.Graph.Weightless() {
		if in == nil || in.owner != owner || in.masked != masked || in.mask.N != n || in.mask.Ring != r {
			panic(fmt.Sprintf("semi2k: input %v is not what the weightless run saw", correlation.ID(id)))
		}
		return in
	}
	in := &input{id: id, owner: owner, masked: masked, mask: p.newMask(id, r, n, owner), where: op.Where()}
	if owner == p.rank {
		in.words = words()
	}
	none := flow.Known(ring.Weightless(r, n))
	in.delta, in.lambda = none, none
	p.inputs[id] = in
	return in
}

// newMask makes the mask of an owner's vector: from the owner's seed with the
// dealer, who must know it, or, if the owner is the dealer and has the seeds of
// all, from the computing parties' seeds, each of which knows its own part only.
func (p *Party) newMask(id uint64, r ring.Ring, n, owner int) *correlation.Mask {
	if p.deals(owner) {
		return correlation.NewFresh(id, r, n)
	}
	return correlation.NewOwned(id, r, n, owner)
}

// deals reports whether a party is the dealer.
func (p *Party) deals(rank int) bool { return p.dealer > 0 && rank == p.dealer }

// Input gives the masked form that the input phase made: Δ = x + λ is known.
// A computing owner's share of λ is all of it; that of an owner who does not
// compute is dealt, or, of the dealer's, comes from seeds.
func (p *Party) Input(op *flow.Op, owner int, r ring.Ring, n, bound int, words func() ring.Vec) mpc.Secret {
	in := p.known(op, owner, r, n, true, words)
	lambda, none := in.lambda, false
	switch {
	case p.deals(owner):
		lambda = p.leaf(op, in.mask)
		if p.rank >= p.n { // has no share; as lazy as the others', so that all parties need the same
			lambda = flow.Lazy(op, 0, nil, func() (ring.Vec, error) { return ring.Weightless(r, n), nil })
		}
	case owner >= p.n:
		lambda = p.takeVec(op, &correlation.Request{Kind: correlation.Product, Factors: []correlation.Factor{{Mask: in.mask}}, Out: r, N: n})
	case owner != p.rank:
		none = true
		if !op.Graph.Weightless() {
			lambda = flow.Do(op, bytes(r, n), func() ring.Vec { return ring.New(r, n) })
		}
	}
	s := p.newShare(r, n, bound, nil)
	s.masked = newMasked(in.delta, lambda, in.mask)
	s.masked.none = none
	return s
}

// Public is masked by zero: Δ is the vector itself.
func (p *Party) Public(op *flow.Op, words ring.Vec, bound int) mpc.Secret {
	r, n := words.Ring(), words.Len()
	zero := flow.Known(words.Like(r, n))
	s := p.newShare(r, n, bound, nil)
	s.masked = newMasked(flow.Known(words), zero, correlation.NewZero(op.Next(), r, n))
	s.masked.none = true
	return s
}

// AddKnown adds the vector to its owner's share.
func (p *Party) AddKnown(op *flow.Op, x mpc.Secret, owner int, words func() ring.Vec) mpc.Secret {
	s := p.share(x)
	if owner >= p.n { // who does not compute has no share to add to
		y := p.Input(op, owner, s.ring, s.n, s.ring.Bits-2, words)
		return p.Linear(op, maps.Combine{N: s.n, Coef: []int64{1, 1}}, s, y)
	}
	in := p.known(op, owner, s.ring, s.n, false, words)
	out := p.newShare(s.ring, s.n, s.ring.Bits-1, p.own(op, s))
	if owner == p.rank {
		v := out.additive
		out.additive = flow.Do(op, bytes(s.ring, s.n), func() ring.Vec {
			sum := v.Get().BlankLike(s.ring, s.n)
			ring.Add(sum, v.Get(), in.words)
			return sum
		}, v)
	}
	return out
}

// ShareInputs is the input phase: every owner sends Δ = x + λ of each of its
// vectors to the computing parties. g belongs to the input phase.
func (p *Party) ShareInputs(g *flow.Graph) {
	for i, in := range p.inputs.sorted() {
		if !in.masked {
			continue
		}
		op := g.Op(uint32(i), &flow.Cost{}, in.where)
		r, n := in.mask.Ring, in.mask.N
		switch {
		case in.owner == p.rank:
			p.shareOwn(op, in)
		case p.rank < p.n:
			in.delta = flow.Exchange(op, bytes(r, n), flow.Talk{From: []int{in.owner}, Size: (n*r.Bits + 7) / 8}, func(msgs []ring.Payload) (ring.Vec, error) {
				rd := ring.NewReader(msgs[0])
				v := rd.Vec(r, n)
				return v, rd.Close()
			})
		}
	}
}

// shareOwn masks and sends a vector of this party's own.
func (p *Party) shareOwn(op *flow.Op, in *input) {
	var to []int
	for i := range p.n {
		if i != p.rank {
			to = append(to, i)
		}
	}
	r, n := in.mask.Ring, in.mask.N
	in.lambda = p.leaf(op, in.mask)
	delta := flow.Do(op, bytes(r, n), func() ring.Vec {
		lambda := in.lambda.Get()
		d := lambda.BlankLike(r, n)
		if !lambda.Weightless() {
			ring.Add(d, in.words, lambda)
		}
		return d
	}, in.lambda)
	in.delta = delta
	flow.Exchange(op, 0, flow.Talk{
		To: to,
		Pack: func() ring.Payload {
			var w ring.Writer
			w.Vec(delta.Get())
			return w.Payload()
		},
	}, func([]ring.Payload) (struct{}, error) { return struct{}{}, nil }, delta)
}

// Settled is called after the input phase: its results are where the online
// phase starts, at clock 0. The owners' clear vectors that were shared are
// dropped.
func (in Inputs) Settled() {
	for _, x := range in {
		if x.masked {
			x.words = ring.Vec{}
		}
		if x.delta != nil {
			x.delta = flow.Known(x.delta.Get())
		}
		if x.lambda != nil {
			x.lambda = flow.Known(x.lambda.Get())
		}
	}
}

func (in Inputs) sorted() []*input {
	out := make([]*input, 0, len(in))
	for _, x := range in {
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b *input) int { return cmp.Compare(a.id, b.id) })
	return out
}
