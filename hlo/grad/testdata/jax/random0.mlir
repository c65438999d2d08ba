module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf64>, %arg1: tensor<3x5xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[1.3664634705496859, -0.66519467348661354, 0.35151007009301971, 0.90347018165180859, 0.094012297760874566], [-0.7434992493538084, -0.92172537625841944, -0.45772582566733916, 0.22019512347004941, -1.0096181835387359], [-0.20917557487171307, -0.15922500991447772, 0.54084558468580768, 0.21465912250634089, 0.35537270903992141]]> : tensor<3x5xf64>
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3x5xf64>
    %1 = stablehlo.multiply %0, %arg0 : tensor<3x5xf64>
    %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x3xf64>
    %3 = stablehlo.dot_general %2, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>
    %cst_0 = stablehlo.constant dense<2.000000e-01> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %5 = stablehlo.multiply %3, %4 : tensor<3x5xf64>
    %cst_1 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %10 = stablehlo.multiply %9, %8 : tensor<3x5xf64>
    %11 = call @_roll_static(%10) : (tensor<3x5xf64>) -> tensor<3x5xf64>
    %cst_3 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x5xf64>
    %16 = stablehlo.multiply %15, %14 : tensor<3x5xf64>
    %17 = stablehlo.multiply %arg0, %arg0 : tensor<3x5xf64>
    %cst_5 = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %19 = stablehlo.add %18, %17 : tensor<3x5xf64>
    %20 = stablehlo.divide %1, %19 : tensor<3x5xf64>
    %21 = stablehlo.tanh %20 : tensor<3x5xf64>
    %22 = stablehlo.multiply %21, %cst : tensor<3x5xf64>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %23 = stablehlo.reduce(%22 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %24 = stablehlo.sine %16 : tensor<3x5xf64>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %25 = stablehlo.reduce(%24 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %26 = stablehlo.add %23, %25 : tensor<f64>
    return %26 : tensor<f64>
  }
  func.func private @_roll_static(%arg0: tensor<3x5xf64>) -> tensor<3x5xf64> {
    %0 = stablehlo.slice %arg0 [0:3, 4:5] : (tensor<3x5xf64>) -> tensor<3x1xf64>
    %1 = stablehlo.slice %arg0 [0:3, 0:4] : (tensor<3x5xf64>) -> tensor<3x4xf64>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<3x1xf64>, tensor<3x4xf64>) -> tensor<3x5xf64>
    return %2 : tensor<3x5xf64>
  }
}
