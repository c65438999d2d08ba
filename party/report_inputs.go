package party

import (
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/profile"
)

// reader finds which operations' results an operation reads. Operations that
// are computed as a part of a whole did not run by themselves: what they read,
// the whole reads.
type reader struct {
	costs *exec.Costs
	ran   map[int]*profile.Op
	def   map[*hlo.Value]*hlo.Op // who makes a value
	known map[*hlo.Op][]int
}

func newReader(p *hlo.Program, costs *exec.Costs, ran map[int]*profile.Op) *reader {
	r := &reader{costs: costs, ran: ran, def: map[*hlo.Value]*hlo.Op{}, known: map[*hlo.Op][]int{}}
	for _, f := range p.Funcs {
		r.block(f.Body)
	}
	return r
}

func (r *reader) block(b *hlo.Block) {
	for _, o := range b.Ops {
		for _, v := range o.Results {
			r.def[v] = o
		}
		for _, inner := range o.Regions {
			r.block(inner)
		}
	}
}

// inputs are the ids of the operations that ran whose results o reads,
// ascending.
func (r *reader) inputs(o *hlo.Op) []int {
	if ids, ok := r.known[o]; ok {
		return ids
	}
	var ids []int
	for _, v := range o.Operands {
		from := r.def[v]
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
	r.known[o] = slices.Compact(ids)
	return r.known[o]
}
