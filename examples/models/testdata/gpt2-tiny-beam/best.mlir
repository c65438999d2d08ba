module @jit_best attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xi32>, %arg1: tensor<48xf32>, %arg2: tensor<48x16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64x16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16x64xf32>, %arg13: tensor<16xf32>, %arg14: tensor<16xf32>, %arg15: tensor<32x16xf32>, %arg16: tensor<48x16xf32>, %arg17: tensor<3x1xi32>, %arg18: tensor<3x10xi32>, %arg19: tensor<3xf32>, %arg20: tensor<3x10xi32>, %arg21: tensor<3xf32>, %arg22: tensor<3xi1>, %arg23: tensor<10xi32>, %arg24: tensor<10xf32>, %arg25: tensor<i32>, %arg26: tensor<i1>, %arg27: tensor<3x16xi32>, %arg28: tensor<3x1xi32>, %arg29: tensor<3x16x2x8xf32>, %arg30: tensor<3x16x2x8xf32>) -> (tensor<10xi32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<3x1xi32> {jax.result_info = "result[2]"}, tensor<3x10xi32> {jax.result_info = "result[3]"}, tensor<3xf32> {jax.result_info = "result[4]"}, tensor<3x10xi32> {jax.result_info = "result[5]"}, tensor<3xf32> {jax.result_info = "result[6]"}, tensor<3xi1> {jax.result_info = "result[7]"}, tensor<10xi32> {jax.result_info = "result[8]"}, tensor<10xf32> {jax.result_info = "result[9]"}, tensor<i32> {jax.result_info = "result[10]"}, tensor<i1> {jax.result_info = "result[11]"}, tensor<3x16xi32> {jax.result_info = "result[12]"}, tensor<3x1xi32> {jax.result_info = "result[13]"}, tensor<3x16x2x8xf32> {jax.result_info = "result[14]"}, tensor<3x16x2x8xf32> {jax.result_info = "result[15]"}) {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.reduce(%arg22 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
    %1 = stablehlo.slice %arg20 [0:1, 0:10] : (tensor<3x10xi32>) -> tensor<1x10xi32>
    %2 = stablehlo.reshape %1 : (tensor<1x10xi32>) -> tensor<10xi32>
    %3 = stablehlo.slice %arg18 [0:1, 0:10] : (tensor<3x10xi32>) -> tensor<1x10xi32>
    %4 = stablehlo.reshape %3 : (tensor<1x10xi32>) -> tensor<10xi32>
    %5 = call @_where(%0, %2, %4) : (tensor<i1>, tensor<10xi32>, tensor<10xi32>) -> tensor<10xi32>
    %6 = stablehlo.slice %arg21 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = stablehlo.slice %arg19 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %9 = stablehlo.reshape %8 : (tensor<1xf32>) -> tensor<f32>
    %10 = call @_where_0(%0, %7, %9) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    return %5, %10, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30 : tensor<10xi32>, tensor<f32>, tensor<3x1xi32>, tensor<3x10xi32>, tensor<3xf32>, tensor<3x10xi32>, tensor<3xf32>, tensor<3xi1>, tensor<10xi32>, tensor<10xf32>, tensor<i32>, tensor<i1>, tensor<3x16xi32>, tensor<3x1xi32>, tensor<3x16x2x8xf32>, tensor<3x16x2x8xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<10xi32>, %arg2: tensor<10xi32>) -> tensor<10xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<10xi32>
    return %0 : tensor<10xi32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<f32>
    return %0 : tensor<f32>
  }
}
