package hlo

// call is an operation that names a function, resolved when all are read.
type call struct {
	op   *Op
	from *Func
	pos  Pos // of the function's name
}

// link finds the functions that operations name, compares their types, and
// refuses recursion.
func (p *parser) link() {
	for _, c := range p.calls {
		name := c.op.Attrs.Str(registry[c.op.Name].callee)
		f := p.funcs[name]
		if f == nil {
			failAt(c.pos, c.op.Name, "there is no function @%s", name)
		}
		if got := types(c.op.Operands); !sameTypes(got, types(f.Body.Params)) {
			failAt(c.op.Pos, c.op.Name, "passes %v, but function @%s takes %v", got, name, types(f.Body.Params))
		}
		if got := types(c.op.Results); !sameTypes(got, f.Results) {
			failAt(c.op.Pos, c.op.Name, "expects %v, but function @%s returns %v", got, name, f.Results)
		}
		c.op.Callee = f
	}
	p.refuseRecursion()
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
	// Every function left calls another that is left: going on from one to the
	// next comes round.
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
