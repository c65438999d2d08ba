//go:build !purego

package ring

import "unsafe"

// tileHalf computes rows×columns words of a product modulo 2^32 in registers, from a packed panel
// of b.
type tileHalf func(c *uint64, ldc int, a *uint64, lda int, b *uint64, ldb int, k int, mask uint16)

// tilesHalf512 is indexed by rows − 1 and by vectors of sixteen columns − 1.
var tilesHalf512 = [6][4]tileHalf{
	{matMulHalf512x1x1, matMulHalf512x1x2, matMulHalf512x1x3, matMulHalf512x1x4},
	{matMulHalf512x2x1, matMulHalf512x2x2, matMulHalf512x2x3, matMulHalf512x2x4},
	{matMulHalf512x3x1, matMulHalf512x3x2, matMulHalf512x3x3, matMulHalf512x3x4},
	{matMulHalf512x4x1, matMulHalf512x4x2, matMulHalf512x4x3, matMulHalf512x4x4},
	{matMulHalf512x5x1, matMulHalf512x5x2, matMulHalf512x5x3, matMulHalf512x5x4},
	{matMulHalf512x6x1, matMulHalf512x6x2, matMulHalf512x6x3, matMulHalf512x6x4},
}

// packsHalf512 is indexed by vectors − 1.
var packsHalf512 = [4]func(d *uint64, a *uint64, lda int, rows int, mask uint16){
	packHalf512x1, packHalf512x2, packHalf512x3, packHalf512x4,
}

// tilesHalf256 is indexed by rows − 1, for sixteen columns.
var tilesHalf256 = [4]func(c *uint64, ldc int, a *uint64, lda int, b *uint64, ldb int, k int){
	matMulHalf256x1, matMulHalf256x2, matMulHalf256x3, matMulHalf256x4,
}

// halves256 and halves512 are the kernels of elements in halves of words. Sums of products of rows take the time to read the rows, so that
// wider registers gain little there.
var (
	halves256 = halfKernels{dotHalf256, matMulHalves256}
	halves512 = halfKernels{dotHalf256, matMulHalves512}
)

// dotsHalf256 is indexed by rows − 1.
var dotsHalf256 = [3]func(c *uint64, ldc int, a *uint32, lda int, b *uint32, ldb int, blocks int){dotHalf256x1, dotHalf256x2, dotHalf256x3}

func dotHalf256(c []uint64, a, b []uint32, m, k, n, lda, ldb int) {
	if k == 0 {
		return
	}
	for i := 0; i < m; i += len(dotsHalf256) {
		rows := min(len(dotsHalf256), m-i)
		for j := 0; j < n; j += dotColumns {
			dotsHalf256[rows-1](&c[i*n+j], n, &a[i*lda], lda, &b[j*ldb], ldb, k/dotLength)
		}
	}
}

func matMulHalves256(c, a []uint64, b []uint32, m, k, n, lda, ldb int) {
	const width = 16
	if k == 0 {
		return
	}
	words := (*uint64)(unsafe.Pointer(unsafe.SliceData(b)))
	for j := 0; j < n; j += width {
		for i := 0; i < m; i += len(tilesHalf256) {
			rows := min(len(tilesHalf256), m-i)
			tilesHalf256[rows-1](&c[i*n+j], n, &a[i*lda], lda, words, ldb/2, k)
		}
		words = (*uint64)(unsafe.Add(unsafe.Pointer(words), 4*width))
	}
}

func matMulHalves512(c, a []uint64, b []uint32, m, k, n, lda, ldb int) {
	const width = 64
	if k == 0 {
		return
	}
	words := (*uint64)(unsafe.Pointer(unsafe.SliceData(b)))
	for j := 0; j < n; j += width {
		vectors := min(width, n-j) / 16
		for i := 0; i < m; i += len(tilesHalf512) {
			rows := min(len(tilesHalf512), m-i)
			tilesHalf512[rows-1][vectors-1](&c[i*n+j], n, &a[i*lda], lda, words, ldb/2, k, 0xffff)
		}
		words = (*uint64)(unsafe.Add(unsafe.Pointer(words), 4*width))
	}
}

func matMulHalf512(c, a, b []uint64, m, k, n int) {
	const width = 64
	if m < 8 || n <= 8 { // packing costs more than it saves, or one vector of words holds a row
		matMul512(c, a, b, m, k, n)
		return
	}
	buf := reuse(panelRows * width / 2)
	defer release(buf)
	for p0 := 0; p0 < k; p0 += panelRows {
		depth := min(panelRows, k-p0)
		for j := 0; j < n; j += width {
			cols := min(width, n-j)
			vectors := (cols + 15) / 16
			mask := uint16(0xffff >> (16*vectors - cols))
			packsHalf512[vectors-1](&buf[0], &b[p0*n+j], n, depth, mask)
			for i := 0; i < m; i += 6 {
				rows := min(6, m-i)
				tilesHalf512[rows-1][vectors-1](&c[i*n+j], n, &a[i*k+p0], k, &buf[0], 8*vectors, depth, mask)
			}
		}
	}
}

func matMulHalf256(c, a, b []uint64, m, k, n int) {
	const width = 16
	if m < 3 || n == 1 {
		matMul256(c, a, b, m, k, n)
		return
	}
	buf := reuse(panelRows * width / 2)
	defer release(buf)
	for p0 := 0; p0 < k; p0 += panelRows {
		depth := min(panelRows, k-p0)
		for j := 0; j < n; j += width {
			cols := min(width, n-j)
			if cols == width {
				packHalf256(&buf[0], &b[p0*n+j], n, depth)
			} else {
				panelHalf(buf, b[p0*n+j:], depth, cols, n, width)
			}
			for i := 0; i < m; i += 4 {
				rows := min(4, m-i)
				multiply := tilesHalf256[rows-1]
				if cols == width {
					multiply(&c[i*n+j], n, &a[i*k+p0], k, &buf[0], width/2, depth)
					continue
				}
				var edge [4 * width]uint64
				multiply(&edge[0], width, &a[i*k+p0], k, &buf[0], width/2, depth)
				for r := range rows {
					for q := range cols {
						c[(i+r)*n+j+q] += edge[r*width+q]
					}
				}
			}
		}
	}
}

// panelHalf packs the low halves of rows of cols words, n apart, into rows of width halves, padded
// with zeros.
func panelHalf(dst, src []uint64, rows, cols, n, width int) {
	for p := range rows {
		row := dst[p*width/2 : (p+1)*width/2]
		clear(row)
		for q, x := range src[p*n : p*n+cols] {
			row[q/2] |= x << 32 >> (32 - 32*(q%2))
		}
	}
}
