package build_test

import (
	"context"
	"fmt"
	"os"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// A logistic regression's scores, as StableHLO text.
func Example() {
	b := build.New("score")
	x := b.Arg("x", tensor.F32, 1000, 3)
	w := b.Arg("w", tensor.F32, 3)
	bias := b.Arg("bias", tensor.F32)
	b.Return(b.Sigmoid(b.Add(b.Dot(x, w), bias)))
	p, err := b.Program()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Print(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// module @score {
	//   func.func public @main(%x: tensor<1000x3xf32>, %w: tensor<3xf32>, %bias: tensor<f32>) -> tensor<1000xf32> {
	//     %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1000x3xf32>, tensor<3xf32>) -> tensor<1000xf32>
	//     %1 = stablehlo.broadcast_in_dim %bias, dims = [] : (tensor<f32>) -> tensor<1000xf32>
	//     %2 = stablehlo.add %0, %1 : tensor<1000xf32>
	//     %3 = stablehlo.logistic %2 : tensor<1000xf32>
	//     return %3 : tensor<1000xf32>
	//   }
	// }
}

// Alice's data and Bob's weights: both parties run in this process, and Alice
// learns the scores.
func Example_run() {
	b := build.New("score")
	x := b.Arg("x", tensor.F32, 2, 3)
	w := b.Arg("w", tensor.F32, 3)
	b.Return(b.Sigmoid(b.Dot(x, w)))
	p, err := b.Program()
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := party.Run(context.Background(), party.Spec{
		Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Network: "none",
		Parties: []string{"alice", "bob"}, Computing: 2, Reveal: []int{0},
		Args: []party.Arg{
			{Owner: 0, Data: tensor.FromFloats(tensor.F32, tensor.Shape{2, 3}, []float64{1, 0, 2, 0, 1, -1})},
			{Owner: 1, Data: tensor.FromFloats(tensor.F32, tensor.Shape{3}, []float64{0.5, -1, 0.25})},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", out.Results[0].Floats())
	// Output:
	// [0.73 0.22]
}

// Mistakes are one line with the place of the call.
func ExampleError() {
	b := build.New("score")
	x := b.Arg("x", tensor.F32, 1000, 3)
	w := b.Arg("w", tensor.F32, 4)
	b.Return(b.Dot(x, w))
	_, err := b.Program()
	fmt.Println(err)
	// Output:
	// example_test.go:74: Dot: cannot contract 3 elements of tensor<1000x3xf32> with 4 of tensor<4xf32>; transpose or slice an operand
}
