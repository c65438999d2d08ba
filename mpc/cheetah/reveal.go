package cheetah

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// outgoing is a share that may leave this party without a mask. Only rerandomised makes one.
type outgoing struct{ share ring.Vec }

// rerandomised adds this party's part of a sharing of zero to v. An id serves one value in each phase.
func (p *Party) rerandomised(v ring.Vec, id uint64, phase link.Phase) outgoing {
	if v.ShapeOnly() {
		return outgoing{v}
	}
	out := ring.New(v.Ring(), v.Len())
	p.zero[p.peer()].Vec(out, id, uint8(phase))
	if p.rank == opener {
		ring.Add(out, v, out)
	} else {
		ring.Sub(out, v, out)
	}
	return outgoing{out}
}

// packed is the payload of a share that leaves the party.
func packed(o outgoing) ring.Payload {
	var w ring.Writer
	w.Vec(o.share)
	return w.Payload()
}

// RevealToComputing implements mpc.Core: each computing party sends the other one its share plus a sharing of zero.
func (p *Party) RevealToComputing(op *flow.Op, x mpc.Secret) mpc.Secret {
	s, id := of(x), op.Next()
	if s.public != nil {
		return s
	}
	if s.own == nil {
		return p.lift(op, s.ring, of(p.RevealToComputing(op, s.narrow)))
	}
	own := flow.Do(op, bytes(s.ring, s.n), func() outgoing { return p.rerandomised(s.own.Get(), id, link.Online) }, s.mine())
	sum := flow.Exchange(op, bytes(s.ring, s.n), flow.ExchangeSpec{
		To: []int{p.peer()}, From: []int{p.peer()}, Size: (s.n*s.ring.Bits + 7) / 8,
		Pack: func() ring.Payload { return packed(own.Get()) },
	}, func(in []ring.Payload) (ring.Vec, error) {
		rd := ring.NewReader(in[0])
		v := rd.Vec(s.ring, s.n)
		ring.Add(v, v, own.Get().share)
		return v, rd.Close()
	}, own)
	return p.publicShare(op, sum, s.ring, s.n, s.bound)
}

// RevealTo implements mpc.Core: the other computing party sends its share plus a sharing of zero to the one that learns x.
func (p *Party) RevealTo(op *flow.Op, x mpc.Secret, to int) *flow.Future[ring.Vec] {
	if to < 0 || to >= computing {
		panic("cheetah: a vector is revealed to a party that does not compute")
	}
	s, id := of(x).tight(), op.Next()
	share := s.mine()
	own := flow.Do(op, bytes(s.ring, s.n), func() outgoing { return p.rerandomised(share.Get(), id, link.Online) }, share)
	spec := flow.ExchangeSpec{Rounds: 1} // also at the sender: both parties' rounds are alike
	if p.rank == to {
		spec.From, spec.Size = []int{p.peer()}, (s.n*s.ring.Bits+7)/8
	} else if p.rank < computing {
		spec.To, spec.Pack = []int{to}, func() ring.Payload { return packed(own.Get()) }
	}
	return flow.Exchange(op, bytes(s.ring, s.n), spec, func(in []ring.Payload) (ring.Vec, error) {
		if p.rank != to {
			return ring.Vec{}, nil
		}
		rd := ring.NewReader(in[0])
		v := rd.Vec(s.ring, s.n)
		ring.Add(v, v, own.Get().share)
		return signExtended(v, of(x).ring), rd.Close()
	}, own)
}

// signExtended is v in a ring that is as wide or wider.
func signExtended(v ring.Vec, r ring.Ring) ring.Vec {
	if r == v.Ring() || v.ShapeOnly() {
		return v
	}
	out := ring.New(r, v.Len())
	ring.SignExtend(out, v)
	return out
}

// InputLate implements mpc.Core: the owner's share is the vector, and the other party's is zero.
func (p *Party) InputLate(op *flow.Op, owner int, r ring.Ring, n, bound int, words *flow.Future[ring.Vec]) mpc.Secret {
	if owner < 0 || owner >= computing {
		panic("cheetah: a late vector of a party that does not compute")
	}
	out := newShare(r, n, bound, local(op, r, n, func(dst ring.Vec, src []ring.Vec) {
		if p.rank == owner {
			ring.Low(dst, src[0])
		}
	}, words))
	out.owner = owner
	return out
}

// Reveal implements mpc.Core: each computing party sends its share plus a sharing of zero to the parties that learn x.
func (p *Party) Reveal(op *flow.Op, x mpc.Secret, to []int) *flow.Future[ring.Vec] {
	s, id := of(x).tight(), op.Next()
	var own *flow.Future[outgoing]
	var deps []flow.Dep
	spec := flow.ExchangeSpec{Size: (s.n*s.ring.Bits + 7) / 8}
	learns := slices.Contains(to, p.rank)
	if p.rank < computing {
		share := flow.Resolved(s.own.Get())
		own = flow.Do(op, bytes(s.ring, s.n), func() outgoing { return p.rerandomised(share.Get(), id, link.Output) }, share)
		deps = append(deps, own)
		for _, rank := range to {
			if rank != p.rank {
				spec.To = append(spec.To, rank)
			}
		}
		spec.Pack = func() ring.Payload { return packed(own.Get()) }
	}
	for rank := range computing {
		if learns && rank != p.rank {
			spec.From = append(spec.From, rank)
		}
	}
	return flow.Exchange(op, bytes(s.ring, s.n), spec, func(in []ring.Payload) (ring.Vec, error) {
		if !learns {
			return ring.Vec{}, nil
		}
		var sum ring.Vec
		if own != nil {
			sum = own.Get().share.Clone()
		}
		for i, m := range in {
			rd := ring.NewReader(m)
			v := rd.Vec(s.ring, s.n)
			if err := rd.Close(); err != nil {
				return ring.Vec{}, err
			}
			if i == 0 && own == nil {
				sum = v
			} else {
				ring.Add(sum, sum, v)
			}
		}
		return signExtended(sum, of(x).ring), nil
	}, deps...)
}
