package eval

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// words returns int32 elements as words.
func words(a *tensor.Array) []int32 { return a.Data.([]int32) }

func drawInts(rt *rapid.T, s tensor.Shape, name string) *tensor.Array {
	n := s.Size()
	return vec(rapid.SliceOfN(rapid.Int32(), n, n).Draw(rt, name)...).Reshape(s)
}

// dot_general in random layouts equals the sum that defines it.
func TestDotGeneral(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dim := rapid.IntRange(0, 3)
		b, m, n, k, l := dim.Draw(rt, "b"), dim.Draw(rt, "m"), dim.Draw(rt, "n"), dim.Draw(rt, "k"), dim.Draw(rt, "l")
		// Dimensions of x: batch, row, two contracted ones; of y: batch, column, the same two. Both
		// are stored in a random order.
		xs, ys := tensor.Shape{b, m, k, l}, tensor.Shape{b, n, k, l}
		xp := rapid.Permutation(ascendingInts(4)).Draw(rt, "x layout")
		yp := rapid.Permutation(ascendingInts(4)).Draw(rt, "y layout")
		x, y := drawInts(rt, xs, "x"), drawInts(rt, ys, "y")
		where := func(perm []int, d int) int { return slices.Index(perm, d) }
		attrs := hlo.Attrs{"dot_dimension_numbers": &hlo.DotDims{
			LHSBatch: []int{where(xp, 0)}, RHSBatch: []int{where(yp, 0)},
			LHSContract: []int{where(xp, 2), where(xp, 3)}, RHSContract: []int{where(yp, 2), where(yp, 3)},
		}}
		got := do(rt, "stablehlo.dot_general", attrs, typ(tensor.I32, b, m, n),
			apply(tensor.Transposed(xs, xp), x), apply(tensor.Transposed(ys, yp), y))
		same(rt, got, built(tensor.Shape{b, m, n}, func(c []int) int32 {
			var sum int32
			for i := range k {
				for j := range l {
					sum += at(x, []int{c[0], c[1], i, j}) * at(y, []int{c[0], c[2], i, j})
				}
			}
			return sum
		}))
	})
}

func TestDotTypes(t *testing.T) {
	attrs := hlo.Attrs{"dot_dimension_numbers": &hlo.DotDims{LHSContract: []int{0}, RHSContract: []int{0}}}
	cases := []struct{ x, y, want *tensor.Array }{
		{vec[float32](1e8, 1, -1e8), vec[float32](1, 1, 1), scalar[float32](1)},
		{vec[int8](100, 100), vec[int8](2, 2), scalar[int8](-112)},
		{vec[int8](100, -100), vec[int8](100, 100), scalar[int32](0)},
		{vec[int8](100, 100), vec[int8](100, 100), scalar[int32](20000)},
		{vec[uint8](255), vec[uint8](255), scalar[uint32](65025)},
		{vec(true, true), vec(true, true), scalar(true)},
		{vec(true, false), vec(false, true), scalar(false)},
		{vec[complex64](1i), vec[complex64](1i), scalar[complex64](-1)},
		{half(tensor.BF16, 256, 1), half(tensor.BF16, 1, 1), scalar[float32](257)},
		{half(tensor.BF16, 256, 1), half(tensor.BF16, 1, 1), half(tensor.BF16, 256).Reshape(tensor.Shape{})},
		{vec[float64](), vec[float64](), scalar(0.)},
		{vec[float32](1.5), vec[float32](2), scalar[int32](3)},
		{vec[int8](-3), vec[int8](2), scalar[float32](-6)},
	}
	for _, c := range cases {
		same(t, do(t, "stablehlo.dot_general", attrs, c.want.Type, c.x, c.y), c.want)
		same(t, do(t, "stablehlo.dot", nil, c.want.Type, c.x, c.y), c.want)
	}
	same(t, do(t, "stablehlo.dot", nil, typ(tensor.F64, 2, 1), shaped([]float64{1, 2, 3, 4}, 2, 2), shaped([]float64{5, 6}, 2, 1)),
		shaped([]float64{17, 39}, 2, 1))
}

func TestDotStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	op := newOp("stablehlo.dot", nil, []tensor.Type{typ(tensor.F64)}, vec(1.), vec(1.))
	op.Canonical()
	if _, err := Op(ctx, op, []*tensor.Array{vec(1.), vec(1.)}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// convCase is a convolution in the layout [batch, feature, space…] with kernel [out, in, space…].
type convCase struct {
	space, window                       []int
	stride, low, high, base, dilation   []int
	reversed                            []bool
	batch, in, out, groups, batchGroups int
}

func drawConv(rt *rapid.T) convCase {
	c := convCase{groups: 1, batchGroups: 1}
	for range rapid.IntRange(0, 3).Draw(rt, "rank") {
		c.space = append(c.space, rapid.IntRange(1, 4).Draw(rt, "space"))
		c.window = append(c.window, rapid.IntRange(1, 3).Draw(rt, "window"))
		c.stride = append(c.stride, rapid.IntRange(1, 2).Draw(rt, "stride"))
		c.low = append(c.low, rapid.IntRange(-1, 2).Draw(rt, "low"))
		c.high = append(c.high, rapid.IntRange(-1, 2).Draw(rt, "high"))
		c.base = append(c.base, rapid.IntRange(1, 2).Draw(rt, "base"))
		c.dilation = append(c.dilation, rapid.IntRange(1, 2).Draw(rt, "dilation"))
		c.reversed = append(c.reversed, rapid.Bool().Draw(rt, "reversed"))
	}
	if rapid.Bool().Draw(rt, "batch groups") {
		c.batchGroups = rapid.IntRange(1, 3).Draw(rt, "groups")
	} else {
		c.groups = rapid.IntRange(1, 3).Draw(rt, "groups")
	}
	few := rapid.IntRange(1, 2)
	c.batch = few.Draw(rt, "batch") * c.batchGroups
	c.in = few.Draw(rt, "in") * c.groups
	c.out = few.Draw(rt, "out") * c.groups * c.batchGroups
	return c
}

// outSpace returns the output's spatial shape, empty if the window does not fit.
func (c convCase) outSpace() (tensor.Shape, bool) {
	out := tensor.Shape{}
	for d, n := range c.space {
		padded := (n-1)*c.base[d] + 1 + c.low[d] + c.high[d]
		room := padded - (c.window[d]-1)*c.dilation[d]
		if padded < 0 || room < 1 {
			return nil, false
		}
		out = append(out, (room-1)/c.stride[d]+1)
	}
	return out, true
}

// naive returns one element of the result by the definition.
func (c convCase) naive(x, k *tensor.Array, n, o int, pos []int) int32 {
	var sum int32
	group, inPart := o/(c.out/c.groups), c.in/c.groups
	if c.batchGroups > 1 {
		n += o / (c.out / c.batchGroups) * (c.batch / c.batchGroups)
	}
	w := make([]int, len(pos))
	for tap := range tensor.Shape(c.window).Size() {
		unravel(w, tap, c.window)
		src, inside := make([]int, len(pos)), true
		for d := range pos {
			p := pos[d]*c.stride[d] + w[d]*c.dilation[d] - c.low[d]
			inside = inside && p >= 0 && p%c.base[d] == 0 && p/c.base[d] < c.space[d]
			src[d] = p / c.base[d]
		}
		if !inside {
			continue
		}
		kw := slices.Clone(w)
		for d := range kw {
			if c.reversed[d] {
				kw[d] = c.window[d] - 1 - kw[d]
			}
		}
		for i := range inPart {
			sum += at(x, append([]int{n, group*inPart + i}, src...)) * at(k, append([]int{o, i}, kw...))
		}
	}
	return sum
}

// Convolutions in random layouts equal the definition.
func TestConvolution(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := drawConv(rt)
		space, ok := c.outSpace()
		if !ok {
			rt.Skip("no room")
		}
		rank := len(c.space)
		x := drawInts(rt, slices.Concat(tensor.Shape{c.batch, c.in}, c.space), "x")
		k := drawInts(rt, slices.Concat(tensor.Shape{c.out, c.in / c.groups}, c.window), "k")
		outShape := slices.Concat(tensor.Shape{c.batch / c.batchGroups, c.out}, space)
		want := built(outShape, func(at []int) int32 { return c.naive(x, k, at[0], at[1], at[2:]) })

		layout := func(name string) []int { return rapid.Permutation(ascendingInts(rank+2)).Draw(rt, name) }
		xp, kp, op := layout("x layout"), layout("k layout"), layout("out layout")
		dims := &hlo.ConvDims{
			InBatch: slices.Index(xp, 0), InFeature: slices.Index(xp, 1), KerOut: slices.Index(kp, 0), KerIn: slices.Index(kp, 1),
			OutBatch: slices.Index(op, 0), OutFeature: slices.Index(op, 1),
		}
		var padding []int64
		for d := range rank {
			dims.InSpatial = append(dims.InSpatial, slices.Index(xp, d+2))
			dims.KerSpatial = append(dims.KerSpatial, slices.Index(kp, d+2))
			dims.OutSpatial = append(dims.OutSpatial, slices.Index(op, d+2))
			padding = append(padding, int64(c.low[d]), int64(c.high[d]))
		}
		stored := apply(tensor.Transposed(outShape, op), want)
		got := do(rt, "stablehlo.convolution", hlo.Attrs{
			"dimension_numbers": dims, "window_strides": int64s(c.stride), "padding": padding,
			"lhs_dilation": int64s(c.base), "rhs_dilation": int64s(c.dilation), "window_reversal": c.reversed,
			"feature_group_count": int64(c.groups), "batch_group_count": int64(c.batchGroups),
		}, stored.Type, apply(tensor.Transposed(x.Shape, xp), x), apply(tensor.Transposed(k.Shape, kp), k))
		same(rt, got, stored)
	})
}

