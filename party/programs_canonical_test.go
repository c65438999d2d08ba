package party_test

import "testing"

// canonicalPrograms hold operations in their second form, and bodies that move scalars.
var canonicalPrograms = []program{
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
