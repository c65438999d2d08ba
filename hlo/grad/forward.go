package grad

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// forward writes tangents of a block's values: for each value v the derivative of v along the tangents of the inputs.
type forward struct {
	*writer
	// dot holds the tangents. A value without one has the tangent 0.
	dot map[*hlo.Value]*hlo.Value
	// want holds the values whose tangents are needed.
	want map[*hlo.Value]bool
}

// sweep goes through operations from the first to the last, and writes each followed by the tangents of its results.
func (f *forward) sweep(ops []*hlo.Op) {
	for _, o := range ops {
		f.c.alive()
		if !f.needed(o) {
			f.ops = append(f.ops, o)
			continue
		}
		f.at = o
		switch {
		case o.Name == hlo.OpWhile:
			f.while(o)
		case o.Is(hlo.Branch):
			f.branch(o)
		default:
			f.ops = append(f.ops, o)
			f.operation(o)
		}
	}
}

// needed reports whether an operation has results with tangents that are wanted.
func (f *forward) needed(o *hlo.Op) bool {
	if f.c.frozen[o] || !slices.ContainsFunc(o.Results, func(v *hlo.Value) bool { return f.want[v] && f.c.varied[v] }) {
		return false
	}
	known := func(v *hlo.Value) bool { return f.dot[v] != nil }
	any := slices.ContainsFunc(o.Operands, known)
	captured(o, func(v *hlo.Value) { any = any || known(v) })
	return any
}

// operation writes the tangents of an operation that is no loop and no branch.
func (f *forward) operation(o *hlo.Op) {
	if m := f.c.wholes[o]; m != nil {
		if t := f.dot[m.X()]; t != nil {
			y := o.Results[0]
			f.set(y, wholePartial(f.writer, m, y, f.convert(t, y.Type.DType)))
		}
		return
	}
	if p := partials[o.Name]; p != nil {
		f.refuseComplex(o)
		var sum *hlo.Value
		for i, v := range o.Operands {
			if t := f.dot[v]; t != nil {
				sum = f.sum(sum, p(f.writer, o, i, t))
			}
		}
		f.set(o.Results[0], sum)
		return
	}
	rule := rules[o.Name]
	if rule.fore == nil {
		f.c.refuseOp(o)
	}
	if !rule.complex {
		f.refuseComplex(o)
	}
	for i, t := range rule.fore(f, o) {
		f.set(o.Results[i], t)
	}
}

// set records a tangent; nil is zero.
func (f *forward) set(v, t *hlo.Value) {
	if t != nil && f.c.varied[v] {
		f.dot[v] = t
	}
}

// through differentiates an expansion of o in o's place.
func (f *forward) through(o *hlo.Op, e expansion) []*hlo.Value {
	f.c.varyIn(e.ops)
	for _, in := range e.ops {
		for _, v := range in.Results {
			f.want[v] = true
		}
	}
	f.sweep(e.ops)
	f.at = o
	out := make([]*hlo.Value, len(e.results))
	for i, v := range e.results {
		out[i] = f.dot[v]
	}
	return out
}

// wanted marks the values that the tangents of results need, in regions too.
func (c *context) wanted(b *hlo.Block, want map[*hlo.Value]bool) {
	for i := len(b.Ops) - 1; i >= 0; i-- {
		o := b.Ops[i]
		if !slices.ContainsFunc(o.Results, func(v *hlo.Value) bool { return want[v] }) {
			continue
		}
		if o.Is(hlo.Control) {
			for _, r := range o.Regions {
				c.wantAll(r, want)
			}
		}
		for _, v := range o.Operands {
			want[v] = true
		}
		captured(o, func(v *hlo.Value) { want[v] = true })
	}
}

func (c *context) wantAll(b *hlo.Block, want map[*hlo.Value]bool) {
	for _, o := range b.Ops {
		for _, v := range o.Results {
			want[v] = true
		}
		if o.Is(hlo.Control) {
			for _, r := range o.Regions {
				c.wantAll(r, want)
			}
		}
	}
}

// while changes a loop so that it carries tangents beside its values. A tangent is carried where the loop's value
// varies in some iteration.
func (f *forward) while(o *hlo.Op) {
	body, n := o.Regions[1], len(o.Operands)
	in := &forward{&writer{c: f.c, at: o}, f.dot, f.want}
	var carried []int
	var init []*hlo.Value
	for i := range n {
		p := body.Params[i]
		if !f.c.varied[p] {
			continue
		}
		carried = append(carried, i)
		init = append(init, f.orZeros(f.dot[o.Operands[i]], p.Type))
		t := &hlo.Value{Type: p.Type, Pos: o.Pos}
		f.dot[p] = t
		body.Params = append(body.Params, t)
		o.Regions[0].Params = append(o.Regions[0].Params, &hlo.Value{Type: p.Type, Pos: o.Pos})
	}
	ret := body.Return()
	in.sweep(body.Ops[:len(body.Ops)-1])
	in.at = o
	ret.Operands = slices.Clone(ret.Operands)
	for _, i := range carried {
		ret.Operands = append(ret.Operands, in.orZeros(f.dot[ret.Operands[i]], body.Params[i].Type))
	}
	body.Ops = f.c.inserted(append(in.ops, ret))
	o.Operands, o.Results = append(slices.Clone(o.Operands), init...), slices.Clone(o.Results)
	for _, i := range carried {
		t := &hlo.Value{Type: body.Params[i].Type, Pos: o.Pos}
		o.Results = append(o.Results, t)
		f.c.def[t] = o
		f.set(o.Results[i], t)
	}
	f.ops = append(f.ops, o)
}

// branch changes a branch so that its regions return tangents beside their values.
func (f *forward) branch(o *hlo.Op) {
	var varied []int
	for i, v := range o.Results {
		if f.c.varied[v] {
			varied = append(varied, i)
		}
	}
	for _, region := range o.Regions {
		in := &forward{&writer{c: f.c, at: o}, f.dot, f.want}
		ret := region.Return()
		in.sweep(region.Ops[:len(region.Ops)-1])
		in.at = o
		ret.Operands = slices.Clone(ret.Operands)
		for _, i := range varied {
			ret.Operands = append(ret.Operands, in.orZeros(f.dot[ret.Operands[i]], o.Results[i].Type))
		}
		region.Ops = f.c.inserted(append(in.ops, ret))
	}
	o.Results = slices.Clone(o.Results)
	for _, i := range varied {
		t := &hlo.Value{Type: o.Results[i].Type, Pos: o.Pos}
		o.Results = append(o.Results, t)
		f.c.def[t] = o
		f.set(o.Results[i], t)
	}
	f.ops = append(f.ops, o)
}
