package ring

import "fmt"

// MatMulDifferenceLeft sets dst = (x − y)·b for matrices m×k and k×n, as MatMul does. No vector of all of x − y is made.
func MatMulDifferenceLeft(dst, x Vec, y Stream, b Vec, m, k, n int) {
	if dst.n != m*n || x.n != m*k || y.n != x.n || b.n != k*n || x.ring != dst.ring || y.ring != dst.ring || b.ring != dst.ring {
		panic(fmt.Sprintf("ring: MatMulDifferenceLeft of %dx%d and %dx%d from %d, %d and %d elements into %d", m, k, k, n, x.n, y.n, b.n, dst.n))
	}
	if dst.w == nil || x.w == nil || y.ShapeOnly() || b.w == nil {
		return
	}
	clear(dst.w)
	// A block of the difference stays in the second-level cache.
	const rows, depth = 12, 2048
	w := dst.ring.Words()
	Parallel(m, max(1, (1<<15)/max(1, k*n*w*w)), func(lo, hi int) {
		blocks := NewUninitialised(dst.ring, min(rows, hi-lo)*min(depth, k))
		for i := lo; i < hi; i += rows {
			r := min(rows, hi-i)
			for p := 0; p < k; p += depth {
				d := min(depth, k-p)
				block := blocks.Slice(0, r*d)
				for j := range r {
					part, at := block.Slice(j*d, (j+1)*d), (i+j)*k+p
					y.Read(part, at)
					Sub(part, x.Slice(at, at+d), part)
				}
				mulAddMatrix(dst.ring, dst.w[i*n*w:(i+r)*n*w], block.w, b.w[p*n*w:(p+d)*n*w], r, d, n)
			}
		}
		blocks.Free()
	})
	dst.reduce()
}

// MatMulDifferenceRight sets dst = a·(x − y) for matrices m×k and k×n, as MatMul does. No vector of all of x − y is made where an
// element is one word.
func MatMulDifferenceRight(dst, a, x Vec, y Stream, m, k, n int) {
	if dst.n != m*n || a.n != m*k || x.n != k*n || y.n != x.n || a.ring != dst.ring || x.ring != dst.ring || y.ring != dst.ring {
		panic(fmt.Sprintf("ring: MatMulDifferenceRight of %dx%d and %dx%d from %d, %d and %d elements into %d", m, k, k, n, a.n, x.n, y.n, dst.n))
	}
	if dst.w == nil || a.w == nil || x.w == nil || y.ShapeOnly() {
		return
	}
	held := y.prg == nil && y.packed == nil
	if dst.ring.Words() > 1 || dst.ring.Cyclic {
		own := x.Clone()
		SubStream(own, y)
		MatMul(dst, a, own, 1, m, k, n)
		own.Free()
		return
	}
	if held && m <= apartRows {
		part := NewUninitialised(dst.ring, m*n)
		MatMul(dst, a, x, 1, m, k, n)
		MatMul(part, a, y.vec, 1, m, k, n)
		Sub(dst, dst, part)
		part.Free()
		return
	}
	matMulRead(dst, a, func(part Vec, at int) {
		if held {
			Sub(part, x.Slice(at, at+part.n), y.vec.Slice(at, at+part.n))
			return
		}
		y.Read(part, at)
		Sub(part, x.Slice(at, at+part.n), part)
	}, m, k, n)
}

// apartRows is the largest number of rows that are multiplied by two matrices in less time than by their difference, which is
// written first.
const apartRows = 2
