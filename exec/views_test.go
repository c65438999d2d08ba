package exec_test

import "testing"

// viewsOf is a set of operations that only copy elements, of one element type.
func viewsOf(e string) []program {
	one := func(op, attrs, in, out string) program {
		return program{op: "stablehlo." + op, attrs: attrs, args: in + e, outs: out + e}
	}
	two := func(op, attrs, in, with, out string) program {
		return program{op: "stablehlo." + op, attrs: attrs, args: in + e + " " + with + e, outs: out + e}
	}
	return []program{
		one("reshape", "", "3x4x", "2x6x"), one("reshape", "", "1x1x", ""), one("reshape", "", "0x3x", "2x0x"),
		one("transpose", "permutation = array<i64: 1, 0>", "3x4x", "4x3x"),
		one("transpose", "permutation = array<i64: 2, 0, 3, 1>", "2x3x1x2x", "1x2x2x3x"), one("transpose", "permutation = array<i64>", "", ""),
		one("broadcast_in_dim", "broadcast_dimensions = array<i64: 1, 2>", "3x1x", "2x3x4x"),
		one("broadcast_in_dim", "broadcast_dimensions = array<i64>", "", "2x2x"),
		one("broadcast_in_dim", "broadcast_dimensions = array<i64: 0>", "3x", "3x0x"),
		one("broadcast", "broadcast_sizes = array<i64: 2, 1>", "3x", "2x1x3x"),
		one("slice", "start_indices = array<i64: 0, 1>, limit_indices = array<i64: 3, 4>, strides = array<i64: 2, 2>", "3x4x", "2x2x"),
		one("slice", "start_indices = array<i64: 2>, limit_indices = array<i64: 2>, strides = array<i64: 1>", "4x", "0x"),
		one("reverse", "dimensions = array<i64: 0, 2>", "2x3x2x", "2x3x2x"),
		two("pad", "edge_padding_low = array<i64: 2, -1>, edge_padding_high = array<i64: -1, 0>, interior_padding = array<i64: 1, 1>", "3x4x", "", "6x6x"),
		two("pad", "edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: -2>, interior_padding = array<i64: 0>", "4x", "", "0x"),
		two("pad", "edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 3>", "0x", "", "3x"),
		two("pad", "edge_padding_low = array<i64: -1>, edge_padding_high = array<i64: 3>, interior_padding = array<i64: 2>", "3x", "", "9x"),
		two("concatenate", "dimension = 1 : i64", "3x2x", "3x1x", "3x3x"),
		two("concatenate", "dimension = 0 : i64", "0x", "4x", "4x"),
		two("dynamic_update_slice", "", "3x", "3x", "3x").dropped(),
	}
}

// dropped is the operation with public starts, here of a slice of a whole.
func (p program) dropped() program {
	e := elementOf(p.outs)
	p.name = p.op + " " + e
	p.args, p.outs = "3x4x"+e+" 2x2x"+e, "3x4x"+e
	p.body = `
%i = stablehlo.constant dense<1> : tensor<i32>
%j = stablehlo.constant dense<9> : tensor<i32>
%0 = stablehlo.dynamic_update_slice %a, %b, %i, %j : (tensor<3x4x` + e + `>, tensor<2x2x` + e + `>, tensor<i32>, tensor<i32>) -> tensor<3x4x` + e + `>
return %0 : tensor<3x4x` + e + `>`
	return p
}

func TestViews(t *testing.T) {
	for _, e := range []string{"f32", "i1", "ui8", "i64", "complex<f32>"} {
		for _, p := range viewsOf(e) {
			p.alone = e == "complex<f32>"
			agree(t, p)
		}
	}
	agree(t, program{op: "stablehlo.optimization_barrier", args: "3xf32 2xi32", outs: "3xf32 2xi32"})
}

// TestViewsOfRepeats: divisors and sums of copies, which are divided or opened once for each original.
func TestViewsOfRepeats(t *testing.T) {
	agree(t, program{name: "by repeated divisors", args: "4x3xf32 3xf32 4xf32", outs: "4x3xf32 4x3xf32 4x3xf32 2x4x3xf32", lo: 0.5, hi: 3, units: 12, body: `
%0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
%1 = stablehlo.divide %a, %0 : tensor<4x3xf32>
%2 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
%3 = stablehlo.divide %a, %2 : tensor<4x3xf32>
%4 = stablehlo.add %a, %2 : tensor<4x3xf32>
%5 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<2x4x3xf32>
%6 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<2x4x3xf32>
%7 = stablehlo.divide %6, %5 : tensor<2x4x3xf32>
return %1, %3, %4, %7 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<2x4x3xf32>`})
}
