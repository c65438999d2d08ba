package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// shuffle permutes masked vectors, each group of rows elements with its own permutation and all vectors
// alike, and returns this party's additive shares (docs/protocols/sorting.md#shuffle). No party knows the
// permutation.
//
// Party i draws, from its seed with the dealer, a permutation π_i and an addend s_i for each vector. Δ passes
// from party 0 to party n − 1; each replaces it by π_i(Δ) + s_i, and the last one sends the result to all: n
// rounds, in which each party but the last sends its vectors once. The result is freshly masked for all
// parties but the one that drew s_i, and no n − 1 parties know the permutation. The dealer computes the same
// from λ, knowing all π_i, and shares the result. Then all parties apply one more permutation κ to their
// shares, from their common seed, which the dealer lacks, so that the dealer does not know the order of the
// rows that later operations use.
func (p *Party) shuffle(op *flow.Op, rows int, xs ...*share) []*flow.Future[ring.Vec] {
	n, order := xs[0].n, op.Next()
	common := op.Next()
	adds, lambdas, deltas := make(
		[]*flow.Future[ring.Vec],
		len(xs),
	), make(
		[]*flow.Future[ring.Vec],
		len(xs),
	), make(
		[]*flow.Future[ring.Vec],
		len(xs),
	)
	for i, x := range xs {
		mask := correlation.NewShuffled(op.Next(), order, rows, x.masked.mask)
		adds[i], deltas[i] = p.leaf(op, mask), x.masked.delta
		lambdas[i] = p.takeVec(
			op,
			&correlation.Request{Kind: correlation.Product, Factors: []correlation.Factor{{Mask: mask}}, Out: x.ring, N: n},
		)
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
		return p.source.Permutations(correlation.ID(order), rows, n)
	})
	moved := p.passed(op, start, func(from *flow.Future[[]ring.Vec]) *flow.Future[[]ring.Vec] {
		return flow.Do(op, totalBytes(xs), func() []ring.Vec {
			out := make([]ring.Vec, len(xs))
			for i, v := range from.Get() {
				out[i] = v.Like(v.Ring(), n)
				if !v.ShapeOnly() {
					ring.Gather(out[i], v, orders.Get())
				}
				ring.Add(out[i], out[i], adds[i].Get())
			}
			return out
		}, append(deps(adds), from, orders)...)
	}, xs)
	again := flow.Do(op, int64(n)*4, func() []int32 {
		op.Spend(flow.Stream, int64(n)*8)
		if op.Graph.DryRun() {
			return nil
		}
		index := make([]int32, n)
		p.common.Permutations(index, rows, common, 0)
		return index
	})
	out := make([]*flow.Future[ring.Vec], len(xs))
	for i, x := range xs {
		out[i] = flow.Do(op, bytes(x.ring, n), func() ring.Vec {
			lambda := lambdas[i].Get()
			own, v := lambda.Like(x.ring, n), lambda.Like(x.ring, n)
			if v.ShapeOnly() {
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

// passed passes vectors from party to party. Each replaces them by mine of them; all parties get the last
// party's result.
func (p *Party) passed(
	op *flow.Op,
	start *flow.Future[[]ring.Vec],
	mine func(*flow.Future[[]ring.Vec]) *flow.Future[[]ring.Vec],
	xs []*share,
) *flow.Future[[]ring.Vec] {
	size, last := 0, p.n-1
	for _, x := range xs {
		size += x.n * x.ring.Bits
	}
	var made *flow.Future[[]ring.Vec]
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
	from := func(rank, rounds int) *flow.Future[[]ring.Vec] {
		return flow.Exchange(op, totalBytes(xs), flow.ExchangeSpec{From: []int{rank}, Size: (size + 7) / 8, Rounds: rounds}, read, start)
	}
	none := func([]ring.Payload) ([]ring.Vec, error) { return nil, nil }
	if p.rank == 0 {
		made = mine(start)
	}
	for hop := range last { // an exchange at each party, so that all number their exchanges alike
		switch p.rank {
		case hop:
			flow.Exchange(op, 0, flow.ExchangeSpec{To: []int{hop + 1}, Pack: pack}, none, made)
		case hop + 1:
			made = mine(from(hop, hop+1))
		default:
			flow.Exchange(op, 0, flow.ExchangeSpec{}, none)
		}
	}
	if p.rank != last {
		return from(last, p.n)
	}
	return flow.Exchange(
		op,
		0,
		flow.ExchangeSpec{To: p.others, Pack: pack, Rounds: 1},
		func([]ring.Payload) ([]ring.Vec, error) { return made.Get(), nil },
		made,
	)
}

func totalBytes(xs []*share) int64 {
	var n int64
	for _, x := range xs {
		n += bytes(x.ring, x.n)
	}
	return n
}
