package hlo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// draft is an operation that is being read.
type draft struct {
	*Op
	def    *opDef
	names  []name        // of the results
	at     []Pos         // of the operands
	places places        // of the attributes
	types  []tensor.Type // of the results
	says   []tensor.Type // types of the operands in the text's signature

	operands []*Value // reused memory for the operands
}

// places are the positions of attributes.
type places []place

type place struct {
	name string
	pos  Pos
}

// of returns the position of the attribute with that name, the zero Pos if it is not given.
func (p places) of(name string) Pos {
	for _, a := range p {
		if a.name == name {
			return a.pos
		}
	}
	return Pos{}
}

// name is a result's name in the text: %x, or %x:2 for several results.
type name struct {
	text  string
	count int
	pos   Pos
}

// operation reads one operation in either form, verifies it, and defines its results.
func (p *parser) operation() *Op {
	p.alive()
	p.op = ""
	d := p.newDraft()
	defer p.free()
	p.resultNames(d)
	d.Pos = p.here()
	generic := p.tok.kind == kString
	def := p.definition()
	d.Name = def.name
	p.op, d.def = d.Name, def
	if generic || def.form == nil || p.is("(") && def.parens {
		p.genericBody(d)
	} else {
		for i := range def.form {
			def.form[i].read(p, d)
		}
	}
	p.op = d.Name // regions have set p.op to their operations
	p.finish(d)
	p.placeOp(d.Op, p.loc())
	return d.Op
}

// definition reads an operation's name and returns its registry entry.
func (p *parser) definition() *opDef {
	pos := p.here()
	if p.tok.kind == kIdent {
		if def := registry[string(p.src[p.tok.start:p.tok.end])]; def != nil && def.refusal == "" {
			p.next()
			return def
		}
	}
	var name string
	if p.tok.kind == kString {
		name = p.str()
	} else {
		name = canonical(p.ident("an operation"))
	}
	def, err := find(name)
	if err != nil {
		panic(bail{locate(err, pos, name)})
	}
	return def
}

// resultNames reads %0, %1:2 = .
func (p *parser) resultNames(d *draft) {
	if p.tok.kind != kPercent {
		return
	}
	for {
		n := name{pos: p.here(), count: 1}
		n.text = p.take(kPercent, "a result such as %0")[1:]
		if p.accept(":") {
			pos := p.here()
			count := p.take(kInt, "a number of results")
			k, err := strconv.Atoi(count)
			if err != nil || k < 1 {
				failAt(pos, "", "%s is not a number of results", shorten(count))
			}
			n.count = k
		}
		d.names = append(d.names, n)
		if !p.accept(",") {
			p.expect("=")
			return
		}
	}
}

// canonical returns the full name of an operation whose name is abbreviated in pretty form.
func canonical(name string) string {
	switch name {
	case "return", "call":
		return "func." + name
	}
	return name
}

// genericBody reads (operands) <{properties}> ({region}, …) {attributes} : type.
func (p *parser) genericBody(d *draft) {
	p.expect("(")
	p.list(")", func() { p.addOperand(d) })
	if p.is("[") {
		p.fail("successors are not supported")
	}
	if p.accept("<") {
		p.attributes(d)
		p.expect(">")
	}
	if p.accept("(") {
		p.list(")", func() { d.Regions = append(d.Regions, p.region()) })
	}
	if p.is("{") {
		p.attributes(d)
	}
	p.expect(":")
	p.signature(d)
}

// addOperand reads an operand.
func (p *parser) addOperand(d *draft) {
	d.at = append(d.at, p.here())
	d.Operands = append(d.Operands, p.operand())
}

// attributes reads {a = 1} into the operation.
func (p *parser) attributes(d *draft) {
	p.entries(func(name string, pos Pos, v any) {
		if !layoutAttrs[name] || d.def.attr(name) != nil {
			p.setAttr(d, name, pos, v)
		}
	})
}

