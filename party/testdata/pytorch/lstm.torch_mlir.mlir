module {
  func.func @main(%arg0: tensor<128x8xf32>, %arg1: tensor<128x32xf32>, %arg2: tensor<128xf32>, %arg3: tensor<128xf32>, %arg4: tensor<2x32xf32>, %arg5: tensor<2xf32>, %arg6: tensor<2x10x8xf32>) -> tensor<2x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<1x2x32xf32>
    %cst_1 = arith.constant dense<1> : tensor<1xi64>
    %0 = stablehlo.transpose %arg6, dims = [1, 0, 2] : (tensor<2x10x8xf32>) -> tensor<10x2x8xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<128x8xf32>) -> tensor<8x128xf32>
    %2 = stablehlo.reshape %0 : (tensor<10x2x8xf32>) -> tensor<10x2x8xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<8x128xf32>) -> tensor<10x8x128xf32>
    %4 = stablehlo.reshape %3 : (tensor<10x8x128xf32>) -> tensor<10x8x128xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<10x8x128xf32>) -> tensor<10x8x128xf32>
    %6 = stablehlo.dot_general %2, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<10x2x8xf32>, tensor<10x8x128xf32>) -> tensor<10x2x128xf32>
    %7 = stablehlo.reshape %6 : (tensor<10x2x128xf32>) -> tensor<10x2x128xf32>
    %8 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<128xf32>) -> tensor<10x2x128xf32>
    %9 = stablehlo.add %7, %8 : tensor<10x2x128xf32>
    %10 = stablehlo.slice %9 [0:1, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %11 = stablehlo.slice %9 [1:2, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %12 = stablehlo.slice %9 [2:3, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %13 = stablehlo.slice %9 [3:4, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %14 = stablehlo.slice %9 [4:5, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %15 = stablehlo.slice %9 [5:6, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %16 = stablehlo.slice %9 [6:7, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %17 = stablehlo.slice %9 [7:8, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %18 = stablehlo.slice %9 [8:9, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %19 = stablehlo.slice %9 [9:10, 0:2, 0:128] : (tensor<10x2x128xf32>) -> tensor<1x2x128xf32>
    %20 = stablehlo.reshape %10 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %21 = stablehlo.reshape %11 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %22 = stablehlo.reshape %12 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %23 = stablehlo.reshape %13 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %24 = stablehlo.reshape %14 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %25 = stablehlo.reshape %15 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %26 = stablehlo.reshape %16 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %27 = stablehlo.reshape %17 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %28 = stablehlo.reshape %18 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %29 = stablehlo.reshape %19 : (tensor<1x2x128xf32>) -> tensor<2x128xf32>
    %30 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %31 = stablehlo.dot_general %cst, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %32 = stablehlo.convert %cst_1 : (tensor<1xi64>) -> tensor<1xf32>
    %33 = stablehlo.reshape %32 : (tensor<1xf32>) -> tensor<f32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f32>) -> tensor<2x128xf32>
    %35 = stablehlo.multiply %31, %34 : tensor<2x128xf32>
    %36 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<128xf32>) -> tensor<2x128xf32>
    %37 = stablehlo.multiply %36, %34 : tensor<2x128xf32>
    %38 = stablehlo.add %35, %37 : tensor<2x128xf32>
    %39 = stablehlo.reshape %38 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %40 = stablehlo.broadcast_in_dim %20, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %41 = stablehlo.add %39, %40 : tensor<1x2x128xf32>
    %42 = stablehlo.slice %41 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %43 = stablehlo.slice %41 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %44 = stablehlo.slice %41 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %45 = stablehlo.slice %41 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %46 = stablehlo.logistic %42 : tensor<1x2x32xf32>
    %47 = stablehlo.logistic %43 : tensor<1x2x32xf32>
    %48 = stablehlo.tanh %44 : tensor<1x2x32xf32>
    %49 = stablehlo.logistic %45 : tensor<1x2x32xf32>
    %50 = stablehlo.multiply %47, %cst_0 : tensor<1x2x32xf32>
    %51 = stablehlo.multiply %46, %48 : tensor<1x2x32xf32>
    %52 = stablehlo.add %50, %51 : tensor<1x2x32xf32>
    %53 = stablehlo.tanh %52 : tensor<1x2x32xf32>
    %54 = stablehlo.multiply %49, %53 : tensor<1x2x32xf32>
    %55 = stablehlo.reshape %54 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %56 = stablehlo.dot_general %55, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %57 = stablehlo.multiply %56, %34 : tensor<2x128xf32>
    %58 = stablehlo.add %57, %37 : tensor<2x128xf32>
    %59 = stablehlo.reshape %58 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %60 = stablehlo.broadcast_in_dim %21, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %61 = stablehlo.add %59, %60 : tensor<1x2x128xf32>
    %62 = stablehlo.slice %61 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %63 = stablehlo.slice %61 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %64 = stablehlo.slice %61 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %65 = stablehlo.slice %61 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %66 = stablehlo.logistic %62 : tensor<1x2x32xf32>
    %67 = stablehlo.logistic %63 : tensor<1x2x32xf32>
    %68 = stablehlo.tanh %64 : tensor<1x2x32xf32>
    %69 = stablehlo.logistic %65 : tensor<1x2x32xf32>
    %70 = stablehlo.multiply %67, %52 : tensor<1x2x32xf32>
    %71 = stablehlo.multiply %66, %68 : tensor<1x2x32xf32>
    %72 = stablehlo.add %70, %71 : tensor<1x2x32xf32>
    %73 = stablehlo.tanh %72 : tensor<1x2x32xf32>
    %74 = stablehlo.multiply %69, %73 : tensor<1x2x32xf32>
    %75 = stablehlo.reshape %74 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %76 = stablehlo.dot_general %75, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %77 = stablehlo.multiply %76, %34 : tensor<2x128xf32>
    %78 = stablehlo.add %77, %37 : tensor<2x128xf32>
    %79 = stablehlo.reshape %78 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %80 = stablehlo.broadcast_in_dim %22, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %81 = stablehlo.add %79, %80 : tensor<1x2x128xf32>
    %82 = stablehlo.slice %81 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %83 = stablehlo.slice %81 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %84 = stablehlo.slice %81 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %85 = stablehlo.slice %81 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %86 = stablehlo.logistic %82 : tensor<1x2x32xf32>
    %87 = stablehlo.logistic %83 : tensor<1x2x32xf32>
    %88 = stablehlo.tanh %84 : tensor<1x2x32xf32>
    %89 = stablehlo.logistic %85 : tensor<1x2x32xf32>
    %90 = stablehlo.multiply %87, %72 : tensor<1x2x32xf32>
    %91 = stablehlo.multiply %86, %88 : tensor<1x2x32xf32>
    %92 = stablehlo.add %90, %91 : tensor<1x2x32xf32>
    %93 = stablehlo.tanh %92 : tensor<1x2x32xf32>
    %94 = stablehlo.multiply %89, %93 : tensor<1x2x32xf32>
    %95 = stablehlo.reshape %94 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %96 = stablehlo.dot_general %95, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %97 = stablehlo.multiply %96, %34 : tensor<2x128xf32>
    %98 = stablehlo.add %97, %37 : tensor<2x128xf32>
    %99 = stablehlo.reshape %98 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %100 = stablehlo.broadcast_in_dim %23, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %101 = stablehlo.add %99, %100 : tensor<1x2x128xf32>
    %102 = stablehlo.slice %101 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %103 = stablehlo.slice %101 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %104 = stablehlo.slice %101 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %105 = stablehlo.slice %101 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %106 = stablehlo.logistic %102 : tensor<1x2x32xf32>
    %107 = stablehlo.logistic %103 : tensor<1x2x32xf32>
    %108 = stablehlo.tanh %104 : tensor<1x2x32xf32>
    %109 = stablehlo.logistic %105 : tensor<1x2x32xf32>
    %110 = stablehlo.multiply %107, %92 : tensor<1x2x32xf32>
    %111 = stablehlo.multiply %106, %108 : tensor<1x2x32xf32>
    %112 = stablehlo.add %110, %111 : tensor<1x2x32xf32>
    %113 = stablehlo.tanh %112 : tensor<1x2x32xf32>
    %114 = stablehlo.multiply %109, %113 : tensor<1x2x32xf32>
    %115 = stablehlo.reshape %114 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %116 = stablehlo.dot_general %115, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %117 = stablehlo.multiply %116, %34 : tensor<2x128xf32>
    %118 = stablehlo.add %117, %37 : tensor<2x128xf32>
    %119 = stablehlo.reshape %118 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %120 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %121 = stablehlo.add %119, %120 : tensor<1x2x128xf32>
    %122 = stablehlo.slice %121 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %123 = stablehlo.slice %121 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %124 = stablehlo.slice %121 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %125 = stablehlo.slice %121 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %126 = stablehlo.logistic %122 : tensor<1x2x32xf32>
    %127 = stablehlo.logistic %123 : tensor<1x2x32xf32>
    %128 = stablehlo.tanh %124 : tensor<1x2x32xf32>
    %129 = stablehlo.logistic %125 : tensor<1x2x32xf32>
    %130 = stablehlo.multiply %127, %112 : tensor<1x2x32xf32>
    %131 = stablehlo.multiply %126, %128 : tensor<1x2x32xf32>
    %132 = stablehlo.add %130, %131 : tensor<1x2x32xf32>
    %133 = stablehlo.tanh %132 : tensor<1x2x32xf32>
    %134 = stablehlo.multiply %129, %133 : tensor<1x2x32xf32>
    %135 = stablehlo.reshape %134 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %136 = stablehlo.dot_general %135, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %137 = stablehlo.multiply %136, %34 : tensor<2x128xf32>
    %138 = stablehlo.add %137, %37 : tensor<2x128xf32>
    %139 = stablehlo.reshape %138 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %140 = stablehlo.broadcast_in_dim %25, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %141 = stablehlo.add %139, %140 : tensor<1x2x128xf32>
    %142 = stablehlo.slice %141 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %143 = stablehlo.slice %141 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %144 = stablehlo.slice %141 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %145 = stablehlo.slice %141 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %146 = stablehlo.logistic %142 : tensor<1x2x32xf32>
    %147 = stablehlo.logistic %143 : tensor<1x2x32xf32>
    %148 = stablehlo.tanh %144 : tensor<1x2x32xf32>
    %149 = stablehlo.logistic %145 : tensor<1x2x32xf32>
    %150 = stablehlo.multiply %147, %132 : tensor<1x2x32xf32>
    %151 = stablehlo.multiply %146, %148 : tensor<1x2x32xf32>
    %152 = stablehlo.add %150, %151 : tensor<1x2x32xf32>
    %153 = stablehlo.tanh %152 : tensor<1x2x32xf32>
    %154 = stablehlo.multiply %149, %153 : tensor<1x2x32xf32>
    %155 = stablehlo.reshape %154 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %156 = stablehlo.dot_general %155, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %157 = stablehlo.multiply %156, %34 : tensor<2x128xf32>
    %158 = stablehlo.add %157, %37 : tensor<2x128xf32>
    %159 = stablehlo.reshape %158 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %160 = stablehlo.broadcast_in_dim %26, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %161 = stablehlo.add %159, %160 : tensor<1x2x128xf32>
    %162 = stablehlo.slice %161 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %163 = stablehlo.slice %161 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %164 = stablehlo.slice %161 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %165 = stablehlo.slice %161 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %166 = stablehlo.logistic %162 : tensor<1x2x32xf32>
    %167 = stablehlo.logistic %163 : tensor<1x2x32xf32>
    %168 = stablehlo.tanh %164 : tensor<1x2x32xf32>
    %169 = stablehlo.logistic %165 : tensor<1x2x32xf32>
    %170 = stablehlo.multiply %167, %152 : tensor<1x2x32xf32>
    %171 = stablehlo.multiply %166, %168 : tensor<1x2x32xf32>
    %172 = stablehlo.add %170, %171 : tensor<1x2x32xf32>
    %173 = stablehlo.tanh %172 : tensor<1x2x32xf32>
    %174 = stablehlo.multiply %169, %173 : tensor<1x2x32xf32>
    %175 = stablehlo.reshape %174 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %176 = stablehlo.dot_general %175, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %177 = stablehlo.multiply %176, %34 : tensor<2x128xf32>
    %178 = stablehlo.add %177, %37 : tensor<2x128xf32>
    %179 = stablehlo.reshape %178 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %180 = stablehlo.broadcast_in_dim %27, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %181 = stablehlo.add %179, %180 : tensor<1x2x128xf32>
    %182 = stablehlo.slice %181 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %183 = stablehlo.slice %181 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %184 = stablehlo.slice %181 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %185 = stablehlo.slice %181 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %186 = stablehlo.logistic %182 : tensor<1x2x32xf32>
    %187 = stablehlo.logistic %183 : tensor<1x2x32xf32>
    %188 = stablehlo.tanh %184 : tensor<1x2x32xf32>
    %189 = stablehlo.logistic %185 : tensor<1x2x32xf32>
    %190 = stablehlo.multiply %187, %172 : tensor<1x2x32xf32>
    %191 = stablehlo.multiply %186, %188 : tensor<1x2x32xf32>
    %192 = stablehlo.add %190, %191 : tensor<1x2x32xf32>
    %193 = stablehlo.tanh %192 : tensor<1x2x32xf32>
    %194 = stablehlo.multiply %189, %193 : tensor<1x2x32xf32>
    %195 = stablehlo.reshape %194 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %196 = stablehlo.dot_general %195, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %197 = stablehlo.multiply %196, %34 : tensor<2x128xf32>
    %198 = stablehlo.add %197, %37 : tensor<2x128xf32>
    %199 = stablehlo.reshape %198 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %200 = stablehlo.broadcast_in_dim %28, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %201 = stablehlo.add %199, %200 : tensor<1x2x128xf32>
    %202 = stablehlo.slice %201 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %203 = stablehlo.slice %201 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %204 = stablehlo.slice %201 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %205 = stablehlo.slice %201 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %206 = stablehlo.logistic %202 : tensor<1x2x32xf32>
    %207 = stablehlo.logistic %203 : tensor<1x2x32xf32>
    %208 = stablehlo.tanh %204 : tensor<1x2x32xf32>
    %209 = stablehlo.logistic %205 : tensor<1x2x32xf32>
    %210 = stablehlo.multiply %207, %192 : tensor<1x2x32xf32>
    %211 = stablehlo.multiply %206, %208 : tensor<1x2x32xf32>
    %212 = stablehlo.add %210, %211 : tensor<1x2x32xf32>
    %213 = stablehlo.tanh %212 : tensor<1x2x32xf32>
    %214 = stablehlo.multiply %209, %213 : tensor<1x2x32xf32>
    %215 = stablehlo.reshape %214 : (tensor<1x2x32xf32>) -> tensor<2x32xf32>
    %216 = stablehlo.dot_general %215, %30, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x128xf32>) -> tensor<2x128xf32>
    %217 = stablehlo.multiply %216, %34 : tensor<2x128xf32>
    %218 = stablehlo.add %217, %37 : tensor<2x128xf32>
    %219 = stablehlo.reshape %218 : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %220 = stablehlo.broadcast_in_dim %29, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %221 = stablehlo.add %219, %220 : tensor<1x2x128xf32>
    %222 = stablehlo.slice %221 [0:1, 0:2, 0:32] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %223 = stablehlo.slice %221 [0:1, 0:2, 32:64] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %224 = stablehlo.slice %221 [0:1, 0:2, 64:96] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %225 = stablehlo.slice %221 [0:1, 0:2, 96:128] : (tensor<1x2x128xf32>) -> tensor<1x2x32xf32>
    %226 = stablehlo.logistic %222 : tensor<1x2x32xf32>
    %227 = stablehlo.logistic %223 : tensor<1x2x32xf32>
    %228 = stablehlo.tanh %224 : tensor<1x2x32xf32>
    %229 = stablehlo.logistic %225 : tensor<1x2x32xf32>
    %230 = stablehlo.multiply %227, %212 : tensor<1x2x32xf32>
    %231 = stablehlo.multiply %226, %228 : tensor<1x2x32xf32>
    %232 = stablehlo.add %230, %231 : tensor<1x2x32xf32>
    %233 = stablehlo.tanh %232 : tensor<1x2x32xf32>
    %234 = stablehlo.multiply %229, %233 : tensor<1x2x32xf32>
    %235 = stablehlo.concatenate %54, %74, %94, %114, %134, %154, %174, %194, %214, %234, dim = 0 : (tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>) -> tensor<10x2x32xf32>
    %236 = stablehlo.transpose %235, dims = [1, 0, 2] : (tensor<10x2x32xf32>) -> tensor<2x10x32xf32>
    %237 = stablehlo.slice %236 [0:2, 9:10, 0:32] : (tensor<2x10x32xf32>) -> tensor<2x1x32xf32>
    %238 = stablehlo.reshape %237 : (tensor<2x1x32xf32>) -> tensor<2x32xf32>
    %239 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<2x32xf32>) -> tensor<32x2xf32>
    %240 = stablehlo.dot_general %238, %239, contracting_dims = [1] x [0] : (tensor<2x32xf32>, tensor<32x2xf32>) -> tensor<2x2xf32>
    %241 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %242 = stablehlo.multiply %240, %241 : tensor<2x2xf32>
    %243 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
    %244 = stablehlo.multiply %243, %241 : tensor<2x2xf32>
    %245 = stablehlo.add %242, %244 : tensor<2x2xf32>
    return %245 : tensor<2x2xf32>
  }
}
