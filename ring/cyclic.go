package ring

import (
	"fmt"
	"math/big"
	"math/bits"
)

// cyclic computes on single elements modulo 2^q − 1, where 2^q = 1: bits of a result from q on are
// added to the bits below q, and multiplying by a power of two is a rotation. An element of k words
// is canonical if it is less than 2^q − 1, and partially reduced if it is less than 2^q, so that 0
// has two representations.
type cyclic struct {
	k    int
	top  uint   // used bits of the last word, 1 to 64
	mask uint64 // of the used bits of the last word
}

func (r Ring) cyclic() cyclic { return cyclic{r.Words(), r.topBits(), r.topMask()} }

// add sets d = x + y, canonical, for a canonical x and a partially reduced y. d may be x or y.
func (c cyclic) add(d, x, y []uint64) {
	// x + y + 1 carries if and only if x + y ≥ 2^q − 1; without a carry the 1 is subtracted again.
	x, y = x[:len(d)], y[:len(d)]
	carry := uint64(1)
	for j := range d {
		d[j], carry = bits.Add64(x[j], y[j], carry)
	}
	c.finishAdd(d, carry)
}

// finishAdd makes d, of which carry is the highest bit, canonical: d is a canonical element plus 1,
// or it has overflowed.
func (c cyclic) finishAdd(d []uint64, carry uint64) {
	last := len(d) - 1
	carry |= d[last] >> c.top
	d[last] &= c.mask
	borrow := carry ^ 1
	for j := range d {
		d[j], borrow = bits.Sub64(d[j], 0, borrow)
	}
}

// sub sets d = x − y, canonical, for canonical x and y. d may be x or y.
func (c cyclic) sub(d, x, y []uint64) {
	x, y = x[:len(d)], y[:len(d)]
	var borrow uint64
	for j := range d {
		d[j], borrow = bits.Sub64(x[j], y[j], borrow)
	}
	// With a borrow, d is x − y + 2^q, which is 1 too large.
	for j := range d {
		d[j], borrow = bits.Sub64(d[j], 0, borrow)
	}
	d[len(d)-1] &= c.mask
}

// canonicalize adds the bits from q on, of which there are fewer than q, to the bits below, and
// makes d canonical.
func (c cyclic) canonicalize(d []uint64) {
	last := len(d) - 1
	carry := d[last] >> c.top
	d[last] &= c.mask
	one := uint64(1)
	for j := range d {
		d[j], one = bits.Add64(d[j], carry, one)
		carry = 0
	}
	c.finishAdd(d, one)
}

// foldWord is x modulo 2^q − 1, partially reduced, for elements of one word.
func (c cyclic) foldWord(x uint64) uint64 {
	q := int(c.top)
	// Adding the n − q upper bits to the q lower ones leaves max(n−q, q) + 1 bits, until at most
	// one is above q.
	for n := 64; n > q+1; n = max(n-q, q) + 1 {
		x = x>>c.top + x&c.mask
	}
	x = x>>c.top + x&c.mask
	return x>>c.top + x&c.mask
}

// reduce makes an element of arbitrary words canonical.
func (c cyclic) reduce(d []uint64) {
	if c.k == 1 {
		d[0] = c.foldWord(d[0])
	}
	c.canonicalize(d)
}

// mulWord sets t[:k] = ±x·m, partially reduced: the sign is minus if neg is all ones, plus if it is
// 0. x is canonical; t has at least k+1 words.
func (c cyclic) mulWord(t, x []uint64, m, neg uint64) {
	k := c.k
	if k == 1 {
		m = c.foldWord(m)
	}
	t, x = t[:k+1], x[:k]
	var carry, high uint64
	for j := range x[:k-1] {
		hi, lo := bits.Mul64(x[j]^neg, m) // 2^q − 1 − x is −x
		t[j], carry = bits.Add64(lo, high, carry)
		high = hi
	}
	hi, lo := bits.Mul64(x[k-1]^neg&c.mask, m)
	t[k-1], carry = bits.Add64(lo, high, carry)
	t[k] = hi + carry

	high = t[k-1]>>c.top | t[k]<<(64-c.top)
	t[k-1] &= c.mask
	for range 2 { // the first sum has up to q+1 bits
		carry = 0
		for j := range t[:k] {
			t[j], carry = bits.Add64(t[j], high, carry)
			high = 0
		}
		high = carry | t[k-1]>>c.top
		t[k-1] &= c.mask
	}
}

