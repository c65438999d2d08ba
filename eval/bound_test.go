package eval

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// onOnes parses an operation on arguments of ones and returns it with them.
func onOnes(t *testing.T, params, results, text string) (*hlo.Program, []*tensor.Array) {
	t.Helper()
	p, err := hlo.Parse("p", fmt.Appendf(nil, "func.func public @main(%s) -> (%s) {\n%s\nreturn %%r : %s\n}\n", params, results, text, results))
	if err != nil {
		t.Fatal(err)
	}
	var args []*tensor.Array
	for _, v := range p.Main.Body.Params {
		a := tensor.NewArray(v.Type)
		switch d := a.Data.(type) {
		case []float32:
			for i := range d {
				d[i] = float32(i%7) + 1
			}
		case []bool:
			for i := range d {
				d[i] = i%2 == 0
			}
		}
		args = append(args, a)
	}
	return p, args
}

const scalarAdd = `({
^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.add %p, %q : tensor<f32>
  stablehlo.return %s : tensor<f32>
})`

// What operations allocate while they are evaluated is within their bounds, and a budget of less than the bound refuses them
// before they allocate it.
func TestBounds(t *testing.T) {
	const n = 1 << 16
	for _, c := range []struct{ name, params, result, text string }{
		{"iota", "", "tensor<65536xf32>", "%r = stablehlo.iota dim = 0 : tensor<65536xf32>"},
		{"iota over rows", "", "tensor<256x256xf32>", "%r = stablehlo.iota dim = 0 : tensor<256x256xf32>"},
		{"splat", "", "tensor<65536xf32>", "%r = stablehlo.constant dense<1.5> : tensor<65536xf32>"},
		{"add", "%x: tensor<65536xf32>", "tensor<65536xf32>", "%r = stablehlo.add %x, %x : tensor<65536xf32>"},
		{"exponential", "%x: tensor<65536xf32>", "tensor<65536xf32>", "%r = stablehlo.exponential %x : tensor<65536xf32>"},
		{"power", "%x: tensor<65536xf32>", "tensor<65536xf32>", "%r = stablehlo.power %x, %x : tensor<65536xf32>"},
		{"convert", "%x: tensor<65536xf32>", "tensor<65536xi8>", "%r = stablehlo.convert %x : (tensor<65536xf32>) -> tensor<65536xi8>"},
		{"compare", "%x: tensor<65536xf32>", "tensor<65536xi1>", "%r = stablehlo.compare LT, %x, %x : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<65536xi1>"},
		{"select", "%x: tensor<65536xf32>, %p: tensor<65536xi1>", "tensor<65536xf32>", "%r = stablehlo.select %p, %x, %x : tensor<65536xi1>, tensor<65536xf32>"},
		{"clamp", "%x: tensor<65536xf32>, %l: tensor<f32>", "tensor<65536xf32>", "%r = stablehlo.clamp %l, %x, %l : (tensor<f32>, tensor<65536xf32>, tensor<f32>) -> tensor<65536xf32>"},
		{"complex", "%x: tensor<65536xf32>", "tensor<65536xcomplex<f32>>", "%r = stablehlo.complex %x, %x : tensor<65536xcomplex<f32>>"},
		{"transpose", "%x: tensor<256x256xf32>", "tensor<256x256xf32>", "%r = stablehlo.transpose %x, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>"},
		{"reshape", "%x: tensor<256x256xf32>", "tensor<65536xf32>", "%r = stablehlo.reshape %x : (tensor<256x256xf32>) -> tensor<65536xf32>"},
		{"concatenate", "%x: tensor<65536xf32>", "tensor<131072xf32>", "%r = stablehlo.concatenate %x, %x, dim = 0 : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<131072xf32>"},
		{"pad", "%x: tensor<65536xf32>, %z: tensor<f32>", "tensor<131072xf32>", "%r = stablehlo.pad %x, %z, low = [65536], high = [0], interior = [0] : (tensor<65536xf32>, tensor<f32>) -> tensor<131072xf32>"},
		{"update", "%x: tensor<65536xf32>, %u: tensor<100xf32>, %i: tensor<i32>", "tensor<65536xf32>", "%r = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<65536xf32>, tensor<100xf32>, tensor<i32>) -> tensor<65536xf32>"},
		{"gather", "%x: tensor<256xf32>, %i: tensor<65536x1xi32>", "tensor<65536xf32>", `%r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<256xf32>, tensor<65536x1xi32>) -> tensor<65536xf32>`},
		{"dot", "%x: tensor<256x256xf32>", "tensor<256x256xf32>", "%r = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>"},
		{"convolution", "%x: tensor<1x4096x1xf32>, %k: tensor<16x1x1xf32>", "tensor<1x4096x1xf32>", "%r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[15, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4096x1xf32>, tensor<16x1x1xf32>) -> tensor<1x4096x1xf32>"},
		{"reduce", "%x: tensor<65536xf32>, %z: tensor<f32>", "tensor<f32>", `%r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ` + scalarAdd + ` : (tensor<65536xf32>, tensor<f32>) -> tensor<f32>`},
		{"reduce by a function", "%x: tensor<65536xf32>, %z: tensor<f32>", "tensor<f32>", `%r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ` + strings.Replace(scalarAdd, "add", "atan2", 1) + ` : (tensor<65536xf32>, tensor<f32>) -> tensor<f32>`},
		{"window", "%x: tensor<65536xf32>, %z: tensor<f32>", "tensor<65536xf32>", `%r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1000>, padding = dense<[[999, 0]]> : tensor<1x2xi64>}> ` + scalarAdd + ` : (tensor<65536xf32>, tensor<f32>) -> tensor<65536xf32>`},
		{"sort", "%x: tensor<65536xf32>", "tensor<65536xf32>", `%r = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>
}) : (tensor<65536xf32>) -> tensor<65536xf32>`},
		{"fft", "%x: tensor<65521xcomplex<f32>>", "tensor<65521xcomplex<f32>>", "%r = stablehlo.fft %x, type = FFT, length = [65521] : (tensor<65521xcomplex<f32>>) -> tensor<65521xcomplex<f32>>"},
		{"cholesky", "%x: tensor<64x64xf32>", "tensor<64x64xf32>", "%r = stablehlo.cholesky %x, lower = true : tensor<64x64xf32>"},
		{"top_k", "%x: tensor<65536xf32>", "tensor<16xf32>", "%r, %i = chlo.top_k(%x, k = 16) : tensor<65536xf32> -> (tensor<16xf32>, tensor<16xi32>)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, args := onOnes(t, c.params, c.result, c.text)
			op := p.Main.Body.Ops[0]
			in := make([]*tensor.Array, len(op.Operands))
			types := make([]tensor.Type, len(in))
			for i, v := range op.Operands {
				for k, param := range p.Main.Body.Params {
					if v == param {
						in[i], types[i] = args[k], v.Type
					}
				}
			}
			b := BoundOf(op, types)
			most := b.Results + b.Scratch
			measured := func(ctx context.Context) (uint64, error) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, err := (&Env{}).Op(ctx, op, in)
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc, err
			}
			ctx, budgeted, cancel := budget.New(t.Context(), budget.Limits{Memory: 64 * (most + n)})
			defer cancel()
			got, err := measured(ctx)
			if err != nil {
				t.Fatal(err)
			}
			// All that is allocated, also what is free again meanwhile, where sorts and reductions take several steps.
			steps := int64(1)
			if len(op.Regions) > 0 {
				steps = 40
			}
			if int64(got) > steps*most+n {
				t.Errorf("%d bytes are allocated, and the bound is %d for results and %d beside", got, b.Results, b.Scratch)
			}
			held, peak := budgeted.Held()
			if held != 0 || peak < most {
				t.Errorf("%d bytes are held after the operation, at most %d before, of %d", held, peak, most)
			}
			if most == 0 {
				return
			}
			ctx, _, cancel = budget.New(t.Context(), budget.Limits{Memory: most - 1})
			defer cancel()
			if got, err := measured(ctx); !errors.Is(err, problem.Limit) || got > 1<<14 {
				t.Errorf("with a byte less: %v, %d bytes", err, got)
			}
		})
	}
}

