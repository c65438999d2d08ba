package hlo

import (
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// reduceForm is the pretty form of reduce, short
//
//	stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : signature
//
// or with its region, whose parameters are listed in pairs, one pair per operand:
//
//	stablehlo.reduce(%a init: %b), (%c init: %d) across dimensions = [0] : signature
//	 reducer(%x: T, %y: T) (%z: U, %w: U) { … }
var reduceForm = step{readReduce, printReduce, []string{"dimensions"}}

func readReduce(p *parser, d *draft) {
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
	reducedDims.read(p, d)
	attributes.read(p, d)
	readSignature(p, d)
	if short != "" {
		d.Regions = append(d.Regions, p.applies(short, at, inits))
		return
	}
	p.expect("reducer")
	d.Regions = append(d.Regions, p.reducer(len(inits)))
}

var reducedDims = intsOf("dimensions")

// printReduce prints the short form where the region is one operation of two
// elements, else the region.
func printReduce(w *printer, o *Op) {
	n, b := len(o.Operands)/2, o.Regions[0]
	pairs := make([]string, n)
	for i := range pairs {
		pairs[i] = "(" + w.of(o.Operands[i]) + " init: " + w.of(o.Operands[n+i]) + ")"
	}
	w.token(strings.Join(pairs, ", "))
	op := shortReducer(b)
	if op != "" {
		w.token(" applies " + op)
	}
	w.token(" across dimensions =")
	reducedDims.print(w, o)
	attributes.print(w, o)
	signature.print(w, o)
	if op != "" {
		return
	}
	mark := w.mark()
	for _, v := range b.Params {
		w.parameter(v)
	}
	w.newline()
	w.token(" reducer")
	for i := range n {
		x, y := b.Params[i], b.Params[n+i]
		w.token(" (" + w.of(x) + ": " + x.Type.String() + ", " + w.of(y) + ": " + y.Type.String() + ")")
	}
	w.token(" {")
	w.body(b)
	w.token("}")
	w.release(mark)
}

// shortReducer is the operation that "applies" may name: one of the
// commutative ones, of the region's two parameters in their order, as the only
// one. It is "" where there is none.
func shortReducer(b *Block) string {
	if len(b.Params) != 2 || len(b.Ops) != 2 {
		return ""
	}
	o, ret := b.Ops[0], b.Return()
	if !o.Is(Commutative) {
		return ""
	}
	if o.Operands[0] != b.Params[0] || o.Operands[1] != b.Params[1] || ret.Operands[0] != o.Results[0] || len(o.Attrs)+len(ret.Attrs) > 0 ||
		o.Loc != "" {
		return ""
	}
	return o.Name
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
	ret := &Op{Name: OpReturn, Attrs: Attrs{}, Operands: inner.Results, Pos: at}
	return &Block{Params: []*Value{lhs, rhs}, Ops: []*Op{inner.Op, ret}}
}

// reducer reads (%x: T, %y: T) (%z: U, %w: U) { … }. The block's parameters are all first
// parameters, then all second ones.
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
			v.ID = from + i // the order of the generic form
		}
		return params
	})
}
