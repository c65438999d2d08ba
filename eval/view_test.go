package eval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// counting returns an array in which each element is its position plus from.
func counting(s tensor.Shape, from int) *tensor.Array {
	w := make([]uint64, s.Size())
	for i := range w {
		w[i] = uint64(i + from)
	}
	return tensor.FromWords(tensor.I32, s, w)
}

// at returns an element by its coordinates.
func at(a *tensor.Array, coords []int) int32 {
	p := 0
	for d, c := range coords {
		p = p*a.Shape[d] + c
	}
	return a.Data.([]int32)[p]
}

// built returns an array computed from coordinates.
func built(s tensor.Shape, f func(c []int) int32) *tensor.Array {
	a := tensor.NewArray(tensor.Type{DType: tensor.I32, Shape: s})
	coords := make([]int, len(s))
	for i := range a.Data.([]int32) {
		unravel(coords, i, s)
		a.Data.([]int32)[i] = f(coords)
	}
	return a
}

func drawShape(rt *rapid.T, most int) tensor.Shape {
	return tensor.Shape(rapid.SliceOfN(rapid.IntRange(0, 4), 0, most).Draw(rt, "shape"))
}

func int64s(v []int) []int64 {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return out
}

// draws returns a list with a random value for each dimension.
func draws(rt *rapid.T, s tensor.Shape, name string, f func(d, n int) *rapid.Generator[int]) []int {
	out := make([]int, len(s))
	for d, n := range s {
		out[d] = f(d, n).Draw(rt, name)
	}
	return out
}

func TestTransposeAndReverse(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := counting(drawShape(rt, 4), 0)
		perm := rapid.Permutation(ascendingInts(len(x.Shape))).Draw(rt, "perm")
		out := make(tensor.Shape, len(perm))
		for i, p := range perm {
			out[i] = x.Shape[p]
		}
		got := do(rt, "stablehlo.transpose", hlo.Attrs{"permutation": int64s(perm)}, typ(tensor.I32, out...), x)
		same(rt, got, built(out, func(c []int) int32 {
			src := make([]int, len(c))
			for i, p := range perm {
				src[p] = c[i]
			}
			return at(x, src)
		}))

		dims := perm[:len(perm)/2]
		got = do(rt, "stablehlo.reverse", hlo.Attrs{"dimensions": int64s(dims)}, x.Type, x)
		same(rt, got, built(x.Shape, func(c []int) int32 {
			src := slices.Clone(c)
			for _, d := range dims {
				src[d] = x.Shape[d] - 1 - c[d]
			}
			return at(x, src)
		}))
	})
}

func ascendingInts(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestSlice(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := counting(drawShape(rt, 4), 0)
		start := draws(rt, x.Shape, "start", func(_, n int) *rapid.Generator[int] { return rapid.IntRange(0, n) })
		limit := draws(rt, x.Shape, "limit", func(d, n int) *rapid.Generator[int] { return rapid.IntRange(start[d], n) })
		stride := draws(rt, x.Shape, "stride", func(int, int) *rapid.Generator[int] { return rapid.IntRange(1, 3) })
		out := make(tensor.Shape, len(start))
		for d := range out {
			out[d] = (limit[d] - start[d] + stride[d] - 1) / stride[d]
		}
		got := do(rt, "stablehlo.slice", hlo.Attrs{
			"start_indices": int64s(start), "limit_indices": int64s(limit), "strides": int64s(stride),
		}, typ(tensor.I32, out...), x)
		same(rt, got, built(out, func(c []int) int32 {
			src := make([]int, len(c))
			for d := range c {
				src[d] = start[d] + c[d]*stride[d]
			}
			return at(x, src)
		}))
	})
}

func TestPad(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, fill := counting(drawShape(rt, 3), 0), scalar[int32](-1)
		low := draws(rt, x.Shape, "low", func(int, int) *rapid.Generator[int] { return rapid.IntRange(-3, 2) })
		high := draws(rt, x.Shape, "high", func(int, int) *rapid.Generator[int] { return rapid.IntRange(-3, 2) })
		interior := draws(rt, x.Shape, "interior", func(int, int) *rapid.Generator[int] { return rapid.IntRange(0, 2) })
		out := make(tensor.Shape, len(low))
		for d, n := range x.Shape {
			out[d] = low[d] + n + max(0, n-1)*interior[d] + high[d]
			if out[d] < 0 {
				rt.Skip("refused by the verifier")
			}
		}
		op := newOp("stablehlo.pad", hlo.Attrs{
			"edge_padding_low": int64s(low), "edge_padding_high": int64s(high), "interior_padding": int64s(interior),
		}, []tensor.Type{typ(tensor.I32, out...)}, x, fill)
		same(rt, must(rt, op, x, fill)[0], built(out, func(c []int) int32 {
			src := make([]int, len(c))
			for d := range c {
				p := c[d] - low[d]
				if p < 0 || p%(interior[d]+1) != 0 || p/(interior[d]+1) >= x.Shape[d] {
					return -1
				}
				src[d] = p / (interior[d] + 1)
			}
			return at(x, src)
		}))
		v, operands, ok, err := View(op, nil)
		if !ok || err != nil {
			rt.Fatal(ok, err)
		}
		total := x.Len()
		if len(operands) == 2 {
			total++
		}
		for _, p := range v.Index() {
			if p < 0 || int(p) >= total {
				rt.Fatalf("position %d of %d elements of operands %v", p, total, operands)
			}
		}
	})
}

