package party_test

import "testing"

// rootPrograms take roots of squares that are below the last place.
var rootPrograms = []program{
	{name: "second moments", args: "6xf32 6xf32", outs: "6xf32 6xf32", tol: 8e-3 /* 500 times the root of some units of 2^-36 */, body: `
 %u = stablehlo.constant dense<0.005> : tensor<6xf32>
 %s = stablehlo.add %a, %b : tensor<6xf32>
 %g = stablehlo.multiply %s, %u : tensor<6xf32>
 %z = stablehlo.constant dense<0.0> : tensor<6xf32>
 %i = stablehlo.constant dense<0> : tensor<i32>
 %w:3 = stablehlo.while(%k = %i, %v = %z, %q = %z) : tensor<i32>, tensor<6xf32>, tensor<6xf32>
 cond {
  %n = stablehlo.constant dense<4> : tensor<i32>
  %c = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %c : tensor<i1>
 } do {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %b2 = stablehlo.constant dense<0.999> : tensor<6xf32>
  %r2 = stablehlo.constant dense<0.001> : tensor<6xf32>
  %gg = stablehlo.multiply %g, %g : tensor<6xf32>
  %t = stablehlo.multiply %r2, %gg : tensor<6xf32>
  %d = stablehlo.multiply %b2, %v : tensor<6xf32>
  %v2 = stablehlo.add %d, %t : tensor<6xf32>
  %h = stablehlo.multiply %r2, %g : tensor<6xf32>
  %hg = stablehlo.multiply %h, %g : tensor<6xf32>
  %e = stablehlo.multiply %b2, %q : tensor<6xf32>
  %q2 = stablehlo.add %e, %hg : tensor<6xf32>
  %k2 = stablehlo.add %k, %one : tensor<i32>
  stablehlo.return %k2, %v2, %q2 : tensor<i32>, tensor<6xf32>, tensor<6xf32>
 }
 %x = stablehlo.sqrt %w#1 : tensor<6xf32>
 %y = stablehlo.sqrt %w#2 : tensor<6xf32>
 %f = stablehlo.constant dense<500.0> : tensor<6xf32>
 %o = stablehlo.multiply %x, %f : tensor<6xf32>
 %p = stablehlo.multiply %y, %f : tensor<6xf32>
 return %o, %p : tensor<6xf32>, tensor<6xf32>`},
	{name: "quotients by small norms", args: "5x3xf32 5x3xf32", outs: "5x3xf32 5x3xf32", tol: 3e-3, body: `
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %u = stablehlo.constant dense<0.015625> : tensor<5x3xf32>
 %one = stablehlo.constant dense<3.0> : tensor<5x3xf32>
 %l = stablehlo.add %b, %one : tensor<5x3xf32>
 %s = stablehlo.multiply %a, %u : tensor<5x3xf32>
 %t = stablehlo.multiply %l, %u : tensor<5x3xf32>
 %sq = stablehlo.multiply %t, %t : tensor<5x3xf32>
 %sum = stablehlo.reduce(%sq init: %z) applies stablehlo.add across dimensions = [1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
 %n = stablehlo.sqrt %sum : tensor<5xf32>
 %e = stablehlo.constant dense<1.0e-8> : tensor<5xf32>
 %m = stablehlo.add %n, %e : tensor<5xf32>
 %d = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<5xf32>) -> tensor<5x3xf32>
 %r = stablehlo.divide %s, %d : tensor<5x3xf32>
 %k = stablehlo.divide %t, %sq : tensor<5x3xf32>
 %o = stablehlo.multiply %k, %u : tensor<5x3xf32>
 return %r, %o : tensor<5x3xf32>, tensor<5x3xf32>`},
}

func TestRootPrograms(t *testing.T) { runPrograms(t, rootPrograms, miscSettings) }
