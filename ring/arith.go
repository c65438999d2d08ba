package ring

import (
	"fmt"
	"math/bits"
)

// Add sets dst = a + b. dst may be a or b.
func Add(dst, a, b Vec) {
	if shapeOnly(dst, a, b) {
		return
	}
	if dst.ring.Cyclic {
		c := dst.ring.cyclic()
		if c.threeWords() {
			c.add3(dst.w, a.w, b.w)
			return
		}
		c.pairs(dst, a, b, func(d, x, y, _ []uint64) { c.add(d, x, y) })
		return
	}
	m := dst.ring.topMask()
	switch k := dst.ring.Words(); k {
	case 1:
		inUse.add(dst.w, a.w, b.w, m)
		return
	case 2:
		inUse.add2(dst.w, a.w, b.w, m)
		return
	default:
		for i := 0; i < len(dst.w); i += k {
			var c uint64
			for j := i; j < i+k; j++ {
				dst.w[j], c = bits.Add64(a.w[j], b.w[j], c)
			}
		}
	}
	dst.reduce()
}

// Sub sets dst = a − b. dst may be a or b.
func Sub(dst, a, b Vec) {
	if shapeOnly(dst, a, b) {
		return
	}
	if dst.ring.Cyclic {
		c := dst.ring.cyclic()
		if c.threeWords() {
			c.sub3(dst.w, a.w, b.w)
			return
		}
		c.pairs(dst, a, b, func(d, x, y, _ []uint64) { c.sub(d, x, y) })
		return
	}
	m := dst.ring.topMask()
	switch k := dst.ring.Words(); k {
	case 1:
		inUse.sub(dst.w, a.w, b.w, m)
		return
	case 2:
		inUse.sub2(dst.w, a.w, b.w, m)
		return
	default:
		for i := 0; i < len(dst.w); i += k {
			var c uint64
			for j := i; j < i+k; j++ {
				dst.w[j], c = bits.Sub64(a.w[j], b.w[j], c)
			}
		}
	}
	dst.reduce()
}

// SumRuns sets each element of dst to the sum of the next n elements of a, which has n times as many. dst must not overlap a.
func SumRuns(dst, a Vec, n int) {
	if dst.ring != a.ring || dst.n*n != a.n {
		panic(fmt.Sprintf("ring: %d of %v as sums of %d of %d of %v", dst.n, dst.ring, n, a.n, a.ring))
	}
	if dst.w == nil || a.w == nil {
		return
	}
	if c := dst.ring.cyclic(); dst.ring.Cyclic && c.threeWords() && n < 1<<32 {
		c.sum3(dst.w, a.w, n)
		return
	}
	clear(dst.w)
	for i := range dst.n {
		sum := dst.Slice(i, i+1)
		for j := i * n; j < (i+1)*n; j++ {
			Add(sum, sum, a.Slice(j, j+1))
		}
	}
}

// Neg sets dst = −a. dst may be a.
func Neg(dst, a Vec) {
	if shapeOnly(dst, a) {
		return
	}
	if dst.ring.Cyclic {
		c := dst.ring.cyclic()
		zero := make([]uint64, c.k)
		c.each(dst, a, func(d, x, _ []uint64) { c.sub(d, zero, x) })
		return
	}
	switch k := dst.ring.Words(); k {
	case 1, 2:
		affineInt(dst, a, -1, [2]uint64{})
		return
	default:
		for i := 0; i < len(dst.w); i += k {
			var c uint64
			for j := i; j < i+k; j++ {
				dst.w[j], c = bits.Sub64(0, a.w[j], c)
			}
		}
	}
	dst.reduce()
}

// Mul sets dst = a·b, element by element. dst may be a or b.
func Mul(dst, a, b Vec) {
	if shapeOnly(dst, a, b) {
		return
	}
	if dst.ring.Cyclic {
		c := dst.ring.cyclic()
		if c.threeWords() {
			c.mul3(dst.w, a.w, b.w)
			return
		}
		c.pairs(dst, a, b, c.mul)
		return
	}
	m := dst.ring.topMask()
	switch k := dst.ring.Words(); k {
	case 1:
		inUse.mul(dst.w, a.w, b.w, m)
		return
	case 2:
		inUse.mul2(dst.w, a.w, b.w, m)
		return
	default:
		t := make([]uint64, k)
		for i := 0; i < len(dst.w); i += k {
			clear(t)
			mulAddWide(t, a.w[i:i+k], b.w[i:i+k])
			copy(dst.w[i:i+k], t)
		}
	}
	dst.reduce()
}

// MulAdd sets dst += a·b, element by element.
func MulAdd(dst, a, b Vec) {
	if shapeOnly(dst, a, b) {
		return
	}
	if dst.ring.Cyclic {
		c := dst.ring.cyclic()
		prod := make([]uint64, c.k)
		c.pairs(dst, a, b, func(d, x, y, t []uint64) {
			c.mul(prod, x, y, t)
			c.add(d, d, prod)
		})
		return
	}
	m := dst.ring.topMask()
	switch k := dst.ring.Words(); k {
	case 1:
		inUse.mulAdd(dst.w, a.w, b.w, 0, m)
		return
	case 2:
		inUse.mulAdd2(dst.w, a.w, b.w, m)
		return
	default:
		for i := 0; i < len(dst.w); i += k {
			mulAddWide(dst.w[i:i+k], a.w[i:i+k], b.w[i:i+k])
		}
	}
	dst.reduce()
}

