module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xi32>, %arg1: tensor<48xf32>, %arg2: tensor<48x16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64x16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16x64xf32>, %arg13: tensor<16xf32>, %arg14: tensor<16xf32>, %arg15: tensor<32x16xf32>, %arg16: tensor<48x16xf32>, %arg17: tensor<3x1xi32>, %arg18: tensor<3x10xi32>, %arg19: tensor<3xf32>, %arg20: tensor<3x10xi32>, %arg21: tensor<3xf32>, %arg22: tensor<3xi1>, %arg23: tensor<10xi32>, %arg24: tensor<10xf32>, %arg25: tensor<i32>, %arg26: tensor<i1>, %arg27: tensor<3x16xi32>, %arg28: tensor<3x1xi32>, %arg29: tensor<3x16x2x8xf32>, %arg30: tensor<3x16x2x8xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<i1> {jax.result_info = "result[1]"}, tensor<3x1xi32> {jax.result_info = "result[2]"}, tensor<3x10xi32> {jax.result_info = "result[3]"}, tensor<3xf32> {jax.result_info = "result[4]"}, tensor<3x10xi32> {jax.result_info = "result[5]"}, tensor<3xf32> {jax.result_info = "result[6]"}, tensor<3xi1> {jax.result_info = "result[7]"}, tensor<10xi32> {jax.result_info = "result[8]"}, tensor<10xf32> {jax.result_info = "result[9]"}, tensor<i32> {jax.result_info = "result[10]"}, tensor<i1> {jax.result_info = "result[11]"}, tensor<3x16xi32> {jax.result_info = "result[12]"}, tensor<3x1xi32> {jax.result_info = "result[13]"}, tensor<3x16x2x8xf32> {jax.result_info = "result[14]"}, tensor<3x16x2x8xf32> {jax.result_info = "result[15]"}) {
    %0 = stablehlo.slice %arg29 [0:3, 1:16, 0:2, 0:8] : (tensor<3x16x2x8xf32>) -> tensor<3x15x2x8xf32>
    %1 = stablehlo.slice %arg29 [0:3, 0:1, 0:2, 0:8] : (tensor<3x16x2x8xf32>) -> tensor<3x1x2x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1x2x8xf32>
    %3 = stablehlo.concatenate %0, %2, dim = 1 : (tensor<3x15x2x8xf32>, tensor<3x1x2x8xf32>) -> tensor<3x16x2x8xf32>
    %4 = stablehlo.slice %arg30 [0:3, 1:16, 0:2, 0:8] : (tensor<3x16x2x8xf32>) -> tensor<3x15x2x8xf32>
    %5 = stablehlo.slice %arg30 [0:3, 0:1, 0:2, 0:8] : (tensor<3x16x2x8xf32>) -> tensor<3x1x2x8xf32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1x2x8xf32>
    %7 = stablehlo.concatenate %4, %6, dim = 1 : (tensor<3x15x2x8xf32>, tensor<3x1x2x8xf32>) -> tensor<3x16x2x8xf32>
    %8 = stablehlo.slice %arg27 [0:3, 1:16] : (tensor<3x16xi32>) -> tensor<3x15xi32>
    %9 = stablehlo.slice %arg27 [0:3, 0:1] : (tensor<3x16xi32>) -> tensor<3x1xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %11 = stablehlo.concatenate %8, %10, dim = 1 : (tensor<3x15xi32>, tensor<3x1xi32>) -> tensor<3x16xi32>
    %12 = stablehlo.iota dim = 0 : tensor<1xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<3x1xi32>
    %15 = stablehlo.add %arg28, %14 : tensor<3x1xi32>
    %16 = call @_take(%arg16, %arg17) : (tensor<48x16xf32>, tensor<3x1xi32>) -> tensor<3x1x16xf32>
    %17 = call @_take_0(%arg15, %15) : (tensor<32x16xf32>, tensor<3x1xi32>) -> tensor<3x1x16xf32>
    %18 = stablehlo.add %16, %17 : tensor<3x1x16xf32>
    %19 = stablehlo.multiply %18, %18 : tensor<3x1x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%18 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<3x1x16xf32>, tensor<f32>) -> tensor<3x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %22 = stablehlo.divide %20, %21 : tensor<3x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<3x1x16xf32>, tensor<f32>) -> tensor<3x1xf32>
    %24 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %25 = stablehlo.divide %23, %24 : tensor<3x1xf32>
    %26 = stablehlo.multiply %22, %22 : tensor<3x1xf32>
    %27 = stablehlo.subtract %25, %26 : tensor<3x1xf32>
    %28 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %29 = stablehlo.maximum %28, %27 : tensor<3x1xf32>
    %30 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %31 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %32 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<3x1x1xf32>) -> tensor<3x1x16xf32>
    %33 = stablehlo.subtract %18, %32 : tensor<3x1x16xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x1x1xf32>
    %35 = stablehlo.add %31, %34 : tensor<3x1x1xf32>
    %36 = stablehlo.rsqrt %35 : tensor<3x1x1xf32>
    %37 = stablehlo.reshape %arg6 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %38 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<3x1x1xf32>) -> tensor<3x1x16xf32>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<3x1x16xf32>
    %40 = stablehlo.multiply %38, %39 : tensor<3x1x16xf32>
    %41 = stablehlo.multiply %33, %40 : tensor<3x1x16xf32>
    %42 = stablehlo.reshape %arg5 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<3x1x16xf32>
    %44 = stablehlo.add %41, %43 : tensor<3x1x16xf32>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %45 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<1x32xi1>
    %46 = stablehlo.iota dim = 0 : tensor<32xi32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [1] : (tensor<32xi32>) -> tensor<1x32xi32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<1x32xi32>) -> tensor<1x32x1xi32>
    %49 = stablehlo.broadcast_in_dim %47, dims = [0, 2] : (tensor<1x32xi32>) -> tensor<1x1x32xi32>
    %50 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<1x32x1xi32>) -> tensor<1x32x32xi32>
    %51 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2] : (tensor<1x1x32xi32>) -> tensor<1x32x32xi32>
    %52 = stablehlo.compare  GE, %50, %51,  SIGNED : (tensor<1x32x32xi32>, tensor<1x32x32xi32>) -> tensor<1x32x32xi1>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 2, 3] : (tensor<1x32x32xi1>) -> tensor<1x1x32x32xi1>
    %54 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %55 = stablehlo.dot_general %44, %54, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x1x16xf32>, tensor<16x48xf32>) -> tensor<3x1x48xf32>
    %56 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<3x1x48xf32>
    %58 = stablehlo.add %55, %57 : tensor<3x1x48xf32>
    %59 = stablehlo.slice %58 [0:3, 0:1, 0:16] : (tensor<3x1x48xf32>) -> tensor<3x1x16xf32>
    %60 = stablehlo.slice %58 [0:3, 0:1, 16:32] : (tensor<3x1x48xf32>) -> tensor<3x1x16xf32>
    %61 = stablehlo.slice %58 [0:3, 0:1, 32:48] : (tensor<3x1x48xf32>) -> tensor<3x1x16xf32>
    %62 = stablehlo.reshape %59 : (tensor<3x1x16xf32>) -> tensor<3x1x2x8xf32>
    %63 = stablehlo.reshape %60 : (tensor<3x1x16xf32>) -> tensor<3x1x2x8xf32>
    %64 = stablehlo.reshape %61 : (tensor<3x1x16xf32>) -> tensor<3x1x2x8xf32>
    %c_5 = stablehlo.constant dense<15> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %65 = stablehlo.compare  LT, %c_5, %c_6,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<32> : tensor<i32>
    %66 = stablehlo.add %c_5, %c_7 : tensor<i32>
    %67 = stablehlo.select %65, %66, %c_5 : tensor<i1>, tensor<i32>
    %68 = stablehlo.dynamic_slice %53, %c_6, %c_6, %67, %c_6, sizes = [1, 1, 1, 16] : (tensor<1x1x32x32xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1x16xi1>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xi1>) -> tensor<3x1x1x16xi1>
    %70 = stablehlo.broadcast_in_dim %11, dims = [0, 3] : (tensor<3x16xi32>) -> tensor<3x1x1x16xi32>
    %71 = stablehlo.convert %69 : (tensor<3x1x1x16xi1>) -> tensor<3x1x1x16xi32>
    %72 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3x1x1x16xi32>
    %73 = stablehlo.compare  NE, %70, %72,  SIGNED : (tensor<3x1x1x16xi32>, tensor<3x1x1x16xi32>) -> tensor<3x1x1x16xi1>
    %74 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3x1x1x16xi32>
    %75 = stablehlo.compare  NE, %71, %74,  SIGNED : (tensor<3x1x1x16xi32>, tensor<3x1x1x16xi32>) -> tensor<3x1x1x16xi1>
    %76 = stablehlo.and %73, %75 : tensor<3x1x1x16xi1>
    %77 = stablehlo.convert %76 : (tensor<3x1x1x16xi1>) -> tensor<3x1x1x16xf32>
    %78 = stablehlo.compare  LT, %c_5, %c_6,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<16> : tensor<i32>
    %79 = stablehlo.add %c_5, %c_8 : tensor<i32>
    %80 = stablehlo.select %78, %79, %c_5 : tensor<i1>, tensor<i32>
    %81 = stablehlo.dynamic_update_slice %3, %63, %c_6, %80, %c_6, %c_6 : (tensor<3x16x2x8xf32>, tensor<3x1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x2x8xf32>
    %82 = stablehlo.compare  LT, %c_5, %c_6,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %83 = stablehlo.add %c_5, %c_8 : tensor<i32>
    %84 = stablehlo.select %82, %83, %c_5 : tensor<i1>, tensor<i32>
    %85 = stablehlo.dynamic_update_slice %7, %64, %c_6, %84, %c_6, %c_6 : (tensor<3x16x2x8xf32>, tensor<3x1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x2x8xf32>
    %86 = stablehlo.add %c_5, %c : tensor<i32>
    %87 = stablehlo.iota dim = 0 : tensor<16xi32>
    %88 = stablehlo.add %c_5, %c : tensor<i32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %90 = stablehlo.compare  LT, %87, %89,  SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %91 = stablehlo.broadcast_in_dim %90, dims = [3] : (tensor<16xi1>) -> tensor<3x1x1x16xi1>
    %92 = stablehlo.convert %91 : (tensor<3x1x1x16xi1>) -> tensor<3x1x1x16xf32>
    %93 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1x1x16xf32>
    %94 = stablehlo.compare  NE, %92, %93,  FLOAT : (tensor<3x1x1x16xf32>, tensor<3x1x1x16xf32>) -> tensor<3x1x1x16xi1>
    %95 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1x1x16xf32>
    %96 = stablehlo.compare  NE, %77, %95,  FLOAT : (tensor<3x1x1x16xf32>, tensor<3x1x1x16xf32>) -> tensor<3x1x1x16xi1>
    %97 = stablehlo.and %94, %96 : tensor<3x1x1x16xi1>
    %98 = stablehlo.convert %97 : (tensor<3x1x1x16xi1>) -> tensor<3x1x1x16xf32>
    %99 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1x1x16xf32>
    %100 = stablehlo.compare  GT, %98, %99,  FLOAT : (tensor<3x1x1x16xf32>, tensor<3x1x1x16xf32>) -> tensor<3x1x1x16xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3x1x1x16xf32>
    %102 = stablehlo.convert %101 : tensor<3x1x1x16xf32>
    %cst_10 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x1x1x16xf32>
    %104 = stablehlo.select %100, %102, %103 : tensor<3x1x1x16xi1>, tensor<3x1x1x16xf32>
    %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %105 = stablehlo.sqrt %cst_11 : tensor<f32>
    %106 = stablehlo.convert %105 : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [] : (tensor<f32>) -> tensor<3x1x2x8xf32>
    %108 = stablehlo.divide %62, %107 : tensor<3x1x2x8xf32>
    %109 = stablehlo.dot_general %108, %81, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<3x1x2x8xf32>, tensor<3x16x2x8xf32>) -> tensor<3x2x1x16xf32>
    %110 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2, 3] : (tensor<3x1x1x16xf32>) -> tensor<3x2x1x16xf32>
    %111 = stablehlo.add %109, %110 : tensor<3x2x1x16xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %112 = stablehlo.reduce(%111 init: %cst_12) applies stablehlo.maximum across dimensions = [3] : (tensor<3x2x1x16xf32>, tensor<f32>) -> tensor<3x2x1xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3x2x1xf32>
    %114 = stablehlo.maximum %113, %112 : tensor<3x2x1xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<3x2x1xf32>) -> tensor<3x2x1x1xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2, 3] : (tensor<3x2x1x1xf32>) -> tensor<3x2x1x16xf32>
    %117 = stablehlo.subtract %111, %116 : tensor<3x2x1x16xf32>
    %118 = stablehlo.exponential %117 : tensor<3x2x1x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_14) applies stablehlo.add across dimensions = [3] : (tensor<3x2x1x16xf32>, tensor<f32>) -> tensor<3x2x1xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<3x2x1xf32>) -> tensor<3x2x1x1xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2, 3] : (tensor<3x2x1x1xf32>) -> tensor<3x2x1x16xf32>
    %122 = stablehlo.divide %118, %121 : tensor<3x2x1x16xf32>
    %123 = stablehlo.dot_general %85, %122, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<3x16x2x8xf32>, tensor<3x2x1x16xf32>) -> tensor<3x2x8x1xf32>
    %124 = stablehlo.transpose %123, dims = [0, 3, 1, 2] : (tensor<3x2x8x1xf32>) -> tensor<3x1x2x8xf32>
    %125 = stablehlo.reshape %124 : (tensor<3x1x2x8xf32>) -> tensor<3x1x16xf32>
    %126 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %127 = stablehlo.dot_general %125, %126, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x1x16xf32>, tensor<16x16xf32>) -> tensor<3x1x16xf32>
    %128 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<3x1x16xf32>
    %130 = stablehlo.add %127, %129 : tensor<3x1x16xf32>
    %131 = stablehlo.add %130, %18 : tensor<3x1x16xf32>
    %132 = stablehlo.multiply %131, %131 : tensor<3x1x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.reduce(%131 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<3x1x16xf32>, tensor<f32>) -> tensor<3x1xf32>
    %134 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %135 = stablehlo.divide %133, %134 : tensor<3x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.reduce(%132 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<3x1x16xf32>, tensor<f32>) -> tensor<3x1xf32>
    %137 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %138 = stablehlo.divide %136, %137 : tensor<3x1xf32>
    %139 = stablehlo.multiply %135, %135 : tensor<3x1xf32>
    %140 = stablehlo.subtract %138, %139 : tensor<3x1xf32>
    %141 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %142 = stablehlo.maximum %141, %140 : tensor<3x1xf32>
    %143 = stablehlo.broadcast_in_dim %135, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %144 = stablehlo.broadcast_in_dim %142, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %145 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2] : (tensor<3x1x1xf32>) -> tensor<3x1x16xf32>
    %146 = stablehlo.subtract %131, %145 : tensor<3x1x16xf32>
    %147 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x1x1xf32>
    %148 = stablehlo.add %144, %147 : tensor<3x1x1xf32>
    %149 = stablehlo.rsqrt %148 : tensor<3x1x1xf32>
    %150 = stablehlo.reshape %arg8 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %151 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2] : (tensor<3x1x1xf32>) -> tensor<3x1x16xf32>
    %152 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<3x1x16xf32>
    %153 = stablehlo.multiply %151, %152 : tensor<3x1x16xf32>
    %154 = stablehlo.multiply %146, %153 : tensor<3x1x16xf32>
    %155 = stablehlo.reshape %arg7 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<3x1x16xf32>
    %157 = stablehlo.add %154, %156 : tensor<3x1x16xf32>
    %158 = stablehlo.transpose %arg10, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %159 = stablehlo.dot_general %157, %158, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x1x16xf32>, tensor<16x64xf32>) -> tensor<3x1x64xf32>
    %160 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<3x1x64xf32>
    %162 = stablehlo.add %159, %161 : tensor<3x1x64xf32>
    %163 = stablehlo.multiply %162, %162 : tensor<3x1x64xf32>
    %164 = stablehlo.multiply %163, %162 : tensor<3x1x64xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x1x64xf32>
    %166 = stablehlo.multiply %165, %164 : tensor<3x1x64xf32>
    %167 = stablehlo.add %162, %166 : tensor<3x1x64xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x1x64xf32>
    %169 = stablehlo.multiply %168, %167 : tensor<3x1x64xf32>
    %170 = stablehlo.tanh %169 : tensor<3x1x64xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<3x1x64xf32>
    %172 = stablehlo.add %171, %170 : tensor<3x1x64xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<3x1x64xf32>
    %174 = stablehlo.multiply %173, %172 : tensor<3x1x64xf32>
    %175 = stablehlo.multiply %162, %174 : tensor<3x1x64xf32>
    %176 = stablehlo.transpose %arg12, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %177 = stablehlo.dot_general %175, %176, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x1x64xf32>, tensor<64x16xf32>) -> tensor<3x1x16xf32>
    %178 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %179 = stablehlo.broadcast_in_dim %178, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<3x1x16xf32>
    %180 = stablehlo.add %177, %179 : tensor<3x1x16xf32>
    %181 = stablehlo.add %131, %180 : tensor<3x1x16xf32>
    %182 = stablehlo.multiply %181, %181 : tensor<3x1x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.reduce(%181 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<3x1x16xf32>, tensor<f32>) -> tensor<3x1xf32>
    %184 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %185 = stablehlo.divide %183, %184 : tensor<3x1xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.reduce(%182 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<3x1x16xf32>, tensor<f32>) -> tensor<3x1xf32>
    %187 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %188 = stablehlo.divide %186, %187 : tensor<3x1xf32>
    %189 = stablehlo.multiply %185, %185 : tensor<3x1xf32>
    %190 = stablehlo.subtract %188, %189 : tensor<3x1xf32>
    %191 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %192 = stablehlo.maximum %191, %190 : tensor<3x1xf32>
    %193 = stablehlo.broadcast_in_dim %185, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %194 = stablehlo.broadcast_in_dim %192, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %195 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2] : (tensor<3x1x1xf32>) -> tensor<3x1x16xf32>
    %196 = stablehlo.subtract %181, %195 : tensor<3x1x16xf32>
    %197 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x1x1xf32>
    %198 = stablehlo.add %194, %197 : tensor<3x1x1xf32>
    %199 = stablehlo.rsqrt %198 : tensor<3x1x1xf32>
    %200 = stablehlo.reshape %arg14 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %201 = stablehlo.broadcast_in_dim %199, dims = [0, 1, 2] : (tensor<3x1x1xf32>) -> tensor<3x1x16xf32>
    %202 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<3x1x16xf32>
    %203 = stablehlo.multiply %201, %202 : tensor<3x1x16xf32>
    %204 = stablehlo.multiply %196, %203 : tensor<3x1x16xf32>
    %205 = stablehlo.reshape %arg13 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<3x1x16xf32>
    %207 = stablehlo.add %204, %206 : tensor<3x1x16xf32>
    %208 = stablehlo.transpose %arg16, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %209 = stablehlo.dot_general %207, %208, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x1x16xf32>, tensor<16x48xf32>) -> tensor<3x1x48xf32>
    %c_23 = stablehlo.constant dense<-1> : tensor<i32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %210 = stablehlo.compare  LT, %c_23, %c_24,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_25 = stablehlo.constant dense<-1> : tensor<i32>
    %211 = stablehlo.add %c_25, %c : tensor<i32>
    %212 = stablehlo.select %210, %211, %c_23 : tensor<i1>, tensor<i32>
    %213 = stablehlo.dynamic_slice %209, %c_24, %212, %c_24, sizes = [3, 1, 48] : (tensor<3x1x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x1x48xf32>
    %214 = stablehlo.reshape %213 : (tensor<3x1x48xf32>) -> tensor<3x48xf32>
    %215 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %216 = stablehlo.add %arg28, %215 : tensor<3x1xi32>
    %values, %indices = chlo.top_k(%214, k = 6) : tensor<3x48xf32> -> (tensor<3x6xf32>, tensor<3x6xi32>)
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %217 = stablehlo.reduce(%214 init: %cst_26) applies stablehlo.maximum across dimensions = [1] : (tensor<3x48xf32>, tensor<f32>) -> tensor<3xf32>
    %218 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %219 = stablehlo.maximum %218, %217 : tensor<3xf32>
    %220 = stablehlo.broadcast_in_dim %219, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %221 = stablehlo.is_finite %220 : (tensor<3x1xf32>) -> tensor<3x1xi1>
    %222 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %223 = stablehlo.select %221, %220, %222 : tensor<3x1xi1>, tensor<3x1xf32>
    %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x48xf32>
    %225 = stablehlo.subtract %214, %224 : tensor<3x48xf32>
    %226 = stablehlo.exponential %225 : tensor<3x48xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %227 = stablehlo.reduce(%226 init: %cst_27) applies stablehlo.add across dimensions = [1] : (tensor<3x48xf32>, tensor<f32>) -> tensor<3xf32>
    %228 = stablehlo.broadcast_in_dim %227, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %229 = stablehlo.sign %228 : tensor<3x1xf32>
    %230 = stablehlo.abs %228 : tensor<3x1xf32>
    %231 = stablehlo.log %230 : tensor<3x1xf32>
    %232 = stablehlo.add %231, %223 : tensor<3x1xf32>
    %233 = stablehlo.broadcast_in_dim %232, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x6xf32>
    %234 = stablehlo.subtract %values, %233 : tensor<3x6xf32>
    %235 = stablehlo.broadcast_in_dim %arg19, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x6xf32>
    %237 = stablehlo.add %234, %236 : tensor<3x6xf32>
    %238 = stablehlo.reshape %237 : (tensor<3x6xf32>) -> tensor<18xf32>
    %values_28, %indices_29 = chlo.top_k(%238, k = 6) : tensor<18xf32> -> (tensor<6xf32>, tensor<6xi32>)
    %c_30 = stablehlo.constant dense<6> : tensor<i32>
    %239 = call @floor_divide(%indices_29, %c_30) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %240 = stablehlo.reshape %indices : (tensor<3x6xi32>) -> tensor<18xi32>
    %241 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %242 = stablehlo.compare  LT, %indices_29, %241,  SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_31 = stablehlo.constant dense<18> : tensor<i32>
    %243 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %244 = stablehlo.add %indices_29, %243 : tensor<6xi32>
    %245 = stablehlo.select %242, %244, %indices_29 : tensor<6xi1>, tensor<6xi32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %247 = "stablehlo.gather"(%240, %246) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<18xi32>, tensor<6x1xi32>) -> tensor<6xi32>
    %248 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %249 = stablehlo.compare  LT, %239, %248,  SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_32 = stablehlo.constant dense<3> : tensor<i32>
    %250 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %251 = stablehlo.add %239, %250 : tensor<6xi32>
    %252 = stablehlo.select %249, %251, %239 : tensor<6xi1>, tensor<6xi32>
    %253 = stablehlo.broadcast_in_dim %252, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %254 = "stablehlo.gather"(%arg18, %253) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 10>}> : (tensor<3x10xi32>, tensor<6x1xi32>) -> tensor<6x10xi32>
    %255 = stablehlo.broadcast_in_dim %247, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %c_33 = stablehlo.constant dense<19> : tensor<i32>
    %256 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %257 = stablehlo.subtract %255, %256 : tensor<6x1xi32>
    %258 = stablehlo.broadcast_in_dim %arg23, dims = [1] : (tensor<10xi32>) -> tensor<1x10xi32>
    %259 = stablehlo.broadcast_in_dim %258, dims = [0, 1] : (tensor<1x10xi32>) -> tensor<6x10xi32>
    %260 = stablehlo.broadcast_in_dim %257, dims = [0, 1] : (tensor<6x1xi32>) -> tensor<6x10xi32>
    %261 = stablehlo.multiply %259, %260 : tensor<6x10xi32>
    %262 = stablehlo.add %254, %261 : tensor<6x10xi32>
    %263 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %264 = stablehlo.compare  EQ, %247, %263,  SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %cst_34 = stablehlo.constant dense<-1.000000e+04> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %266 = stablehlo.add %values_28, %265 : tensor<6xf32>
    %267 = call @_where_2(%264, %266, %values_28) : (tensor<6xi1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %values_35, %indices_36 = chlo.top_k(%267, k = 3) : tensor<6xf32> -> (tensor<3xf32>, tensor<3xi32>)
    %268 = stablehlo.slice %arg24 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
    %269 = stablehlo.reshape %268 : (tensor<1xf32>) -> tensor<f32>
    %270 = stablehlo.broadcast_in_dim %269, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %271 = stablehlo.multiply %values_28, %270 : tensor<6xf32>
    %cst_37 = stablehlo.constant dense<-1.000000e+04> : tensor<f32>
    %272 = call @_where_3(%264, %271, %cst_37) : (tensor<6xi1>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %273 = stablehlo.concatenate %arg21, %272, dim = 0 : (tensor<3xf32>, tensor<6xf32>) -> tensor<9xf32>
    %values_38, %indices_39 = chlo.top_k(%273, k = 3) : tensor<9xf32> -> (tensor<3xf32>, tensor<3xi32>)
    %274 = stablehlo.concatenate %arg20, %262, dim = 0 : (tensor<3x10xi32>, tensor<6x10xi32>) -> tensor<9x10xi32>
    %275 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %276 = stablehlo.compare  LT, %indices_39, %275,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_40 = stablehlo.constant dense<9> : tensor<i32>
    %277 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %278 = stablehlo.add %indices_39, %277 : tensor<3xi32>
    %279 = stablehlo.select %276, %278, %indices_39 : tensor<3xi1>, tensor<3xi32>
    %280 = stablehlo.broadcast_in_dim %279, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %281 = "stablehlo.gather"(%274, %280) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 10>}> : (tensor<9x10xi32>, tensor<3x1xi32>) -> tensor<3x10xi32>
    %282 = stablehlo.concatenate %arg22, %264, dim = 0 : (tensor<3xi1>, tensor<6xi1>) -> tensor<9xi1>
    %283 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %284 = stablehlo.compare  LT, %indices_39, %283,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %285 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %286 = stablehlo.add %indices_39, %285 : tensor<3xi32>
    %287 = stablehlo.select %284, %286, %indices_39 : tensor<3xi1>, tensor<3xi32>
    %288 = stablehlo.broadcast_in_dim %287, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %289 = "stablehlo.gather"(%282, %288) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<9xi1>, tensor<3x1xi32>) -> tensor<3xi1>
    %290 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %291 = stablehlo.compare  LT, %indices_36, %290,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_41 = stablehlo.constant dense<6> : tensor<i32>
    %292 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %293 = stablehlo.add %indices_36, %292 : tensor<3xi32>
    %294 = stablehlo.select %291, %293, %indices_36 : tensor<3xi1>, tensor<3xi32>
    %295 = stablehlo.broadcast_in_dim %294, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %296 = "stablehlo.gather"(%262, %295) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 10>}> : (tensor<6x10xi32>, tensor<3x1xi32>) -> tensor<3x10xi32>
    %297 = call @_where_4(%arg26, %arg18, %296) : (tensor<i1>, tensor<3x10xi32>, tensor<3x10xi32>) -> tensor<3x10xi32>
    %298 = call @_where_5(%arg26, %arg19, %values_35) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %299 = call @_where_4(%arg26, %arg20, %281) : (tensor<i1>, tensor<3x10xi32>, tensor<3x10xi32>) -> tensor<3x10xi32>
    %300 = call @_where_5(%arg26, %arg21, %values_38) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %301 = call @_where_6(%arg26, %arg22, %289) : (tensor<i1>, tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
    %302 = stablehlo.slice %values_35 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %303 = stablehlo.reshape %302 : (tensor<1xf32>) -> tensor<f32>
    %304 = stablehlo.slice %arg24 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
    %305 = stablehlo.reshape %304 : (tensor<1xf32>) -> tensor<f32>
    %306 = stablehlo.multiply %303, %305 : tensor<f32>
    %c_42 = stablehlo.constant dense<2> : tensor<i32>
    %307 = stablehlo.dynamic_slice %values_38, %c_42, sizes = [1] : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32>
    %308 = stablehlo.reshape %307 : (tensor<1xf32>) -> tensor<f32>
    %309 = stablehlo.compare  GT, %306, %308,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %310 = stablehlo.dynamic_slice %arg23, %c_40, sizes = [1] : (tensor<10xi32>, tensor<i32>) -> tensor<1xi32>
    %311 = stablehlo.reshape %310 : (tensor<1xi32>) -> tensor<i32>
    %312 = stablehlo.compare  EQ, %311, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_43 = stablehlo.constant dense<1> : tensor<i32>
    %313 = call @_where_7(%arg26, %c_24, %c_43) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %314 = stablehlo.convert %313 : tensor<i32>
    %315 = stablehlo.add %arg25, %314 : tensor<i32>
    %316 = stablehlo.or %arg26, %312 : tensor<i1>
    %c_44 = stablehlo.constant dense<true> : tensor<i1>
    %317 = stablehlo.reduce(%289 init: %c_44) applies stablehlo.and across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
    %318 = stablehlo.not %309 : tensor<i1>
    %319 = stablehlo.and %317, %318 : tensor<i1>
    %320 = stablehlo.or %316, %319 : tensor<i1>
    %321 = stablehlo.reverse %arg23, dims = [0] : tensor<10xi32>
    %322 = stablehlo.slice %arg24 [1:10] : (tensor<10xf32>) -> tensor<9xf32>
    %323 = stablehlo.slice %arg24 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
    %324 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %325 = stablehlo.concatenate %322, %324, dim = 0 : (tensor<9xf32>, tensor<1xf32>) -> tensor<10xf32>
    %326 = stablehlo.slice %321 [1:10] : (tensor<10xi32>) -> tensor<9xi32>
    %327 = stablehlo.slice %321 [0:1] : (tensor<10xi32>) -> tensor<1xi32>
    %328 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %329 = stablehlo.concatenate %326, %328, dim = 0 : (tensor<9xi32>, tensor<1xi32>) -> tensor<10xi32>
    %330 = stablehlo.reverse %329, dims = [0] : tensor<10xi32>
    %331 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %332 = stablehlo.compare  LT, %indices_36, %331,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %333 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %334 = stablehlo.add %indices_36, %333 : tensor<3xi32>
    %335 = stablehlo.select %332, %334, %indices_36 : tensor<3xi1>, tensor<3xi32>
    %336 = stablehlo.broadcast_in_dim %335, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %337 = "stablehlo.gather"(%247, %336) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xi32>, tensor<3x1xi32>) -> tensor<3xi32>
    %338 = stablehlo.broadcast_in_dim %337, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %339 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %340 = stablehlo.compare  LT, %indices_36, %339,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %341 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %342 = stablehlo.add %indices_36, %341 : tensor<3xi32>
    %343 = stablehlo.select %340, %342, %indices_36 : tensor<3xi1>, tensor<3xi32>
    %344 = stablehlo.broadcast_in_dim %343, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %345 = "stablehlo.gather"(%239, %344) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xi32>, tensor<3x1xi32>) -> tensor<3xi32>
    %346 = stablehlo.slice %11 [0:1, 0:16] : (tensor<3x16xi32>) -> tensor<1x16xi32>
    %347 = stablehlo.broadcast_in_dim %346, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<3x16xi32>
    %348 = stablehlo.slice %216 [0:1, 0:1] : (tensor<3x1xi32>) -> tensor<1x1xi32>
    %349 = stablehlo.broadcast_in_dim %348, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<3x1xi32>
    %350 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %351 = stablehlo.compare  LT, %345, %350,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %352 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %353 = stablehlo.add %345, %352 : tensor<3xi32>
    %354 = stablehlo.select %351, %353, %345 : tensor<3xi1>, tensor<3xi32>
    %355 = stablehlo.broadcast_in_dim %354, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %356 = "stablehlo.gather"(%81, %355) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16, 2, 8>}> : (tensor<3x16x2x8xf32>, tensor<3x1xi32>) -> tensor<3x16x2x8xf32>
    %357 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %358 = stablehlo.compare  LT, %345, %357,  SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %359 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %360 = stablehlo.add %345, %359 : tensor<3xi32>
    %361 = stablehlo.select %358, %360, %345 : tensor<3xi1>, tensor<3xi32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %363 = "stablehlo.gather"(%85, %362) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16, 2, 8>}> : (tensor<3x16x2x8xf32>, tensor<3x1xi32>) -> tensor<3x16x2x8xf32>
    return %315, %320, %338, %297, %298, %299, %300, %301, %330, %325, %315, %320, %347, %349, %356, %363 : tensor<i32>, tensor<i1>, tensor<3x1xi32>, tensor<3x10xi32>, tensor<3xf32>, tensor<3x10xi32>, tensor<3xf32>, tensor<3xi1>, tensor<10xi32>, tensor<10xf32>, tensor<i32>, tensor<i1>, tensor<3x16xi32>, tensor<3x1xi32>, tensor<3x16x2x8xf32>, tensor<3x16x2x8xf32>
  }
  func.func private @_take(%arg0: tensor<48x16xf32>, %arg1: tensor<3x1xi32>) -> tensor<3x1x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %1 = stablehlo.compare  LT, %arg1, %0,  SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %c_0 = stablehlo.constant dense<48> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3x1xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<3x1xi1>, tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<3x1xi32>) -> tensor<3x1x1xi32>
    %c_1 = stablehlo.constant dense<47> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3x1x1xi32>
    %7 = stablehlo.compare  GE, %5, %6,  SIGNED : (tensor<3x1x1xi32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<3x1x1xi32>
    %10 = stablehlo.compare  LE, %5, %9,  SIGNED : (tensor<3x1x1xi32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<3x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<3x1x1xi1>, tensor<i1>) -> tensor<3x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<3x1x1xi32>) -> tensor<3x1x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<3x1xi1>) -> tensor<3x1x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<3x1x16xi1>, tensor<3x1x16xf32>
    return %16 : tensor<3x1x16xf32>
  }
  func.func private @_where(%arg0: tensor<3x1xi1>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x1xi32>) -> tensor<3x1xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x1xi1>, tensor<3x1xi32>
    return %0 : tensor<3x1xi32>
  }
  func.func private @_take_0(%arg0: tensor<32x16xf32>, %arg1: tensor<3x1xi32>) -> tensor<3x1x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %1 = stablehlo.compare  LT, %arg1, %0,  SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<3x1xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<3x1xi1>, tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<3x1xi32>) -> tensor<3x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3x1x1xi32>
    %7 = stablehlo.compare  GE, %5, %6,  SIGNED : (tensor<3x1x1xi32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<3x1x1xi32>
    %10 = stablehlo.compare  LE, %5, %9,  SIGNED : (tensor<3x1x1xi32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<3x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<3x1x1xi1>, tensor<i1>) -> tensor<3x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<3x1x1xi32>) -> tensor<3x1x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<3x1xi1>) -> tensor<3x1x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<3x1x16xi1>, tensor<3x1x16xf32>
    return %16 : tensor<3x1x16xf32>
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
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<3x10xi32>, %arg2: tensor<3x10xi32>) -> tensor<3x10xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<3x10xi32>
    return %0 : tensor<3x10xi32>
  }
  func.func private @_where_5(%arg0: tensor<i1>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func private @_where_6(%arg0: tensor<i1>, %arg1: tensor<3xi1>, %arg2: tensor<3xi1>) -> tensor<3xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<3xi1>
    return %0 : tensor<3xi1>
  }
  func.func private @_where_7(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
