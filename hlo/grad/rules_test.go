package grad_test

import (
	"fmt"
	"strings"
	"testing"
)

// ruleCases are programs with the operations of the rules: arguments, results, body. Floats are between lo and hi.
var ruleCases = []struct {
	name   string
	lo, hi float64
	args   string // types
	out    string // types
	body   string
	first  bool // the second derivative is not tested: it is zero, or too long
}{
	{"select", -1, 1, "4xi1 4xf64 4xf64", "4xf64", `%r = stablehlo.select %a0, %a1, %a2 : tensor<4xi1>, tensor<4xf64>`, true},
	{"clamp", -1, 1, "f64 5xf64 f64", "5xf64", `%c = stablehlo.constant dense<0.7> : tensor<f64>
		%d = stablehlo.subtract %a2, %c : tensor<f64>
		%e = stablehlo.add %a0, %c : tensor<f64>
		%r = stablehlo.clamp %d, %a1, %e : (tensor<f64>, tensor<5xf64>, tensor<f64>) -> tensor<5xf64>`, true},
	{"maximum", -1, 1, "5xf64 5xf64", "5xf64", `%r = stablehlo.maximum %a0, %a1 : tensor<5xf64>`, true},
	{"minimum with a constant", -1, 1, "5xf64", "5xf64", `%z = stablehlo.constant dense<0.1> : tensor<5xf64>
		%r = stablehlo.minimum %a0, %z : tensor<5xf64>`, true},
	{"power", 0.5, 2, "3xf64 3xf64", "3xf64", `%r = stablehlo.power %a0, %a1 : tensor<3xf64>`, false},
	{"power 3", -1, 1, "3xf64", "3xf64", `%c = stablehlo.constant dense<3.0> : tensor<3xf64>
		%r = stablehlo.power %a0, %c : tensor<3xf64>`, false},
	{"remainder", 1, 9, "3xf64 3xf64", "3xf64", `%r = stablehlo.remainder %a0, %a1 : tensor<3xf64>`, true},
	{"atan2", 0.5, 2, "3xf64 3xf64", "3xf64", `%r = stablehlo.atan2 %a0, %a1 : tensor<3xf64>`, false},
	{"polygamma", 1, 2, "3xf64", "3xf64", `%n = stablehlo.constant dense<2.0> : tensor<3xf64>
		%r = chlo.polygamma %n, %a0 : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>`, false},
	{"zeta", 1.5, 3, "3xf64", "3xf64", `%n = stablehlo.constant dense<3.0> : tensor<3xf64>
		%r = chlo.zeta %n, %a0 : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>`, false},
	{"multiply and divide", 0.5, 2, "3xf64 3xf64", "3xf64", `%0 = stablehlo.multiply %a0, %a1 : tensor<3xf64>
		%1 = stablehlo.subtract %0, %a0 : tensor<3xf64>
		%2 = stablehlo.add %1, %a1 : tensor<3xf64>
		%r = stablehlo.divide %2, %a1 : tensor<3xf64>`, false},
	{"convert", -1, 1, "3xf64", "3xf64", `%0 = stablehlo.convert %a0 : (tensor<3xf64>) -> tensor<3xf64>
		%1 = stablehlo.reduce_precision %0, format = e11m52 : tensor<3xf64>
		%2 = stablehlo.floor %1 : tensor<3xf64>
		%r = stablehlo.add %1, %2 : tensor<3xf64>`, true},
	{"broadcast", -1, 1, "2x1x3xf64", "3x4x2x5xf64", `%r = stablehlo.broadcast_in_dim %a0, dims = [2, 3, 0] : (tensor<2x1x3xf64>) -> tensor<3x4x2x5xf64>`, true},
	{"moves", -1, 1, "2x3x4xf64", "4x6xf64", `%0 = stablehlo.transpose %a0, dims = [2, 0, 1] : (tensor<2x3x4xf64>) -> tensor<4x2x3xf64>
		%1 = stablehlo.reverse %0, dims = [0, 2] : tensor<4x2x3xf64>
		%r = stablehlo.reshape %1 : (tensor<4x2x3xf64>) -> tensor<4x6xf64>`, true},
	{"concatenate and slice", -1, 1, "2x3xf64 2x4xf64", "1x3xf64", `%0 = stablehlo.concatenate %a0, %a1, %a0, dim = 1 : (tensor<2x3xf64>, tensor<2x4xf64>, tensor<2x3xf64>) -> tensor<2x10xf64>
		%r = stablehlo.slice %0 [1:2, 1:9:3] : (tensor<2x10xf64>) -> tensor<1x3xf64>`, true},
	{"pad", -1, 1, "3x4xf64 f64", "6x6xf64", `%r = stablehlo.pad %a0, %a1, low = [2, -1], high = [-1, 0], interior = [1, 1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<6x6xf64>
		`, true},
	{"dynamic slices", -1, 1, "5x4xf64 2x2xf64 i32 i32", "3x2xf64", `%0 = stablehlo.dynamic_update_slice %a0, %a1, %a2, %a3 : (tensor<5x4xf64>, tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> tensor<5x4xf64>
		%r = stablehlo.dynamic_slice %0, %a3, %a2, sizes = [3, 2] : (tensor<5x4xf64>, tensor<i32>, tensor<i32>) -> tensor<3x2xf64>`, true},
	{"dot_general", -1, 1, "2x3x4x5xf64 5x2x6x3xf64", "3x2x4x6xf64", `%r = stablehlo.dot_general %a0, %a1, batching_dims = [1, 0] x [3, 1], contracting_dims = [3] x [0] : (tensor<2x3x4x5xf64>, tensor<5x2x6x3xf64>) -> tensor<3x2x4x6xf64>`, true},
	{"dot_general of several dimensions", -1, 1, "2x3x4xf64 4x5x2xf64", "3x5xf64", `%r = stablehlo.dot_general %a0, %a1, contracting_dims = [0, 2] x [2, 0] : (tensor<2x3x4xf64>, tensor<4x5x2xf64>) -> tensor<3x5xf64>`, true},
	{"sum", -1, 1, "2x3x4xf64 f64", "3xf64", reduction("add", "2x3x4xf64", "3xf64", "[0, 2]"), true},
	{"largest", -1, 1, "2x3x4xf64", "3xf64", `%a1 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
		` + reduction("maximum", "2x3x4xf64", "3xf64", "[0, 2]"), true},
	{"product", 0.5, 1.5, "2x3x5xf64 f64", "3xf64", reduction("multiply", "2x3x5xf64", "3xf64", "[0, 2]"), false},
	{"largest and its place", -1, 1, "7xf64", "f64", `%i = stablehlo.iota dim = 0 : tensor<7xi32>
		%z = stablehlo.constant dense<-9.0> : tensor<f64>
		%k = stablehlo.constant dense<0> : tensor<i32>
		%r, %p = stablehlo.reduce(%a0 init: %z), (%i init: %k) across dimensions = [0] : (tensor<7xf64>, tensor<7xi32>, tensor<f64>, tensor<i32>) -> (tensor<f64>, tensor<i32>)
		 reducer(%x: tensor<f64>, %y: tensor<f64>) (%m: tensor<i32>, %n: tensor<i32>) {
			%c = stablehlo.compare GT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
			%u = stablehlo.select %c, %x, %y : tensor<i1>, tensor<f64>
			%v = stablehlo.select %c, %m, %n : tensor<i1>, tensor<i32>
			stablehlo.return %u, %v : tensor<f64>, tensor<i32>
		}`, true},
	{"window sum", -1, 1, "5x6xf64 f64", "2x10xf64", window("2x10xf64", "add", "5x6xf64", "array<i64: 2, 3>", "array<i64: 2, 1>", "array<i64: 1, 2>", "array<i64: 2, 1>", "2x2", "dense<[[1, 0], [2, -1]]>"), true},
	{"max-pool", -1, 1, "5x6xf64", "3x6xf64", `%a1 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
		` + window("3x6xf64", "maximum", "5x6xf64", "array<i64: 2, 3>", "array<i64: 2, 1>", "array<i64: 1, 1>", "array<i64: 1, 1>", "2x2", "dense<[[1, 0], [1, 1]]>"), false},
	{"dilated max-pool", -1, 1, "5x6xf64", "2x13xf64", `%a1 = stablehlo.constant dense<-8.0> : tensor<f64>
		` + window("2x13xf64", "maximum", "5x6xf64", "array<i64: 2, 2>", "array<i64: 2, 1>", "array<i64: 1, 2>", "array<i64: 2, 1>", "2x2", "dense<[[1, 0], [2, 1]]>"), true},
	{"window product", 0.5, 1.5, "7xf64", "7xf64", `%a1 = stablehlo.constant dense<1.0> : tensor<f64>
		` + window("7xf64", "multiply", "7xf64", "array<i64: 7>", "array<i64: 1>", "array<i64: 1>", "array<i64: 1>", "1x2", "dense<[[6, 0]]>"), false},
	{"map", -1, 1, "4xf64 4xf64", "4xf64", `%r = "stablehlo.map"(%a0, %a1) <{dimensions = array<i64: 0>}> ({
		^bb0(%x: tensor<f64>, %y: tensor<f64>):
			%0 = stablehlo.sine %x : tensor<f64>
			%1 = stablehlo.multiply %0, %y : tensor<f64>
			stablehlo.return %1 : tensor<f64>
		}) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>`, false},
	{"sort", -1, 1, "3x5xf64 3x5xf64", "3x5xf64 3x5xf64", `%r:2 = "stablehlo.sort"(%a0, %a1) <{dimension = 1 : i64, is_stable = true}> ({
		^bb0(%x: tensor<f64>, %y: tensor<f64>, %m: tensor<f64>, %n: tensor<f64>):
			%c = stablehlo.compare LT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
			stablehlo.return %c : tensor<i1>
		}) : (tensor<3x5xf64>, tensor<3x5xf64>) -> (tensor<3x5xf64>, tensor<3x5xf64>)
		return %r#0, %r#1 : tensor<3x5xf64>, tensor<3x5xf64>`, true},
	{"sort along the first dimension", -1, 1, "5x2xf64", "5x2xf64", `%s = "stablehlo.sort"(%a0) <{dimension = 0 : i64}> ({
		^bb0(%x: tensor<f64>, %y: tensor<f64>):
			%c = stablehlo.compare GT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
			stablehlo.return %c : tensor<i1>
		}) : (tensor<5x2xf64>) -> tensor<5x2xf64>
		%r = stablehlo.multiply %s, %s : tensor<5x2xf64>`, false},
	{"top_k", -1, 1, "3x6xf64", "3x2xf64", `%r, %i = chlo.top_k(%a0, k = 2) : tensor<3x6xf64> -> (tensor<3x2xf64>, tensor<3x2xi32>)`, true},
	{"gather", -1, 1, "4x3xf64 5x1xi32", "5x2xf64", `%c = stablehlo.constant dense<1> : tensor<5x1xi32>
		%i = stablehlo.subtract %a1, %c : tensor<5x1xi32>
		%r = "stablehlo.gather"(%a0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>}> : (tensor<4x3xf64>, tensor<5x1xi32>) -> tensor<5x2xf64>`, true},
	{"scatter add", -1, 1, "4x3xf64 5x1xi32 5x3xf64", "4x3xf64", scatter("add", ""), true},
	{"scatter", -1, 1, "4x3xf64 5x1xi32 5x3xf64", "4x3xf64", scatter("", ""), true},
	{"scatter beyond the end", -1, 1, "4x3xf64 5x1xi32 5x3xf64", "4x3xf64", `%c = stablehlo.constant dense<2> : tensor<5x1xi32>
		%i = stablehlo.subtract %a1, %c : tensor<5x1xi32>
		` + strings.ReplaceAll(scatter("add", ""), "%a1", "%i"), true},
	{"cholesky", -0.2, 0.2, "2x3x3xf64", "2x3x3xf64", positive + `
		%r = stablehlo.cholesky %m, lower = true : tensor<2x3x3xf64>`, false},
	{"upper cholesky", -0.2, 0.2, "2x3x3xf64", "2x3x3xf64", positive + `
		%r = stablehlo.cholesky %m, lower = false : tensor<2x3x3xf64>`, true},
	{"fft", -1, 1, "2x6xf64", "2x4xf64", `%0 = stablehlo.fft %a0, type = RFFT, length = [6] : (tensor<2x6xf64>) -> tensor<2x4xcomplex<f64>>
		%1 = stablehlo.multiply %0, %0 : tensor<2x4xcomplex<f64>>
		%2 = stablehlo.real %1 : (tensor<2x4xcomplex<f64>>) -> tensor<2x4xf64>
		%3 = stablehlo.imag %1 : (tensor<2x4xcomplex<f64>>) -> tensor<2x4xf64>
		%r = stablehlo.subtract %2, %3 : tensor<2x4xf64>`, false},
	{"inverse fft", -1, 1, "2x4xf64 2x4xf64", "2x6xf64", `%0 = stablehlo.complex %a0, %a1 : tensor<2x4xcomplex<f64>>
		%1 = stablehlo.fft %0, type = FFT, length = [4] : (tensor<2x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
		%r = stablehlo.fft %1, type = IRFFT, length = [6] : (tensor<2x4xcomplex<f64>>) -> tensor<2x6xf64>`, true},
	{"batch norm", 0.5, 1.5, "4x3x2xf64 3xf64 3xf64", "4x3x2xf64 3xf64 3xf64", `%r:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a2) <{epsilon = 0.01 : f32, feature_index = 1 : i64}> : (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>)
		return %r#0, %r#1, %r#2 : tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>`, true},
	{"batch norm inference", 0.5, 1.5, "4x3xf64 3xf64 3xf64 3xf64 3xf64", "4x3xf64", `%r = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) <{epsilon = 0.01 : f32, feature_index = 1 : i64}> : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<4x3xf64>`, true},
	{"batch norm gradient", 0.5, 1.5, "4x3xf64 3xf64 3xf64 3xf64 4x3xf64", "4x3xf64 3xf64 3xf64", `%r:3 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) <{epsilon = 0.01 : f32, feature_index = 1 : i64}> : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>)
		return %r#0, %r#1, %r#2 : tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>`, true},
	{"barrier", -1, 1, "3xf64 3xf64", "3xf64", `%0:2 = stablehlo.optimization_barrier %a0, %a1 : tensor<3xf64>, tensor<3xf64>
		%1 = stablehlo.custom_call @Sharding(%0#1) : (tensor<3xf64>) -> tensor<3xf64>
		%r = stablehlo.multiply %0#0, %1 : tensor<3xf64>`, false},
	{"softmax", -1, 1, "3x4xf64", "3x4xf64", `%l = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
		%z = stablehlo.constant dense<0.0> : tensor<f64>
		%0 = stablehlo.reduce(%a0 init: %l) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
		%1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf64>) -> tensor<3x4xf64>
		%2 = stablehlo.subtract %a0, %1 : tensor<3x4xf64>
		%3 = stablehlo.exponential %2 : tensor<3x4xf64>
		%4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
		%5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xf64>) -> tensor<3x4xf64>
		%r = stablehlo.divide %3, %5 : tensor<3x4xf64>`, false},
	{"log-softmax", -1, 1, "3x4xf64", "3x4xf64", `%l = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
		%z = stablehlo.constant dense<0.0> : tensor<f64>
		%0 = stablehlo.reduce(%a0 init: %l) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
		%1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf64>) -> tensor<3x4xf64>
		%2 = stablehlo.subtract %a0, %1 : tensor<3x4xf64>
		%3 = stablehlo.exponential %2 : tensor<3x4xf64>
		%4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
		%5 = stablehlo.log %4 : tensor<3xf64>
		%6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<3xf64>) -> tensor<3x4xf64>
		%r = stablehlo.subtract %2, %6 : tensor<3x4xf64>`, false},
	{"sigmoid", -1, 1, "4xf64", "4xf64", `%o = stablehlo.constant dense<1.0> : tensor<4xf64>
		%0 = stablehlo.negate %a0 : tensor<4xf64>
		%1 = stablehlo.exponential %0 : tensor<4xf64>
		%2 = stablehlo.add %1, %o : tensor<4xf64>
		%r = stablehlo.divide %o, %2 : tensor<4xf64>`, false},
	{"softplus", -1, 1, "4xf64", "4xf64", `%z = stablehlo.constant dense<0.0> : tensor<4xf64>
		%0 = stablehlo.maximum %a0, %z : tensor<4xf64>
		%1 = stablehlo.abs %a0 : tensor<4xf64>
		%2 = stablehlo.negate %1 : tensor<4xf64>
		%3 = stablehlo.exponential %2 : tensor<4xf64>
		%4 = stablehlo.log_plus_one %3 : tensor<4xf64>
		%r = stablehlo.add %0, %4 : tensor<4xf64>`, false},
}

