package pass_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
)

// BenchmarkRewrite rewrites layers of a network, eight operations each.
func BenchmarkRewrite(b *testing.B) {
	for _, layers := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(layers), func(b *testing.B) {
			var body strings.Builder
			x := "%a"
			for i := range layers {
				n := func(s string) string { return fmt.Sprintf("%%%s%d", s, i) }
				fmt.Fprintf(&body, "%s = stablehlo.dot_general %s, %%w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>\n", n("d"), x)
				fmt.Fprintf(&body, "%s = stablehlo.broadcast_in_dim %%s, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>\n", n("s"))
				fmt.Fprintf(&body, "%s = stablehlo.subtract %s, %s : tensor<2x4xf32>\n", n("u"), n("d"), n("s"))
				fmt.Fprintf(&body, "%s = stablehlo.multiply %s, %s : tensor<2x4xf32>\n", n("m"), n("u"), n("s"))
				fmt.Fprintf(&body, "%s = stablehlo.constant dense<0.0> : tensor<f32>\n", n("z"))
				fmt.Fprintf(&body, "%s = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x4xf32>\n", n("y"), n("z"))
				fmt.Fprintf(&body, "%s = stablehlo.compare GT, %s, %s : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>\n", n("c"), n("m"), n("y"))
				fmt.Fprintf(&body, "%s = stablehlo.select %s, %s, %s : tensor<2x4xi1>, tensor<2x4xf32>\n", n("r"), n("c"), n("m"), n("y"))
				x = n("r")
			}
			text := "func.func @main(%a: tensor<2x4xf32>, %w: tensor<4x4xf32>, %s: tensor<4xf32>) -> tensor<2x4xf32> {\n" + body.String() + "return " + x + " : tensor<2x4xf32>\n}"
			p, err := hlo.Parse("bench.mlir", []byte(text))
			if err != nil {
				b.Fatal(err)
			}
			o := pass.Options{Args: []hlo.Visibility{hlo.OwnerLocal(0), hlo.OwnerLocal(1), hlo.OwnerLocal(1)},
				Fold: true, Guard: 4, Guarded: math.Inf(1), Squares: 28}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				pass.Rewrite(p, o)
			}
		})
	}
}
