package party_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// reduceSettings are fewer than all: what differs between them is the
// protocol, the ring and who knows what.
var reduceSettings = []setting{
	{"plain", 64, 18, 2, 2, []int{0, 1}},
	{"semi2k", 64, 18, 2, 2, []int{0, 1}},
	{"semi2k", 64, 18, 2, 2, []int{0, party.Public}},
	{"semi2k", 64, 18, 3, 3, []int{2, 0, 1}},
	{"semi2k", 128, 26, 3, 3, []int{0, 2}},
	{"aby3", 64, 18, 3, 3, []int{1, 2}},
}

// argReduction is JAX's argmin or argmax of %v along a dimension, with the
// value too if both are wanted.
func argReduction(name, typ, out string, dim int, cmp, worst string, both bool) program {
	rows, dtype := typ, typ[strings.LastIndex(typ, "x")+1:]
	index := strings.TrimSuffix(rows, dtype) + "i32"
	kind := "FLOAT"
	if dtype[0] != 'f' {
		kind = "SIGNED"
	}
	outIndex := out + "xi32"
	outs, ret := outIndex, "%r#1 : tensor<"+outIndex+">"
	if both {
		outs = out + "x" + dtype + " " + outIndex
		ret = "%r#0, %r#1 : tensor<" + out + "x" + dtype + ">, tensor<" + outIndex + ">"
	}
	return program{name: name, args: typ + " " + typ, outs: outs, body: fmt.Sprintf(`
 %%v = stablehlo.add %%a, %%b : tensor<%[1]s>
 %%i = stablehlo.iota dim = %[3]d : tensor<%[2]s>
 %%w = stablehlo.constant dense<%[5]s> : tensor<%[6]s>
 %%z = stablehlo.constant dense<0> : tensor<i32>
 %%r:2 = stablehlo.reduce(%%v init: %%w), (%%i init: %%z) across dimensions = [%[3]d] : (tensor<%[1]s>, tensor<%[2]s>, tensor<%[6]s>, tensor<i32>) -> (tensor<%[7]sx%[6]s>, tensor<%[7]sxi32>)
  reducer(%%x: tensor<%[6]s>, %%y: tensor<%[6]s>) (%%p: tensor<i32>, %%q: tensor<i32>) {
   %%2 = stablehlo.compare %[4]s, %%x, %%y, %[8]s : (tensor<%[6]s>, tensor<%[6]s>) -> tensor<i1>
   %%3 = stablehlo.compare NE, %%x, %%x, %[8]s : (tensor<%[6]s>, tensor<%[6]s>) -> tensor<i1>
   %%4 = stablehlo.or %%2, %%3 : tensor<i1>
   %%5 = stablehlo.compare EQ, %%x, %%y, %[8]s : (tensor<%[6]s>, tensor<%[6]s>) -> tensor<i1>
   %%6 = stablehlo.compare LT, %%p, %%q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
   %%7 = stablehlo.and %%5, %%6 : tensor<i1>
   %%8 = stablehlo.or %%4, %%7 : tensor<i1>
   %%9 = stablehlo.select %%4, %%x, %%y : tensor<i1>, tensor<%[6]s>
   %%10 = stablehlo.select %%8, %%p, %%q : tensor<i1>, tensor<i32>
   stablehlo.return %%9, %%10 : tensor<%[6]s>, tensor<i32>
  }
 return %[9]s`, typ, index, dim, cmp, worst, dtype, out, kind, ret)}
}

