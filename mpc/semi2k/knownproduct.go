package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// contractKnown is contract for a matrix product or a convolution of two computing parties of which one knows an operand. The
// owner of x has B(x, Δy − [λy]), the other party −B(Δx, [λy]), where [·] is each one's share, and the dealer deals B(λx, [λy]) for the
// other party's share: one product each instead of four in all. If both operands are known, x is the one that has more elements. It
// returns nil for other products.
func (p *Party) contractKnown(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y *masked) *flow.Future[ring.Vec] {
	m, matrices := b.(maps.MatMul)
	_, convolved := b.(maps.Conv)
	if p.n != 2 || x.mask.Ring != out || y.mask.Ring != out || !convolved && (!matrices || m.Batch != 1) {
		return nil
	}
	knows := func(of *masked) bool { return of.mask.Kind == correlation.Owned && of.mask.Owner < p.n }
	knownLeft := knows(x) && (!knows(y) || x.mask.N >= y.mask.N)
	known, other := x, y
	if !knownLeft {
		known, other = y, x
	}
	if !knows(known) {
		return nil
	}
	owner := known.mask.Owner
	if other.parts == nil {
		other.parts = map[int]*correlation.Mask{}
	}
	part, ok := other.parts[1-owner]
	if !ok {
		part = p.partOfMask(op, other.mask, 1-owner)
		other.parts[1-owner] = part
	}
	if part == nil {
		return nil
	}
	factors := []correlation.Factor{{Mask: known.mask}, {Mask: part}}
	if !knownLeft {
		factors[0], factors[1] = factors[1], factors[0]
	}
	request := &correlation.Request{Kind: correlation.Bilinear, Factors: factors, Out: out, N: b.Out(), B: b}
	dealt := p.takeStream(op, request)
	packed := known.sent != nil && matrices
	if owner != p.rank {
		ahead := p.products[request.ID]
		delete(p.products, request.ID)
		return p.subtractKnown(op, out, b, known, other, knownLeft, packed, dealt, ahead)
	}
	deps := other.deps([]flow.Dep{dealt})
	switch {
	case packed:
		deps = append(deps, known.plain)
	case known.stream == nil:
		deps = append(deps, known.delta, known.lambda)
	default:
		deps = append(deps, known.delta)
	}
	return flow.Do(op, bytes(out, b.Out()), func() ring.Vec {
		dy := other.delta.Get()
		sum, prod := dy.UninitialisedLike(out, b.Out()), dy.UninitialisedLike(out, b.Out())
		dealt.Get().Read(sum, 0)
		op.Spend(flow.Bytes, 2*bytes(out, b.Out())) // the product, and the sum with it
		spendProducts(op, b, out)
		mine := dy
		if !other.zeroLambda {
			op.Spend(flow.Bytes, bytes(out, dy.Len()))
			mine = dy.UninitialisedLike(out, dy.Len())
			ring.Sub(mine, dy, other.lambda.Get())
		}
		defer func() {
			if prod.Free(); !other.zeroLambda {
				mine.Free()
			}
		}()
		if packed {
			multiplyStream(prod, known.plain.Get(), mine, m, knownLeft)
			ring.Add(sum, sum, prod)
			return sum
		}
		dx, lambda := known.delta.Get(), known.stream
		if lambda != nil && known.known == nil {
			op.Spend(flow.Stream, int64(known.mask.N*out.Drawn()))
		}
		if lambda == nil {
			of := ring.StreamOf(known.lambda.Get())
			lambda = &of
		}
		switch {
		case known.known != nil && knownLeft:
			b.Apply(prod, *known.known, mine)
		case known.known != nil:
			b.Apply(prod, mine, *known.known)
		case convolved:
			op.Spend(flow.Bytes, bytes(out, dx.Len()))
			plain := dx.Clone()
			ring.SubStream(plain, *lambda)
			if knownLeft {
				b.Apply(prod, plain, mine)
			} else {
				b.Apply(prod, mine, plain)
			}
			plain.Free()
		case knownLeft:
			ring.MatMulDifferenceLeft(prod, dx, *lambda, mine, m.M, m.K, m.N)
		default:
			ring.MatMulDifferenceRight(prod, mine, dx, *lambda, m.M, m.K, m.N)
		}
		ring.Add(sum, sum, prod)
		return sum
	}, flow.Distinct(deps)...)
}

