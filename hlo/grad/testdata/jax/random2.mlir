module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf64>, %arg1: tensor<3x5xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[1.545820851212812, 0.54510552268764456, -0.50522873561401804, -0.1828389745977349, 0.5405251317548021], [1.9350880340988528, -0.26962032734191349, -0.24355867907910456, 1.0023136012756912, -0.88645994316058707], [-0.291720232439864, 0.88253896745648386, 0.5803500161908991, 0.091516703282352188, 0.67010435482847941]]> : tensor<3x5xf64>
    %0 = call @relu(%arg1) : (tensor<3x5xf64>) -> tensor<3x5xf64>
    %1 = stablehlo.subtract %arg1, %arg1 : tensor<3x5xf64>
    %2 = stablehlo.compare GT, %arg0, %arg1, FLOAT : (tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xi1>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %4 = stablehlo.multiply %arg1, %3 : tensor<3x5xf64>
    %5 = call @_where(%2, %arg0, %4) : (tensor<3x5xi1>, tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %8:4 = stablehlo.while(%iterArg = %0, %iterArg_6 = %c, %iterArg_7 = %6, %iterArg_8 = %7) : tensor<3x5xf64>, tensor<i64>, tensor<5xf64>, tensor<3x5xf64>
    cond {
      %c_9 = stablehlo.constant dense<3> : tensor<i64>
      %22 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %22 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<3x5xf64>, tensor<i64>) -> tensor<5xf64>
      %23:2 = func.call @closed_call(%iterArg_7, %22) : (tensor<5xf64>, tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>)
      %24 = func.call @dynamic_update_index_in_dim(%iterArg_8, %23#1, %iterArg_6) : (tensor<3x5xf64>, tensor<5xf64>, tensor<i64>) -> tensor<3x5xf64>
      %c_9 = stablehlo.constant dense<1> : tensor<i64>
      %25 = stablehlo.add %iterArg_6, %c_9 : tensor<i64>
      stablehlo.return %iterArg, %25, %23#0, %24 : tensor<3x5xf64>, tensor<i64>, tensor<5xf64>, tensor<3x5xf64>
    }
    %9 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x5xf64>) -> tensor<5x3xf64>
    %10 = stablehlo.dot_general %9, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf64>, tensor<3x5xf64>) -> tensor<5x5xf64>
    %11 = stablehlo.dot_general %arg1, %10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
    %cst_3 = stablehlo.constant dense<2.000000e-01> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %13 = stablehlo.multiply %11, %12 : tensor<3x5xf64>
    %14 = stablehlo.multiply %0, %0 : tensor<3x5xf64>
    %15 = stablehlo.multiply %14, %0 : tensor<3x5xf64>
    %16 = stablehlo.tanh %15 : tensor<3x5xf64>
    %17 = stablehlo.multiply %16, %cst : tensor<3x5xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %19 = stablehlo.sine %13 : tensor<3x5xf64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %20 = stablehlo.reduce(%19 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
    %21 = stablehlo.add %18, %20 : tensor<f64>
    return %21 : tensor<f64>
  }
  func.func private @relu(%arg0: tensor<3x5xf64>) -> tensor<3x5xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x5xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x5xf64>
    return %1 : tensor<3x5xf64>
  }
  func.func private @_where(%arg0: tensor<3x5xi1>, %arg1: tensor<3x5xf64>, %arg2: tensor<3x5xf64>) -> tensor<3x5xf64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3x5xi1>, tensor<3x5xf64>
    return %0 : tensor<3x5xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x5xf64>, %arg1: tensor<i64>) -> tensor<5xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 5] : (tensor<3x5xf64>, tensor<i64>, tensor<i64>) -> tensor<1x5xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x5xf64>) -> tensor<5xf64>
    return %1 : tensor<5xf64>
  }
  func.func private @closed_call(%arg0: tensor<5xf64>, %arg1: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>) {
    %cst = stablehlo.constant dense<9.000000e-01> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %1 = stablehlo.multiply %arg0, %0 : tensor<5xf64>
    %2 = stablehlo.tanh %arg1 : tensor<5xf64>
    %3 = stablehlo.add %1, %2 : tensor<5xf64>
    return %3, %arg0 : tensor<5xf64>, tensor<5xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x5xf64>, %arg1: tensor<5xf64>, %arg2: tensor<i64>) -> tensor<3x5xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<5xf64>) -> tensor<1x5xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<3x5xf64>, tensor<1x5xf64>, tensor<i64>, tensor<i64>) -> tensor<3x5xf64>
    return %1 : tensor<3x5xf64>
  }
}
