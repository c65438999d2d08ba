package exec_test

import (
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// revealingTo reveals a product to party 0, which computes with it and its own %a, also in a loop of its own, and an integer to party 1.
const revealingTo = `
%s = stablehlo.multiply %b, %b : tensor<3xf32>
%x = stablehlo.custom_call @tacet.reveal_to(%s) {mhlo.attributes = {to = 0 : i64}} : (tensor<3xf32>) -> tensor<3xf32>
%y = stablehlo.multiply %x, %a : tensor<3xf32>
%z:2 = stablehlo.while(%i = %y, %j = %x) : tensor<3xf32>, tensor<3xf32>
cond {
%k = stablehlo.constant dense<100.0> : tensor<f32>
%h = stablehlo.constant dense<0.0> : tensor<f32>
%m = stablehlo.reduce(%i init: %h) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
%f = stablehlo.compare LT, %m, %k : (tensor<f32>, tensor<f32>) -> tensor<i1>
stablehlo.return %f : tensor<i1>
} do {
%d = stablehlo.add %i, %i : tensor<3xf32>
stablehlo.return %d, %j : tensor<3xf32>, tensor<3xf32>
}
%0 = stablehlo.add %z#0, %b : tensor<3xf32>
%t = stablehlo.custom_call @tacet.reveal_to(%c) {mhlo.attributes = {to = 1 : i64}} : (tensor<3xi32>) -> tensor<3xi32>
%1 = stablehlo.multiply %t, %c : tensor<3xi32>
%2 = stablehlo.compare GT, %z#0, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
return %0, %1, %2, %y : tensor<3xf32>, tensor<3xi32>, tensor<3xi1>, tensor<3xf32>`

func TestRevealTo(t *testing.T) {
	p := parse(t, program{args: "3xf32 3xf32 3xi32", outs: "3xf32 3xi32 3xi1 3xf32", body: revealingTo})
	if n := exec.CountReveals(p); n != 2 {
		t.Errorf("%d reveals in the text, want 2", n)
	}
	data := arrays(floats(f32, shape{3}, 1, 2, 3), floats(f32, shape{3}, 0.5, -1, 2), integers(tensor.I32, shape{3}, 1<<20, -3, 4))
	for _, owners := range [][]int{{0, kept, kept}, {0, 1, 1}, {exec.Public, kept, kept}} {
		var revealed []int
		early := &exec.Early{}
		edit := func(c *exec.Config, dry bool) {
			c.Reveals, c.Online, c.Learns, c.Early = 2, 2, func(int) bool { return true }, early
			if !dry { // a second walk does not evaluate what party 0 knew before; the protocol plain reads what party 1 shares
				c.Evaluates = func(owner int) bool { return owner != 0 }
				c.Revealing = func(o *hlo.Op) { revealed = append(revealed, exec.RevealsTo(o, 2)...) }
			}
		}
		got, err := walk(p, middle[0], nil, owners, data, edit)
		if err != nil {
			t.Fatalf("%v: %v", owners, err)
		}
		// x = 0.25, 1, 4; y = 0.25, 2, 12, doubled until the largest is 192
		if x := got.arrays[0].Floats(); x[0] != 4.5 || x[1] != 31 || x[2] != 194 {
			t.Errorf("%v: %v", owners, x)
		}
		if y := got.arrays[1].Data.([]int32); y[0] != 0 || y[1] != 9 || y[2] != 16 {
			t.Errorf("%v: %v", owners, y)
		}
		if b := got.arrays[2].Data.([]bool); !b[0] || !b[1] || !b[2] {
			t.Errorf("%v: %v", owners, b)
		}
		if x := got.arrays[3].Floats(); x[0] != 0.25 || x[1] != 2 || x[2] != 12 {
			t.Errorf("%v: %v", owners, x)
		}
		if len(revealed) != 2 || revealed[0] != 0 || revealed[1] != 1 {
			t.Errorf("%v: told of reveals to %v", owners, revealed)
		}
		_, err = walk(p, middle[0], nil, owners, data, func(c *exec.Config, dry bool) { edit(c, dry); c.Reveals = 1 })
		if err == nil || !strings.Contains(err.Error(), "@tacet.reveal_to: the program reveals 2 tensors before its end, and the job allows 1") {
			t.Errorf("%v: one allowed: %v", owners, err)
		}
		_, err = walk(p, middle[0], nil, owners, data, func(c *exec.Config, dry bool) { edit(c, dry); c.Online = 1 })
		if err == nil || !strings.Contains(err.Error(), "takes no part in the online phase") {
			t.Errorf("%v: to an input party: %v", owners, err)
		}
	}
}
