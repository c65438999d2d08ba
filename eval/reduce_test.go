package eval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// foldNaive reduces by the definition, in row-major order of the reduced elements. next combines
// two states, one value for each operand.
func foldNaive(xs []*tensor.Array, inits []int32, dims []int, out tensor.Shape, next func(acc, v []int32) []int32) []*tensor.Array {
	acc := make([][]int32, out.Size())
	for i := range acc {
		acc[i] = inits
	}
	coords := make([]int, len(xs[0].Shape))
	for i := range xs[0].Len() {
		unravel(coords, i, xs[0].Shape)
		p := 0
		for d, n := range xs[0].Shape {
			if !slices.Contains(dims, d) {
				p = p*n + coords[d]
			}
		}
		var v []int32
		for _, x := range xs {
			v = append(v, words(x)[i])
		}
		acc[p] = next(acc[p], v)
	}
	results := make([]*tensor.Array, len(xs))
	for k := range results {
		results[k] = tensor.NewArray(tensor.Type{DType: tensor.I32, Shape: out})
		for i, a := range acc {
			words(results[k])[i] = a[k]
		}
	}
	return results
}

func affineNaive(acc, v []int32) []int32 { return []int32{acc[0] * v[0], acc[1]*v[0] + v[1]} }

func TestReduceAnyBody(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawShape(rt, 3)
		x, y := drawInts(rt, s, "x"), drawInts(rt, s, "y")
		var dims []int
		out := tensor.Shape{}
		for d, n := range s {
			if rapid.Bool().Draw(rt, "reduce") {
				dims = append(dims, d)
			} else {
				out = append(out, n)
			}
		}
		inits := []int32{3, 5}
		want := foldNaive([]*tensor.Array{x, y}, inits, dims, out, affineNaive)
		args := []*tensor.Array{x, y, scalar(inits[0]), scalar(inits[1])}
		op := newOp("stablehlo.reduce", hlo.Attrs{"dimensions": int64s(dims)}, []tensor.Type{want[0].Type, want[1].Type}, args...)
		op.Regions = []*hlo.Block{affine(tensor.I32)}
		got := must(rt, op, args...)
		same(rt, got[0], want[0])
		same(rt, got[1], want[1])

		simple := newOp("stablehlo.reduce", hlo.Attrs{"dimensions": int64s(dims)}, []tensor.Type{want[0].Type}, x, args[2])
		simple.Regions = []*hlo.Block{combiner("stablehlo.add", tensor.I32)}
		same(rt, must(rt, simple, x, args[2])[0], foldNaive([]*tensor.Array{x}, inits[:1], dims, out, func(acc, v []int32) []int32 {
			return []int32{acc[0] + v[0]}
		})[0])
	})
}

func TestReduceSimpleBodies(t *testing.T) {
	cases := []struct {
		body          string
		x, init, want *tensor.Array
	}{
		{"add", vec[float32](1e8, 1, -1e8), scalar[float32](0), scalar[float32](1)},
		{"add", vec[int8](100, 100), scalar[int8](1), scalar[int8](-55)},
		{"add", vec(false, true, true), scalar(false), scalar(true)},
		{"add", vec[complex64](1, 2i), scalar[complex64](1), scalar[complex64](2 + 2i)},
		{"add", vec[uint16](), scalar[uint16](9), scalar[uint16](9)},
		{"multiply", vec[uint32](1<<16, 1<<16, 3), scalar[uint32](1), scalar[uint32](0)},
		{"multiply", vec(true, false), scalar(true), scalar(false)},
		{"maximum", vec[float32](1, float32(nan), 3), scalar(float32(-inf)), scalar(float32(nan))},
		{"maximum", vec[int64](-5, -7), scalar[int64](-9), scalar[int64](-5)},
		{"maximum", vec(false, true), scalar(false), scalar(true)},
		{"minimum", half(tensor.BF16, 3, -2), half(tensor.BF16, inf).Reshape(tensor.Shape{}), half(tensor.BF16, -2).Reshape(tensor.Shape{})},
		{"minimum", vec[uint8](200, 7), scalar[uint8](255), scalar[uint8](7)},
		{"minimum", vec(true, false), scalar(true), scalar(false)},
		{"and", vec[int8](-2, 7), scalar[int8](-1), scalar[int8](6)},
		{"and", vec(true, true), scalar(true), scalar(true)},
		{"or", vec[uint64](1, 1<<63), scalar[uint64](0), scalar[uint64](1<<63 + 1)},
		{"xor", vec(true, true, true), scalar(false), scalar(true)},
	}
	for _, c := range cases {
		op := newOp("stablehlo.reduce", hlo.Attrs{"dimensions": ints(0)}, []tensor.Type{c.want.Type}, c.x, c.init)
		op.Regions = []*hlo.Block{combiner("stablehlo."+c.body, c.x.DType)}
		same(t, must(t, op, c.x, c.init)[0], c.want)
	}
}

