package exec_test

import (
	"fmt"
	"strings"
	"testing"
)

// pooled is the gradient of a pool: the sources %b of windows over %a are combined at the elements that the
// windows choose.
func pooled(in, source, direction, op, attrs string) program {
	e := elementOf(in)
	return program{
		name:  direction + " " + op + " " + in + " " + attrs,
		op:    "stablehlo.select_and_scatter",
		args:  in + " " + source + " " + e,
		outs:  in,
		units: 8,
		attrs: attrs,
		least: -3,
		most:  3,
		region: strings.NewReplacer("E", e, "DIR", direction, "OP", "stablehlo."+op).Replace(`^bb0(%x: tensor<E>, %y: tensor<E>):
%1 = stablehlo.compare DIR, %x, %y : (tensor<E>, tensor<E>) -> tensor<i1>
stablehlo.return %1 : tensor<i1>
}, {
^bb0(%x: tensor<E>, %y: tensor<E>):
%1 = OP %x, %y : tensor<E>
stablehlo.return %1 : tensor<E>`),
	}
}

func TestSelectAndScatter(t *testing.T) {
	const padded = "padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>"
	for _, direction := range []string{"GE", "GT", "LE", "LT"} {
		for _, op := range []string{"add", "maximum", "multiply"} {
			agree(
				t,
				pooled("7xf32", "3xf32", direction, op, padded),
				pooled("7xi32", "3xi32", direction, op, padded),
				pooled("7xf32", "5xf32", direction, op, "window_dimensions = array<i64: 3>"),
			)
		}
	}
	swapped := pooled("7xf32", "3xf32", "GE", "add", padded)
	swapped.name, swapped.region = "swapped", strings.Replace(swapped.region, "GE, %x, %y", "LE, %y, %x", 1)
	agree(
		t,
		swapped,
		pooled("1x4x4x2xf32", "1x2x2x2xf32", "GE", "add", "window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>"),
		pooled(
			"5x5xf32",
			"3x3xf32",
			"GE",
			"add",
			"padding = dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>",
		),
		pooled("3xf32", "1xf32", "GE", "add", "window_dimensions = array<i64: 3>"),
	)
	refused(t, func() program {
		p := pooled("7xf32", "3xf32", "GE", "add", padded)
		p.region = strings.Replace(p.region, "GE", "EQ", 1)
		return p
	}(), "stablehlo.select_and_scatter", "select by GE, GT, LE or LT")
}

// TestPoolBesideItsGradient: the pool is computed from the one-hots that its gradient uses.
func TestPoolBesideItsGradient(t *testing.T) {
	for _, c := range []struct{ e, direction, op, init string }{
		{"f32", "GE", "maximum", "0xFF800000"}, {"f32", "GT", "maximum", "0.5"}, {"i32", "LE", "minimum", "2147483647"}, {"f32", "LT", "minimum", "0x7F800000"},
	} {
		p := pooled(
			"7x"+c.e,
			"3x"+c.e,
			c.direction,
			"add",
			"padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>",
		)
		agree(
			t,
			program{name: c.op + " " + c.direction, args: "7x" + c.e + " 3x" + c.e, outs: "3x" + c.e + " 7x" + c.e, units: 8, least: -3, most: 3,
				body: fmt.Sprintf(`
%%n = stablehlo.constant dense<0> : tensor<i32>
%%c = stablehlo.convert %%n : (tensor<i32>) -> tensor<%[1]s>
%%i = stablehlo.constant dense<%[2]s> : tensor<%[1]s>
%%0 = "stablehlo.reduce_window"(%%a, %%i) <{%[3]s}> ({
%[4]s
}) : (tensor<7x%[1]s>, tensor<%[1]s>) -> tensor<3x%[1]s>
%%1 = "stablehlo.select_and_scatter"(%%a, %%b, %%c) <{%[3]s}> ({
%[5]s
}) : (tensor<7x%[1]s>, tensor<3x%[1]s>, tensor<%[1]s>) -> tensor<7x%[1]s>
return %%0, %%1 : tensor<3x%[1]s>, tensor<7x%[1]s>`, c.e, c.init, p.attrs, combiner("stablehlo."+c.op, c.e), p.region)},
		)
	}
}
