package exec_test

import "testing"

func TestPowersOfIntegers(t *testing.T) {
	for _, elem := range integerTypes {
		agree(t, program{op: "stablehlo.power", args: "8x" + elem + " 8x" + elem, outs: "8x" + elem},
			program{name: "small " + elem, op: "stablehlo.power", args: "8x" + elem + " 8x" + elem, outs: "8x" + elem, least: 0, most: 9})
	}
	for _, k := range []string{"0", "1", "2", "7", "-1", "[0, 1, 2, -1, -2, 127]", "[0, 0, 4, 0, 4, 0]"} {
		agree(t, program{name: "to " + k, args: "6xi8", outs: "6xi8", body: `
%k = stablehlo.constant dense<` + k + `> : tensor<6xi8>
%0 = stablehlo.power %a, %k : tensor<6xi8>
return %0 : tensor<6xi8>`})
	}
	agree(t, program{op: "stablehlo.power", args: "0xi32 0xi32", outs: "0xi32"})
	agree(t, program{op: "stablehlo.power", args: "i32 i32", outs: "i32"})
}

// powersOf raises to a public exponent and, of positive numbers, also raises a public base to a secret exponent.
func powersOf(k string, lo, hi, units float64) program {
	return program{name: "float to " + k, args: "5xf32", outs: "5xf32", lo: lo, hi: hi, units: units, rings: large, body: `
%k = stablehlo.constant dense<` + k + `> : tensor<5xf32>
%0 = stablehlo.power %a, %k : tensor<5xf32>
return %0 : tensor<5xf32>`}
}

func TestPowersOfFloats(t *testing.T) {
	for _, k := range []string{"0.0", "1.0", "2.0", "3.0", "4.0", "5.0", "[0.0, 1.0, 2.0, 3.0, 7.0]"} {
		agree(t, powersOf(k, -2, 2, 40))
	}
	for _, k := range []string{"-1.0", "-2.0", "-3.0"} {
		agree(t, powersOf(k, -2.5, -0.5, 60), powersOf(k, 0.5, 2.5, 60))
	}
	for _, k := range []string{"0.5", "-0.5", "2.7", "[0.5, 1.5, -1.0, 0.25, 2.0]"} {
		agree(t, powersOf(k, 0.5, 3, 40))
	}
	agree(t,
		program{op: "stablehlo.power", args: "6xf32 6xf32", outs: "6xf32", lo: 0.5, hi: 2.5, units: 40},
		program{name: "of 2", args: "6xf32", outs: "6xf32", units: 8, body: `
%k = stablehlo.constant dense<2.5> : tensor<6xf32>
%0 = stablehlo.power %k, %a : tensor<6xf32>
return %0 : tensor<6xf32>`},
		program{name: "of different public numbers", args: "3xf32", outs: "3xf32", units: 12, body: `
%k = stablehlo.constant dense<[2.5, 0.25, 1.0]> : tensor<3xf32>
%0 = stablehlo.power %k, %a : tensor<3xf32>
return %0 : tensor<3xf32>`},
		program{name: "to integers", args: "6xf32 6xi8", outs: "6xf32", least: 0, most: 4, units: 40, body: `
%e = stablehlo.convert %b : (tensor<6xi8>) -> tensor<6xf32>
%0 = stablehlo.power %a, %e : tensor<6xf32>
return %0 : tensor<6xf32>`},
		program{name: "of what is not negative", args: "6xf32", outs: "6xf32", units: 40, body: `
%z = stablehlo.constant dense<0.25> : tensor<6xf32>
%k = stablehlo.constant dense<5.0> : tensor<6xf32>
%m = stablehlo.maximum %a, %z : tensor<6xf32>
%0 = stablehlo.power %m, %k : tensor<6xf32>
return %0 : tensor<6xf32>`})
}
