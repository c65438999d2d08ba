module @jit_first attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xi32>, %arg1: tensor<48xf32>, %arg2: tensor<48x16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64x16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16x64xf32>, %arg13: tensor<16xf32>, %arg14: tensor<16xf32>, %arg15: tensor<32x16xf32>, %arg16: tensor<48x16xf32>, %arg17: tensor<3x1xi32>, %arg18: tensor<3x10xi32>, %arg19: tensor<3xf32>, %arg20: tensor<3x10xi32>, %arg21: tensor<3xf32>, %arg22: tensor<3xi1>, %arg23: tensor<10xi32>, %arg24: tensor<10xf32>, %arg25: tensor<i32>, %arg26: tensor<i1>, %arg27: tensor<3x16xi32>, %arg28: tensor<3x1xi32>, %arg29: tensor<3x16x2x8xf32>, %arg30: tensor<3x16x2x8xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<i1> {jax.result_info = "result[1]"}, tensor<3x1xi32> {jax.result_info = "result[2]"}, tensor<3x10xi32> {jax.result_info = "result[3]"}, tensor<3xf32> {jax.result_info = "result[4]"}, tensor<3x10xi32> {jax.result_info = "result[5]"}, tensor<3xf32> {jax.result_info = "result[6]"}, tensor<3xi1> {jax.result_info = "result[7]"}, tensor<10xi32> {jax.result_info = "result[8]"}, tensor<10xf32> {jax.result_info = "result[9]"}, tensor<i32> {jax.result_info = "result[10]"}, tensor<i1> {jax.result_info = "result[11]"}, tensor<3x16xi32> {jax.result_info = "result[12]"}, tensor<3x1xi32> {jax.result_info = "result[13]"}, tensor<3x16x2x8xf32> {jax.result_info = "result[14]"}, tensor<3x16x2x8xf32> {jax.result_info = "result[15]"}) {
    %c = stablehlo.constant dense<19> : tensor<3x10xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<3xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+04> : tensor<3xf32>
    %c_1 = stablehlo.constant dense<false> : tensor<3xi1>
    %c_2 = stablehlo.constant dense<[1, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<10xi32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<10xf32>
    %0 = stablehlo.slice %arg27 [0:1, 0:16] : (tensor<3x16xi32>) -> tensor<1x16xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1x16xi32>
    %2 = stablehlo.slice %arg28 [0:1, 0:1] : (tensor<3x1xi32>) -> tensor<1x1xi32>
    %3 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %4 = stablehlo.slice %arg29 [0:1, 0:16, 0:2, 0:8] : (tensor<3x16x2x8xf32>) -> tensor<1x16x2x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x16x2x8xf32>
    %6 = stablehlo.slice %arg30 [0:1, 0:16, 0:2, 0:8] : (tensor<3x16x2x8xf32>) -> tensor<1x16x2x8xf32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x16x2x8xf32>
    %8 = stablehlo.slice %5 [0:1, 4:16, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x12x2x8xf32>
    %9 = stablehlo.slice %5 [0:1, 0:4, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x4x2x8xf32>
    %10 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4x2x8xf32>
    %11 = stablehlo.concatenate %8, %10, dim = 1 : (tensor<1x12x2x8xf32>, tensor<1x4x2x8xf32>) -> tensor<1x16x2x8xf32>
    %12 = stablehlo.slice %7 [0:1, 4:16, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x12x2x8xf32>
    %13 = stablehlo.slice %7 [0:1, 0:4, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x4x2x8xf32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4x2x8xf32>
    %15 = stablehlo.concatenate %12, %14, dim = 1 : (tensor<1x12x2x8xf32>, tensor<1x4x2x8xf32>) -> tensor<1x16x2x8xf32>
    %16 = stablehlo.slice %1 [0:1, 4:16] : (tensor<1x16xi32>) -> tensor<1x12xi32>
    %17 = stablehlo.slice %1 [0:1, 0:4] : (tensor<1x16xi32>) -> tensor<1x4xi32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1x4xi32>
    %19 = stablehlo.concatenate %16, %18, dim = 1 : (tensor<1x12xi32>, tensor<1x4xi32>) -> tensor<1x16xi32>
    %20 = stablehlo.iota dim = 0 : tensor<4xi32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %22 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<1x4xi32>
    %23 = stablehlo.add %22, %21 : tensor<1x4xi32>
    %24 = call @_take(%arg16, %arg0) : (tensor<48x16xf32>, tensor<1x4xi32>) -> tensor<1x4x16xf32>
    %25 = call @_take_0(%arg15, %23) : (tensor<32x16xf32>, tensor<1x4xi32>) -> tensor<1x4x16xf32>
    %26 = stablehlo.add %24, %25 : tensor<1x4x16xf32>
    %27 = stablehlo.multiply %26, %26 : tensor<1x4x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%26 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %cst_8 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %30 = stablehlo.divide %28, %29 : tensor<1x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%27 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %32 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %33 = stablehlo.divide %31, %32 : tensor<1x4xf32>
    %34 = stablehlo.multiply %30, %30 : tensor<1x4xf32>
    %35 = stablehlo.subtract %33, %34 : tensor<1x4xf32>
    %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %37 = stablehlo.maximum %36, %35 : tensor<1x4xf32>
    %38 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %41 = stablehlo.subtract %26, %40 : tensor<1x4x16xf32>
    %cst_10 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x4x1xf32>
    %43 = stablehlo.add %39, %42 : tensor<1x4x1xf32>
    %44 = stablehlo.rsqrt %43 : tensor<1x4x1xf32>
    %45 = stablehlo.reshape %arg6 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %48 = stablehlo.multiply %46, %47 : tensor<1x4x16xf32>
    %49 = stablehlo.multiply %41, %48 : tensor<1x4x16xf32>
    %50 = stablehlo.reshape %arg5 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %52 = stablehlo.add %49, %51 : tensor<1x4x16xf32>
    %c_11 = stablehlo.constant dense<true> : tensor<i1>
    %53 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i1>) -> tensor<1x32xi1>
    %54 = stablehlo.iota dim = 0 : tensor<32xi32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [1] : (tensor<32xi32>) -> tensor<1x32xi32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<1x32xi32>) -> tensor<1x32x1xi32>
    %57 = stablehlo.broadcast_in_dim %55, dims = [0, 2] : (tensor<1x32xi32>) -> tensor<1x1x32xi32>
    %58 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<1x32x1xi32>) -> tensor<1x32x32xi32>
    %59 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<1x1x32xi32>) -> tensor<1x32x32xi32>
    %60 = stablehlo.compare  GE, %58, %59,  SIGNED : (tensor<1x32x32xi32>, tensor<1x32x32xi32>) -> tensor<1x32x32xi1>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 2, 3] : (tensor<1x32x32xi1>) -> tensor<1x1x32x32xi1>
    %62 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %63 = stablehlo.dot_general %52, %62, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf32>, tensor<16x48xf32>) -> tensor<1x4x48xf32>
    %64 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x4x48xf32>
    %66 = stablehlo.add %63, %65 : tensor<1x4x48xf32>
    %67 = stablehlo.slice %66 [0:1, 0:4, 0:16] : (tensor<1x4x48xf32>) -> tensor<1x4x16xf32>
    %68 = stablehlo.slice %66 [0:1, 0:4, 16:32] : (tensor<1x4x48xf32>) -> tensor<1x4x16xf32>
    %69 = stablehlo.slice %66 [0:1, 0:4, 32:48] : (tensor<1x4x48xf32>) -> tensor<1x4x16xf32>
    %70 = stablehlo.reshape %67 : (tensor<1x4x16xf32>) -> tensor<1x4x2x8xf32>
    %71 = stablehlo.reshape %68 : (tensor<1x4x16xf32>) -> tensor<1x4x2x8xf32>
    %72 = stablehlo.reshape %69 : (tensor<1x4x16xf32>) -> tensor<1x4x2x8xf32>
    %c_12 = stablehlo.constant dense<12> : tensor<i32>
    %73 = stablehlo.compare  LT, %c_12, %c_4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_13 = stablehlo.constant dense<32> : tensor<i32>
    %74 = stablehlo.add %c_12, %c_13 : tensor<i32>
    %75 = stablehlo.select %73, %74, %c_12 : tensor<i1>, tensor<i32>
    %76 = stablehlo.dynamic_slice %61, %c_4, %c_4, %75, %c_4, sizes = [1, 1, 4, 16] : (tensor<1x1x32x32xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x4x16xi1>
    %77 = stablehlo.broadcast_in_dim %19, dims = [0, 3] : (tensor<1x16xi32>) -> tensor<1x1x1x16xi32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xi32>) -> tensor<1x1x4x16xi32>
    %79 = stablehlo.convert %76 : (tensor<1x1x4x16xi1>) -> tensor<1x1x4x16xi32>
    %80 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1x1x4x16xi32>
    %81 = stablehlo.compare  NE, %78, %80,  SIGNED : (tensor<1x1x4x16xi32>, tensor<1x1x4x16xi32>) -> tensor<1x1x4x16xi1>
    %82 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1x1x4x16xi32>
    %83 = stablehlo.compare  NE, %79, %82,  SIGNED : (tensor<1x1x4x16xi32>, tensor<1x1x4x16xi32>) -> tensor<1x1x4x16xi1>
    %84 = stablehlo.and %81, %83 : tensor<1x1x4x16xi1>
    %85 = stablehlo.convert %84 : (tensor<1x1x4x16xi1>) -> tensor<1x1x4x16xf32>
    %86 = stablehlo.compare  LT, %c_12, %c_4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_14 = stablehlo.constant dense<16> : tensor<i32>
    %87 = stablehlo.add %c_12, %c_14 : tensor<i32>
    %88 = stablehlo.select %86, %87, %c_12 : tensor<i1>, tensor<i32>
    %89 = stablehlo.dynamic_update_slice %11, %71, %c_4, %88, %c_4, %c_4 : (tensor<1x16x2x8xf32>, tensor<1x4x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x8xf32>
    %90 = stablehlo.compare  LT, %c_12, %c_4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %91 = stablehlo.add %c_12, %c_14 : tensor<i32>
    %92 = stablehlo.select %90, %91, %c_12 : tensor<i1>, tensor<i32>
    %93 = stablehlo.dynamic_update_slice %15, %72, %c_4, %92, %c_4, %c_4 : (tensor<1x16x2x8xf32>, tensor<1x4x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x8xf32>
    %c_15 = stablehlo.constant dense<4> : tensor<i32>
    %94 = stablehlo.add %c_12, %c_15 : tensor<i32>
    %95 = stablehlo.iota dim = 0 : tensor<16xi32>
    %96 = stablehlo.add %c_12, %c_15 : tensor<i32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %98 = stablehlo.compare  LT, %95, %97,  SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %99 = stablehlo.broadcast_in_dim %98, dims = [3] : (tensor<16xi1>) -> tensor<1x1x4x16xi1>
    %100 = stablehlo.convert %99 : (tensor<1x1x4x16xi1>) -> tensor<1x1x4x16xf32>
    %101 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %102 = stablehlo.compare  NE, %100, %101,  FLOAT : (tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xi1>
    %103 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %104 = stablehlo.compare  NE, %85, %103,  FLOAT : (tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xi1>
    %105 = stablehlo.and %102, %104 : tensor<1x1x4x16xi1>
    %106 = stablehlo.convert %105 : (tensor<1x1x4x16xi1>) -> tensor<1x1x4x16xf32>
    %107 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %108 = stablehlo.compare  GT, %106, %107,  FLOAT : (tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xi1>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %110 = stablehlo.convert %109 : tensor<1x1x4x16xf32>
    %cst_17 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %112 = stablehlo.select %108, %110, %111 : tensor<1x1x4x16xi1>, tensor<1x1x4x16xf32>
    %cst_18 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %113 = stablehlo.sqrt %cst_18 : tensor<f32>
    %114 = stablehlo.convert %113 : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [] : (tensor<f32>) -> tensor<1x4x2x8xf32>
    %116 = stablehlo.divide %70, %115 : tensor<1x4x2x8xf32>
    %117 = stablehlo.dot_general %116, %89, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x2x8xf32>, tensor<1x16x2x8xf32>) -> tensor<1x2x4x16xf32>
    %118 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2, 3] : (tensor<1x1x4x16xf32>) -> tensor<1x2x4x16xf32>
    %119 = stablehlo.add %117, %118 : tensor<1x2x4x16xf32>
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %120 = stablehlo.reduce(%119 init: %cst_19) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x4x16xf32>, tensor<f32>) -> tensor<1x2x4xf32>
    %cst_20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x2x4xf32>
    %122 = stablehlo.maximum %121, %120 : tensor<1x2x4xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2] : (tensor<1x2x4xf32>) -> tensor<1x2x4x1xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x16xf32>
    %125 = stablehlo.subtract %119, %124 : tensor<1x2x4x16xf32>
    %126 = stablehlo.exponential %125 : tensor<1x2x4x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_21) applies stablehlo.add across dimensions = [3] : (tensor<1x2x4x16xf32>, tensor<f32>) -> tensor<1x2x4xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<1x2x4xf32>) -> tensor<1x2x4x1xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2, 3] : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x16xf32>
    %130 = stablehlo.divide %126, %129 : tensor<1x2x4x16xf32>
    %131 = stablehlo.dot_general %93, %130, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x16x2x8xf32>, tensor<1x2x4x16xf32>) -> tensor<1x2x8x4xf32>
    %132 = stablehlo.transpose %131, dims = [0, 3, 1, 2] : (tensor<1x2x8x4xf32>) -> tensor<1x4x2x8xf32>
    %133 = stablehlo.reshape %132 : (tensor<1x4x2x8xf32>) -> tensor<1x4x16xf32>
    %134 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %135 = stablehlo.dot_general %133, %134, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf32>, tensor<16x16xf32>) -> tensor<1x4x16xf32>
    %136 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %138 = stablehlo.add %135, %137 : tensor<1x4x16xf32>
    %139 = stablehlo.add %138, %26 : tensor<1x4x16xf32>
    %140 = stablehlo.multiply %139, %139 : tensor<1x4x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %141 = stablehlo.reduce(%139 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %142 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %143 = stablehlo.divide %141, %142 : tensor<1x4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %144 = stablehlo.reduce(%140 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %145 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %146 = stablehlo.divide %144, %145 : tensor<1x4xf32>
    %147 = stablehlo.multiply %143, %143 : tensor<1x4xf32>
    %148 = stablehlo.subtract %146, %147 : tensor<1x4xf32>
    %149 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %150 = stablehlo.maximum %149, %148 : tensor<1x4xf32>
    %151 = stablehlo.broadcast_in_dim %143, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %152 = stablehlo.broadcast_in_dim %150, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %153 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %154 = stablehlo.subtract %139, %153 : tensor<1x4x16xf32>
    %155 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x4x1xf32>
    %156 = stablehlo.add %152, %155 : tensor<1x4x1xf32>
    %157 = stablehlo.rsqrt %156 : tensor<1x4x1xf32>
    %158 = stablehlo.reshape %arg8 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %159 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %160 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %161 = stablehlo.multiply %159, %160 : tensor<1x4x16xf32>
    %162 = stablehlo.multiply %154, %161 : tensor<1x4x16xf32>
    %163 = stablehlo.reshape %arg7 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %165 = stablehlo.add %162, %164 : tensor<1x4x16xf32>
    %166 = stablehlo.transpose %arg10, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %167 = stablehlo.dot_general %165, %166, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf32>, tensor<16x64xf32>) -> tensor<1x4x64xf32>
    %168 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %169 = stablehlo.broadcast_in_dim %168, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<1x4x64xf32>
    %170 = stablehlo.add %167, %169 : tensor<1x4x64xf32>
    %171 = stablehlo.multiply %170, %170 : tensor<1x4x64xf32>
    %172 = stablehlo.multiply %171, %170 : tensor<1x4x64xf32>
    %cst_24 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1x4x64xf32>
    %174 = stablehlo.multiply %173, %172 : tensor<1x4x64xf32>
    %175 = stablehlo.add %170, %174 : tensor<1x4x64xf32>
    %cst_25 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<1x4x64xf32>
    %177 = stablehlo.multiply %176, %175 : tensor<1x4x64xf32>
    %178 = stablehlo.tanh %177 : tensor<1x4x64xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1x4x64xf32>
    %180 = stablehlo.add %179, %178 : tensor<1x4x64xf32>
    %cst_27 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<1x4x64xf32>
    %182 = stablehlo.multiply %181, %180 : tensor<1x4x64xf32>
    %183 = stablehlo.multiply %170, %182 : tensor<1x4x64xf32>
    %184 = stablehlo.transpose %arg12, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %185 = stablehlo.dot_general %183, %184, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x64xf32>, tensor<64x16xf32>) -> tensor<1x4x16xf32>
    %186 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %188 = stablehlo.add %185, %187 : tensor<1x4x16xf32>
    %189 = stablehlo.add %139, %188 : tensor<1x4x16xf32>
    %190 = stablehlo.multiply %189, %189 : tensor<1x4x16xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %191 = stablehlo.reduce(%189 init: %cst_28) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %192 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %193 = stablehlo.divide %191, %192 : tensor<1x4xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.reduce(%190 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %195 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %196 = stablehlo.divide %194, %195 : tensor<1x4xf32>
    %197 = stablehlo.multiply %193, %193 : tensor<1x4xf32>
    %198 = stablehlo.subtract %196, %197 : tensor<1x4xf32>
    %199 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %200 = stablehlo.maximum %199, %198 : tensor<1x4xf32>
    %201 = stablehlo.broadcast_in_dim %193, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %202 = stablehlo.broadcast_in_dim %200, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %203 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %204 = stablehlo.subtract %189, %203 : tensor<1x4x16xf32>
    %205 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x4x1xf32>
    %206 = stablehlo.add %202, %205 : tensor<1x4x1xf32>
    %207 = stablehlo.rsqrt %206 : tensor<1x4x1xf32>
    %208 = stablehlo.reshape %arg14 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %209 = stablehlo.broadcast_in_dim %207, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %210 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %211 = stablehlo.multiply %209, %210 : tensor<1x4x16xf32>
    %212 = stablehlo.multiply %204, %211 : tensor<1x4x16xf32>
    %213 = stablehlo.reshape %arg13 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %215 = stablehlo.add %212, %214 : tensor<1x4x16xf32>
    %216 = stablehlo.transpose %arg16, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %217 = stablehlo.dot_general %215, %216, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf32>, tensor<16x48xf32>) -> tensor<1x4x48xf32>
    %c_30 = stablehlo.constant dense<-1> : tensor<i32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %218 = stablehlo.compare  LT, %c_30, %c_31,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_32 = stablehlo.constant dense<-1> : tensor<i32>
    %219 = stablehlo.add %c_32, %c_15 : tensor<i32>
    %220 = stablehlo.select %218, %219, %c_30 : tensor<i1>, tensor<i32>
    %221 = stablehlo.dynamic_slice %217, %c_31, %220, %c_31, sizes = [1, 1, 48] : (tensor<1x4x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x48xf32>
    %222 = stablehlo.reshape %221 : (tensor<1x1x48xf32>) -> tensor<1x48xf32>
    %223 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %224 = stablehlo.add %3, %223 : tensor<1x1xi32>
    %c_33 = stablehlo.constant dense<false> : tensor<i1>
    %225 = stablehlo.slice %c [0:1, 0:10] : (tensor<3x10xi32>) -> tensor<1x10xi32>
    %226 = stablehlo.slice %cst [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %values, %indices = chlo.top_k(%222, k = 6) : tensor<1x48xf32> -> (tensor<1x6xf32>, tensor<1x6xi32>)
    %cst_34 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %227 = stablehlo.reduce(%222 init: %cst_34) applies stablehlo.maximum across dimensions = [1] : (tensor<1x48xf32>, tensor<f32>) -> tensor<1xf32>
    %228 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %229 = stablehlo.maximum %228, %227 : tensor<1xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %231 = stablehlo.is_finite %230 : (tensor<1x1xf32>) -> tensor<1x1xi1>
    %232 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %233 = stablehlo.select %231, %230, %232 : tensor<1x1xi1>, tensor<1x1xf32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x48xf32>
    %235 = stablehlo.subtract %222, %234 : tensor<1x48xf32>
    %236 = stablehlo.exponential %235 : tensor<1x48xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.reduce(%236 init: %cst_35) applies stablehlo.add across dimensions = [1] : (tensor<1x48xf32>, tensor<f32>) -> tensor<1xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %239 = stablehlo.sign %238 : tensor<1x1xf32>
    %240 = stablehlo.abs %238 : tensor<1x1xf32>
    %241 = stablehlo.log %240 : tensor<1x1xf32>
    %242 = stablehlo.add %241, %233 : tensor<1x1xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x6xf32>
    %244 = stablehlo.subtract %values, %243 : tensor<1x6xf32>
    %245 = stablehlo.broadcast_in_dim %226, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x6xf32>
    %247 = stablehlo.add %244, %246 : tensor<1x6xf32>
    %248 = stablehlo.reshape %247 : (tensor<1x6xf32>) -> tensor<6xf32>
    %values_36, %indices_37 = chlo.top_k(%248, k = 6) : tensor<6xf32> -> (tensor<6xf32>, tensor<6xi32>)
    %c_38 = stablehlo.constant dense<6> : tensor<i32>
    %249 = call @floor_divide(%indices_37, %c_38) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %250 = stablehlo.reshape %indices : (tensor<1x6xi32>) -> tensor<6xi32>
    %251 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %252 = stablehlo.compare  LT, %indices_37, %251,  SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_39 = stablehlo.constant dense<6> : tensor<i32>
    %253 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %254 = stablehlo.add %indices_37, %253 : tensor<6xi32>
    %255 = stablehlo.select %252, %254, %indices_37 : tensor<6xi1>, tensor<6xi32>
    %256 = stablehlo.broadcast_in_dim %255, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %257 = "stablehlo.gather"(%250, %256) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xi32>, tensor<6x1xi32>) -> tensor<6xi32>
    %258 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %259 = stablehlo.compare  LT, %249, %258,  SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %260 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %261 = stablehlo.add %249, %260 : tensor<6xi32>
    %262 = stablehlo.select %259, %261, %249 : tensor<6xi1>, tensor<6xi32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %264 = "stablehlo.gather"(%225, %263) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 10>}> : (tensor<1x10xi32>, tensor<6x1xi32>) -> tensor<6x10xi32>
    %265 = stablehlo.broadcast_in_dim %257, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_40 = stablehlo.constant dense<19> : tensor<i32>
    %266 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %267 = stablehlo.subtract %265, %266 : tensor<6x1xi32>
    %268 = stablehlo.broadcast_in_dim %c_2, dims = [1] : (tensor<10xi32>) -> tensor<1x10xi32>
    %269 = stablehlo.broadcast_in_dim %268, dims = [0, 1] : (tensor<1x10xi32>) -> tensor<6x10xi32>
    %270 = stablehlo.broadcast_in_dim %267, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x10xi32>
    %271 = stablehlo.multiply %269, %270 : tensor<6x10xi32>
    %272 = stablehlo.add %264, %271 : tensor<6x10xi32>
    %273 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %274 = stablehlo.compare  EQ, %257, %273,  SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %cst_41 = stablehlo.constant dense<-1.000000e+04> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %276 = stablehlo.add %values_36, %275 : tensor<6xf32>
    %277 = call @_where_2(%274, %276, %values_36) : (tensor<6xi1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %values_42, %indices_43 = chlo.top_k(%277, k = 3) : tensor<6xf32> -> (tensor<3xf32>, tensor<3xi32>)
    %278 = stablehlo.slice %cst_3 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
    %279 = stablehlo.reshape %278 : (tensor<1xf32>) -> tensor<f32>
    %280 = stablehlo.broadcast_in_dim %279, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %281 = stablehlo.multiply %values_36, %280 : tensor<6xf32>
    %cst_44 = stablehlo.constant dense<-1.000000e+04> : tensor<f32>
    %282 = call @_where_3(%274, %281, %cst_44) : (tensor<6xi1>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %283 = stablehlo.concatenate %cst_0, %282, dim = 0 : (tensor<3xf32>, tensor<6xf32>) -> tensor<9xf32>
    %values_45, %indices_46 = chlo.top_k(%283, k = 3) : tensor<9xf32> -> (tensor<3xf32>, tensor<3xi32>)
    %284 = stablehlo.concatenate %c, %272, dim = 0 : (tensor<3x10xi32>, tensor<6x10xi32>) -> tensor<9x10xi32>
    %285 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %286 = stablehlo.compare  LT, %indices_46, %285,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_47 = stablehlo.constant dense<9> : tensor<i32>
    %287 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %288 = stablehlo.add %indices_46, %287 : tensor<3xi32>
    %289 = stablehlo.select %286, %288, %indices_46 : tensor<3xi1>, tensor<3xi32>
    %290 = stablehlo.broadcast_in_dim %289, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %291 = "stablehlo.gather"(%284, %290) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 10>}> : (tensor<9x10xi32>, tensor<3x1xi32>) -> tensor<3x10xi32>
    %292 = stablehlo.concatenate %c_1, %274, dim = 0 : (tensor<3xi1>, tensor<6xi1>) -> tensor<9xi1>
    %293 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %294 = stablehlo.compare  LT, %indices_46, %293,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %295 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %296 = stablehlo.add %indices_46, %295 : tensor<3xi32>
    %297 = stablehlo.select %294, %296, %indices_46 : tensor<3xi1>, tensor<3xi32>
    %298 = stablehlo.broadcast_in_dim %297, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %299 = "stablehlo.gather"(%292, %298) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<9xi1>, tensor<3x1xi32>) -> tensor<3xi1>
    %300 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %301 = stablehlo.compare  LT, %indices_43, %300,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %302 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %303 = stablehlo.add %indices_43, %302 : tensor<3xi32>
    %304 = stablehlo.select %301, %303, %indices_43 : tensor<3xi1>, tensor<3xi32>
    %305 = stablehlo.broadcast_in_dim %304, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %306 = "stablehlo.gather"(%272, %305) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 10>}> : (tensor<6x10xi32>, tensor<3x1xi32>) -> tensor<3x10xi32>
    %307 = stablehlo.slice %values_42 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %308 = stablehlo.reshape %307 : (tensor<1xf32>) -> tensor<f32>
    %309 = stablehlo.slice %cst_3 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
    %310 = stablehlo.reshape %309 : (tensor<1xf32>) -> tensor<f32>
    %311 = stablehlo.multiply %308, %310 : tensor<f32>
    %c_48 = stablehlo.constant dense<2> : tensor<i32>
    %312 = stablehlo.dynamic_slice %values_45, %c_48, sizes = [1] : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32>
    %313 = stablehlo.reshape %312 : (tensor<1xf32>) -> tensor<f32>
    %314 = stablehlo.compare  GT, %311, %313,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %315 = stablehlo.dynamic_slice %c_2, %c_47, sizes = [1] : (tensor<10xi32>, tensor<i32>) -> tensor<1xi32>
    %316 = stablehlo.reshape %315 : (tensor<1xi32>) -> tensor<i32>
    %317 = stablehlo.compare  EQ, %316, %c_6,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_49 = stablehlo.constant dense<1> : tensor<i32>
    %318 = call @_where_4(%c_33, %c_31, %c_49) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %319 = stablehlo.convert %318 : tensor<i32>
    %320 = stablehlo.add %c_4, %319 : tensor<i32>
    %321 = stablehlo.or %c_33, %317 : tensor<i1>
    %c_50 = stablehlo.constant dense<true> : tensor<i1>
    %322 = stablehlo.reduce(%299 init: %c_50) applies stablehlo.and across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
    %323 = stablehlo.not %314 : tensor<i1>
    %324 = stablehlo.and %322, %323 : tensor<i1>
    %325 = stablehlo.or %321, %324 : tensor<i1>
    %326 = stablehlo.reverse %c_2, dims = [0] : tensor<10xi32>
    %327 = stablehlo.slice %cst_3 [1:10] : (tensor<10xf32>) -> tensor<9xf32>
    %328 = stablehlo.slice %cst_3 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
    %329 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %330 = stablehlo.concatenate %327, %329, dim = 0 : (tensor<9xf32>, tensor<1xf32>) -> tensor<10xf32>
    %331 = stablehlo.slice %326 [1:10] : (tensor<10xi32>) -> tensor<9xi32>
    %332 = stablehlo.slice %326 [0:1] : (tensor<10xi32>) -> tensor<1xi32>
    %333 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %334 = stablehlo.concatenate %331, %333, dim = 0 : (tensor<9xi32>, tensor<1xi32>) -> tensor<10xi32>
    %335 = stablehlo.reverse %334, dims = [0] : tensor<10xi32>
    %336 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %337 = stablehlo.compare  LT, %indices_43, %336,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %338 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %339 = stablehlo.add %indices_43, %338 : tensor<3xi32>
    %340 = stablehlo.select %337, %339, %indices_43 : tensor<3xi1>, tensor<3xi32>
    %341 = stablehlo.broadcast_in_dim %340, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %342 = "stablehlo.gather"(%257, %341) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xi32>, tensor<3x1xi32>) -> tensor<3xi32>
    %343 = stablehlo.broadcast_in_dim %342, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %344 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %345 = stablehlo.compare  LT, %indices_43, %344,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %346 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %347 = stablehlo.add %indices_43, %346 : tensor<3xi32>
    %348 = stablehlo.select %345, %347, %indices_43 : tensor<3xi1>, tensor<3xi32>
    %349 = stablehlo.broadcast_in_dim %348, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %350 = "stablehlo.gather"(%249, %349) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xi32>, tensor<3x1xi32>) -> tensor<3xi32>
    %351 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<3x16xi32>
    %352 = stablehlo.broadcast_in_dim %224, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<3x1xi32>
    %353 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2, 3] : (tensor<1x16x2x8xf32>) -> tensor<3x16x2x8xf32>
    %354 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2, 3] : (tensor<1x16x2x8xf32>) -> tensor<3x16x2x8xf32>
    return %320, %325, %343, %306, %values_42, %291, %values_45, %299, %335, %330, %320, %325, %351, %352, %353, %354 : tensor<i32>, tensor<i1>, tensor<3x1xi32>, tensor<3x10xi32>, tensor<3xf32>, tensor<3x10xi32>, tensor<3xf32>, tensor<3xi1>, tensor<10xi32>, tensor<10xf32>, tensor<i32>, tensor<i1>, tensor<3x16xi32>, tensor<3x1xi32>, tensor<3x16x2x8xf32>, tensor<3x16x2x8xf32>
  }
  func.func private @_take(%arg0: tensor<48x16xf32>, %arg1: tensor<1x4xi32>) -> tensor<1x4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x4xi32>
    %1 = stablehlo.compare  LT, %arg1, %0,  SIGNED : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi1>
    %c_0 = stablehlo.constant dense<48> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1x4xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<1x4xi1>, tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<1x4x1xi32>
    %c_1 = stablehlo.constant dense<47> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x4x1xi32>
    %7 = stablehlo.compare  GE, %5, %6,  SIGNED : (tensor<1x4x1xi32>, tensor<1x4x1xi32>) -> tensor<1x4x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<1x4x1xi32>
    %10 = stablehlo.compare  LE, %5, %9,  SIGNED : (tensor<1x4x1xi32>, tensor<1x4x1xi32>) -> tensor<1x4x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<1x4x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<1x4x1xi1>, tensor<i1>) -> tensor<1x4xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<1x4x1xi32>) -> tensor<1x4x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x4xi1>) -> tensor<1x4x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<1x4x16xi1>, tensor<1x4x16xf32>
    return %16 : tensor<1x4x16xf32>
  }
  func.func private @_where(%arg0: tensor<1x4xi1>, %arg1: tensor<1x4xi32>, %arg2: tensor<1x4xi32>) -> tensor<1x4xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1x4xi1>, tensor<1x4xi32>
    return %0 : tensor<1x4xi32>
  }
  func.func private @_take_0(%arg0: tensor<32x16xf32>, %arg1: tensor<1x4xi32>) -> tensor<1x4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x4xi32>
    %1 = stablehlo.compare  LT, %arg1, %0,  SIGNED : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1x4xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<1x4xi1>, tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<1x4x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x4x1xi32>
    %7 = stablehlo.compare  GE, %5, %6,  SIGNED : (tensor<1x4x1xi32>, tensor<1x4x1xi32>) -> tensor<1x4x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<1x4x1xi32>
    %10 = stablehlo.compare  LE, %5, %9,  SIGNED : (tensor<1x4x1xi32>, tensor<1x4x1xi32>) -> tensor<1x4x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<1x4x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<1x4x1xi1>, tensor<i1>) -> tensor<1x4xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<1x4x1xi32>) -> tensor<1x4x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x4xi1>) -> tensor<1x4x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<1x4x16xi1>, tensor<1x4x16xf32>
    return %16 : tensor<1x4x16xf32>
  }
  func.func private @floor_divide(%arg0: tensor<6xi32>, %arg1: tensor<i32>) -> tensor<6xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %2 = stablehlo.divide %arg0, %1 : tensor<6xi32>
    %3 = stablehlo.sign %arg0 : tensor<6xi32>
    %4 = stablehlo.sign %0 : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %6 = stablehlo.compare  NE, %3, %5,  SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %8 = stablehlo.remainder %arg0, %7 : tensor<6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %10 = stablehlo.compare  NE, %8, %9,  SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %11 = stablehlo.and %6, %10 : tensor<6xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %13 = stablehlo.subtract %2, %12 : tensor<6xi32>
    %14 = call @_where_1(%11, %13, %2) : (tensor<6xi1>, tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    return %14 : tensor<6xi32>
  }
  func.func private @_where_1(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<6xi32>) -> tensor<6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xi32>
    return %0 : tensor<6xi32>
  }
  func.func private @_where_2(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @_where_3(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<f32>) -> tensor<6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6xi1>, tensor<6xf32>
    return %2 : tensor<6xf32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
