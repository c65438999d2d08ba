package hlo

import (
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// sliceForm is [0:31:2, 1:3], start, limit and stride of each dimension.
var sliceForm = step{readSlice, printSlice, []string{"start_indices", "limit_indices", "strides"}}

func readSlice(p *parser, d *draft) {
	pos := p.here()
	start, limit, stride := []int64{}, []int64{}, []int64{}
	p.expect("[")
	p.list("]", func() {
		start = append(start, p.integer())
		p.expect(":")
		limit = append(limit, p.integer())
		if p.accept(":") {
			stride = append(stride, p.integer())
		} else {
			stride = append(stride, 1)
		}
	})
	p.setAttr(d, "start_indices", pos, start)
	p.setAttr(d, "limit_indices", pos, limit)
	p.setAttr(d, "strides", pos, stride)
}

func printSlice(w *printer, o *Op) {
	start, limit, stride := o.Attrs.Ints("start_indices"), o.Attrs.Ints("limit_indices"), o.Attrs.Ints("strides")
	parts := make([]string, len(start))
	for i := range parts {
		parts[i] = fmt.Sprintf("%d:%d", start[i], limit[i])
		if stride[i] != 1 {
			parts[i] += fmt.Sprintf(":%d", stride[i])
		}
	}
	w.token(" [" + strings.Join(parts, ", ") + "]")
}

// constantForm is {…} dense<…> : T.
var constantForm = step{readConstant, func(w *printer, o *Op) {
	attributes.print(w, o)
	w.token(" ")
	w.value(o.Attrs["value"])
}, []string{"value"}}

// arithForm is constantForm, or a number without a tensor: 1 : i64, true. It becomes a tensor of rank 0.
var arithForm = step{readArith, constantForm.print, constantForm.attrs}

func readArith(p *parser, d *draft) {
	attributes.read(p, d)
	if p.is("dense") || p.is("dense_resource") {
		readConstant(p, d)
		return
	}
	pos := p.here()
	a := p.scalarNumber()
	p.setAttr(d, "value", pos, a)
	d.types = append(d.types, a.Type)
}

// scalarNumber reads true, or a number with its type, as an array of rank 0.
func (p *parser) scalarNumber() *tensor.Array {
	if p.is("true") || p.is("false") {
		a := tensor.NewArray(scalar(tensor.Bool))
		p.writer(a)(0)
		return a
	}
	number := p.lexer
	p.accept("-")
	if p.tok.kind != kInt && p.tok.kind != kFloat {
		p.unexpected("a number")
	}
	p.next()
	p.expect(":")
	name := string(p.ident("a number's type"))
	if name == "index" {
		name = "i64"
	}
	dtype, err := tensor.ParseDType(name)
	if err != nil || dtype.IsComplex() {
		p.fail("constants of type %s are not supported", shorten(name))
	}
	behind := p.lexer
	p.lexer = number
	a := tensor.NewArray(scalar(dtype))
	p.writer(a)(0)
	p.lexer = behind
	return a
}

func readConstant(p *parser, d *draft) {
	attributes.read(p, d)
	pos := p.here()
	v := p.attr()
	c, ok := constantOf(v)
	if !ok {
		failAt(pos, p.op, "the value must be dense elements")
	}
	p.setAttr(d, "value", pos, v)
	d.types = append(d.types, c.Type)
}
