package algo

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Scalars is what a Region needs to run a region.
type Scalars[V any] interface {
	Values[V]
	// Constant returns a public array as a value.
	Constant(a *tensor.Array) V
	// Captured returns the value of v, which operation op reads from outside the region.
	Captured(op *hlo.Op, v *hlo.Value) (V, error)
	// Lifted runs an elementwise operation over scalars on values of the given shape.
	Lifted(op *hlo.Op, in []V, shape tensor.Shape) ([]V, error)
	// Once runs a block on scalars.
	Once(b *hlo.Block, in []V) ([]V, error)
	// Empty returns a value without elements.
	Empty(t tensor.Type) V
}

// Region is a region over scalars (of a reduction, a comparator, …) that is applied to many instances at once. If all
// its operations are elementwise, each runs once, on values that hold all instances; else the region runs once for
// each instance. It implements Combiner.
type Region[V any] struct {
	Scalars[V]
	Block *hlo.Block // the region's block

	lifted bool
	shape  tensor.Shape     // of the values in fixed
	fixed  map[*hlo.Value]V // constants and captured values, spread to shape
}

// NewRegion returns the region that block b holds. s runs its operations.
func NewRegion[V any](s Scalars[V], b *hlo.Block) *Region[V] {
	return &Region[V]{Scalars: s, Block: b, lifted: Liftable(b)}
}

// returnsScalar reports whether an operation on scalars returns its operands.
func returnsScalar(o *hlo.Op) bool { return o.Is(hlo.Moving) || o.Name == hlo.OpOptimizationBarrier }

// maxDepth is the maximum nesting depth of calls in a region that runs on all instances at once.
const maxDepth = 1000

// Liftable reports whether all operations of a block are elementwise operations on scalars, so that each can run once
// on tensors that hold all instances.
func Liftable(b *hlo.Block) bool { return liftable(b, 0) }

func liftable(b *hlo.Block, depth int) bool {
	for _, o := range b.Ops[:len(b.Ops)-1] {
		for _, list := range [][]*hlo.Value{o.Operands, o.Results} {
			for _, v := range list {
				if len(v.Type.Shape) != 0 {
					return false
				}
			}
		}
		switch {
		case o.Callee != nil:
			if depth >= maxDepth || !liftable(o.Callee.Body, depth+1) {
				return false
			}
		case o.Name == hlo.OpConstant || returnsScalar(o):
		case !o.Is(hlo.Elementwise):
			return false
		}
	}
	return true
}

// Apply implements Combiner.
func (r *Region[V]) Apply(args ...V) ([]V, error) {
	shape := r.Shape(args[0])
	if !r.lifted {
		return r.each(args, shape)
	}
	if r.fixed == nil || !shape.Equal(r.shape) {
		r.shape, r.fixed = shape, map[*hlo.Value]V{}
	}
	return r.lift(r.Block, args)
}

// lift runs a block of elementwise operations on values of r.shape.
func (r *Region[V]) lift(b *hlo.Block, args []V) ([]V, error) {
	values := make(map[*hlo.Value]V, len(b.Params)+len(b.Ops))
	for i, p := range b.Params {
		values[p] = args[i]
	}
	last := len(b.Ops) - 1
	for _, o := range b.Ops[:last] {
		if o.Name == hlo.OpConstant {
			v := o.Results[0]
			if _, ok := r.fixed[v]; !ok {
				c, _ := o.Constant()
				r.fixed[v] = Spread(r, r.Constant(c.Array()), r.shape)
			}
			continue
		}
		in, err := r.operands(o, values)
		if err != nil {
			return nil, err
		}
		out := in // of a copy
		switch {
		case o.Callee != nil:
			out, err = r.lift(o.Callee.Body, in)
		case !returnsScalar(o):
			out, err = r.Lifted(o, in, r.shape)
		}
		if err != nil {
			return nil, err
		}
		for i, v := range o.Results {
			values[v] = out[i]
		}
	}
	return r.operands(b.Ops[last], values)
}

// operands returns an operation's operands; those from outside the block are spread to r.shape.
func (r *Region[V]) operands(o *hlo.Op, values map[*hlo.Value]V) ([]V, error) {
	in := make([]V, len(o.Operands))
	for i, v := range o.Operands {
		var ok bool
		if in[i], ok = values[v]; ok {
			continue
		}
		if in[i], ok = r.fixed[v]; ok {
			continue
		}
		outer, err := r.Captured(o, v)
		if err != nil {
			return nil, err
		}
		in[i] = Spread(r, outer, r.shape)
		r.fixed[v] = in[i]
	}
	return in, nil
}

// each runs the block once for each element of args.
func (r *Region[V]) each(args []V, shape tensor.Shape) ([]V, error) {
	n := shape.Size()
	results := make([][]V, len(r.Block.Return().Operands))
	for i := range n {
		in := make([]V, len(args))
		for k, x := range args {
			in[k] = r.View(tensor.View{In: n, Offset: i}, x)
		}
		out, err := r.Once(r.Block, in)
		if err != nil {
			return nil, err
		}
		for k, x := range out {
			results[k] = append(results[k], Reshaped(r, x, tensor.Shape{1}))
		}
	}
	out := make([]V, len(results))
	for k, list := range results {
		if n == 0 {
			out[k] = r.Empty(tensor.Type{DType: r.Block.Return().Operands[k].Type.DType, Shape: shape})
			continue
		}
		out[k] = Reshaped(r, Concatenated(r, list...), shape)
	}
	return out, nil
}
