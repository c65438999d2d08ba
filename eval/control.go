package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// callFunc runs the function of a call or the decomposition of a composite.
func callFunc(c *call) ([]*tensor.Array, error) {
	return c.env.callee().run(c.ctx, c.op.Callee.Body, c.args)
}

// whileLoop runs the second region as long as the first returns true.
func whileLoop(c *call) ([]*tensor.Array, error) {
	state := c.args
	for {
		if err := c.alive(); err != nil {
			return nil, err
		}
		again, err := c.env.Block(c.ctx, c.op.Regions[0], state)
		if err != nil {
			return nil, err
		}
		if !again[0].Data.([]bool)[0] {
			return state, nil
		}
		if state, err = c.env.Block(c.ctx, c.op.Regions[1], state); err != nil {
			return nil, err
		}
	}
}

// caseOf runs the region selected by the index; an index out of range selects the last region.
func caseOf(c *call) ([]*tensor.Array, error) {
	return c.env.Block(c.ctx, c.op.Regions[selectedRegion(c.op, c.args[0])], nil)
}

// ifElse runs the first region if the predicate is true, else the second.
func ifElse(c *call) ([]*tensor.Array, error) {
	return c.env.Block(c.ctx, c.op.Regions[selectedRegion(c.op, c.args[0])], nil)
}

// mapBody applies the body to every element.
func mapBody(c *call) ([]*tensor.Array, error) {
	s := c.args[0].Shape
	vectors := make([]*tensor.Array, len(c.args))
	for i, a := range c.args {
		vectors[i] = a.Reshape(tensor.Shape{a.Len()})
	}
	out, err := newBody(c.env, c.op.Regions[0]).apply(c.ctx, vectors)
	if err != nil {
		return nil, err
	}
	return one(out[0].Reshape(s)), nil
}

// barrier returns its operands.
func barrier(c *call) ([]*tensor.Array, error) { return slices.Clone(c.args), nil }
