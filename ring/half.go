package ring

import (
	"fmt"
	"unsafe"
)

// Elements of rings of 17 to 32 bits are streamed in halves of words (uint32) where they are multiplied: a generator makes them so, and
// packed elements of 32 bits lie so in memory. Half of the bytes are then read, and nothing is spread to words first.

// InHalves reports whether products over the ring are computed in halves of words.
func (r Ring) InHalves() bool { return r.Bits > 16 && r.Bits <= 32 && !r.Cyclic && !bigEndian }

// asHalves returns the memory of w as halves of words.
func asHalves(w []uint64) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(w))), 2*len(w))
}

// halves sets dst to numbers that are elements lo, lo+1, … modulo 2^Bits; higher bits are arbitrary. room has at least len(dst) words.
// The ring is InHalves.
func (s Stream) halves(dst []uint32, lo int, room []uint64) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), 4*len(dst))
	switch {
	case s.prg != nil:
		from := s.prg.open(s.id, s.lane, 4*lo)
		from.read(bytes)
		from.free()
		return
	case s.packed != nil && s.ring.Bits == 32 && s.at%8 == 0:
		copy(bytes, s.packed[s.at/8+4*lo:])
		return
	}
	words := room[:len(dst)]
	s.Read(Vec{s.ring, len(words), words}, lo)
	for i, x := range words {
		dst[i] = uint32(x)
	}
}

// MatMulStreamLeft is MatMulStream for a left operand that is a stream.
func MatMulStreamLeft(dst Vec, a Stream, b Vec, m, k, n int) {
	if dst.n != m*n || a.n != m*k || b.n != k*n || a.ring != dst.ring || b.ring != dst.ring {
		panic(fmt.Sprintf("ring: MatMulStreamLeft of %dx%d and %dx%d from %d and %d elements into %d", m, k, k, n, a.n, b.n, dst.n))
	}
	if dst.w == nil || a.ShapeOnly() || b.w == nil {
		return
	}
	if !dst.ring.InHalves() {
		MatMul(dst, a.Vec(), b, 1, m, k, n)
		return
	}
	// A block of a and one of b stay in the second-level cache.
	const rows, depth = 12, 2048
	columns := (n + dotColumns - 1) / dotColumns * dotColumns
	length := (k + dotLength - 1) / dotLength * dotLength
	room := grab(columns * length / 2)
	across := asHalves(room) // b's columns, then columns of zeros
	for p := range k {
		for j, x := range b.w[p*n : (p+1)*n] {
			across[j*length+p] = uint32(x)
		}
	}
	Parallel((m+rows-1)/rows, max(1, (1<<15)/max(1, rows*k*n)), func(lo, hi int) {
		sums, blocks, words := reuse(rows*columns), reuse(rows*depth/2), reuse(depth)
		for i := lo * rows; i < min(hi*rows, m); i += rows {
			r := min(rows, m-i)
			sum, block := sums[:r*columns], asHalves(blocks)
			clear(sum)
			for p := 0; p < k; p += depth {
				d := min(depth, k-p)
				for q := range r {
					a.halves(block[q*depth:q*depth+d], (i+q)*k+p, words)
				}
				up := (d + dotLength - 1) / dotLength * dotLength // what block has beyond d meets zeros
				inUse.dot(sum, block, across[p:], r, up, columns, depth, length)
			}
			for q := range r {
				copy(dst.w[(i+q)*n:(i+q+1)*n], sum[q*columns:])
			}
		}
		for _, w := range [][]uint64{sums, blocks, words} {
			release(w)
		}
	})
	release(room)
	dst.reduce()
}

// matMulHalves is MatMulStream over a ring that is InHalves.
func matMulHalves(dst, a Vec, b Stream, m, k, n int) {
	// A block of b and the columns of the result that it adds to stay in the second-level cache.
	depth, columns := min(k, 128), min(512, (n/(Helpers()+1)+columnGrain-1)/columnGrain*columnGrain)
	columns = max(columns, columnGrain)
	Parallel((n+columns-1)/columns, 1, func(lo, hi int) {
		sums, blocks, words := reuse(m*columns), reuse(depth*columns/2), reuse(columns)
		block := asHalves(blocks)
		for from := lo * columns; from < min(hi*columns, n); from += columns {
			width := min(columns, n-from)
			full := (width + columnGrain - 1) / columnGrain * columnGrain // results beyond width are not used
			sum := sums[:m*full]
			clear(sum)
			for p := 0; p < k; p += depth {
				d := min(depth, k-p)
				for i := range d {
					b.halves(block[i*columns:i*columns+width], (p+i)*n+from, words)
				}
				inUse.matMul(sum, a.w[p:], block, m, d, full, k, columns)
			}
			for i := range m {
				copy(dst.w[i*n+from:i*n+from+width], sum[i*full:])
			}
		}
		for _, w := range [][]uint64{sums, blocks, words} {
			release(w)
		}
	})
	dst.reduce()
}

var portableHalves = halfKernels{dotHalves, mulHalves}

// dotHalves is the portable halfKernels.dot.
func dotHalves(c []uint64, a, b []uint32, m, k, n, lda, ldb int) {
	for i := range m {
		x := a[i*lda:][:k]
		for j := range n {
			y := b[j*ldb:][:k]
			var sum uint32
			for p := range x {
				sum += x[p] * y[p]
			}
			c[i*n+j] += uint64(sum)
		}
	}
}

// mulHalves is the portable halfKernels.matMul.
func mulHalves(c, a []uint64, b []uint32, m, k, n, lda, ldb int) {
	for i := range m {
		row := c[i*n:][:n]
		for p := range k {
			x := uint32(a[i*lda+p])
			for j, y := range b[p*ldb:][:n] {
				row[j] += uint64(x * y)
			}
		}
	}
}

// SumPayload returns the payload that a Writer makes of the elements of a + b, which are computed in blocks.
func SumPayload(a, b Stream) Payload {
	if a.ring != b.ring || a.n != b.n {
		panic(fmt.Sprintf("ring: stream of %d of %v with %d of %v", a.n, a.ring, b.n, b.ring))
	}
	if a.ShapeOnly() || b.ShapeOnly() {
		return PayloadOf(ShapeOnly(a.ring, a.n))
	}
	if !a.ring.InHalves() || a.ring.Bits < 32 {
		sum := NewUninitialised(a.ring, a.n)
		a.Read(sum, 0)
		AddStream(sum, b)
		return sum.IntoPayload()
	}
	words := reuse((a.n + 1) / 2)
	sums := asHalves(words)[:a.n]
	Parallel((a.n+partLength-1)/partLength, 16, func(lo, hi int) {
		other, room := reuse(partLength/2), reuse(partLength)
		for lo := lo * partLength; lo < min(hi*partLength, a.n); lo += partLength {
			to := sums[lo:min(lo+partLength, a.n)]
			by := asHalves(other)[:len(to)]
			a.halves(to, lo, room)
			b.halves(by, lo, room)
			for i, x := range by {
				to[i] += x
			}
		}
		release(other)
		release(room)
	})
	return Payload{Len: 4 * a.n, Data: asBytes(words)[:4*a.n]}
}
