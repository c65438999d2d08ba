package eval

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// maxDepth is the maximum nesting depth of regions and calls. A program that calls itself ends in
// an error instead of a stack overflow.
const maxDepth = 1000

// Env holds the values that the operations of a block may refer to: those of the block itself and of the enclosing
// blocks. A nil *Env is empty, which suffices for operations whose regions refer to no value outside.
type Env struct {
	outer  func(*hlo.Value) *tensor.Array
	values map[*hlo.Value]*tensor.Array
	depth  int
	watch  func(*hlo.Op, []*tensor.Array)
}

// NewEnv returns an environment in which values that are not Set are looked up by outer, which returns nil for a
// value that it does not have. outer may be nil.
func NewEnv(outer func(*hlo.Value) *tensor.Array) *Env {
	return &Env{outer: outer, values: map[*hlo.Value]*tensor.Array{}}
}

// Set makes a the array of value v. a must not be changed afterwards.
func (e *Env) Set(v *hlo.Value, a *tensor.Array) { e.values[v] = a }

// Get returns the array of value v, or nil if there is none.
func (e *Env) Get(v *hlo.Value) *tensor.Array {
	if e == nil {
		return nil
	}
	if a, ok := e.values[v]; ok {
		return a
	}
	if e.outer == nil {
		return nil
	}
	return e.outer(v)
}

// inner returns the environment of a block nested in e.
func (e *Env) inner() *Env {
	in := NewEnv(e.Get)
	if e != nil {
		in.depth, in.watch = e.depth+1, e.watch
	}
	return in
}

// callee returns the environment of a function called from e. It sees none of the caller's values
// but counts towards the nesting depth.
func (e *Env) callee() *Env {
	in := NewEnv(nil)
	if e != nil {
		in.depth, in.watch = e.depth+1, e.watch
	}
	return in
}

// Op evaluates one operation on the values args of its operands and returns its results. Regions may refer to values
// of e.
func (e *Env) Op(ctx context.Context, op *hlo.Op, args []*tensor.Array) ([]*tensor.Array, error) {
	if err := checkShallow(op); err != nil {
		return nil, err
	}
	end, err := begin(ctx, op, args)
	if err != nil {
		return nil, err
	}
	defer end()
	c := &call{ctx: ctx, env: e, op: op, args: args}
	if c.divides() {
		return c.inParts()
	}
	return table[op.Name].run(c)
}

// Block evaluates block b on the values args of its parameters and returns the operands of its terminator. The block
// may refer to values of e.
func (e *Env) Block(ctx context.Context, b *hlo.Block, args []*tensor.Array) ([]*tensor.Array, error) {
	return e.inner().run(ctx, b, args)
}

// run evaluates b in the environment e itself.
func (e *Env) run(ctx context.Context, b *hlo.Block, args []*tensor.Array) ([]*tensor.Array, error) {
	if e.depth > maxDepth {
		return nil, failf(b.Return(), "calls and regions nest deeper than %d", maxDepth)
	}
	for i, p := range b.Params {
		e.Set(p, args[i])
	}
	h := holder{Budget: budget.From(ctx)}
	defer h.free()
	last := len(b.Ops) - 1
	for _, op := range b.Ops[:last] {
		if ctx.Err() != nil {
			return nil, budget.Ended(ctx, op)
		}
		in, err := e.operands(op)
		if err != nil {
			return nil, err
		}
		out, err := e.Op(ctx, op, in)
		if err != nil {
			return nil, err
		}
		if err := h.hold(op, in, out); err != nil {
			return nil, err
		}
		for i, r := range op.Results {
			e.Set(r, out[i])
		}
		if e.watch != nil {
			e.watch(op, out)
		}
	}
	return e.operands(b.Ops[last])
}

func (e *Env) operands(op *hlo.Op) ([]*tensor.Array, error) {
	in := make([]*tensor.Array, len(op.Operands))
	for i, v := range op.Operands {
		if in[i] = e.Get(v); in[i] == nil {
			return nil, failf(op, "operand %%%s has no value here", v.Name)
		}
	}
	return in, nil
}

// Op evaluates one operation on the values of its operands and returns its results. Its regions, if any, must refer
// to no value outside. If ctx ends, Op returns an error that wraps the context's cause.
func Op(ctx context.Context, op *hlo.Op, args []*tensor.Array) ([]*tensor.Array, error) {
	return (*Env)(nil).Op(ctx, op, args)
}

// Block evaluates block b on the values args of its parameters and returns the operands of its terminator. The block
// may refer to values of env, which may be nil.
func Block(ctx context.Context, env *Env, b *hlo.Block, args []*tensor.Array) ([]*tensor.Array, error) {
	return env.Block(ctx, b, args)
}

// Func evaluates function f on args and returns its results. It returns an error if arguments do not match the
// parameters' types or an operation fails, and one that wraps the context's cause if ctx ends.
func Func(ctx context.Context, f *hlo.Func, args []*tensor.Array) ([]*tensor.Array, error) {
	if len(args) != len(f.Body.Params) {
		return nil, fmt.Errorf("%s: @%s: takes %d arguments, not %d", f.Pos, f.Name, len(f.Body.Params), len(args))
	}
	for i, p := range f.Body.Params {
		if args[i] == nil {
			return nil, fmt.Errorf("%s: @%s: argument %d is missing", f.Pos, f.Name, i)
		}
		if !args[i].Type.Equal(p.Type) {
			return nil, fmt.Errorf("%s: @%s: argument %d is %s, not %s", f.Pos, f.Name, i, p.Type, args[i].Type)
		}
	}
	return NewEnv(nil).run(ctx, f.Body, args)
}

// FuncWatched is Func that calls watch with every evaluated operation and its results. For an operation in a region
// that is applied to all elements at once, the results are vectors over all instances.
func FuncWatched(ctx context.Context, f *hlo.Func, args []*tensor.Array, watch func(*hlo.Op, []*tensor.Array)) ([]*tensor.Array, error) {
	e := NewEnv(nil)
	e.watch = watch
	return e.run(ctx, f.Body, args)
}
