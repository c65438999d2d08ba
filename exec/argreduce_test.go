package exec_test

import (
	"fmt"
	"strings"
	"testing"
)

// argReduction is JAX's argmin or argmax of %a along a dimension, with the value too if both are wanted.
func argReduction(in, out string, dim int, direction, worst string, both bool) program {
	e := elementOf(in)
	shape, results := strings.TrimSuffix(in, e), strings.TrimSuffix(out, e)
	p := program{name: fmt.Sprint(direction, " ", in, " along ", dim, " from ", worst, " ", both), args: in, outs: results + "i32"}
	returned := fmt.Sprintf("return %%r#1 : tensor<%si32>", results)
	if both {
		p.outs = out + " " + p.outs
		returned = fmt.Sprintf("return %%r#0, %%r#1 : tensor<%s>, tensor<%si32>", out, results)
	}
	p.body = strings.NewReplacer("IN", in, "SHAPE", shape, "OUT", out, "RESULTS", results, "ELEM", e, "DIM", fmt.Sprint(dim), "DIR", direction, "WORST", worst).Replace(`
%i = stablehlo.iota dim = DIM : tensor<SHAPEi32>
%w = stablehlo.constant dense<WORST> : tensor<ELEM>
%z = stablehlo.constant dense<0> : tensor<i32>
%r:2 = stablehlo.reduce(%a init: %w), (%i init: %z) across dimensions = [DIM] : (tensor<IN>, tensor<SHAPEi32>, tensor<ELEM>, tensor<i32>) -> (tensor<OUT>, tensor<RESULTSi32>)
reducer(%x: tensor<ELEM>, %y: tensor<ELEM>) (%p: tensor<i32>, %q: tensor<i32>) {
%2 = stablehlo.compare DIR, %x, %y : (tensor<ELEM>, tensor<ELEM>) -> tensor<i1>
%5 = stablehlo.compare EQ, %x, %y : (tensor<ELEM>, tensor<ELEM>) -> tensor<i1>
%6 = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
%7 = stablehlo.and %5, %6 : tensor<i1>
%8 = stablehlo.or %2, %7 : tensor<i1>
%9 = stablehlo.select %2, %x, %y : tensor<i1>, tensor<ELEM>
%10 = stablehlo.select %8, %p, %q : tensor<i1>, tensor<i32>
stablehlo.return %9, %10 : tensor<ELEM>, tensor<i32>
}
`) + returned
	return p
}

func TestArgReduction(t *testing.T) {
	for _, both := range []bool{true, false} {
		agree(t,
			argReduction("5x4xf32", "5xf32", 1, "LT", "0x7F800000", both), argReduction("7x3xf32", "3xf32", 0, "GT", "0xFF800000", both),
			argReduction("1x3xf32", "3xf32", 0, "GT", "0xFF800000", both), argReduction("0x3xf32", "3xf32", 0, "GT", "0xFF800000", both),
			argReduction("3x6xi32", "3xi32", 1, "LT", "2147483647", both), argReduction("13x2xi8", "2xi8", 0, "GT", "-128", both),
			argReduction("3x10xf32", "3xf32", 1, "GT", "0.5", both), argReduction("11xui16", "ui16", 0, "GT", "0", both), argReduction("30xf32", "f32", 0, "LT", "0x7F800000", both))
	}
	ties := argReduction("9x2xi8", "2xi8", 0, "GT", "-128", true)
	ties.name, ties.least, ties.most = "ties", 0, 1
	agree(t, ties)
	last := argReduction("9x2xi8", "2xi8", 0, "GE", "-128", true) // of equal ones the last
	last.least, last.most = 0, 1
	agree(t, last)
}

// TestOneHotOfArgReduction compares the index with public numbers, for which its one-hots are kept.
func TestOneHotOfArgReduction(t *testing.T) {
	p := argReduction("6x4xf32", "6xf32", 1, "GT", "0xFF800000", false)
	p.name, p.args, p.outs, p.units = "one-hot", "6x4xf32 6x4xf32", "6x4xf32 4x2xf32 6xi1", 4
	p.body = strings.Replace(p.body, "return %r#1 : tensor<6xi32>", `
%j = stablehlo.broadcast_in_dim %r#1, dims = [0] : (tensor<6xi32>) -> tensor<6x4xi32>
%e = stablehlo.compare EQ, %j, %i, SIGNED : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
%f = stablehlo.convert %e : (tensor<6x4xi1>) -> tensor<6x4xf32>
%k = stablehlo.multiply %f, %b : tensor<6x4xf32>
%g = stablehlo.slice %b [0:6, 0:2] : (tensor<6x4xf32>) -> tensor<6x2xf32>
%d = stablehlo.dot_general %f, %g, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
%n = stablehlo.constant dense<[1, 7, 0, 3, -1, 2]> : tensor<6xi32>
%h = stablehlo.compare NE, %r#1, %n : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
return %k, %d, %h : tensor<6x4xf32>, tensor<4x2xf32>, tensor<6xi1>`, 1)
	agree(t, p)
}
