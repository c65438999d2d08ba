module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<4x6xf32>, %arg3: tensor<6xf32>, %arg4: tensor<6x1xf32>) -> (tensor<4x6xf32> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1]"}, tensor<6x1xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<8x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<8x6xf32>
    %4:2 = call @leaky_relu(%3) : (tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xi1>)
    %5 = stablehlo.dot_general %4#0, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf32>, tensor<6x1xf32>) -> tensor<8x1xf32>
    %6 = stablehlo.subtract %5, %arg1 : tensor<8x1xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.divide %cst_0, %cst_1 : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<8x1xf32>
    %12 = stablehlo.dot_general %11, %4#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x1xf32>, tensor<8x6xf32>) -> tensor<1x6xf32>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<1x6xf32>) -> tensor<6x1xf32>
    %14 = stablehlo.dot_general %11, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x1xf32>, tensor<6x1xf32>) -> tensor<8x6xf32>
    %15 = call @leaky_relu_0(%4#1, %14) : (tensor<8x6xi1>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
    %17 = stablehlo.reshape %16 : (tensor<6xf32>) -> tensor<1x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %19 = stablehlo.dot_general %15, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<4x6xf32>
    %23 = stablehlo.subtract %arg2, %22 : tensor<4x6xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %25 = stablehlo.multiply %24, %18 : tensor<6xf32>
    %26 = stablehlo.subtract %arg3, %25 : tensor<6xf32>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %28 = stablehlo.multiply %27, %13 : tensor<6x1xf32>
    %29 = stablehlo.subtract %arg4, %28 : tensor<6x1xf32>
    return %23, %26, %29 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x1xf32>
  }
  func.func private @leaky_relu(%arg0: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %1 = stablehlo.compare GE, %arg0, %0, FLOAT : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %3 = stablehlo.multiply %2, %arg0 : tensor<8x6xf32>
    %4 = call @_where(%1, %arg0, %3) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    return %4, %1 : tensor<8x6xf32>, tensor<8x6xi1>
  }
  func.func private @_where(%arg0: tensor<8x6xi1>, %arg1: tensor<8x6xf32>, %arg2: tensor<8x6xf32>) -> tensor<8x6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8x6xi1>, tensor<8x6xf32>
    return %0 : tensor<8x6xf32>
  }
  func.func private @leaky_relu_0(%arg0: tensor<8x6xi1>, %arg1: tensor<8x6xf32>) -> tensor<8x6xf32> {
    %0:2 = call @_where_1(%arg0, %arg1) : (tensor<8x6xi1>, tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>)
    %cst = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %2 = stablehlo.multiply %1, %0#1 : tensor<8x6xf32>
    %3 = stablehlo.add %0#0, %2 : tensor<8x6xf32>
    return %3 : tensor<8x6xf32>
  }
  func.func private @_where_1(%arg0: tensor<8x6xi1>, %arg1: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<8x6xi1>, tensor<8x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<8x6xi1>, tensor<8x6xf32>
    return %2, %1 : tensor<8x6xf32>, tensor<8x6xf32>
  }
}
