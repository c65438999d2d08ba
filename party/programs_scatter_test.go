package party_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// scatter changes elements of a 5×3 operand at rows 3, 1, 3, 9 (left out), 3
// and 0.
func scatter(name, dtype, body string) program {
	in, upd := "5x3x"+dtype, "6x3x"+dtype
	return program{name: "scatter " + name + " " + dtype, args: in + " " + upd, outs: in, tol: 2e-3, body: fmt.Sprintf(`
 %%i = stablehlo.constant dense<[[3], [1], [3], [9], [3], [0]]> : tensor<6x1xi32>
 %%u = stablehlo.add %%b, %%b : tensor<%[2]s>
 %%0 = "stablehlo.scatter"(%%a, %%i, %%u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
 ^bb0(%%x: tensor<%[3]s>, %%y: tensor<%[3]s>):
%[4]s
 }) : (tensor<%[1]s>, tensor<6x1xi32>, tensor<%[2]s>) -> tensor<%[1]s>
 return %%0 : tensor<%[1]s>`, in, upd, dtype, strings.ReplaceAll(body, "$", "tensor<"+dtype+">"))}
}

func applies(op string) string {
	return "   %1 = stablehlo." + op + " %x, %y : $\n   stablehlo.return %1 : $"
}

// pooled is the gradient of pooling.
func pooled(name, in, src, dir, op, attrs string) program {
	dtype := in[strings.LastIndex(in, "x")+1:]
	return program{name: "select and scatter " + name, args: in + " " + src, outs: in, tol: 1e-3, body: fmt.Sprintf(`
 %%v = stablehlo.add %%a, %%a : tensor<%[1]s>
 %%u = stablehlo.add %%b, %%b : tensor<%[2]s>
 %%c = stablehlo.constant dense<0> : tensor<i32>
 %%z = stablehlo.convert %%c : (tensor<i32>) -> tensor<%[3]s>
 %%0 = "stablehlo.select_and_scatter"(%%v, %%u, %%z) <{%[6]s}> ({
 ^bb0(%%x: tensor<%[3]s>, %%y: tensor<%[3]s>):
   %%1 = stablehlo.compare %[4]s, %%x, %%y : (tensor<%[3]s>, tensor<%[3]s>) -> tensor<i1>
   stablehlo.return %%1 : tensor<i1>
 }, {
 ^bb0(%%x: tensor<%[3]s>, %%y: tensor<%[3]s>):
   %%1 = stablehlo.%[5]s %%x, %%y : tensor<%[3]s>
   stablehlo.return %%1 : tensor<%[3]s>
 }) : (tensor<%[1]s>, tensor<%[2]s>, tensor<%[3]s>) -> tensor<%[1]s>
 return %%0 : tensor<%[1]s>`, in, src, dtype, dir, op, attrs)}
}

// withPool is a pool beside its gradient, of numbers that are often equal.
func (p program) withPool(op, init string) program {
	dtype := p.args[strings.LastIndex(p.args, "x")+1:]
	in, out, _ := strings.Cut(p.args, " ")
	attrs := p.body[strings.Index(p.body, "<{")+2 : strings.Index(p.body, "}>")]
	of, to := "tensor<"+in+">", "tensor<"+out+">"
	first := fmt.Sprintf(`
 %%w = stablehlo.add %%a, %%a : %[1]s
 %%n = stablehlo.constant dense<0> : tensor<%[2]s>
 %%nn = stablehlo.convert %%n : (tensor<%[2]s>) -> %[1]s
 %%v = stablehlo.maximum %%w, %%nn : %[1]s
 %%i = stablehlo.constant dense<%[3]s> : tensor<%[4]s>
 %%p = "stablehlo.reduce_window"(%%v, %%i) <{%[5]s}> ({
 ^bb0(%%x: tensor<%[4]s>, %%y: tensor<%[4]s>):
   %%1 = stablehlo.%[6]s %%x, %%y : tensor<%[4]s>
   stablehlo.return %%1 : tensor<%[4]s>
 }) : (%[1]s, tensor<%[4]s>) -> %[7]s`, of, strings.Replace(in, dtype, "i32", 1), init, dtype, attrs, op, to)
	p.name, p.outs = "pool and "+p.name, out+" "+in
	p.body = first + replaced(p.body, "%v = stablehlo.add %a, %a", "%vv = stablehlo.add %a, %a")
	p.body = replaced(p.body, " return %0 : "+of, " return %p, %0 : "+to+", "+of)
	return p
}

var scatterPrograms = []program{
	scatter("add", "f32", applies("add")),
	scatter("add", "i8", applies("add")),
	scatter("multiply", "f32", applies("multiply")),
	scatter("maximum", "f32", applies("maximum")),
	scatter("minimum", "i32", applies("minimum")),
	scatter("or", "i1", applies("or")),
	scatter("set", "f32", "   stablehlo.return %y : $"),
	scatter("subtract", "f32", applies("subtract")),
	scatter("halves", "f32", "   %h = stablehlo.constant dense<0.5> : $\n   %1 = stablehlo.multiply %x, %h : $\n   %2 = stablehlo.add %1, %y : $\n   stablehlo.return %2 : $"),
	pooled("2×2", "1x4x4x2xf32", "1x2x2x2xf32", "GE", "add", "window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>"),
	pooled("3×3 with padding", "5x5xf32", "3x3xf32", "GE", "add", "padding = dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>"),
	pooled("least of integers", "7xi32", "3xi32", "LT", "add", "padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>"),
	pooled("2×2", "1x4x4x2xf32", "1x2x2x2xf32", "GE", "add", "window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>").withPool("maximum", "0xFF800000"),
	pooled("3×3 with padding", "5x5xf32", "3x3xf32", "GT", "add", "padding = dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>").withPool("maximum", "1.5"),
	pooled("least of integers", "7xi32", "3xi32", "LE", "add", "padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>").withPool("minimum", "2147483647"),
	pooled("maxima", "7xf32", "5xf32", "GT", "maximum", "window_dimensions = array<i64: 3>, window_strides = array<i64: 1>"),
}

var scatterSettings = append([]setting{
	{"semi2k", 64, 18, 2, 2, []int{party.Public, 1}},
	{"semi2k", 64, 18, 2, 2, []int{1, 1}},
}, reduceSettings...)

func TestScatterPrograms(t *testing.T) { runPrograms(t, scatterPrograms, scatterSettings) }
