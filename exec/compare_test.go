package exec_test

import (
	"fmt"
	"testing"
)

var directions = []string{"EQ", "NE", "LT", "LE", "GT", "GE"}

// compares is a program of comparisons of %a with %b in all directions.
func compares(typ, out string, more string) program {
	p := program{name: "compare " + typ + more, args: typ + " " + typ}
	returned, types := "", ""
	for i, d := range directions {
		p.body += fmt.Sprintf("%%%d = stablehlo.compare %s, %%a, %%b%s : (tensor<%s>, tensor<%s>) -> tensor<%s>\n", i, d, more, typ, typ, out)
		returned += fmt.Sprintf(", %%%d", i)
		types += ", tensor<" + out + ">"
		p.outs += " " + out
	}
	p.body += "return " + returned[2:] + " : " + types[2:]
	return p
}

func TestCompare(t *testing.T) {
	for _, elem := range append([]string{"i1", "f32"}, integerTypes...) {
		p := compares("16x"+elem, "16xi1", "")
		agree(t, p)
		p.name, p.least, p.most, p.lo, p.hi = p.name+" close", -1, 1, -0.05, 0.05 // many equal ones
		if elem[0] == 'u' {
			p.least = 0
		}
		agree(t, p)
	}
	agree(t, compares("f32", "i1", ""), compares("0xf32", "0xi1", ""), compares("2x1x2xi32", "2x1x2xi1", ""))
	p := compares("12xf64", "12xi1", "")
	p.rings, p.name = usual, "in all rings"
	agree(t, p)
}

// TestCompareWithNaN compares secrets with public numbers of which some are NaN, infinite or zero.
func TestCompareWithNaN(t *testing.T) {
	for _, k := range []string{"[0x7FC00000, 0.5, 0x7F800000, 0xFF800000, 0.0, -0.0]", "0x7FC00000", "0.0", "1.0e30"} {
		p := program{name: k, args: "6xf32", body: "%k = stablehlo.constant dense<" + k + "> : tensor<6xf32>\n"}
		returned, types := "", ""
		for i, d := range directions {
			p.body += fmt.Sprintf("%%x%d = stablehlo.compare %s, %%a, %%k : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>\n", i, d)
			p.body += fmt.Sprintf("%%y%d = stablehlo.compare %s, %%k, %%a : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>\n", i, d)
			returned += fmt.Sprintf(", %%x%d, %%y%d", i, i)
			types += ", tensor<6xi1>, tensor<6xi1>"
			p.outs += " 6xi1 6xi1"
		}
		p.body += "return " + returned[2:] + " : " + types[2:]
		agree(t, p)
	}
}

func TestSelect(t *testing.T) {
	for _, elem := range []string{"f32", "i1", "i32", "ui8", "i64"} {
		agree(t, program{op: "stablehlo.select", args: "7xi1 7x" + elem + " 7x" + elem, outs: "7x" + elem},
			program{op: "stablehlo.select", args: "i1 2x3x" + elem + " 2x3x" + elem, outs: "2x3x" + elem})
	}
	agree(t, program{op: "stablehlo.select", args: "0xi1 0xf32 0xf32", outs: "0xf32"},
		program{op: "stablehlo.select", args: "4xi1 4xcomplex<f32> 4xcomplex<f32>", outs: "4xcomplex<f32>", alone: true})
}

// TestChosenByComparison selects from what is compared, so that a value is opened once for both.
func TestChosenByComparison(t *testing.T) {
	agree(t, program{name: "chosen", args: "6xf32 6xf32 6xf32", outs: "6xf32 6xf32 6xf32 6xi1", units: 4, body: `
%z = stablehlo.constant dense<0.5> : tensor<6xf32>
%0 = stablehlo.multiply %a, %b : tensor<6xf32>
%1 = stablehlo.multiply %b, %c : tensor<6xf32>
%2 = stablehlo.compare LT, %0, %1 : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
%3 = stablehlo.select %2, %0, %1 : tensor<6xi1>, tensor<6xf32>
%4 = stablehlo.compare GE, %0, %z : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
%5 = stablehlo.select %4, %0, %z : tensor<6xi1>, tensor<6xf32>
%6 = stablehlo.select %4, %z, %c : tensor<6xi1>, tensor<6xf32>
%7 = stablehlo.maximum %0, %1 : tensor<6xf32>
return %3, %5, %6, %2 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xi1>`},
		program{name: "zero where false", args: "6xi1 6xf32", outs: "6xf32 6xf32 6xf32", body: `
%z = stablehlo.constant dense<0.0> : tensor<6xf32>
%0 = stablehlo.select %a, %b, %z : tensor<6xi1>, tensor<6xf32>
%1 = stablehlo.select %a, %z, %b : tensor<6xi1>, tensor<6xf32>
%2 = stablehlo.convert %a : (tensor<6xi1>) -> tensor<6xf32>
%3 = stablehlo.multiply %2, %b : tensor<6xf32>
return %0, %1, %3 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>`})
}

func TestIsFinite(t *testing.T) {
	agree(t, onShapes1("stablehlo.is_finite", "f32", "i1")...)
	for _, op := range []string{"chlo.is_inf", "chlo.is_pos_inf", "chlo.is_neg_inf"} {
		agree(t, onShapes1(op, "f32", "i1")...)
	}
}

// onShapes1 applies an operation with one operand of one type and a result of another one.
func onShapes1(op, from, to string) []program {
	var out []program
	for _, s := range []string{"", "4x", "2x1x2x", "0x"} {
		out = append(out, program{op: op, args: s + from, outs: s + to})
	}
	return out
}

// TestCompareBitsWithNumbers compares booleans as floats, which have no fraction bits and a bound of one bit,
// with numbers that they cannot be.
func TestCompareBitsWithNumbers(t *testing.T) {
	for _, k := range []string{"[0.5, 1.5, 2.0, 0.25]", "[-0.25, -1.0, 1.0, 0.0]", "2.0", "0.25", "1.0", "[100.0, -100.0, 1.0, 0.75]"} {
		p := program{name: k, args: "4xi1", body: "%f = stablehlo.convert %a : (tensor<4xi1>) -> tensor<4xf32>\n%k = stablehlo.constant dense<" + k + "> : tensor<4xf32>\n"}
		returned, types := "", ""
		for i, d := range directions {
			p.body += fmt.Sprintf("%%x%d = stablehlo.compare %s, %%f, %%k : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n", i, d)
			returned += fmt.Sprintf(", %%x%d", i)
			types += ", tensor<4xi1>"
			p.outs += " 4xi1"
		}
		p.body += "return " + returned[2:] + " : " + types[2:]
		for _, bit := range []int64{0, 1} {
			p.data = arrays(integers(boolean, shape{4}, bit, bit, bit, bit))
			p.name += "."
			agree(t, p)
		}
	}
}
