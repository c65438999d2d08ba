package exec_test

import (
	"fmt"
	"testing"
)

// TestPublicComponents: index vectors of which some components are public, in any order, beside windows and
// batching dimensions, and out of range.
func TestPublicComponents(t *testing.T) {
	const oneEach = "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1"
	for _, c := range []struct{ name, in, indices, joined, public, join, out, dims, sizes string }{
		{"rows of their own", "4x5xf32", "4x1xi32", "4x2xi32", "dense<[[0], [1], [2], [3]]> : tensor<4x1xi32>", "%k, %b, dim = 1", "4xf32", oneEach, "1, 1"},
		{"public second", "4x5xf32", "3x1xi32", "3x2xi32", "dense<[[4], [0], [9]]> : tensor<3x1xi32>", "%b, %k, dim = 1", "3xf32", oneEach, "1, 1"},
		{"targets swapped, vectors first", "4x5xi64", "1x3xi32", "2x3xi32", "dense<[[4, -1, 2]]> : tensor<1x3xi32>", "%k, %b, dim = 0", "3xi64",
			"collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0", "1, 1"},
		{"windows", "4x5x3xf32", "2x3x1xi32", "2x3x2xi32", "dense<[[[0], [1], [2]], [[3], [7], [1]]]> : tensor<2x3x1xi32>", "%k, %b, dim = 2", "2x2x3x3x3xf32",
			"offset_dims = [1, 3, 4], start_index_map = [0, 1], index_vector_dim = 2", "2, 3, 3"},
		{"windows, public second", "4x5x3xf32", "2x3x1xi32", "2x3x2xi32", "dense<[[[0], [1], [2]], [[3], [7], [1]]]> : tensor<2x3x1xi32>", "%b, %k, dim = 2",
			"2x3x2x2x3xf32", "offset_dims = [2, 3, 4], start_index_map = [0, 1], index_vector_dim = 2", "2, 2, 3"},
		{"batching", "2x4x5xf32", "3x2x1xi32", "3x2x2xi32", "dense<[[[0], [1]], [[2], [3]], [[1], [0]]]> : tensor<3x2x1xi32>", "%k, %b, dim = 2", "3x2xf32",
			"collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1, 2], index_vector_dim = 2", "1, 1, 1"},
	} {
		agree(t, program{name: c.name, args: c.in + " " + c.indices, outs: c.out, least: -2, most: 6, body: fmt.Sprintf(`
%%k = stablehlo.constant %[1]s
%%i = stablehlo.concatenate %[2]s : (tensor<%[3]s>, tensor<%[3]s>) -> tensor<%[4]s>
%%0 = "stablehlo.gather"(%%a, %%i) <{dimension_numbers = #stablehlo.gather<%[5]s>, indices_are_sorted = false, slice_sizes = array<i64: %[6]s>}> : (tensor<%[7]s>, tensor<%[4]s>) -> tensor<%[8]s>
return %%0 : tensor<%[8]s>`, c.public, c.join, c.indices, c.joined, c.dims, c.sizes, c.in, c.out)})
	}
}
