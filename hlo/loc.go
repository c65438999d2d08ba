package hlo

// location is the part of a loc(…) that Tacet keeps: its name, or the aliases that may have one.
// Artifacts have no aliases, but a location in a source file.
type location struct {
	name   string
	refs   []string
	source string
}

// namedLoc is an operation whose location's name is defined by an alias, possibly at the end of the
// text.
type namedLoc struct {
	op   *Op
	refs []string
}

// loc consumes loc(…) if it is next and returns it.
func (p *parser) loc() location {
	if !p.is("loc") {
		return location{}
	}
	return p.location()
}

// location reads loc(…).
func (p *parser) location() location {
	p.expect("loc (")
	l := p.place()
	p.expect(")")
	return l
}

// place reads the content of loc(…).
func (p *parser) place() location {
	p.enter()
	defer p.leave()
	switch {
	case p.tok.kind == kHash:
		return location{refs: []string{p.take(kHash, "an alias")[1:]}}
	case p.tok.kind == kString:
		return p.named()
	case p.accept("unknown"), p.accept("?"):
		return location{}
	case p.accept("loc"):
		p.expect("(")
		l := p.place()
		p.expect(")")
		return l
	case p.accept("callsite"):
		p.expect("(")
		l := p.place()
		p.expect("at")
		caller := p.place()
		p.expect(")")
		return l.or(caller)
	case p.accept("fused"):
		if p.is("<") {
			p.balanced("<")
		}
		p.expect("[")
		var l location
		p.list("]", func() { l = l.or(p.place()) })
		return l
	}
	p.unexpected("a location")
	return location{}
}

// named reads "name", "name"(place), or a location in a file, "file":1:2, possibly a range to
// another line and column.
func (p *parser) named() location {
	l := location{name: p.str()}
	switch {
	case p.accept("("):
		p.place()
		p.expect(")")
	case p.accept(":"):
		l.name = ""
		p.take(kInt, "a line")
		if p.accept(":") {
			p.take(kInt, "a column")
		}
		if p.accept("to") {
			if p.tok.kind == kInt {
				p.next()
			}
			if p.accept(":") {
				p.take(kInt, "a column")
			}
		}
	}
	return l
}

// or returns l, or m if l has no name.
func (l location) or(m location) location {
	if l.name != "" {
		return l
	}
	if len(l.refs) == 0 {
		return m
	}
	if m.name != "" {
		return l // l has a name, aliases are not needed
	}
	return location{refs: append(l.refs, m.refs...)}
}

// place stores an operation's location.
func (p *parser) placeOp(op *Op, l location) {
	op.Loc = l.name
	if l.name == "" && len(l.refs) > 0 {
		p.namedLocs = append(p.namedLocs, namedLoc{op, l.refs})
	}
}

// nameLocs resolves the aliases of operations' names.
func (p *parser) nameLocs() {
	names := map[string]string{}
	for _, n := range p.namedLocs {
		n.op.Loc = p.nameOf(n.refs, names, 0)
	}
}

// nameOf returns the first name that the aliases lead to.
func (p *parser) nameOf(refs []string, names map[string]string, depth int) string {
	for _, ref := range refs {
		name, known := names[ref]
		if !known && depth < maxNesting {
			names[ref] = "" // breaks cycles
			l := p.locAliases[ref]
			if name = l.name; name == "" {
				name = p.nameOf(l.refs, names, depth+1)
			}
			names[ref] = name
		}
		if name != "" {
			return name
		}
	}
	return ""
}
