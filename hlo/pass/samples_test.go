package pass

import (
	"fmt"
	"strings"
)

// pooled is a max-pool of a value %x, 6x6, with windows of 2x2, after operations.
func pooled(before, init, pad, out string) string {
	return before + `
 %i = stablehlo.constant dense<` + init + `> : tensor<f32>
 %p = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<` + pad + `> : tensor<2x2xi64>}> ({
 ^bb0(%u: tensor<f32>, %v: tensor<f32>):
   %m = stablehlo.maximum %u, %v : tensor<f32>
   stablehlo.return %m : tensor<f32>
 }) : (tensor<6x6xf32>, tensor<f32>) -> tensor<` + out + `>
 return %p : tensor<` + out + `>`
}

const zero = "%z = stablehlo.constant dense<0.0> : tensor<6x6xf32>\n"

// loop is a loop of three iterations over %i and further carried values.
func loop(carried, types, initial, body string) string {
	return `
 %n = stablehlo.constant dense<3> : tensor<i32>
 %0 = stablehlo.constant dense<0> : tensor<i32>
 %r:` + carried + ` = stablehlo.while(%i = %0, ` + initial + `) : ` + types + `
 cond {
   %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
   stablehlo.return %p : tensor<i1>
 } do {
   %one = stablehlo.constant dense<1> : tensor<i32>
   %next = stablehlo.add %i, %one : tensor<i32>
` + body + `
 }
`
}

// poolGradient is the gradient of a pool of %a with windows of 3x3, as JAX prints it.
func poolGradient(by, pads, padded, slice string) string {
	n := slice[2:3]
	if slice[0] == '1' {
		n = "6"
	}
	in := n + "x" + n + "xf32"
	return `%i = stablehlo.constant dense<` + by + `> : tensor<f32>
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %1 = stablehlo.pad %a, %i, ` + pads + `, interior = [0, 0] : (tensor<` + in + `>, tensor<f32>) -> tensor<` + padded + `>
 %2 = "stablehlo.select_and_scatter"(%1, %b, %z) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %m = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
   stablehlo.return %m : tensor<i1>
 }, {
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %m = stablehlo.add %x, %y : tensor<f32>
   stablehlo.return %m : tensor<f32>
 }) : (tensor<` + padded + `>, tensor<3x3xf32>, tensor<f32>) -> tensor<` + padded + `>
 %3 = stablehlo.slice %2 [` + slice + `] : (tensor<` + padded + `>) -> tensor<` + in + `>
 return %3 : tensor<` + in + `>`
}

// paddedPool is a max-pool of %a on an operand padded by an element, as torch_xla prints it.
func paddedPool(by, high, out string) string {
	return `%i = stablehlo.constant dense<` + by + `> : tensor<f32>
 %j = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %q = stablehlo.pad %a, %i, low = [1, 1], high = [` + high + `], interior = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<6x6xf32>
 %p = "stablehlo.reduce_window"(%q, %j) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
 ^bb0(%u: tensor<f32>, %v: tensor<f32>):
   %m = stablehlo.maximum %u, %v : tensor<f32>
   stablehlo.return %m : tensor<f32>
 }) : (tensor<6x6xf32>, tensor<f32>) -> tensor<` + out + `>
 return %p : tensor<` + out + `>`
}

// limitedPool is paddedPool of the maximum, or minimum, of %a and zeros.
func limitedPool(limit, by string) string {
	return `%z = stablehlo.constant dense<0.0> : tensor<4x4xf32>
 %x = stablehlo.` + limit + ` %z, %a : tensor<4x4xf32>
 ` + strings.Replace(paddedPool(by, "1, 1", "3x3xf32"), "%a", "%x", 1)
}

// rationalErf is erf of %a as torch-mlir prints it, with the given last coefficient and bound.
func rationalErf(last, bound string) string {
	var b strings.Builder
	constant := func(name, value string) {
		b.WriteString("%" + name + " = stablehlo.constant dense<" + value + "> : tensor<3xf32>\n")
	}
	constant("l", "-"+bound)
	constant("h", bound)
	constant("m", "-1.0")
	constant("o", "1.0")
	b.WriteString("%c = stablehlo.clamp %l, %a, %h : tensor<3xf32>\n%s = stablehlo.multiply %c, %c : tensor<3xf32>\n")
	for _, p := range []struct {
		name string
		of   []string
	}{
		{"p", []string{"-2.72614237E-10", "2.77068146E-8", "-2.10102394E-6", "-5.69250624E-5", "-7.34990637E-4", "-2.954600e-03", "-0.0160960332"}},
		{"q", []string{"-1.45660715E-5", "-2.13374049E-4", "-0.00168282702", "-0.00737332925", last}},
	} {
		at := "%" + p.name + "0"
		constant(p.name+"0", p.of[0])
		for i, k := range p.of[1:] {
			n := p.name + string(rune('1'+i))
			constant(n+"k", k)
			b.WriteString("%" + n + "m = stablehlo.multiply " + at + ", %s : tensor<3xf32>\n%" + n + " = stablehlo.add %" + n + "m, %" + n + "k : tensor<3xf32>\n")
			at = "%" + n
		}
	}
	b.WriteString("%n = stablehlo.multiply %c, %p6 : tensor<3xf32>\n%d = stablehlo.divide %n, %q4 : tensor<3xf32>\n%r = stablehlo.clamp %m, %d, %o : tensor<3xf32>\nreturn %r : tensor<3xf32>")
	return b.String()
}

// isInfinite compares %x, a 3xf32, with an infinity.
func isInfinite(before, comparison, inf string) string {
	return before + `
 %i = stablehlo.constant dense<` + inf + `> : tensor<3xf32>
 %r = stablehlo.compare ` + comparison + `, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 return %r : tensor<3xi1>`
}

// masked is %x: %a where %b is true, −∞ elsewhere.
const masked = `%n = stablehlo.constant dense<0xFF800000> : tensor<3xf32>
 %x = stablehlo.select %b, %a, %n : tensor<3xi1>, tensor<3xf32>`

// gradientOfMaximum is %c times the share of the gradient that belongs to %a, as JAX prints it.
func gradientOfMaximum(dir, pair, dir2, pair2 string) string {
	return `%m = stablehlo.maximum %a, %b : tensor<3xf32>
 %o = stablehlo.constant dense<1.0> : tensor<3xf32>
 %z = stablehlo.constant dense<0.0> : tensor<3xf32>
 %w = stablehlo.constant dense<2.0> : tensor<3xf32>
 %0 = stablehlo.compare ` + dir + `, ` + pair + ` : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.select %0, %o, %z : tensor<3xi1>, tensor<3xf32>
 %2 = stablehlo.compare ` + dir2 + `, ` + pair2 + ` : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %3 = stablehlo.select %2, %w, %o : tensor<3xi1>, tensor<3xf32>
 %4 = stablehlo.divide %1, %3 : tensor<3xf32>
 %5 = stablehlo.multiply %c, %4 : tensor<3xf32>
 return %5 : tensor<3xf32>`
}

// selectedTwice selects the larger of %a and a number, and %b where %a is larger.
func selectedTwice(k string) string {
	return `%k = stablehlo.constant dense<` + k + `> : tensor<3xf32>
 %z = stablehlo.constant dense<0.0> : tensor<3xf32>
 %0 = stablehlo.compare GT, %a, %k : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.select %0, %a, %k : tensor<3xi1>, tensor<3xf32>
 %2 = stablehlo.select %0, %b, %z : tensor<3xi1>, tensor<3xf32>
 return %1, %2 : tensor<3xf32>, tensor<3xf32>`
}

// leakyReLU selects %a or a tenth of it, %t.
func leakyReLU(compare, selected string) string {
	return `%z = stablehlo.constant dense<0.0> : tensor<3xf32>
 %k = stablehlo.constant dense<0.1> : tensor<3xf32>
 %t = stablehlo.multiply %k, %a : tensor<3xf32>
 %0 = stablehlo.compare ` + compare + ` : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.select %0, ` + selected + ` : tensor<3xi1>, tensor<3xf32>
 return %1 : tensor<3xf32>`
}

