//go:build !purego

package ring

import "math/bits"

// matMulIFMA multiplies elements split into limbs of 52 bits (matMul128x4 and its variants for
// fewer rows).
func matMulIFMA(c, a, b []uint64, m, k, n int) {
	const rows, width = 4, 16
	if m < 3 || n < 4 || k < 4 {
		matMul128(c, a, b, m, k, n)
		return
	}
	left, part := grab(3*m*min(k, panelRows)), grab(3*panelRows*width)
	defer release(left)
	defer release(part)
	var sums [rows * 3 * width]uint64
	for p0 := 0; p0 < k; p0 += panelRows {
		depth := min(panelRows, k-p0)
		for i := range m {
			limbs(left[3*i*depth:], a[2*(i*k+p0):2*(i*k+p0+depth)], 1, 3)
		}
		for j := 0; j < n; j += width {
			cols := min(width, n-j)
			if cols < width {
				clear(part)
			}
			for p := range depth {
				at := 2 * ((p0+p)*n + j)
				limbs(part[3*p*width:], b[at:at+2*cols], width, 1)
			}
			for i := 0; i < m; i += rows {
				x := &left[3*i*depth]
				switch m - i {
				case 1:
					matMul128x1(&sums[0], x, depth, &part[0], depth)
				case 2:
					matMul128x2(&sums[0], x, depth, &part[0], depth)
				case 3:
					matMul128x3(&sums[0], x, depth, &part[0], depth)
				default:
					matMul128x4(&sums[0], x, depth, &part[0], depth)
				}
				for r := range min(rows, m-i) {
					at := 2 * ((i+r)*n + j)
					addLimbs(c[at:at+2*cols], sums[3*r*width:], width)
				}
			}
		}
	}
}

// limbs splits elements of two words: limb l of element e goes to dst[l·apart + e·step].
func limbs(dst, src []uint64, apart, step int) {
	const mask = 1<<52 - 1
	for e := range len(src) / 2 {
		lo, hi := src[2*e], src[2*e+1]
		d := dst[e*step:]
		d[0], d[apart], d[2*apart] = lo&mask, (lo>>52|hi<<12)&mask, hi>>40
	}
}

// addLimbs adds sums in limbs, apart words from one another, to elements of two words.
func addLimbs(c, sums []uint64, apart int) {
	for e := range len(c) / 2 {
		s0, s1, s2 := sums[e], sums[apart+e], sums[2*apart+e]
		lo, carry := bits.Add64(c[2*e], s0, 0)
		hi := c[2*e+1] + carry
		lo, carry = bits.Add64(lo, s1<<52, 0)
		c[2*e], c[2*e+1] = lo, hi+carry+s1>>12+s2<<40
	}
}
