package pattern

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// reads returns the values that an operation reads, including those of enclosing blocks that its regions
// read.
func reads(o *hlo.Op) []*hlo.Value {
	if len(o.Regions) == 0 {
		return o.Operands
	}
	out := slices.Clone(o.Operands)
	for _, b := range o.Regions {
		own := map[*hlo.Value]bool{}
		for _, v := range b.Params {
			own[v] = true
		}
		for _, inner := range b.Ops {
			for _, v := range reads(inner) {
				if !own[v] {
					out = append(out, v)
				}
			}
			for _, v := range inner.Results {
				own[v] = true
			}
		}
	}
	return out
}

// interior finds the operations between a match's inputs and its End.
func (a *attempt) interior(m *Match) {
	cone := map[*hlo.Op]bool{}
	varies := map[*hlo.Op]bool{} // operations that depend on an input
	var visit func(o *hlo.Op) bool
	visit = func(o *hlo.Op) bool {
		for _, v := range reads(o) {
			if slices.Contains(m.Inputs, v) {
				varies[o] = true
				continue
			}
			s := a.site(v)
			d := s.op
			if d == nil || s.home != a.block {
				continue
			}
			if !cone[d] {
				if _, fixed := a.fold(v, nil, 0); !fixed && s.first.seen != a.number {
					continue
				}
				cone[d] = true
				visit(d)
			}
			if varies[d] {
				varies[o] = true
			}
		}
		return varies[o]
	}
	visit(m.End)
	for _, o := range a.block.Ops {
		if o == m.End {
			break
		}
		if cone[o] {
			m.Ops = append(m.Ops, o)
		}
	}
	m.Interior = map[*hlo.Op]bool{}
	for i := len(m.Ops) - 1; i >= 0; i-- {
		o := m.Ops[i]
		unused := true
		for _, v := range o.Results {
			outside := false
			unused = unused && !slices.Contains(m.Inputs, v)
			for _, u := range a.site(v).users {
				outside = outside || !cone[u] && u != m.End
				unused = unused && (m.Interior[u] || u == m.End)
			}
			if outside && varies[o] {
				m.Shared = append(m.Shared, v)
			}
		}
		if unused {
			m.Interior[o] = true
		}
	}
	slices.Reverse(m.Shared)
}

// dead returns the operations that no result needs once every match computes its End from its inputs.
func (ps *Patterns) dead() map[*hlo.Op]bool {
	used := map[*hlo.Op]bool{}
	for _, m := range ps.All {
		for _, o := range m.Ops {
			used[o] = true
		}
	}
	skip := map[*hlo.Op]bool{}
	for _, b := range ps.blocks {
		needed := map[*hlo.Value]bool{}
		for i := len(b.Ops) - 1; i >= 0; i-- {
			o := b.Ops[i]
			live := !used[o]
			for _, v := range o.Results {
				live = live || needed[v]
			}
			if !live {
				skip[o] = true
				continue
			}
			in := reads(o)
			if m := ps.at[o]; m != nil {
				in = m.Inputs
			}
			for _, v := range in {
				needed[v] = true
			}
		}
	}
	return skip
}
