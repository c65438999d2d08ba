package party_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// directions of comparisons.
var directions = []string{"EQ", "NE", "LT", "LE", "GT", "GE"}

// comparisons compares two operands of a type in all directions.
func comparisons(typ, kind string) program {
	var ops []string
	for _, d := range directions {
		for _, operands := range []string{"%a, %b", "%x, %b", "%x, %k", "%k, %x"} {
			ops = append(ops, fmt.Sprintf("stablehlo.compare %s, %s, %s : (tensor<%s>, tensor<%s>) -> tensor<24xi1>", d, operands, kind, typ, typ))
		}
	}
	p := eachOp("compare "+typ, typ, "24xi1", ops...)
	k := "[0, 1, 100, 127, 2, 3, 4, 5, 0, 1, 100, 127, 2, 3, 4, 5, 0, 1, 100, 127, 2, 3, 4, 5]"
	switch {
	case kind == "FLOAT":
		k = "[0.0, 0.1, -0.1, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0e9, 0.001, 0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 1.5, 0.25, 0.0, 0.0, 0.0, 1.0, 1.0, -1.0, 2.0, 0.125]"
	case kind == "SIGNED":
		k = strings.ReplaceAll(k, " 2,", " -1,")
	case typ == "24xi1":
		k = "true"
	}
	p.body = " %k = stablehlo.constant dense<" + k + "> : tensor<" + typ + ">\n" + p.body
	return p
}

// copied defines to as a copy of a that depends on b too, so that no party
// knows it.
func copied(to, a, b, typ string) string {
	if strings.HasSuffix(typ, "xi1") {
		return fmt.Sprintf(" %%%[1]s_ = stablehlo.xor %%%[3]s, %%%[2]s : tensor<%[4]s>\n %%%[1]s = stablehlo.xor %%%[3]s, %%%[1]s_ : tensor<%[4]s>\n", to, a, b, typ)
	}
	return fmt.Sprintf(" %%%[1]s_ = stablehlo.subtract %%%[3]s, %%%[2]s : tensor<%[4]s>\n %%%[1]s = stablehlo.subtract %%%[3]s, %%%[1]s_ : tensor<%[4]s>\n", to, a, b, typ)
}

// eachOp is a program of operations of two operands, one result each; %x is a
// secret copy of the first.
func eachOp(name, typ, out string, ops ...string) program {
	var b strings.Builder
	b.WriteString(copied("x", "a", "b", typ))
	var names, types, outs []string
	for i, o := range ops {
		fmt.Fprintf(&b, " %%%d = %s\n", i, o)
		names, types, outs = append(names, fmt.Sprintf("%%%d", i)), append(types, "tensor<"+out+">"), append(outs, out)
	}
	fmt.Fprintf(&b, " return %s : %s", strings.Join(names, ", "), strings.Join(types, ", "))
	return program{name: name, args: typ + " " + typ, outs: strings.Join(outs, " "), body: b.String()}
}

func onTwo(typ string, ops ...string) []string {
	out := make([]string, len(ops))
	for i, o := range ops {
		operands := "%a, %b"
		if strings.HasSuffix(o, " 1") {
			o, operands = strings.TrimSuffix(o, " 1"), "%x"
		}
		out[i] = fmt.Sprintf("stablehlo.%s %s : tensor<%s>", o, operands, typ)
	}
	return out
}

func folded(op, typ, init string) program {
	return program{name: "reduce " + op + " " + typ, args: "7x3x" + typ + " " + typ, outs: "3x" + typ + " 7x" + typ, body: `
 %c = stablehlo.constant dense<` + init + `> : tensor<` + typ + `>
 %0 = stablehlo.reduce(%a init: %c) applies stablehlo.` + op + ` across dimensions = [0] : (tensor<7x3x` + typ + `>, tensor<` + typ + `>) -> tensor<3x` + typ + `>
 %1 = stablehlo.reduce(%a init: %b) applies stablehlo.` + op + ` across dimensions = [1] : (tensor<7x3x` + typ + `>, tensor<` + typ + `>) -> tensor<7x` + typ + `>
 return %0, %1 : tensor<3x` + typ + `>, tensor<7x` + typ + `>`}
}

