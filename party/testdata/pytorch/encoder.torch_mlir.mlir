module {
  func.func @main(%arg0: tensor<192x64xf32>, %arg1: tensor<192xf32>, %arg2: tensor<64x64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<128x64xf32>, %arg5: tensor<128xf32>, %arg6: tensor<64x128xf32>, %arg7: tensor<64xf32>, %arg8: tensor<64xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64xf32>, %arg11: tensor<64xf32>, %arg12: tensor<192x64xf32>, %arg13: tensor<192xf32>, %arg14: tensor<64x64xf32>, %arg15: tensor<64xf32>, %arg16: tensor<128x64xf32>, %arg17: tensor<128xf32>, %arg18: tensor<64x128xf32>, %arg19: tensor<64xf32>, %arg20: tensor<64xf32>, %arg21: tensor<64xf32>, %arg22: tensor<64xf32>, %arg23: tensor<64xf32>, %arg24: tensor<2x8x64xf32>) -> tensor<2x8x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x4x8x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<2x8x128xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<2x8x128xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<2x8x128xf32>
    %cst_6 = stablehlo.constant dense<-4.000000e+00> : tensor<2x8x128xf32>
    %cst_7 = stablehlo.constant dense<4.000000e+00> : tensor<2x8x128xf32>
    %cst_8 = stablehlo.constant dense<-2.72614237E-10> : tensor<2x8x128xf32>
    %cst_9 = stablehlo.constant dense<2.77068146E-8> : tensor<2x8x128xf32>
    %cst_10 = stablehlo.constant dense<-2.10102394E-6> : tensor<2x8x128xf32>
    %cst_11 = stablehlo.constant dense<-5.69250624E-5> : tensor<2x8x128xf32>
    %cst_12 = stablehlo.constant dense<-7.34990637E-4> : tensor<2x8x128xf32>
    %cst_13 = stablehlo.constant dense<-2.954600e-03> : tensor<2x8x128xf32>
    %cst_14 = stablehlo.constant dense<-0.0160960332> : tensor<2x8x128xf32>
    %cst_15 = stablehlo.constant dense<-1.45660715E-5> : tensor<2x8x128xf32>
    %cst_16 = stablehlo.constant dense<-2.13374049E-4> : tensor<2x8x128xf32>
    %cst_17 = stablehlo.constant dense<-0.00168282702> : tensor<2x8x128xf32>
    %cst_18 = stablehlo.constant dense<-0.00737332925> : tensor<2x8x128xf32>
    %cst_19 = stablehlo.constant dense<-0.0142647391> : tensor<2x8x128xf32>
    %cst_20 = stablehlo.constant dense<-1.000000e+00> : tensor<2x8x128xf32>
    %cst_21 = arith.constant dense<5.000000e-01> : tensor<1xf64>
    %cst_22 = arith.constant dense<0xFFF0000000000000> : tensor<1xf64>
    %cst_23 = arith.constant dense<1> : tensor<1xi64>
    %cst_24 = arith.constant dense<64> : tensor<1xi64>
    %cst_25 = arith.constant dense<1.000000e-05> : tensor<1xf64>
    %0 = stablehlo.transpose %arg24, dims = [1, 0, 2] : (tensor<2x8x64xf32>) -> tensor<8x2x64xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<192x64xf32>) -> tensor<64x192xf32>
    %2 = stablehlo.reshape %0 : (tensor<8x2x64xf32>) -> tensor<8x2x64xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<64x192xf32>) -> tensor<8x64x192xf32>
    %4 = stablehlo.reshape %3 : (tensor<8x64x192xf32>) -> tensor<8x64x192xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<8x64x192xf32>) -> tensor<8x64x192xf32>
    %6 = stablehlo.dot_general %2, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x2x64xf32>, tensor<8x64x192xf32>) -> tensor<8x2x192xf32>
    %7 = stablehlo.reshape %6 : (tensor<8x2x192xf32>) -> tensor<8x2x192xf32>
    %8 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<192xf32>) -> tensor<8x2x192xf32>
    %9 = stablehlo.add %7, %8 : tensor<8x2x192xf32>
    %10 = stablehlo.reshape %9 : (tensor<8x2x192xf32>) -> tensor<8x2x3x64xf32>
    %11 = stablehlo.reshape %10 : (tensor<8x2x3x64xf32>) -> tensor<1x8x2x3x64xf32>
    %12 = stablehlo.transpose %11, dims = [3, 1, 2, 0, 4] : (tensor<1x8x2x3x64xf32>) -> tensor<3x8x2x1x64xf32>
    %13 = stablehlo.reshape %12 : (tensor<3x8x2x1x64xf32>) -> tensor<3x8x2x64xf32>
    %14 = stablehlo.slice %13 [0:1, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %16 = stablehlo.slice %13 [1:2, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %18 = stablehlo.slice %13 [2:3, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %19 = stablehlo.reshape %18 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %20 = stablehlo.reshape %15 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %21 = stablehlo.transpose %20, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %22 = stablehlo.reshape %17 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %24 = stablehlo.reshape %19 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %25 = stablehlo.transpose %24, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %26 = stablehlo.reshape %21 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %27 = stablehlo.reshape %23 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %28 = stablehlo.reshape %25 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %29 = stablehlo.convert %cst_21 : (tensor<1xf64>) -> tensor<1xf32>
    %30 = stablehlo.reshape %29 : (tensor<1xf32>) -> tensor<f32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<f32>) -> tensor<2x4x8x16xf32>
    %32 = stablehlo.multiply %26, %31 : tensor<2x4x8x16xf32>
    %33 = stablehlo.transpose %27, dims = [0, 1, 3, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x16x8xf32>
    %34 = stablehlo.broadcast_in_dim %30, dims = [] : (tensor<f32>) -> tensor<2x4x16x8xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<2x4x16x8xf32>
    %36 = stablehlo.reshape %32 : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
    %37 = stablehlo.reshape %35 : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %39 = stablehlo.dot_general %36, %38, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x16xf32>, tensor<8x16x8xf32>) -> tensor<8x8x8xf32>
    %40 = stablehlo.reshape %39 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %41 = stablehlo.reduce(%40 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %42 = stablehlo.reshape %41 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %44 = stablehlo.subtract %40, %43 : tensor<2x4x8x8xf32>
    %45 = stablehlo.exponential %44 : tensor<2x4x8x8xf32>
    %46 = stablehlo.reduce(%45 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %47 = stablehlo.reshape %46 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %49 = stablehlo.divide %45, %48 : tensor<2x4x8x8xf32>
    %50 = stablehlo.convert %cst_22 : tensor<1xf64>
    %51 = stablehlo.reshape %50 : (tensor<1xf64>) -> tensor<f64>
    %52 = stablehlo.convert %51 : (tensor<f64>) -> tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<2x4x8x8xf32>
    %54 = stablehlo.compare EQ, %40, %53, FLOAT : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
    %55 = stablehlo.reduce(%54 init: %c) applies stablehlo.and across dimensions = [3] : (tensor<2x4x8x8xi1>, tensor<i1>) -> tensor<2x4x8xi1>
    %56 = stablehlo.reshape %55 : (tensor<2x4x8xi1>) -> tensor<2x4x8x1xi1>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xi1>) -> tensor<2x4x8x8xi1>
    %58 = stablehlo.broadcast_in_dim %cst, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %59 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %60 = stablehlo.select %57, %58, %59 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    %61 = stablehlo.reshape %60 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %62 = stablehlo.reshape %28 : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %64 = stablehlo.dot_general %61, %63, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %65 = stablehlo.reshape %64 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %66 = stablehlo.transpose %65, dims = [2, 0, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<8x2x4x16xf32>
    %67 = stablehlo.transpose %66, dims = [1, 2, 0, 3] : (tensor<8x2x4x16xf32>) -> tensor<2x4x8x16xf32>
    %68 = stablehlo.transpose %67, dims = [2, 0, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<8x2x4x16xf32>
    %69 = stablehlo.reshape %68 : (tensor<8x2x4x16xf32>) -> tensor<16x64xf32>
    %70 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %71 = stablehlo.dot_general %69, %70, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
    %72 = stablehlo.convert %cst_23 : (tensor<1xi64>) -> tensor<1xf32>
    %73 = stablehlo.reshape %72 : (tensor<1xf32>) -> tensor<f32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %75 = stablehlo.multiply %71, %74 : tensor<16x64xf32>
    %76 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %77 = stablehlo.multiply %76, %74 : tensor<16x64xf32>
    %78 = stablehlo.add %75, %77 : tensor<16x64xf32>
    %79 = stablehlo.reshape %78 : (tensor<16x64xf32>) -> tensor<8x2x64xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0, 2] : (tensor<8x2x64xf32>) -> tensor<2x8x64xf32>
    %81 = stablehlo.add %arg24, %80 : tensor<2x8x64xf32>
    %82 = stablehlo.convert %81 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf64>
    %83 = stablehlo.reduce(%82 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf64>, tensor<f64>) -> tensor<2x8xf64>
    %84 = stablehlo.reshape %83 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %85 = stablehlo.convert %cst_24 : (tensor<1xi64>) -> tensor<1xf64>
    %86 = stablehlo.reshape %85 : (tensor<1xf64>) -> tensor<f64>
    %87 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f64>) -> tensor<2x8x1xf64>
    %88 = stablehlo.divide %84, %87 : tensor<2x8x1xf64>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x64xf64>
    %90 = stablehlo.subtract %82, %89 : tensor<2x8x64xf64>
    %91 = stablehlo.multiply %90, %90 : tensor<2x8x64xf64>
    %92 = stablehlo.reduce(%91 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf64>, tensor<f64>) -> tensor<2x8xf64>
    %93 = stablehlo.reshape %92 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %94 = stablehlo.divide %93, %87 : tensor<2x8x1xf64>
    %95 = stablehlo.convert %94 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %96 = stablehlo.reduce(%81 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %97 = stablehlo.reshape %96 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %98 = stablehlo.convert %cst_24 : (tensor<1xi64>) -> tensor<1xf32>
    %99 = stablehlo.reshape %98 : (tensor<1xf32>) -> tensor<f32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %101 = stablehlo.divide %97, %100 : tensor<2x8x1xf32>
    %102 = stablehlo.convert %cst_25 : (tensor<1xf64>) -> tensor<1xf32>
    %103 = stablehlo.reshape %102 : (tensor<1xf32>) -> tensor<f32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %105 = stablehlo.add %95, %104 : tensor<2x8x1xf32>
    %106 = stablehlo.rsqrt %105 : tensor<2x8x1xf32>
    %107 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %108 = stablehlo.subtract %81, %107 : tensor<2x8x64xf32>
    %109 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %110 = stablehlo.multiply %108, %109 : tensor<2x8x64xf32>
    %111 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<64xf32>) -> tensor<2x8x64xf32>
    %112 = stablehlo.multiply %110, %111 : tensor<2x8x64xf32>
    %113 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<64xf32>) -> tensor<2x8x64xf32>
    %114 = stablehlo.add %112, %113 : tensor<2x8x64xf32>
    %115 = stablehlo.reshape %114 : (tensor<2x8x64xf32>) -> tensor<16x64xf32>
    %116 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
    %117 = stablehlo.dot_general %115, %116, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
    %118 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<16x128xf32>
    %119 = stablehlo.multiply %117, %118 : tensor<16x128xf32>
    %120 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<128xf32>) -> tensor<16x128xf32>
    %121 = stablehlo.multiply %120, %118 : tensor<16x128xf32>
    %122 = stablehlo.add %119, %121 : tensor<16x128xf32>
    %123 = stablehlo.reshape %122 : (tensor<16x128xf32>) -> tensor<2x8x128xf32>
    %124 = stablehlo.multiply %123, %cst_5 : tensor<2x8x128xf32>
    %125 = stablehlo.rsqrt %cst_4 : tensor<2x8x128xf32>
    %126 = stablehlo.multiply %123, %125 : tensor<2x8x128xf32>
    %127 = stablehlo.clamp %cst_6, %126, %cst_7 : tensor<2x8x128xf32>
    %128 = stablehlo.multiply %127, %127 : tensor<2x8x128xf32>
    %129 = stablehlo.multiply %cst_8, %128 : tensor<2x8x128xf32>
    %130 = stablehlo.add %129, %cst_9 : tensor<2x8x128xf32>
    %131 = stablehlo.multiply %130, %128 : tensor<2x8x128xf32>
    %132 = stablehlo.add %131, %cst_10 : tensor<2x8x128xf32>
    %133 = stablehlo.multiply %132, %128 : tensor<2x8x128xf32>
    %134 = stablehlo.add %133, %cst_11 : tensor<2x8x128xf32>
    %135 = stablehlo.multiply %134, %128 : tensor<2x8x128xf32>
    %136 = stablehlo.add %135, %cst_12 : tensor<2x8x128xf32>
    %137 = stablehlo.multiply %136, %128 : tensor<2x8x128xf32>
    %138 = stablehlo.add %137, %cst_13 : tensor<2x8x128xf32>
    %139 = stablehlo.multiply %138, %128 : tensor<2x8x128xf32>
    %140 = stablehlo.add %139, %cst_14 : tensor<2x8x128xf32>
    %141 = stablehlo.multiply %cst_15, %128 : tensor<2x8x128xf32>
    %142 = stablehlo.add %141, %cst_16 : tensor<2x8x128xf32>
    %143 = stablehlo.multiply %142, %128 : tensor<2x8x128xf32>
    %144 = stablehlo.add %143, %cst_17 : tensor<2x8x128xf32>
    %145 = stablehlo.multiply %144, %128 : tensor<2x8x128xf32>
    %146 = stablehlo.add %145, %cst_18 : tensor<2x8x128xf32>
    %147 = stablehlo.multiply %146, %128 : tensor<2x8x128xf32>
    %148 = stablehlo.add %147, %cst_19 : tensor<2x8x128xf32>
    %149 = stablehlo.multiply %127, %140 : tensor<2x8x128xf32>
    %150 = stablehlo.divide %149, %148 : tensor<2x8x128xf32>
    %151 = stablehlo.clamp %cst_20, %150, %cst_3 : tensor<2x8x128xf32>
    %152 = stablehlo.add %151, %cst_3 : tensor<2x8x128xf32>
    %153 = stablehlo.multiply %152, %124 : tensor<2x8x128xf32>
    %154 = stablehlo.reshape %153 : (tensor<2x8x128xf32>) -> tensor<16x128xf32>
    %155 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
    %156 = stablehlo.dot_general %154, %155, contracting_dims = [1] x [0] : (tensor<16x128xf32>, tensor<128x64xf32>) -> tensor<16x64xf32>
    %157 = stablehlo.multiply %156, %74 : tensor<16x64xf32>
    %158 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %159 = stablehlo.multiply %158, %74 : tensor<16x64xf32>
    %160 = stablehlo.add %157, %159 : tensor<16x64xf32>
    %161 = stablehlo.reshape %160 : (tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %162 = stablehlo.add %114, %161 : tensor<2x8x64xf32>
    %163 = stablehlo.convert %162 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf64>
    %164 = stablehlo.reduce(%163 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf64>, tensor<f64>) -> tensor<2x8xf64>
    %165 = stablehlo.reshape %164 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %166 = stablehlo.divide %165, %87 : tensor<2x8x1xf64>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x64xf64>
    %168 = stablehlo.subtract %163, %167 : tensor<2x8x64xf64>
    %169 = stablehlo.multiply %168, %168 : tensor<2x8x64xf64>
    %170 = stablehlo.reduce(%169 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf64>, tensor<f64>) -> tensor<2x8xf64>
    %171 = stablehlo.reshape %170 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %172 = stablehlo.divide %171, %87 : tensor<2x8x1xf64>
    %173 = stablehlo.convert %172 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %174 = stablehlo.reduce(%162 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %175 = stablehlo.reshape %174 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %176 = stablehlo.divide %175, %100 : tensor<2x8x1xf32>
    %177 = stablehlo.add %173, %104 : tensor<2x8x1xf32>
    %178 = stablehlo.rsqrt %177 : tensor<2x8x1xf32>
    %179 = stablehlo.broadcast_in_dim %176, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %180 = stablehlo.subtract %162, %179 : tensor<2x8x64xf32>
    %181 = stablehlo.broadcast_in_dim %178, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %182 = stablehlo.multiply %180, %181 : tensor<2x8x64xf32>
    %183 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<64xf32>) -> tensor<2x8x64xf32>
    %184 = stablehlo.multiply %182, %183 : tensor<2x8x64xf32>
    %185 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<64xf32>) -> tensor<2x8x64xf32>
    %186 = stablehlo.add %184, %185 : tensor<2x8x64xf32>
    %187 = stablehlo.transpose %186, dims = [1, 0, 2] : (tensor<2x8x64xf32>) -> tensor<8x2x64xf32>
    %188 = stablehlo.transpose %arg12, dims = [1, 0] : (tensor<192x64xf32>) -> tensor<64x192xf32>
    %189 = stablehlo.reshape %187 : (tensor<8x2x64xf32>) -> tensor<8x2x64xf32>
    %190 = stablehlo.broadcast_in_dim %188, dims = [1, 2] : (tensor<64x192xf32>) -> tensor<8x64x192xf32>
    %191 = stablehlo.reshape %190 : (tensor<8x64x192xf32>) -> tensor<8x64x192xf32>
    %192 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2] : (tensor<8x64x192xf32>) -> tensor<8x64x192xf32>
    %193 = stablehlo.dot_general %189, %192, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x2x64xf32>, tensor<8x64x192xf32>) -> tensor<8x2x192xf32>
    %194 = stablehlo.reshape %193 : (tensor<8x2x192xf32>) -> tensor<8x2x192xf32>
    %195 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<192xf32>) -> tensor<8x2x192xf32>
    %196 = stablehlo.add %194, %195 : tensor<8x2x192xf32>
    %197 = stablehlo.reshape %196 : (tensor<8x2x192xf32>) -> tensor<8x2x3x64xf32>
    %198 = stablehlo.reshape %197 : (tensor<8x2x3x64xf32>) -> tensor<1x8x2x3x64xf32>
    %199 = stablehlo.transpose %198, dims = [3, 1, 2, 0, 4] : (tensor<1x8x2x3x64xf32>) -> tensor<3x8x2x1x64xf32>
    %200 = stablehlo.reshape %199 : (tensor<3x8x2x1x64xf32>) -> tensor<3x8x2x64xf32>
    %201 = stablehlo.slice %200 [0:1, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %202 = stablehlo.reshape %201 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %203 = stablehlo.slice %200 [1:2, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %204 = stablehlo.reshape %203 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %205 = stablehlo.slice %200 [2:3, 0:8, 0:2, 0:64] : (tensor<3x8x2x64xf32>) -> tensor<1x8x2x64xf32>
    %206 = stablehlo.reshape %205 : (tensor<1x8x2x64xf32>) -> tensor<8x2x64xf32>
    %207 = stablehlo.reshape %202 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %208 = stablehlo.transpose %207, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %209 = stablehlo.reshape %204 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %210 = stablehlo.transpose %209, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %211 = stablehlo.reshape %206 : (tensor<8x2x64xf32>) -> tensor<8x8x16xf32>
    %212 = stablehlo.transpose %211, dims = [1, 0, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %213 = stablehlo.reshape %208 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %214 = stablehlo.reshape %210 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %215 = stablehlo.reshape %212 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %216 = stablehlo.multiply %213, %31 : tensor<2x4x8x16xf32>
    %217 = stablehlo.transpose %214, dims = [0, 1, 3, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x16x8xf32>
    %218 = stablehlo.multiply %217, %34 : tensor<2x4x16x8xf32>
    %219 = stablehlo.reshape %216 : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
    %220 = stablehlo.reshape %218 : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [0, 1, 2] : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %222 = stablehlo.dot_general %219, %221, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x16xf32>, tensor<8x16x8xf32>) -> tensor<8x8x8xf32>
    %223 = stablehlo.reshape %222 : (tensor<8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %224 = stablehlo.reduce(%223 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %225 = stablehlo.reshape %224 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %226 = stablehlo.broadcast_in_dim %225, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %227 = stablehlo.subtract %223, %226 : tensor<2x4x8x8xf32>
    %228 = stablehlo.exponential %227 : tensor<2x4x8x8xf32>
    %229 = stablehlo.reduce(%228 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %230 = stablehlo.reshape %229 : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %231 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x8xf32>
    %232 = stablehlo.divide %228, %231 : tensor<2x4x8x8xf32>
    %233 = stablehlo.compare EQ, %223, %53, FLOAT : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
    %234 = stablehlo.reduce(%233 init: %c) applies stablehlo.and across dimensions = [3] : (tensor<2x4x8x8xi1>, tensor<i1>) -> tensor<2x4x8xi1>
    %235 = stablehlo.reshape %234 : (tensor<2x4x8xi1>) -> tensor<2x4x8x1xi1>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2, 3] : (tensor<2x4x8x1xi1>) -> tensor<2x4x8x8xi1>
    %237 = stablehlo.broadcast_in_dim %232, dims = [0, 1, 2, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %238 = stablehlo.select %236, %58, %237 : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    %239 = stablehlo.reshape %238 : (tensor<2x4x8x8xf32>) -> tensor<8x8x8xf32>
    %240 = stablehlo.reshape %215 : (tensor<2x4x8x16xf32>) -> tensor<8x8x16xf32>
    %241 = stablehlo.broadcast_in_dim %240, dims = [0, 1, 2] : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %242 = stablehlo.dot_general %239, %241, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %243 = stablehlo.reshape %242 : (tensor<8x8x16xf32>) -> tensor<2x4x8x16xf32>
    %244 = stablehlo.transpose %243, dims = [2, 0, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<8x2x4x16xf32>
    %245 = stablehlo.transpose %244, dims = [1, 2, 0, 3] : (tensor<8x2x4x16xf32>) -> tensor<2x4x8x16xf32>
    %246 = stablehlo.transpose %245, dims = [2, 0, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<8x2x4x16xf32>
    %247 = stablehlo.reshape %246 : (tensor<8x2x4x16xf32>) -> tensor<16x64xf32>
    %248 = stablehlo.transpose %arg14, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %249 = stablehlo.dot_general %247, %248, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
    %250 = stablehlo.multiply %249, %74 : tensor<16x64xf32>
    %251 = stablehlo.broadcast_in_dim %arg15, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %252 = stablehlo.multiply %251, %74 : tensor<16x64xf32>
    %253 = stablehlo.add %250, %252 : tensor<16x64xf32>
    %254 = stablehlo.reshape %253 : (tensor<16x64xf32>) -> tensor<8x2x64xf32>
    %255 = stablehlo.transpose %254, dims = [1, 0, 2] : (tensor<8x2x64xf32>) -> tensor<2x8x64xf32>
    %256 = stablehlo.add %186, %255 : tensor<2x8x64xf32>
    %257 = stablehlo.convert %256 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf64>
    %258 = stablehlo.reduce(%257 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf64>, tensor<f64>) -> tensor<2x8xf64>
    %259 = stablehlo.reshape %258 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %260 = stablehlo.divide %259, %87 : tensor<2x8x1xf64>
    %261 = stablehlo.broadcast_in_dim %260, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x64xf64>
    %262 = stablehlo.subtract %257, %261 : tensor<2x8x64xf64>
    %263 = stablehlo.multiply %262, %262 : tensor<2x8x64xf64>
    %264 = stablehlo.reduce(%263 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf64>, tensor<f64>) -> tensor<2x8xf64>
    %265 = stablehlo.reshape %264 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %266 = stablehlo.divide %265, %87 : tensor<2x8x1xf64>
    %267 = stablehlo.convert %266 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %268 = stablehlo.reduce(%256 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %269 = stablehlo.reshape %268 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %270 = stablehlo.divide %269, %100 : tensor<2x8x1xf32>
    %271 = stablehlo.add %267, %104 : tensor<2x8x1xf32>
    %272 = stablehlo.rsqrt %271 : tensor<2x8x1xf32>
    %273 = stablehlo.broadcast_in_dim %270, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %274 = stablehlo.subtract %256, %273 : tensor<2x8x64xf32>
    %275 = stablehlo.broadcast_in_dim %272, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %276 = stablehlo.multiply %274, %275 : tensor<2x8x64xf32>
    %277 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<64xf32>) -> tensor<2x8x64xf32>
    %278 = stablehlo.multiply %276, %277 : tensor<2x8x64xf32>
    %279 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<64xf32>) -> tensor<2x8x64xf32>
    %280 = stablehlo.add %278, %279 : tensor<2x8x64xf32>
    %281 = stablehlo.reshape %280 : (tensor<2x8x64xf32>) -> tensor<16x64xf32>
    %282 = stablehlo.transpose %arg16, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
    %283 = stablehlo.dot_general %281, %282, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
    %284 = stablehlo.multiply %283, %118 : tensor<16x128xf32>
    %285 = stablehlo.broadcast_in_dim %arg17, dims = [1] : (tensor<128xf32>) -> tensor<16x128xf32>
    %286 = stablehlo.multiply %285, %118 : tensor<16x128xf32>
    %287 = stablehlo.add %284, %286 : tensor<16x128xf32>
    %288 = stablehlo.reshape %287 : (tensor<16x128xf32>) -> tensor<2x8x128xf32>
    %289 = stablehlo.multiply %288, %cst_5 : tensor<2x8x128xf32>
    %290 = stablehlo.multiply %288, %125 : tensor<2x8x128xf32>
    %291 = stablehlo.clamp %cst_6, %290, %cst_7 : tensor<2x8x128xf32>
    %292 = stablehlo.multiply %291, %291 : tensor<2x8x128xf32>
    %293 = stablehlo.multiply %cst_8, %292 : tensor<2x8x128xf32>
    %294 = stablehlo.add %293, %cst_9 : tensor<2x8x128xf32>
    %295 = stablehlo.multiply %294, %292 : tensor<2x8x128xf32>
    %296 = stablehlo.add %295, %cst_10 : tensor<2x8x128xf32>
    %297 = stablehlo.multiply %296, %292 : tensor<2x8x128xf32>
    %298 = stablehlo.add %297, %cst_11 : tensor<2x8x128xf32>
    %299 = stablehlo.multiply %298, %292 : tensor<2x8x128xf32>
    %300 = stablehlo.add %299, %cst_12 : tensor<2x8x128xf32>
    %301 = stablehlo.multiply %300, %292 : tensor<2x8x128xf32>
    %302 = stablehlo.add %301, %cst_13 : tensor<2x8x128xf32>
    %303 = stablehlo.multiply %302, %292 : tensor<2x8x128xf32>
    %304 = stablehlo.add %303, %cst_14 : tensor<2x8x128xf32>
    %305 = stablehlo.multiply %cst_15, %292 : tensor<2x8x128xf32>
    %306 = stablehlo.add %305, %cst_16 : tensor<2x8x128xf32>
    %307 = stablehlo.multiply %306, %292 : tensor<2x8x128xf32>
    %308 = stablehlo.add %307, %cst_17 : tensor<2x8x128xf32>
    %309 = stablehlo.multiply %308, %292 : tensor<2x8x128xf32>
    %310 = stablehlo.add %309, %cst_18 : tensor<2x8x128xf32>
    %311 = stablehlo.multiply %310, %292 : tensor<2x8x128xf32>
    %312 = stablehlo.add %311, %cst_19 : tensor<2x8x128xf32>
    %313 = stablehlo.multiply %291, %304 : tensor<2x8x128xf32>
    %314 = stablehlo.divide %313, %312 : tensor<2x8x128xf32>
    %315 = stablehlo.clamp %cst_20, %314, %cst_3 : tensor<2x8x128xf32>
    %316 = stablehlo.add %315, %cst_3 : tensor<2x8x128xf32>
    %317 = stablehlo.multiply %316, %289 : tensor<2x8x128xf32>
    %318 = stablehlo.reshape %317 : (tensor<2x8x128xf32>) -> tensor<16x128xf32>
    %319 = stablehlo.transpose %arg18, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
    %320 = stablehlo.dot_general %318, %319, contracting_dims = [1] x [0] : (tensor<16x128xf32>, tensor<128x64xf32>) -> tensor<16x64xf32>
    %321 = stablehlo.multiply %320, %74 : tensor<16x64xf32>
    %322 = stablehlo.broadcast_in_dim %arg19, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
    %323 = stablehlo.multiply %322, %74 : tensor<16x64xf32>
    %324 = stablehlo.add %321, %323 : tensor<16x64xf32>
    %325 = stablehlo.reshape %324 : (tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %326 = stablehlo.add %280, %325 : tensor<2x8x64xf32>
    %327 = stablehlo.convert %326 : (tensor<2x8x64xf32>) -> tensor<2x8x64xf64>
    %328 = stablehlo.reduce(%327 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf64>, tensor<f64>) -> tensor<2x8xf64>
    %329 = stablehlo.reshape %328 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %330 = stablehlo.divide %329, %87 : tensor<2x8x1xf64>
    %331 = stablehlo.broadcast_in_dim %330, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x64xf64>
    %332 = stablehlo.subtract %327, %331 : tensor<2x8x64xf64>
    %333 = stablehlo.multiply %332, %332 : tensor<2x8x64xf64>
    %334 = stablehlo.reduce(%333 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf64>, tensor<f64>) -> tensor<2x8xf64>
    %335 = stablehlo.reshape %334 : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
    %336 = stablehlo.divide %335, %87 : tensor<2x8x1xf64>
    %337 = stablehlo.convert %336 : (tensor<2x8x1xf64>) -> tensor<2x8x1xf32>
    %338 = stablehlo.reduce(%326 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8xf32>
    %339 = stablehlo.reshape %338 : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %340 = stablehlo.divide %339, %100 : tensor<2x8x1xf32>
    %341 = stablehlo.add %337, %104 : tensor<2x8x1xf32>
    %342 = stablehlo.rsqrt %341 : tensor<2x8x1xf32>
    %343 = stablehlo.broadcast_in_dim %340, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %344 = stablehlo.subtract %326, %343 : tensor<2x8x64xf32>
    %345 = stablehlo.broadcast_in_dim %342, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
    %346 = stablehlo.multiply %344, %345 : tensor<2x8x64xf32>
    %347 = stablehlo.broadcast_in_dim %arg22, dims = [2] : (tensor<64xf32>) -> tensor<2x8x64xf32>
    %348 = stablehlo.multiply %346, %347 : tensor<2x8x64xf32>
    %349 = stablehlo.broadcast_in_dim %arg23, dims = [2] : (tensor<64xf32>) -> tensor<2x8x64xf32>
    %350 = stablehlo.add %348, %349 : tensor<2x8x64xf32>
    return %350 : tensor<2x8x64xf32>
  }
}
