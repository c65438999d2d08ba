module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100x2xf64>, %arg1: tensor<100x2xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[2.0409191213851825, -2.5556650313141818], [0.41809884672577885, -0.56776960612792982], [-0.45264929211044586, -0.2155971630897659], [-2.019986129147251, -0.23193237764418947]]> : tensor<4x2xf64>
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<100x2xf64>, tensor<100x2xf64>) -> tensor<200x2xf64>
    %1 = stablehlo.slice %0 [0:4, 0:2] : (tensor<200x2xf64>) -> tensor<4x2xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %2:4 = stablehlo.while(%iterArg = %0, %iterArg_4 = %c_0, %iterArg_5 = %c, %iterArg_6 = %1) : tensor<200x2xf64>, tensor<i64>, tensor<i64>, tensor<4x2xf64>
    cond {
      %c_7 = stablehlo.constant dense<10> : tensor<i64>
      %14 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14:2 = func.call @closed_call(%iterArg, %iterArg_5, %iterArg_6) : (tensor<200x2xf64>, tensor<i64>, tensor<4x2xf64>) -> (tensor<i64>, tensor<4x2xf64>)
      %c_7 = stablehlo.constant dense<1> : tensor<i64>
      %15 = stablehlo.add %iterArg_4, %c_7 : tensor<i64>
      stablehlo.return %iterArg, %15, %14#0, %14#1 : tensor<200x2xf64>, tensor<i64>, tensor<i64>, tensor<4x2xf64>
    }
    %3 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<200x2xf64>) -> tensor<200x1x2xf64>
    %4 = stablehlo.broadcast_in_dim %2#3, dims = [1, 2] : (tensor<4x2xf64>) -> tensor<1x4x2xf64>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<200x1x2xf64>) -> tensor<200x4x2xf64>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<1x4x2xf64>) -> tensor<200x4x2xf64>
    %7 = stablehlo.subtract %5, %6 : tensor<200x4x2xf64>
    %8 = stablehlo.multiply %7, %7 : tensor<200x4x2xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<200x4x2xf64>, tensor<f64>) -> tensor<200x4xf64>
    %10 = call @argmin(%9) : (tensor<200x4xf64>) -> tensor<200xi64>
    %11 = stablehlo.multiply %2#3, %cst : tensor<4x2xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf64>, tensor<f64>) -> tensor<f64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %13 = stablehlo.add %cst_3, %12 : tensor<f64>
    return %13 : tensor<f64>
  }
  func.func private @closed_call(%arg0: tensor<200x2xf64>, %arg1: tensor<i64>, %arg2: tensor<4x2xf64>) -> (tensor<i64>, tensor<4x2xf64>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg1, %c : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<200x2xf64>) -> tensor<200x1x2xf64>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2] : (tensor<4x2xf64>) -> tensor<1x4x2xf64>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<200x1x2xf64>) -> tensor<200x4x2xf64>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x4x2xf64>) -> tensor<200x4x2xf64>
    %5 = stablehlo.subtract %3, %4 : tensor<200x4x2xf64>
    %6 = stablehlo.multiply %5, %5 : tensor<200x4x2xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<200x4x2xf64>, tensor<f64>) -> tensor<200x4xf64>
    %8 = call @argmin(%7) : (tensor<200x4xf64>) -> tensor<200xi64>
    %9 = call @_one_hot(%8) : (tensor<200xi64>) -> tensor<200x4xf64>
    %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<200x4xf64>) -> tensor<4x200xf64>
    %11 = stablehlo.dot_general %10, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x200xf64>, tensor<200x2xf64>) -> tensor<4x2xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<200x4xf64>, tensor<f64>) -> tensor<4xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<4xf64>
    %14 = stablehlo.maximum %12, %13 : tensor<4xf64>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<4xf64>) -> tensor<4x1xf64>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x2xf64>
    %17 = stablehlo.divide %11, %16 : tensor<4x2xf64>
    return %0, %17 : tensor<i64>, tensor<4x2xf64>
  }
  func.func private @argmin(%arg0: tensor<200x4xf64>) -> tensor<200xi64> {
    %0 = stablehlo.iota dim = 1 : tensor<200x4xi64>
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<200x4xf64>, tensor<200x4xi64>, tensor<f64>, tensor<i64>) -> (tensor<200xf64>, tensor<200xi64>)
     reducer(%arg1: tensor<f64>, %arg3: tensor<f64>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f64>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<f64>, tensor<i64>
    }
    return %1#1 : tensor<200xi64>
  }
  func.func private @_one_hot(%arg0: tensor<200xi64>) -> tensor<200x4xf64> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<200xi64>) -> tensor<200x1xi64>
    %1 = stablehlo.iota dim = 1 : tensor<1x4xi64>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<200x1xi64>) -> tensor<200x4xi64>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi64>) -> tensor<200x4xi64>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<200x4xi64>, tensor<200x4xi64>) -> tensor<200x4xi1>
    %5 = stablehlo.convert %4 : (tensor<200x4xi1>) -> tensor<200x4xf64>
    return %5 : tensor<200x4xf64>
  }
}
