module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf64>, %arg1: tensor<3x5xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[-0.27560290529937043, 1.2940638143982073, 1.0067243153057943, -2.7111624789659685, -1.8890132459676727], [-0.17477209205516195, -0.42219041157635356, 0.2136429974986111, 0.21732193102256359, 2.1178387550510482], [-1.1120207626922813, -0.37760500712699807, 2.0427716074923303, 0.6467029962018469, 0.66306337237626167]]> : tensor<3x5xf64>
    %0 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<3x5xf64>) -> tensor<5x3xf64>
    %1 = stablehlo.dot_general %0, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf64>, tensor<3x5xf64>) -> tensor<5x5xf64>
    %2 = stablehlo.dot_general %arg0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
    %cst_0 = stablehlo.constant dense<2.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<3x5xf64>
    %5 = chlo.square %arg1 : tensor<3x5xf64> -> tensor<3x5xf64>
    %6 = stablehlo.compare GT, %arg0, %5, FLOAT : (tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xi1>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %8 = stablehlo.multiply %5, %7 : tensor<3x5xf64>
    %9 = call @_where(%6, %arg0, %8) : (tensor<3x5xi1>, tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>
    %10 = stablehlo.slice %arg1 [0:3, 0:1] : (tensor<3x5xf64>) -> tensor<3x1xf64>
    %11 = stablehlo.reshape %10 : (tensor<3x1xf64>) -> tensor<3xf64>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %13 = stablehlo.multiply %11, %12 : tensor<3xf64>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %15 = "stablehlo.scatter"(%arg1, %14, %13) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      stablehlo.return %arg3 : tensor<f64>
    }) : (tensor<3x5xf64>, tensor<1xi32>, tensor<3xf64>) -> tensor<3x5xf64>
    %16 = stablehlo.subtract %arg0, %4 : tensor<3x5xf64>
    %17 = stablehlo.multiply %arg1, %15 : tensor<3x5xf64>
    %18 = stablehlo.tanh %17 : tensor<3x5xf64>
    %19 = stablehlo.multiply %18, %cst : tensor<3x5xf64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %21 = stablehlo.sine %16 : tensor<3x5xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %22 = stablehlo.reduce(%21 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %23 = stablehlo.add %20, %22 : tensor<f64>
    return %23 : tensor<f64>
  }
  func.func private @_where(%arg0: tensor<3x5xi1>, %arg1: tensor<3x5xf64>, %arg2: tensor<3x5xf64>) -> tensor<3x5xf64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x5xi1>, tensor<3x5xf64>
    return %0 : tensor<3x5xf64>
  }
}
