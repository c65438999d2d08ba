package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// AdditiveShare implements mpc.Core: it returns this party's additive share of x. It works on a copy of x, because a
// new form of x itself would change how later operations open x.
func (p *Party) AdditiveShare(op *flow.Op, x mpc.Secret) *flow.Future[ring.Vec] {
	return p.additive(op, p.share(x).copied(map[*share]*share{}))
}

// copied returns a share of its own with the same forms, in which later forms can be stored without changing
// s. copies maps shares to their copies, so that the operands of images are copied once each.
func (s *share) copied(copies map[*share]*share) *share {
	if c := copies[s]; c != nil {
		return c
	}
	c := *s
	copies[s] = &c
	if s.bits != nil {
		c.bits = s.bits.copied(copies)
	}
	if s.image != nil {
		m := *s.image
		m.operands = nil
		for _, o := range s.image.operands {
			m.operands = append(m.operands, o.copied(copies))
		}
		c.image = &m
	}
	return &c
}
