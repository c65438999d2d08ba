package ring

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Permutations fills index with uniformly random permutations, each of rows elements: of 0 … rows−1, then of rows …
// 2·rows−1, and so on. They use as much of the stream (id, lane) as they need (Fisher–Yates shuffle, with Lemire's
// method to draw below a bound).
func (p *PRG) Permutations(index []int32, rows int, id uint64, lane uint8) {
	if len(index) == 0 {
		return
	}
	if rows < 1 || len(index)%rows != 0 {
		panic(fmt.Sprintf("ring: permutations of %d of %d elements", rows, len(index)))
	}
	stream := p.open(id, lane, 0)
	defer stream.free()
	var buf [4096]byte
	at := len(buf)
	next := func() uint64 {
		if at == len(buf) {
			stream.read(buf[:])
			at = 0
		}
		at += 8
		return binary.LittleEndian.Uint64(buf[at-8:])
	}
	below := func(n uint64) uint64 {
		hi, lo := bits.Mul64(next(), n)
		if lo < n {
			for least := -n % n; lo < least; {
				hi, lo = bits.Mul64(next(), n)
			}
		}
		return hi
	}
	for i := range index {
		index[i] = int32(i)
	}
	for ; len(index) > 0; index = index[rows:] {
		for i := rows - 1; i > 0; i-- {
			j := below(uint64(i) + 1)
			index[i], index[j] = index[j], index[i]
		}
	}
}

// Gather sets dst[i] = a[index[i]]; dst has the length of index. Memory addresses depend on index, so this party must
// know it: a public permutation, or the party's own.
func Gather(dst, a Vec, index []int32) {
	if dst.ring != a.ring || dst.n != len(index) {
		panic(fmt.Sprintf("ring: gather %d of %v as %d of %v", len(index), a.ring, dst.n, dst.ring))
	}
	if dst.w == nil || a.w == nil {
		return
	}
	k := dst.ring.Words()
	if k == 1 {
		for i, j := range index {
			dst.w[i] = a.w[j]
		}
		return
	}
	for i, j := range index {
		copy(dst.w[i*k:(i+1)*k], a.w[int(j)*k:])
	}
}
