package grad

import (
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// maxTrips bounds the number of iterations of a loop that is differentiated.
const maxTrips = 1 << 20

// trips returns the number of iterations of a loop whose condition depends on constants only: it runs what the
// condition depends on. It refuses other loops.
func (c *context) trips(o *hlo.Op) int {
	cond, body := o.Regions[0], o.Regions[1]
	unknown := func() {
		c.refuse(o, "the number of the loop's iterations does not follow from the program, so that they cannot be undone",
			"let the loop count from a constant to a constant, and select within its body")
	}
	// The carried values on which the condition depends.
	index := map[*hlo.Value]int{}
	for i, p := range cond.Params {
		index[p] = i
	}
	for i, p := range body.Params {
		index[p] = i
	}
	var carried []int
	var outside []*hlo.Value
	visit := func(b *hlo.Block, results []*hlo.Value) []*hlo.Op {
		ops, in := needed(b, results)
		for _, v := range in {
			if i, ok := index[v]; !ok {
				outside = append(outside, v)
			} else if !slices.Contains(carried, i) {
				carried = append(carried, i)
			}
		}
		return ops
	}
	condOps := visit(cond, cond.Return().Operands)
	var bodyOps []*hlo.Op
	for done := -1; done != len(carried); {
		done = len(carried)
		results := make([]*hlo.Value, done)
		for i, k := range carried {
			results[i] = body.Return().Operands[k]
		}
		bodyOps = visit(body, results)
	}
	env := eval.NewEnv(func(v *hlo.Value) *tensor.Array { return c.known(v) })
	for _, v := range outside {
		if c.known(v) == nil {
			unknown()
		}
	}
	state := make([]*tensor.Array, len(carried))
	for i, k := range carried {
		if state[i] = c.known(o.Operands[k]); state[i] == nil {
			unknown()
		}
	}
	part := func(b *hlo.Block, ops []*hlo.Op, results []*hlo.Value) *hlo.Block {
		out := &hlo.Block{}
		for _, k := range carried {
			out.Params = append(out.Params, b.Params[k])
		}
		out.Ops = append(slices.Clone(ops), &hlo.Op{Name: hlo.OpReturn, Operands: results, Attrs: hlo.Attrs{}, Pos: o.Pos})
		return out
	}
	var next []*hlo.Value
	for _, k := range carried {
		next = append(next, body.Return().Operands[k])
	}
	more, step := part(cond, condOps, cond.Return().Operands), part(body, bodyOps, next)
	for n := 0; n <= maxTrips; n++ {
		c.alive()
		again, err := eval.Block(c.ctx, env, more, state)
		if err != nil {
			unknown()
		}
		if again[0].Words()[0] == 0 {
			return n
		}
		if state, err = eval.Block(c.ctx, env, step, state); err != nil {
			unknown()
		}
	}
	c.refuse(o, "the loop has more than 2^20 iterations", "write fewer and larger iterations")
	return 0
}

// needed returns the operations of a block that its values results depend on, in order, and the values that these
// read from elsewhere: parameters and values from outside.
func needed(b *hlo.Block, results []*hlo.Value) (ops []*hlo.Op, in []*hlo.Value) {
	want := map[*hlo.Value]bool{}
	var order []*hlo.Value
	add := func(v *hlo.Value) {
		if !want[v] {
			want[v] = true
			order = append(order, v)
		}
	}
	for _, v := range results {
		add(v)
	}
	own := map[*hlo.Value]bool{}
	for i := len(b.Ops) - 1; i >= 0; i-- {
		o := b.Ops[i]
		if !slices.ContainsFunc(o.Results, func(v *hlo.Value) bool { return want[v] }) {
			continue
		}
		ops = append(ops, o)
		for _, v := range o.Results {
			own[v] = true
		}
		for _, v := range o.Operands {
			add(v)
		}
		captured(o, add)
	}
	slices.Reverse(ops)
	return ops, slices.DeleteFunc(order, func(v *hlo.Value) bool { return own[v] })
}

// influences returns the numbers of a body's parameters that get cotangents if the results with the given numbers have
// cotangents, in any number of iterations.
func (c *context) influences(body *hlo.Block, has []bool) []bool {
	has = slices.Clone(has)
	for more := true; more; {
		more = false
		want := map[*hlo.Value]bool{}
		for i, v := range body.Return().Operands {
			if has[i] && c.varied[v] {
				want[v] = true
			}
		}
		for i := len(body.Ops) - 1; i >= 0; i-- {
			o := body.Ops[i]
			if !slices.ContainsFunc(o.Results, func(v *hlo.Value) bool { return want[v] }) {
				continue
			}
			see := func(v *hlo.Value) {
				if c.varied[v] {
					want[v] = true
				}
			}
			for _, v := range o.Operands {
				see(v)
			}
			captured(o, see)
		}
		for i, p := range body.Params {
			if want[p] && !has[i] {
				has[i], more = true, true
			}
		}
	}
	for i, p := range body.Params {
		has[i] = has[i] && c.varied[p]
	}
	return has
}

// whileBack writes a loop that undoes the iterations from the last to the first. The values of an iteration that its
// derivative reads are kept in stacks, which the loop is changed to fill; if these would take more than the memory
// that the caller allows, only what the loop carries is kept, and the iteration is computed again.
func whileBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	n := r.c.trips(o)
	r.at = o
	if n == 0 {
		for i, v := range o.Operands {
			r.give(v, ct[i])
		}
		return
	}
	body := o.Regions[1]
	has := make([]bool, len(ct))
	for i := range ct {
		has[i] = ct[i] != nil
	}
	has = r.c.influences(body, has)
	var carried []int
	for i, is := range has {
		if is {
			carried = append(carried, i)
		}
	}
	// The body of the new loop: its parameters are a counter, cotangents of what the loop carries, and sums of the
	// cotangents of values that the loop reads from outside.
	counter := tensor.Type{DType: tensor.I32, Shape: tensor.Shape{}}
	block := &hlo.Block{Params: []*hlo.Value{{Type: counter, Pos: o.Pos}}}
	in := newReverse(&writer{c: r.c, at: o})
	init := []*hlo.Value{r.number(counter, 0)}
	for _, i := range carried {
		t := o.Results[i].Type
		p := &hlo.Value{Type: t, Pos: o.Pos}
		block.Params = append(block.Params, p)
		init = append(init, r.orZeros(ct[i], t))
		in.give(body.Return().Operands[i], p)
	}
	in.sweep(body.Ops)
	in.at = o
	next := []*hlo.Value{in.plus(block.Params[0], 1)}
	own := map[*hlo.Value]bool{}
	for i, p := range body.Params {
		own[p] = true
		if k := slices.Index(carried, i); k >= 0 {
			next = append(next, in.orZeros(in.ct[p], p.Type))
		}
	}
	for _, op := range body.Ops {
		for _, v := range op.Results {
			own[v] = true
		}
	}
	var outside []*hlo.Value
	for _, v := range in.order {
		if own[v] || !r.wants(v) {
			continue
		}
		outside = append(outside, v)
		p := &hlo.Value{Type: v.Type, Pos: o.Pos}
		block.Params = append(block.Params, p)
		init = append(init, r.zeros(v.Type))
		next = append(next, in.add(p, in.ct[v]))
	}
	block.Ops = append(in.ops, &hlo.Op{Name: hlo.OpReturn, Operands: next, Attrs: hlo.Attrs{}, Pos: o.Pos})
	// The initial loop is changed before its stacks are read.
	residuals := residuals(block, own)
	load := r.keep(o, n, residuals, block)
	r.c.apply(body)
	block.Ops = append(load, block.Ops...)
	var types []tensor.Type
	for _, p := range block.Params {
		types = append(types, p.Type)
	}
	cond := r.region(types, func(w *writer, p []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{w.compare("LT", p[0], w.number(counter, float64(n)))}
	})
	out := r.emit(hlo.OpWhile, nil, nil, []*hlo.Block{cond, block}, init...)
	back := map[int]*hlo.Value{}
	for k, i := range carried {
		back[i] = out[1+k]
	}
	for i, v := range o.Operands[:len(ct)] {
		r.give(v, back[i]) // nothing where what the loop carries does not depend on the inputs
	}
	for k, v := range outside {
		r.give(v, out[1+len(carried)+k])
	}
}

