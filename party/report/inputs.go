package report

import (
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/profile"
)

// inputFinder finds the operations whose results an operation reads. Operations that were computed
// as part of a fused kernel did not run themselves: the kernel reads their operands.
type inputFinder struct {
	costs     *exec.Costs
	ran       map[int]*profile.Op
	definedBy map[*hlo.Value]*hlo.Op // the operation that defines a value
	memo      map[*hlo.Op][]int
}

func newInputFinder(p *hlo.Program, costs *exec.Costs, ran map[int]*profile.Op) *inputFinder {
	r := &inputFinder{costs: costs, ran: ran, definedBy: map[*hlo.Value]*hlo.Op{}, memo: map[*hlo.Op][]int{}}
	p.Each(func(o *hlo.Op) {
		for _, v := range o.Results {
			r.definedBy[v] = o
		}
	})
	return r
}

// inputs are the ids of the operations that ran and whose results o reads, ascending.
func (r *inputFinder) inputs(o *hlo.Op) []int {
	if ids, ok := r.memo[o]; ok {
		return ids
	}
	var ids []int
	for _, v := range o.Operands {
		from := r.definedBy[v]
		if from == nil {
			continue // an argument
		}
		if id := r.costs.ID(from); r.ran[id] != nil {
			ids = append(ids, id)
		} else {
			ids = append(ids, r.inputs(from)...)
		}
	}
	slices.Sort(ids)
	r.memo[o] = slices.Compact(ids)
	return r.memo[o]
}
