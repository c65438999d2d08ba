// Package fixed computes cosines, sines and powers of two of phases in
// integers only: parties multiply random shares by these values, so that one
// differing bit would turn a result to garbage, and floating point may differ
// between compilers and machines.
//
// A phase is a fraction of a turn (of an octave, for Exp2) in units of 2^-64;
// a result is in units of 2^-62. All three are polynomials in 64-bit words:
// there is no table and no branch, so that neither time nor memory accesses
// depend on the argument, which for a dealer is a mask. The coefficients are
// those of the Taylor series, its last terms replaced by their best
// approximation of lower degree (Lanczos' telescoping); the tests derive them
// anew.
package fixed

import "math/bits"

// CosSin returns cos(2π·phase/2^64) and sin(2π·phase/2^64) in units of 2^-62,
// between -2^62 and 2^62. Errors are below 2 units (2^-61); multiples of a quarter
// turn are exact.
func CosSin(phase uint64) (cos, sin int64) {
	// The nearest quarter turn, and what remains: |r| ≤ 2^61, an eighth.
	quarter := (phase + 1<<61) >> 62
	r := int64(phase - quarter<<62)
	negative := r >> 63
	u := uint64((r^negative)-negative) << 2 // in quarter turns, at most 1/2
	y, _ := bits.Mul64(u, u)

	c, s := cosine(y), sine(y)
	c, _ = bits.Mul64(y, c)
	s, _ = bits.Mul64(u, s)
	cos = int64((1<<63 - c + 1) >> 1)
	sin = int64((s + 1) >> 1)
	sin = (sin ^ negative) - negative

	// Turned by the quarters: (c, s), (-s, c), (-c, -s), (s, -c).
	swap := (cos ^ sin) & -int64(quarter&1)
	cos, sin = cos^swap, sin^swap
	flipCos, flipSin := -int64((quarter+1)>>1&1), -int64(quarter>>1&1)
	return (cos ^ flipCos) - flipCos, (sin ^ flipSin) - flipSin
}

// cosine is (1 - cos(πu/2)) / y and sine is sin(πu/2) / u, in units of 2^-63,
// for y = u² ≤ 1/4 in units of 2^-64.
func cosine(y uint64) uint64 {
	a, _ := bits.Mul64(y, cos7)
	a, _ = bits.Mul64(y, cos6-a)
	a, _ = bits.Mul64(y, cos5-a)
	a, _ = bits.Mul64(y, cos4-a)
	a, _ = bits.Mul64(y, cos3-a)
	a, _ = bits.Mul64(y, cos2-a)
	a, _ = bits.Mul64(y, cos1-a)
	return cos0 - a
}

func sine(y uint64) uint64 {
	a, _ := bits.Mul64(y, sin7)
	a, _ = bits.Mul64(y, sin6-a)
	a, _ = bits.Mul64(y, sin5-a)
	a, _ = bits.Mul64(y, sin4-a)
	a, _ = bits.Mul64(y, sin3-a)
	a, _ = bits.Mul64(y, sin2-a)
	a, _ = bits.Mul64(y, sin1-a)
	return sin0 - a
}

// Exp2 returns 2^(frac/2^64) in units of 2^-62, between 2^62 and 2^63. Errors
// are below 8 units (2^-59); Exp2(0) is exact.
func Exp2(frac uint64) uint64 {
	// 1 + v·(odd powers' part) + v²·(even powers' part): two short chains.
	y, _ := bits.Mul64(frac, frac)

	even, _ := bits.Mul64(y, exp12)
	even, _ = bits.Mul64(y, even+exp10)
	even, _ = bits.Mul64(y, even+exp8)
	even, _ = bits.Mul64(y, even+exp6)
	even, _ = bits.Mul64(y, even+exp4)
	even, _ = bits.Mul64(y, even+exp2)

	odd, _ := bits.Mul64(y, exp13)
	odd, _ = bits.Mul64(y, odd+exp11)
	odd, _ = bits.Mul64(y, odd+exp9)
	odd, _ = bits.Mul64(y, odd+exp7)
	odd, _ = bits.Mul64(y, odd+exp5)
	odd, _ = bits.Mul64(y, odd+exp3)
	odd, _ = bits.Mul64(frac, odd+exp1)

	return 1<<62 + (even+odd+1)>>1
}
