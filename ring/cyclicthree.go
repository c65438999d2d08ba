package ring

import "math/bits"

// sub3 sets dst = a − b, canonical, for canonical elements of three words. dst may be a or b.
func (c cyclic) sub3(dst, a, b []uint64) {
	mask := c.mask
	a, b = a[:len(dst)], b[:len(dst)]
	for i := 0; i+3 <= len(dst); i += 3 {
		d, x, y := dst[i:i+3:i+3], a[i:i+3:i+3], b[i:i+3:i+3]
		r0, borrow := bits.Sub64(x[0], y[0], 0)
		r1, borrow := bits.Sub64(x[1], y[1], borrow)
		r2, borrow := bits.Sub64(x[2], y[2], borrow)
		r0, borrow = bits.Sub64(r0, 0, borrow) // as in sub
		r1, borrow = bits.Sub64(r1, 0, borrow)
		d[0], d[1], d[2] = r0, r1, (r2-borrow)&mask
	}
}

// trim3 clears the bits from q on and replaces 2^q − 1 by 0, for elements of three words.
func (c cyclic) trim3(v []uint64) {
	mask := c.mask
	for i := 0; i+3 <= len(v); i += 3 {
		d := v[i : i+3 : i+3]
		top := d[2] & mask
		d[0], d[1], d[2] = zeroOnes(d[0], d[1], top, mask)
	}
}

// zeroOnes returns zeros for an element whose bits are all set, else the element.
func zeroOnes(x0, x1, x2, mask uint64) (y0, y1, y2 uint64) {
	missing := ^(x0 & x1 & (x2 | ^mask)) // 0 if all are set
	keep := -((missing | -missing) >> 63)
	return x0 & keep, x1 & keep, x2 & keep
}

// lsh3 sets dst = a·2^s for s < q and canonical elements of three words. dst may be a.
func (c cyclic) lsh3(dst, a []uint64, s uint) {
	top, mask := c.top&63, c.mask
	bit, words := s&63, s/64
	a = a[:len(dst)]
	for i := 0; i+3 <= len(dst); i += 3 {
		d, x := dst[i:i+3:i+3], a[i:i+3:i+3]
		x0, x1, x2 := x[0]<<bit, x[1]<<bit|x[0]>>1>>(63-bit), x[2]<<bit|x[1]>>1>>(63-bit)
		x3 := x[2] >> 1 >> (63 - bit)
		var x4, x5 uint64
		switch words { // the same case for all elements
		case 1:
			x0, x1, x2, x3, x4 = 0, x0, x1, x2, x3
		case 2:
			x0, x1, x2, x3, x4, x5 = 0, 0, x0, x1, x2, x3
		}
		// The s lowest bits are zero; the bits above q are added there.
		d[0] = x0 | x2>>top | x3<<(64-top)
		d[1] = x1 | x3>>top | x4<<(64-top)
		d[2] = x2&mask | x4>>top | x5<<(64-top)
	}
}

// sum3 sets each element of dst to the sum of the next n elements of a, canonical, for fewer than 2^32 elements of three words.
func (c cyclic) sum3(dst, a []uint64, n int) {
	top, mask := c.top&63, c.mask
	for i := 0; i+3 <= len(dst); i += 3 {
		var x0, x1, x2, x3, carry uint64
		for row := a[i*n : (i+3)*n]; len(row) >= 3; row = row[3:] {
			x0, carry = bits.Add64(x0, row[0], 0)
			x1, carry = bits.Add64(x1, row[1], carry)
			x2, carry = bits.Add64(x2, row[2], carry)
			x3 += carry
		}
		for range 2 { // the second time at most one bit is above q, and none after that
			high := x2>>top | x3<<(64-top)
			x0, carry = bits.Add64(x0, high, 0)
			x1, carry = bits.Add64(x1, 0, carry)
			x2, x3 = x2&mask+carry, 0
		}
		dst[i], dst[i+1], dst[i+2] = zeroOnes(x0, x1, x2, mask)
	}
}
