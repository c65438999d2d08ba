package hlo

import "fmt"

// call is an operation that names a function, resolved when all are read.
type call struct {
	op   *Op
	from *Func
	pos  Pos // position of the function's name
}

// link resolves the functions that operations name, compares their types, and refuses recursion.
func (p *parser) link() {
	for _, c := range p.calls {
		name := c.op.Attrs.Str(registry[c.op.Name].callee)
		f := p.funcs[name]
		if f == nil {
			failAt(c.pos, c.op.Name, "there is no function @%s", name)
		}
		if err := c.op.fits(f); err != nil {
			panic(bail{locate(err, c.op.Pos, c.op.Name)})
		}
		c.op.Callee = f
	}
	p.refuseRecursion()
}

// fits checks the types of operands and results against a function's.
func (o *Op) fits(f *Func) error {
	if got := types(o.Operands); !sameTypes(got, types(f.Body.Params)) {
		return fmt.Errorf("passes %v, but function @%s takes %v", got, f.Name, types(f.Body.Params))
	}
	if got := types(o.Results); !sameTypes(got, f.Results) {
		return fmt.Errorf("expects %v, but function @%s returns %v", got, f.Name, f.Results)
	}
	return nil
}

// refuseRecursion finds functions that call themselves, directly or not: what
// is left when functions that call no function left are taken away.
func (p *parser) refuseRecursion() {
	pending := map[*Func]int{}
	callers := map[*Func][]*Func{}
	for _, c := range p.calls {
		pending[c.from]++
		callers[c.op.Callee] = append(callers[c.op.Callee], c.from)
	}
	var ready []*Func
	for _, f := range p.prog.Funcs {
		if pending[f] == 0 {
			ready = append(ready, f)
		}
	}
	for len(ready) > 0 {
		f := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, caller := range callers[f] {
			if pending[caller]--; pending[caller] == 0 {
				ready = append(ready, caller)
			}
		}
	}
	// Every remaining function calls a remaining one, so following the calls leads into a cycle.
	next := map[*Func]*Op{}
	for _, c := range p.calls {
		if pending[c.op.Callee] > 0 && next[c.from] == nil {
			next[c.from] = c.op
		}
	}
	seen := map[*Func]bool{}
	for _, f := range p.prog.Funcs {
		for ; next[f] != nil; f = next[f].Callee {
			seen[f] = true
			if o := next[f]; seen[o.Callee] {
				panic(bail{&Error{Pos: o.Pos, Op: o.Name, Msg: "recursion: @" + o.Callee.Name + " leads back to itself", Hint: "use stablehlo.while"}})
			}
		}
	}
}