// multiplyStream sets out to the product of a stream, the left operand if left, and a vector.
func multiplyStream(out ring.Vec, s ring.Stream, v ring.Vec, m maps.MatMul, left bool) {
	if left {
		ring.MatMulStreamLeft(out, s, v, m.M, m.K, m.N)
	} else {
		ring.MatMulStream(out, v, s, m.M, m.K, m.N)
	}
}

// subtractKnown is the share of the party that does not know the operand known: what is dealt less the product of its masked value and
// this party's share of the other operand's mask. That product does not depend on what is opened, so it is made before the other
// operand is open if the party has nothing else to do, or was made before the request began: then it is ahead, else the zero Vec.
// packed says that the product reads the masked value as it was sent.
func (p *Party) subtractKnown(
	op *flow.Op, out ring.Ring, b maps.Bilinear, known, other *masked, knownLeft, packed bool, dealt *flow.Future[ring.Stream], ahead ring.Vec,
) *flow.Future[ring.Vec] {
	var d flow.Dep = known.delta
	if packed {
		d = known.sent
	}
	prod := flow.Do(op, bytes(out, b.Out()), func() ring.Vec {
		if !ahead.ShapeOnly() {
			return ahead
		}
		lambda := other.lambda.Get()
		prod := lambda.UninitialisedLike(out, b.Out())
		spendProducts(op, b, out)
		switch {
		case packed:
			multiplyStream(prod, known.sent.Get(), lambda, b.(maps.MatMul), knownLeft)
		case knownLeft:
			b.Apply(prod, known.delta.Get(), lambda)
		default:
			b.Apply(prod, lambda, known.delta.Get())
		}
		return prod
	}, flow.Distinct([]flow.Dep{d, other.lambda})...)
	return flow.Do(op, bytes(out, b.Out()), func() ring.Vec {
		sum := prod.Get().UninitialisedLike(out, b.Out())
		op.Spend(flow.Bytes, bytes(out, b.Out()))
		dealt.Get().Read(sum, 0)
		ring.Sub(sum, sum, prod.Get())
		prod.Get().Free()
		return sum
	}, flow.Distinct([]flow.Dep{dealt, other.delta, prod})...)
}

// partOfMask returns a mask whose value is the share of a mask that a computing party has; nil if that is zero, or if no seed makes it.
func (p *Party) partOfMask(op *flow.Op, m *correlation.Mask, rank int) *correlation.Mask {
	zero := true
	known := map[*correlation.Mask]*correlation.Mask{}
	var of func(m *correlation.Mask) *correlation.Mask
	of = func(m *correlation.Mask) *correlation.Mask {
		if part, ok := known[m]; ok {
			return part
		}
		var part *correlation.Mask
		switch {
		case m.Kind == correlation.Fresh:
			zero = false
			part = correlation.NewOwned(uint64(m.ID), m.Ring, m.N, rank) // the same stream of the same seed
		case m.Kind == correlation.Zero:
			part = m
		case m.Kind == correlation.Owned && m.Owner == rank:
			part, zero = m, false
		case m.Kind == correlation.Owned && m.Owner < p.n:
			part = correlation.NewZero(op.Next(), m.Ring, m.N)
		case m.Kind == correlation.Derived:
			var parts []*correlation.Mask
			for _, o := range m.Of {
				x := of(o)
				if x == nil {
					return nil
				}
				parts = append(parts, x)
			}
			part = correlation.NewDerived(op.Next(), m.Ring, m.Map, parts...)
		}
		known[m] = part
		return part
	}
	if part := of(m); !zero {
		return part
	}
	return nil
}
