package ring

import (
	"fmt"
	"math/bits"
	"slices"
)

// MulAddRotated sets dst += a·mantissa·2^rot, element by element, over M(q). mantissa and rot have dst's length, and
// every rot is less than q. dst must not overlap a.
func MulAddRotated(dst, a Vec, mantissa []uint64, rot []uint16) {
	cyclicOnly("MulAddRotated", dst.ring)
	if shapeOnly(dst, a) {
		return
	}
	checkPowers(dst.ring, dst.n, mantissa, rot)
	k := dst.ring.Words()
	Parallel(dst.n, 1<<12, func(lo, hi int) {
		d, x := dst.w[lo*k:hi*k], a.w[lo*k:hi*k]
		switch {
		case dst.ring.Bits == 128:
			rotated128(d, x, mantissa[lo:hi], rot[lo:hi])
		case dst.ring.cyclic().threeWords():
			rotated3(dst.ring.cyclic(), d, x, mantissa[lo:hi], rot[lo:hi])
		default:
			rotatedWide(dst.ring.cyclic(), d, x, mantissa[lo:hi], rot[lo:hi])
		}
	})
}

// Powers returns the vector of mantissa[i]·2^rot[i] over r, which is an M(q). Every rot is less than q. It panics if
// r is not cyclic.
func Powers(r Ring, mantissa []uint64, rot []uint16) Vec {
	cyclicOnly("Powers", r)
	checkPowers(r, len(mantissa), mantissa, rot)
	v, c := NewUninitialised(r, len(mantissa)), r.cyclic()
	Parallel(v.n, 1<<12, func(lo, hi int) {
		if c.threeWords() {
			powers3(c, v.w[3*lo:3*hi], mantissa[lo:hi], rot[lo:hi])
			return
		}
		t := make([]uint64, 2*c.k)
		for i := lo; i < hi; i++ {
			clear(t)
			if t[0] = mantissa[i]; c.k == 1 {
				t[0] = c.foldWord(t[0])
			}
			c.rotate(t, uint(rot[i]))
			d := v.w[i*c.k : (i+1)*c.k]
			copy(d, t)
			c.canonicalize(d)
		}
	})
	return v
}

// powers3 is Powers for elements of three words, the last of which is not full. No mantissa is 2^q − 1, so a rotation of it is
// canonical.
func powers3(c cyclic, dst, mantissa []uint64, rot []uint16) {
	rot = rot[:len(mantissa)]
	top, mask := c.top&63, c.mask
	for i, m := range mantissa {
		s := uint(rot[i]) & 63
		x0, x1 := m<<s, m>>1>>(63-s)
		w1, w2 := -uint64(rot[i]>>6&1), -uint64(rot[i]>>7) // by one word, by two
		w0 := ^(w1 | w2)
		y0, y1, y2, y3 := x0&w0, x1&w0|x0&w1, x1&w1|x0&w2, x1&w2
		d := dst[3*i : 3*i+3 : 3*i+3]
		d[0], d[1], d[2] = y0|y2>>top|y3<<(64-top), y1|y3>>top, y2&mask
	}
}

// rotated128 is MulAddRotated modulo 2^128 − 1.
func rotated128(dst, a, mantissa []uint64, rot []uint16) {
	a, rot = a[:len(dst)], rot[:len(mantissa)]
	for i, m := range mantissa {
		d, x := dst[2*i:2*i+2:2*i+2], a[2*i:2*i+2:2*i+2]
		h0, x0 := bits.Mul64(x[0], m)
		x2, x1 := bits.Mul64(x[1], m)
		x1, c := bits.Add64(x1, h0, 0)
		x2 += c
		x0, c = bits.Add64(x0, x2, 0)
		x1, c = bits.Add64(x1, 0, c)
		x0 += c // if c is 1, x0 is at most x2 here, so there is no further carry

		s := uint(rot[i])
		swap := (x0 ^ x1) & -uint64(s>>6&1)
		x0, x1, s = x0^swap, x1^swap, s&63
		y0 := x0<<s | x1>>1>>(63-s)
		y1 := x1<<s | x0>>1>>(63-s)

		y0, c = bits.Add64(y0, d[0], 1) // as in cyclic.add
		y1, c = bits.Add64(y1, d[1], c)
		y0, c = bits.Sub64(y0, 0, c^1)
		d[0], d[1] = y0, y1-c
	}
}

