module @jit_leaves attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x1xf32>, %arg1: tensor<24x2xf32>) -> (tensor<24x3xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<[2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<39xi32>
    %c_0 = stablehlo.constant dense<false> : tensor<39xi1>
    %cst = stablehlo.constant dense<[0.00816503725, 0.00106136571, 7.48204402E-5, 1.14594206E-6, 0.00106136571, 13.7324305, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.00816503725, 0.00106136571, 0.611991822, 1.14594206E-6, 0.00106136571, 0.000000e+00, 6.411930e-05, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 137.77446, 0.00106136571, 0.000000e+00, 1.38019788, 6.411930e-05, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<39xf32>
    %c_1 = stablehlo.constant dense<[true, false, true, false, false, false, false, false, false, false, false, false, false, true, false, true, false, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false, false, false, false, false, false, false]> : tensor<39xi1>
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<24x1xf32>, tensor<24x2xf32>) -> tensor<24x3xf32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<39xi32>
    %2 = stablehlo.add %c, %1 : tensor<39xi32>
    %3 = stablehlo.select %c_0, %2, %c : tensor<39xi1>, tensor<39xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<39xi32>) -> tensor<39x1xi32>
    %5 = "stablehlo.gather"(%0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 24, 1>}> : (tensor<24x3xf32>, tensor<39x1xi32>) -> tensor<24x39xf32>
    %cst_3 = stablehlo.constant dense<-1.09951163E+12> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<24x39xf32>
    %7 = stablehlo.compare EQ, %5, %6, FLOAT : (tensor<24x39xf32>, tensor<24x39xf32>) -> tensor<24x39xi1>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<39xf32>) -> tensor<1x39xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x39xf32>) -> tensor<24x39xf32>
    %10 = stablehlo.compare LT, %5, %9, FLOAT : (tensor<24x39xf32>, tensor<24x39xf32>) -> tensor<24x39xi1>
    %11 = call @_where(%7, %c_1, %10) : (tensor<24x39xi1>, tensor<39xi1>, tensor<24x39xi1>) -> tensor<24x39xi1>
    %12 = stablehlo.reshape %11 : (tensor<24x39xi1>) -> tensor<24x3x13xi1>
    %13 = stablehlo.slice %12 [0:24, 0:1, 0:1] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %14 = stablehlo.reshape %13 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %16 = stablehlo.and %15, %14 : tensor<24xi1>
    %17 = stablehlo.slice %12 [0:24, 0:1, 0:1] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %18 = stablehlo.reshape %17 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %19 = stablehlo.not %18 : tensor<24xi1>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %20 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %21 = stablehlo.and %20, %19 : tensor<24xi1>
    %22 = stablehlo.slice %12 [0:24, 0:1, 2:3] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %23 = stablehlo.reshape %22 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %24 = stablehlo.and %21, %23 : tensor<24xi1>
    %25 = stablehlo.slice %12 [0:24, 0:1, 2:3] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %26 = stablehlo.reshape %25 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %27 = stablehlo.not %26 : tensor<24xi1>
    %28 = stablehlo.and %21, %27 : tensor<24xi1>
    %c_6 = stablehlo.constant dense<6> : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i64>
    %29 = call @_where_0(%28, %c_6, %c_7) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %31 = stablehlo.add %30, %29 : tensor<24xi32>
    %32 = stablehlo.slice %12 [0:24, 0:1, 5:6] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %33 = stablehlo.reshape %32 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %34 = stablehlo.and %24, %33 : tensor<24xi1>
    %35 = stablehlo.slice %12 [0:24, 0:1, 5:6] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %36 = stablehlo.reshape %35 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %37 = stablehlo.not %36 : tensor<24xi1>
    %38 = stablehlo.and %24, %37 : tensor<24xi1>
    %c_9 = stablehlo.constant dense<12> : tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i64>
    %39 = call @_where_0(%38, %c_9, %c_10) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %40 = stablehlo.add %31, %39 : tensor<24xi32>
    %c_11 = stablehlo.constant dense<11> : tensor<i32>
    %c_12 = stablehlo.constant dense<0> : tensor<i64>
    %41 = call @_where_0(%34, %c_11, %c_12) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %42 = stablehlo.add %40, %41 : tensor<24xi32>
    %43 = stablehlo.slice %12 [0:24, 0:1, 1:2] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %44 = stablehlo.reshape %43 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %45 = stablehlo.and %16, %44 : tensor<24xi1>
    %46 = stablehlo.slice %12 [0:24, 0:1, 1:2] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %47 = stablehlo.reshape %46 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %48 = stablehlo.not %47 : tensor<24xi1>
    %49 = stablehlo.and %16, %48 : tensor<24xi1>
    %50 = stablehlo.slice %12 [0:24, 0:1, 4:5] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %51 = stablehlo.reshape %50 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %52 = stablehlo.and %49, %51 : tensor<24xi1>
    %53 = stablehlo.slice %12 [0:24, 0:1, 4:5] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %54 = stablehlo.reshape %53 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %55 = stablehlo.not %54 : tensor<24xi1>
    %56 = stablehlo.and %49, %55 : tensor<24xi1>
    %c_13 = stablehlo.constant dense<10> : tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i64>
    %57 = call @_where_0(%56, %c_13, %c_14) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %58 = stablehlo.add %42, %57 : tensor<24xi32>
    %c_15 = stablehlo.constant dense<9> : tensor<i32>
    %c_16 = stablehlo.constant dense<0> : tensor<i64>
    %59 = call @_where_0(%52, %c_15, %c_16) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %60 = stablehlo.add %58, %59 : tensor<24xi32>
    %61 = stablehlo.slice %12 [0:24, 0:1, 3:4] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %62 = stablehlo.reshape %61 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %63 = stablehlo.and %45, %62 : tensor<24xi1>
    %64 = stablehlo.slice %12 [0:24, 0:1, 3:4] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %65 = stablehlo.reshape %64 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %66 = stablehlo.not %65 : tensor<24xi1>
    %67 = stablehlo.and %45, %66 : tensor<24xi1>
    %c_17 = stablehlo.constant dense<8> : tensor<i32>
    %c_18 = stablehlo.constant dense<0> : tensor<i64>
    %68 = call @_where_0(%67, %c_17, %c_18) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %69 = stablehlo.add %60, %68 : tensor<24xi32>
    %c_19 = stablehlo.constant dense<7> : tensor<i32>
    %c_20 = stablehlo.constant dense<0> : tensor<i64>
    %70 = call @_where_0(%63, %c_19, %c_20) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %71 = stablehlo.add %69, %70 : tensor<24xi32>
    %72 = stablehlo.slice %12 [0:24, 1:2, 0:1] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %73 = stablehlo.reshape %72 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %c_21 = stablehlo.constant dense<true> : tensor<i1>
    %74 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %75 = stablehlo.and %74, %73 : tensor<24xi1>
    %76 = stablehlo.slice %12 [0:24, 1:2, 0:1] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %77 = stablehlo.reshape %76 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %78 = stablehlo.not %77 : tensor<24xi1>
    %c_22 = stablehlo.constant dense<true> : tensor<i1>
    %79 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %80 = stablehlo.and %79, %78 : tensor<24xi1>
    %81 = stablehlo.slice %12 [0:24, 1:2, 2:3] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %82 = stablehlo.reshape %81 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %83 = stablehlo.and %80, %82 : tensor<24xi1>
    %84 = stablehlo.slice %12 [0:24, 1:2, 2:3] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %85 = stablehlo.reshape %84 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %86 = stablehlo.not %85 : tensor<24xi1>
    %87 = stablehlo.and %80, %86 : tensor<24xi1>
    %88 = stablehlo.slice %12 [0:24, 1:2, 6:7] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %89 = stablehlo.reshape %88 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %90 = stablehlo.and %87, %89 : tensor<24xi1>
    %91 = stablehlo.slice %12 [0:24, 1:2, 6:7] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %92 = stablehlo.reshape %91 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %93 = stablehlo.not %92 : tensor<24xi1>
    %94 = stablehlo.and %87, %93 : tensor<24xi1>
    %c_23 = stablehlo.constant dense<12> : tensor<i32>
    %c_24 = stablehlo.constant dense<0> : tensor<i64>
    %95 = call @_where_0(%94, %c_23, %c_24) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %96 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %97 = stablehlo.add %96, %95 : tensor<24xi32>
    %c_26 = stablehlo.constant dense<11> : tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i64>
    %98 = call @_where_0(%90, %c_26, %c_27) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %99 = stablehlo.add %97, %98 : tensor<24xi32>
    %c_28 = stablehlo.constant dense<5> : tensor<i32>
    %c_29 = stablehlo.constant dense<0> : tensor<i64>
    %100 = call @_where_0(%83, %c_28, %c_29) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %101 = stablehlo.add %99, %100 : tensor<24xi32>
    %102 = stablehlo.slice %12 [0:24, 1:2, 1:2] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %103 = stablehlo.reshape %102 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %104 = stablehlo.and %75, %103 : tensor<24xi1>
    %105 = stablehlo.slice %12 [0:24, 1:2, 1:2] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %106 = stablehlo.reshape %105 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %107 = stablehlo.not %106 : tensor<24xi1>
    %108 = stablehlo.and %75, %107 : tensor<24xi1>
    %109 = stablehlo.slice %12 [0:24, 1:2, 4:5] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %110 = stablehlo.reshape %109 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %111 = stablehlo.and %108, %110 : tensor<24xi1>
    %112 = stablehlo.slice %12 [0:24, 1:2, 4:5] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %113 = stablehlo.reshape %112 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %114 = stablehlo.not %113 : tensor<24xi1>
    %115 = stablehlo.and %108, %114 : tensor<24xi1>
    %c_30 = stablehlo.constant dense<10> : tensor<i32>
    %c_31 = stablehlo.constant dense<0> : tensor<i64>
    %116 = call @_where_0(%115, %c_30, %c_31) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %117 = stablehlo.add %101, %116 : tensor<24xi32>
    %c_32 = stablehlo.constant dense<9> : tensor<i32>
    %c_33 = stablehlo.constant dense<0> : tensor<i64>
    %118 = call @_where_0(%111, %c_32, %c_33) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %119 = stablehlo.add %117, %118 : tensor<24xi32>
    %120 = stablehlo.slice %12 [0:24, 1:2, 3:4] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %121 = stablehlo.reshape %120 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %122 = stablehlo.and %104, %121 : tensor<24xi1>
    %123 = stablehlo.slice %12 [0:24, 1:2, 3:4] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %124 = stablehlo.reshape %123 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %125 = stablehlo.not %124 : tensor<24xi1>
    %126 = stablehlo.and %104, %125 : tensor<24xi1>
    %c_34 = stablehlo.constant dense<8> : tensor<i32>
    %c_35 = stablehlo.constant dense<0> : tensor<i64>
    %127 = call @_where_0(%126, %c_34, %c_35) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %128 = stablehlo.add %119, %127 : tensor<24xi32>
    %c_36 = stablehlo.constant dense<7> : tensor<i32>
    %c_37 = stablehlo.constant dense<0> : tensor<i64>
    %129 = call @_where_0(%122, %c_36, %c_37) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %130 = stablehlo.add %128, %129 : tensor<24xi32>
    %131 = stablehlo.slice %12 [0:24, 2:3, 0:1] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %132 = stablehlo.reshape %131 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %c_38 = stablehlo.constant dense<true> : tensor<i1>
    %133 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %134 = stablehlo.and %133, %132 : tensor<24xi1>
    %135 = stablehlo.slice %12 [0:24, 2:3, 0:1] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %136 = stablehlo.reshape %135 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %137 = stablehlo.not %136 : tensor<24xi1>
    %c_39 = stablehlo.constant dense<true> : tensor<i1>
    %138 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i1>) -> tensor<24xi1>
    %139 = stablehlo.and %138, %137 : tensor<24xi1>
    %c_40 = stablehlo.constant dense<2> : tensor<i32>
    %c_41 = stablehlo.constant dense<0> : tensor<i64>
    %140 = call @_where_0(%139, %c_40, %c_41) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %141 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %142 = stablehlo.add %141, %140 : tensor<24xi32>
    %143 = stablehlo.slice %12 [0:24, 2:3, 1:2] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %144 = stablehlo.reshape %143 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %145 = stablehlo.and %134, %144 : tensor<24xi1>
    %146 = stablehlo.slice %12 [0:24, 2:3, 1:2] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %147 = stablehlo.reshape %146 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %148 = stablehlo.not %147 : tensor<24xi1>
    %149 = stablehlo.and %134, %148 : tensor<24xi1>
    %150 = stablehlo.slice %12 [0:24, 2:3, 4:5] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %151 = stablehlo.reshape %150 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %152 = stablehlo.and %149, %151 : tensor<24xi1>
    %153 = stablehlo.slice %12 [0:24, 2:3, 4:5] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %154 = stablehlo.reshape %153 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %155 = stablehlo.not %154 : tensor<24xi1>
    %156 = stablehlo.and %149, %155 : tensor<24xi1>
    %c_43 = stablehlo.constant dense<8> : tensor<i32>
    %c_44 = stablehlo.constant dense<0> : tensor<i64>
    %157 = call @_where_0(%156, %c_43, %c_44) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %158 = stablehlo.add %142, %157 : tensor<24xi32>
    %c_45 = stablehlo.constant dense<7> : tensor<i32>
    %c_46 = stablehlo.constant dense<0> : tensor<i64>
    %159 = call @_where_0(%152, %c_45, %c_46) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %160 = stablehlo.add %158, %159 : tensor<24xi32>
    %161 = stablehlo.slice %12 [0:24, 2:3, 3:4] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %162 = stablehlo.reshape %161 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %163 = stablehlo.and %145, %162 : tensor<24xi1>
    %164 = stablehlo.slice %12 [0:24, 2:3, 3:4] : (tensor<24x3x13xi1>) -> tensor<24x1x1xi1>
    %165 = stablehlo.reshape %164 : (tensor<24x1x1xi1>) -> tensor<24xi1>
    %166 = stablehlo.not %165 : tensor<24xi1>
    %167 = stablehlo.and %145, %166 : tensor<24xi1>
    %c_47 = stablehlo.constant dense<6> : tensor<i32>
    %c_48 = stablehlo.constant dense<0> : tensor<i64>
    %168 = call @_where_0(%167, %c_47, %c_48) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %169 = stablehlo.add %160, %168 : tensor<24xi32>
    %c_49 = stablehlo.constant dense<5> : tensor<i32>
    %c_50 = stablehlo.constant dense<0> : tensor<i64>
    %170 = call @_where_0(%163, %c_49, %c_50) : (tensor<24xi1>, tensor<i32>, tensor<i64>) -> tensor<24xi32>
    %171 = stablehlo.add %169, %170 : tensor<24xi32>
    %172 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
    %173 = stablehlo.broadcast_in_dim %130, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
    %174 = stablehlo.broadcast_in_dim %171, dims = [0] : (tensor<24xi32>) -> tensor<24x1xi32>
    %175 = stablehlo.concatenate %172, %173, %174, dim = 1 : (tensor<24x1xi32>, tensor<24x1xi32>, tensor<24x1xi32>) -> tensor<24x3xi32>
    return %175 : tensor<24x3xi32>
  }
  func.func private @_where(%arg0: tensor<24x39xi1>, %arg1: tensor<39xi1>, %arg2: tensor<24x39xi1>) -> tensor<24x39xi1> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<39xi1>) -> tensor<24x39xi1>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<24x39xi1>, tensor<24x39xi1>
    return %1 : tensor<24x39xi1>
  }
  func.func private @_where_0(%arg0: tensor<24xi1>, %arg1: tensor<i32>, %arg2: tensor<i64>) -> tensor<24xi32> {
    %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<24xi1>, tensor<24xi32>
    return %3 : tensor<24xi32>
  }
}
