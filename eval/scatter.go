package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// scatterInputs returns the number n of inputs of a scatter; it has n inputs, the indices, and n
// updates.
func scatterInputs(op *hlo.Op) (n int) { return len(op.Operands) / 2 }

// setsUpdates reports whether a scatter's body returns the updates.
func setsUpdates(op *hlo.Op) bool {
	n, body := scatterInputs(op), op.Regions[0]
	return slices.Equal(body.Return().Operands, body.Params[n:])
}

// scatterView is the view of a scatter whose body returns the update: of several updates of one
// element the last one wins.
func scatterView(op *hlo.Op, public func(int) *tensor.Array) (tensor.View, []int, error) {
	n := scatterInputs(op)
	indices := public(n)
	if indices == nil {
		return tensor.View{}, nil, failf(op, "indices are not public")
	}
	positions := func() []int32 { return algo.ScatterOf(op).Inside(indices) }
	return algo.SetView(shapeOf(op, 0), shapeOf(op, n+1).Size(), positions), []int{0, n + 1}, nil
}

// scatter combines updates with the input's elements by the body, several updates of one element in
// their order.
func scatter(c *call) ([]*tensor.Array, error) {
	n := scatterInputs(c.op)
	inputs, updates := c.args[:n], c.args[n+1:]
	positions := algo.ScatterOf(c.op).Inside(c.args[n])
	if setsUpdates(c.op) {
		return algo.Set(arrays{}, positions, inputs, updates), nil
	}
	return c.combine(0, positions, inputs, updates)
}
