package exec_test

import "testing"

func TestFunctions(t *testing.T) {
	for _, f := range []struct {
		op     string
		lo, hi float64
		units  float64
	}{
		{"stablehlo.exponential", -5, 3, 4}, {"stablehlo.exponential_minus_one", -3, 3, 4},
		{"stablehlo.log", 0.25, 9, 2}, {"stablehlo.log_plus_one", -0.5, 9, 2},
		{"stablehlo.sqrt", 0.25, 9, 2}, {"stablehlo.rsqrt", 0.25, 9, 2}, {"stablehlo.cbrt", -8, 8, 2},
		{"stablehlo.logistic", -9, 9, 2}, {"stablehlo.tanh", -5, 5, 2}, {"chlo.erf", -4, 4, 2}, {"chlo.erfc", -4, 4, 2},
		{"stablehlo.sine", -20, 20, 2}, {"stablehlo.cosine", -20, 20, 2}, {"stablehlo.tan", -1.2, 1.2, 40}, {"chlo.tan", -1.2, 1.2, 40},
		{"stablehlo.floor", -9, 9, 0.1}, {"stablehlo.ceil", -9, 9, 0.1},
		{"stablehlo.round_nearest_even", -9, 9, 0.1}, {"stablehlo.round_nearest_afz", -9, 9, 0.1},
		{"chlo.sinh", -3, 3, 4}, {"chlo.cosh", -3, 3, 4}, {"chlo.atan", -9, 9, 8}, {"chlo.asin", -0.9, 0.9, 40}, {"chlo.acos", -0.9, 0.9, 40},
		{"chlo.asinh", -9, 9, 8}, {"chlo.acosh", 1.5, 9, 8}, {"chlo.atanh", -0.8, 0.8, 8}, {"chlo.erf_inv", -0.9, 0.9, 40},
		{"chlo.lgamma", 0.5, 9, 40}, {"chlo.digamma", 0.5, 9, 40}, {"chlo.bessel_i1e", -9, 9, 40},
	} {
		for _, shape := range []string{"", "9x", "2x0x", "2x1x2x1x"} {
			p := program{op: f.op, args: shape + "f64", outs: shape + "f64", lo: f.lo, hi: f.hi, units: f.units, rings: large}
			if shape != "9x" {
				p.rings = middle
				p.args, p.outs = shape+"f32", shape+"f32"
			}
			agree(t, p)
		}
	}
	agree(t,
		program{op: "stablehlo.atan2", args: "9xf32 9xf32", outs: "9xf32", units: 16},
		program{op: "stablehlo.atan2", args: "f32 f32", outs: "f32", units: 16})
}

// TestRoundTies rounds numbers halfway between two integers.
func TestRoundTies(t *testing.T) {
	for _, op := range []string{"stablehlo.round_nearest_even", "stablehlo.round_nearest_afz", "stablehlo.floor", "stablehlo.ceil"} {
		p := program{op: op, args: "10xf32", outs: "10xf32", units: 0.1}
		p.data = append(p.data, floats(f32, shape{10}, -2.5, -1.5, -0.5, 0, 0.5, 1.5, 2.5, 3.5, -3, 3))
		agree(t, p)
	}
}

func TestQuotientsOfFloats(t *testing.T) {
	agree(t, onShapes("stablehlo.divide", 2, "f32")[4], onShapes("stablehlo.divide", 2, "f32")[7]) // empty
	for _, s := range []string{"", "6x", "2x3x"} {
		agree(t, program{op: "stablehlo.divide", args: s + "f32 " + s + "f32", outs: s + "f32", lo: 0.5, hi: 4, units: 12, rings: large},
			program{name: "negative", op: "stablehlo.divide", args: s + "f32 " + s + "f32", outs: s + "f32", lo: -4, hi: -0.5, units: 12})
	}
	for _, k := range []string{"7.0", "-0.25", "64.0", "[0.1, -3.0, 100.0, 1.0, 2.0, -0.5]"} {
		agree(t, program{name: "by " + k, args: "6xf32", outs: "6xf32", units: 8, body: `
%k = stablehlo.constant dense<` + k + `> : tensor<6xf32>
%0 = stablehlo.divide %a, %k : tensor<6xf32>
return %0 : tensor<6xf32>`},
			program{name: "of " + k, args: "6xf32", outs: "6xf32", lo: 0.5, hi: 3, units: 8, body: `
%k = stablehlo.constant dense<` + k + `> : tensor<6xf32>
%0 = stablehlo.divide %k, %a : tensor<6xf32>
return %0 : tensor<6xf32>`})
	}
	agree(t, program{name: "reciprocal", args: "6xf32", outs: "6xf32", lo: 0.5, hi: 3, units: 4, body: `
%k = stablehlo.constant dense<1.0> : tensor<6xf32>
%0 = stablehlo.divide %k, %a : tensor<6xf32>
return %0 : tensor<6xf32>`})
}

func TestRemaindersOfFloats(t *testing.T) {
	agree(t, program{op: "stablehlo.remainder", args: "8xf32 8xf32", outs: "8xf32", lo: 0.75, hi: 7, units: 40},
		program{name: "of negative ones", op: "stablehlo.remainder", args: "8xf32 8xf32", outs: "8xf32", lo: -7, hi: -0.75, units: 40},
		program{name: "by constants", args: "6xf32", outs: "6xf32", lo: -9, hi: 9, units: 40, body: `
%k = stablehlo.constant dense<[1.0, 2.5, -3.0, 0.75, 4.0, 10.0]> : tensor<6xf32>
%0 = stablehlo.remainder %a, %k : tensor<6xf32>
return %0 : tensor<6xf32>`})
}
