package pass

import (
	"path"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
)

// inlining replaces calls of small functions (relu, clip, where) by their bodies, so that other
// passes see the body together with the code around the call; and calls in a loop of functions that are called nowhere else, which
// is what JAX makes of the body of a scan, so that passes see what does not change in the loop.
var inlining = Pass{"inline", "small functions and bodies of loops are inlined", func(e *editor) {
	for range 4 { // a function that calls small ones may become small itself
		any := false
		bodies := e.loopBodies()
		e.rewrite(false, func(s *site, o *hlo.Op) bool {
			if o.Name != hlo.OpCall || !e.inlinable(o.Callee) && !bodies[o.Callee] {
				return false
			}
			any = true
			s.inline(o)
			return true
		})
		e.applyReplacements()
		if !any {
			return
		}
		e.analyse()
	}
}}

// loopBodies returns the functions of which the only call in the program is in a loop, outside of any branch in it.
func (e *editor) loopBodies() map[*hlo.Func]bool {
	calls, bodies := map[*hlo.Func]int{}, map[*hlo.Func]bool{}
	e.each(func(o *hlo.Op) {
		if o.Callee != nil {
			calls[o.Callee]++
		}
		if o.Name == hlo.OpWhile {
			for _, r := range o.Regions {
				for _, o := range r.Ops {
					if o.Name == hlo.OpCall {
						bodies[o.Callee] = true
					}
				}
			}
		}
	})
	for f := range bodies {
		bodies[f] = calls[f] == 1
	}
	return bodies
}

// inline inserts the body of the called function in place of the call.
func (s *site) inline(o *hlo.Op) {
	c := hlo.NewCopier()
	body := o.Callee.Body
	for i, p := range body.Params {
		c.Values[p] = o.Operands[i]
	}
	for _, inner := range body.Ops[:len(body.Ops)-1] {
		p := c.Op(inner)
		p.Loc = inlinedName(o, p)
		s.write(p)
	}
	for i, r := range body.Return().Operands {
		s.replace(o.Results[i], c.Of(r))
	}
}

// inlinedName returns the name of an inlined operation: below the name of the call, or of the
// called function if the call has no name. JAX names operations relative to the function, or from
// the start of the program, in which case the name begins with jit(…).
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

// maxInlined is the maximum number of operations of an inlined function, including its return; maxInlinedLookup that of a function
// with a gather at secret indices, whose pattern is longer (jnp.take_along_axis has 25).
const (
	maxInlined       = 8
	maxInlinedLookup = 32
)

// inlinable reports whether a function may be inlined. A function with calls is inlined only after they
// have been inlined.
func (e *editor) inlinable(f *hlo.Func) bool {
	most := maxInlined
	for _, o := range f.Body.Ops {
		if o.Callee != nil || o.Is(hlo.Control) {
			return false
		}
		if e.isLookup(o) {
			most = maxInlinedLookup
		}
	}
	return len(f.Body.Ops) <= most
}
