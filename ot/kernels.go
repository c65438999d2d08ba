package ot

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
)

// permutation is AES-128 under a key that both parties know.
type permutation struct {
	cipher.Block
	round [22]uint64 // the round keys, for kernels in assembly
}

// newPermutation returns the permutation of a key.
func newPermutation(key Block) *permutation {
	p := &permutation{Block: newCipher(key)}
	inUse.schedule(p, key)
	return p
}

// kernels are the inner loops that have implementations for some machines' instructions. The portable one is their
// specification: results are equal to the last bit.
type kernels struct {
	name     string
	schedule func(p *permutation, key Block)
	// stream sets dst, of a multiple of 256 bytes and at most 2^20, to the key stream of CTR. high is the initial counter's
	// first word; the other one is 0.
	stream func(p *permutation, dst []byte, high uint64)
	// hash sets block i of dst to π(π(x) ⊕ (at + i, piece)) ⊕ π(x), x = src[i] ⊕ delta.
	hash func(p *permutation, dst, src []Block, delta Block, at, piece uint64)
	// expand replaces the first half of nodes by the children of its nodes. It returns the sums of the left children and
	// of the nodes.
	expand func(p *permutation, nodes []Block) (left, all Block)
	// correct adds zero to nodes[2·pair] and one to nodes[2·pair + 1]. Memory accesses do not depend on pair.
	correct func(nodes []Block, pair uint64, zero, one Block)
	// encode adds ten secrets to each block of out: those at the places, 32-bit numbers of which the mask's bits count.
	// encodeBits is encode of bits.
	encode     func(out, secrets []Block, places []byte, mask uint32)
	encodeBits func(out, secrets []uint64, places []byte, mask uint32)
}

var portable = kernels{"portable Go", func(*permutation, Block) {}, keyStream, hash, expand, correct, encode, encodeBits}

// available lists the kernels that this machine can run, the fastest last.
func available() []kernels { return append([]kernels{portable}, special()...) }

// inUse is the fastest kernel, chosen at start-up.
var inUse = func() kernels {
	all := available()
	return all[len(all)-1]
}()

func keyStream(p *permutation, dst []byte, high uint64) {
	var iv [aes.BlockSize]byte
	binary.LittleEndian.PutUint64(iv[:8], high)
	clear(dst)
	cipher.NewCTR(p.Block, iv[:]).XORKeyStream(dst, dst)
}

func hash(p *permutation, dst, src []Block, delta Block, at, piece uint64) {
	m := new(room)
	for i, x := range src {
		px := m.encrypt(p.Block, x.Xor(delta))
		dst[i] = m.encrypt(p.Block, px.Xor(Block{at + uint64(i), piece})).Xor(px)
	}
}

// expand computes H(x) = π(σ(x)) ⊕ σ(x), σ(a, b) = (a ⊕ b, a), for the left child of x; the right one is the sum of both.
// H is circular correlation robust (π(x) ⊕ x is not).
func expand(p *permutation, nodes []Block) (left, all Block) {
	m := new(room)
	for i := len(nodes)/2 - 1; i >= 0; i-- {
		x := nodes[i]
		s := Block{x[0] ^ x[1], x[0]}
		h := m.encrypt(p.Block, s).Xor(s)
		nodes[2*i], nodes[2*i+1] = h, h.Xor(x)
		left, all = left.Xor(h), all.Xor(x)
	}
	return left, all
}

func correct(nodes []Block, pair uint64, zero, one Block) {
	for i := range len(nodes) / 2 {
		here := same(uint64(i), pair)
		nodes[2*i] = nodes[2*i].Xor(zero.mask(here))
		nodes[2*i+1] = nodes[2*i+1].Xor(one.mask(here))
	}
}

func encode(out, secrets []Block, places []byte, mask uint32) {
	for i, x := range out {
		for j := range weight {
			y := secrets[binary.LittleEndian.Uint32(places[4*(i*weight+j):])&mask]
			x[0] ^= y[0]
			x[1] ^= y[1]
		}
		out[i] = x
	}
}

func encodeBits(out, secrets []uint64, places []byte, mask uint32) {
	for i := range len(out) * 64 {
		x := uint64(0)
		for j := range weight {
			p := binary.LittleEndian.Uint32(places[4*(i*weight+j):]) & mask
			x ^= secrets[p/64] >> (p % 64)
		}
		out[i/64] ^= x & 1 << (i % 64)
	}
}
