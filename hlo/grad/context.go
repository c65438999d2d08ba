package grad

import (
	stdcontext "context"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// maxOps bounds the number of operations that a derivative has, and inlined functions with it.
const maxOps = 1 << 20

// context is what is known of a program while its derivative is written.
type context struct {
	ctx     stdcontext.Context
	memory  int64
	main    *hlo.Func
	written int // operations written

	def map[*hlo.Value]*hlo.Op
	// varied holds the values that depend on an input of the derivative, differentiably.
	varied map[*hlo.Value]bool
	// constants holds small arrays that are known, nil for values that are not.
	constants map[*hlo.Value]*tensor.Array
	// before lists operations to be inserted before an operation of the program.
	before map[*hlo.Op][]*hlo.Op
	wholes map[*hlo.Op]*pattern.Match
	// frozen holds operations whose results count as constants, such as the maximum within a softmax.
	frozen map[*hlo.Op]bool
	// replaced holds the operations that replace an inlined call.
	replaced map[*hlo.Op][]*hlo.Op
	ranges   *pattern.Ranges
}

func newContext(ctx stdcontext.Context, main *hlo.Func, memory int64) *context {
	if memory == 0 {
		memory = DefaultMemory
	}
	c := &context{
		ctx: ctx, memory: memory, main: main,
		def:       map[*hlo.Value]*hlo.Op{},
		varied:    map[*hlo.Value]bool{},
		constants: map[*hlo.Value]*tensor.Array{},
		before:    map[*hlo.Op][]*hlo.Op{},
		wholes:    map[*hlo.Op]*pattern.Match{},
		frozen:    map[*hlo.Op]bool{},
		replaced:  map[*hlo.Op][]*hlo.Op{},
	}
	c.index(main.Body)
	return c
}

// define records an operation's results, and those of its regions.
func (c *context) define(o *hlo.Op) {
	for _, v := range o.Results {
		c.def[v] = o
	}
	for _, r := range o.Regions {
		c.index(r)
	}
}

func (c *context) index(b *hlo.Block) {
	for _, o := range b.Ops {
		c.define(o)
	}
}

// refuse ends the derivation with an error that names an operation of the program and its place.
func (c *context) refuse(o *hlo.Op, what, hint string) {
	panic(broken{&hlo.Error{Pos: o.Pos, Op: o.Title(), Msg: what, Hint: hint, Unsupported: true}})
}

// alive ends the derivation when the context ends.
func (c *context) alive() {
	if err := stdcontext.Cause(c.ctx); err != nil {
		panic(broken{err})
	}
}

// maxKnown is the largest number of elements of a value that is computed while a derivative is written.
const maxKnown = 1 << 12

// known returns the value of v if it follows from constants and is small, else nil.
func (c *context) known(v *hlo.Value) *tensor.Array {
	if a, ok := c.constants[v]; ok {
		return a
	}
	c.constants[v] = nil
	o := c.def[v]
	if o == nil || len(o.Results) != 1 || v.Type.Shape.Size() > maxKnown || len(o.Regions) > 0 || o.Callee != nil || !o.Is(hlo.Pure) {
		return nil
	}
	in := make([]*tensor.Array, len(o.Operands))
	for i, x := range o.Operands {
		if in[i] = c.known(x); in[i] == nil {
			return nil
		}
	}
	if eval.Check(o, func(*hlo.Value) *tensor.Array { return nil }) != nil {
		return nil
	}
	out, err := eval.Op(c.ctx, o, in)
	if err != nil {
		return nil
	}
	c.constants[v] = out[0]
	return out[0]
}

// splat returns the real number that all elements of v are known to be.
func (c *context) splat(v *hlo.Value) (float64, bool) {
	for o := c.def[v]; o != nil && !v.Type.DType.IsComplex(); o = c.def[v] {
		switch {
		case o.Is(hlo.Moving) && len(o.Operands) > 0:
			v = o.Operands[0]
			continue
		case o.Name == hlo.OpConstant:
			if k, ok := o.Constant(); ok && k.Elements.Len() <= maxKnown {
				return k.Uniform()
			}
		}
		break
	}
	if v.Type.DType.IsComplex() || len(v.Type.Shape) > 0 {
		return 0, false
	}
	if a := c.known(v); a != nil {
		return a.Uniform()
	}
	return 0, false
}

// vary marks the values of main that depend on the inputs.
func (c *context) vary(inputs []*hlo.Value) {
	c.varied = map[*hlo.Value]bool{}
	for _, v := range inputs {
		c.varied[v] = true
	}
	c.varyIn(c.main.Body.Ops)
}

func (c *context) varyIn(ops []*hlo.Op) {
	for _, o := range ops {
		c.alive()
		switch {
		case o.Name == hlo.OpWhile:
			c.varyWhile(o)
		case o.Is(hlo.Branch):
			for _, r := range o.Regions {
				c.varyIn(r.Ops)
				for i, v := range r.Return().Operands {
					c.mark(o.Results[i], c.varied[v])
				}
			}
		case o.Is(hlo.Structured):
			any := false
			for i, v := range o.Operands {
				any = any || o.LinearOperand(i) && c.varied[v]
			}
			c.mark(o.Results[0], any)
		case !flat(o) && !c.frozen[o]:
			any := false
			see := func(v *hlo.Value) { any = any || c.varied[v] }
			for _, v := range o.Operands {
				see(v)
			}
			captured(o, see)
			for _, v := range o.Results {
				c.mark(v, any)
			}
		}
	}
}

// varyWhile marks what a loop carries, until nothing changes.
func (c *context) varyWhile(o *hlo.Op) {
	body := o.Regions[1]
	for i, v := range o.Operands {
		c.mark(body.Params[i], c.varied[v])
	}
	for more := true; more; {
		more = false
		c.varyIn(body.Ops)
		for i, v := range body.Return().Operands {
			if p := body.Params[i]; c.varied[v] && !c.varied[p] {
				c.mark(p, true)
				more = c.varied[p]
			}
		}
	}
	for i, p := range body.Params {
		c.mark(o.Results[i], c.varied[p])
	}
}

func (c *context) mark(v *hlo.Value, varied bool) {
	if varied && differentiable(v.Type.DType) {
		c.varied[v] = true
	}
}

// inline replaces the calls through which the derivative leads by the bodies of the called functions, until there are
// none. They then are one block with the code around, in which rules see everything.
func (c *context) inline(inputs []*hlo.Value) {
	for {
		c.vary(inputs)
		if !c.inlineIn(c.main.Body) {
			return
		}
	}
}

func (c *context) inlineIn(b *hlo.Block) (any bool) {
	var out []*hlo.Op
	for _, o := range b.Ops {
		if o.Callee != nil && c.anyVaried(o.Results) {
			any = true
			c.replaced[o] = c.body(o)
			out = append(out, c.replaced[o]...)
			continue
		}
		if o.Is(hlo.Control) {
			for _, r := range o.Regions {
				any = c.inlineIn(r) || any
			}
		}
		out = append(out, o)
	}
	b.Ops = out
	return any
}

// body returns a copy of the body of the function that o calls. It defines o's results, so that values that refer to
// them remain valid.
func (c *context) body(o *hlo.Op) []*hlo.Op {
	k := hlo.NewCopier()
	body := o.Callee.Body
	for i, p := range body.Params {
		k.Values[p] = o.Operands[i]
	}
	taken := map[*hlo.Value]*hlo.Value{} // results of the body, by the copy that is replaced
	var out []*hlo.Op
	for _, in := range body.Ops[:len(body.Ops)-1] {
		p := k.Op(in)
		p.Loc = join(o.Loc, in.Loc)
		if c.written++; c.written > maxOps {
			panic(broken{fmt.Errorf("with its functions inlined the program has more than %d operations: write repeated parts as a loop", maxOps)})
		}
		out = append(out, p)
	}
	for i, v := range body.Return().Operands {
		x := k.Of(v)
		if own := c.defines(out, x); own && taken[x] == nil {
			taken[x] = o.Results[i]
			continue
		}
		// An argument, or a value that is returned twice.
		same := &hlo.Op{Name: hlo.OpReshape, Operands: []*hlo.Value{x}, Results: []*hlo.Value{o.Results[i]}, Attrs: hlo.Attrs{}}
		same.Pos, same.Loc = o.Pos, o.Loc
		out = append(out, same)
	}
	for _, p := range out {
		for i, v := range p.Results {
			if taken[v] != nil {
				p.Results[i] = taken[v]
			}
		}
		substitute(p, taken)
		c.define(p)
	}
	return out
}

// defines reports whether one of the operations has the result v.
func (c *context) defines(ops []*hlo.Op, v *hlo.Value) bool {
	return slices.ContainsFunc(ops, func(o *hlo.Op) bool { return slices.Contains(o.Results, v) })
}

func (c *context) anyVaried(vs []*hlo.Value) bool {
	for _, v := range vs {
		if c.varied[v] {
			return true
		}
	}
	return false
}

// join is the name of an inlined operation, below the name of the call.
func join(outer, inner string) string {
	switch {
	case outer == "" || len(inner) > 4 && inner[:4] == "jit(":
		return inner
	case inner == "":
		return outer
	}
	return outer + "/" + inner
}

// apply inserts what was to be inserted into a block.
func (c *context) apply(b *hlo.Block) { b.Ops = c.inserted(b.Ops) }

func (c *context) inserted(ops []*hlo.Op) []*hlo.Op {
	var out []*hlo.Op
	for _, o := range ops {
		out = append(append(out, c.before[o]...), o)
		delete(c.before, o)
	}
	return out
}

// recognise finds the functions that have a derivative as wholes.
func (c *context) recognise(funcs []*hlo.Func) {
	p := &hlo.Program{Funcs: []*hlo.Func{c.main}, Main: c.main}
	for _, f := range funcs {
		if f.Name != c.main.Name {
			p.Funcs = append(p.Funcs, f)
		}
	}
	for _, m := range pattern.Find(p).All {
		switch {
		case derivable(m):
			c.wholes[m.End] = m
		case m.Kind == pattern.LogSoftmax || m.Kind == pattern.LogSumExp:
			c.freezeMaximum(m)
		}
	}
	c.ranges = pattern.Bounds(p)
}
