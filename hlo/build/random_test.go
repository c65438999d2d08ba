package build_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// author writes a random program: at each place it may use the values that
// can be used there.
type author struct {
	*rapid.T
	b     *build.Builder
	pool  []value
	funcs []*build.Builder
	left  int // operations to come
}

var dtypes = []tensor.DType{tensor.F32, tensor.F32, tensor.F32, tensor.I32, tensor.Bool, tensor.U8, tensor.F64, tensor.BF16}

func pick[T any](a *author, from []T) T {
	return from[rapid.IntRange(0, len(from)-1).Draw(a.T, "pick")]
}

func (a *author) dims() []int {
	return rapid.SliceOfN(rapid.IntRange(1, 4), 0, 3).Draw(a.T, "dims")
}

// like is a value that keep holds for; the last ones most often. Where there
// is none it is a new constant.
func (a *author) like(d tensor.DType, keep func(v value) bool) value {
	var fit []value
	for _, v := range a.pool {
		if v.DType() == d && keep(v) {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return a.b.Const(d, a.number(d))
	}
	return pick(a, fit[max(0, len(fit)-5):])
}

func (a *author) number(d tensor.DType) any {
	if d == tensor.Bool {
		return rapid.Bool().Draw(a.T, "bool")
	}
	return rapid.IntRange(0, 5).Draw(a.T, "number")
}

// operation writes one operation, or several.
func (a *author) operation() []value {
	b, x := a.b, pick(a, a.pool)
	d, rank := x.DType(), x.Rank()
	dim := func() int { return rapid.IntRange(0, rank-1).Draw(a.T, "dim") }
	goesWith := func(v value) bool { // broadcasts
		for i := 1; i <= min(rank, v.Rank()); i++ {
			if n, m := x.Dim(-i), v.Dim(-i); n != m && n != 1 && m != 1 {
				return false
			}
		}
		return true
	}
	switch rapid.IntRange(0, 13).Draw(a.T, "kind") {
	case 0: // functions
		if !d.IsFloat() {
			return one(b.Convert(x, pick(a, dtypes)))
		}
		return one(pick(a, []func(value) value{b.Exp, b.Tanh, b.Sigmoid, b.Neg, b.Relu, b.Floor, b.Sqrt, b.Square})(x))
	case 1, 2: // elementwise
		y := a.like(d, goesWith)
		if d == tensor.Bool {
			return one(pick(a, []func(x, y any) value{b.And, b.Or, b.Xor, b.Max, b.Equal})(x, y))
		}
		return one(pick(a, []func(x, y any) value{b.Add, b.Sub, b.Mul, b.Max, b.Min, b.Div, b.Less, b.Equal, b.GreaterEqual})(x, y))
	case 3: // with a number
		return one(pick(a, []func(x, y any) value{b.Max, b.Min, b.Equal, b.LessEqual})(a.number(d), x))
	case 4:
		p := a.like(tensor.Bool, func(v value) bool { return v.Rank() == 0 || v.Shape().Equal(x.Shape()) })
		return one(b.Select(p, x, a.like(d, func(v value) bool { return v.Shape().Equal(x.Shape()) })))
	case 5: // shapes
		perm := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}[:min(8, rank)]).Draw(a.T, "perm")
		return []value{b.Reshape(x, -1), b.Transpose(x, perm...), b.Broadcast(x, append([]int{2}, x.Shape()...)...)}
	case 6:
		if rank == 0 {
			return one(b.Iota(tensor.I32, 0, 3))
		}
		start, limit, pads := make([]int, rank), x.Shape(), make([]build.Padding, rank)
		k := dim()
		start[k], pads[k] = rapid.IntRange(0, limit[k]).Draw(a.T, "start"), build.Padding{Low: 1, High: -1, Interior: 2}
		return []value{b.Slice(x, start, limit), b.Pad(x, a.number(d), pads...), b.Concat(k, x, b.Reverse(x, k))}
	case 7: // reductions
		if rank == 0 || d == tensor.Bool {
			return []value{b.ReduceMax(x), b.ReduceMin(x)}
		}
		k := dim()
		out := b.Reduce([]value{x, x}, []any{0, 0}, []int{k}, func(x, y []value) []value { return []value{b.Add(x[0], y[0]), b.Max(x[1], y[1])} })
		return append(out, b.Sum(x, k), b.ReduceMax(x))
	case 8:
		if rank == 0 || d == tensor.Bool {
			return one(b.Not(b.Equal(x, x)))
		}
		w := build.Window{Size: slices.Repeat([]int{1}, rank), Padding: make([][2]int, rank)}
		w.Size[dim()], w.Padding[dim()] = 2, [2]int{1, 0}
		return []value{b.WindowSum(x, w), b.SortAscending(x, dim())}
	case 9: // indices
		if rank == 0 || x.Shape().Size() == 0 {
			return nil // an index into nothing is refused
		}
		return one(b.Take(x, a.like(tensor.I32, func(v value) bool { return v.Rank() < 2 }), dim()))
	case 10:
		n := rapid.IntRange(0, 3).Draw(a.T, "n")
		return b.For(n, one(x), func(i value, s []value) []value {
			out := a.within(append(s, i), func() value { return a.like(d, func(v value) bool { return v.Shape().Equal(x.Shape()) }) })
			return one(b.Broadcast(b.Max(out, x), x.Shape()...))
		})
	case 11:
		p := b.ReduceMax(a.like(tensor.Bool, func(value) bool { return true }))
		branch := func() []value {
			return one(b.Max(x, a.within(nil, func() value { return a.like(d, func(v value) bool { return v.Rank() == 0 }) })))
		}
		return b.If(p, branch, branch)
	case 12:
		var out []value
		b.Scope(pick(a, []string{"layer1", "layer2/dense"}), func() { out = a.operation() })
		return out
	}
	if len(a.funcs) == 0 {
		return nil
	}
	f := pick(a, a.funcs)
	return b.Call(f, b.Const(tensor.F32, 1, 2, 3))
}

