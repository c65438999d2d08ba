package pattern

import (
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// A moment that a loop carries, a call that takes its root, and a sum that is
// divided by: which values' last places count, by name.
func TestRootsAndDivisors(t *testing.T) {
	p, err := hlo.Parse("test.mlir", []byte(`
func.func public @main(%g: tensor<f32>, %w: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %other = stablehlo.multiply %w, %w : tensor<f32>
  %state:2 = stablehlo.while(%k = %i, %v = %w) : tensor<i32>, tensor<f32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %c = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %square = stablehlo.multiply %g, %g : tensor<f32>
    %moment = stablehlo.add %v, %square : tensor<f32>
    %next = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %next, %moment : tensor<i32>, tensor<f32>
  }
  %root = func.call @rooted(%state#1) : (tensor<f32>) -> tensor<f32>
  %norm = stablehlo.sqrt %w : tensor<f32>
  %below = stablehlo.add %norm, %w : tensor<f32>
  %out = stablehlo.divide %root, %below : tensor<f32>
  return %out, %other : tensor<f32>, tensor<f32>
}
func.func private @rooted(%x: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.sqrt %x : tensor<f32>
  return %r : tensor<f32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	names := func(set map[*hlo.Value]bool) []string {
		var out []string
		for v := range set {
			out = append(out, v.Name)
		}
		slices.Sort(out)
		return out
	}
	if got, want := names(Roots(p)), []string{"g", "moment", "square", "state#1", "v", "w", "x"}; !slices.Equal(got, want) {
		t.Errorf("roots are taken of %v, want %v", got, want)
	}
	if got, want := names(Divisors(p)), []string{"below", "norm"}; !slices.Equal(got, want) {
		t.Errorf("%v are divisors, want %v", got, want)
	}
}
