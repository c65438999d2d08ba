package ring

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"math/bits"
	"sync"
	"unsafe"
)

// Seed is the 128-bit key of a pseudo-random generator (PRG).
type Seed [16]byte

// NewSeed returns a seed of random bytes from the operating system (crypto/rand).
func NewSeed() Seed {
	var s Seed
	rand.Read(s[:]) // does not return errors: on failure the process ends
	return s
}

// PRG expands a seed into independent streams, one for each 64-bit id and lane, by AES-128 in
// counter mode. Under one seed an (id, lane) pair must serve one purpose only.
type PRG struct {
	block cipher.Block
	keys  *roundKeys // of the kernels' blocks, if they have that
}

// roundKeys are the round keys of AES-128, in the layout of the kernel that made them.
type roundKeys [11 * aes.BlockSize]byte

// NewPRG returns a generator for the seed s.
func NewPRG(s Seed) *PRG {
	b, err := aes.NewCipher(s[:])
	if err != nil {
		panic(err) // impossible: the key has the right length
	}
	p := &PRG{block: b}
	if inUse.blocks != nil {
		p.keys = new(roundKeys)
		inUse.roundKeys(p.keys, s)
	}
	return p
}

// Seed returns a seed that is made of the first bytes of the stream (id, lane).
func (p *PRG) Seed(id uint64, lane uint8) Seed {
	var s Seed
	from := p.open(id, lane, 0)
	defer from.free()
	from.read(s[:])
	return s
}

// Vec fills v with uniform elements from the stream (id, lane): each is Ring.Drawn bytes of the stream, little
// endian, reduced to the ring's width. Over M(q) the value 2^q − 1 becomes 0, which so has twice the probability of
// others. A shape-only v is left unchanged.
func (p *PRG) Vec(v Vec, id uint64, lane uint8) {
	if v.w != nil {
		p.read(v, id, lane, 0)
	}
}

// read fills v with the elements of Vec from index lo on.
func (p *PRG) read(v Vec, id uint64, lane uint8, lo int) {
	k, size := v.ring.Words(), v.ring.Drawn()
	s := p.open(id, lane, lo*size)
	defer s.free()
	if size < 8 {
		for w := v.w; len(w) > 0; w = w[min(zeroWords, len(w)):] {
			part := w[:min(zeroWords, len(w))]
			bytes := asBytes(s.room[:])[:len(part)*size]
			s.read(bytes)
			inUse.spread(part, bytes, size, v.ring.topMask())
		}
		if v.ring.Cyclic {
			v.trim()
		}
		return
	}
	part := max(1, zeroWords/k) // elements
	for lo := 0; lo < v.n; lo += part {
		x := Vec{v.ring, min(part, v.n-lo), v.w[lo*k : min(lo+part, v.n)*k]}
		expand(s, x.w)
		x.trim()
	}
}

// Bits fills b with uniform bits from the stream (id, lane). A shape-only b is left unchanged.
func (p *PRG) Bits(b Bits, id uint64, lane uint8) {
	s := p.open(id, lane, 0)
	defer s.free()
	for w := b.w; len(w) > 0; w = w[min(zeroWords, len(w)):] {
		expand(s, w[:min(zeroWords, len(w))])
	}
	b.trim()
}

// Planes fills the vectors that one call of NewPlanes returned with uniform bits from the stream (id, lane); each
// vector uses whole 64-bit words of it.
func (p *PRG) Planes(planes []Bits, id uint64, lane uint8) {
	if len(planes) == 0 {
		return
	}
	all := planes[0].w[:planeWords(planes)] // the planes share one buffer
	p.Bits(Bits{64 * len(all), all}, id, lane)
	for _, b := range planes {
		b.trim()
	}
}

// XorPlanes sets planes ⊕= b, where b are the bits with which Planes would fill them.
func (p *PRG) XorPlanes(planes []Bits, id uint64, lane uint8) {
	s := p.open(id, lane, 0)
	defer s.free()
	left := planeWords(planes)
	var next []uint64 // unused words of the stream
	for _, b := range planes {
		for w := b.w; len(w) > 0; {
			if len(next) == 0 {
				next = s.room[:min(zeroWords, left)]
				expand(s, next)
				left -= len(next)
			}
			n := min(len(w), len(next))
			inUse.xor(w[:n], w[:n], next[:n])
			w, next = w[n:], next[n:]
		}
		b.trim()
	}
}

// planeWords is the total number of words of planes.
func planeWords(planes []Bits) int {
	words := 0
	for _, b := range planes {
		words += len(b.w)
	}
	return words
}

// open returns a stream without its first bytes. After free it must not be used.
func (p *PRG) open(id uint64, lane uint8, bytes int) *byteStream {
	s := byteStreams.Get().(*byteStream)
	s.prg, s.id, s.next = p, id, uint64(lane)<<56|uint64(bytes)/aes.BlockSize // a counter of 56 bits
	if p.keys == nil {
		var iv [aes.BlockSize]byte
		binary.BigEndian.PutUint64(iv[:8], s.id)
		binary.BigEndian.PutUint64(iv[8:], s.next)
		s.ctr = cipher.NewCTR(p.block, iv[:])
	}
	if skip := bytes % aes.BlockSize; skip > 0 {
		s.read(asBytes(s.room[:2])[:skip])
	}
	return s
}

// byteStreams holds streams that are not in use: kernels get pointers into a stream, so each would be allocated.
var byteStreams = sync.Pool{New: func() any { return &byteStream{} }}

// free returns the stream for reuse.
func (s *byteStream) free() {
	s.prg, s.ctr, s.left = nil, nil, 0
	byteStreams.Put(s)
}

// byteStream is a pseudo-random stream of bytes: the encryptions of blocks of id and next, big endian.
type byteStream struct {
	prg      *PRG
	id, next uint64
	ctr      cipher.Stream // the stream where kernels have none
	last     [aes.BlockSize]byte
	left     int               // bytes at the end of last that were not read
	room     [zeroWords]uint64 // a buffer for the one who reads
}

// read sets b to the next bytes.
func (s *byteStream) read(b []byte) {
	if s.ctr != nil {
		for len(b) > 0 {
			n := min(len(b), len(zeros))
			s.ctr.XORKeyStream(b[:n], zeros[:n])
			b = b[n:]
		}
		return
	}
	if s.left > 0 {
		n := copy(b, s.last[len(s.last)-s.left:])
		s.left -= n
		b = b[n:]
	}
	n := len(b) / aes.BlockSize
	s.blocks(b[:n*aes.BlockSize])
	if b = b[n*aes.BlockSize:]; len(b) > 0 {
		s.blocks(s.last[:])
		s.left = len(s.last) - copy(b, s.last[:])
	}
}

// blocks sets b to the next whole blocks.
func (s *byteStream) blocks(b []byte) {
	if n := len(b) / aes.BlockSize; n > 0 {
		inUse.blocks(&b[0], s.prg.keys, s.id, s.next, n)
		s.next += uint64(n)
	}
}

// zeros are the input of the stream cipher, some words at a time, so that the output stays in the
// cache.
var zeros [8 * zeroWords]byte

const zeroWords = 1 << 9

// expand writes the next words of a stream.
func expand(s *byteStream, w []uint64) {
	s.read(asBytes(w))
	if bigEndian {
		for i, x := range w {
			w[i] = bits.ReverseBytes64(x)
		}
	}
}

// asBytes is the memory of words.
func asBytes(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w))
}

// bigEndian is whether words must be byte-swapped, so that all machines expand a seed to the same
// elements.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1
