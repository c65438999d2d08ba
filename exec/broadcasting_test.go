package exec_test

import "testing"

func TestBroadcasting(t *testing.T) {
	for _, op := range []string{"add", "subtract", "multiply", "maximum", "minimum", "atan2"} {
		for _, c := range [][3]string{{"3x4xf32", "4xf32", ""}, {"2xf32", "2x3xf32", "broadcast_dimensions = array<i64: 0>"}, {"3x1xf32", "1x4xf32", ""}, {"f32", "2x0xf32", ""}} {
			out := map[string]string{"3x4xf32": "3x4xf32", "2xf32": "2x3xf32", "3x1xf32": "3x4xf32", "f32": "2x0xf32"}[c[0]]
			agree(t, program{op: "chlo.broadcast_" + op, attrs: c[2], args: c[0] + " " + c[1], outs: out, units: 16})
		}
	}
	for _, op := range []string{"and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical", "divide", "remainder", "power"} {
		agree(t, program{op: "chlo.broadcast_" + op, args: "2x3xi8 3xi8", outs: "2x3xi8", least: 0, most: 9})
	}
	agree(t, program{op: "chlo.broadcast_next_after", args: "2x3xf32 3xf32", outs: "2x3xf32"},
		program{op: "chlo.broadcast_compare", attrs: "comparison_direction = #chlo<comparison_direction LT>", args: "3x4xf32 4xf32", outs: "3x4xi1"})
}
