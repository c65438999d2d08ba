package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const aesRounds = 10

// expandKey expands a key of AES-128.
func expandKey() {
	TEXT("expandKey", NOSPLIT, "func(keys *[176]byte, key *[16]byte)")
	Pragma("noescape")
	Doc("expandKey sets keys to the round keys of AES-128. It needs AES and AVX.")
	keys, key := Load(Param("keys"), GP64()), Load(Param("key"), GP64())
	x := XMM()
	VMOVDQU(Mem{Base: key}, x)
	VMOVDQU(x, Mem{Base: keys})
	constant := uint64(1)
	for i := 1; i <= aesRounds; i++ {
		y, shifted := XMM(), XMM()
		VAESKEYGENASSIST(Imm(constant), x, y)
		VPSHUFD(Imm(0xff), y, y)
		VMOVDQA(x, shifted)
		for range 3 {
			VPSLLDQ(Imm(4), shifted, shifted)
			VPXOR(shifted, x, x)
		}
		VPXOR(y, x, x)
		VMOVDQU(x, Mem{Base: keys, Disp: 16 * i})
		if constant <<= 1; constant > 0xff { // times x in the field of 256 elements
			constant = 0x1b
		}
	}
	RET()
}

// counterBlocks encrypts blocks of a counter, eight vectors of four at a time.
func counterBlocks() {
	const vectors = 8
	swapped := lanes("swapped", func(i int) uint64 { return [2]uint64{0x0001020304050607, 0x08090a0b0c0d0e0f}[i%2] })
	firstFour := lanes("firstFour", func(i int) uint64 { return uint64(i % 2 * (i / 2)) })
	TEXT("counterBlocks", NOSPLIT, "func(d *byte, keys *[176]byte, id uint64, next uint64, blocks int)")
	Pragma("noescape")
	Doc("counterBlocks sets d to the encryptions by AES-128 of blocks of id and next, id and next + 1, and so on, all big endian. It needs",
		"AVX512F, AVX512DQ, AVX512BW and AVX512VAES.")
	d, keys, blocks := Load(Param("d"), GP64()), Load(Param("keys"), GP64()), Load(Param("blocks"), GP64())
	id, next := Load(Param("id"), GP64()), Load(Param("next"), GP64())
	var k [aesRounds + 1]VecVirtual
	for i := range k {
		k[i] = ZMM()
		VBROADCASTI32X4(Mem{Base: keys, Disp: 16 * i}, k[i])
	}
	swap := ZMM()
	VMOVDQU64(swapped, swap)
	odd := K()
	bits := GP32()
	MOVL(U32(0xaa), bits)
	KMOVB(bits, odd)
	counter, four := ZMM(), ZMM()
	VPBROADCASTQ(id, counter)
	VPBROADCASTQ(next, odd, counter)
	VPADDQ(firstFour, counter, counter)
	by := GP64()
	MOVQ(U64(4), by)
	VPBROADCASTQ_Z(by, odd, four)
	encrypt := func(z []VecVirtual) {
		for i := range z {
			z[i] = ZMM()
			VPSHUFB(swap, counter, z[i])
			VPADDQ(four, counter, counter)
			VPXORQ(k[0], z[i], z[i])
		}
		for r := 1; r < aesRounds; r++ {
			for i := range z {
				VAESENC(k[r], z[i], z[i])
			}
		}
		for i := range z {
			VAESENCLAST(k[aesRounds], z[i], z[i])
		}
	}
	many, fours, some, end := "counterBlocksMany", "counterBlocksFours", "counterBlocksSome", "counterBlocksEnd"
	Label(many)
	CMPQ(blocks, Imm(4*vectors))
	JLT(LabelRef(fours))
	z := make([]VecVirtual, vectors)
	encrypt(z)
	for i := range z {
		VMOVDQU64(z[i], Mem{Base: d, Disp: 64 * i})
	}
	ADDQ(I32(64*vectors), d)
	SUBQ(Imm(4*vectors), blocks)
	JMP(LabelRef(many))
	Label(fours)
	CMPQ(blocks, Imm(4))
	JLT(LabelRef(some))
	one := make([]VecVirtual, 1)
	encrypt(one)
	VMOVDQU64(one[0], Mem{Base: d})
	ADDQ(Imm(64), d)
	SUBQ(Imm(4), blocks)
	JMP(LabelRef(fours))
	Label(some)
	TESTQ(blocks, blocks)
	JZ(LabelRef(end))
	last := make([]VecVirtual, 1)
	encrypt(last)
	words := GP64() // 2·blocks ones
	XORQ(words, words)
	DECQ(words)
	MOVQ(blocks, RCX)
	ADDQ(RCX, RCX)
	SHLQ(CL, words)
	NOTQ(words)
	rest := K()
	KMOVB(words.As32(), rest)
	VMOVDQU64(last[0], rest, Mem{Base: d})
	Label(end)
	VZEROUPPER()
	RET()
}

