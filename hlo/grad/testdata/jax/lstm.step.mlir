module @jit_lstm attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6x5xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<5x32xf32>, %arg3: tensor<8x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<8x3xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<5x32xf32> {jax.result_info = "result[1][0]"}, tensor<8x32xf32> {jax.result_info = "result[1][1]"}, tensor<32xf32> {jax.result_info = "result[1][2]"}, tensor<8x3xf32> {jax.result_info = "result[1][3]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<4x6x5xf32>) -> tensor<6x4x5xf32>
    %2 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %15:19 = stablehlo.while(%iterArg = %1, %iterArg_24 = %arg2, %iterArg_25 = %arg3, %iterArg_26 = %2, %iterArg_27 = %c, %iterArg_28 = %0, %iterArg_29 = %0, %iterArg_30 = %3, %iterArg_31 = %4, %iterArg_32 = %5, %iterArg_33 = %6, %iterArg_34 = %7, %iterArg_35 = %8, %iterArg_36 = %9, %iterArg_37 = %10, %iterArg_38 = %11, %iterArg_39 = %12, %iterArg_40 = %13, %iterArg_41 = %14) : tensor<6x4x5xf32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>, tensor<i64>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_42 = stablehlo.constant dense<6> : tensor<i64>
      %39 = stablehlo.compare LT, %iterArg_27, %c_42, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %39 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_27) : (tensor<6x4x5xf32>, tensor<i64>) -> tensor<4x5xf32>
      %40:14 = func.call @closed_call(%iterArg_24, %iterArg_25, %iterArg_26, %iterArg_28, %iterArg_29, %39) : (tensor<5x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x5xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_30, %40#2, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %42 = func.call @dynamic_update_index_in_dim(%iterArg_31, %40#3, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_32, %40#4, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %44 = func.call @dynamic_update_index_in_dim(%iterArg_33, %40#5, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %45 = func.call @dynamic_update_index_in_dim(%iterArg_34, %40#6, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %46 = func.call @dynamic_update_index_in_dim(%iterArg_35, %40#7, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %47 = func.call @dynamic_update_index_in_dim(%iterArg_36, %40#8, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %48 = func.call @dynamic_update_index_in_dim(%iterArg_37, %40#9, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %49 = func.call @dynamic_update_index_in_dim(%iterArg_38, %40#10, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %50 = func.call @dynamic_update_index_in_dim(%iterArg_39, %40#11, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %51 = func.call @dynamic_update_index_in_dim(%iterArg_40, %40#12, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %52 = func.call @dynamic_update_index_in_dim(%iterArg_41, %40#13, %iterArg_27) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<6x4x8xf32>
      %c_42 = stablehlo.constant dense<1> : tensor<i64>
      %53 = stablehlo.add %iterArg_27, %c_42 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_24, %iterArg_25, %iterArg_26, %53, %40#0, %40#1, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52 : tensor<6x4x5xf32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>, tensor<i64>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %16 = stablehlo.dot_general %15#5, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %17:3 = call @log_softmax(%16) : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x1xf32>)
    %18 = stablehlo.multiply %arg1, %17#0 : tensor<4x3xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_13) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %21 = stablehlo.divide %20, %cst_14 : tensor<f32>
    %22 = stablehlo.negate %21 : tensor<f32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.negate %cst_17 : tensor<f32>
    %cst_18 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %26 = stablehlo.divide %25, %cst_18 : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
    %29 = stablehlo.multiply %arg1, %28 : tensor<4x3xf32>
    %30 = call @log_softmax_0(%17#1, %17#2, %29) : (tensor<4x3xf32>, tensor<4x1xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %31 = stablehlo.dot_general %30, %15#5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<4x8xf32>) -> tensor<3x8xf32>
    %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
    %33 = stablehlo.dot_general %30, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<8x3xf32>) -> tensor<4x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<5x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i64>
    %38:20 = stablehlo.while(%iterArg = %1, %iterArg_24 = %15#7, %iterArg_25 = %15#8, %iterArg_26 = %15#9, %iterArg_27 = %15#10, %iterArg_28 = %15#11, %iterArg_29 = %15#12, %iterArg_30 = %15#13, %iterArg_31 = %15#14, %iterArg_32 = %15#15, %iterArg_33 = %15#16, %iterArg_34 = %15#17, %iterArg_35 = %15#18, %iterArg_36 = %arg3, %iterArg_37 = %c_23, %iterArg_38 = %35, %iterArg_39 = %36, %iterArg_40 = %37, %iterArg_41 = %33, %iterArg_42 = %34) : tensor<6x4x5xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x32xf32>, tensor<i64>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    cond {
      %c_43 = stablehlo.constant dense<6> : tensor<i64>
      %39 = stablehlo.compare LT, %iterArg_37, %c_43, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %c_43 = stablehlo.constant dense<6> : tensor<i64>
      %39 = stablehlo.subtract %c_43, %iterArg_37 : tensor<i64>
      %c_44 = stablehlo.constant dense<1> : tensor<i64>
      %40 = stablehlo.subtract %39, %c_44 : tensor<i64>
      %41 = func.call @dynamic_index_in_dim(%iterArg, %40) : (tensor<6x4x5xf32>, tensor<i64>) -> tensor<4x5xf32>
      %42 = func.call @dynamic_index_in_dim_1(%iterArg_24, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %43 = func.call @dynamic_index_in_dim_1(%iterArg_25, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %44 = func.call @dynamic_index_in_dim_1(%iterArg_26, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %45 = func.call @dynamic_index_in_dim_1(%iterArg_27, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %46 = func.call @dynamic_index_in_dim_1(%iterArg_28, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %47 = func.call @dynamic_index_in_dim_1(%iterArg_29, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %48 = func.call @dynamic_index_in_dim_1(%iterArg_30, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %49 = func.call @dynamic_index_in_dim_1(%iterArg_31, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %50 = func.call @dynamic_index_in_dim_1(%iterArg_32, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %51 = func.call @dynamic_index_in_dim_1(%iterArg_33, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %52 = func.call @dynamic_index_in_dim_1(%iterArg_34, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %53 = func.call @dynamic_index_in_dim_1(%iterArg_35, %40) : (tensor<6x4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
      %54:5 = func.call @closed_call_2(%iterArg_36, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53) : (tensor<8x32xf32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x5xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %c_45 = stablehlo.constant dense<1> : tensor<i64>
      %55 = stablehlo.add %iterArg_37, %c_45 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %55, %54#0, %54#1, %54#2, %54#3, %54#4 : tensor<6x4x5xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8x32xf32>, tensor<i64>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<4x8xf32>, tensor<4x8xf32>
    }
    return %22, %38#15, %38#16, %38#17, %32 : tensor<f32>, tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<8x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4x5xf32>, %arg1: tensor<i64>) -> tensor<4x5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 5] : (tensor<6x4x5xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x4x5xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x5xf32>) -> tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
  func.func private @closed_call(%arg0: tensor<5x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<1x32xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x5xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5xf32>, tensor<5x32xf32>) -> tensor<4x32xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x32xf32>) -> tensor<4x32xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x32xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<4x32xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x32xf32>
    %5 = stablehlo.slice %4 [0:4, 0:8] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %6 = stablehlo.slice %4 [0:4, 8:16] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %7 = stablehlo.slice %4 [0:4, 16:24] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %8 = stablehlo.slice %4 [0:4, 24:32] : (tensor<4x32xf32>) -> tensor<4x8xf32>
    %9 = stablehlo.negate %6 : tensor<4x8xf32>
    %10 = stablehlo.exponential %9 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.add %11, %10 : tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %14 = stablehlo.divide %13, %12 : tensor<4x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<4x8xf32>
    %17 = stablehlo.multiply %14, %16 : tensor<4x8xf32>
    %18 = stablehlo.multiply %14, %arg4 : tensor<4x8xf32>
    %19 = stablehlo.negate %5 : tensor<4x8xf32>
    %20 = stablehlo.exponential %19 : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %22 = stablehlo.add %21, %20 : tensor<4x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %24 = stablehlo.divide %23, %22 : tensor<4x8xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %26 = stablehlo.subtract %25, %24 : tensor<4x8xf32>
    %27 = stablehlo.multiply %24, %26 : tensor<4x8xf32>
    %28 = stablehlo.tanh %7 : tensor<4x8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %30 = stablehlo.subtract %29, %28 : tensor<4x8xf32>
    %31 = stablehlo.multiply %24, %28 : tensor<4x8xf32>
    %32 = stablehlo.add %18, %31 : tensor<4x8xf32>
    %33 = stablehlo.negate %8 : tensor<4x8xf32>
    %34 = stablehlo.exponential %33 : tensor<4x8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %36 = stablehlo.add %35, %34 : tensor<4x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %38 = stablehlo.divide %37, %36 : tensor<4x8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %40 = stablehlo.subtract %39, %38 : tensor<4x8xf32>
    %41 = stablehlo.multiply %38, %40 : tensor<4x8xf32>
    %42 = stablehlo.tanh %32 : tensor<4x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %44 = stablehlo.subtract %43, %42 : tensor<4x8xf32>
    %45 = stablehlo.multiply %38, %42 : tensor<4x8xf32>
    return %45, %32, %arg3, %17, %arg4, %14, %27, %28, %30, %24, %41, %42, %44, %38 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i64>) -> tensor<6x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<6x4x8xf32>
    return %1 : tensor<6x4x8xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x1xf32>) {
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
    return %11, %6, %8 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x1xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<4x3xf32>, %arg1: tensor<4x1xf32>, %arg2: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %0 = stablehlo.negate %arg2 : tensor<4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<4x3xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<4x3xf32>
    return %7 : tensor<4x3xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<6x4x8xf32>, %arg1: tensor<i64>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<8x32xf32>, %arg1: tensor<5x32xf32>, %arg2: tensor<8x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x5xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x8xf32>, %arg9: tensor<4x8xf32>, %arg10: tensor<4x8xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<4x8xf32>, %arg13: tensor<4x8xf32>, %arg14: tensor<4x8xf32>, %arg15: tensor<4x8xf32>, %arg16: tensor<4x8xf32>, %arg17: tensor<4x8xf32>, %arg18: tensor<4x8xf32>) -> (tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.multiply %arg18, %arg4 : tensor<4x8xf32>
    %1 = stablehlo.multiply %arg4, %arg16 : tensor<4x8xf32>
    %2 = stablehlo.multiply %0, %arg17 : tensor<4x8xf32>
    %3 = stablehlo.add %arg5, %2 : tensor<4x8xf32>
    %4 = stablehlo.multiply %2, %arg16 : tensor<4x8xf32>
    %5 = stablehlo.add %3, %4 : tensor<4x8xf32>
    %6 = stablehlo.multiply %1, %arg15 : tensor<4x8xf32>
    %7 = stablehlo.multiply %arg14, %5 : tensor<4x8xf32>
    %8 = stablehlo.multiply %5, %arg12 : tensor<4x8xf32>
    %9 = stablehlo.multiply %7, %arg13 : tensor<4x8xf32>
    %10 = stablehlo.multiply %9, %arg12 : tensor<4x8xf32>
    %11 = stablehlo.add %9, %10 : tensor<4x8xf32>
    %12 = stablehlo.multiply %8, %arg11 : tensor<4x8xf32>
    %13 = stablehlo.multiply %arg10, %5 : tensor<4x8xf32>
    %14 = stablehlo.multiply %5, %arg9 : tensor<4x8xf32>
    %15 = stablehlo.multiply %14, %arg8 : tensor<4x8xf32>
    %16 = stablehlo.concatenate %12, %15, %11, %6, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x32xf32>, tensor<f32>) -> tensor<32xf32>
    %18 = stablehlo.reshape %17 : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %20 = stablehlo.add %arg3, %19 : tensor<32xf32>
    %21 = stablehlo.dot_general %16, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<4x8xf32>) -> tensor<32x8xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %23 = stablehlo.add %arg2, %22 : tensor<8x32xf32>
    %24 = stablehlo.dot_general %16, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<8x32xf32>) -> tensor<4x8xf32>
    %25 = stablehlo.dot_general %16, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<4x5xf32>) -> tensor<32x5xf32>
    %26 = stablehlo.transpose %25, dims = [1, 0] : (tensor<32x5xf32>) -> tensor<5x32xf32>
    %27 = stablehlo.add %arg1, %26 : tensor<5x32xf32>
    return %27, %23, %20, %24, %13 : tensor<5x32xf32>, tensor<8x32xf32>, tensor<32xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
}
