package hlo

import "strings"

// dotForm is batching_dims = [0] x [0], contracting_dims = [1] x [0],
// precision = […], algorithm = <…>.
var dotForm = step{readDot, printDot, []string{"dot_dimension_numbers", "precision_config", "algorithm"}}

func readDot(p *parser, d *draft) {
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
	precisionForm.read(p, d)
	algorithmForm.read(p, d)
}

func printDot(w *printer, o *Op) {
	d := o.Attrs["dot_dimension_numbers"].(*DotDims)
	if len(d.LHSBatch) > 0 {
		w.token(" batching_dims = " + dimText(d.LHSBatch) + " x " + dimText(d.RHSBatch) + ",")
	}
	w.token(" contracting_dims = " + dimText(d.LHSContract) + " x " + dimText(d.RHSContract))
	precisionForm.print(w, o)
	algorithmForm.print(w, o)
}

var precisionForm = maybe(", precision =", precisions)

var algorithmForm = maybe(", algorithm =", value("algorithm", func(p *parser) Opaque {
	start := p.tok.start
	return algorithmName + Opaque(p.src[start:p.balanced("<")])
}, func(w *printer, v any) {
	text, ok := v.(Opaque)
	if !ok {
		w.fail("the algorithm is a %T, not the text of %s<…>", v, algorithmName)
	}
	w.token(strings.TrimPrefix(string(text), algorithmName))
}))

const algorithmName = "#stablehlo.dot_algorithm"