var reducePrograms = []program{
	{name: "two operands of two owners, one element", args: "1xi32 1xi32", outs: "i32 i32", body: `
 %0 = stablehlo.constant dense<3> : tensor<i32>
 %1 = stablehlo.constant dense<1> : tensor<i32>
 %r:2 = stablehlo.reduce(%a init: %0), (%b init: %1) across dimensions = [0] : (tensor<1xi32>, tensor<1xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  reducer(%x: tensor<i32>, %p: tensor<i32>) (%y: tensor<i32>, %q: tensor<i32>) {
   %2 = stablehlo.add %x, %1 : tensor<i32>
   %3 = stablehlo.maximum %2, %p : tensor<i32>
   %4 = stablehlo.multiply %q, %x : tensor<i32>
   %5 = stablehlo.add %y, %4 : tensor<i32>
   stablehlo.return %3, %5 : tensor<i32>, tensor<i32>
  }
 return %r#0, %r#1 : tensor<i32>, tensor<i32>`},
	argReduction("argmin", "5x4xf32", "5", 1, "LT", "0x7F800000", true),
	argReduction("argmax of columns", "7x3xf32", "3", 0, "GT", "0xFF800000", true),
	argReduction("argmax of one", "1x3xf32", "3", 0, "GT", "0xFF800000", true),
	argReduction("argmin of integers", "3x6xi32", "3", 1, "LT", "2147483647", true),
	argReduction("argmax from a value", "3x10xf32", "3", 1, "GT", "0.5", true),
	argReduction("argmax of bytes", "13x2xi8", "2", 0, "GT", "-128", false),
	{name: "ties", args: "4xi32 4xi32", outs: "4xi32 i32", body: `
 %c = stablehlo.constant dense<1> : tensor<4x5xi32>
 %v = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4xi32>) -> tensor<4x5xi32>
 %s = stablehlo.add %v, %c : tensor<4x5xi32>
 %i = stablehlo.iota dim = 1 : tensor<4x5xi32>
 %w = stablehlo.constant dense<-2147483648> : tensor<i32>
 %z = stablehlo.constant dense<0> : tensor<i32>
 %r:2 = stablehlo.reduce(%s init: %w), (%i init: %z) across dimensions = [1] : (tensor<4x5xi32>, tensor<4x5xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>)
  reducer(%x: tensor<i32>, %y: tensor<i32>) (%p: tensor<i32>, %q: tensor<i32>) {
   %2 = stablehlo.compare GE, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
   %5 = stablehlo.compare EQ, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
   %6 = stablehlo.minimum %p, %q : tensor<i32>
   %9 = stablehlo.select %2, %x, %y : tensor<i1>, tensor<i32>
   %7 = stablehlo.select %2, %p, %q : tensor<i1>, tensor<i32>
   %8 = stablehlo.select %5, %6, %7 : tensor<i1>, tensor<i32>
   stablehlo.return %9, %8 : tensor<i32>, tensor<i32>
  }
 %o = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
 return %r#1, %o : tensor<4xi32>, tensor<i32>`},
	{name: "one-hot of argmax", args: "6x4xf32 6x4xf32", outs: "6x4xf32 4x2xf32", tol: 3e-4, body: strings.Replace(
		argReduction("", "6x4xf32", "6", 1, "GT", "0xFF800000", false).body, " return %r#1 : tensor<6xi32>", `
 %j = stablehlo.broadcast_in_dim %r#1, dims = [0] : (tensor<6xi32>) -> tensor<6x4xi32>
 %e = stablehlo.compare EQ, %j, %i, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
 %f = stablehlo.convert %e : (tensor<6x4xi1>) -> tensor<6x4xf32>
 %k = stablehlo.multiply %f, %b : tensor<6x4xf32>
 %g = stablehlo.slice %b [0:6, 0:2] : (tensor<6x4xf32>) -> tensor<6x2xf32>
 %d = stablehlo.dot_general %f, %g, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
 return %k, %d : tensor<6x4xf32>, tensor<4x2xf32>`, 1)},
	{name: "reduce by a function of two", args: "4x5xf32 4x5xf32", outs: "4xf32 4xf32", tol: 1e-3, body: `
 %w = stablehlo.constant dense<1.0> : tensor<f32>
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %r:2 = stablehlo.reduce(%a init: %w), (%b init: %z) across dimensions = [1] : (tensor<4x5xf32>, tensor<4x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<f32>, %q: tensor<f32>) {
   %0 = stablehlo.multiply %x, %y : tensor<f32>
   %1 = stablehlo.multiply %y, %p : tensor<f32>
   %2 = stablehlo.add %1, %q : tensor<f32>
   stablehlo.return %0, %2 : tensor<f32>, tensor<f32>
  }
 return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>`},
	{name: "window of products", args: "7xf32 7xf32", outs: "3xf32", tol: 1e-3, body: `
 %v = stablehlo.add %a, %b : tensor<7xf32>
 %w = stablehlo.constant dense<1.0> : tensor<f32>
 %r = "stablehlo.reduce_window"(%v, %w) <{base_dilations = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %1 = stablehlo.multiply %x, %y : tensor<f32>
   stablehlo.return %1 : tensor<f32>
 }) : (tensor<7xf32>, tensor<f32>) -> tensor<3xf32>
 return %r : tensor<3xf32>`},
	{name: "window of integers", args: "6xi16 6xi16", outs: "5xi16", body: `
 %v = stablehlo.add %a, %b : tensor<6xi16>
 %w = stablehlo.constant dense<-32768> : tensor<i16>
 %r = "stablehlo.reduce_window"(%v, %w) <{base_dilations = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
 ^bb0(%x: tensor<i16>, %y: tensor<i16>):
   %1 = stablehlo.maximum %x, %y : tensor<i16>
   stablehlo.return %1 : tensor<i16>
 }) : (tensor<6xi16>, tensor<i16>) -> tensor<5xi16>
 return %r : tensor<5xi16>`},
	{name: "running products and maxima", args: "20xf32 20xf32", outs: "20xf32 20xf32", tol: 3e-3, body: `
 %h = stablehlo.constant dense<0.5> : tensor<20xf32>
 %ab = stablehlo.add %a, %b : tensor<20xf32>
 %p = stablehlo.multiply %ab, %h : tensor<20xf32>
 %w = stablehlo.constant dense<1.0> : tensor<f32>
 %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %r = "stablehlo.reduce_window"(%p, %w) <{base_dilations = array<i64: 1>, padding = dense<[[19, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 20>, window_strides = array<i64: 1>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %1 = stablehlo.multiply %x, %y : tensor<f32>
   stablehlo.return %1 : tensor<f32>
 }) : (tensor<20xf32>, tensor<f32>) -> tensor<20xf32>
 %v = stablehlo.add %a, %b : tensor<20xf32>
 %s = "stablehlo.reduce_window"(%v, %z) <{base_dilations = array<i64: 1>, padding = dense<[[19, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 20>, window_strides = array<i64: 1>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %1 = stablehlo.maximum %x, %y : tensor<f32>
   stablehlo.return %1 : tensor<f32>
 }) : (tensor<20xf32>, tensor<f32>) -> tensor<20xf32>
 return %r, %s : tensor<20xf32>, tensor<20xf32>`},
	{name: "padded windows from other values", args: "7xf32 7xf32", outs: "5xf32 4xf32 6xf32 8xf32 8xf32", tol: 1e-3, body: `
 %v = stablehlo.add %a, %b : tensor<7xf32>
 %w = stablehlo.constant dense<1.5> : tensor<f32>
 %z = stablehlo.constant dense<0.5> : tensor<f32>
 %s = "stablehlo.reduce_window"(%v, %w) <{padding = dense<[[2, 2]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %1 = stablehlo.add %x, %y : tensor<f32>
   stablehlo.return %1 : tensor<f32>
 }) : (tensor<7xf32>, tensor<f32>) -> tensor<5xf32>
 %p = "stablehlo.reduce_window"(%v, %w) <{padding = dense<[[2, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %1 = stablehlo.multiply %x, %y : tensor<f32>
   stablehlo.return %1 : tensor<f32>
 }) : (tensor<7xf32>, tensor<f32>) -> tensor<4xf32>
 %q = "stablehlo.reduce_window"(%v, %w) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %1 = stablehlo.multiply %x, %y : tensor<f32>
   stablehlo.return %1 : tensor<f32>
 }) : (tensor<7xf32>, tensor<f32>) -> tensor<6xf32>
 %r:2 = "stablehlo.reduce_window"(%v, %a, %w, %z) <{padding = dense<[[2, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>, %j: tensor<f32>, %k: tensor<f32>):
   %1 = stablehlo.multiply %x, %j : tensor<f32>
   %2 = stablehlo.multiply %y, %j : tensor<f32>
   %3 = stablehlo.add %2, %k : tensor<f32>
   stablehlo.return %1, %3 : tensor<f32>, tensor<f32>
 }) : (tensor<7xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
 return %s, %p, %q, %r#0, %r#1 : tensor<5xf32>, tensor<4xf32>, tensor<6xf32>, tensor<8xf32>, tensor<8xf32>`},
	{name: "map", args: "2x3xf32 2x3xf32", outs: "2x3xf32", body: `
 %r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %h = stablehlo.constant dense<0.5> : tensor<f32>
   %1 = stablehlo.maximum %x, %h : tensor<f32>
   %2 = stablehlo.multiply %1, %y : tensor<f32>
   stablehlo.return %2 : tensor<f32>
 }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
 return %r : tensor<2x3xf32>`},
}

func TestReducePrograms(t *testing.T) { runPrograms(t, reducePrograms, reduceSettings) }
