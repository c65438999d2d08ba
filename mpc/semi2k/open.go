package semi2k

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// open gives every share its masked form. What has none yet is opened, all in
// one message of as many bits an element as its ring has: the party sends its
// share plus its part of a fresh mask. It is the only way, beside inputs and
// linear maps, to a masked form, and makes its own mask each time. Of an image
// what it is made of is opened, if that is less.
func (p *Party) open(op *flow.Op, xs ...*share) {
	var roots []*share
	for _, s := range xs {
		least, _ := cut(roots, s)
		roots = append(roots, least...)
	}
	p.openAll(op, roots...)
	for _, s := range xs {
		p.derive(op, s)
	}
}

// openSpread opens operands if those that are not open all are views that
// repeat elements: that is less than to open what becomes of them.
func (p *Party) openSpread(op *flow.Op, xs ...*share) {
	for _, s := range xs {
		if s.masked == nil && !s.image.expands() {
			return
		}
	}
	p.open(op, xs...)
}

// openAll opens shares that are not open, whatever they are made of.
func (p *Party) openAll(op *flow.Op, xs ...*share) {
	var todo []*share
	var own, lambdas []*flow.Of[ring.Vec]
	var kinds []addend
	var held int64
	for _, s := range xs {
		if s.masked != nil {
			continue
		}
		own = append(own, p.own(op, s))
		mask := correlation.NewFresh(op.Next(), s.ring, s.n)
		s.masked = newMasked(nil, p.leaf(op, mask), mask) // Δ follows below
		lambdas = append(lambdas, s.masked.lambda)
		todo = append(todo, s)
		kinds = append(kinds, numbers(s.ring, s.n))
		held += bytes(s.ring, s.n)
	}
	if len(todo) == 0 {
		return
	}
	opened := p.total(op, held, kinds, func() []addend {
		mine := slices.Clone(kinds)
		for i := range mine {
			v := own[i].Get()
			mine[i].vec = v.BlankLike(v.Ring(), v.Len())
			ring.Add(mine[i].vec, v, lambdas[i].Get())
		}
		return mine
	}, append(deps(own), deps(lambdas)...)...)
	for i, s := range todo {
		s.masked.delta = flow.Pick(op, func() ring.Vec { return opened.Get()[i].vec }, opened)
	}
}

// bit is a masked bit: m = b ⊕ a is known to all computing parties, a is
// shared and the dealer knows it.
type bit struct {
	n      int
	m      *flow.Of[ring.Bits]
	a      *flow.Of[ring.Bits] // this party's XOR share of a
	factor *factor
}

// openBits makes masked bits of XOR shares of the given lengths, all in one
// message, one bit an element each.
func (p *Party) openBits(op *flow.Op, lens []int, xs []*flow.Of[ring.Bits]) []*bit {
	out := make([]*bit, len(xs))
	kinds := make([]addend, len(xs))
	size := 0
	var ds []flow.Dep
	for i, x := range xs {
		mask := correlation.NewFreshBits(op.Next(), lens[i])
		a := flow.Lazy(op, int64(lens[i])/8, nil, func() (ring.Bits, error) { return p.source.LeafBits(mask) })
		out[i] = &bit{n: lens[i], a: a, factor: newFactor(correlation.Factor{Mask: mask})}
		out[i].factor.own = a
		kinds[i] = packed(lens[i])
		size += lens[i]
		ds = append(ds, x, a)
	}
	opened := p.total(op, int64(size)/8, kinds, func() []addend {
		mine := slices.Clone(kinds)
		for i, x := range xs {
			mine[i].bits = x.Get().Like(lens[i])
			ring.Xor(mine[i].bits, x.Get(), out[i].a.Get())
		}
		return mine
	}, ds...)
	for i, b := range out {
		b.m = flow.Pick(op, func() ring.Bits { return opened.Get()[i].bits }, opened)
	}
	return out
}
