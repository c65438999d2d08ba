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
