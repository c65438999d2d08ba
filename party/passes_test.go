package party_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// rewritten are programs that passes change. The first argument is the first
// party's, the others are the second's.
var rewritten = []program{
	window("relu before a pool", "6x6xf32", "3x3xf32", "maximum", "0xFF800000",
		"window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>").after("maximum"),
	{name: "batch norm after a convolution", args: "1x4x4x2xf32 3x3x2x5xf32 5xf32 5xf32 5xf32", outs: "1x4x4x5xf32", body: `
 %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {` + oneGroup + `} : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x4x4x5xf32>
 %c1 = stablehlo.broadcast_in_dim %c, dims = [3] : (tensor<5xf32>) -> tensor<1x4x4x5xf32>
 %1 = stablehlo.subtract %0, %c1 : tensor<1x4x4x5xf32>
 %d1 = stablehlo.broadcast_in_dim %d, dims = [3] : (tensor<5xf32>) -> tensor<1x4x4x5xf32>
 %2 = stablehlo.multiply %1, %d1 : tensor<1x4x4x5xf32>
 %e1 = stablehlo.broadcast_in_dim %e, dims = [3] : (tensor<5xf32>) -> tensor<1x4x4x5xf32>
 %3 = stablehlo.add %2, %e1 : tensor<1x4x4x5xf32>
 %z = stablehlo.constant dense<0.0> : tensor<1x4x4x5xf32>
 %4 = stablehlo.maximum %3, %z : tensor<1x4x4x5xf32>
 return %4 : tensor<1x4x4x5xf32>`},
	{name: "two scaled dots added", args: "3x4xf32 4x5xf32 5xf32", outs: "3x5xf32", body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
 %c1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<5xf32>) -> tensor<3x5xf32>
 %1 = stablehlo.multiply %0, %c1 : tensor<3x5xf32>
 %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
 %3 = stablehlo.divide %2, %c1 : tensor<3x5xf32>
 %4 = stablehlo.add %1, %3 : tensor<3x5xf32>
 %5 = stablehlo.tanh %4 : tensor<3x5xf32>
 return %5 : tensor<3x5xf32>`},
	{name: "selections and comparisons", args: "8xf32 8xf32", outs: "8xf32 8xf32 8xf32 8xf32", body: `
 %0 = stablehlo.compare LT, %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
 %1 = stablehlo.select %0, %b, %a : tensor<8xi1>, tensor<8xf32>
 %2 = stablehlo.minimum %a, %b : tensor<8xf32>
 %3 = stablehlo.compare GE, %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
 %4 = stablehlo.select %3, %2, %b : tensor<8xi1>, tensor<8xf32>
 %o = stablehlo.constant dense<1.0> : tensor<8xf32>
 %z = stablehlo.constant dense<0.0> : tensor<8xf32>
 %5 = stablehlo.select %3, %o, %z : tensor<8xi1>, tensor<8xf32>
 %6 = stablehlo.multiply %5, %1 : tensor<8xf32>
 return %1, %2, %4, %6 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>`},
	{name: "a relu and its gradient", args: "8xf32 8xf32 8xf32", outs: "8xf32 8xf32", body: `
 %s = stablehlo.multiply %a, %b : tensor<8xf32>
 %z = stablehlo.constant dense<0.0> : tensor<8xf32>
 %0 = stablehlo.maximum %s, %z : tensor<8xf32>
 %o = stablehlo.constant dense<1.0> : tensor<8xf32>
 %w = stablehlo.constant dense<2.0> : tensor<8xf32>
 %1 = stablehlo.compare EQ, %s, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
 %2 = stablehlo.select %1, %o, %z : tensor<8xi1>, tensor<8xf32>
 %3 = stablehlo.compare EQ, %z, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
 %4 = stablehlo.select %3, %w, %o : tensor<8xi1>, tensor<8xf32>
 %5 = stablehlo.divide %2, %4 : tensor<8xf32>
 %6 = stablehlo.multiply %5, %c : tensor<8xf32>
 return %0, %6 : tensor<8xf32>, tensor<8xf32>`},
	{name: "a maximum and its gradient, with ties", args: "8xf32 8xf32", outs: "8xf32 8xf32", body: `
 %k = stablehlo.constant dense<[true, false, true, false, false, true, false, true]> : tensor<8xi1>
 %e = stablehlo.select %k, %a, %b : tensor<8xi1>, tensor<8xf32>
 %0 = stablehlo.maximum %a, %e : tensor<8xf32>
 %o = stablehlo.constant dense<1.0> : tensor<8xf32>
 %z = stablehlo.constant dense<0.0> : tensor<8xf32>
 %w = stablehlo.constant dense<2.0> : tensor<8xf32>
 %1 = stablehlo.compare EQ, %e, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
 %2 = stablehlo.select %1, %o, %z : tensor<8xi1>, tensor<8xf32>
 %3 = stablehlo.compare EQ, %a, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
 %4 = stablehlo.select %3, %w, %o : tensor<8xi1>, tensor<8xf32>
 %5 = stablehlo.divide %2, %4 : tensor<8xf32>
 return %0, %5 : tensor<8xf32>, tensor<8xf32>`},
	{name: "a leaky relu", args: "8xf32 8xf32", outs: "8xf32", body: `
 %s = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
 %z = stablehlo.constant dense<0.0> : tensor<8xf32>
 %k = stablehlo.constant dense<0.01> : tensor<8xf32>
 %t = stablehlo.multiply %k, %s : tensor<8xf32>
 %0 = stablehlo.compare GE, %s, %z : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
 %1 = stablehlo.select %0, %s, %t : tensor<8xi1>, tensor<8xf32>
 return %1 : tensor<8xf32>`},
	{name: "a max-pool and its gradient, as JAX prints it", args: "6x6xf32 6x6xf32 3x3xf32", outs: "3x3xf32 6x6xf32", body: `
 %s = stablehlo.multiply %a, %b : tensor<6x6xf32>
 %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %0 = "stablehlo.reduce_window"(%s, %i) <{padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %m = stablehlo.maximum %x, %y : tensor<f32>
   stablehlo.return %m : tensor<f32>
 }) : (tensor<6x6xf32>, tensor<f32>) -> tensor<3x3xf32>
 %1 = stablehlo.pad %s, %i, low = [0, 0], high = [1, 1], interior = [0, 0] : (tensor<6x6xf32>, tensor<f32>) -> tensor<7x7xf32>
 %2 = "stablehlo.select_and_scatter"(%1, %c, %z) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %m = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
   stablehlo.return %m : tensor<i1>
 }, {
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %m = stablehlo.add %x, %y : tensor<f32>
   stablehlo.return %m : tensor<f32>
 }) : (tensor<7x7xf32>, tensor<3x3xf32>, tensor<f32>) -> tensor<7x7xf32>
 %3 = stablehlo.slice %2 [0:6, 0:6] : (tensor<7x7xf32>) -> tensor<6x6xf32>
 return %0, %3 : tensor<3x3xf32>, tensor<6x6xf32>`},
	{name: "a power and a chain of numbers", args: "8xf32 8xf32", outs: "8xf32", tol: 1e-3, body: `
 %s = stablehlo.add %a, %b : tensor<8xf32>
 %k = stablehlo.constant dense<5.0> : tensor<8xf32>
 %0 = stablehlo.power %s, %k : tensor<8xf32>
 %t = stablehlo.constant dense<0.3> : tensor<8xf32>
 %1 = stablehlo.multiply %0, %t : tensor<8xf32>
 %2 = stablehlo.multiply %t, %1 : tensor<8xf32>
 return %2 : tensor<8xf32>`},
	{name: "a loop", args: "8xf32 8xf32", outs: "8xf32", body: `
 %n = stablehlo.constant dense<3> : tensor<i32>
 %0 = stablehlo.constant dense<0> : tensor<i32>
 %s = stablehlo.add %a, %b : tensor<8xf32>
 %r:3 = stablehlo.while(%i = %0, %x = %a, %y = %s) : tensor<i32>, tensor<8xf32>, tensor<8xf32>
 cond {
   %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
   stablehlo.return %p : tensor<i1>
 } do {
   %one = stablehlo.constant dense<1> : tensor<i32>
   %next = stablehlo.add %i, %one : tensor<i32>
   %t = stablehlo.tanh %y : tensor<8xf32>
   %u = stablehlo.add %x, %t : tensor<8xf32>
   stablehlo.return %next, %u, %y : tensor<i32>, tensor<8xf32>, tensor<8xf32>
 }
 return %r#1 : tensor<8xf32>`},
}

