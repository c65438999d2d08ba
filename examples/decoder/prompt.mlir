module @jit__lambda_ attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xi32>, %arg1: tensor<32x22xf32>, %arg2: tensor<64x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x96xf32>, %arg5: tensor<32x64xf32>, %arg6: tensor<64x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32x96xf32>, %arg9: tensor<32x64xf32>, %arg10: tensor<22x32xf32>, %arg11: tensor<2x2x16x32xf32>, %arg12: tensor<16xf32>, %arg13: tensor<1x22xf32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<i1> {jax.result_info = "result[1]"}, tensor<2x2x16x32xf32> {jax.result_info = "result[2]"}, tensor<16xf32> {jax.result_info = "result[3]"}, tensor<1x22xf32> {jax.result_info = "result[4]"}) {
    %cst = stablehlo.constant dense<"0x0000F0C1000040C0333333C0676626C09A9919C0CDCC0CC0000000C06766E6BFCDCCCCBF3333B3BF9A9999BF000080BFCDCC4CBF9A9919BFCDCCCCBECDCC4CBE000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C1000040C0333333C0676626C09A9919C0CDCC0CC0000000C06766E6BFCDCCCCBF3333B3BF9A9999BF000080BFCDCC4CBF9A9919BFCDCCCCBECDCC4CBE000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C1000040C0333333C0676626C09A9919C0CDCC0CC0000000C06766E6BFCDCCCCBF3333B3BF9A9999BF000080BFCDCC4CBF9A9919BFCDCCCCBECDCC4CBE000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C1000040C0333333C0676626C09A9919C0CDCC0CC0000000C06766E6BFCDCCCCBF3333B3BF9A9999BF000080BFCDCC4CBF9A9919BFCDCCCCBECDCC4CBE000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C1000040C0333333C0676626C09A9919C0CDCC0CC0000000C06766E6BFCDCCCCBF3333B3BF9A9999BF000080BFCDCC4CBF9A9919BFCDCCCCBECDCC4CBE000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C1000040C0333333C0676626C09A9919C0CDCC0CC0000000C06766E6BFCDCCCCBF3333B3BF9A9999BF000080BFCDCC4CBF9A9919BFCDCCCCBECDCC4CBE000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C1000040C0333333C0676626C09A9919C0CDCC0CC0000000C06766E6BFCDCCCCBF3333B3BF9A9999BF000080BFCDCC4CBF9A9919BFCDCCCCBECDCC4CBE000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C1000040C0333333C0676626C09A9919C0CDCC0CC0000000C06766E6BFCDCCCCBF3333B3BF9A9999BF000080BFCDCC4CBF9A9919BFCDCCCCBECDCC4CBE000000000000F0C10000B4C10000A8C100009CC1000090C1000084C1000070C1000058C1000040C1000028C1000010C10000F0C00000C0C0000090C0000040C00000C0BF000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000B4C10000A8C100009CC1000090C1000084C1000070C1000058C1000040C1000028C1000010C10000F0C00000C0C0000090C0000040C00000C0BF000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000B4C10000A8C100009CC1000090C1000084C1000070C1000058C1000040C1000028C1000010C10000F0C00000C0C0000090C0000040C00000C0BF000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000B4C10000A8C100009CC1000090C1000084C1000070C1000058C1000040C1000028C1000010C10000F0C00000C0C0000090C0000040C00000C0BF000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000B4C10000A8C100009CC1000090C1000084C1000070C1000058C1000040C1000028C1000010C10000F0C00000C0C0000090C0000040C00000C0BF000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000B4C10000A8C100009CC1000090C1000084C1000070C1000058C1000040C1000028C1000010C10000F0C00000C0C0000090C0000040C00000C0BF000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000B4C10000A8C100009CC1000090C1000084C1000070C1000058C1000040C1000028C1000010C10000F0C00000C0C0000090C0000040C00000C0BF000000000000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000F0C10000B4C10000A8C100009CC1000090C1000084C1000070C1000058C1000040C1000028C1000010C10000F0C00000C0C0000090C0000040C00000C0BF00000000"> : tensor<2x8x24xf32>
    %0 = call @_one_hot(%arg0) : (tensor<8xi32>) -> tensor<8x22xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x2x16x32xf32>
    %cst_1 = stablehlo.constant dense<-3.000000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %4 = stablehlo.convert %2 : tensor<16xf32>
    %5 = stablehlo.concatenate %4, %3, dim = 0 : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [2] : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x1x24xf32>) -> tensor<2x8x24xf32>
    %8 = stablehlo.add %7, %cst : tensor<2x8x24xf32>
    %9 = stablehlo.dot_general %0, %arg10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x22xf32>, tensor<22x32xf32>) -> tensor<8x32xf32>
    %10 = stablehlo.slice %1 [0:1, 0:1, 0:16, 0:32] : (tensor<2x2x16x32xf32>) -> tensor<1x1x16x32xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x1x16x32xf32>) -> tensor<16x32xf32>
    %12 = stablehlo.slice %1 [0:1, 1:2, 0:16, 0:32] : (tensor<2x2x16x32xf32>) -> tensor<1x1x16x32xf32>
    %13 = stablehlo.reshape %12 : (tensor<1x1x16x32xf32>) -> tensor<16x32xf32>
    %14 = stablehlo.multiply %9, %9 : tensor<8x32xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_3 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %18 = stablehlo.divide %16, %17 : tensor<8x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %20 = stablehlo.add %18, %19 : tensor<8x1xf32>
    %21 = stablehlo.rsqrt %20 : tensor<8x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
    %23 = stablehlo.multiply %9, %22 : tensor<8x32xf32>
    %24 = stablehlo.dot_general %23, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x96xf32>) -> tensor<8x96xf32>
    %25 = stablehlo.slice %24 [0:8, 0:32] : (tensor<8x96xf32>) -> tensor<8x32xf32>
    %26 = stablehlo.slice %24 [0:8, 32:64] : (tensor<8x96xf32>) -> tensor<8x32xf32>
    %27 = stablehlo.slice %24 [0:8, 64:96] : (tensor<8x96xf32>) -> tensor<8x32xf32>
    %28 = stablehlo.concatenate %11, %26, dim = 0 : (tensor<16x32xf32>, tensor<8x32xf32>) -> tensor<24x32xf32>
    %29 = stablehlo.concatenate %13, %27, dim = 0 : (tensor<16x32xf32>, tensor<8x32xf32>) -> tensor<24x32xf32>
    %30 = stablehlo.reshape %25 : (tensor<8x32xf32>) -> tensor<8x2x16xf32>
    %31 = stablehlo.reshape %28 : (tensor<24x32xf32>) -> tensor<24x2x16xf32>
    %32 = stablehlo.reshape %29 : (tensor<24x32xf32>) -> tensor<24x2x16xf32>
    %33 = stablehlo.dot_general %30, %31, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x2x16xf32>, tensor<24x2x16xf32>) -> tensor<2x8x24xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x8x24xf32>
    %35 = stablehlo.divide %33, %34 : tensor<2x8x24xf32>
    %36 = stablehlo.add %35, %8 : tensor<2x8x24xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<2x8x24xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %39 = stablehlo.maximum %38, %37 : tensor<2x8xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x24xf32>
    %42 = stablehlo.subtract %36, %41 : tensor<2x8x24xf32>
    %43 = stablehlo.exponential %42 : tensor<2x8x24xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<2x8x24xf32>, tensor<f32>) -> tensor<2x8xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x24xf32>
    %47 = stablehlo.divide %43, %46 : tensor<2x8x24xf32>
    %48 = stablehlo.dot_general %32, %47, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<24x2x16xf32>, tensor<2x8x24xf32>) -> tensor<2x16x8xf32>
    %49 = stablehlo.transpose %48, dims = [2, 0, 1] : (tensor<2x16x8xf32>) -> tensor<8x2x16xf32>
    %50 = stablehlo.reshape %49 : (tensor<8x2x16xf32>) -> tensor<8x32xf32>
    %51 = stablehlo.dot_general %50, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
    %52 = stablehlo.add %9, %51 : tensor<8x32xf32>
    %53 = stablehlo.multiply %52, %52 : tensor<8x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %56 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %57 = stablehlo.divide %55, %56 : tensor<8x1xf32>
    %58 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %59 = stablehlo.add %57, %58 : tensor<8x1xf32>
    %60 = stablehlo.rsqrt %59 : tensor<8x1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
    %62 = stablehlo.multiply %52, %61 : tensor<8x32xf32>
    %63 = stablehlo.dot_general %62, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x64xf32>) -> tensor<8x64xf32>
    %64 = call @relu(%63) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %65 = stablehlo.dot_general %64, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32>
    %66 = stablehlo.add %52, %65 : tensor<8x32xf32>
    %67 = stablehlo.slice %28 [8:24, 0:32] : (tensor<24x32xf32>) -> tensor<16x32xf32>
    %68 = stablehlo.slice %29 [8:24, 0:32] : (tensor<24x32xf32>) -> tensor<16x32xf32>
    %69 = stablehlo.broadcast_in_dim %67, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %70 = stablehlo.broadcast_in_dim %68, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %71 = stablehlo.concatenate %69, %70, dim = 0 : (tensor<1x16x32xf32>, tensor<1x16x32xf32>) -> tensor<2x16x32xf32>
    %72 = stablehlo.slice %1 [1:2, 0:1, 0:16, 0:32] : (tensor<2x2x16x32xf32>) -> tensor<1x1x16x32xf32>
    %73 = stablehlo.reshape %72 : (tensor<1x1x16x32xf32>) -> tensor<16x32xf32>
    %74 = stablehlo.slice %1 [1:2, 1:2, 0:16, 0:32] : (tensor<2x2x16x32xf32>) -> tensor<1x1x16x32xf32>
    %75 = stablehlo.reshape %74 : (tensor<1x1x16x32xf32>) -> tensor<16x32xf32>
    %76 = stablehlo.multiply %66, %66 : tensor<8x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %79 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %80 = stablehlo.divide %78, %79 : tensor<8x1xf32>
    %81 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %82 = stablehlo.add %80, %81 : tensor<8x1xf32>
    %83 = stablehlo.rsqrt %82 : tensor<8x1xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
    %85 = stablehlo.multiply %66, %84 : tensor<8x32xf32>
    %86 = stablehlo.dot_general %85, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x96xf32>) -> tensor<8x96xf32>
    %87 = stablehlo.slice %86 [0:8, 0:32] : (tensor<8x96xf32>) -> tensor<8x32xf32>
    %88 = stablehlo.slice %86 [0:8, 32:64] : (tensor<8x96xf32>) -> tensor<8x32xf32>
    %89 = stablehlo.slice %86 [0:8, 64:96] : (tensor<8x96xf32>) -> tensor<8x32xf32>
    %90 = stablehlo.concatenate %73, %88, dim = 0 : (tensor<16x32xf32>, tensor<8x32xf32>) -> tensor<24x32xf32>
    %91 = stablehlo.concatenate %75, %89, dim = 0 : (tensor<16x32xf32>, tensor<8x32xf32>) -> tensor<24x32xf32>
    %92 = stablehlo.reshape %87 : (tensor<8x32xf32>) -> tensor<8x2x16xf32>
    %93 = stablehlo.reshape %90 : (tensor<24x32xf32>) -> tensor<24x2x16xf32>
    %94 = stablehlo.reshape %91 : (tensor<24x32xf32>) -> tensor<24x2x16xf32>
    %95 = stablehlo.dot_general %92, %93, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x2x16xf32>, tensor<24x2x16xf32>) -> tensor<2x8x24xf32>
    %96 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x8x24xf32>
    %97 = stablehlo.divide %95, %96 : tensor<2x8x24xf32>
    %98 = stablehlo.add %97, %8 : tensor<2x8x24xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %99 = stablehlo.reduce(%98 init: %cst_11) applies stablehlo.maximum across dimensions = [2] : (tensor<2x8x24xf32>, tensor<f32>) -> tensor<2x8xf32>
    %100 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %101 = stablehlo.maximum %100, %99 : tensor<2x8xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x24xf32>
    %104 = stablehlo.subtract %98, %103 : tensor<2x8x24xf32>
    %105 = stablehlo.exponential %104 : tensor<2x8x24xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%105 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x8x24xf32>, tensor<f32>) -> tensor<2x8xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x24xf32>
    %109 = stablehlo.divide %105, %108 : tensor<2x8x24xf32>
    %110 = stablehlo.dot_general %94, %109, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<24x2x16xf32>, tensor<2x8x24xf32>) -> tensor<2x16x8xf32>
    %111 = stablehlo.transpose %110, dims = [2, 0, 1] : (tensor<2x16x8xf32>) -> tensor<8x2x16xf32>
    %112 = stablehlo.reshape %111 : (tensor<8x2x16xf32>) -> tensor<8x32xf32>
    %113 = stablehlo.dot_general %112, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
    %114 = stablehlo.add %66, %113 : tensor<8x32xf32>
    %115 = stablehlo.multiply %114, %114 : tensor<8x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.reduce(%115 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %118 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %119 = stablehlo.divide %117, %118 : tensor<8x1xf32>
    %120 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %121 = stablehlo.add %119, %120 : tensor<8x1xf32>
    %122 = stablehlo.rsqrt %121 : tensor<8x1xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
    %124 = stablehlo.multiply %114, %123 : tensor<8x32xf32>
    %125 = stablehlo.dot_general %124, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x64xf32>) -> tensor<8x64xf32>
    %126 = call @relu(%125) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %127 = stablehlo.dot_general %126, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32>
    %128 = stablehlo.add %114, %127 : tensor<8x32xf32>
    %129 = stablehlo.slice %90 [8:24, 0:32] : (tensor<24x32xf32>) -> tensor<16x32xf32>
    %130 = stablehlo.slice %91 [8:24, 0:32] : (tensor<24x32xf32>) -> tensor<16x32xf32>
    %131 = stablehlo.broadcast_in_dim %129, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %132 = stablehlo.broadcast_in_dim %130, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %133 = stablehlo.concatenate %131, %132, dim = 0 : (tensor<1x16x32xf32>, tensor<1x16x32xf32>) -> tensor<2x16x32xf32>
    %134 = stablehlo.multiply %128, %128 : tensor<8x32xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.reduce(%134 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %137 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %138 = stablehlo.divide %136, %137 : tensor<8x1xf32>
    %139 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %140 = stablehlo.add %138, %139 : tensor<8x1xf32>
    %141 = stablehlo.rsqrt %140 : tensor<8x1xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
    %143 = stablehlo.multiply %128, %142 : tensor<8x32xf32>
    %144 = stablehlo.dot_general %143, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<32x22xf32>) -> tensor<8x22xf32>
    %145 = stablehlo.broadcast_in_dim %71, dims = [1, 2, 3] : (tensor<2x16x32xf32>) -> tensor<1x2x16x32xf32>
    %146 = stablehlo.broadcast_in_dim %133, dims = [1, 2, 3] : (tensor<2x16x32xf32>) -> tensor<1x2x16x32xf32>
    %147 = stablehlo.concatenate %145, %146, dim = 0 : (tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>) -> tensor<2x2x16x32xf32>
    %148 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %149 = stablehlo.convert %2 : tensor<16xf32>
    %150 = stablehlo.concatenate %149, %148, dim = 0 : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
    %151 = stablehlo.slice %150 [8:24] : (tensor<24xf32>) -> tensor<16xf32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %152 = stablehlo.compare  LT, %c, %c_15,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_16 = stablehlo.constant dense<-1> : tensor<i32>
    %c_17 = stablehlo.constant dense<8> : tensor<i32>
    %153 = stablehlo.add %c_16, %c_17 : tensor<i32>
    %154 = stablehlo.select %152, %153, %c : tensor<i1>, tensor<i32>
    %155 = stablehlo.dynamic_slice %144, %154, %c_15, sizes = [1, 22] : (tensor<8x22xf32>, tensor<i32>, tensor<i32>) -> tensor<1x22xf32>
    %156 = stablehlo.reshape %155 : (tensor<1x22xf32>) -> tensor<22xf32>
    %157 = call @argmax(%156) : (tensor<22xf32>) -> tensor<i32>
    %c_18 = stablehlo.constant dense<2> : tensor<i32>
    %158 = stablehlo.compare  EQ, %157, %c_18,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %159 = stablehlo.iota dim = 0 : tensor<22xi32>
    %160 = stablehlo.broadcast_in_dim %157, dims = [] : (tensor<i32>) -> tensor<22xi32>
    %161 = stablehlo.compare  EQ, %159, %160,  SIGNED : (tensor<22xi32>, tensor<22xi32>) -> tensor<22xi1>
    %162 = stablehlo.convert %161 : (tensor<22xi1>) -> tensor<22xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [1] : (tensor<22xf32>) -> tensor<1x22xf32>
    return %157, %158, %147, %151, %163 : tensor<i32>, tensor<i1>, tensor<2x2x16x32xf32>, tensor<16xf32>, tensor<1x22xf32>
  }
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x22xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x22xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x22xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x22xi32>) -> tensor<8x22xi32>
    %4 = stablehlo.compare  EQ, %2, %3,  SIGNED : (tensor<8x22xi32>, tensor<8x22xi32>) -> tensor<8x22xi1>
    %5 = stablehlo.convert %4 : (tensor<8x22xi1>) -> tensor<8x22xf32>
    return %5 : tensor<8x22xf32>
  }
  func.func private @relu(%arg0: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x64xf32>
    return %1 : tensor<8x64xf32>
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
