module {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xi32>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<4x6xi1>, %arg6: tensor<4x6xcomplex<f32>>, %arg7: tensor<1x8x8x3xf32>, %arg8: tensor<3x3x3x16xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<6xf32>, %arg11: tensor<2xui64>, %arg12: tensor<i1>, %arg13: tensor<1x4x4x3xf32>, %arg14: tensor<6x3x1x3xf32>, %arg15: tensor<2xi64>) -> tensor<f32> {
    %0 = stablehlo.abs %arg6 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %1 = stablehlo.exponential %arg0 {foo.bar = 1 : i32} : tensor<4x6xf32>
    %2 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %3 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %106 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %106 : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %4 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg10, %arg10) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
    %5 = "stablehlo.batch_norm_inference"(%arg0, %arg10, %arg10, %arg10, %arg10) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg10, %arg10, %arg10, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
    %6 = stablehlo.bitcast_convert %arg0 : (tensor<4x6xf32>) -> tensor<4x6xi32>
    %7 = stablehlo.broadcast %arg0, sizes = [2, 3] : (tensor<4x6xf32>) -> tensor<2x3x4x6xf32>
    %8 = stablehlo.cbrt %arg0 : tensor<4x6xf32>
    %9 = stablehlo.cholesky %arg9 : tensor<4x4xf32>
    %10 = stablehlo.cholesky %arg9 : tensor<4x4xf32>
    %11 = stablehlo.clamp %arg3, %arg0, %arg3 : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %12 = stablehlo.count_leading_zeros %arg2 : tensor<4x6xi32>
    %13 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %14 = stablehlo.compare LT, %arg0, %arg1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %15 = stablehlo.complex %arg0, %arg1 : tensor<4x6xcomplex<f32>>
    %16 = stablehlo.convolution(%arg7, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
    %17 = stablehlo.convolution(%arg7, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x4x16xf32>
    %18 = stablehlo.custom_call @Sharding(%arg0) {api_version = 2 : i32, called_computations = [@deco], has_side_effect = true} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %19 = stablehlo.dot %arg9, %arg0, precision = [HIGH, DEFAULT] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %20 = stablehlo.dot %arg9, %arg0 : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %21 = stablehlo.dot_general %arg9, %arg0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %22 = stablehlo.dot_general %arg9, %arg0, contracting_dims = [] x [] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x4x4x6xf32>
    %23 = stablehlo.fft %arg6, type = FFT, length = [6] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %24 = stablehlo.fft %arg0, type = RFFT, length = [6] : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    %25 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<4x6xf32>) -> tensor<i32>
    %26 = "stablehlo.if"(%arg12) ({
      stablehlo.return %arg3 : tensor<f32>
    }, {
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    %27 = stablehlo.iota dim = 0 : tensor<4xi32>
    %28 = "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %106 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %106 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %29:2 = stablehlo.optimization_barrier %arg0, %arg3 : tensor<4x6xf32>, tensor<f32>
    %30 = stablehlo.optimization_barrier %arg0 : tensor<4x6xf32>
    stablehlo.optimization_barrier()
    %31 = stablehlo.partition_id : tensor<ui32>
    %32 = stablehlo.replica_id : tensor<ui32>
    %33 = stablehlo.reduce(%arg0 init: %arg3) across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
     reducer(%arg16: tensor<f32>, %arg17: tensor<f32>)  {
      %106 = stablehlo.subtract %arg17, %arg16 : tensor<f32>
      stablehlo.return %106 : tensor<f32>
    }
    %34 = stablehlo.reduce(%arg0 init: %arg3) across dimensions = [0] {my.thing = 3 : i64} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
     reducer(%arg16: tensor<f32>, %arg17: tensor<f32>)  {
      %106 = stablehlo.subtract %arg16, %arg17 {foo.bar = 1 : i64} : tensor<f32>
      stablehlo.return %106 : tensor<f32>
    }
    %35 = stablehlo.reduce(%arg0 init: %arg3) applies stablehlo.maximum across dimensions = [0] {my.thing = 3 : i64} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %36 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4x6xf32>
    %37 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %106 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %106 : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %output_state, %output_0 = stablehlo.rng_bit_generator %arg11, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %c = stablehlo.constant dense<3> : tensor<1xi64>
    %38 = stablehlo.rng %arg3, %arg3, %c, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
    %39 = "stablehlo.select_and_scatter"(%arg7, %arg13, %arg3) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %106 = stablehlo.compare GE, %arg16, %arg17, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %106 : tensor<i1>
    }, {
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %106 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %106 : tensor<f32>
    }) : (tensor<1x8x8x3xf32>, tensor<1x4x4x3xf32>, tensor<f32>) -> tensor<1x8x8x3xf32>
    %40 = stablehlo.slice %arg0 [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %41 = "stablehlo.torch_index_select"(%arg0, %arg4) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x6xf32>, tensor<i32>) -> tensor<6xf32>
    %42 = stablehlo.select %arg12, %arg0, %arg1 : tensor<i1>, tensor<4x6xf32>
    %43 = stablehlo.while(%iterArg = %arg4) : tensor<i32> attributes {my.note = "a\22b"}
    cond {
      %106 = stablehlo.compare LT, %iterArg, %arg4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %106 : tensor<i1>
    } do {
      stablehlo.return %iterArg : tensor<i32>
    }
    %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
    %c_1 = stablehlo.constant dense<[[true, false, true, false, true, true, false, true, true]]> : tensor<1x9xi1>
    %cst_2 = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<[(1.000000e+00,2.000000e+00), (0x7F800000,-1.000000e+00)]> : tensor<2xcomplex<f32>>
    %cst_4 = stablehlo.constant dense<> : tensor<0x3xf32>
    %cst_5 = stablehlo.constant dense<[0xFF80, 1.500000e+00]> : tensor<2xbf16>
    %cst_6 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %c_7 = stablehlo.constant dense<31> : tensor<i32>
    %44 = stablehlo.real %arg6 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %45 = stablehlo.imag %arg0 : tensor<4x6xf32>
    %46 = stablehlo.is_finite %arg0 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %47 = stablehlo.bitcast_convert %arg11 : (tensor<2xui64>) -> tensor<2x4xui16>
    %48 = stablehlo.dynamic_slice %arg0, %arg4, %arg4, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %49 = stablehlo.dynamic_update_slice %arg0, %48, %arg4, %arg4 : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
    %50 = stablehlo.pad %arg0, %arg3, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x12xf32>
    %51 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %52 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %53 = stablehlo.reverse %arg0, dims = [1] : tensor<4x6xf32>
    %54 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
    %55 = stablehlo.concatenate %arg0, dim = 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %56 = stablehlo.reshape %arg0 : (tensor<4x6xf32>) -> tensor<24xf32>
    %57 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %58 = "stablehlo.triangular_solve"(%arg9, %arg0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %59:2 = "stablehlo.sort"(%arg0, %arg2) ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>, %arg18: tensor<i32>, %arg19: tensor<i32>):
      %106 = stablehlo.compare LT, %arg16, %arg17, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %106 : tensor<i1>
    }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
    %60:2 = stablehlo.reduce(%arg0 init: %arg3), (%arg2 init: %arg4) across dimensions = [1, 0] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg16: tensor<f32>, %arg18: tensor<f32>) (%arg17: tensor<i32>, %arg19: tensor<i32>)  {
      stablehlo.return %arg18, %arg19 : tensor<f32>, tensor<i32>
    }
    %61 = "stablehlo.reduce_window"(%arg0, %arg3) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %106 = stablehlo.maximum %arg16, %arg17 : tensor<f32>
      stablehlo.return %106 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %62 = "stablehlo.reduce_window"(%arg0, %arg3) <{window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %106 = stablehlo.maximum %arg16, %arg17 : tensor<f32>
      stablehlo.return %106 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
    %c_8 = stablehlo.constant dense<[[1], [0], [3]]> : tensor<3x1xi64>
    %63 = "stablehlo.gather"(%arg0, %c_8) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3x1xi64>) -> tensor<3x6xf32>
    %64 = "stablehlo.scatter"(%arg0, %c_8, %63) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %106 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %106 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<3x1xi64>, tensor<3x6xf32>) -> tensor<4x6xf32>
    %65 = stablehlo.convolution(%arg7, %arg14) dim_numbers = [b, 0, 1, f]x[o, 1, i, 0]->[f, 1, b, 0], window = {pad = [[1, 0], [-1, 2]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<6x3x1x3xf32>) -> tensor<6x5x1x14xf32>
    %66 = "stablehlo.case"(%arg4) ({
      stablehlo.return %arg3 : tensor<f32>
    }, {
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    %67 = call @deco(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    stablehlo.custom_call @nothing() {has_side_effect = true} : () -> ()
    stablehlo.while()
    cond {
      %c_13 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c_13 : tensor<i1>
    } do {
      stablehlo.return 
    }
    %68:3 = stablehlo.while(%iterArg = %arg4, %iterArg_13 = %arg0, %iterArg_14 = %arg3) : tensor<i32>, tensor<4x6xf32>, tensor<f32>
    cond {
      %106 = stablehlo.compare LT, %iterArg, %arg4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %106 : tensor<i1>
    } do {
      stablehlo.return %iterArg, %iterArg_13, %iterArg_14 : tensor<i32>, tensor<4x6xf32>, tensor<f32>
    }
    %69 = stablehlo.clamp %arg0, %arg1, %arg0 : tensor<4x6xf32>
    %70 = stablehlo.select %arg5, %arg0, %arg1 : tensor<4x6xi1>, tensor<4x6xf32>
    %71 = stablehlo.rng %arg3, %arg3, %arg15, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x2xf32>
    %c_9 = stablehlo.constant dense<[[1, -2], [0, 9223372036854775807]]> : tensor<2x2xi64>
    %72 = stablehlo.convert %arg0 : (tensor<4x6xf32>) -> tensor<4x6xi8>
    %73 = stablehlo.convert %arg0 : tensor<4x6xf32>
    %c_10 = stablehlo.constant dense<"0x010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001"> : tensor<129xi1>
    %cst_11 = stablehlo.constant dense<[1.500000e+00, -0.000000e+00, 0x7C00]> : tensor<3xf16>
    %c_12 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %74 = stablehlo.ceil %arg0 : tensor<4x6xf32>
    %75 = stablehlo.floor %arg0 : tensor<4x6xf32>
    %76 = stablehlo.round_nearest_afz %arg0 : tensor<4x6xf32>
    %77 = stablehlo.round_nearest_even %arg0 : tensor<4x6xf32>
    %78 = stablehlo.cosine %arg6 : tensor<4x6xcomplex<f32>>
    %79 = stablehlo.exponential_minus_one %arg6 : tensor<4x6xcomplex<f32>>
    %80 = stablehlo.log %arg6 : tensor<4x6xcomplex<f32>>
    %81 = stablehlo.log_plus_one %arg6 : tensor<4x6xcomplex<f32>>
    %82 = stablehlo.logistic %arg6 : tensor<4x6xcomplex<f32>>
    %83 = stablehlo.negate %arg6 : tensor<4x6xcomplex<f32>>
    %84 = stablehlo.rsqrt %arg6 : tensor<4x6xcomplex<f32>>
    %85 = stablehlo.sign %arg6 : tensor<4x6xcomplex<f32>>
    %86 = stablehlo.sine %arg6 : tensor<4x6xcomplex<f32>>
    %87 = stablehlo.sqrt %arg6 : tensor<4x6xcomplex<f32>>
    %88 = stablehlo.tanh %arg6 : tensor<4x6xcomplex<f32>>
    %89 = stablehlo.not %arg2 : tensor<4x6xi32>
    %90 = stablehlo.popcnt %arg2 : tensor<4x6xi32>
    %91 = stablehlo.add %arg0, %arg1 : tensor<4x6xf32>
    %92 = stablehlo.subtract %arg0, %arg1 : tensor<4x6xf32>
    %93 = stablehlo.multiply %arg0, %arg1 : tensor<4x6xf32>
    %94 = stablehlo.divide %arg0, %arg1 : tensor<4x6xf32>
    %95 = stablehlo.remainder %arg0, %arg1 : tensor<4x6xf32>
    %96 = stablehlo.power %arg0, %arg1 : tensor<4x6xf32>
    %97 = stablehlo.maximum %arg0, %arg1 : tensor<4x6xf32>
    %98 = stablehlo.minimum %arg0, %arg1 : tensor<4x6xf32>
    %99 = stablehlo.atan2 %arg0, %arg1 : tensor<4x6xf32>
    %100 = stablehlo.and %arg2, %arg2 : tensor<4x6xi32>
    %101 = stablehlo.or %arg2, %arg2 : tensor<4x6xi32>
    %102 = stablehlo.xor %arg2, %arg2 : tensor<4x6xi32>
    %103 = stablehlo.shift_left %arg2, %arg2 : tensor<4x6xi32>
    %104 = stablehlo.shift_right_arithmetic %arg2, %arg2 : tensor<4x6xi32>
    %105 = stablehlo.shift_right_logical %arg2, %arg2 : tensor<4x6xi32>
    return %arg3 : tensor<f32>
  }
  func.func private @deco(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
    return %arg0 : tensor<4x6xf32>
  }
}
