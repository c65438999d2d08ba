package semi2k

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// Inputs holds the vectors that their owners bring into a computation, by id. The dry run collects them, the input
// phase (Party.ShareInputs) shares them, and the online phase reads them. A staying vector (mpc.Staying) is collected
// when a service opens, shared then, and read in all requests. It may be one that an earlier program has collected (Config.Earlier):
// its id, which is that of its mask, is then another than its place in Inputs.
type Inputs map[uint64]*input

// leastPacked is the number of elements from which on an input of 32-bit numbers is packed.
const leastPacked = 1 << 12

// input is one vector that its owner knows.
type input struct {
	id       uint64
	owner    int
	masked   bool // shared in the input phase; otherwise only the owner adds it to its share
	stays    bool // shared once for all requests of a program
	argument int  // number of the argument that the vector encodes, from 1 (mpc.StayingArgument); 0 for others
	computes bool // the owner is a computing party
	shared   bool
	// packed says that Δ, and the vector in cleartext at its owner, lie in memory as they are sent: matrix products read them so, in half
	// of the bytes. Δ is unpacked only if something else needs it.
	packed bool
	mask   *correlation.Mask
	words  ring.Vec // at the owner
	where  string

	delta  *flow.Future[ring.Vec] // Δ, after the input phase, at computing parties
	lambda *flow.Future[ring.Vec] // each other party's share of λ, if the vector stays
	// stream is λ at an owner that computes: the online phase expands it from its seed again, so that it takes no memory
	// between the two phases.
	stream ring.Stream
	known  ring.Vec                  // the vector in cleartext, at an owner that computes, if it stays
	plain  ring.Stream               // the vector in cleartext at its owner, if it is packed: instead of words
	sent   *flow.Future[ring.Stream] // Δ as it is sent, if it is packed: instead of delta
	dealt  correlation.ID            // id of the request for λ's shares, if those of a staying vector are dealt
}

// ownerInput returns the record of the next vector that one party knows; a dry run makes it. A staying vector
// has the id that it had when the service opened.
func (p *Party) ownerInput(op *flow.Op, ownerOrStaying int, r ring.Ring, n int, masked bool, words func() ring.Vec) *input {
	id, later := op.Next(), p.firstOp > p.opening
	owner, stays := mpc.Owner(ownerOrStaying)
	if stays = stays && masked; stays {
		id -= uint64(p.firstOp-p.opening) << 32
	}
	in := p.inputs[id]
	if in != nil || !op.Graph.DryRun() || stays && later {
		if in == nil || in.owner != owner || in.masked != masked || in.stays != stays || in.mask.N != n || in.mask.Ring != r {
			panic(fmt.Sprintf("semi2k: input %v differs from the dry run's", correlation.ID(id)))
		}
		switch {
		case op.Graph.DryRun():
			in = in.shapeOnly()
		case !in.stays:
			delete(p.inputs, id) // read once: its memory is free after its last use
		}
		return in
	}
	argument := mpc.Argument(ownerOrStaying)
	if in = p.earlierInput(argument, owner, r, n); in != nil {
		p.inputs[id] = in
		return in.shapeOnly()
	}
	in = (&input{
		id: id, owner: owner, computes: owner < p.n, masked: masked, stays: stays, argument: argument,
		packed: masked && !stays && p.n == 2 && r.Bits == 32 && r.InHalves() && n >= leastPacked,
		mask:   p.newMask(id, r, n, owner), where: op.Where(),
	}).shapeOnly()
	if owner == p.rank {
		if in.words = words(); in.packed {
			in.plain = ring.NewReader(in.words.IntoPayload()).Stream(r, n)
			in.words = ring.Vec{}
		}
	}
	p.inputs[id] = in
	return in
}

// earlierInput returns the vector of an argument that the opening of an earlier program of the session has shared; nil if there is
// none. The argument's encoding depends on the job and the ring alone, so the vector is the same. It keeps its mask: one mask for one
// value.
func (p *Party) earlierInput(argument, owner int, r ring.Ring, n int) *input {
	if argument == 0 {
		return nil
	}
	for _, e := range p.earlier {
		for _, in := range e.sorted() {
			if in.argument == argument && in.owner == owner && in.shared && in.mask.Ring == r && in.mask.N == n {
				return in
			}
		}
	}
	return nil
}

