package exec

import "github.com/tacet-mpc/tacet/tensor"

func init() {
	for _, name := range []string{
		"add", "and", "atan2", "compare", "complex", "divide", "maximum", "minimum", "multiply", "next_after", "or", "power",
		"remainder", "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor",
	} {
		table["chlo.broadcast_"+name] = broadcasting(name)
	}
}

// broadcasting returns the handler of an operation whose operands are broadcast to the result's shape: the
// one of lower rank along broadcast_dimensions, and both where a dimension has size 1.
func broadcasting(name string) handler {
	return func(c *opRun, in []*value) ([]*value, error) {
		shape := c.o.Results[0].Type.Shape
		wide := make([]*value, len(in))
		for i, x := range in {
			rank := len(x.typ.Shape)
			dims := c.o.Attrs.Ints("broadcast_dimensions")
			if rank == len(shape) || dims == nil {
				dims = make([]int, rank)
				for d := range dims {
					dims[d] = len(shape) - rank + d
				}
			}
			wide[i] = c.view(x, tensor.Broadcast(x.typ.Shape, dims, shape))
		}
		f := table["stablehlo."+name]
		if f == nil {
			f = table["chlo."+name]
		}
		return f(c, wide)
	}
}
