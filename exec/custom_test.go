package exec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestCustomCalls(t *testing.T) {
	agree(t, program{name: "sharding", args: "3xf32", outs: "3xf32", body: "%0 = stablehlo.custom_call @Sharding(%a) : (tensor<3xf32>) -> tensor<3xf32>\nreturn %0 : tensor<3xf32>"})
	refused(t, program{args: "3xf32", outs: "3xf32", body: "%0 = stablehlo.custom_call @nobody(%a) : (tensor<3xf32>) -> tensor<3xf32>\nreturn %0 : tensor<3xf32>"},
		"stablehlo.custom_call", "to @nobody is not built for secret operands (compute it from values that are public or that one party knows)")
}

// TestNearInteger: whole numbers are converted exactly, to wider and narrower types, and other operands and results are refused.
func TestNearInteger(t *testing.T) {
	data := []*tensor.Array{tensor.FromFloats(tensor.F32, tensor.Shape{5}, []float64{-3, 0, 7, 100, -1 << 12})}
	for _, to := range []string{"i16", "i32", "i64"} {
		body := fmt.Sprintf("%%0 = stablehlo.custom_call @tacet.integer(%%a) : (tensor<5xf32>) -> tensor<5x%s>\nreturn %%0 : tensor<5x%s>", to, to)
		agree(t, program{name: "integer " + to, args: "5xf32", outs: "5x" + to, data: data, rings: large, body: body})
	}
	for _, types := range [][2]string{{"5xi32", "5xi32"}, {"5xf32", "5xf32"}, {"5xf32", "4xi32"}} {
		text := program{args: types[0], outs: types[1], body: fmt.Sprintf("%%0 = stablehlo.custom_call @tacet.integer(%%a) : (tensor<%s>) -> tensor<%s>\nreturn %%0 : tensor<%s>",
			types[0], types[1], types[1])}.text()
		if _, err := hlo.Parse("test.mlir", []byte(text)); err == nil {
			t.Errorf("%s to %s is accepted", types[0], types[1])
		}
	}
}

