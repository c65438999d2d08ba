module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf64>, %arg1: tensor<3x5xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[1.3837097563119558, -0.90584314082240869, -0.81631472969090713, 0.081303056294034434, 0.28143083650814188], [-1.5989883258714874, -1.7307241895763841, 0.35507840315793449, -0.86218807282687127, 1.2083570546510172], [0.39454619699169213, 0.30718460927779667, 0.20844262818972811, 0.89547509226240163, -0.15304614543239811]]> : tensor<3x5xf64>
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3x5xf64>
    %cst_0 = stablehlo.constant dense<1.100000e+00> : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %2 = stablehlo.add %1, %0 : tensor<3x5xf64>
    %3 = stablehlo.power %2, %arg0 : tensor<3x5xf64>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [2, 3] : (tensor<3x5xf64>) -> tensor<1x1x3x5xf64>
    %5 = stablehlo.slice %3 [0:2, 0:2] : (tensor<3x5xf64>) -> tensor<2x2xf64>
    %6 = stablehlo.broadcast_in_dim %5, dims = [2, 3] : (tensor<2x2xf64>) -> tensor<1x1x2x2xf64>
    %7 = stablehlo.convolution(%4, %6) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x5xf64>, tensor<1x1x2x2xf64>) -> tensor<1x1x3x5xf64>
    %8 = stablehlo.reshape %7 : (tensor<1x1x3x5xf64>) -> tensor<3x5xf64>
    %cst_1 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %9 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %cst_2 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %11 = stablehlo.maximum %10, %9 : tensor<3xf64>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %14 = stablehlo.subtract %arg0, %13 : tensor<3x5xf64>
    %15 = stablehlo.exponential %14 : tensor<3x5xf64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %19 = stablehlo.divide %15, %18 : tensor<3x5xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %22:4 = stablehlo.while(%iterArg = %arg0, %iterArg_12 = %c, %iterArg_13 = %20, %iterArg_14 = %21) : tensor<3x5xf64>, tensor<i64>, tensor<5xf64>, tensor<3x5xf64>
    cond {
      %c_15 = stablehlo.constant dense<3> : tensor<i64>
      %40 = stablehlo.compare LT, %iterArg_12, %c_15, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %40 : tensor<i1>
    } do {
      %40 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_12) : (tensor<3x5xf64>, tensor<i64>) -> tensor<5xf64>
      %41:2 = func.call @closed_call(%iterArg_13, %40) : (tensor<5xf64>, tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>)
      %42 = func.call @dynamic_update_index_in_dim(%iterArg_14, %41#1, %iterArg_12) : (tensor<3x5xf64>, tensor<5xf64>, tensor<i64>) -> tensor<3x5xf64>
      %c_15 = stablehlo.constant dense<1> : tensor<i64>
      %43 = stablehlo.add %iterArg_12, %c_15 : tensor<i64>
      stablehlo.return %iterArg, %43, %41#0, %42 : tensor<3x5xf64>, tensor<i64>, tensor<5xf64>, tensor<3x5xf64>
    }
    %23 = stablehlo.slice %arg0 [0:3, 0:1] : (tensor<3x5xf64>) -> tensor<3x1xf64>
    %24 = stablehlo.reshape %23 : (tensor<3x1xf64>) -> tensor<3xf64>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %26 = stablehlo.multiply %24, %25 : tensor<3xf64>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %28 = "stablehlo.scatter"(%arg0, %27, %26) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      stablehlo.return %arg3 : tensor<f64>
    }) : (tensor<3x5xf64>, tensor<1xi32>, tensor<3xf64>) -> tensor<3x5xf64>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f64>
    %29 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %30 = stablehlo.compare GT, %8, %29, FLOAT : (tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xi1>
    %cst_9 = stablehlo.constant dense<3.000000e-01> : tensor<f64>
    %31 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %32 = stablehlo.multiply %31, %8 : tensor<3x5xf64>
    %33 = call @_where(%30, %8, %32) : (tensor<3x5xi1>, tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>
    %34 = stablehlo.tanh %33 : tensor<3x5xf64>
    %35 = stablehlo.multiply %34, %cst : tensor<3x5xf64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %36 = stablehlo.reduce(%35 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %37 = stablehlo.sine %28 : tensor<3x5xf64>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %38 = stablehlo.reduce(%37 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %39 = stablehlo.add %36, %38 : tensor<f64>
    return %39 : tensor<f64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x5xf64>, %arg1: tensor<i64>) -> tensor<5xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 5] : (tensor<3x5xf64>, tensor<i64>, tensor<i64>) -> tensor<1x5xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x5xf64>) -> tensor<5xf64>
    return %1 : tensor<5xf64>
  }
  func.func private @closed_call(%arg0: tensor<5xf64>, %arg1: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>) {
    %cst = stablehlo.constant dense<9.000000e-01> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %1 = stablehlo.multiply %arg0, %0 : tensor<5xf64>
    %2 = stablehlo.tanh %arg1 : tensor<5xf64>
    %3 = stablehlo.add %1, %2 : tensor<5xf64>
    return %3, %arg0 : tensor<5xf64>, tensor<5xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x5xf64>, %arg1: tensor<5xf64>, %arg2: tensor<i64>) -> tensor<3x5xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<5xf64>) -> tensor<1x5xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<3x5xf64>, tensor<1x5xf64>, tensor<i64>, tensor<i64>) -> tensor<3x5xf64>
    return %1 : tensor<3x5xf64>
  }
  func.func private @_where(%arg0: tensor<3x5xi1>, %arg1: tensor<3x5xf64>, %arg2: tensor<3x5xf64>) -> tensor<3x5xf64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x5xi1>, tensor<3x5xf64>
    return %0 : tensor<3x5xf64>
  }
}