var logicPrograms = []program{
	comparisons("24xf32", "FLOAT"), comparisons("24xi8", "SIGNED"), comparisons("24xui8", "UNSIGNED"),
	comparisons("24xi32", "SIGNED"), comparisons("24xui32", "UNSIGNED"),
	comparisons("24xi64", "SIGNED"), comparisons("24xui64", "UNSIGNED"), comparisons("24xi16", "SIGNED"),
	comparisons("24xi1", "UNSIGNED"),
	eachOp("logic", "24xi1", "24xi1", onTwo("24xi1", "and", "or", "xor", "not 1", "add", "multiply", "maximum", "minimum")...),
	{name: "logic chain", args: "24xf32 24xf32", outs: "24xi1 24xf32 24xi32", body: `
 %z = stablehlo.constant dense<0.0> : tensor<24xf32>
 %t = stablehlo.constant dense<1.0> : tensor<24xf32>
 %0 = stablehlo.compare LT, %a, %z : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xi1>
 %1 = stablehlo.compare GE, %a, %t : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xi1>
 %2 = stablehlo.compare GT, %z, %b : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xi1>
 %3 = stablehlo.xor %0, %2 : tensor<24xi1>
 %4 = stablehlo.or %3, %1 : tensor<24xi1>
 %5 = stablehlo.not %4 : tensor<24xi1>
 %6 = stablehlo.and %5, %0 : tensor<24xi1>
 %7 = stablehlo.xor %6, %3 : tensor<24xi1>
 %8 = stablehlo.convert %7 : (tensor<24xi1>) -> tensor<24xf32>
 %9 = stablehlo.multiply %8, %a : tensor<24xf32>
 %10 = stablehlo.convert %4 : (tensor<24xi1>) -> tensor<24xi32>
 return %7, %9, %10 : tensor<24xi1>, tensor<24xf32>, tensor<24xi32>`},
	{name: "compare of products", args: "24xf32 24xf32", outs: "24xi1 24xi1 24xf32", body: `
 %0 = stablehlo.multiply %a, %b : tensor<24xf32>
 %1 = stablehlo.multiply %a, %a : tensor<24xf32>
 %2 = stablehlo.compare LT, %0, %1 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xi1>
 %k = stablehlo.constant dense<0.03125> : tensor<24xf32>
 %s = stablehlo.add %b, %k : tensor<24xf32>
 %3 = stablehlo.compare GT, %0, %s : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xi1>
 %4 = stablehlo.select %2, %0, %b : tensor<24xi1>, tensor<24xf32>
 return %2, %3, %4 : tensor<24xi1>, tensor<24xi1>, tensor<24xf32>`},
	{name: "secret select", args: "24xi1 24xf32 24xf32", outs: "24xf32 24xf32 24xf32 24xf32 24xf32", body: `
 %k = stablehlo.constant dense<1.5> : tensor<24xf32>
 %m = stablehlo.constant dense<-1.0e9> : tensor<24xf32>
 %0 = stablehlo.select %a, %b, %c : tensor<24xi1>, tensor<24xf32>
 %1 = stablehlo.select %a, %k, %c : tensor<24xi1>, tensor<24xf32>
 %2 = stablehlo.select %a, %b, %k : tensor<24xi1>, tensor<24xf32>
 %3 = stablehlo.select %a, %k, %m : tensor<24xi1>, tensor<24xf32>
 %4 = stablehlo.multiply %b, %c : tensor<24xf32>
 %5 = stablehlo.select %a, %4, %k : tensor<24xi1>, tensor<24xf32>
 return %0, %1, %2, %3, %5 : tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>`},
	{name: "scalar predicate", args: "i1 5xf32 5xf32", outs: "5xf32 5xf32", body: `
 %k = stablehlo.constant dense<[1.5, 0.0, 2.0, 3.0, -4.0]> : tensor<5xf32>
 %0 = stablehlo.select %a, %b, %c : tensor<i1>, tensor<5xf32>
 %1 = stablehlo.not %a : tensor<i1>
 %2 = stablehlo.select %1, %b, %k : tensor<i1>, tensor<5xf32>
 return %0, %2 : tensor<5xf32>, tensor<5xf32>`},
	{name: "select integers", args: "24xi1 24xi32 24xi32", outs: "24xi32 24xi32 24xi1", body: `
 %k = stablehlo.constant dense<-2147483648> : tensor<24xi32>
 %t = stablehlo.constant dense<true> : tensor<24xi1>
 %0 = stablehlo.select %a, %b, %c : tensor<24xi1>, tensor<24xi32>
 %1 = stablehlo.select %a, %k, %c : tensor<24xi1>, tensor<24xi32>
 %2 = stablehlo.compare LT, %b, %c : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
 %3 = stablehlo.select %a, %2, %t : tensor<24xi1>, tensor<24xi1>
 return %0, %1, %3 : tensor<24xi32>, tensor<24xi32>, tensor<24xi1>`},
	{name: "select by a selected bit", args: "24xi1 24xi1 24xf32", outs: "24xf32 24xf32 24xi32 24xi1 24xf32", body: `
 %f = stablehlo.constant dense<false> : tensor<24xi1>
 %z = stablehlo.constant dense<0.0> : tensor<24xf32>
 %p = stablehlo.select %a, %b, %f : tensor<24xi1>, tensor<24xi1>
 %0 = stablehlo.select %p, %z, %c : tensor<24xi1>, tensor<24xf32>
 %q = stablehlo.select %b, %f, %a : tensor<24xi1>, tensor<24xi1>
 %1 = stablehlo.select %q, %c, %z : tensor<24xi1>, tensor<24xf32>
 %r = stablehlo.select %p, %f, %q : tensor<24xi1>, tensor<24xi1>
 %2 = stablehlo.convert %r : (tensor<24xi1>) -> tensor<24xi32>
 %s = stablehlo.select %r, %q, %f : tensor<24xi1>, tensor<24xi1>
 %3 = stablehlo.and %s, %p : tensor<24xi1>
 %d = stablehlo.negate %c : tensor<24xf32>
 %u = stablehlo.select %a, %f, %b : tensor<24xi1>, tensor<24xi1>
 %4 = stablehlo.select %u, %c, %d : tensor<24xi1>, tensor<24xf32>
 return %0, %1, %2, %3, %4 : tensor<24xf32>, tensor<24xf32>, tensor<24xi32>, tensor<24xi1>, tensor<24xf32>`},
	{name: "views of booleans", args: "3x4xi1 3x4xf32", outs: "4x3xi1 2x2xi1 6x4xi1 2x3x4xf32 4x6xi1", body: `
 %z = stablehlo.constant dense<0.0> : tensor<3x4xf32>
 %f = stablehlo.constant dense<false> : tensor<i1>
 %0 = stablehlo.compare LT, %b, %z : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
 %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4xi1>) -> tensor<4x3xi1>
 %2 = stablehlo.slice %0 [0:3:2, 1:4:2] : (tensor<3x4xi1>) -> tensor<2x2xi1>
 %3 = stablehlo.concatenate %a, %0, dim = 0 : (tensor<3x4xi1>, tensor<3x4xi1>) -> tensor<6x4xi1>
 %4 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
 %5 = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<3x4xf32>) -> tensor<2x3x4xf32>
 %6 = stablehlo.negate %5 : tensor<2x3x4xf32>
 %7 = stablehlo.select %4, %5, %6 : tensor<2x3x4xi1>, tensor<2x3x4xf32>
 %8 = stablehlo.pad %0, %f, low = [1, 0], high = [0, 2], interior = [0, 0] : (tensor<3x4xi1>, tensor<i1>) -> tensor<4x6xi1>
 return %1, %2, %3, %7, %8 : tensor<4x3xi1>, tensor<2x2xi1>, tensor<6x4xi1>, tensor<2x3x4xf32>, tensor<4x6xi1>`},
	folded("and", "i1", "true"), folded("or", "i1", "false"), folded("xor", "i1", "true"), folded("and", "i1", "false"),
	folded("maximum", "i32", "-2147483648"), folded("minimum", "ui8", "255"), folded("maximum", "i8", "5"), folded("multiply", "i64", "1"),
	folded("multiply", "f32", "0.5"),
	{name: "sign", args: "24xf32 24xf32", outs: "24xf32 24xf32 24xf32", body: copied("x", "a", "b", "24xf32") + `
 %z = stablehlo.constant dense<0.0> : tensor<24xf32>
 %0 = stablehlo.sign %x : tensor<24xf32>
 %1 = stablehlo.maximum %x, %z : tensor<24xf32>
 %2 = stablehlo.sign %1 : tensor<24xf32>
 %3 = stablehlo.multiply %x, %b : tensor<24xf32>
 %4 = stablehlo.sign %3 : tensor<24xf32>
 return %0, %2, %4 : tensor<24xf32>, tensor<24xf32>, tensor<24xf32>`},
	eachOp("sign i32", "24xi32", "24xi32", onTwo("24xi32", "sign 1")...),
	eachOp("sign i8", "24xi8", "24xi8", onTwo("24xi8", "sign 1")...),
	{name: "is finite", args: "24xf32 24xf32", outs: "24xi1 24xf32", body: `
 %s = stablehlo.add %a, %b : tensor<24xf32>
 %0 = stablehlo.is_finite %s : (tensor<24xf32>) -> tensor<24xi1>
 %1 = stablehlo.select %0, %a, %b : tensor<24xi1>, tensor<24xf32>
 return %0, %1 : tensor<24xi1>, tensor<24xf32>`},
	eachOp("extremes i32", "24xi32", "24xi32", onTwo("24xi32", "maximum", "minimum", "abs 1", "negate 1")...),
	eachOp("extremes ui32", "24xui32", "24xui32", onTwo("24xui32", "maximum", "minimum")...),
	eachOp("extremes i8", "24xi8", "24xi8", onTwo("24xi8", "maximum", "minimum", "abs 1")...),
	eachOp("extremes i64", "24xi64", "24xi64", onTwo("24xi64", "maximum", "minimum", "abs 1")...),
	{name: "clamp by secrets", args: "f32 24xf32 24xf32", outs: "24xf32", body: `
 %0 = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
 return %0 : tensor<24xf32>`},
	{name: "clamp integers", args: "24xi32 i32 24xui8 24xui8", outs: "24xi32 24xui8", body: copied("x", "c", "d", "24xui8") + `
 %l = stablehlo.constant dense<-1000000> : tensor<i32>
 %u = stablehlo.constant dense<7> : tensor<ui8>
 %v = stablehlo.constant dense<200> : tensor<ui8>
 %0 = stablehlo.clamp %l, %a, %b : (tensor<i32>, tensor<24xi32>, tensor<i32>) -> tensor<24xi32>
 %1 = stablehlo.clamp %u, %x, %v : (tensor<ui8>, tensor<24xui8>, tensor<ui8>) -> tensor<24xui8>
 return %0, %1 : tensor<24xi32>, tensor<24xui8>`},
	{name: "small integers", args: "24xi1 24xi1", outs: "24xi1 24xi1 24xi1 24xui8 24xf32", body: copied("x", "a", "b", "24xi1") + `
 %0 = stablehlo.convert %x : (tensor<24xi1>) -> tensor<24xi32>
 %1 = stablehlo.convert %b : (tensor<24xi1>) -> tensor<24xi32>
 %2 = stablehlo.subtract %0, %1 : tensor<24xi32>
 %c = stablehlo.constant dense<-1> : tensor<24xi32>
 %d = stablehlo.constant dense<2147483647> : tensor<24xi32>
 %3 = stablehlo.compare EQ, %2, %c : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
 %4 = stablehlo.compare LT, %2, %1 : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
 %5 = stablehlo.compare LT, %2, %d : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
 %6 = stablehlo.convert %2 : (tensor<24xi32>) -> tensor<24xui8>
 %7 = stablehlo.convert %2 : (tensor<24xi32>) -> tensor<24xf32>
 return %3, %4, %5, %6, %7 : tensor<24xi1>, tensor<24xi1>, tensor<24xi1>, tensor<24xui8>, tensor<24xf32>`},
}

