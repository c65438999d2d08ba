package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// Aside is the party's additive share of a copy: a vector that got another form
// by it would be opened otherwise later.
func (p *Party) Aside(op *flow.Op, x mpc.Secret) *flow.Of[ring.Vec] {
	return p.own(op, p.share(x).copied(map[*share]*share{}))
}

// copied is a share of its own with the same forms. An image's is of copies, of
// which there is one for each share.
func (s *share) copied(copies map[*share]*share) *share {
	if c := copies[s]; c != nil {
		return c
	}
	c := *s
	copies[s] = &c
	if s.image != nil {
		m := *s.image
		m.of = nil
		for _, o := range s.image.of {
			m.of = append(m.of, o.copied(copies))
		}
		c.image = &m
	}
	return &c
}
