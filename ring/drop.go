package ring

import (
	"fmt"
	"math/bits"
)

// Drop sets dst = ⌊(a + 2^(t−1) + bias)/2^t⌋, over Z_2^k, for a read as a
// non-negative integer: t low bits are dropped, rounding to the nearest. a is
// over Z_2^K or M(K), K ≥ k + t, and t ≥ 1. dst must not overlap a.
func Drop(dst, a Vec, t int, bias int64) {
	powerOfTwo("Drop into a vector", dst.ring)
	if dst.n != a.n || t < 1 || a.ring.Bits < dst.ring.Bits+t {
		panic(fmt.Sprintf("ring: Drop of %d bits from %d of %v into %d of %v", t, a.n, a.ring, dst.n, dst.ring))
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
		case ka == 2 && kd == 1:
			inUse.drop(d, x, [2]uint64(add), t, dst.ring.topMask())
		case ka == 3 && kd == 1:
			drop3(d, x, [3]uint64(add), t, dst.ring.topMask())
		default:
			dropWide(d, x, add, t, kd, dst.ring.topMask())
		}
	})
}

// drop3 is Drop from three words into one.
func drop3(dst, a []uint64, add [3]uint64, t int, mask uint64) {
	a = a[:3*len(dst)]
	s, words := uint(t)&63, t/64
	for i := range dst {
		x0, carry := bits.Add64(a[3*i], add[0], 0)
		x1, carry := bits.Add64(a[3*i+1], add[1], carry)
		x2 := a[3*i+2] + add[2] + carry
		switch words { // for all alike
		case 1:
			x0, x1 = x1, x2
		case 2:
			x0, x1 = x2, 0
		}
		dst[i] = (x0>>s | x1<<1<<(63-s)) & mask
	}
}

// dropWide is Drop for any width. The carry out of the last word is above what
// is kept, and so are bits from a's width on.
func dropWide(dst, a, add []uint64, t, kd int, mask uint64) {
	ka, s := len(add), uint(t)&63
	sum := make([]uint64, ka+1) // and a zero
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
