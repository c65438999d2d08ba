package hlo

import "strings"

// hashAttr reads an attribute that starts with "#": an alias (#map), an enumeration value
// (#stablehlo<precision HIGH>), a structure of StableHLO, or an attribute that is skipped.
func (p *parser) hashAttr() any {
	name, start, end := p.text()[1:], p.tok.start, p.tok.end
	op := p.here()
	p.next()
	body := p.is("<") && p.tok.start == end
	switch {
	case !body && strings.Contains(name, "."):
		return Opaque(p.src[start:end])
	case !body:
		a, ok := p.attrAliases[name]
		if !ok {
			failAt(op, p.op, "the alias #%s is not defined", name)
		}
		return a.value
	}
	switch name {
	case "stablehlo", "chlo", "mhlo":
		p.expect("<")
		p.ident("an enumeration's name")
		v := Enum(p.ident("an enumeration's value"))
		p.expect(">")
		return v
	case "stablehlo.dot":
		return p.dotDims()
	case "stablehlo.conv":
		return p.convAttr()
	case "stablehlo.gather":
		return p.gatherDims()
	case "stablehlo.scatter":
		return p.scatterDims()
	case "stablehlo.channel_handle":
		d := map[string]any{}
		p.structure(map[string]func(){
			"handle": func() { d["handle"] = p.integer() },
			"type":   func() { d["type"] = p.integer() },
		})
		return d
	}
	return Opaque(p.src[start:p.balanced("<")])
}

// structure reads <field = …, field = …> with a function for each field.
func (p *parser) structure(fields map[string]func()) {
	p.expect("<")
	p.fields(fields)
}

// fields reads field = …, field = …> after the opening bracket.
func (p *parser) fields(fields map[string]func()) {
	seen := map[string]bool{}
	p.list(">", func() {
		read := fields[p.text()]
		if read == nil {
			p.fail("unknown field %s", shorten(p.text()))
		}
		if seen[p.text()] {
			p.fail("field %s is given twice", p.text())
		}
		seen[p.text()] = true
		p.next()
		p.expect("=")
		read()
	})
}

// into returns a function that reads a list of dimensions into a field.
func (p *parser) into(field *[]int) func() { return func() { *field = p.dims() } }

// intoInt returns a function that reads an integer into a field.
func (p *parser) intoInt(field *int) func() { return func() { *field = int(p.integer()) } }

func (p *parser) dotDims() *DotDims {
	d := &DotDims{}
	p.structure(map[string]func(){
		"lhs_batching_dimensions":    p.into(&d.LHSBatch),
		"rhs_batching_dimensions":    p.into(&d.RHSBatch),
		"lhs_contracting_dimensions": p.into(&d.LHSContract),
		"rhs_contracting_dimensions": p.into(&d.RHSContract),
	})
	return d
}

func (p *parser) gatherDims() *GatherDims {
	d := &GatherDims{}
	p.structure(map[string]func(){
		"offset_dims":                 p.into(&d.OffsetDims),
		"collapsed_slice_dims":        p.into(&d.CollapsedSliceDims),
		"operand_batching_dims":       p.into(&d.OperandBatchingDims),
		"start_indices_batching_dims": p.into(&d.StartIndicesBatchingDims),
		"start_index_map":             p.into(&d.StartIndexMap),
		"index_vector_dim":            p.intoInt(&d.IndexVectorDim),
	})
	return d
}

func (p *parser) scatterDims() *ScatterDims {
	d := &ScatterDims{}
	p.structure(map[string]func(){
		"update_window_dims":            p.into(&d.UpdateWindowDims),
		"inserted_window_dims":          p.into(&d.InsertedWindowDims),
		"input_batching_dims":           p.into(&d.InputBatchingDims),
		"scatter_indices_batching_dims": p.into(&d.ScatterIndicesBatchingDims),
		"scatter_dims_to_operand_dims":  p.into(&d.ScatterDimsToOperandDims),
		"index_vector_dim":              p.intoInt(&d.IndexVectorDim),
	})
	return d
}
