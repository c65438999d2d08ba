package exec_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestWindowsByAnyBody reduces windows by a body that is no single operation, so that windows slide over each
// other, are combined one by one, or hold different numbers of elements.
func TestWindowsByAnyBody(t *testing.T) {
	for _, e := range []string{"f32", "i8"} {
		for _, w := range [][7]int{ // elements, size, stride, base and window dilation, padding
			{8, 3, 2, 1, 1, 0, 0}, {8, 3, 1, 1, 1, 2, 2}, {7, 2, 2, 1, 2, 1, 0}, {5, 3, 1, 2, 1, 0, 1}, {12, 7, 1, 1, 1, 3, 3},
			{9, 9, 1, 1, 1, 8, 0},
			{6, 2, 3, 3, 1, 5, 5}, {8, 2, 2, 1, 1, -1, -1}, {0, 2, 1, 1, 1, 2, 1}, {12, 6, 1, 1, 2, 0, 4},
		} {
			in, out := fmt.Sprintf("%dx%s", w[0], e), fmt.Sprintf("%dx%s", windows(w[0], w[1], w[2], w[3], w[4], w[5], w[6]), e)
			agree(
				t,
				program{
					name:   fmt.Sprint(e, w),
					op:     "stablehlo.reduce_window",
					attrs:  windowAttrs(w[1], w[2], w[3], w[4], w[5], w[6]),
					region: strings.ReplaceAll(affine, "E", e),
					args:   in + " " + in + " " + e + " " + e,
					outs:   out + " " + out,
					units:  400,
					lo:     -1.25,
					hi:     1.25,
				},
			)
		}
		in, out := "6x8x"+e, "6x8x"+e
		agree(
			t,
			program{
				op:    "stablehlo.reduce_window",
				attrs: "window_dimensions = array<i64: 3, 4>, padding = dense<[[1, 1], [3, 0]]> : tensor<2x2xi64>",
				region: strings.ReplaceAll(
					affine,
					"E",
					e,
				),
				args:  in + " " + in + " " + e + " " + e,
				outs:  out + " " + out,
				units: 400,
				lo:    -1.25,
				hi:    1.25,
			},
		)
	}
}