// after puts a ReLU-like operation with 0 before what p does to its argument.
func (p program) after(op string) program {
	p.body = `
 %s = stablehlo.constant dense<0.0> : tensor<` + p.args + `>
 %t = stablehlo.` + op + ` %q, %s : tensor<` + p.args + `>` + p.body
	p.body = "\n %q = stablehlo.add %a, %b : tensor<" + p.args + ">" + replaced(p.body, "(%a, %c)", "(%t, %c)")
	p.args += " " + p.args
	return p
}

func replaced(s, old, new string) string {
	for i := 0; i+len(old) <= len(s); i++ {
		if s[i:i+len(old)] == old {
			return s[:i] + new + s[i+len(old):]
		}
	}
	panic("party: " + old + " is not there")
}

// What passes change gives the same results for less.
func TestPasses(t *testing.T) {
	for _, p := range rewritten {
		for _, form := range []struct{ ring, fraction int }{{64, 18}, {128, 26}, {32, 8}} {
			t.Run(fmt.Sprintf("%s/%d", p.name, form.ring), func(t *testing.T) {
				prog, err := hlo.Parse("test.mlir", []byte(p.text()))
				if err != nil {
					t.Fatal(err)
				}
				spec := party.Spec{Program: prog, Protocol: "semi2k", Ring: form.ring, Fraction: form.fraction, Computing: 2,
					Parties: []string{"a", "b"}, Reveal: []int{0}, Network: "none"}
				r := rand.New(rand.NewPCG(3, 4))
				for i, v := range prog.Main.Body.Params {
					spec.Args = append(spec.Args, party.Arg{Owner: min(i, 1), Data: random(r, v.Type)})
				}
				run := func(passes string) ([]*tensor.Array, int64, int) {
					s := spec
					s.Set = map[string]string{"passes": passes}
					out, err := party.Run(context.Background(), s)
					if err != nil {
						t.Fatal(err)
					}
					checkPrediction(t, out.Report)
					return out.Results, out.Report.Online.BytesSent[0], out.Report.Online.Rounds
				}
				want, most, longest := run("none")
				got, bytes, rounds := run("all")
				tol := math.Max(p.tol, 1e-4) * math.Ldexp(1, max(0, 18-form.fraction))
				for i := range want {
					a, b := got[i].Floats(), want[i].Floats()
					for j := range a {
						if math.Abs(a[j]-b[j]) > tol*(1+math.Abs(b[j])) {
							t.Errorf("result %d, element %d is %v, but %v without passes", i, j, a[j], b[j])
						}
					}
				}
				if bytes > most || rounds > longest+1 || bytes == most && rounds >= longest && form.ring != 32 { // a round more may buy bytes
					t.Errorf("%d bytes and %d rounds, but %d and %d without passes", bytes, rounds, most, longest)
				}
			})
		}
	}
}