// A body that is not elementwise runs once per pair of elements.
func TestReduceWithBranches(t *testing.T) {
	r := newRegion(tensor.I32, tensor.I32)
	greater := r.add("stablehlo.compare", hlo.Attrs{"comparison_direction": hlo.Enum("GT")}, typ(tensor.Bool), r.Params[0], r.Params[1])
	v := r.add("stablehlo.if", nil, typ(tensor.I32), greater)
	r.Ops[1].Regions = []*hlo.Block{newRegion().ret(r.Params[0]), newRegion().ret(r.Params[1])}
	x, init := shaped([]int32{3, 9, 4, -1, -5, -2}, 2, 3), scalar[int32](0)
	op := newOp("stablehlo.reduce", hlo.Attrs{"dimensions": ints(1)}, []tensor.Type{typ(tensor.I32, 2)}, x, init)
	op.Regions = []*hlo.Block{r.ret(v)}
	same(t, must(t, op, x, init)[0], vec[int32](9, 0))

	empty := shaped([]int32{}, 0, 3)
	op.Operands[0].Type, op.Results[0].Type = empty.Type, typ(tensor.I32, 0)
	same(t, must(t, op, empty, init)[0], vec[int32]())
}

// windowCase is a random geometry of reduce_window.
type windowCase struct {
	in                                                tensor.Shape
	size, stride, low, high, base, dilation, interior []int
}

func drawWindow(rt *rapid.T) (w windowCase, out tensor.Shape) {
	out = tensor.Shape{}
	for range rapid.IntRange(0, 3).Draw(rt, "rank") {
		n, size := rapid.IntRange(0, 5).Draw(rt, "n"), rapid.IntRange(1, 5).Draw(rt, "size")
		stride, base, dil := rapid.IntRange(1, 3).Draw(rt, "stride"), rapid.IntRange(1, 2).Draw(rt, "base"), rapid.IntRange(1, 2).Draw(rt, "dilation")
		low, high := rapid.IntRange(-1, 3).Draw(rt, "low"), rapid.IntRange(-1, 3).Draw(rt, "high")
		w.in = append(w.in, n)
		w.size, w.stride, w.base, w.dilation = append(w.size, size), append(w.stride, stride), append(w.base, base), append(w.dilation, dil)
		w.low, w.high, w.interior = append(w.low, low), append(w.high, high), append(w.interior, base-1)
		padded := low + high
		if n > 0 {
			padded += (n-1)*base + 1
		}
		if padded < 0 {
			rt.Skip("refused by the verifier")
		}
		room := padded - (size-1)*dil
		count := 0
		if padded > 0 && room > 0 {
			count = (room-1)/stride + 1
		}
		out = append(out, count)
	}
	return w, out
}

// drawn is 1 where a view has an element of its operand.
func drawn(v tensor.View) *tensor.Array {
	out := make([]int32, v.Shape.Size())
	for i, p := range v.Index() {
		if p != tensor.Fill {
			out[i] = 1
		}
	}
	return shaped(out, v.Shape...)
}

