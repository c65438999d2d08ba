package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// image is what a public change makes of a share that is not open, where to
// open the image is to open that share: a view that repeats its elements, its
// negation, or a bit's. Whoever needs another one of the same share finds it
// open.
type image struct {
	of      *share
	by      maps.Linear
	plus    ring.Vec // of bits, if by is nil: what is added
	repeats bool
}

// imageOf is the map's image; nil if to open what the map makes is no more than
// to open what it is made of.
func imageOf(m maps.Linear, in []*share) *image {
	if v, ok := m.(maps.View); ok && len(in) == 1 && v.Rule.Expands() {
		return &image{of: in[0], by: m, repeats: true}
	}
	if negates(m) {
		return &image{of: in[0], by: m, repeats: in[0].image.expands()}
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

// ownImage is this party's additive share of an image.
func (p *Party) ownImage(op *flow.Op, s *share) *flow.Of[ring.Vec] {
	v := p.own(op, s.image.of)
	switch {
	case s.image.by != nil:
		return p.apply(op, s.image.by, s.ring, v)
	case p.first():
		return p.plusWords(op, v, s.image.plus)
	}
	return v
}

// maskedImage is the masked form of an image of an open share.
func (p *Party) maskedImage(op *flow.Op, s *share) *masked {
	if s.image.by != nil {
		return p.mapped(op, s.image.by, s.ring, s.image.of)
	}
	of := s.image.of.masked
	return of.moved(p.plusWords(op, of.delta, s.image.plus))
}

// narrowImage is an image in a narrower ring: that of the same share there.
func (p *Party) narrowImage(op *flow.Op, s *share, r ring.Ring) *share {
	of := p.in(op, s.image.of, r)
	out := p.newShare(r, s.n, s.bound, nil)
	out.image, out.signs = &image{of: of, by: s.image.by, repeats: s.image.repeats}, s.kept()
	if s.minus != nil {
		out.minus = of
	}
	if of.masked != nil {
		out.masked = p.maskedImage(op, out)
	}
	return out
}
