module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf64>, %arg1: tensor<3x5xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[-0.23509113107468127, -1.2674464814437032, 0.27126435882170152, 0.15675108662422516, -0.18693094462995438], [-2.5167597108205131, -0.5386928958466366, -0.048500945401071985, 0.11330898600330756, -1.5301357655053935], [-0.47775327603393064, -0.97851907805663951, -0.80883723942559926, 1.0608986233860787, -0.80753467533189649]]> : tensor<3x5xf64>
    %0 = chlo.atan %arg1 : tensor<3x5xf64> -> tensor<3x5xf64>
    %1 = stablehlo.exponential %0 : tensor<3x5xf64>
    %2 = stablehlo.subtract %arg1, %arg1 : tensor<3x5xf64>
    %cst_0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %3 = stablehlo.reduce(%arg1 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %cst_1 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %5 = stablehlo.maximum %4, %3 : tensor<3xf64>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %8 = stablehlo.subtract %arg1, %7 : tensor<3x5xf64>
    %9 = stablehlo.exponential %8 : tensor<3x5xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %13 = stablehlo.divide %9, %12 : tensor<3x5xf64>
    %14 = stablehlo.multiply %2, %2 : tensor<3x5xf64>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %16 = stablehlo.add %15, %14 : tensor<3x5xf64>
    %17 = stablehlo.atan2 %13, %16 : tensor<3x5xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %18 = call @_pad(%17, %c) : (tensor<3x5xf64>, tensor<i64>) -> tensor<3x7xf64>
    %19 = stablehlo.slice %18 [0:3, 0:5] : (tensor<3x7xf64>) -> tensor<3x5xf64>
    %20 = stablehlo.tanh %19 : tensor<3x5xf64>
    %21 = stablehlo.multiply %20, %cst : tensor<3x5xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %22 = stablehlo.reduce(%21 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %23 = stablehlo.sine %17 : tensor<3x5xf64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %24 = stablehlo.reduce(%23 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %25 = stablehlo.add %22, %24 : tensor<f64>
    return %25 : tensor<f64>
  }
  func.func private @_pad(%arg0: tensor<3x5xf64>, %arg1: tensor<i64>) -> tensor<3x7xf64> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f64>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3x7xf64>
    return %1 : tensor<3x7xf64>
  }
}
