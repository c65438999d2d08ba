package gomlx

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/notimplemented"
	"github.com/gomlx/compute/shapes"
	"github.com/pkg/errors"

	"github.com/tacet-mpc/tacet/hlo/build"
)

// value is a tensor in a function that is being built.
type value struct {
	in *function
	v  build.Value // in the function's own builder
}

// function builds one function of a program, or a closure: the region of a loop, a branch or a sort.
//
// GoMLX builds a closure before the operation whose region it is, but package build wants a Go function that builds a
// region while it builds the operation. So a closure is built twice: at once into a builder of its own, which only gives
// the shapes of its values, and from its recorded steps wherever an operation uses it.
type function struct {
	notimplemented.Function
	owner  *builder
	parent *function // of a closure; nil for functions
	name   string
	b      *build.Builder

	params  []*value
	names   []string
	results []*value
	ended   bool // Return was called

	steps    []step                 // of a closure
	captured map[*value]build.Value // of a closure: stand-ins of the values of surrounding functions
}

// step is a recorded operation of a closure.
type step struct {
	in, out []*value
	build   buildFunc
}

// buildFunc builds an operation with b. regions builds closures where it stands.
type buildFunc func(b *build.Builder, x []build.Value, regions *scope) []build.Value

// scope knows the values of the functions around the place at which an operation is built.
type scope struct {
	outer  *scope
	in     *function // the function whose own builder is used, at the outermost scope
	values map[*value]build.Value
}

func newFunction(owner *builder, name string, b *build.Builder) *function {
	f := &function{owner: owner, name: name, b: b, captured: map[*value]build.Value{}}
	f.ErrFn = func(op compute.OpType) error {
		return errors.Wrapf(compute.ErrNotImplemented, "gomlx: operation %s has no form in StableHLO here", op)
	}
	return f
}

// lookup returns v where the scope stands.
func (s *scope) lookup(v *value) build.Value {
	for ; s.outer != nil; s = s.outer {
		if found, ok := s.values[v]; ok {
			return found
		}
	}
	if v.in == s.in {
		return v.v
	}
	return s.in.capture(v)
}

// capture returns a stand-in, in a closure's own builder, of a value of a surrounding function.
func (f *function) capture(v *value) build.Value {
	if _, ok := f.captured[v]; !ok {
		t := v.v.Type()
		f.captured[v] = f.b.Arg(fmt.Sprintf("captured%d", len(f.captured)), t.DType, t.Shape...)
	}
	return f.captured[v]
}

// region returns a closure as the Go function that package build calls for the region of an operation.
func (s *scope) region(f *function) func(params []build.Value) []build.Value {
	return func(params []build.Value) []build.Value {
		in := &scope{outer: s, values: map[*value]build.Value{}}
		for i, p := range f.params {
			if i < len(params) {
				in.values[p] = params[i]
			}
		}
		root := s
		for root.outer != nil {
			root = root.outer
		}
		for _, st := range f.steps {
			for i, v := range st.build(root.in.b, in.lookupAll(st.in), in) {
				in.values[st.out[i]] = v
			}
		}
		return in.lookupAll(f.results)
	}
}

func (s *scope) lookupAll(vs []*value) []build.Value {
	var out []build.Value
	for _, v := range vs {
		out = append(out, s.lookup(v))
	}
	return out
}

// add builds an operation and, in a closure, records it.
func (f *function) add(in []compute.Value, do buildFunc) ([]compute.Value, error) {
	if f.ended {
		return nil, errors.Errorf("gomlx: function %q has returned already", f.name)
	}
	xs, err := f.values(in)
	if err != nil {
		return nil, err
	}
	own := &scope{in: f}
	results := do(f.b, own.lookupAll(xs), own)
	if err := f.b.Err(); err != nil {
		return nil, errors.WithStack(err)
	}
	var out []*value
	var list []compute.Value
	for _, r := range results {
		v := &value{in: f, v: r}
		out, list = append(out, v), append(list, v)
	}
	if f.parent != nil {
		f.steps = append(f.steps, step{xs, out, do})
	}
	return list, nil
}

// values returns operands, which belong to f or a function around it.
func (f *function) values(in []compute.Value) ([]*value, error) {
	var out []*value
	for _, x := range in {
		v, ok := x.(*value)
		if !ok {
			return nil, errors.Errorf("gomlx: operand %T is no value of this backend", x)
		}
		at := f
		for at != nil && at != v.in {
			at = at.parent
		}
		if at == nil {
			return nil, errors.Errorf("gomlx: function %q uses a value of function %q, which does not surround it", f.name, v.in.name)
		}
		out = append(out, v)
	}
	return out, nil
}

