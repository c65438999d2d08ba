// Two parties, calls from several contexts, loops, branches, a reduction.
module @jit_visibility {
  func.func public @main(%pub: tensor<i32>, %a: tensor<4xf32>, %b: tensor<4xf32>, %s: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>) {
    %aa = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %bb = call @twice(%b) : (tensor<4xf32>) -> tensor<4xf32>
    %ab = stablehlo.add %aa, %bb : tensor<4xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %loop:3 = stablehlo.while(%i = %zero, %x = %aa, %n = %pub) : tensor<i32>, tensor<4xf32>, tensor<i32>
    cond {
      %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.add %x, %bb : tensor<4xf32>
      stablehlo.return %next, %y, %n : tensor<i32>, tensor<4xf32>, tensor<i32>
    }
    %branch:2 = "stablehlo.if"(%s) ({
      stablehlo.return %a, %zero : tensor<4xf32>, tensor<i32>
    }, {
      stablehlo.return %aa, %zero : tensor<4xf32>, tensor<i32>
    }) : (tensor<i1>) -> (tensor<4xf32>, tensor<i32>)
    %init = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %ab, %loop#1, %branch#0, %sum, %aa : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>
  }
  func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