// shapeOnly returns the record with vectors without storage, for a dry run.
func (in *input) shapeOnly() *input {
	out := *in
	shape := ring.ShapeOnly(in.mask.Ring, in.mask.N)
	none := flow.Resolved(shape)
	out.words, out.stream, out.known, out.delta, out.lambda = ring.Vec{}, ring.StreamOf(shape), shape, none, none
	out.plain, out.sent = ring.StreamOf(shape), flow.Resolved(ring.StreamOf(shape))
	return &out
}

// newMask makes the mask of an owner's vector. It is expanded from the owner's seed with the dealer. If the
// owner is the dealer, it is the sum of one stream from each computing party's seed, so that each computing
// party knows its own part only (docs/protocols/aby3.md#messages).
func (p *Party) newMask(id uint64, r ring.Ring, n, owner int) *correlation.Mask {
	if p.isDealer(owner) {
		return correlation.NewFresh(id, r, n)
	}
	return correlation.NewOwned(id, r, n, owner)
}

// isDealer reports whether the party of that rank is the dealer.
func (p *Party) isDealer(rank int) bool { return p.dealer > 0 && rank == p.dealer }

// Input implements mpc.Core. It returns the vector in the masked form Δ = x + λ that the input phase makes. It panics
// if the vector's owner, length or ring differs from the dry run's.
func (p *Party) Input(op *flow.Op, owner int, r ring.Ring, n, bound int, words func() ring.Vec) mpc.Secret {
	in := p.ownerInput(op, owner, r, n, true, words)
	lambda, own := in.lambda, in.owner == p.rank && p.rank < p.n
	if !in.stays || own {
		lambda = p.maskShare(op, in, 0)
	} else if in.owner >= p.n && !p.isDealer(in.owner) {
		if id := correlation.ID(op.Next()); !in.shared { // the request was made when the service opened
			in.dealt = id
		}
	}
	delta := in.delta
	switch shape := ring.ShapeOnly(r, n); {
	case in.packed:
		return p.packedInput(op, in, bound, lambda)
	case op.Graph.DryRun(): // vectors that the input phase has left
		delta = flow.Held(op, bytes(r, n), in.stays, shape)
		in.sameVector(op, delta)
		if in.stays && own {
			flow.Held(op, bytes(r, n), true, struct{}{}) // in.known
		}
	}
	s := p.newShare(r, n, bound, nil)
	s.masked = newMasked(delta, lambda, in.mask)
	s.masked.zeroLambda = in.owner < p.n && in.owner != p.rank
	if own && !p.isDealer(in.owner) {
		if s.masked.stream = &in.stream; in.stays {
			s.masked.known = &in.known
		}
	}
	return s
}

// packedInput is Input for a vector that is packed.
func (p *Party) packedInput(op *flow.Op, in *input, bound int, lambda *flow.Future[ring.Vec]) mpc.Secret {
	r, n, size := in.mask.Ring, in.mask.N, int64(in.mask.N)*4
	sent, plain := in.sent, flow.Resolved(in.plain)
	own := in.owner == p.rank && p.rank < p.n && !p.isDealer(in.owner)
	if op.Graph.DryRun() {
		shape := ring.StreamOf(ring.ShapeOnly(r, n))
		sent = flow.Held(op, size, false, shape)
		flow.SameVector(op, sent, uint64(in.mask.ID))
		if own {
			plain = flow.Held(op, size, false, shape)
		}
	}
	// Not lazy, as if it were there: all parties run the same steps.
	delta := flow.Deferred(op, bytes(r, n), func() (ring.Vec, error) {
		op.Spend(flow.Packed, int64(n))
		return sent.Get().Vec(), nil
	})
	s := p.newShare(r, n, bound, nil)
	s.masked = newMasked(delta, lambda, in.mask)
	s.masked.zeroLambda = in.owner < p.n && in.owner != p.rank
	if s.masked.sent = sent; own {
		s.masked.stream, s.masked.plain = &in.stream, plain
	}
	return s
}

// maskShare is this party's share of an input's mask. If the owner computes, its share is the mask and all
// others are zero. If the owner is an input party, shares are dealt, by a request with the given id, or the
// next id if that is 0. If the owner is the dealer, shares are expanded from seeds.
func (p *Party) maskShare(op *flow.Op, in *input, id correlation.ID) *flow.Future[ring.Vec] {
	r, n := in.mask.Ring, in.mask.N
	switch {
	case p.isDealer(in.owner) && p.rank >= p.n: // no share; lazy like other parties' shares, so that all need the same
		return flow.Lazy(op, 0, nil, func() (ring.Vec, error) { return ring.ShapeOnly(r, n), nil })
	case p.isDealer(in.owner):
		return p.leaf(op, in.mask)
	case in.owner >= p.n:
		return p.takeVec(
			op,
			&correlation.Request{ID: id, Kind: correlation.Product, Factors: []correlation.Factor{{Mask: in.mask}}, Out: r, N: n},
		)
	case in.owner == p.rank:
		// Not lazy: other parties' shares, which are zero, are not, and all parties must ask for the same correlations.
		return flow.Deferred(op, bytes(r, n), func() (ring.Vec, error) {
			op.Spend(flow.Stream, int64(n*r.Drawn()))
			return in.stream.Vec(), nil
		})
	case in.owner != p.rank && !op.Graph.DryRun():
		return p.zeroVec(op, r, n)
	}
	return in.lambda
}

