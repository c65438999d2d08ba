package semi2k

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// image is what a public change makes of shares that are not all open: a linear
// map, or the negation of a bit. Instead of an image, what it is made of may be
// opened, where that is less: views may repeat elements, and tiles of an image
// overlap. Whoever needs another image of the same shares finds them open.
type image struct {
	of    []*share
	by    maps.Linear
	plus  ring.Vec // of bits, if by is nil: what is added
	depth int      // images on the longest way to a share that is none
	// stays says that the image is known as one even when it is open or shared:
	// a repetition, a negation or a bit's; repeats, that it is the first, or the
	// second of the first.
	stays, repeats bool
}

// imageOf is what a map makes of shares as an image; nil if it cannot be less to
// open those. Views of one share may be parts of an image of which it is.
func imageOf(m maps.Linear, in []*share) *image {
	i := &image{of: in, by: m}
	for _, s := range in {
		i.depth = max(i.depth, s.image.height()+1)
	}
	v, view := m.(maps.View)
	switch {
	case negates(m):
		i.stays, i.repeats = true, in[0].image.expands()
		return i
	case view && len(in) == 1 && v.Rule.Expands():
		i.stays, i.repeats = true, true
		return i
	case in[0].ring.Bits == 1 || i.depth > maps.MostSteps:
		return nil
	case view && len(in) == 1:
		return i
	}
	if _, n := cut(nil, in...); n < m.Out() {
		return i
	}
	return nil
}

// negates reports whether a map is the negation of one vector.
func negates(m maps.Linear) bool {
	c, ok := m.(maps.Combine)
	return ok && len(c.Coef) == 1 && c.Coef[0] == -1
}

// expands reports whether an image has more elements than what is opened for
// it.
func (m *image) expands() bool { return m != nil && m.repeats }

// height is an image's depth; nil has none.
func (m *image) height() int {
	if m == nil {
		return 0
	}
	return m.depth
}

// cut is what is to be opened so that shares are open, and how many elements it
// has: the shares themselves or, if that is less, what they are made of, but for
// what is open or due to be. A negation, or a bit's, is never opened itself, as it
// costs nothing to have it of what is open.
func cut(due []*share, of ...*share) (least []*share, n int) {
	least, _ = maps.Cut(of, func(s *share) (step maps.Step[*share]) {
		step.Free, step.Size = s.masked != nil || slices.Contains(due, s), 2*s.n
		if m := s.image; m != nil {
			step.Depth, step.From = m.depth, m.of
			if m.stays {
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

// ownImage is this party's additive share of an image.
func (p *Party) ownImage(op *flow.Op, s *share) *flow.Of[ring.Vec] {
	m := s.image
	var own []*flow.Of[ring.Vec]
	for _, o := range m.of {
		if o.additive == nil && o.masked == nil && o.poly == nil {
			o.additive = p.ownImage(op, o) // an image still: others may follow from what it is made of
		}
		own = append(own, p.own(op, o))
	}
	switch {
	case m.by != nil:
		return p.apply(op, m.by, s.ring, own...)
	case p.first():
		return p.plusWords(op, own[0], m.plus)
	}
	return own[0]
}

// derive gives a share the masked form that follows from what has been opened of
// it.
func (p *Party) derive(op *flow.Op, s *share) {
	if s.masked != nil {
		return
	}
	for _, o := range s.image.of {
		p.derive(op, o)
	}
	s.masked = p.maskedImage(op, s)
	s.forget()
}

// forget forgets what an image is made of once it has a form of its own, so that
// it keeps nothing alive.
func (s *share) forget() {
	if !s.image.stays {
		s.image = nil
	}
}

// maskedImage is the masked form of an image of open shares.
func (p *Party) maskedImage(op *flow.Op, s *share) *masked {
	m := s.image
	if m.by != nil {
		return p.mapped(op, m.by, s.ring, m.of...)
	}
	of := m.of[0].masked
	return of.moved(p.plusWords(op, of.delta, m.plus))
}

// narrowImage is an image in a narrower ring: that of the same shares there.
func (p *Party) narrowImage(op *flow.Op, s *share, r ring.Ring, roots []*share) *share {
	if s.narrow != nil && s.narrow.ring == r {
		return s.narrow
	}
	out := p.newShare(r, s.n, s.bound, nil)
	m := *s.image
	m.of = nil
	open := true
	for _, o := range s.image.of {
		switch {
		case o.masked != nil:
			o = p.Narrow(op, r, o).(*share)
		case slices.Contains(roots, o):
			o = p.in(op, o, r)
		default:
			o = p.narrowImage(op, o, r, roots)
		}
		m.of, open = append(m.of, o), open && o.masked != nil
	}
	out.image, out.signs = &m, s.kept()
	if s.minus != nil {
		out.minus = m.of[0]
	}
	if open {
		out.masked = p.maskedImage(op, out)
	}
	s.narrow = out
	return out
}
