module @jit_dense attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<40x4xf32>, %arg1: tensor<3x21xi32>, %arg2: tensor<3x21xf32>, %arg3: tensor<3x21xi32>, %arg4: tensor<3x21xi32>) -> (tensor<40x63xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg1 : (tensor<3x21xi32>) -> tensor<63xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<63xi32>
    %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<63xi32>
    %4 = stablehlo.add %0, %3 : tensor<63xi32>
    %5 = stablehlo.select %2, %4, %0 : tensor<63xi1>, tensor<63xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<63xi32>) -> tensor<63x1xi32>
    %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 40, 1>}> : (tensor<40x4xf32>, tensor<63x1xi32>) -> tensor<40x63xf32>
    %8 = stablehlo.reshape %arg2 : (tensor<3x21xf32>) -> tensor<63xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<63xf32>) -> tensor<1x63xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x63xf32>) -> tensor<40x63xf32>
    %11 = stablehlo.compare LE, %7, %10, FLOAT : (tensor<40x63xf32>, tensor<40x63xf32>) -> tensor<40x63xi1>
    %12 = stablehlo.reshape %arg3 : (tensor<3x21xi32>) -> tensor<63xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<63xi32>) -> tensor<1x63xi32>
    %14 = stablehlo.reshape %arg4 : (tensor<3x21xi32>) -> tensor<63xi32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<63xi32>) -> tensor<1x63xi32>
    %16 = call @_where(%11, %13, %15) : (tensor<40x63xi1>, tensor<1x63xi32>, tensor<1x63xi32>) -> tensor<40x63xi32>
    return %16 : tensor<40x63xi32>
  }
  func.func private @_where(%arg0: tensor<40x63xi1>, %arg1: tensor<1x63xi32>, %arg2: tensor<1x63xi32>) -> tensor<40x63xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x63xi32>) -> tensor<40x63xi32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x63xi32>) -> tensor<40x63xi32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<40x63xi1>, tensor<40x63xi32>
    return %2 : tensor<40x63xi32>
  }
}
