package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
)

// clone returns a copy of the functions that main reaches.
func clone(p *hlo.Program) *hlo.Program {
	c := hlo.NewCopier()
	c.Funcs = map[*hlo.Func]*hlo.Func{}
	out := &hlo.Program{File: p.File, Name: p.Name, Text: p.Text}
	reached := p.Reached()
	for _, f := range reached {
		g := *f
		c.Funcs[f] = &g
		out.Funcs = append(out.Funcs, &g)
	}
	for _, f := range reached {
		c.Funcs[f].Body = c.Block(f.Body)
	}
	out.Main = c.Funcs[p.Main]
	return out
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
