package semi2k

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// open gives each share its masked form. It opens all shares that are not open in one message, with as many
// bits an element as the share's ring has: a party sends its share plus its share of a fresh mask. Beside
// inputs and linear maps open and openBits are the only way to a masked form, and they make their own masks
// each time (rule 2). Of an image the operands are opened if they have fewer elements.
func (p *Party) open(op *flow.Op, xs ...*share) {
	var roots []*share
	for _, s := range xs {
		least, _ := leastToOpen(roots, s)
		roots = append(roots, least...)
	}
	p.openAll(op, roots...)
	for _, s := range xs {
		p.deriveMasked(op, s)
	}
}

// openRepeated opens operands if those that are not open all are views that
// repeat elements: that is less than to open what becomes of them.
func (p *Party) openRepeated(op *flow.Op, xs ...*share) {
	for _, s := range xs {
		if s.masked == nil && !s.image.expands() {
			return
		}
	}
	p.open(op, xs...)
}

// openAll opens the shares that are not open, in one message, and does not look at the operands of images.
func (p *Party) openAll(op *flow.Op, xs ...*share) {
	var todo []*share
	var own, lambdas []*flow.Future[ring.Vec]
	var kinds []addend
	var held int64
	for _, s := range xs {
		if s.masked != nil {
			continue
		}
		own = append(own, p.additive(op, s))
		mask := correlation.NewFresh(op.Next(), s.ring, s.n)
		s.masked = newMasked(nil, p.leaf(op, mask), mask) // delta is set below
		lambdas = append(lambdas, s.masked.lambda)
		todo = append(todo, s)
		kinds = append(kinds, vecAddend(s.ring, s.n))
		held += bytes(s.ring, s.n)
	}
	if len(todo) == 0 {
		return
	}
	opened := p.openSum(op, held, kinds, func() []addend {
		mine := slices.Clone(kinds)
		for i := range mine {
			v := own[i].Get()
			mine[i].vec = v.UninitialisedLike(v.Ring(), v.Len())
			ring.Add(mine[i].vec, v, lambdas[i].Get())
		}
		return mine
	}, append(deps(own), deps(lambdas)...)...)
	for i, s := range todo {
		s.masked.delta = flow.Pick(op, func() ring.Vec { return opened.Get()[i].vec }, opened)
	}
}

// bitVec is the future of a packed vector of bits.
type bitVec = flow.Value[ring.Bits]

// bit is a masked bit b: m = b ⊕ a (β in docs/protocols) is known to all computing parties; the mask bit a
// (ρ) is XOR-shared, and the dealer knows it.
type bit struct {
	n      int
	m      bitVec
	a      bitVec // this party's XOR share of a
	factor *factor
}

// openBits makes masked bits of XOR shares of the given lengths, in one message of one bit an element.
// Adjacent vectors of one length have planes of one mask. The message opens the vectors too, which are not open.
func (p *Party) openBits(op *flow.Op, lens []int, xs []bitVec, vectors ...*share) []*bit {
	bits, factors, out := make([]bit, len(xs)), make([]factor, len(xs)), make([]*bit, len(xs))
	kinds := make([]addend, len(xs), len(xs)+len(vectors))
	size := 0
	var masks []*flow.Future[[]ring.Bits]
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
			out[at], kinds[at] = &bits[at], bitsAddend(n)
			ds = append(ds, xs[at])
		}
		size += n * (hi - lo)
		lo = hi
	}
	held := int64(size) / 8
	var own, lambdas []*flow.Future[ring.Vec]
	for _, s := range vectors {
		own = append(own, p.additive(op, s))
		mask := correlation.NewFresh(op.Next(), s.ring, s.n)
		s.masked = newMasked(nil, p.leaf(op, mask), mask) // delta is set below
		lambdas = append(lambdas, s.masked.lambda)
		kinds = append(kinds, vecAddend(s.ring, s.n))
		held += bytes(s.ring, s.n)
	}
	ds = append(append(ds, deps(own)...), deps(lambdas)...)
	opened := p.openSum(op, held, kinds, func() []addend {
		mine := slices.Clone(kinds)
		for i, v := range own {
			sum := v.Get().UninitialisedLike(v.Get().Ring(), v.Get().Len())
			ring.Add(sum, v.Get(), lambdas[i].Get())
			mine[len(xs)+i].vec = sum
		}
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
	for i, s := range vectors {
		s.masked.delta = flow.Pick(op, func() ring.Vec { return opened.Get()[len(xs)+i].vec }, opened)
	}
	sums := flow.Pick(op, func() []ring.Bits {
		out := make([]ring.Bits, len(xs))
		for i, a := range opened.Get()[:len(xs)] {
			out[i] = a.bits
		}
		return out
	}, opened)
	for i, m := range flow.Parts(sums, len(xs)) {
		bits[i].m = m
	}
	return out
}
