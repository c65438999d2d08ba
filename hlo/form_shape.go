package hlo

import "github.com/tacet-mpc/tacet/tensor"

// sliceForm reads [0:31:2, 1:3], start, limit and stride of each dimension.
func sliceForm(p *parser, d *draft) {
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

// constantForm reads {…} dense<…> : T.
func constantForm(p *parser, d *draft) {
	attributes(p, d)
	pos := p.here()
	v := p.attr()
	a, ok := v.(*tensor.Array)
	if !ok {
		failAt(pos, p.op, "the value must be dense elements")
	}
	p.setAttr(d, "value", pos, a)
	d.types = append(d.types, a.Type)
}
