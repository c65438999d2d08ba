package hlo

import "strings"

// top reads the whole text: alias definitions and one module, or functions without an enclosing
// module.
func (p *parser) top() {
	modules := 0
	for p.tok.kind != kEOF {
		switch {
		case p.tok.kind == kHash:
			p.aliasDef()
		case p.tok.kind == kBang:
			p.fail("type aliases are not supported")
		case p.is("module") && modules == 0 && len(p.prog.Funcs) == 0:
			modules++
			p.module()
		case p.tok.kind == kString && p.text() == `"builtin.module"` && modules == 0 && len(p.prog.Funcs) == 0:
			modules++
			p.genericModule()
		case p.is("{") && strings.HasPrefix(string(p.src[p.tok.start:]), "{-#"):
			p.skipResources()
		case modules == 0:
			p.moduleOp()
		default:
			p.unexpected("the end of the text")
		}
	}
	if modules == 0 && len(p.prog.Funcs) == 0 {
		p.unexpected(`"module"`)
	}
	p.findMain()
}

// module reads module @name attributes {…} { functions } loc(…).
func (p *parser) module() {
	p.expect("module")
	if p.tok.kind == kAt {
		p.prog.Name = p.symbol()
	}
	if p.accept("attributes") {
		p.skipDict()
	}
	p.expect("{")
	for !p.accept("}") {
		p.moduleOp()
	}
	p.loc()
}

// moduleOp reads an operation of a module: a function, or a mesh of the sdy dialect, which is
// skipped.
func (p *parser) moduleOp() {
	switch {
	case p.is("func.func"):
		p.function()
	case p.tok.kind == kString && p.text() == `"func.func"`:
		p.genericFunction()
	case p.is("sdy.mesh"):
		p.next()
		p.symbol()
		p.expect("=")
		p.balanced("<")
		if p.is("{") {
			p.skipDict()
		}
		p.loc()
	case p.tok.kind == kIdent || p.tok.kind == kString:
		p.fail("a module holds functions only, not %s", shorten(p.text()))
	default:
		p.unexpected("a function")
	}
}

// genericModule reads "builtin.module"() <{sym_name = "m"}> ({…}) : () -> ().
func (p *parser) genericModule() {
	p.next()
	p.expect("( )")
	if props := p.props(); props != nil {
		p.prog.Name, _ = props["sym_name"].(string)
	}
	p.expect("( {")
	for !p.accept("}") {
		p.moduleOp()
	}
	p.expect(")")
	if p.is("{") {
		if name, ok := p.dict()["sym_name"].(string); ok {
			p.prog.Name = name
		}
	}
	p.expect(": ( ) -> ( )")
	p.loc()
}

// props reads <{…}>; it returns nil if there is none.
func (p *parser) props() map[string]any {
	if !p.accept("<") {
		return nil
	}
	d := p.dict()
	p.expect(">")
	return d
}

// findMain returns the function that a run executes.
func (p *parser) findMain() {
	var public []*Func
	for _, f := range p.prog.Funcs {
		if f.Public {
			public = append(public, f)
		}
		if f.Name == "main" {
			p.prog.Main = f
		}
	}
	if p.prog.Main == nil && len(public) == 1 {
		p.prog.Main = public[0]
	}
	if p.prog.Main == nil {
		panic(bail{&Error{Pos: p.here(), Msg: "the program has no function @main", Hint: "name the entry function main, or leave only one function public"}})
	}
}
