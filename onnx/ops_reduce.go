package onnx

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// reduction is a reduction along dimensions that an input or an attribute names.
func reduction(f func(b *build.Builder, v build.Value, dims []int) build.Value) operation {
	return operation{known: []int{1}, build: func(x *node) []*value {
		b, v := x.b, x.v(0)
		dims, ok := x.listedAxes(1)
		dims = x.axes(dims, v.Rank())
		if !ok || len(dims) == 0 {
			if x.int("noop_with_empty_axes", 0) != 0 {
				if x.n.Op == "ReduceMax" || x.n.Op == "ReduceMin" || x.n.Op == "ReduceSum" || x.n.Op == "ReduceProd" || x.n.Op == "ReduceMean" {
					return one(v)
				}
				// The functions of elements are still applied: dimensions of size 1 are reduced.
				wide := b.Reshape(v, append(v.Shape(), 1)...)
				return one(f(b, wide, []int{v.Rank()}))
			}
			for d := range v.Rank() {
				dims = append(dims, d)
			}
		}
		if v.Rank() == 0 {
			return one(b.Reshape(f(b, b.Reshape(v, 1), []int{0})))
		}
		slices.Sort(dims)
		out := f(b, v, dims)
		if x.int("keepdims", 1) != 0 {
			out = keepDims(b, out, v, dims...)
		}
		return one(out)
	}}
}

var reduceOps = map[string]operation{
	".ReduceSum":  reduction(func(b *build.Builder, v build.Value, dims []int) build.Value { return b.Sum(v, dims...) }),
	".ReduceProd": reduction(func(b *build.Builder, v build.Value, dims []int) build.Value { return b.Prod(v, dims...) }),
	".ReduceMean": reduction(func(b *build.Builder, v build.Value, dims []int) build.Value { return b.Mean(v, dims...) }),
	".ReduceMax": reduction(func(b *build.Builder, v build.Value, dims []int) build.Value {
		if v.DType() == tensor.Bool {
			return b.Any(v, dims...)
		}
		return b.ReduceMax(v, dims...)
	}),
	".ReduceMin": reduction(func(b *build.Builder, v build.Value, dims []int) build.Value {
		if v.DType() == tensor.Bool {
			return b.All(v, dims...)
		}
		return b.ReduceMin(v, dims...)
	}),
	".ReduceL1": reduction(func(b *build.Builder, v build.Value, dims []int) build.Value { return b.Sum(b.Abs(v), dims...) }),
	".ReduceL2": reduction(func(b *build.Builder, v build.Value, dims []int) build.Value {
		return b.Sqrt(b.Sum(b.Mul(v, v), dims...))
	}),
	".ReduceSumSquare": reduction(func(b *build.Builder, v build.Value, dims []int) build.Value { return b.Sum(b.Mul(v, v), dims...) }),
	".ReduceLogSum":    reduction(func(b *build.Builder, v build.Value, dims []int) build.Value { return b.Log(b.Sum(v, dims...)) }),
	".ReduceLogSumExp": reduction(logSumExp),
	".ArgMax":          {build: func(x *node) []*value { return x.arg(false) }},
	".ArgMin":          {build: func(x *node) []*value { return x.arg(true) }},
	".CumSum":          {build: func(x *node) []*value { return x.cumulative((*build.Builder).WindowSum, 0) }, known: []int{1}},
	".CumProd":         {build: func(x *node) []*value { return x.cumulative(windowProduct, 1) }, known: []int{1}},
}

// logSumExp is the logarithm of the sum of exponentials, in the form without overflow.
func logSumExp(b *build.Builder, v build.Value, dims []int) build.Value {
	for _, d := range dims {
		if v.Dim(d) == 0 {
			return b.Log(b.Sum(b.Exp(v), dims...))
		}
	}
	most := b.ReduceMax(v, dims...)
	wide := b.Broadcast(keepDims(b, most, v, dims...), v.Shape()...)
	return b.Add(b.Log(b.Sum(b.Exp(b.Sub(v, wide)), dims...)), most)
}

// argMax is the largest (or smallest) element along a dimension, and its index as i32: of equal elements the first, or the last.
func argMax(b *build.Builder, v build.Value, dim int, smallest, last bool) (most, at build.Value) {
	d := v.DType()
	places := b.Iota(tensor.I32, dim, v.Shape()...)
	better := b.Greater
	worst := d.Extreme(-1)
	if smallest {
		better, worst = b.Less, d.Extreme(1)
	}
	earlier := b.Less
	if last {
		earlier = b.Greater
	}
	out := b.Reduce([]build.Value{v, places}, []any{worst, 0}, []int{dim}, func(l, r []build.Value) []build.Value {
		first := better(l[0], r[0])
		tie := b.And(b.Equal(l[0], r[0]), earlier(l[1], r[1]))
		return []build.Value{b.Select(first, l[0], r[0]), b.Select(b.Or(first, tie), l[1], r[1])}
	})
	return out[0], out[1]
}

func (x *node) arg(smallest bool) []*value {
	b, v := x.b, x.v(0)
	s := x.shape(0)
	if len(s) == 0 {
		return one(b.Const(tensor.I64, 0))
	}
	dim := x.axis(x.int("axis", 0), len(s))
	_, at := argMax(b, v, dim, smallest, x.int("select_last_index", 0) != 0)
	if x.int("keepdims", 1) != 0 {
		at = keepDims(b, at, v, dim)
	}
	return one(b.Convert(at, tensor.I64))
}

// windowProduct is the product of the elements in each place of a window.
func windowProduct(b *build.Builder, v build.Value, w build.Window) build.Value {
	return b.ReduceWindow([]build.Value{v}, []any{1}, w, func(l, r []build.Value) []build.Value {
		return []build.Value{b.Mul(l[0], r[0])}
	})[0]
}

// cumulative combines each element with those before it. neutral is the result where there is none.
func (x *node) cumulative(fold func(b *build.Builder, v build.Value, w build.Window) build.Value, neutral int) []*value {
	b, s := x.b, x.ensureDims(0, 1, 64)
	dim := x.axis(int(x.number(1)), len(s))
	v := x.v(0)
	n := s[dim]
	if n == 0 {
		return one(v)
	}
	size, padding := slices.Repeat([]int{1}, len(s)), make([][2]int, len(s))
	size[dim] = n
	exclusive, reverse := x.int("exclusive", 0) != 0, x.int("reverse", 0) != 0
	if exclusive {
		shift := make([]build.Padding, len(s))
		if reverse {
			shift[dim] = build.Padding{Low: -1, High: 1}
		} else {
			shift[dim] = build.Padding{Low: 1, High: -1}
		}
		v = b.Pad(v, b.Const(v.DType(), neutral), shift...)
	}
	if reverse {
		padding[dim] = [2]int{0, n - 1}
	} else {
		padding[dim] = [2]int{n - 1, 0}
	}
	return one(fold(b, v, build.Window{Size: size, Padding: padding}))
}

// dotDims are the dimensions of a product of matrices with leading batch dimensions of equal size.
func dotDims(batch int) hlo.DotDims {
	var lead []int
	for i := range batch {
		lead = append(lead, i)
	}
	return hlo.DotDims{LHSBatch: lead, RHSBatch: lead, LHSContract: []int{batch + 1}, RHSContract: []int{batch}}
}