// rotate multiplies the partially reduced t[:k] by 2^rot, for rot < q. t has 2k words.
func (c cyclic) rotate(t []uint64, rot uint) {
	k, s := c.k, rot&63
	var carry uint64
	for j, x := range t[:k] {
		t[j] = x<<s | carry
		carry = x >> 1 >> (63 - s)
	}
	t[k] = carry
	clear(t[k+1:])
	for p := 0; 1<<p < k; p++ { // by whole words
		b, m := 1<<p, -uint64(rot>>(6+p)&1)
		for j := len(t) - 1; j >= b; j-- {
			t[j] ^= (t[j] ^ t[j-b]) & m
		}
		for j := range t[:b] {
			t[j] &^= m
		}
	}
	// The rot lowest bits are zero; the bits above q are added there.
	for j := range k {
		t[j] |= t[j+k-1]>>c.top | t[j+k]<<(64-c.top)
	}
	t[k-1] &= c.mask
}

// mul sets d = x·y, canonical, for canonical x and y. t has 2k words of scratch space. d may be x
// or y.
func (c cyclic) mul(d, x, y, t []uint64) {
	k := c.k
	clear(t)
	for i, u := range x[:k] {
		var carry uint64
		for j, v := range y[:k] {
			hi, lo := bits.Mul64(u, v)
			var b uint64
			lo, b = bits.Add64(lo, carry, 0)
			hi += b
			t[i+j], b = bits.Add64(t[i+j], lo, 0)
			carry = hi + b
		}
		t[i+k] = carry
	}
	carry := uint64(1)
	for j := range k {
		lo := t[j]
		if j == k-1 {
			lo &= c.mask
		}
		d[j], carry = bits.Add64(lo, t[j+k-1]>>c.top|t[j+k]<<(64-c.top), carry)
	}
	c.finishAdd(d, carry)
}

// threeWords reports whether elements have three words, the last of which is not full. Most exponentials are such.
func (c cyclic) threeWords() bool { return c.k == 3 && c.top < 64 }

// mul3 sets dst = a·b, canonical, for canonical elements of three words. dst may be a or b.
func (c cyclic) mul3(dst, a, b []uint64) {
	top, mask := c.top&63, c.mask
	a, b = a[:len(dst)], b[:len(dst)]
	for i := 0; i+3 <= len(dst); i += 3 {
		d, x, y := dst[i:i+3:i+3], a[i:i+3:i+3], b[i:i+3:i+3]
		h00, t0 := bits.Mul64(x[0], y[0])
		h01, l01 := bits.Mul64(x[0], y[1])
		h02, l02 := bits.Mul64(x[0], y[2])
		h10, l10 := bits.Mul64(x[1], y[0])
		h11, l11 := bits.Mul64(x[1], y[1])
		h12, l12 := bits.Mul64(x[1], y[2])
		h20, l20 := bits.Mul64(x[2], y[0])
		h21, l21 := bits.Mul64(x[2], y[1])
		h22, l22 := bits.Mul64(x[2], y[2])
		t1, c1 := bits.Add64(h00, l01, 0)
		t1, c2 := bits.Add64(t1, l10, 0)
		t2, c1 := bits.Add64(h01, h10, c1)
		t2, c2 = bits.Add64(t2, l02, c2)
		t2, c3 := bits.Add64(t2, l11, 0)
		t2, c4 := bits.Add64(t2, l20, 0)
		t3, c1 := bits.Add64(h02, h11, c1)
		t3, c2 = bits.Add64(t3, h20, c2)
		t3, c3 = bits.Add64(t3, l12, c3)
		t3, c4 = bits.Add64(t3, l21, c4)
		t4, c1 := bits.Add64(h12, h21, c1)
		t4, c2 = bits.Add64(t4, l22, c2)
		t4, c3 = bits.Add64(t4, 0, c3)
		t4, c4 = bits.Add64(t4, 0, c4)
		t5 := h22 + c1 + c2 + c3 + c4

		r0, carry := bits.Add64(t0, t2>>top|t3<<(64-top), 1) // as in add
		r1, carry := bits.Add64(t1, t3>>top|t4<<(64-top), carry)
		r2 := t2&mask + (t4>>top | t5<<(64-top)) + carry
		r0, carry = bits.Sub64(r0, 0, r2>>top^1)
		r1, carry = bits.Sub64(r1, 0, carry)
		d[0], d[1], d[2] = r0, r1, r2&mask-carry
	}
}

