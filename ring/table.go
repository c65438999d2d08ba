package ring

// Thermometer looks up, for every element, the digit c of public (its bits
// [pos, pos+d)) in a shared thermometer table whose element's bit v is a share
// of [v < l]. It sets lt to shares of [c < l] and eq to shares of [c = l].
// one says whether this party adds the public constants; the table has 2^d−1
// bits an element.
func Thermometer(lt, eq Bits, table, public Vec, pos, d int, one bool) {
	if table.w == nil || public.w == nil || lt.w == nil {
		return
	}
	kp, kt := public.ring.Words(), table.ring.Words()
	if kt > 1 {
		thermometerWide(lt, eq, table, public, pos, d, one)
		return
	}
	var first uint64 // T[−1] = 1
	if one {
		first = 1
	}
	word, sh, mask := pos/64, uint(pos%64), uint64(1)<<d-1
	cross := sh+uint(d) > 64 && word+1 < kp
	for base := 0; base < table.n; base += 64 {
		n := min(64, table.n-base)
		var l, e uint64
		for i := 0; i < n; i++ {
			at := (base+i)*kp + word
			c := public.w[at] >> sh
			if cross {
				c |= public.w[at+1] << (64 - sh)
			}
			c &= mask
			t := table.w[base+i]
			l |= (t >> c & 1) << uint(i)
			e |= ((t ^ (t<<1 | first)) >> c & 1) << uint(i)
		}
		lt.w[base>>6], eq.w[base>>6] = l, e
	}
}

func thermometerWide(lt, eq Bits, table, public Vec, pos, d int, one bool) {
	kt := table.ring.Words()
	digits := New(Z(d), public.n)
	Digit(digits, public, pos)
	get := func(i, v int) uint64 {
		switch {
		case v >= table.ring.Bits:
			return 0
		case v >= 0:
			return table.w[i*kt+v/64] >> (v % 64) & 1
		case one:
			return 1
		}
		return 0
	}
	clear(lt.w)
	clear(eq.w)
	for i, c := range digits.w {
		l, below := get(i, int(c)), get(i, int(c)-1)
		lt.w[i>>6] |= l << (i & 63)
		eq.w[i>>6] |= (l ^ below) << (i & 63)
	}
	digits.Free()
}
