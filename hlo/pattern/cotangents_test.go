package pattern

import (
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

func namesOf(set map[*hlo.Value]bool) []string {
	var out []string
	for v := range set {
		out = append(out, v.Name)
	}
	slices.Sort(out)
	return out
}

func parsed(t *testing.T, text string) *hlo.Program {
	t.Helper()
	p, err := hlo.Parse("test.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCotangents: a weight's gradient is divided by a root of its own square in a call, after a loop that
// carries it; the forward pass and the loss have no cotangents.
func TestCotangents(t *testing.T) {
	p := parsed(t, `
func.func public @main(%x: tensor<4x2xf32>, %w: tensor<2x3xf32>, %v: tensor<3x1xf32>) -> (tensor<2x3xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0.0> : tensor<4x3xf32>
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %some = stablehlo.compare GT, %a, %none, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
  %h = stablehlo.maximum %a, %none : tensor<4x3xf32>
  %z = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x1xf32>) -> tensor<4x1xf32>
  %p = stablehlo.logistic %z : tensor<4x1xf32>
  %loss = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<f32>
  %q = stablehlo.negate %p : tensor<4x1xf32>
  %dz = stablehlo.multiply %p, %q : tensor<4x1xf32>
  %dh = stablehlo.dot_general %dz, %v, contracting_dims = [1] x [1] : (tensor<4x1xf32>, tensor<3x1xf32>) -> tensor<4x3xf32>
  %da = stablehlo.select %some, %dh, %none : tensor<4x3xi1>, tensor<4x3xf32>
  %dw = stablehlo.dot_general %x, %da, contracting_dims = [0] x [0] : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %state:2 = stablehlo.while(%k = %i, %sum = %dw) : tensor<i32>, tensor<2x3xf32>
  cond {
    %n = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %more = stablehlo.add %sum, %dw : tensor<2x3xf32>
    %next = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %next, %more : tensor<i32>, tensor<2x3xf32>
  }
  %u = func.call @update(%state#1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %u, %loss : tensor<2x3xf32>, tensor<f32>
}
func.func private @update(%g: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %gg = stablehlo.multiply %g, %g : tensor<2x3xf32>
  %r = stablehlo.rsqrt %gg : tensor<2x3xf32>
  %s = stablehlo.multiply %r, %g : tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}`)
	if got, want := namesOf(Gradients(p)), []string{"g"}; !slices.Equal(got, want) {
		t.Errorf("gradients are %v, want %v", got, want)
	}
	// none is a public constant, which the forward pass reads too.
	if got, want := namesOf(Cotangents(p)), []string{"da", "dh", "dw", "dz", "g", "more", "q", "state#1", "sum"}; !slices.Equal(got, want) {
		t.Errorf("cotangents are %v, want %v", got, want)
	}
}

// TestGradients: a value that no optimiser divides is no gradient. A normalisation's root is of a sum over
// elements, a distance's quotient has another dividend, and a softsign has no maximum. adamax has one.
func TestGradients(t *testing.T) {
	for text, want := range map[string][]string{
		`%xx = stablehlo.multiply %x, %x : tensor<4xf32>
  %sum = stablehlo.reduce(%xx init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.rsqrt %all : tensor<4xf32>
  %u = stablehlo.multiply %x, %r : tensor<4xf32>`: nil,
		`%xx = stablehlo.multiply %x, %x : tensor<4xf32>
  %r = stablehlo.rsqrt %xx : tensor<4xf32>
  %u = stablehlo.multiply %y, %r : tensor<4xf32>`: nil,
		`%size = stablehlo.abs %x : tensor<4xf32>
  %more = stablehlo.add %size, %y : tensor<4xf32>
  %u = stablehlo.divide %x, %more : tensor<4xf32>`: nil,
		`%size = stablehlo.abs %x : tensor<4xf32>
  %more = stablehlo.maximum %size, %y : tensor<4xf32>
  %u = stablehlo.divide %x, %more : tensor<4xf32>`: {"x"},
		`%xx = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
  %more = stablehlo.add %xx, %y : tensor<4xf32>
  %r = stablehlo.sqrt %more : tensor<4xf32>
  %m = stablehlo.add %x, %y : tensor<4xf32>
  %u = stablehlo.divide %m, %r : tensor<4xf32>`: {"x"},
	} {
		p := parsed(t, `func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  `+text+`
  return %u : tensor<4xf32>
}`)
		if got := namesOf(Gradients(p)); !slices.Equal(got, want) {
			t.Errorf("gradients are %v, want %v, in\n%s", got, want, text)
		}
	}
}

// TestNoGradients: hypot divides the smaller magnitude by the larger, and arctan2 by polynomials does; neither is an optimiser.
func TestNoGradients(t *testing.T) {
	p := parsed(t, `
func.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %a = stablehlo.abs %x : tensor<4xf32>
  %b = stablehlo.abs %y : tensor<4xf32>
  %most = stablehlo.maximum %a, %b : tensor<4xf32>
  %least = stablehlo.minimum %a, %b : tensor<4xf32>
  %q = stablehlo.divide %least, %most : tensor<4xf32>
  %s = stablehlo.multiply %q, %q : tensor<4xf32>
  %t = stablehlo.add %s, %one : tensor<4xf32>
  %r = stablehlo.sqrt %t : tensor<4xf32>
  %h = stablehlo.multiply %r, %most : tensor<4xf32>
  return %h : tensor<4xf32>
}`)
	if got := namesOf(Gradients(p)); len(got) > 0 {
		t.Errorf("gradients are %v, want none", got)
	}
	if got := Normalizers(p); len(got) > 0 {
		t.Errorf("%d divisions by a gradient's size, want none", len(got))
	}
}
