package grad

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// writer appends operations to a list. The operations have the position and the name of the operation whose derivative
// is being written.
type writer struct {
	c   *context
	ops []*hlo.Op
	at  *hlo.Op
}

// broken is the panic of a rule that writes an operation against the registry's rules, and of a program that grows too
// large. The package's functions return it as an error.
type broken struct{ err error }

// emit appends an operation. results are the types of the results, nil where they follow from the operands.
func (w *writer) emit(name string, results []tensor.Type, attrs hlo.Attrs, regions []*hlo.Block, operands ...*hlo.Value) []*hlo.Value {
	if attrs == nil {
		attrs = hlo.Attrs{}
	}
	o := &hlo.Op{Name: name, Operands: slices.Clone(operands), Attrs: attrs, Regions: regions}
	if w.at != nil {
		o.Pos, o.Loc = w.at.Pos, w.at.Loc
	}
	for _, t := range results {
		o.Results = append(o.Results, &hlo.Value{Type: t})
	}
	if err := o.Infer(); err != nil {
		panic(broken{fmt.Errorf("the derivative of %s needs %s, which %w", w.at.Title(), name, err)})
	}
	for _, v := range o.Results {
		v.Pos = o.Pos
	}
	w.append(o)
	return o.Results
}

// append appends an operation that is made.
func (w *writer) append(o *hlo.Op) {
	if w.c.written++; w.c.written > maxOps {
		panic(broken{fmt.Errorf("the derivative has more than %d operations: write repeated parts as a loop", maxOps)})
	}
	w.c.define(o)
	w.ops = append(w.ops, o)
}

// one appends an operation of one result, whose type follows from the operands.
func (w *writer) one(name string, attrs hlo.Attrs, operands ...*hlo.Value) *hlo.Value {
	return w.emit(name, nil, attrs, nil, operands...)[0]
}

// typed appends an operation of one result of type t.
func (w *writer) typed(name string, t tensor.Type, attrs hlo.Attrs, operands ...*hlo.Value) *hlo.Value {
	return w.emit(name, []tensor.Type{t}, attrs, nil, operands...)[0]
}

func (w *writer) add(x, y *hlo.Value) *hlo.Value { return w.one(hlo.OpAdd, nil, x, y) }
func (w *writer) sub(x, y *hlo.Value) *hlo.Value { return w.one(hlo.OpSubtract, nil, x, y) }
func (w *writer) div(x, y *hlo.Value) *hlo.Value { return w.one(hlo.OpDivide, nil, x, y) }
func (w *writer) neg(x *hlo.Value) *hlo.Value    { return w.one(hlo.OpNegate, nil, x) }

// mul is x·y, without the product where a factor is the constant 1.
func (w *writer) mul(x, y *hlo.Value) *hlo.Value {
	if k, ok := w.c.splat(y); ok && k == 1 {
		return x
	}
	if k, ok := w.c.splat(x); ok && k == 1 {
		return y
	}
	return w.one(hlo.OpMultiply, nil, x, y)
}

// times is k·x.
func (w *writer) times(x *hlo.Value, k float64) *hlo.Value { return w.mul(x, w.number(x.Type, k)) }

// plus is x + k.
func (w *writer) plus(x *hlo.Value, k float64) *hlo.Value { return w.add(x, w.number(x.Type, k)) }

// minusFrom is k − x.
func (w *writer) minusFrom(k float64, x *hlo.Value) *hlo.Value { return w.sub(w.number(x.Type, k), x) }

// number is a constant of type t whose elements are x.
func (w *writer) number(t tensor.Type, x float64) *hlo.Value {
	var a *tensor.Array
	switch {
	case t.DType.IsComplex():
		part := tensor.F32
		if t.DType == tensor.C128 {
			part = tensor.F64
		}
		pt := tensor.Type{DType: part, Shape: t.Shape}
		return w.one(hlo.OpComplex, nil, w.number(pt, x), w.number(pt, 0))
	case t.DType.IsFloat():
		a = tensor.FromFloats(t.DType, tensor.Shape{}, []float64{x})
	default:
		a = tensor.FromWords(t.DType, tensor.Shape{}, []uint64{uint64(int64(x))})
	}
	return w.broadcast(w.constant(a), nil, t.Shape)
}

