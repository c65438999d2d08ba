package hlo

import (
	"bytes"

	"github.com/tacet-mpc/tacet/tensor"
)

// dense reads dense<…> : tensor<…> as a *tensor.Array or a *Splat. The type follows the elements, so it is read first and
// then the elements into their array.
func (p *parser) dense() any {
	p.expect("dense")
	if !p.is("<") {
		p.unexpected("\"<\"")
	}
	p.next()
	elements := p.lexer
	if p.tok.kind == kString {
		p.next()
	} else {
		end := bytes.IndexByte(p.src[p.tok.start:], '>')
		if end < 0 {
			p.fail("the elements have no end")
		}
		if at := p.tok.start + end; at >= p.pos {
			p.jump(at)
		}
	}
	p.expect("> :")
	if !p.is("tensor") {
		p.unexpected("a tensor type")
	}
	typ := p.tensorType(true)
	behind := p.lexer
	p.lexer = elements
	a := p.elements(typ)
	p.lexer = behind
	return a
}

// elements reads the content of dense<…> as an array or a splat of type t.
func (p *parser) elements(t tensor.Type) any {
	switch {
	case p.tok.kind == kString:
		return p.hexArray(t)
	case p.is(">"):
		if t.Shape.Size() != 0 {
			p.fail("no elements are given for %v", t)
		}
		return tensor.NewArray(t)
	case p.is("["):
		// Each element takes at least two bytes of text, so the length of the text bounds the
		// allocation.
		if n := t.Shape.Size(); n > len(p.src)-p.tok.start {
			p.fail("%d elements are missing", n)
		}
		a := tensor.NewArray(t)
		if next := p.nested(p.writer(a), t.Shape, 0); next != a.Len() {
			p.fail("%d elements are given for %v", next, t)
		}
		p.closeDense()
		return a
	}
	one := tensor.NewArray(scalar(t.DType))
	p.writer(one)(0)
	p.closeDense()
	return repeated(one, t)
}

func (p *parser) closeDense() {
	if !p.is(">") {
		p.unexpected("\">\"")
	}
}

// nested reads nested lists for the given dimensions and returns the index after the last element.
func (p *parser) nested(write func(i int), shape tensor.Shape, i int) int {
	if len(shape) == 0 {
		if p.is("[") {
			p.fail("the list is nested deeper than its type")
		}
		p.alive()
		write(i)
		return i + 1
	}
	pos := p.here()
	if !p.is("[") {
		p.unexpected("\"[\"")
	}
	p.next()
	n := 0
	p.list("]", func() {
		if n++; n > shape[0] {
			p.fail("the list has more than %d elements, the size of its dimension", shape[0])
		}
		i = p.nested(write, shape[1:], i)
	})
	if n != shape[0] {
		failAt(pos, p.op, "the list has %d elements, but its dimension %d", n, shape[0])
	}
	return i
}
