package hlo

import "github.com/tacet-mpc/tacet/tensor"

// memory holds reusable objects of the parser, so that small operations take few allocations.
type memory struct {
	drafts []*draft // drafts in use, the innermost last, then free ones
	inUse  int
	ops    []Op     // free
	values []Value  // free
	lists  []*Value // free
	types  map[string]typeText
	buffer []int64
}

// typeText is a tensor type that the text has contained, and the offset after its closing ">".
type typeText struct {
	typ  tensor.Type
	rest string
}

// block is the number of operations or values that are allocated at a time.
const block = 32

// newDraft returns an empty draft of an operation; free returns it.
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

// free returns the innermost draft.
func (p *parser) free() { p.inUse-- }

// newValue returns a new value of the current function.
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

// list returns an empty list with capacity n.
func (m *memory) list(n int) []*Value {
	if n > len(m.lists) {
		m.lists = make([]*Value, max(n, 4*block))
	}
	l := m.lists[:0:n]
	m.lists = m.lists[n:]
	return l
}

// knownType returns the type whose text at offset i was read before, and the offset after it.
func (p *parser) knownType(i int) (tensor.Type, int, bool) {
	end := p.run(i, classType)
	t, known := p.memory.types[string(p.src[i:end])]
	if !known || len(p.src)-end < len(t.rest) || string(p.src[end:end+len(t.rest)]) != t.rest {
		return tensor.Type{}, i, false
	}
	return t.typ, end + len(t.rest), true
}

// keepType stores the type between offsets i and end if it contains no blanks. Equal types share
// their shapes.
func (p *parser) keepType(i, end int, t tensor.Type) {
	if p.memory.types == nil {
		p.memory.types = map[string]typeText{}
	}
	first := p.run(i, classType)
	if rest := string(p.src[first:end]); rest == ">" || rest == ">>" {
		p.memory.types[string(p.src[i:first])] = typeText{t, rest}
	}
}
