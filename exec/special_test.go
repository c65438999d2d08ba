package exec_test

import "testing"

func TestZeta(t *testing.T) {
	agree(t, program{op: "chlo.zeta", args: "4xf32 4xf32", outs: "4xf32", lo: 1.75, hi: 4, units: 200},
		program{op: "chlo.zeta", args: "f32 f32", outs: "f32", lo: 1.75, hi: 4, units: 200})
}

func TestPolygamma(t *testing.T) {
	for _, n := range []string{"0.0", "1.0", "[1.0, 2.0, 3.0]"} {
		agree(t, program{name: n, args: "3xf32", outs: "3xf32", lo: 1.5, hi: 5, units: 400, body: `
%k = stablehlo.constant dense<` + n + `> : tensor<3xf32>
%0 = "chlo.polygamma"(%k, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
return %0 : tensor<3xf32>`})
	}
	refused(t, program{name: "orders of 0 and others", args: "2xf32", outs: "2xf32", lo: 1, hi: 3, body: `
%k = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
%0 = "chlo.polygamma"(%k, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
return %0 : tensor<2xf32>`}, "chlo.polygamma", "orders of 0 and other orders")
	refused(t, program{op: "chlo.polygamma", args: "3xf32 3xf32", outs: "3xf32"}, "chlo.polygamma", "has a secret order (make the order public)")
}
