package eval

import (
	"context"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// body is a region over scalars (of a reduction, a comparator, …) that is applied to many instances
// at once. If all its operations are elementwise they run once on vectors; otherwise the region
// runs once per instance.
type body struct {
	env    *Env
	block  *hlo.Block
	lifted bool
	size   int                          // length of the vectors in fixed
	fixed  map[*hlo.Value]*tensor.Array // constants and captured values, broadcast to vectors
}

func newBody(env *Env, block *hlo.Block) *body {
	return &body{env: env, block: block, lifted: liftable(block, 0), size: -1}
}

// liftable reports whether all operations of a block are elementwise.
func liftable(b *hlo.Block, depth int) bool {
	for _, op := range b.Ops[:len(b.Ops)-1] {
		for _, list := range [][]*hlo.Value{op.Operands, op.Results} {
			for _, v := range list {
				if len(v.Type.Shape) != 0 {
					return false
				}
			}
		}
		switch {
		case op.Is(hlo.Elementwise), op.Name == hlo.OpConstant, returnsScalar(op):
		case op.Callee != nil && depth < maxDepth && liftable(op.Callee.Body, depth+1):
		default:
			return false
		}
	}
	return true
}

// returnsScalar reports whether an operation on scalars returns its operands.
func returnsScalar(op *hlo.Op) bool { return op.Is(hlo.Moving) || op.Name == hlo.OpOptimizationBarrier }

// apply evaluates the body on instances. args has one vector for each parameter, all of the same
// length, which is also the length of the results.
func (b *body) apply(ctx context.Context, args []*tensor.Array) ([]*tensor.Array, error) {
	n := args[0].Len()
	if b.lifted {
		if n != b.size {
			b.size, b.fixed = n, map[*hlo.Value]*tensor.Array{}
		}
		return b.lift(ctx, b.block, args)
	}
	out := make([][]*tensor.Array, len(b.block.Return().Operands))
	in := make([]*tensor.Array, len(args))
	for i := range n {
		for k, a := range args {
			in[k] = apply(tensor.View{In: n, Offset: i}, a)
		}
		res, err := b.env.Block(ctx, b.block, in)
		if err != nil {
			return nil, err
		}
		for k, r := range res {
			out[k] = append(out[k], r.Reshape(tensor.Shape{1}))
		}
	}
	vectors := make([]*tensor.Array, len(out))
	for k, list := range out {
		if n == 0 {
			vectors[k] = tensor.NewArray(tensor.Type{DType: b.block.Return().Operands[k].Type.DType, Shape: tensor.Shape{0}})
			continue
		}
		shapes := make([]tensor.Shape, n)
		for i := range shapes {
			shapes[i] = tensor.Shape{1}
		}
		vectors[k] = apply(tensor.Concatenated(shapes, 0), list...)
	}
	return vectors, nil
}

// lift evaluates a block of elementwise operations on vectors.
func (b *body) lift(ctx context.Context, block *hlo.Block, args []*tensor.Array) ([]*tensor.Array, error) {
	if err := ctx.Err(); err != nil {
		return nil, stopped(block.Return(), err)
	}
	values := make(map[*hlo.Value]*tensor.Array, len(block.Params)+len(block.Ops))
	for i, p := range block.Params {
		values[p] = args[i]
	}
	operands := func(op *hlo.Op) ([]*tensor.Array, error) {
		in := make([]*tensor.Array, len(op.Operands))
		for i, v := range op.Operands {
			if in[i] = values[v]; in[i] != nil {
				continue
			}
			if in[i] = b.fixed[v]; in[i] != nil {
				continue
			}
			outer := b.env.Get(v)
			if outer == nil {
				return nil, failf(op, "operand %%%s has no value here", v.Name)
			}
			in[i] = fill(outer, tensor.Shape{b.size})
			b.fixed[v] = in[i]
		}
		return in, nil
	}
	last := len(block.Ops) - 1
	for _, op := range block.Ops[:last] {
		in, err := operands(op)
		if err != nil {
			return nil, err
		}
		var out []*tensor.Array
		switch {
		case op.Name == hlo.OpConstant:
			if b.fixed[op.Results[0]] == nil {
				b.fixed[op.Results[0]] = fill(op.Attrs["value"].(*tensor.Array), tensor.Shape{b.size})
			}
			continue
		case returnsScalar(op):
			out = in
		case op.Callee != nil:
			out, err = b.lift(ctx, op.Callee.Body, in)
		default:
			out, err = b.env.Op(ctx, op, in)
		}
		if err != nil {
			return nil, err
		}
		for i, r := range op.Results {
			values[r] = out[i]
		}
	}
	return operands(block.Ops[last])
}

// fold reduces each segment of consecutive elements to one element by the body, which must be
// associative. It combines neighbours pair by pair, in order. values has one vector for each
// operand; no segment is empty. The body's parameters are the left elements, then the right
// elements.
func (b *body) fold(ctx context.Context, values []*tensor.Array, lengths []int) ([]*tensor.Array, error) {
	for {
		var left, right, single []int32
		next := make([]int, len(lengths))
		at, longest := int32(0), 0
		for i, n := range lengths {
			longest = max(longest, n)
			for k := int32(0); k+1 < int32(n); k += 2 {
				left, right = append(left, at+k), append(right, at+k+1)
			}
			if n%2 != 0 {
				single = append(single, at+int32(n)-1)
			}
			next[i] = (n + 1) / 2
			at += int32(n)
		}
		if longest <= 1 {
			return values, nil
		}
		args := make([]*tensor.Array, 2*len(values))
		for k, v := range values {
			args[k], args[len(values)+k] = take(v, left), take(v, right)
		}
		pairs, err := b.apply(ctx, args)
		if err != nil {
			return nil, err
		}
		// Restore the order of the segments: combined pairs, then an unpaired element.
		index := make([]int32, 0, len(left)+len(single))
		pair, rest := int32(0), int32(len(left))
		for _, n := range lengths {
			for range n / 2 {
				index = append(index, pair)
				pair++
			}
			if n%2 != 0 {
				index = append(index, rest)
				rest++
			}
		}
		folded := make([]*tensor.Array, len(values))
		for k, v := range values {
			order := tensor.Listed(tensor.Shape{len(index)}, len(index), func() []int32 { return index })
			folded[k] = apply(order, pairs[k], take(v, single))
		}
		values, lengths = folded, next
	}
}
