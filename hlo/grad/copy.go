package grad

import (
	"github.com/tacet-mpc/tacet/hlo"
)

// copier copies operations and keeps for each copied value its copy. Attributes are shared.
type copier struct {
	values map[*hlo.Value]*hlo.Value
	made   func(o *hlo.Op) // is told of each copy
}

func (c *copier) of(v *hlo.Value) *hlo.Value {
	if w := c.values[v]; w != nil {
		return w
	}
	return v
}

func (c *copier) all(vs []*hlo.Value) []*hlo.Value {
	out := make([]*hlo.Value, len(vs))
	for i, v := range vs {
		out[i] = c.of(v)
	}
	return out
}

func (c *copier) define(vs []*hlo.Value) []*hlo.Value {
	out := make([]*hlo.Value, len(vs))
	for i, v := range vs {
		w := *v
		c.values[v], out[i] = &w, &w
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
	p.Operands = c.all(o.Operands)
	p.Regions = make([]*hlo.Block, len(o.Regions))
	for i, r := range o.Regions {
		p.Regions[i] = c.block(r)
	}
	p.Results = c.define(o.Results)
	if c.made != nil {
		c.made(&p)
	}
	return &p
}

// reads calls f for every value that an operation reads, regions included; those that are defined in its regions too.
func reads(o *hlo.Op, f func(v *hlo.Value)) {
	for _, v := range o.Operands {
		f(v)
	}
	for _, r := range o.Regions {
		for _, in := range r.Ops {
			reads(in, f)
		}
	}
}

// defines calls f for every value that an operation's regions define.
func defines(o *hlo.Op, f func(v *hlo.Value)) {
	for _, r := range o.Regions {
		for _, p := range r.Params {
			f(p)
		}
		for _, in := range r.Ops {
			for _, v := range in.Results {
				f(v)
			}
			defines(in, f)
		}
	}
}

// captured calls f for every value that the regions of an operation read from outside of the operation.
func captured(o *hlo.Op, f func(v *hlo.Value)) {
	if len(o.Regions) == 0 {
		return
	}
	own := map[*hlo.Value]bool{}
	defines(o, func(v *hlo.Value) { own[v] = true })
	for _, r := range o.Regions {
		for _, in := range r.Ops {
			reads(in, func(v *hlo.Value) {
				if !own[v] {
					f(v)
				}
			})
		}
	}
}

// substitute replaces operands, in regions too.
func substitute(o *hlo.Op, by map[*hlo.Value]*hlo.Value) {
	for i, v := range o.Operands {
		if w := by[v]; w != nil {
			o.Operands[i] = w
		}
	}
	for _, r := range o.Regions {
		for _, in := range r.Ops {
			substitute(in, by)
		}
	}
}