func TestBroadcastAndConcatenate(t *testing.T) {
	x := shaped([]int32{1, 2, 3}, 1, 3)
	same(t, do(t, "stablehlo.broadcast_in_dim", hlo.Attrs{"broadcast_dimensions": ints(2, 1)}, typ(tensor.I32, 2, 3, 2), x),
		shaped([]int32{1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3}, 2, 3, 2))
	same(
		t,
		do(t, "stablehlo.broadcast_in_dim", hlo.Attrs{"broadcast_dimensions": ints()}, typ(tensor.I32, 0, 2), scalar[int32](5)),
		shaped([]int32{}, 0, 2),
	)
	same(
		t,
		do(t, "stablehlo.broadcast", hlo.Attrs{"broadcast_sizes": ints(2)}, typ(tensor.I32, 2, 1, 3), x),
		shaped([]int32{1, 2, 3, 1, 2, 3}, 2, 1, 3),
	)
	same(t, do(t, "stablehlo.concatenate", hlo.Attrs{"dimension": int64(1)}, typ(tensor.I32, 2, 3),
		shaped([]int32{1, 2}, 2, 1), shaped([]int32{}, 2, 0), shaped([]int32{3, 4, 5, 6}, 2, 2)), shaped([]int32{1, 3, 4, 2, 5, 6}, 2, 3))
	same(t, do(t, "stablehlo.concatenate", hlo.Attrs{"dimension": int64(0)}, typ(tensor.I32, 1, 3), x), x)
	same(t, do(t, "stablehlo.reshape", nil, typ(tensor.I32, 3), x), vec[int32](1, 2, 3))
	same(t, do(t, "stablehlo.optimization_barrier", nil, x.Type, x), x)
}

// Starts are clamped so that the window lies within the operand.
func TestDynamicSlices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := counting(drawShape(rt, 3), 0)
		size := draws(rt, x.Shape, "size", func(_, n int) *rapid.Generator[int] { return rapid.IntRange(0, n) })
		start := draws(rt, x.Shape, "start", func(int, int) *rapid.Generator[int] { return rapid.IntRange(-6, 6) })
		args, clamped := []*tensor.Array{x}, make([]int, len(start))
		for d, s := range start {
			args = append(args, scalar(int32(s)))
			clamped[d] = min(max(s, 0), x.Shape[d]-size[d])
		}
		shift := func(c []int, by int) []int {
			src := make([]int, len(c))
			for d := range c {
				src[d] = c[d] + by*clamped[d]
			}
			return src
		}
		got := do(rt, "stablehlo.dynamic_slice", hlo.Attrs{"slice_sizes": int64s(size)}, typ(tensor.I32, size...), args...)
		same(rt, got, built(size, func(c []int) int32 { return at(x, shift(c, 1)) }))

		update := counting(size, 100)
		got = do(rt, "stablehlo.dynamic_update_slice", nil, x.Type, slices.Insert(args, 1, update)...)
		same(rt, got, built(x.Shape, func(c []int) int32 {
			src := shift(c, -1)
			for d := range src {
				if src[d] < 0 || src[d] >= size[d] {
					return at(x, c)
				}
			}
			return at(update, src)
		}))
	})
	same(
		t,
		do(t, "stablehlo.dynamic_slice", hlo.Attrs{"slice_sizes": ints(1)}, typ(tensor.I32, 1), vec[int32](7, 8), scalar[uint64](1<<63+5)),
		vec[int32](8),
	)
}

func TestViewOfOthers(t *testing.T) {
	x := vec[int32](1, 2)
	if _, _, ok, err := View(newOp("stablehlo.add", nil, []tensor.Type{x.Type}, x, x), nil); ok || err != nil {
		t.Fatal(ok, err)
	}
	gather := newOp("stablehlo.gather", hlo.Attrs{"dimension_numbers": &hlo.GatherDims{}}, []tensor.Type{x.Type}, x, x)
	if _, _, ok, err := View(gather, func(int) *tensor.Array { return nil }); !ok || err == nil {
		t.Fatal(ok, err)
	}
	secret := newOp("stablehlo.dynamic_slice", hlo.Attrs{"slice_sizes": ints(1)}, []tensor.Type{typ(tensor.I32, 1)}, x, scalar[int32](0))
	_, _, ok, err := View(secret, func(int) *tensor.Array { return nil })
	if !ok || err == nil || err.Error() != "test.mlir:3:7: stablehlo.dynamic_slice: start index 0 is not public" {
		t.Fatal(ok, err)
	}
}

// torch_index_select equals its definition with and without batch dimensions.
func TestIndexSelect(t *testing.T) {
	x := counting(tensor.Shape{2, 3, 4}, 0)
	for _, c := range []struct {
		dim, batches int
		indices      *tensor.Array
		out          tensor.Shape
		source       func(c []int) []int
	}{
		{1, 0, vec[int32](2, 0, 1, 2), tensor.Shape{2, 4, 4}, func(c []int) []int { return []int{c[0], []int{2, 0, 1, 2}[c[1]], c[2]} }},
		{2, 1, shaped([]int32{3, 0}, 2, 1), tensor.Shape{2, 3, 1}, func(c []int) []int { return []int{c[0], c[1], []int{3, 0}[c[0]]} }},
		{1, 1, shaped([]int32{9, -5}, 2), tensor.Shape{2, 4}, func(c []int) []int { return []int{c[0], []int{2, 0}[c[0]], c[1]} }},
		{0, 0, shaped([]int32{1, 0, 1, 1}, 2, 2), tensor.Shape{2, 2, 3, 4},
			func(c []int) []int { return []int{[]int{1, 0, 1, 1}[2*c[0]+c[1]], c[2], c[3]} }},
	} {
		got := do(
			t,
			"stablehlo.torch_index_select",
			hlo.Attrs{"dim": int64(c.dim), "batch_dims": int64(c.batches)},
			typ(tensor.I32, c.out...),
			x,
			c.indices,
		)
		same(t, got, built(c.out, func(coords []int) int32 { return at(x, c.source(coords)) }))
	}
}
