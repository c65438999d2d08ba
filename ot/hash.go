package ot

import (
	"crypto/cipher"

	"github.com/tacet-mpc/tacet/ring"
)

// Hash is the hash function that makes strings of transfers. Both parties of a session use the same one.
type Hash struct{ pi cipher.Block }

// NewHash returns the Hash for a key that both parties know.
func NewHash(key [BlockBytes]byte) *Hash { return &Hash{newCipher(blockOf(key[:]))} }

// room is memory for one encryption: a slice of it that goes to a cipher.Block would otherwise be allocated each time.
type room [BlockBytes]byte

// words sets dst to words of the string of transfer number i, from word number first on. first is even.
func (h *Hash) words(m *room, dst []uint64, x Block, i uint64, first int) {
	px := m.encrypt(h.pi, x)
	for at := 0; at < len(dst); at += 2 {
		y := m.encrypt(h.pi, px.Xor(Block{i, uint64((first + at) / 2)})).Xor(px)
		copy(dst[at:], y[:])
	}
}

// Sent is the sender's side of consecutive random transfers: blocks Q, from which the Hash makes one string of each
// transfer, and from Q ⊕ Delta the other.
type Sent struct {
	Hash  *Hash
	Delta Block
	First uint64 // number of the first transfer in the session, in tweaks
	Q     []Block
}

// Received is the receiver's side of consecutive random transfers: the choices, and the blocks T from which the Hash
// makes the chosen strings.
type Received struct {
	Hash    *Hash
	First   uint64
	Choices ring.Bits
	T       []Block
}

// grain is the number of transfers from which strings are made on several cores.
const grain = 256

// Words returns a piece of both strings of transfers lo to hi−1: the 64-bit words first to first+each−1 of each, one
// string after the other. first must be even.
func (s *Sent) Words(lo, hi, first, each int) (zero, one []uint64) {
	zero, one = make([]uint64, (hi-lo)*each), make([]uint64, (hi-lo)*each)
	ring.Parallel(hi-lo, grain, func(a, b int) {
		m := new(room)
		for i := a; i < b; i++ {
			q, at := s.Q[lo+i], s.First+uint64(lo+i)
			s.Hash.words(m, zero[i*each:(i+1)*each], q, at, first)
			s.Hash.words(m, one[i*each:(i+1)*each], q.Xor(s.Delta), at, first)
		}
	})
	return zero, one
}

// Words returns a piece of the chosen strings of transfers lo to hi−1: the 64-bit words first to first+each−1 of each,
// one string after the other. first must be even.
func (r *Received) Words(lo, hi, first, each int) []uint64 {
	out := make([]uint64, (hi-lo)*each)
	ring.Parallel(hi-lo, grain, func(a, b int) {
		m := new(room)
		for i := a; i < b; i++ {
			r.Hash.words(m, out[i*each:(i+1)*each], r.T[lo+i], r.First+uint64(lo+i), first)
		}
	})
	return out
}
