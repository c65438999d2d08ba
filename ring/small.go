package ring

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// MulAddSmall sets dst += a·c, where c has one public signed integer for each element. dst must not overlap a.
func MulAddSmall(dst, a Vec, c []int64) {
	if shapeOnly(dst, a) {
		return
	}
	if len(c) != dst.n {
		panic(fmt.Sprintf("ring: MulAddSmall of %d integers with %d of %v", len(c), dst.n, dst.ring))
	}
	k := dst.ring.Words()
	Parallel(dst.n, 1<<13, func(lo, hi int) {
		mulAddSmall(dst.ring, dst.w[lo*k:hi*k], a.w[lo*k:hi*k], c[lo:hi])
	})
}

// mulAddSmall is MulAddSmall on a part of the elements. The word of a negative c is c + 2^64, so
// a·2^64 is subtracted again.
func mulAddSmall(r Ring, dst, a []uint64, c []int64) {
	k, mask := r.Words(), r.topMask()
	a = a[:len(dst)]
	switch {
	case r.Cyclic:
		mulAddSmallCyclic(r.cyclic(), dst, a, c)
	case k == 1:
		inUse.mulAdd(dst, a, unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(c))), len(c)), 0, mask)
	case k == 2:
		inUse.mulAddSigned(dst, a, c, mask)
	case k == 3:
		for i, c := range c {
			d, x := dst[3*i:3*i+3:3*i+3], a[3*i:3*i+3:3*i+3]
			m, neg := uint64(c), uint64(c>>63)
			h0, x0 := bits.Mul64(x[0], m)
			x2, x1 := bits.Mul64(x[1], m)
			x1, carry := bits.Add64(x1, h0, 0)
			x2 += x[2]*m + carry
			x1, carry = bits.Sub64(x1, x[0]&neg, 0)
			x2 -= x[1]&neg + carry
			x0, carry = bits.Add64(x0, d[0], 0)
			x1, carry = bits.Add64(x1, d[1], carry)
			d[0], d[1], d[2] = x0, x1, (d[2]+x2+carry)&mask
		}
	default:
		for i, c := range c {
			d := dst[i*k : (i+1)*k]
			mulAddWord(d, a[i*k:(i+1)*k], uint64(c), uint64(c>>63))
			d[k-1] &= mask
		}
	}
}

// mulAddWord adds x·(m − 2^64·[neg]) to d modulo 2^(64·len(d)); neg is all ones or 0.
func mulAddWord(d, x []uint64, m, neg uint64) {
	var high, below, carry, borrow uint64
	for j, w := range x[:len(d)] {
		hi, lo := bits.Mul64(w, m)
		lo, over := bits.Add64(lo, high, 0)
		high = hi + over
		d[j], carry = bits.Add64(d[j], lo, carry)
		d[j], borrow = bits.Sub64(d[j], below&neg, borrow)
		below = w
	}
}

func mulAddSmallCyclic(c cyclic, dst, a []uint64, by []int64) {
	t := make([]uint64, c.k+1)
	for i, m := range by {
		abs, neg := magnitude(m)
		d := dst[i*c.k : (i+1)*c.k]
		c.mulWord(t, a[i*c.k:(i+1)*c.k], abs, neg)
		c.add(d, d, t)
	}
}