// reduction reduces %a0 with %a1.
func reduction(op, in, out, dims string) string {
	return fmt.Sprintf(`%%r = stablehlo.reduce(%%a0 init: %%a1) applies stablehlo.%s across dimensions = %s : (tensor<%s>, tensor<f64>) -> tensor<%s>`, op, dims, in, out)
}

// window reduces the windows of %a0 with %a1.
func window(out, op, in, size, stride, base, dilation, rank, padding string) string {
	return fmt.Sprintf(`%%r = "stablehlo.reduce_window"(%%a0, %%a1) <{window_dimensions = %s, window_strides = %s, base_dilations = %s, window_dilations = %s, padding = %s : tensor<%sxi64>}> ({
		^bb0(%%x: tensor<f64>, %%y: tensor<f64>):
			%%0 = stablehlo.%s %%x, %%y : tensor<f64>
			stablehlo.return %%0 : tensor<f64>
		}) : (tensor<%s>, tensor<f64>) -> tensor<%s>`, size, stride, base, dilation, padding, rank, op, in, out)
}

func scatter(op, more string) string {
	body := "stablehlo.return %y : tensor<f64>"
	if op != "" {
		body = "%0 = stablehlo." + op + " %x, %y : tensor<f64>\n stablehlo.return %0 : tensor<f64>"
	}
	return `%r = "stablehlo.scatter"(%a0, %a1, %a2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>` + more + `}> ({
		^bb0(%x: tensor<f64>, %y: tensor<f64>):
			` + body + `
		}) : (tensor<4x3xf64>, tensor<5x1xi32>, tensor<5x3xf64>) -> tensor<4x3xf64>`
}

