module @jit_elementwise attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<5xui8>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<5xui8> {jax.result_info = "result[1]"}, tensor<5xui8> {jax.result_info = "result[2]"}, tensor<3x4xi1> {jax.result_info = "result[3]"}, tensor<3x4xbf16> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<3> : tensor<ui8>
    %c_0 = stablehlo.constant dense<7> : tensor<ui8>
    %c_1 = stablehlo.constant dense<2> : tensor<ui8>
    %c_2 = stablehlo.constant dense<1> : tensor<i64>
    %c_3 = stablehlo.constant dense<-1> : tensor<i64>
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %0 = stablehlo.tanh %arg0 : tensor<3x4xf32>
    %1 = stablehlo.abs %arg1 : tensor<3x4xf32>
    %2 = stablehlo.sqrt %1 : tensor<3x4xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<3x4xf32>
    %4 = stablehlo.maximum %arg0, %arg1 : tensor<3x4xf32>
    %5 = stablehlo.multiply %arg1, %arg1 : tensor<3x4xf32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %7 = stablehlo.add %6, %5 : tensor<3x4xf32>
    %8 = stablehlo.divide %4, %7 : tensor<3x4xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<3x4xf32>
    %10 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %11 = call @clip(%arg0, %c_3, %c_2) : (tensor<3x4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x4xf32>
    %12 = call @_where(%10, %9, %11) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui8>) -> tensor<5xui8>
    %14 = stablehlo.shift_left %arg2, %13 : tensor<5xui8>
    %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui8>) -> tensor<5xui8>
    %16 = stablehlo.and %arg2, %15 : tensor<5xui8>
    %17 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui8>) -> tensor<5xui8>
    %18 = stablehlo.xor %16, %17 : tensor<5xui8>
    %19 = stablehlo.is_finite %9 : (tensor<3x4xf32>) -> tensor<3x4xi1>
    %20 = stablehlo.convert %arg0 : (tensor<3x4xf32>) -> tensor<3x4xbf16>
    return %12, %14, %18, %19, %20 : tensor<3x4xf32>, tensor<5xui8>, tensor<5xui8>, tensor<3x4xi1>, tensor<3x4xbf16>
  }
  func.func private @clip(%arg0: tensor<3x4xf32>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<3x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3x4xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<3x4xf32>
    return %5 : tensor<3x4xf32>
  }
  func.func private @_where(%arg0: tensor<3x4xi1>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x4xi1>, tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
