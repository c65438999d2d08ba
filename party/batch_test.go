package party_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
)

// batched are operations on a number of instances.
var batched = []struct{ name, args, outs, body string }{
	{"cholesky", "%dx4x4xf32 %dx4x4xf32", "%dx4x4xf32", ` %%s = stablehlo.add %%a, %%b : tensor<%[1]dx4x4xf32>
 %%0 = stablehlo.cholesky %%s, lower = true : tensor<%[1]dx4x4xf32>
 return %%0 : tensor<%[1]dx4x4xf32>`},
	{"getrf", "%dx4x4xf32 %dx4x4xf32", "%dx4x4xf32", ` %%s = stablehlo.add %%a, %%b : tensor<%[1]dx4x4xf32>
 %%0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%%s) {mhlo.backend_config = {}} : (tensor<%[1]dx4x4xf32>) -> (tensor<%[1]dx4x4xf32>, tensor<%[1]dx4xi32>, tensor<%[1]dxi32>)
 return %%0#0 : tensor<%[1]dx4x4xf32>`},
	{"dot", "%dx4x5xf32 %dx5x3xf32", "%dx4x3xf32", ` %%0 = stablehlo.dot_general %%a, %%b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<%[1]dx4x5xf32>, tensor<%[1]dx5x3xf32>) -> tensor<%[1]dx4x3xf32>
 return %%0 : tensor<%[1]dx4x3xf32>`},
	{"product", "%dx6xf32 %dx6xf32", "%dxf32", ` %%s = stablehlo.add %%a, %%b : tensor<%[1]dx6xf32>
 %%c = stablehlo.constant dense<1.0> : tensor<f32>
 %%0 = stablehlo.reduce(%%s init: %%c) applies stablehlo.multiply across dimensions = [1] : (tensor<%[1]dx6xf32>, tensor<f32>) -> tensor<%[1]dxf32>
 return %%0 : tensor<%[1]dxf32>`},
}

// TestRoundsOfBatches: many instances take as many rounds as one.
func TestRoundsOfBatches(t *testing.T) {
	for _, p := range batched {
		rounds := map[int]int{}
		for _, n := range []int{1, 9} {
			fill := func(s string) string {
				out := ""
				for _, f := range list(s) {
					out += fmt.Sprintf(f, n) + " "
				}
				return out
			}
			prog, err := hlo.Parse("test.mlir", []byte(program{args: fill(p.args), outs: fill(p.outs), body: fmt.Sprintf(p.body, n)}.text()))
			if err != nil {
				t.Fatal(err)
			}
			r, err := party.Plan(context.Background(), party.Spec{Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2,
				Parties: []string{"a", "b"}, Reveal: []int{0}, Network: "none", Args: []party.Arg{{Owner: 0}, {Owner: 1}}})
			if err != nil {
				t.Fatal(err)
			}
			rounds[n] = r.Online.Rounds
		}
		if rounds[1] != rounds[9] {
			t.Errorf("%s: %d rounds for one, %d for nine", p.name, rounds[1], rounds[9])
		}
	}
}
