package hlo

// dotForm reads batching_dims = [0] x [0], contracting_dims = [1] x [0],
// precision = […], algorithm = <…>.
func dotForm(p *parser, d *draft) {
	pos := p.here()
	dims := &DotDims{}
	if p.acceptAll("batching_dims =") {
		dims.LHSBatch = p.dims()
		p.expect("x")
		dims.RHSBatch = p.dims()
		p.expect(",")
	}
	p.expect("contracting_dims =")
	dims.LHSContract = p.dims()
	p.expect("x")
	dims.RHSContract = p.dims()
	p.setAttr(d, "dot_dimension_numbers", pos, dims)
	maybe(", precision =", precisions)(p, d)
	maybe(", algorithm =", value("algorithm", func(p *parser) Opaque {
		start := p.tok.start
		return "#stablehlo.dot_algorithm" + Opaque(p.src[start:p.balanced("<")])
	}))(p, d)
}