// reduce_window equals reductions of windows cut out of the padded operand.
func TestReduceWindow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, out := drawWindow(rt)
		x, y := drawInts(rt, w.in, "x"), drawInts(rt, w.in, "y")
		inits := []*tensor.Array{scalar[int32](3), scalar[int32](5)}
		view := tensor.Padded(w.in, w.low, w.high, w.interior)
		px, py := apply(view, x), apply(view, y)
		held := drawn(view)
		element := func(k int) func(c []int) int32 {
			return func(c []int) int32 {
				acc := []int32{3, 5}
				tap, src := make([]int, len(c)), make([]int, len(c))
				for i := range tensor.Shape(w.size).Size() {
					unravel(tap, i, w.size)
					for d := range c {
						src[d] = c[d]*w.stride[d] + tap[d]*w.dilation[d]
					}
					if at(held, src) != 0 { // not in padding
						acc = affineNaive(acc, []int32{at(px, src), at(py, src)})
					}
				}
				return acc[k]
			}
		}
		var padding []int64
		for d := range w.low {
			padding = append(padding, int64(w.low[d]), int64(w.high[d]))
		}
		args := []*tensor.Array{x, y, inits[0], inits[1]}
		op := newOp("stablehlo.reduce_window", hlo.Attrs{
			"window_dimensions": int64s(w.size), "window_strides": int64s(w.stride), "padding": padding,
			"base_dilations": int64s(w.base), "window_dilations": int64s(w.dilation),
		}, []tensor.Type{typ(tensor.I32, out...), typ(tensor.I32, out...)}, args...)
		op.Regions = []*hlo.Block{affine(tensor.I32)}
		got := must(rt, op, args...)
		same(rt, got[0], built(out, element(0)))
		same(rt, got[1], built(out, element(1)))
	})
}

// XLA's result of lax.reduce_window(arange(5), 2, lax.add, (3,), (1,), ((1, 1),)): padding takes no
// part, whatever the initial value.
func TestReduceWindowPadding(t *testing.T) {
	x, init := vec[int32](0, 1, 2, 3, 4), scalar[int32](2)
	op := newOp("stablehlo.reduce_window", hlo.Attrs{
		"window_dimensions": ints(3), "window_strides": ints(1), "padding": ints(1, 1), "base_dilations": ints(1), "window_dilations": ints(1),
	}, []tensor.Type{x.Type}, x, init)
	op.Regions = []*hlo.Block{combiner("stablehlo.add", tensor.I32)}
	same(t, must(t, op, x, init)[0], vec[int32](3, 5, 8, 11, 9))
}

// The gradient of max-pooling.
func TestSelectAndScatter(t *testing.T) {
	x := shaped([]float32{
		7, 2, 5, 3, 10,
		2, 3, 8, 9, 3,
		4, 2, 1, 5, 4,
		5, 6, 2, 1, 6}, 4, 5)
	source := shaped([]float32{2, 6, 3, 1}, 2, 2)
	cases := []struct {
		stride, padding []int64
		want            *tensor.Array
	}{
		{ints(2, 2), ints(0, 0, 0, 0), shaped([]float32{
			0, 0, 0, 0, 6,
			0, 0, 2, 0, 0,
			0, 0, 0, 0, 0,
			0, 3, 0, 0, 1}, 4, 5)},
		{ints(2, 3), ints(0, 0, 0, 1), shaped([]float32{
			0, 0, 0, 0, 6,
			0, 0, 2, 0, 0,
			0, 0, 0, 0, 0,
			0, 3, 0, 0, 1}, 4, 5)},
		{ints(1, 1), ints(0, -1, -1, 0), shaped([]float32{ // rows 0 to 2, columns 1 to 4
			0, 0, 0, 0, 6,
			0, 0, 0, 3 + 1 + 2, 0,
			0, 0, 0, 0, 0,
			0, 0, 0, 0, 0}, 4, 5)},
	}
	for _, c := range cases {
		init := scalar[float32](0)
		op := newOp("stablehlo.select_and_scatter", hlo.Attrs{
			"window_dimensions": ints(2, 3), "window_strides": c.stride, "padding": c.padding,
		}, []tensor.Type{x.Type}, x, source, init)
		r := newRegion(tensor.F32, tensor.F32)
		ge := r.add("stablehlo.compare", hlo.Attrs{"comparison_direction": hlo.Enum("GE"), "compare_type": hlo.Enum("FLOAT")}, typ(tensor.Bool), r.Params[0], r.Params[1])
		op.Regions = []*hlo.Block{r.ret(ge), combiner("stablehlo.add", tensor.F32)}
		same(t, must(t, op, x, source, init)[0], c.want)
	}
}
