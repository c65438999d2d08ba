package hlo

import (
	"strconv"

	"github.com/tacet-mpc/tacet/hlo/bytecode"
)

// location returns what Tacet keeps of location i: the operation's name and its location in a
// source file.
func (a *artifact) location(i, depth int) location {
	if l, known := a.seen.places[i]; known || depth > maxNesting {
		return l
	}
	a.seen.places[i] = location{} // breaks cycles
	e := a.file.Attrs[i]
	if !e.Custom || e.Dialect != "builtin" {
		return location{}
	}
	c := a.file.Cursor(e)
	inner := func() location {
		n := c.Attr()
		if c.Err() != nil {
			return location{}
		}
		return a.location(n, depth+1)
	}
	var l location
	switch c.Uint() {
	case 10: // callsite: callee, caller
		l = inner()
		l = l.and(inner())
	case 11: // file, line, column
		l.source = a.source(c, a.fileName(c), 2)
	case 12, 13: // fused; the metadata follows
		for n := c.Count(); n > 0; n-- {
			l = l.and(inner())
		}
	case 14: // name, place
		name := a.fileName(c)
		l.source = inner().source
		l.name = name
	case 22: // file, and up to four numbers: start line and column, end line and column
		file := a.fileName(c)
		l.source = a.source(c, file, min(2, int(c.Uint()&7)))
	}
	a.seen.places[i] = l
	return l
}

// fileName returns the value of a string attribute.
func (a *artifact) fileName(c *bytecode.Cursor) string {
	i := c.Attr()
	if c.Err() != nil {
		return ""
	}
	e := a.file.Attrs[i]
	s := a.file.Cursor(e)
	if !e.Custom || e.Dialect != "builtin" || s.Uint() != 2 {
		return ""
	}
	return s.String()
}

// source reads a line and a column; either may be missing.
func (a *artifact) source(c *bytecode.Cursor, file string, numbers int) string {
	if file == "" {
		return ""
	}
	for range numbers {
		file += ":" + strconv.FormatUint(c.Uint(), 10)
	}
	return file
}

// and returns l with missing parts taken from m.
func (l location) and(m location) location {
	if l.name == "" {
		l.name = m.name
	}
	if l.source == "" {
		l.source = m.source
	}
	return l
}
