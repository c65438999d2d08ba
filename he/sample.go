package he

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math"
	"math/bits"
)

// sigma is the standard deviation of the noise.
const sigma = 3.2

// SeedBytes is the length of a Seed in bytes.
const SeedBytes = 16

// Seed is a key of AES-128, whose stream in counter mode is the randomness of one purpose.
type Seed [SeedBytes]byte

// Derive returns the seed for a purpose: a hash of seed, purpose and numbers, which together must name one use.
func Derive(seed Seed, purpose string, numbers ...uint64) Seed {
	h := sha256.New()
	h.Write(seed[:])
	for _, n := range numbers {
		h.Write(binary.LittleEndian.AppendUint64(nil, n))
	}
	h.Write([]byte(purpose))
	return Seed(h.Sum(nil)[:SeedBytes])
}

// Draw returns a seed that it reads from random. It panics if random fails.
func Draw(random io.Reader) Seed {
	var s Seed
	if _, err := io.ReadFull(random, s[:]); err != nil {
		panic("he: no randomness") // crypto/rand does not fail
	}
	return s
}

// stream is AES-128 in counter mode under a seed.
type stream struct {
	c   cipher.Stream
	buf [4096]byte
	at  int
}

func newStream(s Seed) *stream {
	block, err := aes.NewCipher(s[:])
	if err != nil {
		panic(err) // the key has the right length
	}
	return &stream{c: cipher.NewCTR(block, make([]byte, aes.BlockSize)), at: 4096}
}

func (s *stream) word() uint64 {
	if s.at == len(s.buf) {
		clear(s.buf[:])
		s.c.XORKeyStream(s.buf[:], s.buf[:])
		s.at = 0
	}
	s.at += 8
	return binary.LittleEndian.Uint64(s.buf[s.at-8:])
}

// uniform returns a polynomial that is uniform modulo each prime. Draws that are too large are repeated, which the seed
// alone decides.
func (b *basis) uniform(seed Seed) poly {
	s, p := newStream(seed), b.room()
	for i, m := range b.m {
		mask := uint64(1)<<bits.Len64(m.q) - 1
		for j := range p[i] {
			v := s.word() & mask
			for v >= m.q {
				v = s.word() & mask
			}
			p[i][j] = v
		}
	}
	return p
}

// ternary returns n numbers of −1, 0 and 1, each with probability ⅓ up to 2^-64.
func (s *stream) ternary(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		hi, _ := bits.Mul64(s.word(), 3)
		out[i] = int64(hi) - 1
	}
	return out
}

// tails holds ⌊2^63·P(|x| > k)⌋ of the noise, for each k at which that is not 0.
var tails = func() (out []uint64) {
	weight := func(k int) float64 { return 2 * math.Exp(-float64(k*k)/(2*sigma*sigma)) }
	sum := 1.0
	for k := 1; k < 60; k++ {
		sum += weight(k)
	}
	for k := 0; ; k++ {
		tail := 0.0
		for j := 59; j > k; j-- {
			tail += weight(j)
		}
		t := uint64(math.Ldexp(tail/sum, 63))
		if t == 0 {
			return out
		}
		out = append(out, t)
	}
}()

// noise returns n numbers of a discrete Gaussian distribution of standard deviation sigma, up to a statistical distance
// of 2^-50. Each is compared with the whole table.
func (s *stream) noise(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		w := s.word()
		r, sign := w>>1, -(w & 1)
		x := uint64(0)
		for _, t := range tails {
			x += (r - t) >> 63 // 1 if r < t
		}
		out[i] = int64((x ^ sign) - sign)
	}
	return out
}
