package party_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/party"
)

// TestSpread: what one party spreads over a contraction is added before that is rescaled.
// An input too large for that is refused by its owner, as what fails on a party's own
// inputs is; it is right where its range is declared. What the owner has computed saturates,
// and so do the logits of a softmax.
func TestSpread(t *testing.T) {
	const dot = `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>`
	bias := func(rest string) rangeRow {
		return rangeRow{ring: 64, args: "2x2xf64 2x2xf64 2xf64", in: [][]float64{{1, 2, 3, 4}, {1, 0, 0, 1}, {1e9, -2}}, out: "2x2xf64", body: dot + `
 %1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xf64>) -> tensor<2x2xf64>` + rest}
	}
	plain := bias(`
 %2 = stablehlo.add %0, %1 : tensor<2x2xf64>
 return %2 : tensor<2x2xf64>`)
	run := func(r rangeRow, protocol string, parties int, declared bool) ([]float64, error) {
		s := r.spec(t, protocol, r.ring, parties, false)
		if declared {
			s.Args[2].Range = &pattern.Interval{Lo: -2e9, Hi: 2e9}
		}
		out, err := party.Run(context.Background(), s)
		if err != nil {
			return nil, err
		}
		return out.Results[0].Floats(), nil
	}
	for _, c := range []struct {
		protocol string
		parties  int
	}{{"plain", 2}, {"semi2k", 2}, {"semi2k", 3}, {"aby3", 3}} {
		t.Run(fmt.Sprint(c.protocol, c.parties), func(t *testing.T) {
			_, err := run(plain, c.protocol, c.parties, false)
			if err == nil || !strings.Contains(err.Error(), "is 1e+09, and is added to a product whose range ends below 1.67") {
				t.Errorf("a large input is spread over a product: %v", err)
			}
			check := func(what string, got []float64, err error, want ...float64) {
				t.Helper()
				for i := range want {
					if err != nil || math.Abs(got[i]-want[i]) > 1e-4 {
						t.Errorf("%s: %v, %v, want %v", what, got, err, want)
						break
					}
				}
			}
			got, err := run(plain, c.protocol, c.parties, true)
			check("declared", got, err, 1e9+1, 0, 1e9+3, 2)
			small := plain
			small.in = [][]float64{plain.in[0], plain.in[1], {1 << 23, -2}}
			got, err = run(small, c.protocol, c.parties, false)
			check("as large as it may be", got, err, 1<<23+1, 0, 1<<23+3, 2)
			got, err = run(bias(`
 %n = stablehlo.negate %1 : tensor<2x2xf64>
 %2 = stablehlo.add %0, %n : tensor<2x2xf64>
 return %2 : tensor<2x2xf64>`), c.protocol, c.parties, false)
			check("computed", got, err, 1-(1<<24-1), 4, 3-(1<<24-1), 6)
			masked := bias(`
 %x = stablehlo.add %0, %1 : tensor<2x2xf64>
 %i = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
 %m = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2xf64>
 %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<2xf64>) -> tensor<2x2xf64>
 %d = stablehlo.subtract %x, %mb : tensor<2x2xf64>
 %e = stablehlo.exponential %d : tensor<2x2xf64>
 %z = stablehlo.constant dense<0.0> : tensor<f64>
 %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2xf64>
 %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<2xf64>) -> tensor<2x2xf64>
 %2 = stablehlo.divide %e, %sb : tensor<2x2xf64>
 return %2 : tensor<2x2xf64>`)
			masked.in = [][]float64{plain.in[0], plain.in[1], {-1e9, 0}}
			got, err = run(masked, c.protocol, c.parties, false)
			check("a mask", got, err, 0, 1, 0, 1)
		})
	}
}
