package hlo

import "github.com/tacet-mpc/tacet/tensor"

// function reads func.func public @f(%a: T {…}) -> (T {…}) attributes {…} {…}.
func (p *parser) function() {
	p.expect("func.func")
	f := &Func{Public: true, Pos: p.here()}
	switch {
	case p.accept("public"):
	case p.accept("private"), p.accept("nested"):
		f.Public = false
	}
	f.Pos = p.here()
	f.Name = p.symbol()
	p.begin(f)
	p.expect("(")
	var params []*Value
	p.list(")", func() {
		if p.tok.kind != kPercent {
			p.fail("function @%s has no body", f.Name)
		}
		params = append(params, p.param())
		if p.is("{") {
			p.skipDict()
		}
		p.loc()
	})
	if p.accept("->") {
		f.Results = p.functionResults()
	}
	if p.accept("attributes") {
		p.skipDict()
	}
	if !p.is("{") {
		p.fail("function @%s has no body", f.Name)
	}
	f.Body = p.body(params)
	p.end(f)
	p.loc()
}

// functionResults reads T or (T {…}, T {…}).
func (p *parser) functionResults() []tensor.Type {
	if !p.accept("(") {
		return []tensor.Type{p.typ()}
	}
	var out []tensor.Type
	p.list(")", func() {
		out = append(out, p.typ())
		if p.is("{") {
			p.skipDict()
		}
		p.loc()
	})
	return out
}

// genericFunction reads "func.func"() <{function_type = …, sym_name = …,
// sym_visibility = …}> ({ ^bb0(…): … }) : () -> ().
func (p *parser) genericFunction() {
	f := &Func{Pos: p.here(), Public: true}
	p.next()
	p.expect("( )")
	attrs := p.props()
	if attrs == nil {
		// Older texts have the attributes after the region: read them first.
		back := p.lexer
		p.balanced("(")
		attrs = p.dict()
		p.lexer = back
	}
	var ok bool
	if f.Name, ok = attrs["sym_name"].(string); !ok {
		failAt(f.Pos, "", "the function has no sym_name")
	}
	sig, ok := attrs["function_type"].(funcType)
	if !ok {
		failAt(f.Pos, "", "the function has no function_type")
	}
	f.Results = sig.results
	if v, _ := attrs["sym_visibility"].(string); v == "private" || v == "nested" {
		f.Public = false
	}
	p.begin(f)
	p.expect("(")
	f.Body = p.body(nil)
	p.expect(")")
	if p.is("{") {
		p.skipDict()
	}
	p.expect(": ( ) -> ( )")
	p.loc()
	if !sameTypes(types(f.Body.Params), sig.operands) {
		failAt(f.Pos, "", "function @%s has parameters %v, but its type says %v", f.Name, types(f.Body.Params), sig.operands)
	}
	p.end(f)
}

// begin starts a function, whose values are numbered from 0.
func (p *parser) begin(f *Func) {
	if p.funcs[f.Name] != nil {
		failAt(f.Pos, "", "function @%s is defined twice", f.Name)
	}
	p.fn, p.nextID = f, 0
	p.funcs[f.Name] = f
	p.prog.Funcs = append(p.prog.Funcs, f)
	p.release(0)
}

// end finishes a function and checks that it returns the declared types.
func (p *parser) end(f *Func) {
	ret := f.Body.Return()
	if got := types(ret.Operands); !sameTypes(got, f.Results) {
		failAt(ret.Pos, ret.Name, "returns %v, but function @%s says %v", got, f.Name, f.Results)
	}
}
