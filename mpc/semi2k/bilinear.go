package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// maxTerms bounds the polynomials that stay symbolic.
const maxTerms = 16

// Product is local once both operands are masked. Elementwise products are
// polynomials; contractions need Δ of both in the result's ring and one dealt
// vector of the result's size.
func (p *Party) Product(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y mpc.Secret) mpc.Secret {
	a, c := p.share(x), p.share(y)
	bound := a.bound + c.bound + log2(b.Terms())
	if _, ok := b.(maps.Elementwise); ok {
		f, g := p.factorOf(op, a, out), p.factorOf(op, c, out)
		for _, s := range []*share{f, g} {
			if s.poly != nil && s.masked == nil && s.ring.Bits < out.Bits { // a polynomial holds modulo its own ring alone
				p.open(op, s)
			}
		}
		if f.masked == nil && g.masked == nil && f.poly != nil && g.poly != nil {
			// One of the two is opened; its share may be narrow.
			g = p.narrowed(op, &share{ring: out, n: c.n, bound: c.bound, additive: p.own(op, c)})
		}
		p.open(op, unopened(f, g)...)
		return p.newPoly(out, a.n, bound, p.asPoly(op, f, out).times(p.asPoly(op, g, out)))
	}
	p.open(op, a, c)
	return p.newShare(out, b.Out(), bound, p.contract(op, out, b, a.masked, c.masked))
}

// factorOf picks the form in which an operand enters an elementwise product:
// the masked form or the polynomial that it has, else its additive share in
// the narrowest ring that holds it.
func (p *Party) factorOf(op *flow.Op, s *share, out ring.Ring) *share {
	if s.masked != nil {
		return s
	}
	if s.poly != nil && s.ring == out && len(s.poly.terms) <= maxTerms/2 {
		return s
	}
	return p.narrowed(op, s)
}

// narrowed is the same value in the narrowest ring that holds it with its
// slack bit: what is cheapest to open if the full ring is not needed.
func (p *Party) narrowed(op *flow.Op, s *share) *share {
	if s.masked != nil || s.width() >= s.ring.Bits {
		return s
	}
	if _, n := cut(nil, s); n == 0 {
		return s // it follows from what is open
	}
	return p.in(op, s, ring.Z(s.width()))
}

// unopened are those of the shares that are neither masked nor polynomials.
func unopened(xs ...*share) []*share {
	var todo []*share
	for _, s := range xs {
		if s.masked == nil && s.poly == nil {
			todo = append(todo, s)
		}
	}
	return todo
}

// contract is B(Δx,Δy) − B(Δx,[λy]) − B([λx],Δy) + [B(λx,λy)]. The first party
// adds the first term, as B(Δx − [λx], Δy) where its share of λy is zero.
func (p *Party) contract(op *flow.Op, out ring.Ring, b maps.Bilinear, x, y *masked) *flow.Of[ring.Vec] {
	dealt := p.takeVec(op, &correlation.Request{
		Kind:    correlation.Bilinear,
		Factors: []correlation.Factor{{Mask: x.mask}, {Mask: y.mask}},
		Out:     out, N: b.Out(), B: b,
	})
	return flow.Do(op, bytes(out, b.Out()), func() ring.Vec {
		sum := dealt.Get().Clone()
		dx, dy := x.delta.Get(), y.delta.Get()
		prod := sum.BlankLike(out, b.Out())
		add := func(l, r ring.Vec) {
			spendProducts(op, b, out)
			b.Apply(prod, l, r)
			ring.Add(sum, sum, prod)
		}
		switch { // what meets Δy: Δx − [λx], or −[λx]
		case p.first() && x.none:
			add(dx, dy)
		case p.first():
			left := dx.BlankLike(out, dx.Len())
			ring.Sub(left, dx, x.lambda.Get())
			add(left, dy)
			left.Free()
		case !x.none:
			left := dx.BlankLike(out, dx.Len())
			ring.Neg(left, x.lambda.Get())
			add(left, dy)
			left.Free()
		}
		if !y.none { // what meets Δx: −[λy]
			right := dy.BlankLike(out, dy.Len())
			ring.Neg(right, y.lambda.Get())
			add(dx, right)
			right.Free()
		}
		prod.Free()
		return sum
	}, append(x.deps(y.deps(nil)), dealt)...)
}

// deps adds what the masked form consists of.
func (m *masked) deps(ds []flow.Dep) []flow.Dep {
	if ds = append(ds, m.delta); !m.none {
		ds = append(ds, m.lambda)
	}
	return ds
}

// spendProducts books the multiply-adds of a bilinear map, in words.
func spendProducts(op *flow.Op, b maps.Bilinear, r ring.Ring) {
	w := int64(r.Words())
	op.Spend(flow.Products, b.Products()*w*w)
}

// log2 is the logarithm of n, rounded up.
func log2(n int) int {
	e := 0
	for 1<<e < n {
		e++
	}
	return e
}
