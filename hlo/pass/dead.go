package pass

import (
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
)

// dead removes operations whose results are not used.
var dead = Pass{"dead", "dead code elimination", func(e *editor) {
	needed := map[*hlo.Value]bool{}
	var sweep func(b *hlo.Block)
	sweep = func(b *hlo.Block) {
		var kept []*hlo.Op
		for i := len(b.Ops) - 1; i >= 0; i-- {
			o := b.Ops[i]
			live := isReturn(o) || !e.pure(o)
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

// pure reports whether o may be removed or merged with an equal operation. Functions are looked at once: those that call
// functions twice would take exponential time.
func (e *editor) pure(o *hlo.Op) bool {
	if o.Name == hlo.OpCustomCall {
		return !o.Attrs.Bool("has_side_effect") && !strings.HasPrefix(o.Attrs.Str("call_target_name"), "tacet.")
	}
	if !o.Is(hlo.Pure) {
		return false
	}
	impurely := func(o *hlo.Op) bool { return !isReturn(o) && !e.pure(o) } // recursive: pure looks into regions
	for _, r := range o.Regions {
		if slices.ContainsFunc(r.Ops, impurely) {
			return false
		}
	}
	if o.Callee == nil {
		return true
	}
	is, known := e.pureFuncs[o.Callee]
	if !known {
		is = !slices.ContainsFunc(o.Callee.Body.Ops, impurely)
		e.pureFuncs[o.Callee] = is
	}
	return is
}