// residuals returns the values among own that the operations of a block read, in order.
func residuals(by *hlo.Block, own map[*hlo.Value]bool) []*hlo.Value {
	seen := map[*hlo.Value]bool{}
	var out []*hlo.Value
	for _, o := range by.Ops {
		reads(o, func(v *hlo.Value) {
			if own[v] && !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		})
	}
	return out
}

// cheap reports whether a value of a block costs nothing to make again, from the values that it returns.
func (c *context) cheap(v *hlo.Value) (from []*hlo.Value, ok bool) {
	o := c.def[v]
	switch {
	case o == nil || len(o.Results) != 1 || len(o.Regions) > 0:
		return nil, false
	case o.Name == hlo.OpConstant || o.Name == hlo.OpIota:
		return nil, true
	case o.Name == hlo.OpBroadcastInDim, o.Name == hlo.OpReshape, o.Name == hlo.OpTranspose:
		return o.Operands, true
	}
	return nil, false
}

// again lists the operations that make the values vs of a block again, and the values that these begin with: those that
// are not cheap, or, if all is set, the block's parameters.
func (c *context) again(vs []*hlo.Value, own map[*hlo.Value]bool, into *[]*hlo.Op, all bool) (kept []*hlo.Value) {
	seen := map[*hlo.Value]bool{}
	var visit func(v *hlo.Value)
	visit = func(v *hlo.Value) {
		if !own[v] || seen[v] {
			return
		}
		seen[v] = true
		o := c.def[v]
		from, cheap := c.cheap(v)
		switch {
		case cheap:
			for _, x := range from {
				visit(x)
			}
		case all && o != nil:
			for _, x := range o.Operands {
				visit(x)
			}
			captured(o, visit)
			for _, x := range o.Results {
				seen[x] = true
			}
		default:
			kept = append(kept, v)
			return
		}
		*into = append(*into, o)
	}
	for _, v := range vs {
		visit(v)
	}
	return kept
}

