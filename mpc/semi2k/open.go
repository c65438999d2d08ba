package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// open gives every share its masked form. What has none yet is opened, all in
// one message of as many bits an element as its ring has: the party sends its
// share plus its part of a fresh mask. It is the only way, beside inputs and
// linear maps, to a masked form, and makes its own mask each time. Of a view
// that repeats elements the share below is opened.
func (p *Party) open(op *flow.Op, xs ...*share) {
	var views []*share
	for i, s := range xs {
		for ; s.masked == nil && s.spread != nil; s = s.spread.of {
			views = append(views, s)
		}
		if s != xs[i] {
			xs = append([]*share{}, xs...)
			xs[i] = s
		}
	}
	p.openAll(op, xs...)
	for i := len(views) - 1; i >= 0; i-- {
		if s := views[i]; s.masked == nil {
			s.masked = p.mapped(op, s.spread.view, s.ring, s.spread.of)
		}
	}
}

// openSpread opens operands if those that are not open all are views that
// repeat elements: that is less than to open what becomes of them.
func (p *Party) openSpread(op *flow.Op, xs ...*share) {
	for _, s := range xs {
		if s.masked == nil && s.spread == nil {
			return
		}
	}
	p.open(op, xs...)
}

// openAll opens shares that are no views of others.
func (p *Party) openAll(op *flow.Op, xs ...*share) {
	size := 0
	var todo []*share
	var own, lambdas []*flow.Of[ring.Vec]
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
		size += s.n * s.ring.Bits
		held += bytes(s.ring, s.n)
	}
	if len(todo) == 0 {
		return
	}
	sums := make([]ring.Vec, len(todo)) // own messages, then the sum of all
	opened := flow.Exchange(op, held, flow.Talk{
		To: p.others, From: p.others, Size: (size + 7) / 8,
		Pack: func() ring.Payload {
			var w ring.Writer
			w.Grow(size)
			for i := range todo {
				sums[i] = own[i].Get().Like(own[i].Get().Ring(), own[i].Get().Len())
				ring.Add(sums[i], own[i].Get(), lambdas[i].Get())
				w.Vec(sums[i])
			}
			return w.Payload()
		},
	}, func(in []ring.Payload) ([]ring.Vec, error) {
		for _, m := range in {
			r := ring.NewReader(m)
			for i := range sums {
				v := r.Vec(sums[i].Ring(), sums[i].Len())
				ring.Add(sums[i], sums[i], v)
				v.Free()
			}
			if err := r.Close(); err != nil {
				return nil, err
			}
		}
		return sums, nil
	}, append(deps(own), deps(lambdas)...)...)
	for i, s := range todo {
		s.masked.delta = flow.Do(op, 0, func() ring.Vec { return opened.Get()[i] }, opened)
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
	size := 0
	var ds []flow.Dep
	for i, x := range xs {
		mask := correlation.NewFreshBits(op.Next(), lens[i])
		a := flow.Try(op, int64(lens[i])/8, func() (ring.Bits, error) { return p.source.LeafBits(mask) })
		out[i] = &bit{n: lens[i], a: a, factor: newFactor(correlation.Factor{Mask: mask})}
		out[i].factor.own = a
		size += lens[i]
		ds = append(ds, x, a)
	}
	sums := make([]ring.Bits, len(xs))
	opened := flow.Exchange(op, int64(size)/8, flow.Talk{
		To: p.others, From: p.others, Size: (size + 7) / 8,
		Pack: func() ring.Payload {
			var w ring.Writer
			w.Grow(size)
			for i, x := range xs {
				sums[i] = x.Get().Like(lens[i])
				ring.Xor(sums[i], x.Get(), out[i].a.Get())
				w.Bits(sums[i])
			}
			return w.Payload()
		},
	}, func(in []ring.Payload) ([]ring.Bits, error) {
		for _, m := range in {
			r := ring.NewReader(m)
			for i := range sums {
				ring.Xor(sums[i], sums[i], r.Bits(lens[i]))
			}
			if err := r.Close(); err != nil {
				return nil, err
			}
		}
		return sums, nil
	}, ds...)
	for i, b := range out {
		b.m = flow.Do(op, 0, func() ring.Bits { return opened.Get()[i] }, opened)
	}
	return out
}
