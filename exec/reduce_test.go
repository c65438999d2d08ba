package exec_test

import (
	"fmt"
	"strings"
	"testing"
)

// reduction reduces %a along dimensions from the initial value %b.
func reduction(op, in, out, dims string) program {
	e := elementOf(in)
	return program{
		name:   op + " " + in + " along " + dims,
		op:     "stablehlo.reduce",
		attrs:  "dimensions = array<i64" + dims + ">",
		args:   in + " " + e,
		outs:   out,
		region: combiner("stablehlo."+op, e),
		units:  16,
	}
}

// from is p from a constant initial value.
func (p program) from(init string) program {
	in, e := strings.Fields(p.args)[0], elementOf(strings.Fields(p.args)[0])
	p.name += " from " + init
	p.args = in
	p.body = fmt.Sprintf(`
%%i = stablehlo.constant dense<%s> : tensor<%s>
%%0 = "%s"(%%a, %%i) <{%s}> ({
%s
}) : (tensor<%s>, tensor<%s>) -> tensor<%s>
return %%0 : tensor<%s>`, init, e, p.op, p.attrs, p.region, in, e, p.outs, p.outs)
	return p
}

func TestReduce(t *testing.T) {
	for _, op := range []string{"add", "multiply", "maximum", "minimum"} {
		for _, e := range []string{"f32", "i32", "ui8", "i64"} {
			agree(t, reduction(op, "5x3x"+e, "3x"+e, ": 0"), reduction(op, "2x3x2x"+e, "3x"+e, ": 2, 0"), reduction(op, "7x"+e, e, ": 0"))
		}
		agree(t, reduction(op, "0x3xf32", "3xf32", ": 0"), reduction(op, "3x0xf32", "0xf32", ": 0"), reduction(op, "1x3xf32", "3xf32", ": 0"),
			reduction(op, "3xf32", "3xf32", ""), reduction(op, "0x2xi32", "2xi32", ": 0"))
	}
	for _, op := range []string{"and", "or", "xor", "add", "multiply", "maximum", "minimum"} {
		agree(t, reduction(op, "9x2xi1", "2xi1", ": 0"))
	}
	for _, op := range []string{"and", "or", "xor"} {
		agree(t, reduction(op, "5x2xui16", "2xui16", ": 0"))
	}
	agree(t, reduction("multiply", "5x2xf32", "2xf32", ": 0").from("1.0"), reduction("maximum", "5x2xf32", "2xf32", ": 0").from("0xFF800000"),
		reduction("minimum", "5x2xf32", "2xf32", ": 0").from("0x7F800000"), reduction("maximum", "5x2xf32", "2xf32", ": 0").from("0.25"),
		reduction("add", "5x2xf32", "2xf32", ": 0").from("0.0"), reduction("minimum", "5x2xi8", "2xi8", ": 0").from("127"),
		reduction("maximum", "5x2xi8", "2xi8", ": 0").from("-128"), reduction("minimum", "5x2xui8", "2xui8", ": 0").from("255"),
		reduction("and", "5x2xui8", "2xui8", ": 0").from("255"), reduction("multiply", "5x2xi64", "2xi64", ": 0").from("1"))
	sums := reduction("add", "4x6xf64", "4xf64", ": 1")
	sums.rings = usual
	agree(t, sums)
}

// windowed reduces windows of %a from the initial value %b.
func windowed(op, in, out, attrs string) program {
	e := elementOf(in)
	return program{
		name:   op + " windows " + in + " " + attrs,
		op:     "stablehlo.reduce_window",
		attrs:  attrs,
		args:   in + " " + e,
		outs:   out,
		region: combiner("stablehlo."+op, e),
		units:  16,
	}
}

// windowAttrs gives the attributes of windows of one dimension.
func windowAttrs(size, stride, base, dilation, low, high int) string {
	return fmt.Sprintf(
		"window_dimensions = array<i64: %d>, window_strides = array<i64: %d>, base_dilations = array<i64: %d>, window_dilations = array<i64: %d>, "+
			"padding = dense<[[%d, %d]]> : tensor<1x2xi64>",
		size,
		stride,
		base,
		dilation,
		low,
		high,
	)
}

// windows counts the windows of n elements.
func windows(n, size, stride, base, dilation, low, high int) int {
	inner := 0
	if n > 0 {
		inner = (n-1)*base + 1
	}
	if padded, width := inner+low+high, (size-1)*dilation+1; padded >= width {
		return (padded-width)/stride + 1
	}
	return 0
}

func TestReduceWindow(t *testing.T) {
	for _, op := range []string{"add", "maximum", "minimum", "multiply"} {
		for _, e := range []string{"f32", "i32", "i8"} {
			for _, w := range [][7]int{ // elements, size, stride, base and window dilation, padding
				{8, 3, 2, 1, 1, 0, 0}, {8, 3, 1, 1, 1, 2, 2}, {7, 2, 2, 1, 2, 1, 0}, {5, 3, 1, 2, 1, 0, 1}, {6, 2, 1, 3, 2, 2, 3},
				{8, 2, 2, 1, 1, -1, -1}, {6, 1, 1, 1, 1, 0, 0}, {4, 1, 2, 1, 1, 0, 0}, {3, 3, 1, 1, 1, 4, 4}, {1, 5, 1, 1, 1, 4, 0},
				{12, 12, 1, 1, 1, 11, 0},
			} {
				n := windows(w[0], w[1], w[2], w[3], w[4], w[5], w[6])
				agree(t, windowed(op, fmt.Sprintf("%dx%s", w[0], e), fmt.Sprintf("%dx%s", n, e), windowAttrs(w[1], w[2], w[3], w[4], w[5], w[6])))
			}
		}
		agree(
			t,
			windowed(
				op,
				"1x5x6x2xf32",
				"1x3x3x2xf32",
				"window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>",
			),
			windowed(op, "0xf32", "2xf32", windowAttrs(2, 1, 1, 1, 2, 1)),
			windowed(op, "f32", "f32", "window_dimensions = array<i64>"),
		)
	}
	agree(t, windowed("maximum", "40xf32", "21xf32", windowAttrs(20, 1, 1, 1, 0, 0)), // longer than what is compared at once
		windowed("maximum", "6xf32", "3xf32", windowAttrs(2, 2, 1, 1, 0, 0)).from("0xFF800000"),
		windowed("minimum", "6xf32", "3xf32", windowAttrs(2, 2, 1, 1, 0, 0)).from("0x7F800000"),
		windowed("add", "6xi1", "5xi1", windowAttrs(2, 1, 1, 1, 0, 0)), windowed("and", "6xi1", "5xi1", windowAttrs(2, 1, 1, 1, 0, 0)))
}