// edged fills an array like random, with edges of the type among its elements:
// pairs of arguments meet equal, extreme and neighbouring values.
func edged(r *rand.Rand, t tensor.Type) *tensor.Array {
	a := random(r, t)
	n := t.Shape.Size()
	if t.DType.IsFloat() {
		v := append([]float64{}, a.Floats()...)
		for i := range v {
			v[i] = float64(int(v[i]*8)) / 8 // many ties
			if i%3 == 0 {
				v[i] = []float64{0, 1, -1, 0.5, 2, -2}[i/3%6]
			}
		}
		return tensor.FromFloats(t.DType, t.Shape, v)
	}
	w := append([]uint64{}, a.Words()...)
	top := uint64(1) << (t.DType.Bits() - 1)
	edges := []uint64{0, 1, ^uint64(0), top, top - 1, top + 1, 2, ^uint64(1)}
	for i := range n {
		if r.IntN(2) == 0 {
			w[i] = edges[r.IntN(len(edges))]
		}
	}
	return tensor.FromWords(t.DType, t.Shape, w)
}

func TestLogicPrograms(t *testing.T) { runPrograms(t, logicPrograms, settings) }

// runPrograms runs programs of edged arguments.
func runPrograms(t *testing.T, programs []program, settings []setting) {
	t.Parallel()
	for index, p := range programs {
		t.Run(p.name, func(t *testing.T) { runWith(t, p, edged, nil, turns(index, settings)...) })
	}
}
