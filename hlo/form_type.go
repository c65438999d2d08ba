package hlo

import "github.com/tacet-mpc/tacet/tensor"

// This file holds the steps for the types behind an operation's colon.

// signature is : (T, T) -> T.
var signature = step{read: readSignature, print: (*printer).signature}

func readSignature(p *parser, d *draft) {
	p.expect(":")
	p.signature(d)
}

// sameType is : T, the type of all operands and of the result, or the
// signature where they differ.
var sameType = step{read: readSameType, print: func(w *printer, o *Op) {
	for _, v := range o.Operands {
		if !v.Type.Equal(o.out(0)) {
			w.signature(o)
			return
		}
	}
	w.token(" : " + o.out(0).String())
}}

// anyType is read as sameType and printed as signature: MLIR takes : T from
// older texts only.
var anyType = step{read: readSameType, print: (*printer).signature}

func readSameType(p *parser, d *draft) {
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

// resultTypes is : T, T where the operands' types are not printed.
var resultTypes = step{
	read: func(p *parser, d *draft) {
		p.expect(":")
		d.types = p.typeList(d.types)
	},
	print: func(w *printer, o *Op) { w.token(" : " + joinTypes(types(o.Results))) },
}

// pairTypes is : T, T, the types of operands and results alike; nothing where
// there are no operands.
var pairTypes = step{read: readPairTypes, print: printOperandTypes}

func readPairTypes(p *parser, d *draft) {
	if len(d.Operands) == 0 && !p.is(":") {
		return
	}
	p.expect(":")
	pos := p.here()
	d.types = p.typeList(d.types)
	p.compareOperands(d, d.types, pos)
}

func printOperandTypes(w *printer, o *Op) {
	if len(o.Operands) > 0 {
		w.token(" : " + joinTypes(types(o.Operands)))
	}
}

// operandTypes is : T, T of the operands of an operation without results;
// nothing where there are none.
var operandTypes = step{
	read: func(p *parser, d *draft) {
		readPairTypes(p, d)
		d.types = d.types[:0]
	},
	print: printOperandTypes,
}

// selectTypes is : P, T, the types of the predicate and of all else.
var selectTypes = step{read: readSelectTypes, print: func(w *printer, o *Op) {
	w.token(" : " + joinTypes([]tensor.Type{o.in(0), o.out(0)}))
}}

func readSelectTypes(p *parser, d *draft) {
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

// complexType is : C, the result's type, whose parts the operands are.
var complexType = step{
	read: func(p *parser, d *draft) {
		p.expect(":")
		if p.is("(") {
			p.signature(d)
			return
		}
		d.types = append(d.types, p.typ())
	},
	print: resultTypes.print,
}

// arrow is : T, T -> T as chlo prints it.
var arrow = step{
	read: func(p *parser, d *draft) {
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
	},
	print: func(w *printer, o *Op) {
		printOperandTypes(w, o)
		w.token(" -> " + resultText(types(o.Results)))
	},
}
