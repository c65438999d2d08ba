package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// callFunc runs the function of a call or the decomposition of a composite.
func callFunc(c *call) ([]*tensor.Array, error) {
	return c.env.callee().run(c.ctx, c.op.Callee.Body, c.args)
}

// whileLoop runs the second region as long as the first returns true.
func whileLoop(c *call) ([]*tensor.Array, error) {
	state, b := c.args, budget.From(c.ctx)
	h := holder{Budget: b}
	defer func() { h.free() }()
	for {
		if err := c.alive(); err != nil {
			return nil, err
		}
		if err := b.Iterate(c.op); err != nil {
			return nil, err
		}
		again, err := c.env.Block(c.ctx, c.op.Regions[0], state)
		if err != nil {
			return nil, err
		}
		if !again[0].Data.([]bool)[0] {
			return state, nil
		}
		next, err := c.env.Block(c.ctx, c.op.Regions[1], state)
		if err != nil {
			return nil, err
		}
		carried := holder{Budget: b}
		if err := carried.hold(c.op, c.args, next); err != nil {
			return nil, err
		}
		h.free()
		h, state = carried, next
	}
}

// branch runs the region selected by an index or a predicate.
func branch(c *call) ([]*tensor.Array, error) {
	return c.env.Block(c.ctx, c.op.Regions[algo.Branch(c.args[0], len(c.op.Regions))], nil)
}

// mapBody applies the body to every element.
func mapBody(c *call) ([]*tensor.Array, error) { return c.region(0).Apply(c.args...) }

// barrier returns its operands.
func barrier(c *call) ([]*tensor.Array, error) { return slices.Clone(c.args), nil }
