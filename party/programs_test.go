package party_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// program is a small program: the body of its main function, with its
// arguments %a, %b, … and its results' types.
type program struct {
	name string
	args string // types, separated by spaces
	body string // ends with a return
	outs string // types, separated by spaces
	tol  float64
}

func (p program) text() string {
	var args []string
	for i, t := range strings.Fields(p.args) {
		args = append(args, fmt.Sprintf("%%%c: tensor<%s>", 'a'+i, t))
	}
	var outs []string
	for _, t := range strings.Fields(p.outs) {
		outs = append(outs, "tensor<"+t+">")
	}
	return fmt.Sprintf(
		"module @m {\n  func.func public @main(%s) -> (%s) {\n%s\n  }\n}\n",
		strings.Join(args, ", "),
		strings.Join(outs, ", "),
		p.body,
	)
}

// binary is an elementwise operation of two 3×4 operands.
func binary(op string) program {
	return program{name: op, args: "3x4xf32 3x4xf32", outs: "3x4xf32",
		body: "%0 = stablehlo." + op + " %a, %b : tensor<3x4xf32>\n return %0 : tensor<3x4xf32>"}
}

// unary is an operation of one 3×4 operand.
func unary(name, op, out string) program {
	return program{name: name, args: "3x4xf32", outs: out,
		body: "%0 = stablehlo." + op + " : (tensor<3x4xf32>) -> tensor<" + out + ">\n return %0 : tensor<" + out + ">"}
}

// constant combines a 3×4 operand with a constant.
func withConstant(name, op, value string) program {
	return program{name: name, args: "3x4xf32", outs: "3x4xf32", body: `
 %c = stablehlo.constant dense<` + value + `> : tensor<3x4xf32>
 %0 = stablehlo.` + op + ` %a, %c : tensor<3x4xf32>
 return %0 : tensor<3x4xf32>`}
}

func conv(name, in, ker, out, dims, win, more string) program {
	return program{name: name, args: in + " " + ker, outs: out, tol: 3e-4, body: `
 %0 = stablehlo.convolution(%a, %b) dim_numbers = ` + dims + `, window = {` + win + `} {` + more + `} : (tensor<` + in + `>, tensor<` + ker + `>) -> tensor<` + out + `>
 return %0 : tensor<` + out + `>`}
}

const oneGroup = "batch_group_count = 1 : i64, feature_group_count = 1 : i64"

func window(name, in, out, op, init, attrs string) program {
	return program{name: name, args: in, outs: out, body: `
 %c = stablehlo.constant dense<` + init + `> : tensor<f32>
 %0 = "stablehlo.reduce_window"(%a, %c) <{` + attrs + `}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %1 = stablehlo.` + op + ` %x, %y : tensor<f32>
   stablehlo.return %1 : tensor<f32>
 }) : (tensor<` + in + `>, tensor<f32>) -> tensor<` + out + `>
 return %0 : tensor<` + out + `>`}
}

