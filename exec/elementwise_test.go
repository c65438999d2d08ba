package exec_test

import (
	"fmt"
	"testing"
)

var integerTypes = []string{"i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"}

// onShapes applies an operation to operands of one type, of many shapes.
func onShapes(op string, operands int, elem string) []program {
	var out []program
	for _, shape := range []string{"", "1x", "5x", "2x3x", "0x", "2x1x3x", "2x1x2x2x", "3x0x"} {
		p := program{op: op, outs: shape + elem}
		for range operands {
			p.args += " " + shape + elem
		}
		out = append(out, p)
	}
	return out
}

// withConstant combines %a, of eight floats, with a constant, on either side.
func withConstant(op, constant string, units float64) program {
	return program{name: op + " " + constant, args: "8xf32", outs: "8xf32 8xf32", units: units, body: fmt.Sprintf(`
%%k = stablehlo.constant dense<%[2]s> : tensor<8xf32>
%%0 = stablehlo.%[1]s %%a, %%k : tensor<8xf32>
%%1 = stablehlo.%[1]s %%k, %%a : tensor<8xf32>
return %%0, %%1 : tensor<8xf32>, tensor<8xf32>`, op, constant)}
}

func TestArithmeticOfFloats(t *testing.T) {
	for _, op := range []string{"add", "subtract", "multiply", "maximum", "minimum"} {
		agree(t, onShapes("stablehlo."+op, 2, "f32")...)
		agree(t, program{op: "stablehlo." + op, args: "4xf64 4xf64", outs: "4xf64", lo: -30, hi: 30, units: 1, rings: usual})
	}
	for _, op := range []string{"negate", "abs", "sign"} {
		agree(t, onShapes("stablehlo."+op, 1, "f32")...)
	}
	agree(t, onShapes("chlo.square", 1, "f32")...)
	for _, k := range []string{"1.25", "0.0", "-0.03125", "0.001", "1.0e5", "[0.1, -0.002, 3.3, 0.0, -1.0, 0.0, 7.5, 10.0]", "[1.0, 0.5, 0.25, 4.0, -2.0, 8.0, 0.125, 1.0]"} {
		for _, op := range []string{"add", "subtract", "multiply", "maximum", "minimum"} {
			agree(t, withConstant(op, k, 2))
		}
	}
}

// TestInfiniteLimits checks limits that are infinite, or beyond the range of values in both directions.
func TestInfiniteLimits(t *testing.T) {
	const plus, minus = "0x7F800000", "0xFF800000"
	agree(t, withConstant("maximum", minus, 1), withConstant("minimum", plus, 1),
		withConstant("maximum", "["+minus+", 0.5, "+minus+", 1.0, -1.0, 0.0, "+minus+", 2.0]", 1),
		withConstant("minimum", "["+plus+", 0.5, "+plus+", 1.0, -1.0, 0.0, 1.0e9, 2.0]", 1))
}

// TestSumsOfProducts takes products, which are above the fraction, where they are added, compared, and copied.
func TestSumsOfProducts(t *testing.T) {
	agree(t, program{name: "products", args: "2x3xf32 2x3xf32 2x3xf32", outs: "2x3xf32 2x3xf32 4x3xf32 2x3xf32 2x3xf32 2x3xf32", units: 12, rings: large, body: `
%k = stablehlo.constant dense<0.7> : tensor<2x3xf32>
%0 = stablehlo.multiply %a, %b : tensor<2x3xf32>
%1 = stablehlo.add %0, %c : tensor<2x3xf32>
%2 = stablehlo.subtract %c, %0 : tensor<2x3xf32>
%3 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
%4 = stablehlo.multiply %0, %c : tensor<2x3xf32>
%5 = stablehlo.maximum %0, %c : tensor<2x3xf32>
%6 = stablehlo.multiply %0, %k : tensor<2x3xf32>
%7 = stablehlo.add %6, %k : tensor<2x3xf32>
%8 = stablehlo.multiply %7, %7 : tensor<2x3xf32>
return %1, %2, %3, %4, %5, %8 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>`})
}

