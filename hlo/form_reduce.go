package hlo

import "github.com/tacet-mpc/tacet/tensor"

// reduceForm reads the pretty form of reduce, short
//
//	stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : signature
//
// or with its region, whose parameters stand in pairs, one an operand:
//
//	stablehlo.reduce(%a init: %b), (%c init: %d) across dimensions = [0] : signature
//	 reducer(%x: T, %y: T) (%z: U, %w: U) { … }
func reduceForm(p *parser, d *draft) {
	var inits []*Value
	var initsAt []Pos
	for {
		p.expect("(")
		p.addOperand(d)
		p.expect("init :")
		initsAt = append(initsAt, p.here())
		inits = append(inits, p.operand())
		p.expect(")")
		if !p.accept(",") {
			break
		}
	}
	d.Operands, d.at = append(d.Operands, inits...), append(d.at, initsAt...)
	short, at := "", Pos{}
	if p.accept("applies") {
		at = p.here()
		short = p.ident("an operation")
	}
	p.expect("across dimensions =")
	intsOf("dimensions")(p, d)
	attributes(p, d)
	signature(p, d)
	if short != "" {
		d.Regions = append(d.Regions, p.applies(short, at, inits))
		return
	}
	p.expect("reducer")
	d.Regions = append(d.Regions, p.reducer(len(inits)))
}

// applies makes the region that "applies stablehlo.add" stands for: it returns
// the operation's result of its two parameters.
func (p *parser) applies(op string, at Pos, inits []*Value) *Block {
	if len(inits) != 1 {
		failAt(at, p.op, "applies takes one operand, there are %d", len(inits))
	}
	def, err := find(op)
	if err != nil {
		panic(bail{locate(err, at, op)})
	}
	if !def.operands.has(2) || !def.results.has(1) || def.regions.min > 0 || def.callee != "" {
		failAt(at, op, "applies takes an operation of two operands and one result")
	}
	t := tensor.Type{DType: inits[0].Type.DType, Shape: tensor.Shape{}}
	lhs, rhs := p.newValue("lhs", t, at), p.newValue("rhs", t, at)
	inner := &draft{
		Op:    &Op{Name: op, Attrs: Attrs{}, Operands: []*Value{lhs, rhs}, Pos: at},
		def:   def,
		types: []tensor.Type{t},
	}
	p.finish(inner)
	ret := &Op{Name: "stablehlo.return", Attrs: Attrs{}, Operands: inner.Results, Pos: at}
	return &Block{Params: []*Value{lhs, rhs}, Ops: []*Op{inner.Op, ret}}
}

// reducer reads (%x: T, %y: T) (%z: U, %w: U) { … }. The block takes all
// first parameters, then all second ones.
func (p *parser) reducer(pairs int) *Block {
	return p.regionWith(func() []*Value {
		params := make([]*Value, 2*pairs)
		from := p.nextID
		for i := range pairs {
			p.expect("(")
			params[i] = p.param()
			p.loc()
			p.expect(",")
			params[pairs+i] = p.param()
			p.loc()
			p.expect(")")
		}
		for i, v := range params {
			v.ID = from + i // as in generic form
		}
		return params
	})
}
