module @IrToHlo.369 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2x32xf32>, %arg2: tensor<128xf32>, %arg3: tensor<128x8xf32>, %arg4: tensor<2x10x8xf32>, %arg5: tensor<128xf32>, %arg6: tensor<128x32xf32>) -> tensor<2x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<1x2x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<2x32xf32>
    %0 = stablehlo.transpose %arg6, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[32,128]{0,1}"} : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %1 = stablehlo.dot_general %cst_0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %2 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<128xf32>) -> tensor<2x128xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x128xf32>
    %4 = stablehlo.reshape %3 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %5 = stablehlo.transpose %arg4, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[10,2,8]{2,0,1}"} : (tensor<2x10x8xf32>) -> tensor<10x2x8xf32>
    %6 = stablehlo.transpose %arg3, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[8,128]{0,1}"} : (tensor<128x8xf32>) -> tensor<8x128xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1, 2] : (tensor<8x128xf32>) -> tensor<10x8x128xf32>
    %8 = stablehlo.dot_general %5, %7, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<10x2x8xf32>, tensor<10x8x128xf32>) -> tensor<10x2x128xf32>
    %9 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<128xf32>) -> tensor<10x2x128xf32>
    %10 = stablehlo.add %8, %9 : tensor<10x2x128xf32>
    %11 = stablehlo.slice %10 [0:1, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %12 = stablehlo.add %4, %11 : tensor<1x2x128xf32>
    %13 = stablehlo.slice %12 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %14 = stablehlo.logistic %13 : tensor<1x2x32xf32>
    %15 = stablehlo.slice %12 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %16 = stablehlo.logistic %15 : tensor<1x2x32xf32>
    %17 = stablehlo.multiply %16, %cst : tensor<1x2x32xf32>
    %18 = stablehlo.slice %12 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %19 = stablehlo.logistic %18 : tensor<1x2x32xf32>
    %20 = stablehlo.slice %12 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %21 = stablehlo.tanh %20 : tensor<1x2x32xf32>
    %22 = stablehlo.multiply %19, %21 : tensor<1x2x32xf32>
    %23 = stablehlo.add %17, %22 : tensor<1x2x32xf32>
    %24 = stablehlo.tanh %23 : tensor<1x2x32xf32>
    %25 = stablehlo.multiply %14, %24 : tensor<1x2x32xf32>
    %26 = stablehlo.reshape %25 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %27 = stablehlo.dot_general %26, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %28 = stablehlo.add %27, %2 : tensor<2x128xf32>
    %29 = stablehlo.reshape %28 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %30 = stablehlo.slice %10 [1:2, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %31 = stablehlo.add %29, %30 : tensor<1x2x128xf32>
    %32 = stablehlo.slice %31 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %33 = stablehlo.logistic %32 : tensor<1x2x32xf32>
    %34 = stablehlo.slice %31 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %35 = stablehlo.logistic %34 : tensor<1x2x32xf32>
    %36 = stablehlo.multiply %35, %23 : tensor<1x2x32xf32>
    %37 = stablehlo.slice %31 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %38 = stablehlo.logistic %37 : tensor<1x2x32xf32>
    %39 = stablehlo.slice %31 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %40 = stablehlo.tanh %39 : tensor<1x2x32xf32>
    %41 = stablehlo.multiply %38, %40 : tensor<1x2x32xf32>
    %42 = stablehlo.add %36, %41 : tensor<1x2x32xf32>
    %43 = stablehlo.tanh %42 : tensor<1x2x32xf32>
    %44 = stablehlo.multiply %33, %43 : tensor<1x2x32xf32>
    %45 = stablehlo.reshape %44 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %46 = stablehlo.dot_general %45, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %47 = stablehlo.add %46, %2 : tensor<2x128xf32>
    %48 = stablehlo.reshape %47 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %49 = stablehlo.slice %10 [2:3, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %50 = stablehlo.add %48, %49 : tensor<1x2x128xf32>
    %51 = stablehlo.slice %50 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %52 = stablehlo.logistic %51 : tensor<1x2x32xf32>
    %53 = stablehlo.slice %50 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %54 = stablehlo.logistic %53 : tensor<1x2x32xf32>
    %55 = stablehlo.multiply %54, %42 : tensor<1x2x32xf32>
    %56 = stablehlo.slice %50 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %57 = stablehlo.logistic %56 : tensor<1x2x32xf32>
    %58 = stablehlo.slice %50 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %59 = stablehlo.tanh %58 : tensor<1x2x32xf32>
    %60 = stablehlo.multiply %57, %59 : tensor<1x2x32xf32>
    %61 = stablehlo.add %55, %60 : tensor<1x2x32xf32>
    %62 = stablehlo.tanh %61 : tensor<1x2x32xf32>
    %63 = stablehlo.multiply %52, %62 : tensor<1x2x32xf32>
    %64 = stablehlo.reshape %63 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %65 = stablehlo.dot_general %64, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %66 = stablehlo.add %65, %2 : tensor<2x128xf32>
    %67 = stablehlo.reshape %66 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %68 = stablehlo.slice %10 [3:4, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %69 = stablehlo.add %67, %68 : tensor<1x2x128xf32>
    %70 = stablehlo.slice %69 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %71 = stablehlo.logistic %70 : tensor<1x2x32xf32>
    %72 = stablehlo.slice %69 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %73 = stablehlo.logistic %72 : tensor<1x2x32xf32>
    %74 = stablehlo.multiply %73, %61 : tensor<1x2x32xf32>
    %75 = stablehlo.slice %69 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %76 = stablehlo.logistic %75 : tensor<1x2x32xf32>
    %77 = stablehlo.slice %69 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %78 = stablehlo.tanh %77 : tensor<1x2x32xf32>
    %79 = stablehlo.multiply %76, %78 : tensor<1x2x32xf32>
    %80 = stablehlo.add %74, %79 : tensor<1x2x32xf32>
    %81 = stablehlo.tanh %80 : tensor<1x2x32xf32>
    %82 = stablehlo.multiply %71, %81 : tensor<1x2x32xf32>
    %83 = stablehlo.reshape %82 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %84 = stablehlo.dot_general %83, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %85 = stablehlo.add %84, %2 : tensor<2x128xf32>
    %86 = stablehlo.reshape %85 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %87 = stablehlo.slice %10 [4:5, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %88 = stablehlo.add %86, %87 : tensor<1x2x128xf32>
    %89 = stablehlo.slice %88 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %90 = stablehlo.logistic %89 : tensor<1x2x32xf32>
    %91 = stablehlo.slice %88 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %92 = stablehlo.logistic %91 : tensor<1x2x32xf32>
    %93 = stablehlo.multiply %92, %80 : tensor<1x2x32xf32>
    %94 = stablehlo.slice %88 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %95 = stablehlo.logistic %94 : tensor<1x2x32xf32>
    %96 = stablehlo.slice %88 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %97 = stablehlo.tanh %96 : tensor<1x2x32xf32>
    %98 = stablehlo.multiply %95, %97 : tensor<1x2x32xf32>
    %99 = stablehlo.add %93, %98 : tensor<1x2x32xf32>
    %100 = stablehlo.tanh %99 : tensor<1x2x32xf32>
    %101 = stablehlo.multiply %90, %100 : tensor<1x2x32xf32>
    %102 = stablehlo.reshape %101 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %103 = stablehlo.dot_general %102, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %104 = stablehlo.add %103, %2 : tensor<2x128xf32>
    %105 = stablehlo.reshape %104 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %106 = stablehlo.slice %10 [5:6, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %107 = stablehlo.add %105, %106 : tensor<1x2x128xf32>
    %108 = stablehlo.slice %107 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %109 = stablehlo.logistic %108 : tensor<1x2x32xf32>
    %110 = stablehlo.slice %107 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %111 = stablehlo.logistic %110 : tensor<1x2x32xf32>
    %112 = stablehlo.multiply %111, %99 : tensor<1x2x32xf32>
    %113 = stablehlo.slice %107 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %114 = stablehlo.logistic %113 : tensor<1x2x32xf32>
    %115 = stablehlo.slice %107 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %116 = stablehlo.tanh %115 : tensor<1x2x32xf32>
    %117 = stablehlo.multiply %114, %116 : tensor<1x2x32xf32>
    %118 = stablehlo.add %112, %117 : tensor<1x2x32xf32>
    %119 = stablehlo.tanh %118 : tensor<1x2x32xf32>
    %120 = stablehlo.multiply %109, %119 : tensor<1x2x32xf32>
    %121 = stablehlo.reshape %120 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %122 = stablehlo.dot_general %121, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %123 = stablehlo.add %122, %2 : tensor<2x128xf32>
    %124 = stablehlo.reshape %123 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %125 = stablehlo.slice %10 [6:7, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %126 = stablehlo.add %124, %125 : tensor<1x2x128xf32>
    %127 = stablehlo.slice %126 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %128 = stablehlo.logistic %127 : tensor<1x2x32xf32>
    %129 = stablehlo.slice %126 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %130 = stablehlo.logistic %129 : tensor<1x2x32xf32>
    %131 = stablehlo.multiply %130, %118 : tensor<1x2x32xf32>
    %132 = stablehlo.slice %126 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %133 = stablehlo.logistic %132 : tensor<1x2x32xf32>
    %134 = stablehlo.slice %126 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %135 = stablehlo.tanh %134 : tensor<1x2x32xf32>
    %136 = stablehlo.multiply %133, %135 : tensor<1x2x32xf32>
    %137 = stablehlo.add %131, %136 : tensor<1x2x32xf32>
    %138 = stablehlo.tanh %137 : tensor<1x2x32xf32>
    %139 = stablehlo.multiply %128, %138 : tensor<1x2x32xf32>
    %140 = stablehlo.reshape %139 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %141 = stablehlo.dot_general %140, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %142 = stablehlo.add %141, %2 : tensor<2x128xf32>
    %143 = stablehlo.reshape %142 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %144 = stablehlo.slice %10 [7:8, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %145 = stablehlo.add %143, %144 : tensor<1x2x128xf32>
    %146 = stablehlo.slice %145 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %147 = stablehlo.logistic %146 : tensor<1x2x32xf32>
    %148 = stablehlo.slice %145 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %149 = stablehlo.logistic %148 : tensor<1x2x32xf32>
    %150 = stablehlo.multiply %149, %137 : tensor<1x2x32xf32>
    %151 = stablehlo.slice %145 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %152 = stablehlo.logistic %151 : tensor<1x2x32xf32>
    %153 = stablehlo.slice %145 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %154 = stablehlo.tanh %153 : tensor<1x2x32xf32>
    %155 = stablehlo.multiply %152, %154 : tensor<1x2x32xf32>
    %156 = stablehlo.add %150, %155 : tensor<1x2x32xf32>
    %157 = stablehlo.tanh %156 : tensor<1x2x32xf32>
    %158 = stablehlo.multiply %147, %157 : tensor<1x2x32xf32>
    %159 = stablehlo.reshape %158 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %160 = stablehlo.dot_general %159, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %161 = stablehlo.add %160, %2 : tensor<2x128xf32>
    %162 = stablehlo.reshape %161 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %163 = stablehlo.slice %10 [8:9, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %164 = stablehlo.add %162, %163 : tensor<1x2x128xf32>
    %165 = stablehlo.slice %164 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %166 = stablehlo.logistic %165 : tensor<1x2x32xf32>
    %167 = stablehlo.slice %164 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %168 = stablehlo.logistic %167 : tensor<1x2x32xf32>
    %169 = stablehlo.multiply %168, %156 : tensor<1x2x32xf32>
    %170 = stablehlo.slice %164 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %171 = stablehlo.logistic %170 : tensor<1x2x32xf32>
    %172 = stablehlo.slice %164 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %173 = stablehlo.tanh %172 : tensor<1x2x32xf32>
    %174 = stablehlo.multiply %171, %173 : tensor<1x2x32xf32>
    %175 = stablehlo.add %169, %174 : tensor<1x2x32xf32>
    %176 = stablehlo.tanh %175 : tensor<1x2x32xf32>
    %177 = stablehlo.multiply %166, %176 : tensor<1x2x32xf32>
    %178 = stablehlo.reshape %177 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %179 = stablehlo.dot_general %178, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %180 = stablehlo.add %179, %2 : tensor<2x128xf32>
    %181 = stablehlo.reshape %180 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %182 = stablehlo.slice %10 [9:10, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %183 = stablehlo.add %181, %182 : tensor<1x2x128xf32>
    %184 = stablehlo.slice %183 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %185 = stablehlo.logistic %184 : tensor<1x2x32xf32>
    %186 = stablehlo.slice %183 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %187 = stablehlo.logistic %186 : tensor<1x2x32xf32>
    %188 = stablehlo.multiply %187, %175 : tensor<1x2x32xf32>
    %189 = stablehlo.slice %183 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %190 = stablehlo.logistic %189 : tensor<1x2x32xf32>
    %191 = stablehlo.slice %183 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %192 = stablehlo.tanh %191 : tensor<1x2x32xf32>
    %193 = stablehlo.multiply %190, %192 : tensor<1x2x32xf32>
    %194 = stablehlo.add %188, %193 : tensor<1x2x32xf32>
    %195 = stablehlo.tanh %194 : tensor<1x2x32xf32>
    %196 = stablehlo.multiply %185, %195 : tensor<1x2x32xf32>
    %197 = stablehlo.concatenate %25, %44, %63, %82, %101, %120, %139, %158, %177, %196, dim = 0 : (tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>) -> tensor<10x2x32xf32>
    %198 = stablehlo.transpose %197, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[2,10,32]{2,0,1}"} : (tensor<10x2x32xf32>) -> tensor<2x10x32xf32>
    %199 = stablehlo.slice %198 [0:2, 9:10, 0:32] : (tensor<2x10x32xf32>) -> tensor<2x1x32xf32>
    %200 = stablehlo.reshape %199 : (tensor<2x1x32xf32>) -> tensor<2x32xf32>
    %201 = stablehlo.transpose %arg1, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[32,2]{0,1}"} : (tensor<2x32xf32>) -> tensor<32x2xf32>
    %202 = stablehlo.dot_general %200, %201, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x32xf32>, tensor<32x2xf32>) -> tensor<2x2xf32>
    %203 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
    %204 = stablehlo.add %202, %203 : tensor<2x2xf32>
    return %204 : tensor<2x2xf32>
  }
}
