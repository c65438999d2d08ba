package exec

import (
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// values are algo.Values: values of an operation, moved by steps of it.
type values struct{ c *opRun }

func (values) Shape(x *value) tensor.Shape { return x.typ.Shape }

// View keeps what is known of a value as a whole (one-hots, copies) through strided views of it. Elements that
// are taken one by one, or from several values, are new values.
func (m values) View(v tensor.View, in ...*value) *value {
	if len(in) == 1 && v.Strided() {
		return m.c.view(in[0], v)
	}
	return m.c.viewAll(v, in)
}

// scalars runs an operation's regions over scalars. All operations of a region that is lifted are steps of the
// operation; a region that is not lifted runs for all instances in parallel.
type scalars struct{ values }

// region returns a region over scalars of the operation.
func (c *opRun) region(b *hlo.Block) *algo.Region[*value] {
	return algo.NewRegion(scalars{values{c}}, b)
}

func (scalars) Constant(a *tensor.Array) *value { return &value{typ: a.Type, owner: Public, arr: a} }

func (s scalars) Captured(o *hlo.Op, v *hlo.Value) (*value, error) {
	if outer := s.c.scope.get(v); outer != nil {
		return s.c.coarse([]*value{s.c.sooner(outer)})[0], nil
	}
	return nil, refuse(o, "operand %"+v.Name+" has no value here", "")
}

func (s scalars) Lifted(o *hlo.Op, in []*value, shape tensor.Shape) ([]*value, error) {
	return s.c.within(o, in, shape)
}

func (s scalars) Once(b *hlo.Block, in []*value) ([]*value, error) {
	return s.c.nested(s.c.o, b, s.c.scope, in)
}

func (scalars) Empty(t tensor.Type) *value {
	return &value{typ: t, owner: Public, arr: tensor.NewArray(t)}
}

// spread broadcasts a scalar to a shape.
func (c *opRun) spread(v *value, shape tensor.Shape) *value { return algo.Spread(values{c}, v, shape) }

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
		args[i] = v.array()
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

// concatenated concatenates values along the first dimension. They may be public, known to a party or secret.
func (c *opRun) concatenated(in []*value) *value { return algo.Concatenated(values{c}, in...) }

// viewed applies a view of several operands that are known to owner.
func (c *opRun) viewed(v tensor.View, owner int, in []*value) *value {
	if owner == Secret && in[0].typ.DType.IsComplex() {
		re, im := make([]*value, len(in)), make([]*value, len(in))
		for i, x := range in {
			re[i], im[i] = c.parts(x)
		}
		return paired(in[0].typ.DType, c.viewAll(v, re), c.viewAll(v, im))
	}
	if owner == Secret {
		return secret(c.Arith.View(c.op, v, c.shareAll(in)...))
	}
	out := &value{typ: tensor.Type{DType: in[0].typ.DType, Shape: v.Shape}, owner: owner}
	if owner != Public && !out.typ.DType.IsComplex() {
		out.made = making(in, v.Shape.Size(), true, func(c *opRun) *fxp.Value { return c.Arith.View(c.op, v, c.shareAll(in)...) })
	}
	out.evaluate(in, func() *tensor.Array {
		arrays := make([]*tensor.Array, len(in))
		for i, x := range in {
			if arrays[i] = x.array(); arrays[i] == nil {
				return nil
			}
		}
		return eval.Copy(v, arrays...)
	})
	return out
}

// viewAll applies a view of several operands.
func (c *opRun) viewAll(v tensor.View, in []*value) *value {
	owner := Public
	for _, x := range in {
		owner = join(owner, x.owner)
	}
	return c.viewed(v, owner, in)
}

// pickedFrom copies elements of a list of operands laid end to end.
func (c *opRun) pickedFrom(index []int32, shape tensor.Shape, in ...*value) *value {
	n := 0
	for _, v := range in {
		n += v.typ.Shape.Size()
	}
	return c.viewAll(tensor.Listed(shape, n, func() []int32 { return index }), in)
}
