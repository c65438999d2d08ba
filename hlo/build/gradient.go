package build

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/grad"
)

// Gradient returns the derivatives of y, a scalar float such as a loss, with respect to xs, floats on which y may
// depend. It can be called in any function and in the region of a loop or branch, several times, and on what it
// returned. Package hlo/grad describes which operations have derivatives.
func (b *Builder) Gradient(y Value, xs ...Value) []Value {
	failed := make([]Value, len(xs))
	vs := b.use(append([]Value{y}, xs...))
	if !b.writable() || vs == nil {
		return failed
	}
	if y.Rank() > 0 || !y.DType().IsFloat() {
		b.fail(fmt.Sprintf("%v is no scalar float", y), "differentiate a loss: Sum or Mean of a tensor")
		return failed
	}
	for i, x := range xs {
		if !x.DType().IsFloat() {
			b.fail(fmt.Sprintf("value %d is %v: only floats have derivatives", i, x), "Convert it first")
			return failed
		}
	}
	var blocks []*block // from the outermost to the current one
	for at := b.at; at != nil; at = at.outer {
		if at.alone {
			b.fail("within a region of a reduction, sort or the like", "differentiate outside of it")
			return failed
		}
		blocks = append([]*block{at}, blocks...)
	}
	var ops []*hlo.Op
	for _, at := range blocks {
		ops = append(ops, at.Ops...)
	}
	var funcs []*hlo.Func
	for _, f := range b.m.funcs {
		funcs = append(funcs, f.fn)
	}
	d, err := grad.Of(context.Background(), funcs, ops, vs[0], vs[1:], 0)
	if err != nil {
		b.failGradient(err)
		return failed
	}
	for _, at := range blocks {
		at.Ops = d.Changed(at.Ops)
	}
	b.at.Ops = append(b.at.Ops, d.Written...)
	out := make([]Value, len(xs))
	for i, v := range d.Gradients {
		out[i] = Value{v: v, in: b.at}
	}
	return out
}

// failGradient keeps an error of package hlo/grad, which names an operation and the place of its call.
func (b *Builder) failGradient(err error) {
	var e *hlo.Error
	if errors.As(err, &e) {
		b.fail(fmt.Sprintf("%s at %v %s", e.Op, e.Pos, e.Msg), e.Hint)
		return
	}
	b.fail(err.Error(), "see package hlo/grad")
}
