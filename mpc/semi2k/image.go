package semi2k

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// image is a share that a public step makes of shares that are not all open: a linear map, or the addition of
// a public vector of bits. Instead of an image its operands may be opened, where they have fewer elements:
// views may repeat elements, and tiles of one vector overlap. Another image of the same operands then needs
// no opening.
type image struct {
	operands []*share
	linear   maps.Linear
	addend   ring.Vec // of bits, if by is nil: what is added
	depth    int      // images on the longest way to a share that is none
	// permanent says that the image is known as one even when it is open or shared:
	// a repetition, a negation or a bit's; repeats, that it is the first, or the
	// second of the first.
	permanent, repeats bool
}

// imageOf returns the image of the shares in under m, or nil if opening the operands cannot take fewer
// elements. A view of one share that is not of bits is an image even then, up to maps.MostSteps deep: it may be
// an operand of an image that has fewer elements.
func imageOf(m maps.Linear, in []*share) *image {
	i := &image{operands: in, linear: m}
	for _, s := range in {
		i.depth = max(i.depth, s.image.depthOf()+1)
	}
	v, view := m.(maps.View)
	switch {
	case negates(m):
		i.permanent, i.repeats = true, in[0].image.expands()
		return i
	case view && len(in) == 1 && v.Rule.Expands():
		i.permanent, i.repeats = true, true
		return i
	case in[0].ring.Bits == 1 || i.depth > maps.MaxSteps:
		return nil
	case view && len(in) == 1:
		return i
	}
	if _, n := leastToOpen(nil, in...); n < m.Out() {
		return i
	}
	return nil
}

// negates reports whether m is the negation of one vector.
func negates(m maps.Linear) bool {
	c, ok := m.(maps.Combine)
	return ok && len(c.Coef) == 1 && c.Coef[0] == -1
}

// isView reports whether the image is a view of one share.
func (m *image) isView() bool {
	_, view := m.linear.(maps.View)
	return view && len(m.operands) == 1
}

// expands reports whether the image has more elements than the operands that are opened for it.
func (m *image) expands() bool { return m != nil && m.repeats }

// depthOf is an image's depth; nil has none.
func (m *image) depthOf() int {
	if m == nil {
		return 0
	}
	return m.depth
}

// leastToOpen is what is to be opened so that shares are open, and how many elements it
// has: the shares themselves or, if that is less, what they are made of, but for
// what is open or due to be. A negation, or a bit's, is never opened itself, as it
// costs nothing to have it of what is open.
func leastToOpen(due []*share, of ...*share) (least []*share, n int) {
	least, _ = maps.Cut(of, func(s *share) (step maps.Node[*share]) {
		step.Free, step.Size = s.masked != nil || slices.Contains(due, s), 2*s.n
		if m := s.image; m != nil {
			step.Depth, step.From = m.depth, m.operands
			if m.permanent || m.isView() {
				step.Size++
			}
		}
		return step
	})
	for _, s := range least {
		n += s.n
	}
	return least, n
}

// additiveImage is this party's additive share of an image.
func (p *Party) additiveImage(op *flow.Op, s *share) *flow.Future[ring.Vec] {
	m := s.image
	var own []*flow.Future[ring.Vec]
	for _, o := range m.operands {
		if o.additive == nil && o.masked == nil && o.poly == nil && o.bits == nil {
			o.additive = p.additiveImage(op, o) // an image still: others may follow from what it is made of
		}
		own = append(own, p.additive(op, o))
	}
	switch {
	case m.linear != nil:
		return p.applyLinear(op, m.linear, s.ring, own...)
	case p.first():
		return p.plusPublic(op, own[0], m.addend)
	}
	return own[0]
}

// deriveMasked gives a share the masked form that follows from what has been opened of
// it.
func (p *Party) deriveMasked(op *flow.Op, s *share) {
	if s.masked != nil {
		return
	}
	for _, o := range s.image.operands {
		p.deriveMasked(op, o)
	}
	s.masked = p.maskedImage(op, s)
	s.dropImage()
}

// dropImage forgets what an image is made of once it has a form of its own, so that
// it keeps nothing alive.
func (s *share) dropImage() {
	if !s.image.permanent {
		s.image = nil
	}
}

// maskedImage is the masked form of an image whose operands are open.
func (p *Party) maskedImage(op *flow.Op, s *share) *masked {
	m := s.image
	if m.linear != nil {
		return p.maskedLinear(op, m.linear, s.ring, m.operands...)
	}
	of := m.operands[0].masked
	return of.withDelta(p.plusPublic(op, of.delta, m.addend))
}

// narrowImage is the image s in the narrower ring r: the image of its operands in r. roots are what
// leastToOpen returns.
func (p *Party) narrowImage(op *flow.Op, s *share, r ring.Ring, roots []*share) *share {
	if s.narrow != nil && s.narrow.ring == r {
		return s.narrow
	}
	out := p.newShare(r, s.n, s.bound, nil)
	m := *s.image
	m.operands = nil
	open := true
	for _, o := range s.image.operands {
		switch {
		case o.masked != nil:
			o = p.Narrow(op, r, o).(*share)
		case slices.Contains(roots, o):
			o = p.narrowTo(op, o, r)
		default:
			o = p.narrowImage(op, o, r, roots)
		}
		m.operands, open = append(m.operands, o), open && o.masked != nil
	}
	out.image, out.lessThan = &m, s.thresholdBits()
	if s.negationOf != nil {
		out.negationOf = m.operands[0]
	}
	if open {
		out.masked = p.maskedImage(op, out)
	}
	s.narrow = out
	return out
}
