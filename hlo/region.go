package hlo

// region reads { ^bb0(%a: T): operations }. Values of the enclosing regions are visible in it.
func (p *parser) region() *Block { return p.regionWith(func() []*Value { return nil }) }

// regionWith reads a region whose parameters precede it in the text: params creates and defines
// them.
func (p *parser) regionWith(params func() []*Value) *Block {
	mark := p.mark()
	b := p.body(params())
	p.release(mark)
	if ret := b.Return(); ret.Name != OpReturn {
		failAt(ret.Pos, ret.Name, "a region ends with stablehlo.return")
	}
	return b
}

// body reads { operations }. The parameters are the given ones, or those of the block's label.
func (p *parser) body(params []*Value) *Block {
	p.enter()
	defer p.leave()
	b := &Block{Params: params}
	op := p.op
	p.expect("{")
	if p.tok.kind == kCaret {
		p.next()
		if len(params) > 0 {
			p.fail("the block's parameters are given twice")
		}
		if p.accept("(") {
			p.list(")", func() {
				b.Params = append(b.Params, p.param())
				p.loc()
			})
		}
		p.expect(":")
	}
	for !p.is("}") {
		p.op = op
		if p.tok.kind == kCaret {
			p.fail("a region of several blocks is not supported")
		}
		if p.tok.kind == kEOF {
			p.unexpected("\"}\"")
		}
		if n := len(b.Ops); n > 0 && isTerminator(b.Ops[n-1]) {
			p.fail("nothing may stand behind %s", b.Ops[n-1].Name)
		}
		b.Ops = append(b.Ops, p.operation())
	}
	if n := len(b.Ops); n == 0 || !isTerminator(b.Ops[n-1]) {
		p.op = op
		p.fail("the block must end with a return")
	}
	p.op = op
	p.next()
	return b
}

func isTerminator(o *Op) bool { return o.Name == OpFuncReturn || o.Name == OpReturn }
