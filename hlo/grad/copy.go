package grad

import (
	"github.com/tacet-mpc/tacet/hlo"
)

// reads calls f for every value that an operation reads, regions included; those that are defined in its regions too.
func reads(o *hlo.Op, f func(v *hlo.Value)) {
	for _, v := range o.Operands {
		f(v)
	}
	for _, r := range o.Regions {
		for _, in := range r.Ops {
			reads(in, f)
		}
	}
}

// defines calls f for every value that an operation's regions define.
func defines(o *hlo.Op, f func(v *hlo.Value)) {
	for _, r := range o.Regions {
		for _, p := range r.Params {
			f(p)
		}
		for _, in := range r.Ops {
			for _, v := range in.Results {
				f(v)
			}
			defines(in, f)
		}
	}
}

// captured calls f for every value that the regions of an operation read from outside of the operation.
func captured(o *hlo.Op, f func(v *hlo.Value)) {
	if len(o.Regions) == 0 {
		return
	}
	own := map[*hlo.Value]bool{}
	defines(o, func(v *hlo.Value) { own[v] = true })
	for _, r := range o.Regions {
		for _, in := range r.Ops {
			reads(in, func(v *hlo.Value) {
				if !own[v] {
					f(v)
				}
			})
		}
	}
}

// substitute replaces operands, in regions too.
func substitute(o *hlo.Op, by map[*hlo.Value]*hlo.Value) {
	for i, v := range o.Operands {
		if w := by[v]; w != nil {
			o.Operands[i] = w
		}
	}
	for _, r := range o.Regions {
		for _, in := range r.Ops {
			substitute(in, by)
		}
	}
}
