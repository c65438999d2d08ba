package hlo

// convForm reads (%in, %kernel) dim_numbers = […]x[…]->[…], window = {…}.
func convForm(p *parser, d *draft) {
	parenArgs(p, d)
	p.expect("dim_numbers =")
	value("dimension_numbers", (*parser).convLabels)(p, d)
	p.expect(", window = {")
	p.list("}", func() {
		field := p.ident("stride, pad, lhs_dilate, rhs_dilate or reverse")
		read, ok := windowFields[field]
		if !ok {
			p.fail("%s is no field of a window", shorten(field))
		}
		p.expect("=")
		read(p, d)
	})
}

var windowFields = map[string]step{
	"stride":     intsOf("window_strides"),
	"pad":        value("padding", (*parser).pairs),
	"lhs_dilate": intsOf("lhs_dilation"),
	"rhs_dilate": intsOf("rhs_dilation"),
	"reverse":    value("window_reversal", (*parser).bools),
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
