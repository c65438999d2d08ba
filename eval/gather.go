package eval

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// gatherView reads, for every index vector, a slice of the operand whose start is clamped so that
// the slice lies within the operand.
func gatherView(op *hlo.Op, public func(int) *tensor.Array) (tensor.View, []int, error) {
	x, indices := algo.GatherOf(op), public(1)
	if indices == nil {
		return tensor.View{}, nil, failf(op, "indices are not public")
	}
	return x.Clamped(indices), []int{0}, nil
}
