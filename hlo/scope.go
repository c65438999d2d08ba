package hlo

import "strconv"

// scope holds the values that are visible at a point of a function: those of its own region and of
// the enclosing regions.
type scope struct {
	names  map[string][]*Value // by name without "%"; several values for an operation with results %x:2
	opened []string            // names in the order of definition
}

// mark opens a region; release removes the values defined since.
func (s *scope) mark() int { return len(s.opened) }

func (s *scope) release(mark int) {
	for _, n := range s.opened[mark:] {
		delete(s.names, n)
	}
	s.opened = s.opened[:mark]
}

// define makes values visible under a name.
func (p *parser) define(name string, pos Pos, vs ...*Value) {
	if p.names[name] != nil {
		failAt(pos, p.op, "%%%s is defined a second time", name)
	}
	p.names[name] = vs
	p.opened = append(p.opened, name)
}

// operand reads %x or %x#1.
func (p *parser) operand() *Value {
	pos := p.here()
	if p.tok.kind != kPercent {
		p.unexpected("an operand such as %0")
	}
	name := p.src[p.tok.start+1 : p.tok.end]
	p.next()
	index := 0
	if p.tok.kind == kHash {
		n, err := strconv.Atoi(p.text()[1:])
		if err != nil {
			p.unexpected("a result's number such as #1")
		}
		index = n
		p.next()
	}
	vs := p.names[string(name)]
	if vs == nil {
		failAt(pos, p.op, "%%%s is not defined", name)
	}
	if index < 0 || index >= len(vs) {
		failAt(pos, p.op, "%%%s has %d results, there is no #%d", name, len(vs), index)
	}
	return vs[index]
}

// param reads %x: T, a parameter of a function or block, and defines it.
func (p *parser) param() *Value {
	pos := p.here()
	name := p.take(kPercent, "a parameter such as %arg0")[1:]
	p.expect(":")
	v := p.newValue(name, p.typ(), pos)
	p.define(name, pos, v)
	return v
}
