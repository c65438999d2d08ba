module {
  func.func @main(%arg0: tensor<32x20xf32>, %arg1: tensor<32xf32>, %arg2: tensor<3x32xf32>, %arg3: tensor<3xf32>, %arg4: tensor<4x20xf32>) -> tensor<4x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x32xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<1> : tensor<1xi64>
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<32x20xf32>) -> tensor<20x32xf32>
    %1 = stablehlo.dot_general %arg4, %0, contracting_dims = [1] x [0] : (tensor<4x20xf32>, tensor<20x32xf32>) -> tensor<4x32xf32>
    %2 = stablehlo.convert %cst_2 : (tensor<1xi64>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %5 = stablehlo.multiply %1, %4 : tensor<4x32xf32>
    %6 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<4x32xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<4x32xf32>
    %8 = stablehlo.add %5, %7 : tensor<4x32xf32>
    %9 = stablehlo.maximum %8, %cst : tensor<4x32xf32>
    %10 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<3x32xf32>) -> tensor<32x3xf32>
    %11 = stablehlo.dot_general %9, %10, contracting_dims = [1] x [0] : (tensor<4x32xf32>, tensor<32x3xf32>) -> tensor<4x3xf32>
    %12 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<4x3xf32>
    %14 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<4x3xf32>
    %16 = stablehlo.add %13, %15 : tensor<4x3xf32>
    %17 = stablehlo.reduce(%16 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %18 = stablehlo.reshape %17 : (tensor<4xf32>) -> tensor<4x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
    %20 = stablehlo.subtract %16, %19 : tensor<4x3xf32>
    %21 = stablehlo.exponential %20 : tensor<4x3xf32>
    %22 = stablehlo.reduce(%21 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %23 = stablehlo.reshape %22 : (tensor<4xf32>) -> tensor<4x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
    %25 = stablehlo.divide %21, %24 : tensor<4x3xf32>
    return %25 : tensor<4x3xf32>
  }
}
