package eval

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// moveFuncs are the operations that only move elements, on slices of one Go type.
type moveFuncs struct {
	apply  func(v tensor.View, src []any) any
	choose func(pred []bool, t, f any) any
}

func movesOf[T any]() moveFuncs {
	var zero T
	return moveFuncs{
		apply: func(v tensor.View, src []any) any {
			in := make([][]T, len(src))
			for i, s := range src {
				in[i] = s.([]T)
			}
			return tensor.Apply(v, zero, in...)
		},
		choose: func(pred []bool, t, f any) any {
			x, y := t.([]T), f.([]T)
			out := make([]T, len(x))
			for i, p := range pred {
				if p {
					out[i] = x[i]
				} else {
					out[i] = y[i]
				}
			}
			return out
		},
	}
}

// moveFuncsByType holds the moves by element type.
var moveFuncsByType = [...]moveFuncs{
	tensor.Bool: movesOf[bool](),
	tensor.I8:   movesOf[int8](),
	tensor.I16:  movesOf[int16](),
	tensor.I32:  movesOf[int32](),
	tensor.I64:  movesOf[int64](),
	tensor.U8:   movesOf[uint8](),
	tensor.U16:  movesOf[uint16](),
	tensor.U32:  movesOf[uint32](),
	tensor.U64:  movesOf[uint64](),
	tensor.F16:  movesOf[uint16](),
	tensor.BF16: movesOf[uint16](),
	tensor.F32:  movesOf[float32](),
	tensor.F64:  movesOf[float64](),
	tensor.C64:  movesOf[complex64](),
	tensor.C128: movesOf[complex128](),
}

// apply copies elements of src, arrays of one element type, according to a view.
func apply(v tensor.View, src ...*tensor.Array) *tensor.Array {
	d := src[0].DType
	if v.Identity() && len(src) == 1 {
		return &tensor.Array{Type: tensor.Type{DType: d, Shape: v.Shape}, Data: src[0].Data}
	}
	data := make([]any, len(src))
	for i, s := range src {
		data[i] = s.Data
	}
	return &tensor.Array{Type: tensor.Type{DType: d, Shape: v.Shape}, Data: moveFuncsByType[d].apply(v, data)}
}

// take returns the elements of a at the given positions as a vector.
func take(a *tensor.Array, index []int32) *tensor.Array {
	return apply(tensor.Listed(tensor.Shape{len(index)}, a.Len(), func() []int32 { return index }), a)
}

// fill returns a scalar repeated n times.
func fill(a *tensor.Array, s tensor.Shape) *tensor.Array {
	return apply(tensor.Broadcast(tensor.Shape{}, nil, s), a.Reshape(tensor.Shape{}))
}

// choose implements select, by one predicate for all elements or by one predicate per element.
func choose(c *call) ([]*tensor.Array, error) {
	p, t, f := c.args[0], c.args[1], c.args[2]
	pred := p.Data.([]bool)
	if len(p.Shape) == 0 && len(t.Shape) > 0 {
		if pred[0] {
			return one(t), nil
		}
		return one(f), nil
	}
	return one(&tensor.Array{Type: t.Type, Data: moveFuncsByType[t.DType].choose(pred, t.Data, f.Data)}), nil
}

// clamp returns min(max(x, low), high): NaN in any operand gives NaN, and high wins where low
// exceeds it. Scalar bounds apply to all elements.
func clamp(c *call) ([]*tensor.Array, error) {
	x := c.args[1]
	bound := func(b *tensor.Array) *tensor.Array {
		if len(b.Shape) < len(x.Shape) {
			return fill(b, x.Shape)
		}
		return b
	}
	low := *c
	low.args = []*tensor.Array{x, bound(c.args[0])}
	y, err := binaries[hlo.OpMaximum].run(&low)
	if err != nil {
		return nil, err
	}
	low.args = []*tensor.Array{y[0], bound(c.args[2])}
	return binaries[hlo.OpMinimum].run(&low)
}
