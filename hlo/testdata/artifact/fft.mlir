module @jit_fft attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6xf32>) -> (tensor<2x4xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<2x6xf32> {jax.result_info = "result[1]"}, tensor<2x4xf32> {jax.result_info = "result[2]"}) {
    %0 = call @fft(%arg0) : (tensor<2x6xf32>) -> tensor<2x4xcomplex<f32>>
    %1 = call @fft_0(%0) : (tensor<2x4xcomplex<f32>>) -> tensor<2x6xf32>
    %2 = call @fft_1(%0) : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %3 = stablehlo.real %2 : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xf32>
    return %0, %1, %3 : tensor<2x4xcomplex<f32>>, tensor<2x6xf32>, tensor<2x4xf32>
  }
  func.func private @fft(%arg0: tensor<2x6xf32>) -> tensor<2x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [6] : (tensor<2x6xf32>) -> tensor<2x4xcomplex<f32>>
    return %0 : tensor<2x4xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<2x4xcomplex<f32>>) -> tensor<2x6xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [6] : (tensor<2x4xcomplex<f32>>) -> tensor<2x6xf32>
    return %0 : tensor<2x6xf32>
  }
  func.func private @fft_1(%arg0: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [4] : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    return %0 : tensor<2x4xcomplex<f32>>
  }
}
