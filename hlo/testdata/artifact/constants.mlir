module @jit_constants attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32> {jax.result_info = "result[0]"}, tensor<2x3xi8> {jax.result_info = "result[1]"}, tensor<19xi1> {jax.result_info = "result[2]"}, tensor<4xf16> {jax.result_info = "result[3]"}, tensor<20xi1> {jax.result_info = "result[4]"}, tensor<0x3xui16> {jax.result_info = "result[5]"}, tensor<2xui64> {jax.result_info = "result[6]"}, tensor<2xcomplex<f32>> {jax.result_info = "result[7]"}, tensor<2xi64> {jax.result_info = "result[8]"}, tensor<1xbf16> {jax.result_info = "result[9]"}) {
    %c = stablehlo.constant dense<0> : tensor<ui16>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %c_1 = stablehlo.constant dense<7> : tensor<i8>
    %cst = stablehlo.constant dense<[[0.000000e+00, 0.142857149, 0.285714298, 0.428571433], [0.571428597, 0.714285731, 0.857142865, 1.000000e+00], [1.14285719, 1.28571427, 1.42857146, 1.57142854]]> : tensor<3x4xf32>
    %c_2 = stablehlo.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true]> : tensor<19xi1>
    %cst_3 = stablehlo.constant dense<[5.000000e-01, -2.000000e+00, 0x7C00, 0x7E00]> : tensor<4xf16>
    %c_4 = stablehlo.constant dense<[1, 9223372036854775809]> : tensor<2xui64>
    %cst_5 = stablehlo.constant dense<[(1.000000e+00,2.000000e+00), (-0.000000e+00,-5.000000e-01)]> : tensor<2xcomplex<f32>>
    %c_6 = stablehlo.constant dense<[-3, 4]> : tensor<2xi64>
    %cst_7 = stablehlo.constant dense<9.994500e-04> : tensor<1xbf16>
    %0 = stablehlo.add %arg0, %cst : tensor<3x4xf32>
    %1 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i8>) -> tensor<2x3xi8>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<20xi1>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui16>) -> tensor<0x3xui16>
    return %0, %1, %c_2, %cst_3, %2, %3, %c_4, %cst_5, %c_6, %cst_7 : tensor<3x4xf32>, tensor<2x3xi8>, tensor<19xi1>, tensor<4xf16>, tensor<20xi1>, tensor<0x3xui16>, tensor<2xui64>, tensor<2xcomplex<f32>>, tensor<2xi64>, tensor<1xbf16>
  }
}
