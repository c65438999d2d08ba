package hlo

// whileForm reads the pretty form of while:
//
//	stablehlo.while(%i = %a, %x = %b) : T, U attributes {…} cond { … } do { … }
//
// Both regions take the names left of "=" as their parameters.
func whileForm(p *parser, d *draft) {
	var names []string
	var at []Pos
	p.expect("(")
	p.list(")", func() {
		at = append(at, p.here())
		names = append(names, p.take(kPercent, "a name such as %iterArg")[1:])
		p.expect("=")
		p.addOperand(d)
	})
	if len(names) > 0 {
		pairTypes(p, d)
	}
	if p.accept("attributes") {
		p.attributes(d)
	}
	params := func() []*Value {
		out := make([]*Value, len(names))
		for i, n := range names {
			out[i] = p.newValue(n, d.types[i], at[i])
			p.define(n, at[i], out[i])
		}
		return out
	}
	p.expect("cond")
	d.Regions = append(d.Regions, p.regionWith(params))
	p.expect("do")
	d.Regions = append(d.Regions, p.regionWith(params))
}
