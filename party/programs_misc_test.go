package party_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// generic is one operation in generic form.
func generic(name, op, attrs, args, outs string, in, out []string) program {
	body, operands, types := "", "", ""
	for i, t := range in {
		v := fmt.Sprintf("%%%c", 'a'+i)
		if i > 0 {
			operands, types = operands+", ", types+", "
		}
		operands, types = operands+v, types+"tensor<"+t+">"
	}
	results, resultTypes, n := "", "", ""
	for i, t := range out {
		if i > 0 {
			results, resultTypes = results+", ", resultTypes+", "
		}
		r := "%0"
		if len(out) > 1 {
			r, n = fmt.Sprintf("%%0#%d", i), fmt.Sprintf(":%d", len(out))
		}
		results, resultTypes = results+r, resultTypes+"tensor<"+t+">"
	}
	body += fmt.Sprintf(" %%0%s = %q(%s) <{%s}> : (%s) -> (%s)\n return %s : %s", n, op, operands, attrs, types, resultTypes, results, resultTypes)
	return program{name: name, args: args, outs: outs, body: body, tol: 2e-3}
}

var miscPrograms = []program{
	{name: "composites of other names", args: "2xf32 2xf32", outs: "2xf32 2xf32 2xf32", body: `
 %s = stablehlo.add %a, %b : tensor<2xf32>
 %0 = stablehlo.composite "stablehlo.dot_general" %s {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
 %1 = stablehlo.composite "chlo.top_k" %s {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
 %2 = stablehlo.composite "chlo.square" %s {decomposition = @squared} : (tensor<2xf32>) -> tensor<2xf32>
 return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
 }
 func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
 %0 = stablehlo.add %x, %x : tensor<2xf32>
 return %0 : tensor<2xf32>
 }
 func.func private @squared(%x: tensor<2xf32>) -> tensor<2xf32> {
 %0 = stablehlo.multiply %x, %x : tensor<2xf32>
 return %0 : tensor<2xf32>`},
	{name: "bits of nothing", args: "0xf32 0xf32", outs: "0xi32 0xf64", body: `
 %s = stablehlo.add %a, %b : tensor<0xf32>
 %0 = stablehlo.bitcast_convert %s : (tensor<0xf32>) -> tensor<0xi32>
 %1 = stablehlo.convert %s : (tensor<0xf32>) -> tensor<0xf64>
 return %0, %1 : tensor<0xi32>, tensor<0xf64>`},
	generic("batch norm inference", "stablehlo.batch_norm_inference", "epsilon = 3.0 : f32, feature_index = 1 : i64",
		"4x3x2xf32 3xf32 3xf32 3xf32 3xf32", "4x3x2xf32", []string{"4x3x2xf32", "3xf32", "3xf32", "3xf32", "3xf32"}, []string{"4x3x2xf32"}),
	generic("batch norm training", "stablehlo.batch_norm_training", "epsilon = 0.1 : f32, feature_index = 1 : i64",
		"4x3x2xf32 3xf32 3xf32", "4x3x2xf32 3xf32 3xf32", []string{"4x3x2xf32", "3xf32", "3xf32"}, []string{"4x3x2xf32", "3xf32", "3xf32"}),
	generic("batch norm grad", "stablehlo.batch_norm_grad", "epsilon = 3.0 : f32, feature_index = 1 : i64",
		"4x3x2xf32 3xf32 3xf32 3xf32 4x3x2xf32", "4x3x2xf32 3xf32 3xf32", []string{"4x3x2xf32", "3xf32", "3xf32", "3xf32", "4x3x2xf32"}, []string{"4x3x2xf32", "3xf32", "3xf32"}),
	{name: "bits as other integers", args: "3x4xi32 3x4xi32", outs: "3x4xui32 3x4x4xi8 3x2xui64", body: `
 %s = stablehlo.add %a, %b : tensor<3x4xi32>
 %0 = stablehlo.bitcast_convert %s : (tensor<3x4xi32>) -> tensor<3x4xui32>
 %1 = stablehlo.bitcast_convert %s : (tensor<3x4xi32>) -> tensor<3x4x4xi8>
 %2 = stablehlo.reshape %s : (tensor<3x4xi32>) -> tensor<3x2x2xi32>
 %3 = stablehlo.bitcast_convert %2 : (tensor<3x2x2xi32>) -> tensor<3x2xui64>
 return %0, %1, %3 : tensor<3x4xui32>, tensor<3x4x4xi8>, tensor<3x2xui64>`},
	{name: "finite", args: "3xf32 3xf32", outs: "3xi1 3xi1 3xi1 i32", body: `
 %s = stablehlo.add %a, %b : tensor<3xf32>
 %0 = chlo.is_inf %s : tensor<3xf32> -> tensor<3xi1>
 %1 = chlo.is_neg_inf %s : tensor<3xf32> -> tensor<3xi1>
 %2 = stablehlo.is_finite %s : (tensor<3xf32>) -> tensor<3xi1>
 %3 = stablehlo.get_dimension_size %s, dim = 0 : (tensor<3xf32>) -> tensor<i32>
 return %0, %1, %2, %3 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<i32>`},
	{name: "chlo broadcasts", args: "3x4xf32 4xf32", outs: "3x4xf32 3x4xi1", body: `
 %0 = chlo.broadcast_multiply %a, %b {broadcast_dimensions = array<i64: 1>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
 %1 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xi1>
 return %0, %1 : tensor<3x4xf32>, tensor<3x4xi1>`},
	{name: "high words", args: "12xi32 12xi32", outs: "12xi32", body: `
 %0 = chlo.mulhi %a, %b : tensor<12xi32>, tensor<12xi32> -> tensor<12xi32>
 return %0 : tensor<12xi32>`},
	{name: "high words of bytes", args: "12xui8 12xui8", outs: "12xui8", body: `
 %0 = chlo.mulhi %a, %b : tensor<12xui8>, tensor<12xui8> -> tensor<12xui8>
 return %0 : tensor<12xui8>`},
	{name: "dot into wider integers", args: "3x4xi8 4x2xi8", outs: "3x2xi32", body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xi8>, tensor<4x2xi8>) -> tensor<3x2xi32>
 return %0 : tensor<3x2xi32>`},
	{name: "powers of integers", args: "12xi16 12xi16", outs: "12xi16 12xi16", body: `
 %k = stablehlo.constant dense<7> : tensor<12xi16>
 %e = stablehlo.and %b, %k : tensor<12xi16>
 %0 = stablehlo.power %a, %e : tensor<12xi16>
 %c = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, -1, -2, 15, 8, 1, 0]> : tensor<12xi16>
 %1 = stablehlo.power %a, %c : tensor<12xi16>
 return %0, %1 : tensor<12xi16>, tensor<12xi16>`},
	{name: "dot of booleans", args: "3x4xi1 4x2xi1", outs: "3x2xi1", body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xi1>, tensor<4x2xi1>) -> tensor<3x2xi1>
 return %0 : tensor<3x2xi1>`},
	{name: "absolute values of bytes", args: "12xui8 12xui8", outs: "12xui8", body: `
 %0 = stablehlo.add %a, %b : tensor<12xui8>
 %1 = stablehlo.abs %0 : tensor<12xui8>
 return %1 : tensor<12xui8>`},
	{name: "clamp by secrets", args: "3x4xf32 f32", outs: "3x4xf32", body: `
 %h = stablehlo.constant dense<0.5> : tensor<f32>
 %m = stablehlo.add %b, %h : tensor<f32>
 %0 = stablehlo.clamp %b, %a, %m : (tensor<f32>, tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
 return %0 : tensor<3x4xf32>`},
}

var miscSettings = append([]setting{{"semi2k", 64, 18, 2, 2, []int{party.Public, 1}}}, reduceSettings...)

// TestNested: the work that a nest of branches makes does not double with each.
func TestNested(t *testing.T) {
	inner := " stablehlo.return %s : tensor<f32>\n"
	for i := range 50 {
		inner = fmt.Sprintf(" %%v%[1]d = \"stablehlo.if\"(%%p) ({\n%[2]s }, {\n stablehlo.return %%s : tensor<f32>\n }) : (tensor<i1>) -> tensor<f32>\n stablehlo.return %%v%[1]d : tensor<f32>\n", i, inner)
	}
	p := program{name: "nested", args: "f32 f32", outs: "f32", body: " %s = stablehlo.add %a, %b : tensor<f32>\n %p = stablehlo.constant dense<true> : tensor<i1>\n" +
		strings.Replace(inner, "stablehlo.return %v49", "return %v49", 1)}
	runWith(t, p, random, nil, settings[0])
}

func TestMiscPrograms(t *testing.T) { runPrograms(t, miscPrograms, miscSettings) }
