package exec_test

import (
	"fmt"
	"testing"
)

func dotGeneral(x, y, out, dims string) program {
	return program{op: "stablehlo.dot_general", attrs: "dot_dimension_numbers = #stablehlo.dot<" + dims + ">", args: x + " " + y, outs: out, units: 2}
}

func TestDotGeneral(t *testing.T) {
	const matrices = "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]"
	for _, e := range []string{"f32", "i32", "ui8", "i64", "i1", "complex<f32>"} {
		p := dotGeneral("3x4x"+e, "4x2x"+e, "3x2x"+e, matrices)
		p.alone = e == "complex<f32>"
		agree(t, p)
	}
	wide := dotGeneral("3x4xf64", "4x2xf64", "3x2xf64", matrices)
	wide.rings = usual
	agree(t, wide,
		dotGeneral("3x4xi8", "4x2xi8", "3x2xi32", matrices),
		dotGeneral("3x4xf32", "4x2xf32", "3x2xf64", matrices),
		dotGeneral("3x0xf32", "0x2xf32", "3x2xf32", matrices),
		dotGeneral("0x3xf32", "3x2xf32", "0x2xf32", matrices),
		dotGeneral("6xf32", "6xf32", "f32", "lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]"),
		dotGeneral("2xf32", "3xf32", "2x3xf32", ""),
		dotGeneral("4x2x3x5xf32", "5x7x2x4xf32", "2x3x7xf32",
			"lhs_batching_dimensions = [1], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [3, 0], rhs_contracting_dimensions = [0, 3]"),
		dotGeneral("2x3xf32", "2x3xf32", "2x3xf32", "lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1]"))
	for _, c := range [][3]string{{"3x4xf32", "4x2xf32", "3x2xf32"}, {"4xf32", "4xf32", "f32"}, {"3x4xi16", "4xi16", "3xi16"}} {
		agree(t, program{op: "stablehlo.dot", args: c[0] + " " + c[1], outs: c[2]})
	}
}

// TestDotOfBits takes products with matrices of zeros and ones, which select.
func TestDotOfBits(t *testing.T) {
	for _, c := range [][2]string{{"3x4", "3x2"}, {"3x4", "3x6"}} {
		agree(t, program{name: c[1], args: "3x4xi1 " + c[1] + "xf32", outs: "4x" + c[1][2:] + "xf32 " + c[1][2:] + "x4xf32", body: fmt.Sprintf(`
%%f = stablehlo.convert %%a : (tensor<3x4xi1>) -> tensor<3x4xf32>
%%0 = stablehlo.dot_general %%f, %%b, contracting_dims = [0] x [0] : (tensor<3x4xf32>, tensor<%[1]sxf32>) -> tensor<4x%[2]sxf32>
%%1 = stablehlo.dot_general %%b, %%f, contracting_dims = [0] x [0] : (tensor<%[1]sxf32>, tensor<3x4xf32>) -> tensor<%[2]sx4xf32>
return %%0, %%1 : tensor<4x%[2]sxf32>, tensor<%[2]sx4xf32>`, c[1], c[1][2:])})
	}
}

func convolution(x, kernel, out, dims, window, groups string) program {
	return program{name: "conv " + x + " " + kernel + " " + window, args: x + " " + kernel, outs: out, body: fmt.Sprintf(`
%%0 = stablehlo.convolution(%%a, %%b) dim_numbers = %s, window = {%s} {%s} : (tensor<%s>, tensor<%s>) -> tensor<%s>
return %%0 : tensor<%s>`, dims, window, groups, x, kernel, out, out)}
}

func TestConvolution(t *testing.T) {
	const one, image = "batch_group_count = 1 : i64, feature_group_count = 1 : i64", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
	for _, e := range []string{"f32", "i32", "i8", "complex<f32>"} {
		p := convolution("2x9x3x"+e, "3x3x4x"+e, "2x4x4x"+e, "[b, 0, f]x[0, i, o]->[b, 0, f]",
			"stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]", one)
		p.alone = e == "complex<f32>"
		agree(t, p)
	}
	agree(t,
		convolution("2x3x6x5xf32", "4x3x2x3xf32", "2x4x5x3xf32", "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
			"stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]", one),
		convolution("1x4x4x2xf32", "3x2x2x3xf32", "1x5x6x3xf32", image,
			"stride = [2, 1], pad = [[2, 3], [-1, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 2], reverse = [false, false]", one),
		convolution("1x5x5x4xf32", "3x3x2x6xf32", "1x5x5x6xf32", image,
			"stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]", "batch_group_count = 1 : i64, feature_group_count = 2 : i64"),
		convolution("4x5x5x3xf32", "3x3x3x6xf32", "2x3x3x6xf32", image,
			"stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]", "batch_group_count = 2 : i64, feature_group_count = 1 : i64"),
		convolution("1x1x1x8xf32", "3x3x8x4xf32", "1x1x1x4xf32", image,
			"stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]", one),
		convolution("2x3xi8", "3x4xi8", "2x4xi32", "[b, f]x[i, o]->[b, f]", "", one))
}

// TestDotOfPublicMatrices: products of what one party knows by a few small integers are shared before them.
func TestDotOfPublicMatrices(t *testing.T) {
	agree(t, program{name: "repeated rows", args: "2x3xf32 6x3xf32", outs: "6x3xf32 6x3xf32", body: `
%k = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, -1.0], [1.0, 0.0], [0.0, 3.0]]> : tensor<6x2xf32>
%0 = stablehlo.dot_general %k, %a, contracting_dims = [1] x [0] : (tensor<6x2xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
%1 = stablehlo.add %0, %b : tensor<6x3xf32>
%2 = stablehlo.multiply %0, %b : tensor<6x3xf32>
return %1, %2 : tensor<6x3xf32>, tensor<6x3xf32>`})
}
