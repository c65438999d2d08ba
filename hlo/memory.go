package hlo

import "github.com/tacet-mpc/tacet/tensor"

// memory is what the parser has at hand so that a small operation of the text
// takes few allocations.
type memory struct {
	drafts []*draft // those in use, the innermost last, and free ones behind
	inUse  int
	ops    []Op     // free ones
	values []Value  // free ones
	lists  []*Value // free ones
	types  map[string]typeText
	buffer []int64
}

// typeText is a tensor type that the text has had, and what stood behind its
// first ">" to end it.
type typeText struct {
	typ  tensor.Type
	rest string
}

// block is how many operations or values are made at a time.
const block = 32

// newDraft returns an empty draft of an operation; free gives it back.
func (p *parser) newDraft() *draft {
	if p.inUse == len(p.drafts) {
		p.drafts = append(p.drafts, &draft{})
	}
	d := p.drafts[p.inUse]
	p.inUse++
	if len(p.ops) == 0 {
		p.ops = make([]Op, block)
	}
	d.Op, p.ops = &p.ops[0], p.ops[1:]
	d.Attrs, d.Operands = Attrs{}, d.operands[:0]
	d.def, d.names, d.at, d.places, d.types = nil, d.names[:0], d.at[:0], d.places[:0], d.types[:0]
	return d
}

// free gives back the innermost draft.
func (p *parser) free() { p.inUse-- }

// newValue makes a value of the current function.
func (p *parser) newValue(name string, t tensor.Type, pos Pos) *Value {
	if len(p.memory.values) == 0 {
		p.memory.values = make([]Value, block)
	}
	v := &p.memory.values[0]
	p.memory.values = p.memory.values[1:]
	v.Name, v.Type, v.ID, v.Pos = name, t, p.nextID, pos
	p.nextID++
	return v
}

// list makes an empty list with room for n values.
func (m *memory) list(n int) []*Value {
	if n > len(m.lists) {
		m.lists = make([]*Value, max(n, 4*block))
	}
	l := m.lists[:0:n]
	m.lists = m.lists[n:]
	return l
}

// knownType is the type that stands between brackets at offset i, if the text
// has had the same before, and the offset behind it.
func (p *parser) knownType(i int) (tensor.Type, int, bool) {
	end := p.run(i, classType)
	t, known := p.memory.types[string(p.src[i:end])]
	if !known || len(p.src)-end < len(t.rest) || string(p.src[end:end+len(t.rest)]) != t.rest {
		return tensor.Type{}, i, false
	}
	return t.typ, end + len(t.rest), true
}

// keepType keeps the type between offsets i and end, if it is written without
// blanks. Types share their shapes.
func (p *parser) keepType(i, end int, t tensor.Type) {
	if p.memory.types == nil {
		p.memory.types = map[string]typeText{}
	}
	first := p.run(i, classType)
	if rest := string(p.src[first:end]); rest == ">" || rest == ">>" {
		p.memory.types[string(p.src[i:first])] = typeText{t, rest}
	}
}
