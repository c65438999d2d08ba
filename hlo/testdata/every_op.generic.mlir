"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>, tensor<4x6xi1>, tensor<4x6xcomplex<f32>>, tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>, tensor<4x4xf32>, tensor<6xf32>, tensor<2xui64>, tensor<i1>, tensor<1x4x4x3xf32>, tensor<6x3x1x3xf32>, tensor<2xi64>) -> tensor<f32>, sym_name = "main"}> ({
  ^bb0(%arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>, %arg3: tensor<4x6xi32>, %arg4: tensor<f32>, %arg5: tensor<i32>, %arg6: tensor<4x6xi1>, %arg7: tensor<4x6xcomplex<f32>>, %arg8: tensor<1x8x8x3xf32>, %arg9: tensor<3x3x3x16xf32>, %arg10: tensor<4x4xf32>, %arg11: tensor<6xf32>, %arg12: tensor<2xui64>, %arg13: tensor<i1>, %arg14: tensor<1x4x4x3xf32>, %arg15: tensor<6x3x1x3xf32>, %arg16: tensor<2xi64>):
    %0 = "stablehlo.abs"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %1 = "stablehlo.exponential"(%arg1) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = "stablehlo.tan"(%arg1) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %3 = "stablehlo.exponential"(%arg1) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>}> {foo.bar = 1 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %4 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %5 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
      %189 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%189) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %6 = "stablehlo.all_to_all"(%arg1) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
    %7:3 = "stablehlo.batch_norm_training"(%arg1, %arg11, %arg11) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
    %8 = "stablehlo.batch_norm_inference"(%arg1, %arg11, %arg11, %arg11, %arg11) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %9:3 = "stablehlo.batch_norm_grad"(%arg1, %arg11, %arg11, %arg11, %arg2) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
    %10 = "stablehlo.bitcast_convert"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xi32>
    %11 = "stablehlo.broadcast"(%arg1) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<4x6xf32>) -> tensor<2x3x4x6xf32>
    %12 = "stablehlo.cbrt"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %13 = "stablehlo.cholesky"(%arg10) <{lower = false}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %14 = "stablehlo.cholesky"(%arg10) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %15 = "stablehlo.clamp"(%arg4, %arg1, %arg4) : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %16 = "stablehlo.count_leading_zeros"(%arg3) : (tensor<4x6xi32>) -> tensor<4x6xi32>
    %17 = "stablehlo.collective_broadcast"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %18 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %19 = "stablehlo.compare"(%arg1, %arg2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %20 = "stablehlo.complex"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>>
    %21 = "stablehlo.composite"(%arg1) <{composite_attributes = {k = 1 : i64}, decomposition = @deco, name = "foo.bar", version = 2 : i32}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %22 = "stablehlo.convolution"(%arg8, %arg9) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
    %23 = "stablehlo.convolution"(%arg8, %arg9) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<2x2xi64>, window_strides = array<i64: 2, 2>}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x4x16xf32>
    %24 = "stablehlo.custom_call"(%arg1) <{api_version = 2 : i32, call_target_name = "Sharding", called_computations = [@deco], has_side_effect = true}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %25 = "stablehlo.dot"(%arg10, %arg1) <{precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %26 = "stablehlo.dot"(%arg10, %arg1) : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %27 = "stablehlo.dot_general"(%arg10, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %28 = "stablehlo.dot_general"(%arg10, %arg1) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %29 = "stablehlo.dot_general"(%arg10, %arg1) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x4x4x6xf32>
    %30 = "stablehlo.fft"(%arg7) <{fft_length = array<i64: 6>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %31 = "stablehlo.fft"(%arg1) <{fft_length = array<i64: 6>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    %32 = "stablehlo.get_dimension_size"(%arg1) <{dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<i32>
    %33 = "stablehlo.if"(%arg13) ({
      "stablehlo.return"(%arg4) : (tensor<f32>) -> ()
    }, {
      "stablehlo.return"(%arg4) : (tensor<f32>) -> ()
    }) : (tensor<i1>) -> tensor<f32>
    %34 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %35 = "stablehlo.map"(%arg1, %arg2) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
      %188 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%188) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %36:2 = "stablehlo.optimization_barrier"(%arg1, %arg4) : (tensor<4x6xf32>, tensor<f32>) -> (tensor<4x6xf32>, tensor<f32>)
    %37 = "stablehlo.optimization_barrier"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    "stablehlo.optimization_barrier"() : () -> ()
    %38 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %39 = "stablehlo.replica_id"() : () -> tensor<ui32>
    %40 = "stablehlo.reduce"(%arg1, %arg4) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
      %187 = "stablehlo.subtract"(%arg50, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%187) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %41 = "stablehlo.reduce"(%arg1, %arg4) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %186 = "stablehlo.subtract"(%arg47, %arg48) {foo.bar = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%186) : (tensor<f32>) -> ()
    }) {my.thing = 3 : i64} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %42 = "stablehlo.reduce"(%arg1, %arg4) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %185 = "stablehlo.maximum"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%185) : (tensor<f32>) -> ()
    }) {my.thing = 3 : i64} : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %43 = "stablehlo.reduce_precision"(%arg1) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %44 = "stablehlo.reduce_scatter"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
      %184 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%184) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %45:2 = "stablehlo.rng_bit_generator"(%arg12) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %46 = "stablehlo.constant"() <{value = dense<3> : tensor<1xi64>}> : () -> tensor<1xi64>
    %47 = "stablehlo.rng"(%arg4, %arg4, %46) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
    %48 = "stablehlo.select_and_scatter"(%arg8, %arg14, %arg4) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
      %183 = "stablehlo.compare"(%arg41, %arg42) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%183) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
      %182 = "stablehlo.add"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%182) : (tensor<f32>) -> ()
    }) : (tensor<1x8x8x3xf32>, tensor<1x4x4x3xf32>, tensor<f32>) -> tensor<1x8x8x3xf32>
    %49 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %50 = "stablehlo.torch_index_select"(%arg1, %arg5) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x6xf32>, tensor<i32>) -> tensor<6xf32>
    %51 = "stablehlo.select"(%arg13, %arg1, %arg2) : (tensor<i1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %52 = "stablehlo.while"(%arg5) ({
    ^bb0(%arg38: tensor<i32>):
      %181 = "stablehlo.compare"(%arg38, %arg5) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%181) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg37: tensor<i32>):
      "stablehlo.return"(%arg37) : (tensor<i32>) -> ()
    }) {my.note = "a\22b"} : (tensor<i32>) -> tensor<i32>
    %53 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
    %54 = "stablehlo.constant"() <{value = dense<[[true, false, true, false, true, true, false, true, true]]> : tensor<1x9xi1>}> : () -> tensor<1x9xi1>
    %55 = "stablehlo.constant"() <{value = dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>}> : () -> tensor<2xcomplex<f32>>
    %56 = "stablehlo.constant"() <{value = dense<[(1.000000e+00,2.000000e+00), (0x7F800000,-1.000000e+00)]> : tensor<2xcomplex<f32>>}> : () -> tensor<2xcomplex<f32>>
    %57 = "stablehlo.constant"() <{value = dense<> : tensor<0x3xf32>}> : () -> tensor<0x3xf32>
    %58 = "stablehlo.constant"() <{value = dense<[0xFF80, 1.500000e+00]> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %59 = "stablehlo.constant"() <{value = dense<0x7FF8000000000000> : tensor<f64>}> : () -> tensor<f64>
    %60 = "stablehlo.constant"() <{value = dense<31> : tensor<i32>}> : () -> tensor<i32>
    %61 = "stablehlo.real"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %62 = "stablehlo.imag"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %63 = "stablehlo.is_finite"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %64 = "stablehlo.bitcast_convert"(%arg12) : (tensor<2xui64>) -> tensor<2x4xui16>
    %65 = "stablehlo.dynamic_slice"(%arg1, %arg5, %arg5) <{slice_sizes = array<i64: 2, 3>}> : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %66 = "stablehlo.dynamic_update_slice"(%arg1, %65, %arg5, %arg5) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
    %67 = "stablehlo.pad"(%arg1, %arg4) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 1, -1>, interior_padding = array<i64: 0, 1>}> : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x12xf32>
    %68 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 1, 0>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %69 = "stablehlo.transpose"(%arg10) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %70 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 1>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %71 = "stablehlo.concatenate"(%arg1, %arg2) <{dimension = 1 : i64}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
    %72 = "stablehlo.concatenate"(%arg1) <{dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %73 = "stablehlo.reshape"(%arg1) : (tensor<4x6xf32>) -> tensor<24xf32>
    %74 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x6xf32>
    %75 = "stablehlo.triangular_solve"(%arg10, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %76:2 = "stablehlo.sort"(%arg1, %arg3) <{dimension = -1 : i64}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>, %arg35: tensor<i32>, %arg36: tensor<i32>):
      %180 = "stablehlo.compare"(%arg33, %arg34) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%180) : (tensor<i1>) -> ()
    }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
    %77:2 = "stablehlo.reduce"(%arg1, %arg3, %arg4, %arg5) <{dimensions = array<i64: 1, 0>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<i32>, %arg31: tensor<f32>, %arg32: tensor<i32>):
      "stablehlo.return"(%arg31, %arg32) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    %78 = "stablehlo.reduce_window"(%arg1, %arg4) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %179 = "stablehlo.maximum"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%179) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %79 = "stablehlo.reduce_window"(%arg1, %arg4) <{window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %178 = "stablehlo.maximum"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%178) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
    %80 = "stablehlo.constant"() <{value = dense<[[1], [0], [3]]> : tensor<3x1xi64>}> : () -> tensor<3x1xi64>
    %81 = "stablehlo.gather"(%arg1, %80) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3x1xi64>) -> tensor<3x6xf32>
    %82 = "stablehlo.scatter"(%arg1, %80, %81) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %177 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%177) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<3x1xi64>, tensor<3x6xf32>) -> tensor<4x6xf32>
    %83 = "stablehlo.convolution"(%arg8, %arg15) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[o, 1, i, 0]->[f, 1, b, 0]>, feature_group_count = 3 : i64, lhs_dilation = array<i64: 2, 1>, padding = dense<[[1, 0], [-1, 2]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: true, false>}> : (tensor<1x8x8x3xf32>, tensor<6x3x1x3xf32>) -> tensor<6x5x1x14xf32>
    %84 = "stablehlo.case"(%arg5) ({
      "stablehlo.return"(%arg4) : (tensor<f32>) -> ()
    }, {
      "stablehlo.return"(%arg4) : (tensor<f32>) -> ()
    }) : (tensor<i32>) -> tensor<f32>
    %85 = "func.call"(%arg1) <{callee = @deco}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %86 = "stablehlo.custom_call"(%arg1) <{api_version = 4 : i32, backend_config = {f = 1.500000e+00 : f32, s = "x\0Ay", uplo = 76 : ui8}, call_target_name = "a b", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> {mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=6}, custom>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    "stablehlo.custom_call"() <{call_target_name = "nothing", has_side_effect = true}> : () -> ()
    "stablehlo.while"() ({
      %176 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%176) : (tensor<i1>) -> ()
    }, {
      "stablehlo.return"() : () -> ()
    }) : () -> ()
    %87:3 = "stablehlo.while"(%arg5, %arg1, %arg4) ({
    ^bb0(%arg20: tensor<i32>, %arg21: tensor<4x6xf32>, %arg22: tensor<f32>):
      %175 = "stablehlo.compare"(%arg20, %arg5) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%175) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg17: tensor<i32>, %arg18: tensor<4x6xf32>, %arg19: tensor<f32>):
      "stablehlo.return"(%arg17, %arg18, %arg19) : (tensor<i32>, tensor<4x6xf32>, tensor<f32>) -> ()
    }) : (tensor<i32>, tensor<4x6xf32>, tensor<f32>) -> (tensor<i32>, tensor<4x6xf32>, tensor<f32>)
    %88 = "stablehlo.clamp"(%arg1, %arg2, %arg1) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %89 = "stablehlo.select"(%arg6, %arg1, %arg2) : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %90 = "stablehlo.rng"(%arg4, %arg4, %arg16) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x2xf32>
    %91 = "stablehlo.constant"() <{value = dense<[[1, -2], [0, 9223372036854775807]]> : tensor<2x2xi64>}> : () -> tensor<2x2xi64>
    %92 = "stablehlo.convert"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xi8>
    %93 = "stablehlo.convert"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %94 = "stablehlo.constant"() <{value = dense<"0x010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001010001"> : tensor<129xi1>}> : () -> tensor<129xi1>
    %95 = "stablehlo.constant"() <{value = dense<[1.500000e+00, -0.000000e+00, 0x7C00]> : tensor<3xf16>}> : () -> tensor<3xf16>
    %96 = "stablehlo.constant"() <{value = dense<18446744073709551615> : tensor<ui64>}> : () -> tensor<ui64>
    %97 = "stablehlo.ceil"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %98 = "stablehlo.floor"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %99 = "stablehlo.round_nearest_afz"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %100 = "stablehlo.round_nearest_even"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %101 = "stablehlo.cosine"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %102 = "stablehlo.exponential_minus_one"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %103 = "stablehlo.log"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %104 = "stablehlo.log_plus_one"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %105 = "stablehlo.logistic"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %106 = "stablehlo.negate"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %107 = "stablehlo.rsqrt"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %108 = "stablehlo.sign"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %109 = "stablehlo.sine"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %110 = "stablehlo.sqrt"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %111 = "stablehlo.tanh"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %112 = "stablehlo.not"(%arg3) : (tensor<4x6xi32>) -> tensor<4x6xi32>
    %113 = "stablehlo.popcnt"(%arg3) : (tensor<4x6xi32>) -> tensor<4x6xi32>
    %114 = "stablehlo.add"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %115 = "stablehlo.subtract"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %116 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %117 = "stablehlo.divide"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %118 = "stablehlo.remainder"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %119 = "stablehlo.power"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %120 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %121 = "stablehlo.minimum"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %122 = "stablehlo.atan2"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %123 = "stablehlo.and"(%arg3, %arg3) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %124 = "stablehlo.or"(%arg3, %arg3) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %125 = "stablehlo.xor"(%arg3, %arg3) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %126 = "stablehlo.shift_left"(%arg3, %arg3) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %127 = "stablehlo.shift_right_arithmetic"(%arg3, %arg3) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %128 = "stablehlo.shift_right_logical"(%arg3, %arg3) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %129 = "chlo.acos"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %130 = "chlo.acosh"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %131 = "chlo.asin"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %132 = "chlo.asinh"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %133 = "chlo.atan"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %134 = "chlo.atanh"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %135 = "chlo.bessel_i1e"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %136 = "chlo.cosh"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %137 = "chlo.digamma"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %138 = "chlo.erf"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %139 = "chlo.erf_inv"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %140 = "chlo.erfc"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %141 = "chlo.lgamma"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %142 = "chlo.sinh"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %143 = "chlo.square"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %144 = "chlo.tan"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %145 = "chlo.is_inf"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %146 = "chlo.is_pos_inf"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %147 = "chlo.is_neg_inf"(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %148 = "chlo.conj"(%arg7) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %149 = "chlo.constant"() <{value = dense<2.000000e+00> : tensor<3xf32>}> : () -> tensor<3xf32>
    %150 = "chlo.mulhi"(%arg3, %arg3) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %151:2 = "chlo.top_k"(%arg1) <{k = 2 : i64}> : (tensor<4x6xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %152 = "chlo.next_after"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %153 = "chlo.polygamma"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %154 = "chlo.zeta"(%arg1, %arg2) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %155 = "chlo.broadcast_add"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %156 = "chlo.broadcast_subtract"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %157 = "chlo.broadcast_multiply"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %158 = "chlo.broadcast_divide"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %159 = "chlo.broadcast_remainder"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %160 = "chlo.broadcast_power"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %161 = "chlo.broadcast_maximum"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %162 = "chlo.broadcast_minimum"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %163 = "chlo.broadcast_atan2"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %164 = "chlo.broadcast_next_after"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %165 = "chlo.broadcast_polygamma"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %166 = "chlo.broadcast_zeta"(%arg1, %arg11) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %167 = "chlo.broadcast_and"(%arg3, %arg5) : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %168 = "chlo.broadcast_or"(%arg3, %arg5) : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %169 = "chlo.broadcast_xor"(%arg3, %arg5) : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %170 = "chlo.broadcast_shift_left"(%arg3, %arg5) : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %171 = "chlo.broadcast_shift_right_arithmetic"(%arg3, %arg5) : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %172 = "chlo.broadcast_shift_right_logical"(%arg3, %arg5) : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %173 = "chlo.broadcast_complex"(%arg1, %arg11) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xcomplex<f32>>
    %174 = "chlo.broadcast_compare"(%arg1, %arg11) <{broadcast_dimensions = array<i64: 1>, compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>}> : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xi1>
    %175 = "arith.constant"() <{value = dense<[4, 6]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %176 = "stablehlo.dynamic_iota"(%175) <{iota_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<4x6xi32>
    %177 = "stablehlo.dynamic_broadcast_in_dim"(%arg11, %175) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
    %178 = "stablehlo.dynamic_reshape"(%arg1, %175) : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
    %179 = "arith.constant"() <{value = dense<[[0], [2]]> : tensor<2x1xi64>}> : () -> tensor<2x1xi64>
    %180 = "arith.constant"() <{value = dense<[1, 6]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %181 = "stablehlo.dynamic_gather"(%arg1, %179, %180) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<4x6xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x6xf32>
    "func.return"(%arg4) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x6xf32>) -> tensor<4x6xf32>, sym_name = "deco", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x6xf32>):
    "func.return"(%arg0) : (tensor<4x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
