package hlo

import (
	"bytes"

	"github.com/tacet-mpc/tacet/tensor"
)

// resources are the constants behind the module: {-# dialect_resources: {builtin: {name: "0x…"}} #-}.
type resources struct {
	start, end int             // offsets of the section in the text
	elements   map[string]blob // by name
}

// blob is one resource. Every constant that names it has the same array, so that its memory does not depend on
// how many there are.
type blob struct {
	elements lexer // at the string
	array    *tensor.Array
}

// resourcesOpen begins the section of resources.
const resourcesOpen = "{-#"

// resourceAlignment is the number of bytes with which a resource's string begins: the alignment of its elements.
const resourceAlignment = 4

// denseResource reads dense_resource<name> : tensor<…>.
func (p *parser) denseResource() any {
	pos := p.here()
	p.expect("dense_resource <")
	var name string
	if p.tok.kind == kString {
		name = p.str()
	} else {
		name = string(p.ident("a resource's name"))
	}
	p.expect("> :")
	if !p.is("tensor") {
		p.unexpected("a tensor type")
	}
	t := p.tensorType(true)
	if p.resources == nil {
		p.readResources(pos)
	}
	b, ok := p.resources.elements[name]
	switch {
	case !ok:
		hint := "print the program with all its elements"
		panic(bail{&Error{Pos: pos, Op: p.op, Msg: "the text has no resource " + shorten(name), Hint: hint}})
	case b.array == nil:
		behind := p.lexer
		p.lexer = b.elements
		b.array = p.resource(t)
		p.lexer = behind
		p.resources.elements[name] = b
	case !b.array.Type.Equal(t):
		failAt(pos, p.op, "the resource %s has type %v elsewhere, and %v here", shorten(name), b.array.Type, t)
	}
	return b.array
}

// readResources finds the section of resources, the last thing of the text, and the positions of its strings.
func (p *parser) readResources(pos Pos) {
	start := bytes.LastIndex(p.src, []byte(resourcesOpen))
	if start < 0 {
		hint := "print the program with all its elements"
		panic(bail{&Error{Pos: pos, Op: p.op, Msg: "the text has no section of resources", Hint: hint}})
	}
	behind := p.lexer
	r := &resources{start: start, elements: map[string]blob{}}
	p.line, p.pos = p.at(start).Line, start
	p.lineStart = bytes.LastIndexByte(p.src[:start], '\n') + 1
	p.jump(start + len(resourcesOpen))
	for p.tok.kind == kIdent {
		section := p.ident("a section")
		p.expect(":")
		if string(section) != "dialect_resources" {
			p.balanced("{")
			p.accept(",")
			continue
		}
		p.expect("{")
		p.list("}", func() {
			dialect := p.ident("a dialect")
			p.expect(": {")
			p.list("}", func() { p.resourceEntry(r, string(dialect)) })
		})
		p.accept(",")
	}
	if p.tok.kind != kHash || p.text() != "#-" {
		p.unexpected("\"#-}\"")
	}
	p.next()
	p.expect("}")
	r.end = p.tok.start
	p.lexer, p.resources = behind, r
}

// resourceEntry reads name: "0x…".
func (p *parser) resourceEntry(r *resources, dialect string) {
	pos := p.here()
	var name string
	if p.tok.kind == kString {
		name = p.str()
	} else {
		name = string(p.ident("a resource's name"))
	}
	p.expect(":")
	if p.tok.kind != kString {
		p.unexpected("a resource's string")
	}
	if _, twice := r.elements[name]; twice && dialect == "builtin" {
		failAt(pos, "", "the resource %s is given twice", shorten(name))
	}
	if dialect == "builtin" {
		r.elements[name] = blob{elements: p.lexer}
	}
	p.next()
}

// resource reads a resource's string as an array of type t.
func (p *parser) resource(t tensor.Type) *tensor.Array {
	text := p.src[p.tok.start+1 : p.tok.end-1]
	if !bytes.HasPrefix(text, []byte("0x")) || len(text)%2 != 0 || len(text) < 2+2*resourceAlignment {
		p.fail("a resource's string is hexadecimal: \"0x…\", %d bytes for the alignment, then the elements", resourceAlignment)
	}
	digits := text[2+2*resourceAlignment:]
	if given := len(digits) / 2; t.Shape.Size() > given || given != t.Shape.Size()*max(1, t.DType.Bits()/8) {
		p.fail("the resource has %d bytes, but %v takes %d", given, t, byteSize(t))
	}
	a := tensor.NewArray(t)
	p.decode(a, digits, p.tok.end-1-len(digits))
	return a
}

// skipResources skips the section of resources behind the module.
func (p *parser) skipResources() {
	start := p.tok.start
	if p.resources == nil {
		p.readResources(p.here())
	}
	if p.resources.start != start {
		p.fail("the text has two sections of resources")
	}
	p.jump(p.resources.end)
}