func TestConvolutionTypes(t *testing.T) {
	attrs := hlo.Attrs{
		"dimension_numbers": &hlo.ConvDims{
			InSpatial:  []int{2},
			InFeature:  1,
			KerSpatial: []int{2},
			KerOut:     0,
			KerIn:      1,
			OutSpatial: []int{2},
			OutFeature: 1,
		},
	}
	cases := []struct{ x, k, want *tensor.Array }{
		{vec[float32](1, 2, 3), vec[float32](1, -1), vec[float32](-1, -1)},
		{vec(1., 2, 3), vec(0.5, 0.5), vec(1.5, 2.5)},
		{vec[int8](100, 100, 1), vec[int8](1, 1), vec[int8](-56, 101)},
		{vec[complex64](1i, 1, 0), vec[complex64](1i, 1), vec[complex64](0, 1i)},
	}
	for _, c := range cases {
		flat := func(a *tensor.Array) *tensor.Array { return a.Reshape(tensor.Shape{1, 1, a.Len()}) }
		same(t, do(t, "stablehlo.convolution", attrs, flat(c.want).Type, flat(c.x), flat(c.k)), flat(c.want))
	}
}

func BenchmarkDotGeneral(b *testing.B) {
	x := tensor.NewArray(typ(tensor.F32, 256, 256))
	attrs := hlo.Attrs{"dot_dimension_numbers": &hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{0}}}
	op := newOp("stablehlo.dot_general", attrs, []tensor.Type{x.Type}, x, x)
	for b.Loop() {
		must(b, op, x, x)
	}
}

func BenchmarkConvolution(b *testing.B) {
	x, k := tensor.NewArray(typ(tensor.F32, 1, 16, 16, 64)), tensor.NewArray(typ(tensor.F32, 3, 3, 64, 64))
	op := newOp("stablehlo.convolution", hlo.Attrs{"padding": ints(1, 1, 1, 1), "dimension_numbers": &hlo.ConvDims{
		InSpatial: []int{1, 2}, InFeature: 3, KerSpatial: []int{0, 1}, KerIn: 2, KerOut: 3, OutSpatial: []int{1, 2}, OutFeature: 3,
	}}, []tensor.Type{x.Type}, x, k)
	for b.Loop() {
		must(b, op, x, k)
	}
}

// Products of floats by tiles are equal to rowTimes to the last bit, whatever the machine: of all numbers of rows and columns beside
// tiles, with infinities and zeros of both signs, and numbers whose sums depend on the order.
func TestTiledProducts(t *testing.T) {
	if tile == nil {
		t.Skip("the processor has no instructions for tiles")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range []product{{1, 8, 16, 1}, {1, 9, 17, 3}, {2, 11, 31, 64}, {1, 70, 33, 129}} {
		x, y := make([]float64, s.batch*s.m*s.k), make([]float64, s.batch*s.n*s.k)
		for _, v := range [][]float64{x, y} {
			for i := range v {
				v[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(60))
			}
			v[rng.IntN(len(v))], v[rng.IntN(len(v))] = math.Inf(1), math.Copysign(0, -1)
		}
		got, err := multiply(&call{ctx: t.Context()}, s, x, y)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, s.m*s.n)
		for b := range s.batch {
			for i := range s.m {
				rowTimes(want[i*s.n:(i+1)*s.n], x[(b*s.m+i)*s.k:(b*s.m+i+1)*s.k], y[b*s.n*s.k:])
			}
			for i, w := range want {
				if g := got[b*s.m*s.n+i]; math.Float64bits(g) != math.Float64bits(w) && !(math.IsNaN(g) && math.IsNaN(w)) {
					t.Fatalf("%+v: element %d of batch %d is %v, want %v", s, i, b, g, w)
				}
			}
		}
	}
}