// one is add for an operation of one result.
func (f *function) one(do func(b *build.Builder, x []build.Value) build.Value, in ...compute.Value) (compute.Value, error) {
	out, err := f.add(in, func(b *build.Builder, x []build.Value, _ *scope) []build.Value { return []build.Value{do(b, x)} })
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// closures returns functions that are closures and have returned.
func closures(list ...compute.Function) ([]*function, error) {
	var out []*function
	for _, c := range list {
		f, ok := c.(*function)
		if !ok || f.parent == nil || !f.ended {
			return nil, errors.Errorf("gomlx: a region must be a closure of this backend that has returned")
		}
		out = append(out, f)
	}
	return out, nil
}

// Name returns the function's name, "" for closures.
func (f *function) Name() string { return f.name }

// Builder returns the computation of which the function is a part.
func (f *function) Builder() compute.Builder { return f.owner }

// Parent returns the function in which a closure stands, nil for other functions.
func (f *function) Parent() compute.Function {
	if f.parent == nil {
		return nil
	}
	return f.parent
}

// Closure returns a new closure inside f.
func (f *function) Closure() (compute.Function, error) {
	c := newFunction(f.owner, "", build.New("closure"))
	c.parent = f
	return c, nil
}

// Parameter declares the function's next parameter. Shardings are refused.
func (f *function) Parameter(name string, shape shapes.Shape, sharding *compute.ShardingSpec) (compute.Value, error) {
	if sharding != nil {
		return nil, f.ErrFn(compute.OpTypeParameter)
	}
	t, err := typeOf(shape)
	if err != nil {
		return nil, err
	}
	v := &value{in: f, v: f.b.Arg(fmt.Sprintf("p%d", len(f.params)), t.DType, t.Shape...)}
	if err := f.b.Err(); err != nil {
		return nil, errors.WithStack(err)
	}
	f.params, f.names = append(f.params, v), append(f.names, name)
	return v, nil
}

// Constant returns a constant, which becomes part of the program and is public.
func (f *function) Constant(flat any, dims ...int) (compute.Value, error) {
	a, err := arrayOf(flat, dims)
	if err != nil {
		return nil, err
	}
	return f.one(func(b *build.Builder, _ []build.Value) build.Value { return b.Array(a) })
}

// Shape returns the shape of a value.
func (f *function) Shape(v compute.Value) (shapes.Shape, error) { return shapeOf(v) }

// Return ends the function with its results.
func (f *function) Return(outputs []compute.Value, shardings []*compute.ShardingSpec) error {
	if slices.ContainsFunc(shardings, func(s *compute.ShardingSpec) bool { return s != nil }) {
		return errors.Wrap(compute.ErrNotImplemented, "gomlx: results have no shardings")
	}
	vs, err := f.values(outputs)
	if err != nil {
		return err
	}
	if f.ended {
		return errors.Errorf("gomlx: function %q has returned already", f.name)
	}
	f.results, f.ended = vs, true
	if f.parent == nil {
		f.b.Return((&scope{in: f}).lookupAll(vs)...)
	}
	return f.b.Err()
}

// Call calls a function of the same computation.
func (f *function) Call(target compute.Function, inputs ...compute.Value) ([]compute.Value, error) {
	t, ok := target.(*function)
	if !ok || t.owner != f.owner || !t.ended {
		return nil, errors.Errorf("gomlx: Call wants a function of the same computation that has returned")
	}
	if t.parent != nil {
		return f.add(inputs, func(_ *build.Builder, x []build.Value, s *scope) []build.Value { return s.region(t)(x) })
	}
	if f.parent != nil { // whose own builder knows no functions of the program
		return nil, errors.Wrapf(compute.ErrNotImplemented, "gomlx: a closure cannot call function %q (call it outside, or make it a closure)", t.name)
	}
	return f.add(inputs, func(b *build.Builder, x []build.Value, _ *scope) []build.Value { return b.Call(t.b, x...) })
}

// While iterates a loop.
func (f *function) While(cond, body compute.Function, initial ...compute.Value) ([]compute.Value, error) {
	c, err := closures(cond, body)
	if err != nil {
		return nil, err
	}
	return f.add(initial, func(b *build.Builder, x []build.Value, s *scope) []build.Value {
		return b.While(x, func(p []build.Value) build.Value { return single(s.region(c[0])(p)) }, s.region(c[1]))
	})
}

// If computes one of two branches.
func (f *function) If(pred compute.Value, yes, no compute.Function) ([]compute.Value, error) {
	c, err := closures(yes, no)
	if err != nil {
		return nil, err
	}
	return f.add([]compute.Value{pred}, func(b *build.Builder, x []build.Value, s *scope) []build.Value {
		then, other := s.region(c[0]), s.region(c[1])
		return b.If(x[0], func() []build.Value { return then(nil) }, func() []build.Value { return other(nil) })
	})
}

// Sort sorts tensors along an axis. Every sort is stable.
func (f *function) Sort(comparator compute.Function, axis int, _ bool, inputs ...compute.Value) ([]compute.Value, error) {
	c, err := closures(comparator)
	if err != nil {
		return nil, err
	}
	return f.add(inputs, func(b *build.Builder, x []build.Value, s *scope) []build.Value {
		less := s.region(c[0])
		return b.Sort(x, axis, func(l, r []build.Value) build.Value { return single(less(append(slices.Clone(l), r...))) })
	})
}

// single returns the only result of a region, or a zero Value, which package build reports.
func single(list []build.Value) build.Value {
	if len(list) != 1 {
		return build.Value{}
	}
	return list[0]
}

func shapeOf(v compute.Value) (shapes.Shape, error) {
	x, ok := v.(*value)
	if !ok {
		return shapes.Invalid(), errors.Errorf("gomlx: %T is no value of this backend", v)
	}
	return shapeOfType(x.v.Type())
}
