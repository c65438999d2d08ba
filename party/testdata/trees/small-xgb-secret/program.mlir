module @jit_walk attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x3xf32>, %arg1: tensor<3x13xi32>, %arg2: tensor<3x13xf32>, %arg3: tensor<3x13xi1>, %arg4: tensor<3x13xi32>, %arg5: tensor<3x13xi32>) -> (tensor<24x3xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<3xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xi32>) -> tensor<1x3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %3:10 = stablehlo.while(%iterArg = %1, %iterArg_2 = %arg1, %iterArg_3 = %arg0, %iterArg_4 = %arg3, %iterArg_5 = %arg2, %iterArg_6 = %arg4, %iterArg_7 = %arg5, %iterArg_8 = %c_1, %iterArg_9 = %c_0, %iterArg_10 = %2) : tensor<1x3xi32>, tensor<3x13xi32>, tensor<24x3xf32>, tensor<3x13xi1>, tensor<3x13xf32>, tensor<3x13xi32>, tensor<3x13xi32>, tensor<i64>, tensor<i64>, tensor<24x3xi32>
    cond {
      %c_11 = stablehlo.constant dense<3> : tensor<i64>
      %4 = stablehlo.compare LT, %iterArg_8, %c_11, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_9, %iterArg_10) : (tensor<1x3xi32>, tensor<3x13xi32>, tensor<24x3xf32>, tensor<3x13xi1>, tensor<3x13xf32>, tensor<3x13xi32>, tensor<3x13xi32>, tensor<i64>, tensor<24x3xi32>) -> (tensor<i64>, tensor<24x3xi32>)
      %c_11 = stablehlo.constant dense<1> : tensor<i64>
      %5 = stablehlo.add %iterArg_8, %c_11 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %5, %4#0, %4#1 : tensor<1x3xi32>, tensor<3x13xi32>, tensor<24x3xf32>, tensor<3x13xi1>, tensor<3x13xf32>, tensor<3x13xi32>, tensor<3x13xi32>, tensor<i64>, tensor<i64>, tensor<24x3xi32>
    }
    return %3#9 : tensor<24x3xi32>
  }
  func.func private @closed_call(%arg0: tensor<1x3xi32>, %arg1: tensor<3x13xi32>, %arg2: tensor<24x3xf32>, %arg3: tensor<3x13xi1>, %arg4: tensor<3x13xf32>, %arg5: tensor<3x13xi32>, %arg6: tensor<3x13xi32>, %arg7: tensor<i64>, %arg8: tensor<24x3xi32>) -> (tensor<i64>, tensor<24x3xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg7, %c : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %2 = stablehlo.compare LT, %arg0, %1, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %4 = stablehlo.add %arg0, %3 : tensor<1x3xi32>
    %5 = stablehlo.select %2, %4, %arg0 : tensor<1x3xi1>, tensor<1x3xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %7 = stablehlo.compare LT, %arg8, %6, SIGNED : (tensor<24x3xi32>, tensor<24x3xi32>) -> tensor<24x3xi1>
    %c_3 = stablehlo.constant dense<13> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %9 = stablehlo.add %arg8, %8 : tensor<24x3xi32>
    %10 = stablehlo.select %7, %9, %arg8 : tensor<24x3xi1>, tensor<24x3xi32>
    %11 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<24x3xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %14 = stablehlo.concatenate %12, %13, dim = 2 : (tensor<24x3x1xi32>, tensor<24x3x1xi32>) -> tensor<24x3x2xi32>
    %15 = "stablehlo.gather"(%arg1, %14) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x13xi32>, tensor<24x3x2xi32>) -> tensor<24x3xi32>
    %16 = call @take_along_axis(%arg2, %15) : (tensor<24x3xf32>, tensor<24x3xi32>) -> tensor<24x3xf32>
    %cst = stablehlo.constant dense<-1.09951163E+12> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x3xf32>
    %18 = stablehlo.compare EQ, %16, %17, FLOAT : (tensor<24x3xf32>, tensor<24x3xf32>) -> tensor<24x3xi1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %20 = stablehlo.compare LT, %arg0, %19, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_5 = stablehlo.constant dense<3> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %22 = stablehlo.add %arg0, %21 : tensor<1x3xi32>
    %23 = stablehlo.select %20, %22, %arg0 : tensor<1x3xi1>, tensor<1x3xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %25 = stablehlo.compare LT, %arg8, %24, SIGNED : (tensor<24x3xi32>, tensor<24x3xi32>) -> tensor<24x3xi1>
    %c_7 = stablehlo.constant dense<13> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %27 = stablehlo.add %arg8, %26 : tensor<24x3xi32>
    %28 = stablehlo.select %25, %27, %arg8 : tensor<24x3xi1>, tensor<24x3xi32>
    %29 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<24x3xi32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %31 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %32 = stablehlo.concatenate %30, %31, dim = 2 : (tensor<24x3x1xi32>, tensor<24x3x1xi32>) -> tensor<24x3x2xi32>
    %33 = "stablehlo.gather"(%arg3, %32) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x13xi1>, tensor<24x3x2xi32>) -> tensor<24x3xi1>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %35 = stablehlo.compare LT, %arg0, %34, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_9 = stablehlo.constant dense<3> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %37 = stablehlo.add %arg0, %36 : tensor<1x3xi32>
    %38 = stablehlo.select %35, %37, %arg0 : tensor<1x3xi1>, tensor<1x3xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %40 = stablehlo.compare LT, %arg8, %39, SIGNED : (tensor<24x3xi32>, tensor<24x3xi32>) -> tensor<24x3xi1>
    %c_11 = stablehlo.constant dense<13> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %42 = stablehlo.add %arg8, %41 : tensor<24x3xi32>
    %43 = stablehlo.select %40, %42, %arg8 : tensor<24x3xi1>, tensor<24x3xi32>
    %44 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<24x3xi32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %46 = stablehlo.broadcast_in_dim %43, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %47 = stablehlo.concatenate %45, %46, dim = 2 : (tensor<24x3x1xi32>, tensor<24x3x1xi32>) -> tensor<24x3x2xi32>
    %48 = "stablehlo.gather"(%arg4, %47) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x13xf32>, tensor<24x3x2xi32>) -> tensor<24x3xf32>
    %49 = stablehlo.compare LT, %16, %48, FLOAT : (tensor<24x3xf32>, tensor<24x3xf32>) -> tensor<24x3xi1>
    %50 = call @_where(%18, %33, %49) : (tensor<24x3xi1>, tensor<24x3xi1>, tensor<24x3xi1>) -> tensor<24x3xi1>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %52 = stablehlo.compare LT, %arg0, %51, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_13 = stablehlo.constant dense<3> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %54 = stablehlo.add %arg0, %53 : tensor<1x3xi32>
    %55 = stablehlo.select %52, %54, %arg0 : tensor<1x3xi1>, tensor<1x3xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %57 = stablehlo.compare LT, %arg8, %56, SIGNED : (tensor<24x3xi32>, tensor<24x3xi32>) -> tensor<24x3xi1>
    %c_15 = stablehlo.constant dense<13> : tensor<i32>
    %58 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %59 = stablehlo.add %arg8, %58 : tensor<24x3xi32>
    %60 = stablehlo.select %57, %59, %arg8 : tensor<24x3xi1>, tensor<24x3xi32>
    %61 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<24x3xi32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %63 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %64 = stablehlo.concatenate %62, %63, dim = 2 : (tensor<24x3x1xi32>, tensor<24x3x1xi32>) -> tensor<24x3x2xi32>
    %65 = "stablehlo.gather"(%arg5, %64) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x13xi32>, tensor<24x3x2xi32>) -> tensor<24x3xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %66 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %67 = stablehlo.compare LT, %arg0, %66, SIGNED : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %c_17 = stablehlo.constant dense<3> : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<1x3xi32>
    %69 = stablehlo.add %arg0, %68 : tensor<1x3xi32>
    %70 = stablehlo.select %67, %69, %arg0 : tensor<1x3xi1>, tensor<1x3xi32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %71 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %72 = stablehlo.compare LT, %arg8, %71, SIGNED : (tensor<24x3xi32>, tensor<24x3xi32>) -> tensor<24x3xi1>
    %c_19 = stablehlo.constant dense<13> : tensor<i32>
    %73 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %74 = stablehlo.add %arg8, %73 : tensor<24x3xi32>
    %75 = stablehlo.select %72, %74, %arg8 : tensor<24x3xi1>, tensor<24x3xi32>
    %76 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<24x3xi32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %78 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %79 = stablehlo.concatenate %77, %78, dim = 2 : (tensor<24x3x1xi32>, tensor<24x3x1xi32>) -> tensor<24x3x2xi32>
    %80 = "stablehlo.gather"(%arg6, %79) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x13xi32>, tensor<24x3x2xi32>) -> tensor<24x3xi32>
    %81 = call @_where_0(%50, %65, %80) : (tensor<24x3xi1>, tensor<24x3xi32>, tensor<24x3xi32>) -> tensor<24x3xi32>
    return %0, %81 : tensor<i64>, tensor<24x3xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<24x3xf32>, %arg1: tensor<24x3xi32>) -> tensor<24x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<24x3xi32>, tensor<24x3xi32>) -> tensor<24x3xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<24x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<24x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<24x3xi1>, tensor<24x3xi32>
    %5 = stablehlo.reshape %4 : (tensor<24x3xi32>) -> tensor<24x3x1xi32>
    %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<24x3x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<24x3x1xi32>, tensor<24x3x1xi32>) -> tensor<24x3x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<24x3x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<24x3x1xi32>, tensor<24x3x1xi32>) -> tensor<24x3x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<24x3x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<24x3x1xi1>, tensor<i1>) -> tensor<24x3xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<24x3xf32>, tensor<24x3x1xi32>) -> tensor<24x3xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<24x3xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<24x3xi1>, tensor<24x3xf32>
    return %15 : tensor<24x3xf32>
  }
  func.func private @_where(%arg0: tensor<24x3xi1>, %arg1: tensor<24x3xi1>, %arg2: tensor<24x3xi1>) -> tensor<24x3xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<24x3xi1>, tensor<24x3xi1>
    return %0 : tensor<24x3xi1>
  }
  func.func private @_where_0(%arg0: tensor<24x3xi1>, %arg1: tensor<24x3xi32>, %arg2: tensor<24x3xi32>) -> tensor<24x3xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<24x3xi1>, tensor<24x3xi32>
    return %0 : tensor<24x3xi32>
  }
}
