func.func public @main(%x: tensor<ELEMENTSxf64>) -> tensor<ELEMENTSxf64> {
  %cubic = stablehlo.constant dense<0.044715> : tensor<ELEMENTSxf64>
  %scale = stablehlo.constant dense<0.79788456080286541> : tensor<ELEMENTSxf64>
  %one = stablehlo.constant dense<1.0> : tensor<ELEMENTSxf64>
  %half = stablehlo.constant dense<0.5> : tensor<ELEMENTSxf64>
  %0 = stablehlo.multiply %x, %x : tensor<ELEMENTSxf64>
  %1 = stablehlo.multiply %0, %x : tensor<ELEMENTSxf64>
  %2 = stablehlo.multiply %cubic, %1 : tensor<ELEMENTSxf64>
  %3 = stablehlo.add %x, %2 : tensor<ELEMENTSxf64>
  %4 = stablehlo.multiply %scale, %3 : tensor<ELEMENTSxf64>
  %5 = stablehlo.tanh %4 : tensor<ELEMENTSxf64>
  %6 = stablehlo.add %one, %5 : tensor<ELEMENTSxf64>
  %7 = stablehlo.multiply %half, %6 : tensor<ELEMENTSxf64>
  %8 = stablehlo.multiply %x, %7 : tensor<ELEMENTSxf64>
  return %8 : tensor<ELEMENTSxf64>
}
