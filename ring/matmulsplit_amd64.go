//go:build !purego

package ring

// tilesSplit is indexed by rows − 1. Each computes rows×16 words of a product in registers.
var tilesSplit = [4]func(c *uint64, ldc int, a *uint64, b *uint64, pairs int, mask uint16){
	matMulSplitx1, matMulSplitx2, matMulSplitx3, matMulSplitx4,
}

// matMulSplit multiplies words split at bit 52.
func matMulSplit(c, a, b []uint64, m, k, n int) { matMulSplitColumns(c, a, b, m, k, n, 0, n) }

// splitStep is the number of words that packing makes of two words of a column of b, or of a row of a.
const splitStep = 3

// matMulSplitColumns is matMulSplit for columns [from, to) of b and c. Both operands are packed, a panel of each at a time: a panel
// of b stays in the first-level cache.
func matMulSplitColumns(c, a, b []uint64, m, k, n, from, to int) {
	const rows, width, depth = 4, 16, 128
	if m < 8 || n < width || k < 8 { // packing costs more than it saves
		matMul512Columns(c, a, b, m, k, n, from, to)
		return
	}
	left := reuse(splitStep * m * (min(k, depth) + 1) / 2)
	right := reuse(splitStep * width * depth / 2)
	defer release(left)
	defer release(right)
	for p0 := 0; p0 < k; p0 += depth {
		d := min(depth, k-p0)
		pairs := (d + 1) / 2
		for i := 0; i < m; i += rows {
			packLeft(left[splitStep*pairs*i:], a[i*k+p0:], min(rows, m-i), d, k)
		}
		for j := from; j < to; j += width {
			cols := min(width, to-j)
			whole := d / 2
			if cols == width {
				packRight(&right[0], &b[p0*n+j], n, whole)
			} else {
				whole = 0
			}
			for p := 2 * whole; p < d; p += 2 { // where a word is missing
				var edge [2 * width]uint64
				for q := range min(2, d-p) {
					copy(edge[q*width:], b[(p0+p+q)*n+j:(p0+p+q)*n+j+cols])
				}
				packRight(&right[splitStep*width*p/2], &edge[0], width, 1)
			}
			mask := uint16(1<<cols - 1)
			for i := 0; i < m; i += rows {
				tilesSplit[min(rows, m-i)-1](&c[i*n+j], n, &left[splitStep*pairs*i], &right[0], pairs, mask)
			}
		}
	}
}

// packLeft packs rows of depth words, lda words apart, for matMulSplit: for each two columns and each row their words and the
// numbers of which the cross products are made, in the order opposite to packRight's. A missing column is zero.
func packLeft(d, a []uint64, rows, depth, lda int) {
	pack := func(to []uint64, x, y uint64) {
		to[2] = x&0xffff | x>>52<<16 | y<<48>>16 | y>>52<<48
		to[0], to[1] = x, y
	}
	for i := range rows {
		row, at := a[i*lda:i*lda+depth], splitStep*i
		for ; len(row) >= 2; row = row[2:] {
			pack(d[at:at+splitStep:at+splitStep], row[0], row[1])
			at += splitStep * rows
		}
		if len(row) > 0 {
			pack(d[at:], row[0], 0)
		}
	}
}

// splitIsFaster reports whether the processor multiplies words faster in parts (matMulSplit) than with VPMULLQ, which takes one
// cycle on others than Intel's.
func splitIsFaster() bool {
	b, d, c := vendor()
	return b == 'G'|'e'<<8|'n'<<16|'u'<<24 && d == 'i'|'n'<<8|'e'<<16|'I'<<24 && c == 'n'|'t'<<8|'e'<<16|'l'<<24
}
