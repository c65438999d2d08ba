//go:build !purego

package ot

import "golang.org/x/sys/cpu"

//go:generate go run -C ../ring/asm . -out ../../ot/kernels_amd64.s -stubs ../../ot/stubs_amd64.go -pkg ot

func special() (list []kernels) {
	x := &cpu.X86
	if x.HasAES && x.HasAVX2 && x.HasBMI2 {
		list = append(list, kernels{"AVX2 with AES", scheduleAES, streamAES, hashAES, expandAES, correctAVX2, encodeAVX, encodeBitsBMI})
		const vaes = 1 << 9
		if features()&vaes != 0 { // leaf 7 exists where there is AVX2
			list = append(list, kernels{
				"AVX2 with VAES", scheduleAES, streamVAES256, hashVAES256, expandVAES256, correctAVX2, encodeAVX, encodeBitsBMI,
			})
		}
	}
	if x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VAES && x.HasAES && x.HasPOPCNT {
		list = append(list, kernels{
			"AVX-512 with VAES", scheduleAES, streamVAES, hashVAES, expandVAES, correctAVX512, encodeAVX, encodeBitsAVX512,
		})
	}
	return list
}

func scheduleAES(p *permutation, key Block) { schedule(&p.round[0], &key[0]) }

func streamAES(p *permutation, dst []byte, high uint64) {
	if n := len(dst) / 128; n > 0 {
		counter128(&dst[:128*n][0], n, high, &p.round[0])
	}
}

func streamVAES256(p *permutation, dst []byte, high uint64) {
	if n := len(dst) / 256; n > 0 {
		counter256(&dst[:256*n][0], n, high, &p.round[0])
	}
}

// hashBy hashes blocks by the kernel of so many lanes. The last blocks are in a group of their own. Kernels are called directly: what
// function values are called with moves to the heap.
func hashBy(lanes int, p *permutation, dst, src []Block, delta Block, at, piece uint64) {
	group := min(8*lanes, 16)
	dst = dst[:len(src)]
	if n := len(src) / group; n > 0 {
		hashGroups(lanes, &dst[0][0], &src[0][0], n, &delta[0], at, piece, &p.round[0])
	}
	if rest := len(src) % group; rest > 0 {
		var in, out [16]Block
		done := len(src) - rest
		copy(in[:], src[done:])
		hashGroups(lanes, &out[0][0], &in[0][0], 1, &delta[0], at+uint64(done), piece, &p.round[0])
		copy(dst[done:], out[:])
	}
}

func hashGroups(lanes int, dst, src *uint64, groups int, delta *uint64, at, piece uint64, keys *uint64) {
	switch lanes {
	case 1:
		hash128(dst, src, groups, delta, at, piece, keys)
	case 2:
		hash256(dst, src, groups, delta, at, piece, keys)
	default:
		hash512(dst, src, groups, delta, at, piece, keys)
	}
}

func hashAES(p *permutation, dst, src []Block, delta Block, at, piece uint64) {
	hashBy(1, p, dst, src, delta, at, piece)
}

func hashVAES256(p *permutation, dst, src []Block, delta Block, at, piece uint64) {
	hashBy(2, p, dst, src, delta, at, piece)
}

func hashVAES(p *permutation, dst, src []Block, delta Block, at, piece uint64) {
	hashBy(4, p, dst, src, delta, at, piece)
}

func expandAES(p *permutation, nodes []Block) (left, all Block) {
	n := len(nodes) / 16
	if n == 0 || len(nodes)%16 != 0 {
		return expand(p, nodes)
	}
	var sums [2]Block
	expand128(&nodes[0][0], n, &sums[0][0], &p.round[0])
	return sums[0], sums[1]
}

func expandVAES256(p *permutation, nodes []Block) (left, all Block) {
	n := len(nodes) / 32
	if n == 0 || len(nodes)%32 != 0 {
		return expandAES(p, nodes)
	}
	var sums [4]Block
	expand256(&nodes[0][0], n, &sums[0][0], &p.round[0])
	return sums[0].Xor(sums[1]), sums[2].Xor(sums[3])
}

func correctAVX2(nodes []Block, pair uint64, zero, one Block) {
	if n := len(nodes) / 2; n > 0 {
		add := [2]Block{zero, one}
		correct256(&nodes[0][0], n, pair, &add[0][0])
	}
}

func streamVAES(p *permutation, dst []byte, high uint64) {
	if n := len(dst) / 256; n > 0 {
		counter512(&dst[:256*n][0], n, high, &p.round[0])
	}
}

func expandVAES(p *permutation, nodes []Block) (left, all Block) {
	n := len(nodes) / 32
	if n == 0 || len(nodes)%32 != 0 {
		return expand(p, nodes)
	}
	var sums [8]Block
	expand512(&nodes[0][0], n, &sums[0][0], &p.round[0])
	for i := range 4 {
		left, all = left.Xor(sums[i]), all.Xor(sums[4+i])
	}
	return left, all
}

func correctAVX512(nodes []Block, pair uint64, zero, one Block) {
	n := len(nodes) / 4
	if n == 0 || len(nodes)%4 != 0 {
		correct(nodes, pair, zero, one)
		return
	}
	add := [2]Block{zero, one}
	correct512(&nodes[0][0], n, pair, &add[0][0])
}

// checkPlaces panics if places of n rows are missing, or could lie outside of secrets.
func checkPlaces(n, secrets int, places []byte, mask uint32) {
	if len(places) < 4*weight*n || uint64(mask) >= uint64(secrets) {
		panic("ot: places beyond the secrets")
	}
}

func encodeAVX(out, secrets []Block, places []byte, mask uint32) {
	checkPlaces(len(out), len(secrets), places, mask)
	if len(out) > 0 {
		encode128(&out[0][0], len(out), &secrets[0][0], uint64(mask), &places[0])
	}
}

func encodeBitsAVX512(out, secrets []uint64, places []byte, mask uint32) {
	checkPlaces(64*len(out), 64*len(secrets), places, mask)
	if len(out) > 0 {
		encodeBits512(&out[0], len(out), &secrets[0], uint64(mask), &places[0])
	}
}

func encodeBitsBMI(out, secrets []uint64, places []byte, mask uint32) {
	checkPlaces(64*len(out), 64*len(secrets), places, mask)
	if len(out) > 0 {
		encodeBits64(&out[0], len(out), &secrets[0], uint64(mask), &places[0])
	}
}
