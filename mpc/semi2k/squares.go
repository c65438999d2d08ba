package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// WeightedSquares implements mpc.Squarer (docs/protocols/arithmetic.md#weighted-squares). With x = Δ − λ, of which the owner knows
// both, and w = Δ_w − λ_w it is the sum of
//
//	xᵀ·diag(Δ_w)·x              the owner's
//	−Δᵀ·diag([λ_w])·Δ           each party's
//	Δᵀ·[S] + [S]ᵀ·Δ             with S = diag(λ_w)·λ, dealt: as many elements as x has
//	−[λᵀ·diag(λ_w)·λ]           dealt: as many elements as the result has
func (p *Party) WeightedSquares(op *flow.Op, owner int, d mpc.SquareDims, x, w mpc.Secret) mpc.Secret {
	s, v := p.share(x), p.share(w)
	if s.ring != ring.Z(64) || v.ring != s.ring || owner < 0 || owner >= p.n || s.masked == nil || !ownedBy(s.masked.mask, owner) {
		return nil
	}
	p.open(op, v)
	r, n := s.ring, s.n
	shape := tensor.Shape{d.Batch, d.Rows, d.Columns}
	turned := maps.NewView(tensor.Transposed(shape, []int{0, 2, 1}), n)
	product := maps.MatMul{Batch: d.Batch, M: d.Columns, K: d.Rows, N: d.Columns}
	mask := s.masked.mask
	left := correlation.NewDerived(op.Next(), r, turned, mask)
	times := correlation.NewDerived(op.Next(), r, maps.NewView(tensor.Broadcast(shape[:2], []int{0, 1}, shape), v.n), v.masked.mask)
	scaled := p.takeVec(op, &correlation.Request{
		Kind: correlation.Product, Factors: []correlation.Factor{{Mask: mask}, {Mask: times}}, Out: r, N: n,
	})
	square := p.takeVec(op, &correlation.Request{
		Kind: correlation.Bilinear, Factors: []correlation.Factor{{Mask: left}, {Mask: mask}, {Mask: times}},
		Out: r, N: product.Out(), B: product,
	})
	return p.newShare(r, product.Out(), r.Bits-2, flow.Do(op, bytes(r, product.Out()), func() ring.Vec {
		delta := s.masked.delta.Get()
		out := square.Get().Clone()
		ring.Scale(out, out, -1)
		sum, rows := out.UninitialisedLike(r, product.Out()), delta.UninitialisedLike(r, n)
		multiply := func(left, right ring.Vec) ring.Vec {
			spendProducts(op, product, r)
			product.Apply(sum, left, right)
			return sum
		}
		turn := func(x ring.Vec) ring.Vec {
			y := x.UninitialisedLike(r, n)
			turned.Apply(y, x)
			return y
		}
		turnedDelta := turn(delta)
		ring.Add(out, out, multiply(turnedDelta, scaled.Get()))
		addTurned(out, sum, d)
		if !v.masked.zeroLambda {
			weigh(rows, delta, v.masked.lambda.Get(), d.Columns)
			ring.Sub(out, out, multiply(turnedDelta, rows))
		}
		turnedDelta.Free()
		if owner == p.rank {
			own := delta.UninitialisedLike(r, n)
			ring.Sub(own, delta, s.masked.lambda.Get())
			weigh(rows, own, v.masked.delta.Get(), d.Columns)
			turnedOwn := turn(own)
			ring.Add(out, out, multiply(turnedOwn, rows))
			turnedOwn.Free()
			own.Free()
		}
		sum.Free()
		rows.Free()
		return out
	}, append(s.masked.deps(v.masked.deps(nil)), scaled, square)...))
}

// ownedBy reports whether a mask is made of masks that one party knows: owner.
func ownedBy(m *correlation.Mask, owner int) bool {
	if m.Kind == correlation.Derived {
		for _, o := range m.Of {
			if !ownedBy(o, owner) {
				return false
			}
		}
		return true
	}
	return m.Kind == correlation.Owned && m.Owner == owner
}

// weigh sets dst to the rows of x, of so many columns in Z_2^64, times a weight for each row.
func weigh(dst, x, weights ring.Vec, columns int) {
	if dst.ShapeOnly() {
		return
	}
	to, from := dst.Words(), x.Words()
	for i, w := range weights.Words() {
		for j := i * columns; j < (i+1)*columns; j++ {
			to[j] = from[j] * w
		}
	}
}

// addTurned adds the transposes of square matrices in Z_2^64 to others.
func addTurned(dst, x ring.Vec, d mpc.SquareDims) {
	if dst.ShapeOnly() {
		return
	}
	k := d.Columns
	for b := range d.Batch {
		to, from := dst.Words()[b*k*k:(b+1)*k*k], x.Words()[b*k*k:(b+1)*k*k]
		for i := range k {
			for j := range k {
				to[i*k+j] += from[j*k+i]
			}
		}
	}
}
