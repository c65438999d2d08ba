module @jit_first attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xi32>, %arg1: tensor<10x6xf32>, %arg2: tensor<48xf32>, %arg3: tensor<48x16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<64xf32>, %arg11: tensor<64x16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16x64xf32>, %arg14: tensor<16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<32x16xf32>, %arg17: tensor<48x16xf32>, %arg18: tensor<1x1xi32>, %arg19: tensor<i1>, %arg20: tensor<10x6xf32>, %arg21: tensor<1x16xi32>, %arg22: tensor<1x1xi32>, %arg23: tensor<1x16x2x8xf32>, %arg24: tensor<1x16x2x8xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<i1> {jax.result_info = "result[1]"}, tensor<1x1xi32> {jax.result_info = "result[2]"}, tensor<i1> {jax.result_info = "result[3]"}, tensor<10x6xf32> {jax.result_info = "result[4]"}, tensor<1x16xi32> {jax.result_info = "result[5]"}, tensor<1x1xi32> {jax.result_info = "result[6]"}, tensor<1x16x2x8xf32> {jax.result_info = "result[7]"}, tensor<1x16x2x8xf32> {jax.result_info = "result[8]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x16xi32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x16x2x8xf32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x16x2x8xf32>
    %4 = stablehlo.slice %2 [0:1, 4:16, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x12x2x8xf32>
    %5 = stablehlo.slice %2 [0:1, 0:4, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x4x2x8xf32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x2x8xf32>
    %7 = stablehlo.concatenate %4, %6, dim = 1 : (tensor<1x12x2x8xf32>, tensor<1x4x2x8xf32>) -> tensor<1x16x2x8xf32>
    %8 = stablehlo.slice %3 [0:1, 4:16, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x12x2x8xf32>
    %9 = stablehlo.slice %3 [0:1, 0:4, 0:2, 0:8] : (tensor<1x16x2x8xf32>) -> tensor<1x4x2x8xf32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x2x8xf32>
    %11 = stablehlo.concatenate %8, %10, dim = 1 : (tensor<1x12x2x8xf32>, tensor<1x4x2x8xf32>) -> tensor<1x16x2x8xf32>
    %12 = stablehlo.slice %0 [0:1, 4:16] : (tensor<1x16xi32>) -> tensor<1x12xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x4xi32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<1x12xi32>, tensor<1x4xi32>) -> tensor<1x16xi32>
    %15 = stablehlo.iota dim = 0 : tensor<4xi32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %17 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<1x4xi32>
    %18 = stablehlo.add %17, %16 : tensor<1x4xi32>
    %19 = call @_take(%arg17, %arg0) : (tensor<48x16xf32>, tensor<1x4xi32>) -> tensor<1x4x16xf32>
    %20 = call @_take_0(%arg16, %18) : (tensor<32x16xf32>, tensor<1x4xi32>) -> tensor<1x4x16xf32>
    %21 = stablehlo.add %19, %20 : tensor<1x4x16xf32>
    %22 = stablehlo.multiply %21, %21 : tensor<1x4x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%21 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %25 = stablehlo.divide %23, %24 : tensor<1x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %27 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %28 = stablehlo.divide %26, %27 : tensor<1x4xf32>
    %29 = stablehlo.multiply %25, %25 : tensor<1x4xf32>
    %30 = stablehlo.subtract %28, %29 : tensor<1x4xf32>
    %31 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %32 = stablehlo.maximum %31, %30 : tensor<1x4xf32>
    %33 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %36 = stablehlo.subtract %21, %35 : tensor<1x4x16xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x4x1xf32>
    %38 = stablehlo.add %34, %37 : tensor<1x4x1xf32>
    %39 = stablehlo.rsqrt %38 : tensor<1x4x1xf32>
    %40 = stablehlo.reshape %arg7 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %42 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %43 = stablehlo.multiply %41, %42 : tensor<1x4x16xf32>
    %44 = stablehlo.multiply %36, %43 : tensor<1x4x16xf32>
    %45 = stablehlo.reshape %arg6 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %47 = stablehlo.add %44, %46 : tensor<1x4x16xf32>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %48 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<1x32xi1>
    %49 = stablehlo.iota dim = 0 : tensor<32xi32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [1] : (tensor<32xi32>) -> tensor<1x32xi32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<1x32xi32>) -> tensor<1x32x1xi32>
    %52 = stablehlo.broadcast_in_dim %50, dims = [0, 2] : (tensor<1x32xi32>) -> tensor<1x1x32xi32>
    %53 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<1x32x1xi32>) -> tensor<1x32x32xi32>
    %54 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<1x1x32xi32>) -> tensor<1x32x32xi32>
    %55 = stablehlo.compare  GE, %53, %54,  SIGNED : (tensor<1x32x32xi32>, tensor<1x32x32xi32>) -> tensor<1x32x32xi1>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 2, 3] : (tensor<1x32x32xi1>) -> tensor<1x1x32x32xi1>
    %57 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %58 = stablehlo.dot_general %47, %57, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf32>, tensor<16x48xf32>) -> tensor<1x4x48xf32>
    %59 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<48xf32>) -> tensor<1x1x48xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<1x1x48xf32>) -> tensor<1x4x48xf32>
    %61 = stablehlo.add %58, %60 : tensor<1x4x48xf32>
    %62 = stablehlo.slice %61 [0:1, 0:4, 0:16] : (tensor<1x4x48xf32>) -> tensor<1x4x16xf32>
    %63 = stablehlo.slice %61 [0:1, 0:4, 16:32] : (tensor<1x4x48xf32>) -> tensor<1x4x16xf32>
    %64 = stablehlo.slice %61 [0:1, 0:4, 32:48] : (tensor<1x4x48xf32>) -> tensor<1x4x16xf32>
    %65 = stablehlo.reshape %62 : (tensor<1x4x16xf32>) -> tensor<1x4x2x8xf32>
    %66 = stablehlo.reshape %63 : (tensor<1x4x16xf32>) -> tensor<1x4x2x8xf32>
    %67 = stablehlo.reshape %64 : (tensor<1x4x16xf32>) -> tensor<1x4x2x8xf32>
    %c_6 = stablehlo.constant dense<12> : tensor<i32>
    %68 = stablehlo.compare  LT, %c_6, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<32> : tensor<i32>
    %69 = stablehlo.add %c_6, %c_7 : tensor<i32>
    %70 = stablehlo.select %68, %69, %c_6 : tensor<i1>, tensor<i32>
    %71 = stablehlo.dynamic_slice %56, %c, %c, %70, %c, sizes = [1, 1, 4, 16] : (tensor<1x1x32x32xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x4x16xi1>
    %72 = stablehlo.broadcast_in_dim %14, dims = [0, 3] : (tensor<1x16xi32>) -> tensor<1x1x1x16xi32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xi32>) -> tensor<1x1x4x16xi32>
    %74 = stablehlo.convert %71 : (tensor<1x1x4x16xi1>) -> tensor<1x1x4x16xi32>
    %75 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x1x4x16xi32>
    %76 = stablehlo.compare  NE, %73, %75,  SIGNED : (tensor<1x1x4x16xi32>, tensor<1x1x4x16xi32>) -> tensor<1x1x4x16xi1>
    %77 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x1x4x16xi32>
    %78 = stablehlo.compare  NE, %74, %77,  SIGNED : (tensor<1x1x4x16xi32>, tensor<1x1x4x16xi32>) -> tensor<1x1x4x16xi1>
    %79 = stablehlo.and %76, %78 : tensor<1x1x4x16xi1>
    %80 = stablehlo.convert %79 : (tensor<1x1x4x16xi1>) -> tensor<1x1x4x16xf32>
    %81 = stablehlo.compare  LT, %c_6, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<16> : tensor<i32>
    %82 = stablehlo.add %c_6, %c_8 : tensor<i32>
    %83 = stablehlo.select %81, %82, %c_6 : tensor<i1>, tensor<i32>
    %84 = stablehlo.dynamic_update_slice %7, %66, %c, %83, %c, %c : (tensor<1x16x2x8xf32>, tensor<1x4x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x8xf32>
    %85 = stablehlo.compare  LT, %c_6, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %86 = stablehlo.add %c_6, %c_8 : tensor<i32>
    %87 = stablehlo.select %85, %86, %c_6 : tensor<i1>, tensor<i32>
    %88 = stablehlo.dynamic_update_slice %11, %67, %c, %87, %c, %c : (tensor<1x16x2x8xf32>, tensor<1x4x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x8xf32>
    %c_9 = stablehlo.constant dense<4> : tensor<i32>
    %89 = stablehlo.add %c_6, %c_9 : tensor<i32>
    %90 = stablehlo.iota dim = 0 : tensor<16xi32>
    %91 = stablehlo.add %c_6, %c_9 : tensor<i32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %93 = stablehlo.compare  LT, %90, %92,  SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %94 = stablehlo.broadcast_in_dim %93, dims = [3] : (tensor<16xi1>) -> tensor<1x1x4x16xi1>
    %95 = stablehlo.convert %94 : (tensor<1x1x4x16xi1>) -> tensor<1x1x4x16xf32>
    %96 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %97 = stablehlo.compare  NE, %95, %96,  FLOAT : (tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xi1>
    %98 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %99 = stablehlo.compare  NE, %80, %98,  FLOAT : (tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xi1>
    %100 = stablehlo.and %97, %99 : tensor<1x1x4x16xi1>
    %101 = stablehlo.convert %100 : (tensor<1x1x4x16xi1>) -> tensor<1x1x4x16xf32>
    %102 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %103 = stablehlo.compare  GT, %101, %102,  FLOAT : (tensor<1x1x4x16xf32>, tensor<1x1x4x16xf32>) -> tensor<1x1x4x16xi1>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %105 = stablehlo.convert %104 : tensor<1x1x4x16xf32>
    %cst_11 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x1x4x16xf32>
    %107 = stablehlo.select %103, %105, %106 : tensor<1x1x4x16xi1>, tensor<1x1x4x16xf32>
    %cst_12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %108 = stablehlo.sqrt %cst_12 : tensor<f32>
    %109 = stablehlo.convert %108 : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [] : (tensor<f32>) -> tensor<1x4x2x8xf32>
    %111 = stablehlo.divide %65, %110 : tensor<1x4x2x8xf32>
    %112 = stablehlo.dot_general %111, %84, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x2x8xf32>, tensor<1x16x2x8xf32>) -> tensor<1x2x4x16xf32>
    %113 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2, 3] : (tensor<1x1x4x16xf32>) -> tensor<1x2x4x16xf32>
    %114 = stablehlo.add %112, %113 : tensor<1x2x4x16xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %115 = stablehlo.reduce(%114 init: %cst_13) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x4x16xf32>, tensor<f32>) -> tensor<1x2x4xf32>
    %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1x2x4xf32>
    %117 = stablehlo.maximum %116, %115 : tensor<1x2x4xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<1x2x4xf32>) -> tensor<1x2x4x1xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x16xf32>
    %120 = stablehlo.subtract %114, %119 : tensor<1x2x4x16xf32>
    %121 = stablehlo.exponential %120 : tensor<1x2x4x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %122 = stablehlo.reduce(%121 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<1x2x4x16xf32>, tensor<f32>) -> tensor<1x2x4xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2] : (tensor<1x2x4xf32>) -> tensor<1x2x4x1xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<1x2x4x1xf32>) -> tensor<1x2x4x16xf32>
    %125 = stablehlo.divide %121, %124 : tensor<1x2x4x16xf32>
    %126 = stablehlo.dot_general %88, %125, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x16x2x8xf32>, tensor<1x2x4x16xf32>) -> tensor<1x2x8x4xf32>
    %127 = stablehlo.transpose %126, dims = [0, 3, 1, 2] : (tensor<1x2x8x4xf32>) -> tensor<1x4x2x8xf32>
    %128 = stablehlo.reshape %127 : (tensor<1x4x2x8xf32>) -> tensor<1x4x16xf32>
    %129 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %130 = stablehlo.dot_general %128, %129, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf32>, tensor<16x16xf32>) -> tensor<1x4x16xf32>
    %131 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %133 = stablehlo.add %130, %132 : tensor<1x4x16xf32>
    %134 = stablehlo.add %133, %21 : tensor<1x4x16xf32>
    %135 = stablehlo.multiply %134, %134 : tensor<1x4x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.reduce(%134 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %137 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %138 = stablehlo.divide %136, %137 : tensor<1x4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.reduce(%135 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %140 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %141 = stablehlo.divide %139, %140 : tensor<1x4xf32>
    %142 = stablehlo.multiply %138, %138 : tensor<1x4xf32>
    %143 = stablehlo.subtract %141, %142 : tensor<1x4xf32>
    %144 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %145 = stablehlo.maximum %144, %143 : tensor<1x4xf32>
    %146 = stablehlo.broadcast_in_dim %138, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %147 = stablehlo.broadcast_in_dim %145, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %148 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %149 = stablehlo.subtract %134, %148 : tensor<1x4x16xf32>
    %150 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x4x1xf32>
    %151 = stablehlo.add %147, %150 : tensor<1x4x1xf32>
    %152 = stablehlo.rsqrt %151 : tensor<1x4x1xf32>
    %153 = stablehlo.reshape %arg9 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %154 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %155 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %156 = stablehlo.multiply %154, %155 : tensor<1x4x16xf32>
    %157 = stablehlo.multiply %149, %156 : tensor<1x4x16xf32>
    %158 = stablehlo.reshape %arg8 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %160 = stablehlo.add %157, %159 : tensor<1x4x16xf32>
    %161 = stablehlo.transpose %arg11, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %162 = stablehlo.dot_general %160, %161, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf32>, tensor<16x64xf32>) -> tensor<1x4x64xf32>
    %163 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<1x4x64xf32>
    %165 = stablehlo.add %162, %164 : tensor<1x4x64xf32>
    %166 = stablehlo.multiply %165, %165 : tensor<1x4x64xf32>
    %167 = stablehlo.multiply %166, %165 : tensor<1x4x64xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1x4x64xf32>
    %169 = stablehlo.multiply %168, %167 : tensor<1x4x64xf32>
    %170 = stablehlo.add %165, %169 : tensor<1x4x64xf32>
    %cst_19 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x4x64xf32>
    %172 = stablehlo.multiply %171, %170 : tensor<1x4x64xf32>
    %173 = stablehlo.tanh %172 : tensor<1x4x64xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x4x64xf32>
    %175 = stablehlo.add %174, %173 : tensor<1x4x64xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x4x64xf32>
    %177 = stablehlo.multiply %176, %175 : tensor<1x4x64xf32>
    %178 = stablehlo.multiply %165, %177 : tensor<1x4x64xf32>
    %179 = stablehlo.transpose %arg13, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %180 = stablehlo.dot_general %178, %179, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x64xf32>, tensor<64x16xf32>) -> tensor<1x4x16xf32>
    %181 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %182 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %183 = stablehlo.add %180, %182 : tensor<1x4x16xf32>
    %184 = stablehlo.add %134, %183 : tensor<1x4x16xf32>
    %185 = stablehlo.multiply %184, %184 : tensor<1x4x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.reduce(%184 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %187 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %188 = stablehlo.divide %186, %187 : tensor<1x4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %189 = stablehlo.reduce(%185 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<1x4xf32>
    %190 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %191 = stablehlo.divide %189, %190 : tensor<1x4xf32>
    %192 = stablehlo.multiply %188, %188 : tensor<1x4xf32>
    %193 = stablehlo.subtract %191, %192 : tensor<1x4xf32>
    %194 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %195 = stablehlo.maximum %194, %193 : tensor<1x4xf32>
    %196 = stablehlo.broadcast_in_dim %188, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %197 = stablehlo.broadcast_in_dim %195, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
    %198 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %199 = stablehlo.subtract %184, %198 : tensor<1x4x16xf32>
    %200 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x4x1xf32>
    %201 = stablehlo.add %197, %200 : tensor<1x4x1xf32>
    %202 = stablehlo.rsqrt %201 : tensor<1x4x1xf32>
    %203 = stablehlo.reshape %arg15 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %204 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2] : (tensor<1x4x1xf32>) -> tensor<1x4x16xf32>
    %205 = stablehlo.broadcast_in_dim %203, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %206 = stablehlo.multiply %204, %205 : tensor<1x4x16xf32>
    %207 = stablehlo.multiply %199, %206 : tensor<1x4x16xf32>
    %208 = stablehlo.reshape %arg14 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x4x16xf32>
    %210 = stablehlo.add %207, %209 : tensor<1x4x16xf32>
    %211 = stablehlo.transpose %arg17, dims = [1, 0] : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %212 = stablehlo.dot_general %210, %211, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf32>, tensor<16x48xf32>) -> tensor<1x4x48xf32>
    %c_24 = stablehlo.constant dense<-1> : tensor<i32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %213 = stablehlo.compare  LT, %c_24, %c_25,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_26 = stablehlo.constant dense<-1> : tensor<i32>
    %214 = stablehlo.add %c_26, %c_9 : tensor<i32>
    %215 = stablehlo.select %213, %214, %c_24 : tensor<i1>, tensor<i32>
    %216 = stablehlo.dynamic_slice %212, %c_25, %215, %c_25, sizes = [1, 1, 48] : (tensor<1x4x48xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x48xf32>
    %217 = stablehlo.reshape %216 : (tensor<1x1x48xf32>) -> tensor<1x48xf32>
    %218 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %219 = stablehlo.add %1, %218 : tensor<1x1xi32>
    %cst_27 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %cst_28 = stablehlo.constant dense<0.999998986> : tensor<f32>
    %220 = call @clip(%arg1, %cst_27, %cst_28) : (tensor<10x6xf32>, tensor<f32>, tensor<f32>) -> tensor<10x6xf32>
    %221 = stablehlo.log %220 : tensor<10x6xf32>
    %222 = stablehlo.negate %221 : tensor<10x6xf32>
    %223 = stablehlo.log %222 : tensor<10x6xf32>
    %224 = stablehlo.negate %223 : tensor<10x6xf32>
    %225 = stablehlo.slice %217 [0:1, 0:48] : (tensor<1x48xf32>) -> tensor<1x48xf32>
    %226 = stablehlo.reshape %225 : (tensor<1x48xf32>) -> tensor<48xf32>
    %227 = stablehlo.slice %224 [0:1, 0:6] : (tensor<10x6xf32>) -> tensor<1x6xf32>
    %228 = stablehlo.reshape %227 : (tensor<1x6xf32>) -> tensor<6xf32>
    %values, %indices = chlo.top_k(%226, k = 6) : tensor<48xf32> -> (tensor<6xf32>, tensor<6xi32>)
    %229 = stablehlo.slice %values [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %230 = stablehlo.reshape %229 : (tensor<1xf32>) -> tensor<f32>
    %231 = stablehlo.broadcast_in_dim %230, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %232 = stablehlo.subtract %values, %231 : tensor<6xf32>
    %cst_29 = stablehlo.constant dense<8.000000e-01> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %234 = stablehlo.divide %232, %233 : tensor<6xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %235 = stablehlo.reduce(%234 init: %cst_30) applies stablehlo.maximum across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %236 = stablehlo.maximum %cst_14, %235 : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %236, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0] : (tensor<1xf32>) -> tensor<6xf32>
    %239 = stablehlo.subtract %234, %238 : tensor<6xf32>
    %240 = stablehlo.exponential %239 : tensor<6xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %241 = stablehlo.reduce(%240 init: %cst_31) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %242 = stablehlo.broadcast_in_dim %241, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0] : (tensor<1xf32>) -> tensor<6xf32>
    %244 = stablehlo.divide %240, %243 : tensor<6xf32>
    %245 = call @cumsum(%244) : (tensor<6xf32>) -> tensor<6xf32>
    %246 = stablehlo.subtract %245, %244 : tensor<6xf32>
    %cst_32 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %248 = stablehlo.compare  LT, %246, %247,  FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %cst_33 = stablehlo.constant dense<-1.000000e+04> : tensor<f32>
    %249 = call @_where_2(%248, %234, %cst_33) : (tensor<6xi1>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %250 = stablehlo.add %249, %228 : tensor<6xf32>
    %251 = call @argmax(%250) : (tensor<6xf32>) -> tensor<i32>
    %252 = stablehlo.compare  LT, %251, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_34 = stablehlo.constant dense<6> : tensor<i32>
    %253 = stablehlo.add %251, %c_34 : tensor<i32>
    %254 = stablehlo.select %252, %253, %251 : tensor<i1>, tensor<i32>
    %255 = stablehlo.dynamic_slice %indices, %254, sizes = [1] : (tensor<6xi32>, tensor<i32>) -> tensor<1xi32>
    %256 = stablehlo.reshape %255 : (tensor<1xi32>) -> tensor<i32>
    %257 = stablehlo.slice %224 [1:10, 0:6] : (tensor<10x6xf32>) -> tensor<9x6xf32>
    %258 = stablehlo.slice %224 [0:1, 0:6] : (tensor<10x6xf32>) -> tensor<1x6xf32>
    %259 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %260 = stablehlo.concatenate %257, %259, dim = 0 : (tensor<9x6xf32>, tensor<1x6xf32>) -> tensor<10x6xf32>
    %c_35 = stablehlo.constant dense<false> : tensor<i1>
    %c_36 = stablehlo.constant dense<18> : tensor<i32>
    %261 = call @_where_3(%c_35, %c_36, %256) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_37 = stablehlo.constant dense<18> : tensor<i32>
    %262 = stablehlo.compare  EQ, %261, %c_37,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %263 = stablehlo.broadcast_in_dim %261, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    return %261, %262, %263, %262, %260, %14, %219, %84, %88 : tensor<i32>, tensor<i1>, tensor<1x1xi32>, tensor<i1>, tensor<10x6xf32>, tensor<1x16xi32>, tensor<1x1xi32>, tensor<1x16x2x8xf32>, tensor<1x16x2x8xf32>
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
  func.func private @clip(%arg0: tensor<10x6xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<10x6xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<10x6xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<10x6xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<10x6xf32>
    return %5 : tensor<10x6xf32>
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
