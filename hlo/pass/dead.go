package pass

import (
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
)

// dead takes away operations whose results nobody uses.
var dead = Pass{"dead", "operations without use go", func(e *editor) {
	needed := map[*hlo.Value]bool{}
	var sweep func(b *hlo.Block)
	sweep = func(b *hlo.Block) {
		var kept []*hlo.Op
		for i := len(b.Ops) - 1; i >= 0; i-- {
			o := b.Ops[i]
			live := isReturn(o) || !pure(o)
			for _, v := range o.Results {
				live = live || needed[v]
			}
			if !live {
				e.changed = true
				continue
			}
			for _, r := range o.Regions {
				sweep(r)
			}
			for _, v := range o.Operands {
				needed[v] = true
			}
			kept = append(kept, o)
		}
		for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
			kept[i], kept[j] = kept[j], kept[i]
		}
		b.Ops = kept
	}
	for _, f := range e.prog.Funcs {
		sweep(f.Body)
	}
}}

// impure are operations that do more than to give results that follow from
// their operands.
var impure = map[string]bool{
	"stablehlo.rng": true, "stablehlo.infeed": true, "stablehlo.outfeed": true, "stablehlo.send": true, "stablehlo.recv": true,
	"stablehlo.optimization_barrier": true, "stablehlo.partition_id": true, "stablehlo.replica_id": true,
	"stablehlo.all_gather": true, "stablehlo.all_reduce": true, "stablehlo.all_to_all": true, "stablehlo.reduce_scatter": true,
	"stablehlo.collective_broadcast": true, "stablehlo.collective_permute": true, "stablehlo.create_token": true, "stablehlo.after_all": true,
}

// pure reports that o may be left out, or done once for several times.
func pure(o *hlo.Op) bool {
	if impure[o.Name] {
		return false
	}
	if o.Name == "stablehlo.custom_call" {
		return !o.Attrs.Bool("has_side_effect") && !strings.HasPrefix(o.Attrs.Str("call_target_name"), "tacet.")
	}
	impurely := func(o *hlo.Op) bool { return !isReturn(o) && !pure(o) } // which looks into their regions
	for _, r := range o.Regions {
		if slices.ContainsFunc(r.Ops, impurely) {
			return false
		}
	}
	return o.Callee == nil || !slices.ContainsFunc(o.Callee.Body.Ops, impurely)
}
