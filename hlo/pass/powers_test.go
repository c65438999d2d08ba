package pass

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// TestMultiplesOfSquares: (c·x)·x under a root becomes c·x² if the range of squares has room for x² wherever c·x² is in the
// range of values.
func TestMultiplesOfSquares(t *testing.T) {
	for _, k := range []struct {
		factor  string
		squares int
		want    int
	}{{"0.05", 28, 1}, {"-0.05", 28, 1}, {"3.7252902984619141e-09", 28, 1}, {"3.0e-09", 28, 0}, {"0.05", 0, 0}, {"1.5", 0, 1}, {"0.05", 4, 0}, {"0.0625", 4, 1}} {
		p, err := hlo.Parse("p.mlir", []byte(fmt.Sprintf(`func.func @main(%%x: tensor<4xf32>) -> tensor<4xf32> {
  %%c = stablehlo.constant dense<%s> : tensor<4xf32>
  %%a = stablehlo.multiply %%c, %%x : tensor<4xf32>
  %%b = stablehlo.multiply %%a, %%x : tensor<4xf32>
  %%r = stablehlo.sqrt %%b : tensor<4xf32>
  return %%r : tensor<4xf32>
}`, k.factor)))
		if err != nil {
			t.Fatal(err)
		}
		q := Rewrite(p, Options{Args: []hlo.Visibility{hlo.Secret}, Squares: k.squares})
		if n := counts(q); n["chlo.square"] != k.want {
			t.Errorf("factor %s with %d bits of room: %v", k.factor, k.squares, n)
		}
	}
}