// constant is a constant array.
func (w *writer) constant(a *tensor.Array) *hlo.Value {
	return w.typed(hlo.OpConstant, a.Type, hlo.Attrs{"value": a})
}

// zeros is a constant of zeros, false for booleans.
func (w *writer) zeros(t tensor.Type) *hlo.Value { return w.number(t, 0) }

// orZeros is v, or zeros of type t if v is nil.
func (w *writer) orZeros(v *hlo.Value, t tensor.Type) *hlo.Value {
	if v == nil {
		return w.zeros(t)
	}
	return v
}

// sum is x + y, where nil stands for zero.
func (w *writer) sum(x, y *hlo.Value) *hlo.Value {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return w.add(x, y)
}

// broadcast repeats v in a larger shape: dimension i of v becomes dimension dims[i].
func (w *writer) broadcast(v *hlo.Value, dims []int, to tensor.Shape) *hlo.Value {
	if len(dims) == len(to) && v.Type.Shape.Equal(to) && slices.IsSorted(dims) {
		return v
	}
	return w.typed(hlo.OpBroadcastInDim, tensor.Type{DType: v.Type.DType, Shape: to.Clone()}, hlo.Attrs{"broadcast_dimensions": list(dims)}, v)
}

// along repeats v, which lacks the dimensions axes, along them.
func (w *writer) along(v *hlo.Value, axes []int, to tensor.Shape) *hlo.Value {
	var dims []int
	for d := range to {
		if !slices.Contains(axes, d) {
			dims = append(dims, d)
		}
	}
	return w.broadcast(v, dims, to)
}

// reshape is v in another shape.
func (w *writer) reshape(v *hlo.Value, to tensor.Shape) *hlo.Value {
	if v.Type.Shape.Equal(to) {
		return v
	}
	return w.typed(hlo.OpReshape, tensor.Type{DType: v.Type.DType, Shape: to.Clone()}, nil, v)
}

// transpose permutes dimensions: dimension i of the result is dimension perm[i] of v.
func (w *writer) transpose(v *hlo.Value, perm []int) *hlo.Value {
	if slices.IsSorted(perm) {
		return v
	}
	return w.one(hlo.OpTranspose, hlo.Attrs{"permutation": list(perm)}, v)
}

// swapped is a batch of matrices, each transposed.
func (w *writer) swapped(v *hlo.Value) *hlo.Value {
	perm := count(len(v.Type.Shape))
	n := len(perm)
	perm[n-1], perm[n-2] = n-2, n-1
	return w.transpose(v, perm)
}

// matmul is the product of two batches of matrices.
func (w *writer) matmul(x, y *hlo.Value) *hlo.Value {
	n := len(x.Type.Shape)
	b := count(n - 2)
	return w.one(hlo.OpDotGeneral, hlo.Attrs{"dot_dimension_numbers": &hlo.DotDims{
		LHSBatch: b, RHSBatch: slices.Clone(b), LHSContract: []int{n - 1}, RHSContract: []int{n - 2},
	}}, x, y)
}

// reverse reverses dimensions.
func (w *writer) reverse(v *hlo.Value, dims []int) *hlo.Value {
	if len(dims) == 0 {
		return v
	}
	return w.one(hlo.OpReverse, hlo.Attrs{"dimensions": list(dims)}, v)
}

// slice is the part of v from start to limit along dimension d, by steps of stride.
func (w *writer) slice(v *hlo.Value, start, limit, stride []int) *hlo.Value {
	return w.one(hlo.OpSlice, hlo.Attrs{"start_indices": list(start), "limit_indices": list(limit), "strides": list(stride)}, v)
}

// part is the part of v from start to limit along dimension d.
func (w *writer) part(v *hlo.Value, d, start, limit int) *hlo.Value {
	n := len(v.Type.Shape)
	from, to, step := make([]int, n), slices.Clone([]int(v.Type.Shape)), slices.Repeat([]int{1}, n)
	from[d], to[d] = start, limit
	return w.slice(v, from, to, step)
}

// pad puts zeros around and between the elements of v.
func (w *writer) pad(v *hlo.Value, low, high, interior []int) *hlo.Value {
	return w.padWith(v, w.zeros(scalar(v.Type.DType)), low, high, interior)
}

