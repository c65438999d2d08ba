package ring

import "fmt"

// Thermometer looks up, for every element, the digit c of public (its bits
// [pos, pos+d)) in a shared thermometer table whose element's bit v is a share
// of [v < l]. It sets lt to shares of [c < l] and eq to shares of [c = l].
// one says whether this party adds the public constants; the table has 2^d−1
// bits an element.
func Thermometer(lt, eq Bits, table, public Vec, pos, d int, one bool) {
	powerOfTwo("Thermometer", table.ring, public.ring)
	if table.ring.Bits != 1<<d-1 || public.n != table.n || lt.n != table.n || eq.n != table.n {
		panic(fmt.Sprintf("ring: Thermometer of %d digits of %d bits in %d of %v into %d and %d bits", public.n, d, table.n, table.ring, lt.n, eq.n))
	}
	if table.w == nil || public.w == nil || lt.w == nil || eq.w == nil {
		return
	}
	var first uint64 // T[−1] = 1
	if one {
		first = 1
	}
	kt := table.ring.Words()
	var digits [64]uint64
	for base := 0; base < table.n; base += 64 {
		c := digits[:min(64, table.n-base)]
		readDigits(c, public, base, pos, d)
		lt.w[base>>6], eq.w[base>>6] = lookUp(c, table.w[base*kt:], kt, first)
	}
}

// lookUp reads bit c, and its sum with the bit before it, from each of up to
// 64 tables of k words. Tables lack bit 2^d−1, which is zero as a bit of their
// last word; the bit before the first is first.
func lookUp(digits, table []uint64, k int, first uint64) (lt, eq uint64) {
	if k == 1 {
		for i, c := range digits {
			x := table[i]
			lt |= (x >> (c & 63) & 1) << (i & 63)
			eq |= ((x ^ (x<<1 | first)) >> (c & 63) & 1) << (i & 63)
		}
		return lt, eq
	}
	for i, c := range digits {
		at := i*k + int(c>>6)
		x, before := table[at], table[max(at-1, 0)]>>63
		if c < 64 { // compiles to a move: digits are as good as random
			before = first
		}
		lt |= (x >> (c & 63) & 1) << (i & 63)
		eq |= ((x ^ (x<<1 | before)) >> (c & 63) & 1) << (i & 63)
	}
	return lt, eq
}

// readDigits sets c to bits [pos, pos+d) of public's elements from base on.
func readDigits(c []uint64, public Vec, base, pos, d int) {
	k, word, sh, mask := public.ring.Words(), pos/64, uint(pos%64), uint64(1)<<d-1
	w := public.w[base*k:]
	for i := range c {
		c[i] = w[i*k+word] >> sh & mask
	}
	if sh+uint(d) > 64 && word+1 < k {
		for i := range c {
			c[i] |= w[i*k+word+1] << (64 - sh) & mask
		}
	}
}
