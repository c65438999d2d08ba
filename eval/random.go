package eval

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/tensor"
)

// randomBits fills a tensor with the output of a counter-based generator and returns the next
// state, bit for bit like XLA. The state is [key, counter], for PHILOX also [key, low counter, high
// counter]. DEFAULT is PHILOX, as on XLA's CPU backend.
func randomBits(c *call) ([]*tensor.Array, error) {
	t := c.result(1)
	s := c.args[0].Words()
	if c.op.Attrs.Str("rng_algorithm") == threeFryName {
		words, used := threeFryBits(s[0], s[1], t.Shape, t.DType.Bits() == 64)
		return generated(c, []uint64{s[0], s[1] + used}, words), nil
	}
	words, next := philoxBits(s, t.Shape.Size(), t.DType.Bits() == 64)
	return generated(c, next, words), nil
}

func generated(c *call, state, words []uint64) []*tensor.Array {
	t := c.result(1)
	return []*tensor.Array{
		tensor.FromWords(tensor.U64, c.args[0].Shape, state),
		tensor.FromWords(t.DType, t.Shape, words),
	}
}

// threeFryBits runs the generator on successive counters. A block gives one 64-bit element, or two
// narrower elements from its two words, which are split along the first even dimension, or along
// the longest one if all are odd (the last word is then dropped). used is the number of blocks.
func threeFryBits(key, counter uint64, shape tensor.Shape, double bool) (words []uint64, used uint64) {
	n := shape.Size()
	words = make([]uint64, n)
	if double {
		for i := range words {
			words[i] = threeFry(key, counter+uint64(i))
		}
		return words, uint64(n)
	}
	if n == 0 {
		return words, 0
	}
	split, length := splitDim(shape)
	inner, half := 1, (length+1)/2
	if len(shape) > 0 {
		inner = shape[split+1:].Size()
	}
	for i := range words {
		at, outer := i/inner%length, i/inner/length
		block := (outer*half+at/2)*inner + i%inner
		words[i] = threeFry(key, counter+uint64(block)) >> (32 * (at % 2)) & 0xffffffff
	}
	return words, uint64(n / length * half)
}

// splitDim returns the dimension along which the two words of blocks are split, and its padded
// length.
func splitDim(shape tensor.Shape) (dim, length int) {
	length = 1
	for d, n := range shape {
		if n%2 == 0 {
			return d, n
		}
		if n > length {
			dim, length = d, n
		}
	}
	return dim, length
}

// threeFry is Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as
// easy as 1, 2, 3, SC 2011), low word first.
func threeFry(key, counter uint64) uint64 {
	const parity = 0x1bd11bda
	rotations := [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}
	k := [3]uint32{uint32(key), uint32(key >> 32), uint32(key) ^ uint32(key>>32) ^ parity}
	x, y := uint32(counter)+k[0], uint32(counter>>32)+k[1]
	for i := range 5 {
		for _, r := range rotations[i%2] {
			x += y
			y = bits.RotateLeft32(y, r) ^ x
		}
		x += k[(i+1)%3]
		y += k[(i+2)%3] + uint32(i+1)
	}
	return uint64(y)<<32 | uint64(x)
}

// philoxBits runs the generator on successive 128-bit counters; a block gives four words or two
// 64-bit elements. In a state without a high counter the key takes its place. It returns the state
// after the last counter.
func philoxBits(state []uint64, n int, double bool) (words, next []uint64) {
	key, low, high := state[0], state[1], state[0]
	if len(state) == 3 {
		high = state[2]
	}
	words = make([]uint64, 0, n+3)
	for len(words) < n {
		a, b := philox(key, low, high)
		if double {
			words = append(words, a, b)
		} else {
			words = append(words, a&0xffffffff, a>>32, b&0xffffffff, b>>32)
		}
		if low++; low == 0 {
			high++
		}
	}
	next = []uint64{key, low}
	if len(state) == 3 {
		next = append(next, high)
	}
	return words[:n], next
}

// philox is Philox-4x32 with 10 rounds, from the same paper.
func philox(key, low, high uint64) (a, b uint64) {
	k0, k1 := uint32(key), uint32(key>>32)
	c := [4]uint32{uint32(low), uint32(low >> 32), uint32(high), uint32(high >> 32)}
	for range 10 {
		h0, l0 := bits.Mul32(0xd2511f53, c[0])
		h1, l1 := bits.Mul32(0xcd9e8d57, c[2])
		c = [4]uint32{h1 ^ c[1] ^ k0, l1, h0 ^ c[3] ^ k1, l0}
		k0 += 0x9e3779b9
		k1 += 0xbb67ae85
	}
	return uint64(c[1])<<32 | uint64(c[0]), uint64(c[3])<<32 | uint64(c[2])
}
