//go:build !purego

package ring

import "unsafe"

// oneWord is a set of assembly kernels for elements of one word and for packed bits.
type oneWord struct {
	add, sub, mul    func(d, a, b *uint64, blocks int, m uint64)
	affine           func(d, a *uint64, blocks int, c, e, m uint64)
	mulAdd           func(d, a, b *uint64, blocks int, by, m uint64)
	rsh              func(d, a *uint64, blocks int, by, m uint64)
	sumTaps          func(d, x, y *uint64, taps *int, n, blocks int, m uint64)
	xor, and, xorAnd func(d, a, b *uint64, blocks int)
}

// kernels are the portable kernels with those of x in their place. The assembly computes blocks of
// eight elements, the portable kernels the remaining ones.
func (x oneWord) kernels() elementKernels {
	k := portableElements
	k.add = blockwise(x.add, add)
	k.sub = blockwise(x.sub, sub)
	k.mul = blockwise(x.mul, mul)
	k.affine = func(d, a []uint64, c, e, m uint64) {
		a = a[:len(d)]
		n := len(d) / 8
		if n > 0 {
			x.affine(&d[0], &a[0], n, c, e, m)
		}
		affine(d[8*n:], a[8*n:], c, e, m)
	}
	k.mulAdd = func(d, a, b []uint64, by uint, m uint64) {
		a, b = a[:len(d)], b[:len(d)]
		n := len(d) / 8
		if n > 0 {
			x.mulAdd(&d[0], &a[0], &b[0], n, uint64(by), m)
		}
		mulAdd(d[8*n:], a[8*n:], b[8*n:], by, m)
	}
	k.rsh = func(d, a []uint64, by int, m uint64) {
		a = a[:len(d)]
		n := len(d) / 8
		if n > 0 {
			x.rsh(&d[0], &a[0], n, uint64(by), m)
		}
		rsh(d[8*n:], a[8*n:], by, m)
	}
	k.sumTaps = func(d, a, b []uint64, taps []tap, m uint64) {
		n := len(d) / 8
		for _, t := range taps {
			_, _ = a[t.x:t.x+len(d)], b[t.y:t.y+len(d)] // panics if the assembly would read beyond
		}
		if n > 0 && len(taps) > 0 {
			x.sumTaps(&d[0], &a[0], &b[0], &taps[0].x, len(taps), n, m)
		}
		if 8*n < len(d) {
			sumTaps(d[8*n:], a[8*n:], b[8*n:], taps, m)
		}
	}
	k.xor = blockwiseBits(x.xor, xor)
	k.and = blockwiseBits(x.and, and)
	k.xorAnd = blockwiseBits(x.xorAnd, xorAnd)
	return k
}

// elementsAVX2 are the elementwise kernels with AVX2, elementsAVX512 those with AVX-512.
func elementsAVX2() elementKernels {
	return oneWord{add256, sub256, mul256, affine256, mulAdd256, rsh256, sumTaps256, xor256, and256, xorAnd256}.kernels()
}

func elementsAVX512() elementKernels {
	k := oneWord{add512, sub512, mul512, affine512, mulAdd512, rsh512, sumTaps512, xor512, and512, xorAnd512}.kernels()
	k.add2 = blockwise2(add512w2, add2)
	k.sub2 = blockwise2(sub512w2, sub2)
	k.mulAddShort = mulAddHigh
	k.widen = func(d, a []uint64) {
		a = a[:len(d)/2]
		n := len(a) / 8
		if n > 0 {
			widen512(&d[0], &a[0], n)
		}
		widen(d[16*n:], a[8*n:])
	}
	k.truncate = func(d, a []uint64, e [2]uint64, t int, m uint64) {
		a = a[:2*len(d)]
		n := len(d) / 8
		if n > 0 && t < 64 {
			drop512(&d[0], &a[0], n, e[0], e[1], uint64(t), uint64(64-t), m)
			d, a = d[8*n:], a[16*n:]
		}
		truncate(d, a, e, t, m)
	}
	return k
}

