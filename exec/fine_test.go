package exec_test

import "testing"

// TestRootsOfSums takes roots of sums of squares and of products of others, in all rings.
func TestRootsOfSums(t *testing.T) {
	agree(t, program{name: "x² + ab", args: "5xf64 5xf64", outs: "5xf64", lo: 0.5, hi: 2, units: 8, rings: usual, body: `
%s = stablehlo.multiply %a, %a : tensor<5xf64>
%p = stablehlo.multiply %a, %b : tensor<5xf64>
%0 = stablehlo.add %s, %p : tensor<5xf64>
%1 = stablehlo.sqrt %0 : tensor<5xf64>
return %1 : tensor<5xf64>`})
}