// Scale sets dst = c·a for the public integer c, the same for all elements. dst may be a.
func Scale(dst, a Vec, c int64) {
	if shapeOnly(dst, a) {
		return
	}
	if dst.ring.Cyclic {
		dst.ring.cyclic().scale(dst, a, c)
		return
	}
	switch k := dst.ring.Words(); k {
	case 1, 2:
		affineInt(dst, a, c, [2]uint64{})
		return
	default:
		by := FromInts(dst.ring, []int64{c}).w
		t := make([]uint64, k)
		for i := 0; i < len(dst.w); i += k {
			clear(t)
			mulAddWide(t, a.w[i:i+k], by)
			copy(dst.w[i:i+k], t)
		}
	}
	dst.reduce()
}

// AddInt sets dst = a + c: it adds the public integer c to each element. dst may be a.
func AddInt(dst, a Vec, c int64) {
	if shapeOnly(dst, a) {
		return
	}
	if dst.ring.Cyclic {
		dst.ring.cyclic().addConst(dst, a, FromInts(dst.ring, []int64{c}).w)
		return
	}
	k := dst.ring.Words()
	if k <= 2 {
		affineInt(dst, a, 1, [2]uint64{uint64(c), uint64(c >> 63)})
		return
	}
	for i := 0; i < len(dst.w); i += k {
		x, carry := bits.Add64(a.w[i], uint64(c), 0)
		dst.w[i] = x
		for j := i + 1; j < i+k; j++ {
			dst.w[j], carry = bits.Add64(a.w[j], uint64(c>>63), carry)
		}
	}
	dst.reduce()
}

// AddPow sets dst = a + 2^s, or a − 2^s if minus: it adds the same number to each element. dst may be a.
func AddPow(dst, a Vec, s int, minus bool) {
	if shapeOnly(dst, a) {
		return
	}
	if dst.ring.Cyclic {
		e := Powers(dst.ring, []uint64{1}, []uint16{uint16(s % dst.ring.Bits)})
		if minus {
			Neg(e, e)
		}
		dst.ring.cyclic().addConst(dst, a, e.w)
		return
	}
	c := make([]uint64, dst.ring.Words())
	if s < dst.ring.Bits {
		c[s/64] = 1 << (s % 64)
	}
	k := dst.ring.Words()
	if k <= 2 {
		e := [2]uint64{}
		copy(e[:], c)
		if minus {
			var borrow uint64
			e[0], borrow = bits.Sub64(0, e[0], 0)
			e[1] = -e[1] - borrow
		}
		affineInt(dst, a, 1, e)
		return
	}
	for i := 0; i < len(dst.w); i += k {
		var carry uint64
		for j := 0; j < k; j++ {
			if minus {
				dst.w[i+j], carry = bits.Sub64(a.w[i+j], c[j], carry)
			} else {
				dst.w[i+j], carry = bits.Add64(a.w[i+j], c[j], carry)
			}
		}
	}
	dst.reduce()
}

// Affine sets dst = a·c + e for the public integers c and e, the same for all elements. dst may be a.
func Affine(dst, a Vec, c, e int64) {
	if dst.ring.Words() > 2 || dst.ring.Cyclic {
		Scale(dst, a, c)
		AddInt(dst, dst, e)
		return
	}
	if !shapeOnly(dst, a) {
		affineInt(dst, a, c, [2]uint64{uint64(e), uint64(e >> 63)})
	}
}

// affineInt sets dst = a·c + e for elements of one or two words.
func affineInt(dst, a Vec, c int64, e [2]uint64) {
	m := dst.ring.topMask()
	if dst.ring.Words() == 1 {
		inUse.affine(dst.w, a.w, uint64(c), e[0], m)
	} else {
		inUse.affine2(dst.w, a.w, [2]uint64{uint64(c), uint64(c >> 63)}, e, m)
	}
}

// Sum returns the sum of one or more vectors, as a new vector; it is shape-only if one of them is.
func Sum(vs ...Vec) Vec {
	out := vs[0].Clone()
	for _, v := range vs[1:] {
		if v.w == nil {
			out = ShapeOnly(out.ring, out.n)
		}
		Add(out, out, v)
	}
	return out
}

func mul128(alo, ahi, blo, bhi uint64) (lo, hi uint64) {
	hi, lo = bits.Mul64(alo, blo)
	return lo, hi + alo*bhi + ahi*blo
}

// mulAddWide adds a·b to t modulo 2^(64·len(t)), by schoolbook multiplication.
func mulAddWide(t, a, b []uint64) {
	k := len(t)
	for i := 0; i < k; i++ {
		var carry uint64
		for j := 0; i+j < k; j++ {
			hi, lo := bits.Mul64(a[i], b[j])
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			t[i+j], c = bits.Add64(t[i+j], lo, 0)
			carry = hi + c
		}
	}
}
