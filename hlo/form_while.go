package hlo

import "strings"

// whileForm is the pretty form of while:
//
//	stablehlo.while(%i = %a, %x = %b) : T, U attributes {…} cond { … } do { … }
//
// Both regions take the names left of "=" as their parameters.
var whileForm = step{read: readWhile, print: printWhile}

func readWhile(p *parser, d *draft) {
	var names []string
	var at []Pos
	p.expect("(")
	p.list(")", func() {
		at = append(at, p.here())
		names = append(names, p.take(kPercent, "a name such as %iterArg")[1:])
		p.expect("=")
		p.addOperand(d)
	})
	if len(names) > 0 {
		readPairTypes(p, d)
	}
	if p.accept("attributes") {
		p.attributes(d)
	}
	params := func() []*Value {
		out := make([]*Value, len(names))
		for i, n := range names {
			out[i] = p.newValue(n, d.types[i], at[i])
			p.define(n, at[i], out[i])
		}
		return out
	}
	p.expect("cond")
	d.Regions = append(d.Regions, p.regionWith(params))
	p.expect("do")
	d.Regions = append(d.Regions, p.regionWith(params))
}

func printWhile(w *printer, o *Op) {
	cond, body := o.Regions[0], o.Regions[1]
	mark := w.mark()
	pairs := make([]string, len(o.Operands))
	for i, v := range o.Operands {
		name := w.parameter(cond.Params[i])
		w.names[body.Params[i]] = name
		pairs[i] = name + " = " + w.of(v)
	}
	w.token("(" + strings.Join(pairs, ", ") + ")")
	printOperandTypes(w, o)
	if w.hasAttributes(o) {
		w.token(" attributes")
		w.attributes(o)
	}
	w.newline()
	w.token("cond {")
	inner := w.mark()
	w.body(cond)
	w.token("} do {")
	w.release(inner)
	w.body(body)
	w.token("}")
	w.release(mark)
}