// keep changes a loop of n iterations so that it puts values of its body on stacks, and returns operations that read
// them at the start of block, the body of the loop that undoes it; the operations of block then read these. Iteration i
// of that loop undoes iteration n−1−i.
func (r *reverse) keep(o *hlo.Op, n int, residuals []*hlo.Value, block *hlo.Block) []*hlo.Op {
	c, body := r.c, o.Regions[1]
	own := map[*hlo.Value]bool{}
	for _, p := range body.Params {
		own[p] = true
	}
	for _, op := range body.Ops {
		for _, v := range op.Results {
			own[v] = true
		}
	}
	var remake []*hlo.Op
	kept := c.again(residuals, own, &remake, false)
	bytes := int64(0)
	for _, v := range kept {
		bytes += int64(n) * int64(v.Type.Shape.Size()) * 8
	}
	if bytes > c.memory {
		remake = nil
		kept = c.again(residuals, own, &remake, true)
	}
	load := &writer{c: c, at: o}
	k := hlo.NewCopier()
	k.Made = c.define
	if len(kept) > 0 {
		stacks := r.stack(o, n, kept)
		at := load.sub(load.number(block.Params[0].Type, float64(n-1)), block.Params[0])
		for i, v := range kept {
			k.Values[v] = load.pop(stacks[i], at, v.Type)
		}
	}
	for _, op := range remake {
		// What was inserted before an operation of the body is made again with it.
		for _, extra := range c.before[op] {
			load.append(k.Op(extra))
		}
		load.append(k.Op(op))
	}
	for _, op := range block.Ops {
		substitute(op, k.Values)
	}
	return load.ops
}

// pop reads element at of a stack.
func (w *writer) pop(stack, at *hlo.Value, t tensor.Type) *hlo.Value {
	sizes := append([]int{1}, t.Shape...)
	zero := w.number(at.Type, 0)
	index := append([]*hlo.Value{stack, at}, slices.Repeat([]*hlo.Value{zero}, len(t.Shape))...)
	return w.reshape(w.one(hlo.OpDynamicSlice, hlo.Attrs{"slice_sizes": list(sizes)}, index...), t.Shape)
}