// positive makes a positive definite matrix %m of %a0.
const positive = `%t = stablehlo.transpose %a0, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
		%s = stablehlo.add %a0, %t : tensor<2x3x3xf64>
		%i = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
		%j = stablehlo.iota dim = 2 : tensor<2x3x3xi32>
		%e = stablehlo.compare EQ, %i, %j : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
		%d = stablehlo.convert %e : (tensor<2x3x3xi1>) -> tensor<2x3x3xf64>
		%d2 = stablehlo.add %d, %d : tensor<2x3x3xf64>
		%m = stablehlo.add %s, %d2 : tensor<2x3x3xf64>`

// program is a program of a case.
func program(args, out, body string) string {
	var params, results []string
	for i, a := range strings.Fields(args) {
		params = append(params, fmt.Sprintf("%%a%d: tensor<%s>", i, a))
	}
	for _, r := range strings.Fields(out) {
		results = append(results, "tensor<"+r+">")
	}
	if !strings.Contains(body, "\n\t\treturn ") {
		body += "\n\t\treturn %r : " + strings.Join(results, ", ")
	}
	return "func.func @main(" + strings.Join(params, ", ") + ") -> (" + strings.Join(results, ", ") + ") {\n\t\t" + body + "\n}"
}

// TestRules compares the gradients of every rule, and most second derivatives, with differences in 64-bit floats, and
// tangents with gradients.
func TestRules(t *testing.T) {
	for _, c := range ruleCases {
		t.Run(c.name, func(t *testing.T) {
			check(t, parse(t, program(c.args, c.out, c.body)), c.lo, c.hi, !c.first)
		})
	}
}
