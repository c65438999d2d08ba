package fixed

import "fmt"

// Wave computes the two functions a·cos θ + b·sin θ and, as the addition theorem needs it, a·sin θ − b·cos θ; both
// divided by 2^(shift+1) and rounded to nearest, with errors below 2^-48 of the magnitudes of a and b.
type Wave struct {
	a, b       uint64 // twice the magnitudes
	negA, negB uint64 // all 52 bits set for negative factors, else 0
	add        uint64 // one half for rounding, less the offset of the unsigned products
	shift      int
}

// NewWave returns a Wave with the factors a and b, below 2^51 in magnitude. A negative shift multiplies by 2^-shift.
func NewWave(a, b int64, shift int) Wave {
	w := Wave{shift: shift}
	w.a, w.negA = magnitude(a)
	w.b, w.negB = magnitude(b)
	if w.a|w.b >= 1<<51 {
		panic(fmt.Sprintf("fixed: factors %d and %d of a wave", a, b))
	}
	if shift > 0 {
		w.add = 1 << (shift - 1)
	}
	w.add -= w.a + w.b
	w.a, w.b = 2*w.a, 2*w.b
	return w
}

// all52 masks the 52-bit words that are multiplied.
const all52 = 1<<52 - 1

func magnitude(x int64) (abs, neg uint64) {
	n := uint64(x >> 63)
	return (uint64(x) ^ n) - n, n & all52
}

// At sets c[i] and s[i] to the wave's first and second function of θ = n times phases[i], where phases are in units
// of 2^-64 revolutions. All slices have one length.
func (w *Wave) At(n uint64, phases []uint64, c, s []int64) { inUse.waves(w, n, phases, c, s) }

// waves is the portable kernel. A cosine or sine x enters as x + 2^51, or as that number's
// complement 2^51 − 1 − x, so that all products are of unsigned numbers.
func waves(w *Wave, n uint64, phases []uint64, c, s []int64) {
	c, s = c[:len(phases)], s[:len(phases)]
	for i, p := range phases {
		cos, sin := CosSin(p * n)
		x, y := uint64(cos+1<<51), uint64(sin+1<<51)
		c[i] = w.rounded(high52(w.a, x^w.negA) + high52(w.b, y^w.negB))
		s[i] = w.rounded(high52(w.a, y^w.negA) + high52(w.b, x^w.negB^all52))
	}
}

func (w *Wave) rounded(sum uint64) int64 {
	if w.shift < 0 {
		return int64(sum+w.add) << -w.shift
	}
	return int64(sum+w.add) >> w.shift
}
