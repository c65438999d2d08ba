package hlo

import (
	"slices"
	"strconv"
	"strings"
)

// step is a piece of an operation's pretty form: how it is read, how it is
// printed, and the attributes that it reads and prints.
type step struct {
	read  func(p *parser, d *draft)
	print func(w *printer, o *Op)
	attrs []string
}

// form concatenates steps.
func form(steps ...step) []step { return steps }

// word is the given words and punctuation.
func word(all string) step {
	words := strings.Fields(all)
	return step{
		read: func(p *parser, d *draft) {
			for _, s := range words {
				p.expect(s)
			}
		},
		print: func(w *printer, o *Op) { w.words(all) },
	}
}

// maybe is steps behind the given words; both are missing where the steps'
// attributes are.
func maybe(all string, steps ...step) step {
	m := step{
		read: func(p *parser, d *draft) {
			if p.acceptAll(all) {
				for _, s := range steps {
					s.read(p, d)
				}
			}
		},
		print: func(w *printer, o *Op) {
			if !slices.ContainsFunc(steps, func(s step) bool { return slices.ContainsFunc(s.attrs, w.given(o)) }) {
				return
			}
			w.words(all)
			for _, s := range steps {
				s.print(w, o)
			}
		},
	}
	for _, s := range steps {
		m.attrs = append(m.attrs, s.attrs...)
	}
	return m
}

// args is n operands separated by commas.
func args(n int) step {
	return step{
		read: func(p *parser, d *draft) {
			for i := range n {
				if i > 0 {
					p.expect(",")
				}
				p.addOperand(d)
			}
		},
		print: printArgs,
	}
}

// allArgs is as many operands, separated by commas, as there are.
var allArgs = step{read: readAllArgs, print: printArgs}

func readAllArgs(p *parser, d *draft) {
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

func printArgs(w *printer, o *Op) {
	if len(o.Operands) > 0 {
		w.token(" " + w.values(o.Operands))
	}
}

// parenArgs is (%a, %b).
var parenArgs = step{
	read: func(p *parser, d *draft) {
		p.expect("(")
		p.list(")", func() { p.addOperand(d) })
	},
	print: func(w *printer, o *Op) { w.token("(" + w.values(o.Operands) + ")") },
}

// barrierArgs is %a, %b, or () where there are none.
var barrierArgs = step{
	read: func(p *parser, d *draft) {
		if !p.acceptAll("( )") {
			readAllArgs(p, d)
		}
	},
	print: func(w *printer, o *Op) {
		if len(o.Operands) == 0 {
			w.token("()")
			return
		}
		printArgs(w, o)
	},
}

// value is an attribute that a method of the parser reads and a method of the
// printer prints.
func value[T any](name string, read func(p *parser) T, print func(w *printer, v any)) step {
	return step{
		read: func(p *parser, d *draft) {
			pos := p.here()
			p.setAttr(d, name, pos, read(p))
		},
		print: func(w *printer, o *Op) {
			w.token(" ")
			print(w, o.Attrs[name])
		},
		attrs: []string{name},
	}
}

func intsOf(name string) step { return value(name, (*parser).ints, (*printer).brackets) }
func intOf(name string) step  { return value(name, (*parser).integer, (*printer).plain) }
func flagOf(name string) step { return value(name, (*parser).boolean, (*printer).plain) }
func textOf(name string) step { return value(name, (*parser).str, (*printer).value) }
func nameOf(name string) step { return value(name, (*parser).symbol, (*printer).symbol) }
func enumOf(name string) step {
	return value(name, func(p *parser) Enum { return Enum(p.ident("a name in capitals")) }, (*printer).plain)
}

// precisions is [DEFAULT, HIGH].
var precisions = value("precision_config", func(p *parser) any {
	out := []any{}
	p.expect("[")
	p.list("]", func() { out = append(out, Enum(p.ident("a precision"))) })
	return out
}, func(w *printer, v any) { w.list(v.([]any), w.plain) })

// attributes is {…} with the attributes that no other step of the form has;
// nothing where there are none.
var attributes = step{
	read: func(p *parser, d *draft) {
		if p.is("{") {
			p.attributes(d)
		}
	},
	print: (*printer).attributes,
}

// format is e5m10, the bits of exponent and mantissa.
var format = step{read: readFormat, print: func(w *printer, o *Op) {
	w.token(" e" + strconv.Itoa(o.Attrs.Int("exponent_bits", 0)) + "m" + strconv.Itoa(o.Attrs.Int("mantissa_bits", 0)))
}, attrs: []string{"exponent_bits", "mantissa_bits"}}

func readFormat(p *parser, d *draft) {
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
