package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// invariants is loop-invariant code motion: values that a loop carries unchanged are replaced by
// the value outside, and operations that depend only on such values are moved before the loop. The
// operations of a pattern stay together. Exact.
var invariants = Pass{"invariants", "loop-invariant operations are moved before the loop", func(e *editor) {
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
	part map[*hlo.Op]*pattern.Match // the last match that contains the operation
}

// block processes inner loops first, because operations that leave them may leave outer loops too.
func (h *hoister) block(b *hlo.Block) {
	var out []*hlo.Op
	for _, o := range b.Ops {
		h.alive()
		h.refresh(o)
		if !o.Is(hlo.Control) {
			out = append(out, o)
			continue
		}
		if o.Name == hlo.OpWhile {
			h.replaceUnchanged(o)
		}
		for _, r := range o.Regions {
			h.block(r)
		}
		if o.Name == hlo.OpWhile {
			inside := definedIn(o)
			for _, r := range o.Regions {
				out = append(out, h.hoist(r, inside)...)
			}
		}
		out = append(out, o)
	}
	b.Ops = out
}

func addAll(set map[*hlo.Value]bool, vs []*hlo.Value) {
	for _, v := range vs {
		set[v] = true
	}
}

// replaceUnchanged replaces carried values that the body returns unchanged by the value from outside.
func (h *hoister) replaceUnchanged(o *hlo.Op) {
	cond, body := o.Regions[0], o.Regions[1]
	for i, v := range body.Return().Operands {
		if h.current(v) == body.Params[i] {
			for _, same := range []*hlo.Value{body.Params[i], cond.Params[i], o.Results[i]} {
				h.replace(same, o.Operands[i])
			}
			// The value that the loop still carries is its own and must not be replaced.
			body.Return().Operands[i] = o.Operands[i]
		}
	}
	for _, r := range o.Regions {
		eachIn(r, h.refresh)
	}
}

// hoist removes loop-invariant operations from a block of a loop and returns them. inside are the
// values defined in the loop.
func (h *hoister) hoist(b *hlo.Block, inside map[*hlo.Value]bool) (out []*hlo.Op) {
	var stay []*hlo.Op
	for _, o := range b.Ops {
		if isReturn(o) || o.Callee != nil || o.Is(hlo.Control) || !h.pure(o) || !h.independent(o, inside) {
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

// independent reports whether an operation and the match that contains it depend on no value in inside.
func (h *hoister) independent(o *hlo.Op, inside map[*hlo.Value]bool) bool {
	for _, v := range o.Operands {
		if inside[v] {
			return false
		}
	}
	own := map[*hlo.Value]bool{}
	ok := true
	for _, r := range o.Regions {
		addAll(own, r.Params)
		eachIn(r, func(o *hlo.Op) {
			for _, r := range o.Regions {
				addAll(own, r.Params)
			}
			for _, v := range o.Operands {
				ok = ok && (own[v] || !inside[v])
			}
			addAll(own, o.Results)
		})
	}
	if m := h.part[o]; m != nil && o.Name != hlo.OpConstant {
		for _, v := range m.Inputs {
			ok = ok && !inside[v]
		}
	}
	return ok
}
