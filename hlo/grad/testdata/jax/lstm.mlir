module @jit_lstm attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6x5xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<5x32xf32>, %arg3: tensor<8x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<8x3xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<4x6x5xf32>) -> tensor<6x4x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %2:7 = stablehlo.while(%iterArg = %1, %iterArg_3 = %arg2, %iterArg_4 = %arg3, %iterArg_5 = %arg4, %iterArg_6 = %c, %iterArg_7 = %0, %iterArg_8 = %0) : tensor<6x4x5xf32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<i64>, tensor<4x8xf32>, tensor<4x8xf32>
    cond {
      %c_9 = stablehlo.constant dense<6> : tensor<i64>
      %10 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<6x4x5xf32>, tensor<i64>) -> tensor<4x5xf32>
      %11:2 = func.call @closed_call(%iterArg_3, %iterArg_4, %iterArg_5, %iterArg_7, %iterArg_8, %10) : (tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x5xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %12 = stablehlo.add %iterArg_6, %c_9 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_3, %iterArg_4, %iterArg_5, %12, %11#0, %11#1 : tensor<6x4x5xf32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<i64>, tensor<4x8xf32>, tensor<4x8xf32>
    }
    %3 = stablehlo.dot_general %2#5, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %4 = call @log_softmax(%3) : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %5 = stablehlo.multiply %arg1, %4 : tensor<4x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %8 = stablehlo.divide %7, %cst_2 : tensor<f32>
    %9 = stablehlo.negate %8 : tensor<f32>
    return %9 : tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4x5xf32>, %arg1: tensor<i64>) -> tensor<4x5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 5] : (tensor<6x4x5xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x4x5xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x5xf32>) -> tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
  func.func private @closed_call(%arg0: tensor<5x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x5xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5xf32>, tensor<5x32xf32>) -> tensor<4x32xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x32xf32>) -> tensor<4x32xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x32xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<4x32xf32>
    %5 = stablehlo.add %2, %4 : tensor<4x32xf32>
    %6 = stablehlo.slice %5 [0:4, 0:8] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.slice %5 [0:4, 8:16] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %8 = stablehlo.slice %5 [0:4, 16:24] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %9 = stablehlo.slice %5 [0:4, 24:32] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %10 = stablehlo.negate %7 : tensor<4x8xf32>
    %11 = stablehlo.exponential %10 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %13 = stablehlo.add %12, %11 : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %15 = stablehlo.divide %14, %13 : tensor<4x8xf32>
    %16 = stablehlo.multiply %15, %arg4 : tensor<4x8xf32>
    %17 = stablehlo.negate %6 : tensor<4x8xf32>
    %18 = stablehlo.exponential %17 : tensor<4x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %20 = stablehlo.add %19, %18 : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %22 = stablehlo.divide %21, %20 : tensor<4x8xf32>
    %23 = stablehlo.tanh %8 : tensor<4x8xf32>
    %24 = stablehlo.multiply %22, %23 : tensor<4x8xf32>
    %25 = stablehlo.add %16, %24 : tensor<4x8xf32>
    %26 = stablehlo.negate %9 : tensor<4x8xf32>
    %27 = stablehlo.exponential %26 : tensor<4x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %29 = stablehlo.add %28, %27 : tensor<4x8xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %31 = stablehlo.divide %30, %29 : tensor<4x8xf32>
    %32 = stablehlo.tanh %25 : tensor<4x8xf32>
    %33 = stablehlo.multiply %31, %32 : tensor<4x8xf32>
    return %33, %25 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x3xf32>
    %6 = stablehlo.exponential %5 : tensor<4x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.log %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x3xf32>
    return %11 : tensor<4x3xf32>
  }
}
