package conv

import (
	"context"
	"math"
	"testing"
)

// TestMethods: all methods compute the same convolution in the clear, whether or not the image is a
// multiple of the tile size.
func TestMethods(t *testing.T) {
	for _, l := range []layer{{32, 8, 3, 4, 3, 1, 1, true}, {32, 7, 2, 5, 3, 1, 1, false}, {32, 4, 3, 2, 3, 1, 1, false}} {
		var want []float64
		for _, m := range methods {
			trial := m.trial(l)
			trial.Data = l.data()
			out, err := trial.EvalClear(context.Background())
			if err != nil {
				t.Fatalf("%s: %v", trial.Name, err)
			}
			got := out[0].Floats()
			if want == nil {
				want = got
			}
			for i, w := range want {
				if math.Abs(got[i]-w) > 1e-9 {
					t.Fatalf("%s: element %d is %v, want %v", trial.Name, i, got[i], w)
				}
			}
		}
	}
}
