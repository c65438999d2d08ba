package exec_test

import "testing"

func TestDivideIntegers(t *testing.T) {
	for _, elem := range integerTypes {
		for _, op := range []string{"divide", "remainder"} {
			agree(t, program{op: "stablehlo." + op, args: "12x" + elem + " 12x" + elem, outs: "12x" + elem}) // zeros and overflow among them
		}
		agree(t, program{name: "both " + elem, args: "6x" + elem + " 6x" + elem, outs: "6x" + elem + " 6x" + elem, body: `
%0 = stablehlo.divide %a, %b : tensor<6x` + elem + `>
%1 = stablehlo.remainder %a, %b : tensor<6x` + elem + `>
return %0, %1 : tensor<6x` + elem + `>, tensor<6x` + elem + `>`})
	}
	for _, k := range []string{"3", "-7", "8", "-1", "1", "[1, 2, -3, 5, 0, 127]"} {
		agree(t, program{name: "by " + k, args: "6xi8", outs: "6xi8 6xi8", body: `
%k = stablehlo.constant dense<` + k + `> : tensor<6xi8>
%0 = stablehlo.divide %a, %k : tensor<6xi8>
%1 = stablehlo.remainder %a, %k : tensor<6xi8>
return %0, %1 : tensor<6xi8>, tensor<6xi8>`})
	}
}

func TestShifts(t *testing.T) {
	for _, elem := range integerTypes {
		for _, op := range []string{"shift_left", "shift_right_logical", "shift_right_arithmetic"} {
			agree(t, program{op: "stablehlo." + op, args: "9x" + elem + " 9x" + elem, outs: "9x" + elem},
				program{name: op + " near the width " + elem, op: "stablehlo." + op, args: "9x" + elem + " 9x" + elem, outs: "9x" + elem, least: 0, most: 70})
		}
	}
}

func TestBitsOfIntegers(t *testing.T) {
	for _, elem := range integerTypes {
		for _, op := range []string{"popcnt", "count_leading_zeros"} {
			agree(t, program{op: "stablehlo." + op, args: "11x" + elem, outs: "11x" + elem})
		}
		agree(t, program{op: "chlo.mulhi", args: "9x" + elem + " 9x" + elem, outs: "9x" + elem})
	}
	agree(t, onShapes("stablehlo.popcnt", 1, "i32")...)
}
