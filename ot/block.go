package ot

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
)

// Block is a string of 128 bits; bit i is bit i mod 64 of word i/64.
type Block [2]uint64

// BlockBytes is the length of a Block in messages.
const BlockBytes = 16

// Xor returns b ⊕ c.
func (b Block) Xor(c Block) Block { return Block{b[0] ^ c[0], b[1] ^ c[1]} }

// mask returns b if bit is 1 and the zero Block if it is 0.
func (b Block) mask(bit uint64) Block { return Block{b[0] & -bit, b[1] & -bit} }

// swap exchanges a and b if bit is 1.
func swap(a, b *Block, bit uint64) {
	d := a.Xor(*b).mask(bit)
	*a, *b = a.Xor(d), b.Xor(d)
}

func (b Block) bytes() (out [BlockBytes]byte) {
	binary.LittleEndian.PutUint64(out[:8], b[0])
	binary.LittleEndian.PutUint64(out[8:], b[1])
	return out
}

func blockOf(b []byte) Block {
	return Block{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:16])}
}

func appendBlock(dst []byte, b Block) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, b[0])
	return binary.LittleEndian.AppendUint64(dst, b[1])
}

// newCipher returns AES-128 under the key b.
func newCipher(b Block) cipher.Block {
	key := b.bytes()
	c, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // the key has 16 bytes
	}
	return c
}

// named returns AES-128 under a public key that follows from a name.
func named(name string) *permutation {
	sum := sha256.Sum256([]byte(name))
	return newPermutation(blockOf(sum[:]))
}

// room is memory for one encryption: a slice of it that goes to a cipher.Block would otherwise be allocated each time.
type room [BlockBytes]byte

// encrypt returns π(b).
func (m *room) encrypt(pi cipher.Block, b Block) Block {
	binary.LittleEndian.PutUint64(m[:8], b[0])
	binary.LittleEndian.PutUint64(m[8:], b[1])
	pi.Encrypt(m[:], m[:])
	return blockOf(m[:])
}
