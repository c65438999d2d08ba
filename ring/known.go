package ring

import (
	"fmt"
	"math"
	"slices"
)

// Sparse is a vector most of whose elements are zero, as the places and words of the others. A party makes it of a vector that it knows.
type Sparse struct {
	ring  Ring
	n     int
	at    []uint32 // ascending
	words []uint64
}

// sparsest is the number of elements among which at most one of a Sparse is not zero, and leastSparse the least length of one.
const (
	sparsest    = 16
	leastSparse = 1 << 12
)

// SparseOf returns v as a Sparse; nil if more than one of 16 elements is not zero, if v is short, or if an element is not one word.
func SparseOf(v Vec) *Sparse {
	if v.w == nil || v.n < leastSparse || v.n > math.MaxUint32 || v.ring.Words() > 1 || v.ring.Cyclic {
		return nil
	}
	x := &Sparse{ring: v.ring, n: v.n}
	for i, w := range v.w {
		if w == 0 {
			continue
		}
		if len(x.at) == v.n/sparsest {
			return nil
		}
		x.at, x.words = append(x.at, uint32(i)), append(x.words, w)
	}
	x.at, x.words = slices.Clip(x.at), slices.Clip(x.words)
	return x
}

// MatMulLeft sets dst = x·b for matrices m×k and k×n, as MatMul does.
func (x *Sparse) MatMulLeft(dst, b Vec, m, k, n int) {
	x.check(dst, b, m*n, k*n, m*k)
	if dst.w == nil || b.w == nil {
		return
	}
	clear(dst.w)
	Parallel(m, max(1, (1<<15)/max(1, n*len(x.at)/max(1, m))), func(lo, hi int) {
		q, _ := slices.BinarySearch(x.at, uint32(lo*k))
		for i := lo; i < hi; i++ {
			to := dst.w[i*n : (i+1)*n]
			for ; q < len(x.at) && int(x.at[q]) < (i+1)*k; q++ {
				p := int(x.at[q]) - i*k
				w, from := x.words[q], b.w[p*n : (p+1)*n][:len(to)]
				for j := range to {
					to[j] += w * from[j]
				}
			}
		}
	})
	dst.reduce()
}

// MatMulRight sets dst = a·x for matrices m×k and k×n, as MatMul does.
func (x *Sparse) MatMulRight(dst, a Vec, m, k, n int) {
	x.check(dst, a, m*n, m*k, k*n)
	if dst.w == nil || a.w == nil {
		return
	}
	clear(dst.w)
	Parallel(m, max(1, (1<<15)/max(1, len(x.at))), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, q := dst.w[i*n:(i+1)*n], 0
			for p := range k {
				w := a.w[i*k+p]
				for ; q < len(x.at) && int(x.at[q]) < (p+1)*n; q++ {
					to[int(x.at[q])-p*n] += w * x.words[q]
				}
			}
		}
	})
	dst.reduce()
}

func (x *Sparse) check(dst, other Vec, out, of, own int) {
	if dst.n != out || other.n != of || x.n != own || dst.ring != x.ring || other.ring != x.ring {
		panic(fmt.Sprintf("ring: a sparse product of %d of %v and %d of %v into %d of %v", x.n, x.ring, other.n, other.ring, dst.n, dst.ring))
	}
}

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
