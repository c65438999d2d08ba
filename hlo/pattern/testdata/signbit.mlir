module @signbit {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<3xf32>) -> tensor<3xi32>
    %c = stablehlo.constant dense<31> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.shift_right_arithmetic %0, %1 : tensor<3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<3xi32>
    %3 = stablehlo.compare NE, %2, %c_0, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %4 = stablehlo.bitcast_convert %arg1 : (tensor<3xf64>) -> tensor<3xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<3xi64>
    %5 = stablehlo.compare LT, %4, %c_1, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<30> : tensor<3xi32>
    %6 = stablehlo.shift_right_arithmetic %0, %c_2 : tensor<3xi32>
    %7 = stablehlo.compare NE, %6, %c_0, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    return %3, %5, %7 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
  }
}
