package pass_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestGuardIsProved checks that a folded kernel has guard bits only if the declared ranges prove that its results fit, and
// that a public factor above 1 leaves a power of two outside of the kernel.
func TestGuardIsProved(t *testing.T) {
	const text = `func.func @main(%x: tensor<1x4x4x1xf32>, %k: tensor<2x2x1x1xf32>, %s: tensor<1x3x3x1xf32>, %v: tensor<f32>) -> tensor<1x3x3x1xf32> {
  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
  %b = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> tensor<1x3x3x1xf32>
  %f = stablehlo.constant dense<%g> : tensor<1x3x3x1xf32>
  %r = stablehlo.multiply %c, %FACTOR : tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}`
	within := func(most float64) pattern.Interval { return pattern.Interval{Lo: -most, Hi: most} }
	for _, c := range []struct {
		factor string
		number float64
		ranges []pattern.Interval
		want   map[float64]int // public factors after the pass
	}{
		{"b", 1, nil, nil},
		{"b", 1, []pattern.Interval{within(1000), within(4), within(1), within(8)}, map[float64]int{16: 1, 1. / 16: 1}}, // 1000·4·4·8 < 2^17
		{"b", 1, []pattern.Interval{within(1000), within(4), within(1), within(9)}, nil},
		{"f", 3, nil, map[float64]int{3: 1, 0.25: 1, 4: 1}}, // (k·3·¼)·4
		{"f", 0.3, nil, map[float64]int{float64(float32(0.3)): 1}},
	} {
		name := fmt.Sprint(c.factor, c.number, c.ranges)
		p, err := hlo.Parse("guard.mlir", []byte(strings.NewReplacer("%FACTOR", "%"+c.factor, "%g", fmt.Sprintf("%e", c.number)).Replace(text)))
		if err != nil {
			t.Fatal(err)
		}
		o := pass.Options{Args: []hlo.Visibility{hlo.OwnerLocal(0), hlo.OwnerLocal(1), hlo.OwnerLocal(1), hlo.OwnerLocal(1)}, Ranges: c.ranges,
			Fold: true, Guard: 4, Guarded: math.Ldexp(1, 21)}
		got, folded := map[float64]int{}, false
		pass.Rewrite(p, o).Each(func(o *hlo.Op) {
			folded = folded || o.Name == hlo.OpConvolution && o.Folded != ""
			if a, ok := o.Constant(); ok && a.Type.DType == tensor.F32 {
				if x, ok := a.Uniform(); ok && x != 0 {
					got[x]++
				}
			}
		})
		if !folded {
			t.Errorf("%s: nothing is folded", name)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: factors %v, want %v", name, got, c.want)
		}
	}
}
