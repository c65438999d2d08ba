module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf64>, %arg1: tensor<3x5xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[0, 1, 0]> : tensor<3xi64>
    %cst = stablehlo.constant dense<[[0.55337847035328946, -0.063085971925289155, -0.58943125803260477, 0.40963782655711695, 0.82985530706132393], [-1.643023371405677, -0.25673012636549403, -0.98074735604401253, -0.17315522486203205, -1.2894187467538587], [0.020690394037591198, -0.037885741044068229, -0.30433775095848897, -1.0479265051202462, -0.39619033047309271]]> : tensor<3x5xf64>
    %0 = stablehlo.slice %arg1 [0:3, 0:3] : (tensor<3x5xf64>) -> tensor<3x3xf64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<3xi64>
    %2 = stablehlo.compare LT, %c, %1, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %c_1 = stablehlo.constant dense<5> : tensor<i64>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<3xi64>
    %4 = stablehlo.add %c, %3 : tensor<3xi64>
    %5 = stablehlo.select %2, %4, %c : tensor<3xi1>, tensor<3xi64>
    %6 = stablehlo.convert %5 : (tensor<3xi64>) -> tensor<3xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %8 = "stablehlo.scatter"(%arg1, %7, %0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %33 = stablehlo.add %arg2, %arg3 : tensor<f64>
      stablehlo.return %33 : tensor<f64>
    }) : (tensor<3x5xf64>, tensor<3x1xi32>, tensor<3x3xf64>) -> tensor<3x5xf64>
    %cst_2 = stablehlo.constant dense<1.000000e-01> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %10 = stablehlo.multiply %9, %arg1 : tensor<3x5xf64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %12 = stablehlo.add %11, %10 : tensor<3x5xf64>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %13 = stablehlo.reduce(%12 init: %cst_4) applies stablehlo.multiply across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %16 = stablehlo.multiply %15, %arg1 : tensor<3x5xf64>
    %17 = stablehlo.add %16, %8 : tensor<3x5xf64>
    %18 = stablehlo.multiply %17, %17 : tensor<3x5xf64>
    %cst_5 = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %20 = stablehlo.add %19, %18 : tensor<3x5xf64>
    %21 = stablehlo.divide %8, %20 : tensor<3x5xf64>
    %22 = stablehlo.dot_general %8, %8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x3xf64>
    %23 = stablehlo.dot_general %22, %8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>
    %cst_6 = stablehlo.constant dense<2.000000e-01> : tensor<f64>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %25 = stablehlo.multiply %23, %24 : tensor<3x5xf64>
    %26 = call @_roll_static(%arg0) : (tensor<3x5xf64>) -> tensor<3x5xf64>
    %27 = stablehlo.tanh %26 : tensor<3x5xf64>
    %28 = stablehlo.multiply %27, %cst : tensor<3x5xf64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %29 = stablehlo.reduce(%28 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %30 = stablehlo.sine %25 : tensor<3x5xf64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %31 = stablehlo.reduce(%30 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %32 = stablehlo.add %29, %31 : tensor<f64>
    return %32 : tensor<f64>
  }
  func.func private @_roll_static(%arg0: tensor<3x5xf64>) -> tensor<3x5xf64> {
    %0 = stablehlo.slice %arg0 [0:3, 4:5] : (tensor<3x5xf64>) -> tensor<3x1xf64>
    %1 = stablehlo.slice %arg0 [0:3, 0:4] : (tensor<3x5xf64>) -> tensor<3x4xf64>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<3x1xf64>, tensor<3x4xf64>) -> tensor<3x5xf64>
    return %2 : tensor<3x5xf64>
  }
}
