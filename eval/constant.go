package eval

import "github.com/tacet-mpc/tacet/tensor"

func constant(c *call) ([]*tensor.Array, error) {
	k, _ := c.op.Constant()
	if k.Repeated && k.Type.Shape.Size() > divided {
		return c.copyRows(tensor.Broadcast(tensor.Shape{}, nil, k.Type.Shape), k.Elements)
	}
	return one(k.Array()), nil
}

// iotaAlong returns 0, 1, 2, … along a dimension.
func iotaAlong(c *call) ([]*tensor.Array, error) {
	t := c.result(0)
	dim := c.op.Attrs.Int("iota_dimension", 0)
	count := make([]uint64, t.Shape[dim])
	for i := range count {
		count[i] = uint64(i)
	}
	line := tensor.Shape{len(count)}
	steps := converted(tensor.FromWords(tensor.U64, line, count), t.DType)
	return one(apply(tensor.Broadcast(line, []int{dim}, t.Shape), steps)), nil
}

func dimensionSize(c *call) ([]*tensor.Array, error) {
	n := c.args[0].Shape[c.op.Attrs.Int("dimension", 0)]
	return one(tensor.FromWords(tensor.I32, tensor.Shape{}, []uint64{uint64(n)})), nil
}
