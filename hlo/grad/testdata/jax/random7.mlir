module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf64>, %arg1: tensor<3x5xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[0, 1, 0]> : tensor<3xi64>
    %cst = stablehlo.constant dense<[[0.25811026702099754, -1.6394479624476481, 0.36015523223738599, -0.11849769951697288, -0.23974784920156203], [-0.15530166200229314, 0.21897170507821917, -1.8163956614546406, 1.5524665679968663, -0.86144167328856824], [-2.2413678581872873, -0.081974493834841039, 1.4574804175244145, -0.51860097110323977, 1.5512756209056682]]> : tensor<3x5xf64>
    %cst_0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %cst_1 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %2 = stablehlo.maximum %1, %0 : tensor<3xf64>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x5xf64>
    %6 = stablehlo.exponential %5 : tensor<3x5xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %10 = stablehlo.divide %6, %9 : tensor<3x5xf64>
    %11 = stablehlo.multiply %arg1, %arg1 : tensor<3x5xf64>
    %12 = stablehlo.multiply %11, %arg1 : tensor<3x5xf64>
    %13 = stablehlo.add %arg1, %arg0 : tensor<3x5xf64>
    %14 = stablehlo.multiply %arg0, %arg0 : tensor<3x5xf64>
    %cst_3 = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %16 = stablehlo.add %15, %14 : tensor<3x5xf64>
    %17 = stablehlo.divide %arg0, %16 : tensor<3x5xf64>
    %18 = stablehlo.slice %arg1 [0:3, 0:3] : (tensor<3x5xf64>) -> tensor<3x3xf64>
    %c_4 = stablehlo.constant dense<0> : tensor<i64>
    %19 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i64>) -> tensor<3xi64>
    %20 = stablehlo.compare LT, %c, %19, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %c_5 = stablehlo.constant dense<5> : tensor<i64>
    %21 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i64>) -> tensor<3xi64>
    %22 = stablehlo.add %c, %21 : tensor<3xi64>
    %23 = stablehlo.select %20, %22, %c : tensor<3xi1>, tensor<3xi64>
    %24 = stablehlo.convert %23 : (tensor<3xi64>) -> tensor<3xi32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %26 = "stablehlo.scatter"(%arg1, %25, %18) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %37 = stablehlo.add %arg2, %arg3 : tensor<f64>
      stablehlo.return %37 : tensor<f64>
    }) : (tensor<3x5xf64>, tensor<3x1xi32>, tensor<3x3xf64>) -> tensor<3x5xf64>
    %27 = stablehlo.multiply %26, %26 : tensor<3x5xf64>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %29 = stablehlo.add %28, %27 : tensor<3x5xf64>
    %30 = stablehlo.atan2 %13, %29 : tensor<3x5xf64>
    %31 = stablehlo.tanh %30 : tensor<3x5xf64>
    %32 = stablehlo.multiply %31, %cst : tensor<3x5xf64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %33 = stablehlo.reduce(%32 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %34 = stablehlo.sine %26 : tensor<3x5xf64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %35 = stablehlo.reduce(%34 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %36 = stablehlo.add %33, %35 : tensor<f64>
    return %36 : tensor<f64>
  }
}
