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
// finds them. What stays is collected in the first turn of a session, shared
// before it, and found in all.
type Inputs map[uint64]*input

// input is one vector that its owner knows.
type input struct {
	id     uint64
	owner  int
	masked bool // shared in the input phase; else only the owner adds it to its share
	stays  bool // shared once for all turns of a session
	shared bool
	mask   *correlation.Mask
	words  ring.Vec // at the owner
	where  string

	delta  *flow.Of[ring.Vec] // after the input phase, at computing parties
	lambda *flow.Of[ring.Vec] // at the owner; of what stays every party's share
	dealt  correlation.ID     // of what stays, and whose mask's shares are dealt: the request
}

// known finds or, in the weightless run, makes the record of the next vector
// that a party knows. What stays has the number that it had in the first turn.
func (p *Party) known(op *flow.Op, who int, r ring.Ring, n int, masked bool, words func() ring.Vec) *input {
	id, turn := op.Next(), uint64(p.base)<<32
	owner, stays := mpc.Owner(who)
	if stays = stays && masked; stays {
		id -= turn
	}
	in := p.inputs[id]
	if in != nil || !op.Graph.Weightless() || stays && turn > 0 {
		if in == nil || in.owner != owner || in.masked != masked || in.stays != stays || in.mask.N != n || in.mask.Ring != r {
			panic(fmt.Sprintf("semi2k: input %v is not what the weightless run saw", correlation.ID(id)))
		}
		if op.Graph.Weightless() {
			in = in.weightless()
		}
		return in
	}
	in = (&input{id: id, owner: owner, masked: masked, stays: stays, mask: p.newMask(id, r, n, owner), where: op.Where()}).weightless()
	if owner == p.rank {
		in.words = words()
	}
	p.inputs[id] = in
	return in
}

// weightless is what a weightless run makes of a record.
func (in *input) weightless() *input {
	out := *in
	none := flow.Known(ring.Weightless(in.mask.Ring, in.mask.N))
	out.words, out.delta, out.lambda = ring.Vec{}, none, none
	return &out
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
func (p *Party) Input(op *flow.Op, owner int, r ring.Ring, n, bound int, words func() ring.Vec) mpc.Secret {
	in := p.known(op, owner, r, n, true, words)
	lambda := in.lambda
	if !in.stays {
		lambda = p.shareOf(op, in, 0)
	} else if in.owner >= p.n && !p.deals(in.owner) {
		if id := correlation.ID(op.Next()); !in.shared { // the first turn's
			in.dealt = id
		}
	}
	s := p.newShare(r, n, bound, nil)
	s.masked = newMasked(in.delta, lambda, in.mask)
	s.masked.none = in.owner < p.n && in.owner != p.rank
	return s
}

// shareOf is this party's share of an input's mask. A computing owner's is all
// of it; that of an owner who does not compute is dealt, by a request of an id
// or else of the next one, or, of the dealer's, comes from seeds.
func (p *Party) shareOf(op *flow.Op, in *input, id correlation.ID) *flow.Of[ring.Vec] {
	r, n := in.mask.Ring, in.mask.N
	switch {
	case p.deals(in.owner) && p.rank >= p.n: // has no share; as lazy as the others', so that all parties need the same
		return flow.Lazy(op, 0, nil, func() (ring.Vec, error) { return ring.Weightless(r, n), nil })
	case p.deals(in.owner):
		return p.leaf(op, in.mask)
	case in.owner >= p.n:
		return p.takeVec(op, &correlation.Request{ID: id, Kind: correlation.Product, Factors: []correlation.Factor{{Mask: in.mask}}, Out: r, N: n})
	case in.owner != p.rank && !op.Graph.Weightless():
		return p.zeros(op, r, n)
	}
	return in.lambda
}

// Public is masked by zero: Δ is the vector itself.
func (p *Party) Public(op *flow.Op, words ring.Vec, bound int) mpc.Secret {
	return p.knownToAll(op, flow.Known(words), words.Ring(), words.Len(), bound)
}

// AddKnown adds the vector to its owner's share.
func (p *Party) AddKnown(op *flow.Op, x mpc.Secret, owner int, words func() ring.Vec) mpc.Secret {
	s := p.share(x)
	if rank, _ := mpc.Owner(owner); rank >= p.n { // who does not compute has no share to add to
		y := p.Input(op, owner, s.ring, s.n, s.ring.Bits-2, words)
		return p.Linear(op, maps.Combine{N: s.n, Coef: []int64{1, 1}}, s, y)
	}
	in := p.known(op, owner, s.ring, s.n, false, words)
	out := p.newShare(s.ring, s.n, s.ring.Bits-1, p.own(op, s))
	if in.owner == p.rank {
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
// vectors that are not shared yet to the computing parties. Of what stays these
// also get their shares of λ. g belongs to the input phase.
func (p *Party) ShareInputs(g *flow.Graph) {
	for i, in := range p.inputs.sorted() {
		if !in.masked || in.shared {
			continue
		}
		op := g.Op(p.base+uint32(i), &flow.Cost{}, in.where)
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
		if in.stays && (op.Graph.Weightless() || p.rank < p.n && in.owner != p.rank) {
			lambda := p.shareOf(op, in, in.dealt)
			flow.Need(op, lambda)
			in.lambda = lambda
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
		d := in.words // which nobody asks for any more
		if lambda := in.lambda.Get(); lambda.Weightless() {
			d = ring.Weightless(r, n)
		} else {
			ring.Add(d, d, lambda)
			in.words = ring.Vec{}
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
// dropped. What was shared before, which other turns may be reading, is left as
// it is.
func (in Inputs) Settled() {
	for _, x := range in {
		if x.shared {
			continue
		}
		if x.masked {
			x.words = ring.Vec{}
		}
		if x.delta != nil {
			x.delta = flow.Known(x.delta.Get())
		}
		if x.lambda != nil {
			x.lambda = flow.Known(x.lambda.Get())
		}
		x.shared = x.masked
	}
}

// Staying are those that stay: what a further turn begins with.
func (in Inputs) Staying() Inputs {
	out := Inputs{}
	for id, x := range in {
		if x.stays {
			out[id] = x
		}
	}
	return out
}

func (in Inputs) sorted() []*input {
	out := make([]*input, 0, len(in))
	for _, x := range in {
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b *input) int { return cmp.Compare(a.id, b.id) })
	return out
}
