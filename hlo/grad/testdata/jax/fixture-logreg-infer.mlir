module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x15xf64>, %arg1: tensor<64x15xf64>, %arg2: tensor<30xf64>, %arg3: tensor<f64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[2.0409191213851825, -2.5556650313141818, 0.41809884672577885, -0.56776960612792982, -0.45264929211044586, -0.2155971630897659, -2.019986129147251, -0.23193237764418947, -0.86521307627494171, 3.3229995166448827, 0.22578661322792176, -0.35263079434159539, -0.28128741815135039, -0.66804634610895008, -1.0551505512051214, -0.39080097723465473, 0.48194538850678587, -0.23855360657336669, 0.95775870295976406, -0.19980212906657999, 0.024259565076664623, 1.545820851212812, 0.54510552268764456, -0.50522873561401804, -0.1828389745977349, 0.5405251317548021, 1.9350880340988528, -0.26962032734191349, -0.24355867907910456, 1.0023136012756912, -0.88645994316058707, -0.291720232439864, 0.88253896745648386, 0.5803500161908991, 0.091516703282352188, 0.67010435482847941, -2.8281623068437627, 1.0213068175000799, -0.95964475980814167, -1.6686198426559695, 0.27644575952099965, 0.70054488534939008, -0.44476745568278409, -1.0764058401008076, 0.026124833534033623, -0.052747308242879272, 1.4055981660180925, 0.74740798747935044, 0.19381564626462, 1.1116332052239921, -0.20552304990579248, -0.92589957364836806, 0.58405831102524797, 0.58253841865569012, -0.21482891112685579, -0.78280857796396619, 0.22915390521326254, -2.4938942784579905, 0.69012477016281204, 0.49136826074499118, -1.6388571438904884, 0.061353509838171588, -0.96409966354124044, 0.75722104475815044]> : tensor<64xf64>
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<64x15xf64>, tensor<64x15xf64>) -> tensor<64x30xf64>
    %1 = stablehlo.dot_general %0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x30xf64>, tensor<30xf64>) -> tensor<64xf64>
    %2 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f64>) -> tensor<64xf64>
    %3 = stablehlo.add %1, %2 : tensor<64xf64>
    %4 = stablehlo.negate %3 : tensor<64xf64>
    %5 = stablehlo.exponential %4 : tensor<64xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<64xf64>
    %7 = stablehlo.add %6, %5 : tensor<64xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<64xf64>
    %9 = stablehlo.divide %8, %7 : tensor<64xf64>
    %10 = stablehlo.multiply %9, %cst : tensor<64xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<64xf64>, tensor<f64>) -> tensor<f64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %12 = stablehlo.add %cst_3, %11 : tensor<f64>
    return %12 : tensor<f64>
  }
}
