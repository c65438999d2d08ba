module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xi32>, %arg1: tensor<10x6xf32>, %arg2: tensor<48xf32>, %arg3: tensor<48x16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<64xf32>, %arg11: tensor<64x16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16x64xf32>, %arg14: tensor<16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<32x16xf32>, %arg17: tensor<48x16xf32>, %arg18: tensor<1x1xi32>, %arg19: tensor<i1>, %arg20: tensor<10x6xf32>, %arg21: tensor<1x16xi32>, %arg22: tensor<1x1xi32>, %arg23: tensor<1x16x2x8xf32>, %arg24: tensor<1x16x2x8xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<i1> {jax.result_info = "result[1]"}, tensor<1x1xi32> {jax.result_info = "result[2]"}, tensor<i1> {jax.result_info = "result[3]"}, tensor<10x6xf32> {jax.result_info = "result[4]"}, tensor<1x16xi32> {jax.result_info = "result[5]"}, tensor<1x1xi32> {jax.result_info = "result[6]"}, tensor<1x16x2x8xf32> {jax.result_info = "result[7]"}, tensor<1x16x2x8xf32> {jax.result_info = "result[8]"}) {
    %0 = stablehlo.slice %arg23 [0:1, 1:16, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x15x2x8xf32>
    %1 = stablehlo.slice %arg23 [0:1, 0:1, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x1x2x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x2x8xf32>
    %3 = stablehlo.concatenate %0, %2, dim = 1 : (tensor<1x15x2x8xf32>, tensor<1x1x2x8xf32>) -> tensor<1x16x2x8xf32>
    %4 = stablehlo.slice %arg24 [0:1, 1:16, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x15x2x8xf32>
    %5 = stablehlo.slice %arg24 [0:1, 0:1, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x1x2x8xf32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x2x8xf32>
    %7 = stablehlo.concatenate %4, %6, dim = 1 : (tensor<1x15x2x8xf32>, tensor<1x1x2x8xf32>) -> tensor<1x16x2x8xf32>
    %8 = stablehlo.slice %arg21 [0:1, 1:16] : (tensor<1x16xi32>) -> tensor<1x15xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %10 = stablehlo.concatenate %8, %9, dim = 1 : (tensor<1x15xi32>, tensor<1x1xi32>) -> tensor<1x16xi32>
    %11 = stablehlo.iota dim = 0 : tensor<1xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %13 = stablehlo.add %arg22, %12 : tensor<1x1xi32>
    %14 = call @_take(%arg17, %arg18) : (tensor<48x16xf32>, tensor<1x1xi32>) -> tensor<1x1x16xf32>
    %15 = call @_take_0(%arg16, %13) : (tensor<32x16xf32>, tensor<1x1xi32>) -> tensor<1x1x16xf32>
    %16 = stablehlo.add %14, %15 : tensor<1x1x16xf32>
    %17 = stablehlo.multiply %16, %16 : tensor<1x1x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%16 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<1x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %20 = stablehlo.divide %18, %19 : tensor<1x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<1x1xf32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %23 = stablehlo.divide %21, %22 : tensor<1x1xf32>
    %24 = stablehlo.multiply %20, %20 : tensor<1x1xf32>
    %25 = stablehlo.subtract %23, %24 : tensor<1x1xf32>
    %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %27 = stablehlo.maximum %26, %25 : tensor<1x1xf32>
    %28 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %29 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %30 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x1x16xf32>
    %31 = stablehlo.subtract %16, %30 : tensor<1x1x16xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x1xf32>
    %33 = stablehlo.add %29, %32 : tensor<1x1x1xf32>
    %34 = stablehlo.rsqrt %33 : tensor<1x1x1xf32>
    %35 = stablehlo.reshape %arg7 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x1x16xf32>
    %37 = stablehlo.multiply %36, %35 : tensor<1x1x16xf32>
    %38 = stablehlo.multiply %31, %37 : tensor<1x1x16xf32>
    %39 = stablehlo.reshape %arg6 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %40 = stablehlo.add %38, %39 : tensor<1x1x16xf32>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %41 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<1x32xi1>
    %42 = stablehlo.iota dim = 0 : tensor<32xi32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [1] : (tensor<32xi32>) -> tensor<1x32xi32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1] : (tensor<1x32xi32>) -> tensor<1x32x1xi32>
    %45 = stablehlo.broadcast_in_dim %43, dims = [0, 2] : (tensor<1x32xi32>) -> tensor<1x1x32xi32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<1x32x1xi32>) -> tensor<1x32x32xi32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<1x1x32xi32>) -> tensor<1x32x32xi32>
    %48 = stablehlo.compare  GE, %46, %47,  SIGNED : (tensor<1x32x32xi32>, tensor<1x32x32xi32>) -> tensor<1x32x32xi1>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 2, 3] : (tensor<1x32x32xi1>) -> tensor<1x1x32x32xi1>
    %50 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %51 = stablehlo.dot_general %40, %50, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1x16xf32>, tensor<16x48xf32>) -> tensor<1x1x48xf32>
    %52 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %53 = stablehlo.add %51, %52 : tensor<1x1x48xf32>
    %54 = stablehlo.slice %53 [0:1, 0:1, 0:16] : (tensor<1x1x48xf32>) -> tensor<1x1x16xf32>
    %55 = stablehlo.slice %53 [0:1, 0:1, 16:32] : (tensor<1x1x48xf32>) -> tensor<1x1x16xf32>
    %56 = stablehlo.slice %53 [0:1, 0:1, 32:48] : (tensor<1x1x48xf32>) -> tensor<1x1x16xf32>
    %57 = stablehlo.reshape %54 : (tensor<1x1x16xf32>) -> tensor<1x1x2x8xf32>
    %58 = stablehlo.reshape %55 : (tensor<1x1x16xf32>) -> tensor<1x1x2x8xf32>
    %59 = stablehlo.reshape %56 : (tensor<1x1x16xf32>) -> tensor<1x1x2x8xf32>
    %c_5 = stablehlo.constant dense<15> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %60 = stablehlo.compare  LT, %c_5, %c_6,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<32> : tensor<i32>
    %61 = stablehlo.add %c_5, %c_7 : tensor<i32>
    %62 = stablehlo.select %60, %61, %c_5 : tensor<i1>, tensor<i32>
    %63 = stablehlo.dynamic_slice %49, %c_6, %c_6, %62, %c_6, sizes = [1, 1, 1, 16] : (tensor<1x1x32x32xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1x16xi1>
    %64 = stablehlo.broadcast_in_dim %10, dims = [0, 3] : (tensor<1x16xi32>) -> tensor<1x1x1x16xi32>
    %65 = stablehlo.convert %63 : (tensor<1x1x1x16xi1>) -> tensor<1x1x1x16xi32>
    %66 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1x1x1x16xi32>
    %67 = stablehlo.compare  NE, %64, %66,  SIGNED : (tensor<1x1x1x16xi32>, tensor<1x1x1x16xi32>) -> tensor<1x1x1x16xi1>
    %68 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1x1x1x16xi32>
    %69 = stablehlo.compare  NE, %65, %68,  SIGNED : (tensor<1x1x1x16xi32>, tensor<1x1x1x16xi32>) -> tensor<1x1x1x16xi1>
    %70 = stablehlo.and %67, %69 : tensor<1x1x1x16xi1>
    %71 = stablehlo.convert %70 : (tensor<1x1x1x16xi1>) -> tensor<1x1x1x16xf32>
    %72 = stablehlo.compare  LT, %c_5, %c_6,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<16> : tensor<i32>
    %73 = stablehlo.add %c_5, %c_8 : tensor<i32>
    %74 = stablehlo.select %72, %73, %c_5 : tensor<i1>, tensor<i32>
    %75 = stablehlo.dynamic_update_slice %3, %58, %c_6, %74, %c_6, %c_6 : (tensor<1x16x2x8xf32>, tensor<1x1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x8xf32>
    %76 = stablehlo.compare  LT, %c_5, %c_6,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %77 = stablehlo.add %c_5, %c_8 : tensor<i32>
    %78 = stablehlo.select %76, %77, %c_5 : tensor<i1>, tensor<i32>
    %79 = stablehlo.dynamic_update_slice %7, %59, %c_6, %78, %c_6, %c_6 : (tensor<1x16x2x8xf32>, tensor<1x1x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x8xf32>
    %80 = stablehlo.add %c_5, %c : tensor<i32>
    %81 = stablehlo.iota dim = 0 : tensor<16xi32>
    %82 = stablehlo.add %c_5, %c : tensor<i32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %84 = stablehlo.compare  LT, %81, %83,  SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %85 = stablehlo.broadcast_in_dim %84, dims = [3] : (tensor<16xi1>) -> tensor<1x1x1x16xi1>
    %86 = stablehlo.convert %85 : (tensor<1x1x1x16xi1>) -> tensor<1x1x1x16xf32>
    %87 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x16xf32>
    %88 = stablehlo.compare  NE, %86, %87,  FLOAT : (tensor<1x1x1x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xi1>
    %89 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x16xf32>
    %90 = stablehlo.compare  NE, %71, %89,  FLOAT : (tensor<1x1x1x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xi1>
    %91 = stablehlo.and %88, %90 : tensor<1x1x1x16xi1>
    %92 = stablehlo.convert %91 : (tensor<1x1x1x16xi1>) -> tensor<1x1x1x16xf32>
    %93 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x16xf32>
    %94 = stablehlo.compare  GT, %92, %93,  FLOAT : (tensor<1x1x1x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x1x1x16xf32>
    %96 = stablehlo.convert %95 : tensor<1x1x1x16xf32>
    %cst_10 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x1x1x16xf32>
    %98 = stablehlo.select %94, %96, %97 : tensor<1x1x1x16xi1>, tensor<1x1x1x16xf32>
    %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %99 = stablehlo.sqrt %cst_11 : tensor<f32>
    %100 = stablehlo.convert %99 : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [] : (tensor<f32>) -> tensor<1x1x2x8xf32>
    %102 = stablehlo.divide %57, %101 : tensor<1x1x2x8xf32>
    %103 = stablehlo.dot_general %102, %75, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x1x2x8xf32>, tensor<1x16x2x8xf32>) -> tensor<1x2x1x16xf32>
    %104 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<1x2x1x16xf32>
    %105 = stablehlo.add %103, %104 : tensor<1x2x1x16xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %106 = stablehlo.reduce(%105 init: %cst_12) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x1x16xf32>, tensor<f32>) -> tensor<1x2x1xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x2x1xf32>
    %108 = stablehlo.maximum %107, %106 : tensor<1x2x1xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<1x2x1xf32>) -> tensor<1x2x1x1xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2, 3] : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x16xf32>
    %111 = stablehlo.subtract %105, %110 : tensor<1x2x1x16xf32>
    %112 = stablehlo.exponential %111 : tensor<1x2x1x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_14) applies stablehlo.add across dimensions = [3] : (tensor<1x2x1x16xf32>, tensor<f32>) -> tensor<1x2x1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<1x2x1xf32>) -> tensor<1x2x1x1xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2, 3] : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x16xf32>
    %116 = stablehlo.divide %112, %115 : tensor<1x2x1x16xf32>
    %117 = stablehlo.dot_general %79, %116, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x16x2x8xf32>, tensor<1x2x1x16xf32>) -> tensor<1x2x8x1xf32>
    %118 = stablehlo.transpose %117, dims = [0, 3, 1, 2] : (tensor<1x2x8x1xf32>) -> tensor<1x1x2x8xf32>
    %119 = stablehlo.reshape %118 : (tensor<1x1x2x8xf32>) -> tensor<1x1x16xf32>
    %120 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %121 = stablehlo.dot_general %119, %120, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1x16xf32>, tensor<16x16xf32>) -> tensor<1x1x16xf32>
    %122 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %123 = stablehlo.add %121, %122 : tensor<1x1x16xf32>
    %124 = stablehlo.add %123, %16 : tensor<1x1x16xf32>
    %125 = stablehlo.multiply %124, %124 : tensor<1x1x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.reduce(%124 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<1x1xf32>
    %127 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %128 = stablehlo.divide %126, %127 : tensor<1x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%125 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<1x1xf32>
    %130 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %131 = stablehlo.divide %129, %130 : tensor<1x1xf32>
    %132 = stablehlo.multiply %128, %128 : tensor<1x1xf32>
    %133 = stablehlo.subtract %131, %132 : tensor<1x1xf32>
    %134 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %135 = stablehlo.maximum %134, %133 : tensor<1x1xf32>
    %136 = stablehlo.broadcast_in_dim %128, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %137 = stablehlo.broadcast_in_dim %135, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %138 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x1x16xf32>
    %139 = stablehlo.subtract %124, %138 : tensor<1x1x16xf32>
    %140 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x1xf32>
    %141 = stablehlo.add %137, %140 : tensor<1x1x1xf32>
    %142 = stablehlo.rsqrt %141 : tensor<1x1x1xf32>
    %143 = stablehlo.reshape %arg9 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %144 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x1x16xf32>
    %145 = stablehlo.multiply %144, %143 : tensor<1x1x16xf32>
    %146 = stablehlo.multiply %139, %145 : tensor<1x1x16xf32>
    %147 = stablehlo.reshape %arg8 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %148 = stablehlo.add %146, %147 : tensor<1x1x16xf32>
    %149 = stablehlo.transpose %arg11, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %150 = stablehlo.dot_general %148, %149, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1x16xf32>, tensor<16x64xf32>) -> tensor<1x1x64xf32>
    %151 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %152 = stablehlo.add %150, %151 : tensor<1x1x64xf32>
    %153 = stablehlo.multiply %152, %152 : tensor<1x1x64xf32>
    %154 = stablehlo.multiply %153, %152 : tensor<1x1x64xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x1x64xf32>
    %156 = stablehlo.multiply %155, %154 : tensor<1x1x64xf32>
    %157 = stablehlo.add %152, %156 : tensor<1x1x64xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1x1x64xf32>
    %159 = stablehlo.multiply %158, %157 : tensor<1x1x64xf32>
    %160 = stablehlo.tanh %159 : tensor<1x1x64xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x1x64xf32>
    %162 = stablehlo.add %161, %160 : tensor<1x1x64xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x1x64xf32>
    %164 = stablehlo.multiply %163, %162 : tensor<1x1x64xf32>
    %165 = stablehlo.multiply %152, %164 : tensor<1x1x64xf32>
    %166 = stablehlo.transpose %arg13, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %167 = stablehlo.dot_general %165, %166, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1x64xf32>, tensor<64x16xf32>) -> tensor<1x1x16xf32>
    %168 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %169 = stablehlo.add %167, %168 : tensor<1x1x16xf32>
    %170 = stablehlo.add %124, %169 : tensor<1x1x16xf32>
    %171 = stablehlo.multiply %170, %170 : tensor<1x1x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%170 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<1x1xf32>
    %173 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %174 = stablehlo.divide %172, %173 : tensor<1x1xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.reduce(%171 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<1x1xf32>
    %176 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %177 = stablehlo.divide %175, %176 : tensor<1x1xf32>
    %178 = stablehlo.multiply %174, %174 : tensor<1x1xf32>
    %179 = stablehlo.subtract %177, %178 : tensor<1x1xf32>
    %180 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %181 = stablehlo.maximum %180, %179 : tensor<1x1xf32>
    %182 = stablehlo.broadcast_in_dim %174, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %183 = stablehlo.broadcast_in_dim %181, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %184 = stablehlo.broadcast_in_dim %182, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x1x16xf32>
    %185 = stablehlo.subtract %170, %184 : tensor<1x1x16xf32>
    %186 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x1xf32>
    %187 = stablehlo.add %183, %186 : tensor<1x1x1xf32>
    %188 = stablehlo.rsqrt %187 : tensor<1x1x1xf32>
    %189 = stablehlo.reshape %arg15 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %190 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x1x16xf32>
    %191 = stablehlo.multiply %190, %189 : tensor<1x1x16xf32>
    %192 = stablehlo.multiply %185, %191 : tensor<1x1x16xf32>
    %193 = stablehlo.reshape %arg14 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %194 = stablehlo.add %192, %193 : tensor<1x1x16xf32>
    %195 = stablehlo.transpose %arg17, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %196 = stablehlo.dot_general %194, %195, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1x16xf32>, tensor<16x48xf32>) -> tensor<1x1x48xf32>
    %c_23 = stablehlo.constant dense<-1> : tensor<i32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %197 = stablehlo.compare  LT, %c_23, %c_24,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_25 = stablehlo.constant dense<-1> : tensor<i32>
    %198 = stablehlo.add %c_25, %c : tensor<i32>
    %199 = stablehlo.select %197, %198, %c_23 : tensor<i1>, tensor<i32>
    %200 = stablehlo.dynamic_slice %196, %c_24, %199, %c_24, sizes = [1, 1, 48] : (tensor<1x1x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x48xf32>
    %201 = stablehlo.reshape %200 : (tensor<1x1x48xf32>) -> tensor<1x48xf32>
    %202 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %203 = stablehlo.add %arg22, %202 : tensor<1x1xi32>
    %204 = stablehlo.slice %201 [0:1, 0:48] : (tensor<1x48xf32>) -> tensor<1x48xf32>
    %205 = stablehlo.reshape %204 : (tensor<1x48xf32>) -> tensor<48xf32>
    %206 = stablehlo.slice %arg20 [0:1, 0:6] : (tensor<10x6xf32>) -> tensor<1x6xf32>
    %207 = stablehlo.reshape %206 : (tensor<1x6xf32>) -> tensor<6xf32>
    %values, %indices = chlo.top_k(%205, k = 6) : tensor<48xf32> -> (tensor<6xf32>, tensor<6xi32>)
    %208 = stablehlo.slice %values [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %209 = stablehlo.reshape %208 : (tensor<1xf32>) -> tensor<f32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %211 = stablehlo.subtract %values, %210 : tensor<6xf32>
    %cst_26 = stablehlo.constant dense<8.000000e-01> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %213 = stablehlo.divide %211, %212 : tensor<6xf32>
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %214 = stablehlo.reduce(%213 init: %cst_27) applies stablehlo.maximum across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %215 = stablehlo.maximum %cst_13, %214 : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [0] : (tensor<1xf32>) -> tensor<6xf32>
    %218 = stablehlo.subtract %213, %217 : tensor<6xf32>
    %219 = stablehlo.exponential %218 : tensor<6xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %220 = stablehlo.reduce(%219 init: %cst_28) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %222 = stablehlo.broadcast_in_dim %221, dims = [0] : (tensor<1xf32>) -> tensor<6xf32>
    %223 = stablehlo.divide %219, %222 : tensor<6xf32>
    %224 = call @cumsum(%223) : (tensor<6xf32>) -> tensor<6xf32>
    %225 = stablehlo.subtract %224, %223 : tensor<6xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %227 = stablehlo.compare  LT, %225, %226,  FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_30 = stablehlo.constant dense<-1.000000e+04> : tensor<f32>
    %228 = call @_where_2(%227, %213, %cst_30) : (tensor<6xi1>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %229 = stablehlo.add %228, %207 : tensor<6xf32>
    %230 = call @argmax(%229) : (tensor<6xf32>) -> tensor<i32>
    %231 = stablehlo.compare  LT, %230, %c_6,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_31 = stablehlo.constant dense<6> : tensor<i32>
    %232 = stablehlo.add %230, %c_31 : tensor<i32>
    %233 = stablehlo.select %231, %232, %230 : tensor<i1>, tensor<i32>
    %234 = stablehlo.dynamic_slice %indices, %233, sizes = [1] : (tensor<6xi32>, tensor<i32>) -> tensor<1xi32>
    %235 = stablehlo.reshape %234 : (tensor<1xi32>) -> tensor<i32>
    %236 = stablehlo.slice %arg20 [1:10, 0:6] : (tensor<10x6xf32>) -> tensor<9x6xf32>
    %237 = stablehlo.slice %arg20 [0:1, 0:6] : (tensor<10x6xf32>) -> tensor<1x6xf32>
    %238 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %239 = stablehlo.concatenate %236, %238, dim = 0 : (tensor<9x6xf32>, tensor<1x6xf32>) -> tensor<10x6xf32>
    %c_32 = stablehlo.constant dense<18> : tensor<i32>
    %240 = call @_where_3(%arg19, %c_32, %235) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_33 = stablehlo.constant dense<18> : tensor<i32>
    %241 = stablehlo.compare  EQ, %240, %c_33,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %242 = stablehlo.broadcast_in_dim %240, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    return %240, %241, %242, %241, %239, %10, %203, %75, %79 : tensor<i32>, tensor<i1>, tensor<1x1xi32>, tensor<i1>, tensor<10x6xf32>, tensor<1x16xi32>, tensor<1x1xi32>, tensor<1x16x2x8xf32>, tensor<1x16x2x8xf32>
  }
  func.func private @_take(%arg0: tensor<48x16xf32>, %arg1: tensor<1x1xi32>) -> tensor<1x1x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %1 = stablehlo.compare  LT, %arg1, %0,  SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %c_0 = stablehlo.constant dense<48> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1x1xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<1x1xi1>, tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<1x1x1xi32>
    %c_1 = stablehlo.constant dense<47> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x1x1xi32>
    %7 = stablehlo.compare  GE, %5, %6,  SIGNED : (tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.compare  LE, %5, %8,  SIGNED : (tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
    %10 = stablehlo.and %7, %9 : tensor<1x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.reduce(%10 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<1x1x1xi1>, tensor<i1>) -> tensor<1x1xi1>
    %12 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<1x1x1xi32>) -> tensor<1x1x16xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<1x1x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x16xf32>
    %15 = stablehlo.select %13, %12, %14 : tensor<1x1x16xi1>, tensor<1x1x16xf32>
    return %15 : tensor<1x1x16xf32>
  }
  func.func private @_where(%arg0: tensor<1x1xi1>, %arg1: tensor<1x1xi32>, %arg2: tensor<1x1xi32>) -> tensor<1x1xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1x1xi1>, tensor<1x1xi32>
    return %0 : tensor<1x1xi32>
  }
  func.func private @_take_0(%arg0: tensor<32x16xf32>, %arg1: tensor<1x1xi32>) -> tensor<1x1x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %1 = stablehlo.compare  LT, %arg1, %0,  SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1x1xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<1x1xi1>, tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<1x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1x1x1xi32>
    %7 = stablehlo.compare  GE, %5, %6,  SIGNED : (tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.compare  LE, %5, %8,  SIGNED : (tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
    %10 = stablehlo.and %7, %9 : tensor<1x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.reduce(%10 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<1x1x1xi1>, tensor<i1>) -> tensor<1x1xi1>
    %12 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<1x1x1xi32>) -> tensor<1x1x16xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<1x1x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x16xf32>
    %15 = stablehlo.select %13, %12, %14 : tensor<1x1x16xi1>, tensor<1x1x16xf32>
    return %15 : tensor<1x1x16xf32>
  }
  func.func private @cumsum(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = call @cumsum_1(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @cumsum_1(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[5, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 6>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @_where_2(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<f32>) -> tensor<6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6xi1>, tensor<6xf32>
    return %2 : tensor<6xf32>
  }
  func.func private @argmax(%arg0: tensor<6xf32>) -> tensor<i32> {
    %0 = stablehlo.iota dim = 0 : tensor<6xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare  GT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<i32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<i1>, tensor<i32>
    return %1 : tensor<i32>
  }
}