// TestRealOfInteger: integers are converted exactly, also as arguments of functions that take them in their own ring, and other operands,
// results and attributes are refused.
func TestRealOfInteger(t *testing.T) {
	call := func(attrs, from, to string) string {
		return fmt.Sprintf("%%0 = stablehlo.custom_call @tacet.real(%%a) {mhlo.attributes = {%s}} : (tensor<%s>) -> tensor<%s>\n", attrs, from, to)
	}
	ints := func(d tensor.DType, x ...int64) []*tensor.Array {
		words := make([]uint64, len(x))
		for i, v := range x {
			words[i] = uint64(v) & (1<<d.Bits() - 1)
		}
		return []*tensor.Array{tensor.FromWords(d, tensor.Shape{len(x)}, words)}
	}
	agree(t, program{name: "scaled", args: "4xi32", outs: "4xf32", data: ints(tensor.I32, -3, 0, 7, 1<<20-1), rings: large,
		body: call("bits = 20 : i64, scale = 4 : i64", "4xi32", "4xf32") + "return %0 : tensor<4xf32>"})
	for _, function := range []string{"exponential", "logistic"} {
		agree(t, program{name: function, args: "4xi64", outs: "4xf32", rings: large,
			data: ints(tensor.I64, -5<<34, 0, 3<<33, -1<<30),
			body: call("bits = 38 : i64, scale = 34 : i64", "4xi64", "4xf32") + "%1 = stablehlo." + function + " %0 : tensor<4xf32>\nreturn %1 : tensor<4xf32>"})
	}
	agree(t, program{name: "unsigned", args: "4xui32", outs: "4xf32", rings: large, data: ints(tensor.U32, 0, 1, 1<<31, 1<<32-1),
		body: call("bits = 32 : i64, scale = 5 : i64", "4xui32", "4xf32") + "%1 = stablehlo.logistic %0 : tensor<4xf32>\nreturn %1 : tensor<4xf32>"})
	agree(t, program{name: "wider than the ring", args: "4xi64", outs: "4xf32", rings: usual, data: ints(tensor.I64, -5<<34, 0, 3<<33, 1<<30),
		body: call("bits = 38 : i64, scale = 34 : i64", "4xi64", "4xf32") + "return %0 : tensor<4xf32>"})
	for _, c := range [][3]string{
		{"bits = 20 : i64, scale = 4 : i64", "4xf32", "4xf32"}, {"bits = 20 : i64, scale = 4 : i64", "4xi32", "4xi32"},
		{"bits = 20 : i64, scale = 4 : i64", "4xi32", "5xf32"}, {"bits = 63 : i64, scale = 4 : i64", "4xi32", "4xf32"},
		{"bits = 20 : i64, scale = -1 : i64", "4xi32", "4xf32"}, {"scale = 4 : i64", "4xi32", "4xf32"},
		{"below = 21 : i64, bits = 20 : i64, scale = 4 : i64", "4xi32", "4xf32"},
	} {
		text := program{args: c[1], outs: c[2], body: call(c[0], c[1], c[2]) + "return %0 : tensor<" + c[2] + ">"}.text()
		if _, err := hlo.Parse("test.mlir", []byte(text)); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
}

// TestOutside: integers below ¾ of a bound and above it are told apart, whatever @tacet.real says of them.
func TestOutside(t *testing.T) {
	call := func(attrs, from, to string) string {
		return fmt.Sprintf("%%0 = stablehlo.custom_call @tacet.outside(%%a) {mhlo.attributes = {%s}} : (tensor<%s>) -> tensor<%s>\n", attrs, from, to)
	}
	var words []uint64
	for _, x := range []int64{
		0, 5, -5, 3<<28 - 1, 1 << 30, 1 << 36, 1<<61 - 1, 1 << 42, -1 << 42, -3 << 34, 1 - 3<<34, -1 << 36, -1 << 37, -1<<61 + 1,
	} {
		words = append(words, uint64(x))
	}
	n := fmt.Sprintf("%dx", len(words))
	attrs := "{mhlo.attributes = {below = 30 : i64, bits = 36 : i64, scale = 20 : i64}} : (tensor<" + n + "i64>) -> tensor<" + n + "f32>\n"
	agree(t, program{name: "outside", args: n + "i64", outs: n + "i1", rings: large,
		data: []*tensor.Array{tensor.FromWords(tensor.I64, tensor.Shape{len(words)}, words)},
		body: "%1 = stablehlo.custom_call @tacet.real(%a) " + attrs + "%2 = stablehlo.exponential %1 : tensor<" + n + "f32>\n" +
			call("below = 30 : i64, bits = 36 : i64, scale = 20 : i64", n+"i64", n+"i1") + "return %0 : tensor<" + n + "i1>"})
	for _, c := range [][3]string{
		{"bits = 20 : i64, scale = 4 : i64", "4xf32", "4xi1"}, {"bits = 20 : i64, scale = 4 : i64", "4xi32", "4xi32"},
		{"bits = 20 : i64, scale = 4 : i64", "4xui32", "4xi1"}, {"bits = 31 : i64, scale = 4 : i64", "4xi32", "4xi1"},
		{"bits = 20 : i64, below = 7 : i64, scale = 4 : i64", "4xi32", "4xi1"}, {"scale = 4 : i64", "4xi32", "4xi1"},
	} {
		text := program{args: c[1], outs: c[2], body: call(c[0], c[1], c[2]) + "return %0 : tensor<" + c[2] + ">"}.text()
		if _, err := hlo.Parse("test.mlir", []byte(text)); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
}

// TestWeightedSquares: integers of one party are multiplied with themselves and weights of the same one, another one or of nobody, modulo
// the type's bits; other shapes and types are refused.
func TestWeightedSquares(t *testing.T) {
	for _, d := range []string{"i32", "i64"} {
		types := fmt.Sprintf("(tensor<2x5x3x%[1]s>, tensor<2x5x%[1]s>) -> tensor<2x3x3x%[1]s>", d)
		call := "%0 = stablehlo.custom_call @tacet.squares(%a, %b) : " + types + "\n"
		agree(t, program{name: "squares " + d, args: "2x5x3x" + d + " 2x5x" + d, outs: "2x3x3x" + d, rings: large,
			body: call + fmt.Sprintf("return %%0 : tensor<2x3x3x%s>", d)})
		// w of both parties, and a view of x, at which the product is a secret's too
		sum := fmt.Sprintf("%%w = stablehlo.add %%b, %%c : tensor<2x5x%s>\n%%y = stablehlo.reverse %%a, dims = [1] : tensor<2x5x3x%s>\n", d, d)
		call = "%0 = stablehlo.custom_call @tacet.squares(%y, %w) : " + types + "\n"
		agree(t, program{name: "squares of a view " + d, args: "2x5x3x" + d + " 2x5x" + d + " 2x5x" + d, outs: "2x3x3x" + d, rings: large,
			body: sum + call + fmt.Sprintf("return %%0 : tensor<2x3x3x%s>", d)})
	}
	for _, c := range [][3]string{
		{"2x5x3xi64", "2x5xi32", "2x3x3xi64"}, {"2x5x3xf32", "2x5xf32", "2x3x3xf32"}, {"5x3xi64", "5xi64", "3x3xi64"},
		{"2x5x3xi64", "2x4xi64", "2x3x3xi64"}, {"2x5x3xi64", "2x5xi64", "2x5x3xi64"},
	} {
		body := fmt.Sprintf("%%0 = stablehlo.custom_call @tacet.squares(%%a, %%b) : (tensor<%s>, tensor<%s>) -> tensor<%s>\nreturn %%0 : tensor<%[3]s>", c[0], c[1], c[2])
		if _, err := hlo.Parse("test.mlir", []byte(program{args: c[0] + " " + c[1], outs: c[2], body: body}.text())); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
}

// TestCollectives: within one replica the operands are the results; others are refused.
func TestCollectives(t *testing.T) {
	const groups = "replica_groups = dense<0> : tensor<1x1xi64>"
	sum := program{op: "stablehlo.all_reduce", attrs: groups, args: "3xf32", outs: "3xf32", region: combiner("stablehlo.add", "f32")}
	agree(t, sum, program{op: "stablehlo.all_gather", attrs: "all_gather_dim = 0 : i64, " + groups, args: "3xf32", outs: "3xf32"},
		program{op: "stablehlo.all_to_all", attrs: "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, " + groups, args: "3xf32", outs: "3xf32"})
	sum.attrs = strings.Replace(groups, "dense<0> : tensor<1x1xi64>", "dense<[[0, 1]]> : tensor<1x2xi64>", 1)
	refused(t, sum, "stablehlo.all_reduce", "exchanges values with other replicas")
}

// TestRefusals: what no handler has is refused with the operation's name and place.
func TestRefusals(t *testing.T) {
	refused(t, program{op: "stablehlo.rng_bit_generator", attrs: "rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>", args: "2xui64", outs: "2xui64 4xui32"},
		"stablehlo.rng_bit_generator", "is not built yet for secret operands (compute it from values that are public or that one party knows)")
}

// TestNarrow: products, sums and sigmoids of narrow integers are those of integers, owners' and secret ones, and what has no room or no
// meaning is refused.
func TestNarrow(t *testing.T) {
	call := func(name, target, of, attrs, from, to string) string {
		return fmt.Sprintf("%%%s = stablehlo.custom_call @tacet.%s(%%%s) {mhlo.attributes = {%s}} : (tensor<%s>) -> tensor<%s>\n", name, target, of, attrs, from, to)
	}
	ints := func(d tensor.DType, shape tensor.Shape, x ...int64) *tensor.Array {
		words := make([]uint64, len(x))
		for i, v := range x {
			words[i] = uint64(v) & (1<<d.Bits() - 1)
		}
		return tensor.FromWords(d, shape, words)
	}
	data := []*tensor.Array{
		ints(tensor.I32, tensor.Shape{2, 3}, -300, 7, 2047, 0, 1, -2048),
		ints(tensor.I64, tensor.Shape{3}, -3<<30, 5<<30, 17<<30),
	}
	const narrow = "bits = 24 : i64"
	agree(t, program{name: "products", args: "2x3xi32 3xi64", outs: "2xi64", data: data, rings: large,
		body: call("x", "narrow", "a", narrow, "2x3xi32", "2x3xi32") + call("w", "narrow", "b", "bits = 24 : i64, by = 30 : i64", "3xi64", "3xi32") +
			"%y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2xi32>\n" +
			"%z = stablehlo.add %y, %y : tensor<2xi32>\n" +
			call("0", "wide", "z", "bits = 21 : i64", "2xi32", "2xi64") + "return %0 : tensor<2xi64>"})
	eta := []*tensor.Array{ints(tensor.I32, tensor.Shape{5}, -20<<18, 0, 20<<18, -1<<18, 23<<18)}
	agree(t, program{name: "results", args: "5xi32", outs: "5xi32", data: eta, rings: large,
		body: call("0", "narrow", "a", narrow, "5xi32", "5xi32") + "return %0 : tensor<5xi32>"})
	refused(t, program{args: "5xi32", outs: "5xi32", data: eta,
		body: call("x", "narrow", "a", narrow, "5xi32", "5xi32") + "%0 = stablehlo.multiply %x, %x : tensor<5xi32>\nreturn %0 : tensor<5xi32>"},
		"stablehlo.multiply", "takes no integers of @tacet.narrow (take @tacet.wide of them first)")
	for _, c := range [][4]string{
		{"narrow", "bits = 40 : i64", "5xi32", "5xi32"}, {"narrow", "bits = 24 : i64, by = 9 : i64", "5xi32", "5xi32"}, {"narrow", "by = 1 : i64", "5xi32", "5xi32"},
		{"narrow", narrow, "5xf32", "5xf32"}, {"narrow", narrow, "5xi32", "4xi32"}, {"narrow", narrow, "5xui32", "5xui32"},
		{"wide", "bits = 32 : i64", "5xi32", "5xi64"}, {"wide", "bits = 22 : i64", "5xi32", "5xf64"},
		{"sigmoid", "bits = 24 : i64, by = 27 : i64, fraction = 3 : i64", "5xi32", "5xi32"},
		{"sigmoid", "bits = 4 : i64, by = 18 : i64, fraction = 3 : i64", "5xi32", "5xi32"},
	} {
		text := program{args: c[2], outs: c[3], body: call("0", c[0], "a", c[1], c[2], c[3]) + "return %0 : tensor<" + c[3] + ">"}.text()
		if _, err := hlo.Parse("test.mlir", []byte(text)); err == nil {
			t.Errorf("%v is accepted", c)
		}
	}
}