// counterBlocks256 is counterBlocks for vectors of two blocks. Registers do not hold all round keys.
func counterBlocks256() {
	const vectors = 8
	TEXT("counterBlocks256", NOSPLIT, "func(d *byte, keys *[176]byte, id uint64, next uint64, blocks int)")
	Pragma("noescape")
	Doc("counterBlocks256 sets d to the encryptions by AES-128 of blocks of id and next, id and next + 1, and so on, all big endian. It needs",
		"AVX2 and VAES.")
	d, keys, blocks := Load(Param("d"), GP64()), Load(Param("keys"), GP64()), Load(Param("blocks"), GP64())
	id, next := Load(Param("id"), GP64()), Load(Param("next"), GP64())
	swap := lane256("swapped256", func(i int) uint64 { return [2]uint64{0x0001020304050607, 0x08090a0b0c0d0e0f}[i%2] })
	two := lane256("secondTwo", func(i int) uint64 { return uint64(2 * (i % 2)) })
	counter := lane256("firstTwo", func(i int) uint64 { return uint64(i / 3) })
	pair := YMM()
	VMOVQ(id, pair.AsX())
	VPINSRQ(Imm(1), next, pair.AsX(), pair.AsX())
	VINSERTI128(Imm(1), pair.AsX(), pair, pair)
	VPADDQ(pair, counter, counter)
	encrypt := func(y []VecVirtual) {
		key := func(i int) VecVirtual {
			k := YMM()
			VBROADCASTI128(Mem{Base: keys, Disp: 16 * i}, k)
			return k
		}
		k := key(0)
		for i := range y {
			y[i] = YMM()
			VPSHUFB(swap, counter, y[i])
			VPADDQ(two, counter, counter)
			VPXOR(k, y[i], y[i])
		}
		for r := 1; r < aesRounds; r++ {
			k := key(r)
			for i := range y {
				VAESENC(k, y[i], y[i])
			}
		}
		k = key(aesRounds)
		for i := range y {
			VAESENCLAST(k, y[i], y[i])
		}
	}
	many, twos, some, end := "counterBlocks256Many", "counterBlocks256Twos", "counterBlocks256Some", "counterBlocks256End"
	Label(many)
	CMPQ(blocks, Imm(2*vectors))
	JLT(LabelRef(twos))
	y := make([]VecVirtual, vectors)
	encrypt(y)
	for i := range y {
		VMOVDQU(y[i], Mem{Base: d, Disp: 32 * i})
	}
	ADDQ(I32(32*vectors), d)
	SUBQ(Imm(2*vectors), blocks)
	JMP(LabelRef(many))
	Label(twos)
	CMPQ(blocks, Imm(2))
	JLT(LabelRef(some))
	one := make([]VecVirtual, 1)
	encrypt(one)
	VMOVDQU(one[0], Mem{Base: d})
	ADDQ(Imm(32), d)
	SUBQ(Imm(2), blocks)
	JMP(LabelRef(twos))
	Label(some)
	TESTQ(blocks, blocks)
	JZ(LabelRef(end))
	last := make([]VecVirtual, 1)
	encrypt(last)
	VMOVDQU(last[0].AsX(), Mem{Base: d})
	Label(end)
	VZEROUPPER()
	RET()
}

// streams are the kernels of pseudo-random streams.
func streams() {
	expandKey()
	counterBlocks()
	counterBlocks256()
	features()
}
