package ring

import "math/bits"

// elementKernels are kernels on vectors of equal lengths, given as words; d may be a or b. m is the
// mask of the used bits of an element's last word.
type elementKernels struct {
	// For elements of one word.
	add, sub, mul func(d, a, b []uint64, m uint64)          // d = a ∘ b
	affine        func(d, a []uint64, c, e, m uint64)       // d = a·c + e
	mulAdd        func(d, a, b []uint64, by uint, m uint64) // d += a·b·2^by
	rsh           func(d, a []uint64, by int, m uint64)     // d = ⌊a/2^by⌋
	// sumTaps adds to d the products of x and y, each from the word on that one of taps names.
	sumTaps func(d, x, y []uint64, taps []tap, m uint64)
	// For elements of two words; e and c are given as low and high word.
	add2, sub2, mul2, mulAdd2 func(d, a, b []uint64, m uint64)
	affine2                   func(d, a []uint64, c, e [2]uint64, m uint64)
	// For d and a of two words and b of one: d += a·b·2^by, and d += a·b with signed b.
	mulAddShort  func(d, a, b []uint64, by uint, m uint64)
	mulAddSigned func(d, a []uint64, b []int64, m uint64)
	widen        func(d, a []uint64)                               // d of two words, a of one
	truncate     func(d, a []uint64, e [2]uint64, t int, m uint64) // d of one word, a of two: d = ⌊(a + e)/2^t⌋
	// For packed bits.
	xor, and, xorAnd func(d, a, b []uint64) // d = a ∘ b; xorAnd: d ⊕= a ∧ b
}

var portableElements = elementKernels{
	add: add, sub: sub, mul: mul, affine: affine, mulAdd: mulAdd, sumTaps: sumTaps,
	add2: add2, sub2: sub2, mul2: mul2, mulAdd2: mulAdd2, affine2: affine2,
	mulAddShort: mulAddShort, mulAddSigned: mulAddSigned, widen: widen, truncate: truncate, rsh: rsh,
	xor: xor, and: and, xorAnd: xorAnd,
}

func add(d, a, b []uint64, m uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = (a[i] + b[i]) & m
	}
}

func sub(d, a, b []uint64, m uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = (a[i] - b[i]) & m
	}
}

func mul(d, a, b []uint64, m uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] * b[i] & m
	}
}

func affine(d, a []uint64, c, e, m uint64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = (a[i]*c + e) & m
	}
}

func mulAdd(d, a, b []uint64, by uint, m uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = (d[i] + a[i]*b[i]<<by) & m
	}
}

// tap is where the factors of a row of products begin.
type tap struct{ x, y int }

func sumTaps(d, x, y []uint64, taps []tap, m uint64) {
	for _, t := range taps {
		mulAdd(d, x[t.x:], y[t.y:], 0, m)
	}
}

func add2(d, a, b []uint64, m uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := 1; i < len(d); i += 2 {
		lo, c := bits.Add64(a[i-1], b[i-1], 0)
		d[i-1], d[i] = lo, (a[i]+b[i]+c)&m
	}
}

func sub2(d, a, b []uint64, m uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := 1; i < len(d); i += 2 {
		lo, c := bits.Sub64(a[i-1], b[i-1], 0)
		d[i-1], d[i] = lo, (a[i]-b[i]-c)&m
	}
}

func mul2(d, a, b []uint64, m uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := 1; i < len(d); i += 2 {
		lo, hi := mul128(a[i-1], a[i], b[i-1], b[i])
		d[i-1], d[i] = lo, hi&m
	}
}

func mulAdd2(d, a, b []uint64, m uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := 1; i < len(d); i += 2 {
		lo, hi := mul128(a[i-1], a[i], b[i-1], b[i])
		lo, c := bits.Add64(d[i-1], lo, 0)
		d[i-1], d[i] = lo, (d[i]+hi+c)&m
	}
}

func affine2(d, a []uint64, c, e [2]uint64, m uint64) {
	a = a[:len(d)]
	for i := 1; i < len(d); i += 2 {
		lo, hi := mul128(a[i-1], a[i], c[0], c[1])
		lo, carry := bits.Add64(lo, e[0], 0)
		d[i-1], d[i] = lo, (hi+e[1]+carry)&m
	}
}

func mulAddShort(d, a, b []uint64, by uint, m uint64) {
	a = a[:len(d)]
	b = b[:len(d)/2]
	if by >= 64 {
		for i, x := range b {
			d[2*i+1] = (d[2*i+1] + a[2*i]*x<<(by-64)) & m
		}
		return
	}
	for i, x := range b {
		hi, lo := bits.Mul64(a[2*i], x)
		hi += a[2*i+1] * x
		hi = hi<<by | lo>>1>>(63-by)
		lo, carry := bits.Add64(d[2*i], lo<<by, 0)
		d[2*i], d[2*i+1] = lo, (d[2*i+1]+hi+carry)&m
	}
}

// mulAddSigned multiplies by the word of b; for a negative b it then subtracts a·2^64.
func mulAddSigned(d, a []uint64, b []int64, m uint64) {
	a = a[:len(d)]
	for i, c := range b[:len(d)/2] {
		d, x := d[2*i:2*i+2:2*i+2], a[2*i:2*i+2:2*i+2]
		w, neg := uint64(c), uint64(c>>63)
		hi, lo := bits.Mul64(x[0], w)
		hi += x[1]*w - x[0]&neg
		lo, carry := bits.Add64(lo, d[0], 0)
		d[0], d[1] = lo, (d[1]+hi+carry)&m
	}
}

func widen(d, a []uint64) {
	for i, x := range a[:len(d)/2] {
		d[2*i], d[2*i+1] = x, 0
	}
}

// truncate ignores the carry out of the second word and the bits from a's width on: they are above
// the bits that are kept.
func truncate(d, a []uint64, e [2]uint64, t int, m uint64) {
	a = a[:2*len(d)]
	s, high := uint(t)&63, t >= 64
	for i := range d {
		lo, carry := bits.Add64(a[2*i], e[0], 0)
		hi := a[2*i+1] + e[1] + carry
		if high { // depends on t only, so it is the same for all elements
			lo, hi = hi, 0
		}
		d[i] = (lo>>s | hi<<1<<(63-s)) & m
	}
}

func rsh(d, a []uint64, by int, m uint64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] >> uint(by) & m
	}
}

func xor(d, a, b []uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] ^ b[i]
	}
}

func and(d, a, b []uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] & b[i]
	}
}

func xorAnd(d, a, b []uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] ^= a[i] & b[i]
	}
}
