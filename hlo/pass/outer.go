package pass

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// Outer puts functions that hold loops where main calls them, so that all loops
// that are in no other one and in no branch stand in main.
func Outer(p *hlo.Program) *hlo.Program {
	e := &editor{prog: clone(p)}
	for any := true; any; {
		any = false
		e.study()
		s := &site{editor: e, block: e.prog.Main.Body}
		for _, o := range s.block.Ops {
			e.refresh(o)
			s.at = o
			if o.Name == "func.call" && holdsLoop(o.Callee) {
				s.inline(o)
				any = true
				continue
			}
			s.out = append(s.out, o)
		}
		s.block.Ops = s.out
		e.settle()
	}
	renumber(e.prog)
	return e.prog
}

// holdsLoop reports that a function runs a loop, itself or by a call.
func holdsLoop(f *hlo.Func) bool {
	return slices.ContainsFunc(f.Body.Ops, func(o *hlo.Op) bool {
		return o.Name == "stablehlo.while" || o.Name == "func.call" && holdsLoop(o.Callee)
	})
}
