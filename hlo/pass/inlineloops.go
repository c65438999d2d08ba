package pass

import (
	"context"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// InlineLoops returns p with the functions that contain loops inlined where main calls them, so that every loop that
// is not within another loop or a branch is in main. p is not changed.
func InlineLoops(p *hlo.Program) *hlo.Program {
	e := newEditor(context.Background(), Options{}, clone(p))
	looping := map[*hlo.Func]bool{}
	for any := true; any; {
		any = false
		e.analyse()
		s := &site{editor: e, block: e.prog.Main.Body}
		for _, o := range s.block.Ops {
			e.refresh(o)
			s.at = o
			if o.Name == hlo.OpCall && holdsLoop(o.Callee, looping) {
				s.inline(o)
				any = true
				continue
			}
			s.out = append(s.out, o)
		}
		s.block.Ops = s.out
		e.applyReplacements()
	}
	renumber(e.prog)
	return e.prog
}

// holdsLoop reports whether a function executes a loop, directly or by a call. known holds the functions that were looked at.
func holdsLoop(f *hlo.Func, known map[*hlo.Func]bool) bool {
	if is, seen := known[f]; seen {
		return is
	}
	known[f] = slices.ContainsFunc(f.Body.Ops, func(o *hlo.Op) bool {
		return o.Name == hlo.OpWhile || o.Name == hlo.OpCall && holdsLoop(o.Callee, known)
	})
	return known[f]
}
