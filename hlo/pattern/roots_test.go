package pattern

import (
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// TestRootsAndDivisors: a moment that a loop carries, a call that takes its root, and a sum that is a
// divisor; the expected values are given by name.
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
	if got, want := names(Roots(p)), []string{"moment", "square", "state#1", "v", "w", "x"}; !slices.Equal(got, want) {
		t.Errorf("roots are taken of %v, want %v", got, want)
	}
	if got, want := names(Divisors(p)), []string{"below", "norm"}; !slices.Equal(got, want) {
		t.Errorf("%v are divisors, want %v", got, want)
	}
}

// TestQuotientsAndInverses: a dividend of a sum with a root, or a value multiplied by a reciprocal root that
// a call selects, is a quotient; a dividend of a constant is none.
func TestQuotientsAndInverses(t *testing.T) {
	p, err := hlo.Parse("test.mlir", []byte(`
func.func public @main(%g: tensor<f32>, %v: tensor<f32>, %w: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.multiply %g, %c : tensor<f32>
  %root = stablehlo.sqrt %v : tensor<f32>
  %below = stablehlo.add %root, %c : tensor<f32>
  %u = stablehlo.divide %m, %below : tensor<f32>
  %r = stablehlo.rsqrt %v : tensor<f32>
  %some = stablehlo.compare GT, %v, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %chosen = func.call @where(%some, %r, %zero) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  %h = stablehlo.negate %w : tensor<f32>
  %x = stablehlo.multiply %chosen, %h : tensor<f32>
  %half = stablehlo.divide %u, %c : tensor<f32>
  return %x, %half, %u : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func private @where(%b: tensor<i1>, %x1: tensor<f32>, %y1: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.select %b, %x1, %y1 : tensor<i1>, tensor<f32>
  return %s : tensor<f32>
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
	if got, want := names(Inverses(p)), []string{"chosen", "r", "s", "x1"}; !slices.Equal(got, want) {
		t.Errorf("%v are reciprocal roots, want %v", got, want)
	}
	if got, want := names(Quotients(p)), []string{"below", "c", "g", "h", "m", "root", "w"}; !slices.Equal(got, want) {
		t.Errorf("%v are quotients, want %v", got, want)
	}
}
