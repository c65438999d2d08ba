//go:build !purego

package ring

// tile computes rows×columns words of a product in registers.
type tile func(c *uint64, ldc int, a *uint64, lda int, b *uint64, ldb int, k int, mask uint8)

// tiles512 is indexed by rows − 1 and by vectors of eight columns − 1.
var tiles512 = [6][4]tile{
	{matMul512x1x1, matMul512x1x2, matMul512x1x3, matMul512x1x4},
	{matMul512x2x1, matMul512x2x2, matMul512x2x3, matMul512x2x4},
	{matMul512x3x1, matMul512x3x2, matMul512x3x3, matMul512x3x4},
	{matMul512x4x1, matMul512x4x2, matMul512x4x3, matMul512x4x4},
	{matMul512x5x1, matMul512x5x2, matMul512x5x3, matMul512x5x4},
	{matMul512x6x1, matMul512x6x2, matMul512x6x3, matMul512x6x4},
}

// A panel is a part of b that is multiplied with all rows of a: it stays in the second-level cache.
// It is copied to contiguous memory if a has at least packRows rows.
// For fewer rows a panel is not read again: it has fewer rows of b, each of which is read on as a stream.
const (
	panelRows = 256
	packRows  = 12 // of a
	fewRows   = 16 // of b
)

func matMul512(c, a, b []uint64, m, k, n int) { matMul512Columns(c, a, b, m, k, n, 0, n) }

// matMul512Columns is matMul512 for columns [from, to) of b and c.
func matMul512Columns(c, a, b []uint64, m, k, n, from, to int) {
	if n == 1 {
		matVec(c, a, b, m, k)
		return
	}
	const width = 32
	var buf []uint64
	most := panelRows
	if m < packRows {
		most = fewRows
	} else if to-from > width {
		buf = grab(panelRows * width)
		defer release(buf)
	}
	for p0 := 0; p0 < k; p0 += most {
		depth := min(most, k-p0)
		for j := from; j < to; j += width {
			cols := min(width, to-j)
			vectors := (cols + 7) / 8
			mask := uint8(0xff >> (8*vectors - cols))
			part, ld := b[p0*n+j:], n
			if buf != nil {
				panel(buf, part, depth, cols, n, width)
				part, ld = buf, width
			}
			for i := 0; i < m; i += 6 {
				rows := min(6, m-i)
				tiles512[rows-1][vectors-1](&c[i*n+j], n, &a[i*k+p0], k, &part[0], ld, depth, mask)
			}
		}
	}
}

// matVec is matVec64 with AVX-512.
func matVec(c, a, b []uint64, m, k int) {
	blocks := k / 8
	if m > 0 && blocks > 0 {
		matVec512(&c[:m][0], &a[:m*k][0], k, &b[:k][0], m, blocks)
	}
	from := 8 * blocks
	if from == k {
		return
	}
	y := b[from:k]
	for i := range m {
		var sum uint64
		for p, x := range a[i*k+from : (i+1)*k] {
			sum += x * y[p]
		}
		c[i] += sum
	}
}

// packed256 is the number of panels that pack256 makes.
const packed256 = 4

// tiles256 is indexed by rows − 1, for eight columns.
var tiles256 = [3]func(c *uint64, ldc int, a *uint64, lda int, b *uint64, ldb int, k int){matMul256x1, matMul256x2, matMul256x3}

func matMul256(c, a, b []uint64, m, k, n int) { matMul256Columns(c, a, b, m, k, n, 0, n) }

// matMul256Columns is matMul256 for columns [from, to) of b and c.
func matMul256Columns(c, a, b []uint64, m, k, n, from, to int) {
	const width = 8
	if n == 1 {
		matMul64(c, a, b, m, k, n)
		return
	}
	buf := grab(panelRows * width * packed256)
	defer release(buf)
	most := panelRows
	if m < packRows {
		most = fewRows
	}
	for p0 := 0; p0 < k; p0 += most {
		depth := min(most, k-p0)
		packed := 0 // panels from column j on that buf has
		for j := from; j < to; j += width {
			cols := min(width, to-j)
			part, ld := b[p0*n+j:], n
			if m >= packRows || cols < width {
				switch at := (j - from) / width % packed256; {
				case packed > 0:
					part = buf[at*depth*width:]
				case at == 0 && to-j >= packed256*width:
					pack256(&buf[0], &part[0], n, depth)
					part, packed = buf, packed256
				default:
					panel(buf, part, depth, cols, n, width)
					part = buf
				}
				ld = width
				packed = max(0, packed-1)
			}
			for i := 0; i < m; i += len(tiles256) {
				rows := min(len(tiles256), m-i)
				multiply := tiles256[rows-1]
				if cols == width {
					multiply(&c[i*n+j], n, &a[i*k+p0], k, &part[0], ld, depth)
					continue
				}
				var edge [len(tiles256) * width]uint64
				multiply(&edge[0], width, &a[i*k+p0], k, &part[0], ld, depth)
				for r := range rows {
					for q := range cols {
						c[(i+r)*n+j+q] += edge[r*width+q]
					}
				}
			}
		}
	}
}

// panel copies rows of cols words, n apart, into rows of width words, padded with zeros.
func panel(dst, src []uint64, rows, cols, n, width int) {
	for p := range rows {
		row := dst[p*width : (p+1)*width]
		clear(row[copy(row, src[p*n:p*n+cols]):])
	}
}
