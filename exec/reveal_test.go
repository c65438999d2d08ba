package exec_test

import (
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// revealing reveals a product, an integer and a complex number, and goes on with them.
const revealing = `
%s = stablehlo.multiply %a, %b : tensor<3xf32>
%x = stablehlo.custom_call @tacet.reveal(%s) : (tensor<3xf32>) -> tensor<3xf32>
%y = stablehlo.custom_call @tacet.reveal(%c) : (tensor<3xi32>) -> tensor<3xi32>
%z = stablehlo.complex %a, %s : tensor<3xcomplex<f32>>
%w = stablehlo.custom_call @tacet.reveal(%z) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
%0 = stablehlo.add %x, %a : tensor<3xf32>
%1 = stablehlo.multiply %y, %c : tensor<3xi32>
return %0, %1, %w : tensor<3xf32>, tensor<3xi32>, tensor<3xcomplex<f32>>`

func TestReveal(t *testing.T) {
	p := parse(t, program{args: "3xf32 3xf32 3xi32", outs: "3xf32 3xi32 3xcomplex<f32>", body: revealing})
	if n := exec.CountReveals(p); n != 3 {
		t.Errorf("%d reveals in the text, want 3", n)
	}
	data := arrays(floats(f32, shape{3}, 1, 2, 3), floats(f32, shape{3}, 0.5, -1, 2), integers(tensor.I32, shape{3}, 1<<20, -3, 4))
	for _, owners := range [][]int{{kept, kept, kept}, {0, 0, 0}, {0, exec.Public, 1}} {
		var revealed []string
		got, err := walk(p, middle[0], nil, owners, data, func(c *exec.Config, dry bool) {
			c.Reveals = 3
			if !dry {
				c.Revealing = func(o *hlo.Op) { revealed = append(revealed, o.Pos.String()) }
			}
		})
		if err != nil {
			t.Fatalf("%v: %v", owners, err)
		}
		if x := got.arrays[0].Floats(); x[0] != 1.5 || x[1] != 0 || x[2] != 9 {
			t.Errorf("%v: %v", owners, x)
		}
		if y := got.arrays[1].Data.([]int32); y[0] != 0 || y[1] != 9 || y[2] != 16 {
			t.Errorf("%v: %v", owners, y)
		}
		if len(revealed) != 3 || revealed[0] != "test.mlir:5:6" {
			t.Errorf("%v: told of %v", owners, revealed)
		}
		if got.results[2].Owner != exec.Secret {
			t.Errorf("%v: what is revealed to the computing parties is of owner %d, not secret from others", owners, got.results[2].Owner)
		}
		_, err = walk(p, middle[0], nil, owners, data, func(c *exec.Config, dry bool) { c.Reveals = 2 })
		if err == nil || !strings.HasPrefix(err.Error(), "test.mlir:8:6: stablehlo.custom_call: to @tacet.reveal: the program reveals 3 tensors before its end, and the job allows 2 (if this is intended, write reveals: 3") {
			t.Errorf("%v: two allowed: %v", owners, err)
		}
	}
}

// TestRevealInAChoice refuses a reveal in a branch or loop that secrets decide.
func TestRevealInAChoice(t *testing.T) {
	refused(t, program{args: "i1 f32", outs: "f32", body: `
%0 = "stablehlo.if"(%a) ({
%1 = stablehlo.custom_call @tacet.reveal(%b) : (tensor<f32>) -> tensor<f32>
stablehlo.return %1 : tensor<f32>
}, {
stablehlo.return %b : tensor<f32>
}) : (tensor<i1>) -> tensor<f32>
return %0 : tensor<f32>`}, "stablehlo.custom_call", "is in a branch or loop with a secret condition (reveal the result outside of it)")
}

// TestCountReveals counts calls as often as they are made, the larger of two branches, and loops once.
func TestCountReveals(t *testing.T) {
	p := parse(t, program{args: "i1 f32", outs: "f32", body: `
%0 = "stablehlo.if"(%a) ({
%1 = func.call @two(%b) : (tensor<f32>) -> tensor<f32>
%2 = func.call @two(%1) : (tensor<f32>) -> tensor<f32>
stablehlo.return %2 : tensor<f32>
}, {
%1 = func.call @two(%b) : (tensor<f32>) -> tensor<f32>
stablehlo.return %1 : tensor<f32>
}) : (tensor<i1>) -> tensor<f32>
%3 = stablehlo.while(%x = %0) : tensor<f32>
cond {
%f = stablehlo.constant dense<false> : tensor<i1>
stablehlo.return %f : tensor<i1>
} do {
%y = stablehlo.custom_call @tacet.reveal(%x) : (tensor<f32>) -> tensor<f32>
stablehlo.return %y : tensor<f32>
}
return %3 : tensor<f32>
}
func.func private @two(%x: tensor<f32>) -> tensor<f32> {
%0:2 = stablehlo.custom_call @tacet.reveal(%x, %x) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
return %0#1 : tensor<f32>`})
	if n := exec.CountReveals(p); n != 5 {
		t.Errorf("%d reveals, want 4 of a branch and 1 of the loop", n)
	}
}

func TestUnopened(t *testing.T) {
	agree(t, program{name: "unopened", args: "3xf32 3xi32 3xi1", outs: "3xf32 3xi32 3xi1 3xcomplex<f32>", body: `
%k = stablehlo.constant dense<(0.5, -2.0)> : tensor<3xcomplex<f32>>
%0, %1, %2 = stablehlo.custom_call @tacet.unopened(%a, %b, %c) : (tensor<3xf32>, tensor<3xi32>, tensor<3xi1>) -> (tensor<3xf32>, tensor<3xi32>, tensor<3xi1>)
%3 = stablehlo.custom_call @tacet.unopened(%k) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xi32>, tensor<3xi1>, tensor<3xcomplex<f32>>`})
}
