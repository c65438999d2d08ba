package eval_test

import (
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestNearestInteger: halves go to even integers, and the operand, which others may read, keeps its values.
func TestNearestInteger(t *testing.T) {
	p, err := hlo.Parse("integer.mlir", []byte(`func.func public @main(%x: tensor<4xf64>) -> (tensor<4xi32>, tensor<4xf64>) {
  %0 = stablehlo.custom_call @tacet.integer(%x) : (tensor<4xf64>) -> tensor<4xi32>
  return %0, %x : tensor<4xi32>, tensor<4xf64>
}`))
	if err != nil {
		t.Fatal(err)
	}
	given := []float64{0.5, 1.5, -2.25, 7}
	out, err := eval.Func(t.Context(), p.Main, []*tensor.Array{tensor.FromFloats(tensor.F64, tensor.Shape{4}, slices.Clone(given))})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out[0].Floats(), []float64{0, 2, -2, 7}; !slices.Equal(got, want) {
		t.Errorf("integers %v, want %v", got, want)
	}
	if got := out[1].Floats(); !slices.Equal(got, given) {
		t.Errorf("the operand became %v, was %v", got, given)
	}
}
