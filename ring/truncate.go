package ring

import (
	"fmt"
	"math/bits"
)

// TruncateReduce sets dst = ⌊(a + 2^(t−1) + bias)/2^t⌋ mod 2^k, where k is the width of dst's ring: it divides by
// 2^t, rounding to nearest, and drops the bits from k on. Elements of a, over Z_2^K or M(K), are read as integers in
// [0, 2^K); K ≥ k + t and t ≥ 1. dst must not overlap a.
func TruncateReduce(dst, a Vec, t int, bias int64) {
	powerOfTwo("TruncateReduce", dst.ring)
	if dst.n != a.n || t < 1 || a.ring.Bits < dst.ring.Bits+t {
		panic(fmt.Sprintf("ring: TruncateReduce of %d bits from %d of %v into %d of %v", t, a.n, a.ring, dst.n, dst.ring))
	}
	if dst.w == nil || a.w == nil {
		return
	}
	ka, kd := a.ring.Words(), dst.ring.Words()
	add := make([]uint64, ka)
	add[0] = uint64(bias)
	for j := 1; j < ka; j++ {
		add[j] = uint64(bias >> 63)
	}
	var carry uint64
	add[(t-1)/64], carry = bits.Add64(add[(t-1)/64], 1<<((t-1)%64), 0)
	for j := (t-1)/64 + 1; j < ka; j++ {
		add[j], carry = bits.Add64(add[j], 0, carry)
	}
	Parallel(dst.n, 1<<13, func(lo, hi int) {
		switch d, x := dst.w[lo*kd:hi*kd], a.w[lo*ka:hi*ka]; {
		case ka == 1:
			m, plus, s := dst.ring.topMask(), add[0], uint(t)&63
			x = x[:len(d)]
			for i := range d {
				d[i] = (x[i] + plus) >> s & m
			}
		case ka == 2 && kd == 1:
			inUse.truncate(d, x, [2]uint64(add), t, dst.ring.topMask())
		case ka == 3 && kd == 1:
			truncate3(d, x, [3]uint64(add), t, dst.ring.topMask())
		default:
			truncateWide(d, x, add, t, kd, dst.ring.topMask())
		}
	})
}

// Offset sets dst += a·2^by, or dst −= a·2^by if minus. a is over a Z_2^k with k ≤ 64, its elements are read as
// integers in [0, 2^k), and k + by is at most the width of dst's ring. Over M(q) dst is not reduced: its words are
// the sum as an integer, which only TruncateReduce may read.
func Offset(dst, a Vec, by int, minus bool) {
	if dst.n != a.n || a.ring.Words() != 1 || a.ring.Cyclic || by < 0 || by+a.ring.Bits > dst.ring.Bits {
		panic(fmt.Sprintf("ring: Offset of %d of %v by %d of %v times 2^%d", dst.n, dst.ring, a.n, a.ring, by))
	}
	if dst.w == nil || a.w == nil {
		return
	}
	k, flip := dst.ring.Words(), uint64(0)
	if minus {
		flip = ^uint64(0)
	}
	first, s, m := by/64, uint(by)&63, ^uint64(0)
	if !dst.ring.Cyclic {
		m = dst.ring.topMask()
	}
	switch d := dst.w; {
	case k == 1 && s == 0:
		for i, x := range a.w[:len(d)] {
			d[i] = (d[i] + (x ^ flip) - flip) & m
		}
	case k == 2 && by == 0:
		d = d[:2*len(a.w)]
		for i, x := range a.w {
			lo, carry := bits.Add64(d[2*i], x^flip, flip&1)
			d[2*i], d[2*i+1] = lo, (d[2*i+1]+flip+carry)&m
		}
	case k == 3 && by == 0:
		d = d[:3*len(a.w)]
		for i, x := range a.w {
			x0, carry := bits.Add64(d[3*i], x^flip, flip&1)
			x1, carry := bits.Add64(d[3*i+1], flip, carry)
			d[3*i], d[3*i+1], d[3*i+2] = x0, x1, (d[3*i+2]+flip+carry)&m
		}
	default:
		for i, x := range a.w {
			e := d[i*k : (i+1)*k]
			carry := flip & 1
			for j := range e {
				var y uint64
				switch j {
				case first:
					y = x << s
				case first + 1:
					y = x >> 1 >> (63 - s)
				}
				e[j], carry = bits.Add64(e[j], y^flip, carry)
			}
			e[k-1] &= m
		}
	}
}

// truncate3 is TruncateReduce from three words into one.
func truncate3(dst, a []uint64, add [3]uint64, t int, mask uint64) {
	a = a[:3*len(dst)]
	s, words := uint(t)&63, t/64
	for i := range dst {
		x0, carry := bits.Add64(a[3*i], add[0], 0)
		x1, carry := bits.Add64(a[3*i+1], add[1], carry)
		x2 := a[3*i+2] + add[2] + carry
		switch words { // the same case for all elements
		case 1:
			x0, x1 = x1, x2
		case 2:
			x0, x1 = x2, 0
		}
		dst[i] = (x0>>s | x1<<1<<(63-s)) & mask
	}
}

// truncateWide is TruncateReduce for any width. The carry out of the last word, and bits from a's
// width on, are above the bits that are kept.
func truncateWide(dst, a, add []uint64, t, kd int, mask uint64) {
	ka, s := len(add), uint(t)&63
	sum := make([]uint64, ka+1) // the last word stays zero
	for i := 0; i < len(a)/ka; i++ {
		var carry uint64
		for j, x := range a[i*ka : (i+1)*ka] {
			sum[j], carry = bits.Add64(x, add[j], carry)
		}
		d, from := dst[i*kd:(i+1)*kd], sum[t/64:]
		for j := range d {
			d[j] = from[j]>>s | from[j+1]<<1<<(63-s)
		}
		d[kd-1] &= mask
	}
}
