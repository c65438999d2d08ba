module @static_shapes {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>) -> (tensor<4x6xi32>, tensor<4x6xf32>, tensor<6x4xf32>, tensor<2x6xf32>) {
    %c = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
    %c_0 = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi64>
    %c_2 = stablehlo.constant dense<[1, 6]> : tensor<2xi64>
    %0 = stablehlo.dynamic_iota %c, dim = 1 : (tensor<2xi64>) -> tensor<4x6xi32>
    %1 = stablehlo.dynamic_broadcast_in_dim %arg1, %c, dims = [1] : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
    %c_1 = stablehlo.constant dense<[6, 4]> : tensor<2xi64>
    %2 = stablehlo.dynamic_reshape %arg0, %c_1 : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<6x4xf32>
    %3 = "stablehlo.dynamic_gather"(%arg0, %c_0, %c_2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4x6xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x6xf32>
    return %0, %1, %2, %3 : tensor<4x6xi32>, tensor<4x6xf32>, tensor<6x4xf32>, tensor<2x6xf32>
  }
}
