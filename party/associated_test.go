package party_test

import (
	"context"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestAssociatedRange: a product of two loop-invariant matrices that a pass takes before the loop is right although it is larger
// than contractions may be, and the loop opens the carried matrix alone.
func TestAssociatedRange(t *testing.T) {
	prog, err := hlo.Parse("loop.mlir", []byte(`
func.func public @main(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>, %c: tensor<3x2xf32>, %d: tensor<4x3xf32>) -> tensor<3x2xf32> {
 %x = stablehlo.add %b, %d : tensor<4x3xf32>
 %n = stablehlo.constant dense<3> : tensor<i32>
 %0 = stablehlo.constant dense<0> : tensor<i32>
 %r:2 = stablehlo.while(%i = %0, %w = %c) : tensor<i32>, tensor<3x2xf32>
 cond {
   %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
   stablehlo.return %p : tensor<i1>
 } do {
   %one = stablehlo.constant dense<1> : tensor<i32>
   %next = stablehlo.add %i, %one : tensor<i32>
   %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
   %2 = stablehlo.dot_general %a, %1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
   %k = stablehlo.constant dense<0.001> : tensor<3x2xf32>
   %3 = stablehlo.slice %2 [0:3, 0:2] : (tensor<4x2xf32>) -> tensor<3x2xf32>
   %4 = stablehlo.multiply %3, %k : tensor<3x2xf32>
   %5 = stablehlo.multiply %4, %k : tensor<3x2xf32>
   %6 = stablehlo.multiply %5, %k : tensor<3x2xf32>
   stablehlo.return %next, %6 : tensor<i32>, tensor<3x2xf32>
 }
 return %r#1 : tensor<3x2xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	filled := func(v *hlo.Value, least, step float64) *tensor.Array {
		x := make([]float64, v.Type.Shape.Size())
		for i := range x {
			x[i] = least + step*float64(i)
		}
		return tensor.FromFloats(v.Type.DType, v.Type.Shape, x)
	}
	params := prog.Main.Body.Params
	args := []*tensor.Array{filled(params[0], 500.3, 100.7), filled(params[1], 1e5, 1e4),
		filled(params[2], 0.001, 0.001), filled(params[3], -3, 1)}
	want, err := eval.Func(context.Background(), prog.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	spec := party.Spec{Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2,
		Parties: []string{"a", "b"}, Reveal: []int{0}, Network: "none",
		Args: []party.Arg{{Owner: party.Public, Data: args[0]}, {Owner: 0, Data: args[1]}, {Owner: 1, Data: args[2]}, {Owner: 1, Data: args[3]}}}
	out, err := party.Run(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range want[0].Floats() {
		if got := out.Results[0].Floats()[i]; math.Abs(got-x) > 0.02*math.Abs(x) {
			t.Errorf("element %d is %v, not %v", i, got, x)
		}
	}
	// What all iterations read is opened once, the carried matrix in two of three iterations, and that is rounded.
	if sent, most := sentBy(out.Report, "dot_general"), int64(8*(3*3+2*3*2)+2); sent > most {
		t.Errorf("products send %d bytes, more than %d", sent, most)
	}
}
