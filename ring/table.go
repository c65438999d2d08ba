package ring

import "fmt"

// LookUpDigit looks up, for every element, a digit c of public (its bits [pos, pos+d)) in a shared thermometer table
// of a secret digit l. A table has 2^d−1 bits for each element, packed; bit v is a share of the bit v < l.
// LookUpDigit sets lt to shares of the bits c < l and eq to shares of the bits c = l. one is true at the party that
// adds the public constants.
func LookUpDigit(lt, eq, table Bits, public Vec, pos, d int, one bool) {
	powerOfTwo("LookUpDigit", public.ring)
	width := 1<<d - 1
	if table.n != width*public.n || lt.n != public.n || eq.n != public.n {
		panic(fmt.Sprintf("ring: LookUpDigit of %d digits of %d bits in %d bits into %d and %d", public.n, d, table.n, lt.n, eq.n))
	}
	if table.w == nil || public.w == nil || lt.w == nil || eq.w == nil {
		return
	}
	var first uint64 // T[−1] = 1
	if one {
		first = 1
	}
	if public.ring.Words() == 1 {
		inUse.lookUp(lt.w, eq.w, table.w, public.w, pos, d, first)
		return
	}
	var digits [64]uint64
	for base := 0; base < public.n; base += 64 {
		c := digits[:min(64, public.n-base)]
		readDigits(c, public, base, pos, d)
		inUse.lookUp(lt.w[base>>6:][:1], eq.w[base>>6:][:1], table.w[base/64*width:], c, 0, d, first)
	}
}

// lookUpNarrow reads bit c, and its XOR with the bit before it, from each of up to 64 tables of
// less than 64 bits. The bit before the first is first; the bit after the last, number 2^d−1, is
// zero.
func lookUpNarrow(digits []uint64, tables Bits, width int, first uint64) (lt, eq uint64) {
	for i, c := range digits {
		x := tables.Field(i*width, width)
		lt |= (x >> (c & 63) & 1) << (i & 63)
		eq |= ((x ^ (x<<1 | first)) >> (c & 63) & 1) << (i & 63)
	}
	return lt, eq
}

// lookUpWide is lookUpNarrow for tables of any width.
func lookUpWide(digits []uint64, tables Bits, width int, first uint64) (lt, eq uint64) {
	for i, c := range digits {
		at := i*width + int(c)
		x, before := uint64(0), first
		if c < uint64(width) { // digits are public
			x = tables.Field(at, 1)
		}
		if c > 0 {
			before = tables.Field(at-1, 1)
		}
		lt |= x << (i & 63)
		eq |= (x ^ before) << (i & 63)
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

// ThermometerTables sets dst to the 2^d − 1 bits v < l, v = 0 … 2^d−2, of every element of secrets, where l is its digit: its bits
// [pos, pos+d). They are packed one element after the other. A shape-only dst is left unchanged.
func ThermometerTables(dst Bits, secrets Vec, pos, d int) {
	powerOfTwo("ThermometerTables", secrets.ring)
	width := 1<<d - 1
	if dst.n != width*secrets.n {
		panic(fmt.Sprintf("ring: ThermometerTables of %d digits of %d bits into %d bits", secrets.n, d, dst.n))
	}
	if dst.w == nil || secrets.w == nil {
		return
	}
	if secrets.ring.Words() == 1 {
		inUse.tables(dst.w, secrets.w, pos, d)
		return
	}
	packDigits(dst.w, secrets, pos, d)
}

// thermometerTables is ThermometerTables for elements of one word.
func thermometerTables(dst, secrets []uint64, pos, d int) {
	packDigits(dst, Vec{Z(64), len(secrets), secrets}, pos, d)
}

func packDigits(dst []uint64, secrets Vec, pos, d int) {
	width := 1<<d - 1
	var digits [64]uint64
	for base := 0; base < secrets.n; base += 64 {
		c := digits[:min(64, secrets.n-base)]
		readDigits(c, secrets, base, pos, d)
		packTables(dst[base/64*width:], c, width)
	}
}

// packTables packs the tables of up to 64 digits. There is no branch on a digit, which is secret.
func packTables(dst, digits []uint64, width int) {
	var acc uint64 // the bits that are not yet in dst
	at, have := 0, 0
	if width == 15 {
		for ; len(digits) >= 4; digits = digits[4:] {
			x := uint64(1)<<(digits[0]&15) - 1 | (1<<(digits[1]&15)-1)<<15 | (1<<(digits[2]&15)-1)<<30 | (1<<(digits[3]&15)-1)<<45
			acc |= x << (have & 63)
			if have += 60; have >= 64 {
				dst[at] = acc
				at, have = at+1, have-64
				acc = x >> ((60 - have) & 63)
			}
		}
	}
	for _, l := range digits {
		for part := 0; part < width; part += 64 {
			bits := min(64, width-part)
			x := uint64(1)<<uint64(min(max(int64(l)-int64(part), 0), int64(bits))) - 1
			acc |= x << (have & 63)
			if have += bits; have >= 64 {
				dst[at] = acc
				at, have = at+1, have-64
				acc = x >> 1 >> ((bits - have - 1) & 63)
			}
		}
	}
	if have > 0 {
		dst[at] = acc
	}
}

// CountDifferences adds to each element of sum a share of the bit that says whether a digit of public differs from a
// secret digit. The digit of public is its bits [pos, pos+d), d = 1 or 2. sharesOf has shares of the secret digits'
// bits over sum's ring: the lowest bits of all elements first, then for d = 2 the second bits and the products of
// both bits. one is true at the party that adds the public constants.
func CountDifferences(sum, public, sharesOf Vec, pos, d int, one bool) {
	powerOfTwo("CountDifferences", sum.ring, public.ring)
	if sum.ring.Words() > 1 || sharesOf.ring != sum.ring || d < 1 || d > 2 || public.n != sum.n || sharesOf.n != (1<<d-1)*sum.n {
		panic(fmt.Sprintf("ring: CountDifferences of %d digits of %d bits from %d shares in %v into %d of %v", public.n, d, sharesOf.n, sharesOf.ring, sum.n, sum.ring))
	}
	if sum.w == nil || public.w == nil || sharesOf.w == nil {
		return
	}
	var first uint64
	if one {
		first = 1
	}
	c, at := public.w, pos
	if public.ring.Words() > 1 {
		c, at = make([]uint64, public.n), 0
		readDigits(c, public, 0, pos, d)
	}
	inUse.differ(sum.w, c, sharesOf.w, at, d, first)
	sum.trim()
}
