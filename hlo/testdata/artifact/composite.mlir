module @jit_composite attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<2xf32> {jax.result_info = "result[1][0]"}, tensor<2xi32> {jax.result_info = "result[1][1]"}, tensor<5xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<1.14472985> : tensor<5xf32>
    %cst_1 = stablehlo.constant dense<3.14159274> : tensor<5xf32>
    %cst_2 = stablehlo.constant dense<0.918938517> : tensor<5xf32>
    %cst_3 = stablehlo.constant dense<2.01490307> : tensor<5xf32>
    %cst_4 = stablehlo.constant dense<7.500000e+00> : tensor<5xf32>
    %cst_5 = stablehlo.constant dense<8.000000e+00> : tensor<5xf32>
    %cst_6 = stablehlo.constant dense<1.50563267E-7> : tensor<5xf32>
    %cst_7 = stablehlo.constant dense<7.000000e+00> : tensor<5xf32>
    %cst_8 = stablehlo.constant dense<9.98436917E-6> : tensor<5xf32>
    %cst_9 = stablehlo.constant dense<6.000000e+00> : tensor<5xf32>
    %cst_10 = stablehlo.constant dense<-0.138571098> : tensor<5xf32>
    %cst_11 = stablehlo.constant dense<5.000000e+00> : tensor<5xf32>
    %cst_12 = stablehlo.constant dense<12.5073433> : tensor<5xf32>
    %cst_13 = stablehlo.constant dense<4.000000e+00> : tensor<5xf32>
    %cst_14 = stablehlo.constant dense<-176.615036> : tensor<5xf32>
    %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<5xf32>
    %cst_16 = stablehlo.constant dense<771.323425> : tensor<5xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<5xf32>
    %cst_18 = stablehlo.constant dense<-1259.13916> : tensor<5xf32>
    %cst_19 = stablehlo.constant dense<676.520386> : tensor<5xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<5xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<5xf32>
    %0 = stablehlo.composite "chlo.erf" %arg0 {decomposition = @chlo.erf.impl, version = 1 : i32} : (tensor<5xf32>) -> tensor<5xf32>
    %1:2 = stablehlo.composite "chlo.top_k" %arg0 {composite_attributes = {k = 2 : i64}, decomposition = @chlo.top_k.impl, version = 1 : i32} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>)
    %2 = stablehlo.compare LT, %arg0, %cst_21 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %3 = stablehlo.negate %arg0 : tensor<5xf32>
    %4 = stablehlo.subtract %arg0, %cst_20 : tensor<5xf32>
    %5 = stablehlo.select %2, %3, %4 : tensor<5xi1>, tensor<5xf32>
    %6 = stablehlo.add %5, %cst_20 : tensor<5xf32>
    %7 = stablehlo.divide %cst_19, %6 : tensor<5xf32>
    %8 = stablehlo.add %cst_20, %7 : tensor<5xf32>
    %9 = stablehlo.add %5, %cst_17 : tensor<5xf32>
    %10 = stablehlo.divide %cst_18, %9 : tensor<5xf32>
    %11 = stablehlo.add %8, %10 : tensor<5xf32>
    %12 = stablehlo.add %5, %cst_15 : tensor<5xf32>
    %13 = stablehlo.divide %cst_16, %12 : tensor<5xf32>
    %14 = stablehlo.add %11, %13 : tensor<5xf32>
    %15 = stablehlo.add %5, %cst_13 : tensor<5xf32>
    %16 = stablehlo.divide %cst_14, %15 : tensor<5xf32>
    %17 = stablehlo.add %14, %16 : tensor<5xf32>
    %18 = stablehlo.add %5, %cst_11 : tensor<5xf32>
    %19 = stablehlo.divide %cst_12, %18 : tensor<5xf32>
    %20 = stablehlo.add %17, %19 : tensor<5xf32>
    %21 = stablehlo.add %5, %cst_9 : tensor<5xf32>
    %22 = stablehlo.divide %cst_10, %21 : tensor<5xf32>
    %23 = stablehlo.add %20, %22 : tensor<5xf32>
    %24 = stablehlo.add %5, %cst_7 : tensor<5xf32>
    %25 = stablehlo.divide %cst_8, %24 : tensor<5xf32>
    %26 = stablehlo.add %23, %25 : tensor<5xf32>
    %27 = stablehlo.add %5, %cst_5 : tensor<5xf32>
    %28 = stablehlo.divide %cst_6, %27 : tensor<5xf32>
    %29 = stablehlo.add %26, %28 : tensor<5xf32>
    %30 = stablehlo.add %cst_4, %5 : tensor<5xf32>
    %31 = stablehlo.divide %5, %cst_4 : tensor<5xf32>
    %32 = stablehlo.log_plus_one %31 : tensor<5xf32>
    %33 = stablehlo.add %cst_3, %32 : tensor<5xf32>
    %34 = stablehlo.divide %30, %33 : tensor<5xf32>
    %35 = stablehlo.add %5, %cst_21 : tensor<5xf32>
    %36 = stablehlo.subtract %35, %34 : tensor<5xf32>
    %37 = stablehlo.multiply %36, %33 : tensor<5xf32>
    %38 = stablehlo.log %29 : tensor<5xf32>
    %39 = stablehlo.add %cst_2, %37 : tensor<5xf32>
    %40 = stablehlo.add %39, %38 : tensor<5xf32>
    %41 = stablehlo.abs %arg0 : tensor<5xf32>
    %42 = stablehlo.floor %41 : tensor<5xf32>
    %43 = stablehlo.subtract %41, %42 : tensor<5xf32>
    %44 = stablehlo.compare LT, %cst_21, %43 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %45 = stablehlo.subtract %cst_20, %43 : tensor<5xf32>
    %46 = stablehlo.select %44, %45, %43 : tensor<5xi1>, tensor<5xf32>
    %47 = stablehlo.multiply %cst_1, %46 : tensor<5xf32>
    %48 = stablehlo.sine %47 : tensor<5xf32>
    %49 = stablehlo.log %48 : tensor<5xf32>
    %50 = stablehlo.subtract %cst_0, %49 : tensor<5xf32>
    %51 = stablehlo.subtract %50, %40 : tensor<5xf32>
    %52 = stablehlo.is_finite %49 : (tensor<5xf32>) -> tensor<5xi1>
    %53 = stablehlo.negate %49 : tensor<5xf32>
    %54 = stablehlo.select %52, %51, %53 : tensor<5xi1>, tensor<5xf32>
    %55 = stablehlo.select %2, %54, %40 : tensor<5xi1>, tensor<5xf32>
    %56 = stablehlo.abs %arg0 : tensor<5xf32>
    %57 = stablehlo.compare EQ, %56, %cst : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %58 = stablehlo.select %57, %cst, %55 : tensor<5xi1>, tensor<5xf32>
    return %0, %1#0, %1#1, %58 : tensor<5xf32>, tensor<2xf32>, tensor<2xi32>, tensor<5xf32>
  }
  func.func private @chlo.top_k.impl(%arg0: tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %4 = stablehlo.compare GT, %arg1, %arg2, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>)
    %2 = stablehlo.slice %1#0 [0:2] : (tensor<5xf32>) -> tensor<2xf32>
    %3 = stablehlo.slice %1#1 [0:2] : (tensor<5xi32>) -> tensor<2xi32>
    return %2, %3 : tensor<2xf32>, tensor<2xi32>
  }
  func.func private @chlo.erf.impl(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+00> : tensor<5xf32>
    %cst_1 = stablehlo.constant dense<-0.0142647391> : tensor<5xf32>
    %cst_2 = stablehlo.constant dense<-0.00737332925> : tensor<5xf32>
    %cst_3 = stablehlo.constant dense<-0.00168282702> : tensor<5xf32>
    %cst_4 = stablehlo.constant dense<-2.13374049E-4> : tensor<5xf32>
    %cst_5 = stablehlo.constant dense<-1.45660715E-5> : tensor<5xf32>
    %cst_6 = stablehlo.constant dense<-0.0160960332> : tensor<5xf32>
    %cst_7 = stablehlo.constant dense<-2.954600e-03> : tensor<5xf32>
    %cst_8 = stablehlo.constant dense<-7.34990637E-4> : tensor<5xf32>
    %cst_9 = stablehlo.constant dense<-5.69250624E-5> : tensor<5xf32>
    %cst_10 = stablehlo.constant dense<-2.10102394E-6> : tensor<5xf32>
    %cst_11 = stablehlo.constant dense<2.77068146E-8> : tensor<5xf32>
    %cst_12 = stablehlo.constant dense<-2.72614237E-10> : tensor<5xf32>
    %cst_13 = stablehlo.constant dense<-4.000000e+00> : tensor<5xf32>
    %cst_14 = stablehlo.constant dense<4.000000e+00> : tensor<5xf32>
    %0 = stablehlo.clamp %cst_13, %arg0, %cst_14 : tensor<5xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<5xf32>
    %2 = stablehlo.multiply %cst_12, %1 : tensor<5xf32>
    %3 = stablehlo.add %2, %cst_11 : tensor<5xf32>
    %4 = stablehlo.multiply %3, %1 : tensor<5xf32>
    %5 = stablehlo.add %4, %cst_10 : tensor<5xf32>
    %6 = stablehlo.multiply %5, %1 : tensor<5xf32>
    %7 = stablehlo.add %6, %cst_9 : tensor<5xf32>
    %8 = stablehlo.multiply %7, %1 : tensor<5xf32>
    %9 = stablehlo.add %8, %cst_8 : tensor<5xf32>
    %10 = stablehlo.multiply %9, %1 : tensor<5xf32>
    %11 = stablehlo.add %10, %cst_7 : tensor<5xf32>
    %12 = stablehlo.multiply %11, %1 : tensor<5xf32>
    %13 = stablehlo.add %12, %cst_6 : tensor<5xf32>
    %14 = stablehlo.multiply %cst_5, %1 : tensor<5xf32>
    %15 = stablehlo.add %14, %cst_4 : tensor<5xf32>
    %16 = stablehlo.multiply %15, %1 : tensor<5xf32>
    %17 = stablehlo.add %16, %cst_3 : tensor<5xf32>
    %18 = stablehlo.multiply %17, %1 : tensor<5xf32>
    %19 = stablehlo.add %18, %cst_2 : tensor<5xf32>
    %20 = stablehlo.multiply %19, %1 : tensor<5xf32>
    %21 = stablehlo.add %20, %cst_1 : tensor<5xf32>
    %22 = stablehlo.multiply %0, %13 : tensor<5xf32>
    %23 = stablehlo.divide %22, %21 : tensor<5xf32>
    %24 = stablehlo.clamp %cst_0, %23, %cst : tensor<5xf32>
    return %24 : tensor<5xf32>
  }
}
