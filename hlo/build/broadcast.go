package build

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Broadcast returns x with its elements repeated in the larger shape dims: dimensions are aligned at the end, and
// those of size 1 are repeated.
func (b *Builder) Broadcast(x Value, dims ...int) Value {
	if b.use([]Value{x}) == nil {
		return Value{}
	}
	shape, ok := tensor.CommonShape(x.Shape(), dims)
	if !ok || !shape.Equal(dims) {
		b.fail(fmt.Sprintf("%v does not broadcast to dimensions %v", x, dims), "Reshape it first, or use BroadcastInDim")
		return Value{}
	}
	return b.widen(x, shape)
}

// BroadcastInDim returns a tensor of the given shape in which dimension i of x is dimension at[i], and the elements
// are repeated along the other dimensions. A dimension of x has the size of the result's dimension, or size 1.
func (b *Builder) BroadcastInDim(x Value, at []int, shape ...int) Value {
	if b.use([]Value{x}) == nil {
		return Value{}
	}
	return b.typed(hlo.OpBroadcastInDim, Tensor(x.DType(), shape...), hlo.Attrs{"broadcast_dimensions": ints(at)}, x)
}

// spread is BroadcastInDim, but x itself where it has the shape already.
func (b *Builder) spread(x Value, at []int, shape tensor.Shape) Value {
	if b.m.err != nil || x.v.Type.Shape.Equal(shape) {
		return x
	}
	return b.BroadcastInDim(x, at, shape...)
}

// widen broadcasts x to a shape that it is known to broadcast to.
func (b *Builder) widen(x Value, shape tensor.Shape) Value {
	at := make([]int, x.Rank())
	for i := range at {
		at[i] = len(shape) - len(at) + i
	}
	return b.spread(x, at, shape)
}

// operands makes operands of an elementwise operation of one element type and
// one shape, from Values, arrays and Go numbers. It reports whether they are.
func (b *Builder) operands(xs ...any) ([]Value, bool) {
	if !b.writable() {
		return nil, false
	}
	d := tensor.Invalid
	for i, x := range xs {
		switch x := x.(type) {
		case Value:
			if b.use([]Value{x}) == nil {
				return nil, false
			}
			if d != tensor.Invalid && x.DType() != d {
				b.fail(fmt.Sprintf("operands have elements of types %v and %v", d, x.DType()), "Convert one of them")
				return nil, false
			}
			d = x.DType()
		case *tensor.Array:
			xs[i] = b.Array(x)
			if b.m.err != nil {
				return nil, false
			}
			if d == tensor.Invalid {
				d = x.DType
			}
		}
	}
	if d == tensor.Invalid {
		b.fail("no operand is a Value", "make one of them with Const")
		return nil, false
	}
	vs, shape := make([]Value, len(xs)), tensor.Shape{}
	for i, x := range xs {
		v, ok := x.(Value)
		if !ok {
			v = b.number(d, x)
		}
		if b.m.err != nil {
			return nil, false
		}
		wide, ok := tensor.CommonShape(shape, v.Shape())
		if !ok {
			b.fail(fmt.Sprintf("operands have shapes %v and %v", []int(shape), []int(v.Shape())), "dimensions must be equal or 1, aligned at the end: Reshape or Broadcast an operand")
			return nil, false
		}
		vs[i], shape = v, wide
	}
	for i := range vs {
		vs[i] = b.widen(vs[i], shape)
	}
	return vs, b.m.err == nil
}
