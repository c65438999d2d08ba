package exec

import (
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// closureBody is a region over scalars (a reduction's, a scatter's) that is applied to many instances at
// once: its scalars become tensors of one shape, so that many instances take as many rounds as one. A region
// with operations that are not elementwise runs once for each instance, all instances in parallel.
type closureBody struct {
	c      *opRun
	block  *hlo.Block
	lifted bool
}

func (c *opRun) closureBody(b *hlo.Block) *closureBody { return &closureBody{c, b, liftable(b, 0)} }

// returnsScalar reports whether an operation on scalars returns its operands.
func returnsScalar(o *hlo.Op) bool { return o.Is(hlo.Moving) || o.Name == hlo.OpOptimizationBarrier }

// liftable reports whether a block computes element by element on scalars.
func liftable(b *hlo.Block, depth int) bool {
	for _, o := range b.Ops[:len(b.Ops)-1] {
		for _, v := range append(append([]*hlo.Value{}, o.Operands...), o.Results...) {
			if len(v.Type.Shape) != 0 {
				return false
			}
		}
		switch {
		case o.Callee != nil:
			if depth > maxDepth || !liftable(o.Callee.Body, depth+1) {
				return false
			}
		case o.Name == hlo.OpConstant || returnsScalar(o):
		case !o.Is(hlo.Elementwise):
			return false
		}
	}
	return true
}

// apply runs the body on tensors of one shape, one for each parameter.
func (b *closureBody) apply(args ...*value) ([]*value, error) {
	if b.lifted {
		return b.lift(b.block, args[0].typ.Shape, args)
	}
	return b.one(args)
}

// lift runs a block whose scalars are tensors of the given shape. All its operations are steps of the
// operation that the block belongs to.
func (b *closureBody) lift(block *hlo.Block, shape tensor.Shape, args []*value) ([]*value, error) {
	vals := map[*hlo.Value]*value{}
	for i, p := range block.Params {
		vals[p] = args[i]
	}
	operands := func(o *hlo.Op) ([]*value, error) {
		in := make([]*value, len(o.Operands))
		for i, v := range o.Operands {
			if in[i] = vals[v]; in[i] == nil {
				outer := b.c.scope.get(v)
				if outer == nil {
					return nil, refuse(o, "operand %"+v.Name+" has no value here", "")
				}
				vals[v] = b.c.spread(b.c.coarse([]*value{outer})[0], shape)
				in[i] = vals[v]
			}
		}
		return in, nil
	}
	last := len(block.Ops) - 1
	for _, o := range block.Ops[:last] {
		in, err := operands(o)
		if err != nil {
			return nil, err
		}
		var out []*value
		switch {
		case o.Name == hlo.OpConstant:
			a := o.Attrs["value"].(*tensor.Array)
			out = []*value{b.c.spread(&value{typ: a.Type, owner: Public, arr: a}, shape)}
		case returnsScalar(o):
			out = in
		case o.Callee != nil:
			out, err = b.lift(o.Callee.Body, shape, in)
		default:
			out, err = b.c.within(o, in, shape)
		}
		if err != nil {
			return nil, err
		}
		for i, r := range o.Results {
			vals[r] = out[i]
		}
	}
	return operands(block.Ops[last])
}

// spread broadcasts a scalar to a shape.
func (c *opRun) spread(v *value, shape tensor.Shape) *value {
	return c.view(v, tensor.Broadcast(v.typ.Shape, nil, shape))
}

// within runs an elementwise operation o of a body on tensors of the given shape instead of scalars, as a
// step of c.
func (c *opRun) within(o *hlo.Op, in []*value, shape tensor.Shape) ([]*value, error) {
	owner := Public
	for _, v := range in {
		owner = join(owner, v.owner)
	}
	wide := *o
	wide.Results = make([]*hlo.Value, len(o.Results))
	for i, r := range o.Results {
		v := *r
		v.Type.Shape = shape
		wide.Results[i] = &v
	}
	if owner == Secret {
		f := handlerOf(o, in)
		if f == nil {
			return nil, refuse(o, "is not built yet for secret operands", "compute it from values that are public or that one party knows")
		}
		return f(&opRun{run: c.run, op: c.op, o: &wide, scope: c.scope}, in)
	}
	return c.inClear(&wide, in, owner)
}

// inClear evaluates in cleartext an operation of a body whose operands are all public or known to party owner.
func (c *opRun) inClear(o *hlo.Op, in []*value, owner int) ([]*value, error) {
	out := make([]*value, len(o.Results))
	for i, r := range o.Results {
		out[i] = &value{typ: r.Type, owner: owner}
	}
	args := make([]*tensor.Array, len(in))
	for i, v := range in {
		args[i] = v.arr
	}
	res, err := c.evaluate(c.scope, nil, o, owner, args)
	if err != nil {
		return nil, err
	}
	for i, a := range res {
		out[i].arr = a
	}
	return out, nil
}

// one runs the block for each instance.
func (b *closureBody) one(args []*value) ([]*value, error) {
	shape := args[0].typ.Shape
	n := shape.Size()
	results := make([][]*value, len(b.block.Return().Operands))
	for i := range n {
		in := make([]*value, len(args))
		for k, v := range args {
			in[k] = b.c.view(v, tensor.View{In: n, Offset: i})
		}
		out, err := b.c.nested(b.c.o, b.block, b.c.scope, in)
		if err != nil {
			return nil, err
		}
		for k, v := range out {
			results[k] = append(results[k], v)
		}
	}
	out := make([]*value, len(results))
	for k, parts := range results {
		if n == 0 {
			t := tensor.Type{DType: b.block.Return().Operands[k].Type.DType, Shape: shape}
			out[k] = &value{typ: t, owner: Public, arr: tensor.NewArray(t)}
			continue
		}
		for i, p := range parts {
			parts[i] = b.c.view(p, tensor.Reshaped(p.typ.Shape, tensor.Shape{1}))
		}
		all := b.c.concatenated(parts)
		out[k] = b.c.view(all, tensor.Reshaped(all.typ.Shape, shape))
	}
	return out, nil
}

// concatenated concatenates values along the first dimension. They may be public, known to a party or secret.
func (c *opRun) concatenated(in []*value) *value {
	if len(in) == 1 {
		return in[0]
	}
	shapes := make([]tensor.Shape, len(in))
	owner, here := Public, true
	for i, v := range in {
		shapes[i] = v.typ.Shape
		owner = join(owner, v.owner)
		here = here && v.arr != nil
	}
	return c.viewed(tensor.Concatenated(shapes, 0), owner, here, in)
}

// viewed applies a view of several operands that are known to owner; here says whether this party has all of
// them in cleartext.
func (c *opRun) viewed(v tensor.View, owner int, here bool, in []*value) *value {
	if owner == Secret && in[0].typ.DType.IsComplex() {
		re, im := make([]*value, len(in)), make([]*value, len(in))
		for i, x := range in {
			re[i], im[i] = c.parts(x)
		}
		return paired(in[0].typ.DType, c.joinParts(v, re), c.joinParts(v, im))
	}
	if owner == Secret {
		return secret(c.Arith.View(c.op, v, c.shareAll(in)...))
	}
	out := &value{typ: tensor.Type{DType: in[0].typ.DType, Shape: v.Shape}, owner: owner}
	if owner != Public && !out.typ.DType.IsComplex() {
		out.made = making(in, v.Shape.Size(), true, func(c *opRun) *fxp.Value { return c.Arith.View(c.op, v, c.shareAll(in)...) })
	}
	if here {
		arrays := make([]*tensor.Array, len(in))
		for i, x := range in {
			arrays[i] = x.arr
		}
		out.arr = eval.Copy(v, arrays...)
	}
	return out
}

// joinParts applies a view of several operands to real parts.
func (c *opRun) joinParts(v tensor.View, in []*value) *value {
	owner, here := Public, true
	for _, x := range in {
		owner, here = join(owner, x.owner), here && x.arr != nil
	}
	return c.viewed(v, owner, here, in)
}

// pickedFrom copies elements of a list of operands laid end to end.
func (c *opRun) pickedFrom(index []int32, shape tensor.Shape, in ...*value) *value {
	n, owner, here := 0, Public, true
	for _, v := range in {
		n += v.typ.Shape.Size()
		owner = join(owner, v.owner)
		here = here && v.arr != nil
	}
	return c.viewed(tensor.Listed(shape, n, func() []int32 { return index }), owner, here, in)
}
