package cheetah

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// inputs holds the vectors that their owners bring into a computation, by id. A computing party's vector is its own
// share of it, and nothing is sent. An input party shares its vector in the input phase: the share of rank 0 is a
// stream of the seed that the two have, and the share of rank 1 is sent.
type inputs map[uint64]*input

// input is one vector that its owner knows.
type input struct {
	id     uint64
	owner  int
	ring   ring.Ring
	n      int
	stays  bool // shared once for all requests of a session
	shared bool // the input phase has run
	words  ring.Vec
	where  string
	share  *flow.Future[ring.Vec] // of an input party's vector, after the input phase, at computing parties
}

// Input implements mpc.Core. It panics if the vector's owner, length or ring differs from the dry run's.
func (p *Party) Input(op *flow.Op, ownerOrStaying int, r ring.Ring, n, bound int, words func() ring.Vec) mpc.Secret {
	owner, stays := mpc.Owner(ownerOrStaying)
	id, dry := op.Next(), op.Graph.DryRun()
	if stays {
		id -= uint64(p.first-p.opening) << 32
	}
	in := p.inputs[id]
	if in == nil && dry && (!stays || p.first == p.opening) {
		in = &input{id: id, owner: owner, ring: r, n: n, stays: stays, where: op.Where()}
		if owner == p.rank {
			in.words = words()
		}
		p.inputs[id] = in
	}
	if in == nil || in.owner != owner || in.stays != stays || in.n != n || in.ring != r {
		panic(fmt.Sprintf("cheetah: input %x differs from the dry run's", id))
	}
	out := newShare(r, n, bound, flow.Resolved(ring.ShapeOnly(r, n)))
	if owner < computing {
		out.owner = owner
	}
	switch {
	case dry:
		return out
	case owner >= computing:
		out.own = in.share
	case owner == p.rank:
		out.own = flow.Resolved(in.words)
	default:
		out.own = flow.Resolved(ring.New(r, n))
	}
	if !stays {
		delete(p.inputs, id) // read once: its memory is free after its last use
	}
	return out
}

// ShareInputs adds the input phase to g: input parties send rank 1 its shares.
func (p *Party) ShareInputs(g *flow.Graph) {
	for i, in := range p.inputs.sorted() {
		if in.owner < computing || in.shared {
			continue
		}
		op := g.Op(p.first+uint32(i), &flow.Cost{}, in.where)
		spec := flow.ExchangeSpec{}
		switch p.rank {
		case in.owner:
			spec.To = []int{1}
			spec.Pack = func() ring.Payload {
				v := ring.ShapeOnly(in.ring, in.n)
				if !g.DryRun() {
					v = p.stream(in, 0)
					ring.Sub(v, in.words, v)
				}
				var w ring.Writer
				w.Vec(v)
				return w.Payload()
			}
		case 1:
			spec.From, spec.Size = []int{in.owner}, (in.n*in.ring.Bits+7)/8
		case 0:
		default:
			continue
		}
		in.share = flow.Exchange(op, bytes(in.ring, in.n), spec, func(msgs []ring.Payload) (ring.Vec, error) {
			switch {
			case len(msgs) > 0:
				rd := ring.NewReader(msgs[0])
				v := rd.Vec(in.ring, in.n)
				return v, rd.Close()
			case p.rank == 0 && !g.DryRun():
				return p.stream(in, in.owner), nil
			}
			return ring.ShapeOnly(in.ring, in.n), nil
		})
	}
}

// stream is the share of rank 0 of an input party's vector, from the seed shared with the party of the given rank.
func (p *Party) stream(in *input, rank int) ring.Vec {
	v := ring.New(in.ring, in.n)
	p.zero[rank].Vec(v, in.id, uint8(link.Input))
	return v
}

// EndPhase implements protocol.Inputs.
func (in inputs) EndPhase() {
	for _, x := range in {
		if x.shared {
			continue
		}
		if x.owner >= computing {
			x.words = ring.Vec{}
		}
		if x.share != nil {
			x.share = flow.Resolved(x.share.Get())
		}
		x.shared = true
	}
}

// Staying implements protocol.Inputs.
func (in inputs) Staying() protocol.Inputs {
	out := inputs{}
	for id, x := range in {
		if x.stays {
			out[id] = x
		}
	}
	return out
}

// Len implements protocol.Inputs.
func (in inputs) Len() int { return len(in) }

// Bytes implements protocol.Inputs. Only input parties' vectors are shared.
func (in inputs) Bytes(rank int) (shared, own int64) {
	for _, x := range in {
		n := bytes(x.ring, x.n)
		if x.owner >= computing {
			shared += n
		}
		if x.owner == rank {
			own += n
		}
	}
	return shared, own
}

func (in inputs) sorted() []*input {
	out := make([]*input, 0, len(in))
	for _, x := range in {
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b *input) int { return cmp.Compare(a.id, b.id) })
	return out
}
