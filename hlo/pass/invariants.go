package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// invariants moves out of loops what is the same in every turn: values that a
// loop carries without changing them are taken from outside, and what depends
// on such values only is computed before the loop. What a pattern is made of
// stays together. Exact.
var invariants = Pass{"invariants", "what is the same in every turn of a loop is computed before it", func(e *editor) {
	h := &hoister{e, map[*hlo.Op]*pattern.Match{}}
	for _, m := range e.patterns().All {
		for _, o := range append(m.Ops, m.End) {
			h.part[o] = m
		}
	}
	for _, f := range e.prog.Funcs {
		h.block(f.Body)
	}
}}

type hoister struct {
	*editor
	part map[*hlo.Op]*pattern.Match // the last match that an operation is part of
}

// block does inner loops first: what leaves them may leave outer ones too.
func (h *hoister) block(b *hlo.Block) {
	var out []*hlo.Op
	for _, o := range b.Ops {
		h.refresh(o)
		if !isControl(o) {
			out = append(out, o)
			continue
		}
		if o.Name == "stablehlo.while" {
			h.carried(o)
		}
		for _, r := range o.Regions {
			h.block(r)
		}
		if o.Name == "stablehlo.while" {
			inside := map[*hlo.Value]bool{}
			for _, r := range o.Regions {
				note(inside, r.Params)
				eachIn(r, func(o *hlo.Op) {
					note(inside, o.Results)
					for _, r := range o.Regions {
						note(inside, r.Params)
					}
				})
			}
			for _, r := range o.Regions {
				out = append(out, h.leave(r, inside)...)
			}
		}
		out = append(out, o)
	}
	b.Ops = out
}

func note(set map[*hlo.Value]bool, vs []*hlo.Value) {
	for _, v := range vs {
		set[v] = true
	}
}

// carried takes values from outside that the body returns as they came.
func (h *hoister) carried(o *hlo.Op) {
	cond, body := o.Regions[0], o.Regions[1]
	for i, v := range body.Return().Operands {
		if h.current(v) == body.Params[i] {
			for _, same := range []*hlo.Value{body.Params[i], cond.Params[i], o.Results[i]} {
				h.replace(same, o.Operands[i])
			}
			// What the loop still carries is its own: it must not be replaced.
			body.Return().Operands[i] = o.Operands[i]
		}
	}
	for _, r := range o.Regions {
		eachIn(r, h.refresh)
	}
}

// leave takes operations out of a block of a loop in which the given values
// are made.
func (h *hoister) leave(b *hlo.Block, inside map[*hlo.Value]bool) (out []*hlo.Op) {
	var stay []*hlo.Op
	for _, o := range b.Ops {
		if isReturn(o) || o.Callee != nil || isControl(o) || !pure(o) || !h.free(o, inside) {
			stay = append(stay, o)
			continue
		}
		for _, v := range o.Results {
			delete(inside, v)
		}
		out, h.changed = append(out, o), true
	}
	b.Ops = stay
	return out
}

// free reports that an operation, and the match that it is part of, depend on
// nothing inside.
func (h *hoister) free(o *hlo.Op, inside map[*hlo.Value]bool) bool {
	for _, v := range o.Operands {
		if inside[v] {
			return false
		}
	}
	own := map[*hlo.Value]bool{}
	ok := true
	for _, r := range o.Regions {
		note(own, r.Params)
		eachIn(r, func(o *hlo.Op) {
			for _, r := range o.Regions {
				note(own, r.Params)
			}
			for _, v := range o.Operands {
				ok = ok && (own[v] || !inside[v])
			}
			note(own, o.Results)
		})
	}
	if m := h.part[o]; m != nil && o.Name != "stablehlo.constant" {
		for _, v := range m.Inputs {
			ok = ok && !inside[v]
		}
	}
	return ok
}
