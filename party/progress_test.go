package party_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestProgressHasRoundsAndIterations runs a loop with a loop in it: iterations are the outermost loop's.
func TestProgressHasRoundsAndIterations(t *testing.T) {
	prog, err := hlo.Parse("loop.mlir", []byte(`
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<f32>
   cond {
    %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s:2 = stablehlo.while(%j = %zero, %w = %v) : tensor<i32>, tensor<f32>
     cond {
      %c = stablehlo.compare LT, %j, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %m = stablehlo.multiply %w, %y : tensor<f32>
      %k = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %k, %m : tensor<i32>, tensor<f32>
    }
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %s#1 : tensor<i32>, tensor<f32>
  }
  %z = stablehlo.multiply %r#1, %x : tensor<f32>
  return %z : tensor<f32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	number := func(x float32) *tensor.Array {
		return &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{}}, Data: []float32{x}}
	}
	var mu sync.Mutex
	var seen []int
	last := party.Progress{}
	out, err := party.Run(context.Background(), party.Spec{
		Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2, Parties: []string{"a", "b"}, Reveal: []int{0}, Network: "none",
		Args: []party.Arg{{Owner: 0, Data: number(2)}, {Owner: 1, Data: number(3)}},
		Progress: func(p party.Progress) {
			mu.Lock()
			defer mu.Unlock()
			if p.Phase != "online" || p.All == 0 {
				return
			}
			if p.Round < last.Round || p.Round > p.Rounds {
				t.Errorf("round %d of %d after round %d", p.Round, p.Rounds, last.Round)
			}
			last = p
			if len(seen) == 0 || seen[len(seen)-1] != p.Iteration {
				seen = append(seen, p.Iteration)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if last.Rounds != out.Report.Online.Rounds {
		t.Errorf("progress says %d rounds, the report %d", last.Rounds, out.Report.Online.Rounds)
	}
	// The condition is evaluated once more than the body.
	if want := []int{0, 1, 2, 3, 4, 0}; !slices.Equal(seen, want) {
		t.Errorf("iterations %v, want %v", seen, want)
	}
}

// TestProgressGoesOnWhileRoundsTakeTime: on a slow link the walk through a program ends before its rounds, which are still reported.
func TestProgressGoesOnWhileRoundsTakeTime(t *testing.T) {
	text := "func.func @main(%x0: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {\n"
	const products = 30
	for i := range products {
		text += fmt.Sprintf("  %%x%d = stablehlo.multiply %%x%d, %%y : tensor<f32>\n", i+1, i)
	}
	prog, err := hlo.Parse("slow.mlir", fmt.Appendf(nil, "%s  return %%x%d : tensor<f32>\n}", text, products))
	if err != nil {
		t.Fatal(err)
	}
	number := func(x float32) *tensor.Array {
		return &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{}}, Data: []float32{x}}
	}
	var mu sync.Mutex
	rounds := map[int]bool{} // seen after the walk
	ended := false
	_, err = party.Run(t.Context(), party.Spec{
		Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2, Parties: []string{"a", "b"}, Reveal: []int{0}, Network: "100e6/30ms",
		Args: []party.Arg{{Owner: 0, Data: number(1)}, {Owner: 1, Data: number(1)}},
		Progress: func(p party.Progress) {
			mu.Lock()
			defer mu.Unlock()
			if ended {
				t.Error("progress after the run")
			}
			if p.Phase == "online" && p.All > 0 && p.Done == p.All {
				rounds[p.Round] = true
			}
		},
	})
	mu.Lock()
	defer mu.Unlock()
	if ended = true; err != nil {
		t.Fatal(err)
	}
	if len(rounds) < 3 {
		t.Errorf("after the walk only these rounds were reported: %v", rounds)
	}
}