// add3 sets dst = a + b, canonical, for canonical elements of three words. dst may be a or b.
func (c cyclic) add3(dst, a, b []uint64) {
	top, mask := c.top&63, c.mask
	a, b = a[:len(dst)], b[:len(dst)]
	for i := 0; i+3 <= len(dst); i += 3 {
		d, x, y := dst[i:i+3:i+3], a[i:i+3:i+3], b[i:i+3:i+3]
		r0, carry := bits.Add64(x[0], y[0], 1) // as in add
		r1, carry := bits.Add64(x[1], y[1], carry)
		r2 := x[2] + y[2] + carry
		r0, carry = bits.Sub64(r0, 0, r2>>top^1)
		r1, carry = bits.Sub64(r1, 0, carry)
		d[0], d[1], d[2] = r0, r1, r2&mask-carry
	}
}

// each calls f with every element of dst and of a, which may be dst, and scratch space of 2k words.
func (c cyclic) each(dst, a Vec, f func(d, x, t []uint64)) {
	t := make([]uint64, 2*c.k)
	for i := 0; i < len(dst.w); i += c.k {
		f(dst.w[i:i+c.k], a.w[i:i+c.k], t)
	}
}

// pairs calls f with every element of dst, a and b, and scratch space of 2k words.
func (c cyclic) pairs(dst, a, b Vec, f func(d, x, y, t []uint64)) {
	t := make([]uint64, 2*c.k)
	for i := 0; i < len(dst.w); i += c.k {
		f(dst.w[i:i+c.k], a.w[i:i+c.k], b.w[i:i+c.k], t)
	}
}

// scale sets dst = m·a.
func (c cyclic) scale(dst, a Vec, m int64) {
	abs, neg := magnitude(m)
	c.each(dst, a, func(d, x, t []uint64) {
		c.mulWord(t, x, abs, neg)
		copy(d, t)
		c.canonicalize(d)
	})
}

// addConst sets dst = a + e for one canonical element e.
func (c cyclic) addConst(dst, a Vec, e []uint64) {
	c.each(dst, a, func(d, x, _ []uint64) { c.add(d, x, e) })
}

// matMul adds a·b to x: m×k times k×n elements.
func (c cyclic) matMul(x, a, b []uint64, m, k, n int) {
	w := c.k
	t, prod := make([]uint64, 2*w), make([]uint64, w)
	for i := range m {
		for p := range k {
			for j := range n {
				c.mul(prod, a[(i*k+p)*w:(i*k+p+1)*w], b[(p*n+j)*w:(p*n+j+1)*w], t)
				to := x[(i*n+j)*w : (i*n+j+1)*w]
				c.add(to, to, prod)
			}
		}
	}
}

// fromInt sets the element d to a signed integer.
func (c cyclic) fromInt(d []uint64, x int64) {
	abs, neg := magnitude(x)
	if c.k == 1 {
		abs = c.foldWord(abs)
	}
	d[0] = abs ^ neg
	for j := 1; j < len(d); j++ {
		d[j] = neg
	}
	d[c.k-1] &= c.mask
	c.canonicalize(d)
}

// magnitude is |x|, and all ones if x is negative, else 0.
func magnitude(x int64) (abs, neg uint64) {
	neg = uint64(x >> 63)
	return (uint64(x) ^ neg) - neg, neg
}

// modulus is 2^Bits, or 2^Bits − 1 if the ring is cyclic.
func (r Ring) modulus() *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(r.Bits))
	if r.Cyclic {
		m.Sub(m, big.NewInt(1))
	}
	return m
}

// powerOfTwo panics if a ring is cyclic: functions of elements' bits are not defined there.
func powerOfTwo(what string, rs ...Ring) {
	for _, r := range rs {
		if r.Cyclic {
			panic(fmt.Sprintf("ring: %s over %v, which is cyclic: functions of elements' bits are not defined", what, r))
		}
	}
}
