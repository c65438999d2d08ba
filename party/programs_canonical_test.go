package party_test

import (
	"context"
	"crypto/sha256"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
)

// canonicalPrograms hold operations in their second form, and bodies that move scalars.
var canonicalPrograms = []program{
	{name: "functions as custom calls", args: "3xf32 3xf32", outs: "3xf32 3xf32", body: `
 %0 = stablehlo.custom_call @mhlo.erf(%a) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
 %h = stablehlo.constant dense<0.25> : tensor<3xf32>
 %s = stablehlo.multiply %b, %h : tensor<3xf32>
 %1 = stablehlo.custom_call @mhlo.tan(%s) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
 return %0, %1 : tensor<3xf32>, tensor<3xf32>`},
	{name: "dynamic_update_slice in a body", args: "4x6xf32 f32", outs: "4xf32", body: `
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %r = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 1>}> ({
 ^bb0(%p: tensor<f32>, %q: tensor<f32>):
   %s = "stablehlo.dynamic_update_slice"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
   %t = stablehlo.add %p, %s : tensor<f32>
   %u = stablehlo.maximum %t, %t : tensor<f32>
   stablehlo.return %u : tensor<f32>
 }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
 return %r : tensor<4xf32>`},
	{name: "dynamic_slice in a body", args: "4x6xf32 f32", outs: "4xf32", body: `
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %r = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 1>}> ({
 ^bb0(%p: tensor<f32>, %q: tensor<f32>):
   %s = "stablehlo.dynamic_slice"(%q) <{slice_sizes = array<i64>}> : (tensor<f32>) -> tensor<f32>
   %t = stablehlo.add %p, %s : tensor<f32>
   %u = stablehlo.maximum %t, %t : tensor<f32>
   stablehlo.return %u : tensor<f32>
 }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
 return %r : tensor<4xf32>`},
	{name: "broadcast_zeta", args: "2x3xf32 3xf32", outs: "2x3xf32", body: `
 %k = stablehlo.constant dense<4.0> : tensor<3xf32>
 %l = stablehlo.constant dense<4.0> : tensor<2x3xf32>
 %x = stablehlo.add %a, %l : tensor<2x3xf32>
 %q = stablehlo.add %b, %k : tensor<3xf32>
 %r = "chlo.broadcast_zeta"(%x, %q) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
 return %r : tensor<2x3xf32>`, tol: 1e-3},
	{name: "broadcast_polygamma", args: "2x3xf32 3xf32", outs: "2x3xf32", body: `
 %n = stablehlo.constant dense<1.0> : tensor<f32>
 %f = stablehlo.constant dense<8.0> : tensor<f32>
 %k = stablehlo.constant dense<4.0> : tensor<2x3xf32>
 %x = stablehlo.add %a, %k : tensor<2x3xf32>
 %y = chlo.broadcast_add %x, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
 %z = stablehlo.clamp %n, %y, %f : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
 %r = "chlo.broadcast_polygamma"(%n, %z) : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
 return %r : tensor<2x3xf32>`, tol: 2e-3},
	{name: "dot", args: "2x3xf32 3x2xf32", outs: "2x2xf32", body: `
 %r = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
 return %r : tensor<2x2xf32>`},
	{name: "torch_index_select by secrets", args: "4x3xf32 2xi32", outs: "2x3xf32", body: `
 %m = stablehlo.constant dense<3> : tensor<2xi32>
 %i = stablehlo.and %b, %m : tensor<2xi32>
 %r = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
 return %r : tensor<2x3xf32>`},
}

func TestCanonicalPrograms(t *testing.T) { runPrograms(t, canonicalPrograms, reduceSettings) }

// Reports and errors have the names and positions of the program's text.
func TestWrittenNames(t *testing.T) {
	text := program{args: "2x3xf32 3x2xf32 2xf32", outs: "2x2xf32", body: `
 %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
 %r = chlo.broadcast_add %0, %c : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
 return %r : tensor<2x2xf32>`}.text()
	prog, err := hlo.Parse("test.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := sha256.Sum256([]byte(text)); prog.Digest() != want {
		t.Error("the program's digest is not that of its text")
	}
	spec := party.Spec{Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"a", "b"}, Computing: 2, Network: "none",
		Reveal: []int{0}, Args: []party.Arg{{Owner: 0}, {Owner: 1}, {Owner: 0}}}
	report, err := party.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, o := range report.Ops {
		rows = append(rows, o.Op+" "+o.Loc)
	}
	for _, want := range []string{"stablehlo.dot test.mlir:4:7", "chlo.broadcast_add test.mlir:5:7"} {
		if !slices.Contains(rows, want) {
			t.Errorf("no row %s in %q", want, rows)
		}
	}
}
