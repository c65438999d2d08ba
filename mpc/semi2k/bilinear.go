package semi2k

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// maxTerms is the number of terms up to which a product of polynomials in masks stays symbolic.
const maxTerms = 16

// Product implements mpc.Core (docs/protocols/arithmetic.md#products); it is exact and ignores the slack. It opens
// the operands that have no masked form, and then sends nothing. An elementwise product is a polynomial in masks. A
// contraction needs both Δ in ring out and one dealt vector of the result's size (contractKnown, else contract).
func (p *Party) Product(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y mpc.Secret, _ int) mpc.Secret {
	a, c := p.share(x), p.share(y)
	if left, right := b.In(); a.n != left || c.n != right {
		panic(fmt.Sprintf("semi2k: a product of %d and %d elements, not %d and %d", left, right, a.n, c.n))
	}
	bound := a.bound + c.bound + maps.CeilLog2(b.Terms())
	if _, ok := b.(maps.Elementwise); ok {
		f, g := p.factorOf(op, a, out), p.factorOf(op, c, out)
		for _, s := range []*share{f, g} {
			if s.poly != nil && s.masked == nil && s.ring.Bits < out.Bits { // the polynomial holds in its own ring only
				p.open(op, s)
			}
		}
		if f.masked == nil && g.masked == nil && f.poly != nil && g.poly != nil {
			// One of the two is opened; its share may be narrow.
			g = p.narrowed(op, &share{ring: out, n: c.n, bound: c.bound, additive: p.additive(op, c)})
		}
		p.open(op, unopened(f, g)...)
		return p.newPoly(out, a.n, bound, p.asPoly(op, f, out).times(p.asPoly(op, g, out)))
	}
	p.open(op, a, c)
	if z := p.contractKnown(op, out, b, a.masked, c.masked); z != nil {
		return p.newShare(out, b.Out(), bound, z)
	}
	return p.newShare(out, b.Out(), bound, p.contract(op, out, b, a.masked, c.masked))
}

// factorOf returns the form in which s enters an elementwise product in ring out: its masked form, its
// polynomial if that is in out and short, else its additive share in the narrowest ring that holds it.
func (p *Party) factorOf(op *flow.Op, s *share, out ring.Ring) *share {
	if s.masked != nil {
		return s
	}
	if s.poly != nil && s.ring == out && len(s.poly.terms) <= maxTerms/2 {
		return s
	}
	return p.narrowed(op, s)
}

// narrowed returns s in the narrowest ring that holds its values and a slack bit. That ring is the cheapest
// to open where the full ring is not needed.
func (p *Party) narrowed(op *flow.Op, s *share) *share {
	if s.masked != nil || s.width() >= s.ring.Bits {
		return s
	}
	if _, n := leastToOpen(nil, s); n == 0 {
		return s // it follows from what is open
	}
	return p.narrowTo(op, s, ring.Z(s.width()))
}

// unopened returns the shares of xs that are neither masked nor polynomials.
func unopened(xs ...*share) []*share {
	var todo []*share
	for _, s := range xs {
		if s.masked == nil && s.poly == nil {
			todo = append(todo, s)
		}
	}
	return todo
}

// contract is B(Δx, Δy) − B(Δx, [λy]) − B([λx], Δy) + [B(λx, λy)], where [·] is this party's share. The first
// party adds the first term, as B(Δx − [λx], Δy).
func (p *Party) contract(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y *masked) *flow.Future[ring.Vec] {
	dealt := p.takeStream(op, &correlation.Request{
		Kind:    correlation.Bilinear,
		Factors: []correlation.Factor{{Mask: x.mask}, {Mask: y.mask}},
		Out:     out, N: b.Out(), B: b,
	})
	// The owner of a right operand's mask expands it where it is multiplied: all of it in memory would take longer to read.
	mat, streamed := b.(maps.MatMul)
	streamed = streamed && mat.Batch == 1 && y.stream != nil && y.mask.Kind == correlation.Owned && y.mask.Ring == out
	right := y.deps(nil)
	if streamed {
		right = []flow.Dep{y.delta}
	}
	return flow.Do(op, bytes(out, b.Out()), func() ring.Vec {
		dx, dy := x.delta.Get(), y.delta.Get()
		sum, prod := dx.UninitialisedLike(out, b.Out()), dx.UninitialisedLike(out, b.Out())
		dealt.Get().Read(sum, 0)
		op.Spend(flow.Bytes, 2*bytes(out, b.Out())) // the product, and the sum with it
		product := func(l, r ring.Vec) ring.Vec {
			spendProducts(op, b, out)
			b.Apply(prod, l, r)
			return prod
		}
		expanded := func() { op.Spend(flow.Stream, int64(y.mask.N*out.Drawn())) }
		// Δx·Δy is the first party's. It is multiplied with what meets Δx or Δy: Δy − [λy], or Δx − [λx] where that takes the
		// shorter difference or y has no mask.
		addRight, addLeft := !y.zeroLambda, !x.zeroLambda
		if p.first() {
			if y.zeroLambda || addLeft && dx.Len() < dy.Len() {
				left := dx
				if addLeft {
					op.Spend(flow.Bytes, bytes(out, dx.Len()))
					left = dx.UninitialisedLike(out, dx.Len())
					ring.Sub(left, dx, x.lambda.Get())
				}
				ring.Add(sum, sum, product(left, dy))
				if addLeft {
					left.Free()
				}
				addLeft = false
			} else {
				op.Spend(flow.Bytes, bytes(out, dy.Len()))
				var right ring.Vec
				if streamed {
					expanded()
					right = dy.Clone()
					ring.SubStream(right, *y.stream)
				} else {
					right = dy.UninitialisedLike(out, dy.Len())
					ring.Sub(right, dy, y.lambda.Get())
				}
				ring.Add(sum, sum, product(dx, right))
				right.Free()
				addRight = false
			}
		}
		if addLeft { // what meets Δy: −[λx]
			ring.Sub(sum, sum, product(x.lambda.Get(), dy))
		}
		switch { // what meets Δx: −[λy]
		case addRight && streamed:
			expanded()
			spendProducts(op, b, out)
			ring.MatMulStream(prod, dx, *y.stream, mat.M, mat.K, mat.N)
			ring.Sub(sum, sum, prod)
		case addRight:
			ring.Sub(sum, sum, product(dx, y.lambda.Get()))
		}
		prod.Free()
		return sum
	}, append(x.deps(right), dealt)...)
}

// deps appends the futures of the masked form to ds.
func (m *masked) deps(ds []flow.Dep) []flow.Dep {
	if ds = append(ds, m.delta); !m.zeroLambda {
		ds = append(ds, m.lambda)
	}
	return ds
}

// spendProducts adds the multiply-adds of a bilinear map, counted in words, to op's work, and the bytes of a contraction's operands. For
// matrices with few rows on the other side reading takes the time, not the products. A convolution also packs the patches of the image.
func spendProducts(op *flow.Op, b maps.Bilinear, r ring.Ring) {
	w := int64(r.Words())
	op.Spend(flow.Products, b.Products()*w*w)
	if c, ok := b.(maps.Conv); ok {
		op.Spend(flow.Packed, c.Products()*int64(c.Groups)/int64(max(1, c.OutChannels))*w)
	}
	if _, ok := b.(maps.Elementwise); !ok {
		left, right := b.In()
		op.Spend(flow.Reads, bytes(r, left)+bytes(r, right))
	}
}
