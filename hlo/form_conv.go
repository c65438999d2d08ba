package hlo

import "slices"

// convForm is (%in, %kernel) dim_numbers = […]x[…]->[…], window = {…}.
var convForm = step{readConv, printConv, []string{
	"dimension_numbers", "window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal",
}}

func readConv(p *parser, d *draft) {
	parenArgs.read(p, d)
	p.expect("dim_numbers =")
	convDims.read(p, d)
	p.expect(", window = {")
	p.list("}", func() {
		field := p.ident("stride, pad, lhs_dilate, rhs_dilate or reverse")
		i := slices.IndexFunc(windowFields, func(f windowField) bool { return f.name == field })
		if i < 0 {
			p.fail("%s is no field of a window", shorten(field))
		}
		p.expect("=")
		windowFields[i].read(p, d)
	})
}

// printConv prints the fields of the window that differ from their defaults.
func printConv(w *printer, o *Op) {
	parenArgs.print(w, o)
	w.token(" dim_numbers =")
	convDims.print(w, o)
	w.token(", window = {")
	more := false
	for _, f := range windowFields {
		if !w.given(o)(f.attrs[0]) {
			continue
		}
		if more {
			w.token(", ")
		}
		more = true
		w.token(f.name + " =")
		f.print(w, o)
	}
	w.token("}")
}

var convDims = value("dimension_numbers", (*parser).convLabels, func(w *printer, v any) { w.token(v.(*ConvDims).labels()) })

// windowField is a field of the window.
type windowField struct {
	name string
	step
}

var windowFields = []windowField{
	{"stride", intsOf("window_strides")},
	{"pad", value("padding", (*parser).pairs, (*printer).pairLists)},
	{"lhs_dilate", intsOf("lhs_dilation")},
	{"rhs_dilate", intsOf("rhs_dilation")},
	{"reverse", value("window_reversal", (*parser).bools, (*printer).brackets)},
}

// pairs reads [[1, 2], [3, 4]] as one list.
func (p *parser) pairs() []int64 {
	out := []int64{}
	p.expect("[")
	p.list("]", func() {
		p.expect("[")
		out = append(out, p.integer())
		p.expect(",")
		out = append(out, p.integer())
		p.expect("]")
	})
	return out
}