// rotated3 is MulAddRotated for elements of three words, the last of which is not full.
func rotated3(c cyclic, dst, a, mantissa []uint64, rot []uint16) {
	a, rot = a[:len(dst)], rot[:len(mantissa)]
	top, mask := c.top&63, c.mask
	for i, m := range mantissa {
		d, x := dst[3*i:3*i+3:3*i+3], a[3*i:3*i+3:3*i+3]
		h0, x0 := bits.Mul64(x[0], m)
		h1, x1 := bits.Mul64(x[1], m)
		x3, x2 := bits.Mul64(x[2], m)
		x1, carry := bits.Add64(x1, h0, 0)
		x2, carry = bits.Add64(x2, h1, carry)
		x3 += carry
		high := x2>>top | x3<<(64-top)
		x0, carry = bits.Add64(x0, high, 0)
		x1, carry = bits.Add64(x1, 0, carry)
		x2 = x2&mask + carry
		x0, carry = bits.Add64(x0, x2>>top, 0) // carries at most one bit, and nothing after that
		x1, carry = bits.Add64(x1, 0, carry)
		x2 = x2&mask + carry

		s := uint(rot[i]) & 63
		x3 = x2 >> 1 >> (63 - s)
		x2 = x2<<s | x1>>1>>(63-s)
		x1 = x1<<s | x0>>1>>(63-s)
		x0 <<= s
		w1, w2 := -uint64(rot[i]>>6&1), -uint64(rot[i]>>7) // by one word, by two
		w0 := ^(w1 | w2)
		y0, y1, y2 := x0&w0, x1&w0|x0&w1, x2&w0|x1&w1|x0&w2
		y3, y4, y5 := x3&w0|x2&w1|x1&w2, x3&w1|x2&w2, x3&w2
		y0 |= y2>>top | y3<<(64-top)
		y1 |= y3>>top | y4<<(64-top)
		y2 = y2&mask | y4>>top | y5<<(64-top)

		y0, carry = bits.Add64(y0, d[0], 1) // as in cyclic.add
		y1, carry = bits.Add64(y1, d[1], carry)
		y2 += d[2] + carry
		y0, carry = bits.Sub64(y0, 0, y2>>top^1)
		y1, carry = bits.Sub64(y1, 0, carry)
		d[0], d[1], d[2] = y0, y1, y2&mask-carry
	}
}

// rotatedWide is MulAddRotated for any width.
func rotatedWide(c cyclic, dst, a, mantissa []uint64, rot []uint16) {
	t := make([]uint64, 2*c.k)
	for i, m := range mantissa {
		d := dst[i*c.k : (i+1)*c.k]
		c.mulWord(t, a[i*c.k:(i+1)*c.k], m, 0)
		c.rotate(t, uint(rot[i]))
		c.add(d, d, t)
	}
}

func checkPowers(r Ring, n int, mantissa []uint64, rot []uint16) {
	if len(mantissa) != n || len(rot) != n {
		panic(fmt.Sprintf("ring: %d mantissas and %d rotations for %d of %v", len(mantissa), len(rot), n, r))
	}
	var short int // negative if a rotation is too large; no branch on rot
	for _, s := range rot {
		short |= r.Bits - 1 - int(s)
	}
	if short < 0 {
		panic(fmt.Sprintf("ring: rotation by %d over %v", slices.Max(rot), r))
	}
}

func cyclicOnly(what string, r Ring) {
	if !r.Cyclic {
		panic(fmt.Sprintf("ring: %s over %v, which is not cyclic", what, r))
	}
}
