package party_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// ofOne are programs in which the first party's value goes through linear maps
// before it meets the other party's, and how many elements are shared of the two.
var ofOne = []struct {
	program
	first, second int64
}{
	{program{name: "repeated", args: "4xf32 6x4xf32", outs: "6x4xf32", body: `
 %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<6x4xf32>
 %1 = stablehlo.multiply %0, %b : tensor<6x4xf32>
 return %1 : tensor<6x4xf32>`}, 4, 24},
	{program{name: "repeated, and added to what is open", args: "4xf32 6x4xf32", outs: "6x4xf32 6x4xf32", body: `
 %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<6x4xf32>
 %1 = stablehlo.add %0, %b : tensor<6x4xf32>
 %2 = stablehlo.subtract %b, %0 : tensor<6x4xf32>
 return %1, %2 : tensor<6x4xf32>, tensor<6x4xf32>`}, 4, 24},
	{program{name: "turned", args: "3x4xf32 4x3xf32", outs: "3x3xf32 3x3xf32", body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
 %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
 %2 = stablehlo.dot_general %1, %b, contracting_dims = [0] x [0] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
 return %0, %2 : tensor<3x3xf32>, tensor<3x3xf32>`}, 12, 12},
	{program{name: "a part", args: "9xf32 4xf32", outs: "4xf32", body: `
 %0 = stablehlo.slice %a [1:9:2] : (tensor<9xf32>) -> tensor<4xf32>
 %1 = stablehlo.multiply %0, %b : tensor<4xf32>
 return %1 : tensor<4xf32>`}, 4, 4},
	{program{name: "overlapping tiles", args: "8xf32 4x3xf32", outs: "6x3xf32", tol: 1e-4, body: `
 %m = stablehlo.constant dense<[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0]]> : tensor<4x4xf32>
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %p = stablehlo.pad %a, %z, low = [3], high = [3], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<14xf32>
 %0 = stablehlo.slice %p [0:11:2] : (tensor<14xf32>) -> tensor<6xf32>
 %1 = stablehlo.slice %p [1:12:2] : (tensor<14xf32>) -> tensor<6xf32>
 %2 = stablehlo.slice %p [2:13:2] : (tensor<14xf32>) -> tensor<6xf32>
 %3 = stablehlo.slice %p [3:14:2] : (tensor<14xf32>) -> tensor<6xf32>
 %t = stablehlo.concatenate %0, %1, %2, %3, dim = 0 : (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<24xf32>
 %u = stablehlo.reshape %t : (tensor<24xf32>) -> tensor<4x6xf32>
 %v = stablehlo.dot_general %u, %m, contracting_dims = [0] x [1] : (tensor<4x6xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
 %y = stablehlo.dot_general %v, %b, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
 return %y : tensor<6x3xf32>`}, 8, 12},
	// What is not exact on shared numbers is computed in clear.
	{program{name: "fractions", args: "2xf32 6xf32", outs: "6xf32", body: `
 %m = stablehlo.constant dense<[[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]]> : tensor<2x6xf32>
 %0 = stablehlo.dot_general %a, %m, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2x6xf32>) -> tensor<6xf32>
 %1 = stablehlo.multiply %0, %b : tensor<6xf32>
 return %1 : tensor<6xf32>`}, 6, 6},
	{program{name: "large integers", args: "2xf32 6xf32", outs: "6xf32", tol: 1e-4, body: `
 %m = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 999.0], [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]]> : tensor<2x6xf32>
 %0 = stablehlo.dot_general %a, %m, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2x6xf32>) -> tensor<6xf32>
 %1 = stablehlo.multiply %0, %b : tensor<6xf32>
 return %1 : tensor<6xf32>`}, 6, 6},
	{program{name: "integers", args: "2xi32 6xi32", outs: "6xi32", body: `
 %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>
 %1 = stablehlo.reshape %0 : (tensor<3x2xi32>) -> tensor<6xi32>
 %2 = stablehlo.multiply %1, %b : tensor<6xi32>
 return %2 : tensor<6xi32>`}, 2, 6},
}

// Of what one party knows it shares what has fewest elements, once, and results
// are right.
func TestSharesLeast(t *testing.T) {
	t.Parallel()
	for _, c := range ofOne {
		for _, protocol := range []string{"semi2k", "aby3"} {
			t.Run(c.name+"/"+protocol, func(t *testing.T) {
				prog, err := hlo.Parse("test.mlir", []byte(c.text()))
				if err != nil {
					t.Fatal(err)
				}
				r := rand.New(rand.NewPCG(4, 5))
				var args []*tensor.Array
				for _, p := range prog.Main.Body.Params {
					n := p.Type.Shape.Size()
					x, words := make([]float64, n), make([]uint64, n)
					for i := range x {
						v := r.IntN(201) - 100
						x[i], words[i] = float64(v)/8, uint64(v)
					}
					if p.Type.DType.IsInt() {
						args = append(args, tensor.FromWords(p.Type.DType, p.Type.Shape, words))
					} else {
						args = append(args, tensor.FromFloats(p.Type.DType, p.Type.Shape, x))
					}
				}
				want, err := eval.Func(context.Background(), prog.Main, args)
				if err != nil {
					t.Fatal(err)
				}
				spec := party.Spec{
					Program:   prog,
					Protocol:  protocol,
					Ring:      64,
					Fraction:  18,
					Computing: 2,
					Parties:   []string{"a", "b"},
					Reveal:    []int{0},
					Network:   "none",
					Args:      []party.Arg{{Owner: 0, Data: args[0]}, {Owner: 1, Data: args[1]}},
				}
				if protocol == "aby3" { // the second one deals
					spec.Parties, spec.Computing, spec.Args[1].Owner = []string{"a", "b", "c"}, 3, 2
				}
				out, err := party.Run(context.Background(), spec)
				if err != nil {
					t.Fatal(err)
				}
				checkPrediction(t, out.Report)
				tol := max(c.tol, 2e-5)
				for i, got := range out.Results {
					if got.DType.IsInt() {
						if !slices.Equal(got.Words(), want[i].Words()) {
							t.Errorf("result %d is %v, not %v", i, got.Data, want[i].Data)
						}
						continue
					}
					for j, g := range got.Floats() {
						if w := want[i].Floats()[j]; math.Abs(g-w) > tol*max(1, math.Abs(w)) {
							t.Errorf("result %d at %d is %v, not %v", i, j, g, w)
						}
					}
				}
				width := int64(8)
				if args[0].DType.IsInt() {
					width = 4
				}
				if got, want := fmt.Sprint(out.Report.Input.BytesSent), fmt.Sprint([]int64{c.first * width, c.second * width}); protocol == "semi2k" &&
					got != want {
					t.Errorf("parties share %s bytes, not %s", got, want)
				}
			})
		}
	}
}
