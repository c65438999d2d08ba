package hlo

import (
	"errors"
	"strings"
	"testing"
)

// inMain puts lines into a function main with three arguments. The first line is line 2, column 1.
func inMain(lines string) string {
	return "func.func @main(%a: tensor<4x6xf32>, %i: tensor<i32>, %p: tensor<i1>) -> tensor<4x6xf32> {\n" + lines + "\nreturn %a : tensor<4x6xf32>\n}\n"
}

// Each text is refused at its position, with a message that contains the words.
func TestErrors(t *testing.T) {
	const f, binary = "tensor<4x6xf32>", ": tensor<4x6xf32>"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `p:1:1: the text ends where "module" should stand`},
		{"no module", "x", `p:1:1: a module holds functions only, not x`},
		{"no main", "module {}", "p:1:10: the program has no function @main (name"},
		{"two public", "func.func @f() { return }\nfunc.func @g() { return }", "p:2:26: the program has no function @main"},
		{"trailing", "module { func.func @main() { return } }\n x", "p:2:2: the end of the text should stand here, not x"},
		{"two modules", "module { func.func @main() { return } } module {}", "p:1:41: the end of the text should stand"},
		{"nested module", "module { module {} }", "p:1:10: a module holds functions only, not module"},
		{"global", "module { ml_program.global @x }", "p:1:10: a module holds functions only"},
		{"twice", "func.func @main() { return }\nfunc.func @main() { return }", "p:2:11: function @main is defined twice"},
		{"no body", "func.func private @main(tensor<f32>) -> tensor<f32>", "p:1:25: function @main has no body"},
		{"no body after", "func.func private @main() -> tensor<f32>", "p:1:41: function @main has no body"},
		{"wrong result", "func.func @main(%a: tensor<f32>) -> tensor<f64> {\n  return %a : tensor<f32>\n}", "p:2:3: func.return: returns [tensor<f32>], but function @main says [tensor<f64>]"},
		{"no return", "func.func @main() {\n}", "p:2:1: the block must end with a return"},
		{"no end", "func.func @main() {\n  return\n", `p:3:1: the text ends where "}" should stand`},
		{"two blocks", "func.func @main() {\n^bb0:\n^bb1:", "p:3:1: a region of several blocks"},
		{"after return", "func.func @main() { return\n return }", "p:2:2: nothing may stand behind func.return"},

		{"bad byte", "module \x01", "p:1:8: byte 0x01 cannot stand here"},
		{"bad punctuation", inMain("&"), `p:2:1: "&" cannot stand here`},
		{"open string", inMain(`"abc`), "p:2:1: the string has no end"},
		{"string over lines", inMain("\"abc\n\""), "p:2:1: the string has no end on its line"},
		{"open string at end", `module attributes {a = "`, "p:1:24: the string has no end"},
		{"bad escape", inMain(`"stablehlo.x\q"`), "p:2:1: the string has an unknown escape"},
		{"bare sigil", inMain("% = x"), `p:2:1: a name is missing after "%"`},

		{"unknown op", inMain("%0 = stablehlo.foo %a"), "p:2:6: stablehlo.foo: unknown operation (Tacet knows"},
		{"unknown op, near", inMain("  %0 = chlo.tanh %a"), "p:2:8: chlo.tanh: unknown operation (did you mean stablehlo.tanh?)"},
		{"no dialect", inMain("%0 = add %a, %a " + binary), "p:2:6: add: unknown operation (did you mean stablehlo.add?)"},
		{"mhlo", inMain("%0 = mhlo.add %a, %a " + binary), "p:2:6: mhlo.add: unknown operation (did you mean stablehlo.add?)"},
		{"vhlo", inMain("%0 = vhlo.add_v1 %a, %a " + binary), "p:2:6: vhlo.add_v1: unknown operation (convert"},
		{"sdy", inMain("%0 = sdy.sharding_constraint %a"), "p:2:6: sdy.sharding_constraint: unknown operation (export the program without sharding)"},
		{"refused", inMain(`%0 = "stablehlo.infeed"(%a)`), "p:2:6: stablehlo.infeed: not supported (a program's inputs"},
		{"dynamic", inMain(`%0 = stablehlo.dynamic_pad %a`), "p:2:6: stablehlo.dynamic_pad: not supported (tensors have static shapes"},

		{"undefined", inMain("%0 = stablehlo.add %a, %b " + binary), "p:2:24: stablehlo.add: %b is not defined"},
		{"own result", inMain("%0 = stablehlo.add %a, %0 " + binary), "p:2:24: stablehlo.add: %0 is not defined"},
		{"a reveal of two as one", inMain("%0 = stablehlo.custom_call @tacet.reveal(%a, %a) : (" + f + ", " + f + ") -> " + f), "p:2:6: stablehlo.custom_call: has 1 results, but 2 follow from its operands"},
		{"a reveal of nothing", inMain("%0 = stablehlo.custom_call @tacet.reveal() : () -> " + f), "@tacet.reveal has no operands"},
		{"a reveal to nobody", inMain("%0 = stablehlo.custom_call @tacet.reveal_to(%a) : (" + f + ") -> " + f), "mhlo.attributes need the rank of a party as to"},
		{"a reveal to a negative rank", inMain("%0 = stablehlo.custom_call @tacet.reveal_to(%a) {mhlo.attributes = {to = -1 : i64}} : (" + f + ") -> " + f), "mhlo.attributes need the rank of a party as to"},
		{"a factor of a vector", inMain("%z = stablehlo.constant dense<0.0> : tensor<4xf32> %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%z) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>)"), "operand 0 is tensor<4xf32>, but must be a batch of matrices of the routine"},
		{"eigenvalues in a matrix", inMain("%z = stablehlo.constant dense<0.0> : tensor<4x4xf32> %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%z) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>)"), "result 1 has type tensor<4x4xf32>, but its operands and attributes give tensor<4xf32>"},
		{"k above the dimension", inMain("%0:2 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 9223372036854775807 : i64}} : (" + f + ") -> (" + f + ", tensor<4x2xi32>)"), "mhlo.attributes need a k that is at most the size of the last dimension"},
		{"a result below the first", inMain("%0 = stablehlo.add %a, %a#-1 " + binary), "p:2:24: stablehlo.add: %a has 1 results, there is no #-1"},
		{"no such result", inMain("%0 = stablehlo.add %a, %a#1 " + binary), "p:2:24: stablehlo.add: %a has 1 results, there is no #1"},
		{"defined twice", inMain("%a = stablehlo.add %a, %a " + binary), "p:2:1: stablehlo.add: %a is defined a second time"},
		{"argument twice", "func.func @main(%a: tensor<f32>, %a: tensor<f32>) { return }", "p:1:34: %a is defined a second time"},
		{"shadows", inMain(`"stablehlo.if"(%p) ({` + "\n%a = stablehlo.constant dense<1> : tensor<i32>"), "p:3:1: stablehlo.constant: %a is defined a second time"},
		{"left its region", inMain(`"stablehlo.if"(%p) ({ %x = stablehlo.add %a, %a ` + binary + "\nstablehlo.return }, {\nstablehlo.return %x " + binary), "p:4:18: stablehlo.return: %x is not defined"},
		{"wrong operand type", inMain("%0 = stablehlo.add %a, %i " + binary), "p:2:24: stablehlo.add: operand %i has type tensor<i32>, but the operation says tensor<4x6xf32>"},
		{"wrong result type", inMain("%0 = stablehlo.add %a, %a : (" + f + ", " + f + ") -> tensor<f32>"), "p:2:6: stablehlo.add: result 0 has type tensor<f32>, but its operands and attributes give tensor<4x6xf32>"},
		{"too few types", inMain(`%0 = "stablehlo.add"(%a, %a) : (` + f + ") -> " + f), "p:2:32: stablehlo.add: there are 2 operands, but 1 types for them"},
		{"too few operands", inMain(`%0 = "stablehlo.add"(%a) : (` + f + ") -> " + f), "p:2:6: stablehlo.add: has 1 operands, but takes 2"},
		{"too few results", inMain(`"stablehlo.add"(%a, %a) : (` + f + ", " + f + ") -> ()"), "p:2:1: stablehlo.add: has 0 results, but takes 1"},
		{"too many names", inMain("%0:2 = stablehlo.add %a, %a " + binary), "p:2:1: stablehlo.add: has 1 results, fewer than the text names"},
		{"too few names", inMain("%0 = chlo.top_k(%a, k = 2) : " + f + " -> (tensor<4x2xf32>, tensor<4x2xi32>)"), "p:2:1: chlo.top_k: has 2 results, more than the text names"},
		{"wrong class", inMain("%0 = stablehlo.and %a, %a " + binary), "p:2:6: stablehlo.and: operand 0 has elements of type f32, but takes booleans, signed integers, unsigned integers"},
		{"a region too many", inMain(`%0 = "stablehlo.add"(%a, %a) ({ stablehlo.return }) : (` + f + ", " + f + ") -> " + f), "p:2:6: stablehlo.add: has 1 regions, but takes 0"},

		{"convolution's dimensions", inMain("%0 = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<1x4x6xf32>\n" + `%1 = "stablehlo.convolution"(%0, %0) <{batch_group_count = 1 : i64, feature_group_count = 6 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = -32, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [1], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>}> : (tensor<1x4x6xf32>, tensor<1x4x6xf32>) -> tensor<1x1x6xf32>`), "p:3:6: stablehlo.convolution: the input's dimension numbers names dimension -32, but there are 3"},
		{"unknown attribute", inMain("%0 = stablehlo.add %a, %a {foo = 1} " + binary), "p:2:28: stablehlo.add: unknown attribute foo"},
		{"attribute twice", inMain("%0 = stablehlo.iota dim = 0 {iota_dimension = 0 : i64} : tensor<3xi32>"), "p:2:30: stablehlo.iota: attribute iota_dimension is given twice"},
		{"attribute missing", inMain(`%0 = "stablehlo.iota"() : () -> tensor<3xi32>`), "p:2:6: stablehlo.iota: attribute iota_dimension is missing"},
		{"attribute's type", inMain(`%0 = "stablehlo.iota"() <{iota_dimension = "x"}> : () -> tensor<3xi32>`), "p:2:27: stablehlo.iota: attribute iota_dimension must be an integer"},
		{"enumeration", inMain("%0 = stablehlo.compare XX, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>"), "p:2:24: stablehlo.compare: attribute comparison_direction must be one of EQ,"},
		{"alias", inMain("%0 = stablehlo.iota dim = 0 {iota = #map} : tensor<3xi32>"), "p:2:37: stablehlo.iota: the alias #map is not defined"},
		{"integer too large", inMain("%0 = stablehlo.iota dim = 99999999999999999999 : tensor<3xi32>"), "p:2:27: stablehlo.iota: the integer 99999999999999999999 does not fit 64 bits"},
		{"alias twice", "#x = 1\n#x = 2", "p:2:1: the alias #x is defined twice"},

		{"dynamic shape", "func.func @main(%a: tensor<4x?xf32>) { return }", "p:1:30: dynamic shapes are not supported (export"},
		{"unranked", "func.func @main(%a: tensor<*xf32>) { return }", "p:1:28: dynamic shapes are not supported"},
		{"quantized", "func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 1.0>>) { return }", "p:1:30: quantized"},
		{"element type", "func.func @main(%a: tensor<4xi4>) { return }", "p:1:30: element type i4 is not supported (use"},
		{"encoding", "func.func @main(%a: tensor<4xf32, #x>) { return }", "p:1:33: tensor encodings"},
		{"token", "func.func @main(%a: !stablehlo.token) { return }", "p:1:21: tokens are not supported"},
		{"tuple", "func.func @main(%a: tuple<tensor<f32>>) { return }", "p:1:21: tuples are not supported"},
		{"other type", "func.func @main(%a: memref<4xf32>) { return }", "p:1:21: a tensor type should stand here, not memref"},
		{"large dimension", "func.func @main(%a: tensor<9999999999999xf32>) { return }", "p:1:28: dimension 9999999999999 is larger than 2^40"},
		{"large shape", "func.func @main(%a: tensor<1099511627776x2xf32>) { return }", "p:1:21: the tensor holds more than 2^40 elements"},
		{"rank", "func.func @main(%a: tensor<" + strings.Repeat("1x", 65) + "f32>) { return }", "p:1:156: the type has more than 64 dimensions"},

		{"hex size", inMain(`%0 = stablehlo.constant dense<"0x0000"> : tensor<3xf32>`), "p:2:31: stablehlo.constant: the string has 2 bytes, but tensor<3xf32> takes 12"},
		{"hex digit", inMain(`%0 = stablehlo.constant dense<"0x000000zz"> : tensor<f32>`), `p:2:40: stablehlo.constant: "z" is not a hexadecimal digit`},
		{"hex form", inMain(`%0 = stablehlo.constant dense<"00"> : tensor<i8>`), "p:2:31: stablehlo.constant: a constant's string is hexadecimal"},
		{"long splat of a list", inMain(`%0 = "stablehlo.reverse"(%a) <{dimensions = dense<1> : tensor<1099511627776xi64>}> : (` + f + `) -> ` + f),
			"p:2:32: stablehlo.reverse: attribute dimensions must be a list of integers"},
		{"short list", inMain(`%0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>`), "p:2:31: stablehlo.constant: the list has 2 elements, but its dimension 3"},
		{"long list", inMain(`%0 = stablehlo.constant dense<[1, 2]> : tensor<1xi32>`), "p:2:35: stablehlo.constant: the list has more than 1 elements"},
		{"deep list", inMain(`%0 = stablehlo.constant dense<[[1]]> : tensor<1xi32>`), "p:2:32: stablehlo.constant: the list is nested deeper than its type"},
		{"flat list", inMain(`%0 = stablehlo.constant dense<[1]> : tensor<1x1xi32>`), `p:2:32: stablehlo.constant: "[" should stand here, not 1`},
		{"no elements", inMain(`%0 = stablehlo.constant dense<> : tensor<1xi32>`), "p:2:31: stablehlo.constant: no elements are given"},
		{"out of range", inMain(`%0 = stablehlo.constant dense<256> : tensor<i8>`), "p:2:31: stablehlo.constant: the integer does not fit i8"},
		{"below range", inMain(`%0 = stablehlo.constant dense<-129> : tensor<i8>`), "p:2:31: stablehlo.constant: the integer does not fit i8"},
		{"negative unsigned", inMain(`%0 = stablehlo.constant dense<-1> : tensor<ui8>`), "p:2:31: stablehlo.constant: the integer does not fit ui8"},
		{"integer for float", inMain(`%0 = stablehlo.constant dense<1> : tensor<f32>`), "p:2:31: stablehlo.constant: f32 takes floats, not the integer 1 (write 1.0)"},
		{"float for integer", inMain(`%0 = stablehlo.constant dense<1.5> : tensor<i32>`), "p:2:31: stablehlo.constant: i32 takes integers, not 1.5"},
		{"wide pattern", inMain(`%0 = stablehlo.constant dense<0x1FF800000> : tensor<f32>`), "p:2:31: stablehlo.constant: the bit pattern 0x1FF800000 is wider than f32"},
		{"float overflow", inMain(`%0 = stablehlo.constant dense<1.0e99> : tensor<f32>`), "p:2:31: stablehlo.constant: 1.0e99 does not fit f32"},
		{"boolean", inMain(`%0 = stablehlo.constant dense<2> : tensor<i1>`), "p:2:31: stablehlo.constant: true or false should stand here, not 2"},
		{"behind splat", inMain(`%0 = stablehlo.constant dense<1 2> : tensor<i32>`), `p:2:33: stablehlo.constant: ">" should stand here, not 2`},
		{"resource", inMain(`%0 = stablehlo.constant dense_resource<x> : tensor<i32>`), "p:2:25: stablehlo.constant: the text has no section of resources (print the program with all its elements)"},

		{"unknown function", inMain("call @f(%a) : (" + f + ") -> ()"), "p:2:6: func.call: there is no function @f"},
		{"call's arguments", inMain("call @main(%a) : (" + f + ") -> " + f), "p:2:1: func.call: passes [tensor<4x6xf32>], but function @main takes"},
		{"call's results", inMain("call @main(%a, %i, %p) : (" + f + ", tensor<i32>, tensor<i1>) -> ()"), "p:2:1: func.call: expects [], but function @main returns"},
		{"recursion", "func.func @main() { call @f() : () -> ()\nreturn }\nfunc.func private @f() { call @g() : () -> ()\nreturn }\nfunc.func private @g() {\n call @f() : () -> ()\nreturn }", "p:6:2: func.call: recursion: @f leads back to itself"},

		{"broadcast", inMain("%0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (" + f + ") -> tensor<4x7xf32>"), "dimension 1 of size 6 cannot become dimension 1 of size 7"},
		{"broadcast dims", inMain("%0 = stablehlo.broadcast_in_dim %a, dims = [0, 0] : (" + f + ") -> " + f), "broadcast_dimensions names dimension 0 twice"},
		{"slice", inMain("%0 = stablehlo.slice %a [0:4, 3:7] : (" + f + ") -> tensor<4x4xf32>"), "3:7 is not a range of dimension 1, which has size 6"},
		{"slice's rank", inMain("%0 = stablehlo.slice %a [0:4] : (" + f + ") -> tensor<4xf32>"), "start_indices has 1 numbers, but takes 2"},
		{"contraction", inMain("%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (" + f + ", " + f + ") -> " + f), "are incompatible with"},
		{"body of while", inMain("%0 = stablehlo.while(%x = %i) : tensor<i32> cond { stablehlo.return %x : tensor<i32> } do { stablehlo.return %x : tensor<i32> }"), "p:2:6: stablehlo.while: region 0 returns [tensor<i32>], but must return [tensor<i1>]"},
		{"return in region", inMain(`"stablehlo.if"(%p) ({` + "\nreturn }"), "p:3:1: func.return: a region ends with stablehlo.return"},
		{"applies", inMain("%0 = stablehlo.reduce(%a init: %i) applies stablehlo.abs across dimensions = [0] : (" + f + ", tensor<i32>) -> tensor<6xf32>"), "p:2:44: stablehlo.abs: applies takes an operation of two operands"},
		{"reducer's types", inMain("%0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (" + f + ", tensor<i32>) -> tensor<6xf32>"), "p:2:6: stablehlo.reduce: the initial value of operand 0 has type tensor<i32>, but must have tensor<f32>"},
		{"nesting", inMain("%0 = stablehlo.iota dim = 0 {iota_dimension = " + strings.Repeat("[", 100)), "nested more than 64 deep"},
		{"skipped bracket", inMain("%0 = stablehlo.iota dim = 0 {a.b = #x<(>} : tensor<3xi32>"), `p:2:40: stablehlo.iota: ">" closes nothing that is open here`},
		{"skipped end", "module attributes {a = <(", "p:1:19: the text ends within what begins here"},
		{"function without name", "\"func.func\"() <{function_type = () -> ()}> ({", "p:1:1: the function has no sym_name"},
		{"function without type", "\"func.func\"() <{sym_name = \"f\"}> ({", "p:1:1: the function has no function_type"},
		{"function of another type", "\"func.func\"() <{function_type = (tensor<f32>) -> (), sym_name = \"f\"}> ({\n\"func.return\"() : () -> ()\n}) : () -> ()", "p:1:1: function @f has parameters [], but its type says [tensor<f32>]"},
		{"field of a structure", inMain(`%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset = [0]>`), "p:2:73: stablehlo.gather: unknown field offset"},
		{"array", inMain("%0 = stablehlo.iota dim = 0 {iota = array<x9: 1>}"), "p:2:45: stablehlo.iota: array of x9 is not supported"},
		{"top alias type", "!t = tensor<f32>", "p:1:1: type aliases are not supported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("p", []byte(c.text))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *Error", err)
			}
			got := e.Error()
			if strings.HasPrefix(c.want, "p:") && !strings.HasPrefix(got, c.want) || !strings.Contains(got, c.want) {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}
