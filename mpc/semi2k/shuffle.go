package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// shuffle puts every rows of masked vectors, all alike, in an order that no
// party knows, and gives this party's additive shares of them.
//
// Party i draws an order π and, for each vector, an addend s from its seed; Δ
// goes from party to party, each makes π(Δ) + s of it, and the last one sends
// that to all: n rounds, in which every party but the last sends its vectors
// once. They are fresh-masked for all but the one who added s, and the order is
// unknown to any n − 1 parties. λ goes the same way at the dealer, who knows all
// π and deals shares of what becomes of it. So that it knows the order of
// nothing that is done next, all parties then apply one more order, κ, from a
// seed that they have in common and the dealer lacks.
func (p *Party) shuffle(op *flow.Op, rows int, xs ...*share) []*flow.Of[ring.Vec] {
	n, order := xs[0].n, op.Next()
	common := op.Next()
	adds, lambdas, deltas := make([]*flow.Of[ring.Vec], len(xs)), make([]*flow.Of[ring.Vec], len(xs)), make([]*flow.Of[ring.Vec], len(xs))
	for i, x := range xs {
		mask := correlation.NewShuffled(op.Next(), order, rows, x.masked.mask)
		adds[i], deltas[i] = p.leaf(op, mask), x.masked.delta
		lambdas[i] = p.takeVec(op, &correlation.Request{Kind: correlation.Product, Factors: []correlation.Factor{{Mask: mask}}, Out: x.ring, N: n})
	}
	start := flow.Do(op, 0, func() []ring.Vec {
		out := make([]ring.Vec, len(xs))
		for i, d := range deltas {
			out[i] = d.Get()
		}
		return out
	}, deps(deltas)...)
	orders := flow.Try(op, int64(n)*4, func() ([]int32, error) {
		op.Spend(flow.Stream, int64(n)*8)
		return p.source.Orders(correlation.ID(order), rows, n)
	})
	moved := p.passed(op, start, func(from *flow.Of[[]ring.Vec]) *flow.Of[[]ring.Vec] {
		return flow.Do(op, heldBy(xs), func() []ring.Vec {
			out := make([]ring.Vec, len(xs))
			for i, v := range from.Get() {
				out[i] = v.Like(v.Ring(), n)
				if !v.Weightless() {
					ring.Gather(out[i], v, orders.Get())
				}
				ring.Add(out[i], out[i], adds[i].Get())
			}
			return out
		}, append(deps(adds), from, orders)...)
	}, xs)
	again := flow.Do(op, int64(n)*4, func() []int32 {
		op.Spend(flow.Stream, int64(n)*8)
		if op.Graph.Weightless() {
			return nil
		}
		index := make([]int32, n)
		p.common.Orders(index, rows, common, 0)
		return index
	})
	out := make([]*flow.Of[ring.Vec], len(xs))
	for i, x := range xs {
		out[i] = flow.Do(op, bytes(x.ring, n), func() ring.Vec {
			lambda := lambdas[i].Get()
			own, v := lambda.Like(x.ring, n), lambda.Like(x.ring, n)
			if v.Weightless() {
				return v
			}
			if p.first() {
				ring.Sub(own, moved.Get()[i], lambda)
			} else {
				ring.Neg(own, lambda)
			}
			ring.Gather(v, own, again.Get())
			own.Free()
			return v
		}, moved, lambdas[i], again)
	}
	return out
}

// passed has vectors go from party to party, each of which makes mine of them,
// and gives all what the last one makes.
func (p *Party) passed(op *flow.Op, start *flow.Of[[]ring.Vec], mine func(*flow.Of[[]ring.Vec]) *flow.Of[[]ring.Vec], xs []*share) *flow.Of[[]ring.Vec] {
	size, last := 0, p.n-1
	for _, x := range xs {
		size += x.n * x.ring.Bits
	}
	var made *flow.Of[[]ring.Vec]
	pack := func() ring.Payload {
		var w ring.Writer
		w.Grow(size)
		for _, v := range made.Get() {
			w.Vec(v)
		}
		return w.Payload()
	}
	read := func(in []ring.Payload) ([]ring.Vec, error) {
		r := ring.NewReader(in[0])
		out := make([]ring.Vec, len(xs))
		for i, x := range xs {
			out[i] = r.Vec(x.ring, x.n)
		}
		return out, r.Close()
	}
	from := func(rank, rounds int) *flow.Of[[]ring.Vec] {
		return flow.Exchange(op, heldBy(xs), flow.Talk{From: []int{rank}, Size: (size + 7) / 8, Rounds: rounds}, read, start)
	}
	none := func([]ring.Payload) ([]ring.Vec, error) { return nil, nil }
	if p.rank == 0 {
		made = mine(start)
	}
	for hop := range last { // an exchange at all parties, so that they number them alike
		switch p.rank {
		case hop:
			flow.Exchange(op, 0, flow.Talk{To: []int{hop + 1}, Pack: pack}, none, made)
		case hop + 1:
			made = mine(from(hop, hop+1))
		default:
			flow.Exchange(op, 0, flow.Talk{}, none)
		}
	}
	if p.rank != last {
		return from(last, p.n)
	}
	return flow.Exchange(op, 0, flow.Talk{To: p.others, Pack: pack, Rounds: 1}, func([]ring.Payload) ([]ring.Vec, error) { return made.Get(), nil }, made)
}

func heldBy(xs []*share) int64 {
	var n int64
	for _, x := range xs {
		n += bytes(x.ring, x.n)
	}
	return n
}
