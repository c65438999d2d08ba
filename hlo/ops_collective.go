package hlo

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names (Op.Name) of the StableHLO operations that exchange values between replicas.
const (
	OpAllGather           = "stablehlo.all_gather"
	OpAllReduce           = "stablehlo.all_reduce"
	OpAllToAll            = "stablehlo.all_to_all"
	OpCollectiveBroadcast = "stablehlo.collective_broadcast"
	OpCollectivePermute   = "stablehlo.collective_permute"
	OpPartitionID         = "stablehlo.partition_id"
	OpReduceScatter       = "stablehlo.reduce_scatter"
	OpReplicaID           = "stablehlo.replica_id"
)

// collectiveOps are operations between the replicas of a program.
func collectiveOps() (ops []opDef) {
	groups := required("replica_groups", isArray)
	channel := optional("channel_handle", isChannel)
	global := preset("use_global_device_ids", isUnit, false)
	ops = append(
		ops,
		opDef{name: OpAllGather, operands: atLeast(1), results: atLeast(1), check: checkAllGather, free: true, traits: Collective,
			attrs: []attrDef{required("all_gather_dim", isInt), groups, channel, global}},
		opDef{
			name:     OpAllReduce,
			operands: atLeast(1),
			results:  atLeast(1),
			regions:  exactly(1),
			check:    checkAllReduce,
			infer:    asOperands,
			params:   elementPair,
			traits:   Collective,
			attrs:    []attrDef{groups, channel, global},
		},
		opDef{
			name:     OpReduceScatter,
			operands: exactly(1),
			results:  exactly(1),
			regions:  exactly(1),
			check:    checkReduceScatter,
			free:     true,
			params:   elementPair,
			traits:   Collective,
			attrs:    []attrDef{required("scatter_dimension", isInt), groups, channel, global},
		},
		opDef{name: OpAllToAll, operands: atLeast(1), results: atLeast(1), check: checkAllToAll, infer: asOperands, traits: Collective,
			attrs: []attrDef{
				required("split_dimension", isInt),
				required("concat_dimension", isInt),
				required("split_count", isInt),
				groups,
				channel,
			}},
		opDef{name: OpCollectiveBroadcast, operands: exactly(1), results: exactly(1), check: checkBarrier,
			traits: Collective, attrs: []attrDef{groups, channel}},
		opDef{name: OpCollectivePermute, operands: exactly(1), results: exactly(1), check: checkBarrier, traits: Collective,
			attrs: []attrDef{required("source_target_pairs", isArray), channel}},
		opDef{name: OpPartitionID, results: exactly(1), form: form(attributes, resultTypes), check: checkID},
		opDef{name: OpReplicaID, results: exactly(1), form: form(attributes, resultTypes), check: checkID},
	)
	return ops
}

func checkID(o *Op) error { return o.gives(scalar(tensor.U32)) }

// scaled checks that result i has operand i's type, except in dimension dim, where by reports
// whether the two sizes match.
func (o *Op) scaled(i, dim int, by func(in, out int) bool) error {
	in, out := o.in(i), o.out(i)
	err := dimList("the operation", []int{dim}, len(in.Shape))
	if err != nil {
		return err
	}
	rest := []int{dim}
	if in.DType != out.DType || len(in.Shape) != len(out.Shape) || !slices.Equal(without(in.Shape, rest), without(out.Shape, rest)) ||
		!by(in.Shape[dim], out.Shape[dim]) {
		return fmt.Errorf("result %d has type %v, which does not follow from %v along dimension %d", i, out, in, dim)
	}
	return nil
}

// wantsPairs checks that the numbers of results and operands are equal.
func (o *Op) wantsPairs() error {
	if len(o.Operands) != len(o.Results) {
		return fmt.Errorf("has %d operands, but %d results", len(o.Operands), len(o.Results))
	}
	return nil
}

func checkAllGather(o *Op) error {
	err := o.wantsPairs()
	for i := 0; err == nil && i < len(o.Operands); i++ {
		err = o.scaled(i, o.Attrs.Int("all_gather_dim", 0), func(in, out int) bool { return in == out || in > 0 && out%in == 0 })
	}
	return err
}

func checkAllReduce(o *Op) error {
	elem := scalar(o.in(0).DType)
	for i := range o.Operands {
		if o.in(i).DType != elem.DType {
			return fmt.Errorf("operand %d has type %v, but operand 0 has %v", i, o.in(i), o.in(0))
		}
	}
	return first(o.wantsRegion(0, []tensor.Type{elem}), o.gives(types(o.Operands)...))
}

func checkReduceScatter(o *Op) error {
	elem := scalar(o.in(0).DType)
	return first(
		o.wantsRegion(0, []tensor.Type{elem}),
		o.scaled(0, o.Attrs.Int("scatter_dimension", 0), func(in, out int) bool { return in == out || out > 0 && in%out == 0 }))
}

func checkAllToAll(o *Op) error {
	split, concat, n := o.Attrs.Int("split_dimension", 0), o.Attrs.Int("concat_dimension", 0), o.Attrs.Int("split_count", 0)
	if err := o.wantsPairs(); err != nil {
		return err
	}
	want := make([]tensor.Type, len(o.Operands))
	for i := range o.Operands {
		s := o.shape(i).Clone()
		if err := first(dimList("split_dimension", []int{split}, len(s)), dimList("concat_dimension", []int{concat}, len(s))); err != nil {
			return err
		}
		if n < 1 || s[split]%n != 0 {
			return fmt.Errorf("cannot split dimension %d of %v into %d", split, o.in(i), n)
		}
		s[split] /= n
		s[concat] = times(s[concat], n)
		want[i] = tensor.Type{DType: o.in(i).DType, Shape: s}
	}
	return o.gives(want...)
}