var programs = []program{
	binary("add"), binary("subtract"), binary("multiply"), binary("maximum"), binary("minimum"),
	withConstant("add constant", "add", "1.25"),
	withConstant("public minus", "subtract", "[[1.0, 2.0, 3.0, 4.0], [0.1, 0.2, 0.3, 0.4], [-1.0, 0.0, 7.5, 100.0]]"),
	withConstant("times 3", "multiply", "3.0"),
	withConstant("times a power of two", "multiply", "0.03125"),
	withConstant("times small", "multiply", "0.001"),
	withConstant("times mixed", "multiply", "[[1.0, 0.5, 0.25, 4.0], [0.1, 0.002, 3.3, 0.0], [-1.0, 0.0, 7.5, 10.0]]"),
	withConstant("divide", "divide", "7.0"),
	withConstant("divide by a power of two", "divide", "64.0"),
	withConstant("relu", "maximum", "0.0"),
	withConstant("max with constant", "maximum", "[[1.0, 2.0, -3.0, 0.0], [0.1, 0.2, 0.3, 0.4], [-1.0, 0.0, 1.5, 10.0]]"),
	withConstant("max with -inf", "maximum", "0xFF800000"),
	withConstant("min with constant", "minimum", "0.5"),
	{name: "chain of factors", args: "3x4xf32", outs: "3x4xf32", tol: 2e-4, body: `
 %c = stablehlo.constant dense<1.7> : tensor<3x4xf32>
 %0 = stablehlo.multiply %a, %c : tensor<3x4xf32>
 %1 = stablehlo.multiply %0, %c : tensor<3x4xf32>
 %2 = stablehlo.multiply %1, %c : tensor<3x4xf32>
 %3 = stablehlo.add %2, %a : tensor<3x4xf32>
 return %3 : tensor<3x4xf32>`},
	{name: "cube", args: "3x4xf32", outs: "3x4xf32", tol: 5e-4, body: `
 %0 = stablehlo.multiply %a, %a : tensor<3x4xf32>
 %1 = stablehlo.multiply %0, %a : tensor<3x4xf32>
 return %1 : tensor<3x4xf32>`},
	{name: "square twice", args: "3x4xf32", outs: "3x4xf32", tol: 3e-3, body: `
 %0 = chlo.square %a : tensor<3x4xf32> -> tensor<3x4xf32>
 %1 = chlo.square %0 : tensor<3x4xf32> -> tensor<3x4xf32>
 return %1 : tensor<3x4xf32>`},
	{name: "relu times relu", args: "3x4xf32 3x4xf32", outs: "3x4xf32", body: `
 %c = stablehlo.constant dense<0.0> : tensor<3x4xf32>
 %0 = stablehlo.maximum %a, %c : tensor<3x4xf32>
 %1 = stablehlo.maximum %b, %c : tensor<3x4xf32>
 %2 = stablehlo.multiply %0, %1 : tensor<3x4xf32>
 return %2 : tensor<3x4xf32>`},
	{name: "relu of product of relu", args: "3x4xf32 3x4xf32", outs: "3x4xf32", tol: 1e-3, body: `
 %c = stablehlo.constant dense<0.0> : tensor<3x4xf32>
 %0 = stablehlo.maximum %a, %c : tensor<3x4xf32>
 %1 = stablehlo.multiply %0, %b : tensor<3x4xf32>
 %2 = stablehlo.maximum %1, %c : tensor<3x4xf32>
 %3 = stablehlo.subtract %2, %1 : tensor<3x4xf32>
 %4 = stablehlo.multiply %3, %2 : tensor<3x4xf32>
 %5 = stablehlo.add %4, %3 : tensor<3x4xf32>
 return %5 : tensor<3x4xf32>`},
	{name: "results of every kind", args: "3x4xf32 3x4xf32", outs: "3x4xf32 3x4xf32 3x4xf32 3x4xf32 2xi32", body: `
 %c = stablehlo.constant dense<[5, -7]> : tensor<2xi32>
 %0 = stablehlo.add %a, %b : tensor<3x4xf32>
 %1 = stablehlo.negate %b : tensor<3x4xf32>
 return %0, %a, %1, %0, %c : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2xi32>`},
	{name: "scalars", args: "f32 f32", outs: "f32", body: `
 %0 = stablehlo.multiply %a, %b : tensor<f32>
 %1 = stablehlo.subtract %0, %b : tensor<f32>
 return %1 : tensor<f32>`},
	{name: "nothing", args: "0x4xf32 0x4xf32", outs: "0x4xf32", body: `
 %0 = stablehlo.multiply %a, %b : tensor<0x4xf32>
 return %0 : tensor<0x4xf32>`},
	unary("negate", "negate %a", "3x4xf32"),
	unary("abs", "abs %a", "3x4xf32"),
	unary("convert", "convert %a", "3x4xf64"),
	unary("reshape", "reshape %a", "2x6xf32"),
	unary("transpose", "transpose %a, dims = [1, 0]", "4x3xf32"),
	unary("broadcast", "broadcast_in_dim %a, dims = [1, 2]", "2x3x4xf32"),
	unary("slice", "slice %a [0:3:2, 1:4:2]", "2x2xf32"),
	{
		name: "reverse",
		args: "3x4xf32",
		outs: "3x4xf32",
		body: "%0 = stablehlo.reverse %a, dims = [0, 1] : tensor<3x4xf32>\n return %0 : tensor<3x4xf32>",
	},
	{name: "pad", args: "3x4xf32 f32", outs: "6x6xf32", body: `
 %0 = stablehlo.pad %a, %b, low = [2, -1], high = [-1, 0], interior = [1, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<6x6xf32>
 return %0 : tensor<6x6xf32>`},
	{name: "concatenate", args: "3x4xf32 3x2xf32 3x1xf32", outs: "3x7xf32", body: `
 %0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<3x4xf32>, tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x7xf32>
 return %0 : tensor<3x7xf32>`},
	{name: "concatenate of scales", args: "3x4xf32 3x4xf32", outs: "6x4xf32", tol: 3e-4, body: `
 %0 = stablehlo.multiply %a, %b : tensor<3x4xf32>
 %1 = stablehlo.concatenate %0, %b, dim = 0 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>
 %2 = stablehlo.multiply %1, %1 : tensor<6x4xf32>
 return %2 : tensor<6x4xf32>`},
	{name: "gather", args: "3x4xf32", outs: "2x4xf32", body: `
 %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
 %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
 return %0 : tensor<2x4xf32>`},
	{name: "scatter", args: "3x4xf32 2x4xf32", outs: "3x4xf32", body: `
 %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
 %0 = "stablehlo.scatter"(%a, %i, %b) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   stablehlo.return %y : tensor<f32>
 }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
 return %0 : tensor<3x4xf32>`},
	{name: "dynamic slice", args: "3x4xf32", outs: "2x2xf32", body: `
 %i = stablehlo.constant dense<1> : tensor<i32>
 %j = stablehlo.constant dense<9> : tensor<i32>
 %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 2] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
 return %0 : tensor<2x2xf32>`},
	{name: "select", args: "3x4xf32 3x4xf32", outs: "3x4xf32", body: `
 %p = stablehlo.constant dense<[[true, false, true, false], [true, true, true, false], [false, false, true, false]]> : tensor<3x4xi1>
 %0 = stablehlo.select %p, %a, %b : tensor<3x4xi1>, tensor<3x4xf32>
 return %0 : tensor<3x4xf32>`},
	{name: "clamp", args: "3x4xf32", outs: "3x4xf32", body: `
 %l = stablehlo.constant dense<-0.5> : tensor<f32>
 %h = stablehlo.constant dense<0.75> : tensor<f32>
 %0 = stablehlo.clamp %l, %a, %h : (tensor<f32>, tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
 return %0 : tensor<3x4xf32>`},
	{name: "dot", args: "3x4xf32 4x5xf32", outs: "3x5xf32", body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
 return %0 : tensor<3x5xf32>`},
	{name: "dot with batches", args: "4x2x3x5xf32 5x7x2x4xf32", outs: "2x3x7xf32", tol: 3e-4, body: `
 %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [2], contracting_dims = [3, 0] x [0, 3] : (tensor<4x2x3x5xf32>, tensor<5x7x2x4xf32>) -> tensor<2x3x7xf32>
 return %0 : tensor<2x3x7xf32>`},
	{name: "dot to a scalar", args: "6xf32 6xf32", outs: "f32", body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<6xf32>, tensor<6xf32>) -> tensor<f32>
 return %0 : tensor<f32>`},
	{name: "dot of dot", args: "3x4xf32 4x4xf32", outs: "3x4xf32", tol: 1e-3, body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
 %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
 return %1 : tensor<3x4xf32>`},
	conv("conv 1-D", "2x9x3xf32", "3x3x4xf32", "2x4x4xf32", "[b, 0, f]x[0, i, o]->[b, 0, f]",
		"stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]", oneGroup),
	conv("conv other layout", "2x3x6x5xf32", "4x3x2x3xf32", "2x4x5x3xf32", "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
		"stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, false]", oneGroup),
	conv(
		"conv groups",
		"1x5x5x4xf32",
		"3x3x2x6xf32",
		"1x5x5x6xf32",
		"[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
		"stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]",
		"batch_group_count = 1 : i64, feature_group_count = 2 : i64",
	),
	conv(
		"conv batch groups",
		"4x5x5x3xf32",
		"3x3x3x6xf32",
		"2x3x3x6xf32",
		"[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
		"stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]",
		"batch_group_count = 2 : i64, feature_group_count = 1 : i64",
	),
	conv("conv dilated", "1x4x4x2xf32", "3x2x2x3xf32", "1x5x6x3xf32", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
		"stride = [2, 1], pad = [[2, 3], [-1, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 2], reverse = [false, false]", oneGroup),
	conv("conv mostly padding", "1x1x1x8xf32", "3x3x8x4xf32", "1x1x1x4xf32", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
		"stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]", oneGroup),
	{name: "sum", args: "3x4xf32 f32", outs: "3xf32", body: `
 %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
 return %0 : tensor<3xf32>`},
	{name: "sum of all", args: "2x3x4xf32", outs: "3xf32", body: `
 %c = stablehlo.constant dense<0.0> : tensor<f32>
 %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [2, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
 return %0 : tensor<3xf32>`},
	{name: "max of rows", args: "3x7xf32", outs: "3xf32", body: `
 %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %0 = stablehlo.reduce(%a init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<3x7xf32>, tensor<f32>) -> tensor<3xf32>
 return %0 : tensor<3xf32>`},
	{name: "min of columns", args: "4x5xf32 f32", outs: "5xf32", body: `
 %0 = stablehlo.reduce(%a init: %b) applies stablehlo.minimum across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
 return %0 : tensor<5xf32>`},
	window(
		"max pool",
		"1x7x6x2xf32",
		"1x4x3x2xf32",
		"maximum",
		"0xFF800000",
		"base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>",
	),
	window(
		"min pool from 0.25",
		"8xf32",
		"3xf32",
		"minimum",
		"0.25",
		"base_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 2>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>",
	),
	window(
		"sum pool",
		"2x5x5xf32",
		"2x3x3xf32",
		"add",
		"0.5",
		"base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [1, 1]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3>, window_strides = array<i64: 1, 2, 2>",
	),
	{name: "loop", args: "3xf32 3xf32", outs: "3xf32", tol: 1e-3, body: `
 %z = stablehlo.constant dense<0> : tensor<i32>
 %n = stablehlo.constant dense<5> : tensor<i32>
 %s = stablehlo.constant dense<1> : tensor<i32>
 %r:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<3xf32>
 cond {
   %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
   stablehlo.return %p : tensor<i1>
 } do {
   %j = stablehlo.add %i, %s : tensor<i32>
   %y = stablehlo.multiply %x, %b : tensor<3xf32>
   %w = func.call @step(%y, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
   stablehlo.return %j, %w : tensor<i32>, tensor<3xf32>
 }
 return %r#1 : tensor<3xf32>
 }
 func.func private @step(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
 %0 = stablehlo.add %x, %y : tensor<3xf32>
 return %0 : tensor<3xf32>`},
	{name: "public branches", args: "3xf32", outs: "3xf32 3xf32", body: `
 %t = stablehlo.constant dense<false> : tensor<i1>
 %i = stablehlo.constant dense<1> : tensor<i32>
 %0 = "stablehlo.if"(%t) ({
   stablehlo.return %a : tensor<3xf32>
 }, {
   %1 = stablehlo.negate %a : tensor<3xf32>
   stablehlo.return %1 : tensor<3xf32>
 }) : (tensor<i1>) -> tensor<3xf32>
 %2 = "stablehlo.case"(%i) ({
   stablehlo.return %a : tensor<3xf32>
 }, {
   %3 = stablehlo.add %a, %a : tensor<3xf32>
   stablehlo.return %3 : tensor<3xf32>
 }) : (tensor<i32>) -> tensor<3xf32>
 return %0, %2 : tensor<3xf32>, tensor<3xf32>`},
	{name: "integers", args: "4xi32 4xi32", outs: "4xi32 i32", body: `
 %0 = stablehlo.multiply %a, %b : tensor<4xi32>
 %1 = stablehlo.subtract %0, %b : tensor<4xi32>
 %c = stablehlo.constant dense<[1000000007, -3, 65536, 2]> : tensor<4xi32>
 %2 = stablehlo.multiply %1, %c : tensor<4xi32>
 %3 = stablehlo.add %2, %c : tensor<4xi32>
 %4 = stablehlo.dot_general %3, %b, contracting_dims = [0] x [0] : (tensor<4xi32>, tensor<4xi32>) -> tensor<i32>
 return %3, %4 : tensor<4xi32>, tensor<i32>`},
	{name: "bytes", args: "4xui8 4xui8", outs: "4xui8 ui8", body: `
 %0 = stablehlo.multiply %a, %b : tensor<4xui8>
 %1 = stablehlo.add %0, %0 : tensor<4xui8>
 %c = stablehlo.constant dense<0> : tensor<ui8>
 %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xui8>, tensor<ui8>) -> tensor<ui8>
 return %1, %2 : tensor<4xui8>, tensor<ui8>`},
}

// random fills an array: floats in (−2, 2), integers of all bits.
func random(r *rand.Rand, t tensor.Type) *tensor.Array {
	n := t.Shape.Size()
	if t.DType.IsFloat() {
		v := make([]float64, n)
		for i := range v {
			v[i] = 4*r.Float64() - 2
		}
		return tensor.FromFloats(t.DType, t.Shape, v)
	}
	w := make([]uint64, n)
	for i := range w {
		w[i] = r.Uint64()
	}
	return tensor.FromWords(t.DType, t.Shape, w)
}

// setting is who runs a program and who owns its arguments, in turn.
type setting struct {
	protocol  string
	ring, f   int
	parties   int
	computing int
	owners    []int
}

var settings = []setting{
	{"plain", 64, 18, 2, 2, []int{0, 1}},
	{"semi2k", 64, 18, 2, 2, []int{0, 1}},
	{"semi2k", 64, 18, 2, 2, []int{1, 1}},
	{"semi2k", 64, 18, 2, 2, []int{0, party.Public}},
	{"semi2k", 64, 18, 2, 2, []int{party.Public, 1}},
	{"semi2k", 64, 18, 3, 3, []int{2, 0, 1}},
	{"semi2k", 64, 18, 5, 5, []int{4, 0}},
	{"semi2k", 64, 18, 4, 2, []int{3, 2}}, // owners who do not compute
	{"semi2k", 64, 18, 3, 2, []int{2, 0}},
	{"semi2k", 128, 26, 2, 2, []int{0, 1}},
	{"semi2k", 128, 26, 3, 3, []int{0, 2}},
	{"aby3", 64, 18, 3, 3, []int{0, 1}},
	{"aby3", 64, 18, 3, 3, []int{2, 0, 1}},
	{"aby3", 128, 26, 3, 3, []int{2, 1}},
	{"aby3", 64, 18, 5, 3, []int{4, 2, 3, 0}}, // owners who only share and learn
}

// turns are the settings that the i-th program of a test runs in: the first two
// and every third of the others, in turn. With the race detector it is every
// fourth program, in two settings.
func turns(i int, all []setting) []setting {
	if raced {
		if i%4 != 0 || len(all) < 2 {
			return all[:min(len(all), 1-min(1, i%4))]
		}
		return []setting{all[1], all[i/4%len(all)]}
	}
	var out []setting
	for j, s := range all {
		if j < 2 || (i+j)%4 == 0 {
			out = append(out, s)
		}
	}
	return out
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	for index, p := range programs {
		t.Run(p.name, func(t *testing.T) { runWith(t, p, random, nil, turns(index, settings)...) })
	}
}

// runWith runs a program in some settings, with arguments that fill makes,
// against eval, and holds it to its plan.
func runWith(t *testing.T, p program, fill func(*rand.Rand, tensor.Type) *tensor.Array, set map[string]string, settings ...setting) {
	t.Helper()
	prog, err := hlo.Parse("test.mlir", []byte(p.text()))
	if err != nil {
		t.Fatalf("%v\n%s", err, p.text())
	}
	for i, s := range settings {
		r := rand.New(rand.NewPCG(uint64(i), 13))
		spec := party.Spec{
			Program:   prog,
			Protocol:  s.protocol,
			Ring:      s.ring,
			Fraction:  s.f,
			Computing: s.computing,
			Network:   "none",
			Reveal:    []int{0},
			Set:       set,
		}
		var args []*tensor.Array
		for j, v := range prog.Main.Body.Params {
			a := fill(r, v.Type)
			args = append(args, a)
			spec.Args = append(spec.Args, party.Arg{Owner: s.owners[j%len(s.owners)], Data: a})
		}
		for j := range s.parties {
			spec.Parties = append(spec.Parties, fmt.Sprintf("p%d", j))
			if j > 0 && i%2 == 0 {
				spec.Reveal = append(spec.Reveal, j)
			}
		}
		want, err := eval.Func(context.Background(), prog.Main, args)
		if err != nil {
			t.Fatal(err)
		}
		out, err := party.Run(context.Background(), spec)
		if err != nil {
			t.Errorf("%+v: %v\n%s", s, err, p.text())
			continue
		}
		p.compare(t, s, out.Results, want)
		checkPrediction(t, out.Report)
		checkPlan(t, spec, out)
		if s.protocol != "plain" && i%2 == 1 {
			checkManifest(t, spec)
		}
		if t.Failed() {
			t.Log(p.text(), args)
			return
		}
	}
}

// compare allows a few units in the last place, or what the program says.
func (p program) compare(t *testing.T, s setting, got, want []*tensor.Array) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%+v: %d results, want %d", s, len(got), len(want))
	}
	for i := range want {
		if !got[i].Type.Equal(want[i].Type) {
			t.Errorf("%+v: result %d has type %v, want %v", s, i, got[i].Type, want[i].Type)
			continue
		}
		if want[i].DType.IsComplex() {
			if far(numbers(got[i].Data), numbers(want[i].Data), max(p.tol, 1e-4)) {
				t.Errorf("%+v: result %d is %v, want %v", s, i, got[i].Data, want[i].Data)
			}
			continue
		}
		if !want[i].DType.IsFloat() {
			if fmt.Sprint(got[i].Data) != fmt.Sprint(want[i].Data) {
				t.Errorf("%+v: result %d is %v, want %v", s, i, got[i].Data, want[i].Data)
			}
			continue
		}
		tol := max(p.tol, 1e-4)
		if s.ring == 128 {
			tol /= 100
		}
		w := want[i].Floats()
		for j, g := range got[i].Floats() {
			if !(math.Abs(g-w[j]) <= tol*max(1, math.Abs(w[j]))) {
				t.Errorf("%+v: result %d, element %d is %v, want %v", s, i, j, g, w[j])
				break
			}
		}
	}
}

// checkPlan: a plan without data says what the run costs.
func checkPlan(t *testing.T, s party.Spec, out *party.Outcome) {
	t.Helper()
	args := append([]party.Arg{}, s.Args...)
	for i := range args {
		if args[i].Owner != party.Public {
			args[i].Data = nil
		}
	}
	s.Args = args
	r, err := party.Plan(context.Background(), s)
	if err != nil {
		t.Errorf("plan: %v", err)
		return
	}
	got := fmt.Sprint(r.Setup.BytesSent, r.Setup.Rounds, r.Input.BytesSent, r.Online, r.Output.BytesSent, r.Offline.BytesSent)
	online := out.Report.Online
	online.Seconds = 0
	if r.Expected() { // the plan has expected values, as the report has
		p := out.Report.Predicted.Online
		online.BytesSent, online.Messages, online.Rounds = p.BytesSent, p.Messages, p.Rounds
	}
	want := fmt.Sprint(
		out.Report.Setup.BytesSent,
		out.Report.Setup.Rounds,
		out.Report.Input.BytesSent,
		online,
		out.Report.Output.BytesSent,
		out.Report.Offline.BytesSent,
	)
	if got != want {
		t.Errorf("planned %s, measured %s", got, want)
	}
}

// TestRefused: what is not built yet is refused with place, operation and
// advice, before anything is sent.
func TestRefused(t *testing.T) {
	for _, p := range []struct{ name, body, want string }{
		{"polygamma", "%0 = chlo.polygamma %s, %s : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>\n return %0 : tensor<3xf32>", "test.mlir:4:6: chlo.polygamma: "},
		{"while on a secret", `%r = stablehlo.while(%x = %s) : tensor<3xf32>
 cond {
   %c = stablehlo.constant dense<0.0> : tensor<f32>
   %y = stablehlo.reshape %z : (tensor<1xf32>) -> tensor<f32>
   %p = stablehlo.compare LT, %y, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
   stablehlo.return %p : tensor<i1>
 } do {
   %d = stablehlo.add %x, %x : tensor<3xf32>
   stablehlo.return %d : tensor<3xf32>
 }
 return %r : tensor<3xf32>`, "test.mlir:"},
	} {
		t.Run(p.name, func(t *testing.T) {
			body := "%s = stablehlo.add %a, %b : tensor<3xf32>\n" + p.body
			body = strings.Replace(body, "%r =", "%z = stablehlo.slice %s [0:1] : (tensor<3xf32>) -> tensor<1xf32>\n %r =", 1)
			prog, err := hlo.Parse("test.mlir", []byte(program{args: "3xf32 3xf32", body: body, outs: "3xf32"}.text()))
			if err != nil {
				t.Fatal(err)
			}
			arg := random(rand.New(rand.NewPCG(1, 1)), prog.Main.Body.Params[0].Type)
			spec := party.Spec{
				Program:   prog,
				Protocol:  "semi2k",
				Ring:      64,
				Fraction:  18,
				Computing: 2,
				Parties:   []string{"a", "b"},
				Reveal:    []int{0},
				Network:   "none",
				Args:      []party.Arg{{Owner: 0, Data: arg}, {Owner: 1, Data: arg}},
			}
			_, err = party.Run(context.Background(), spec)
			var e *hlo.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), p.want) || e.Hint == "" {
				t.Errorf("refused with %v", err)
			}
		})
	}
}
