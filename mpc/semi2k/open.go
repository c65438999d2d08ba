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

// bitVec is the promise of a vector of bits.
type bitVec = flow.Value[ring.Bits]

// bit is a masked bit: m = b ⊕ a is known to all computing parties, a is
// shared and the dealer knows it.
type bit struct {
	n      int
	m      bitVec
	a      bitVec // this party's XOR share of a
	factor *factor
}

// openBits makes masked bits of XOR shares of the given lengths, all in one
// message, one bit an element each. Neighbours of one length have planes of one
// mask.
func (p *Party) openBits(op *flow.Op, lens []int, xs []bitVec) []*bit {
	bits, factors, out := make([]bit, len(xs)), make([]factor, len(xs)), make([]*bit, len(xs))
	kinds := make([]addend, len(xs))
	size := 0
	var masks []*flow.Of[[]ring.Bits]
	ds := make([]flow.Dep, 0, len(xs)+1)
	for lo := 0; lo < len(xs); {
		hi := lo
		for hi < len(xs) && lens[hi] == lens[lo] {
			hi++
		}
		n := lens[lo]
		mask := correlation.NewFreshBits(op.Next(), n, hi-lo)
		a := flow.Lazy(op, int64(n*(hi-lo))/8, nil, func() ([]ring.Bits, error) { return p.source.LeafBits(mask) })
		masks, ds = append(masks, a), append(ds, a)
		for i, plane := range flow.Parts(a, hi-lo) {
			at := lo + i
			factors[at].Factor = correlation.Factor{Mask: mask, Width: i}
			bits[at] = bit{n: n, a: plane, factor: &factors[at]}
			out[at], kinds[at] = &bits[at], packed(n)
			ds = append(ds, xs[at])
		}
		size += n * (hi - lo)
		lo = hi
	}
	opened := p.total(op, int64(size)/8, kinds, func() []addend {
		mine := slices.Clone(kinds)
		i := 0
		for _, a := range masks {
			for _, a := range a.Get() {
				x := xs[i].Get()
				mine[i].bits = x.Like(x.Len())
				ring.Xor(mine[i].bits, x, a)
				i++
			}
		}
		return mine
	}, flow.Distinct(ds)...)
	sums := flow.Pick(op, func() []ring.Bits {
		out := make([]ring.Bits, len(kinds))
		for i, a := range opened.Get() {
			out[i] = a.bits
		}
		return out
	}, opened)
	for i, m := range flow.Parts(sums, len(xs)) {
		bits[i].m = m
	}
	return out
}
