package mpc

import "math/bits"

// RoundedBound returns b such that |x/2^by|, rounded by a protocol of n parties, is below 2^b if |x| is below
// 2^bound. A rounding is off by less than max(1, n/2) units, so that a number below one unit may become a unit.
func RoundedBound(bound, by, n int) int { return max(bound-by, bits.Len(uint(n-1))-1, 0) + 1 }
