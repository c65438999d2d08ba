// Package fixed computes cosines, sines and powers of two of phases, in integer arithmetic:
// parties multiply random shares by these values, so that one differing bit would give a wrong
// result, and functions of floating-point numbers may differ between compilers and machines. One
// kernel computes the same integers by fused products and sums of such numbers, which IEEE 754
// defines to the last bit: it rounds them down, and all are integers.
//
// A phase is a fraction of a revolution (of an octave, for Exp2) in units of 2^-64; a cosine or
// sine is in units of 2^-50, a power of two in units of 2^-62. All three are polynomials over
// machine words, without tables and branches, so that neither time nor memory accesses depend on
// the argument, which for a dealer is a mask. Cosines and sines use words of 52 bits, of which some
// machines multiply eight at once (Wave). The coefficients are those of the Taylor series, with the
// last terms replaced by their best approximation of lower degree (Lanczos' telescoping); the tests
// derive them independently.
package fixed

import "math/bits"

// CosSin returns cos(2π·phase/2^64) and sin(2π·phase/2^64) in units of 2^-50, which are in [-2^50, 2^50]. Errors are
// below 2 units (2^-49); multiples of a quarter revolution are exact.
func CosSin(phase uint64) (cos, sin int64) {
	// The nearest multiple of a quarter, and the remainder r: |r| ≤ 2^61, an eighth of a
	// revolution.
	quarter := (phase + 1<<61) >> 62
	r := int64(phase - quarter<<62)
	negative := r >> 63
	u := uint64((r^negative)-negative) >> 10 // units of 2^-52 of a quarter revolution, at most 1/2
	y := high52(u, u)

	cos = 1<<50 - int64((high52(y, cosine(y))+1)>>1)
	sin = int64((high52(u, sine(y)) + 1) >> 1)
	sin = (sin ^ negative) - negative

	// Rotation by the quarters: (c, s), (-s, c), (-c, -s), (s, -c).
	swap := (cos ^ sin) & -int64(quarter&1)
	cos, sin = cos^swap, sin^swap
	flipCos, flipSin := -int64((quarter+1)>>1&1), -int64(quarter>>1&1)
	return (cos ^ flipCos) - flipCos, (sin ^ flipSin) - flipSin
}

// high52 is ⌊a·b/2^52⌋ for numbers below 2^52.
func high52(a, b uint64) uint64 {
	h, _ := bits.Mul64(a<<12, b)
	return h
}

// cosine is (1 - cos(πu/2)) / y and sine is sin(πu/2) / u, in units of 2^-51, for y = u² ≤ 1/4 in
// units of 2^-52.
func cosine(y uint64) uint64 {
	a := cos5 - high52(y, cos6)
	a = cos4 - high52(y, a)
	a = cos3 - high52(y, a)
	a = cos2 - high52(y, a)
	a = cos1 - high52(y, a)
	return cos0 - high52(y, a)
}

func sine(y uint64) uint64 {
	a := sin5 - high52(y, sin6)
	a = sin4 - high52(y, a)
	a = sin3 - high52(y, a)
	a = sin2 - high52(y, a)
	a = sin1 - high52(y, a)
	return sin0 - high52(y, a)
}

// Exp2 returns 2^(frac/2^64) in units of 2^-62, which is in [2^62, 2^63]. Errors are below 8 units (2^-59); Exp2(0)
// is exact.
func Exp2(frac uint64) uint64 {
	// The polynomial is 1 + frac·odd(y) + even(y), y = frac²: two chains that a processor computes
	// in parallel.
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
