package exec_test

import (
	"testing"

	"github.com/tacet-mpc/tacet/exec"
)

// TestOwnedRows: look-ups at indices that one party knows, as one-hot vectors, and rows that it replaces by zeros, by a boolean
// of each row and by others.
func TestOwnedRows(t *testing.T) {
	defer exec.SetLeastOwned(exec.SetLeastOwned(0))
	agree(t,
		gather("5x3xf32", "4x1xi32", "4x3xf32", rowsOf, ": 1, 3"),
		gather("4x5xf32", "2x3xi32", "3xf32", "collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0", ": 1, 1"),
		gather("4x5x3xf32", "2x4x1xi32", "2x4x3xf32",
			"offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2",
			": 1, 1, 3"),
		gather("4x5xf32", "3xi32", "3x4x2xf32", "offset_dims = [1, 2], start_index_map = [1], index_vector_dim = 1", ": 4, 2"),
	)
	const taken = `
%z = stablehlo.constant dense<0> : tensor<4xi32>
%i = stablehlo.reshape %b : (tensor<4xi32>) -> tensor<4x1xi32>
%p = stablehlo.compare GE, %b, %z : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
%rows = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<` + rowsOf + `>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
`
	for name, rest := range map[string]string{
		"rows that are taken": `%q = stablehlo.broadcast_in_dim %p, dims = [0] : (tensor<4xi1>) -> tensor<4x4xi1>
%n = stablehlo.constant dense<0.0> : tensor<4x4xf32>`,
		"columns that are taken": `%q = stablehlo.broadcast_in_dim %p, dims = [1] : (tensor<4xi1>) -> tensor<4x4xi1>
%n = stablehlo.constant dense<0.0> : tensor<4x4xf32>`,
		"another number": `%q = stablehlo.broadcast_in_dim %p, dims = [0] : (tensor<4xi1>) -> tensor<4x4xi1>
%n = stablehlo.constant dense<3.0> : tensor<4x4xf32>`,
	} {
		agree(t, program{name: name, args: "5x4xf32 4xi32", outs: "4x4xf32", least: -2, most: 6, body: taken + rest + `
%0 = stablehlo.select %q, %rows, %n : tensor<4x4xi1>, tensor<4x4xf32>
return %0 : tensor<4x4xf32>`})
	}
}
