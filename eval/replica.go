package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Programs run on one replica and one partition, number 0.

// SingleReplica reports whether op is a collective operation that involves replica 0 only.
func SingleReplica(op *hlo.Op) bool {
	if pairs, ok := op.Attrs["source_target_pairs"].(*tensor.Array); ok {
		return slices.Equal(pairs.Words(), []uint64{0, 0})
	}
	groups, ok := op.Attrs["replica_groups"].(*tensor.Array) // no groups at all means all replicas
	return ok && (groups.Len() == 0 || slices.Equal(groups.Words(), []uint64{0}))
}

// returnsOperands reports whether op returns its operands unchanged.
func returnsOperands(op *hlo.Op) bool {
	switch op.Name {
	case hlo.OpOptimizationBarrier:
		return true
	case hlo.OpCustomCall:
		return op.Attrs.Str("call_target_name") == "Sharding"
	}
	return SingleReplica(op)
}

func collective(c *call) ([]*tensor.Array, error) {
	return slices.Clone(c.args), nil
}

func firstID(c *call) ([]*tensor.Array, error) { return one(tensor.NewArray(c.result(0))), nil }
