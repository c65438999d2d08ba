package eval

import (
	"errors"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// approxTopK implements the call that lax.approx_max_k and approx_min_k print: the best elements
// along a dimension, in order. It returns the exact answer, which is one of the allowed answers and
// the one that XLA returns on CPUs.
func approxTopK(c *call) ([]*tensor.Array, error) {
	dim, largest, err := ApproxTopK(c.op, c.args[1], c.args[2])
	if err != nil {
		return nil, c.failf("%v", err)
	}
	last := len(c.args[0].Shape) - 1
	perm := make([]int, last+1) // its own inverse
	for d := range perm {
		perm[d] = d
	}
	perm[dim], perm[last] = last, dim
	out, err := c.extremes(apply(tensor.Transposed(c.args[0].Shape, perm), c.args[0]), c.result(0).Shape[dim], largest)
	if err != nil {
		return nil, err
	}
	for i, x := range out {
		out[i] = apply(tensor.Transposed(x.Shape, perm), x)
	}
	return out, nil
}

// ApproxTopK returns, for a custom call of ApproxTopK, the dimension along which it selects, and whether it selects
// the largest elements. indices and worst are two of the call's operands: the elements' indices and the initial
// value. If worst is the smallest value of its type, the largest elements are selected. It returns an error unless
// indices count along the dimension.
func ApproxTopK(op *hlo.Op, indices, worst *tensor.Array) (dim int, largest bool, err error) {
	shape := op.Operands[0].Type.Shape
	d, ok := approxDim(op)
	if !ok || len(op.Results) != 2 || len(op.Results[0].Type.Shape) != len(shape) || op.Results[0].Type.Shape[d] > shape[d] {
		return 0, false, errors.New("names no dimension, or asks for more elements than the dimension has")
	}
	inner := shape[d+1:].Size()
	for i, w := range indices.Words() {
		if int(w) != i/inner%shape[d] {
			return 0, false, errors.New("has indices that do not count along the dimension")
		}
	}
	largest = algo.Neutral(hlo.OpMaximum, worst)
	if !largest && !algo.Neutral(hlo.OpMinimum, worst) {
		return 0, false, errors.New("has an initial value that is neither the smallest nor the largest of its type")
	}
	return d, largest, nil
}

// approxDim returns the dimension of a call of ApproxTopK.
func approxDim(op *hlo.Op) (int, bool) {
	rank := int64(len(op.Operands[0].Type.Shape))
	d, ok := op.Attrs.Dict("mhlo.backend_config")["reduction_dim"].(int64)
	if d < 0 {
		d += rank
	}
	return int(d), ok && d >= 0 && d < rank
}
