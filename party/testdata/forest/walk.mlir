module @jit_walk attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<40x4xf32>, %arg1: tensor<3x21xi32>, %arg2: tensor<3x21xf32>, %arg3: tensor<3x21xi32>, %arg4: tensor<3x21xi32>) -> (tensor<40x3xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<3xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xi32>) -> tensor<1x3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3:8 = stablehlo.while(%iterArg = %1, %iterArg_1 = %arg1, %iterArg_2 = %arg0, %iterArg_3 = %arg2, %iterArg_4 = %arg3, %iterArg_5 = %arg4, %iterArg_6 = %c_0, %iterArg_7 = %2) : tensor<1x3xi32>, tensor<3x21xi32>, tensor<40x4xf32>, tensor<3x21xf32>, tensor<3x21xi32>, tensor<3x21xi32>, tensor<i32>, tensor<40x3xi32>
    cond {
      %c_8 = stablehlo.constant dense<5> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_6, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @closed_call(%iterArg, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %iterArg_7) : (tensor<1x3xi32>, tensor<3x21xi32>, tensor<40x4xf32>, tensor<3x21xf32>, tensor<3x21xi32>, tensor<3x21xi32>, tensor<40x3xi32>) -> tensor<40x3xi32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_6, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %5, %4 : tensor<1x3xi32>, tensor<3x21xi32>, tensor<40x4xf32>, tensor<3x21xf32>, tensor<3x21xi32>, tensor<3x21xi32>, tensor<i32>, tensor<40x3xi32>
    }
    return %3#7 : tensor<40x3xi32>
  }
  func.func private @closed_call(%arg0: tensor<1x3xi32>, %arg1: tensor<3x21xi32>, %arg2: tensor<40x4xf32>, %arg3: tensor<3x21xf32>, %arg4: tensor<3x21xi32>, %arg5: tensor<3x21xi32>, %arg6: tensor<40x3xi32>) -> tensor<40x3xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %1 = stablehlo.compare LT, %arg0, %0, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %3 = stablehlo.add %arg0, %2 : tensor<1x3xi32>
    %4 = stablehlo.select %1, %3, %arg0 : tensor<1x3xi1>, tensor<1x3xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %6 = stablehlo.compare LT, %arg6, %5, SIGNED : (tensor<40x3xi32>, tensor<40x3xi32>) -> tensor<40x3xi1>
    %c_2 = stablehlo.constant dense<21> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %8 = stablehlo.add %arg6, %7 : tensor<40x3xi32>
    %9 = stablehlo.select %6, %8, %arg6 : tensor<40x3xi1>, tensor<40x3xi32>
    %10 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<40x3xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<40x3xi32>) -> tensor<40x3x1xi32>
    %12 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<40x3xi32>) -> tensor<40x3x1xi32>
    %13 = stablehlo.concatenate %11, %12, dim = 2 : (tensor<40x3x1xi32>, tensor<40x3x1xi32>) -> tensor<40x3x2xi32>
    %14 = "stablehlo.gather"(%arg1, %13) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x21xi32>, tensor<40x3x2xi32>) -> tensor<40x3xi32>
    %15 = call @take_along_axis(%arg2, %14) : (tensor<40x4xf32>, tensor<40x3xi32>) -> tensor<40x3xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %17 = stablehlo.compare LT, %arg0, %16, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_4 = stablehlo.constant dense<3> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %19 = stablehlo.add %arg0, %18 : tensor<1x3xi32>
    %20 = stablehlo.select %17, %19, %arg0 : tensor<1x3xi1>, tensor<1x3xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %22 = stablehlo.compare LT, %arg6, %21, SIGNED : (tensor<40x3xi32>, tensor<40x3xi32>) -> tensor<40x3xi1>
    %c_6 = stablehlo.constant dense<21> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %24 = stablehlo.add %arg6, %23 : tensor<40x3xi32>
    %25 = stablehlo.select %22, %24, %arg6 : tensor<40x3xi1>, tensor<40x3xi32>
    %26 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<40x3xi32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<40x3xi32>) -> tensor<40x3x1xi32>
    %28 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<40x3xi32>) -> tensor<40x3x1xi32>
    %29 = stablehlo.concatenate %27, %28, dim = 2 : (tensor<40x3x1xi32>, tensor<40x3x1xi32>) -> tensor<40x3x2xi32>
    %30 = "stablehlo.gather"(%arg3, %29) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x21xf32>, tensor<40x3x2xi32>) -> tensor<40x3xf32>
    %31 = stablehlo.compare LE, %15, %30, FLOAT : (tensor<40x3xf32>, tensor<40x3xf32>) -> tensor<40x3xi1>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %33 = stablehlo.compare LT, %arg0, %32, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_8 = stablehlo.constant dense<3> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %35 = stablehlo.add %arg0, %34 : tensor<1x3xi32>
    %36 = stablehlo.select %33, %35, %arg0 : tensor<1x3xi1>, tensor<1x3xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %38 = stablehlo.compare LT, %arg6, %37, SIGNED : (tensor<40x3xi32>, tensor<40x3xi32>) -> tensor<40x3xi1>
    %c_10 = stablehlo.constant dense<21> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %40 = stablehlo.add %arg6, %39 : tensor<40x3xi32>
    %41 = stablehlo.select %38, %40, %arg6 : tensor<40x3xi1>, tensor<40x3xi32>
    %42 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<40x3xi32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<40x3xi32>) -> tensor<40x3x1xi32>
    %44 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<40x3xi32>) -> tensor<40x3x1xi32>
    %45 = stablehlo.concatenate %43, %44, dim = 2 : (tensor<40x3x1xi32>, tensor<40x3x1xi32>) -> tensor<40x3x2xi32>
    %46 = "stablehlo.gather"(%arg4, %45) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x21xi32>, tensor<40x3x2xi32>) -> tensor<40x3xi32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %48 = stablehlo.compare LT, %arg0, %47, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_12 = stablehlo.constant dense<3> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %50 = stablehlo.add %arg0, %49 : tensor<1x3xi32>
    %51 = stablehlo.select %48, %50, %arg0 : tensor<1x3xi1>, tensor<1x3xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %53 = stablehlo.compare LT, %arg6, %52, SIGNED : (tensor<40x3xi32>, tensor<40x3xi32>) -> tensor<40x3xi1>
    %c_14 = stablehlo.constant dense<21> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %55 = stablehlo.add %arg6, %54 : tensor<40x3xi32>
    %56 = stablehlo.select %53, %55, %arg6 : tensor<40x3xi1>, tensor<40x3xi32>
    %57 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<40x3xi32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<40x3xi32>) -> tensor<40x3x1xi32>
    %59 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<40x3xi32>) -> tensor<40x3x1xi32>
    %60 = stablehlo.concatenate %58, %59, dim = 2 : (tensor<40x3x1xi32>, tensor<40x3x1xi32>) -> tensor<40x3x2xi32>
    %61 = "stablehlo.gather"(%arg5, %60) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x21xi32>, tensor<40x3x2xi32>) -> tensor<40x3xi32>
    %62 = call @_where(%31, %46, %61) : (tensor<40x3xi1>, tensor<40x3xi32>, tensor<40x3xi32>) -> tensor<40x3xi32>
    return %62 : tensor<40x3xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<40x4xf32>, %arg1: tensor<40x3xi32>) -> tensor<40x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<40x3xi32>, tensor<40x3xi32>) -> tensor<40x3xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<40x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<40x3xi1>, tensor<40x3xi32>
    %5 = stablehlo.reshape %4 : (tensor<40x3xi32>) -> tensor<40x3x1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40x3x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<40x3x1xi32>, tensor<40x3x1xi32>) -> tensor<40x3x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<40x3x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<40x3x1xi32>, tensor<40x3x1xi32>) -> tensor<40x3x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<40x3x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<40x3x1xi1>, tensor<i1>) -> tensor<40x3xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<40x4xf32>, tensor<40x3x1xi32>) -> tensor<40x3xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x3xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<40x3xi1>, tensor<40x3xf32>
    return %15 : tensor<40x3xf32>
  }
  func.func private @_where(%arg0: tensor<40x3xi1>, %arg1: tensor<40x3xi32>, %arg2: tensor<40x3xi32>) -> tensor<40x3xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<40x3xi1>, tensor<40x3xi32>
    return %0 : tensor<40x3xi32>
  }
}
