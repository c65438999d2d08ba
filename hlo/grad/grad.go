package grad

import (
	stdcontext "context"
	"fmt"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// DefaultMemory is the value in bytes that stands for an Options.Memory of 0.
const DefaultMemory = 1 << 30

// Options says which derivatives Gradient and Tangents compute.
type Options struct {
	// Wrt are the numbers of main's arguments with respect to which derivatives are computed, counted from 0.
	Wrt []int
	// Result is the number of main's result that Gradient differentiates. It must be a scalar unless Cotangent is set.
	Result int
	// Cotangent has Gradient take the cotangent of the result as a further, last argument: the gradient is that of the
	// sum of the result's elements times the cotangent's.
	Cotangent bool
	// Only has the program return derivatives only, and not the results of the given program before them.
	Only bool
	// Memory is the largest memory in bytes that the stacks of one loop may take, at 8 bytes an element; 0 stands for
	// DefaultMemory.
	Memory int64
}

// Error is the error about Options that do not fit the program. Its kind is problem.Usage.
type Error struct{ msg string }

// Error returns what is wrong with the Options, on one line.
func (e *Error) Error() string { return e.msg }

// Is reports whether target is the error's kind, problem.Usage.
func (e *Error) Is(target error) bool { return target == problem.Usage }

func usage(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Gradient returns a program with p's arguments that returns p's results and then, for each argument in o.Wrt, the
// derivative of result o.Result with respect to it. p is not changed. The error is an *hlo.Error for an operation that
// has no derivative, and an *Error for Options that do not fit p.
func Gradient(ctx stdcontext.Context, p *hlo.Program, o Options) (out *hlo.Program, err error) {
	defer recovered(&err)
	q, inputs, err := begin(p, o)
	if err != nil {
		return nil, err
	}
	if o.Result < 0 || o.Result >= len(q.Main.Results) {
		return nil, usage("the program has no result %d: it has %s", o.Result, number(len(q.Main.Results), "result"))
	}
	ret := q.Main.Body.Return()
	y := ret.Operands[o.Result]
	if !y.Type.DType.IsFloat() {
		return nil, usage("result %d is %v: only floats have a gradient", o.Result, y.Type)
	}
	if len(y.Type.Shape) > 0 && !o.Cotangent {
		return nil, usage("result %d is %v: differentiate a scalar, such as a loss, or give its cotangent as an argument", o.Result, y.Type)
	}
	var seed *hlo.Value
	if o.Cotangent {
		seed = &hlo.Value{Name: unused(q.Main, "cotangent"), Type: y.Type, Pos: q.Main.Pos}
		q.Main.Body.Params = append(q.Main.Body.Params, seed)
	}
	d, err := derive(ctx, q.Main, q.Funcs, y, seed, inputs, o.Memory)
	if err != nil {
		return nil, err
	}
	q.Main.Body.Ops = d.program
	return finish(q, d.Gradients, o)
}

// Tangents returns a program with p's arguments and, behind them, a tangent for each argument in o.Wrt. It returns p's
// results and then, for each float result, the derivative of the result along the tangents: the sum over the arguments
// of the derivative with respect to the argument times its tangent. p is not changed. Errors are those of Gradient.
func Tangents(ctx stdcontext.Context, p *hlo.Program, o Options) (out *hlo.Program, err error) {
	defer recovered(&err)
	q, inputs, err := begin(p, o)
	if err != nil {
		return nil, err
	}
	main := q.Main
	c := newContext(ctx, main, o.Memory)
	c.prepare(q.Funcs, inputs)
	f := &forward{&writer{c: c}, map[*hlo.Value]*hlo.Value{}, map[*hlo.Value]bool{}}
	for i, v := range inputs {
		t := &hlo.Value{Name: unused(main, "tangent"+fmt.Sprint(o.Wrt[i])), Type: v.Type, Pos: main.Pos}
		main.Body.Params = append(main.Body.Params, t)
		f.dot[v] = t
	}
	ret := main.Body.Return()
	for _, v := range ret.Operands {
		f.want[v] = true
	}
	c.wanted(main.Body, f.want)
	f.sweep(main.Body.Ops[:len(main.Body.Ops)-1])
	f.at = ret
	var dots []*hlo.Value
	for _, v := range ret.Operands {
		if differentiable(v.Type.DType) {
			dots = append(dots, f.orZeros(f.dot[v], v.Type))
		}
	}
	main.Body.Ops = append(c.inserted(f.ops), ret)
	return finish(q, dots, o)
}

// begin returns a copy of p that can be changed, and the arguments to differentiate by.
func begin(p *hlo.Program, o Options) (*hlo.Program, []*hlo.Value, error) {
	if len(o.Wrt) == 0 {
		return nil, nil, usage("no arguments are named with respect to which to differentiate")
	}
	main := *p.Main
	k := hlo.NewCopier()
	main.Body = k.Block(p.Main.Body)
	main.Results = slices.Clone(p.Main.Results)
	q := &hlo.Program{File: p.File, Name: p.Name, Main: &main}
	for _, f := range p.Funcs {
		if f == p.Main {
			f = &main
		}
		q.Funcs = append(q.Funcs, f)
	}
	var inputs []*hlo.Value
	for i, n := range o.Wrt {
		switch params := main.Body.Params; {
		case n < 0 || n >= len(params):
			return nil, nil, usage("the program has no argument %d: it has %s", n, number(len(params), "argument"))
		case slices.Contains(o.Wrt[:i], n):
			return nil, nil, usage("argument %d is named twice", n)
		case !params[n].Type.DType.IsFloat():
			return nil, nil, usage("argument %d is %v: only floats have derivatives", n, params[n].Type)
		default:
			inputs = append(inputs, params[n])
		}
	}
	return q, inputs, nil
}

// finish has main return the derivatives.
func finish(q *hlo.Program, derivatives []*hlo.Value, o Options) (*hlo.Program, error) {
	ret := q.Main.Body.Return()
	if o.Only {
		ret.Operands, q.Main.Results = nil, nil
	}
	ret.Operands = append(slices.Clone(ret.Operands), derivatives...)
	for _, v := range derivatives {
		q.Main.Results = append(q.Main.Results, v.Type)
	}
	q.Main.Body.Ops = live(q.Main.Body.Ops)
	q.Funcs = q.Reached()
	number := 0
	renumber(q.Main.Body, &number)
	if err := q.Verify(); err != nil {
		return nil, err
	}
	return q, nil
}

// live returns the operations without those whose results nothing reads.
func live(ops []*hlo.Op) []*hlo.Op {
	read := map[*hlo.Value]bool{}
	var out []*hlo.Op
	for i, o := range slices.Backward(ops) {
		last := i == len(ops)-1
		if !last && removable(o) && !slices.ContainsFunc(o.Results, func(v *hlo.Value) bool { return read[v] }) {
			continue
		}
		reads(o, func(v *hlo.Value) { read[v] = true })
		out = append(out, o)
	}
	slices.Reverse(out)
	return out
}

// removable reports whether an operation has no effect beside its results.
func removable(o *hlo.Op) bool {
	if o.Callee != nil || !o.Is(hlo.Pure) {
		return false
	}
	for _, r := range o.Regions {
		for _, in := range r.Ops[:len(r.Ops)-1] {
			if !removable(in) {
				return false
			}
		}
	}
	return true
}

func renumber(b *hlo.Block, next *int) {
	give := func(vs []*hlo.Value) {
		for _, v := range vs {
			v.ID = *next
			*next++
		}
	}
	give(b.Params)
	for _, o := range b.Ops {
		for _, r := range o.Regions {
			renumber(r, next)
		}
		give(o.Results)
	}
}

// unused is a name for a new argument of f.
func unused(f *hlo.Func, name string) string {
	for slices.ContainsFunc(f.Body.Params, func(v *hlo.Value) bool { return v.Name == name }) {
		name += "_"
	}
	return name
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// recovered turns the panic with which a derivation ends into an error.
func recovered(err *error) {
	switch r := recover().(type) {
	case nil:
	case broken:
		*err = r.err
	default:
		panic(r)
	}
}

// Derivative is the result of Of: the gradients, and the operations that compute them.
type Derivative struct {
	// Gradients are the derivatives with respect to the inputs, in their order.
	Gradients []*hlo.Value
	// Written are the new operations, which follow all given ones.
	Written []*hlo.Op
	// Before lists, for an operation of the given blocks, the new operations that precede it.
	Before map[*hlo.Op][]*hlo.Op
	// Replaced holds, for a call among the given operations, the operations that replace it.
	Replaced map[*hlo.Op][]*hlo.Op
	// program are all operations of main, Before and Written included.
	program []*hlo.Op
}

// Changed returns a block's operations, ops, with the operations of Before inserted and those of Replaced in place of
// calls.
func (d *Derivative) Changed(ops []*hlo.Op) []*hlo.Op {
	var out []*hlo.Op
	for _, o := range ops {
		out = append(out, d.Before[o]...)
		if by, ok := d.Replaced[o]; ok {
			out = append(out, d.Changed(by)...)
			continue
		}
		out = append(out, o)
	}
	return out
}

// Of differentiates a scalar y with respect to inputs within a function that is being built. ops are the operations
// written so far, in order, from the outermost block to the current one; y and the inputs are visible behind the last
// of them. Functions that y depends on through a call are differentiated as a block: Of returns operations that
// replace such calls, and changes loops and sorts in place so that they keep what the derivative reads.
func Of(
	ctx stdcontext.Context, funcs []*hlo.Func, ops []*hlo.Op, y *hlo.Value, inputs []*hlo.Value, memory int64,
) (d *Derivative, err error) {
	defer recovered(&err)
	at := hlo.Pos{}
	if len(ops) > 0 {
		at = ops[len(ops)-1].Pos
	}
	end := &hlo.Op{Name: hlo.OpFuncReturn, Operands: []*hlo.Value{y}, Attrs: hlo.Attrs{}, Pos: at}
	body := &hlo.Block{Ops: append(slices.Clone(ops), end)}
	main := &hlo.Func{Name: "main", Public: true, Body: body, Results: []tensor.Type{y.Type}}
	return derive(ctx, main, funcs, y, nil, inputs, memory)
}

// derive writes the gradient at the end of main.
func derive(
	ctx stdcontext.Context, main *hlo.Func, funcs []*hlo.Func, y, seed *hlo.Value, inputs []*hlo.Value, memory int64,
) (*Derivative, error) {
	c := newContext(ctx, main, memory)
	c.prepare(funcs, inputs)
	ret := main.Body.Return()
	r := newReverse(&writer{c: c, at: ret})
	if seed == nil {
		seed = r.number(y.Type, 1)
	}
	r.give(y, seed)
	ops := main.Body.Ops[:len(main.Body.Ops)-1]
	r.sweep(ops)
	r.at = ret
	d := &Derivative{}
	for _, v := range inputs {
		d.Gradients = append(d.Gradients, r.orZeros(r.ct[v], v.Type))
	}
	d.Written, d.Before, d.Replaced = r.ops, maps.Clone(c.before), c.replaced
	all := slices.Concat(main.Body.Ops[:len(main.Body.Ops)-1], r.ops, []*hlo.Op{ret})
	d.program = c.inserted(all)
	return d, nil
}

// prepare inlines calls, recognises functions and finds what varies with the inputs.
func (c *context) prepare(funcs []*hlo.Func, inputs []*hlo.Value) {
	c.inline(inputs)
	c.recognise(funcs)
	c.vary(inputs)
}
