package ot

import (
	"encoding/binary"

	"github.com/tacet-mpc/tacet/ring"
)

// rows is a matrix of Bases rows of n bits.
type rows struct {
	n    int
	data []byte
}

func newRows(n int) *rows { return &rows{n, make([]byte, Bases*n/8)} }

// of returns the rows that tree b fills.
func (m *rows) of(b int) (out [depth][]byte) {
	for j := range out {
		i := b*depth + j
		out[j] = m.data[i*m.n/8 : (i+1)*m.n/8]
	}
	return out
}

// transposed returns the columns.
func (m *rows) transposed() []Block {
	out := make([]Block, m.n)
	ring.Parallel(m.n/64, 16, func(lo, hi int) {
		var square [64]uint64
		for g := lo; g < hi; g++ {
			for half := range 2 {
				for i := range square {
					square[i] = binary.LittleEndian.Uint64(m.data[(half*64+i)*m.n/8+8*g:])
				}
				transpose(&square)
				for i, w := range square {
					out[64*g+i][half] = w
				}
			}
		}
	})
	return out
}

// transpose exchanges bit j of word i with bit i of word j.
func transpose(a *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	for s := 32; s > 0; s >>= 1 {
		for i := 0; i < 64; i = (i + s + 1) &^ s {
			d := (a[i]>>s ^ a[i+s]) & mask
			a[i] ^= d << s
			a[i+s] ^= d
		}
		mask ^= mask << (s >> 1)
	}
}