// within writes operations in a region, and returns a value of it.
func (a *author) within(params []value, result func() value) value {
	mark := len(a.pool)
	a.pool = append(a.pool, params...)
	for range rapid.IntRange(0, 3).Draw(a.T, "inner") {
		a.more()
	}
	out := result()
	a.pool = a.pool[:mark]
	return out
}

// more writes an operation unless there are enough.
func (a *author) more() {
	if a.left--; a.left > 0 {
		for _, v := range a.operation() {
			if v.Rank() < 7 && v.Shape().Size() < 1<<12 {
				a.pool = append(a.pool, v)
			}
		}
	}
}

// write writes a function of the given arguments.
func (a *author) write(n int) {
	a.left = 3 * n
	for range n {
		a.more()
	}
	a.b.Return(a.pool[max(0, len(a.pool)-4):]...)
}

// Random programs print the same again when they are parsed, and compute the
// same.
func TestRandomPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := build.New("random")
		var funcs []*build.Builder
		for i := range rapid.IntRange(0, 2).Draw(t, "functions") {
			f := b.Func(fmt.Sprintf("f%d", i))
			a := &author{T: t, b: f, pool: []value{f.Arg("x", tensor.F32, 2, 3)}, funcs: funcs}
			a.write(3)
			funcs = append(funcs, f)
		}
		a := &author{T: t, b: b, funcs: funcs}
		var args []*tensor.Array
		for i, d := range dtypes {
			v := b.Arg(fmt.Sprintf("arg%d", i), d, a.dims()...)
			a.pool = append(a.pool, v)
			args = append(args, a.elements(v.Type()))
		}
		a.write(12)
		p, err := b.Program()
		if err != nil {
			t.Fatal(err)
		}
		q := prints(t, p)
		want, got := results(t, p, args), results(t, q, args)
		for i := range want {
			if !got[i].Type.Equal(want[i].Type) || fmt.Sprint(got[i].Data) != fmt.Sprint(want[i].Data) {
				t.Fatalf("result %d: built %v %v, parsed %v %v", i, want[i].Type, want[i].Data, got[i].Type, got[i].Data)
			}
		}
	})
}

// elements are random elements of a type.
func (a *author) elements(t tensor.Type) *tensor.Array {
	xs := rapid.SliceOfN(rapid.IntRange(-4, 4), t.Shape.Size(), t.Shape.Size()).Draw(a.T, "elements")
	if t.DType.IsFloat() {
		fs := make([]float64, len(xs))
		for i, x := range xs {
			fs[i] = float64(x) / 2
		}
		return tensor.FromFloats(t.DType, t.Shape, fs)
	}
	words := make([]uint64, len(xs))
	for i, x := range xs {
		words[i] = uint64(int64(x))
	}
	return tensor.FromWords(t.DType, t.Shape, words)
}
