package pattern

import (
	"math"
	"slices"
	"testing"
)

// TestUpdates: what follows an optimiser's quotient, up to the parameter that a loop carries, is an update; the
// quotient, the gradient and what else reads the parameter is none.
func TestUpdates(t *testing.T) {
	p := parsed(t, `
func.func public @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%k = %i, %p = %w, %q = %v) : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  cond {
    %n = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %rate = stablehlo.constant dense<-0.01> : tensor<4x4xf32>
    %decay = stablehlo.constant dense<0.1> : tensor<4x4xf32>
    %g = stablehlo.dot_general %x, %p, contracting_dims = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %side = stablehlo.tanh %p : tensor<4x4xf32>
    %gg = stablehlo.multiply %g, %g : tensor<4x4xf32>
    %some = stablehlo.add %gg, %q : tensor<4x4xf32>
    %root = stablehlo.sqrt %some : tensor<4x4xf32>
    %u = stablehlo.divide %g, %root : tensor<4x4xf32>
    %d = stablehlo.multiply %p, %decay : tensor<4x4xf32>
    %ud = stablehlo.add %u, %d : tensor<4x4xf32>
    %step = stablehlo.multiply %ud, %rate : tensor<4x4xf32>
    %pn = func.call @apply(%p, %step) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %next = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %next, %pn, %some : tensor<i32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %0#1 : tensor<4x4xf32>
}
func.func private @apply(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = stablehlo.add %a, %b : tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}`)
	if got, want := namesOf(Updates(p)), []string{"0#1", "a", "b", "d", "p", "pn", "s", "step", "ud"}; !slices.Equal(got, want) {
		t.Errorf("updates are %v, want %v", got, want)
	}
	none := parsed(t, `
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %u = stablehlo.divide %x, %y : tensor<4xf32>
  %v = stablehlo.add %u, %x : tensor<4xf32>
  return %v : tensor<4xf32>
}`)
	if got := Updates(none); len(got) > 0 {
		t.Errorf("a program without gradients has the updates %v", namesOf(got))
	}
}

// TestNormalizers: the constant that an optimiser adds to a gradient's size is found beside and under the root.
func TestNormalizers(t *testing.T) {
	for body, want := range map[string]float64{
		`%r = stablehlo.sqrt %v : tensor<4xf32>
		 %d = stablehlo.add %r, %eps : tensor<4xf32>
		 %u = stablehlo.divide %g, %d : tensor<4xf32>`: 1e-6,
		`%d = stablehlo.add %v, %eps : tensor<4xf32>
		 %r = stablehlo.rsqrt %d : tensor<4xf32>
		 %u = stablehlo.multiply %r, %g : tensor<4xf32>`: 1e-3,
		`%r = stablehlo.rsqrt %v : tensor<4xf32>
		 %u = stablehlo.multiply %r, %g : tensor<4xf32>`: 0,
	} {
		p := parsed(t, `
func.func @main(%g: tensor<4xf32>) -> tensor<4xf32> {
  %e = stablehlo.constant dense<1.0E-6> : tensor<f32>
  %eps = stablehlo.broadcast_in_dim %e, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %v = stablehlo.multiply %g, %g : tensor<4xf32>
  `+body+`
  return %u : tensor<4xf32>
}`)
		got := Normalizers(p)
		if len(got) != 1 || math.Abs(got[0].Epsilon-want) > want/1e5 || got[0].Op.Results[0].Name != "u" {
			t.Errorf("%s: %+v, want %g", body, got, want)
		}
	}
}