// A loop's values are counted while it runs, and iterations and operations as it goes.
func TestLoopIsBounded(t *testing.T) {
	p, args := onOnes(t, "%x: tensor<1024xf32>", "tensor<1024xf32>", `%r = "stablehlo.while"(%x) ({
^bb0(%v: tensor<1024xf32>):
  %c = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.return %c : tensor<i1>
}, {
^bb0(%v: tensor<1024xf32>):
  %w = stablehlo.multiply %v, %v : tensor<1024xf32>
  stablehlo.return %w : tensor<1024xf32>
}) : (tensor<1024xf32>) -> tensor<1024xf32>`)
	for _, l := range []budget.Limits{{Iterations: 100}, {Operations: 100_000}} {
		ctx, b, cancel := budget.New(t.Context(), l)
		_, err := Func(ctx, p.Main, args)
		if !errors.Is(err, problem.Limit) {
			t.Errorf("%+v: %v", l, err)
		}
		if held, peak := b.Held(); held != 0 || peak == 0 || peak > 1<<20 {
			t.Errorf("%+v: %d bytes are held at the end, %d were", l, held, peak)
		}
		cancel()
	}
}

// Operations on many elements look at the context while they compute, and give the results that they give in one part.
func TestInParts(t *testing.T) {
	const n = divided + 17
	shape := fmt.Sprintf("tensor<%dxf32>", n)
	for _, text := range []string{
		"%r = stablehlo.negate %x : " + shape,
		"%r = stablehlo.divide %x, %x : " + shape,
		"%l = stablehlo.constant dense<3.0> : tensor<f32>\n%r = stablehlo.clamp %l, %x, %l : (tensor<f32>, " + shape + ", tensor<f32>) -> " + shape,
		"%r = stablehlo.reverse %x, dims = [0] : " + shape,
	} {
		p, args := onOnes(t, "%x: "+shape, shape, text)
		out, err := Func(t.Context(), p.Main, args)
		if err != nil || out[0].Check() != nil {
			t.Fatalf("%s: %v", text, err)
		}
		x, got := args[0].Data.([]float32), out[0].Data.([]float32)
		for _, i := range []int{0, 1, part - 1, part, part + 5, n - 2, n - 1} {
			want := map[byte]float32{'n': -x[i], 'd': 1, 'c': 3, 'r': x[n-1-i]}[text[strings.LastIndex(text, "stablehlo.")+len("stablehlo.")]]
			if got[i] != want {
				t.Errorf("%s: element %d is %v, not %v", text, i, got[i], want)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		op := p.Main.Body.Ops[len(p.Main.Body.Ops)-2]
		in := make([]*tensor.Array, len(op.Operands))
		for i := range in {
			if in[i] = args[0]; op.Name == hlo.OpClamp && i != 1 {
				in[i] = tensor.NewArray(tensor.Type{DType: tensor.F32, Shape: tensor.Shape{}})
			}
		}
		if _, err := (&Env{}).Op(ctx, op, in); !errors.Is(err, context.Canceled) {
			t.Errorf("%s goes on: %v", text, err)
		}
	}
}

// patient is a context that ends when it has been asked some number of times whether it has.
type patient struct {
	context.Context
	left int
}

func (p *patient) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// Operations of more than linear time look at the context within one lane: a cancelled plan ends soon, however long the lane is.
func TestLanesEnd(t *testing.T) {
	const n = 1 << 15
	real, whole := fmt.Sprintf("tensor<%dxf32>", n), fmt.Sprintf("tensor<%dxi32>", n)
	spectrum := fmt.Sprintf("tensor<%dxcomplex<f32>>", n/2+1)
	odd, oddSpectrum := fmt.Sprintf("tensor<%dxf32>", n+1), fmt.Sprintf("tensor<%dxcomplex<f32>>", n/2+1)
	for text, types := range map[string][2]string{
		fmt.Sprintf("%%r, %%i = chlo.top_k(%%x, k = %d) : %s -> (%s, %s)", n, real, real, whole):               {real, real},
		fmt.Sprintf(`%%r = stablehlo.fft %%x, type = RFFT, length = [%d] : (%s) -> %s`, n, real, spectrum):     {real, spectrum},
		fmt.Sprintf(`%%r = stablehlo.fft %%x, type = RFFT, length = [%d] : (%s) -> %s`, n+1, odd, oddSpectrum): {odd, oddSpectrum},
		fmt.Sprintf(`%%r = "stablehlo.sort"(%%x) ({^bb0(%%a: tensor<f32>, %%b: tensor<f32>):
  %%c = stablehlo.compare LT, %%a, %%b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %%c : tensor<i1>
}) {dimension = 0 : i64} : (%s) -> %s`, real, real): {real, real},
	} {
		p, args := onOnes(t, "%x: "+types[0], types[1], text)
		whole := &patient{t.Context(), 1 << 40}
		if _, err := Func(whole, p.Main, args); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		asked := 1<<40 - whole.left
		if asked < 12 {
			t.Errorf("%s looks at the context %d times", text, asked)
		}
		if _, err := Func(&patient{t.Context(), asked / 2}, p.Main, args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s goes on: %v", text, err)
		}
	}
}
