package ring

import (
	"fmt"
	"math/bits"
)

// MatMul sets dst = a·b for batch matrices: a is batch×m×k, b is batch×k×n, dst is batch×m×n, all
// row-major. dst must not overlap a or b. Shape-only operands leave dst unchanged; other lengths or
// rings panic.
func MatMul(dst, a, b Vec, batch, m, k, n int) {
	if dst.n != batch*m*n || a.n != batch*m*k || b.n != batch*k*n || a.ring != dst.ring || b.ring != dst.ring {
		panic(fmt.Sprintf("ring: MatMul of %d %dx%d and %dx%d from %d and %d elements into %d", batch, m, k, k, n, a.n, b.n, dst.n))
	}
	if dst.w == nil || a.w == nil || b.w == nil {
		return
	}
	clear(dst.w)
	w := dst.ring.Words()
	if by := inUse.matMulColumns; by != nil && batch == 1 && n >= 2*columnGrain && n >= m && w == 1 && dst.ring.Bits > 32 && !dst.ring.Cyclic {
		// A goroutine reads and packs all of the operand of which it has rows or columns: the larger one is divided.
		Parallel((n+columnGrain-1)/columnGrain, max(1, (1<<15)/(columnGrain*max(1, m*k))), func(lo, hi int) {
			by(dst.w, a.w, b.w, m, k, n, lo*columnGrain, min(hi*columnGrain, n))
		})
		dst.reduce()
		return
	}
	// The unit of parallel work is a row of the result, counted over all batches.
	grain := max(1, (1<<15)/max(1, k*n*w*w))
	Parallel(batch*m, grain, func(lo, hi int) {
		for lo < hi {
			i := lo / m
			end := min(hi, (i+1)*m)
			rows := end - lo
			c, x, y := dst.w[lo*n*w:end*n*w], a.w[lo*k*w:end*k*w], b.w[i*k*n*w:(i+1)*k*n*w]
			mulAddMatrix(dst.ring, c, x, y, rows, k, n)
			lo = end
		}
	})
	dst.reduce()
}

// MatMulStream sets dst = a·b for matrices m×k and k×n, like MatMul. It reads b in blocks of rows and columns where it multiplies
// them: no vector of all of b is made.
func MatMulStream(dst, a Vec, b Stream, m, k, n int) {
	if dst.n != m*n || a.n != m*k || b.n != k*n || a.ring != dst.ring || b.ring != dst.ring {
		panic(fmt.Sprintf("ring: MatMulStream of %dx%d and %dx%d from %d and %d elements into %d", m, k, k, n, a.n, b.n, dst.n))
	}
	if dst.w == nil || a.w == nil || b.ShapeOnly() {
		return
	}
	if dst.ring.InHalves() && b.vec.w == nil {
		matMulHalves(dst, a, b, m, k, n)
		return
	}
	if b.prg == nil || dst.ring.Words() > 1 || dst.ring.Cyclic {
		MatMul(dst, a, b.Vec(), 1, m, k, n)
		return
	}
	matMulRead(dst, a, b.Read, m, k, n)
}

// matMulRead sets dst = a·b for matrices m×k and k×n of elements of one word. read sets a vector to the elements of b from number at on.
func matMulRead(dst, a Vec, read func(part Vec, at int), m, k, n int) {
	// A block of b and the columns of the result that it adds to stay in the second-level cache. Fewer columns would
	// have the kernel pack a's rows more often.
	depth, columns := min(k, 128), min(384, (n/(Helpers()+1)+columnGrain-1)/columnGrain*columnGrain)
	if m < 8 {
		depth = min(k, 32)
	}
	columns = max(columns, 2*columnGrain)
	Parallel((n+columns-1)/columns, 1, func(lo, hi int) {
		sums, left, right := NewUninitialised(dst.ring, m*columns), NewUninitialised(dst.ring, m*depth), NewUninitialised(dst.ring, depth*columns)
		for from := lo * columns; from < min(hi*columns, n); from += columns {
			width := min(columns, n-from)
			sum := sums.Slice(0, m*width)
			clear(sum.w)
			for p := 0; p < k; p += depth {
				d := min(depth, k-p)
				rows := right.Slice(0, d*width)
				for i := range d {
					read(rows.Slice(i*width, (i+1)*width), (p+i)*n+from)
				}
				part := left.Slice(0, m*d)
				for i := range m {
					copy(part.w[i*d:(i+1)*d], a.w[i*k+p:])
				}
				mulAddMatrix(dst.ring, sum.w, part.w, rows.w, m, d, width)
			}
			for i := range m {
				copy(dst.w[i*n+from:], sum.w[i*width:(i+1)*width])
			}
		}
		for _, v := range []Vec{sums, left, right} {
			v.Free()
		}
	})
	dst.reduce()
}

