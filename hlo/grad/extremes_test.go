package grad_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestMatchedExtremes: a secret maximum or minimum is equal to an element, whatever is rounded where. Gradients of
// reductions, this package's and JAX's, ask which element that is.
func TestMatchedExtremes(t *testing.T) {
	product := `%y = stablehlo.multiply %a0, %a1 : tensor<3x5xf64>`
	for _, body := range []string{
		`%x = stablehlo.multiply %a0, %a1 : tensor<3x5xf64>`,
		product + `
	%c = stablehlo.constant dense<0.2> : tensor<3x5xf64>
	%x = stablehlo.multiply %y, %c : tensor<3x5xf64>`,
		product + `
	%z = stablehlo.multiply %y, %a1 : tensor<3x5xf64>
	%x = stablehlo.subtract %z, %a0 : tensor<3x5xf64>`,
	} {
		for _, reducer := range []string{"maximum 0xFFF0000000000000", "minimum 0x7FF0000000000000"} {
			var name, init string
			if _, err := fmt.Sscan(reducer, &name, &init); err != nil {
				t.Fatal(err)
			}
			p := parse(t, fmt.Sprintf(`func.func public @main(%%a0: tensor<3x5xf64>, %%a1: tensor<3x5xf64>) -> (tensor<3x5xf64>) {
	%s
	%%i = stablehlo.constant dense<%s> : tensor<f64>
	%%m = stablehlo.reduce(%%x init: %%i) applies stablehlo.%s across dimensions = [1] : (tensor<3x5xf64>, tensor<f64>) -> tensor<3xf64>
	%%b = stablehlo.broadcast_in_dim %%m, dims = [0] : (tensor<3xf64>) -> tensor<3x5xf64>
	%%e = stablehlo.compare EQ, %%x, %%b : (tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xi1>
	%%r = stablehlo.convert %%e : (tensor<3x5xi1>) -> tensor<3x5xf64>
	return %%r : tensor<3x5xf64>
}`, body, init, name))
			r := rand.New(rand.NewPCG(1, 2))
			args := []*tensor.Array{random(r, p.Main.Body.Params[0].Type, -3, 3), random(r, p.Main.Body.Params[1].Type, -3, 3)}
			out, err := party.Run(context.Background(), jobOf(p, args))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := out.Results[0].Floats(), run(t, p, args)[0].Floats(); !slices.Equal(got, want) {
				t.Errorf("%s of\n%s\nequal elements %v, want %v", name, body, got, want)
			}
		}
	}
}