// Public implements mpc.Core. The vector has the mask zero: Δ is words.
func (p *Party) Public(op *flow.Op, words ring.Vec, bound int) mpc.Secret {
	return p.publicShare(op, flow.Resolved(words), words.Ring(), words.Len(), bound)
}

// AddLocal implements mpc.Additions. The owner adds the vector to its additive share; nothing is sent. If the owner
// is an input party, which has no share, the vector is an input like any other (Input).
func (p *Party) AddLocal(op *flow.Op, x mpc.Secret, owner int, words func() ring.Vec) mpc.Secret {
	s := p.share(x)
	if rank, _ := mpc.Owner(owner); rank >= p.n { // an input party has no share to add to
		y := p.Input(op, owner, s.ring, s.n, s.ring.Bits-2, words)
		return p.Linear(op, maps.Combine{N: s.n, Coef: []int64{1, 1}}, s, y)
	}
	in := p.ownerInput(op, owner, s.ring, s.n, false, words)
	out := p.newShare(s.ring, s.n, s.ring.Bits-1, p.additive(op, s))
	if in.owner == p.rank {
		v := out.additive
		words := flow.Held(op, bytes(s.ring, s.n), false, struct{}{}) // in.words
		out.additive = flow.Do(op, bytes(s.ring, s.n), func() ring.Vec {
			sum := v.Get().UninitialisedLike(s.ring, s.n)
			ring.Add(sum, v.Get(), in.words)
			return sum
		}, v, words)
	}
	return out
}

// ShareInputs adds the input phase to g, the graph of that phase: each owner sends Δ = x + λ of each of its vectors
// that are not shared yet to the computing parties. For staying vectors the computing parties also get their shares
// of λ. Call Inputs.EndPhase when the graph has run.
func (p *Party) ShareInputs(g *flow.Graph) {
	for i, in := range p.inputs.sorted() {
		if !in.masked || in.shared {
			continue
		}
		op := g.Op(p.firstOp+uint32(i), &flow.Cost{}, in.where)
		r, n := in.mask.Ring, in.mask.N
		switch {
		case in.owner == p.rank && in.packed:
			p.sharePacked(op, in)
		case in.owner == p.rank:
			p.shareOwn(op, in)
		case p.rank < p.n && in.packed:
			in.sent = flow.Exchange(
				op,
				int64(n)*4,
				flow.ExchangeSpec{From: []int{in.owner}, Size: n * 4, View: true},
				func(msgs []ring.Payload) (ring.Stream, error) {
					op.Spend(flow.Bytes, -int64(n)*4)
					rd := ring.NewReader(msgs[0])
					s := rd.Stream(r, n) // nothing writes to Δ
					return s, rd.Close()
				},
			)
			flow.SameVector(op, in.sent, uint64(in.mask.ID))
		case p.rank < p.n:
			in.delta = flow.Exchange(
				op,
				bytes(r, n),
				flow.ExchangeSpec{From: []int{in.owner}, Size: (n*r.Bits + 7) / 8, View: in.asWords()},
				func(msgs []ring.Payload) (ring.Vec, error) {
					if in.asWords() {
						op.Spend(flow.Bytes, -bytes(r, n))
					} else {
						op.Spend(flow.Packed, int64(n*r.Words()))
					}
					rd := ring.NewReader(msgs[0])
					v := rd.View(r, n) // nothing writes to Δ
					return v, rd.Close()
				},
			)
			in.sameVector(op, in.delta)
		}
		own := in.owner == p.rank && p.rank < p.n // an input party requests shares of λ like the others
		if in.stays && !own && (op.Graph.DryRun() || p.rank < p.n) {
			lambda := p.maskShare(op, in, in.dealt)
			flow.Force(op, lambda)
			in.lambda = lambda
		}
	}
}

