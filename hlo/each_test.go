package hlo

import (
	"slices"
	"testing"
)

func TestEach(t *testing.T) {
	p, err := Parse("each.mlir", []byte(`func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = "stablehlo.if"(%p) ({
    %2 = stablehlo.sine %0 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %3 = func.call @f(%1) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.cosine %x : tensor<f32>
  return %0 : tensor<f32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	p.Each(func(o *Op) { got = append(got, o.Name) })
	want := []string{
		"stablehlo.negate", "stablehlo.sine", "stablehlo.return", "stablehlo.return", "stablehlo.if", "func.call", "func.return",
		"stablehlo.cosine", "func.return",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
