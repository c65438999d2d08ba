package joins

import (
	"encoding/binary"

	"github.com/tacet-mpc/tacet/ring"
)

// Ids of a VOLE's streams under the seeds that the dealer has in common with the parties.
const (
	Factor = iota // D, of the sender
	Offset        // C, of the receiver
	Mask          // A, of the receiver
)

// MaxEntries is the largest length of a VOLE.
const MaxEntries = 1 << 25

// Stream returns n words of a stream under a seed.
func Stream(s ring.Seed, id uint64, n int) []uint64 {
	v := ring.NewUninitialised(ring.Z(64), n)
	ring.NewPRG(s).Vec(v, id, 0)
	return v.Words()
}

// Blocks returns n uniform elements of K: a stream, two words each.
func Blocks(s ring.Seed, id uint64, n int) []Block {
	words, out := Stream(s, id, 2*n), make([]Block, n)
	for i := range out {
		out[i] = Block{words[2*i], words[2*i+1]}
	}
	return out
}

// VOLEBytes returns the size of what VOLE returns.
func VOLEBytes(m int) int { return 16 * m }

// VOLE returns B = A·D + C of length m, which the dealer sends to the sender. C is uniform and the receiver's, so B is uniform to the
// sender.
func VOLE(sender, receiver ring.Seed, m int) []byte {
	d := NewMultiplier(Blocks(sender, Factor, 1)[0])
	c, a := Blocks(receiver, Offset, m), Stream(receiver, Mask, m)
	out := make([]byte, VOLEBytes(m))
	ring.Parallel(m, 1<<12, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b := d.Times(a[i])
			binary.LittleEndian.PutUint64(out[16*i:], b[0]^c[i][0])
			binary.LittleEndian.PutUint64(out[16*i+8:], b[1]^c[i][1])
		}
	})
	return out
}
