package hlo

import (
	"math"
	"strconv"

	"github.com/tacet-mpc/tacet/tensor"
)

// typ reads a value's type, which must be a tensor with static shape.
func (p *parser) typ() tensor.Type {
	switch {
	case p.is("tensor"):
		return p.tensorType(false)
	case p.is("tuple"):
		p.refuse("tuples are not supported", "return several results instead")
	case p.tok.kind == kBang && p.text() == "!stablehlo.token":
		p.refuse("tokens are not supported", "export a program without side effects")
	case p.tok.kind == kBang:
		p.refuse("type "+shorten(p.text())+" is not supported", "values are tensors of static shape")
	}
	p.unexpected("a tensor type")
	return tensor.Type{}
}

// refuse stops the parser at the current token with a hint.
func (p *parser) refuse(msg, hint string) {
	panic(bail{&Error{Pos: p.here(), Op: p.op, Msg: msg, Hint: hint}})
}

// tensorType reads tensor<4x5xf32>. It reads bytes, because the lexer's tokens do not match
// dimension lists (4x5xf32 is one word). If index is set, the element type "index" is allowed and
// means i64, as in attributes.
func (p *parser) tensorType(index bool) tensor.Type {
	i := p.blank(p.tok.end)
	if i == len(p.src) || p.src[i] != '<' {
		p.failOff(i, "\"<\" should stand here")
	}
	i = p.blank(i + 1)
	start := i
	if t, end, known := p.knownType(i); known {
		if start > p.tok.end+1 {
			p.jump(end) // beyond blanks and newlines
			return t
		}
		p.pos = end // the type contains no newline
		p.next()
		return t
	}
	shape := tensor.Shape{}
	for i < len(p.src) && (isDigit(p.src[i]) || p.src[i] == '?' || p.src[i] == '*') {
		start := i
		if !isDigit(p.src[i]) {
			p.adviseOff(i, "export the program with concrete shapes", "dynamic shapes are not supported")
		}
		i = p.run(i, classDigit)
		d, err := strconv.ParseUint(string(p.src[start:i]), 10, 63)
		if err != nil || d > tensor.MaxElements {
			p.failOff(start, "dimension %s is larger than 2^40", shorten(string(p.src[start:i])))
		}
		if len(shape) == maxRank {
			p.failOff(start, "the type has more than %d dimensions", maxRank)
		}
		shape = append(shape, int(d))
		if i = p.blank(i); i == len(p.src) || p.src[i] != 'x' {
			p.failOff(i, "\"x\" should stand here")
		}
		i = p.blank(i + 1)
	}
	dtype, i := p.elementType(i, index)
	i = p.blank(i)
	if i < len(p.src) && p.src[i] == ',' {
		p.adviseOff(i, "export the program with static, dense tensors", "tensor encodings are not supported")
	}
	if i == len(p.src) || p.src[i] != '>' {
		p.failOff(i, "\">\" should stand here")
	}
	if err := shape.Check(); err != nil {
		p.fail("the tensor holds more than 2^40 elements")
	}
	t := tensor.Type{DType: dtype, Shape: shape}
	if !index {
		p.keepType(start, i+1, t)
	}
	p.jump(i + 1)
	return t
}

// elementType reads the element type at offset i and returns the offset of its end.
func (p *parser) elementType(i int, index bool) (tensor.DType, int) {
	if i < len(p.src) && p.src[i] == '!' {
		p.adviseOff(i, "export the program in floating point", "quantized and other dialects' element types are not supported")
	}
	end := p.run(i, classIdent)
	name := string(p.src[i:end])
	if name == "" {
		p.failOff(i, "an element type should stand here")
	}
	if name == "complex" {
		open := p.blank(end)
		if open == len(p.src) || p.src[open] != '<' {
			p.failOff(open, "\"<\" should stand here")
		}
		part := p.blank(open + 1)
		last := p.run(part, classIdent)
		end = p.blank(last)
		if end == len(p.src) || p.src[end] != '>' {
			p.failOff(end, "\">\" should stand here")
		}
		end++
		name = "complex<" + string(p.src[part:last]) + ">"
	}
	if len(name) > 2 && name[:2] == "si" {
		name = name[1:] // signed and signless integers are not distinguished
	}
	if index && name == "index" {
		return tensor.I64, end
	}
	d, err := tensor.ParseDType(name)
	if err != nil {
		p.adviseOff(i, "use i1, i8 to i64, ui8 to ui64, f16, bf16, f32, f64 or complex", "element type %s is not supported", shorten(name))
	}
	return d, end
}

// blank returns the offset of the first byte from i on that is not white space.
func (p *parser) blank(i int) int {
	return p.run(i, classBlank)
}

func (p *parser) failOff(off int, format string, args ...any) {
	failAt(p.at(off), p.op, format, args...)
}

func (p *parser) adviseOff(off int, hint, format string, args ...any) {
	panic(bail{locate(advise(hint, format, args...), p.at(off), p.op)})
}

// funcType is the type of a function, or of an operation in generic form.
type funcType struct{ operands, results []tensor.Type }

// funcType reads (T, T) -> T or (T, T) -> (T, T).
func (p *parser) funcType() funcType {
	var f funcType
	f.operands = p.parenTypes(nil)
	p.expect("->")
	f.results = p.typeOrTypes(nil)
	return f
}

// parenTypes reads (T, T) and appends to out.
func (p *parser) parenTypes(out []tensor.Type) []tensor.Type {
	p.expect("(")
	p.list(")", func() { out = append(out, p.typ()) })
	return out
}

// typeOrTypes reads T or (T, T) and appends to out.
func (p *parser) typeOrTypes(out []tensor.Type) []tensor.Type {
	if p.is("(") {
		return p.parenTypes(out)
	}
	return append(out, p.typ())
}

// typeList reads T, T, … and appends to out.
func (p *parser) typeList(out []tensor.Type) []tensor.Type {
	out = append(out, p.typ())
	for p.accept(",") {
		out = append(out, p.typ())
	}
	return out
}

// bytes returns the size of a tensor of type t, saturated.
func byteSize(t tensor.Type) int {
	width := max(1, t.DType.Bits()/8)
	if n := t.Shape.Size(); n <= math.MaxInt/width {
		return n * width
	}
	return math.MaxInt
}

// types returns the types of values.
func types(vs []*Value) []tensor.Type {
	out := make([]tensor.Type, len(vs))
	for i, v := range vs {
		out[i] = v.Type
	}
	return out
}

func sameTypes(a, b []tensor.Type) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}