// columnGrain is the number of columns that goroutines divide among themselves: a multiple of the widths of kernels' tiles.
const columnGrain = 32

// matMul64 is the portable kernel. It multiplies four rows of b at a time, so that a row of c is
// read and written once for four products, and splits n into blocks so that these rows stay in the
// first-level cache.
func matMul64(c, a, b []uint64, m, k, n int) {
	if n == 1 {
		matVec64(c, a, b, m, k)
		return
	}
	const block = 512
	for j0 := 0; j0 < n; j0 += block {
		j1 := min(n, j0+block)
		for i := 0; i < m; i++ {
			row, x := c[i*n+j0:i*n+j1], a[i*k:(i+1)*k]
			p := 0
			for ; p+4 <= k; p += 4 {
				x0, x1, x2, x3 := x[p], x[p+1], x[p+2], x[p+3]
				y0 := b[p*n+j0 : p*n+j1][:len(row)]
				y1 := b[(p+1)*n+j0 : (p+1)*n+j1][:len(row)]
				y2 := b[(p+2)*n+j0 : (p+2)*n+j1][:len(row)]
				y3 := b[(p+3)*n+j0 : (p+3)*n+j1][:len(row)]
				for j := range row {
					row[j] += x0*y0[j] + x1*y1[j] + x2*y2[j] + x3*y3[j]
				}
			}
			for ; p < k; p++ {
				x0, y0 := x[p], b[p*n+j0 : p*n+j1][:len(row)]
				for j := range row {
					row[j] += x0 * y0[j]
				}
			}
		}
	}
}

// matVec64 is matMul64 for a b of one column.
func matVec64(c, a, b []uint64, m, k int) {
	for i := range m {
		x := a[i*k : (i+1)*k]
		y := b[:len(x)]
		var sum uint64
		for p := range x {
			sum += x[p] * y[p]
		}
		c[i] += sum
	}
}

// matMulWide adds a·b to c, for elements of w words.
func matMulWide(c, a, b []uint64, m, k, n, w int) {
	if w == 2 {
		inUse.matMul128(c, a, b, m, k, n)
		return
	}
	for i := 0; i < m; i++ {
		for p := 0; p < k; p++ {
			x := a[(i*k+p)*w : (i*k+p+1)*w]
			for j := 0; j < n; j++ {
				mulAddWide(c[(i*n+j)*w:(i*n+j+1)*w], x, b[(p*n+j)*w:(p*n+j+1)*w])
			}
		}
	}
}

// matMul128 is matMulWide for elements of two words, in blocks like matMul64.
func matMul128(c, a, b []uint64, m, k, n int) {
	const block = 512
	for j0 := 0; j0 < n; j0 += block {
		j1 := min(n, j0+block)
		for i := 0; i < m; i++ {
			row, x := c[2*(i*n+j0):2*(i*n+j1)], a[2*i*k:2*(i+1)*k]
			for p := 0; p < k; p++ {
				lo, hi := x[2*p], x[2*p+1]
				y := b[2*(p*n+j0) : 2*(p*n+j1)][:len(row)]
				for j := 0; j+1 < len(row); j += 2 {
					h, l := bits.Mul64(lo, y[j])
					l, carry := bits.Add64(row[j], l, 0)
					row[j], row[j+1] = l, row[j+1]+h+lo*y[j+1]+hi*y[j]+carry
				}
			}
		}
	}
}
