module @jit_func attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128x8xf32>, %arg1: tensor<128x32xf32>, %arg2: tensor<128xf32>, %arg3: tensor<128xf32>, %arg4: tensor<2x32xf32>, %arg5: tensor<2xf32>, %arg6: tensor<2x10x8xf32>) -> (tensor<2x2xf32> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %2 = stablehlo.reshape %0 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %3 = stablehlo.reshape %1 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %4 = stablehlo.transpose %arg6, dims = [1, 0, 2] : (tensor<2x10x8xf32>) -> tensor<10x2x8xf32>
    %5 = stablehlo.broadcast_in_dim %2, dims = [1, 2] : (tensor<2x32xf32>) -> tensor<1x2x32xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<2x32xf32>) -> tensor<1x2x32xf32>
    %7 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<128x8xf32>) -> tensor<8x128xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<8x128xf32>) -> tensor<10x8x128xf32>
    %9 = stablehlo.dot_general %4, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<10x2x8xf32>, tensor<10x8x128xf32>) -> tensor<10x2x128xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %11 = stablehlo.multiply %arg2, %10 : tensor<128xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<10x2x128xf32>
    %14 = stablehlo.add %9, %13 : tensor<10x2x128xf32>
    %15 = stablehlo.slice %14 [0:1, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %16 = stablehlo.slice %14 [1:2, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %17 = stablehlo.slice %14 [2:3, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %18 = stablehlo.slice %14 [3:4, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %19 = stablehlo.slice %14 [4:5, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %20 = stablehlo.slice %14 [5:6, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %21 = stablehlo.slice %14 [6:7, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %22 = stablehlo.slice %14 [7:8, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %23 = stablehlo.slice %14 [8:9, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %24 = stablehlo.slice %14 [9:10, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %25 = stablehlo.reshape %15 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %26 = stablehlo.reshape %16 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %27 = stablehlo.reshape %17 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %28 = stablehlo.reshape %18 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %29 = stablehlo.reshape %19 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %30 = stablehlo.reshape %20 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %31 = stablehlo.reshape %21 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %32 = stablehlo.reshape %22 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %33 = stablehlo.reshape %23 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %34 = stablehlo.reshape %24 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %35 = stablehlo.reshape %5 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %36 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %38 = stablehlo.multiply %arg3, %37 : tensor<128xf32>
    %39 = stablehlo.dot_general %35, %36, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %41 = stablehlo.multiply %40, %39 : tensor<2x128xf32>
    %42 = stablehlo.broadcast_in_dim %38, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %44 = stablehlo.add %43, %41 : tensor<2x128xf32>
    %45 = stablehlo.reshape %44 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %47 = stablehlo.multiply %25, %46 : tensor<2x128xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %49 = stablehlo.add %45, %48 : tensor<1x2x128xf32>
    %50 = stablehlo.slice %49 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %51 = stablehlo.slice %49 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %52 = stablehlo.slice %49 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %53 = stablehlo.slice %49 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %54 = stablehlo.negate %50 : tensor<1x2x32xf32>
    %55 = stablehlo.exponential %54 : tensor<1x2x32xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %57 = stablehlo.add %56, %55 : tensor<1x2x32xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %59 = stablehlo.divide %58, %57 : tensor<1x2x32xf32>
    %60 = stablehlo.negate %51 : tensor<1x2x32xf32>
    %61 = stablehlo.exponential %60 : tensor<1x2x32xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %63 = stablehlo.add %62, %61 : tensor<1x2x32xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %65 = stablehlo.divide %64, %63 : tensor<1x2x32xf32>
    %66 = stablehlo.tanh %52 : tensor<1x2x32xf32>
    %67 = stablehlo.negate %53 : tensor<1x2x32xf32>
    %68 = stablehlo.exponential %67 : tensor<1x2x32xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %70 = stablehlo.add %69, %68 : tensor<1x2x32xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %72 = stablehlo.divide %71, %70 : tensor<1x2x32xf32>
    %73 = stablehlo.multiply %65, %6 : tensor<1x2x32xf32>
    %74 = stablehlo.multiply %59, %66 : tensor<1x2x32xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %76 = stablehlo.multiply %74, %75 : tensor<1x2x32xf32>
    %77 = stablehlo.add %73, %76 : tensor<1x2x32xf32>
    %78 = stablehlo.tanh %77 : tensor<1x2x32xf32>
    %79 = stablehlo.multiply %72, %78 : tensor<1x2x32xf32>
    %80 = stablehlo.reshape %79 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %81 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %83 = stablehlo.multiply %arg3, %82 : tensor<128xf32>
    %84 = stablehlo.dot_general %80, %81, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %86 = stablehlo.multiply %85, %84 : tensor<2x128xf32>
    %87 = stablehlo.broadcast_in_dim %83, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %89 = stablehlo.add %88, %86 : tensor<2x128xf32>
    %90 = stablehlo.reshape %89 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %92 = stablehlo.multiply %26, %91 : tensor<2x128xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %94 = stablehlo.add %90, %93 : tensor<1x2x128xf32>
    %95 = stablehlo.slice %94 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %96 = stablehlo.slice %94 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %97 = stablehlo.slice %94 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %98 = stablehlo.slice %94 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %99 = stablehlo.negate %95 : tensor<1x2x32xf32>
    %100 = stablehlo.exponential %99 : tensor<1x2x32xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %102 = stablehlo.add %101, %100 : tensor<1x2x32xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %104 = stablehlo.divide %103, %102 : tensor<1x2x32xf32>
    %105 = stablehlo.negate %96 : tensor<1x2x32xf32>
    %106 = stablehlo.exponential %105 : tensor<1x2x32xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %108 = stablehlo.add %107, %106 : tensor<1x2x32xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %110 = stablehlo.divide %109, %108 : tensor<1x2x32xf32>
    %111 = stablehlo.tanh %97 : tensor<1x2x32xf32>
    %112 = stablehlo.negate %98 : tensor<1x2x32xf32>
    %113 = stablehlo.exponential %112 : tensor<1x2x32xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %115 = stablehlo.add %114, %113 : tensor<1x2x32xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %117 = stablehlo.divide %116, %115 : tensor<1x2x32xf32>
    %118 = stablehlo.multiply %110, %77 : tensor<1x2x32xf32>
    %119 = stablehlo.multiply %104, %111 : tensor<1x2x32xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %121 = stablehlo.multiply %119, %120 : tensor<1x2x32xf32>
    %122 = stablehlo.add %118, %121 : tensor<1x2x32xf32>
    %123 = stablehlo.tanh %122 : tensor<1x2x32xf32>
    %124 = stablehlo.multiply %117, %123 : tensor<1x2x32xf32>
    %125 = stablehlo.reshape %124 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %126 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %128 = stablehlo.multiply %arg3, %127 : tensor<128xf32>
    %129 = stablehlo.dot_general %125, %126, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %131 = stablehlo.multiply %130, %129 : tensor<2x128xf32>
    %132 = stablehlo.broadcast_in_dim %128, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %134 = stablehlo.add %133, %131 : tensor<2x128xf32>
    %135 = stablehlo.reshape %134 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %137 = stablehlo.multiply %27, %136 : tensor<2x128xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %139 = stablehlo.add %135, %138 : tensor<1x2x128xf32>
    %140 = stablehlo.slice %139 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %141 = stablehlo.slice %139 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %142 = stablehlo.slice %139 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %143 = stablehlo.slice %139 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %144 = stablehlo.negate %140 : tensor<1x2x32xf32>
    %145 = stablehlo.exponential %144 : tensor<1x2x32xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %147 = stablehlo.add %146, %145 : tensor<1x2x32xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %149 = stablehlo.divide %148, %147 : tensor<1x2x32xf32>
    %150 = stablehlo.negate %141 : tensor<1x2x32xf32>
    %151 = stablehlo.exponential %150 : tensor<1x2x32xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %153 = stablehlo.add %152, %151 : tensor<1x2x32xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %155 = stablehlo.divide %154, %153 : tensor<1x2x32xf32>
    %156 = stablehlo.tanh %142 : tensor<1x2x32xf32>
    %157 = stablehlo.negate %143 : tensor<1x2x32xf32>
    %158 = stablehlo.exponential %157 : tensor<1x2x32xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %160 = stablehlo.add %159, %158 : tensor<1x2x32xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %162 = stablehlo.divide %161, %160 : tensor<1x2x32xf32>
    %163 = stablehlo.multiply %155, %122 : tensor<1x2x32xf32>
    %164 = stablehlo.multiply %149, %156 : tensor<1x2x32xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %166 = stablehlo.multiply %164, %165 : tensor<1x2x32xf32>
    %167 = stablehlo.add %163, %166 : tensor<1x2x32xf32>
    %168 = stablehlo.tanh %167 : tensor<1x2x32xf32>
    %169 = stablehlo.multiply %162, %168 : tensor<1x2x32xf32>
    %170 = stablehlo.reshape %169 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %171 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %173 = stablehlo.multiply %arg3, %172 : tensor<128xf32>
    %174 = stablehlo.dot_general %170, %171, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %176 = stablehlo.multiply %175, %174 : tensor<2x128xf32>
    %177 = stablehlo.broadcast_in_dim %173, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %179 = stablehlo.add %178, %176 : tensor<2x128xf32>
    %180 = stablehlo.reshape %179 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %182 = stablehlo.multiply %28, %181 : tensor<2x128xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %184 = stablehlo.add %180, %183 : tensor<1x2x128xf32>
    %185 = stablehlo.slice %184 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %186 = stablehlo.slice %184 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %187 = stablehlo.slice %184 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %188 = stablehlo.slice %184 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %189 = stablehlo.negate %185 : tensor<1x2x32xf32>
    %190 = stablehlo.exponential %189 : tensor<1x2x32xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %192 = stablehlo.add %191, %190 : tensor<1x2x32xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %194 = stablehlo.divide %193, %192 : tensor<1x2x32xf32>
    %195 = stablehlo.negate %186 : tensor<1x2x32xf32>
    %196 = stablehlo.exponential %195 : tensor<1x2x32xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %198 = stablehlo.add %197, %196 : tensor<1x2x32xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %200 = stablehlo.divide %199, %198 : tensor<1x2x32xf32>
    %201 = stablehlo.tanh %187 : tensor<1x2x32xf32>
    %202 = stablehlo.negate %188 : tensor<1x2x32xf32>
    %203 = stablehlo.exponential %202 : tensor<1x2x32xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %205 = stablehlo.add %204, %203 : tensor<1x2x32xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %207 = stablehlo.divide %206, %205 : tensor<1x2x32xf32>
    %208 = stablehlo.multiply %200, %167 : tensor<1x2x32xf32>
    %209 = stablehlo.multiply %194, %201 : tensor<1x2x32xf32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %211 = stablehlo.multiply %209, %210 : tensor<1x2x32xf32>
    %212 = stablehlo.add %208, %211 : tensor<1x2x32xf32>
    %213 = stablehlo.tanh %212 : tensor<1x2x32xf32>
    %214 = stablehlo.multiply %207, %213 : tensor<1x2x32xf32>
    %215 = stablehlo.reshape %214 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %216 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %218 = stablehlo.multiply %arg3, %217 : tensor<128xf32>
    %219 = stablehlo.dot_general %215, %216, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %221 = stablehlo.multiply %220, %219 : tensor<2x128xf32>
    %222 = stablehlo.broadcast_in_dim %218, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %224 = stablehlo.add %223, %221 : tensor<2x128xf32>
    %225 = stablehlo.reshape %224 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %227 = stablehlo.multiply %29, %226 : tensor<2x128xf32>
    %228 = stablehlo.broadcast_in_dim %227, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %229 = stablehlo.add %225, %228 : tensor<1x2x128xf32>
    %230 = stablehlo.slice %229 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %231 = stablehlo.slice %229 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %232 = stablehlo.slice %229 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %233 = stablehlo.slice %229 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %234 = stablehlo.negate %230 : tensor<1x2x32xf32>
    %235 = stablehlo.exponential %234 : tensor<1x2x32xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %237 = stablehlo.add %236, %235 : tensor<1x2x32xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %239 = stablehlo.divide %238, %237 : tensor<1x2x32xf32>
    %240 = stablehlo.negate %231 : tensor<1x2x32xf32>
    %241 = stablehlo.exponential %240 : tensor<1x2x32xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %243 = stablehlo.add %242, %241 : tensor<1x2x32xf32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %245 = stablehlo.divide %244, %243 : tensor<1x2x32xf32>
    %246 = stablehlo.tanh %232 : tensor<1x2x32xf32>
    %247 = stablehlo.negate %233 : tensor<1x2x32xf32>
    %248 = stablehlo.exponential %247 : tensor<1x2x32xf32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %250 = stablehlo.add %249, %248 : tensor<1x2x32xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %252 = stablehlo.divide %251, %250 : tensor<1x2x32xf32>
    %253 = stablehlo.multiply %245, %212 : tensor<1x2x32xf32>
    %254 = stablehlo.multiply %239, %246 : tensor<1x2x32xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %256 = stablehlo.multiply %254, %255 : tensor<1x2x32xf32>
    %257 = stablehlo.add %253, %256 : tensor<1x2x32xf32>
    %258 = stablehlo.tanh %257 : tensor<1x2x32xf32>
    %259 = stablehlo.multiply %252, %258 : tensor<1x2x32xf32>
    %260 = stablehlo.reshape %259 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %261 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %263 = stablehlo.multiply %arg3, %262 : tensor<128xf32>
    %264 = stablehlo.dot_general %260, %261, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %266 = stablehlo.multiply %265, %264 : tensor<2x128xf32>
    %267 = stablehlo.broadcast_in_dim %263, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %269 = stablehlo.add %268, %266 : tensor<2x128xf32>
    %270 = stablehlo.reshape %269 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %272 = stablehlo.multiply %30, %271 : tensor<2x128xf32>
    %273 = stablehlo.broadcast_in_dim %272, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %274 = stablehlo.add %270, %273 : tensor<1x2x128xf32>
    %275 = stablehlo.slice %274 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %276 = stablehlo.slice %274 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %277 = stablehlo.slice %274 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %278 = stablehlo.slice %274 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %279 = stablehlo.negate %275 : tensor<1x2x32xf32>
    %280 = stablehlo.exponential %279 : tensor<1x2x32xf32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %282 = stablehlo.add %281, %280 : tensor<1x2x32xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %284 = stablehlo.divide %283, %282 : tensor<1x2x32xf32>
    %285 = stablehlo.negate %276 : tensor<1x2x32xf32>
    %286 = stablehlo.exponential %285 : tensor<1x2x32xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %288 = stablehlo.add %287, %286 : tensor<1x2x32xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %290 = stablehlo.divide %289, %288 : tensor<1x2x32xf32>
    %291 = stablehlo.tanh %277 : tensor<1x2x32xf32>
    %292 = stablehlo.negate %278 : tensor<1x2x32xf32>
    %293 = stablehlo.exponential %292 : tensor<1x2x32xf32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %295 = stablehlo.add %294, %293 : tensor<1x2x32xf32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %297 = stablehlo.divide %296, %295 : tensor<1x2x32xf32>
    %298 = stablehlo.multiply %290, %257 : tensor<1x2x32xf32>
    %299 = stablehlo.multiply %284, %291 : tensor<1x2x32xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %301 = stablehlo.multiply %299, %300 : tensor<1x2x32xf32>
    %302 = stablehlo.add %298, %301 : tensor<1x2x32xf32>
    %303 = stablehlo.tanh %302 : tensor<1x2x32xf32>
    %304 = stablehlo.multiply %297, %303 : tensor<1x2x32xf32>
    %305 = stablehlo.reshape %304 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %306 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %308 = stablehlo.multiply %arg3, %307 : tensor<128xf32>
    %309 = stablehlo.dot_general %305, %306, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %311 = stablehlo.multiply %310, %309 : tensor<2x128xf32>
    %312 = stablehlo.broadcast_in_dim %308, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %313 = stablehlo.broadcast_in_dim %312, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %314 = stablehlo.add %313, %311 : tensor<2x128xf32>
    %315 = stablehlo.reshape %314 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %317 = stablehlo.multiply %31, %316 : tensor<2x128xf32>
    %318 = stablehlo.broadcast_in_dim %317, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %319 = stablehlo.add %315, %318 : tensor<1x2x128xf32>
    %320 = stablehlo.slice %319 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %321 = stablehlo.slice %319 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %322 = stablehlo.slice %319 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %323 = stablehlo.slice %319 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %324 = stablehlo.negate %320 : tensor<1x2x32xf32>
    %325 = stablehlo.exponential %324 : tensor<1x2x32xf32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %326 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %327 = stablehlo.add %326, %325 : tensor<1x2x32xf32>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %328 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %329 = stablehlo.divide %328, %327 : tensor<1x2x32xf32>
    %330 = stablehlo.negate %321 : tensor<1x2x32xf32>
    %331 = stablehlo.exponential %330 : tensor<1x2x32xf32>
    %cst_67 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %333 = stablehlo.add %332, %331 : tensor<1x2x32xf32>
    %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %334 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %335 = stablehlo.divide %334, %333 : tensor<1x2x32xf32>
    %336 = stablehlo.tanh %322 : tensor<1x2x32xf32>
    %337 = stablehlo.negate %323 : tensor<1x2x32xf32>
    %338 = stablehlo.exponential %337 : tensor<1x2x32xf32>
    %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %339 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %340 = stablehlo.add %339, %338 : tensor<1x2x32xf32>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %342 = stablehlo.divide %341, %340 : tensor<1x2x32xf32>
    %343 = stablehlo.multiply %335, %302 : tensor<1x2x32xf32>
    %344 = stablehlo.multiply %329, %336 : tensor<1x2x32xf32>
    %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %346 = stablehlo.multiply %344, %345 : tensor<1x2x32xf32>
    %347 = stablehlo.add %343, %346 : tensor<1x2x32xf32>
    %348 = stablehlo.tanh %347 : tensor<1x2x32xf32>
    %349 = stablehlo.multiply %342, %348 : tensor<1x2x32xf32>
    %350 = stablehlo.reshape %349 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %351 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %352 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %353 = stablehlo.multiply %arg3, %352 : tensor<128xf32>
    %354 = stablehlo.dot_general %350, %351, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %355 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %356 = stablehlo.multiply %355, %354 : tensor<2x128xf32>
    %357 = stablehlo.broadcast_in_dim %353, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %358 = stablehlo.broadcast_in_dim %357, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %359 = stablehlo.add %358, %356 : tensor<2x128xf32>
    %360 = stablehlo.reshape %359 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %361 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %362 = stablehlo.multiply %32, %361 : tensor<2x128xf32>
    %363 = stablehlo.broadcast_in_dim %362, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %364 = stablehlo.add %360, %363 : tensor<1x2x128xf32>
    %365 = stablehlo.slice %364 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %366 = stablehlo.slice %364 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %367 = stablehlo.slice %364 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %368 = stablehlo.slice %364 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %369 = stablehlo.negate %365 : tensor<1x2x32xf32>
    %370 = stablehlo.exponential %369 : tensor<1x2x32xf32>
    %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %371 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %372 = stablehlo.add %371, %370 : tensor<1x2x32xf32>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %373 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %374 = stablehlo.divide %373, %372 : tensor<1x2x32xf32>
    %375 = stablehlo.negate %366 : tensor<1x2x32xf32>
    %376 = stablehlo.exponential %375 : tensor<1x2x32xf32>
    %cst_77 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %378 = stablehlo.add %377, %376 : tensor<1x2x32xf32>
    %cst_78 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %380 = stablehlo.divide %379, %378 : tensor<1x2x32xf32>
    %381 = stablehlo.tanh %367 : tensor<1x2x32xf32>
    %382 = stablehlo.negate %368 : tensor<1x2x32xf32>
    %383 = stablehlo.exponential %382 : tensor<1x2x32xf32>
    %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %385 = stablehlo.add %384, %383 : tensor<1x2x32xf32>
    %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %386 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %387 = stablehlo.divide %386, %385 : tensor<1x2x32xf32>
    %388 = stablehlo.multiply %380, %347 : tensor<1x2x32xf32>
    %389 = stablehlo.multiply %374, %381 : tensor<1x2x32xf32>
    %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %391 = stablehlo.multiply %389, %390 : tensor<1x2x32xf32>
    %392 = stablehlo.add %388, %391 : tensor<1x2x32xf32>
    %393 = stablehlo.tanh %392 : tensor<1x2x32xf32>
    %394 = stablehlo.multiply %387, %393 : tensor<1x2x32xf32>
    %395 = stablehlo.reshape %394 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %396 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %397 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %398 = stablehlo.multiply %arg3, %397 : tensor<128xf32>
    %399 = stablehlo.dot_general %395, %396, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_83 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %400 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %401 = stablehlo.multiply %400, %399 : tensor<2x128xf32>
    %402 = stablehlo.broadcast_in_dim %398, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %403 = stablehlo.broadcast_in_dim %402, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %404 = stablehlo.add %403, %401 : tensor<2x128xf32>
    %405 = stablehlo.reshape %404 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_84 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %407 = stablehlo.multiply %33, %406 : tensor<2x128xf32>
    %408 = stablehlo.broadcast_in_dim %407, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %409 = stablehlo.add %405, %408 : tensor<1x2x128xf32>
    %410 = stablehlo.slice %409 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %411 = stablehlo.slice %409 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %412 = stablehlo.slice %409 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %413 = stablehlo.slice %409 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %414 = stablehlo.negate %410 : tensor<1x2x32xf32>
    %415 = stablehlo.exponential %414 : tensor<1x2x32xf32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %416 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %417 = stablehlo.add %416, %415 : tensor<1x2x32xf32>
    %cst_86 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %418 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %419 = stablehlo.divide %418, %417 : tensor<1x2x32xf32>
    %420 = stablehlo.negate %411 : tensor<1x2x32xf32>
    %421 = stablehlo.exponential %420 : tensor<1x2x32xf32>
    %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %422 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %423 = stablehlo.add %422, %421 : tensor<1x2x32xf32>
    %cst_88 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %425 = stablehlo.divide %424, %423 : tensor<1x2x32xf32>
    %426 = stablehlo.tanh %412 : tensor<1x2x32xf32>
    %427 = stablehlo.negate %413 : tensor<1x2x32xf32>
    %428 = stablehlo.exponential %427 : tensor<1x2x32xf32>
    %cst_89 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %429 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %430 = stablehlo.add %429, %428 : tensor<1x2x32xf32>
    %cst_90 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %431 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %432 = stablehlo.divide %431, %430 : tensor<1x2x32xf32>
    %433 = stablehlo.multiply %425, %392 : tensor<1x2x32xf32>
    %434 = stablehlo.multiply %419, %426 : tensor<1x2x32xf32>
    %cst_91 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %436 = stablehlo.multiply %434, %435 : tensor<1x2x32xf32>
    %437 = stablehlo.add %433, %436 : tensor<1x2x32xf32>
    %438 = stablehlo.tanh %437 : tensor<1x2x32xf32>
    %439 = stablehlo.multiply %432, %438 : tensor<1x2x32xf32>
    %440 = stablehlo.reshape %439 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %441 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %cst_92 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %442 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %443 = stablehlo.multiply %arg3, %442 : tensor<128xf32>
    %444 = stablehlo.dot_general %440, %441, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %cst_93 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %445 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %446 = stablehlo.multiply %445, %444 : tensor<2x128xf32>
    %447 = stablehlo.broadcast_in_dim %443, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %448 = stablehlo.broadcast_in_dim %447, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<2x128xf32>
    %449 = stablehlo.add %448, %446 : tensor<2x128xf32>
    %450 = stablehlo.reshape %449 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %cst_94 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %451 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %452 = stablehlo.multiply %34, %451 : tensor<2x128xf32>
    %453 = stablehlo.broadcast_in_dim %452, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %454 = stablehlo.add %450, %453 : tensor<1x2x128xf32>
    %455 = stablehlo.slice %454 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %456 = stablehlo.slice %454 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %457 = stablehlo.slice %454 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %458 = stablehlo.slice %454 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %459 = stablehlo.negate %455 : tensor<1x2x32xf32>
    %460 = stablehlo.exponential %459 : tensor<1x2x32xf32>
    %cst_95 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %462 = stablehlo.add %461, %460 : tensor<1x2x32xf32>
    %cst_96 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %463 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %464 = stablehlo.divide %463, %462 : tensor<1x2x32xf32>
    %465 = stablehlo.negate %456 : tensor<1x2x32xf32>
    %466 = stablehlo.exponential %465 : tensor<1x2x32xf32>
    %cst_97 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %467 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %468 = stablehlo.add %467, %466 : tensor<1x2x32xf32>
    %cst_98 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %469 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %470 = stablehlo.divide %469, %468 : tensor<1x2x32xf32>
    %471 = stablehlo.tanh %457 : tensor<1x2x32xf32>
    %472 = stablehlo.negate %458 : tensor<1x2x32xf32>
    %473 = stablehlo.exponential %472 : tensor<1x2x32xf32>
    %cst_99 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %474 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %475 = stablehlo.add %474, %473 : tensor<1x2x32xf32>
    %cst_100 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %476 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %477 = stablehlo.divide %476, %475 : tensor<1x2x32xf32>
    %478 = stablehlo.multiply %470, %437 : tensor<1x2x32xf32>
    %479 = stablehlo.multiply %464, %471 : tensor<1x2x32xf32>
    %cst_101 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %480 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<1x2x32xf32>
    %481 = stablehlo.multiply %479, %480 : tensor<1x2x32xf32>
    %482 = stablehlo.add %478, %481 : tensor<1x2x32xf32>
    %483 = stablehlo.tanh %482 : tensor<1x2x32xf32>
    %484 = stablehlo.multiply %477, %483 : tensor<1x2x32xf32>
    %485 = stablehlo.concatenate %79, %124, %169, %214, %259, %304, %349, %394, %439, %484, dim = 0 : (tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>) -> tensor<10x2x32xf32>
    %486 = stablehlo.transpose %485, dims = [1, 0, 2] : (tensor<10x2x32xf32>) -> tensor<2x10x32xf32>
    %487 = stablehlo.slice %486 [0:2, 9:10, 0:32] : (tensor<2x10x32xf32>) -> tensor<2x1x32xf32>
    %488 = stablehlo.reshape %487 : (tensor<2x1x32xf32>) -> tensor<2x32xf32>
    %489 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<2x32xf32>) -> tensor<32x2xf32>
    %cst_102 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %490 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %491 = stablehlo.multiply %arg5, %490 : tensor<2xf32>
    %492 = stablehlo.dot_general %488, %489, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x2xf32>) -> tensor<2x2xf32>
    %cst_103 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %493 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %494 = stablehlo.multiply %493, %492 : tensor<2x2xf32>
    %495 = stablehlo.broadcast_in_dim %491, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %496 = stablehlo.broadcast_in_dim %495, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<2x2xf32>
    %497 = stablehlo.add %496, %494 : tensor<2x2xf32>
    return %497 : tensor<2x2xf32>
  }
}