// longBody has more operations than a function that is inlined for its size.
var longBody = func() (text string) {
	from := "x"
	for i := range 9 {
		text += fmt.Sprintf("%%%d = stablehlo.sine %%%s : tensor<3xf32>\n", i, from)
		from = fmt.Sprint(i)
	}
	return text
}()

// associatedLoop takes steps of a product of %a, %b and the loop's own matrix, and of one with the transposed matrices.
var associatedLoop = loop("2", "tensor<i32>, tensor<3x2xf32>", "%w = %c", `%p0 = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
   %p1 = stablehlo.dot_general %a, %p0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
   %q = stablehlo.tanh %p1 : tensor<4x2xf32>
   %p2 = stablehlo.dot_general %q, %a, contracting_dims = [0] x [0] : (tensor<4x2xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
   %p3 = stablehlo.transpose %p2, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
   %p4 = stablehlo.dot_general %b, %p3, contracting_dims = [0] x [0] : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
   stablehlo.return %next, %p4 : tensor<i32>, tensor<3x2xf32>`) + `
 return %r#1 : tensor<3x2xf32>`

var samples = map[string][]sample{
	"inline": {
		{"a small function", "3xf32", `%0 = call @twice(%a) : (tensor<3xf32>) -> tensor<3xf32>
 %1 = call @twice(%0) : (tensor<3xf32>) -> tensor<3xf32>
 return %1 : tensor<3xf32>
 func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
 %0 = call @sum(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
 return %0 : tensor<3xf32>
 }
 func.func private @sum(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
 %0 = stablehlo.add %x, %y : tensor<3xf32>
 return %0 : tensor<3xf32>
 }`, "3xf32", map[string]int{"func.call": 0, "add": 2, "func.return": 1}},
		{"a loop's body, called once", "3xf32", loop("2", "tensor<i32>, tensor<3xf32>", "%x = %a", `%s = call @body(%x) : (tensor<3xf32>) -> tensor<3xf32>
   stablehlo.return %next, %s : tensor<i32>, tensor<3xf32>`) + `
 return %r#1 : tensor<3xf32>
 func.func private @body(%x: tensor<3xf32>) -> tensor<3xf32> {
 ` + longBody + `
 return %8 : tensor<3xf32>
 }`, "3xf32", map[string]int{"func.call": 0, "sine": 9}},
		{"a loop's body, called twice", "3xf32", loop("2", "tensor<i32>, tensor<3xf32>", "%x = %a", `%t = call @body(%x) : (tensor<3xf32>) -> tensor<3xf32>
   %s = call @body(%t) : (tensor<3xf32>) -> tensor<3xf32>
   stablehlo.return %next, %s : tensor<i32>, tensor<3xf32>`) + `
 return %r#1 : tensor<3xf32>
 func.func private @body(%x: tensor<3xf32>) -> tensor<3xf32> {
 ` + longBody + `
 return %8 : tensor<3xf32>
 }`, "3xf32", map[string]int{"func.call": 2, "sine": 9}},
		{"its parameter returned", "3xf32", `%0 = call @same(%a) : (tensor<3xf32>) -> tensor<3xf32>
 return %0 : tensor<3xf32>
 func.func private @same(%x: tensor<3xf32>) -> tensor<3xf32> {
 return %x : tensor<3xf32>
 }`, "3xf32", map[string]int{"func.call": 0}},
	},
	"own tables": {
		{"adapted indices", "8xi32@0 3x1xi32", `%f = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<8xi32>, tensor<3x1xi32>) -> tensor<3xi32>
 %z = stablehlo.constant dense<0> : tensor<3xi32>
 %n = stablehlo.constant dense<5> : tensor<3xi32>
 %p = stablehlo.compare LT, %f, %z : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
 %s = stablehlo.add %f, %n : tensor<3xi32>
 %r = stablehlo.select %p, %s, %f : tensor<3xi1>, tensor<3xi32>
 return %r : tensor<3xi32>`, "3xi32", map[string]int{"gather": 1, "compare tensor<8xi1>": 1, "select tensor<8xi32>": 1, "compare": 1}},
		{"NaN for indices that their owner marks", "8xi8@0 6x1xi32 8xi1@0 11xf32", `%m = stablehlo.constant dense<7> : tensor<6x1xi32>
 %k = stablehlo.and %b, %m : tensor<6x1xi32>
 %u = "stablehlo.gather"(%a, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<8xi8>, tensor<6x1xi32>) -> tensor<6xi8>
 %p = "stablehlo.gather"(%c, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<8xi1>, tensor<6x1xi32>) -> tensor<6xi1>
 %i = stablehlo.reshape %u : (tensor<6xi8>) -> tensor<6x1xi8>
 %x = "stablehlo.gather"(%d, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<11xf32>, tensor<6x1xi8>) -> tensor<6xf32>
 %n = stablehlo.constant dense<0x7FC00000> : tensor<6xf32>
 %r = stablehlo.select %p, %x, %n : tensor<6xi1>, tensor<6xf32>
 return %r : tensor<6xf32>`, "6xf32", map[string]int{"concatenate tensor<12xf32>": 1, "select tensor<6xf32>": 0, "gather": 2}},
		{"not of a secret table", "8xi32 3x1xi32", `%f = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<8xi32>, tensor<3x1xi32>) -> tensor<3xi32>
 %z = stablehlo.constant dense<0> : tensor<3xi32>
 %p = stablehlo.compare LT, %f, %z : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
 return %p : tensor<3xi1>`, "3xi1", map[string]int{"compare tensor<3xi1>": 1, "compare": 1}},
	},
	"narrow tables": {
		{"an index from 2 to 4", "8xf32 3x1xi32", `%l = stablehlo.constant dense<2> : tensor<3x1xi32>
 %h = stablehlo.constant dense<4> : tensor<3x1xi32>
 %i = stablehlo.clamp %l, %b, %h : tensor<3x1xi32>
 %f = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<8xf32>, tensor<3x1xi32>) -> tensor<3xf32>
 return %f : tensor<3xf32>`, "3xf32", map[string]int{"slice tensor<3xf32>": 1, "gather": 1}},
		{"beyond a public position", "8xf32 2xi32", `%l = stablehlo.constant dense<0> : tensor<2xi32>
 %h = stablehlo.constant dense<3> : tensor<2xi32>
 %i = stablehlo.clamp %l, %b, %h : tensor<2xi32>
 %p = stablehlo.constant dense<[4, 0]> : tensor<2xi32>
 %s = stablehlo.add %p, %i : tensor<2xi32>
 %t = stablehlo.reshape %s : (tensor<2xi32>) -> tensor<2x1xi32>
 %f = "stablehlo.gather"(%a, %t) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<8xf32>, tensor<2x1xi32>) -> tensor<2xf32>
 return %f : tensor<2xf32>`, "2xf32", map[string]int{"gather tensor<2x4xf32>": 1, "gather": 2}},
		{"not one out of range", "8xf32 2xi32", `%l = stablehlo.constant dense<0> : tensor<2xi32>
 %h = stablehlo.constant dense<3> : tensor<2xi32>
 %i = stablehlo.clamp %l, %b, %h : tensor<2xi32>
 %p = stablehlo.constant dense<[6, 0]> : tensor<2xi32>
 %s = stablehlo.add %p, %i : tensor<2xi32>
 %t = stablehlo.reshape %s : (tensor<2xi32>) -> tensor<2x1xi32>
 %f = "stablehlo.gather"(%a, %t) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>, indices_are_sorted = false}> : (tensor<8xf32>, tensor<2x1xi32>) -> tensor<2xf32>
 return %f : tensor<2xf32>`, "2xf32", map[string]int{"gather": 1}},
	},
	"associated": {
		{"a public matrix first, and the cotangents' way back", "4x4xf32@p 4x3xf32 3x2xf32", associatedLoop, "3x2xf32", map[string]int{
			"dot_general": 4, "dot_general tensor<4x3xf32>": 2, "dot_general tensor<4x2xf32>": 1, "dot_general tensor<3x2xf32>": 1}},
		{"a secret matrix: as it was", "4x4xf32 4x3xf32 3x2xf32", associatedLoop, "3x2xf32", map[string]int{"dot_general": 4, "dot_general tensor<4x3xf32>": 0}},
	},
	"conversions": {
		{"there and back", "3xi8", `%0 = stablehlo.convert %a : (tensor<3xi8>) -> tensor<3xi32>
 %1 = stablehlo.convert %0 : (tensor<3xi32>) -> tensor<3xi8>
 return %1 : tensor<3xi8>`, "3xi8", map[string]int{"convert": 0}},
		{"on to a third", "3xi1", `%0 = stablehlo.convert %a : (tensor<3xi1>) -> tensor<3xi32>
 %1 = stablehlo.convert %0 : (tensor<3xi32>) -> tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"convert": 1}},
		{"not if it loses", "3xi32", `%0 = stablehlo.convert %a : (tensor<3xi32>) -> tensor<3xi8>
 %1 = stablehlo.convert %0 : (tensor<3xi8>) -> tensor<3xi32>
 return %1 : tensor<3xi32>`, "3xi32", map[string]int{"convert": 2}},
		{"nor by its sign", "3xi8", `%0 = stablehlo.convert %a : (tensor<3xi8>) -> tensor<3xui32>
 %1 = stablehlo.convert %0 : (tensor<3xui32>) -> tensor<3xi64>
 return %1 : tensor<3xi64>`, "3xi64", map[string]int{"convert": 2}},
		{"nor by rounding", "3xf64", `%0 = stablehlo.convert %a : (tensor<3xf64>) -> tensor<3xf32>
 %1 = stablehlo.convert %0 : (tensor<3xf32>) -> tensor<3xf64>
 return %1 : tensor<3xf64>`, "3xf64", map[string]int{"convert": 2}},
	},
	"common": {
		{"equal up to order", "3xf32 3xf32", `%0 = stablehlo.multiply %a, %b : tensor<3xf32>
 %1 = stablehlo.multiply %b, %a : tensor<3xf32>
 %2 = stablehlo.subtract %0, %1 : tensor<3xf32>
 return %2 : tensor<3xf32>`, "3xf32", map[string]int{"multiply": 1}},
		{"not where order counts", "3xf32 3xf32", `%0 = stablehlo.subtract %a, %b : tensor<3xf32>
 %1 = stablehlo.subtract %b, %a : tensor<3xf32>
 %2 = stablehlo.multiply %0, %1 : tensor<3xf32>
 return %2 : tensor<3xf32>`, "3xf32", map[string]int{"subtract": 2}},
		{"comparisons of a pair", "3xf32 3xf32", `%0 = stablehlo.compare LT, %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.compare GE, %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %2 = stablehlo.compare GT, %b, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %3 = stablehlo.compare LE, %b, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 return %0, %1, %2, %3 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>`, "3xi1 3xi1 3xi1 3xi1", map[string]int{"compare": 1, "not": 1}},
		{"not of public floats", "3xf32@p 3xf32@p", `%0 = stablehlo.compare LT, %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.compare GE, %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 return %0, %1 : tensor<3xi1>, tensor<3xi1>`, "3xi1 3xi1", map[string]int{"compare": 2}},
		{"not of logarithms that a party computes", "3xf32@1 3xf32", `%l = stablehlo.log %a : tensor<3xf32>
 %s = stablehlo.slice %l [0:3] : (tensor<3xf32>) -> tensor<3xf32>
 %0 = stablehlo.compare LT, %s, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.compare GE, %s, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 return %0, %1 : tensor<3xi1>, tensor<3xi1>`, "3xi1 3xi1", map[string]int{"compare": 2}},
		{"of sums that a party computes", "3xf32@1 3xf32", `%l = stablehlo.add %a, %a : tensor<3xf32>
 %0 = stablehlo.compare LT, %l, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.compare GE, %l, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 return %0, %1 : tensor<3xi1>, tensor<3xi1>`, "3xi1 3xi1", map[string]int{"compare": 1, "not": 1}},
		{"calls and regions", "2x3xf32", `%z = stablehlo.constant dense<0.0> : tensor<f32>
 %y = stablehlo.constant dense<0.0> : tensor<f32>
 %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
 %1 = stablehlo.reduce(%a init: %y) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
 %2 = stablehlo.reduce(%a init: %y) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
 %3 = call @f(%0) : (tensor<2xf32>) -> tensor<2xf32>
 %4 = call @f(%1) : (tensor<2xf32>) -> tensor<2xf32>
 %5 = stablehlo.add %3, %4 : tensor<2xf32>
 return %5, %2 : tensor<2xf32>, tensor<2xf32>
 func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
 %0 = stablehlo.tanh %x : tensor<2xf32>
 return %0 : tensor<2xf32>
 }`, "2xf32 2xf32", map[string]int{"constant": 1, "reduce": 2, "func.call": 1}},
		{"from the block around", "3xf32", `%t = stablehlo.tanh %a : tensor<3xf32>
` + loop("2", "tensor<i32>, tensor<3xf32>", "%x = %a", `%u = stablehlo.tanh %a : tensor<3xf32>
   %y = stablehlo.add %x, %u : tensor<3xf32>
   stablehlo.return %next, %y : tensor<i32>, tensor<3xf32>`) + `
 %s = stablehlo.add %r#1, %t : tensor<3xf32>
 return %s : tensor<3xf32>`, "3xf32", map[string]int{"tanh": 1}},
	},
	"choices": {
		{"maximum", "3xf32 3xf32", `%0 = stablehlo.compare GT, %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.select %0, %a, %b : tensor<3xi1>, tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"select": 0, "compare": 0, "maximum": 1}},
		{"minimum of integers", "3xi8 3xi8", `%0 = stablehlo.compare LE, %a, %b : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
 %1 = stablehlo.select %0, %a, %b : tensor<3xi1>, tensor<3xi8>
 return %1 : tensor<3xi8>`, "3xi8", map[string]int{"select": 0, "minimum": 1}},
		{"relu", "3xf32", `%z = stablehlo.constant dense<0.0> : tensor<3xf32>
 %y = stablehlo.constant dense<0.0> : tensor<f32>
 %x = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<3xf32>
 %0 = stablehlo.compare LT, %z, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.select %0, %a, %x : tensor<3xi1>, tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"select": 0, "maximum": 1}},
		{"abs", "3xi32", `%z = stablehlo.constant dense<0> : tensor<3xi32>
 %n = stablehlo.negate %a : tensor<3xi32>
 %0 = stablehlo.compare LT, %a, %z : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
 %1 = stablehlo.select %0, %n, %a : tensor<3xi1>, tensor<3xi32>
 %2 = stablehlo.maximum %n, %a : tensor<3xi32>
 return %1, %2 : tensor<3xi32>, tensor<3xi32>`, "3xi32 3xi32", map[string]int{"select": 0, "abs": 2, "maximum": 0}},
		{"the root of a square", "3xf32", `%0 = stablehlo.multiply %a, %a : tensor<3xf32>
 %1 = stablehlo.sqrt %0 : tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"sqrt": 0, "abs": 1}},
		{"clamp", "3xf32", `%l = stablehlo.constant dense<-1.0> : tensor<3xf32>
 %h = stablehlo.constant dense<0.5> : tensor<3xf32>
 %0 = stablehlo.maximum %l, %a : tensor<3xf32>
 %1 = stablehlo.minimum %h, %0 : tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"clamp": 1, "minimum": 0, "maximum": 0}},
		{"no clamp", "3xf32", `%l = stablehlo.constant dense<1.0> : tensor<3xf32>
 %h = stablehlo.constant dense<0.5> : tensor<3xf32>
 %0 = stablehlo.maximum %l, %a : tensor<3xf32>
 %1 = stablehlo.minimum %h, %0 : tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"clamp": 0}},
		{"both of a pair", "3xf32 3xf32", `%0 = stablehlo.maximum %a, %b : tensor<3xf32>
 %1 = stablehlo.minimum %b, %a : tensor<3xf32>
 return %0, %1 : tensor<3xf32>, tensor<3xf32>`, "3xf32 3xf32", map[string]int{"maximum": 1, "minimum": 0}},
		{"of a comparison with others", "3xf32 3xf32", selectedTwice("0.0"), "3xf32 3xf32", map[string]int{"compare": 1, "select": 1, "maximum": 1}},
		{"with a number, and others", "3xf32 3xf32", selectedTwice("1.0"), "3xf32 3xf32", map[string]int{"compare": 1, "select": 2, "maximum": 0}},
		{"not what is public", "3xf32@p", `%z = stablehlo.constant dense<0.0> : tensor<3xf32>
 %0 = stablehlo.compare LT, %z, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
 %1 = stablehlo.select %0, %a, %z : tensor<3xi1>, tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"select": 1}},
	},
	"batch norms": {
		{"known statistics", "2x3x4xf32 3xf32@1 3xf32@1 3xf32@1 3xf32@1", `%v = stablehlo.multiply %e, %e : tensor<3xf32>
 %0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %v) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
 return %0 : tensor<2x3x4xf32>`, "2x3x4xf32", map[string]int{"batch_norm_inference": 0, "multiply tensor<2x3x4xf32>": 1, "rsqrt tensor<3xf32>": 1}},
		{"of a public operand", "2x3x4xf32@p 3xf32@1 3xf32", `%0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
 return %0#0, %0#1, %0#2 : tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>`, "2x3x4xf32 3xf32 3xf32", map[string]int{"batch_norm_training": 0, "reduce": 2}},
		{"not of a secret", "2x3xf32 3xf32@p", `%0:3 = "stablehlo.batch_norm_training"(%a, %b, %b) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
 return %0#0 : tensor<2x3xf32>`, "2x3xf32", map[string]int{"batch_norm_training": 1}},
		{"not what is public", "2x3xf32@p 3xf32@p", `%0:3 = "stablehlo.batch_norm_training"(%a, %b, %b) <{epsilon = 1.0e-05 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
 return %0#0 : tensor<2x3xf32>`, "2x3xf32", map[string]int{"batch_norm_training": 1}},
	},
	"error functions": {
		{"as torch-mlir prints it", "3xf32", rationalErf("-0.0142647391", "4.0"), "3xf32", map[string]int{"chlo.erf": 1, "divide": 0, "multiply": 0, "clamp": 0}},
		{"another polynomial", "3xf32", rationalErf("-0.0142", "4.0"), "3xf32", map[string]int{"chlo.erf": 0, "divide": 1}},
		{"another bound", "3xf32", rationalErf("-0.0142647391", "1.5"), "3xf32", map[string]int{"chlo.erf": 0, "divide": 1}},
		{"not what is public", "3xf32@p", rationalErf("-0.0142647391", "4.0"), "3xf32", map[string]int{"chlo.erf": 0}},
	},
	"infinities": {
		{"a secret", "3xf32", isInfinite("", "EQ, %a, %i", "0xFF800000"), "3xi1", map[string]int{"compare": 0, "constant": 1}},
		{"computed", "3xf32", isInfinite("%x = stablehlo.exponential %a : tensor<3xf32>", "NE, %i, %x", "0x7F800000"), "3xi1", map[string]int{"compare": 0, "exponential": 0}},
		{"below", "3xf32", isInfinite("", "GT, %i, %a", "0x7F800000"), "3xi1", map[string]int{"compare": 0}},
		{"masked", "3xf32 3xi1@1", isInfinite(masked, "EQ, %x, %i", "0xFF800000"), "3xi1", map[string]int{"compare": 0, "select tensor<3xi1>": 1}},
		{"masked, with a bias", "3xf32 3xi1", isInfinite(masked+"\n%y = stablehlo.add %a, %x : tensor<3xf32>", "GT, %y, %i", "0xFF800000"), "3xi1",
			map[string]int{"compare": 0, "select tensor<3xi1>": 1, "not": 1}},
		{"masked, the other infinity", "3xf32 3xi1", isInfinite(masked, "EQ, %x, %i", "0x7F800000"), "3xi1", map[string]int{"compare": 0, "select": 0}},
		{"another number", "3xf32", isInfinite("", "EQ, %a, %i", "0xFF7FFFFF"), "3xi1", map[string]int{"compare": 1}},
		{"a logarithm of what may be infinite", "3xf32 3xi1", isInfinite(masked+"\n%y = stablehlo.log_plus_one %x : tensor<3xf32>", "EQ, %y, %i", "0xFF800000"), "3xi1", map[string]int{"compare": 1}},
		{"not what is public", "3xf32@p", isInfinite("", "EQ, %a, %i", "0xFF800000"), "3xi1", map[string]int{"compare": 1}},
	},
	"pools": {
		{"padded by torch_xla", "4x4xf32", paddedPool("0xFF800000", "1, 1", "3x3xf32"), "3x3xf32", map[string]int{"pad": 0, "reduce_window tensor<3x3xf32>": 1}},
		{"padded by zeros", "4x4xf32", paddedPool("0.0", "1, 1", "3x3xf32"), "3x3xf32", map[string]int{"pad": 1}},
		{"a ReLU padded by zeros", "4x4xf32", limitedPool("maximum", "0.0"), "3x3xf32", map[string]int{"pad": 0, "reduce_window": 1}},
		{"a ReLU padded by more", "4x4xf32", limitedPool("maximum", "0.5"), "3x3xf32", map[string]int{"pad": 1}},
		{"an upper limit", "4x4xf32", limitedPool("minimum", "0.0"), "3x3xf32", map[string]int{"pad": 1}},
		{"a gradient on a padded operand", "6x6xf32 3x3xf32", poolGradient("0xFF800000", "low = [0, 0], high = [1, 1]", "7x7xf32", "0:6, 0:6"), "6x6xf32",
			map[string]int{"select_and_scatter tensor<6x6xf32>": 1, "pad": 0, "slice": 0}},
		{"padded by nothing", "7x7xf32 3x3xf32", poolGradient("0xFF800000", "low = [0, 0], high = [0, 0]", "7x7xf32", "0:7, 0:7"), "7x7xf32",
			map[string]int{"select_and_scatter tensor<7x7xf32>": 1, "pad": 0, "slice": 0}},
		{"padded by a number", "6x6xf32 3x3xf32", poolGradient("1.0", "low = [0, 0], high = [1, 1]", "7x7xf32", "0:6, 0:6"), "6x6xf32",
			map[string]int{"select_and_scatter tensor<7x7xf32>": 1, "pad": 1, "slice": 1}},
		{"another slice", "6x6xf32 3x3xf32", poolGradient("0xFF800000", "low = [0, 0], high = [1, 1]", "7x7xf32", "1:7, 0:6"), "6x6xf32",
			map[string]int{"select_and_scatter tensor<6x6xf32>": 1, "pad": 1, "slice": 1}},
		{"a window of padding", "4x4xf32 3x3xf32", poolGradient("0xFF800000", "low = [0, 0], high = [3, 3]", "7x7xf32", "0:4, 0:4"), "4x4xf32",
			map[string]int{"select_and_scatter tensor<7x7xf32>": 1}},
	},
	"ties": {
		{"the gradient of a maximum", "3xf32 3xf32 3xf32", gradientOfMaximum("EQ", "%a, %m", "EQ", "%b, %m"), "3xf32",
			map[string]int{"divide": 0, "compare": 2, "select": 2, "maximum": 0}},
		{"of a minimum", "3xf32 3xf32 3xf32", strings.ReplaceAll(gradientOfMaximum("EQ", "%m, %a", "EQ", "%m, %b"), "maximum", "minimum"), "3xf32",
			map[string]int{"divide": 0, "compare": 2, "select": 2}},
		{"by comparisons of the pair", "3xf32 3xf32 3xf32", gradientOfMaximum("GE", "%a, %b", "LE", "%a, %b"), "3xf32",
			map[string]int{"divide": 0, "select": 2}},
		{"of another pair", "3xf32 3xf32 3xf32", gradientOfMaximum("GE", "%a, %b", "LE", "%a, %c"), "3xf32", map[string]int{"divide": 1}},
		{"a product with zeros and ones", "3xi1 3xf32", `%o = stablehlo.constant dense<1.0> : tensor<3xf32>
 %z = stablehlo.constant dense<0.0> : tensor<3xf32>
 %0 = stablehlo.select %a, %z, %o : tensor<3xi1>, tensor<3xf32>
 %1 = stablehlo.multiply %0, %b : tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"multiply": 0, "select": 1}},
		{"a leaky relu", "3xf32", leakyReLU("GE, %a, %z", "%a, %t"), "3xf32", map[string]int{"select": 0, "compare": 0, "maximum": 1}},
		{"turned round", "3xf32", leakyReLU("GT, %z, %a", "%t, %a"), "3xf32", map[string]int{"select": 0, "maximum": 1}},
		{"of what is less", "3xf32", leakyReLU("LT, %a, %z", "%a, %t"), "3xf32", map[string]int{"select": 1, "maximum": 0}},
		{"not what is public", "3xf32@p", leakyReLU("GE, %a, %z", "%a, %t"), "3xf32", map[string]int{"select": 1}},
	},
	"invariants": {
		{"a function of what is outside", "3xf32 3xf32", loop("3", "tensor<i32>, tensor<3xf32>, tensor<3xf32>", "%x = %a, %y = %b", `%t = stablehlo.tanh %y : tensor<3xf32>
   %s = stablehlo.add %x, %t : tensor<3xf32>
   stablehlo.return %next, %s, %y : tensor<i32>, tensor<3xf32>, tensor<3xf32>`) + `
 %u = stablehlo.tanh %r#2 : tensor<3xf32>
 %v = stablehlo.add %u, %r#1 : tensor<3xf32>
 return %v : tensor<3xf32>`, "3xf32", map[string]int{"tanh": 2, "while": 1}},
	},
	"monotone": {
		{"relu", "6x6xf32", pooled(zero+"%x = stablehlo.maximum %a, %z : tensor<6x6xf32>", "0xFF800000", "0", "3x3xf32"), "3x3xf32", map[string]int{"maximum tensor<3x3xf32>": 1, "maximum tensor<6x6xf32>": 0}},
		{"padding, init 1", "6x6xf32", pooled(zero+"%x = stablehlo.maximum %z, %a : tensor<6x6xf32>", "1.0", "[[1, 1], [1, 1]]", "4x4xf32"), "4x4xf32", map[string]int{"maximum tensor<4x4xf32>": 1}},
		{"windows of padding", "6x6xf32", pooled(zero+"%x = stablehlo.maximum %z, %a : tensor<6x6xf32>", "0xFF800000", "[[2, 0], [0, 0]]", "4x3xf32"), "4x3xf32", map[string]int{"maximum tensor<6x6xf32>": 1}},
		{"tanh", "6x6xf32", pooled("%x = stablehlo.tanh %a : tensor<6x6xf32>", "0xFF800000", "0", "3x3xf32"), "3x3xf32", map[string]int{"tanh tensor<3x3xf32>": 1}},
		{"tanh, init 0", "6x6xf32", pooled("%x = stablehlo.tanh %a : tensor<6x6xf32>", "0.0", "0", "3x3xf32"), "3x3xf32", map[string]int{"tanh tensor<6x6xf32>": 1}},
		{"least of few", "6x6xf32", pooled(zero+"%x = stablehlo.minimum %a, %z : tensor<6x6xf32>", "0xFF800000", "0", "3x3xf32"), "3x3xf32", map[string]int{"minimum tensor<3x3xf32>": 1}},
		{"used elsewhere", "6x6xf32", `%x = stablehlo.exponential %a : tensor<6x6xf32>
 %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %m = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<6xf32>
 return %m, %x : tensor<6xf32>, tensor<6x6xf32>`, "6xf32 6x6xf32", map[string]int{"exponential tensor<6x6xf32>": 1, "exponential": 1}},
		{"rows", "6x6xf32", `%h = stablehlo.constant dense<1.0> : tensor<f32>
 %l = stablehlo.constant dense<0.0> : tensor<f32>
 %x = stablehlo.clamp %l, %a, %h : (tensor<f32>, tensor<6x6xf32>, tensor<f32>) -> tensor<6x6xf32>
 %i = stablehlo.constant dense<0x7F800000> : tensor<f32>
 %m = stablehlo.reduce(%x init: %i) applies stablehlo.minimum across dimensions = [1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<6xf32>
 return %m : tensor<6xf32>`, "6xf32", map[string]int{"clamp tensor<6xf32>": 1}},
	},
	"expansions": {
		{"almost a sinh: not of the folder", "3xf32", `%0 = stablehlo.exponential %a : tensor<3xf32>
 %1 = stablehlo.negate %a : tensor<3xf32>
 %2 = stablehlo.exponential %1 : tensor<3xf32>
 %3 = stablehlo.subtract %0, %2 : tensor<3xf32>
 return %3 : tensor<3xf32>`, "3xf32", map[string]int{"exponential": 2, "chlo.sinh": 0}}, // TestExpansions has what is recognised
	},
	"slices": {
		{"a head for the last token", "1x4x3xf32 3x5xf32 5xf32", `%z = stablehlo.constant dense<0> : tensor<i32>
 %n = stablehlo.constant dense<3> : tensor<i32>
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [0] : (tensor<1x4x3xf32>, tensor<3x5xf32>) -> tensor<1x4x5xf32>
 %1 = stablehlo.broadcast_in_dim %c, dims = [2] : (tensor<5xf32>) -> tensor<1x4x5xf32>
 %2 = stablehlo.add %0, %1 : tensor<1x4x5xf32>
 %3 = stablehlo.dynamic_slice %2, %z, %n, %z, sizes = [1, 1, 5] : (tensor<1x4x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x5xf32>
 return %3 : tensor<1x1x5xf32>`, "1x1x5xf32", map[string]int{"dot_general tensor<1x1x5xf32>": 1, "add tensor<1x1x5xf32>": 1,
			"dynamic_slice tensor<1x1x3xf32>": 1, "dynamic_slice": 1}},
		{"every dimension of a batched contraction", "2x4x3xf32 2x3x6xf32", `%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x6xf32>) -> tensor<2x4x6xf32>
 %1 = stablehlo.slice %0 [1:2, 0:4:2, 2:5] : (tensor<2x4x6xf32>) -> tensor<1x2x3xf32>
 return %1 : tensor<1x2x3xf32>`, "1x2x3xf32", map[string]int{"dot_general tensor<1x2x3xf32>": 1, "slice tensor<1x2x3xf32>": 1, "slice tensor<1x3x3xf32>": 1}},
		{"a transposed exponential", "4x3xf32", `%0 = stablehlo.exponential %a : tensor<4x3xf32>
 %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
 %2 = stablehlo.slice %1 [0:3, 3:4] : (tensor<3x4xf32>) -> tensor<3x1xf32>
 return %2 : tensor<3x1xf32>`, "3x1xf32", map[string]int{"exponential tensor<1x3xf32>": 1, "transpose tensor<3x1xf32>": 1}},
		{"a clamped start", "4x3xf32", `%n = stablehlo.constant dense<7> : tensor<i32>
 %m = stablehlo.constant dense<1> : tensor<i32>
 %0 = stablehlo.tanh %a : tensor<4x3xf32>
 %1 = stablehlo.dynamic_slice %0, %n, %m, sizes = [2, 3] : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
 return %1 : tensor<2x3xf32>`, "2x3xf32", map[string]int{"tanh tensor<2x3xf32>": 1}},
		{"a selection with a known scalar predicate and a constant", "4x3xf32", `%p = stablehlo.constant dense<true> : tensor<i1>
 %k = stablehlo.constant dense<2.0> : tensor<4x3xf32>
 %0 = stablehlo.exponential %a : tensor<4x3xf32>
 %1 = stablehlo.select %p, %0, %k : tensor<i1>, tensor<4x3xf32>
 %2 = stablehlo.slice %1 [1:2, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
 return %2 : tensor<1x3xf32>`, "1x3xf32", map[string]int{"exponential tensor<1x3xf32>": 1}},
		{"not if all is read too", "4x3xf32", `%0 = stablehlo.tanh %a : tensor<4x3xf32>
 %1 = stablehlo.slice %0 [1:2, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
 return %0, %1 : tensor<4x3xf32>, tensor<1x3xf32>`, "4x3xf32 1x3xf32", map[string]int{"tanh tensor<4x3xf32>": 1, "tanh": 1}},
		{"not a function whose operand is compared elsewhere", "4x3xf32", `%z = stablehlo.constant dense<0.0> : tensor<4x3xf32>
 %0 = stablehlo.maximum %a, %z : tensor<4x3xf32>
 %1 = stablehlo.slice %0 [1:2, 0:3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
 %2 = stablehlo.compare GT, %a, %z : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
 return %2, %1 : tensor<4x3xi1>, tensor<1x3xf32>`, "4x3xi1 1x3xf32", map[string]int{"maximum tensor<4x3xf32>": 1}},
	},
	"views": {
		{"a selection by a known bit", "3xf32", `%p = stablehlo.constant dense<true> : tensor<5x3xi1>
 %z = stablehlo.constant dense<0.0> : tensor<5x3xf32>
 %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<5x3xf32>
 %1 = stablehlo.select %p, %0, %z : tensor<5x3xi1>, tensor<5x3xf32>
 return %1 : tensor<5x3xf32>`, "5x3xf32", map[string]int{"select tensor<3xf32>": 1}},
		{"a comparison of integers", "3xi32", `%z = stablehlo.constant dense<-7> : tensor<5x3xi32>
 %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xi32>) -> tensor<5x3xi32>
 %1 = stablehlo.compare LT, %0, %z : (tensor<5x3xi32>, tensor<5x3xi32>) -> tensor<5x3xi1>
 return %1 : tensor<5x3xi1>`, "5x3xi1", map[string]int{"compare tensor<3xi1>": 1}},
		{"exponential of a broadcast", "3xf32", `%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
 %1 = stablehlo.exponential %0 : tensor<4x3xf32>
 return %1 : tensor<4x3xf32>`, "4x3xf32", map[string]int{"exponential tensor<3xf32>": 1}},
		{"compared with a number", "3xf32", `%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
 %z = stablehlo.constant dense<0.5> : tensor<4x3xf32>
 %1 = stablehlo.compare LT, %z, %0 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
 return %1 : tensor<4x3xi1>`, "4x3xi1", map[string]int{"compare tensor<3xi1>": 1}},
		{"a product with repeated rows", "4xf32 4x5xf32", `%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
 %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
 return %1 : tensor<3x5xf32>`, "3x5xf32", map[string]int{"dot_general tensor<1x5xf32>": 1, "dot_general tensor<3x5xf32>": 0}},
		{"a product of two repeated values", "2x1x4xf32@0 5x4xf32@1", `%0 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 2] : (tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
 %1 = stablehlo.broadcast_in_dim %b, dims = [2, 1] : (tensor<5x4xf32>) -> tensor<6x4x5xf32>
 %2 = stablehlo.dot_general %0, %1, contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<6x4x5xf32>) -> tensor<2x3x6x5xf32>
 return %2 : tensor<2x3x6x5xf32>`, "2x3x6x5xf32", map[string]int{"dot_general tensor<2x1x1x5xf32>": 1, "dot_general tensor<2x3x6x5xf32>": 0}},
		{"not a product along what is repeated, or of repeated batches", "2xf32 2x4xf32", `%0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<2xf32>) -> tensor<3x4x2xf32>
 %1 = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<3x2x4xf32>
 %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<3x4x2xf32>, tensor<3x2x4xf32>) -> tensor<3x2x2xf32>
 return %2 : tensor<3x2x2xf32>`, "3x2x2xf32", map[string]int{"dot_general tensor<3x2x2xf32>": 1}},
		{"conversion after a slice", "8xi32", `%0 = stablehlo.convert %a : (tensor<8xi32>) -> tensor<8xf32>
 %1 = stablehlo.slice %0 [1:3] : (tensor<8xf32>) -> tensor<2xf32>
 return %1 : tensor<2xf32>`, "2xf32", map[string]int{"convert": 1, "slice": 1}},
	},
	"constants": {
		{"three", "3xf32", `%k = stablehlo.constant dense<3.0> : tensor<3xf32>
 %0 = stablehlo.multiply %a, %k : tensor<3xf32>
 %n = stablehlo.negate %0 : tensor<3xf32>
 %1 = stablehlo.divide %n, %k : tensor<3xf32>
 %2 = stablehlo.multiply %k, %1 : tensor<3xf32>
 return %2 : tensor<3xf32>`, "3xf32", map[string]int{"multiply": 1, "divide": 0, "negate": 0}},
		{"not too small", "3xf32", `%k = stablehlo.constant dense<0.001> : tensor<3xf32>
 %0 = stablehlo.multiply %a, %k : tensor<3xf32>
 %1 = stablehlo.multiply %0, %k : tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"multiply": 2}},
		{"not what a party knows", "3xf32@0", `%k = stablehlo.constant dense<3.0> : tensor<3xf32>
 %0 = stablehlo.multiply %a, %k : tensor<3xf32>
 %1 = stablehlo.multiply %0, %k : tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"multiply": 2}},
	},
	"powers": {
		{"square", "3xf32", "%0 = stablehlo.multiply %a, %a : tensor<3xf32>\n return %0 : tensor<3xf32>", "3xf32", map[string]int{"multiply": 0, "chlo.square": 1}},
		{"fifth", "3xf32", `%k = stablehlo.constant dense<5.0> : tensor<3xf32>
 %0 = stablehlo.power %a, %k : tensor<3xf32>
 return %0 : tensor<3xf32>`, "3xf32", map[string]int{"power": 0, "chlo.square": 2, "multiply": 1}},
		{"multiple of a square under a root", "3xf32", `%k = stablehlo.constant dense<0.1> : tensor<3xf32>
 %0 = stablehlo.multiply %k, %a : tensor<3xf32>
 %1 = stablehlo.multiply %0, %a : tensor<3xf32>
 %2 = stablehlo.sqrt %1 : tensor<3xf32>
 return %2 : tensor<3xf32>`, "3xf32", map[string]int{"chlo.square": 1, "multiply": 1}},
		{"not under a root", "3xf32", `%k = stablehlo.constant dense<0.1> : tensor<3xf32>
 %0 = stablehlo.multiply %k, %a : tensor<3xf32>
 %1 = stablehlo.multiply %0, %a : tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"chlo.square": 0, "multiply": 2}},
		{"not a root", "3xf32", `%k = stablehlo.constant dense<1.5> : tensor<3xf32>
 %p = stablehlo.abs %a : tensor<3xf32>
 %0 = stablehlo.power %p, %k : tensor<3xf32>
 return %0 : tensor<3xf32>`, "3xf32", map[string]int{"power": 1}},
	},
	"logarithms": {
		{"deviance", "3xf32@0 3xf32", `%0 = stablehlo.exponential %b : tensor<3xf32>
 %1 = stablehlo.divide %a, %0 : tensor<3xf32>
 %2 = stablehlo.log %1 : tensor<3xf32>
 return %2 : tensor<3xf32>`, "3xf32", map[string]int{"log": 1, "divide": 0, "exponential": 0, "subtract": 1}},
		{"of a product, the exponential used elsewhere", "3xf32 3xf32", `%0 = stablehlo.exponential %b : tensor<3xf32>
 %1 = stablehlo.multiply %0, %a : tensor<3xf32>
 %2 = stablehlo.log %1 : tensor<3xf32>
 %3 = stablehlo.add %0, %2 : tensor<3xf32>
 return %3 : tensor<3xf32>`, "3xf32", map[string]int{"log": 1, "multiply": 0, "exponential": 1, "add": 2}},
		{"of an exponential in the numerator", "3xf32 3xf32", `%0 = stablehlo.exponential %b : tensor<3xf32>
 %1 = stablehlo.divide %0, %a : tensor<3xf32>
 %2 = stablehlo.log %1 : tensor<3xf32>
 return %2 : tensor<3xf32>`, "3xf32", map[string]int{"log": 1, "divide": 0, "exponential": 0, "subtract": 1}},
		{"of an exponential", "3xf32", `%0 = stablehlo.exponential %a : tensor<3xf32>
 %1 = stablehlo.log %0 : tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"log": 0, "exponential": 0}},
		{"not of a public exponential", "3xf32 3xf32@p", `%0 = stablehlo.exponential %b : tensor<3xf32>
 %1 = stablehlo.divide %a, %0 : tensor<3xf32>
 %2 = stablehlo.log %1 : tensor<3xf32>
 return %2 : tensor<3xf32>`, "3xf32", map[string]int{"log": 1, "divide": 1, "exponential": 1}},
		{"not of another quotient", "3xf32 3xf32", `%0 = stablehlo.divide %a, %b : tensor<3xf32>
 %1 = stablehlo.log %0 : tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"log": 1, "divide": 1}},
	},
	"divisions": {
		{"by a bounded broadcast", "8x3xf32 3xf32", `%1 = stablehlo.logistic %b : tensor<3xf32>
 %0 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<3xf32>) -> tensor<8x3xf32>
 %2 = stablehlo.divide %a, %0 : tensor<8x3xf32>
 return %2 : tensor<8x3xf32>`, "8x3xf32", map[string]int{"multiply": 1, "divide": 1}},
		{"not by what may be large", "8x3xf32 3xf32", `%0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<8x3xf32>
 %1 = stablehlo.divide %a, %0 : tensor<8x3xf32>
 return %1 : tensor<8x3xf32>`, "8x3xf32", map[string]int{"multiply": 0, "divide": 1}},
		{"by a root", "3xf32 3xf32", `%0 = stablehlo.logistic %b : tensor<3xf32>
 %1 = stablehlo.sqrt %0 : tensor<3xf32>
 %2 = stablehlo.divide %a, %1 : tensor<3xf32>
 return %2 : tensor<3xf32>`, "3xf32", map[string]int{"rsqrt": 1, "divide": 0, "sqrt": 0}},
	},
	"affine": {
		{"batch norm", "1x4x4x2xf32@0 3x3x2x5xf32@1 5xf32@1 5xf32@1 5xf32@1", norm, "1x4x4x5xf32", map[string]int{"convolution": 1, "multiply": 4}},
		{"another party's factors", "1x4x4x2xf32@0 3x3x2x5xf32@1 5xf32@1 5xf32@0 5xf32@1", norm, "1x4x4x5xf32", map[string]int{"convolution": 1, "multiply": 1}},
		{"a secret kernel", "1x4x4x2xf32@0 3x3x2x5xf32 5xf32@1 5xf32@0 5xf32@1", norm, "1x4x4x5xf32", map[string]int{"multiply": 1}},
		{"all one party's", "1x4x4x2xf32@1 3x3x2x5xf32@1 5xf32@1 5xf32@1 5xf32@1", norm, "1x4x4x5xf32", map[string]int{"multiply": 1}},
		{"dot, scale and shift twice", "3x4xf32@0 4x5xf32@1 5xf32@1", `%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
 %c1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<5xf32>) -> tensor<3x5xf32>
 %1 = stablehlo.multiply %c1, %0 : tensor<3x5xf32>
 %2 = stablehlo.subtract %c1, %1 : tensor<3x5xf32>
 %3 = stablehlo.divide %2, %c1 : tensor<3x5xf32>
 return %3 : tensor<3x5xf32>`, "3x5xf32", map[string]int{"dot_general": 1}},
		{"the left one, batches", "6x3x4xf32@0 6x4x5xf32@1 6x3xf32@0", `%0 = stablehlo.dot_general %b, %a, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<6x4x5xf32>, tensor<6x3x4xf32>) -> tensor<6x5x3xf32>
 %c0 = stablehlo.transpose %c, dims = [1, 0] : (tensor<6x3xf32>) -> tensor<3x6xf32>
 %c1 = stablehlo.broadcast_in_dim %c0, dims = [2, 0] : (tensor<3x6xf32>) -> tensor<6x5x3xf32>
 %1 = stablehlo.multiply %c1, %0 : tensor<6x5x3xf32>
 return %1 : tensor<6x5x3xf32>`, "6x5x3xf32", map[string]int{"dot_general": 1, "multiply": 1}},
		{"not along the other side", "3x4xf32@0 4x5xf32@1 3xf32@1", `%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
 %c1 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<3xf32>) -> tensor<3x5xf32>
 %1 = stablehlo.multiply %c1, %0 : tensor<3x5xf32>
 return %1 : tensor<3x5xf32>`, "3x5xf32", map[string]int{"multiply": 1}},
		{"a number", "4xf32@0 4xf32@1", `%0 = stablehlo.dot %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
 %k = stablehlo.constant dense<0.15> : tensor<f32>
 %1 = stablehlo.multiply %0, %k : tensor<f32>
 return %1 : tensor<f32>`, "f32", map[string]int{"multiply tensor<4xf32>": 1}},
	},
	"scaled": {
		{"a normalisation before a dot", "3x4xf32 4xf32@1 4xf32@1 4x5xf32@1", shifted, "3x5xf32", map[string]int{"multiply tensor<3x4xf32>": 1, "dot_general": 2}},
		{"another party's normalisation", "3x4xf32@0 4xf32@1 4xf32@1 4x5xf32@1", shifted, "3x5xf32", map[string]int{"multiply tensor<3x4xf32>": 1, "dot_general": 2}},
		{"one party's normalisation and kernel", "3x4xf32@1 4xf32@1 4xf32@1 4x5xf32@1", shifted, "3x5xf32", map[string]int{"multiply tensor<3x4xf32>": 2, "dot_general": 1}},
		{
			"a transpose before the dot", "3x4xf32 4xf32@1 4xf32@1 4x5xf32@1", turned(`%3 = stablehlo.dot_general %t, %d, contracting_dims = [0] x [0] : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>`), "3x5xf32",
			map[string]int{"multiply tensor<3x4xf32>": 1, "dot_general": 2},
		},
		{
			"a transpose before the dot, on its other side", "3x4xf32 4xf32@1 4xf32@1 4x5xf32@1",
			turned(`%u = stablehlo.dot_general %d, %t, contracting_dims = [0] x [0] : (tensor<4x5xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
 %3 = stablehlo.transpose %u, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>`), "3x5xf32",
			map[string]int{"multiply tensor<3x4xf32>": 1, "dot_general": 2},
		},
		{
			"a transpose of three dimensions", "3x4xf32 4xf32@1 4xf32@1 4x5xf32@1",
			turned(`%v = stablehlo.reshape %2 : (tensor<3x4xf32>) -> tensor<1x3x4xf32>
 %w = stablehlo.add %v, %v : tensor<1x3x4xf32>
 %x1 = stablehlo.transpose %w, dims = [2, 1, 0] : (tensor<1x3x4xf32>) -> tensor<4x3x1xf32>
 %u = stablehlo.dot_general %x1, %d, contracting_dims = [0] x [0] : (tensor<4x3x1xf32>, tensor<4x5xf32>) -> tensor<3x1x5xf32>
 %3 = stablehlo.reshape %u : (tensor<3x1x5xf32>) -> tensor<3x5xf32>`), "3x5xf32",
			map[string]int{"transpose tensor<3x1x5xf32>": 1},
		},
		{"another party's kernel", "3x4xf32 4xf32@1 4xf32@1 4x5xf32@0", shifted, "3x5xf32", map[string]int{"multiply tensor<3x4xf32>": 2, "dot_general": 1}},
		{"another party's shift", "3x4xf32 4xf32@1 4xf32@0 4x5xf32@1", shifted, "3x5xf32", map[string]int{"multiply tensor<3x4xf32>": 2, "dot_general": 1}},
		{"opened elsewhere", "3x4xf32 4xf32@1 4xf32@1 4x5xf32@1", strings.Replace(shifted, "return %3", `%t = stablehlo.tanh %2 : tensor<3x4xf32>
 %u = stablehlo.slice %t [0:3, 0:1] : (tensor<3x4xf32>) -> tensor<3x1xf32>
 %v = stablehlo.broadcast_in_dim %u, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x5xf32>
 %w = stablehlo.add %3, %v : tensor<3x5xf32>
 return %w`, 1), "3x5xf32", map[string]int{"multiply tensor<3x4xf32>": 2, "dot_general": 1}},
	},
	"masks": {
		{"a part of ReLUs", "2x3xf32", `%m = stablehlo.constant dense<[[true, false, true], [false, false, false]]> : tensor<2x3xi1>
 %z = stablehlo.constant dense<0.0> : tensor<2x3xf32>
 %0 = stablehlo.maximum %a, %z : tensor<2x3xf32>
 %1 = stablehlo.select %m, %0, %a : tensor<2x3xi1>, tensor<2x3xf32>
 return %1 : tensor<2x3xf32>`, "2x3xf32", map[string]int{"select": 0, "maximum tensor<2xf32>": 1, "maximum": 1}},
		{"where the mask is not, of two secrets", "4xf32 4xf32 4xf32", `%m = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
 %0 = stablehlo.minimum %a, %b : tensor<4xf32>
 %1 = stablehlo.select %m, %c, %0 : tensor<4xi1>, tensor<4xf32>
 return %1 : tensor<4xf32>`, "4xf32", map[string]int{"select": 0, "minimum tensor<1xf32>": 1, "minimum": 1}},
		{"channels, of integers", "2x3xi32", `%m = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
 %r = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<3xi1>) -> tensor<2x3xi1>
 %z = stablehlo.constant dense<5> : tensor<2x3xi32>
 %0 = stablehlo.maximum %z, %a : tensor<2x3xi32>
 %1 = stablehlo.select %r, %0, %a : tensor<2x3xi1>, tensor<2x3xi32>
 return %1 : tensor<2x3xi32>`, "2x3xi32", map[string]int{"select": 0, "maximum tensor<4xi32>": 1}},
		{"a maximum that others read", "3xf32", `%m = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
 %z = stablehlo.constant dense<0.0> : tensor<3xf32>
 %0 = stablehlo.maximum %a, %z : tensor<3xf32>
 %1 = stablehlo.select %m, %0, %a : tensor<3xi1>, tensor<3xf32>
 %2 = stablehlo.add %0, %1 : tensor<3xf32>
 return %2 : tensor<3xf32>`, "3xf32", map[string]int{"select": 1, "maximum tensor<3xf32>": 1}},
		{"a secret mask", "3xi1 3xf32", `%z = stablehlo.constant dense<0.0> : tensor<3xf32>
 %0 = stablehlo.maximum %b, %z : tensor<3xf32>
 %1 = stablehlo.select %a, %0, %b : tensor<3xi1>, tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"select": 1, "maximum tensor<3xf32>": 1}},
		{"a public maximum", "3xf32@p 3xf32", `%m = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
 %z = stablehlo.constant dense<0.0> : tensor<3xf32>
 %0 = stablehlo.maximum %a, %z : tensor<3xf32>
 %1 = stablehlo.select %m, %0, %b : tensor<3xi1>, tensor<3xf32>
 return %1 : tensor<3xf32>`, "3xf32", map[string]int{"select": 1, "maximum tensor<3xf32>": 1}},
	},
	"dead": {
		{"what nobody uses", "3xf32", `%0 = stablehlo.exponential %a : tensor<3xf32>
 %1 = stablehlo.tanh %0 : tensor<3xf32>
 return %a : tensor<3xf32>`, "3xf32", map[string]int{"exponential": 0, "tanh": 0}},
	},
}

// shifted is the contraction with d of (a normalised)·b + c.
const shifted = `%z = stablehlo.constant dense<0.0> : tensor<f32>
 %n = stablehlo.constant dense<4.0> : tensor<3x1xf32>
 %eps = stablehlo.constant dense<1.0e-5> : tensor<3x1xf32>
 %sum = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
 %sum1 = stablehlo.reshape %sum : (tensor<3xf32>) -> tensor<3x1xf32>
 %mean = stablehlo.divide %sum1, %n : tensor<3x1xf32>
 %mean1 = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>
 %x = stablehlo.subtract %a, %mean1 : tensor<3x4xf32>
 %xx = chlo.square %x : tensor<3x4xf32> -> tensor<3x4xf32>
 %ss = stablehlo.reduce(%xx init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
 %ss1 = stablehlo.reshape %ss : (tensor<3xf32>) -> tensor<3x1xf32>
 %var = stablehlo.divide %ss1, %n : tensor<3x1xf32>
 %var1 = stablehlo.add %var, %eps : tensor<3x1xf32>
 %r = stablehlo.rsqrt %var1 : tensor<3x1xf32>
 %r1 = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>
 %b1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
 %rb = stablehlo.multiply %r1, %b1 : tensor<3x4xf32>
 %1 = stablehlo.multiply %x, %rb : tensor<3x4xf32>
 %c1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
 %2 = stablehlo.add %c1, %1 : tensor<3x4xf32>
 %3 = stablehlo.dot_general %2, %d, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
 return %3 : tensor<3x5xf32>`

// turned is shifted with a transpose of the normalised values, %t, and another dot.
func turned(dot string) string {
	at := strings.Index(shifted, " %3 = ")
	return shifted[:at] + " %t = stablehlo.transpose %2, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>\n " + dot + "\n return %3 : tensor<3x5xf32>"
}

// norm is (a convolved with b, minus c)·d + e.
const norm = `%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x4x4x5xf32>
 %c0 = stablehlo.reshape %c : (tensor<5xf32>) -> tensor<1x1x1x5xf32>
 %c1 = stablehlo.broadcast_in_dim %c0, dims = [0, 1, 2, 3] : (tensor<1x1x1x5xf32>) -> tensor<1x4x4x5xf32>
 %1 = stablehlo.subtract %0, %c1 : tensor<1x4x4x5xf32>
 %d0 = stablehlo.broadcast_in_dim %d, dims = [3] : (tensor<5xf32>) -> tensor<1x1x1x5xf32>
 %d1 = stablehlo.broadcast_in_dim %d0, dims = [0, 1, 2, 3] : (tensor<1x1x1x5xf32>) -> tensor<1x4x4x5xf32>
 %2 = stablehlo.multiply %1, %d1 : tensor<1x4x4x5xf32>
 %e1 = stablehlo.broadcast_in_dim %e, dims = [3] : (tensor<5xf32>) -> tensor<1x4x4x5xf32>
 %3 = stablehlo.add %2, %e1 : tensor<1x4x4x5xf32>
 return %3 : tensor<1x4x4x5xf32>`
