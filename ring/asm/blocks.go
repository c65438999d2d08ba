package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// aes128 is AES-128 on vectors of four blocks.
type aes128 struct{ keys [11]VecVirtual }

// newAES128 loads the round keys from the argument keys.
func newAES128() (a aes128) {
	from := Load(Param("keys"), GP64())
	for i := range a.keys {
		a.keys[i] = ZMM()
		VBROADCASTI64X2(Mem{Base: from, Disp: 16 * i}, a.keys[i])
	}
	return a
}

// encrypt replaces blocks by their encryptions.
func (a aes128) encrypt(xs []VecVirtual) {
	for i, key := range a.keys {
		for _, x := range xs {
			switch {
			case i == 0:
				VPXORQ(key, x, x)
			case i == len(a.keys)-1:
				VAESENCLAST(key, x, x)
			default:
				VAESENC(key, x, x)
			}
		}
	}
}

// pair is the 16 bytes at p in all lanes.
func pairOf(p Mem) VecVirtual {
	z := ZMM()
	VBROADCASTI64X2(p, z)
	return z
}

// transfers generates the kernels of package ot.
func transfers() {
	const needs = "AVX512F, AVX512DQ and VAES"
	const four = 4 // vectors of four blocks at a time

	TEXT("schedule", NOSPLIT, "func(keys *uint64, key *uint64)")
	Pragma("noescape")
	Doc("schedule sets keys to the 11 round keys of AES-128. It needs AES and AVX.")
	to, from := Load(Param("keys"), GP64()), Load(Param("key"), GP64())
	x, t, shifted := XMM(), XMM(), XMM()
	VMOVDQU(Mem{Base: from}, x)
	VMOVDQU(x, Mem{Base: to})
	for i, constant := range []uint64{1, 2, 4, 8, 16, 32, 64, 128, 27, 54} {
		VAESKEYGENASSIST(Imm(constant), x, t)
		VPSHUFD(Imm(0xff), t, t)
		for range 3 {
			VPSLLDQ(Imm(4), x, shifted)
			VPXOR(shifted, x, x)
		}
		VPXOR(t, x, x)
		VMOVDQU(x, Mem{Base: to, Disp: 16 * (i + 1)})
	}
	RET()

	TEXT("hash512", NOSPLIT, "func(dst *uint64, src *uint64, groups int, delta *uint64, at uint64, piece uint64, keys *uint64)")
	Pragma("noescape")
	Doc("hash512 sets block i of dst to π(π(x) ⊕ (at + i, piece)) ⊕ π(x), x block i of src plus delta, for groups of 16 blocks.",
		"It needs "+needs+".")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("groups"), GP64())
	delta := pairOf(Mem{Base: Load(Param("delta"), GP64())})
	pi := newAES128()
	tweak, piece, step := broadcast("at"), broadcast("piece"), permuted("fourBlocks", 4, 0, 4, 0, 4, 0, 4, 0)
	VPADDQ(permuted("ofBlocks", 0, 0, 1, 0, 2, 0, 3, 0), tweak, tweak)
	odd := K()
	{
		mask := GP32()
		MOVL(U32(0xaa), mask)
		KMOVW(mask, odd)
	}
	VMOVDQA64(piece, odd, tweak)
	Label("hash512loop")
	var xs, ys []VecVirtual
	for i := range four {
		x := loaded(Mem{Base: src, Disp: 64 * i})
		VPXORQ(delta, x, x)
		xs = append(xs, x)
	}
	pi.encrypt(xs)
	for i := range xs {
		y := ZMM()
		VPXORQ(tweak, xs[i], y)
		VPADDQ(step, tweak, tweak)
		ys = append(ys, y)
	}
	pi.encrypt(ys)
	for i, y := range ys {
		VPXORQ(xs[i], y, y)
		VMOVDQU64(y, Mem{Base: dst, Disp: 64 * i})
	}
	ADDQ(U32(64*four), src)
	ADDQ(U32(64*four), dst)
	DECQ(n)
	JNZ(LabelRef("hash512loop"))
	VZEROUPPER()
	RET()

	TEXT("expand512", NOSPLIT, "func(nodes *uint64, groups int, sums *uint64, keys *uint64)")
	Pragma("noescape")
	Doc("expand512 replaces groups of 16 nodes of a half-tree by their children, and sets sums to four blocks whose sum is that of",
		"the left children, and four for the nodes. It needs "+needs+".")
	nodes := Load(Param("nodes"), GP64())
	n = Load(Param("groups"), GP64())
	sums := Load(Param("sums"), GP64())
	pi = newAES128()
	first, second := permuted("firstChildren", 0, 1, 8, 9, 2, 3, 10, 11), permuted("secondChildren", 4, 5, 12, 13, 6, 7, 14, 15)
	even := K()
	{
		mask := GP32()
		MOVL(U32(0x55), mask)
		KMOVW(mask, even)
	}
	left, all := ZMM(), ZMM()
	VPXORQ(left, left, left)
	VPXORQ(all, all, all)
	src, dst = GP64(), GP64()
	MOVQ(n, src)
	SHLQ(Imm(8), src)
	LEAQ(Mem{Base: nodes, Index: src, Scale: 2}, dst)
	ADDQ(nodes, src)
	Label("expand512loop") // from the last group to the first: children take the places of nodes that were read
	SUBQ(U32(256), src)
	SUBQ(U32(512), dst)
	var given []VecVirtual
	xs, ys = nil, nil
	for i := range four {
		x, s, y := loaded(Mem{Base: src, Disp: 64 * i}), ZMM(), ZMM()
		VPSHUFD(Imm(0x4e), x, s) // σ(a, b) = (a ⊕ b, a)
		VPXORQ(x, s, even, s)
		VMOVDQA64(s, y)
		given, xs, ys = append(given, x), append(xs, s), append(ys, y)
	}
	pi.encrypt(ys)
	for i, h := range ys {
		VPXORQ(xs[i], h, h)
		VPXORQ(h, left, left)
		VPXORQ(given[i], all, all)
		right, low := given[i], ZMM()
		VPXORQ(h, right, right)
		VMOVDQA64(h, low)
		VPERMT2Q(right, first, low)
		VPERMT2Q(right, second, h)
		VMOVDQU64(low, Mem{Base: dst, Disp: 128 * i})
		VMOVDQU64(h, Mem{Base: dst, Disp: 128*i + 64})
	}
	DECQ(n)
	JNZ(LabelRef("expand512loop"))
	VMOVDQU64(left, Mem{Base: sums})
	VMOVDQU64(all, Mem{Base: sums, Disp: 64})
	VZEROUPPER()
	RET()

	TEXT("correct512", NOSPLIT, "func(nodes *uint64, groups int, pair uint64, add *uint64)")
	Pragma("noescape")
	Doc("correct512 adds two blocks to a pair of nodes among groups of two pairs; addresses do not depend on which. It needs AVX512F",
		"and AVX512DQ.")
	nodes = Load(Param("nodes"), GP64())
	n = Load(Param("groups"), GP64())
	at := broadcast("pair")
	add := ZMM()
	VBROADCASTI64X4(Mem{Base: Load(Param("add"), GP64())}, add)
	index, two := permuted("pairs", 0, 0, 0, 0, 1, 1, 1, 1), words(2)
	here := K()
	Label("correct512loop")
	z := loaded(Mem{Base: nodes})
	VPCMPEQQ(at, index, here)
	VPXORQ(add, z, here, z)
	VMOVDQU64(z, Mem{Base: nodes})
	VPADDQ(two, index, index)
	ADDQ(Imm(64), nodes)
	DECQ(n)
	JNZ(LabelRef("correct512loop"))
	VZEROUPPER()
	RET()

	const weight = 10
	TEXT("counter512", NOSPLIT, "func(dst *byte, groups int, high uint64, keys *uint64)")
	Pragma("noescape")
	Doc("counter512 sets block i of dst, in groups of 16 blocks, to π of the block whose first word is high and whose other one is i with its bytes",
		"turned around, i below 2^16. It needs AVX512F and VAES.")
	dst, n = Load(Param("dst"), GP64()), Load(Param("groups"), GP64())
	fixed := broadcast("high")
	pi = newAES128()
	count, step := permuted("countBlocks", 0, 0, 0, 1, 0, 2, 0, 3), permuted("fourCounts", 0, 4, 0, 4, 0, 4, 0, 4)
	low, odds := words(0xff), K()
	{
		mask := GP32()
		MOVL(U32(0xaa), mask)
		KMOVW(mask, odds)
	}
	Label("counter512loop")
	xs = nil
	for range four {
		x, top, next := ZMM(), ZMM(), ZMM()
		VMOVDQA64(fixed, x)
		VPANDQ(low, count, top)
		VPSLLQ(Imm(56), top, top)
		VPSRLQ(Imm(8), count, next)
		VPSLLQ(Imm(48), next, next)
		VPORQ(top, next, odds, x)
		VPADDQ(step, count, count)
		xs = append(xs, x)
	}
	pi.encrypt(xs)
	for i, x := range xs {
		VMOVDQU64(x, Mem{Base: dst, Disp: 64 * i})
	}
	ADDQ(U32(64*four), dst)
	DECQ(n)
	JNZ(LabelRef("counter512loop"))
	VZEROUPPER()
	RET()

	TEXT("encode128", NOSPLIT, "func(out *uint64, rows int, secrets *uint64, mask uint64, places *byte)")
	Pragma("noescape")
	Doc("encode128 adds ten of the secrets to each block of out: those at places, 32-bit numbers of which the mask's bits count.",
		"It needs AVX.")
	out := Load(Param("out"), GP64())
	n = Load(Param("rows"), GP64())
	secrets, mask := Load(Param("secrets"), GP64()), Load(Param("mask"), GP64())
	places := Load(Param("places"), GP64())
	Label("encode128loop")
	sum := XMM()
	VMOVDQU(Mem{Base: out}, sum)
	for i := range weight {
		p := GP64()
		MOVL(Mem{Base: places, Disp: 4 * i}, p.As32())
		ANDQ(mask, p)
		SHLQ(Imm(4), p)
		VPXOR(Mem{Base: secrets, Index: p, Scale: 1}, sum, sum)
	}
	VMOVDQU(sum, Mem{Base: out})
	ADDQ(Imm(16), out)
	ADDQ(Imm(4*weight), places)
	DECQ(n)
	JNZ(LabelRef("encode128loop"))
	RET()

	TEXT("encodeBits512", NOSPLIT, "func(out *uint64, words int, secrets *uint64, mask uint64, places *byte)")
	Pragma("noescape")
	Doc("encodeBits512 is encode128 of bits: 64 of them are a word. It needs AVX512F and POPCNT.")
	out = Load(Param("out"), GP64())
	n = Load(Param("words"), GP64())
	secrets = Load(Param("secrets"), GP64())
	wide, ones := ZMM(), ZMM()
	{
		m := GP32()
		MOVL(Load(Param("mask"), GP64()).(GPVirtual).As32(), m)
		VPBROADCASTD(m, wide)
		MOVL(U32(1), m)
		VPBROADCASTD(m, ones)
	}
	places = Load(Param("places"), GP64())
	row, some, taken := K(), K(), K()
	{
		m := GP32()
		MOVL(U32(1<<weight-1), m)
		KMOVW(m, row)
	}
	Label("encodeBits512word")
	word, rows, bit := GP64(), GP64(), GP32()
	MOVQ(U32(64), rows)
	XORQ(word, word)
	Label("encodeBits512loop")
	p, byWord, got := ZMM(), ZMM(), ZMM()
	VMOVDQU32_Z(Mem{Base: places}, row, p)
	VPANDD(wide, p, p)
	VPSRLD(Imm(5), p, byWord)
	VPXORD(got, got, got)
	KMOVW(row, some)
	VPGATHERDD(Mem{Base: secrets, Index: byWord, Scale: 4}, some, got)
	VPRORVD(p, got, got) // by p modulo 32
	VPTESTMD(ones, got, taken)
	KMOVW(taken, bit)
	POPCNTL(bit, bit)
	SHRQ(Imm(1), word)
	SHLQ(Imm(63), bit.As64())
	ORQ(bit.As64(), word)
	ADDQ(Imm(4*weight), places)
	DECQ(rows)
	JNZ(LabelRef("encodeBits512loop"))
	XORQ(word, Mem{Base: out})
	ADDQ(Imm(8), out)
	DECQ(n)
	JNZ(LabelRef("encodeBits512word"))
	VZEROUPPER()
	RET()
	withAES()
}