func TestArithmeticOfIntegers(t *testing.T) {
	for _, elem := range integerTypes {
		for _, op := range []string{"add", "subtract", "multiply", "maximum", "minimum"} {
			agree(t, program{op: "stablehlo." + op, args: "9x" + elem + " 9x" + elem, outs: "9x" + elem})
		}
		for _, op := range []string{"negate", "abs", "sign"} {
			if op == "negate" || elem[0] == 'i' {
				agree(t, program{op: "stablehlo." + op, args: "9x" + elem, outs: "9x" + elem})
			}
		}
	}
	agree(t, onShapes("stablehlo.add", 2, "i16")...)
}

func TestClamp(t *testing.T) {
	for _, elem := range []string{"f32", "i32", "ui8", "i64"} {
		agree(t,
			program{op: "stablehlo.clamp", args: "5x" + elem + " 5x" + elem + " 5x" + elem, outs: "5x" + elem},
			program{op: "stablehlo.clamp", args: elem + " 2x3x" + elem + " " + elem, outs: "2x3x" + elem})
	}
	bounds := func(low, high string) program {
		return program{name: "clamp to " + low + " and " + high, args: "6xf32", outs: "6xf32", body: fmt.Sprintf(`
%%l = stablehlo.constant dense<%s> : tensor<f32>
%%h = stablehlo.constant dense<%s> : tensor<f32>
%%0 = stablehlo.clamp %%l, %%a, %%h : (tensor<f32>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
return %%0 : tensor<6xf32>`, low, high)}
	}
	agree(t, bounds("-0.5", "0.75"), bounds("0.0", "1.0"), bounds("1.0", "-1.0"), bounds("0xFF800000", "0.5"), bounds("-0.25", "0x7F800000"), bounds("0.5", "0.5"))
}

func TestConvert(t *testing.T) {
	for _, from := range append([]string{"i1", "f32", "f64", "f16", "bf16"}, integerTypes...) {
		for _, to := range append([]string{"i1", "f32", "f64"}, integerTypes...) {
			p := program{name: from + " to " + to, op: "stablehlo.convert", args: "7x" + from, outs: "7x" + to}
			if from[0] == 'f' || from[0] == 'b' {
				p.lo, p.hi = -40, 40
				if to[0] == 'u' {
					p.lo = 0
				}
			}
			if from != "i1" && (to[0] == 'f') { // what the range of values holds
				p.least, p.most = 0, 100
				if from[0] == 'i' {
					p.least = -100
				}
			}
			agree(t, p)
		}
	}
	agree(t, program{name: "of a range", op: "stablehlo.convert", args: "7xf32", outs: "7xi32", lo: 0, hi: 9,
		body: "%k = stablehlo.constant dense<0.0> : tensor<7xf32>\n%m = stablehlo.maximum %a, %k : tensor<7xf32>\n" +
			"%0 = stablehlo.convert %m : (tensor<7xf32>) -> tensor<7xi32>\nreturn %0 : tensor<7xi32>"})
}

// TestConvertedProducts goes on with products that were converted to another float type: results have the
// types that the program says.
func TestConvertedProducts(t *testing.T) {
	agree(t, program{name: "products", args: "4xf32 4xf32 4xf64", outs: "4xf64 4xf64 4xf64 4xf64 4xf64", units: 20, body: `
%k = stablehlo.constant dense<0.3> : tensor<4xf64>
%0 = stablehlo.multiply %a, %b : tensor<4xf32>
%1 = stablehlo.convert %0 : (tensor<4xf32>) -> tensor<4xf64>
%2 = stablehlo.multiply %1, %c : tensor<4xf64>
%3 = stablehlo.add %1, %c : tensor<4xf64>
%4 = stablehlo.maximum %1, %c : tensor<4xf64>
%5 = stablehlo.multiply %1, %k : tensor<4xf64>
return %1, %2, %3, %4, %5 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>`})
}
