package build_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

type value = build.Value

// given are the arguments of all samples, with the elements in elements.
type given struct {
	*build.Builder
	x value // f32 2×3: 1 -2 3, 0.5 4 -1
	y value // f32 3: 2 0.5 -4
	i value // i32 4: 3 0 2 -5
	p value // i1 2×3: true false true, false false true
	m value // f32 1×4×4×1: 0 to 15
	k value // f32 2×2×1×1: 1 2, 3 4
}

var elements = []*tensor.Array{
	tensor.FromFloats(tensor.F32, tensor.Shape{2, 3}, []float64{1, -2, 3, 0.5, 4, -1}),
	tensor.FromFloats(tensor.F32, tensor.Shape{3}, []float64{2, 0.5, -4}),
	{Type: build.Tensor(tensor.I32, 4), Data: []int32{3, 0, 2, -5}},
	{Type: build.Tensor(tensor.Bool, 2, 3), Data: []bool{true, false, true, false, false, true}},
	tensor.FromFloats(tensor.F32, tensor.Shape{1, 4, 4, 1}, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
	tensor.FromFloats(tensor.F32, tensor.Shape{2, 2, 1, 1}, []float64{1, 2, 3, 4}),
}

func arguments(b *build.Builder) given {
	var vs []value
	for i, name := range []string{"x", "y", "i", "p", "m", "k"} {
		vs = append(vs, b.Arg(name, elements[i].DType, elements[i].Shape...))
	}
	return given{b, vs[0], vs[1], vs[2], vs[3], vs[4], vs[5]}
}

// sample is a use of one or more methods: what it builds, and the elements of
// all results one after the other.
type sample struct {
	name  string
	build func(b given) []value
	want  []float64
}

func one(v value) []value { return []value{v} }

// real is a sample of a function of x's elements.
func realFunction(name string, method func(b *build.Builder, x value) value, f func(x float64) float64) sample {
	var want []float64
	for _, x := range elements[0].Floats() {
		want = append(want, f(math.Abs(x)))
	}
	return sample{name, func(b given) []value { return one(method(b.Builder, b.Abs(b.x))) }, want}
}

var inf = math.Inf(1)

var samples = []sample{
	realFunction("exp", (*build.Builder).Exp, math.Exp), realFunction("expm1", (*build.Builder).Expm1, math.Expm1),
	realFunction("log", (*build.Builder).Log, math.Log), realFunction("log1p", (*build.Builder).Log1p, math.Log1p),
	realFunction("sqrt", (*build.Builder).Sqrt, math.Sqrt), realFunction("cbrt", (*build.Builder).Cbrt, math.Cbrt),
	realFunction("rsqrt", (*build.Builder).Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }),
	realFunction("sin", (*build.Builder).Sin, math.Sin), realFunction("cos", (*build.Builder).Cos, math.Cos),
	realFunction("tan", (*build.Builder).Tan, math.Tan), realFunction("tanh", (*build.Builder).Tanh, math.Tanh),
	realFunction("sigmoid", (*build.Builder).Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
	realFunction(
		"erf",
		(*build.Builder).Erf,
		math.Erf,
	), realFunction("square", (*build.Builder).Square, func(x float64) float64 { return x * x }),
	realFunction("floor", (*build.Builder).Floor, math.Floor), realFunction("ceil", (*build.Builder).Ceil, math.Ceil),
	realFunction("round", (*build.Builder).Round, math.RoundToEven),
	{
		"neg, abs, sign",
		func(b given) []value { return []value{b.Neg(b.y), b.Abs(b.y), b.Sign(b.y)} },
		[]float64{-2, -0.5, 4, 2, 0.5, 4, 1, 1, -1},
	},
	{"relu", func(b given) []value { return one(b.Relu(b.x)) }, []float64{1, 0, 3, 0.5, 4, 0}},
	{
		"silu, gelu",
		func(b given) []value { return []value{b.Silu(b.y), b.Gelu(b.y), b.GeluTanh(b.y)} },
		// jax.nn.silu and jax.nn.gelu of 2, 0.5 and −4
		[]float64{1.7615942, 0.31122967, -0.071944840, 1.9544997, 0.34573123, -0.00012671, 1.9545977, 0.34571399, -0.000070235},
	},
	{
		"not, is_finite",
		func(b given) []value { return []value{b.Not(b.p), b.IsFinite(b.Log(b.Relu(b.y)))} },
		[]float64{0, 1, 0, 1, 1, 0, 1, 1, 0},
	},
	{"complex", func(b given) []value { z := b.Complex(b.x, b.y); return []value{b.Real(b.Mul(z, z)), b.Imag(z)} },
		[]float64{-3, 3.75, -7, -3.75, 15.75, -15, 2, 0.5, -4, 2, 0.5, -4}},

	{"numbers", func(b given) []value {
		return []value{b.Add(b.y, 1), b.Sub(1, b.y), b.Mul(b.y, 2.5), b.Div(1, b.y), b.Pow(b.y, 2)}
	},
		[]float64{3, 1.5, -3, -1, 0.5, 5, 5, 1.25, -10, 0.5, 2, -0.25, 4, 0.25, 16}},
	{
		"broadcasting",
		func(b given) []value { return one(b.Add(b.Reshape(b.y, 3, 1), b.y)) },
		[]float64{4, 2.5, -2, 2.5, 1, -3.5, -2, -3.5, -8},
	},
	{"an array", func(b given) []value { return one(b.Mul(b.y, elements[1])) }, []float64{4, 0.25, 16}},
	{
		"max, min, rem",
		func(b given) []value { return []value{b.Max(b.y, 1), b.Min(0, b.y), b.Rem(b.y, 1.5)} },
		[]float64{2, 1, 1, 0, 0, -4, 0.5, 0.5, -1},
	},
	{"atan2", func(b given) []value { return one(b.Atan2(b.y, 2)) }, []float64{math.Pi / 4, math.Atan2(0.5, 2), math.Atan2(-4, 2)}},
	{"integers", func(b given) []value {
		return []value{
			b.And(b.i, 2),
			b.Or(b.i, 4),
			b.Xor(b.i, 1),
			b.ShiftLeft(b.i, 2),
			b.ShiftRightArithmetic(b.i, 1),
			b.ShiftRightLogical(b.i, 30),
		}
	}, []float64{2, 0, 2, 2, 7, 4, 6, -1, 2, 1, 3, -6, 12, 0, 8, -20, 1, 0, 1, -3, 0, 0, 0, 3}},
	{"comparisons", func(b given) []value {
		return []value{b.Equal(b.i, 2), b.NotEqual(b.i, 2), b.Less(b.i, 2), b.LessEqual(b.i, 2), b.Greater(b.i, 2), b.GreaterEqual(2, b.i)}
	}, []float64{0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1}},
	{"select", func(b given) []value {
		return []value{b.Select(b.p, b.x, b.y), b.Select(b.Greater(b.Sum(b.x), 0), b.y, 0)}
	}, []float64{1, 0.5, 3, 2, 0.5, -1, 2, 0.5, -4}},
	{
		"clamp",
		func(b given) []value { return []value{b.Clamp(-1, b.y, 1), b.Clamp(b.Neg(b.Abs(b.y)), b.y, 1)} },
		[]float64{1, 0.5, -1, 1, 0.5, -4},
	},

	{"const", func(b given) []value {
		return []value{
			b.Const(tensor.F64, 0.5),
			b.Const(tensor.U8, 255, 2),
			b.Const(tensor.BF16, 3),
			b.Const(tensor.F32, inf),
			b.Const(tensor.Bool, true, 1),
		}
	},
		[]float64{0.5, 255, 255, 3, inf, 1}},
	{
		"iota, convert",
		func(b given) []value { return []value{b.Iota(tensor.I32, -1, 2, 3), b.Convert(b.x, tensor.I8)} },
		[]float64{0, 1, 2, 0, 1, 2, 1, -2, 3, 0, 4, -1},
	},
	{
		"bitcast",
		func(b given) []value { return one(b.BitcastConvert(b.Const(tensor.F32, 1), build.Tensor(tensor.U32))) },
		[]float64{0x3f800000},
	},
	{"reshape, transpose", func(b given) []value {
		return []value{b.Transpose(b.Reshape(b.x, -1, 2)), b.Transpose(b.Reshape(b.x, 1, 2, 3), 2, 0, -2)}
	},
		[]float64{1, 3, 4, -2, 0.5, -1, 1, 0.5, -2, 4, 3, -1}},
	{
		"reverse, concat",
		func(b given) []value { return []value{b.Reverse(b.x, -1), b.Concat(0, b.y, b.y)} },
		[]float64{3, -2, 1, -1, 4, 0.5, 2, 0.5, -4, 2, 0.5, -4},
	},
	{"slices", func(b given) []value {
		return []value{b.Slice(b.x, []int{0, 1}, []int{2, 3}), b.StridedSlice(b.i, []int{0}, []int{4}, []int{3})}
	}, []float64{-2, 3, 4, -1, 3, -5}},
	{"dynamic slices", func(b given) []value {
		at := one(b.Const(tensor.I32, 2))
		return []value{b.DynamicSlice(b.i, at, 2), b.DynamicUpdateSlice(b.y, b.Const(tensor.F32, 9, 1), at)}
	}, []float64{2, -5, 2, 0.5, 9}},
	{"pad", func(b given) []value { return one(b.Pad(b.y, 7, build.Padding{Low: 1, High: -1, Interior: 1})) }, []float64{7, 2, 7, 0.5, 7}},
	{"broadcast", func(b given) []value {
		return []value{b.Broadcast(b.Reshape(b.y, 3, 1), 3, 2), b.BroadcastInDim(b.y, []int{0}, 3, 1)}
	},
		[]float64{2, 2, 0.5, 0.5, -4, -4, 2, 0.5, -4}},

	{
		"dots",
		func(b given) []value { return []value{b.Dot(b.x, b.y), b.Dot(b.y, b.y), b.Dot(b.x, b.Transpose(b.x))} },
		[]float64{-11, 7, 20.25, 14, -10.5, -10.5, 17.25},
	},
	{"matmul", func(b given) []value { x := b.Reshape(b.x, 2, 1, 3); return one(b.MatMul(x, b.Transpose(x, 0, 2, 1))) }, []float64{14, 17.25}},
	{"dot_general", func(b given) []value {
		return one(b.DotGeneral(b.x, b.x, hlo.DotDims{LHSBatch: []int{1}, RHSBatch: []int{1}, LHSContract: []int{0}, RHSContract: []int{0}}))
	}, []float64{1.25, 20, 10}},
	{"conv", func(b given) []value { return one(b.Conv(b.m, b.k, build.Conv{Strides: []int{2, 2}})) }, []float64{34, 54, 114, 134}},
	{"conv with all", func(b given) []value {
		k := b.Reshape(b.k, 2, 1, 2, 1)
		d := build.Channels(2)
		d.KerIn, d.KerSpatial = 1, []int{0, 2}
		return one(b.Conv(b.m, k, build.Conv{Dims: d, Strides: []int{3, 4}, InputDilation: []int{2, 1}, KernelDilation: []int{1, 3},
			Padding: [][2]int{{0, 1}, {1, 0}}, Reverse: []bool{true, false}, FeatureGroups: 1, BatchGroups: 1}))
	}, []float64{8, 20, 56}},

	{"folds", func(b given) []value {
		return []value{
			b.Sum(b.x),
			b.Sum(b.x, 0),
			b.Prod(b.x, -1),
			b.ReduceMax(b.x, 1),
			b.ReduceMin(b.i),
			b.All(b.p, 0),
			b.Any(b.p, 1),
			b.Mean(b.x, 1),
			b.ReduceMax(b.i),
			b.ReduceMin(b.p),
		}
	}, []float64{5.5, 1.5, 2, 2, -6, -2, 3, 4, -5, 0, 0, 1, 1, 1, 2. / 3, 3.5 / 3, 3, 0}},
	{"folds of integers", func(b given) []value {
		u := b.Convert(b.Abs(b.i), tensor.U8)
		return []value{b.Prod(b.i), b.All(b.i), b.Any(b.i), b.ReduceMin(u), b.ReduceMax(u), b.All(u)}
	}, []float64{0, 0, -5, 0, 5, 0}},
	{"reduce", func(b given) []value { // the largest element and its place
		out := b.Reduce([]value{b.i, b.Iota(tensor.I32, 0, 4)}, []any{math.MinInt32, -1}, []int{0}, func(x, y []value) []value {
			first := b.GreaterEqual(x[0], y[0])
			return []value{b.Select(first, x[0], y[0]), b.Select(first, x[1], y[1])}
		})
		return out
	}, []float64{3, 0}},
	{"a constant from outside", func(b given) []value {
		c := b.Const(tensor.F32, 2)
		return b.Reduce(one(b.y), []any{0}, []int{0}, func(x, y []value) []value { return one(b.Max(x[0], b.Max(y[0], c))) })
	}, []float64{2}},
	{"windows", func(b given) []value {
		w := build.Window{Size: []int{1, 2, 2, 1}, Strides: []int{1, 2, 2, 1}}
		return []value{
			b.WindowMax(b.m, w),
			b.WindowSum(b.m, w),
			b.WindowMin(b.i, build.Window{Size: []int{2}, Dilation: []int{2}, BaseDilation: []int{1}, Padding: [][2]int{{1, 0}}}),
		}
	}, []float64{5, 7, 13, 15, 10, 18, 42, 50, 0, 2, -5}},
	{"reduce_window", func(b given) []value {
		return b.ReduceWindow(one(b.i), []any{0}, build.Window{Size: []int{3}}, func(x, y []value) []value { return one(b.Add(x[0], y[0])) })
	}, []float64{5, -3}},
	{"select_and_scatter", func(b given) []value {
		source := b.Const(tensor.F32, 1, 1, 2, 2, 1)
		return one(b.SelectAndScatter(b.m, source, 0, build.Window{Size: []int{1, 2, 2, 1}, Strides: []int{1, 2, 2, 1}},
			func(x, y value) value { return b.GreaterEqual(x, y) }, func(x, y value) value { return b.Add(x, y) }))
	}, []float64{0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1}},

	{"gather", func(b given) []value {
		d := hlo.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1}
		return one(b.Gather(b.x, b.Reshape(b.i, 4, 1), d, 1, 3))
	}, []float64{0.5, 4, -1, 1, -2, 3, 0.5, 4, -1, 1, -2, 3}},
	{"take", func(b given) []value {
		return []value{b.Take(b.x, b.Reshape(b.i, 2, 2), -1), b.Take(b.x, b.Const(tensor.I32, 1), 0)}
	},
		[]float64{3, 1, 3, 1, -1, 0.5, -1, 0.5, 0.5, 4, -1}},
	{"scatter", func(b given) []value {
		d := hlo.ScatterDims{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1}
		ones := b.Const(tensor.F32, 1, 4)
		return []value{
			b.Scatter(b.y, b.Reshape(b.i, 4, 1), ones, d, func(old, update value) value { return b.Add(old, update) }),
			b.Scatter(b.y, b.Reshape(b.i, 4, 1), ones, d, nil),
		}
	}, []float64{3, 0.5, -3, 1, 0.5, 1}},
	{"sort", func(b given) []value {
		by := b.Sort([]value{b.i, b.Iota(tensor.I32, 0, 4)}, 0, func(x, y []value) value { return b.Greater(x[0], y[0]) })
		return append(by, b.SortAscending(b.x, -1))
	}, []float64{3, 2, 0, -5, 0, 2, 1, 3, -2, 1, 3, -1, 0.5, 4}},
	{"top_k", func(b given) []value { v, i := b.TopK(b.x, 2); return []value{v, i} }, []float64{3, 1, 4, 0.5, 2, 0, 1, 0}},

	{"while", func(b given) []value {
		return b.While([]value{b.Const(tensor.I32, 1), b.y}, func(s []value) value { return b.Less(s[0], 100) },
			func(s []value) []value { return []value{b.Mul(s[0], 3), b.Add(s[1], b.y)} }) // y is from outside
	}, []float64{243, 12, 3, -24}},
	{"for", func(b given) []value {
		return b.For(4, one(b.y), func(i value, s []value) []value { return one(b.Add(s[0], b.Convert(i, tensor.F32))) })
	}, []float64{8, 6.5, 2}},
	{"if", func(b given) []value {
		branch := func(p value) []value {
			return b.If(p, func() []value { return one(b.Mul(b.y, 2)) }, func() []value { return one(b.Neg(b.y)) })
		}
		return append(branch(b.Greater(b.Sum(b.y), 0)), branch(b.Less(b.Sum(b.y), 0))...)
	}, []float64{-2, -0.5, 4, 4, 1, -8}},
	{"case", func(b given) []value {
		return b.Case(
			b.Const(tensor.I32, 1),
			func() []value { return one(b.y) },
			func() []value { return one(b.Add(b.y, 1)) },
			func() []value { return one(b.y) },
		)
	}, []float64{3, 1.5, -3}},
	{"nested regions", func(b given) []value {
		return b.For(2, one(b.y), func(i value, s []value) []value {
			return b.If(b.Equal(i, 1), func() []value {
				return b.For(3, s, func(j value, s []value) []value { return one(b.Mul(s[0], 2)) })
			}, func() []value { return one(b.SortAscending(s[0], 0)) })
		})
	}, []float64{-32, 4, 16}},
	{"calls", func(b given) []value {
		f := b.Func("scale")
		x := f.Arg("x", tensor.F32, 3)
		f.Return(f.Mul(x, 2), f.Sum(x))
		out := b.Call(f, b.y)
		loop := b.For(2, one(b.y), func(i value, s []value) []value { return b.Call(f, s...)[:1] })
		return append(append(out, b.Call(f, out[0])...), loop...)
	}, []float64{4, 1, -8, -1.5, 8, 2, -16, -3, 8, 2, -16}},
	{"softmax", func(b given) []value { x := b.Softmax(b.x, 1); return []value{b.Sum(x, 1), b.Softmax(b.y, 0)} }, func() []float64 {
		sum := math.Exp(2) + math.Exp(0.5) + math.Exp(-4)
		return []float64{1, 1, math.Exp(2) / sum, math.Exp(0.5) / sum, math.Exp(-4) / sum}
	}()},
	{"scopes", func(b given) []value {
		out := b.y
		b.Scope("layer1", func() { out = b.Add(out, 1); b.Scope("a/b", func() { out = b.Sum(out) }) })
		return one(out)
	}, []float64{1.5}},
}

// program builds a sample.
func (s sample) program(t testing.TB) *hlo.Program {
	t.Helper()
	b := build.New("sample")
	b.Return(s.build(arguments(b))...)
	p, err := b.Program()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Methods build what they say, and the text means the same.
func TestSamples(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			p := s.program(t)
			for _, q := range []*hlo.Program{p, reads(t, p)} {
				got := flat(t, results(t, q, elements))
				if len(got) != len(s.want) {
					t.Fatalf("got %v, want %v", got, s.want)
				}
				for i, x := range got {
					if w := s.want[i]; x != w && !(math.Abs(x-w) <= 1e-5*max(1, math.Abs(w))) {
						t.Errorf("got %v, want %v", got, s.want)
						break
					}
				}
			}
		})
	}
}

// results computes a program in the clear.
func results(t rapid.TB, p *hlo.Program, args []*tensor.Array) []*tensor.Array {
	t.Helper()
	out, err := eval.Func(context.Background(), p.Main, args)
	if err != nil {
		t.Fatalf("%v in\n%s", err, p.Text)
	}
	return out
}

// flat lists the elements of all results.
func flat(t testing.TB, all []*tensor.Array) (out []float64) {
	for _, a := range all {
		out = append(out, a.Floats()...)
	}
	return out
}
