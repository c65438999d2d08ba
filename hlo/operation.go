package hlo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// draft is an operation while it is read.
type draft struct {
	*Op
	def   *opDef
	at    []Pos          // of the operands
	attrs map[string]Pos // of the attributes
	types []tensor.Type  // of the results
}

// name is a result's name in the text: %x, or %x:2 for several results.
type name struct {
	text  string
	count int
	pos   Pos
}

// operation reads one operation, in either form, verifies it, and defines its
// results.
func (p *parser) operation() *Op {
	p.op = ""
	names := p.resultNames()
	d := &draft{Op: &Op{Attrs: Attrs{}, Pos: p.here()}, attrs: map[string]Pos{}}
	generic := p.tok.kind == kString
	if generic {
		d.Name = p.str()
	} else {
		d.Name = canonical(p.ident("an operation"))
	}
	def, err := find(d.Name)
	if err != nil {
		panic(bail{locate(err, d.Pos, d.Name)})
	}
	p.op, d.def = d.Name, def
	if generic || def.form == nil || p.is("(") && def.parens {
		p.genericBody(d)
	} else {
		for _, s := range def.form {
			s(p, d)
		}
	}
	p.op = d.Name // regions have set it to their operations'
	p.finish(d, names)
	p.placeOp(d.Op, p.loc())
	return d.Op
}

// resultNames reads %0, %1:2 = .
func (p *parser) resultNames() []name {
	var names []name
	if p.tok.kind != kPercent {
		return nil
	}
	for {
		n := name{pos: p.here(), count: 1}
		n.text = p.take(kPercent, "a result such as %0")[1:]
		if p.accept(":") {
			pos := p.here()
			count := p.take(kInt, "a number of results")
			k, err := strconv.Atoi(count)
			if err != nil || k < 1 {
				failAt(pos, "", "%s is no number of results", shorten(count))
			}
			n.count = k
		}
		names = append(names, n)
		if !p.accept(",") {
			p.expect("=")
			return names
		}
	}
}

// canonical is the full name of an operation that pretty text abbreviates.
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
	p.entries(func(name string, pos Pos, v any) { p.setAttr(d, name, pos, v) })
}

// setAttr sets an attribute that stands at pos.
func (p *parser) setAttr(d *draft, name string, pos Pos, v any) {
	if _, twice := d.attrs[name]; twice {
		failAt(pos, p.op, "attribute %s is given twice", name)
	}
	if !strings.Contains(name, ".") && d.def.attr(name) == nil {
		failAt(pos, p.op, "unknown attribute %s", shorten(name))
	}
	d.attrs[name] = pos
	d.Attrs[name] = v
}

// signature reads (T, T) -> T behind the colon and compares the operands.
func (p *parser) signature(d *draft) {
	pos := p.here()
	f := p.funcType()
	d.types = f.results
	p.compareOperands(d, f.operands, pos)
}

// compareOperands holds the types that the text gives the operands, at pos,
// against those that they have.
func (p *parser) compareOperands(d *draft, says []tensor.Type, pos Pos) {
	if len(says) != len(d.Operands) {
		failAt(pos, p.op, "there are %d operands, but %d types for them", len(d.Operands), len(says))
	}
	for i, v := range d.Operands {
		if !v.Type.Equal(says[i]) {
			failAt(d.at[i], p.op, "operand %%%s has type %v, but the operation says %v", v.Name, v.Type, says[i])
		}
	}
}

// finish checks a read operation against its entry and makes its results.
func (p *parser) finish(d *draft, names []name) {
	if err := d.def.counts(len(d.Operands), len(d.types), len(d.Regions)); err != nil {
		panic(bail{locate(err, d.Pos, d.Name)})
	}
	p.makeResults(d, names)
	err := d.def.conform(d.Op, d.attrs)
	if err == nil && d.def.check != nil {
		err = d.def.check(d.Op)
	}
	if err != nil {
		panic(bail{locate(err, d.Pos, d.Name)})
	}
	if d.def.callee != "" {
		p.calls = append(p.calls, call{d.Op, p.fn, d.attrs[d.def.callee]})
	}
}

// counts checks how many operands, results and regions an operation has.
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

// makeResults makes the operation's results and defines their names.
func (p *parser) makeResults(d *draft, names []name) {
	named := 0
	for _, n := range names {
		if n.count > len(d.types)-named {
			failAt(n.pos, d.Name, "has %d results, fewer than the text names", len(d.types))
		}
		group := make([]*Value, n.count)
		for i := range group {
			full := n.text
			if n.count > 1 {
				full += "#" + strconv.Itoa(i)
			}
			group[i] = p.newValue(full, d.types[named+i], n.pos)
		}
		named += n.count
		d.Results = append(d.Results, group...)
		p.define(n.text, n.pos, group...)
	}
	if named < len(d.types) && named > 0 {
		failAt(names[0].pos, d.Name, "has %d results, more than the text names", len(d.types))
	}
	for _, t := range d.types[named:] {
		d.Results = append(d.Results, p.newValue("", t, d.Pos))
	}
}