// layoutAttrs are attributes with which XLA's importer (and so torch_xla) notes memory layouts at operations. They
// mean nothing for a result.
var layoutAttrs = map[string]bool{"operand_layout": true, "result_layout": true, "source_layout": true, "xla_shape": true}

// setAttr sets an attribute whose position is pos.
func (p *parser) setAttr(d *draft, name string, pos Pos, v any) {
	if d.places.of(name) != (Pos{}) {
		failAt(pos, p.op, "attribute %s is given twice", name)
	}
	if !strings.Contains(name, ".") && d.def.attr(name) == nil {
		failAt(pos, p.op, "unknown attribute %s", shorten(name))
	}
	d.places = append(d.places, place{name, pos})
	d.Attrs[name] = v
}

// signature reads (T, T) -> T after the colon and compares the operand types.
func (p *parser) signature(d *draft) {
	pos := p.here()
	d.says = p.parenTypes(d.says[:0])
	p.expect("->")
	d.types = p.typeOrTypes(d.types)
	p.compareOperands(d, d.says, pos)
}

// compareOperands compares the operand types in the text, at pos, with the operands' types.
func (p *parser) compareOperands(d *draft, says []tensor.Type, pos Pos) {
	if len(says) != len(d.Operands) {
		failAt(pos, p.op, "there are %d operands, but %d types for them", len(d.Operands), len(says))
	}
	for i := range d.Operands {
		p.compareOperand(d, i, says[i])
	}
}

func (p *parser) compareOperand(d *draft, i int, says tensor.Type) {
	if v := d.Operands[i]; !v.Type.Equal(says) {
		failAt(d.at[i], p.op, "operand %%%s has type %v, but the operation says %v", v.Name, v.Type, says)
	}
}

// finish verifies a read operation by its registry entry and creates its results.
func (p *parser) finish(d *draft) {
	d.operands, d.Operands = d.Operands, append(p.memory.list(len(d.Operands)), d.Operands...)
	if err := d.def.counts(len(d.Operands), len(d.types), len(d.Regions)); err != nil {
		panic(bail{locate(err, d.Pos, d.Name)})
	}
	p.makeResults(d)
	err := d.def.conform(d.Op, d.places)
	if err == nil && d.def.check != nil {
		err = d.def.check(d.Op)
	}
	if err != nil {
		panic(bail{locate(err, d.Pos, d.Name)})
	}
	if d.def.callee != "" {
		p.calls = append(p.calls, call{d.Op, p.fn, d.places.of(d.def.callee)})
	}
}

// counts checks the numbers of operands, results and regions.
func (d *opDef) counts(operands, results, regions int) error {
	for _, c := range []struct {
		what string
		has  int
		want arity
	}{{"operands", operands, d.operands}, {"results", results, d.results}, {"regions", regions, d.regions}} {
		if !c.want.has(c.has) {
			return fmt.Errorf("has %d %s, but takes %v", c.has, c.what, c.want)
		}
	}
	return nil
}

// makeResults creates the operation's results and defines their names.
func (p *parser) makeResults(d *draft) {
	named := 0
	d.Results = p.memory.list(len(d.types))
	for _, n := range d.names {
		if n.count > len(d.types)-named {
			failAt(n.pos, d.Name, "has %d results, fewer than the text names", len(d.types))
		}
		for i := range n.count {
			full := n.text
			if n.count > 1 {
				full += "#" + strconv.Itoa(i)
			}
			d.Results = append(d.Results, p.newValue(full, d.types[named+i], n.pos))
		}
		p.define(n.text, n.pos, d.Results[named:len(d.Results):len(d.Results)]...)
		named += n.count
	}
	if named < len(d.types) && named > 0 {
		failAt(d.names[0].pos, d.Name, "has %d results, more than the text names", len(d.types))
	}
	for _, t := range d.types[named:] {
		d.Results = append(d.Results, p.newValue("", t, d.Pos))
	}
}
