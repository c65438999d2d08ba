module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<4x6xf32>, %arg3: tensor<6xf32>, %arg4: tensor<6x1xf32>) -> (tensor<4x6xf32> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1]"}, tensor<6x1xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<8x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<8x6xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %5 = stablehlo.maximum %3, %4 : tensor<8x6xf32>
    %6 = stablehlo.compare EQ, %3, %5, FLOAT : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %9 = stablehlo.select %6, %7, %8 : tensor<8x6xi1>, tensor<8x6xf32>
    %cst_2 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %11 = stablehlo.compare EQ, %10, %5, FLOAT : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %14 = stablehlo.select %11, %12, %13 : tensor<8x6xi1>, tensor<8x6xf32>
    %15 = stablehlo.divide %9, %14 : tensor<8x6xf32>
    %16 = stablehlo.dot_general %5, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf32>, tensor<6x1xf32>) -> tensor<8x1xf32>
    %17 = stablehlo.subtract %16, %arg1 : tensor<8x1xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<8x1xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %20 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %22 = stablehlo.multiply %21, %19 : tensor<8x1xf32>
    %23 = stablehlo.dot_general %22, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x1xf32>, tensor<8x6xf32>) -> tensor<1x6xf32>
    %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<1x6xf32>) -> tensor<6x1xf32>
    %25 = stablehlo.dot_general %22, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x1xf32>, tensor<6x1xf32>) -> tensor<8x6xf32>
    %26 = stablehlo.multiply %25, %15 : tensor<8x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
    %28 = stablehlo.reshape %27 : (tensor<6xf32>) -> tensor<1x6xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %30 = stablehlo.dot_general %26, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<4x6xf32>
    %34 = stablehlo.subtract %arg2, %33 : tensor<4x6xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %36 = stablehlo.multiply %35, %29 : tensor<6xf32>
    %37 = stablehlo.subtract %arg3, %36 : tensor<6xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %39 = stablehlo.multiply %38, %24 : tensor<6x1xf32>
    %40 = stablehlo.subtract %arg4, %39 : tensor<6x1xf32>
    return %34, %37, %40 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x1xf32>
  }
}
