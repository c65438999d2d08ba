package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
)

// copier copies functions. Attributes are shared between copies, because they are never changed in
// place.
type copier struct {
	funcs  map[*hlo.Func]*hlo.Func
	values map[*hlo.Value]*hlo.Value
}

// clone returns a copy of the functions that main reaches.
func clone(p *hlo.Program) *hlo.Program {
	c := &copier{map[*hlo.Func]*hlo.Func{}, map[*hlo.Value]*hlo.Value{}}
	out := &hlo.Program{File: p.File, Name: p.Name, Text: p.Text}
	reached := p.Reached()
	for _, f := range reached {
		g := *f
		c.funcs[f] = &g
		out.Funcs = append(out.Funcs, &g)
	}
	for _, f := range reached {
		c.funcs[f].Body = c.block(f.Body)
	}
	out.Main = c.funcs[p.Main]
	return out
}

// of returns the copy of a value, or the value itself if it was not copied.
func (c *copier) of(v *hlo.Value) *hlo.Value {
	if w := c.values[v]; w != nil {
		return w
	}
	return v
}

func (c *copier) define(vs []*hlo.Value) []*hlo.Value {
	out := make([]*hlo.Value, len(vs))
	for i, v := range vs {
		w := *v
		c.values[v] = &w
		out[i] = &w
	}
	return out
}

func (c *copier) block(b *hlo.Block) *hlo.Block {
	out := &hlo.Block{Params: c.define(b.Params), Ops: make([]*hlo.Op, len(b.Ops))}
	for i, o := range b.Ops {
		out.Ops[i] = c.op(o)
	}
	return out
}

func (c *copier) op(o *hlo.Op) *hlo.Op {
	p := *o
	p.Operands = make([]*hlo.Value, len(o.Operands))
	for i, v := range o.Operands {
		p.Operands[i] = c.of(v)
	}
	p.Regions = make([]*hlo.Block, len(o.Regions))
	for i, r := range o.Regions {
		p.Regions[i] = c.block(r)
	}
	p.Results = c.define(o.Results)
	if g := c.funcs[o.Callee]; g != nil {
		p.Callee = g
	}
	return &p
}

// renumber assigns new ids to the values of each function.
func renumber(p *hlo.Program) {
	for _, f := range p.Funcs {
		next := 0
		var visit func(b *hlo.Block)
		give := func(vs []*hlo.Value) {
			for _, v := range vs {
				v.ID = next
				next++
			}
		}
		visit = func(b *hlo.Block) {
			give(b.Params)
			for _, o := range b.Ops {
				for _, r := range o.Regions {
					visit(r)
				}
				give(o.Results)
			}
		}
		visit(f.Body)
	}
}
