package exec_test

import (
	"fmt"
	"strings"
	"testing"
)

// affine composes maps x → a·x + b, given as two operands: a body that is associative and not commutative.
const affine = `^bb0(%x: tensor<E>, %y: tensor<E>, %p: tensor<E>, %q: tensor<E>):
%m = stablehlo.multiply %x, %p : tensor<E>
%n = stablehlo.multiply %y, %p : tensor<E>
%s = stablehlo.add %n, %q : tensor<E>
stablehlo.return %m, %s : tensor<E>, tensor<E>`

func TestReduceByAnyBody(t *testing.T) {
	for _, e := range []string{"f32", "i16"} {
		region := strings.ReplaceAll(affine, "E", e)
		for _, c := range [][3]string{{"5x", "", ": 0"}, {"3x4x", "3x", ": 1"}, {"2x3x2x", "3x", ": 2, 0"}, {"0x2x", "2x", ": 0"}, {"1x2x", "2x", ": 0"}} {
			p := program{op: "stablehlo.reduce", attrs: "dimensions = array<i64" + c[2] + ">", region: region, units: 60,
				args: fmt.Sprintf("%[1]s%[2]s %[1]s%[2]s %[2]s %[2]s", c[0], e), outs: fmt.Sprintf("%[1]s%[2]s %[1]s%[2]s", c[1], e)}
			agree(t, p)
		}
	}
	// a body that is a function, one with a constant, and one with a branch, which is not elementwise
	agree(
		t,
		program{name: "call", args: "6xf32 f32", outs: "f32", body: `
%0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
%z = func.call @largest(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
stablehlo.return %z : tensor<f32>
}) : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
return %0 : tensor<f32>
}
func.func private @largest(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
%k = stablehlo.constant dense<0.25> : tensor<f32>
%0 = stablehlo.maximum %x, %y : tensor<f32>
%1 = stablehlo.maximum %0, %k : tensor<f32>
%2 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<f32>
return %2 : tensor<f32>`},
		program{name: "branch", args: "5xf32 f32 i1", outs: "f32", body: `
%0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
%z = "stablehlo.if"(%c) ({
%m = stablehlo.maximum %x, %y : tensor<f32>
stablehlo.return %m : tensor<f32>
}, {
%m = stablehlo.minimum %x, %y : tensor<f32>
stablehlo.return %m : tensor<f32>
}) : (tensor<i1>) -> tensor<f32>
stablehlo.return %z : tensor<f32>
}) : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
return %0 : tensor<f32>`},
		program{
			name:   "of complex numbers",
			op:     "stablehlo.reduce",
			attrs:  "dimensions = array<i64: 0>",
			args:   "3x2xcomplex<f32> complex<f32>",
			outs:   "2xcomplex<f32>",
			region: combiner("stablehlo.multiply", "complex<f32>"),
			alone:  true,
			units:  40,
		},
		program{
			name:   "sum of complex numbers",
			op:     "stablehlo.reduce",
			attrs:  "dimensions = array<i64: 0>",
			args:   "3x2xcomplex<f32> complex<f32>",
			outs:   "2xcomplex<f32>",
			region: combiner("stablehlo.add", "complex<f32>"),
			alone:  true,
		},
	)
}

func TestMap(t *testing.T) {
	const body = `^bb0(%x: tensor<E>, %y: tensor<E>):
%0 = stablehlo.maximum %x, %y : tensor<E>
%1 = stablehlo.multiply %0, %y : tensor<E>
stablehlo.return %1 : tensor<E>`
	for _, c := range [][2]string{{"2x3xf32", "0, 1"}, {"4xi8", "0"}, {"0xf32", "0"}} {
		agree(
			t,
			program{
				op:     "stablehlo.map",
				attrs:  "dimensions = array<i64: " + c[1] + ">",
				args:   c[0] + " " + c[0],
				outs:   c[0],
				region: strings.ReplaceAll(body, "E", elementOf(c[0])),
			},
		)
	}
	const square = `^bb0(%x: tensor<complex<f32>>):
%0 = stablehlo.multiply %x, %x : tensor<complex<f32>>
stablehlo.return %0 : tensor<complex<f32>>`
	agree(
		t,
		program{
			op:     "stablehlo.map",
			attrs:  "dimensions = array<i64: 0>",
			args:   "3xcomplex<f32>",
			outs:   "3xcomplex<f32>",
			region: square,
			alone:  true,
		},
	)
}
