module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x3xf64>, %arg1: tensor<24x3xf64>, %arg2: tensor<24xf64>, %arg3: tensor<24xf64>, %arg4: tensor<16x3xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[2.0409191213851825, -2.5556650313141818, 0.41809884672577885, -0.56776960612792982, -0.45264929211044586, -0.2155971630897659, -2.019986129147251, -0.23193237764418947, -0.86521307627494171, 3.3229995166448827, 0.22578661322792176, -0.35263079434159539, -0.28128741815135039, -0.66804634610895008, -1.0551505512051214, -0.39080097723465473]> : tensor<16xf64>
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<24x3xf64>, tensor<24x3xf64>) -> tensor<48x3xf64>
    %1 = stablehlo.concatenate %arg2, %arg3, dim = 0 : (tensor<24xf64>, tensor<24xf64>) -> tensor<48xf64>
    %2 = stablehlo.broadcast_in_dim %arg4, dims = [0, 2] : (tensor<16x3xf64>) -> tensor<16x1x3xf64>
    %3 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<48x3xf64>) -> tensor<1x48x3xf64>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<16x1x3xf64>) -> tensor<16x48x3xf64>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x48x3xf64>) -> tensor<16x48x3xf64>
    %6 = stablehlo.subtract %4, %5 : tensor<16x48x3xf64>
    %7 = stablehlo.multiply %6, %6 : tensor<16x48x3xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<16x48x3xf64>, tensor<f64>) -> tensor<16x48xf64>
    %cst_1 = stablehlo.constant dense<-5.000000e-01> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<16x48xf64>
    %10 = stablehlo.multiply %9, %8 : tensor<16x48xf64>
    %11 = stablehlo.exponential %10 : tensor<16x48xf64>
    %12 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<48x3xf64>) -> tensor<48x1x3xf64>
    %13 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<48x3xf64>) -> tensor<1x48x3xf64>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<48x1x3xf64>) -> tensor<48x48x3xf64>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x48x3xf64>) -> tensor<48x48x3xf64>
    %16 = stablehlo.subtract %14, %15 : tensor<48x48x3xf64>
    %17 = stablehlo.multiply %16, %16 : tensor<48x48x3xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<48x48x3xf64>, tensor<f64>) -> tensor<48x48xf64>
    %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f64>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<48x48xf64>
    %20 = stablehlo.multiply %19, %18 : tensor<48x48xf64>
    %21 = stablehlo.exponential %20 : tensor<48x48xf64>
    %22 = stablehlo.iota dim = 0 : tensor<48x48xi64>
    %23 = stablehlo.iota dim = 1 : tensor<48x48xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %24 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<48x48xi64>
    %25 = stablehlo.add %22, %24 : tensor<48x48xi64>
    %26 = stablehlo.compare EQ, %25, %23, SIGNED : (tensor<48x48xi64>, tensor<48x48xi64>) -> tensor<48x48xi1>
    %27 = stablehlo.convert %26 : (tensor<48x48xi1>) -> tensor<48x48xf64>
    %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f64>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<48x48xf64>
    %29 = stablehlo.multiply %28, %27 : tensor<48x48xf64>
    %30 = stablehlo.add %21, %29 : tensor<48x48xf64>
    %31 = call @cholesky(%30) : (tensor<48x48xf64>) -> tensor<48x48xf64>
    %32 = call @_cho_solve(%31, %1) : (tensor<48x48xf64>, tensor<48xf64>) -> tensor<48xf64>
    %33 = stablehlo.dot_general %11, %32, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x48xf64>, tensor<48xf64>) -> tensor<16xf64>
    %34 = stablehlo.multiply %33, %cst : tensor<16xf64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %35 = stablehlo.reduce(%34 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<16xf64>, tensor<f64>) -> tensor<f64>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %36 = stablehlo.add %cst_6, %35 : tensor<f64>
    return %36 : tensor<f64>
  }
  func.func private @cholesky(%arg0: tensor<48x48xf64>) -> tensor<48x48xf64> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<48x48xf64>) -> tensor<48x48xf64>
    %1 = stablehlo.add %arg0, %0 : tensor<48x48xf64>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<48x48xf64>
    %3 = stablehlo.divide %1, %2 : tensor<48x48xf64>
    %4 = stablehlo.cholesky %3, lower = true : tensor<48x48xf64>
    %5 = stablehlo.iota dim = 0 : tensor<48x48xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<48x48xi64>
    %7 = stablehlo.add %5, %6 : tensor<48x48xi64>
    %8 = stablehlo.iota dim = 1 : tensor<48x48xi64>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<48x48xi64>, tensor<48x48xi64>) -> tensor<48x48xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<48x48xf64>
    %11 = stablehlo.select %9, %4, %10 : tensor<48x48xi1>, tensor<48x48xf64>
    return %11 : tensor<48x48xf64>
  }
  func.func private @_cho_solve(%arg0: tensor<48x48xf64>, %arg1: tensor<48xf64>) -> tensor<48xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<48xf64>) -> tensor<48x1xf64>
    %1 = "stablehlo.triangular_solve"(%arg0, %0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<48x48xf64>, tensor<48x1xf64>) -> tensor<48x1xf64>
    %2 = stablehlo.reshape %1 : (tensor<48x1xf64>) -> tensor<48xf64>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<48xf64>) -> tensor<48x1xf64>
    %4 = "stablehlo.triangular_solve"(%arg0, %3) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<48x48xf64>, tensor<48x1xf64>) -> tensor<48x1xf64>
    %5 = stablehlo.reshape %4 : (tensor<48x1xf64>) -> tensor<48xf64>
    return %5 : tensor<48xf64>
  }
}
