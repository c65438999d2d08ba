package hlo

import (
	"strconv"
	"strings"
)

// step reads a piece of an operation's pretty form.
type step func(p *parser, d *draft)

// form puts steps in a row.
func form(steps ...step) []step { return steps }

// word reads the given words and punctuation.
func word(all string) step {
	words := strings.Fields(all)
	return func(p *parser, d *draft) {
		for _, s := range words {
			p.expect(s)
		}
	}
}

// maybe reads steps if the given words stand before them.
func maybe(all string, steps ...step) step {
	return func(p *parser, d *draft) {
		if p.acceptAll(all) {
			for _, s := range steps {
				s(p, d)
			}
		}
	}
}

// args reads n operands separated by commas.
func args(n int) step {
	return func(p *parser, d *draft) {
		for i := range n {
			if i > 0 {
				p.expect(",")
			}
			p.addOperand(d)
		}
	}
}

// allArgs reads as many operands, separated by commas, as there are.
func allArgs(p *parser, d *draft) {
	if p.tok.kind != kPercent {
		return
	}
	for {
		p.addOperand(d)
		back := p.lexer
		if !p.accept(",") {
			return
		}
		if p.tok.kind != kPercent {
			p.lexer = back
			return
		}
	}
}

// parenArgs reads (%a, %b).
func parenArgs(p *parser, d *draft) {
	p.expect("(")
	p.list(")", func() { p.addOperand(d) })
}

// value reads an attribute by a method of the parser.
func value[T any](name string, read func(p *parser) T) step {
	return func(p *parser, d *draft) {
		pos := p.here()
		p.setAttr(d, name, pos, read(p))
	}
}

func intsOf(name string) step { return value(name, (*parser).ints) }
func intOf(name string) step  { return value(name, (*parser).integer) }
func flagOf(name string) step { return value(name, (*parser).boolean) }
func textOf(name string) step { return value(name, (*parser).str) }
func nameOf(name string) step { return value(name, (*parser).symbol) }
func enumOf(name string) step {
	return value(name, func(p *parser) Enum { return Enum(p.ident("a name in capitals")) })
}

// precisions reads [DEFAULT, HIGH].
func precisions(p *parser, d *draft) {
	value("precision_config", func(p *parser) any {
		out := []any{}
		p.expect("[")
		p.list("]", func() { out = append(out, Enum(p.ident("a precision"))) })
		return out
	})(p, d)
}

// attributes reads {…} if it is next.
func attributes(p *parser, d *draft) {
	if p.is("{") {
		p.attributes(d)
	}
}

// signature reads : (T, T) -> T.
func signature(p *parser, d *draft) {
	p.expect(":")
	p.signature(d)
}

// sameType reads : T, the type of all operands and of the result, or the
// signature where they differ.
func sameType(p *parser, d *draft) {
	p.expect(":")
	if p.is("(") {
		p.signature(d)
		return
	}
	t := p.typ()
	d.types = append(d.types, t)
	for i := range d.Operands {
		p.compareOperand(d, i, t)
	}
}

// resultTypes reads : T, T where the operands' types are not printed.
func resultTypes(p *parser, d *draft) {
	p.expect(":")
	d.types = p.typeList(d.types)
}

// pairTypes reads : T, T, the types of operands and results alike; nothing
// where there are no operands.
func pairTypes(p *parser, d *draft) {
	if len(d.Operands) == 0 && !p.is(":") {
		return
	}
	p.expect(":")
	pos := p.here()
	d.types = p.typeList(d.types)
	p.compareOperands(d, d.types, pos)
}

// operandTypes reads : T, T of the operands of an operation without results;
// nothing where there are none.
func operandTypes(p *parser, d *draft) {
	pairTypes(p, d)
	d.types = d.types[:0]
}

// selectTypes reads : P, T, the types of the predicate and of all else.
func selectTypes(p *parser, d *draft) {
	p.expect(":")
	pos := p.here()
	if p.is("(") {
		p.signature(d)
		return
	}
	d.says = p.typeList(d.says[:0])
	if len(d.says) != 2 {
		failAt(pos, p.op, "the predicate's type and the values' type should stand here")
	}
	d.says = append(d.says, d.says[1])
	d.types = append(d.types, d.says[1])
	p.compareOperands(d, d.says, pos)
}

// complexType reads : C, the result's type, whose parts the operands are.
func complexType(p *parser, d *draft) {
	p.expect(":")
	if p.is("(") {
		p.signature(d)
		return
	}
	d.types = append(d.types, p.typ())
}

// arrow reads : T, T -> T as chlo prints it.
func arrow(p *parser, d *draft) {
	p.expect(":")
	pos := p.here()
	if p.is("(") {
		p.signature(d)
		return
	}
	d.says = p.typeList(d.says[:0])
	p.expect("->")
	d.types = p.typeOrTypes(d.types)
	p.compareOperands(d, d.says, pos)
}

// format reads e5m10, the bits of exponent and mantissa.
func format(p *parser, d *draft) {
	pos := p.here()
	s := p.ident("a format such as e5m10")
	bad := func() { failAt(pos, p.op, "a format such as e5m10 should stand here, not %s", shorten(s)) }
	exp, man, ok := strings.Cut(strings.TrimPrefix(s, "e"), "m")
	if !ok || s[0] != 'e' {
		bad()
	}
	for i, digits := range []string{exp, man} {
		v, err := strconv.ParseInt(digits, 10, 32)
		if err != nil {
			bad()
		}
		p.setAttr(d, []string{"exponent_bits", "mantissa_bits"}[i], pos, v)
	}
}
