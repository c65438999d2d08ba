package ring

import "fmt"

// Thermometer looks up, for every element, the digit c of public (its bits
// [pos, pos+d)) in a shared thermometer table whose element's bit v is a share
// of [v < l]. It sets lt to shares of [c < l] and eq to shares of [c = l].
// one says whether this party adds the public constants; the table has 2^d−1
// bits an element.
func Thermometer(lt, eq Bits, table, public Vec, pos, d int, one bool) {
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
		t := table.w[base*kt:]
		var l, e uint64
		for i, c := range c {
			// Bit c and the bit before it, in words c/64 and perhaps the one
			// before that. A table lacks bit 2^d−1, which is zero as a bit of
			// its last word.
			at := i*kt + int(c>>6)
			x, before := t[at], first
			if c > 63 {
				before = t[at-1] >> 63
			}
			l |= (x >> (c & 63) & 1) << (i & 63)
			e |= ((x ^ (x<<1 | before)) >> (c & 63) & 1) << (i & 63)
		}
		lt.w[base>>6], eq.w[base>>6] = l, e
	}
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
