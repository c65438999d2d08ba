module @jit_func attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x3x7x7xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<64x64x3x3xf32>, %arg4: tensor<64xf32>, %arg5: tensor<64xf32>, %arg6: tensor<64x64x3x3xf32>, %arg7: tensor<64xf32>, %arg8: tensor<64xf32>, %arg9: tensor<64x64x3x3xf32>, %arg10: tensor<64xf32>, %arg11: tensor<64xf32>, %arg12: tensor<64x64x3x3xf32>, %arg13: tensor<64xf32>, %arg14: tensor<64xf32>, %arg15: tensor<128x64x3x3xf32>, %arg16: tensor<128xf32>, %arg17: tensor<128xf32>, %arg18: tensor<128x128x3x3xf32>, %arg19: tensor<128xf32>, %arg20: tensor<128xf32>, %arg21: tensor<128x64x1x1xf32>, %arg22: tensor<128xf32>, %arg23: tensor<128xf32>, %arg24: tensor<128x128x3x3xf32>, %arg25: tensor<128xf32>, %arg26: tensor<128xf32>, %arg27: tensor<128x128x3x3xf32>, %arg28: tensor<128xf32>, %arg29: tensor<128xf32>, %arg30: tensor<256x128x3x3xf32>, %arg31: tensor<256xf32>, %arg32: tensor<256xf32>, %arg33: tensor<256x256x3x3xf32>, %arg34: tensor<256xf32>, %arg35: tensor<256xf32>, %arg36: tensor<256x128x1x1xf32>, %arg37: tensor<256xf32>, %arg38: tensor<256xf32>, %arg39: tensor<256x256x3x3xf32>, %arg40: tensor<256xf32>, %arg41: tensor<256xf32>, %arg42: tensor<256x256x3x3xf32>, %arg43: tensor<256xf32>, %arg44: tensor<256xf32>, %arg45: tensor<512x256x3x3xf32>, %arg46: tensor<512xf32>, %arg47: tensor<512xf32>, %arg48: tensor<512x512x3x3xf32>, %arg49: tensor<512xf32>, %arg50: tensor<512xf32>, %arg51: tensor<512x256x1x1xf32>, %arg52: tensor<512xf32>, %arg53: tensor<512xf32>, %arg54: tensor<512x512x3x3xf32>, %arg55: tensor<512xf32>, %arg56: tensor<512xf32>, %arg57: tensor<512x512x3x3xf32>, %arg58: tensor<512xf32>, %arg59: tensor<512xf32>, %arg60: tensor<10x512xf32>, %arg61: tensor<10xf32>, %arg62: tensor<64xf32>, %arg63: tensor<64xf32>, %arg64: tensor<i32>, %arg65: tensor<64xf32>, %arg66: tensor<64xf32>, %arg67: tensor<i32>, %arg68: tensor<64xf32>, %arg69: tensor<64xf32>, %arg70: tensor<i32>, %arg71: tensor<64xf32>, %arg72: tensor<64xf32>, %arg73: tensor<i32>, %arg74: tensor<64xf32>, %arg75: tensor<64xf32>, %arg76: tensor<i32>, %arg77: tensor<128xf32>, %arg78: tensor<128xf32>, %arg79: tensor<i32>, %arg80: tensor<128xf32>, %arg81: tensor<128xf32>, %arg82: tensor<i32>, %arg83: tensor<128xf32>, %arg84: tensor<128xf32>, %arg85: tensor<i32>, %arg86: tensor<128xf32>, %arg87: tensor<128xf32>, %arg88: tensor<i32>, %arg89: tensor<128xf32>, %arg90: tensor<128xf32>, %arg91: tensor<i32>, %arg92: tensor<256xf32>, %arg93: tensor<256xf32>, %arg94: tensor<i32>, %arg95: tensor<256xf32>, %arg96: tensor<256xf32>, %arg97: tensor<i32>, %arg98: tensor<256xf32>, %arg99: tensor<256xf32>, %arg100: tensor<i32>, %arg101: tensor<256xf32>, %arg102: tensor<256xf32>, %arg103: tensor<i32>, %arg104: tensor<256xf32>, %arg105: tensor<256xf32>, %arg106: tensor<i32>, %arg107: tensor<512xf32>, %arg108: tensor<512xf32>, %arg109: tensor<i32>, %arg110: tensor<512xf32>, %arg111: tensor<512xf32>, %arg112: tensor<i32>, %arg113: tensor<512xf32>, %arg114: tensor<512xf32>, %arg115: tensor<i32>, %arg116: tensor<512xf32>, %arg117: tensor<512xf32>, %arg118: tensor<i32>, %arg119: tensor<512xf32>, %arg120: tensor<512xf32>, %arg121: tensor<i32>, %arg122: tensor<1x3x64x64xf32>) -> (tensor<1x10xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.convolution(%arg122, %arg0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x64x64xf32>, tensor<64x3x7x7xf32>) -> tensor<1x64x32x32xf32>
    %1 = stablehlo.reshape %arg63 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
    %3 = stablehlo.add %1, %2 : tensor<1x64x1x1xf32>
    %4 = stablehlo.rsqrt %3 : tensor<1x64x1x1xf32>
    %5 = stablehlo.reshape %arg62 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x32x32xf32>
    %7 = stablehlo.subtract %0, %6 : tensor<1x64x32x32xf32>
    %8 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x32x32xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<1x64x32x32xf32>
    %10 = stablehlo.reshape %arg1 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x32x32xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<1x64x32x32xf32>
    %13 = stablehlo.reshape %arg2 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x32x32xf32>
    %15 = stablehlo.add %12, %14 : tensor<1x64x32x32xf32>
    %16 = call @relu(%15) : (tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
    %17 = stablehlo.iota dim = 0 : tensor<1024xi32>
    %18 = stablehlo.reshape %17 : (tensor<1024xi32>) -> tensor<32x32xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [2, 3] : (tensor<32x32xi32>) -> tensor<1x64x32x32xi32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.reduce_window"(%16, %20) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg123: tensor<f32>, %arg124: tensor<f32>):
      %380 = stablehlo.maximum %arg123, %arg124 : tensor<f32>
      stablehlo.return %380 : tensor<f32>
    }) : (tensor<1x64x32x32xf32>, tensor<f32>) -> tensor<1x64x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22:2 = "stablehlo.reduce_window"(%19, %16, %c, %cst_1) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg123: tensor<i32>, %arg124: tensor<f32>, %arg125: tensor<i32>, %arg126: tensor<f32>):
      %380 = stablehlo.compare GE, %arg124, %arg126, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %381 = func.call @_where(%380, %arg123, %arg125) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %382 = func.call @_where_0(%380, %arg124, %arg126) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %381, %382 : tensor<i32>, tensor<f32>
    }) : (tensor<1x64x32x32xi32>, tensor<1x64x32x32xf32>, tensor<i32>, tensor<f32>) -> (tensor<1x64x16x16xi32>, tensor<1x64x16x16xf32>)
    %23 = stablehlo.convolution(%21, %arg3) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x16x16xf32>
    %24 = stablehlo.reshape %arg66 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
    %26 = stablehlo.add %24, %25 : tensor<1x64x1x1xf32>
    %27 = stablehlo.rsqrt %26 : tensor<1x64x1x1xf32>
    %28 = stablehlo.reshape %arg65 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %30 = stablehlo.subtract %23, %29 : tensor<1x64x16x16xf32>
    %31 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %32 = stablehlo.multiply %30, %31 : tensor<1x64x16x16xf32>
    %33 = stablehlo.reshape %arg4 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %35 = stablehlo.multiply %32, %34 : tensor<1x64x16x16xf32>
    %36 = stablehlo.reshape %arg5 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %38 = stablehlo.add %35, %37 : tensor<1x64x16x16xf32>
    %39 = call @relu_1(%38) : (tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
    %40 = stablehlo.convolution(%39, %arg6) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x16x16xf32>
    %41 = stablehlo.reshape %arg69 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
    %43 = stablehlo.add %41, %42 : tensor<1x64x1x1xf32>
    %44 = stablehlo.rsqrt %43 : tensor<1x64x1x1xf32>
    %45 = stablehlo.reshape %arg68 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %47 = stablehlo.subtract %40, %46 : tensor<1x64x16x16xf32>
    %48 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<1x64x16x16xf32>
    %50 = stablehlo.reshape %arg7 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %52 = stablehlo.multiply %49, %51 : tensor<1x64x16x16xf32>
    %53 = stablehlo.reshape %arg8 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %55 = stablehlo.add %52, %54 : tensor<1x64x16x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x64x16x16xf32>
    %57 = stablehlo.multiply %21, %56 : tensor<1x64x16x16xf32>
    %58 = stablehlo.add %55, %57 : tensor<1x64x16x16xf32>
    %59 = call @relu_1(%58) : (tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
    %60 = stablehlo.convolution(%59, %arg9) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x16x16xf32>
    %61 = stablehlo.reshape %arg72 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
    %63 = stablehlo.add %61, %62 : tensor<1x64x1x1xf32>
    %64 = stablehlo.rsqrt %63 : tensor<1x64x1x1xf32>
    %65 = stablehlo.reshape %arg71 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %67 = stablehlo.subtract %60, %66 : tensor<1x64x16x16xf32>
    %68 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<1x64x16x16xf32>
    %70 = stablehlo.reshape %arg10 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %72 = stablehlo.multiply %69, %71 : tensor<1x64x16x16xf32>
    %73 = stablehlo.reshape %arg11 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %75 = stablehlo.add %72, %74 : tensor<1x64x16x16xf32>
    %76 = call @relu_1(%75) : (tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
    %77 = stablehlo.convolution(%76, %arg12) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x64x16x16xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x16x16xf32>
    %78 = stablehlo.reshape %arg75 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %cst_6 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
    %80 = stablehlo.add %78, %79 : tensor<1x64x1x1xf32>
    %81 = stablehlo.rsqrt %80 : tensor<1x64x1x1xf32>
    %82 = stablehlo.reshape %arg74 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %84 = stablehlo.subtract %77, %83 : tensor<1x64x16x16xf32>
    %85 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %86 = stablehlo.multiply %84, %85 : tensor<1x64x16x16xf32>
    %87 = stablehlo.reshape %arg13 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %89 = stablehlo.multiply %86, %88 : tensor<1x64x16x16xf32>
    %90 = stablehlo.reshape %arg14 : (tensor<64xf32>) -> tensor<1x64x1x1xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x16x16xf32>
    %92 = stablehlo.add %89, %91 : tensor<1x64x16x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x64x16x16xf32>
    %94 = stablehlo.multiply %59, %93 : tensor<1x64x16x16xf32>
    %95 = stablehlo.add %92, %94 : tensor<1x64x16x16xf32>
    %96 = call @relu_1(%95) : (tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32>
    %97 = stablehlo.convolution(%96, %arg15) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x64x16x16xf32>, tensor<128x64x3x3xf32>) -> tensor<1x128x8x8xf32>
    %98 = stablehlo.reshape %arg78 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %cst_8 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x128x1x1xf32>
    %100 = stablehlo.add %98, %99 : tensor<1x128x1x1xf32>
    %101 = stablehlo.rsqrt %100 : tensor<1x128x1x1xf32>
    %102 = stablehlo.reshape %arg77 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %104 = stablehlo.subtract %97, %103 : tensor<1x128x8x8xf32>
    %105 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %106 = stablehlo.multiply %104, %105 : tensor<1x128x8x8xf32>
    %107 = stablehlo.reshape %arg16 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %109 = stablehlo.multiply %106, %108 : tensor<1x128x8x8xf32>
    %110 = stablehlo.reshape %arg17 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %112 = stablehlo.add %109, %111 : tensor<1x128x8x8xf32>
    %113 = call @relu_2(%112) : (tensor<1x128x8x8xf32>) -> tensor<1x128x8x8xf32>
    %114 = stablehlo.convolution(%113, %arg18) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x128x8x8xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x8x8xf32>
    %115 = stablehlo.reshape %arg81 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %cst_9 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x128x1x1xf32>
    %117 = stablehlo.add %115, %116 : tensor<1x128x1x1xf32>
    %118 = stablehlo.rsqrt %117 : tensor<1x128x1x1xf32>
    %119 = stablehlo.reshape %arg80 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %121 = stablehlo.subtract %114, %120 : tensor<1x128x8x8xf32>
    %122 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %123 = stablehlo.multiply %121, %122 : tensor<1x128x8x8xf32>
    %124 = stablehlo.reshape %arg19 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %126 = stablehlo.multiply %123, %125 : tensor<1x128x8x8xf32>
    %127 = stablehlo.reshape %arg20 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %129 = stablehlo.add %126, %128 : tensor<1x128x8x8xf32>
    %130 = stablehlo.convolution(%96, %arg21) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x64x16x16xf32>, tensor<128x64x1x1xf32>) -> tensor<1x128x8x8xf32>
    %131 = stablehlo.reshape %arg84 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %cst_10 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x128x1x1xf32>
    %133 = stablehlo.add %131, %132 : tensor<1x128x1x1xf32>
    %134 = stablehlo.rsqrt %133 : tensor<1x128x1x1xf32>
    %135 = stablehlo.reshape %arg83 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %137 = stablehlo.subtract %130, %136 : tensor<1x128x8x8xf32>
    %138 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %139 = stablehlo.multiply %137, %138 : tensor<1x128x8x8xf32>
    %140 = stablehlo.reshape %arg22 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %142 = stablehlo.multiply %139, %141 : tensor<1x128x8x8xf32>
    %143 = stablehlo.reshape %arg23 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %145 = stablehlo.add %142, %144 : tensor<1x128x8x8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x128x8x8xf32>
    %147 = stablehlo.multiply %145, %146 : tensor<1x128x8x8xf32>
    %148 = stablehlo.add %129, %147 : tensor<1x128x8x8xf32>
    %149 = call @relu_2(%148) : (tensor<1x128x8x8xf32>) -> tensor<1x128x8x8xf32>
    %150 = stablehlo.convolution(%149, %arg24) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x128x8x8xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x8x8xf32>
    %151 = stablehlo.reshape %arg87 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %cst_12 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<1x128x1x1xf32>
    %153 = stablehlo.add %151, %152 : tensor<1x128x1x1xf32>
    %154 = stablehlo.rsqrt %153 : tensor<1x128x1x1xf32>
    %155 = stablehlo.reshape %arg86 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %157 = stablehlo.subtract %150, %156 : tensor<1x128x8x8xf32>
    %158 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %159 = stablehlo.multiply %157, %158 : tensor<1x128x8x8xf32>
    %160 = stablehlo.reshape %arg25 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %162 = stablehlo.multiply %159, %161 : tensor<1x128x8x8xf32>
    %163 = stablehlo.reshape %arg26 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %165 = stablehlo.add %162, %164 : tensor<1x128x8x8xf32>
    %166 = call @relu_2(%165) : (tensor<1x128x8x8xf32>) -> tensor<1x128x8x8xf32>
    %167 = stablehlo.convolution(%166, %arg27) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x128x8x8xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x8x8xf32>
    %168 = stablehlo.reshape %arg90 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x128x1x1xf32>
    %170 = stablehlo.add %168, %169 : tensor<1x128x1x1xf32>
    %171 = stablehlo.rsqrt %170 : tensor<1x128x1x1xf32>
    %172 = stablehlo.reshape %arg89 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %174 = stablehlo.subtract %167, %173 : tensor<1x128x8x8xf32>
    %175 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %176 = stablehlo.multiply %174, %175 : tensor<1x128x8x8xf32>
    %177 = stablehlo.reshape %arg28 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %179 = stablehlo.multiply %176, %178 : tensor<1x128x8x8xf32>
    %180 = stablehlo.reshape %arg29 : (tensor<128xf32>) -> tensor<1x128x1x1xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1, 2, 3] : (tensor<1x128x1x1xf32>) -> tensor<1x128x8x8xf32>
    %182 = stablehlo.add %179, %181 : tensor<1x128x8x8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1x128x8x8xf32>
    %184 = stablehlo.multiply %149, %183 : tensor<1x128x8x8xf32>
    %185 = stablehlo.add %182, %184 : tensor<1x128x8x8xf32>
    %186 = call @relu_2(%185) : (tensor<1x128x8x8xf32>) -> tensor<1x128x8x8xf32>
    %187 = stablehlo.convolution(%186, %arg30) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x128x8x8xf32>, tensor<256x128x3x3xf32>) -> tensor<1x256x4x4xf32>
    %188 = stablehlo.reshape %arg93 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x256x1x1xf32>
    %190 = stablehlo.add %188, %189 : tensor<1x256x1x1xf32>
    %191 = stablehlo.rsqrt %190 : tensor<1x256x1x1xf32>
    %192 = stablehlo.reshape %arg92 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %193 = stablehlo.broadcast_in_dim %192, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %194 = stablehlo.subtract %187, %193 : tensor<1x256x4x4xf32>
    %195 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %196 = stablehlo.multiply %194, %195 : tensor<1x256x4x4xf32>
    %197 = stablehlo.reshape %arg31 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %199 = stablehlo.multiply %196, %198 : tensor<1x256x4x4xf32>
    %200 = stablehlo.reshape %arg32 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %202 = stablehlo.add %199, %201 : tensor<1x256x4x4xf32>
    %203 = call @relu_3(%202) : (tensor<1x256x4x4xf32>) -> tensor<1x256x4x4xf32>
    %204 = stablehlo.convolution(%203, %arg33) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x4x4xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x4x4xf32>
    %205 = stablehlo.reshape %arg96 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x256x1x1xf32>
    %207 = stablehlo.add %205, %206 : tensor<1x256x1x1xf32>
    %208 = stablehlo.rsqrt %207 : tensor<1x256x1x1xf32>
    %209 = stablehlo.reshape %arg95 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %211 = stablehlo.subtract %204, %210 : tensor<1x256x4x4xf32>
    %212 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %213 = stablehlo.multiply %211, %212 : tensor<1x256x4x4xf32>
    %214 = stablehlo.reshape %arg34 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %216 = stablehlo.multiply %213, %215 : tensor<1x256x4x4xf32>
    %217 = stablehlo.reshape %arg35 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %219 = stablehlo.add %216, %218 : tensor<1x256x4x4xf32>
    %220 = stablehlo.convolution(%186, %arg36) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x128x8x8xf32>, tensor<256x128x1x1xf32>) -> tensor<1x256x4x4xf32>
    %221 = stablehlo.reshape %arg99 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %cst_17 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x256x1x1xf32>
    %223 = stablehlo.add %221, %222 : tensor<1x256x1x1xf32>
    %224 = stablehlo.rsqrt %223 : tensor<1x256x1x1xf32>
    %225 = stablehlo.reshape %arg98 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %226 = stablehlo.broadcast_in_dim %225, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %227 = stablehlo.subtract %220, %226 : tensor<1x256x4x4xf32>
    %228 = stablehlo.broadcast_in_dim %224, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %229 = stablehlo.multiply %227, %228 : tensor<1x256x4x4xf32>
    %230 = stablehlo.reshape %arg37 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %231 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %232 = stablehlo.multiply %229, %231 : tensor<1x256x4x4xf32>
    %233 = stablehlo.reshape %arg38 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %235 = stablehlo.add %232, %234 : tensor<1x256x4x4xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1x256x4x4xf32>
    %237 = stablehlo.multiply %235, %236 : tensor<1x256x4x4xf32>
    %238 = stablehlo.add %219, %237 : tensor<1x256x4x4xf32>
    %239 = call @relu_3(%238) : (tensor<1x256x4x4xf32>) -> tensor<1x256x4x4xf32>
    %240 = stablehlo.convolution(%239, %arg39) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x4x4xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x4x4xf32>
    %241 = stablehlo.reshape %arg102 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %cst_19 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x256x1x1xf32>
    %243 = stablehlo.add %241, %242 : tensor<1x256x1x1xf32>
    %244 = stablehlo.rsqrt %243 : tensor<1x256x1x1xf32>
    %245 = stablehlo.reshape %arg101 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %247 = stablehlo.subtract %240, %246 : tensor<1x256x4x4xf32>
    %248 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %249 = stablehlo.multiply %247, %248 : tensor<1x256x4x4xf32>
    %250 = stablehlo.reshape %arg40 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %252 = stablehlo.multiply %249, %251 : tensor<1x256x4x4xf32>
    %253 = stablehlo.reshape %arg41 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %254 = stablehlo.broadcast_in_dim %253, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %255 = stablehlo.add %252, %254 : tensor<1x256x4x4xf32>
    %256 = call @relu_3(%255) : (tensor<1x256x4x4xf32>) -> tensor<1x256x4x4xf32>
    %257 = stablehlo.convolution(%256, %arg42) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x4x4xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x4x4xf32>
    %258 = stablehlo.reshape %arg105 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %cst_20 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x256x1x1xf32>
    %260 = stablehlo.add %258, %259 : tensor<1x256x1x1xf32>
    %261 = stablehlo.rsqrt %260 : tensor<1x256x1x1xf32>
    %262 = stablehlo.reshape %arg104 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %264 = stablehlo.subtract %257, %263 : tensor<1x256x4x4xf32>
    %265 = stablehlo.broadcast_in_dim %261, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %266 = stablehlo.multiply %264, %265 : tensor<1x256x4x4xf32>
    %267 = stablehlo.reshape %arg43 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %269 = stablehlo.multiply %266, %268 : tensor<1x256x4x4xf32>
    %270 = stablehlo.reshape %arg44 : (tensor<256xf32>) -> tensor<1x256x1x1xf32>
    %271 = stablehlo.broadcast_in_dim %270, dims = [0, 1, 2, 3] : (tensor<1x256x1x1xf32>) -> tensor<1x256x4x4xf32>
    %272 = stablehlo.add %269, %271 : tensor<1x256x4x4xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x256x4x4xf32>
    %274 = stablehlo.multiply %239, %273 : tensor<1x256x4x4xf32>
    %275 = stablehlo.add %272, %274 : tensor<1x256x4x4xf32>
    %276 = call @relu_3(%275) : (tensor<1x256x4x4xf32>) -> tensor<1x256x4x4xf32>
    %277 = stablehlo.convolution(%276, %arg45) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x4x4xf32>, tensor<512x256x3x3xf32>) -> tensor<1x512x2x2xf32>
    %278 = stablehlo.reshape %arg108 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %cst_22 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1x512x1x1xf32>
    %280 = stablehlo.add %278, %279 : tensor<1x512x1x1xf32>
    %281 = stablehlo.rsqrt %280 : tensor<1x512x1x1xf32>
    %282 = stablehlo.reshape %arg107 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %283 = stablehlo.broadcast_in_dim %282, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %284 = stablehlo.subtract %277, %283 : tensor<1x512x2x2xf32>
    %285 = stablehlo.broadcast_in_dim %281, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %286 = stablehlo.multiply %284, %285 : tensor<1x512x2x2xf32>
    %287 = stablehlo.reshape %arg46 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %288 = stablehlo.broadcast_in_dim %287, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %289 = stablehlo.multiply %286, %288 : tensor<1x512x2x2xf32>
    %290 = stablehlo.reshape %arg47 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %291 = stablehlo.broadcast_in_dim %290, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %292 = stablehlo.add %289, %291 : tensor<1x512x2x2xf32>
    %293 = call @relu_4(%292) : (tensor<1x512x2x2xf32>) -> tensor<1x512x2x2xf32>
    %294 = stablehlo.convolution(%293, %arg48) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x512x2x2xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x2x2xf32>
    %295 = stablehlo.reshape %arg111 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1x512x1x1xf32>
    %297 = stablehlo.add %295, %296 : tensor<1x512x1x1xf32>
    %298 = stablehlo.rsqrt %297 : tensor<1x512x1x1xf32>
    %299 = stablehlo.reshape %arg110 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %300 = stablehlo.broadcast_in_dim %299, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %301 = stablehlo.subtract %294, %300 : tensor<1x512x2x2xf32>
    %302 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %303 = stablehlo.multiply %301, %302 : tensor<1x512x2x2xf32>
    %304 = stablehlo.reshape %arg49 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %305 = stablehlo.broadcast_in_dim %304, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %306 = stablehlo.multiply %303, %305 : tensor<1x512x2x2xf32>
    %307 = stablehlo.reshape %arg50 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %308 = stablehlo.broadcast_in_dim %307, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %309 = stablehlo.add %306, %308 : tensor<1x512x2x2xf32>
    %310 = stablehlo.convolution(%276, %arg51) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x4x4xf32>, tensor<512x256x1x1xf32>) -> tensor<1x512x2x2xf32>
    %311 = stablehlo.reshape %arg114 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %cst_24 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1x512x1x1xf32>
    %313 = stablehlo.add %311, %312 : tensor<1x512x1x1xf32>
    %314 = stablehlo.rsqrt %313 : tensor<1x512x1x1xf32>
    %315 = stablehlo.reshape %arg113 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %316 = stablehlo.broadcast_in_dim %315, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %317 = stablehlo.subtract %310, %316 : tensor<1x512x2x2xf32>
    %318 = stablehlo.broadcast_in_dim %314, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %319 = stablehlo.multiply %317, %318 : tensor<1x512x2x2xf32>
    %320 = stablehlo.reshape %arg52 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %321 = stablehlo.broadcast_in_dim %320, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %322 = stablehlo.multiply %319, %321 : tensor<1x512x2x2xf32>
    %323 = stablehlo.reshape %arg53 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %324 = stablehlo.broadcast_in_dim %323, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %325 = stablehlo.add %322, %324 : tensor<1x512x2x2xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %326 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<1x512x2x2xf32>
    %327 = stablehlo.multiply %325, %326 : tensor<1x512x2x2xf32>
    %328 = stablehlo.add %309, %327 : tensor<1x512x2x2xf32>
    %329 = call @relu_4(%328) : (tensor<1x512x2x2xf32>) -> tensor<1x512x2x2xf32>
    %330 = stablehlo.convolution(%329, %arg54) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x512x2x2xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x2x2xf32>
    %331 = stablehlo.reshape %arg117 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %cst_26 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1x512x1x1xf32>
    %333 = stablehlo.add %331, %332 : tensor<1x512x1x1xf32>
    %334 = stablehlo.rsqrt %333 : tensor<1x512x1x1xf32>
    %335 = stablehlo.reshape %arg116 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %336 = stablehlo.broadcast_in_dim %335, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %337 = stablehlo.subtract %330, %336 : tensor<1x512x2x2xf32>
    %338 = stablehlo.broadcast_in_dim %334, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %339 = stablehlo.multiply %337, %338 : tensor<1x512x2x2xf32>
    %340 = stablehlo.reshape %arg55 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %341 = stablehlo.broadcast_in_dim %340, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %342 = stablehlo.multiply %339, %341 : tensor<1x512x2x2xf32>
    %343 = stablehlo.reshape %arg56 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %344 = stablehlo.broadcast_in_dim %343, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %345 = stablehlo.add %342, %344 : tensor<1x512x2x2xf32>
    %346 = call @relu_4(%345) : (tensor<1x512x2x2xf32>) -> tensor<1x512x2x2xf32>
    %347 = stablehlo.convolution(%346, %arg57) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x512x2x2xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x2x2xf32>
    %348 = stablehlo.reshape %arg120 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %cst_27 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<1x512x1x1xf32>
    %350 = stablehlo.add %348, %349 : tensor<1x512x1x1xf32>
    %351 = stablehlo.rsqrt %350 : tensor<1x512x1x1xf32>
    %352 = stablehlo.reshape %arg119 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %353 = stablehlo.broadcast_in_dim %352, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %354 = stablehlo.subtract %347, %353 : tensor<1x512x2x2xf32>
    %355 = stablehlo.broadcast_in_dim %351, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %356 = stablehlo.multiply %354, %355 : tensor<1x512x2x2xf32>
    %357 = stablehlo.reshape %arg58 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %358 = stablehlo.broadcast_in_dim %357, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %359 = stablehlo.multiply %356, %358 : tensor<1x512x2x2xf32>
    %360 = stablehlo.reshape %arg59 : (tensor<512xf32>) -> tensor<1x512x1x1xf32>
    %361 = stablehlo.broadcast_in_dim %360, dims = [0, 1, 2, 3] : (tensor<1x512x1x1xf32>) -> tensor<1x512x2x2xf32>
    %362 = stablehlo.add %359, %361 : tensor<1x512x2x2xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %363 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<1x512x2x2xf32>
    %364 = stablehlo.multiply %329, %363 : tensor<1x512x2x2xf32>
    %365 = stablehlo.add %362, %364 : tensor<1x512x2x2xf32>
    %366 = call @relu_4(%365) : (tensor<1x512x2x2xf32>) -> tensor<1x512x2x2xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %367 = stablehlo.reduce(%366 init: %cst_29) applies stablehlo.add across dimensions = [3, 2] : (tensor<1x512x2x2xf32>, tensor<f32>) -> tensor<1x512xf32>
    %368 = stablehlo.broadcast_in_dim %367, dims = [0, 1] : (tensor<1x512xf32>) -> tensor<1x512x1x1xf32>
    %cst_30 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %369 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<1x512x1x1xf32>
    %370 = stablehlo.divide %368, %369 : tensor<1x512x1x1xf32>
    %371 = stablehlo.reshape %370 : (tensor<1x512x1x1xf32>) -> tensor<1x512xf32>
    %372 = stablehlo.transpose %arg60, dims = [1, 0] : (tensor<10x512xf32>) -> tensor<512x10xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %373 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %374 = stablehlo.multiply %arg61, %373 : tensor<10xf32>
    %375 = stablehlo.dot_general %371, %372, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x512xf32>, tensor<512x10xf32>) -> tensor<1x10xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %376 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1x10xf32>
    %377 = stablehlo.multiply %376, %375 : tensor<1x10xf32>
    %378 = stablehlo.broadcast_in_dim %374, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %379 = stablehlo.add %378, %377 : tensor<1x10xf32>
    return %379 : tensor<1x10xf32>
  }
  func.func private @relu(%arg0: tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x64x32x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x64x32x32xf32>
    return %1 : tensor<1x64x32x32xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @relu_1(%arg0: tensor<1x64x16x16xf32>) -> tensor<1x64x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x64x16x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x64x16x16xf32>
    return %1 : tensor<1x64x16x16xf32>
  }
  func.func private @relu_2(%arg0: tensor<1x128x8x8xf32>) -> tensor<1x128x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x128x8x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x128x8x8xf32>
    return %1 : tensor<1x128x8x8xf32>
  }
  func.func private @relu_3(%arg0: tensor<1x256x4x4xf32>) -> tensor<1x256x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x256x4x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x256x4x4xf32>
    return %1 : tensor<1x256x4x4xf32>
  }
  func.func private @relu_4(%arg0: tensor<1x512x2x2xf32>) -> tensor<1x512x2x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x512x2x2xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x512x2x2xf32>
    return %1 : tensor<1x512x2x2xf32>
  }
}
