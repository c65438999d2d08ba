package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// broadcasting are the binary operations that chlo.broadcast_… applies to operands of different
// shapes.
var broadcasting = []string{
	"add", "and", "atan2", "compare", "complex", "divide", "maximum", "minimum", "multiply", "next_after", "or", "polygamma", "power",
	"remainder", "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor", "zeta",
}

// broadcastTo runs an elementwise kernel on operands that are broadcast to the result's shape: the
// operand of lower rank along broadcast_dimensions, and both operands in dimensions of size 1.
func broadcastTo(plain kernel) kernel {
	return func(c *call) ([]*tensor.Array, error) {
		out := c.result(0).Shape
		wide := *c
		wide.args = slices.Clone(c.args)
		for i, x := range c.args {
			dims := broadcastDims(c.op, len(x.Shape), len(out))
			wide.args[i] = apply(tensor.Broadcast(x.Shape, dims, out), x)
		}
		return plain(&wide)
	}
}

// broadcastDims returns the dimension of the result for each dimension of an operand.
func broadcastDims(op *hlo.Op, rank, out int) []int {
	if dims := op.Attrs.Ints("broadcast_dimensions"); rank < out && dims != nil {
		return dims
	}
	dims := make([]int, rank)
	for i := range dims {
		dims[i] = out - rank + i
	}
	return dims
}
