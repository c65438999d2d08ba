package study

import (
	"math"
	"testing"
)

// TestFit: an exact line is found, and small values have the same weight as large ones.
func TestFit(t *testing.T) {
	x := []float64{100, 1000, 10_000, 1e6}
	line := func(off float64) (y []float64) {
		for i, v := range x {
			y = append(y, (0.02+3e-6*v)*(1+off*float64(i%2)))
		}
		return y
	}
	if fixed, each := Fit(x, line(0)); math.Abs(fixed-0.02) > 1e-9 || math.Abs(each-3e-6) > 1e-12 {
		t.Errorf("found %v + %v·x", fixed, each)
	}
	if fixed, each := Fit(x, line(0.1)); math.Abs(fixed-0.02) > 0.003 || math.Abs(each-3e-6) > 4e-7 {
		t.Errorf("found %v + %v·x where every second point is a tenth too high", fixed, each)
	}
}
