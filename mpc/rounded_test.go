package mpc

import "testing"

// TestRoundedBound compares the bound with the largest result of a rounding.
func TestRoundedBound(t *testing.T) {
	for n := 1; n <= 16; n++ {
		for bound := -3; bound < 12; bound++ {
			for by := 1; by < 12; by++ {
				numbers := 1 << max(bound, 0) // of units: numbers − 1 is the largest magnitude
				largest := ((numbers-1)>>by + 1) + (n-1)/2
				if most := 1 << RoundedBound(bound, by, n); largest >= most {
					t.Errorf("%d parties: a number below 2^%d divided by 2^%d may be %d, which is not below %d", n, bound, by, largest, most)
				}
			}
		}
	}
}
