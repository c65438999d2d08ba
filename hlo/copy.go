package hlo

// Copier copies operations and blocks. Copies read copied values where there are any: the copies of the results and parameters that it
// has copied, and what Values has for others. Attributes are shared by an operation and its copy, because nothing changes them in place.
type Copier struct {
	Values map[*Value]*Value // copies of values; a Copier that NewCopier made has none
	Funcs  map[*Func]*Func   // functions that copied calls call instead; nil: none
	Made   func(o *Op)       // called with each copied operation, after those in its regions; nil: not called
}

// NewCopier returns a Copier that has copied nothing.
func NewCopier() *Copier { return &Copier{Values: map[*Value]*Value{}} }

// Of returns the copy of a value, or the value itself if it has none.
func (c *Copier) Of(v *Value) *Value {
	if w := c.Values[v]; w != nil {
		return w
	}
	return v
}

// Block returns a copy of a block.
func (c *Copier) Block(b *Block) *Block {
	out := &Block{Params: c.define(b.Params), Ops: make([]*Op, len(b.Ops))}
	for i, o := range b.Ops {
		out.Ops[i] = c.Op(o)
	}
	return out
}

// Op returns a copy of an operation, with its regions.
func (c *Copier) Op(o *Op) *Op {
	p := *o
	p.Operands = make([]*Value, len(o.Operands))
	for i, v := range o.Operands {
		p.Operands[i] = c.Of(v)
	}
	p.Regions = make([]*Block, len(o.Regions))
	for i, r := range o.Regions {
		p.Regions[i] = c.Block(r)
	}
	p.Results = c.define(o.Results)
	if g := c.Funcs[o.Callee]; g != nil {
		p.Callee = g
	}
	if c.Made != nil {
		c.Made(&p)
	}
	return &p
}

// define copies the values that a block or an operation defines.
func (c *Copier) define(vs []*Value) []*Value {
	out := make([]*Value, len(vs))
	for i, v := range vs {
		w := *v
		c.Values[v], out[i] = &w, &w
	}
	return out
}
