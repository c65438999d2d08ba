package party_test

import "testing"

// bitsPrograms read the bits of floats, which are exact in fixed point, and
// make floats of bits.
var bitsPrograms = []program{
	{name: "bits of floats", args: "12xi16 12xi16", outs: "12xi32 12xui32 12x4xi8 12xi64", body: `
 %e = stablehlo.constant dense<0.125> : tensor<12xf32>
 %0 = stablehlo.convert %a : (tensor<12xi16>) -> tensor<12xf32>
 %1 = stablehlo.convert %b : (tensor<12xi16>) -> tensor<12xf32>
 %2 = stablehlo.multiply %0, %e : tensor<12xf32>
 %3 = stablehlo.add %2, %1 : tensor<12xf32>
 %4 = stablehlo.bitcast_convert %3 : (tensor<12xf32>) -> tensor<12xi32>
 %5 = stablehlo.abs %3 : tensor<12xf32>
 %6 = stablehlo.bitcast_convert %5 : (tensor<12xf32>) -> tensor<12xui32>
 %7 = stablehlo.bitcast_convert %3 : (tensor<12xf32>) -> tensor<12x4xi8>
 %8 = stablehlo.convert %3 : (tensor<12xf32>) -> tensor<12xf64>
 %9 = stablehlo.bitcast_convert %8 : (tensor<12xf64>) -> tensor<12xi64>
 return %4, %6, %7, %9 : tensor<12xi32>, tensor<12xui32>, tensor<12x4xi8>, tensor<12xi64>`},
	{name: "bits of zero and of short floats", args: "12xi8 12xi8", outs: "12xi16 12xui16 12xi32", body: `
 %z = stablehlo.constant dense<0.0> : tensor<12xf32>
 %u = stablehlo.constant dense<3.0517578125e-5> : tensor<12xf16>
 %s = stablehlo.add %a, %b : tensor<12xi8>
 %0 = stablehlo.convert %s : (tensor<12xi8>) -> tensor<12xf16>
 %1 = stablehlo.multiply %0, %u : tensor<12xf16>
 %2 = stablehlo.bitcast_convert %1 : (tensor<12xf16>) -> tensor<12xi16>
 %3 = stablehlo.convert %s : (tensor<12xi8>) -> tensor<12xbf16>
 %4 = stablehlo.bitcast_convert %3 : (tensor<12xbf16>) -> tensor<12xui16>
 %5 = stablehlo.convert %s : (tensor<12xi8>) -> tensor<12xf32>
 %6 = stablehlo.minimum %5, %z : tensor<12xf32>
 %7 = stablehlo.bitcast_convert %6 : (tensor<12xf32>) -> tensor<12xi32>
 return %2, %4, %7 : tensor<12xi16>, tensor<12xui16>, tensor<12xi32>`},
	{name: "floats of bits", args: "12xi32 12xi32", outs: "12xf32 12xf32 12xf64 12xf32", body: `
 %k = stablehlo.constant dense<0x3BFFFFFF> : tensor<12xi32>
 %m = stablehlo.constant dense<0x007FFFFF> : tensor<12xi32>
 %o = stablehlo.constant dense<0x3F800000> : tensor<12xi32>
 %sign = stablehlo.constant dense<0x80000000> : tensor<12xi32>
 %z = stablehlo.constant dense<0> : tensor<12xi32>
 %s = stablehlo.add %a, %b : tensor<12xi32>
 %0 = stablehlo.and %s, %k : tensor<12xi32>
 %1 = stablehlo.and %b, %sign : tensor<12xi32>
 %2 = stablehlo.or %0, %1 : tensor<12xi32>
 %3 = stablehlo.bitcast_convert %2 : (tensor<12xi32>) -> tensor<12xf32>
 %4 = stablehlo.and %s, %m : tensor<12xi32>
 %5 = stablehlo.or %4, %o : tensor<12xi32>
 %6 = stablehlo.bitcast_convert %5 : (tensor<12xi32>) -> tensor<12xf32>
 %7 = stablehlo.convert %6 : (tensor<12xf32>) -> tensor<12xf64>
 %8 = stablehlo.bitcast_convert %7 : (tensor<12xf64>) -> tensor<12xi64>
 %9 = stablehlo.bitcast_convert %8 : (tensor<12xi64>) -> tensor<12xf64>
 %10 = stablehlo.subtract %s, %s : tensor<12xi32>
 %11 = stablehlo.bitcast_convert %10 : (tensor<12xi32>) -> tensor<12xf32>
 return %3, %6, %9, %11 : tensor<12xf32>, tensor<12xf32>, tensor<12xf64>, tensor<12xf32>`},
	{name: "next numbers", args: "3x4xf32 3x4xf32", outs: "3x4xf32", body: `
 %0 = chlo.next_after %a, %b : tensor<3x4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
 return %0 : tensor<3x4xf32>`},
	{name: "sign bits", args: "3x4xf32 3x4xf32", outs: "3x4xi1 3x4xi1 3x4xi32", body: `
 %z = stablehlo.constant dense<0> : tensor<3x4xi32>
 %k = stablehlo.constant dense<31> : tensor<3x4xi32>
 %s = stablehlo.add %a, %b : tensor<3x4xf32>
 %0 = stablehlo.bitcast_convert %s : (tensor<3x4xf32>) -> tensor<3x4xi32>
 %1 = stablehlo.shift_right_arithmetic %0, %k : tensor<3x4xi32>
 %2 = stablehlo.compare NE, %1, %z, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
 %3 = stablehlo.compare LT, %0, %z, SIGNED : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
 %4 = stablehlo.shift_right_logical %0, %k : tensor<3x4xi32>
 return %2, %3, %4 : tensor<3x4xi1>, tensor<3x4xi1>, tensor<3x4xi32>`},
	{name: "high words of 64 bits", args: "6xi64 6xi64", outs: "6xi64 6xui64", body: `
 %0 = chlo.mulhi %a, %b : tensor<6xi64>, tensor<6xi64> -> tensor<6xi64>
 %1 = stablehlo.bitcast_convert %a : (tensor<6xi64>) -> tensor<6xui64>
 %2 = stablehlo.bitcast_convert %b : (tensor<6xi64>) -> tensor<6xui64>
 %3 = chlo.mulhi %1, %2 : tensor<6xui64>, tensor<6xui64> -> tensor<6xui64>
 return %0, %3 : tensor<6xi64>, tensor<6xui64>`},
	{name: "opposites of the lowest integer", args: "6xi8 6xi8", outs: "6xf32 6xf32 6xi1", body: `
 %z = stablehlo.constant dense<0.0> : tensor<6xf32>
 %l = stablehlo.constant dense<-128> : tensor<6xi8>
 %k = stablehlo.constant dense<-127> : tensor<6xi8>
 %s = stablehlo.add %a, %b : tensor<6xi8>
 %0 = stablehlo.or %s, %k : tensor<6xi8>
 %1 = stablehlo.and %0, %l : tensor<6xi8>
 %2 = stablehlo.convert %1 : (tensor<6xi8>) -> tensor<6xf32>
 %3 = stablehlo.negate %2 : tensor<6xf32>
 %4 = stablehlo.maximum %3, %z : tensor<6xf32>
 %5 = stablehlo.abs %2 : tensor<6xf32>
 %6 = stablehlo.compare GT, %3, %z : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
 return %4, %5, %6 : tensor<6xf32>, tensor<6xf32>, tensor<6xi1>`},
	{name: "small secrets and large known numbers", args: "6xi1 6xi1 6xi8 6xf32", outs: "6xi8 6xi1 6xf32", body: `
 %z = stablehlo.constant dense<0> : tensor<6xi8>
 %s = stablehlo.xor %a, %b : tensor<6xi1>
 %0 = stablehlo.convert %s : (tensor<6xi1>) -> tensor<6xi8>
 %1 = stablehlo.add %0, %c : tensor<6xi8>
 %2 = stablehlo.abs %1 : tensor<6xi8>
 %3 = stablehlo.compare LT, %1, %z : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi1>
 %4 = stablehlo.convert %s : (tensor<6xi1>) -> tensor<6xf32>
 %k = stablehlo.constant dense<1000.0> : tensor<6xf32>
 %5 = stablehlo.multiply %d, %k : tensor<6xf32>
 %6 = stablehlo.add %4, %5 : tensor<6xf32>
 %7 = stablehlo.abs %6 : tensor<6xf32>
 return %2, %3, %7 : tensor<6xi8>, tensor<6xi1>, tensor<6xf32>`},
	{name: "remainders of multiples", args: "8xi8 8xi8 8xi8", outs: "8xf32 8xf32", body: `
 %k = stablehlo.constant dense<7> : tensor<8xi8>
 %l = stablehlo.constant dense<1> : tensor<8xi8>
 %0 = stablehlo.and %b, %k : tensor<8xi8>
 %1 = stablehlo.add %0, %l : tensor<8xi8>
 %n = stablehlo.convert %a : (tensor<8xi8>) -> tensor<8xf32>
 %c1 = stablehlo.and %c, %k : tensor<8xi8>
 %m = stablehlo.convert %c1 : (tensor<8xi8>) -> tensor<8xf32>
 %e = stablehlo.constant dense<0.125> : tensor<8xf32>
 %2 = stablehlo.convert %1 : (tensor<8xi8>) -> tensor<8xf32>
 %y = stablehlo.multiply %2, %e : tensor<8xf32>
 %p = stablehlo.add %n, %m : tensor<8xf32>
 %x = stablehlo.multiply %p, %y : tensor<8xf32>
 %r = stablehlo.remainder %x, %y : tensor<8xf32>
 %z = stablehlo.constant dense<[0.25, -0.25, 0.375, 3.0, -7.0, 0.875, 1.125, 1.0]> : tensor<8xf32>
 %w = stablehlo.multiply %p, %z : tensor<8xf32>
 %s = stablehlo.remainder %w, %z : tensor<8xf32>
 return %r, %s : tensor<8xf32>, tensor<8xf32>`},
	{name: "least of five products", args: "2x5xf32 2x5xf32", outs: "2xi32", body: `
 %i = stablehlo.iota dim = 1 : tensor<2x5xi32>
 %inf = stablehlo.constant dense<0x7F800000> : tensor<f32>
 %c = stablehlo.constant dense<0> : tensor<i32>
 %p = stablehlo.multiply %a, %b : tensor<2x5xf32>
 %r:2 = stablehlo.reduce(%p init: %inf), (%i init: %c) across dimensions = [1] : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  reducer(%x: tensor<f32>, %y: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {
   %2 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %5 = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %6 = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
   %7 = stablehlo.and %5, %6 : tensor<i1>
   %8 = stablehlo.or %2, %7 : tensor<i1>
   %9 = stablehlo.select %2, %x, %y : tensor<i1>, tensor<f32>
   %10 = stablehlo.select %8, %j, %k : tensor<i1>, tensor<i32>
   stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
 return %r#1 : tensor<2xi32>`},
}

func TestBitsPrograms(t *testing.T) { runPrograms(t, bitsPrograms, miscSettings) }
