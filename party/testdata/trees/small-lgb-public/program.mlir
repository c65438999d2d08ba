module @jit_leaves attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x1xf32>, %arg1: tensor<24x2xf32>) -> (tensor<24x3xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]> : tensor<33xi32>
    %c_0 = stablehlo.constant dense<false> : tensor<33xi1>
    %cst = stablehlo.constant dense<[12.2112064, 5.25264826E-4, 1.33210631E-6, 0.000000e+00, 0.000000e+00, 1.504300e-06, 0.00143553922, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 12.2112064, 17.7635193, 0.00113130547, 5.367040e-05, 0.000000e+00, 0.000000e+00, 0.000000e+00, 1.41032577, 0.000000e+00, 0.000000e+00, 0.000000e+00, 12.2112064, 5.25264826E-4, 0.00131747418, 0.000000e+00, 0.000000e+00, 1.504300e-06, 0.00178796297, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<33xf32>
    %c_1 = stablehlo.constant dense<[false, true, true, false, false, false, true, false, false, false, false, false, true, true, true, false, false, false, false, false, false, false, false, true, false, false, false, false, true, false, false, false, false]> : tensor<33xi1>
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<24x1xf32>, tensor<24x2xf32>) -> tensor<24x3xf32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<33xi32>
    %2 = stablehlo.add %c, %1 : tensor<33xi32>
    %3 = stablehlo.select %c_0, %2, %c : tensor<33xi1>, tensor<33xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<33xi32>) -> tensor<33x1xi32>
    %5 = "stablehlo.gather"(%0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 24, 1>}> : (tensor<24x3xf32>, tensor<33x1xi32>) -> tensor<24x33xf32>
    %cst_3 = stablehlo.constant dense<-1.09951163E+12> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<24x33xf32>
    %7 = stablehlo.compare EQ, %5, %6, FLOAT : (tensor<24x33xf32>, tensor<24x33xf32>) -> tensor<24x33xi1>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<24x33xf32>
    %10 = stablehlo.compare LT, %5, %9, FLOAT : (tensor<24x33xf32>, tensor<24x33xf32>) -> tensor<24x33xi1>
    %11 = call @_where(%7, %c_1, %10) : (tensor<24x33xi1>, tensor<33xi1>, tensor<24x33xi1>) -> tensor<24x33xi1>
    %12 = stablehlo.reshape %11 : (tensor<24x33xi1>) -> tensor<24x3x11xi1>
    %13 = stablehlo.slice %12 [0:24, 0:1, 0:1] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %14 = stablehlo.reshape %13 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %16 = stablehlo.and %15, %14 : tensor<24xi1>
    %17 = stablehlo.slice %12 [0:24, 0:1, 0:1] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %18 = stablehlo.reshape %17 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %19 = stablehlo.not %18 : tensor<24xi1>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %20 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %21 = stablehlo.and %20, %19 : tensor<24xi1>
    %22 = stablehlo.slice %12 [0:24, 0:1, 2:3] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %23 = stablehlo.reshape %22 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %24 = stablehlo.and %21, %23 : tensor<24xi1>
    %25 = stablehlo.slice %12 [0:24, 0:1, 2:3] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %26 = stablehlo.reshape %25 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %27 = stablehlo.not %26 : tensor<24xi1>
    %28 = stablehlo.and %21, %27 : tensor<24xi1>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i64>
    %29 = call @_where_0(%28, %c_6, %c_7) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %31 = stablehlo.add %30, %29 : tensor<24xi32>
    %c_9 = stablehlo.constant dense<3> : tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i64>
    %32 = call @_where_0(%24, %c_9, %c_10) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %33 = stablehlo.add %31, %32 : tensor<24xi32>
    %34 = stablehlo.slice %12 [0:24, 0:1, 1:2] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %35 = stablehlo.reshape %34 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %36 = stablehlo.and %16, %35 : tensor<24xi1>
    %37 = stablehlo.slice %12 [0:24, 0:1, 1:2] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %38 = stablehlo.reshape %37 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %39 = stablehlo.not %38 : tensor<24xi1>
    %40 = stablehlo.and %16, %39 : tensor<24xi1>
    %41 = stablehlo.slice %12 [0:24, 0:1, 6:7] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %42 = stablehlo.reshape %41 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %43 = stablehlo.and %40, %42 : tensor<24xi1>
    %44 = stablehlo.slice %12 [0:24, 0:1, 6:7] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %45 = stablehlo.reshape %44 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %46 = stablehlo.not %45 : tensor<24xi1>
    %47 = stablehlo.and %40, %46 : tensor<24xi1>
    %c_11 = stablehlo.constant dense<8> : tensor<i32>
    %c_12 = stablehlo.constant dense<0> : tensor<i64>
    %48 = call @_where_0(%47, %c_11, %c_12) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %49 = stablehlo.add %33, %48 : tensor<24xi32>
    %c_13 = stablehlo.constant dense<7> : tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i64>
    %50 = call @_where_0(%43, %c_13, %c_14) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %51 = stablehlo.add %49, %50 : tensor<24xi32>
    %52 = stablehlo.slice %12 [0:24, 0:1, 5:6] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %53 = stablehlo.reshape %52 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %54 = stablehlo.and %36, %53 : tensor<24xi1>
    %55 = stablehlo.slice %12 [0:24, 0:1, 5:6] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %56 = stablehlo.reshape %55 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %57 = stablehlo.not %56 : tensor<24xi1>
    %58 = stablehlo.and %36, %57 : tensor<24xi1>
    %c_15 = stablehlo.constant dense<10> : tensor<i32>
    %c_16 = stablehlo.constant dense<0> : tensor<i64>
    %59 = call @_where_0(%58, %c_15, %c_16) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %60 = stablehlo.add %51, %59 : tensor<24xi32>
    %c_17 = stablehlo.constant dense<9> : tensor<i32>
    %c_18 = stablehlo.constant dense<0> : tensor<i64>
    %61 = call @_where_0(%54, %c_17, %c_18) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %62 = stablehlo.add %60, %61 : tensor<24xi32>
    %63 = stablehlo.slice %12 [0:24, 1:2, 0:1] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %64 = stablehlo.reshape %63 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %c_19 = stablehlo.constant dense<true> : tensor<i1>
    %65 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %66 = stablehlo.and %65, %64 : tensor<24xi1>
    %67 = stablehlo.slice %12 [0:24, 1:2, 0:1] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %68 = stablehlo.reshape %67 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %69 = stablehlo.not %68 : tensor<24xi1>
    %c_20 = stablehlo.constant dense<true> : tensor<i1>
    %70 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %71 = stablehlo.and %70, %69 : tensor<24xi1>
    %72 = stablehlo.slice %12 [0:24, 1:2, 2:3] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %73 = stablehlo.reshape %72 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %74 = stablehlo.and %71, %73 : tensor<24xi1>
    %75 = stablehlo.slice %12 [0:24, 1:2, 2:3] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %76 = stablehlo.reshape %75 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %77 = stablehlo.not %76 : tensor<24xi1>
    %78 = stablehlo.and %71, %77 : tensor<24xi1>
    %c_21 = stablehlo.constant dense<4> : tensor<i32>
    %c_22 = stablehlo.constant dense<0> : tensor<i64>
    %79 = call @_where_0(%78, %c_21, %c_22) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %80 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %81 = stablehlo.add %80, %79 : tensor<24xi32>
    %82 = stablehlo.slice %12 [0:24, 1:2, 3:4] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %83 = stablehlo.reshape %82 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %84 = stablehlo.and %74, %83 : tensor<24xi1>
    %85 = stablehlo.slice %12 [0:24, 1:2, 3:4] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %86 = stablehlo.reshape %85 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %87 = stablehlo.not %86 : tensor<24xi1>
    %88 = stablehlo.and %74, %87 : tensor<24xi1>
    %c_24 = stablehlo.constant dense<6> : tensor<i32>
    %c_25 = stablehlo.constant dense<0> : tensor<i64>
    %89 = call @_where_0(%88, %c_24, %c_25) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %90 = stablehlo.add %81, %89 : tensor<24xi32>
    %c_26 = stablehlo.constant dense<5> : tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i64>
    %91 = call @_where_0(%84, %c_26, %c_27) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %92 = stablehlo.add %90, %91 : tensor<24xi32>
    %93 = stablehlo.slice %12 [0:24, 1:2, 1:2] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %94 = stablehlo.reshape %93 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %95 = stablehlo.and %66, %94 : tensor<24xi1>
    %96 = stablehlo.slice %12 [0:24, 1:2, 1:2] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %97 = stablehlo.reshape %96 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %98 = stablehlo.not %97 : tensor<24xi1>
    %99 = stablehlo.and %66, %98 : tensor<24xi1>
    %c_28 = stablehlo.constant dense<8> : tensor<i32>
    %c_29 = stablehlo.constant dense<0> : tensor<i64>
    %100 = call @_where_0(%99, %c_28, %c_29) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %101 = stablehlo.add %92, %100 : tensor<24xi32>
    %102 = stablehlo.slice %12 [0:24, 1:2, 7:8] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %103 = stablehlo.reshape %102 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %104 = stablehlo.and %95, %103 : tensor<24xi1>
    %105 = stablehlo.slice %12 [0:24, 1:2, 7:8] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %106 = stablehlo.reshape %105 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %107 = stablehlo.not %106 : tensor<24xi1>
    %108 = stablehlo.and %95, %107 : tensor<24xi1>
    %c_30 = stablehlo.constant dense<10> : tensor<i32>
    %c_31 = stablehlo.constant dense<0> : tensor<i64>
    %109 = call @_where_0(%108, %c_30, %c_31) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %110 = stablehlo.add %101, %109 : tensor<24xi32>
    %c_32 = stablehlo.constant dense<9> : tensor<i32>
    %c_33 = stablehlo.constant dense<0> : tensor<i64>
    %111 = call @_where_0(%104, %c_32, %c_33) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %112 = stablehlo.add %110, %111 : tensor<24xi32>
    %113 = stablehlo.slice %12 [0:24, 2:3, 0:1] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %114 = stablehlo.reshape %113 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %c_34 = stablehlo.constant dense<true> : tensor<i1>
    %115 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %116 = stablehlo.and %115, %114 : tensor<24xi1>
    %117 = stablehlo.slice %12 [0:24, 2:3, 0:1] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %118 = stablehlo.reshape %117 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %119 = stablehlo.not %118 : tensor<24xi1>
    %c_35 = stablehlo.constant dense<true> : tensor<i1>
    %120 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %121 = stablehlo.and %120, %119 : tensor<24xi1>
    %122 = stablehlo.slice %12 [0:24, 2:3, 2:3] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %123 = stablehlo.reshape %122 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %124 = stablehlo.and %121, %123 : tensor<24xi1>
    %125 = stablehlo.slice %12 [0:24, 2:3, 2:3] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %126 = stablehlo.reshape %125 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %127 = stablehlo.not %126 : tensor<24xi1>
    %128 = stablehlo.and %121, %127 : tensor<24xi1>
    %c_36 = stablehlo.constant dense<4> : tensor<i32>
    %c_37 = stablehlo.constant dense<0> : tensor<i64>
    %129 = call @_where_0(%128, %c_36, %c_37) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %130 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %131 = stablehlo.add %130, %129 : tensor<24xi32>
    %c_39 = stablehlo.constant dense<3> : tensor<i32>
    %c_40 = stablehlo.constant dense<0> : tensor<i64>
    %132 = call @_where_0(%124, %c_39, %c_40) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %133 = stablehlo.add %131, %132 : tensor<24xi32>
    %134 = stablehlo.slice %12 [0:24, 2:3, 1:2] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %135 = stablehlo.reshape %134 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %136 = stablehlo.and %116, %135 : tensor<24xi1>
    %137 = stablehlo.slice %12 [0:24, 2:3, 1:2] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %138 = stablehlo.reshape %137 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %139 = stablehlo.not %138 : tensor<24xi1>
    %140 = stablehlo.and %116, %139 : tensor<24xi1>
    %141 = stablehlo.slice %12 [0:24, 2:3, 6:7] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %142 = stablehlo.reshape %141 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %143 = stablehlo.and %140, %142 : tensor<24xi1>
    %144 = stablehlo.slice %12 [0:24, 2:3, 6:7] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %145 = stablehlo.reshape %144 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %146 = stablehlo.not %145 : tensor<24xi1>
    %147 = stablehlo.and %140, %146 : tensor<24xi1>
    %c_41 = stablehlo.constant dense<8> : tensor<i32>
    %c_42 = stablehlo.constant dense<0> : tensor<i64>
    %148 = call @_where_0(%147, %c_41, %c_42) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %149 = stablehlo.add %133, %148 : tensor<24xi32>
    %c_43 = stablehlo.constant dense<7> : tensor<i32>
    %c_44 = stablehlo.constant dense<0> : tensor<i64>
    %150 = call @_where_0(%143, %c_43, %c_44) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %151 = stablehlo.add %149, %150 : tensor<24xi32>
    %152 = stablehlo.slice %12 [0:24, 2:3, 5:6] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %153 = stablehlo.reshape %152 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %154 = stablehlo.and %136, %153 : tensor<24xi1>
    %155 = stablehlo.slice %12 [0:24, 2:3, 5:6] : (tensor<24x3x11xi1>) -> tensor<24x1x1xi1>
    %156 = stablehlo.reshape %155 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %157 = stablehlo.not %156 : tensor<24xi1>
    %158 = stablehlo.and %136, %157 : tensor<24xi1>
    %c_45 = stablehlo.constant dense<10> : tensor<i32>
    %c_46 = stablehlo.constant dense<0> : tensor<i64>
    %159 = call @_where_0(%158, %c_45, %c_46) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %160 = stablehlo.add %151, %159 : tensor<24xi32>
    %c_47 = stablehlo.constant dense<9> : tensor<i32>
    %c_48 = stablehlo.constant dense<0> : tensor<i64>
    %161 = call @_where_0(%154, %c_47, %c_48) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %162 = stablehlo.add %160, %161 : tensor<24xi32>
    %163 = stablehlo.broadcast_in_dim %62, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
    %164 = stablehlo.broadcast_in_dim %112, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
    %165 = stablehlo.broadcast_in_dim %162, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
    %166 = stablehlo.concatenate %163, %164, %165, dim = 1 : (tensor<24x1xi32>, tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x3xi32>
    return %166 : tensor<24x3xi32>
  }
  func.func private @_where(%arg0: tensor<24x33xi1>, %arg1: tensor<33xi1>, %arg2: tensor<24x33xi1>) -> tensor<24x33xi1> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<33xi1>) -> tensor<24x33xi1>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<24x33xi1>, tensor<24x33xi1>
    return %1 : tensor<24x33xi1>
  }
  func.func private @_where_0(%arg0: tensor<24xi1>, %arg1: tensor<i32>, %arg2: tensor<i64>) -> tensor<24xi32> {
    %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<24xi1>, tensor<24xi32>
    return %3 : tensor<24xi32>
  }
}
