package pattern

import (
	"github.com/tacet-mpc/tacet/hlo"
)

// Divisors returns the values that are only used as divisors, directly or in sums or products with other values. Their
// last bits matter where they are small.
func Divisors(p *hlo.Program) map[*hlo.Value]bool {
	users := map[*hlo.Value][]*hlo.Op{}
	var all []*hlo.Value
	var walk func(b *hlo.Block)
	walk = func(b *hlo.Block) {
		for _, o := range b.Ops {
			all = append(all, o.Results...)
			for _, v := range o.Operands {
				users[v] = append(users[v], o)
			}
			for _, r := range o.Regions {
				walk(r)
			}
		}
	}
	for _, f := range p.Reached() {
		walk(f.Body)
	}
	divisors := map[*hlo.Value]bool{}
	for i := len(all) - 1; i >= 0; i-- { // readers come later in the text
		v := all[i]
		only := len(users[v]) > 0
		for _, o := range users[v] {
			switch {
			case o.Name == hlo.OpDivide:
				only = only && o.Operands[0] != v
			case o.Name == hlo.OpAdd, o.Name == hlo.OpMaximum, o.Name == hlo.OpMultiply, o.Is(hlo.Structured):
				only = only && divisors[o.Results[0]]
			default:
				only = false
			}
		}
		if only {
			divisors[v] = true
		}
	}
	return divisors
}
