module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf64>, %arg1: tensor<3x5xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[-0.67201468065865588, 0.38018909224899172, -0.11005869527805158, 1.4825711630338569, -1.8296040234453508], [-0.0030809646658509597, -0.89205578832159105, 0.77587184745805948, -2.1180600421850682, -0.34369435009948113], [0.21017292733610196, -1.4842685839963512, 0.98521558285818766, 0.17871342911839619, 1.0068567707070839]]> : tensor<3x5xf64>
    %cst_0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg1, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %34 = stablehlo.maximum %arg2, %arg3 : tensor<f64>
      stablehlo.return %34 : tensor<f64>
    }) : (tensor<3x5xf64>, tensor<f64>) -> tensor<3x5xf64>
    %2 = stablehlo.reverse %arg1, dims = [1] : tensor<3x5xf64>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<3x5xf64>
    %5 = stablehlo.multiply %1, %1 : tensor<3x5xf64>
    %6 = stablehlo.multiply %5, %1 : tensor<3x5xf64>
    %cst_2 = stablehlo.constant dense<4.471500e-02> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %8 = stablehlo.multiply %7, %6 : tensor<3x5xf64>
    %9 = stablehlo.add %1, %8 : tensor<3x5xf64>
    %cst_3 = stablehlo.constant dense<0.79788456080286541> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %11 = stablehlo.multiply %10, %9 : tensor<3x5xf64>
    %12 = stablehlo.tanh %11 : tensor<3x5xf64>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %14 = stablehlo.add %13, %12 : tensor<3x5xf64>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %16 = stablehlo.multiply %15, %14 : tensor<3x5xf64>
    %17 = stablehlo.multiply %1, %16 : tensor<3x5xf64>
    %18 = stablehlo.exponential %1 : tensor<3x5xf64>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f64>
    %19 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %20 = stablehlo.multiply %19, %18 : tensor<3x5xf64>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %22 = stablehlo.add %21, %20 : tensor<3x5xf64>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %23 = stablehlo.reduce(%22 init: %cst_8) applies stablehlo.multiply across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %26 = stablehlo.multiply %25, %18 : tensor<3x5xf64>
    %27 = stablehlo.multiply %17, %17 : tensor<3x5xf64>
    %28 = stablehlo.tanh %27 : tensor<3x5xf64>
    %29 = stablehlo.multiply %28, %cst : tensor<3x5xf64>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %30 = stablehlo.reduce(%29 init: %cst_9) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %31 = stablehlo.sine %26 : tensor<3x5xf64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %32 = stablehlo.reduce(%31 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %33 = stablehlo.add %30, %32 : tensor<f64>
    return %33 : tensor<f64>
  }
}