// stack has a loop put values of its body on stacks, and returns these.
func (r *reverse) stack(o *hlo.Op, n int, values []*hlo.Value) []*hlo.Value {
	c, body := r.c, o.Regions[1]
	before, in := &writer{c: c, at: o}, &writer{c: c, at: o}
	i32 := tensor.Type{DType: tensor.I32, Shape: tensor.Shape{}}
	carry := func(init *hlo.Value) (param, result *hlo.Value) {
		o.Operands = append(slices.Clone(o.Operands), init)
		param, result = &hlo.Value{Type: init.Type, Pos: o.Pos}, &hlo.Value{Type: init.Type, Pos: o.Pos}
		o.Regions[0].Params = append(o.Regions[0].Params, &hlo.Value{Type: init.Type, Pos: o.Pos})
		body.Params = append(body.Params, param)
		o.Results = append(slices.Clone(o.Results), result)
		c.def[result] = o
		return param, result
	}
	counter, _ := carry(before.number(i32, 0))
	next := []*hlo.Value{in.add(counter, in.number(i32, 1))}
	zero := in.number(i32, 0)
	var stacks []*hlo.Value
	for _, v := range values {
		t := tensor.Type{DType: v.Type.DType, Shape: append(tensor.Shape{n}, v.Type.Shape...)}
		param, result := carry(before.zeros(t))
		row := in.reshape(v, append(tensor.Shape{1}, v.Type.Shape...))
		index := append([]*hlo.Value{param, row, counter}, slices.Repeat([]*hlo.Value{zero}, len(v.Type.Shape))...)
		next = append(next, in.one(hlo.OpDynamicUpdateSlice, nil, index...))
		stacks = append(stacks, result)
	}
	ret := body.Return()
	ret.Operands = append(slices.Clone(ret.Operands), next...)
	body.Ops = slices.Concat(body.Ops[:len(body.Ops)-1], in.ops, []*hlo.Op{ret})
	c.before[o] = append(c.before[o], before.ops...)
	return stacks
}

// branchBack writes a branch with the same condition, whose regions undo those of o. The values of a region that its
// derivative reads become further results of o.
func branchBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	results := len(ct)
	parts := make([]*reverse, len(o.Regions))
	var outside []*hlo.Value
	for b, region := range o.Regions {
		in := newReverse(&writer{c: r.c, at: o})
		for i, v := range region.Return().Operands[:results] {
			if ct[i] != nil {
				in.give(v, ct[i])
			}
		}
		in.sweep(region.Ops)
		in.at = o
		parts[b] = in
		own := ownOf(region)
		for _, v := range in.order {
			if !own[v] && r.wants(v) && !slices.Contains(outside, v) {
				outside = append(outside, v)
			}
		}
	}
	if len(outside) == 0 {
		return
	}
	blocks := make([]*hlo.Block, len(parts))
	for b, in := range parts {
		var out []*hlo.Value
		for _, v := range outside {
			out = append(out, in.orZeros(in.ct[v], v.Type))
		}
		blocks[b] = &hlo.Block{Ops: append(in.ops, &hlo.Op{Name: hlo.OpReturn, Operands: out, Attrs: hlo.Attrs{}, Pos: o.Pos})}
		r.export(o, b, blocks[b])
	}
	for _, region := range o.Regions {
		r.c.apply(region)
	}
	back := r.emit(o.Name, nil, nil, blocks, o.Operands[0])
	for i, v := range outside {
		r.give(v, back[i])
	}
}

func ownOf(b *hlo.Block) map[*hlo.Value]bool {
	own := map[*hlo.Value]bool{}
	for _, p := range b.Params {
		own[p] = true
	}
	for _, op := range b.Ops {
		for _, v := range op.Results {
			own[v] = true
		}
	}
	return own
}

// export has a branch return the values of its region b that block reads, which then reads the results.
func (r *reverse) export(o *hlo.Op, b int, block *hlo.Block) {
	c, region := r.c, o.Regions[b]
	own := ownOf(region)
	var remake []*hlo.Op
	kept := c.again(residuals(block, own), own, &remake, false)
	k := hlo.NewCopier()
	k.Made = c.define
	for _, v := range kept {
		result := &hlo.Value{Type: v.Type, Pos: o.Pos}
		for i, other := range o.Regions {
			x := v
			if i != b {
				w := &writer{c: c, at: o}
				x = w.zeros(v.Type)
				last := len(other.Ops) - 1
				other.Ops = slices.Concat(other.Ops[:last], w.ops, other.Ops[last:])
			}
			ret := other.Return()
			ret.Operands = append(slices.Clone(ret.Operands), x)
		}
		o.Results = append(slices.Clone(o.Results), result)
		c.def[result] = o
		k.Values[v] = result
	}
	load := &writer{c: c, at: o}
	for _, op := range remake {
		load.append(k.Op(op))
	}
	for _, op := range block.Ops {
		substitute(op, k.Values)
	}
	block.Ops = append(load.ops, block.Ops...)
}
