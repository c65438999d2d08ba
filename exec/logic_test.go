package exec_test

import "testing"

func TestLogic(t *testing.T) {
	for _, elem := range []string{"i1", "i8", "i32", "ui16", "i64", "ui64"} {
		for _, op := range []string{"and", "or", "xor"} {
			agree(t, program{op: "stablehlo." + op, args: "9x" + elem + " 9x" + elem, outs: "9x" + elem})
		}
		agree(t, program{op: "stablehlo.not", args: "9x" + elem, outs: "9x" + elem})
	}
	for _, op := range []string{"add", "multiply", "maximum", "minimum"} {
		agree(t, onShapes("stablehlo."+op, 2, "i1")...)
	}
	agree(t, onShapes("stablehlo.not", 1, "i1")...)
	agree(t, onShapes("stablehlo.or", 2, "i1")...)
}
