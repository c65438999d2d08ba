package pass

import (
	"path"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
)

// inlining puts small functions where they are called: relu, clip, where.
// What they do is then seen together with what is before and after.
var inlining = Pass{"inline", "small functions are put where they are called", func(e *editor) {
	for range 4 { // a function that calls small ones may be small itself
		any := false
		e.rewrite(false, func(s *site, o *hlo.Op) bool {
			if o.Name != "func.call" || !small(o.Callee) {
				return false
			}
			any = true
			s.inline(o)
			return true
		})
		e.settle()
		if !any {
			return
		}
		e.study()
	}
}}

// inline writes what a called function does in place of the call.
func (s *site) inline(o *hlo.Op) {
	c := &copier{values: map[*hlo.Value]*hlo.Value{}}
	body := o.Callee.Body
	for i, p := range body.Params {
		c.values[p] = o.Operands[i]
	}
	for _, inner := range body.Ops[:len(body.Ops)-1] {
		p := c.op(inner)
		p.Loc = inlinedName(o, p)
		s.write(p)
	}
	for i, r := range body.Return().Operands {
		s.replace(o.Results[i], c.of(r))
	}
}

// inlinedName is the name that an operation's location gets: below the call's,
// or the called function's where that has none. JAX names operations of a
// function from there on, or from the program's begin on, with jit(…) first.
func inlinedName(call, o *hlo.Op) string {
	name, outer := o.Loc, call.Loc
	if strings.HasPrefix(name, "jit(") {
		return name
	}
	if name == "" {
		_, name, _ = strings.Cut(o.Name, ".")
	}
	if outer == "" {
		outer = call.Callee.Name
	}
	return path.Join(outer, name)
}

// mostInlined is how many operations a function may have, its return among
// them.
const mostInlined = 8

// small reports that a function may be inlined. One that calls others waits
// until they have been.
func small(f *hlo.Func) bool {
	for _, o := range f.Body.Ops {
		if o.Callee != nil || isControl(o) {
			return false
		}
	}
	return len(f.Body.Ops) <= mostInlined
}