// elementsIFMA are the kernels with AVX-512 and products of 52 bits, for elements of up to 104
// bits.
func elementsIFMA() elementKernels {
	k := elementsAVX512()
	mulWide, mulAddWide := blockwise2(mul104, mul2), blockwise2(mulAdd104, mulAdd2)
	k.mul2 = func(d, a, b []uint64, m uint64) { upTo104(m, mulWide, mul2)(d, a, b, m) }
	k.mulAdd2 = func(d, a, b []uint64, m uint64) { upTo104(m, mulAddWide, mulAdd2)(d, a, b, m) }
	k.affine2 = func(d, a []uint64, c, e [2]uint64, m uint64) {
		a = a[:len(d)]
		n := len(d) / 16
		if n > 0 && m <= high104 {
			affine104(&d[0], &a[0], n, c[0], c[0]>>52|c[1]<<12, e[0], e[1], m)
			d, a = d[16*n:], a[16*n:]
		}
		affine2(d, a, c, e, m)
	}
	k.mulAddShort = func(d, a, b []uint64, by uint, m uint64) {
		a, b = a[:len(d)], b[:len(d)/2]
		if n := len(b) / 8; n > 0 && by == 0 && m <= high104 {
			mulAdd104x1(&d[0], &a[0], &b[0], n, m)
			d, a, b = d[16*n:], a[16*n:], b[8*n:]
		}
		mulAddHigh(d, a, b, by, m)
	}
	k.mulAddSigned = func(d, a []uint64, b []int64, m uint64) {
		a, b = a[:len(d)], b[:len(d)/2]
		if n := len(b) / 8; n > 0 && m <= high104 {
			mulAdd104s(&d[0], &a[0], (*uint64)(unsafe.Pointer(&b[0])), n, m)
			d, a, b = d[16*n:], a[16*n:], b[8*n:]
		}
		mulAddSigned(d, a, b, m)
	}
	return k
}

// high104 is the mask of the high word of elements of 104 bits.
const high104 = 1<<40 - 1

type maskedKernel = func(d, a, b []uint64, m uint64)

func upTo104(m uint64, narrow, other maskedKernel) maskedKernel {
	if m <= high104 {
		return narrow
	}
	return other
}

func mulAddHigh(d, a, b []uint64, by uint, m uint64) {
	a, b = a[:len(d)], b[:len(d)/2]
	if n := len(b) / 8; n > 0 && by >= 64 {
		mulAddHigh512(&d[0], &a[0], &b[0], n, uint64(by-64), m)
		d, a, b = d[16*n:], a[16*n:], b[8*n:]
	}
	mulAddShort(d, a, b, by, m)
}

// blockwise combines an assembly kernel for blocks with a portable one for the remaining elements:
// blockwise for elements of one word, blockwise2 for two words, blockwiseBits for bits.
func blockwise(blocks func(d, a, b *uint64, n int, m uint64), rest maskedKernel) maskedKernel {
	return func(d, a, b []uint64, m uint64) {
		a, b = a[:len(d)], b[:len(d)]
		n := len(d) / 8
		if n > 0 {
			blocks(&d[0], &a[0], &b[0], n, m)
		}
		rest(d[8*n:], a[8*n:], b[8*n:], m)
	}
}

func blockwise2(blocks func(d, a, b *uint64, n int, m uint64), rest maskedKernel) maskedKernel {
	return func(d, a, b []uint64, m uint64) {
		a, b = a[:len(d)], b[:len(d)]
		n := len(d) / 16
		if n > 0 {
			blocks(&d[0], &a[0], &b[0], n, m)
		}
		rest(d[16*n:], a[16*n:], b[16*n:], m)
	}
}

func blockwiseBits(blocks func(d, a, b *uint64, n int), rest func(d, a, b []uint64)) func(d, a, b []uint64) {
	return func(d, a, b []uint64) {
		a, b = a[:len(d)], b[:len(d)]
		n := len(d) / 8
		if n > 0 {
			blocks(&d[0], &a[0], &b[0], n)
		}
		rest(d[8*n:], a[8*n:], b[8*n:])
	}
}
