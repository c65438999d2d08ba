module {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xi32>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<4x6xi1>, %arg6: tensor<4x6xcomplex<f32>>, %arg7: tensor<1x8x8x3xf32>, %arg8: tensor<3x3x3x16xf32>, %arg9: tensor<4x4xf32>, %arg10: tensor<6xf32>, %arg11: tensor<2xui64>, %arg12: tensor<i1>, %arg13: tensor<1x4x4x3xf32>, %arg14: tensor<6x3x1x3xf32>, %arg15: tensor<2xi64>) -> tensor<f32> {
    %0 = stablehlo.abs %arg6 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %1 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4x6xf32>
    %2 = stablehlo.tan %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4x6xf32>
    %3 = stablehlo.exponential %arg0 {foo.bar = 1 : i32} : tensor<4x6xf32>
    %4 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %5 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %157 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %157 : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %6 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg10, %arg10) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
    %7 = "stablehlo.batch_norm_inference"(%arg0, %arg10, %arg10, %arg10, %arg10) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg10, %arg10, %arg10, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
    %8 = stablehlo.bitcast_convert %arg0 : (tensor<4x6xf32>) -> tensor<4x6xi32>
    %9 = stablehlo.broadcast %arg0, sizes = [2, 3] : (tensor<4x6xf32>) -> tensor<2x3x4x6xf32>
    %10 = stablehlo.cbrt %arg0 : tensor<4x6xf32>
    %11 = stablehlo.cholesky %arg9 : tensor<4x4xf32>
    %12 = stablehlo.cholesky %arg9 : tensor<4x4xf32>
    %13 = stablehlo.clamp %arg3, %arg0, %arg3 : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %14 = stablehlo.count_leading_zeros %arg2 : tensor<4x6xi32>
    %15 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %16 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %17 = stablehlo.compare LT, %arg0, %arg1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %18 = stablehlo.complex %arg0, %arg1 : tensor<4x6xcomplex<f32>>
    %19 = stablehlo.composite "foo.bar" %arg0 {composite_attributes = {k = 1 : i64}, decomposition = @deco, version = 2 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %20 = stablehlo.convolution(%arg7, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
    %21 = stablehlo.convolution(%arg7, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x4x16xf32>
    %22 = stablehlo.custom_call @Sharding(%arg0) {api_version = 2 : i32, called_computations = [@deco], has_side_effect = true} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %23 = stablehlo.dot %arg9, %arg0, precision = [HIGH, DEFAULT] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %24 = stablehlo.dot %arg9, %arg0 : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %25 = stablehlo.dot_general %arg9, %arg0, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %26 = stablehlo.dot_general %arg9, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %27 = stablehlo.dot_general %arg9, %arg0, contracting_dims = [] x [] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x4x4x6xf32>
    %28 = stablehlo.fft %arg6, type = FFT, length = [6] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %29 = stablehlo.fft %arg0, type = RFFT, length = [6] : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    %30 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<4x6xf32>) -> tensor<i32>
    %31 = "stablehlo.if"(%arg12) ({
      stablehlo.return %arg3 : tensor<f32>
    }, {
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    %32 = stablehlo.iota dim = 0 : tensor<4xi32>
    %33 = "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %157 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %157 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %34:2 = stablehlo.optimization_barrier %arg0, %arg3 : tensor<4x6xf32>, tensor<f32>
    %35 = stablehlo.optimization_barrier %arg0 : tensor<4x6xf32>
    stablehlo.optimization_barrier()
    %36 = stablehlo.partition_id : tensor<ui32>
    %37 = stablehlo.replica_id : tensor<ui32>
    %38 = stablehlo.reduce(%arg0 init: %arg3) across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
     reducer(%arg16: tensor<f32>, %arg17: tensor<f32>)  {
      %157 = stablehlo.subtract %arg17, %arg16 : tensor<f32>
      stablehlo.return %157 : tensor<f32>
    }
    %39 = stablehlo.reduce(%arg0 init: %arg3) across dimensions = [0] {my.thing = 3 : i64} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
     reducer(%arg16: tensor<f32>, %arg17: tensor<f32>)  {
      %157 = stablehlo.subtract %arg16, %arg17 {foo.bar = 1 : i64} : tensor<f32>
      stablehlo.return %157 : tensor<f32>
    }
    %40 = stablehlo.reduce(%arg0 init: %arg3) applies stablehlo.maximum across dimensions = [0] {my.thing = 3 : i64} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %41 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4x6xf32>
    %42 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %157 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %157 : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %output_state, %output_0 = stablehlo.rng_bit_generator %arg11, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %c = stablehlo.constant dense<3> : tensor<1xi64>
    %43 = stablehlo.rng %arg3, %arg3, %c, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
    %44 = "stablehlo.select_and_scatter"(%arg7, %arg13, %arg3) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %157 = stablehlo.compare GE, %arg16, %arg17, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %157 : tensor<i1>
    }, {
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %157 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %157 : tensor<f32>
    }) : (tensor<1x8x8x3xf32>, tensor<1x4x4x3xf32>, tensor<f32>) -> tensor<1x8x8x3xf32>
    %45 = stablehlo.slice %arg0 [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %46 = "stablehlo.torch_index_select"(%arg0, %arg4) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x6xf32>, tensor<i32>) -> tensor<6xf32>
    %47 = stablehlo.select %arg12, %arg0, %arg1 : tensor<i1>, tensor<4x6xf32>
    %48 = stablehlo.while(%iterArg = %arg4) : tensor<i32> attributes {my.note = "a\22b"}
    cond {
      %157 = stablehlo.compare LT, %iterArg, %arg4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %157 : tensor<i1>
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
    %49 = stablehlo.real %arg6 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %50 = stablehlo.imag %arg0 : tensor<4x6xf32>
    %51 = stablehlo.is_finite %arg0 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %52 = stablehlo.bitcast_convert %arg11 : (tensor<2xui64>) -> tensor<2x4xui16>
    %53 = stablehlo.dynamic_slice %arg0, %arg4, %arg4, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %54 = stablehlo.dynamic_update_slice %arg0, %53, %arg4, %arg4 : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
    %55 = stablehlo.pad %arg0, %arg3, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x12xf32>
    %56 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %57 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %58 = stablehlo.reverse %arg0, dims = [1] : tensor<4x6xf32>
    %59 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
    %60 = stablehlo.concatenate %arg0, dim = 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %61 = stablehlo.reshape %arg0 : (tensor<4x6xf32>) -> tensor<24xf32>
    %62 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %63 = "stablehlo.triangular_solve"(%arg9, %arg0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %64:2 = "stablehlo.sort"(%arg0, %arg2) <{dimension = -1 : i64}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>, %arg18: tensor<i32>, %arg19: tensor<i32>):
      %157 = stablehlo.compare LT, %arg16, %arg17, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %157 : tensor<i1>
    }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
    %65:2 = stablehlo.reduce(%arg0 init: %arg3), (%arg2 init: %arg4) across dimensions = [1, 0] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg16: tensor<f32>, %arg18: tensor<f32>) (%arg17: tensor<i32>, %arg19: tensor<i32>)  {
      stablehlo.return %arg18, %arg19 : tensor<f32>, tensor<i32>
    }
    %66 = "stablehlo.reduce_window"(%arg0, %arg3) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %157 = stablehlo.maximum %arg16, %arg17 : tensor<f32>
      stablehlo.return %157 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %67 = "stablehlo.reduce_window"(%arg0, %arg3) <{window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %157 = stablehlo.maximum %arg16, %arg17 : tensor<f32>
      stablehlo.return %157 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
    %c_8 = stablehlo.constant dense<[[1], [0], [3]]> : tensor<3x1xi64>
    %68 = "stablehlo.gather"(%arg0, %c_8) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3x1xi64>) -> tensor<3x6xf32>
    %69 = "stablehlo.scatter"(%arg0, %c_8, %68) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %157 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %157 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<3x1xi64>, tensor<3x6xf32>) -> tensor<4x6xf32>
    %70 = stablehlo.convolution(%arg7, %arg14) dim_numbers = [b, 0, 1, f]x[o, 1, i, 0]->[f, 1, b, 0], window = {pad = [[1, 0], [-1, 2]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<6x3x1x3xf32>) -> tensor<6x5x1x14xf32>
    %71 = "stablehlo.case"(%arg4) ({
      stablehlo.return %arg3 : tensor<f32>
    }, {
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    %72 = call @deco(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %73 = stablehlo.custom_call @"a b"(%arg0) {api_version = 4 : i32, backend_config = {f = 1.500000e+00 : f32, s = "x\0Ay", uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=6}, custom>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    stablehlo.custom_call @nothing() {has_side_effect = true} : () -> ()
    stablehlo.while()
    cond {
      %c_13 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c_13 : tensor<i1>
    } do {
      stablehlo.return 
    }
    %74:3 = stablehlo.while(%iterArg = %arg4, %iterArg_13 = %arg0, %iterArg_14 = %arg3) : tensor<i32>, tensor<4x6xf32>, tensor<f32>
    cond {
      %157 = stablehlo.compare LT, %iterArg, %arg4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %157 : tensor<i1>
    } do {
      stablehlo.return %iterArg, %iterArg_13, %iterArg_14 : tensor<i32>, tensor<4x6xf32>, tensor<f32>
    }
    %75 = stablehlo.clamp %arg0, %arg1, %arg0 : tensor<4x6xf32>
    %76 = stablehlo.select %arg5, %arg0, %arg1 : tensor<4x6xi1>, tensor<4x6xf32>
    %77 = stablehlo.rng %arg3, %arg3, %arg15, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x2xf32>
    %c_9 = stablehlo.constant dense<[[1, -2], [0, 9223372036854775807]]> : tensor<2x2xi64>
    %78 = stablehlo.convert %arg0 : (tensor<4x6xf32>) -> tensor<4x6xi8>
    %79 = stablehlo.convert %arg0 : tensor<4x6xf32>
    %c_10 = stablehlo.constant dense<"0x010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001"> : tensor<129xi1>
    %cst_11 = stablehlo.constant dense<[1.500000e+00, -0.000000e+00, 0x7C00]> : tensor<3xf16>
    %c_12 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %80 = stablehlo.ceil %arg0 : tensor<4x6xf32>
    %81 = stablehlo.floor %arg0 : tensor<4x6xf32>
    %82 = stablehlo.round_nearest_afz %arg0 : tensor<4x6xf32>
    %83 = stablehlo.round_nearest_even %arg0 : tensor<4x6xf32>
    %84 = stablehlo.cosine %arg6 : tensor<4x6xcomplex<f32>>
    %85 = stablehlo.exponential_minus_one %arg6 : tensor<4x6xcomplex<f32>>
    %86 = stablehlo.log %arg6 : tensor<4x6xcomplex<f32>>
    %87 = stablehlo.log_plus_one %arg6 : tensor<4x6xcomplex<f32>>
    %88 = stablehlo.logistic %arg6 : tensor<4x6xcomplex<f32>>
    %89 = stablehlo.negate %arg6 : tensor<4x6xcomplex<f32>>
    %90 = stablehlo.rsqrt %arg6 : tensor<4x6xcomplex<f32>>
    %91 = stablehlo.sign %arg6 : tensor<4x6xcomplex<f32>>
    %92 = stablehlo.sine %arg6 : tensor<4x6xcomplex<f32>>
    %93 = stablehlo.sqrt %arg6 : tensor<4x6xcomplex<f32>>
    %94 = stablehlo.tanh %arg6 : tensor<4x6xcomplex<f32>>
    %95 = stablehlo.not %arg2 : tensor<4x6xi32>
    %96 = stablehlo.popcnt %arg2 : tensor<4x6xi32>
    %97 = stablehlo.add %arg0, %arg1 : tensor<4x6xf32>
    %98 = stablehlo.subtract %arg0, %arg1 : tensor<4x6xf32>
    %99 = stablehlo.multiply %arg0, %arg1 : tensor<4x6xf32>
    %100 = stablehlo.divide %arg0, %arg1 : tensor<4x6xf32>
    %101 = stablehlo.remainder %arg0, %arg1 : tensor<4x6xf32>
    %102 = stablehlo.power %arg0, %arg1 : tensor<4x6xf32>
    %103 = stablehlo.maximum %arg0, %arg1 : tensor<4x6xf32>
    %104 = stablehlo.minimum %arg0, %arg1 : tensor<4x6xf32>
    %105 = stablehlo.atan2 %arg0, %arg1 : tensor<4x6xf32>
    %106 = stablehlo.and %arg2, %arg2 : tensor<4x6xi32>
    %107 = stablehlo.or %arg2, %arg2 : tensor<4x6xi32>
    %108 = stablehlo.xor %arg2, %arg2 : tensor<4x6xi32>
    %109 = stablehlo.shift_left %arg2, %arg2 : tensor<4x6xi32>
    %110 = stablehlo.shift_right_arithmetic %arg2, %arg2 : tensor<4x6xi32>
    %111 = stablehlo.shift_right_logical %arg2, %arg2 : tensor<4x6xi32>
    %112 = chlo.acos %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %113 = chlo.acosh %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %114 = chlo.asin %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %115 = chlo.asinh %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %116 = chlo.atan %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %117 = chlo.atanh %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %118 = chlo.bessel_i1e %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %119 = chlo.cosh %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %120 = chlo.digamma %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %121 = chlo.erf %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %122 = chlo.erf_inv %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %123 = chlo.erfc %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %124 = chlo.lgamma %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %125 = chlo.sinh %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %126 = chlo.square %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %127 = chlo.tan %arg0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %128 = chlo.is_inf %arg0 : tensor<4x6xf32> -> tensor<4x6xi1>
    %129 = chlo.is_pos_inf %arg0 : tensor<4x6xf32> -> tensor<4x6xi1>
    %130 = chlo.is_neg_inf %arg0 : tensor<4x6xf32> -> tensor<4x6xi1>
    %131 = chlo.conj %arg6 : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
    %132 = chlo.constant dense<2.000000e+00> : tensor<3xf32>
    %133 = chlo.mulhi %arg2, %arg2 : tensor<4x6xi32>, tensor<4x6xi32> -> tensor<4x6xi32>
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %134 = chlo.next_after %arg0, %arg1 : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<4x6xf32>
    %135 = chlo.polygamma %arg0, %arg1 : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<4x6xf32>
    %136 = chlo.zeta %arg0, %arg1 : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<4x6xf32>
    %137 = chlo.broadcast_add %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %138 = chlo.broadcast_subtract %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %139 = chlo.broadcast_multiply %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %140 = chlo.broadcast_divide %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %141 = chlo.broadcast_remainder %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %142 = chlo.broadcast_power %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %143 = chlo.broadcast_maximum %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %144 = chlo.broadcast_minimum %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %145 = chlo.broadcast_atan2 %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %146 = chlo.broadcast_next_after %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %147 = chlo.broadcast_polygamma %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %148 = chlo.broadcast_zeta %arg0, %arg10 : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %149 = chlo.broadcast_and %arg2, %arg4 : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %150 = chlo.broadcast_or %arg2, %arg4 : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %151 = chlo.broadcast_xor %arg2, %arg4 : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %152 = chlo.broadcast_shift_left %arg2, %arg4 : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %153 = chlo.broadcast_shift_right_arithmetic %arg2, %arg4 : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %154 = chlo.broadcast_shift_right_logical %arg2, %arg4 : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %155 = chlo.broadcast_complex %arg0, %arg10 {broadcast_dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xcomplex<f32>>
    %156 = chlo.broadcast_compare %arg0, %arg10 {broadcast_dimensions = array<i64: 1>, compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xi1>
    %157 = arith.constant dense<[4, 6]> : tensor<2xi64>
    %158 = stablehlo.dynamic_iota %157, dim = 1 : (tensor<2xi64>) -> tensor<4x6xi32>
    %159 = stablehlo.dynamic_broadcast_in_dim %arg10, %157, dims = [1] : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
    %160 = stablehlo.dynamic_reshape %arg0, %157 : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
    %161 = arith.constant dense<[[0], [2]]> : tensor<2x1xi64>
    %162 = arith.constant dense<[1, 6]> : tensor<2xi64>
    %163 = "stablehlo.dynamic_gather"(%arg0, %161, %162) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<4x6xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x6xf32>
    return %arg3 : tensor<f32>
  }
  func.func private @deco(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
    return %arg0 : tensor<4x6xf32>
  }
}
