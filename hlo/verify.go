package hlo

// Verify checks a program that was created or changed in memory by the rules of Parse: known operations with valid
// operands, attributes, regions and types; values defined before their use; functions that return the declared types.
// It returns nil or an *Error.
func (p *Program) Verify() (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bail:
			err = r.err
		default:
			panic(r)
		}
	}()
	links := &parser{prog: p, funcs: map[string]*Func{}}
	for _, f := range p.Funcs {
		if links.funcs[f.Name] != nil {
			failAt(f.Pos, "", "function @%s is defined twice", f.Name)
		}
		links.funcs[f.Name] = f
	}
	if p.Main == nil || links.funcs[p.Main.Name] != p.Main {
		failAt(Pos{File: p.File}, "", "the program has no main function")
	}
	for _, f := range p.Funcs {
		v := &verifier{fn: f, links: links, seen: map[*Value]bool{}}
		v.block(f.Body, OpFuncReturn)
		if ret := f.Body.Return(); !sameTypes(types(ret.Operands), f.Results) {
			failAt(ret.Pos, ret.Name, "returns %v, but function @%s says %v", types(ret.Operands), f.Name, f.Results)
		}
	}
	for _, c := range links.calls {
		if c.op.Callee != links.funcs[c.op.Attrs.Str(registry[c.op.Name].callee)] {
			failAt(c.op.Pos, c.op.Name, "calls a function that is not the program's")
		}
	}
	links.link()
	return nil
}

// verifier checks one function.
type verifier struct {
	fn    *Func
	links *parser
	seen  map[*Value]bool // values that are defined and visible at the current operation
}

func (v *verifier) block(b *Block, end string) {
	if len(b.Ops) == 0 || b.Return().Name != end {
		failAt(v.fn.Pos, "", "a block of function @%s must end with %s", v.fn.Name, end)
	}
	var own []*Value
	define := func(vs []*Value, pos Pos, op string) {
		for _, x := range vs {
			if v.seen[x] {
				failAt(pos, op, "%%%s is defined a second time", x.Name)
			}
			v.seen[x] = true
			own = append(own, x)
		}
	}
	define(b.Params, v.fn.Pos, "")
	for i, o := range b.Ops {
		if isTerminator(o) && i < len(b.Ops)-1 {
			failAt(o.Pos, o.Name, "stands before the end of its block")
		}
		v.operation(o)
		define(o.Results, o.Pos, o.Name)
	}
	for _, x := range own {
		delete(v.seen, x)
	}
}

func (v *verifier) operation(o *Op) {
	for i, x := range o.Operands {
		if !v.seen[x] {
			failAt(o.Pos, o.Name, "operand %d (%%%s) is not defined", i, x.Name)
		}
	}
	for _, r := range o.Regions {
		v.block(r, OpReturn)
	}
	if err := o.Check(); err != nil {
		panic(bail{locate(err, o.Pos, o.Name)})
	}
	if registry[o.Name].callee != "" {
		v.links.calls = append(v.links.calls, call{o, v.fn, o.Pos})
	}
}

// Check returns an *Error if the operation breaks the rules for its name: numbers and types of operands and results,
// attributes, regions. It also converts attributes to their Go types and fills in defaults.
func (o *Op) Check() error {
	def, err := find(o.Name)
	if err == nil {
		err = def.counts(len(o.Operands), len(o.Results), len(o.Regions))
	}
	if err == nil {
		err = def.conform(o, nil)
	}
	if err == nil && def.check != nil {
		err = def.check(o)
	}
	return err
}
