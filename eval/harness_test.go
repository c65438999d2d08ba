package eval

import (
	"context"
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// vec returns a vector of the element type that belongs to T.
func vec[T any](values ...T) *tensor.Array {
	var d tensor.DType
	switch any(values).(type) {
	case []bool:
		d = tensor.Bool
	case []int8:
		d = tensor.I8
	case []int16:
		d = tensor.I16
	case []int32:
		d = tensor.I32
	case []int64:
		d = tensor.I64
	case []uint8:
		d = tensor.U8
	case []uint16:
		d = tensor.U16
	case []uint32:
		d = tensor.U32
	case []uint64:
		d = tensor.U64
	case []float32:
		d = tensor.F32
	case []float64:
		d = tensor.F64
	case []complex64:
		d = tensor.C64
	case []complex128:
		d = tensor.C128
	default:
		panic(fmt.Sprintf("no element type for %T", values))
	}
	return &tensor.Array{Type: tensor.Type{DType: d, Shape: tensor.Shape{len(values)}}, Data: values}
}

// shaped returns vec with a shape; without a shape, a scalar.
func shaped[T any](a []T, s ...int) *tensor.Array { return vec(a...).Reshape(tensor.Shape(s)) }

func scalar[T any](v T) *tensor.Array { return shaped([]T{v}) }

// half returns a vector of a 16-bit float type.
func half(d tensor.DType, values ...float64) *tensor.Array {
	return tensor.FromFloats(d, tensor.Shape{len(values)}, values)
}

func typ(d tensor.DType, s ...int) tensor.Type { return tensor.Type{DType: d, Shape: tensor.Shape(s)} }

// newOp returns an operation whose operands have the types of the arguments.
func newOp(name string, attrs hlo.Attrs, results []tensor.Type, args ...*tensor.Array) *hlo.Op {
	op := &hlo.Op{Name: name, Attrs: attrs, Pos: hlo.Pos{File: "test.mlir", Line: 3, Col: 7}}
	for i, a := range args {
		op.Operands = append(op.Operands, &hlo.Value{Name: fmt.Sprintf("arg%d", i), Type: a.Type})
	}
	for i, t := range results {
		op.Results = append(op.Results, &hlo.Value{Name: fmt.Sprintf("r%d", i), Type: t})
	}
	return op
}

// do evaluates an operation with one result.
func do(t rapid.TB, name string, attrs hlo.Attrs, result tensor.Type, args ...*tensor.Array) *tensor.Array {
	t.Helper()
	return must(t, newOp(name, attrs, []tensor.Type{result}, args...), args...)[0]
}

// must evaluates an operation, in its canonical form, and checks the types of the results.
func must(t rapid.TB, op *hlo.Op, args ...*tensor.Array) []*tensor.Array {
	t.Helper()
	values := map[*hlo.Value]*tensor.Array{}
	for i, v := range op.Operands {
		values[v] = args[i]
	}
	var out []*tensor.Array
	for _, o := range op.Canonical() {
		in := make([]*tensor.Array, len(o.Operands))
		for i, v := range o.Operands {
			in[i] = values[v]
		}
		var err error
		if out, err = Op(context.Background(), o, in); err != nil {
			t.Fatal(err)
		}
		for i, r := range o.Results {
			values[r] = out[i]
		}
	}
	for i, r := range op.Results {
		if !out[i].Type.Equal(r.Type) {
			t.Fatalf("%s: result %d is %s, want %s", op.Name, i, out[i].Type, r.Type)
		}
	}
	return out
}

// same requires equal types and elements: -0 and 0 differ, NaN equals NaN.
func same(t rapid.TB, got, want *tensor.Array) {
	t.Helper()
	if !got.Type.Equal(want.Type) {
		t.Fatalf("got %s, want %s", got.Type, want.Type)
	}
	if g, w := fmt.Sprint(got.Data), fmt.Sprint(want.Data); g != w {
		t.Fatalf("got  %s\nwant %s", g, w)
	}
}

// near requires equal types, and elements equal up to a relative error (absolute below 1).
func near(t rapid.TB, got, want *tensor.Array, tolerance float64) {
	t.Helper()
	if !got.Type.Equal(want.Type) {
		t.Fatalf("got %s, want %s", got.Type, want.Type)
	}
	g, w := complexes(got), complexes(want)
	for i := range w {
		for _, p := range [][2]float64{{real(g[i]), real(w[i])}, {imag(g[i]), imag(w[i])}} {
			x, y := p[0], p[1]
			if x == y || math.IsNaN(x) && math.IsNaN(y) {
				continue
			}
			if !(math.Abs(x-y) <= tolerance*max(1, math.Abs(y))) {
				t.Fatalf("element %d: got %v, want %v\nall: got  %v\nwant %v", i, g[i], w[i], got.Data, want.Data)
			}
		}
	}
}

// region builds a block over scalars.
type region struct{ *hlo.Block }

func newRegion(params ...tensor.DType) region {
	b := &hlo.Block{}
	for i, d := range params {
		b.Params = append(b.Params, &hlo.Value{Name: fmt.Sprintf("p%d", i), Type: typ(d)})
	}
	return region{b}
}

func (r region) add(name string, attrs hlo.Attrs, result tensor.Type, operands ...*hlo.Value) *hlo.Value {
	v := &hlo.Value{Name: fmt.Sprintf("v%d", len(r.Ops)), Type: result}
	r.Ops = append(r.Ops, &hlo.Op{Name: name, Attrs: attrs, Operands: operands, Results: []*hlo.Value{v}})
	return v
}

func (r region) ret(operands ...*hlo.Value) *hlo.Block {
	r.Ops = append(r.Ops, &hlo.Op{Name: "stablehlo.return", Operands: operands})
	return r.Block
}

// combiner returns a body of one operation on two scalars.
func combiner(name string, d tensor.DType) *hlo.Block {
	r := newRegion(d, d)
	return r.ret(r.add(name, nil, typ(d), r.Params[0], r.Params[1]))
}

// affine returns a body that composes affine maps x → a·x + b, given as two operands. It is
// associative but not commutative.
func affine(d tensor.DType) *hlo.Block {
	r := newRegion(d, d, d, d) // a, b, then c, e
	p := r.Params
	ac := r.add("stablehlo.multiply", nil, typ(d), p[0], p[2])
	bc := r.add("stablehlo.multiply", nil, typ(d), p[1], p[2])
	return r.ret(ac, r.add("stablehlo.add", nil, typ(d), bc, p[3]))
}

func ints(v ...int64) []int64 {
	if v == nil {
		return []int64{}
	}
	return v
}

// unravel writes the coordinates of row-major position p to at.
func unravel(at []int, p int, s tensor.Shape) {
	for d := len(s) - 1; d >= 0; d-- {
		at[d] = p % s[d]
		p /= s[d]
	}
}
