package hlo

import "strconv"

// convAttr reads the rest of #stablehlo.conv<…> after the name: labels, or "raw" and individual
// fields.
func (p *parser) convAttr() *ConvDims {
	d := &ConvDims{}
	p.expect("<")
	if p.is("[") {
		d = p.convLabels()
		p.expect(">")
		return d
	}
	p.expect("raw")
	p.fields(map[string]func(){
		"input_batch_dimension":           p.intoInt(&d.InBatch),
		"input_feature_dimension":         p.intoInt(&d.InFeature),
		"input_spatial_dimensions":        p.into(&d.InSpatial),
		"kernel_input_feature_dimension":  p.intoInt(&d.KerIn),
		"kernel_output_feature_dimension": p.intoInt(&d.KerOut),
		"kernel_spatial_dimensions":       p.into(&d.KerSpatial),
		"output_batch_dimension":          p.intoInt(&d.OutBatch),
		"output_feature_dimension":        p.intoInt(&d.OutFeature),
		"output_spatial_dimensions":       p.into(&d.OutSpatial),
	})
	return d
}

// convLabels reads [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
func (p *parser) convLabels() *ConvDims {
	d := &ConvDims{}
	d.InBatch, d.InFeature, d.InSpatial = p.labels("b", "f")
	p.expect("x")
	d.KerIn, d.KerOut, d.KerSpatial = p.labels("i", "o")
	p.expect("->")
	d.OutBatch, d.OutFeature, d.OutSpatial = p.labels("b", "f")
	return d
}

// labels reads [b, 0, 1, f] and returns the positions of the two letters and of the spatial
// dimensions 0, 1, ….
func (p *parser) labels(first, second string) (one, two int, spatial []int) {
	pos := p.here()
	at := map[string]int{}
	n := 0
	p.expect("[")
	p.list("]", func() {
		if !p.is(first) && !p.is(second) && p.tok.kind != kInt {
			p.unexpected(first + ", " + second + " or a spatial dimension's number")
		}
		if _, twice := at[p.text()]; twice {
			p.fail("%s stands twice", p.text())
		}
		at[p.text()] = n
		n++
		p.next()
	})
	find := func(label string) int {
		i, ok := at[label]
		if !ok {
			failAt(pos, p.op, "the dimension %s is missing", label)
		}
		return i
	}
	one, two = find(first), find(second)
	for i := range n - 2 {
		spatial = append(spatial, find(strconv.Itoa(i)))
	}
	return one, two, spatial
}
