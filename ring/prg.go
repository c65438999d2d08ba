package ring

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// Seed is the key of a pseudo-random generator.
type Seed [16]byte

// NewSeed draws a seed from the operating system.
func NewSeed() Seed {
	var s Seed
	rand.Read(s[:]) // never fails: it ends the process rather than return
	return s
}

// PRG expands a seed into independent streams, one for each 64-bit id and
// lane, by AES-128 in counter mode. Under one seed an (id, lane) pair must
// serve one purpose only.
type PRG struct{ block cipher.Block }

// NewPRG makes a generator from a seed.
func NewPRG(s Seed) *PRG {
	b, err := aes.NewCipher(s[:])
	if err != nil {
		panic(err) // the key's length is right
	}
	return &PRG{b}
}

// Seed derives another seed from a stream.
func (p *PRG) Seed(id uint64, lane uint8) Seed {
	var s Seed
	p.stream(id, lane).XORKeyStream(s[:], s[:])
	return s
}

// Vec fills v with uniform elements: Words words of the stream each, of which
// the ring's width counts. Over M(q) all ones are 0, which so has twice the
// probability of others.
func (p *PRG) Vec(v Vec, id uint64, lane uint8) {
	if v.w == nil {
		return
	}
	k := v.ring.Words()
	part := max(1, zeroWords/k) // elements
	s := p.stream(id, lane)
	for lo := 0; lo < v.n; lo += part {
		x := Vec{v.ring, min(part, v.n-lo), v.w[lo*k : min(lo+part, v.n)*k]}
		expand(s, x.w)
		x.trim()
	}
}

// Bits fills b with uniform bits.
func (p *PRG) Bits(b Bits, id uint64, lane uint8) {
	s := p.stream(id, lane)
	for w := b.w; len(w) > 0; w = w[min(zeroWords, len(w)):] {
		expand(s, w[:min(zeroWords, len(w))])
	}
	b.trim()
}

func (p *PRG) stream(id uint64, lane uint8) cipher.Stream {
	var iv [aes.BlockSize]byte // id, lane, and 56 bits of counter
	binary.BigEndian.PutUint64(iv[:8], id)
	iv[8] = lane
	return cipher.NewCTR(p.block, iv[:])
}

// zeros are what streams are added to, some words at a time: what is made of
// them stays in the cache.
var zeros [8 * zeroWords]byte

const zeroWords = 1 << 9

// expand writes the next words of a stream, zeroWords at most.
func expand(s cipher.Stream, w []uint64) {
	if len(w) == 0 {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), len(w)*8)
	s.XORKeyStream(b, zeros[:len(b)])
	if bigEndian {
		for i, x := range w {
			w[i] = bits.ReverseBytes64(x)
		}
	}
}

// bigEndian machines swap bytes, so that all machines expand a seed alike.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1