// sharePacked is shareOwn for a vector that is packed.
func (p *Party) sharePacked(op *flow.Op, in *input) {
	r, n, size := in.mask.Ring, in.mask.N, int64(in.mask.N)*4
	plain := flow.Held(op, size, false, struct{}{})
	in.sent = flow.Try(op, size, func() (ring.Stream, error) {
		op.Spend(flow.Stream, int64(n*r.Drawn()))
		lambda, err := p.source.Leaf(in.mask)
		if err != nil {
			return ring.Stream{}, err
		}
		sum := ring.NewReader(ring.SumPayload(in.plain, lambda)).Stream(r, n)
		if p.rank < p.n {
			in.stream = lambda
		} else {
			in.plain = ring.Stream{}
		}
		return sum, nil
	}, plain)
	flow.SameVector(op, in.sent, uint64(in.mask.ID))
	flow.Exchange(op, 0, flow.ExchangeSpec{
		To: p.others, View: true, Pack: func() ring.Payload { return in.sent.Get().Payload() },
	}, func([]ring.Payload) (struct{}, error) { return struct{}{}, nil }, in.sent)
}

// shareOwn masks a vector of this party and sends Δ to the computing parties.
func (p *Party) shareOwn(op *flow.Op, in *input) {
	r, n := in.mask.Ring, in.mask.N
	words := flow.Held(op, bytes(r, n), false, struct{}{}) // in.words, which become Δ
	in.sameVector(op, words)
	deps := []flow.Dep{words}
	keeps := in.stays && p.rank < p.n
	if keeps { // in.known
		deps = append(deps, flow.Held(op, bytes(r, n), true, struct{}{}))
	}
	delta := flow.Try(op, bytes(r, n), func() (ring.Vec, error) {
		op.Spend(flow.Stream, int64(n*r.Drawn()))
		lambda, err := p.source.Leaf(in.mask)
		if err != nil {
			return ring.Vec{}, err
		}
		d := in.words // after this, only in.known is read in cleartext
		if lambda.ShapeOnly() {
			return ring.ShapeOnly(r, n), nil
		}
		if keeps {
			in.known = d.Clone()
		}
		if ring.AddStream(d, lambda); p.rank < p.n {
			in.stream = lambda
		}
		in.words = ring.Vec{}
		return d, nil
	}, deps...)
	in.delta = delta
	in.sameVector(op, delta)
	flow.Exchange(op, 0, flow.ExchangeSpec{
		To: p.others, View: in.asWords(),
		Pack: func() ring.Payload {
			if !in.asWords() {
				op.Spend(flow.Packed, int64(n*r.Words()))
			}
			return ring.PayloadOf(delta.Get())
		},
	}, func([]ring.Payload) (struct{}, error) { return struct{}{}, nil }, delta)
}

// sameVector says in a dry run that a step's result is Δ. A vector that is sent as it lies in memory is the same one at all parties of
// a process.
func (in *input) sameVector(op *flow.Op, x flow.Dep) {
	if in.asWords() {
		flow.SameVector(op, x, uint64(in.mask.ID))
	}
}

// asWords reports whether Δ is sent as it lies in memory.
func (in *input) asWords() bool { return in.mask.Ring.Bits == 64*in.mask.Ring.Words() }

// EndPhase must be called after the input phase has run. It keeps the results as values that are ready at the start
// of the online phase, and drops the cleartext of the owners' vectors that were shared. Vectors that were shared by
// an earlier call are left unchanged, because other requests may be reading them.
func (in Inputs) EndPhase() {
	for _, x := range in {
		if x.shared {
			continue
		}
		if x.masked {
			x.words = ring.Vec{}
		}
		switch {
		case x.packed && x.sent != nil:
			x.sent = flow.Resolved(x.sent.Get())
		case x.delta != nil:
			x.delta = flow.Resolved(x.delta.Get())
		}
		if x.stays && x.lambda != nil {
			x.lambda = flow.Resolved(x.lambda.Get())
		}
		x.shared = x.masked
	}
}

// Staying returns the staying vectors of in, with which a later request of the session starts. The vectors are not
// copied.
func (in Inputs) Staying() protocol.Inputs {
	out := Inputs{}
	for id, x := range in {
		if x.stays {
			out[id] = x
		}
	}
	return out
}

// Len returns the number of vectors.
func (in Inputs) Len() int { return len(in) }

func (in Inputs) sorted() []*input {
	out := make([]*input, 0, len(in))
	for _, x := range in {
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b *input) int { return cmp.Compare(a.id, b.id) })
	return out
}
