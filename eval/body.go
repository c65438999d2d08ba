package eval

import (
	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// arrays are algo.Values: arrays of one element type.
type arrays struct{}

func (arrays) Shape(x *tensor.Array) tensor.Shape { return x.Shape }

func (arrays) View(v tensor.View, in ...*tensor.Array) *tensor.Array { return apply(v, in...) }

// scalars runs an operation's regions over scalars.
type scalars struct {
	arrays
	c *call
}

// region returns region i of the operation.
func (c *call) region(i int) *algo.Region[*tensor.Array] {
	return algo.NewRegion(scalars{c: c}, c.op.Regions[i])
}

func (scalars) Constant(a *tensor.Array) *tensor.Array { return a }

func (s scalars) Captured(op *hlo.Op, v *hlo.Value) (*tensor.Array, error) {
	if a := s.c.env.Get(v); a != nil {
		return a, nil
	}
	return nil, failf(op, "operand %%%s has no value here", v.Name)
}

func (s scalars) Lifted(op *hlo.Op, in []*tensor.Array, _ tensor.Shape) ([]*tensor.Array, error) {
	if s.c.ctx.Err() != nil {
		return nil, budget.Ended(s.c.ctx, op)
	}
	return s.c.env.Op(s.c.ctx, op, in)
}

func (s scalars) Once(b *hlo.Block, in []*tensor.Array) ([]*tensor.Array, error) {
	return s.c.env.Block(s.c.ctx, b, in)
}

func (scalars) Empty(t tensor.Type) *tensor.Array { return tensor.NewArray(t) }
