package ot

import "crypto/cipher"

const (
	depth  = 8          // levels of a tree, and bits of Δ that a tree stands for
	leaves = 1 << depth // seeds of a tree
	trees  = Bases / depth
)

// leftHalf and rightHalf are the permutations of the generator by which a seed makes two: s ↦ π0(s) ⊕ s, π1(s) ⊕ s.
var leftHalf, rightHalf = named("tacet: left half"), named("tacet: right half")

// children returns the two seeds that a seed makes.
func children(m *room, s Block) (left, right Block) {
	return m.encrypt(leftHalf.Block, s).Xor(s), m.encrypt(rightHalf.Block, s).Xor(s)
}

// grow returns the seeds of a tree by position, and for each level from the root on the sums of all left and of all
// right seeds.
func grow(root Block) (seeds [leaves]Block, sums [depth][2]Block) {
	m := new(room)
	seeds[0] = root
	for l := range depth {
		for i := 1<<l - 1; i >= 0; i-- {
			a, b := children(m, seeds[i])
			seeds[2*i], seeds[2*i+1] = a, b
			sums[l][0], sums[l][1] = sums[l][0].Xor(a), sums[l][1].Xor(b)
		}
	}
	return seeds, sums
}

// regrow returns the seeds of a tree in the order of position ⊕ missing; the first one, at the position missing, is
// zero. sums holds for each level the sum of the seeds on the side away from the path to missing.
func regrow(missing uint64, sums [depth]Block) (seeds [leaves]Block) {
	m := new(room)
	for l := range depth {
		bit := missing >> (depth - 1 - l) & 1
		var away Block
		for i := 1<<l - 1; i > 0; i-- {
			a, b := children(m, seeds[i])
			swap(&a, &b, bit) // a continues as the path does at this level
			seeds[2*i], seeds[2*i+1] = a, b
			away = away.Xor(b)
		}
		seeds[0], seeds[1] = Block{}, sums[l].Xor(away)
	}
	return seeds
}

// ciphers returns AES under each of the seeds.
func ciphers(seeds *[leaves]Block) (out [leaves]cipher.Block) {
	for i, s := range seeds {
		out[i] = newCipher(s)
	}
	return out
}
