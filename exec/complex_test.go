package exec_test

import (
	"fmt"
	"testing"
)

const c64 = "complex<f32>"

// ofPairs is a program of complex %z and %w, which share the part %b; neither is known to one party where the
// arguments are not. More results of the same type may be named.
func ofPairs(name, body, outs string, units float64) program {
	return program{name: name, args: "2x3xf32 2x3xf32 2x3xf32", outs: outs, units: units, body: `
%z = stablehlo.complex %a, %b : tensor<2x3xcomplex<f32>>
%w = stablehlo.complex %c, %b : tensor<2x3xcomplex<f32>>
` + body}
}

// complexOp applies one operation to %z, or to %z and %w.
func complexOp(op, operands string, units float64) program {
	types := "tensor<2x3xcomplex<f32>>"
	if operands != "%z" {
		types += ", " + types
	}
	return ofPairs(op+" "+operands, fmt.Sprintf("%%0 = %q(%s) : (%s) -> tensor<2x3xcomplex<f32>>\nreturn %%0 : tensor<2x3xcomplex<f32>>", op, operands, types), "2x3x"+c64, units)
}

func TestComplexArithmetic(t *testing.T) {
	for _, op := range []string{"add", "subtract", "multiply", "maximum", "minimum"} {
		for _, operands := range []string{"%z, %w", "%z, %z"} {
			agree(t, complexOp("stablehlo."+op, operands, 2))
		}
		agree(t, program{op: "stablehlo." + op, args: "3x" + c64 + " 3x" + c64, outs: "3x" + c64, alone: true},
			program{op: "stablehlo." + op, args: "complex<f64> complex<f64>", outs: "complex<f64>", alone: true, rings: large})
	}
	agree(t, complexOp("stablehlo.negate", "%z", 1), complexOp("chlo.conj", "%z", 1), complexOp("chlo.square", "%z", 2),
		complexOp("stablehlo.optimization_barrier", "%z", 1))
	agree(t, ofPairs("parts", `%0 = stablehlo.real %z : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
%1 = stablehlo.imag %z : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
%2 = stablehlo.abs %z : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>`, "2x3xf32 2x3xf32 2x3xf32", 40))
	for _, k := range []string{"(3.0, 1.0)", "(0.5, 0.0)", "(0.0, -2.0)", "(0.0, 0.0)"} {
		agree(t, ofPairs("constant "+k, `%k = stablehlo.constant dense<`+k+`> : tensor<2x3xcomplex<f32>>
%0 = stablehlo.multiply %z, %k : tensor<2x3xcomplex<f32>>
%1 = stablehlo.subtract %k, %z : tensor<2x3xcomplex<f32>>
return %0, %1 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>`, "2x3x"+c64+" 2x3x"+c64, 4))
		if k != "(0.0, 0.0)" {
			agree(t, ofPairs("by constant "+k, `%k = stablehlo.constant dense<`+k+`> : tensor<2x3xcomplex<f32>>
%0 = stablehlo.divide %z, %k : tensor<2x3xcomplex<f32>>
return %0 : tensor<2x3xcomplex<f32>>`, "2x3x"+c64, 8))
		}
	}
}

func TestComplexCompare(t *testing.T) {
	for _, direction := range []string{"EQ", "NE"} {
		agree(t, ofPairs(direction, fmt.Sprintf(`%%0 = stablehlo.compare %[1]s, %%z, %%w : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xi1>
%%1 = stablehlo.compare %[1]s, %%z, %%z : (tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x3xi1>
return %%0, %%1 : tensor<2x3xi1>, tensor<2x3xi1>`, direction), "2x3xi1 2x3xi1", 1))
	}
}

func TestComplexConvert(t *testing.T) {
	for _, to := range []string{"complex<f64>", "f32", "i1", "i16"} {
		agree(t, ofPairs("to "+to, fmt.Sprintf("%%0 = stablehlo.convert %%z : (tensor<2x3xcomplex<f32>>) -> tensor<2x3x%[1]s>\nreturn %%0 : tensor<2x3x%[1]s>", to), "2x3x"+to, 1))
	}
	for _, from := range []string{"f32", "f64", "i8", "i1"} {
		agree(t, program{name: "from " + from, op: "stablehlo.convert", args: "4x" + from, outs: "4x" + c64})
	}
}

// TestComplexOfKnownParts: what one party makes of its own parts stays with it, and what two make does not.
func TestComplexOfKnownParts(t *testing.T) {
	agree(t, program{op: "stablehlo.complex", args: "3xf32 3xf32", outs: "3x" + c64}, program{op: "stablehlo.complex", args: "f64 f64", outs: "complex<f64>"},
		program{op: "stablehlo.complex", args: "0xf32 0xf32", outs: "0x" + c64})
	for _, op := range []string{"stablehlo.real", "stablehlo.imag"} {
		agree(t, program{op: op, args: "3xf32", outs: "3xf32"}, program{op: op, args: "3x" + c64, outs: "3xf32", alone: true})
	}
	agree(t, program{op: "chlo.conj", args: "3xf32", outs: "3xf32"})
}
