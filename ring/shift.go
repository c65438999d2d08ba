package ring

import "fmt"

// Lsh sets dst = a·2^s for s ≥ 0; over M(q) that is a rotation of the element's bits. dst may be a.
func Lsh(dst, a Vec, s int) {
	if shapeOnly(dst, a) {
		return
	}
	if dst.ring.Cyclic {
		c := dst.ring.cyclic()
		if c.threeWords() {
			c.lsh3(dst.w, a.w, uint(s%dst.ring.Bits))
			return
		}
		c.each(dst, a, func(d, x, t []uint64) {
			copy(t, x)
			c.rotate(t, uint(s%dst.ring.Bits))
			copy(d, t)
		})
		return
	}
	k := dst.ring.Words()
	words, bit := s/64, uint(s%64)
	switch d, m := dst.w, dst.ring.topMask(); {
	case k == 1 && words == 0:
		inUse.affine(d, a.w, 1<<bit, 0, m)
		return
	case k == 2 && words == 0:
		x := a.w[:len(d)]
		for i := 1; i < len(d); i += 2 {
			lo, hi := x[i-1], x[i]
			d[i-1], d[i] = lo<<bit, (hi<<bit|lo>>1>>(63-bit))&m
		}
		return
	case k == 2 && words == 1:
		x := a.w[:len(d)]
		for i := 1; i < len(d); i += 2 {
			d[i-1], d[i] = 0, x[i-1]<<bit&m
		}
		return
	}
	for i := 0; i < len(dst.w); i += k {
		for j := k - 1; j >= 0; j-- {
			var x uint64
			if q := j - words; q >= 0 {
				x = a.w[i+q] << bit
				if bit != 0 && q > 0 {
					x |= a.w[i+q-1] >> (64 - bit)
				}
			}
			dst.w[i+j] = x
		}
	}
	dst.reduce()
}

// Rsh sets dst = ⌊a/2^s⌋ modulo dst's ring, for elements of a read as integers in [0, 2^k), where k is the width of
// a's ring. dst's ring may be narrower or wider than a's.
func Rsh(dst, a Vec, s int) {
	if dst.n != a.n {
		panic("ring: Rsh of different lengths")
	}
	powerOfTwo("Rsh, Low, Digit or SignExtend", dst.ring, a.ring)
	if dst.w == nil || a.w == nil {
		return
	}
	ka, kd := a.ring.Words(), dst.ring.Words()
	words, bit := s/64, uint(s%64)
	switch d, m := dst.w, dst.ring.topMask(); {
	case ka == 1 && kd == 1:
		inUse.rsh(d, a.w, s, m)
		return
	case ka == 1 && kd == 2: // the high words are zero for every s
		if s == 0 {
			inUse.widen(d, a.w)
			return
		}
		for i, x := range a.w[:len(d)/2] {
			d[2*i], d[2*i+1] = x>>uint(s), 0
		}
		return
	case ka == 2 && kd == 1 && words == 0:
		x := a.w[:2*len(d)]
		for i := range d {
			d[i] = (x[2*i]>>bit | x[2*i+1]<<1<<(63-bit)) & m
		}
		return
	case ka == 2 && kd == 2 && words == 0:
		x := a.w[:len(d)]
		for i := 1; i < len(d); i += 2 {
			lo, hi := x[i-1], x[i]
			d[i-1], d[i] = lo>>bit|hi<<1<<(63-bit), hi>>bit&m
		}
		return
	}
	for i := 0; i < a.n; i++ {
		for j := 0; j < kd; j++ {
			var x uint64
			if q := j + words; q < ka {
				x = a.w[i*ka+q] >> bit
				if bit != 0 && q+1 < ka {
					x |= a.w[i*ka+q+1] << (64 - bit)
				}
			}
			dst.w[i*kd+j] = x
		}
	}
	dst.reduce()
}

// Low sets dst = a mod 2^k, where k is the width of dst's ring: it narrows a, or zero-extends a if dst's ring is
// wider.
func Low(dst, a Vec) { Rsh(dst, a, 0) }

