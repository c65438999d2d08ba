package onnx

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var poolOps = map[string]operation{
	".MaxPool":     {build: maxPool},
	".AveragePool": {build: averagePool},
	".LpPool":      {build: lpPool},
	".GlobalAveragePool": globalPool(func(x *node, v build.Value, dims []int) build.Value {
		return x.b.Mean(v, dims...)
	}),
	".GlobalMaxPool": globalPool(func(x *node, v build.Value, dims []int) build.Value { return x.b.ReduceMax(v, dims...) }),
	".GlobalLpPool": globalPool(func(x *node, v build.Value, dims []int) build.Value {
		p := x.int("p", 2)
		return root(x.b, x.b.Sum(power(x.b, v, p), dims...), p)
	}),
}

func globalPool(f func(x *node, v build.Value, dims []int) build.Value) operation {
	return operation{build: func(x *node) []*value {
		s := x.ensureDims(0, 3, 64)
		var dims []int
		for d := 2; d < len(s); d++ {
			dims = append(dims, d)
		}
		v := x.v(0)
		return one(keepDims(x.b, f(x, v, dims), v, dims...))
	}}
}

// power is |x|^p.
func power(b *build.Builder, v build.Value, p int) build.Value {
	switch p {
	case 1:
		return b.Abs(v)
	case 2:
		return b.Mul(v, v)
	}
	return b.Pow(b.Abs(v), p)
}

// root is the p-th root of a number that is not negative.
func root(b *build.Builder, v build.Value, p int) build.Value {
	switch p {
	case 1:
		return v
	case 2:
		return b.Sqrt(v)
	case 3:
		return b.Cbrt(v)
	}
	return b.Pow(v, 1/float64(p))
}

// pool is the window of a pool over all dimensions. extra is the number of elements after each spatial dimension that
// ceil_mode adds beyond the padding.
func (x *node) pool(s tensor.Shape) (full build.Window, w window, extra []int) {
	w = x.window(s[2:], nil)
	x.fits(w, s[2:])
	extra = make([]int, len(s)-2)
	if x.int("ceil_mode", 0) != 0 && x.text("auto_pad", "NOTSET") == "NOTSET" {
		for i, n := range s[2:] {
			wide := n + w.padding[i][0] + w.padding[i][1]
			count := (wide-w.reach(i)+w.strides[i]-1)/w.strides[i] + 1
			if (count-1)*w.strides[i] >= n+w.padding[i][0] { // windows begin within the input or the padding before it
				count--
			}
			extra[i] = (count-1)*w.strides[i] + w.reach(i) - wide
		}
	}
	full = build.Window{
		Size: append([]int{1, 1}, w.size...), Strides: append([]int{1, 1}, w.strides...), Dilation: append([]int{1, 1}, w.dilations...),
		Padding: make([][2]int, len(s)),
	}
	for i, p := range w.padding {
		full.Padding[2+i] = [2]int{p[0], p[1] + extra[i]}
	}
	return full, w, extra
}

func maxPool(x *node) []*value {
	s := x.ensureDims(0, 3, 64)
	full, _, _ := x.pool(s)
	b, v := x.b, x.v(0)
	if len(x.n.Outputs) < 2 || x.n.Outputs[1] == "" {
		return one(b.WindowMax(v, full))
	}
	// The indices count the elements of the whole input.
	places := b.Reshape(b.Iota(tensor.I32, 0, s.Size()), s...)
	if x.int("storage_order", 0) != 0 {
		// Column-major within each plane.
		x.few(s.Size())
		inner := s[2:].Size()
		at := make([]int32, s.Size())
		strides, order := s[2:].Strides(), make([]int, len(s)-2)
		step := 1
		for d := range order {
			order[d] = step
			step *= s[2+d]
		}
		for i := range at {
			p := i % inner
			k := 0
			for d := range order {
				k += p / strides[d] % s[2+d] * order[d]
			}
			at[i] = int32(i - p + k)
		}
		places = b.Array(&tensor.Array{Type: tensor.Type{DType: tensor.I32, Shape: s}, Data: at})
	}
	inits := []any{v.DType().Extreme(-1), math.MaxInt32}
	out := b.ReduceWindow([]build.Value{v, places}, inits, full, func(l, r []build.Value) []build.Value {
		first := b.Greater(l[0], r[0])
		tie := b.And(b.Equal(l[0], r[0]), b.Less(l[1], r[1]))
		return []build.Value{b.Select(first, l[0], r[0]), b.Select(b.Or(first, tie), l[1], r[1])}
	})
	return several(out[0], b.Convert(out[1], tensor.I64))
}

func averagePool(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 3, 64)
	full, w, extra := x.pool(s)
	v := x.v(0)
	sum := b.WindowSum(v, full)
	padded := slices.ContainsFunc(w.padding, func(p [2]int) bool { return p != [2]int{} })
	beyond := slices.ContainsFunc(extra, func(n int) bool { return n > 0 })
	include := x.int("count_include_pad", 0) != 0
	if !beyond && (include || !padded) {
		return one(b.Div(sum, float64(tensor.Shape(w.size).Size())))
	}
	x.few(sum.Shape().Size(), tensor.Shape(w.size).Size())
	return one(b.Div(sum, x.constant(counts(v.DType(), s, sum.Shape(), w, include))))
}

// counts is the number of elements in each place of a pool's window, in a shape that broadcasts to out.
func counts(d tensor.DType, in, out tensor.Shape, w window, include bool) *tensor.Array {
	shape := append(tensor.Shape{1, 1}, out[2:]...)
	f := make([]float64, shape.Size())
	strides := shape.Strides()
	for i := range f {
		f[i] = 1
		for k := range w.size {
			at := i / strides[2+k] % shape[2+k] * w.strides[k]
			low, high := w.padding[k][0], w.padding[k][0]+in[2+k]
			if include {
				low, high = 0, high+w.padding[k][1]
			}
			n := 0
			for j := range w.size[k] {
				if p := at + j*w.dilations[k]; p >= low && p < high {
					n++
				}
			}
			f[i] *= float64(max(1, n))
		}
	}
	return tensor.FromFloats(d, shape, f)
}

func lpPool(x *node) []*value {
	s := x.ensureDims(0, 3, 64)
	full, _, _ := x.pool(s)
	p := x.int("p", 2)
	return one(root(x.b, x.b.WindowSum(power(x.b, x.v(0), p), full), p))
}
