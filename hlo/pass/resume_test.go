package pass

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// twoLoops is a program of two loops with the given numbers of iterations, the second in a
// function. They carry a counter, changing values and constant values; the second loop also reads a
// result of the first and a value from before it.
func twoLoops(t *testing.T, first, second int) *hlo.Program {
	t.Helper()
	p, err := hlo.Parse("test.mlir", fmt.Appendf(nil, `
func.func public @main(%%x: tensor<3xf32>, %%w: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %%zero = stablehlo.constant dense<0> : tensor<i32>
  %%one = stablehlo.constant dense<1> : tensor<i32>
  %%turns = stablehlo.constant dense<%d> : tensor<i32>
  %%half = stablehlo.constant dense<0.5> : tensor<3xf32>
  %%data = stablehlo.tanh %%x : tensor<3xf32>
  %%start = stablehlo.sine %%w : tensor<3xf32>
  %%0:4 = stablehlo.while(%%d = %%data, %%i = %%zero, %%v = %%start, %%u = %%half) : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>
  cond {
    %%1 = stablehlo.compare LT, %%i, %%turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %%1 : tensor<i1>
  } do {
    %%2 = stablehlo.multiply %%v, %%half : tensor<3xf32>
    %%3 = stablehlo.add %%2, %%d : tensor<3xf32>
    %%4 = stablehlo.add %%i, %%one : tensor<i32>
    %%5 = stablehlo.multiply %%u, %%v : tensor<3xf32>
    stablehlo.return %%d, %%4, %%3, %%5 : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>
  }
  %%after = stablehlo.cosine %%0#3 : tensor<3xf32>
  %%6 = func.call @second(%%0#2, %%x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %%7 = stablehlo.add %%6, %%0#0 : tensor<3xf32>
  return %%7, %%after : tensor<3xf32>, tensor<3xf32>
}
func.func private @second(%%v: tensor<3xf32>, %%x: tensor<3xf32>) -> tensor<3xf32> {
  %%zero = stablehlo.constant dense<0> : tensor<i32>
  %%one = stablehlo.constant dense<1> : tensor<i32>
  %%turns = stablehlo.constant dense<%d> : tensor<i32>
  %%l = stablehlo.logistic %%x : tensor<3xf32>
  %%0:2 = stablehlo.while(%%i = %%zero, %%u = %%v) : tensor<i32>, tensor<3xf32>
  cond {
    %%1 = stablehlo.compare LT, %%i, %%turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %%1 : tensor<i1>
  } do {
    %%2 = stablehlo.multiply %%u, %%l : tensor<3xf32>
    %%3 = stablehlo.subtract %%2, %%v : tensor<3xf32>
    %%4 = stablehlo.add %%i, %%one : tensor<i32>
    stablehlo.return %%4, %%3 : tensor<i32>, tensor<3xf32>
  }
  return %%0#1 : tensor<3xf32>
}`, first, second))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// giving is a program that returns loop-carried values.
func giving(p *hlo.Program, what []Carried) *hlo.Program {
	q := clone(p)
	ret := q.Main.Body.Return()
	ret.Operands, q.Main.Results = nil, nil
	for _, c := range what {
		v := loops(q)[c.Loop].Results[c.Index]
		ret.Operands, q.Main.Results = append(ret.Operands, v), append(q.Main.Results, v.Type)
	}
	return q
}

// TestResume: a program resumed at any program point with the carried values has the results of the
// whole program, and contains no operation that only finished parts needed.
func TestResume(t *testing.T) {
	const first, second = 4, 3
	args := []*tensor.Array{
		tensor.FromFloats(tensor.F32, tensor.Shape{3}, []float64{1, -2, 0.5}),
		tensor.FromFloats(tensor.F32, tensor.Shape{3}, []float64{0.1, 0.2, -3}),
	}
	for _, passes := range []bool{false, true} {
		program := func(first, second int) *hlo.Program {
			p := twoLoops(t, first, second)
			if passes {
				p = Rewrite(p, Options{Fold: true, Guard: 4, Guarded: math.Inf(1), Squares: 28})
			}
			return InlineLoops(p)
		}
		whole := program(first, second)
		if n := len(loops(whole)); n != 2 {
			t.Fatalf("%d loops stand in main", n)
		}
		want := results(t, whole, args)
		agree(t, results(t, twoLoops(t, first, second), args), want, 1e-6)
		for _, c := range []struct {
			at      Point
			turns   [2]int // done by then
			carried []Carried
			gone    []string // operations
		}{
			{Point{0, false}, [2]int{0, 0}, nil, nil},
			{Point{0, true}, [2]int{2, 0}, []Carried{{0, 1}, {0, 2}, {0, 3}}, []string{"sine"}},
			{Point{1, false}, [2]int{first, 0}, []Carried{{0, 2}, {0, 3}}, []string{"sine"}},
			{Point{1, true}, [2]int{first, 2}, []Carried{{0, 2}, {0, 3}, {1, 0}, {1, 1}}, []string{"sine"}},
			{Point{2, false}, [2]int{first, second}, []Carried{{0, 3}, {1, 1}}, []string{"sine", "logistic", "while"}},
		} {
			before := counts(whole)
			r := Resume(whole, c.at)
			if d := cmp.Diff(before, counts(whole)); d != "" {
				t.Errorf("the program was changed:\n%s", d)
			}
			if err := r.Program.Verify(); err != nil {
				t.Fatalf("%v: %v", c.at, err)
			}
			if d := cmp.Diff(c.carried, r.Carried); d != "" {
				t.Errorf("passes %v, %v carries (-want +got):\n%s", passes, c.at, d)
			}
			for _, name := range c.gone {
				if n := counts(r.Program)[name]; n > 0 {
					t.Errorf("passes %v, %v: %s is still there", passes, c.at, name)
				}
			}
			for n, o := range r.Loops {
				if done := n < c.at.Loop; done != (o == nil) || !done && !slices.Contains(r.Program.Main.Body.Ops, o) {
					t.Errorf("%v: loop %d is %v", c.at, n, o)
				}
			}
			carried := results(t, giving(program(c.turns[0], c.turns[1]), r.Carried), args)
			agree(t, results(t, r.Program, append(slices.Clone(args), carried...)), want, 1e-6)
		}
	}
}
