func.func @main(%patients: tensor<4x3xf32>, %weights: tensor<3xf32>) -> tensor<f32> {
  %0 = stablehlo.dot_general %patients, %weights, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4xf32>
  %1 = stablehlo.logistic %0 : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %quarter = stablehlo.constant dense<0.25> : tensor<f32>
  %3 = stablehlo.multiply %2, %quarter : tensor<f32>
  return %3 : tensor<f32>
}