// SignExtend sets dst = a for elements of a read as signed integers. dst's ring is wider than a's.
func SignExtend(dst, a Vec) {
	Low(dst, a)
	if dst.w == nil || a.w == nil {
		return
	}
	ka, kd, top := a.ring.Words(), dst.ring.Words(), a.ring.Bits-1
	for i := 0; i < a.n; i++ {
		neg := -(a.w[i*ka+top/64] >> (top % 64) & 1) // all ones if negative
		dst.w[i*kd+ka-1] |= neg &^ a.ring.topMask()
		for j := ka; j < kd; j++ {
			dst.w[i*kd+j] = neg
		}
	}
	dst.reduce()
}

// Arsh sets dst = ⌊a/2^s⌋ for elements of a read as signed integers. dst and a are over one ring; dst may be a.
func Arsh(dst, a Vec, s int) {
	powerOfTwo("Arsh", dst.ring)
	if shapeOnly(dst, a) {
		return
	}
	k := a.ring.Words()
	unused := uint(64*k - a.ring.Bits)
	if k == 1 {
		for i, x := range a.w {
			dst.w[i] = uint64(int64(x<<unused) >> unused >> uint(s))
		}
		dst.reduce()
		return
	}
	words, bit := s/64, uint(s%64)
	for i := 0; i < len(a.w); i += k {
		// Words beyond the element's own are filled with its sign.
		top := uint64(int64(a.w[i+k-1]<<unused) >> unused)
		sign := uint64(int64(top) >> 63)
		word := func(q int) uint64 {
			switch {
			case q < k-1:
				return a.w[i+q]
			case q == k-1:
				return top
			}
			return sign
		}
		for j := range k {
			// A Go shift by 64 gives 0, which is the right result.
			dst.w[i+j] = word(j+words)>>bit | word(j+words+1)<<(64-bit)
		}
	}
	dst.reduce()
}

// Bit returns the vector of the bits number p, counted from the least significant, of all elements of a.
func Bit(a Vec, p int) Bits {
	powerOfTwo("Bit", a.ring)
	out := LikeBits(a, a.n)
	if a.w == nil {
		return out
	}
	if a.ring.Words() == 1 {
		inUse.bit(out.w, a.w, p)
		return out
	}
	k, word, sh := a.ring.Words(), p/64, uint(p%64)
	for base := 0; base < a.n; base += 64 {
		var x uint64
		for i := range min(64, a.n-base) {
			x |= (a.w[(base+i)*k+word] >> sh & 1) << (i & 63)
		}
		out.w[base>>6] = x
	}
	return out
}

// Digit sets each element of dst to bits [p, p+d) of that of a, where d is the width of dst's ring. Bits from a's
// width on count as zero.
func Digit(dst, a Vec, p int) { Rsh(dst, a, p) }

// FromBits sets each element of dst to the bit of b, 0 or 1.
func FromBits(dst Vec, b Bits) {
	if dst.n != b.n {
		panic("ring: FromBits of different lengths")
	}
	if dst.w == nil || b.w == nil {
		return
	}
	k := dst.ring.Words()
	if k == 1 {
		inUse.fromBits(dst.w, b.w)
		return
	}
	clear(dst.w)
	for base := 0; base < b.n; base += 64 {
		if k == 2 {
			var each [64]uint64
			part := each[:min(64, b.n-base)]
			inUse.fromBits(part, b.w[base>>6:][:1])
			inUse.widen(dst.w[2*base:2*(base+len(part))], part)
			continue
		}
		x, d := b.w[base>>6], dst.w[base*k:]
		for i := range min(64, b.n-base) {
			d[i*k] = x >> (uint(i) & 63) & 1
		}
	}
}

// Choose sets each element of dst to that of a where the public bit is 1, and to that of b where it is 0.
func Choose(dst, a, b Vec, bits Bits) {
	if shapeOnly(dst, a, b) || bits.w == nil {
		return
	}
	if bits.n != dst.n {
		panic(fmt.Sprintf("ring: %d bits choose %d elements", bits.n, dst.n))
	}
	k := dst.ring.Words()
	if k == 1 {
		inUse.choose(dst.w, a.w, b.w, bits.w)
		return
	}
	for i := range dst.n {
		take := -(bits.w[i>>6] >> (uint(i) & 63) & 1)
		for j := i * k; j < (i+1)*k; j++ {
			dst.w[j] = b.w[j] ^ (a.w[j]^b.w[j])&take
		}
	}
}
