package psi

import (
	"encoding/binary"

	"github.com/tacet-mpc/tacet/ring"
)

// Ids of streams under the seeds that the dealer has in common with the parties.
const (
	idFactor = iota // D, of the sender
	idOffset        // B, of the sender
	idMask          // A, of the receiver
)

// stream returns n words of a stream.
func stream(s ring.Seed, id uint64, n int) []uint64 {
	v := ring.NewUninitialised(ring.Z(64), n)
	ring.NewPRG(s).Vec(v, id, 0)
	return v.Words()
}

// blocks returns n uniform elements of K.
func blocks(s ring.Seed, id uint64, n int) []block {
	words, out := stream(s, id, 2*n), make([]block, n)
	for i := range out {
		out[i] = block{words[2*i], words[2*i+1]}
	}
	return out
}

// deal returns C = A·D + B of length m: what the dealer sends to the receiver, 16 bytes an entry.
func deal(sender, receiver ring.Seed, m int) []byte {
	d := newMultiplier(blocks(sender, idFactor, 1)[0])
	b, a := blocks(sender, idOffset, m), stream(receiver, idMask, m)
	out := make([]byte, 16*m)
	ring.Parallel(m, 1<<12, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c := d.times(a[i])
			binary.LittleEndian.PutUint64(out[16*i:], c[0]^b[i][0])
			binary.LittleEndian.PutUint64(out[16*i+8:], c[1]^b[i][1])
		}
	})
	return out
}
