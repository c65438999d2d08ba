module @jit__lambda_ attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1xi32>, %arg1: tensor<32x22xf32>, %arg2: tensor<64x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x96xf32>, %arg5: tensor<32x64xf32>, %arg6: tensor<64x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32x96xf32>, %arg9: tensor<32x64xf32>, %arg10: tensor<22x32xf32>, %arg11: tensor<2x2x16x32xf32>, %arg12: tensor<16xf32>, %arg13: tensor<1x22xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<i1> {jax.result_info = "result[1]"}, tensor<2x2x16x32xf32> {jax.result_info = "result[2]"}, tensor<16xf32> {jax.result_info = "result[3]"}, tensor<1x22xf32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<[[[-3.000000e+01, -3.000000e+00, -2.800000e+00, -2.60000014, -2.400000e+00, -2.200000e+00, -2.000000e+00, -1.80000007, -1.600000e+00, -1.400000e+00, -1.200000e+00, -1.000000e+00, -8.000000e-01, -6.000000e-01, -4.000000e-01, -2.000000e-01, 0.000000e+00]], [[-3.000000e+01, -2.250000e+01, -2.100000e+01, -1.950000e+01, -1.800000e+01, -1.650000e+01, -1.500000e+01, -1.350000e+01, -1.200000e+01, -1.050000e+01, -9.000000e+00, -7.500000e+00, -6.000000e+00, -4.500000e+00, -3.000000e+00, -1.500000e+00, 0.000000e+00]]]> : tensor<2x1x17xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.convert %arg12 : tensor<16xf32>
    %2 = stablehlo.concatenate %1, %0, dim = 0 : (tensor<16xf32>, tensor<1xf32>) -> tensor<17xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [2] : (tensor<17xf32>) -> tensor<1x1x17xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x1x17xf32>) -> tensor<2x1x17xf32>
    %5 = stablehlo.add %4, %cst : tensor<2x1x17xf32>
    %6 = stablehlo.dot_general %arg13, %arg10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x22xf32>, tensor<22x32xf32>) -> tensor<1x32xf32>
    %7 = stablehlo.slice %arg11 [0:1, 0:1, 0:16, 0:32] : (tensor<2x2x16x32xf32>) -> tensor<1x1x16x32xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x1x16x32xf32>) -> tensor<16x32xf32>
    %9 = stablehlo.slice %arg11 [0:1, 1:2, 0:16, 0:32] : (tensor<2x2x16x32xf32>) -> tensor<1x1x16x32xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x1x16x32xf32>) -> tensor<16x32xf32>
    %11 = stablehlo.multiply %6, %6 : tensor<1x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<1x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %17 = stablehlo.add %15, %16 : tensor<1x1xf32>
    %18 = stablehlo.rsqrt %17 : tensor<1x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %20 = stablehlo.multiply %6, %19 : tensor<1x32xf32>
    %21 = stablehlo.dot_general %20, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x96xf32>) -> tensor<1x96xf32>
    %22 = stablehlo.slice %21 [0:1, 0:32] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %23 = stablehlo.slice %21 [0:1, 32:64] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %24 = stablehlo.slice %21 [0:1, 64:96] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %25 = stablehlo.concatenate %8, %23, dim = 0 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<17x32xf32>
    %26 = stablehlo.concatenate %10, %24, dim = 0 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<17x32xf32>
    %27 = stablehlo.reshape %22 : (tensor<1x32xf32>) -> tensor<1x2x16xf32>
    %28 = stablehlo.reshape %25 : (tensor<17x32xf32>) -> tensor<17x2x16xf32>
    %29 = stablehlo.reshape %26 : (tensor<17x32xf32>) -> tensor<17x2x16xf32>
    %30 = stablehlo.dot_general %27, %28, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x16xf32>, tensor<17x2x16xf32>) -> tensor<2x1x17xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x1x17xf32>
    %32 = stablehlo.divide %30, %31 : tensor<2x1x17xf32>
    %33 = stablehlo.add %32, %5 : tensor<2x1x17xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_5) applies stablehlo.maximum across dimensions = [2] : (tensor<2x1x17xf32>, tensor<f32>) -> tensor<2x1xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %36 = stablehlo.maximum %35, %34 : tensor<2x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x1x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x17xf32>
    %39 = stablehlo.subtract %33, %38 : tensor<2x1x17xf32>
    %40 = stablehlo.exponential %39 : tensor<2x1x17xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x1x17xf32>, tensor<f32>) -> tensor<2x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x1x1xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x17xf32>
    %44 = stablehlo.divide %40, %43 : tensor<2x1x17xf32>
    %45 = stablehlo.dot_general %29, %44, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<17x2x16xf32>, tensor<2x1x17xf32>) -> tensor<2x16x1xf32>
    %46 = stablehlo.transpose %45, dims = [2, 0, 1] : (tensor<2x16x1xf32>) -> tensor<1x2x16xf32>
    %47 = stablehlo.reshape %46 : (tensor<1x2x16xf32>) -> tensor<1x32xf32>
    %48 = stablehlo.dot_general %47, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
    %49 = stablehlo.add %6, %48 : tensor<1x32xf32>
    %50 = stablehlo.multiply %49, %49 : tensor<1x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %53 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %54 = stablehlo.divide %52, %53 : tensor<1x1xf32>
    %55 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %56 = stablehlo.add %54, %55 : tensor<1x1xf32>
    %57 = stablehlo.rsqrt %56 : tensor<1x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %59 = stablehlo.multiply %49, %58 : tensor<1x32xf32>
    %60 = stablehlo.dot_general %59, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x64xf32>) -> tensor<1x64xf32>
    %61 = call @relu(%60) : (tensor<1x64xf32>) -> tensor<1x64xf32>
    %62 = stablehlo.dot_general %61, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x64xf32>, tensor<64x32xf32>) -> tensor<1x32xf32>
    %63 = stablehlo.add %49, %62 : tensor<1x32xf32>
    %64 = stablehlo.slice %25 [1:17, 0:32] : (tensor<17x32xf32>) -> tensor<16x32xf32>
    %65 = stablehlo.slice %26 [1:17, 0:32] : (tensor<17x32xf32>) -> tensor<16x32xf32>
    %66 = stablehlo.broadcast_in_dim %64, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %67 = stablehlo.broadcast_in_dim %65, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %68 = stablehlo.concatenate %66, %67, dim = 0 : (tensor<1x16x32xf32>, tensor<1x16x32xf32>) -> tensor<2x16x32xf32>
    %69 = stablehlo.slice %arg11 [1:2, 0:1, 0:16, 0:32] : (tensor<2x2x16x32xf32>) -> tensor<1x1x16x32xf32>
    %70 = stablehlo.reshape %69 : (tensor<1x1x16x32xf32>) -> tensor<16x32xf32>
    %71 = stablehlo.slice %arg11 [1:2, 1:2, 0:16, 0:32] : (tensor<2x2x16x32xf32>) -> tensor<1x1x16x32xf32>
    %72 = stablehlo.reshape %71 : (tensor<1x1x16x32xf32>) -> tensor<16x32xf32>
    %73 = stablehlo.multiply %63, %63 : tensor<1x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %76 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %77 = stablehlo.divide %75, %76 : tensor<1x1xf32>
    %78 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %79 = stablehlo.add %77, %78 : tensor<1x1xf32>
    %80 = stablehlo.rsqrt %79 : tensor<1x1xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %82 = stablehlo.multiply %63, %81 : tensor<1x32xf32>
    %83 = stablehlo.dot_general %82, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x96xf32>) -> tensor<1x96xf32>
    %84 = stablehlo.slice %83 [0:1, 0:32] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %85 = stablehlo.slice %83 [0:1, 32:64] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %86 = stablehlo.slice %83 [0:1, 64:96] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %87 = stablehlo.concatenate %70, %85, dim = 0 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<17x32xf32>
    %88 = stablehlo.concatenate %72, %86, dim = 0 : (tensor<16x32xf32>, tensor<1x32xf32>) -> tensor<17x32xf32>
    %89 = stablehlo.reshape %84 : (tensor<1x32xf32>) -> tensor<1x2x16xf32>
    %90 = stablehlo.reshape %87 : (tensor<17x32xf32>) -> tensor<17x2x16xf32>
    %91 = stablehlo.reshape %88 : (tensor<17x32xf32>) -> tensor<17x2x16xf32>
    %92 = stablehlo.dot_general %89, %90, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x16xf32>, tensor<17x2x16xf32>) -> tensor<2x1x17xf32>
    %93 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x1x17xf32>
    %94 = stablehlo.divide %92, %93 : tensor<2x1x17xf32>
    %95 = stablehlo.add %94, %5 : tensor<2x1x17xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %96 = stablehlo.reduce(%95 init: %cst_10) applies stablehlo.maximum across dimensions = [2] : (tensor<2x1x17xf32>, tensor<f32>) -> tensor<2x1xf32>
    %97 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %98 = stablehlo.maximum %97, %96 : tensor<2x1xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x1x1xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x17xf32>
    %101 = stablehlo.subtract %95, %100 : tensor<2x1x17xf32>
    %102 = stablehlo.exponential %101 : tensor<2x1x17xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x1x17xf32>, tensor<f32>) -> tensor<2x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x1x1xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<2x1x1xf32>) -> tensor<2x1x17xf32>
    %106 = stablehlo.divide %102, %105 : tensor<2x1x17xf32>
    %107 = stablehlo.dot_general %91, %106, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<17x2x16xf32>, tensor<2x1x17xf32>) -> tensor<2x16x1xf32>
    %108 = stablehlo.transpose %107, dims = [2, 0, 1] : (tensor<2x16x1xf32>) -> tensor<1x2x16xf32>
    %109 = stablehlo.reshape %108 : (tensor<1x2x16xf32>) -> tensor<1x32xf32>
    %110 = stablehlo.dot_general %109, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
    %111 = stablehlo.add %63, %110 : tensor<1x32xf32>
    %112 = stablehlo.multiply %111, %111 : tensor<1x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %115 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %116 = stablehlo.divide %114, %115 : tensor<1x1xf32>
    %117 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %118 = stablehlo.add %116, %117 : tensor<1x1xf32>
    %119 = stablehlo.rsqrt %118 : tensor<1x1xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %121 = stablehlo.multiply %111, %120 : tensor<1x32xf32>
    %122 = stablehlo.dot_general %121, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x64xf32>) -> tensor<1x64xf32>
    %123 = call @relu(%122) : (tensor<1x64xf32>) -> tensor<1x64xf32>
    %124 = stablehlo.dot_general %123, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x64xf32>, tensor<64x32xf32>) -> tensor<1x32xf32>
    %125 = stablehlo.add %111, %124 : tensor<1x32xf32>
    %126 = stablehlo.slice %87 [1:17, 0:32] : (tensor<17x32xf32>) -> tensor<16x32xf32>
    %127 = stablehlo.slice %88 [1:17, 0:32] : (tensor<17x32xf32>) -> tensor<16x32xf32>
    %128 = stablehlo.broadcast_in_dim %126, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %129 = stablehlo.broadcast_in_dim %127, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %130 = stablehlo.concatenate %128, %129, dim = 0 : (tensor<1x16x32xf32>, tensor<1x16x32xf32>) -> tensor<2x16x32xf32>
    %131 = stablehlo.multiply %125, %125 : tensor<1x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.reduce(%131 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %134 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %135 = stablehlo.divide %133, %134 : tensor<1x1xf32>
    %136 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %137 = stablehlo.add %135, %136 : tensor<1x1xf32>
    %138 = stablehlo.rsqrt %137 : tensor<1x1xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %140 = stablehlo.multiply %125, %139 : tensor<1x32xf32>
    %141 = stablehlo.dot_general %140, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x22xf32>) -> tensor<1x22xf32>
    %142 = stablehlo.broadcast_in_dim %68, dims = [1, 2, 3] : (tensor<2x16x32xf32>) -> tensor<1x2x16x32xf32>
    %143 = stablehlo.broadcast_in_dim %130, dims = [1, 2, 3] : (tensor<2x16x32xf32>) -> tensor<1x2x16x32xf32>
    %144 = stablehlo.concatenate %142, %143, dim = 0 : (tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>) -> tensor<2x2x16x32xf32>
    %145 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %146 = stablehlo.convert %arg12 : tensor<16xf32>
    %147 = stablehlo.concatenate %146, %145, dim = 0 : (tensor<16xf32>, tensor<1xf32>) -> tensor<17xf32>
    %148 = stablehlo.slice %147 [1:17] : (tensor<17xf32>) -> tensor<16xf32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %149 = stablehlo.compare  LT, %c, %c_14,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_15 = stablehlo.constant dense<-1> : tensor<i32>
    %c_16 = stablehlo.constant dense<1> : tensor<i32>
    %150 = stablehlo.add %c_15, %c_16 : tensor<i32>
    %151 = stablehlo.select %149, %150, %c : tensor<i1>, tensor<i32>
    %152 = stablehlo.dynamic_slice %141, %151, %c_14, sizes = [1, 22] : (tensor<1x22xf32>, tensor<i32>, tensor<i32>) -> tensor<1x22xf32>
    %153 = stablehlo.reshape %152 : (tensor<1x22xf32>) -> tensor<22xf32>
    %154 = call @argmax(%153) : (tensor<22xf32>) -> tensor<i32>
    %c_17 = stablehlo.constant dense<2> : tensor<i32>
    %155 = stablehlo.compare  EQ, %154, %c_17,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %156 = stablehlo.iota dim = 0 : tensor<22xi32>
    %157 = stablehlo.broadcast_in_dim %154, dims = [] : (tensor<i32>) -> tensor<22xi32>
    %158 = stablehlo.compare  EQ, %156, %157,  SIGNED : (tensor<22xi32>, tensor<22xi32>) -> tensor<22xi1>
    %159 = stablehlo.convert %158 : (tensor<22xi1>) -> tensor<22xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [1] : (tensor<22xf32>) -> tensor<1x22xf32>
    return %154, %155, %144, %148, %160 : tensor<i32>, tensor<i1>, tensor<2x2x16x32xf32>, tensor<16xf32>, tensor<1x22xf32>
  }
  func.func private @relu(%arg0: tensor<1x64xf32>) -> tensor<1x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x64xf32>
    return %1 : tensor<1x64xf32>
  }
  func.func private @argmax(%arg0: tensor<22xf32>) -> tensor<i32> {
    %0 = stablehlo.iota dim = 0 : tensor<22xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<22xf32>, tensor<22xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
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
}
