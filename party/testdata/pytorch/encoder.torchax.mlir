module @jit_func attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<192x64xf32>, %arg1: tensor<192xf32>, %arg2: tensor<64x64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<128x64xf32>, %arg5: tensor<128xf32>, %arg6: tensor<64x128xf32>, %arg7: tensor<64xf32>, %arg8: tensor<64xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64xf32>, %arg11: tensor<64xf32>, %arg12: tensor<192x64xf32>, %arg13: tensor<192xf32>, %arg14: tensor<64x64xf32>, %arg15: tensor<64xf32>, %arg16: tensor<128x64xf32>, %arg17: tensor<128xf32>, %arg18: tensor<64x128xf32>, %arg19: tensor<64xf32>, %arg20: tensor<64xf32>, %arg21: tensor<64xf32>, %arg22: tensor<64xf32>, %arg23: tensor<64xf32>, %arg24: tensor<2x8x64xf32>) -> (tensor<2x8x64xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.transpose %arg24, dims = [1, 0, 2] : (tensor<2x8x64xf32>) -> tensor<8x2x64xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<192x64xf32>) -> tensor<64x192xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<64x192xf32>) -> tensor<8x64x192xf32>
    %3 = stablehlo.dot_general %0, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2x64xf32>, tensor<8x64x192xf32>) -> tensor<8x2x192xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %5 = stablehlo.multiply %arg1, %4 : tensor<192xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [2] : (tensor<192xf32>) -> tensor<1x1x192xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x1x192xf32>) -> tensor<8x2x192xf32>
    %8 = stablehlo.add %3, %7 : tensor<8x2x192xf32>
    %9 = stablehlo.reshape %8 : (tensor<8x2x192xf32>) -> tensor<8x2x3x64xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1, 2, 3, 4] : (tensor<8x2x3x64xf32>) -> tensor<1x8x2x3x64xf32>
    %11 = stablehlo.transpose %10, dims = [3, 1, 2, 0, 4] : (tensor<1x8x2x3x64xf32>) -> tensor<3x8x2x1x64xf32>
    %12 = stablehlo.reshape %11 : (tensor<3x8x2x1x64xf32>) -> tensor<3x8x2x64xf32>
    %13 = stablehlo.slice %12 [0:1, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %15 = stablehlo.slice %12 [1:2, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %16 = stablehlo.reshape %15 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %17 = stablehlo.slice %12 [2:3, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %18 = stablehlo.reshape %17 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %19 = stablehlo.reshape %14 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %20 = stablehlo.transpose %19, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %21 = stablehlo.reshape %16 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %23 = stablehlo.reshape %18 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %24 = stablehlo.transpose %23, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %25 = stablehlo.reshape %20 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %26 = stablehlo.reshape %22 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %27 = stablehlo.reshape %24 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x8x16xf32>
    %29 = stablehlo.multiply %25, %28 : tensor<2x4x8x16xf32>
    %30 = stablehlo.transpose %26, dims = [0, 1, 3, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x16x8xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x16x8xf32>
    %32 = stablehlo.multiply %30, %31 : tensor<2x4x16x8xf32>
    %33 = stablehlo.reshape %29 : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
    %34 = stablehlo.reshape %32 : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
    %35 = stablehlo.dot_general %33, %34, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<8x16x8xf32>) -> tensor<8x8x8xf32>
    %36 = stablehlo.reshape %35 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %39 = stablehlo.maximum %38, %37 : tensor<2x4x8xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %42 = stablehlo.subtract %36, %41 : tensor<2x4x8x8xf32>
    %43 = stablehlo.exponential %42 : tensor<2x4x8x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %47 = stablehlo.divide %43, %46 : tensor<2x4x8x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %49 = stablehlo.compare EQ, %36, %48, FLOAT : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
    %50 = stablehlo.not %49 : tensor<2x4x8x8xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %51 = stablehlo.reduce(%50 init: %c) applies stablehlo.or across dimensions = [3] : (tensor<2x4x8x8xi1>, tensor<i1>) -> tensor<2x4x8xi1>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<2x4x8xi1>) -> tensor<2x4x8x1xi1>
    %53 = stablehlo.not %52 : tensor<2x4x8x1xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %55 = call @_where(%53, %54, %47) : (tensor<2x4x8x1xi1>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %56 = stablehlo.reshape %55 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %57 = stablehlo.reshape %27 : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
    %58 = stablehlo.dot_general %56, %57, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %59 = stablehlo.reshape %58 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %60 = stablehlo.transpose %59, dims = [2, 0, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<8x2x4x16xf32>
    %61 = stablehlo.transpose %60, dims = [1, 2, 0, 3] : (tensor<8x2x4x16xf32>) -> tensor<2x4x8x16xf32>
    %62 = stablehlo.transpose %61, dims = [2, 0, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<8x2x4x16xf32>
    %63 = stablehlo.reshape %62 : (tensor<8x2x4x16xf32>) -> tensor<16x64xf32>
    %64 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %66 = stablehlo.multiply %arg3, %65 : tensor<64xf32>
    %67 = stablehlo.dot_general %63, %64, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %69 = stablehlo.multiply %68, %67 : tensor<16x64xf32>
    %70 = stablehlo.broadcast_in_dim %66, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<16x64xf32>
    %72 = stablehlo.add %71, %69 : tensor<16x64xf32>
    %73 = stablehlo.reshape %72 : (tensor<16x64xf32>) -> tensor<8x2x64xf32>
    %74 = stablehlo.transpose %73, dims = [1, 0, 2] : (tensor<8x2x64xf32>) -> tensor<2x8x64xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x8x64xf32>
    %76 = stablehlo.multiply %74, %75 : tensor<2x8x64xf32>
    %77 = stablehlo.add %arg24, %76 : tensor<2x8x64xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%77 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_11 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %81 = stablehlo.divide %79, %80 : tensor<2x8x1xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %82 = call @_var(%77, %c_12) : (tensor<2x8x64xf32>, tensor<i32>) -> tensor<2x8x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %84 = stablehlo.add %82, %83 : tensor<2x8x1xf32>
    %85 = stablehlo.rsqrt %84 : tensor<2x8x1xf32>
    %86 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %87 = stablehlo.subtract %77, %86 : tensor<2x8x64xf32>
    %88 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %89 = stablehlo.multiply %87, %88 : tensor<2x8x64xf32>
    %90 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %92 = stablehlo.multiply %89, %91 : tensor<2x8x64xf32>
    %93 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %95 = stablehlo.add %92, %94 : tensor<2x8x64xf32>
    %96 = stablehlo.reshape %95 : (tensor<2x8x64xf32>) -> tensor<16x64xf32>
    %97 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %99 = stablehlo.multiply %arg5, %98 : tensor<128xf32>
    %100 = stablehlo.dot_general %96, %97, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x128xf32>
    %102 = stablehlo.multiply %101, %100 : tensor<16x128xf32>
    %103 = stablehlo.broadcast_in_dim %99, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<16x128xf32>
    %105 = stablehlo.add %104, %102 : tensor<16x128xf32>
    %106 = stablehlo.reshape %105 : (tensor<16x128xf32>) -> tensor<2x8x128xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x8x128xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<2x8x128xf32>
    %109 = stablehlo.negate %106 : tensor<2x8x128xf32>
    %cst_17 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x8x128xf32>
    %111 = stablehlo.multiply %109, %110 : tensor<2x8x128xf32>
    %112 = chlo.erfc %111 : tensor<2x8x128xf32> -> tensor<2x8x128xf32>
    %113 = stablehlo.multiply %108, %112 : tensor<2x8x128xf32>
    %114 = stablehlo.reshape %113 : (tensor<2x8x128xf32>) -> tensor<16x128xf32>
    %115 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %117 = stablehlo.multiply %arg7, %116 : tensor<64xf32>
    %118 = stablehlo.dot_general %114, %115, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x128xf32>, tensor<128x64xf32>) -> tensor<16x64xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %120 = stablehlo.multiply %119, %118 : tensor<16x64xf32>
    %121 = stablehlo.broadcast_in_dim %117, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<16x64xf32>
    %123 = stablehlo.add %122, %120 : tensor<16x64xf32>
    %124 = stablehlo.reshape %123 : (tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x8x64xf32>
    %126 = stablehlo.multiply %124, %125 : tensor<2x8x64xf32>
    %127 = stablehlo.add %95, %126 : tensor<2x8x64xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %128 = stablehlo.reduce(%127 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_22 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %131 = stablehlo.divide %129, %130 : tensor<2x8x1xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %132 = call @_var(%127, %c_23) : (tensor<2x8x64xf32>, tensor<i32>) -> tensor<2x8x1xf32>
    %cst_24 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %134 = stablehlo.add %132, %133 : tensor<2x8x1xf32>
    %135 = stablehlo.rsqrt %134 : tensor<2x8x1xf32>
    %136 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %137 = stablehlo.subtract %127, %136 : tensor<2x8x64xf32>
    %138 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %139 = stablehlo.multiply %137, %138 : tensor<2x8x64xf32>
    %140 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %142 = stablehlo.multiply %139, %141 : tensor<2x8x64xf32>
    %143 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %145 = stablehlo.add %142, %144 : tensor<2x8x64xf32>
    %146 = stablehlo.transpose %145, dims = [1, 0, 2] : (tensor<2x8x64xf32>) -> tensor<8x2x64xf32>
    %147 = stablehlo.transpose %arg12, dims = [1, 0] : (tensor<192x64xf32>) -> tensor<64x192xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [1, 2] : (tensor<64x192xf32>) -> tensor<8x64x192xf32>
    %149 = stablehlo.dot_general %146, %148, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2x64xf32>, tensor<8x64x192xf32>) -> tensor<8x2x192xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<192xf32>
    %151 = stablehlo.multiply %arg13, %150 : tensor<192xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [2] : (tensor<192xf32>) -> tensor<1x1x192xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<1x1x192xf32>) -> tensor<8x2x192xf32>
    %154 = stablehlo.add %149, %153 : tensor<8x2x192xf32>
    %155 = stablehlo.reshape %154 : (tensor<8x2x192xf32>) -> tensor<8x2x3x64xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [1, 2, 3, 4] : (tensor<8x2x3x64xf32>) -> tensor<1x8x2x3x64xf32>
    %157 = stablehlo.transpose %156, dims = [3, 1, 2, 0, 4] : (tensor<1x8x2x3x64xf32>) -> tensor<3x8x2x1x64xf32>
    %158 = stablehlo.reshape %157 : (tensor<3x8x2x1x64xf32>) -> tensor<3x8x2x64xf32>
    %159 = stablehlo.slice %158 [0:1, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %160 = stablehlo.reshape %159 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %161 = stablehlo.slice %158 [1:2, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %162 = stablehlo.reshape %161 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %163 = stablehlo.slice %158 [2:3, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %164 = stablehlo.reshape %163 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %165 = stablehlo.reshape %160 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %166 = stablehlo.transpose %165, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %167 = stablehlo.reshape %162 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %168 = stablehlo.transpose %167, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %169 = stablehlo.reshape %164 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %170 = stablehlo.transpose %169, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %171 = stablehlo.reshape %166 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %172 = stablehlo.reshape %168 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %173 = stablehlo.reshape %170 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x4x8x16xf32>
    %175 = stablehlo.multiply %171, %174 : tensor<2x4x8x16xf32>
    %176 = stablehlo.transpose %172, dims = [0, 1, 3, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x16x8xf32>
    %cst_27 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x4x16x8xf32>
    %178 = stablehlo.multiply %176, %177 : tensor<2x4x16x8xf32>
    %179 = stablehlo.reshape %175 : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
    %180 = stablehlo.reshape %178 : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
    %181 = stablehlo.dot_general %179, %180, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<8x16x8xf32>) -> tensor<8x8x8xf32>
    %182 = stablehlo.reshape %181 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %183 = stablehlo.reduce(%182 init: %cst_28) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %185 = stablehlo.maximum %184, %183 : tensor<2x4x8xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %188 = stablehlo.subtract %182, %187 : tensor<2x4x8x8xf32>
    %189 = stablehlo.exponential %188 : tensor<2x4x8x8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.reduce(%189 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %191 = stablehlo.broadcast_in_dim %190, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %192 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %193 = stablehlo.divide %189, %192 : tensor<2x4x8x8xf32>
    %cst_31 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %195 = stablehlo.compare EQ, %182, %194, FLOAT : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
    %196 = stablehlo.not %195 : tensor<2x4x8x8xi1>
    %c_32 = stablehlo.constant dense<false> : tensor<i1>
    %197 = stablehlo.reduce(%196 init: %c_32) applies stablehlo.or across dimensions = [3] : (tensor<2x4x8x8xi1>, tensor<i1>) -> tensor<2x4x8xi1>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 2] : (tensor<2x4x8xi1>) -> tensor<2x4x8x1xi1>
    %199 = stablehlo.not %198 : tensor<2x4x8x1xi1>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %201 = call @_where(%199, %200, %193) : (tensor<2x4x8x1xi1>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %202 = stablehlo.reshape %201 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %203 = stablehlo.reshape %173 : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
    %204 = stablehlo.dot_general %202, %203, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %205 = stablehlo.reshape %204 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %206 = stablehlo.transpose %205, dims = [2, 0, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<8x2x4x16xf32>
    %207 = stablehlo.transpose %206, dims = [1, 2, 0, 3] : (tensor<8x2x4x16xf32>) -> tensor<2x4x8x16xf32>
    %208 = stablehlo.transpose %207, dims = [2, 0, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<8x2x4x16xf32>
    %209 = stablehlo.reshape %208 : (tensor<8x2x4x16xf32>) -> tensor<16x64xf32>
    %210 = stablehlo.transpose %arg14, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %212 = stablehlo.multiply %arg15, %211 : tensor<64xf32>
    %213 = stablehlo.dot_general %209, %210, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %215 = stablehlo.multiply %214, %213 : tensor<16x64xf32>
    %216 = stablehlo.broadcast_in_dim %212, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<16x64xf32>
    %218 = stablehlo.add %217, %215 : tensor<16x64xf32>
    %219 = stablehlo.reshape %218 : (tensor<16x64xf32>) -> tensor<8x2x64xf32>
    %220 = stablehlo.transpose %219, dims = [1, 0, 2] : (tensor<8x2x64xf32>) -> tensor<2x8x64xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x8x64xf32>
    %222 = stablehlo.multiply %220, %221 : tensor<2x8x64xf32>
    %223 = stablehlo.add %145, %222 : tensor<2x8x64xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %224 = stablehlo.reduce(%223 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %225 = stablehlo.broadcast_in_dim %224, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_38 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %227 = stablehlo.divide %225, %226 : tensor<2x8x1xf32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %228 = call @_var(%223, %c_39) : (tensor<2x8x64xf32>, tensor<i32>) -> tensor<2x8x1xf32>
    %cst_40 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %230 = stablehlo.add %228, %229 : tensor<2x8x1xf32>
    %231 = stablehlo.rsqrt %230 : tensor<2x8x1xf32>
    %232 = stablehlo.broadcast_in_dim %227, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %233 = stablehlo.subtract %223, %232 : tensor<2x8x64xf32>
    %234 = stablehlo.broadcast_in_dim %231, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %235 = stablehlo.multiply %233, %234 : tensor<2x8x64xf32>
    %236 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %237 = stablehlo.broadcast_in_dim %236, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %238 = stablehlo.multiply %235, %237 : tensor<2x8x64xf32>
    %239 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %240 = stablehlo.broadcast_in_dim %239, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %241 = stablehlo.add %238, %240 : tensor<2x8x64xf32>
    %242 = stablehlo.reshape %241 : (tensor<2x8x64xf32>) -> tensor<16x64xf32>
    %243 = stablehlo.transpose %arg16, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %245 = stablehlo.multiply %arg17, %244 : tensor<128xf32>
    %246 = stablehlo.dot_general %242, %243, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x128xf32>
    %248 = stablehlo.multiply %247, %246 : tensor<16x128xf32>
    %249 = stablehlo.broadcast_in_dim %245, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %250 = stablehlo.broadcast_in_dim %249, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<16x128xf32>
    %251 = stablehlo.add %250, %248 : tensor<16x128xf32>
    %252 = stablehlo.reshape %251 : (tensor<16x128xf32>) -> tensor<2x8x128xf32>
    %cst_43 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x8x128xf32>
    %254 = stablehlo.multiply %253, %252 : tensor<2x8x128xf32>
    %255 = stablehlo.negate %252 : tensor<2x8x128xf32>
    %cst_44 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x8x128xf32>
    %257 = stablehlo.multiply %255, %256 : tensor<2x8x128xf32>
    %258 = chlo.erfc %257 : tensor<2x8x128xf32> -> tensor<2x8x128xf32>
    %259 = stablehlo.multiply %254, %258 : tensor<2x8x128xf32>
    %260 = stablehlo.reshape %259 : (tensor<2x8x128xf32>) -> tensor<16x128xf32>
    %261 = stablehlo.transpose %arg18, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %263 = stablehlo.multiply %arg19, %262 : tensor<64xf32>
    %264 = stablehlo.dot_general %260, %261, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x128xf32>, tensor<128x64xf32>) -> tensor<16x64xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %266 = stablehlo.multiply %265, %264 : tensor<16x64xf32>
    %267 = stablehlo.broadcast_in_dim %263, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<16x64xf32>
    %269 = stablehlo.add %268, %266 : tensor<16x64xf32>
    %270 = stablehlo.reshape %269 : (tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x8x64xf32>
    %272 = stablehlo.multiply %270, %271 : tensor<2x8x64xf32>
    %273 = stablehlo.add %241, %272 : tensor<2x8x64xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %274 = stablehlo.reduce(%273 init: %cst_48) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %275 = stablehlo.broadcast_in_dim %274, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_49 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %277 = stablehlo.divide %275, %276 : tensor<2x8x1xf32>
    %c_50 = stablehlo.constant dense<0> : tensor<i32>
    %278 = call @_var(%273, %c_50) : (tensor<2x8x64xf32>, tensor<i32>) -> tensor<2x8x1xf32>
    %cst_51 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %280 = stablehlo.add %278, %279 : tensor<2x8x1xf32>
    %281 = stablehlo.rsqrt %280 : tensor<2x8x1xf32>
    %282 = stablehlo.broadcast_in_dim %277, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %283 = stablehlo.subtract %273, %282 : tensor<2x8x64xf32>
    %284 = stablehlo.broadcast_in_dim %281, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %285 = stablehlo.multiply %283, %284 : tensor<2x8x64xf32>
    %286 = stablehlo.broadcast_in_dim %arg22, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %287 = stablehlo.broadcast_in_dim %286, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %288 = stablehlo.multiply %285, %287 : tensor<2x8x64xf32>
    %289 = stablehlo.broadcast_in_dim %arg23, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %290 = stablehlo.broadcast_in_dim %289, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %291 = stablehlo.add %288, %290 : tensor<2x8x64xf32>
    return %291 : tensor<2x8x64xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x8x1xi1>, %arg1: tensor<2x4x8x8xf32>, %arg2: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xi1>) -> tensor<2x4x8x8xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    return %1 : tensor<2x4x8x8xf32>
  }
  func.func private @_var(%arg0: tensor<2x8x64xf32>, %arg1: tensor<i32>) -> tensor<2x8x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x8x64xf32>
    %6 = chlo.square %5 : tensor<2x8x64xf32> -> tensor<2x8x64xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x8x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where_0(%13, %12, %cst_4) : (tensor<i1>, tensor<2x8x1xf32>, tensor<f32>) -> tensor<2x8x1xf32>
    return %14 : tensor<2x8x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<2x8x1xf32>, %arg2: tensor<f32>) -> tensor<2x8x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x8x1xf32>
    return %2 : tensor<2x8x1xf32>
  }
}
