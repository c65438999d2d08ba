package mpc

import "math/bits"

// RoundedBound returns b such that integers below 2^bound in magnitude are below 2^b once they are divided by 2^by and
// rounded by n parties: a rounding is off by less than max(1, n/2) units. So a number below one unit may become a unit.
func RoundedBound(bound, by, n int) int { return max(bound-by, bits.Len(uint(n-1))-1, 0) + 1 }