func (w *writer) padWith(v, with *hlo.Value, low, high, interior []int) *hlo.Value {
	zero := func(n int) bool { return n != 0 }
	if !slices.ContainsFunc(low, zero) && !slices.ContainsFunc(high, zero) && !slices.ContainsFunc(interior, zero) {
		return v
	}
	return w.one(hlo.OpPad, hlo.Attrs{"edge_padding_low": list(low), "edge_padding_high": list(high), "interior_padding": list(interior)}, v, with)
}

// total is the sum of v along dimensions.
func (w *writer) total(v *hlo.Value, dims []int) *hlo.Value {
	if len(dims) == 0 {
		return v
	}
	return w.reduce(hlo.OpAdd, v, w.zeros(scalar(v.Type.DType)), dims)
}

// reduce combines elements along dimensions by the operation name.
func (w *writer) reduce(name string, v, init *hlo.Value, dims []int) *hlo.Value {
	return w.emit(hlo.OpReduce, nil, hlo.Attrs{"dimensions": list(dims)}, []*hlo.Block{w.combiner(name, v.Type.DType)}, v, init)[0]
}

// combiner is a region that applies an operation to two elements.
func (w *writer) combiner(name string, d tensor.DType) *hlo.Block {
	return w.region([]tensor.Type{scalar(d), scalar(d)}, func(in *writer, p []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{in.one(name, nil, p...)}
	})
}

// region is a block of an operation.
func (w *writer) region(params []tensor.Type, body func(in *writer, p []*hlo.Value) []*hlo.Value) *hlo.Block {
	b := &hlo.Block{}
	for _, t := range params {
		b.Params = append(b.Params, &hlo.Value{Type: t, Pos: w.at.Pos})
	}
	in := &writer{c: w.c, at: w.at}
	out := body(in, b.Params)
	b.Ops = append(in.ops, &hlo.Op{Name: hlo.OpReturn, Operands: out, Attrs: hlo.Attrs{}, Pos: w.at.Pos})
	return b
}

// compare is a comparison, LT, LE, GT, GE, EQ or NE.
func (w *writer) compare(dir string, x, y *hlo.Value) *hlo.Value {
	return w.one(hlo.OpCompare, hlo.Attrs{"comparison_direction": hlo.Enum(dir)}, x, y)
}

// choose is x where p is true, else y.
func (w *writer) choose(p, x, y *hlo.Value) *hlo.Value { return w.one(hlo.OpSelect, nil, p, x, y) }

// where is x where p is true, else 0.
func (w *writer) where(p, x *hlo.Value) *hlo.Value { return w.choose(p, x, w.zeros(x.Type)) }

// unless is 0 where p is true, else x.
func (w *writer) unless(p, x *hlo.Value) *hlo.Value { return w.choose(p, w.zeros(x.Type), x) }

// convert is x with elements of type d.
func (w *writer) convert(x *hlo.Value, d tensor.DType) *hlo.Value {
	if x.Type.DType == d {
		return x
	}
	return w.typed(hlo.OpConvert, tensor.Type{DType: d, Shape: x.Type.Shape}, nil, x)
}

// iota counts along dimension d.
func (w *writer) iota(t tensor.Type, d int) *hlo.Value {
	return w.typed(hlo.OpIota, t, hlo.Attrs{"iota_dimension": int64(d)})
}

// lowest is the lowest value of a type, highest the highest one.
func lowest(d tensor.DType) float64 {
	if d.IsFloat() {
		return math.Inf(-1)
	}
	return -highest(d) - 1
}

func highest(d tensor.DType) float64 {
	if d.IsFloat() {
		return math.Inf(1)
	}
	return float64(int64(1)<<(d.Bits()-1) - 1)
}

// list is a list of integers as attributes have it.
func list(dims []int) []int64 {
	out := make([]int64, len(dims))
	for i, d := range dims {
		out[i] = int64(d)
	}
	return out
}

// count is 0, 1, …, n−1.
func count(n int) []int {
	out := make([]int, max(n, 0))
	for i := range out {
		out[i] = i
	}
	return out
}

// scalar is the scalar type of an element type.
func scalar(d tensor.DType) tensor.Type { return tensor.Type{DType: d, Shape: tensor.Shape{}} }

// without is s without the dimensions dims.
func without(n int, dims []int) []int {
	var out []int
	for i := range n {
		if !slices.Contains(dims, i) {
			out = append(out, i)
		}
	}
	return out
}
